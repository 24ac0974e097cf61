// SPDX-License-Identifier: Apache-2.0
//===- OptionsTest.cpp - the command line of ps-run -----------------------===//

#include "tools/ps-run/cli/Options.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/executor/Executor.h"
#include "tools/ps-run/config/UsageError.h"
#include "gmock/gmock.h"
#include <cstdio>
#include <fstream>
#include <map>
#include <unistd.h>

using namespace ps;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

using Variables = std::map<std::string, std::string>;

absl::StatusOr<Command> parse(std::vector<std::string> arguments,
                              const Variables &variables = {}) {
  return parseCommand(std::move(arguments),
                      [&](const char *name) {
                        auto found = variables.find(name);
                        return found == variables.end() ? nullptr
                                                        : found->second.c_str();
                      },
                      {"mode", "dc", "seeds"});
}

RunConfig run(std::vector<std::string> arguments,
              const Variables &variables = {}) {
  absl::StatusOr<Command> command = parse(std::move(arguments), variables);
  EXPECT_TRUE(command.ok()) << command.status();
  return command.ok() ? std::get<RunConfig>(*command) : RunConfig();
}

LaunchConfig launch(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "launch");
  absl::StatusOr<Command> command = parse(std::move(arguments));
  EXPECT_TRUE(command.ok()) << command.status();
  return command.ok() ? std::get<LaunchConfig>(*command) : LaunchConfig();
}

std::string error(std::vector<std::string> arguments,
                  const Variables &variables = {}) {
  absl::StatusOr<Command> command = parse(std::move(arguments), variables);
  EXPECT_FALSE(command.ok());
  EXPECT_TRUE(isUsageError(command.status()));
  return std::string(command.status().message());
}

TEST(OptionsTest, Defaults) {
  RunConfig config = run({"g.mlir"});
  EXPECT_EQ(config.file, "g.mlir");
  EXPECT_FALSE(config.role);
  EXPECT_FALSE(config.steps || config.epochs || config.batchSize);
  EXPECT_FALSE(config.shuffle || config.deterministic);
  EXPECT_TRUE(config.failOnNan);
  EXPECT_EQ(config.connectTimeout, absl::Seconds(300));
  EXPECT_EQ(config.peerTimeout, absl::Seconds(30));
}

TEST(OptionsTest, DataFlags) {
  RunConfig config = run({"g.mlir"});
  EXPECT_EQ(config.dataThreads, 2);
  EXPECT_EQ(config.badLines, 0);
  EXPECT_EQ(config.shuffleWindow, 65536);
  EXPECT_FALSE(config.streamData || config.padRemainder || config.splitFiles);
  config =
      run({"g.mlir", "--pipe-command=cat", "--data-threads=3",
           "--bad-lines=skip=7", "--data-mode=stream", "--shuffle-window=100",
           "--remainder=pad", "--data-split=files"});
  EXPECT_EQ(config.pipeCommand, "cat");
  EXPECT_EQ(config.dataThreads, 3);
  EXPECT_EQ(config.badLines, 7);
  EXPECT_EQ(config.shuffleWindow, 100);
  EXPECT_TRUE(config.streamData && config.padRemainder && config.splitFiles);
  EXPECT_THAT(error({"g.mlir", "--bad-lines=7"}),
              HasSubstr("expected fail or skip=N, got '7'"));
  EXPECT_THAT(error({"g.mlir", "--data-threads=0"}),
              HasSubstr("expected an integer from 1 to 1024, got '0'"));
}

