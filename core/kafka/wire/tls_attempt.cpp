// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_attempt.h"

#include <ctime>

#include <asio/ip/address.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <openssl/x509v3.h>

#include "coordination/display_text.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kMostNames = 8;

std::string bounded(std::string_view text) {
    return text.size() <= kLongestName ? displayText(text)
                                       : displayText(text.substr(0, kLongestName)) + "...";
}

std::string textOf(const X509_NAME* name) {
    const BioPtr memory(BIO_new(BIO_s_mem()));
    if (name == nullptr || X509_NAME_entry_count(name) == 0) {
        return "(no name)";
    }
    constexpr auto kFlags =
        static_cast<unsigned long>(XN_FLAG_RFC2253) & ~static_cast<unsigned long>(ASN1_STRFLGS_ESC_MSB);
    if (X509_NAME_print_ex(memory.get(), name, 0, kFlags) < 0) {
        return "(unreadable name)";
    }
    char* bytes = nullptr;
    const auto size = BIO_get_mem_data(memory.get(), &bytes);
    return bounded({bytes, static_cast<std::size_t>(size)});
}

std::string textOf(const ASN1_TIME* time) {
    std::tm parts{};
    return ASN1_TIME_to_tm(time, &parts) == 1 ? fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", parts)
                                              : "(unreadable time)";
}

std::string_view bytesOf(const ASN1_STRING* text) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
            static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string addressText(std::string_view bytes) {
    if (bytes.size() == 4) {
        asio::ip::address_v4::bytes_type v4{};
        std::copy(bytes.begin(), bytes.end(), v4.begin());
        return asio::ip::address_v4(v4).to_string();
    }
    if (bytes.size() == 16) {
        asio::ip::address_v6::bytes_type v6{};
        std::copy(bytes.begin(), bytes.end(), v6.begin());
        return asio::ip::address_v6(v6).to_string();
    }
    return "(unreadable address)";
}

std::string commonNameOf(const X509& certificate) {
    const auto* subject = X509_get_subject_name(&certificate);
    const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    const auto* entry = at < 0 ? nullptr : X509_NAME_get_entry(subject, at);
    return entry == nullptr ? std::string() : bounded(bytesOf(X509_NAME_ENTRY_get_data(entry)));
}

void freeNames(STACK_OF(GENERAL_NAME) * names) noexcept {
    sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
}

std::string namesOf(const X509& certificate) {
    using NamesPtr = std::unique_ptr<STACK_OF(GENERAL_NAME), OpensslFree<freeNames>>;
    const NamesPtr names(static_cast<STACK_OF(GENERAL_NAME)*>(
        X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
    std::vector<std::string> found;
    bool hasDns = false;
    for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
        const auto* name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type == GEN_DNS) {
            hasDns = true;
            found.push_back(bounded(bytesOf(name->d.dNSName)));
        } else if (name->type == GEN_IPADD) {
            found.push_back(addressText(bytesOf(name->d.iPAddress)));
        }
    }
    if (!hasDns) { // then the common name counts
        if (auto name = commonNameOf(certificate); !name.empty()) {
            found.push_back(std::move(name));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < found.size() && i < kMostNames; ++i) {
        text += (i == 0 ? "" : ", ") + found[i];
    }
    return found.size() > kMostNames ? fmt::format("{} and {} more", text, found.size() - kMostNames) : text;
}

int attemptIndex() {
    static const int kIndex = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return kIndex;
}

TlsAttempt* attemptOf(const SSL* session) {
    return session == nullptr ? nullptr : static_cast<TlsAttempt*>(SSL_get_ex_data(session, attemptIndex()));
}

int onVerified(int passed, X509_STORE_CTX* checking) {
    auto* attempt = attemptOf(
        static_cast<SSL*>(X509_STORE_CTX_get_ex_data(checking, SSL_get_ex_data_X509_STORE_CTX_idx())));
    const auto* certificate = X509_STORE_CTX_get_current_cert(checking);
    if (passed == 1 || attempt == nullptr || attempt->distrust) {
        return passed;
    }
    auto& distrust = attempt->distrust.emplace();
    distrust.reason = X509_STORE_CTX_get_error(checking);
    distrust.isLeaf = X509_STORE_CTX_get_error_depth(checking) == 0;
    if (certificate != nullptr) {
        distrust.of = describe(*certificate);
        distrust.top = distrust.of;
    }
    const auto* chain = X509_STORE_CTX_get0_chain(checking);
    if (chain != nullptr && sk_X509_num(chain) > 0) {
        distrust.top = describe(*sk_X509_value(chain, sk_X509_num(chain) - 1));
    }
    ERR_clear_error(); // of describing; the handshake's own comes after this
    return passed;
}

bool isAmong(const STACK_OF(X509_NAME) * names, const X509* certificate) {
    for (int i = 0; i < sk_X509_NAME_num(names); ++i) {
        if (X509_NAME_cmp(sk_X509_NAME_value(names, i), X509_get_issuer_name(certificate)) == 0) {
            return true;
        }
    }
    return false;
}

// The broker wants a client certificate. As librdkafka does, one that it would reject is not sent: where a
// certificate is wanted and not needed, the connection goes on without.
int onCertificateWanted(SSL* session, void* /*unused*/) {
    auto* attempt = attemptOf(session);
    if (attempt == nullptr) {
        return 1;
    }
    attempt->certificateWanted = true;
    const auto* issuers = SSL_get_client_CA_list(session);
    const auto* own = SSL_get_certificate(session);
    const auto count = issuers == nullptr ? 0 : sk_X509_NAME_num(issuers);
    for (int i = 0; i < count && i < static_cast<int>(kMostNames); ++i) {
        attempt->acceptedIssuers += (i == 0 ? "" : "; ") + textOf(sk_X509_NAME_value(issuers, i));
    }
    if (own == nullptr || count <= 0 || isAmong(issuers, own)) {
        return 1;
    }
    STACK_OF(X509)* chain = nullptr;
    SSL_get0_chain_certs(session, &chain);
    for (int i = 0; chain != nullptr && i < sk_X509_num(chain); ++i) {
        if (isAmong(issuers, sk_X509_value(chain, i))) {
            return 1;
        }
    }
    attempt->withheld = true;
    SSL_certs_clear(session);
    return 1;
}

} // namespace

CertificateWords describe(const X509& certificate) {
    return {textOf(X509_get_subject_name(&certificate)), textOf(X509_get_issuer_name(&certificate)),
            textOf(X509_get0_notBefore(&certificate)), textOf(X509_get0_notAfter(&certificate)),
            namesOf(certificate)};
}

void watchAttempts(SSL_CTX& context, bool verifies) {
    SSL_CTX_set_verify(&context, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE,
                       verifies ? onVerified : nullptr);
    SSL_CTX_set_cert_cb(&context, onCertificateWanted, nullptr);
}

bool setAttempt(SSL& session, TlsAttempt& attempt) {
    return SSL_set_ex_data(&session, attemptIndex(), &attempt) == 1;
}

} // namespace bellwether::kafka::wire
