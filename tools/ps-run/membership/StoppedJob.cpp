// SPDX-License-Identifier: Apache-2.0
//===- StoppedJob.cpp - the end of a job that was asked to stop -----------===//

#include "tools/ps-run/membership/StoppedJob.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/membership/Roster.h"
#include "tools/ps-run/interrupt/StopForOther.h"

using namespace ps;
using namespace ps::runtime;

absl::Status ps::endStopped(const StopSignal &stop, absl::string_view more) {
  logInfo(absl::StrCat(jobStopped, more));
  requestStop(stop);
  return absl::OkStatus();
}