TEST(OptionsTest, Folders) {
  RunConfig config =
      run({"g.mlir", "--save=all", "--save-base=some", "--load=base,delta"});
  EXPECT_THAT(config.load, ElementsAre("base", "delta"));
  // What is saved of all knows what was saved of some.
  ASSERT_EQ(config.saves.size(), 2u);
  EXPECT_EQ(config.saves[0].dir, "some");
  EXPECT_EQ(config.saves[0].rows, runtime::RowSelection::Base);
  EXPECT_EQ(config.saves[1].dir, "all");
  EXPECT_EQ(config.saves[1].rows, runtime::RowSelection::All);
  config = run({"g.mlir", "--save-delta=d"});
  ASSERT_EQ(config.saves.size(), 1u);
  EXPECT_EQ(config.saves[0].rows, runtime::RowSelection::Delta);
  EXPECT_THAT(error({"g.mlir", "--load=a,,b"}),
              HasSubstr("'a,,b' names a folder without a name"));
  EXPECT_THAT(error({"g.mlir", "--save-base=a", "--save-delta=b"}),
              HasSubstr("expected one of them"));
  EXPECT_THAT(error({"launch", "g.mlir", "--save=a", "--save-delta=a"}),
              HasSubstr("'a' gets another part of the rows: expected a folder "
                        "for each"));
}

TEST(OptionsTest, Restarts) {
  EXPECT_EQ(launch({"g.mlir"}).maxRestarts, 0);
  LaunchConfig config = launch(
      {"g.mlir", "--max-restarts=3", "--checkpoint=c", "--load=a", "--save=b"});
  EXPECT_EQ(config.maxRestarts, 3);
  // For launch alone; its processes get the rest.
  EXPECT_THAT(config.forwarded, Not(Contains(HasSubstr("max-restarts"))));
  EXPECT_THAT(config.forwarded, Contains("--checkpoint=c"));
  EXPECT_THAT(error({"launch", "g.mlir", "--max-restarts=1"}),
              HasSubstr("--max-restarts: expected --checkpoint=DIR"));
  EXPECT_THAT(error({"launch", "g.mlir", "--max-restarts=1", "--checkpoint=c",
                     "--load=a,./b", "--save=b/"}),
              HasSubstr("'b/' is loaded, which a restarted job may need"));
  EXPECT_THAT(error({"g.mlir", "--max-restarts=1"}),
              HasSubstr("--max-restarts is for launch and"));
}

TEST(OptionsTest, Flags) {
  RunConfig config =
      run({"g.mlir", "--data=synthetic:digits#0-10", "--batch-size", "8",
           "--epochs=3", "--shuffle", "--nan=warn", "--connect-timeout=2",
           "--peer-timeout=500ms", "--role=trainer", "--trainer-id=1"});
  EXPECT_EQ(config.data, "synthetic:digits#0-10");
  EXPECT_EQ(config.batchSize, 8);
  EXPECT_EQ(config.workers, 1);
  EXPECT_EQ(config.epochs, 3);
  EXPECT_TRUE(config.shuffle);
  EXPECT_FALSE(config.failOnNan);
  EXPECT_EQ(config.connectTimeout, absl::Seconds(2));
  EXPECT_EQ(config.peerTimeout, absl::Milliseconds(500));
  EXPECT_EQ(config.role, RunRole::Trainer);
  EXPECT_EQ(config.trainerId, 1);
}

TEST(OptionsTest, UnknownFlagsGetASuggestion) {
  EXPECT_EQ(error({"g.mlir", "--stps=3"}),
            "unknown flag '--stps', did you mean --steps?");
  EXPECT_EQ(error({"g.mlir", "--frobnicate"}),
            "unknown flag '--frobnicate', see --help");
  EXPECT_EQ(error({"g.mlir", "h.mlir"}), "unexpected argument 'h.mlir'");
}

TEST(OptionsTest, BadValues) {
  EXPECT_THAT(error({}), HasSubstr("FILE is required"));
  for (const char *number :
       {"0", "-1", "x", "1.5", "010", "0x10", "1e3", "99999999999999999999"})
    EXPECT_EQ(error({"g.mlir", absl::StrCat("--batch-size=", number)}),
              absl::StrCat("--batch-size: expected a positive integer, got '",
                           number, "'"));
  EXPECT_EQ(error({"g.mlir", "--seed=-1"}),
            "--seed: expected a non-negative integer, got '-1'");
  EXPECT_EQ(error({"launch", "g.mlir", "--trainers=99999999999"}),
            "--trainers: expected an integer from 1 to 10000, got "
            "'99999999999'");
  EXPECT_EQ(error({"g.mlir", "--role=worker"}),
            "--role: expected local, trainer, pserver, scheduler or all, got "
            "'worker'");
  EXPECT_EQ(error({"g.mlir", "--nan=ignore"}),
            "--nan: expected fail or warn, got 'ignore'");
  for (const char *time : {"soon", "0", "-1", "-0.5", "inf", "nan", "8.0.0"})
    EXPECT_THAT(
        error({"g.mlir", absl::StrCat("--peer-timeout=", time)}),
        HasSubstr(absl::StrCat("expected a time such as 30, 0.5 or 500ms, "
                               "got '",
                               time, "'")));
}

