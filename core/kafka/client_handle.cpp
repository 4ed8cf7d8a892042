// SPDX-License-Identifier: Apache-2.0
#include "kafka/client_handle.h"

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>
#include <openssl/x509_vfy.h>

namespace bellwether::kafka {

namespace {

constexpr int kLogError = 3;
constexpr int kLogInfo = 6;

struct FreedByLibrary {
    rd_kafka_t* handle = nullptr;

    void operator()(void* memory) const noexcept { rd_kafka_mem_free(handle, memory); }
};

bool isOn(const rd_kafka_conf_t& conf, const char* property) {
    std::array<char, 16> value{};
    auto size = value.size();
    return rd_kafka_conf_get(&conf, property, value.data(), &size) == RD_KAFKA_CONF_OK &&
           std::string_view(value.data()) == "true";
}

} // namespace

Fault faultOf(const rd_kafka_error_t& error) {
    Fault fault;
    fault.code = rd_kafka_error_code(&error);
    fault.text = rd_kafka_error_string(&error);
    fault.retriable = rd_kafka_error_is_retriable(&error) != 0;
    fault.fatal = rd_kafka_error_is_fatal(&error) != 0;
    fault.requiresAbort = rd_kafka_error_txn_requires_abort(&error) != 0;
    return fault;
}

Fault faultOf(rd_kafka_resp_err_t code, const char* text) {
    Fault fault;
    fault.code = code;
    fault.text = text != nullptr && *text != '\0' ? text : rd_kafka_err2str(code);
    return fault;
}

SteadyTime steadyNow() {
    return std::chrono::time_point_cast<Millis>(std::chrono::steady_clock::now());
}

struct Client::State {
    ConnectionDiary diary;
    std::shared_ptr<ClientListener> listener;
};

void Client::onError(rd_kafka_t* handle, int code, const char* text, void* opaque) {
    auto& state = *static_cast<State*>(opaque);
    if (code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
        state.diary.note(code, text == nullptr ? "" : text, steadyNow());
    }
    rd_kafka_yield(handle); // a poll in progress returns, so that the trouble is heard now
    if (state.listener) {
        auto fault = faultOf(static_cast<rd_kafka_resp_err_t>(code), text);
        if (code == RD_KAFKA_RESP_ERR__FATAL) {
            std::array<char, 512> detail{};
            fault = faultOf(rd_kafka_fatal_error(handle, detail.data(), detail.size()), detail.data());
            fault.fatal = true;
        }
        state.listener->problem(fault);
    }
}

void Client::onLog(const rd_kafka_t* handle, int level, const char* facility, const char* text) {
    auto* state = static_cast<State*>(rd_kafka_opaque(handle));
    if (state == nullptr) {
        return;
    }
    // A disconnect that the library takes for a broker's whim is only logged, and low.
    if (level <= kLogError || (level <= kLogInfo && std::string_view(facility) == "FAIL")) {
        state->diary.note(0, text, steadyNow());
    }
    if (state->listener) {
        state->listener->log(level, facility, text);
    }
}

int Client::onCertificate(rd_kafka_t* /*handle*/, const char* /*broker*/, std::int32_t /*brokerId*/,
                          int* error, int /*depth*/, const char* /*certificate*/, std::size_t /*size*/,
                          char* text, std::size_t textSize, void* /*opaque*/) {
    if (*error == X509_V_OK) {
        return 1;
    }
    // Without this callback the library drops OpenSSL's reason; the verdict stays OpenSSL's.
    fmt::format_to_n(text, textSize - 1, "{}", X509_verify_cert_error_string(*error)).out[0] = '\0';
    return 0;
}

void Client::onBackgroundEvent(rd_kafka_t* handle, rd_kafka_event_t* rawEvent, void* opaque) {
    const Event event(rawEvent);
    auto& state = *static_cast<State*>(opaque);
    switch (rd_kafka_event_type(event.get())) {
    case RD_KAFKA_EVENT_ERROR:
        onError(handle, rd_kafka_event_error(event.get()), rd_kafka_event_error_string(event.get()), opaque);
        break;
    case RD_KAFKA_EVENT_STATS:
        if (state.listener) {
            state.listener->statistics(rd_kafka_event_stats(event.get()));
        }
        break;
    case RD_KAFKA_EVENT_DR:
        while (const auto* message = rd_kafka_event_message_next(event.get())) {
            if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
                state.diary.noteReached();
            }
            if (state.listener) {
                // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the opaque is a number
                state.listener->delivered(reinterpret_cast<std::uintptr_t>(message->_private),
                                          faultOf(message->err, rd_kafka_message_errstr(message)));
            }
        }
        break;
    default: break;
    }
}

