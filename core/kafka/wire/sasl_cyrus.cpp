// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/sasl_cyrus.h"

#include <strings.h>

#include <cstring>

#include <asio/post.hpp>
#include <fmt/format.h>

#include "coordination/display_text.h"
#include "kafka/wire/sasl_cyrus_conn.h"
#include "kafka/wire/sasl_worker.h"

namespace bellwether::kafka::wire {
namespace {

class CyrusCredentials final : public SaslCredentials {
public:
    CyrusCredentials(asio::io_context& io, CyrusSettings settings)
        : io_(io)
        , settings_(std::shared_ptr<CyrusSettings>(new CyrusSettings(std::move(settings)), wipe))
        , worker_(io) {}

    const std::string& mechanism() const override { return settings_->mechanism; }

    std::string who() const override {
        return usesTickets() ? "the ticket's principal"
                             : fmt::format("user \"{}\"", displayText(settings_->user));
    }

    std::string hint() const override {
        return usesTickets()
                   ? "look at the tickets (klist) and at sasl.kerberos.service.name; the broker's log "
                     "says more"
                   : "check sasl.username and sasl.password";
    }

    void begin(const HostPort& peer, Handler handler) override {
        if (!usesTickets()) {
            asio::post(io_, [handler = std::move(handler),
                             result = startCyrusExchange(settings_, peer.host)]() mutable {
                handler(std::move(result));
            });
            return;
        }
        try {
            worker_.run([settings = settings_, host = peer.host](
                            const SaslWorker::Cancelled&) { return startCyrusExchange(settings, host); },
                        handler);
        } catch (const std::system_error& noThread) {
            asio::post(io_, [handler = std::move(handler), why = std::string(noThread.what())] {
                handler(fail(ErrorCode::internal, "no thread for the Kerberos exchange: " + why));
            });
        }
    }

    void close() override { worker_.close(); }

private:
    static void wipe(CyrusSettings* settings) {
        ::explicit_bzero(settings->password.data(), settings->password.size());
        delete settings;
    }

    [[nodiscard]] bool usesTickets() const { return settings_->mechanism == "GSSAPI"; }

    asio::io_context& io_;
    const std::shared_ptr<const CyrusSettings> settings_;
    SaslWorker worker_;
};

} // namespace

std::shared_ptr<SaslCredentials> makeCyrusCredentials(asio::io_context& io, CyrusSettings settings) {
    return std::make_shared<CyrusCredentials>(io, std::move(settings));
}

} // namespace bellwether::kafka::wire