TEST(OptionsTest, TimesAreSecondsUnlessTheySayOtherwise) {
  for (auto [text, time] : {std::pair("8.0", absl::Seconds(8)),
                            {"8", absl::Seconds(8)},
                            {"0.5", absl::Milliseconds(500)},
                            {"500ms", absl::Milliseconds(500)},
                            {"2m", absl::Minutes(2)}})
    EXPECT_EQ(
        run({"g.mlir", absl::StrCat("--peer-timeout=", text)}).peerTimeout,
        time)
        << text;
}

TEST(OptionsTest, Help) {
  for (std::vector<std::string> arguments : {std::vector<std::string>{"--help"},
                                             {"launch", "--help"},
                                             {"compare", "-h"}}) {
    absl::StatusOr<Command> command = parse(arguments);
    ASSERT_TRUE(command.ok());
    ASSERT_TRUE(std::holds_alternative<HelpText>(*command));
    for (absl::string_view line :
         absl::StrSplit(std::get<HelpText>(*command).text, '\n'))
      EXPECT_LE(line.size(), 80u) << line;
  }
}

/// Descriptions as --help shows them, by flag, in one line each.
std::map<std::string, std::string> descriptions(const std::string &command) {
  absl::StatusOr<Command> parsed = parse({command, "--help"});
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  std::map<std::string, std::string> result;
  std::string flag;
  for (absl::string_view line :
       absl::StrSplit(std::get<HelpText>(*parsed).text, '\n')) {
    if (absl::ConsumePrefix(&line, "  --"))
      flag = std::string(line.substr(0, line.find(' ')));
    else if (!absl::StartsWith(line, "      "))
      flag.clear();
    if (!flag.empty())
      absl::StrAppend(&result[flag], " ", absl::StripAsciiWhitespace(line));
  }
  return result;
}

TEST(OptionsTest, HelpShowsDefaults) {
  std::map<std::string, std::string> launch = descriptions("launch");
  for (auto [flag, value] :
       {std::pair("pservers", "(default 1)"),
        {"trainers", "(default 1)"},
        {"log-dir", "(default log)"},
        {"data-threads", "(default 2)"},
        {"bad-lines", "fail (default)"},
        {"epochs", "(default 1,"},
        {"batch-size", "(default: what the graph fixes, or 64)"},
        {"data-mode", "memory (default)"},
        {"data-split", "samples (default)"},
        {"shuffle-window", "(default 65536)"},
        {"seed", "(default 0)"},
        {"remainder", "drop them (default)"},
        {"nan", "fail (default)"},
        {"log-every", "(default: after 100 steps, and after 30s"},
        {"threads", "(default 0;"},
        {"connect-timeout", "(default 300 s)"},
        {"peer-timeout", "(default 30 s)"}})
    EXPECT_THAT(launch[flag], HasSubstr(value)) << flag;
  std::map<std::string, std::string> compare = descriptions("compare");
  for (const char *flag : {"tolerance", "absolute"})
    EXPECT_THAT(compare[flag], HasSubstr("(default 0)")) << flag;
}

