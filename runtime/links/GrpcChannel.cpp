// SPDX-License-Identifier: Apache-2.0
//===- GrpcChannel.cpp - what both ends of a gRPC link share --------------===//

#include "runtime/links/GrpcChannel.h"
#include <algorithm>
#include <cstdlib>
#include <grpc/support/log.h>

using namespace ps::runtime;

void ps::runtime::quietGrpc() {
  static const bool once = [] {
    if (!std::getenv("GRPC_VERBOSITY"))
      gpr_set_log_function([](gpr_log_func_args *) {});
    return true;
  }();
  (void)once;
}

gpr_timespec ps::runtime::deadlineAfter(absl::Duration duration) {
  return gpr_time_from_nanos(
      absl::ToInt64Nanoseconds(std::min(duration, absl::Hours(24 * 365))),
      GPR_TIMESPAN);
}
