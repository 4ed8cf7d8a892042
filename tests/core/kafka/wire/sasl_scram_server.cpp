// SPDX-License-Identifier: Apache-2.0
#include "sasl_scram_server.h"

#include <array>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace bellwether::kafka::wire {
namespace {

constexpr std::size_t kSize = 32;
constexpr std::string_view kSalt = "0123456789abcdef";

std::string base64(std::string_view bytes) {
    std::string out(4 * ((bytes.size() + 2) / 3), '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                    reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    return out;
}

std::string hmac(const std::string& key, const std::string& text) {
    std::string out(kSize, '\0');
    unsigned size = 0;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(out.data()), &size);
    return out;
}

std::string hash(const std::string& text) {
    std::string out(kSize, '\0');
    EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(out.data()), nullptr, EVP_sha256(),
               nullptr);
    return out;
}

std::string escaped(const std::string& name) {
    std::string out;
    for (const char c : name) {
        out += c == ',' ? "=2C" : c == '=' ? "=3D" : std::string(1, c);
    }
    return out;
}

} // namespace

std::string ScramServer::onFirst(const std::string& clientFirst) {
    const std::string head = "n,,n=" + escaped(user) + ",r=";
    if (clientFirst.rfind(head, 0) != 0) {
        return {};
    }
    clientFirstBare_ = clientFirst.substr(3);
    auto nonce = clientFirst.substr(head.size());
    if (changeNonce) {
        nonce[0] = nonce[0] == 'x' ? 'y' : 'x';
    }
    serverFirst_ = "r=" + nonce + nonceTail + ",s=" + base64(kSalt) + ",i=" + iterations;
    return serverFirst_;
}

std::string ScramServer::onFinal(const std::string& clientFinal) {
    std::string salted(kSize, '\0');
    PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()),
                      reinterpret_cast<const unsigned char*>(kSalt.data()), static_cast<int>(kSalt.size()),
                      std::stoi(iterations), EVP_sha256(), static_cast<int>(kSize),
                      reinterpret_cast<unsigned char*>(salted.data()));
    const auto proofAt = clientFinal.rfind(",p=");
    const auto message = clientFirstBare_ + "," + serverFirst_ + "," + clientFinal.substr(0, proofAt);
    const auto clientKey = hmac(salted, "Client Key");
    auto proof = hmac(hash(clientKey), message);
    for (std::size_t i = 0; i < kSize; ++i) {
        proof[i] = static_cast<char>(proof[i] ^ clientKey[i]);
    }
    if (clientFinal.substr(proofAt + 3) != base64(proof)) {
        return {};
    }
    auto signature = hmac(hmac(salted, "Server Key"), message);
    if (lieInSignature) {
        signature[0] = static_cast<char>(signature[0] ^ 1);
    }
    return "v=" + base64(signature);
}

} // namespace bellwether::kafka::wire
