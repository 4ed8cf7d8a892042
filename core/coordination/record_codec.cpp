// SPDX-License-Identifier: Apache-2.0
#include "coordination/record_codec.h"
