// SPDX-License-Identifier: Apache-2.0
//===- Recovery.h - pservers that go on from a log ------------------------===//

#ifndef PS_TOOLS_PS_RUN_RECOVERY_RECOVERY_H
#define PS_TOOLS_PS_RUN_RECOVERY_RECOVERY_H

#include "runtime/server/log/LoggedServer.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/loader/Loader.h"
#include <memory>
#include <optional>
#include <string>

namespace ps {

/// A usage error where --recovery=log is not for the job.
absl::Status checkRecovery(const RunConfig &config, const ModuleInfo &module);

/// Where the pserver called `name` goes on from, if the log says so, with
/// --recover; no value for one that begins. FAILED_PRECONDITION where there is
/// a log that it is not to go on from, or one of something else.
absl::StatusOr<std::optional<runtime::LoggedStart>>
findRecovery(const RunConfig &config, const ModuleInfo &module,
             const std::string &name);

/// Compares `options` with those that the log began with, which trainers have
/// agreed with, and takes the checkpoint of --load from there, if the job has
/// taken others since.
absl::Status checkOptionsOfLog(const std::optional<runtime::LoggedStart> &from,
                               runtime::RunOptions &options);

/// The configuration of a pserver that goes on from there: with the values that
/// its log begins with.
RunConfig recoveryConfig(RunConfig config,
                         const std::optional<runtime::LoggedStart> &from);

/// `server`, with a log of its calls and after those that there are; null where
/// the job uses none.
absl::StatusOr<std::unique_ptr<runtime::LoggedServer>>
openLog(const RunConfig &config, const ModuleInfo &module,
        const std::string &name,
        const std::optional<runtime::LoggedStart> &from,
        runtime::RunOptions options, runtime::PServer &server);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_RECOVERY_RECOVERY_H
