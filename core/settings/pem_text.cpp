// SPDX-License-Identifier: Apache-2.0
#include "settings/pem_text.h"

namespace bellwether::settings {

namespace {

constexpr std::string_view kBegin = "-----BEGIN ";
constexpr std::string_view kDashes = "-----";
constexpr std::size_t kLine = 64;

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

} // namespace

std::string withLineEnds(std::string_view pem) {
    std::string out;
    std::size_t at = 0;
    while ((at = pem.find(kBegin, at)) != std::string_view::npos) {
        const auto labelEnd = pem.find(kDashes, at + kBegin.size());
        if (labelEnd == std::string_view::npos) {
            return std::string(pem);
        }
        const auto label = pem.substr(at + kBegin.size(), labelEnd - at - kBegin.size());
        const auto end = std::string("-----END ").append(label).append(kDashes);
        const auto body = labelEnd + kDashes.size();
        const auto bodyEnd = pem.find(end, body);
        if (bodyEnd == std::string_view::npos) {
            return std::string(pem); // cut short: OpenSSL's error tells
        }
        const auto raw = pem.substr(body, bodyEnd - body);
        if (raw.find(':') != std::string_view::npos) {
            out.append(pem.substr(at, bodyEnd + end.size() - at)).append("\n");
        } else {
            std::string base64;
            for (std::size_t i = 0; i < raw.size(); ++i) {
                if (const auto two = raw.substr(i, 2); two == "\\n" || two == "\\r") {
                    ++i;
                } else if (!isSpace(raw[i])) {
                    base64 += raw[i];
                }
            }
            out.append(kBegin).append(label).append(kDashes).append("\n");
            for (std::size_t i = 0; i < base64.size(); i += kLine) {
                out.append(base64, i, kLine).append("\n");
            }
            out.append(end).append("\n");
        }
        at = bodyEnd + end.size();
    }
    return out.empty() ? std::string(pem) : out;
}

bool lacksLineEnds(std::string_view pem) {
    for (auto at = pem.find(kBegin); at != std::string_view::npos; at = pem.find(kBegin, at + 1)) {
        const auto labelEnd = pem.find(kDashes, at + kBegin.size());
        const auto next = labelEnd == std::string_view::npos
                              ? labelEnd
                              : pem.find_first_not_of(" \t\r", labelEnd + kDashes.size());
        if (next != std::string_view::npos && pem[next] != '\n') {
            return true;
        }
    }
    return false;
}

} // namespace bellwether::settings
