// SPDX-License-Identifier: Apache-2.0
//===- Resume.h - where a run with checkpoints begins ---------------------===//

#ifndef PS_TOOLS_PS_RUN_CONFIG_RESUME_H
#define PS_TOOLS_PS_RUN_CONFIG_RESUME_H

#include "absl/status/statusor.h"
#include "tools/ps-run/config/RunConfig.h"

namespace ps {

/// `config` with the newest whole checkpoint of --checkpoint as its --load, if
/// --resume is given and there is one; with --resume=last-good the newest that
/// is not damaged. The process that writes checkpoints refuses, as an error of
/// usage, to begin a run anew beside those of another one.
absl::StatusOr<RunConfig> chooseCheckpoint(RunConfig config);

/// In the process that writes checkpoints, where another attempt has taken the
/// place of one: waits until no process of that one writes them any more, which
/// may stand still, for a little less than --connect-timeout, as others wait
/// for this one.
absl::Status awaitEarlierWriter(const RunConfig &config);

/// The step of the newest whole checkpoint of --checkpoint, if there is one.
absl::StatusOr<std::optional<int64_t>>
newestCheckpoint(const RunConfig &config);

/// Refuses, as an error of usage, to save to a folder that is loaded: a restart
/// from the beginning must find what the first attempt found, even after that
/// has begun to save.
absl::Status checkRestartable(const RunConfig &config);

/// Refuses, as an error of usage, to save a model among the checkpoints of the
/// run, whose folder holds nothing else.
absl::Status checkSaveFolders(const RunConfig &config);

/// Before training, in the process that writes checkpoints: makes the folder,
/// and checks that it can be written.
absl::Status prepareCheckpoints(const RunConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CONFIG_RESUME_H
