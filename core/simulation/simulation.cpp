// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"
