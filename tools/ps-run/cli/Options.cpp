// SPDX-License-Identifier: Apache-2.0
//===- Options.cpp - the command line of ps-run ---------------------------===//
//
// Flags win over the environment (Environment.cpp).
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/Options.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/cli/CheckpointOptions.h"
#include "tools/ps-run/cli/Environment.h"
#include "tools/ps-run/cli/HelpText.h"
#include "tools/ps-run/cli/LaunchOptions.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/cli/ParseArguments.h"
#include "tools/ps-run/cli/PassOptions.h"
#include "tools/ps-run/cli/SchedulerOptions.h"
#include "tools/ps-run/cli/SecurityOptions.h"
#include "tools/ps-run/cli/UnknownArguments.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/membership/CoordinatorAddress.h"
#include <CLI/CLI.hpp>
#include <algorithm>

using namespace ps;

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

namespace {

/// What CLI11 fills before it becomes a RunConfig.
struct RunFlags {
  RunConfig config;
  bool allowTf32 = false;
  std::string role, precision = "f32", transport = "auto", nan = "fail",
                    badLines = "fail";
  std::string dataMode = "memory", dataSplit = "samples", remainder = "drop";
  std::string connectTimeout, peerTimeout, onTrainerLoss, recovery;
  std::string load, save, saveBase, saveDelta;
  CheckpointFlags checkpoint;
  std::string pserverEndpoints, trainerEndpoints;
};

} // namespace

/// Each has activations of its own, and makes the step's program longer.
static constexpr int maxWorkers = 64;

static void addTrainingFlags(CLI::App &app, RunFlags &flags) {
  RunConfig &config = flags.config;
  app.option_defaults()->group("Training");
  addOption(app, "--data", config.data, text("KIND:.."),
            "samples to train on; the kinds are listed below");
  addOption(app, "--eval-data", config.evalData, text("KIND:.."),
            "samples to evaluate after each epoch: runs the graph without its "
            "updates. Without --data nothing is trained: evaluates the model "
            "of --load once");
  addOption(app, "--pipe-command", config.pipeCommand, text("COMMAND"),
            "shell command that filters each text file before it is parsed, "
            "from its standard input to its standard output");
  addOption(app, "--data-threads", config.dataThreads, integers(1, 1024),
            "threads that parse text files (default 2)");
  addOption(app, "--bad-lines", flags.badLines, badLines(),
            "what to do about malformed lines of text files: fail (default), "
            "or skip up to N of them");
  addOption(app, "--epochs", config.epochs, integers(1, unlimited),
            "passes over the data (default 1, or no limit with --steps). After "
            "--load the rest of an epoch that had begun counts as the first");
  addOption(app, "--steps", config.steps, integers(1, unlimited),
            "stop after this many steps of this run (default: no limit)");
  addOption(
      app, "--batch-size", config.batchSize, integers(1, unlimited),
      "samples per step and worker (default: what the graph fixes, or 64)");
  addOption(app, "--global-batch-size", config.globalBatchSize,
            integers(1, unlimited),
            "samples per step of all trainers and workers, which share them "
            "equally; stays the same when a run goes on with another number of "
            "trainers");
  addOption(app, "--workers", config.workers, integers(1, maxWorkers),
            "batches that each trainer works on side by side in a step, whose "
            "gradients become one update, or an update each in modes async and "
            "half-async (default 1)");
  addPassOptions(app, config);
  app.add_flag("--shuffle", config.shuffle,
               "draw a new order of the samples for each epoch");
  addOption(app, "--data-mode", flags.dataMode, oneOf({"memory", "stream"}),
            "memory (default): read all samples before training; stream: read "
            "text files during training, in bounded memory");
  addOption(app, "--shuffle-window", config.shuffleWindow,
            integers(1, unlimited),
            "samples of a stream that are shuffled together (default 65536)");
  addOption(app, "--data-split", flags.dataSplit, oneOf({"samples", "files"}),
            "how trainers share the data. samples (default): each reads all "
            "files and takes its share of the samples; files: each reads its "
            "share of the files");
  addOption(app, "--remainder", flags.remainder, oneOf({"drop", "pad"}),
            "samples at the end of an epoch that do not fill a step of all "
            "trainers: drop them (default), or pad the step with samples from "
            "the epoch's start");
  addOption(app, "--seed", config.seed, integers(0, unlimited),
            "seed of the initial values and of --shuffle, the same in all "
            "processes of a job (default 0)");
  addOption(app, "--nan", flags.nan, oneOf({"fail", "warn"}),
            "what to do when a fetched number is NaN or infinite: fail "
            "(default) or warn");
}

