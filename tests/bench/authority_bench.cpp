// SPDX-License-Identifier: Apache-2.0
// Many roles described: by the wire authority, by Java's Admin, and by a bare exchange of the same bytes, on
// one real cluster in one run, a round of each in turn.
#include <cstdio>
#include <fstream>
#include <future>
#include <iostream>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bare_exchange.h"
#include "counted_traffic.h"
#include "java_admin.h"
#include "kafka/wire_authority.h"
#include "process.h"
#include "test_cluster.h"

namespace {

using namespace bellwether;
using namespace bellwether::bench;

constexpr const char* kPrefix = "bench-role-";
constexpr std::size_t kRolesPerRequest = 1'000;

// The goals: ratios against what was measured in the same run.
constexpr double kOverColdJava = 20.0;
constexpr double kOverWarmJava = 2.0;
constexpr double kUnderBareExchange = 1.2;

std::vector<Role> rolesOf(std::size_t count) {
    std::vector<Role> roles;
    for (std::size_t i = 0; i < count; ++i) {
        roles.push_back(Role::of(kPrefix + std::to_string(i)).value());
    }
    return roles;
}

/// One call and its last answer; throws when a role is not described.
Nanos describe(Authority& authority, std::vector<Role> roles, Sums& told) {
    std::promise<void> over;
    Sums sums;
    const auto count = static_cast<std::int64_t>(roles.size());
    const auto begun = std::chrono::steady_clock::now();
    authority.describeRoles(std::move(roles), Millis{60'000},
                            [&](const std::vector<RoleAnswer>& answers, bool last) {
                                for (const auto& each : answers) {
                                    if (each.answer.kind == CoordinatorAnswer::Kind::described) {
                                        ++sums.ids;
                                        sums.producerIds += each.answer.token.producerId;
                                        sums.epochs += each.answer.token.producerEpoch;
                                    }
                                }
                                if (last) {
                                    over.set_value();
                                }
                            });
    over.get_future().wait();
    const auto took = std::chrono::steady_clock::now() - begun;
    if (sums.ids != count) {
        throw std::runtime_error(fmt::format("{} of {} roles were described", sums.ids, count));
    }
    told = sums;
    return std::chrono::duration_cast<Nanos>(took);
}

std::shared_ptr<Authority> authorityOf(const std::string& bootstrap) {
    kafka::KafkaConfig config;
    config.bootstrap = bootstrap;
    auto authority = kafka::makeWireAuthority(config);
    if (!authority) {
        throw std::runtime_error(authority.error().text());
    }
    return *authority;
}

/// What a process of its own does: `authority_bench --answer BOOTSTRAP --roles N`.
int answerOnce(const std::string& bootstrap, std::size_t count) {
    Sums told;
    const auto authority = authorityOf(bootstrap);
    (void)describe(*authority, rolesOf(count), told);
    fmt::print("{} {} {}\n", told.ids, told.producerIds, told.epochs);
    std::fflush(stdout);
    authority->close();
    return 0;
}

Nanos coldProcess(const std::string& bootstrap, std::size_t count) {
    const auto begun = std::chrono::steady_clock::now();
    brokertest::Process own({"/proc/self/exe", "--answer", bootstrap, "--roles", std::to_string(count)});
    if (!own.line()) {
        throw std::runtime_error("the process of its own gave no answer");
    }
    const auto took = std::chrono::steady_clock::now() - begun;
    (void)own.wait();
    return std::chrono::duration_cast<Nanos>(took);
}

/// The requests that a warm client sends: the roles of each coordinator, in order, a thousand a request.
std::vector<BareExchange::Peer> bareRequests(const std::string& bootstrap, std::size_t count) {
    using namespace kafka::wire;
    const auto ids = rolesOf(count);
    std::map<std::string, std::vector<std::string>> byPeer;
    for (auto& [peer, mine] : coordinatorsOf(bootstrap, ids)) {
        byPeer[peer] = std::move(mine);
    }
    std::vector<BareExchange::Peer> peers;
    for (const auto& [where, mine] : byPeer) {
        const auto address = kafka::parseBootstrap(where).value().front();
        BareExchange::Peer peer{address.host, address.port, {}};
        for (std::size_t at = 0; at < mine.size(); at += kRolesPerRequest) {
            DescribeTransactionsRequest request;
            const auto end = std::min(at + kRolesPerRequest, mine.size());
            request.transactionalIds.assign(mine.begin() + static_cast<std::ptrdiff_t>(at),
                                            mine.begin() + static_cast<std::ptrdiff_t>(end));
            peer.requests.push_back(requestFrame(ApiKey::describeTransactions, 0,
                                                 static_cast<std::int32_t>(peer.requests.size() + 1),
                                                 "bellwether", encode(request, 0).value()));
        }
        peers.push_back(std::move(peer));
    }
    return peers;
}

struct Report {
    Series coldOwn, coldJava, firstCall, warmOwn, warmJava, bare;
    CountedRuns counted;
    std::size_t bareOut = 0, bareIn = 0;
    double load = 0;
};

struct Goal {
    std::string text;
    double value;
    double limit;
    bool met;
};

std::vector<Goal> goalsOf(const Report& r, std::size_t roles) {
    std::vector<Goal> goals;
    std::size_t most = 0;
    std::size_t sum = 0;
    for (const auto& [peer, requests] : r.counted.second.requestsOfPeer) {
        most = std::max(most, requests);
        sum += requests;
    }
    const auto allowed =
        (roles + kRolesPerRequest - 1) / kRolesPerRequest + r.counted.second.requestsOfPeer.size() - 1;
    goals.push_back({"requests, at most one a coordinator and 1,000 roles", static_cast<double>(sum),
                     static_cast<double>(allowed), sum <= allowed});
    const auto atLeast = [&](std::string text, double value, double limit) {
        goals.push_back({std::move(text), value, limit, value >= limit});
    };
    atLeast("cold Java process / cold process of ours", ratio(r.coldJava.median(), r.coldOwn.median()),
            kOverColdJava);
    atLeast("warm Java / warm call of ours", ratio(r.warmJava.median(), r.warmOwn.median()), kOverWarmJava);
    const auto overBare = ratio(r.warmOwn.median(), r.bare.median());
    goals.push_back({"warm call of ours / bare exchange of the same bytes", overBare, kUnderBareExchange,
                     overBare <= kUnderBareExchange});
    return goals;
}

void print(const Report& r, std::size_t roles, int nodes, const std::vector<Goal>& goals) {
    fmt::print("\n{} roles, {} node{}, load before {:.2f}; milliseconds, median (least - most)\n\n", roles,
               nodes, nodes == 1 ? "" : "s", r.load);
    const auto row = [](const char* name, const Series& series) {
        fmt::print("  {:<44} {:>9} ({} - {}), {} times\n", name, inMillis(series.median()),
                   inMillis(series.least()), inMillis(series.most()), series.size());
    };
    row("process: exec to answer, ours", r.coldOwn);
    row("process: exec to answer, Java's Admin", r.coldJava);
    row("first call of a new client, ours", r.firstCall);
    row("warm call, ours", r.warmOwn);
    row("warm call, Java's Admin", r.warmJava);
    row("bare exchange of the warm call's bytes", r.bare);
    const auto traffic = [](const char* name, const Traffic& t) {
        fmt::print("  {:<44} {} bytes out, {} in;", name, t.bytesOut, t.bytesIn);
        for (const auto& [request, count] : t.requests) {
            fmt::print(" {} {}", count, request);
        }
        fmt::print("\n");
    };
    traffic("traffic of a first call", r.counted.first);
    traffic("traffic of a warm call", r.counted.second);
    fmt::print("  {:<44} {} bytes out, {} in\n\n", "traffic of the bare exchange", r.bareOut, r.bareIn);
    for (const auto& goal : goals) {
        fmt::print("  {} {:<56} {:.2f} (goal {:.2f})\n", goal.met ? "met   " : "MISSED", goal.text,
                   goal.value, goal.limit);
    }
}

nlohmann::json jsonOf(const Report& r, std::size_t roles, int nodes, const std::vector<Goal>& goals) {
    const auto series = [](const Series& s) {
        return nlohmann::json{{"medianNs", s.median().count()},
                              {"leastNs", s.least().count()},
                              {"mostNs", s.most().count()},
                              {"times", s.size()}};
    };
    nlohmann::json out{{"roles", roles},
                       {"nodes", nodes},
                       {"load", r.load},
                       {"coldOwn", series(r.coldOwn)},
                       {"coldJava", series(r.coldJava)},
                       {"firstCall", series(r.firstCall)},
                       {"warmOwn", series(r.warmOwn)},
                       {"warmJava", series(r.warmJava)},
                       {"bare", series(r.bare)},
                       {"goals", nlohmann::json::array()}};
    for (const auto& goal : goals) {
        out["goals"].push_back(
            {{"goal", goal.text}, {"value", goal.value}, {"limit", goal.limit}, {"met", goal.met}});
    }
    return out;
}

Report measure(const brokertest::TestCluster& cluster, std::size_t count, std::size_t rounds) {
    Report report;
    double loads[1] = {0};
    (void)::getloadavg(loads, 1);
    report.load = loads[0];
    JavaAdmin java(cluster.bootstrap(), brokertest::TestCluster::version(), kPrefix, count);
    std::cerr << "minting " << count << " ids ...\n";
    java.mint();
    const auto roles = rolesOf(count);
    report.counted = countTraffic(cluster.bootstrap(), roles);
    BareExchange bare(bareRequests(cluster.bootstrap(), count));
    const auto authority = authorityOf(cluster.bootstrap());
    Sums expected;
    Sums told;
    std::cerr << "warming up ...\n";
    for (std::size_t i = 0; i < 20; ++i) {
        (void)java.nextRound(expected);
        (void)describe(*authority, roles, told);
        (void)bare.exchange();
    }
    const auto same = [&](const char* who) {
        if (!(told == expected)) {
            throw std::runtime_error(fmt::format("{} was told something else", who));
        }
    };
    same("the wire client");
    for (std::size_t round = 0; round < rounds; ++round) {
        // In turn who comes first: whoever follows Java finds its caches cold and the broker collecting
        // garbage.
        if (round % 2 == 1) {
            report.bare.add(bare.exchange());
        }
        report.warmOwn.add(describe(*authority, roles, told));
        same("the wire client");
        if (round % 2 == 0) {
            report.bare.add(bare.exchange());
        }
        report.warmJava.add(java.nextRound(told));
        same("Java's Admin");
    }
    for (std::size_t round = 0; round < 5; ++round) {
        report.coldOwn.add(coldProcess(cluster.bootstrap(), count));
        const auto fresh = authorityOf(cluster.bootstrap());
        report.firstCall.add(describe(*fresh, roles, told));
        same("a new wire client");
        fresh->close();
        report.coldJava.add(java.coldProcess(told));
        same("a new Java process");
    }
    report.bareOut = bare.requestBytes();
    report.bareIn = bare.responseBytes();
    authority->close();
    return report;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Describes many roles by the wire client, by Java's Admin and by a bare exchange of the same bytes."};
    std::size_t roles = 10'000;
    std::size_t rounds = 25;
    int nodes = 1;
    std::string json;
    std::string answer;
    app.add_option("--roles", roles)->capture_default_str()->check(CLI::Range(1, 100'000));
    app.add_option("--rounds", rounds)->capture_default_str()->check(CLI::Range(1, 1'000));
    app.add_option("--nodes", nodes)->capture_default_str()->check(CLI::IsMember({1, 3}));
    app.add_option("--json", json, "write the figures there");
    app.add_option("--answer", answer, "describe once on this cluster and end")->group("");
    CLI11_PARSE(app, argc, argv);
    try {
        if (!answer.empty()) {
            return answerOnce(answer, roles);
        }
        brokertest::TestCluster::Options options;
        options.nodes = nodes;
        const auto report = measure(brokertest::TestCluster::get(options), roles, rounds);
        const auto goals = goalsOf(report, roles);
        print(report, roles, nodes, goals);
        if (!json.empty()) {
            std::ofstream(json) << jsonOf(report, roles, nodes, goals).dump(1) << "\n";
        }
        return std::all_of(goals.begin(), goals.end(), [](const Goal& goal) { return goal.met; }) ? 0 : 1;
    } catch (const std::exception& failure) {
        std::cerr << "authority_bench: " << failure.what() << "\n";
        return 2;
    }
}
