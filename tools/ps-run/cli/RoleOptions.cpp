// SPDX-License-Identifier: Apache-2.0
//===- RoleOptions.cpp - options about which process of a job to run ------===//

#include "tools/ps-run/cli/RoleOptions.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "tools/ps-run/cli/Environment.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/cli/PassOptions.h"
#include "tools/ps-run/cli/SecurityOptions.h"
#include "tools/ps-run/config/Reach.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/membership/CoordinatorAddress.h"

using namespace ps;

void ps::addRoleOptions(CLI::App &app, RunConfig &config, RoleFlags &flags) {
  app.option_defaults()->group("Role");
  addOption(
      app, "--role", flags.role,
      oneOf({"local", "trainer", "pserver", "scheduler", "all"}),
      "local (default): run a graph in this process; trainer, pserver: run one "
      "process of a job; scheduler: have the processes of a job find each "
      "other, see --role=scheduler --help; all: run all roles of a job in this "
      "process");
  addOption(app, "--server", config.server, text("NAME"),
            "pserver: which one of the job, by the name of its program or its "
            "index from 0");
  addOption(app, "--endpoint", config.endpoint, text("HOST:PORT"),
            "pserver: which one of the job, by its endpoint, where it listens");
  addOption(app, "--listen", config.listen, text("HOST:PORT"),
            "listen here. Port 0 takes a free port, which is printed. pserver "
            "(default: at its endpoint); trainer, of a job with all-reduce "
            "(default: at its endpoint, or 127.0.0.1:0)");
  addListenOption(app, config.insecure);
  addOption(app, "--pserver-endpoints", flags.pserverEndpoints, text("A,B,.."),
            "where the job's pservers listen, in their order (default: as the "
            "programs or the environment say)");
  addOption(app, "--trainer-endpoints", flags.trainerEndpoints, text("A,B,.."),
            "trainer, of a job with all-reduce: where its trainers listen, in "
            "the order of their ids (default: as the environment says)");
  addOption(app, "--address-file", config.addressFile, text("FILE"),
            "each process that listens adds a line to it, \"NAME HOST:PORT\", "
            "and trainers wait for the lines of all; use a new file for each "
            "run");
  addOption(app, "--recovery-log", config.recovery.dir, text("DIR"),
            "pserver, with --recovery=log: where it keeps its log, a folder "
            "of its own, on a disk of this machine");
  addOption(app, "--recovery-log-replica", config.recovery.replica,
            text("HOST:PORT"),
            "pserver, with --recovery=log: answer trainers only when the log "
            "of their calls is copied to the ps-run log-replica there, so that "
            "it withstands the loss of this machine, too");
  app.add_flag("--recover", config.recovery.recovers,
               "pserver, with --recovery=log: go on from the log in "
               "--recovery-log, or begin if there is none");
  addOption(app, "--coordinator", config.coordinator,
            text("HOST:PORT|etcd://HOST:PORT,../JOB"),
            "the job's scheduler, or etcd, which has the address of each "
            "process, gives a rank to those that are started without one, and "
            "has all of them begin anew when one is lost (default: "
            "MS_SCHED_HOST and MS_SCHED_PORT)");
  addOption(app, "--max-restarts", config.maxRestarts, integers(0, largestInt),
            "with etcd, of the process that joins the job first: as a "
            "scheduler's (default 0)");
  addOption(app, "--transpile", config.transpile, text("OPTIONS"),
            "with --coordinator and a graph: further options of ps-opt "
            "--ps-transpile; the same in all processes");
  addOption(app, "--pservers", config.pservers,
            integers(0, runtime::mostOfARole),
            "with etcd and a graph, of the process that joins the job first: "
            "pservers that the job begins with");
  addOption(app, "--trainers", config.trainers,
            integers(1, runtime::mostOfARole), "the same of trainers");
  addOption(app, "--trainer-id", config.trainerId, integers(0, largestInt),
            "trainer: which one of the job, from 0");
  addOption(app, "--entry", config.entry, text("NAME"),
            "run this function, which takes no arguments, and exit; its checks "
            "decide the exit code");
}

