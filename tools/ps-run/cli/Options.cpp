// SPDX-License-Identifier: Apache-2.0
//===- Options.cpp - the command line of ps-run ---------------------------===//
//
// The commands, each with its groups of options, which have files of their own.
// Flags win over the environment (Environment.cpp).
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/Options.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/cli/Environment.h"
#include "tools/ps-run/cli/HelpText.h"
#include "tools/ps-run/cli/LaunchOptions.h"
#include "tools/ps-run/cli/MachineOptions.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/cli/OutputOptions.h"
#include "tools/ps-run/cli/PassOptions.h"
#include "tools/ps-run/cli/RoleOptions.h"
#include "tools/ps-run/cli/SchedulerOptions.h"
#include "tools/ps-run/cli/SecurityOptions.h"
#include "tools/ps-run/cli/TrainingOptions.h"
#include "tools/ps-run/cli/arguments/ConfigFile.h"
#include "tools/ps-run/cli/arguments/ParseArguments.h"
#include "tools/ps-run/cli/arguments/UnknownArguments.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/membership/CoordinatorAddress.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>

using namespace ps;

namespace {

/// What CLI11 fills before it becomes a RunConfig.
struct RunFlags {
  RunConfig config;
  RoleFlags role;
  TrainingFlags training;
  OutputFlags output;
  MachineFlags machine;
};

} // namespace

/// The options of a run that launch has, too.
static void addSharedOptions(CLI::App &app, RunFlags &flags) {
  addTrainingOptions(app, flags.config, flags.training);
  addOutputOptions(app, flags.config, flags.output);
  addMachineOptions(app, flags.config, flags.machine);
  app.option_defaults()->group("Options");
  addConfigOption(app);
}

static void addRunOptions(CLI::App &app, RunFlags &flags) {
  addOption(app, "FILE", flags.config.file, text(""),
            "a graph, or the programs of a job; - for stdin")
      ->required();
  addRoleOptions(app, flags.config, flags.role);
  addSharedOptions(app, flags);
  addPassOptions(app, flags.config);
}

static absl::Status finish(RunFlags &flags) {
  finishRoleOptions(flags.role, flags.config);
  RETURN_IF_ERROR(finishTrainingOptions(flags.training, flags.config));
  RETURN_IF_ERROR(finishOutputOptions(flags.output, flags.config));
  return finishMachineOptions(flags.machine, flags.config);
}

static absl::StatusOr<Command> parseRun(std::vector<std::string> arguments,
                                        const ConfigFile &file,
                                        const Environment &environment) {
  RunFlags flags;
  CLI::App app("Trains or evaluates a graph in this process, or runs one role "
               "of a job that\n"
               "ps-opt --ps-transpile made. `ps-run launch` runs a whole job,\n"
               "`ps-run compare` compares two saved models, `ps-run verify` "
               "checks one for\n"
               "damage, `ps-run status` asks a running process, `ps-run "
               "resize` changes the\n"
               "size of a running job, `ps-run log-replica` keeps copies of "
               "pservers' logs,\n"
               "`ps-run devices` lists what can compute, `ps-run plot` draws "
               "what --metrics\n"
               "wrote, `ps-run merge-traces` puts traces together; each has "
               "its own --help.\n"
               "Examples are at the end of this text.",
               "ps-run");
  app.footer(absl::StrCat("Data (--data, --eval-data):\n",
                          runtime::describeDataFormats(), dataFooter,
                          runFooter));
  prepare(app);
  addRunOptions(app, flags);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments), file));
  if (!help.empty())
    return HelpText{help};
  RETURN_IF_ERROR(finish(flags));
  // Before the environment adds what no flag says.
  RETURN_IF_ERROR(checkRoleOptions(flags.config, environment));
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
  addSharedOptions(app, flags);
  auto advise = [&](const std::vector<std::string> &unknown) {
    return adviseTranspile(unknown, launch.transpile, transpileOptions);
  };
  ASSIGN_OR_RETURN(const ConfigFile file, readConfig(arguments));
  ASSIGN_OR_RETURN(std::string help,
                   parse(app, std::move(arguments), file, advise));
  if (!help.empty())
    return HelpText{help};
  RETURN_IF_ERROR(finish(flags));
  RETURN_IF_ERROR(readSecurity(environment, flags.config.securityFiles,
                               flags.config.security));
  flags.config.insecure = launch.run.insecure;
  launch.run = flags.config;
  RETURN_IF_ERROR(finishLaunchOptions(app, launch));
  launch.forwarded = givenFlags(
      app, {"--pservers", "--trainers", "--log-dir", "--max-restarts",
            "--hosts", "--ssh", "--listen", "--elastic", "--transpile",
            "--threads", "--metrics", "--trace", "--set", "--device",
            "--pserver-device", "--token-file", "--config"});
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
  CLI::App app("Prints the state of a running pserver or coordinator.",
               "ps-run status");
  app.footer(statusFooter);
  prepare(app);
  addOption(app, "ADDRESS", status.endpoint, text(""),
            "HOST:PORT of a pserver or scheduler, or the --coordinator of a "
            "job in etcd")
      ->required();
  app.add_flag("--json", status.json, "one line of JSON");
  addSecurityOptions(app, files);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  RETURN_IF_ERROR(readSecurity(environment, files, status.security));
  if (absl::StartsWith(status.endpoint, "etcd://")) {
    RunConfig job;
    job.coordinator = status.endpoint;
    RETURN_IF_ERROR(checkCoordinator(job));
    return status;
  }
  if (absl::Status endpoint = runtime::checkEndpoint(status.endpoint);
      !endpoint.ok())
    return usageError(std::string(endpoint.message()));
  return status;
}

