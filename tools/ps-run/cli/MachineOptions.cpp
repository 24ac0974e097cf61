// SPDX-License-Identifier: Apache-2.0
//===- MachineOptions.cpp - options about machine and network -------------===//

#include "tools/ps-run/cli/MachineOptions.h"
#include "absl/strings/str_cat.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/cli/SecurityOptions.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

void ps::addMachineOptions(CLI::App &app, RunConfig &config,
                           MachineFlags &flags) {
  app.option_defaults()->group("Machine and network");
  addOption(app, "--threads", config.threads, integers(0, largestInt),
            "threads that compute, 0 for one per core (default 0; with launch: "
            "a share of the cores)");
  addOption(app, "--precision", flags.precision, oneOf({"f32", "bf16"}),
            "what matrix products multiply: f32 (default), or bf16, to which "
            "they round f32; sums are f32; the same in all trainers of a job");
  app.add_flag("--allow-tf32", flags.allowTf32,
               "let matrix products on a GPU round f32 to tf32, which has 10 "
               "bits of mantissa; the same in all trainers of a job");
  addOption(app, "--device", config.device, deviceNames(),
            "what the process computes on, of a whole job its trainers: cpu "
            "(default); cuda:N, one of NVIDIA's GPUs; cuda, with launch the "
            "next one for each process of a machine, else the first; auto, as "
            "cuda if there is a GPU, else the cpu; emulated, which runs on the "
            "host, slowly, what a GPU would run");
  addOption(app, "--pserver-device", config.pserverDevice, deviceNames(),
            "of a whole job: what its pservers keep variables on and update "
            "them with, as --device (default cpu)");
  app.add_flag("--deterministic", config.deterministic,
               "compute the same bits in every run, whatever the number of "
               "threads");
  addOption(app, "--connect-timeout", flags.connectTimeout, durations(),
            "how long to wait for the other processes of a job to start "
            "(default 300 s)");
  addOption(app, "--peer-timeout", flags.peerTimeout, durations(),
            "give up on a peer that is silent for this long (default 30 s); "
            "the same in all processes of a job");
  addOption(app, "--transport", flags.transport, oneOf({"auto", "tcp", "grpc"}),
            "how processes of a job exchange data: auto (default): through "
            "shared memory where both are on one host, else over TCP; tcp; "
            "grpc, which also replaces what cannot be had");
  addOption(app, "--on-trainer-loss", flags.onTrainerLoss,
            oneOf({"fail", "wait", "continue"}),
            "what happens when a trainer other than 0 is killed or fails: the "
            "job fails (default); wait, in modes async and half-async: the "
            "others go on, and another process may take its place; continue, "
            "in mode sync: the others go on without it. The same in all "
            "processes of a job");
  addOption(app, "--recovery", flags.recovery, oneOf({"rollback", "log"}),
            "what a pserver that was killed goes on from: the whole job goes "
            "back to its newest checkpoint (rollback, default), or pservers "
            "log what trainers send, and one is started again alone while the "
            "others wait (log, with --checkpoint); the same in all processes "
            "of a job");
  app.add_flag("--recovery-log-sync", config.recovery.syncs,
               "pserver, with --recovery=log: answer trainers only when the "
               "log of their calls is on the disk, so that it withstands the "
               "end of the machine, too");
  addSecurityOptions(app, config.securityFiles);
  addOption(app, "--send-queue", config.sendQueue, integers(0, 1024),
            "mode async: pushes of a variable or table that may be on their "
            "way while a trainer computes on, with values that are as many "
            "steps older (default 0: none)");
  addOption(app, "--max-merge", config.maxMerge, integers(1, 1024),
            "with --send-queue: how many pushes of a variable or table that "
            "wait are added up and sent as one (default 1)");
}

/// A log ends where a checkpoint begins, so there must be some.
static absl::Status checkRecoveryFlags(const RunConfig &config) {
  const RecoveryConfig &recovery = config.recovery;
  if (recovery.usesLog && config.checkpoint.dir.empty())
    return usageError("--recovery=log: expected --checkpoint=DIR, since what "
                      "is older than a checkpoint is removed from the log");
  for (auto [flag, isGiven] :
       {std::pair("--recovery-log", !recovery.dir.empty()),
        std::pair("--recover", recovery.recovers),
        std::pair("--recovery-log-sync", recovery.syncs),
        std::pair("--recovery-log-replica", !recovery.replica.empty())})
    if (isGiven && !recovery.usesLog)
      return usageError(absl::StrCat(flag, ": expected --recovery=log"));
  if (!recovery.replica.empty())
    if (absl::Status endpoint = runtime::checkEndpoint(recovery.replica);
        !endpoint.ok())
      return usageError(
          absl::StrCat("--recovery-log-replica: ", endpoint.message()));
  return absl::OkStatus();
}

absl::Status ps::finishMachineOptions(const MachineFlags &flags,
                                      RunConfig &config) {
  config.precision = flags.precision == "bf16" ? runtime::Precision::BF16
                     : flags.allowTf32         ? runtime::Precision::TF32
                                               : runtime::Precision::F32;
  config.transport = flags.transport == "grpc" ? runtime::TransportChoice::Grpc
                     : flags.transport == "tcp"
                         ? runtime::TransportChoice::Tcp
                         : runtime::TransportChoice::Auto;
  using runtime::TrainerLoss;
  config.onTrainerLoss = flags.onTrainerLoss == "wait" ? TrainerLoss::Wait
                         : flags.onTrainerLoss == "continue"
                             ? TrainerLoss::Continue
                             : TrainerLoss::Fail;
  config.recovery.usesLog = flags.recovery == "log";
  if (config.maxMerge > 1 && config.sendQueue < 2)
    return usageError("--max-merge adds up pushes that wait in a queue: "
                      "expected --send-queue=N of at least 2");
  if (!flags.connectTimeout.empty())
    config.connectTimeout = toDuration(flags.connectTimeout);
  if (!flags.peerTimeout.empty())
    config.peerTimeout = toDuration(flags.peerTimeout);
  return checkRecoveryFlags(config);
}
