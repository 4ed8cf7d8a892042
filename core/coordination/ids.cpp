// SPDX-License-Identifier: Apache-2.0
#include "coordination/ids.h"
