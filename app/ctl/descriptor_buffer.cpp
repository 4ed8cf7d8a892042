// SPDX-License-Identifier: Apache-2.0
#include "ctl/descriptor_buffer.h"

#include <cerrno>

#include <unistd.h>

namespace bellwether::ctl {

DescriptorBuffer::DescriptorBuffer(int descriptor)
    : descriptor_(descriptor) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
}

DescriptorBuffer::~DescriptorBuffer() {
    writeOut();
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
    if (!writeOut()) {
        return traits_type::eof();
    }
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
        *pptr() = traits_type::to_char_type(c);
        pbump(1);
    }
    return traits_type::not_eof(c);
}

int DescriptorBuffer::sync() {
    return writeOut() ? 0 : -1;
}

bool DescriptorBuffer::writeOut() {
    const char* from = pbase();
    while (error_ == 0 && from < pptr()) {
        const auto written = write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
        if (written >= 0) {
            from += written;
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_ == 0;
}

} // namespace bellwether::ctl