static void addOutputFlags(CLI::App &app, RunFlags &flags) {
  RunConfig &config = flags.config;
  app.option_defaults()->group("Files and output");
  addOption(
      app, "--load", flags.load, text("DIR,.."),
      "start from what --save wrote: the model, the optimizers' state, the "
      "rows of tables and the position in the data. In a job give it to every "
      "process. A delta follows the model that it changes: BASE,DELTA,..");
  addOption(
      app, "--save", flags.save, text("DIR"),
      "write the model and all else that --load needs to DIR at the end, also "
      "after Ctrl-C. In a job give it to trainer 0: pservers write their parts "
      "to DIR too. On a pserver: write its part to DIR instead");
  addOption(app, "--save-base", flags.saveBase, text("DIR"),
            "like --save (both may be given), but of tables with an accessor "
            "write only the rows that are worth serving");
  addOption(app, "--save-delta", flags.saveDelta, text("DIR"),
            "like --save-base, but of those rows write only the ones that "
            "changed since the last --save-base or --save-delta");
  addOption(
      app, "--predictions", config.predictions, predictionsFiles(),
      "write what an evaluation fetches for each sample of --eval-data, one "
      "row per sample, as .csv or .jsonl; FILE holds the last evaluation");
  addCheckpointOptions(app, config.checkpoint, flags.checkpoint);
  addOption(app, "--metrics", config.metrics, text("FILE"),
            "write one JSON object per step and evaluation");
  addOption(
      app, "--trace", config.trace, text("FILE"),
      "write the times of all kernels and transfers in Chrome's trace format");
  addOption(app, "--log-every", config.logEvery, integers(1, unlimited),
            "steps between progress lines (default 100)");
  app.add_flag("--print-memory-plan", config.printMemoryPlan,
               "print how activations share memory; without --data do nothing "
               "else");
}

