// SPDX-License-Identifier: Apache-2.0
#include "client/coordination_client.h"