Result<std::unique_ptr<Client>> Client::make(rd_kafka_type_t type, Conf conf, const KafkaConfig& config,
                                             std::shared_ptr<ClientListener> listener) {
    std::unique_ptr<Client> client(new Client);
    client->type_ = type;
    client->bootstrap_ = config.bootstrap;
    client->state_ = std::make_shared<State>();
    client->state_->listener = std::move(listener);

    rd_kafka_conf_set_opaque(conf.get(), client->state_.get());
    rd_kafka_conf_set_log_cb(conf.get(), &Client::onLog);
    if (isOn(*conf, "enable.ssl.certificate.verification")) {
        rd_kafka_conf_set_ssl_cert_verify_cb(conf.get(), &Client::onCertificate);
    }
    if (type == RD_KAFKA_PRODUCER) {
        rd_kafka_conf_set_events(conf.get(), RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_STATS | RD_KAFKA_EVENT_DR);
        rd_kafka_conf_set_background_event_cb(conf.get(), &Client::onBackgroundEvent);
    } else {
        rd_kafka_conf_set_error_cb(conf.get(), &Client::onError);
    }
    std::array<char, 512> reason{};
    client->handle_ = rd_kafka_new(type, conf.get(), reason.data(), reason.size());
    if (client->handle_ == nullptr) {
        return fail(settingsError(reason.data(), config.bootstrap));
    }
    static_cast<void>(conf.release()); // the handle owns it now
    if (type == RD_KAFKA_PRODUCER) {
        const Queue main(rd_kafka_queue_get_main(client->handle_));
        const Queue background(rd_kafka_queue_get_background(client->handle_));
        rd_kafka_queue_forward(main.get(), background.get());
    } else {
        rd_kafka_poll_set_consumer(client->handle_);
    }
    return client;
}

Client::~Client() {
    if (handle_ == nullptr) {
        return;
    }
    beginDestruction();
    destroyed_.wait_for(std::max(Millis{0}, kDestroyBound - (steadyNow() - destructionBegan_)));
}

void Client::beginDestruction() {
    if (destroyed_.valid() || handle_ == nullptr) {
        return;
    }
    destructionBegan_ = steadyNow();
    std::promise<void> done;
    destroyed_ = done.get_future();
    // The thread owns what the callbacks use, for as long as the library needs it.
    std::thread([handle = handle_, consumer = type_ == RD_KAFKA_CONSUMER, state = state_,
                 promise = std::move(done)]() mutable {
        if (consumer) {
            rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
        } else {
            rd_kafka_purge(handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT |
                                       RD_KAFKA_PURGE_F_NON_BLOCKING);
            rd_kafka_destroy(handle);
        }
        state.reset();
        promise.set_value();
    }).detach();
}

ConnectionDiary& Client::diary() const noexcept {
    return state_->diary;
}

bool Client::everReached() const {
    if (state_->diary.everReached()) {
        return true;
    }
    // The cluster's id is in the first metadata that any broker sends.
    const std::unique_ptr<char, FreedByLibrary> clusterId(rd_kafka_clusterid(handle_, 0),
                                                          FreedByLibrary{handle_});
    return clusterId != nullptr;
}

Fault Client::fatalError() const {
    std::array<char, 512> detail{};
    const auto code = rd_kafka_fatal_error(handle_, detail.data(), detail.size());
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
        return {};
    }
    auto fault = faultOf(code, detail.data());
    fault.fatal = true;
    return fault;
}

CallLimit::CallLimit(Millis timeout, const std::atomic<bool>& closing)
    : timeout_(timeout)
    , begin_(steadyNow())
    , closing_(closing) {}

Millis CallLimit::remaining() const {
    return std::max(Millis{0}, timeout_ - (steadyNow() - begin_));
}

int CallLimit::slice(Millis longest) const {
    return static_cast<int>(std::max<std::int64_t>(1, std::min(longest, remaining()).count()));
}

std::optional<Error> CallLimit::ended(const Client& client, std::string_view doing,
                                      const Place& place) const {
    if (closing_.load()) {
        return closedError(doing, place);
    }
    if (steadyNow() - begin_ >= kHopelessAfter && !client.everReached() && client.diary().telling()) {
        return unreachableError(doing, place, client.diary());
    }
    if (over()) {
        return explainConnection(timeoutError(doing, place, timeout_), client.diary());
    }
    return std::nullopt;
}

} // namespace bellwether::kafka