static void addMachineFlags(CLI::App &app, RunFlags &flags) {
  app.option_defaults()->group("Machine and network");
  addOption(app, "--threads", flags.config.threads, integers(0, largestInt),
            "threads that compute, 0 for one per core (default 0; with launch: "
            "a share of the cores)");
  addOption(app, "--precision", flags.precision, oneOf({"f32", "bf16"}),
            "what matrix products multiply: f32 (default), or bf16, to which "
            "they round f32; sums are f32; the same in all trainers of a job");
  app.add_flag("--allow-tf32", flags.allowTf32,
               "let matrix products on a GPU round f32 to tf32, which has 10 "
               "bits of mantissa; the same in all trainers of a job");
  addOption(app, "--device", flags.config.device, deviceNames(),
            "what the process computes on, of a whole job its trainers: cpu "
            "(default); cuda or cuda:N, one of NVIDIA's GPUs; auto, a GPU if "
            "there is one, else the cpu; emulated, which runs on the host, "
            "slowly, what a GPU would run");
  addOption(app, "--pserver-device", flags.config.pserverDevice, deviceNames(),
            "of a whole job: what its pservers keep variables on and update "
            "them with, as --device (default cpu)");
  app.add_flag("--deterministic", flags.config.deterministic,
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
  addSecurityOptions(app, flags.config.securityFiles);
  addOption(app, "--send-queue", flags.config.sendQueue, integers(0, 1024),
            "mode async: pushes of a variable or table that may be on their "
            "way while a trainer computes on, with values that are as many "
            "steps older (default 0: none)");
  addOption(app, "--max-merge", flags.config.maxMerge, integers(1, 1024),
            "with --send-queue: how many pushes of a variable or table that "
            "wait are added up and sent as one (default 1)");
}

static void addRoleFlags(CLI::App &app, RunFlags &flags) {
  app.option_defaults()->group("Role");
  addOption(
      app, "--role", flags.role,
      oneOf({"local", "trainer", "pserver", "scheduler", "all"}),
      "local (default): run a graph in this process; trainer, pserver: run one "
      "process of a job; scheduler: have the processes of a job find each "
      "other, see --role=scheduler --help; all: run all roles of a job in this "
      "process");
  addOption(app, "--server", flags.config.server, text("NAME"),
            "pserver: which one of the job, by the name of its program or its "
            "index from 0");
  addOption(app, "--endpoint", flags.config.endpoint, text("HOST:PORT"),
            "pserver: which one of the job, by its endpoint, where it listens");
  addOption(app, "--listen", flags.config.listen, text("HOST:PORT"),
            "listen here. Port 0 takes a free port, which is printed. pserver "
            "(default: at its endpoint); trainer, of a job with all-reduce "
            "(default: at its endpoint, or 127.0.0.1:0)");
  addListenOption(app, flags.config.insecure);
  addOption(app, "--pserver-endpoints", flags.pserverEndpoints, text("A,B,.."),
            "where the job's pservers listen, in their order (default: as the "
            "programs or the environment say)");
  addOption(app, "--trainer-endpoints", flags.trainerEndpoints, text("A,B,.."),
            "trainer, of a job with all-reduce: where its trainers listen, in "
            "the order of their ids (default: as the environment says)");
  addOption(app, "--address-file", flags.config.addressFile, text("FILE"),
            "each process that listens adds a line to it, \"NAME HOST:PORT\", "
            "and trainers wait for the lines of all; use a new file for each "
            "run");
  addOption(app, "--recovery-log", flags.config.recovery.dir, text("DIR"),
            "pserver, with --recovery=log: where it keeps its log, a folder "
            "of its own, on a disk of this machine");
  app.add_flag("--recover", flags.config.recovery.recovers,
               "pserver, with --recovery=log: go on from the log in "
               "--recovery-log, or begin if there is none");
  addOption(app, "--coordinator", flags.config.coordinator,
            text("HOST:PORT|etcd://HOST:PORT,../JOB"),
            "the job's scheduler, or etcd, which has the address of each "
            "process, gives a rank to those that are started without one, and "
            "has all of them begin anew when one is lost (default: "
            "MS_SCHED_HOST and MS_SCHED_PORT)");
  addOption(app, "--max-restarts", flags.config.maxRestarts,
            integers(0, largestInt),
            "with etcd, of the process that joins the job first: as a "
            "scheduler's (default 0)");
  addOption(app, "--trainer-id", flags.config.trainerId,
            integers(0, largestInt), "trainer: which one of the job, from 0");
  addOption(app, "--entry", flags.config.entry, text("NAME"),
            "run this function, which takes no arguments, and exit; its checks "
            "decide the exit code");
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Which folders the run reads and leaves behind.
static absl::Status finishFolders(RunFlags &flags) {
  RunConfig &config = flags.config;
  if (!flags.pserverEndpoints.empty())
    config.pserverEndpoints = absl::StrSplit(flags.pserverEndpoints, ',');
  if (!flags.trainerEndpoints.empty())
    config.trainerEndpoints = absl::StrSplit(flags.trainerEndpoints, ',');
  if (!flags.load.empty())
    config.load = absl::StrSplit(flags.load, ',');
  for (const std::string &dir : config.load)
    if (dir.empty())
      return usageError(absl::StrCat("--load: '", flags.load,
                                     "' names a folder without a name"));
  if (!flags.saveBase.empty() && !flags.saveDelta.empty())
    return usageError("--save-delta is what changes after --save-base: "
                      "expected one of them");
  using runtime::RowSelection;
  for (auto [dir, rows] : {std::pair(&flags.saveBase, RowSelection::Base),
                           std::pair(&flags.saveDelta, RowSelection::Delta),
                           std::pair(&flags.save, RowSelection::All)}) {
    if (dir->empty())
      continue;
    for (const SaveTarget &other : config.saves)
      if (other.dir == *dir)
        return usageError(absl::StrCat("--save: '", *dir,
                                       "' gets another part of the rows: "
                                       "expected a folder for each"));
    config.saves.push_back({*dir, rows});
  }
  return absl::OkStatus();
}

/// A log ends where a checkpoint begins, so there must be some.
static absl::Status checkRecoveryFlags(const RunConfig &config) {
  const RecoveryConfig &recovery = config.recovery;
  if (recovery.usesLog && config.checkpoint.dir.empty())
    return usageError("--recovery=log: expected --checkpoint=DIR, since what "
                      "is older than a checkpoint is removed from the log");
  for (auto [flag, isGiven] :
       {std::pair("--recovery-log", !recovery.dir.empty()),
        std::pair("--recover", recovery.recovers)})
    if (isGiven && !recovery.usesLog)
      return usageError(absl::StrCat(flag, ": expected --recovery=log"));
  return absl::OkStatus();
}

static absl::Status finish(RunFlags &flags) {
  RunConfig &config = flags.config;
  if (!flags.role.empty())
    config.role = flags.role == "local"     ? RunRole::Local
                  : flags.role == "trainer" ? RunRole::Trainer
                  : flags.role == "pserver" ? RunRole::PServer
                                            : RunRole::All;
  config.failOnNan = flags.nan == "fail";
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
  parseBadLines(flags.badLines, config.badLines);
  if (!config.predictions.empty() && config.evalData.empty())
    return usageError("--predictions: expected --eval-data, the samples to "
                      "write predictions for");
  if (config.batchSize && config.globalBatchSize)
    return usageError("--batch-size and --global-batch-size both say how many "
                      "samples a step takes: expected one of them");
  if (config.maxMerge > 1 && config.sendQueue < 2)
    return usageError("--max-merge adds up pushes that wait in a queue: "
                      "expected --send-queue=N of at least 2");
  config.streamData = flags.dataMode == "stream";
  config.splitFiles = flags.dataSplit == "files";
  config.padRemainder = flags.remainder == "pad";
  if (!flags.connectTimeout.empty())
    config.connectTimeout = toDuration(flags.connectTimeout);
  if (!flags.peerTimeout.empty())
    config.peerTimeout = toDuration(flags.peerTimeout);
  RETURN_IF_ERROR(finishCheckpointOptions(flags.checkpoint, config.checkpoint));
  RETURN_IF_ERROR(checkRecoveryFlags(config));
  return finishFolders(flags);
}

/// Flags that the role does not use. Those about training are for all: every
/// process of a job may get the same.
static absl::Status checkUnused(const RunConfig &config,
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
  if (config.sendQueue > 0 && role.value_or(RunRole::Local) == RunRole::Local)
    return usageError("--send-queue is for the trainers of a job");
  if (config.pserverDevice != "cpu" && role != RunRole::All)
    return usageError("--pserver-device is for launch and --role=all: a "
                      "pserver computes on its own --device");
  const bool hasPeers = role == RunRole::PServer || role == RunRole::Trainer;
  for (auto [flag, isGiven] :
       {std::pair("--listen", !config.listen.empty()),
        std::pair("--pserver-endpoints", !config.pserverEndpoints.empty()),
        std::pair("--address-file", !config.addressFile.empty()),
        std::pair("--coordinator", !config.coordinator.empty()),
        std::pair("--token-file", !config.securityFiles.token.empty()),
        std::pair("--tls-cert", !config.securityFiles.certificate.empty()),
        std::pair("--insecure", config.insecure)})
    if (isGiven && !hasPeers)
      return usageError(
          absl::StrCat(flag, " is for --role=pserver and --role=trainer only"));
  if (!config.trainerEndpoints.empty() && role != RunRole::Trainer)
    return usageError("--trainer-endpoints is for --role=trainer only");
  return absl::OkStatus();
}

static void addRunOptions(CLI::App &app, RunFlags &flags) {
  addOption(app, "FILE", flags.config.file, text(""),
            "a graph, or the programs of a job; - for stdin")
      ->required();
  addRoleFlags(app, flags);
  addTrainingFlags(app, flags);
  addOutputFlags(app, flags);
  addMachineFlags(app, flags);
}

static absl::StatusOr<Command> parseRun(std::vector<std::string> arguments,
                                        const Environment &environment) {
  RunFlags flags;
  CLI::App app("Trains or evaluates a graph in this process, or runs one role "
               "of a job that\n"
               "ps-opt --ps-transpile made. `ps-run launch` runs a whole job,\n"
               "`ps-run compare` compares two saved models, `ps-run verify` "
               "checks one for\n"
               "damage, `ps-run status` asks a running pserver, `ps-run "
               "devices` lists what can\n"
               "compute; each has its own --help. Examples are at the end of "
               "this text.",
               "ps-run");
  app.footer(absl::StrCat("Data (--data, --eval-data):\n",
                          runtime::describeDataFormats(), dataFooter,
                          runFooter));
  prepare(app);
  addRunOptions(app, flags);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  RETURN_IF_ERROR(finish(flags));
  // Before the environment adds what no flag says.
  RETURN_IF_ERROR(checkUnused(flags.config, environment));
  RETURN_IF_ERROR(readEnvironment(environment, flags.config));
  return flags.config;
}

/// The flags that were given, in one spelling, but those `except`.
static std::vector<std::string>
givenFlags(const CLI::App &app, const std::vector<std::string> &except) {
  std::vector<std::string> flags;
  for (const CLI::Option *option : app.get_options()) {
    std::string name = option->get_name();
    if (option->count() == 0 || !absl::StartsWith(name, "--") ||
        std::find(except.begin(), except.end(), name) != except.end())
      continue;
    flags.push_back(name + "=" + option->results().back());
  }
  return flags;
}

static absl::StatusOr<Command>
parseLaunch(std::vector<std::string> arguments, const Environment &environment,
            const std::vector<std::string> &transpileOptions) {
  LaunchConfig launch;
  RunFlags flags;
  CLI::App app("Runs a whole job, on this machine or, with --hosts, on "
               "several: transpiles a\n"
               "training graph, starts one process per role and waits until "
               "all have ended.",
               "ps-run launch");
  app.footer(absl::StrCat("Data (--data, --eval-data):\n",
                          runtime::describeDataFormats(), dataFooter,
                          launchFooter));
  prepare(app);
  addLaunchOptions(app, launch);
  addTrainingFlags(app, flags);
  addOutputFlags(app, flags);
  addMachineFlags(app, flags);
  auto advise = [&](const std::vector<std::string> &unknown) {
    return adviseTranspile(unknown, launch.transpile, transpileOptions);
  };
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments), advise));
  if (!help.empty())
    return HelpText{help};
  RETURN_IF_ERROR(finish(flags));
  RETURN_IF_ERROR(readSecurity(environment, flags.config.securityFiles,
                               flags.config.security));
  flags.config.insecure = launch.run.insecure;
  launch.run = flags.config;
  RETURN_IF_ERROR(finishLaunchOptions(app, launch));
  launch.forwarded =
      givenFlags(app, {"--pservers", "--trainers", "--log-dir",
                       "--max-restarts", "--hosts", "--ssh", "--listen",
                       "--transpile", "--threads", "--metrics", "--trace",
                       "--device", "--pserver-device", "--token-file"});
  return launch;
}

