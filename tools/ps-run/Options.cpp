//===- Options.cpp - the command line of ps-run ---------------------------===//
//
// Flags win over the environment (Environment.cpp).
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/Options.h"
#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tools/ps-run/Environment.h"
#include "tools/ps-run/HelpText.h"
#include "tools/ps-run/Predictions.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

using namespace ps;

//===----------------------------------------------------------------------===//
// Usage errors
//===----------------------------------------------------------------------===//

static constexpr const char *usageUrl = "ps-run/usage";
/// Where the descriptions of options begin.
static constexpr size_t helpColumn = 28;

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

/// The values of an option: how --help names them, and a check that returns why
/// a text is none of them, or "".
struct Values {
  std::string name;
  std::function<std::string(const std::string &)> check;
};

} // namespace

static void setValues(CLI::Option *option, const Values &values) {
  option->type_name(values.name)->check(CLI::Validator(values.check, ""));
}

static std::string expected(absl::string_view what, absl::string_view text) {
  return absl::StrCat("expected ", what, ", got '", text, "'");
}

static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
static constexpr int64_t largestInt = std::numeric_limits<int>::max();

static Values integers(int64_t least, int64_t most) {
  std::string what = most != unlimited
                         ? absl::StrCat("an integer from ", least, " to ", most)
                     : least == 0 ? "a non-negative integer"
                                  : "a positive integer";
  return {"N", [=](const std::string &text) {
            int64_t value;
            // CLI11 would read 010 as octal.
            const bool fits = absl::SimpleAtoi(text, &value) &&
                              absl::StrCat(value) == text && value >= least &&
                              value <= most;
            return fits ? "" : expected(what, text);
          }};
}

/// A finite number, not NaN either.
static Values nonNegativeNumbers() {
  return {"X", [](const std::string &text) {
            double value;
            const bool fits = absl::SimpleAtod(text, &value) &&
                              std::isfinite(value) && value >= 0;
            return fits ? "" : expected("a non-negative number", text);
          }};
}

static Values oneOf(const std::vector<std::string> &words) {
  std::string what = absl::StrJoin(words.begin(), words.end() - 1, ", ");
  absl::StrAppend(&what, " or ", words.back());
  return {absl::StrJoin(words, "|"), [=](const std::string &text) {
            return absl::c_linear_search(words, text) ? ""
                                                      : expected(what, text);
          }};
}

/// Reads "fail" or "skip=N".
static bool parseBadLines(absl::string_view text, int64_t &lines) {
  lines = 0;
  return text == "fail" || (absl::ConsumePrefix(&text, "skip=") &&
                            absl::SimpleAtoi(text, &lines) && lines >= 0);
}

static Values badLines() {
  return {"fail|skip=N", [](const std::string &text) {
            int64_t lines;
            return parseBadLines(text, lines)
                       ? ""
                       : expected("fail or skip=N", text);
          }};
}