TEST(OptionsTest, TrainerFromTheEnvironment) {
  RunConfig config =
      run({"g.mlir"}, {{"TRAINING_ROLE", "TRAINER"},
                       {"PADDLE_TRAINER_ID", "1"},
                       {"PADDLE_TRAINERS_NUM", "2"},
                       {"PADDLE_PSERVERS_IP_PORT_LIST", "a:1,b:2"},
                       {"LOCAL_RANK", "3"}});
  EXPECT_EQ(config.role, RunRole::Trainer);
  EXPECT_EQ(config.trainerId, 1);
  EXPECT_EQ(config.expectedTrainers, 2);
  EXPECT_EQ(config.localRank, 3);
  EXPECT_THAT(*config.expectedPServers, ElementsAre("a:1", "b:2"));
}

TEST(OptionsTest, PServerFromTheEnvironment) {
  RunConfig config = run({"g.mlir"}, {{"TRAINING_ROLE", "PSERVER"},
                                      {"POD_IP", "10.0.0.1"},
                                      {"PADDLE_PORT", "6174"}});
  EXPECT_EQ(config.role, RunRole::PServer);
  EXPECT_EQ(config.endpoint, "10.0.0.1:6174");
}

TEST(OptionsTest, MindSporeNames) {
  RunConfig config =
      run({"g.mlir", "--trainer-id=0"}, {{"MS_ROLE", "MS_WORKER"},
                                         {"MS_WORKER_NUM", "3"},
                                         {"MS_SERVER_NUM", "2"}});
  EXPECT_EQ(config.role, RunRole::Trainer);
  EXPECT_EQ(config.expectedTrainers, 3);
  EXPECT_EQ(config.expectedPServerCount, 2);
}

TEST(OptionsTest, SchedulerOfTheEnvironment) {
  const Variables variables = {{"MS_ROLE", "MS_SCHED"},
                               {"MS_SERVER_NUM", "1"},
                               {"MS_WORKER_NUM", "2"},
                               {"MS_SCHED_HOST", "127.0.0.1"},
                               {"MS_SCHED_PORT", "6667"}};
  auto scheduler = [&](std::vector<std::string> arguments) {
    absl::StatusOr<Command> command = parse(std::move(arguments), variables);
    EXPECT_TRUE(command.ok()) << command.status();
    return command.ok() ? std::get<SchedulerConfig>(*command)
                        : SchedulerConfig();
  };
  EXPECT_EQ(scheduler({}).listen, "127.0.0.1:6667");
  // All roles may have the same arguments.
  SchedulerConfig config =
      scheduler({"g.mlir", "--data", "csv:x", "--steps=3", "--shuffle",
                 "--max-restarts=2", "--save=m", "--peer-timeout=7"});
  EXPECT_EQ(config.pservers, 1);
  EXPECT_EQ(config.trainers, 2);
  EXPECT_EQ(config.maxRestarts, 2);
  EXPECT_EQ(config.peerTimeout, absl::Seconds(7));
  EXPECT_THAT(error({"g.mlir", "--frob"}, variables),
              HasSubstr("unknown flag '--frob'"));
  EXPECT_THAT(error({"--role=scheduler", "g.mlir"}, variables),
              HasSubstr("unexpected argument 'g.mlir'"));
  // Other commands are what they are without it.
  EXPECT_TRUE(std::holds_alternative<StatusConfig>(
      *parse({"status", "a:1"}, variables)));
  EXPECT_TRUE(std::holds_alternative<CompareConfig>(
      *parse({"compare", "a", "b"}, variables)));
  EXPECT_THAT(std::get<HelpText>(*parse({"--help"}, variables)).text,
              HasSubstr("--pserver-endpoints"));
  EXPECT_EQ(run({"g.mlir", "--role=trainer"}, variables).role,
            RunRole::Trainer);
  EXPECT_THAT(error({"launch", "g.mlir", "--role=scheduler"}, variables),
              HasSubstr("unknown flag '--role'"));
}

/// A file that is removed with it.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &text)
      : path(testing::TempDir() + "options-" + std::to_string(getpid()) +
             ".toml") {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string flag() const { return "--config=" + path; }

  const std::string path;
};

