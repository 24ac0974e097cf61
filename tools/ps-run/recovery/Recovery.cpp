// SPDX-License-Identifier: Apache-2.0
//===- Recovery.cpp - pservers that go on from a log ----------------------===//

#include "tools/ps-run/recovery/Recovery.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/links/Grpc.h"
#include "tools/ps-run/config/UsageError.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

absl::Status ps::checkRecovery(const RunConfig &config,
                               const ModuleInfo &module) {
  if (!config.recovery.usesLog)
    return absl::OkStatus();
  constexpr char flag[] = "--recovery=log";
  if (module.pservers.empty() || config.role == RunRole::All)
    return usageError(absl::StrCat(
        flag, " is for jobs whose pservers are processes of their own"));
  // The rows that a trainer has not seen are in no checkpoint.
  if (module.mode == "geo")
    return usageError(absl::StrCat(flag, " is for jobs of mode=sync, async "
                                         "and half-async, found mode=geo"));
  // That a trainer is lost is no call; and what another process repeats cannot
  // be told from what is in the log.
  if (config.onTrainerLoss != TrainerLoss::Fail)
    return usageError(
        absl::StrCat(flag, " is for jobs with --on-trainer-loss=fail"));
  if (!config.coordinator.empty())
    return usageError(
        absl::StrCat(flag, " is for jobs without a --coordinator"));
  return absl::OkStatus();
}

absl::StatusOr<std::optional<LoggedStart>>
ps::findRecovery(const RunConfig &config, const ModuleInfo &module,
                 const std::string &name) {
  const RecoveryConfig &recovery = config.recovery;
  if (!recovery.usesLog)
    return std::nullopt;
  if (recovery.dir.empty())
    return usageError("--recovery=log: expected --recovery-log=DIR, where this "
                      "pserver keeps its log");
  ASSIGN_OR_RETURN(std::optional<LoggedStart> found,
                   findLoggedStart(recovery.dir, module.jobHash, name));
  if (found && !recovery.recovers)
    return absl::FailedPreconditionError(
        absl::StrCat("'", recovery.dir,
                     "' holds the log of a pserver: go on from it with "
                     "--recover, or remove it"));
  return found;
}

absl::Status ps::checkOptionsOfLog(const std::optional<LoggedStart> &from,
                                   RunOptions &options) {
  if (!from)
    return absl::OkStatus();
  RunOptions expected = from->start.options;
  if (!from->start.position.empty())
    options["--load"] = expected["--load"];
  for (const auto &[name, value] : options)
    if (value != expected[name])
      return absl::FailedPreconditionError(absl::StrCat(
          "expected ", name, " '", printable(expected[name]),
          "', as the log of this pserver began with, found '", value, "'"));
  return absl::OkStatus();
}

RunConfig ps::recoveryConfig(RunConfig config,
                             const std::optional<LoggedStart> &from) {
  if (from && !from->start.checkpoint.empty()) {
    config.checkpoint.resumed = from->start.checkpoint;
    config.load = {from->start.checkpoint};
  }
  return config;
}

absl::StatusOr<std::unique_ptr<LoggedServer>>
ps::openLog(const RunConfig &config, const ModuleInfo &module,
            const std::string &name, const std::optional<LoggedStart> &from,
            RunOptions options, PServer &server) {
  if (!config.recovery.usesLog)
    return nullptr;
  LoggedServer::Options log = {.dir = config.recovery.dir,
                               .jobHash = module.jobHash,
                               .server = name,
                               .options = std::move(options),
                               .repeatsSaves = config.deterministic,
                               .syncs = config.recovery.syncs,
                               .peerTimeout = config.peerTimeout,
                               .connectTimeout = config.connectTimeout,
                               .log = {}};
  if (!config.recovery.replica.empty()) {
    log.replicaEndpoint = config.recovery.replica;
    // Parts are small, and what takes longer is named.
    const absl::Duration timeout = std::min(config.peerTimeout, noticeableWait);
    log.replica =
        makeGrpcLink(log.replicaEndpoint, timeout, timeout, config.security);
  }
  if (from)
    return LoggedServer::recover(server, std::move(log), *from);
  return LoggedServer::begin(server, std::move(log), config.checkpoint.resumed);
}
