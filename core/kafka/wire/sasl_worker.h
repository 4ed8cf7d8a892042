// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include <asio/io_context.hpp>
#include <asio/post.hpp>

namespace bellwether::kafka::wire {

/// Runs what may block (a KDC, a token endpoint) on a thread of its own and brings the result to the I/O
/// thread. Such a thread is never joined, since a library may hang in it for many seconds; what it does must
/// own all it uses. All calls on the I/O thread.
class SaslWorker {
public:
    using Cancelled = std::shared_ptr<const std::atomic<bool>>;

    explicit SaslWorker(asio::io_context& io)
        : gate_(std::make_shared<Gate>()) {
        gate_->io = &io;
    }

    ~SaslWorker() { close(); }

    SaslWorker(const SaslWorker&) = delete;
    SaslWorker& operator=(const SaslWorker&) = delete;

    /// `work(cancelled)` there, then `done(result)` here, unless closed in between. Throws std::system_error
    /// when the system has no thread to give.
    template<typename Work, typename Done>
    void run(Work work, Done done) {
        std::thread([gate = gate_, work = std::move(work), done = std::move(done)]() mutable {
            auto result = work(Cancelled(gate, &gate->cancelled));
            const std::lock_guard lock(gate->mutex);
            if (gate->io != nullptr) {
                asio::post(*gate->io, [done = std::move(done), result = std::move(result)]() mutable {
                    done(std::move(result));
                });
            }
        }).detach();
    }

    /// No `done` is posted after this; a work that looks at `cancelled` ends soon.
    void close() {
        gate_->cancelled = true;
        const std::lock_guard lock(gate_->mutex);
        gate_->io = nullptr;
    }

private:
    struct Gate {
        std::mutex mutex;
        asio::io_context* io = nullptr;
        std::atomic<bool> cancelled{false};
    };

    const std::shared_ptr<Gate> gate_;
};

} // namespace bellwether::kafka::wire
