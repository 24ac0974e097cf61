// SPDX-License-Identifier: Apache-2.0
//===- StoppedJob.h - the end of a job that was asked to stop -------------===//

#ifndef PS_TOOLS_PS_RUN_MEMBERSHIP_STOPPEDJOB_H
#define PS_TOOLS_PS_RUN_MEMBERSHIP_STOPPEDJOB_H

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/ps-run/interrupt/StopSignal.h"

namespace ps {

/// Reports that the job was stopped, and how another run begins: `more` ends
/// the sentence. The process then exits as one that was asked to stop itself.
absl::Status endStopped(const StopSignal &stop, absl::string_view more = "");

} // namespace ps

#endif // PS_TOOLS_PS_RUN_MEMBERSHIP_STOPPEDJOB_H
