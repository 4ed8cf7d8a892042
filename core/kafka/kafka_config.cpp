// SPDX-License-Identifier: Apache-2.0
#include "kafka/kafka_config.h"
