// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kafka/wire/name_index.h"

namespace bellwether::kafka::wire {
namespace {

TEST(NameIndex, NamesKeepTheirPlaceHoweverManyThereAre) {
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 20'000U}) {
        std::vector<std::string> names;
        const auto nameAt = [&](std::size_t i) -> const std::string& { return names.at(i); };
        NameIndex index(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto name = "role-" + std::to_string(i);
            ASSERT_EQ(index.placeOf(name, nameAt), NameIndex::kNone);
            ASSERT_EQ(index.add(name, names.size(), nameAt), i);
            names.push_back(name);
            ASSERT_EQ(index.add(name, names.size(), nameAt), i) << "named before";
        }
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(index.placeOf("role-" + std::to_string(i), nameAt), i);
        }
        EXPECT_EQ(index.placeOf("role", nameAt), NameIndex::kNone);
        EXPECT_EQ(index.placeOf("", nameAt), NameIndex::kNone);
    }
}

} // namespace
} // namespace bellwether::kafka::wire
