//===- Options.cpp - the command line of ps-run ---------------------------===//
//
// Flags win over the environment (Environment.cpp).
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/Options.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tools/ps-run/Environment.h"
#include "tools/ps-run/HelpText.h"
#include "tools/ps-run/Predictions.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace ps;

//===----------------------------------------------------------------------===//
// Usage errors
//===----------------------------------------------------------------------===//

static constexpr const char *usageUrl = "ps-run/usage";

absl::Status ps::usageError(const std::string &message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(usageUrl, absl::Cord());
  return status;
}

bool ps::isUsageError(const absl::Status &status) {
  return status.GetPayload(usageUrl).has_value();
}

std::string ps::fileOfProcess(const std::string &file, const std::string &role,
                              int id) {
  if (file.empty() || (role == "trainer" && id == 0))
    return file;
  return absl::StrCat(file, ".", role, "-", id);
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

namespace {

/// What CLI11 fills before it becomes a RunConfig.
struct RunFlags {
  RunConfig config;
  std::string role, nan = "fail", badLines = "fail";
  std::string dataMode = "memory", dataSplit = "samples", remainder = "drop";
  std::string connectTimeout, peerTimeout;
  std::string load, save, saveBase, saveDelta;
};

} // namespace

static std::string checkPositive(const std::string &text) {
  int64_t value;
  return absl::SimpleAtoi(text, &value) && value > 0
             ? ""
             : "'" + text + "' is not a positive whole number";
}

static std::string checkCount(const std::string &text) {
  int64_t value;
  return absl::SimpleAtoi(text, &value) && value >= 0
             ? ""
             : "'" + text + "' is not a whole number from 0";
}

/// As checkCount, for what is an int.
static std::string checkInt(const std::string &text) {
  int value;
  return absl::SimpleAtoi(text, &value) && value >= 0
             ? ""
             : "'" + text + "' is not a whole number from 0 to 2147483647";
}

/// As checkPositive, for a number of threads that a process can have.
static std::string checkThreads(const std::string &text) {
  int value;
  return absl::SimpleAtoi(text, &value) && value > 0 && value <= 1024
             ? ""
             : "'" + text + "' is not a whole number from 1 to 1024";
}

/// Reads "fail" or "skip=N".
static bool parseBadLines(absl::string_view text, int64_t &lines) {
  lines = 0;
  return text == "fail" || (absl::ConsumePrefix(&text, "skip=") &&
                            absl::SimpleAtoi(text, &lines) && lines >= 0);
}

static std::string checkBadLines(const std::string &text) {
  int64_t lines;
  return parseBadLines(text, lines)
             ? ""
             : "'" + text + "' is neither fail nor skip=N";
}

static std::string checkPredictions(const std::string &text) {
  return isPredictionsFile(text)
             ? ""
             : "'" + text + "': expected a file name ending in .csv or .jsonl";
}

/// A plain number is in seconds; zero if `text` is no positive time.
static absl::Duration toDuration(const std::string &text) {
  absl::Duration duration;
  if (double seconds; absl::SimpleAtod(text, &seconds))
    duration = std::isfinite(seconds) ? absl::Seconds(seconds) : duration;
  else if (!absl::ParseDuration(text, &duration))
    return absl::ZeroDuration();
  return std::max(duration, absl::ZeroDuration());
}

static std::string checkDuration(const std::string &text) {
  return toDuration(text) > absl::ZeroDuration()
             ? ""
             : "'" + text + "' is not a time such as 30, 0.5 or 500ms";
}

static void addTrainingFlags(CLI::App &app, RunFlags &flags) {
  RunConfig &config = flags.config;
  app.option_defaults()->group("Training");
  app.add_option("--data", config.data, "samples to train on, see below");
  app.add_option("--eval-data", config.evalData,
                 "after each epoch, run the graph without its updates on these "
                 "samples");
  app.add_option("--pipe-command", config.pipeCommand,
                 "read what this shell command makes of each text file, its "
                 "standard input");
  app.add_option("--data-threads", config.dataThreads,
                 "threads that parse text files (default 2)")
      ->check(CLI::Validator(checkThreads, "N"));
  app.add_option("--bad-lines", flags.badLines,
                 "what to do about broken lines of text files: fail (default), "
                 "or skip=N, which fails after more than N")
      ->check(CLI::Validator(checkBadLines, "fail|skip=N"));
  app.add_option(
         "--epochs", config.epochs,
         "passes over the data (default 1); with --load the rest of one "
         "that had begun counts as the first")
      ->check(CLI::Validator(checkPositive, "N"));
  app.add_option("--steps", config.steps,
                 "stop after this many steps of this run")
      ->check(CLI::Validator(checkPositive, "N"));
  app.add_option("--batch-size", config.batchSize,
                 "samples per step and trainer (default 64, or what the graph "
                 "fixes)")
      ->check(CLI::Validator(checkPositive, "N"));
  app.add_flag("--shuffle", config.shuffle, "a new order for each epoch");
  app.add_option("--data-mode", flags.dataMode,
                 "memory (default): read everything first; stream: read text "
                 "files while steps run, in bounded memory")
      ->check(CLI::IsMember({"memory", "stream"}));
  app.add_option("--shuffle-window", config.shuffleWindow,
                 "samples of a stream that are shuffled together (default "
                 "65536)")
      ->check(CLI::Validator(checkPositive, "N"));
  app.add_option("--data-split", flags.dataSplit,
                 "what trainers share out: samples (default), of files that "
                 "all of them read; or files, each reads its own")
      ->check(CLI::IsMember({"samples", "files"}));
  app.add_option("--remainder", flags.remainder,
                 "samples that fill no step of all trainers: drop (default) "
                 "them, or pad the step from the epoch's start")
      ->check(CLI::IsMember({"drop", "pad"}));
  app.add_option("--seed", config.seed,
                 "of initial values and of the order of samples")
      ->check(CLI::Validator(checkCount, "N"));
  app.add_option("--nan", flags.nan,
                 "fail or warn when a fetched number is not finite")
      ->check(CLI::IsMember({"fail", "warn"}));
}

static void addOutputFlags(CLI::App &app, RunFlags &flags) {
  RunConfig &config = flags.config;
  app.option_defaults()->group("Files and output");
  app.add_option("--load", flags.load,
                 "go on from what --save left: the model, the optimizers' "
                 "state, the rows of tables and the place in the data; for "
                 "every process of a job; what --save-delta left goes behind "
                 "what it changes: BASE,DELTA,..")
      ->type_name("DIR,..");
  app.add_option("--save", flags.save,
                 "leave the model in DIR, with all that --load goes on from, "
                 "after Ctrl-C too; in a job trainer 0 has pservers write "
                 "their parts there; on a pserver: to this folder instead")
      ->type_name("DIR");
  app.add_option("--save-base", flags.saveBase,
                 "as --save and beside it, but of tables with an accessor only "
                 "the rows that are worth serving")
      ->type_name("DIR");
  app.add_option("--save-delta", flags.saveDelta,
                 "as --save-base, but of those rows only the ones that have "
                 "changed since they were saved by one of these two")
      ->type_name("DIR");
  app.add_option("--predictions", config.predictions,
                 "write what evaluations fetch for each sample of --eval-data, "
                 "a row per sample, as CSV or JSON lines; the file holds the "
                 "last evaluation")
      ->type_name("FILE")
      ->check(CLI::Validator(checkPredictions, ""));
  app.add_option("--metrics", config.metrics,
                 "write one JSON object per step and evaluation")
      ->type_name("FILE");
  app.add_option("--trace", config.trace,
                 "write every kernel and transfer in Chrome's trace format")
      ->type_name("FILE");
  app.add_option("--log-every", config.logEvery,
                 "steps between progress lines (default 100)")
      ->check(CLI::Validator(checkPositive, "N"))
      ->type_name("N");
  app.add_flag("--print-memory-plan", config.printMemoryPlan,
               "show how activations share memory; without --data, only that");
}

static void addMachineFlags(CLI::App &app, RunFlags &flags) {
  app.option_defaults()->group("Machine and network");
  app.add_option("--threads", flags.config.threads,
                 "threads that compute (default one per core)")
      ->check(CLI::Validator(checkInt, "N"));
  app.add_flag("--deterministic", flags.config.deterministic,
               "the same bits from run to run");
  app.add_option("--connect-timeout", flags.connectTimeout,
                 "give up on a pserver that is not up after this time (300 s)")
      ->check(CLI::Validator(checkDuration, "TIME"));
  app.add_option(
         "--peer-timeout", flags.peerTimeout,
         "give up on a peer that is silent for this time (30 s); the same "
         "in all processes of a job")
      ->check(CLI::Validator(checkDuration, "TIME"));
}

static void addRoleFlags(CLI::App &app, RunFlags &flags) {
  app.option_defaults()->group("Role");
  app.add_option("--role", flags.role,
                 "local (a graph as it is), trainer, pserver, or all (every "
                 "program of a job in this process)")
      ->check(CLI::IsMember({"local", "trainer", "pserver", "all"}));
  app.add_option("--endpoint", flags.config.endpoint,
                 "pserver: which one, host:port");
  app.add_option("--trainer-id", flags.config.trainerId,
                 "trainer: which one, from 0")
      ->check(CLI::Validator(checkInt, "N"));
  app.add_option(
         "--entry", flags.config.entry,
         "run this function, which takes no feeds, and exit; its checks "
         "decide the exit code")
      ->type_name("NAME");
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The number of single-character edits between two words.
static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

static absl::Status unknownArgument(const CLI::App &app,
                                    const std::string &argument) {
  if (!absl::StartsWith(argument, "-"))
    return usageError(absl::StrCat("unexpected argument '", argument, "'"));
  std::string flag = argument.substr(0, argument.find('='));
  std::string best;
  size_t bestDistance = 3;
  for (const CLI::Option *option : app.get_options()) {
    std::string name = option->get_name();
    if (size_t distance = editDistance(flag, name); distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return usageError(absl::StrCat(
      "unknown flag '", flag, "'",
      best.empty() ? ", see --help" : ", did you mean " + best + "?"));
}

/// Before options are added: of a flag given twice the last counts, so that a
/// user can add to a command line.
static void prepare(CLI::App &app) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// Fills the bound variables; an empty text, or the help or version.
static absl::StatusOr<std::string> parse(CLI::App &app,
                                         std::vector<std::string> arguments) {
  app.option_defaults()->group("Options");
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", "ps-run " PS_VERSION "\n",
                       "show the version");
  app.get_formatter()->column_width(28);
  app.allow_extras(); // reported below, with a suggestion
  std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp &) {
    return app.help();
  } catch (const CLI::CallForVersion &) {
    return app.version();
  } catch (const CLI::RequiredError &error) {
    return usageError(absl::StrCat(error.what(), ", see --help"));
  } catch (const CLI::ParseError &error) {
    return usageError(error.what());
  }
  if (std::vector<std::string> extras = app.remaining(); !extras.empty())
    return unknownArgument(app, extras.front());
  return "";
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Which folders the run reads and leaves behind.
static absl::Status finishFolders(RunFlags &flags) {
  RunConfig &config = flags.config;
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

static absl::Status finish(RunFlags &flags) {
  RunConfig &config = flags.config;
  if (!flags.role.empty())
    config.role = flags.role == "local"     ? RunRole::Local
                  : flags.role == "trainer" ? RunRole::Trainer
                  : flags.role == "pserver" ? RunRole::PServer
                                            : RunRole::All;
  config.failOnNan = flags.nan == "fail";
  parseBadLines(flags.badLines, config.badLines);
  if (!config.predictions.empty() && config.evalData.empty())
    return usageError("--predictions: expected --eval-data, the samples to "
                      "write predictions for");
  config.streamData = flags.dataMode == "stream";
  config.splitFiles = flags.dataSplit == "files";
  config.padRemainder = flags.remainder == "pad";
  if (!flags.connectTimeout.empty())
    config.connectTimeout = toDuration(flags.connectTimeout);
  if (!flags.peerTimeout.empty())
    config.peerTimeout = toDuration(flags.peerTimeout);
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
  if (!config.entry.empty() && !config.saves.empty())
    return usageError("--save is not for --entry");
  std::optional<RunRole> role = config.role;
  if (absl::Status s = readRole(environment, role); !s.ok())
    return s;
  if (config.trainerId && role != RunRole::Trainer)
    return usageError("--trainer-id is for --role=trainer only");
  if (!config.endpoint.empty() && role != RunRole::PServer)
    return usageError("--endpoint is for --role=pserver only");
  return absl::OkStatus();
}

static absl::StatusOr<Command> parseRun(std::vector<std::string> arguments,
                                        const Environment &environment) {
  RunFlags flags;
  CLI::App app("Runs a training graph, or one role of a job that ps-opt "
               "--ps-transpile made.\n"
               "ps-run launch runs a whole job on this machine, ps-run compare "
               "compares two\nsaved models; each has its own --help. Examples "
               "are at the end of this text.",
               "ps-run");
  app.footer(runFooter);
  prepare(app);
  app.add_option("FILE", flags.config.file, "the module, - for stdin")
      ->required();
  addRoleFlags(app, flags);
  addTrainingFlags(app, flags);
  addOutputFlags(app, flags);
  addMachineFlags(app, flags);
  absl::StatusOr<std::string> help = parse(app, std::move(arguments));
  if (!help.ok())
    return help.status();
  if (!help->empty())
    return HelpText{*help};
  if (absl::Status s = finish(flags); !s.ok())
    return s;
  // Before the environment adds what no flag says.
  absl::Status unused = checkUnused(flags.config, environment);
  if (!unused.ok())
    return unused;
  if (absl::Status s = readEnvironment(environment, flags.config); !s.ok())
    return s;
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

/// launch starts pservers, and no process of a job that cannot be run.
static absl::Status checkLaunchMode(absl::string_view options) {
  for (absl::string_view option :
       absl::StrSplit(options, ' ', absl::SkipEmpty())) {
    if (option == "mode=collective")
      return usageError(
          "--transpile: launch starts pservers, and mode=collective has none: "
          "transpile with ps-opt --ps-transpile and run with ps-run "
          "--role=all");
    if (option == "mode=async" || option == "mode=half-async" ||
        option == "mode=geo")
      return usageError(absl::StrCat("--transpile: ps-run does not run ",
                                     option,
                                     " yet: leave it out or say mode=sync"));
  }
  return absl::OkStatus();
}

static absl::StatusOr<Command> parseLaunch(std::vector<std::string> arguments) {
  LaunchConfig launch;
  RunFlags flags;
  CLI::App app("Transpiles a training graph, runs every role as a process of "
               "its own on this machine, and waits.",
               "ps-run launch");
  app.footer(launchFooter);
  prepare(app);
  app.add_option("FILE", launch.file, "the training graph")->required();
  app.option_defaults()->group("Job");
  app.add_option("--pservers", launch.pservers, "processes that hold variables")
      ->check(CLI::Validator(checkPositive, "N"));
  app.add_option("--trainers", launch.trainers, "processes that compute")
      ->check(CLI::Validator(checkPositive, "N"));
  app.add_option("--log-dir", launch.logDir,
                 "where each launch makes a folder for its programs and logs "
                 "(default log)")
      ->type_name("DIR");
  app.add_option("--transpile", launch.transpile,
                 "further options of ps-opt --ps-transpile, such as "
                 "\"split-method=HashName\"");
  addTrainingFlags(app, flags);
  addOutputFlags(app, flags);
  addMachineFlags(app, flags);
  absl::StatusOr<std::string> help = parse(app, std::move(arguments));
  if (!help.ok())
    return help.status();
  if (!help->empty())
    return HelpText{*help};
  for (const char *option : {"pservers", "trainers"})
    if (absl::StrContains(launch.transpile, absl::StrCat(option, "=")))
      return usageError(
          absl::StrCat("--transpile: say --", option, "=N to launch instead"));
  if (absl::Status s = checkLaunchMode(launch.transpile); !s.ok())
    return s;
  if (absl::Status s = finish(flags); !s.ok())
    return s;
  launch.run = flags.config;
  launch.forwarded = givenFlags(app, {"--pservers", "--trainers", "--log-dir",
                                      "--transpile", "--metrics", "--trace"});
  return launch;
}

static absl::StatusOr<Command>
parseCompare(std::vector<std::string> arguments) {
  CompareConfig compare;
  CLI::App app("Compares the variables in two folders that --save wrote.",
               "ps-run compare");
  app.footer(compareFooter);
  prepare(app);
  app.add_option("A", compare.left, "a folder, or a .safetensors file")
      ->required();
  app.add_option("B", compare.right, "another one")->required();
  app.add_option("--tolerance", compare.tolerance,
                 "the largest relative difference allowed (default 0)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--absolute", compare.absolute,
                 "the largest |a - b| allowed, whatever the relative "
                 "difference (default 0)")
      ->check(CLI::NonNegativeNumber);
  absl::StatusOr<std::string> help = parse(app, std::move(arguments));
  if (!help.ok())
    return help.status();
  if (!help->empty())
    return HelpText{*help};
  return compare;
}

/// A word that is no file, but nearly a command.
static absl::Status checkCommand(const std::string &word) {
  for (const char *command : {"launch", "compare"})
    if (std::error_code none; editDistance(word, command) <= 2 &&
                              !std::filesystem::exists(word, none))
      return usageError(absl::StrCat("unknown command '", word,
                                     "', did you mean ", command, "?"));
  return absl::OkStatus();
}

absl::StatusOr<Command> ps::parseCommand(std::vector<std::string> arguments,
                                         const Environment &environment) {
  std::string first = arguments.empty() ? "" : arguments.front();
  if (first != "launch" && first != "compare") {
    if (absl::Status s = checkCommand(first); !s.ok())
      return s;
    return parseRun(std::move(arguments), environment);
  }
  arguments.erase(arguments.begin());
  return first == "launch" ? parseLaunch(std::move(arguments))
                           : parseCompare(std::move(arguments));
}
