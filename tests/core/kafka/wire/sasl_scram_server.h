// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// The broker's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), on OpenSSL, with ways to lie.
namespace bellwether::kafka::wire {

struct ScramServer {
    std::string user;
    std::string password;
    std::string nonceTail = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
    std::string iterations = "4096";
    bool changeNonce = false;
    bool lieInSignature = false;

    /// server-first; empty when the user is another.
    std::string onFirst(const std::string& clientFirst);
    /// server-final; empty when the proof is wrong.
    std::string onFinal(const std::string& clientFinal);

private:
    std::string clientFirstBare_;
    std::string serverFirst_;
};

} // namespace bellwether::kafka::wire