static absl::StatusOr<Command>
parseCompare(std::vector<std::string> arguments) {
  CompareConfig compare;
  CLI::App app("Compares the variables and tables of two saved models.",
               "ps-run compare");
  app.footer(compareFooter);
  prepare(app);
  addOption(app, "A", compare.left, text(""),
            "a folder that --save wrote, or a .safetensors file")
      ->required();
  addOption(app, "B", compare.right, text(""), "another one")->required();
  addOption(app, "--tolerance", compare.tolerance, nonNegativeNumbers(),
            "the largest relative difference allowed (default 0)");
  addOption(app, "--absolute", compare.absolute, nonNegativeNumbers(),
            "the largest |a - b| allowed, whatever the relative difference "
            "(default 0)");
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  return compare;
}

static absl::StatusOr<Command> parseVerify(std::vector<std::string> arguments) {
  VerifyConfig verify;
  CLI::App app("Checks all files of saved models for damage.", "ps-run verify");
  app.footer(verifyFooter);
  prepare(app);
  app.add_option("DIR", verify.dirs, "folders that --save wrote")
      ->required()
      ->type_name("");
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  return verify;
}

static absl::StatusOr<Command> parseStatus(std::vector<std::string> arguments,
                                           const Environment &environment) {
  StatusConfig status;
  SecurityFiles files;
  CLI::App app("Prints the state of a running pserver or scheduler.",
               "ps-run status");
  app.footer(statusFooter);
  prepare(app);
  addOption(app, "HOST:PORT", status.endpoint, text(""), "where it listens")
      ->required();
  app.add_flag("--json", status.json, "one line of JSON");
  addSecurityOptions(app, files);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  RETURN_IF_ERROR(readSecurity(environment, files, status.security));
  if (absl::Status endpoint = runtime::checkEndpoint(status.endpoint);
      !endpoint.ok())
    return usageError(std::string(endpoint.message()));
  return status;
}

