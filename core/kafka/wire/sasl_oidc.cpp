// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/sasl_oidc.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include <curl/curl.h>
#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <nlohmann/json.hpp>

#include "coordination/display_text.h"

namespace bellwether::kafka::wire {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxAnswer = std::size_t{1} << 20;
constexpr std::size_t kMaxQuoted = 300;
constexpr int kPollMs = 100;
constexpr long kOk = 200;

WallTime wallNow() {
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
}

std::size_t append(char* data, std::size_t size, std::size_t count, void* into) {
    auto& text = *static_cast<std::string*>(into);
    if (text.size() + size * count > kMaxAnswer) {
        return 0; // ends the transfer
    }
    text.append(data, size * count);
    return size * count;
}

struct EasyDeleter {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};

struct MultiDeleter {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};

struct StringDeleter {
    void operator()(char* text) const noexcept { curl_free(text); }
};

/// libcurl's global state belongs to librdkafka too, which sets it up with its first configuration object.
void initializeLibrary() {
    static std::once_flag once;
    std::call_once(once, [] {
        rd_kafka_conf_destroy(rd_kafka_conf_new());
        curl_global_init(CURL_GLOBAL_DEFAULT);
    });
}

Error failure(ErrorCode code, std::string what, const OidcSettings& settings, std::string hint) {
    Error error;
    error.code = code;
    error.what = std::move(what);
    error.where = settings.endpoint;
    error.hint = std::move(hint);
    error.retriable = code == ErrorCode::unreachable || code == ErrorCode::timeout;
    return error;
}

/// The payload of a JSON web token; null when it is none. Not verified: the broker does that.
json claimsOf(std::string_view token) {
    const auto first = token.find('.');
    const auto second = first == std::string_view::npos ? first : token.find('.', first + 1);
    if (second == std::string_view::npos) {
        return nullptr;
    }
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const char c : token.substr(first + 1, second - first - 1)) {
        const auto digit = kDigits.find(c);
        if (digit == std::string_view::npos) {
            break; // padding
        }
        bits = (bits << 6) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            text += static_cast<char>((bits >> count) & 0xFF);
        }
    }
    auto claims = json::parse(text, nullptr, false);
    return claims.is_object() ? claims : json(nullptr);
}

Result<OauthToken> readAnswer(const OidcSettings& settings, long status, const std::string& text) {
    const auto answer = json::parse(text, nullptr, false);
    if (status != kOk) {
        std::string reason = displayText(std::string_view(text).substr(0, kMaxQuoted));
        if (answer.is_object() && answer.contains("error") && answer["error"].is_string()) {
            reason = answer["error"].get<std::string>();
            if (answer.contains("error_description") && answer["error_description"].is_string()) {
                reason += ": " + answer["error_description"].get<std::string>();
            }
            reason = displayText(reason.substr(0, kMaxQuoted));
        }
        auto error = failure(
            ErrorCode::refused,
            fmt::format("the token endpoint answers with status {}: \"{}\"", status, reason), settings,
            "check sasl.oauthbearer.client.id, .client.secret, .scope and .token.endpoint.url");
        error.retriable = status >= 500;
        return fail(std::move(error));
    }
    if (!answer.is_object() || !answer.contains("access_token") || !answer["access_token"].is_string()) {
        return fail(failure(ErrorCode::protocol, "the token endpoint's answer holds no access_token",
                            settings, "check sasl.oauthbearer.token.endpoint.url"));
    }
    OauthToken token;
    token.token = answer["access_token"].get<std::string>();
    if (token.token.empty() || token.token.find_first_of("\x01\r\n ") != std::string::npos) {
        return fail(failure(ErrorCode::protocol, "the token endpoint's access_token is no bearer token",
                            settings, "check sasl.oauthbearer.token.endpoint.url"));
    }
    const auto claims = claimsOf(token.token);
    const auto now = wallNow();
    if (claims.is_object() && claims.contains("exp") && claims["exp"].is_number()) {
        constexpr double kFarthest = 4e9; // seconds; in the year 2096
        const auto seconds = std::clamp(claims["exp"].get<double>(), 0.0, kFarthest);
        token.expires = WallTime{Millis{static_cast<std::int64_t>(seconds * 1000)}};
    } else if (answer.contains("expires_in") && answer["expires_in"].is_number()) {
        const auto seconds = std::clamp(answer["expires_in"].get<double>(), 0.0, 1e9);
        token.expires = now + Millis{static_cast<std::int64_t>(seconds * 1000)};
    } else {
        token.expires = now; // nobody says how long: of use for one login
    }
    token.principal = settings.clientId;
    token.extensions = settings.extensions;
    return token;
}

} // namespace

Result<OauthToken> fetchOidcToken(const OidcSettings& settings,
                                  const std::shared_ptr<const std::atomic<bool>>& cancelled) {
    initializeLibrary();
    std::string text;
    std::string body = "grant_type=client_credentials";
    const std::unique_ptr<CURLM, MultiDeleter> multi(curl_multi_init());
    const std::unique_ptr<CURL, EasyDeleter> easy(curl_easy_init());
    if (!easy || !multi) {
        return fail(
            failure(ErrorCode::internal, "libcurl does not start", settings, "is there memory left?"));
    }
    if (!settings.scope.empty()) {
        const std::unique_ptr<char, StringDeleter> scope(
            curl_easy_escape(easy.get(), settings.scope.c_str(), static_cast<int>(settings.scope.size())));
        body += fmt::format("&scope={}", scope ? scope.get() : "");
    }
    std::array<char, CURL_ERROR_SIZE> detail{};
    curl_easy_setopt(easy.get(), CURLOPT_URL, settings.endpoint.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy.get(), CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    curl_easy_setopt(easy.get(), CURLOPT_USERNAME, settings.clientId.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_PASSWORD, settings.clientSecret.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_POSTFIELDS, body.c_str());
    curl_easy_setopt(easy.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(settings.timeout.count()));
    curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy.get(), CURLOPT_ERRORBUFFER, detail.data());
    curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &text);
    if (!settings.caFile.empty()) {
        curl_easy_setopt(easy.get(), CURLOPT_CAINFO, settings.caFile.c_str());
    }
    curl_multi_add_handle(multi.get(), easy.get());
    CURLcode result = CURLE_ABORTED_BY_CALLBACK;
    for (int running = 1; running > 0 && !(cancelled && *cancelled);) {
        if (curl_multi_perform(multi.get(), &running) != CURLM_OK) {
            break;
        }
        int left = 0;
        if (const auto* message = curl_multi_info_read(multi.get(), &left);
            message && message->msg == CURLMSG_DONE) {
            result = message->data.result;
            break;
        }
        curl_multi_poll(multi.get(), nullptr, 0, kPollMs, nullptr);
    }
    curl_multi_remove_handle(multi.get(), easy.get());
    if (cancelled && *cancelled) {
        return fail(failure(ErrorCode::closed, "the fetch of a token was cancelled", settings, {}));
    }
    if (result != CURLE_OK) {
        const auto code = result == CURLE_OPERATION_TIMEDOUT ? ErrorCode::timeout : ErrorCode::unreachable;
        return fail(
            failure(code,
                    fmt::format("the token endpoint does not answer: {}",
                                detail[0] != '\0' ? detail.data() : curl_easy_strerror(result)),
                    settings,
                    "check sasl.oauthbearer.token.endpoint.url, the network, and https.ca.location if it "
                    "is about a certificate"));
    }
    long status = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    return readAnswer(settings, status, text);
}

} // namespace bellwether::kafka::wire
