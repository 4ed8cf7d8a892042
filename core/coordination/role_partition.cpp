// SPDX-License-Identifier: Apache-2.0
#include "coordination/role_partition.h"