static Values predictionsFiles() {
  return {"FILE", [](const std::string &text) {
            return isPredictionsFile(text)
                       ? ""
                       : expected("a file name ending in .csv or .jsonl", text);
          }};
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

static Values durations() {
  return {"TIME", [](const std::string &text) {
            return toDuration(text) > absl::ZeroDuration()
                       ? ""
                       : expected("a time such as 30, 0.5 or 500ms", text);
          }};
}

static void addTrainingFlags(CLI::App &app, RunFlags &flags) {
  RunConfig &config = flags.config;
  app.option_defaults()->group("Training");
  app.add_option("--data", config.data,
                 "samples to train on; the kinds are listed below")
      ->type_name("KIND:..");
  app.add_option("--eval-data", config.evalData,
                 "samples to evaluate after each epoch: runs the graph without "
                 "its updates. Without --data nothing is trained: evaluates "
                 "the model of --load once")
      ->type_name("KIND:..");
  app.add_option("--pipe-command", config.pipeCommand,
                 "shell command that filters each text file before it is "
                 "parsed, from its standard input to its standard output")
      ->type_name("COMMAND");
  setValues(app.add_option("--data-threads", config.dataThreads,
                           "threads that parse text files (default 2)"),
            integers(1, 1024));
  setValues(app.add_option("--bad-lines", flags.badLines,
                           "what to do about malformed lines of text files: "
                           "fail (default), or skip up to N of them"),
            badLines());
  setValues(app.add_option("--epochs", config.epochs,
                           "passes over the data (default 1, or no limit with "
                           "--steps). After --load the rest of an epoch that "
                           "had begun counts as the first"),
            integers(1, unlimited));
  setValues(app.add_option("--steps", config.steps,
                           "stop after this many steps of this run (default: "
                           "no limit)"),
            integers(1, unlimited));
  setValues(app.add_option("--batch-size", config.batchSize,
                           "samples per step and trainer (default: what the "
                           "graph fixes, or 64)"),
            integers(1, unlimited));
  app.add_flag("--shuffle", config.shuffle,
               "draw a new order of the samples for each epoch");
  setValues(
      app.add_option("--data-mode", flags.dataMode,
                     "memory (default): read all samples before training; "
                     "stream: read text files during training, in bounded "
                     "memory"),
      oneOf({"memory", "stream"}));
  setValues(app.add_option("--shuffle-window", config.shuffleWindow,
                           "samples of a stream that are shuffled together "
                           "(default 65536)"),
            integers(1, unlimited));
  setValues(app.add_option("--data-split", flags.dataSplit,
                           "how trainers share the data. samples (default): "
                           "each reads all files and takes its share of the "
                           "samples; files: each reads its share of the files"),
            oneOf({"samples", "files"}));
  setValues(app.add_option("--remainder", flags.remainder,
                           "samples at the end of an epoch that do not fill a "
                           "step of all trainers: drop them (default), or pad "
                           "the step with samples from the epoch's start"),
            oneOf({"drop", "pad"}));
  setValues(app.add_option("--seed", config.seed,
                           "seed of the initial values and of --shuffle, the "
                           "same in all processes of a job (default 0)"),
            integers(0, unlimited));
  setValues(app.add_option("--nan", flags.nan,
                           "what to do when a fetched number is NaN or "
                           "infinite: fail (default) or warn"),
            oneOf({"fail", "warn"}));
}

static void addOutputFlags(CLI::App &app, RunFlags &flags) {
  RunConfig &config = flags.config;
  app.option_defaults()->group("Files and output");
  app.add_option("--load", flags.load,
                 "start from what --save wrote: the model, the optimizers' "
                 "state, the rows of tables and the position in the data. In a "
                 "job give it to every process. What --save-delta wrote "
                 "follows what it changes: BASE,DELTA,..")
      ->type_name("DIR,..");
  app.add_option("--save", flags.save,
                 "write the model and all else that --load needs to DIR at the "
                 "end, also after Ctrl-C. In a job give it to trainer 0: "
                 "pservers write their parts to DIR too. On a pserver: "
                 "write its part to DIR instead")
      ->type_name("DIR");
  app.add_option("--save-base", flags.saveBase,
                 "like --save (both may be given), but of tables with an "
                 "accessor write only the rows that are worth serving")
      ->type_name("DIR");
  app.add_option("--save-delta", flags.saveDelta,
                 "like --save-base, but of those rows write only the ones that "
                 "changed since the last --save-base or --save-delta")
      ->type_name("DIR");
  setValues(
      app.add_option("--predictions", config.predictions,
                     "write what an evaluation fetches for each sample of "
                     "--eval-data, one row per sample, as .csv or .jsonl; "
                     "FILE holds the last evaluation"),
      predictionsFiles());
  app.add_option("--metrics", config.metrics,
                 "write one JSON object per step and evaluation")
      ->type_name("FILE");
  app.add_option("--trace", config.trace,
                 "write the times of all kernels and transfers in Chrome's "
                 "trace format")
      ->type_name("FILE");
  setValues(app.add_option("--log-every", config.logEvery,
                           "steps between progress lines (default 100)"),
            integers(1, unlimited));
  app.add_flag("--print-memory-plan", config.printMemoryPlan,
               "print how activations share memory; without --data do nothing "
               "else");
}

static void addMachineFlags(CLI::App &app, RunFlags &flags) {
  app.option_defaults()->group("Machine and network");
  setValues(app.add_option("--threads", flags.config.threads,
                           "threads that compute (default 0: one per core)"),
            integers(0, largestInt));
  app.add_flag("--deterministic", flags.config.deterministic,
               "compute the same bits in every run, whatever the number of "
               "threads");
  setValues(app.add_option("--connect-timeout", flags.connectTimeout,
                           "how long to wait for the other processes of a job "
                           "to start (default 300 s)"),
            durations());
  setValues(
      app.add_option("--peer-timeout", flags.peerTimeout,
                     "give up on a peer that is silent for this long "
                     "(default 30 s); the same in all processes of a job"),
      durations());
}

static void addRoleFlags(CLI::App &app, RunFlags &flags) {
  app.option_defaults()->group("Role");
  setValues(app.add_option("--role", flags.role,
                           "local (default): run a graph in this process; "
                           "trainer, pserver: run one process of a job; all: "
                           "run all roles of a job in this process"),
            oneOf({"local", "trainer", "pserver", "all"}));
  app.add_option("--endpoint", flags.config.endpoint,
                 "pserver: which one of the job, by its endpoint")
      ->type_name("HOST:PORT");
  setValues(app.add_option("--trainer-id", flags.config.trainerId,
                           "trainer: which one of the job, from 0"),
            integers(0, largestInt));
  app.add_option("--entry", flags.config.entry,
                 "run this function, which takes no arguments, and exit; its "
                 "checks decide the exit code")
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

/// Breaks `text` at blanks, so that its lines fit beside the options' names.
static std::string wrap(absl::string_view text) {
  constexpr size_t width = 80 - helpColumn;
  std::string wrapped;
  size_t used = 0;
  for (absl::string_view word : absl::StrSplit(text, ' ')) {
    if (used != 0) {
      const bool breaks = used + 1 + word.size() > width;
      wrapped += breaks ? '\n' : ' ';
      used = breaks ? 0 : used + 1;
    }
    absl::StrAppend(&wrapped, word);
    used += word.size();
  }
  return wrapped;
}

/// Fills the bound variables; an empty text, or the help or version.
static absl::StatusOr<std::string> parse(CLI::App &app,
                                         std::vector<std::string> arguments) {
  app.option_defaults()->group("Options");
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", "ps-run " PS_VERSION "\n",
                       "show the version");
  app.get_formatter()->column_width(helpColumn);
  for (CLI::Option *option :
       app.get_options([](CLI::Option *) { return true; }))
    option->description(wrap(option->get_description()));
  app.allow_extras(); // reported below, with a suggestion
  // CLI11 would take the next argument.
  for (absl::string_view argument : arguments)
    if (absl::StartsWith(argument, "--") && absl::ConsumeSuffix(&argument, "="))
      return usageError(
          absl::StrCat(argument, ": expected a value after '=', got nothing"));
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
  CLI::App app("Trains or evaluates a graph in this process, or runs one role "
               "of a job that\n"
               "ps-opt --ps-transpile made. `ps-run launch` runs a whole job "
               "on this machine,\n"
               "`ps-run compare` compares two saved models; each has its own "
               "--help. Examples\n"
               "are at the end of this text.",
               "ps-run");
  app.footer(absl::StrCat(dataKinds, runFooter));
  prepare(app);
  app.add_option("FILE", flags.config.file,
                 "a graph, or the programs of a job; - for stdin")
      ->type_name("")
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
                                     " yet: leave it out or use mode=sync"));
  }
  return absl::OkStatus();
}

