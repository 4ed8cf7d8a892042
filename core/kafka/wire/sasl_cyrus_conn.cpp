// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/sasl_cyrus_conn.h"

#include <array>
#include <cstring>
#include <limits>
#include <mutex>

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <sasl/sasl.h>

#include "coordination/display_text.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::string_view kGssapi = "GSSAPI";

/// The library's global state belongs to librdkafka too, which sets its mutexes and counts its users in its
/// own first initialization: a configuration object triggers that, then this one counts as one user more.
int initializeLibrary() {
    static std::once_flag once;
    static int result = SASL_FAIL;
    std::call_once(once, [] {
        rd_kafka_conf_destroy(rd_kafka_conf_new());
        result = sasl_client_init(nullptr);
    });
    return result;
}

struct Dispose {
    void operator()(sasl_conn_t* conn) const noexcept { sasl_dispose(&conn); }
};

/// sasl_secret_t ends in an array as long as the password; wiped when it goes.
class Secret {
public:
    explicit Secret(const std::string& text)
        : bytes_(sizeof(sasl_secret_t) + text.size()) {
        get()->len = text.size();
        std::memcpy(get()->data, text.data(), text.size());
    }

    ~Secret() { ::explicit_bzero(bytes_.data(), bytes_.size()); }

    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;

    [[nodiscard]] sasl_secret_t* get() noexcept {
        return reinterpret_cast<sasl_secret_t*>(bytes_.data()); // operator new aligns it
    }

private:
    std::vector<unsigned char> bytes_;
};

std::string packageOf(const std::string& mechanism) {
    return mechanism == kGssapi ? "libsasl2-modules-gssapi-mit" : "libsasl2-modules";
}

Bytes toBytes(const char* data, unsigned size) {
    return data ? Bytes(data, data + size) : Bytes{};
}

class CyrusExchange final : public SaslExchange {
public:
    CyrusExchange(std::shared_ptr<const CyrusSettings> settings)
        : settings_(std::move(settings))
        , secret_(settings_->password)
        , callbacks_{{{SASL_CB_USER, asProc(&CyrusExchange::onName), this},
                      {SASL_CB_AUTHNAME, asProc(&CyrusExchange::onName), this},
                      {SASL_CB_PASS, asProc(&CyrusExchange::onPassword), this},
                      {SASL_CB_LIST_END, nullptr, nullptr}}} {}

    Result<void> start(const std::string& host) {
        if (const auto result = initializeLibrary(); result != SASL_OK) {
            return fail(
                ErrorCode::unsupported,
                fmt::format("the SASL library does not start: {}", sasl_errstring(result, nullptr, nullptr)),
                {}, "install the Debian packages libsasl2-2 and libsasl2-modules");
        }
        sasl_conn_t* raw = nullptr;
        const auto made = sasl_client_new(settings_->service.c_str(), host.c_str(), nullptr, nullptr,
                                          callbacks_.data(), 0, &raw);
        conn_.reset(raw);
        if (made != SASL_OK) {
            return fail(trouble(made));
        }
        // TLS is the only protection of what follows the login: no security layer.
        sasl_security_properties_t bounds{};
        bounds.maxbufsize = 0;
        if (const auto set = sasl_setprop(raw, SASL_SEC_PROPS, &bounds); set != SASL_OK) {
            return fail(trouble(set));
        }
        const char* out = nullptr;
        unsigned size = 0;
        const char* chosen = nullptr;
        const auto result =
            sasl_client_start(raw, settings_->mechanism.c_str(), nullptr, &out, &size, &chosen);
        if (result == SASL_NOMECH) {
            return fail(ErrorCode::unsupported,
                        fmt::format("the SASL library has no {} on this system", settings_->mechanism), {},
                        fmt::format("install the Debian package {}", packageOf(settings_->mechanism)));
        }
        if (result != SASL_OK && result != SASL_CONTINUE) {
            return fail(trouble(result));
        }
        complete_ = result == SASL_OK;
        first_ = toBytes(out, size);
        return {};
    }

    Result<Bytes> first() override { return std::move(first_); }

    Result<std::optional<Bytes>> next(ByteView challenge) override {
        if (complete_) {
            return std::optional<Bytes>{};
        }
        const char* out = nullptr;
        unsigned size = 0;
        const auto result = sasl_client_step(conn_.get(), reinterpret_cast<const char*>(challenge.data()),
                                             static_cast<unsigned>(challenge.size()), nullptr, &out, &size);
        if (result != SASL_OK && result != SASL_CONTINUE) {
            return fail(trouble(result));
        }
        complete_ = result == SASL_OK;
        // The last message of SCRAM is the broker's, that of GSSAPI is ours.
        if (complete_ && (out == nullptr || size == 0)) {
            return std::optional<Bytes>{};
        }
        return toBytes(out, size);
    }

private:
    using Proc = int (*)();

    // Cyrus takes callbacks of every signature in one type and calls each by its id.
    template<typename Function>
    static Proc asProc(Function* function) {
        return reinterpret_cast<Proc>(reinterpret_cast<void*>(function));
    }

    static int onName(void* context, int id, const char** result, unsigned* size) {
        const auto& self = *static_cast<const CyrusExchange*>(context);
        // No other identity than the one that logs in is asked for.
        *result = id == SASL_CB_AUTHNAME ? self.settings_->user.c_str() : "";
        if (size != nullptr) {
            *size = static_cast<unsigned>(std::strlen(*result));
        }
        return SASL_OK;
    }

    static int onPassword(sasl_conn_t* /*conn*/, void* context, int /*id*/, sasl_secret_t** result) {
        *result = static_cast<CyrusExchange*>(context)->secret_.get();
        return SASL_OK;
    }

    [[nodiscard]] Error trouble(int result) const {
        const char* detail = conn_ ? sasl_errdetail(conn_.get()) : sasl_errstring(result, nullptr, nullptr);
        const auto text = displayText(detail ? detail : "");
        Error error;
        if (result == SASL_BADSERV || (result == SASL_BADAUTH && settings_->mechanism != kGssapi)) {
            error.code = ErrorCode::refused;
            error.what = fmt::format("the broker cannot prove that it knows the secret ({})", text);
            error.hint = "is this the broker you mean? something else may have taken its address";
        } else if (settings_->mechanism == kGssapi) {
            // The same without a ticket, with an unknown service or without a KDC: what may pass.
            error.code = ErrorCode::refused;
            error.retriable = true;
            error.what = text;
            error.hint = "look at the tickets (klist); get one with kinit, or correct "
                         "sasl.kerberos.service.name, the broker's host name or krb5.conf";
        } else {
            error.code = ErrorCode::protocol;
            error.what = fmt::format("the broker's answer makes no sense ({})", text);
            error.hint = "is this the port of a Kafka broker? check the address";
        }
        return error;
    }

    const std::shared_ptr<const CyrusSettings> settings_;
    Secret secret_;
    const std::array<sasl_callback_t, 4> callbacks_; ///< the connection keeps a pointer to it
    std::unique_ptr<sasl_conn_t, Dispose> conn_;
    Bytes first_;
    bool complete_ = false;
};

} // namespace

Result<std::unique_ptr<SaslExchange>> startCyrusExchange(std::shared_ptr<const CyrusSettings> settings,
                                                         const std::string& host) {
    auto exchange = std::make_unique<CyrusExchange>(std::move(settings));
    if (auto started = exchange->start(host); !started) {
        return fail(std::move(started).error());
    }
    return exchange;
}

} // namespace bellwether::kafka::wire