static absl::StatusOr<Command>
parseDevices(std::vector<std::string> arguments) {
  DevicesConfig devices;
  CLI::App app("Lists what --device may name on this machine, one per line.",
               "ps-run devices");
  app.footer(devicesFooter);
  prepare(app);
  app.add_flag("--json", devices.json, "one line of JSON");
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  return devices;
}

absl::StatusOr<Command>
ps::parseCommand(std::vector<std::string> arguments,
                 const Environment &environment,
                 const std::vector<std::string> &transpileOptions) {
  std::string first = arguments.empty() ? "" : arguments.front();
  if (first != "launch" && first != "compare" && first != "verify" &&
      first != "status" && first != "devices") {
    const SchedulerChoice choice = chooseScheduler(arguments, environment);
    if (choice != SchedulerChoice::Flag)
      RETURN_IF_ERROR(checkCommand(first));
    if (choice == SchedulerChoice::None)
      return parseRun(std::move(arguments), environment);
    RunFlags flags;
    CLI::App others;
    prepare(others);
    addRunOptions(others, flags);
    return parseScheduler(std::move(arguments), environment,
                          choice == SchedulerChoice::Environment ? &others
                                                                 : nullptr);
  }
  arguments.erase(arguments.begin());
  if (first == "status")
    return parseStatus(std::move(arguments), environment);
  if (first == "devices")
    return parseDevices(std::move(arguments));
  if (first == "verify")
    return parseVerify(std::move(arguments));
  return first == "launch"
             ? parseLaunch(std::move(arguments), environment, transpileOptions)
             : parseCompare(std::move(arguments));
}
