// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <librdkafka/rdkafka.h>

#include "kafka/client_listener.h"
#include "kafka/connection_diary.h"
#include "kafka/kafka_config.h"
#include "kafka/kafka_error.h"

/// RAII over librdkafka's C API. For the files of this room only: they are the ones that see rdkafka.h.
namespace bellwether::kafka {

template<auto destroy>
struct Destroyer {
    template<typename T>
    void operator()(T* pointer) const noexcept {
        destroy(pointer);
    }
};

using Conf = std::unique_ptr<rd_kafka_conf_t, Destroyer<rd_kafka_conf_destroy>>;
using Queue = std::unique_ptr<rd_kafka_queue_t, Destroyer<rd_kafka_queue_destroy>>;
using Event = std::unique_ptr<rd_kafka_event_t, Destroyer<rd_kafka_event_destroy>>;
using ErrorHandle = std::unique_ptr<rd_kafka_error_t, Destroyer<rd_kafka_error_destroy>>;
using PartitionList =
    std::unique_ptr<rd_kafka_topic_partition_list_t, Destroyer<rd_kafka_topic_partition_list_destroy>>;
using AdminOptions = std::unique_ptr<rd_kafka_AdminOptions_t, Destroyer<rd_kafka_AdminOptions_destroy>>;

[[nodiscard]] Fault faultOf(const rd_kafka_error_t& error);
[[nodiscard]] Fault faultOf(rd_kafka_resp_err_t code, const char* text = nullptr);
[[nodiscard]] SteadyTime steadyNow();

/// One rd_kafka_t. A producer's events are served by its own background thread, so that nothing piles up
/// while nobody calls; a consumer's come with its records. Destruction takes at most kDestroyBound of the
/// caller's time: a handle that needs longer (a name server that does not answer) is left to finish by
/// itself.
class Client {
public:
    static constexpr Millis kDestroyBound{500};

    /// `conf` is consumed. `config` names the bootstrap servers for messages.
    [[nodiscard]] static Result<std::unique_ptr<Client>> make(rd_kafka_type_t type, Conf conf,
                                                              const KafkaConfig& config,
                                                              std::shared_ptr<ClientListener> listener);
    ~Client();
    /// Starts the destruction without waiting for it; the destructor then waits for what is left of the
    /// bound. The client is not used any more. So many clients are closed in the time of one.
    void beginDestruction();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    [[nodiscard]] rd_kafka_t* get() const noexcept { return handle_; }

    [[nodiscard]] ConnectionDiary& diary() const noexcept;

    [[nodiscard]] const std::string& bootstrap() const noexcept { return bootstrap_; }

    /// A broker of the cluster has answered this handle at least once.
    [[nodiscard]] bool everReached() const;
    /// The fatal error of the handle, or code 0.
    [[nodiscard]] Fault fatalError() const;

private:
    struct State;
    Client() = default;
    static void onBackgroundEvent(rd_kafka_t* handle, rd_kafka_event_t* event, void* opaque);
    static void onError(rd_kafka_t* handle, int code, const char* text, void* opaque);
    static int onCertificate(rd_kafka_t* handle, const char* broker, std::int32_t brokerId, int* error,
                             int depth, const char* certificate, std::size_t size, char* text,
                             std::size_t textSize, void* opaque);
    static void onLog(const rd_kafka_t* handle, int level, const char* facility, const char* text);

    rd_kafka_t* handle_ = nullptr;
    rd_kafka_type_t type_ = RD_KAFKA_PRODUCER;
    std::string bootstrap_;
    std::shared_ptr<State> state_;
    std::future<void> destroyed_;
    SteadyTime destructionBegan_{};
};

/// Bounds one blocking call: a deadline, a wish to close from another thread, and brokers that cannot be
/// reached at all. Waits are cut into slices so that each is noticed soon.
class CallLimit {
public:
    /// A handle that never reached a broker is given this long before a call gives up on it.
    static constexpr Millis kHopelessAfter{3'000};

    CallLimit(Millis timeout, const std::atomic<bool>& closing);
    [[nodiscard]] Millis remaining() const;

    [[nodiscard]] bool over() const { return remaining() <= Millis{0}; }

    /// The next wait: at most `longest`, at least 1 ms.
    [[nodiscard]] int slice(Millis longest) const;
    /// The error to return now, if the call cannot go on; a timeout names `doing`.
    [[nodiscard]] std::optional<Error> ended(const Client& client, std::string_view doing,
                                             const Place& place) const;

    [[nodiscard]] Millis timeout() const noexcept { return timeout_; }

private:
    Millis timeout_;
    SteadyTime begin_;
    const std::atomic<bool>& closing_;
};

} // namespace bellwether::kafka
