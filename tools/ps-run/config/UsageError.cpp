// SPDX-License-Identifier: Apache-2.0
//===- UsageError.cpp - errors of the command line ------------------------===//

#include "tools/ps-run/config/UsageError.h"

using namespace ps;

static constexpr const char *usageUrl = "ps-run/usage";

absl::Status ps::usageError(const std::string &message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(usageUrl, absl::Cord());
  return status;
}

bool ps::isUsageError(const absl::Status &status) {
  return status.GetPayload(usageUrl).has_value();
}