static absl::StatusOr<Command> parseResize(std::vector<std::string> arguments,
                                           const Environment &environment) {
  ResizeConfig resize;
  bool doesNotWait = false;
  CLI::App app("Gives a job that runs another number of pservers or trainers.",
               "ps-run resize");
  app.footer(resizeFooter);
  prepare(app);
  addOption(app, "COORDINATOR", resize.job.coordinator, text(""),
            "the job's --coordinator")
      ->required();
  addOption(app, "--pservers", resize.pservers, integers(1, largestInt),
            "how many it is to have (default: as many as it has)");
  addOption(app, "--trainers", resize.trainers, integers(1, largestInt),
            "the same of trainers");
  app.add_flag("--no-wait", doesNotWait,
               "do not wait until the job trains with them");
  addSecurityOptions(app, resize.job.securityFiles);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  if (!resize.pservers && !resize.trainers)
    return usageError("expected --pservers or --trainers");
  resize.waits = !doesNotWait;
  RETURN_IF_ERROR(checkCoordinator(resize.job));
  RETURN_IF_ERROR(
      readSecurity(environment, resize.job.securityFiles, resize.job.security));
  return resize;
}

static absl::StatusOr<Command>
parseLogReplica(std::vector<std::string> arguments,
                const Environment &environment) {
  LogReplicaConfig replica;
  CLI::App app("Keeps copies of the logs of pservers, on another machine than "
               "theirs.",
               "ps-run log-replica");
  app.footer(logReplicaFooter);
  prepare(app);
  addOption(app, "DIR", replica.dir, text(""),
            "where they are kept, in a folder for each pserver")
      ->required();
  addOption(app, "--listen", replica.listen, text("HOST:PORT"),
            "listen here: the pservers' --recovery-log-replica. Port 0 takes a "
            "free port, which is printed")
      ->required();
  addLogOptions(app);
  addSecurityOptions(app, replica.securityFiles);
  addListenOption(app, replica.insecure);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  RETURN_IF_ERROR(
      readSecurity(environment, replica.securityFiles, replica.security));
  if (absl::Status endpoint = runtime::checkEndpoint(replica.listen);
      !endpoint.ok())
    return usageError(absl::StrCat("--listen: ", endpoint.message()));
  return replica;
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

static absl::StatusOr<Command> parsePlot(std::vector<std::string> arguments) {
  PlotConfig plot;
  CLI::App app("Draws curves of the numbers that --metrics wrote.",
               "ps-run plot");
  app.footer(plotFooter);
  prepare(app);
  app.add_option("METRICS", plot.files,
                 "files that --metrics wrote; of several, curves are drawn "
                 "together")
      ->type_name("")
      ->required();
  addOption(app, "-o,--output", plot.output, text("FILE"),
            "the page to write, .html, or for one number a picture, .svg")
      ->required();
  app.add_option("--number", plot.numbers,
                 "draw this number, such as loss; may be repeated (default: "
                 "all)")
      ->type_name("NAME")
      ->expected(1)
      ->allow_extra_args(false) // the next argument may be METRICS
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  if (!absl::EndsWith(plot.output, ".html") &&
      !absl::EndsWith(plot.output, ".svg"))
    return usageError(absl::StrCat("--output: expected a name that ends in "
                                   ".html or .svg, got '",
                                   plot.output, "'"));
  return plot;
}

static absl::StatusOr<Command>
parseMergeTraces(std::vector<std::string> arguments) {
  MergeTracesConfig merge;
  CLI::App app("Puts the traces of the processes of a job into one file.",
               "ps-run merge-traces");
  app.footer(mergeTracesFooter);
  prepare(app);
  app.add_option("TRACE", merge.files, "files that --trace wrote")
      ->type_name("")
      ->required();
  addOption(app, "-o,--output", merge.output, text("FILE"),
            "the file to write, which may be one of them")
      ->required();
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments)));
  if (!help.empty())
    return HelpText{help};
  return merge;
}

absl::StatusOr<Command>
ps::parseCommand(std::vector<std::string> arguments,
                 const Environment &environment,
                 const std::vector<std::string> &transpileOptions) {
  using Arguments = std::vector<std::string>;
  using Parse = std::function<absl::StatusOr<Command>(Arguments)>;
  const std::map<std::string, Parse> commands = {
      {"compare", parseCompare},
      {"devices", parseDevices},
      {"launch",
       [&](Arguments rest) {
         return parseLaunch(std::move(rest), environment, transpileOptions);
       }},
      {"log-replica",
       [&](Arguments rest) {
         return parseLogReplica(std::move(rest), environment);
       }},
      {"merge-traces", parseMergeTraces},
      {"plot", parsePlot},
      {"resize",
       [&](Arguments rest) {
         return parseResize(std::move(rest), environment);
       }},
      {"status",
       [&](Arguments rest) {
         return parseStatus(std::move(rest), environment);
       }},
      {"verify", parseVerify}};
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (auto command = commands.find(first); command != commands.end())
    return command->second({arguments.begin() + 1, arguments.end()});
  ASSIGN_OR_RETURN(const ConfigFile file, readConfig(arguments));
  const SchedulerChoice choice = chooseScheduler(arguments, file, environment);
  if (choice != SchedulerChoice::Flag)
    for (const auto &[name, parse] : commands)
      RETURN_IF_ERROR(checkCommand(first, name));
  if (choice == SchedulerChoice::None)
    return parseRun(std::move(arguments), file, environment);
  RunFlags flags;
  CLI::App others;
  prepare(others);
  addRunOptions(others, flags);
  return parseScheduler(std::move(arguments), file, environment,
                        choice == SchedulerChoice::Environment ? &others
                                                               : nullptr);
}
