// SPDX-License-Identifier: Apache-2.0
#include "coordination/succession.h"
