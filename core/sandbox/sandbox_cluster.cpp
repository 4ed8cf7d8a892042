// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox_cluster.h"