void ps::finishRoleOptions(const RoleFlags &flags, RunConfig &config) {
  if (!flags.role.empty())
    config.role = flags.role == "local"     ? RunRole::Local
                  : flags.role == "trainer" ? RunRole::Trainer
                  : flags.role == "pserver" ? RunRole::PServer
                                            : RunRole::All;
  if (!flags.pserverEndpoints.empty())
    config.pserverEndpoints = absl::StrSplit(flags.pserverEndpoints, ',');
  if (!flags.trainerEndpoints.empty())
    config.trainerEndpoints = absl::StrSplit(flags.trainerEndpoints, ',');
}

absl::Status ps::checkRoleOptions(const RunConfig &config,
                                  const Environment &environment) {
  if (!config.entry.empty())
    for (auto [flag, value] : {std::pair("--data", &config.data),
                               std::pair("--eval-data", &config.evalData),
                               std::pair("--metrics", &config.metrics)})
      if (!value->empty())
        return usageError(absl::StrCat(flag, " is not for --entry"));
  for (auto [flag, isGiven] :
       {std::pair("--save", !config.saves.empty()),
        std::pair("--checkpoint", !config.checkpoint.dir.empty())})
    if (!config.entry.empty() && isGiven)
      return usageError(absl::StrCat(flag, " is not for --entry"));
  std::optional<RunRole> role = config.role;
  RETURN_IF_ERROR(readRole(environment, role));
  if (config.trainerId && role != RunRole::Trainer)
    return usageError("--trainer-id is for --role=trainer only");
  for (auto [flag, value] : {std::pair("--endpoint", &config.endpoint),
                             std::pair("--server", &config.server)})
    if (!value->empty() && role != RunRole::PServer)
      return usageError(absl::StrCat(flag, " is for --role=pserver only"));
  RETURN_IF_ERROR(checkPassOptions(config, role));
  RETURN_IF_ERROR(checkCoordinator(config));
  for (auto [flag, isGiven] :
       {std::pair("--pserver-endpoints", !config.pserverEndpoints.empty()),
        std::pair("--trainer-endpoints", !config.trainerEndpoints.empty()),
        std::pair("--address-file", !config.addressFile.empty())})
    if (isGiven && !config.coordinator.empty())
      return usageError(absl::StrCat(flag, " and --coordinator both say where "
                                           "processes listen: expected one of "
                                           "them"));
  const bool hasPeers = role == RunRole::PServer || role == RunRole::Trainer;
  const bool hasCoordinator =
      !config.coordinator.empty() ||
      (hasPeers && !readSchedulerAddress(environment).empty());
  for (auto [flag, isGiven] :
       {std::pair("--transpile", !config.transpile.empty()),
        std::pair("--pservers", config.pservers.has_value()),
        std::pair("--trainers", config.trainers.has_value())})
    if (isGiven && !hasCoordinator)
      return usageError(absl::StrCat(flag, " is for --coordinator"));
  for (const char *option : {"pservers=", "trainers="})
    if (absl::StrContains(config.transpile, option))
      return usageError(absl::StrCat("--transpile: leave out '", option,
                                     "..': the coordinator knows how many the "
                                     "job has"));
  if (config.sendQueue > 0 && role.value_or(RunRole::Local) == RunRole::Local)
    return usageError("--send-queue is for the trainers of a job");
  if (config.pserverDevice != "cpu" && role != RunRole::All)
    return usageError("--pserver-device is for launch and --role=all: a "
                      "pserver computes on its own --device");
  for (auto [flag, isGiven] :
       {std::pair("--listen", !config.listen.empty()),
        std::pair("--pserver-endpoints", !config.pserverEndpoints.empty()),
        std::pair("--address-file", !config.addressFile.empty()),
        std::pair("--coordinator", !config.coordinator.empty()),
        std::pair("--token-file", !config.securityFiles.token.empty()),
        std::pair("--tls-cert", !config.securityFiles.certificate.empty())})
    if (isGiven && !hasPeers)
      return usageError(
          absl::StrCat(flag, " is for --role=pserver and --role=trainer only"));
  if (config.insecure && !hasPeers && !config.metricsPort)
    return usageError("--insecure is for --role=pserver, --role=trainer and "
                      "--metrics-port only");
  if (!config.trainerEndpoints.empty() && role != RunRole::Trainer)
    return usageError("--trainer-endpoints is for --role=trainer only");
  return checkListenFlag(config.listen);
}