TEST(OptionsTest, RoleOfAFile) {
  const Variables variables = {{"MS_ROLE", "MS_SCHED"},
                               {"MS_SERVER_NUM", "1"},
                               {"MS_WORKER_NUM", "2"},
                               {"MS_SCHED_HOST", "127.0.0.1"},
                               {"MS_SCHED_PORT", "6667"}};
  {
    const TemporaryFile file("role = \"scheduler\"\npservers = 1\n"
                             "trainers = 3\nlisten = \"127.0.0.1:0\"\n");
    const auto command = parse({file.flag(), "--trainers=2"});
    ASSERT_TRUE(command.ok()) << command.status();
    ASSERT_TRUE(std::holds_alternative<SchedulerConfig>(*command));
    EXPECT_EQ(std::get<SchedulerConfig>(*command).pservers, 1);
    EXPECT_EQ(std::get<SchedulerConfig>(*command).trainers, 2);
    EXPECT_THAT(std::get<HelpText>(*parse({file.flag(), "--help"})).text,
                HasSubstr("--scheduler-state"));
    EXPECT_THAT(error({"launch", "g.mlir", file.flag()}),
                HasSubstr(file.path + ":1: unknown key 'role'"));
  }
  {
    const TemporaryFile file("role = \"trainer\"\n");
    EXPECT_EQ(run({"g.mlir", file.flag()}, variables).role, RunRole::Trainer);
    EXPECT_EQ(run({"g.mlir", file.flag(), "--role=all"}).role, RunRole::All);
  }
  // A scheduler of the environment may have the file of the others.
  const TemporaryFile file("set = [\"a=1\", \"b=2\"]\nsteps = 3\n");
  EXPECT_TRUE(std::holds_alternative<SchedulerConfig>(
      *parse({"g.mlir", file.flag()}, variables)));
  EXPECT_THAT(error({"--role=scheduler", file.flag()}, variables),
              HasSubstr(":1: unknown key 'set'"));
}

TEST(OptionsTest, SetTakesOneValue) {
  const RunConfig config =
      run({"--set=a=1", "--set", "b=2", "g.mlir", "--set=c=3"});
  EXPECT_EQ(config.file, "g.mlir");
  EXPECT_THAT(config.settings, ElementsAre("a=1", "b=2", "c=3"));
}

TEST(OptionsTest, FlagsWinOverTheEnvironment) {
  RunConfig config = run(
      {"g.mlir", "--role=pserver", "--endpoint=h:1"},
      {{"TRAINING_ROLE", "TRAINER"}, {"POD_IP", "x"}, {"PADDLE_PORT", "2"}});
  EXPECT_EQ(config.role, RunRole::PServer);
  EXPECT_EQ(config.endpoint, "h:1");
  EXPECT_EQ(
      run({"g.mlir", "--role=local"}, {{"TRAINING_ROLE", "TRAINER"}}).role,
      RunRole::Local);
}

TEST(OptionsTest, BadEnvironment) {
  EXPECT_EQ(error({"g.mlir"}, {{"TRAINING_ROLE", "WORKER"}}),
            "TRAINING_ROLE='WORKER' is none of TRAINER and PSERVER");
  EXPECT_EQ(error({"g.mlir"},
                  {{"TRAINING_ROLE", "TRAINER"}, {"PADDLE_TRAINER_ID", "one"}}),
            "PADDLE_TRAINER_ID='one' is not a number");
}

TEST(OptionsTest, LaunchForwardsWhatItDoesNotUse) {
  absl::StatusOr<Command> command =
      parse({"launch", "--pservers=2", "--trainers", "3", "g.mlir",
             "--data=csv:a b", "--batch-size", "4", "--shuffle",
             "--metrics=m.json", "--transpile=split-method=HashName"});
  ASSERT_TRUE(command.ok()) << command.status();
  const LaunchConfig &launch = std::get<LaunchConfig>(*command);
  EXPECT_EQ(launch.pservers, 2);
  EXPECT_EQ(launch.trainers, 3);
  EXPECT_EQ(launch.file, "g.mlir");
  EXPECT_EQ(launch.run.metrics, "m.json");
  EXPECT_EQ(launch.transpile, "split-method=HashName");
  EXPECT_THAT(launch.forwarded, ElementsAre("--data=csv:a b", "--batch-size=4",
                                            "--shuffle=true"));
}

