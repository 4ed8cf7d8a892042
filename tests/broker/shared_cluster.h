// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "test_cluster.h"

namespace bellwether::brokertest {

/// The one node that the tests of a member and of consumers share.
inline TestCluster& sharedCluster() {
    return TestCluster::get(
        {1,
         false,
         {"state-3:3", "state-5:5",
          // Compacts within a second or so of being written.
          "compacted:1:1:cleanup.policy=compact:segment.ms=200:min.cleanable.dirty.ratio=0.001:"
          "delete.retention.ms=0"},
         {"log.cleaner.backoff.ms=100"}});
}

} // namespace bellwether::brokertest
