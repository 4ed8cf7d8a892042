// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// First byte of an input: kNullKey means a null key and all the rest the value, anything else is the number
/// of bytes of the key.
inline constexpr std::uint8_t kNullKey = 255;

/// libFuzzer's entry. Aborts when a property of the codec does not hold.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
