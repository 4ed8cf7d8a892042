// SPDX-License-Identifier: Apache-2.0
#include "feed/role_feed.h"
