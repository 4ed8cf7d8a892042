// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/sasl_oauth.h"

#include <algorithm>

#include <asio/post.hpp>
#include <fmt/format.h>

#include "kafka/wire/sasl_worker.h"

namespace bellwether::kafka::wire {
namespace {

const std::string kMechanism = "OAUTHBEARER";
constexpr char kSeparator = '\x01';
/// A token that lives for less is fetched anew at each login.
constexpr int kUsablePercent = 80;

WallTime wallNow() {
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
}

class OauthExchange final : public SaslExchange {
public:
    explicit OauthExchange(const OauthToken& token) {
        std::string text = "n,,";
        text += kSeparator;
        text += "auth=Bearer " + token.token + kSeparator;
        for (const auto& [name, value] : token.extensions) {
            text += name + '=' + value + kSeparator;
        }
        text += kSeparator;
        first_.assign(text.begin(), text.end());
    }

    Result<Bytes> first() override { return std::move(first_); }

    Result<std::optional<Bytes>> next(ByteView challenge) override {
        if (challenge.empty()) {
            if (toldOff_) {
                return fail(ErrorCode::protocol, "the broker accepts a token that it has just refused", {},
                            "is this the port of a Kafka broker? check the address");
            }
            return std::optional<Bytes>{};
        }
        // An error in JSON. The broker gives its reason once more, as its own error, after this (RFC
        // 7628 3.2.3).
        if (toldOff_) {
            return fail(ErrorCode::protocol, "the broker refuses the token without an end", {},
                        "is this the port of a Kafka broker? check the address");
        }
        toldOff_ = true;
        return Bytes{static_cast<std::uint8_t>(kSeparator)};
    }

private:
    Bytes first_;
    bool toldOff_ = false;
};

class OauthCredentials final : public SaslCredentials, public std::enable_shared_from_this<OauthCredentials> {
public:
    OauthCredentials(asio::io_context& io, TokenSource source, bool blocks, std::string who)
        : io_(io)
        , source_(std::move(source))
        , blocks_(blocks)
        , who_(std::move(who))
        , worker_(io) {}

    const std::string& mechanism() const override { return kMechanism; }

    std::string who() const override { return who_; }

    std::string hint() const override {
        return "check the sasl.oauthbearer.* settings and what the broker expects of a token (issuer, "
               "audience, "
               "clock)";
    }

    void begin(const HostPort& /*peer*/, Handler handler) override {
        waiting_.push_back(std::move(handler));
        if (token_ && wallNow() < usableUntil_) {
            asio::post(io_, [weak = weak_from_this()] {
                if (const auto self = weak.lock(); self && self->token_) {
                    self->answer(*self->token_);
                } else if (self) {
                    self->fetch(); // refused in between
                }
            });
        } else {
            fetch();
        }
    }

    void refused() override { token_.reset(); }

    void close() override {
        waiting_.clear();
        token_.reset();
        worker_.close();
    }

private:
    void fetch() {
        if (fetching_ || waiting_.empty()) {
            return;
        }
        fetching_ = true;
        const auto done = [weak = weak_from_this()](const Result<OauthToken>& token) {
            if (const auto self = weak.lock()) {
                self->onToken(token);
            }
        };
        if (!blocks_) {
            asio::post(io_, [done, token = source_(nullptr)] { done(token); });
            return;
        }
        try {
            worker_.run(source_, done);
        } catch (const std::system_error& noThread) {
            asio::post(io_, [done, why = std::string(noThread.what())] {
                done(fail(ErrorCode::internal, "no thread to fetch a token: " + why));
            });
        }
    }

    void onToken(const Result<OauthToken>& token) {
        fetching_ = false;
        if (token) {
            const auto now = wallNow();
            token_ = *token;
            usableUntil_ = now + (token->expires - now) * kUsablePercent / 100;
        }
        answer(token);
    }

    void answer(const Result<OauthToken>& token) {
        const auto waiting = std::move(waiting_);
        waiting_.clear();
        for (const auto& handler : waiting) {
            if (token) {
                handler(makeOauthExchange(*token));
            } else {
                handler(fail(token.error()));
            }
        }
    }

    asio::io_context& io_;
    const TokenSource source_;
    const bool blocks_;
    const std::string who_;
    std::optional<OauthToken> token_;
    WallTime usableUntil_{};
    std::vector<Handler> waiting_;
    bool fetching_ = false;
    SaslWorker worker_;
};

} // namespace

std::unique_ptr<SaslExchange> makeOauthExchange(const OauthToken& token) {
    return std::make_unique<OauthExchange>(token);
}

std::shared_ptr<SaslCredentials> makeOauthCredentials(asio::io_context& io, TokenSource source, bool blocks,
                                                      std::string who) {
    return std::make_shared<OauthCredentials>(io, std::move(source), blocks, std::move(who));
}

} // namespace bellwether::kafka::wire
