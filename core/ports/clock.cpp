// SPDX-License-Identifier: Apache-2.0
#include "ports/clock.h"