static absl::StatusOr<Command> parseLaunch(std::vector<std::string> arguments) {
  LaunchConfig launch;
  RunFlags flags;
  CLI::App app("Runs a whole job on this machine: transpiles a training graph, "
               "starts one\n"
               "process per role and waits until all have ended.",
               "ps-run launch");
  app.footer(absl::StrCat(dataKinds, launchFooter));
  prepare(app);
  app.add_option("FILE", launch.file, "the training graph, for one machine")
      ->type_name("")
      ->required();
  app.option_defaults()->group("Job");
  setValues(app.add_option("--pservers", launch.pservers,
                           "parameter servers: processes that hold variables "
                           "and tables and update them (default 1)"),
            integers(1, largestInt));
  setValues(app.add_option("--trainers", launch.trainers,
                           "processes that compute gradients (default 1)"),
            integers(1, largestInt));
  app.add_option("--log-dir", launch.logDir,
                 "each launch creates a folder in DIR for its programs and "
                 "logs (default log)")
      ->type_name("DIR");
  app.add_option("--transpile", launch.transpile,
                 "further options of ps-opt --ps-transpile, such as "
                 "\"split-method=HashName wire=bf16\"")
      ->type_name("OPTIONS");
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
          absl::StrCat("--transpile: use --", option, "=N of launch instead"));
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
  CLI::App app("Compares the variables and tables of two saved models.",
               "ps-run compare");
  app.footer(compareFooter);
  prepare(app);
  app.add_option("A", compare.left,
                 "a folder that --save wrote, or a .safetensors file")
      ->type_name("")
      ->required();
  app.add_option("B", compare.right, "another one")->type_name("")->required();
  setValues(app.add_option("--tolerance", compare.tolerance,
                           "the largest relative difference allowed "
                           "(default 0)"),
            nonNegativeNumbers());
  setValues(app.add_option("--absolute", compare.absolute,
                           "the largest |a - b| allowed, whatever the relative "
                           "difference (default 0)"),
            nonNegativeNumbers());
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
