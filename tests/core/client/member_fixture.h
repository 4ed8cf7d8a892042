// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "client/coordination_client.h"
#include "manual_clock.h"
#include "memory_cluster.h"

namespace bellwether::test {

class MemberFixture : public testing::Test {
protected:
    using Calls = std::vector<std::string>;

    /// A rival registers and leads from now on, before this member was ever there.
    Lease rivalLeads(Millis duration = Millis{30'000}) {
        cluster.registerMember(role, Registration{rival, clock.wall()});
        return cluster.lead(role, rival, clock.wall(), duration);
    }

    const Role role = *Role::of("controller");
    const MemberId me = *MemberId::of("node-1");
    const MemberId rival = *MemberId::of("node-2");
    MemoryCluster cluster;
    ManualClock clock;
    MemoryTransport transport{cluster};
    CoordinationClient client{transport, clock};
};

} // namespace bellwether::test
