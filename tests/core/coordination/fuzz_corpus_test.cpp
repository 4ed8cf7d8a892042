// SPDX-License-Identifier: Apache-2.0
// The fuzz target over a seeded corpus of mutated legal records; the target aborts when a property fails.
#include <algorithm>

#include <gtest/gtest.h>

#include "record_codec_fuzz.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing_support::below;
using testing_support::legalRecords;
using testing_support::randomBytes;

void feed(std::uint8_t cut, const std::string& key, const std::string& value) {
    std::vector<std::uint8_t> input{cut};
    input.insert(input.end(), key.begin(), key.end());
    input.insert(input.end(), value.begin(), value.end());
    EXPECT_EQ(LLVMFuzzerTestOneInput(input.data(), input.size()), 0);
}

std::uint8_t cutOf(const std::string& key) {
    return static_cast<std::uint8_t>(std::min<std::size_t>(key.size(), 254));
}

TEST(FuzzCorpus, LegalRecords) {
    for (const auto& sample : legalRecords()) {
        feed(cutOf(sample.key), sample.key, sample.value.value_or(""));
        feed(kNullKey, sample.key, sample.value.value_or(""));
    }
    EXPECT_EQ(LLVMFuzzerTestOneInput(nullptr, 0), 0);
}

TEST(FuzzCorpus, MutatedRecords) {
    std::mt19937_64 random(664);
    const auto samples = legalRecords();
    for (int i = 0; i < 15'000; ++i) {
        const auto& sample = samples[below(random, samples.size())];
        auto key = sample.key;
        auto value = samples[below(random, samples.size())].value.value_or("");
        if (below(random, 3) != 0) {
            value = sample.value.value_or("");
        }
        for (std::uint64_t changes = below(random, 4); changes > 0; --changes) {
            auto& bytes = below(random, 2) == 0 ? key : value;
            const auto at = below(random, bytes.size() + 1);
            switch (below(random, 4)) {
            case 0: bytes.insert(at, 1, static_cast<char>(below(random, 256))); break;
            case 1: bytes.resize(at); break;
            case 2: bytes += randomBytes(random, 8); break;
            default:
                if (at < bytes.size()) {
                    bytes[at] =
                        static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << below(random, 8)));
                }
                break;
            }
        }
        feed(cutOf(key), key, value);
    }
}

TEST(FuzzCorpus, Noise) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 5'000; ++i) {
        const auto key = randomBytes(random, 40);
        feed(cutOf(key), key, randomBytes(random, 40));
    }
}

} // namespace
} // namespace bellwether