TEST(OptionsTest, ThreadsOfALaunch) {
  const int cores = runtime::Executor::defaultThreads();
  auto threads = [](std::vector<std::string> flags, bool isTrainer) {
    flags.insert(flags.begin(), {"launch", "g.mlir"});
    absl::StatusOr<Command> command = parse(std::move(flags));
    EXPECT_TRUE(command.ok()) << command.status();
    const auto &launch = std::get<LaunchConfig>(*command);
    EXPECT_THAT(launch.forwarded, ElementsAre());
    return threadsOfProcess(launch, isTrainer);
  };
  EXPECT_EQ(threads({}, true), cores);
  EXPECT_EQ(threads({"--trainers=10000"}, true), 1);
  EXPECT_EQ(threads({"--trainers=10000"}, false), cores);
  EXPECT_EQ(threads({"--pservers=10000"}, false), 1);
  // Given, 0 is one per core for each process.
  EXPECT_EQ(threads({"--trainers=2", "--threads=0"}, true), 0);
  EXPECT_EQ(threads({"--trainers=2", "--threads=3"}, true), 3);
}

TEST(OptionsTest, LaunchShowsHowToTranspile) {
  EXPECT_EQ(error({"launch", "g.mlir", "--mode=async"}),
            "unknown flag '--mode', use --transpile=mode=async");
  EXPECT_EQ(error({"launch", "g.mlir", "--mode", "async"}),
            "unknown flag '--mode', use --transpile=mode=..");
  // With the others, and with what it has got already.
  EXPECT_EQ(error({"launch", "--dc=0.1", "--transpile=wire=bf16", "g.mlir",
                   "more", "--mode=async"}),
            "unknown flag '--dc', use "
            "--transpile=\"wire=bf16 dc=0.1 mode=async\"");
  EXPECT_EQ(error({"launch", "g.mlir", "--frobnicate", "--dc=0.1"}),
            "unknown flag '--frobnicate', see --help");
  // Rather than a flag that is spelled nearly so.
  EXPECT_EQ(error({"launch", "g.mlir", "--seeds=1"}),
            "unknown flag '--seeds', use --transpile=seeds=1");
  // Where nothing is transpiled.
  EXPECT_EQ(error({"g.mlir", "--dc=0.1"}), "unknown flag '--dc', see --help");
}

TEST(OptionsTest, LaunchRefusesRoles) {
  EXPECT_THAT(error({"launch", "g.mlir", "--role=trainer"}),
              HasSubstr("unknown flag '--role'"));
}

TEST(OptionsTest, Compare) {
  absl::StatusOr<Command> command =
      parse({"compare", "a", "b", "--tolerance=1e-5", "--absolute=2"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(std::get<CompareConfig>(*command).tolerance, 1e-5);
  EXPECT_EQ(std::get<CompareConfig>(*command).absolute, 2);
  // Nothing would differ by more than NaN or infinity.
  for (const char *number : {"abc", "-1", "nan", "inf", "1e999"})
    EXPECT_EQ(
        error({"compare", "a", "b", absl::StrCat("--tolerance=", number)}),
        absl::StrCat("--tolerance: expected a non-negative number, got '",
                     number, "'"));
}

TEST(OptionsTest, Verify) {
  absl::StatusOr<Command> command = parse({"verify", "a", "b"});
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(std::get<VerifyConfig>(*command).dirs,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_THAT(error({"verify"}), HasSubstr("DIR"));
}

TEST(OptionsTest, FilesOfProcesses) {
  EXPECT_EQ(fileOfProcess("m", "trainer", 0), "m");
  EXPECT_EQ(fileOfProcess("m", "trainer", 1), "m.trainer-1");
  EXPECT_EQ(fileOfProcess("m", "pserver", 0), "m.pserver-0");
  EXPECT_EQ(fileOfProcess("", "pserver", 0), "");
}

} // namespace
