// SPDX-License-Identifier: Apache-2.0
#include "report/answer.h"
