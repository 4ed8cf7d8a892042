// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire_authority.h"
