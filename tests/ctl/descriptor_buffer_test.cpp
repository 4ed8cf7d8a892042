// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <csignal>
#include <ostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "ctl/descriptor_buffer.h"

namespace bellwether::ctl {

TEST(DescriptorBuffer, WritesEverythingInOrder) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    std::string expected;
    {
        DescriptorBuffer buffer(ends[1]);
        std::ostream out(&buffer);
        for (int i = 0; i < 5'000; ++i) {
            const std::string word = std::to_string(i) + " ";
            out << word;
            expected += word;
        }
        EXPECT_TRUE(out.flush());
        EXPECT_EQ(buffer.error(), 0);
        out << "tail"; // by the destructor
        expected += "tail";
    }
    close(ends[1]);
    std::string got;
    std::array<char, 4096> piece{};
    for (ssize_t n = 0; (n = read(ends[0], piece.data(), piece.size())) > 0;) {
        got.append(piece.data(), static_cast<std::size_t>(n));
    }
    close(ends[0]);
    EXPECT_EQ(got, expected);
}

TEST(DescriptorBuffer, TellsAClosedPipeFromAFullDisk) {
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    close(ends[0]);
    DescriptorBuffer closed(ends[1]);
    std::ostream toClosed(&closed);
    EXPECT_FALSE(toClosed << "x" << std::flush);
    EXPECT_EQ(closed.error(), EPIPE);
    close(ends[1]);

    const int full = open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    DescriptorBuffer disk(full);
    std::ostream toDisk(&disk);
    EXPECT_FALSE(toDisk << "x" << std::flush);
    EXPECT_EQ(disk.error(), ENOSPC);
    close(full);
}

} // namespace bellwether::ctl
