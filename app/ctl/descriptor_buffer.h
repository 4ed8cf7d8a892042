// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <streambuf>

namespace bellwether::ctl {

/// Writes to a file descriptor, which it does not own, and keeps the first error, so that a closed pipe can
/// be told from a full disk.
class DescriptorBuffer final : public std::streambuf {
public:
    explicit DescriptorBuffer(int descriptor);
    ~DescriptorBuffer() override;
    DescriptorBuffer(const DescriptorBuffer&) = delete;
    DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

    /// errno of the first write that failed, 0 when none has.
    [[nodiscard]] int error() const noexcept { return error_; }

protected:
    int_type overflow(int_type c) override;
    int sync() override;

private:
    bool writeOut();

    int descriptor_;
    int error_ = 0;
    std::array<char, 8192> buffer_{};
};

} // namespace bellwether::ctl
