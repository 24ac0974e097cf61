// SPDX-License-Identifier: Apache-2.0
//===- RunFolder.h - a folder for the files of one launch -----------------===//

#ifndef PS_TOOLS_PS_RUN_LAUNCH_RUNFOLDER_H
#define PS_TOOLS_PS_RUN_LAUNCH_RUNFOLDER_H

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include <string>

namespace ps {

/// Creates `logDir` if it does not exist, and in it a folder that no other call
/// has returned, in this or another process: "run-20250131-093000" after the
/// local time `now`, or the first of "run-20250131-093000-2", ... that does not
/// exist. Returns its path.
absl::StatusOr<std::string> createRunFolder(const std::string &logDir,
                                            absl::Time now);

/// Writes a new random token to `path`, which is not there yet, for this user
/// only.
absl::Status createTokenFile(const std::string &path);

/// Points the symbolic link "latest" beside `folder` to it, in one step.
absl::Status linkLatest(const std::string &folder);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LAUNCH_RUNFOLDER_H
