// SPDX-License-Identifier: Apache-2.0
//===- LaunchOptions.cpp - options about a whole job ----------------------===//
//
// What launch decides itself. The flags of its processes are in other files.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/LaunchOptions.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/cli/SecurityOptions.h"
#include "tools/ps-run/config/Reach.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

void ps::addLaunchOptions(CLI::App &app, LaunchConfig &launch) {
  addOption(app, "FILE", launch.file, text(""),
            "the training graph, for one machine")
      ->required();
  app.option_defaults()->group("Job");
  addOption(app, "--pservers", launch.pservers,
            integers(0, runtime::mostOfARole),
            "parameter servers: processes that hold variables and tables and "
            "update them (default 1). 0: trainers reduce gradients among "
            "themselves, mode=collective");
  addOption(app, "--trainers", launch.trainers,
            integers(1, runtime::mostOfARole),
            "processes that compute gradients (default 1)");
  addOption(app, "--log-dir", launch.logDir, text("DIR"),
            "each launch creates a folder in DIR for its programs and logs "
            "(default log)");
  addOption(app, "--max-restarts", launch.maxRestarts, integers(0, largestInt),
            "when a process is killed or fails, start the whole job again from "
            "the newest checkpoint of --checkpoint, up to N times in a row "
            "without a new one (default 0: the job fails). In modes async and "
            "half-async a trainer other than 0 is started again alone: see "
            "--on-trainer-loss");
  addOption(app, "--hosts", launch.hosts, text("FILE"),
            "run the processes on the machines that FILE names, one a line: "
            "HOST, HOST slots=N or HOST pservers=N trainers=M; # begins a "
            "comment. Working directory, ps-run, DIR and data are at the same "
            "paths on all of them");
  addOption(app, "--ssh", launch.ssh, text("COMMAND"),
            "with --hosts: runs a command on a machine, as COMMAND HOST TEXT "
            "(default ssh, with options by which it asks for nothing and "
            "notices a machine that is lost)");
  app.add_flag("--elastic", launch.elastic,
               "the job may get another number of pservers and trainers while "
               "it runs, by ps-run resize: launch starts a scheduler, prints "
               "its address, and starts the further processes. Expects "
               "--checkpoint");
  addOption(app, "--listen", launch.listen, text("HOST:PORT"),
            "with --hosts: where the processes reach this launch, which is "
            "their scheduler (default: 127.0.0.1:0, if all run here). With "
            "--elastic: where the scheduler listens, on this machine (default "
            "127.0.0.1:0)");
  addListenOption(app, launch.run.insecure);
  addOption(app, "--transpile", launch.transpile, text("OPTIONS"),
            "further options of ps-opt --ps-transpile, such as "
            "\"split-method=HashName wire=bf16\"");
}

/// Starts no process of a job that cannot be run, nor pservers of one that has
/// none.
static absl::Status finishMode(bool givesPServers, LaunchConfig &launch) {
  for (absl::string_view option :
       absl::StrSplit(launch.transpile, ' ', absl::SkipEmpty())) {
    if (option == "mode=collective" && givesPServers && launch.pservers != 0)
      return usageError("--pservers: mode=collective has no pservers");
    if (option == "mode=collective")
      launch.pservers = 0;
    else if (absl::StartsWith(option, "mode=") && launch.pservers == 0)
      return usageError(absl::StrCat("--pservers=0: ", option,
                                     " needs pservers, mode=collective none"));
  }
  return absl::OkStatus();
}

/// What a job with a scheduler cannot have, and what one that is resized needs.
static absl::Status checkElastic(const LaunchConfig &launch) {
  if (!launch.elastic)
    return absl::OkStatus();
  if (!launch.hosts.empty())
    return usageError("--elastic is for jobs without --hosts");
  if (launch.file == "-")
    return usageError("--elastic: standard input cannot be read by each "
                      "process: expected a file");
  if (launch.run.checkpoint.dir.empty())
    return usageError("--elastic: expected --checkpoint=DIR, whose newest "
                      "checkpoint a resized job goes on from");
  if (launch.run.recovery.usesLog)
    return usageError("--recovery=log is for jobs without --elastic");
  if (launch.run.onTrainerLoss != runtime::TrainerLoss::Fail)
    return usageError("--elastic is for jobs with --on-trainer-loss=fail");
  std::string host;
  int port;
  if (runtime::splitEndpoint(launch.listen, host, port) &&
      !runtime::isLoopback(host))
    return usageError(absl::StrCat(
        "--listen=", launch.listen,
        ": with --elastic all processes run on this machine: expected an "
        "address of the loopback interface, such as 127.0.0.1:0"));
  return absl::OkStatus();
}

static absl::Status checkRestarts(const LaunchConfig &launch) {
  if (launch.maxRestarts == 0)
    return absl::OkStatus();
  if (launch.run.checkpoint.dir.empty())
    return usageError("--max-restarts: expected --checkpoint=DIR, whose newest "
                      "checkpoint a restarted job goes on from");
  return checkRestartable(launch.run);
}

absl::Status ps::finishLaunchOptions(const CLI::App &app,
                                     LaunchConfig &launch) {
  for (const char *option : {"pservers", "trainers"})
    if (absl::StrContains(launch.transpile, absl::StrCat(option, "=")))
      return usageError(
          absl::StrCat("--transpile: use --", option, "=N of launch instead"));
  if (launch.hosts.empty() && app.count("--ssh") != 0)
    return usageError("--ssh is for --hosts only");
  if (launch.hosts.empty() && launch.run.insecure && !launch.run.metricsPort)
    return usageError("--insecure is for --hosts and --metrics-port only");
  if (launch.hosts.empty() && !launch.elastic && !launch.listen.empty())
    return usageError("--listen is for --hosts and --elastic only");
  RETURN_IF_ERROR(checkListenFlag(launch.listen));
  RETURN_IF_ERROR(checkElastic(launch));
  RETURN_IF_ERROR(finishMode(app.count("--pservers") != 0, launch));
  return checkRestarts(launch);
}
