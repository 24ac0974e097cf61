//===- OptionsTest.cpp - the command line of ps-run -----------------------===//

#include "tools/ps-run/Options.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include <map>

using namespace ps;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

using Variables = std::map<std::string, std::string>;

absl::StatusOr<Command> parse(std::vector<std::string> arguments,
                              const Variables &variables = {}) {
  return parseCommand(std::move(arguments), [&](const char *name) {
    auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

RunConfig run(std::vector<std::string> arguments,
              const Variables &variables = {}) {
  absl::StatusOr<Command> command = parse(std::move(arguments), variables);
  EXPECT_TRUE(command.ok()) << command.status();
  return command.ok() ? std::get<RunConfig>(*command) : RunConfig();
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
              HasSubstr("'7' is neither fail nor skip=N"));
  EXPECT_THAT(error({"g.mlir", "--data-threads=0"}),
              HasSubstr("'0' is not a whole number from 1 to 1024"));
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

TEST(OptionsTest, Flags) {
  RunConfig config =
      run({"g.mlir", "--data=synthetic:digits#0-10", "--batch-size", "8",
           "--epochs=3", "--shuffle", "--nan=warn", "--connect-timeout=2",
           "--peer-timeout=500ms", "--role=trainer", "--trainer-id=1"});
  EXPECT_EQ(config.data, "synthetic:digits#0-10");
  EXPECT_EQ(config.batchSize, 8);
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
  EXPECT_THAT(error({"g.mlir", "--steps=0"}), HasSubstr("--steps"));
  EXPECT_THAT(error({"g.mlir", "--batch-size=x"}), HasSubstr("--batch-size"));
  EXPECT_THAT(error({"g.mlir", "--role=worker"}), HasSubstr("--role"));
  for (const char *time : {"soon", "0", "-1", "-0.5", "inf", "nan", "8.0.0"})
    EXPECT_THAT(error({"g.mlir", absl::StrCat("--peer-timeout=", time)}),
                HasSubstr(absl::StrCat("'", time, "' is not a time")));
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
    EXPECT_TRUE(std::holds_alternative<HelpText>(*command));
  }
}

TEST(OptionsTest, TrainerFromTheEnvironment) {
  RunConfig config =
      run({"g.mlir"}, {{"TRAINING_ROLE", "TRAINER"},
                       {"PADDLE_TRAINER_ID", "1"},
                       {"PADDLE_TRAINERS_NUM", "2"},
                       {"PADDLE_PSERVERS_IP_PORT_LIST", "a:1,b:2"}});
  EXPECT_EQ(config.role, RunRole::Trainer);
  EXPECT_EQ(config.trainerId, 1);
  EXPECT_EQ(config.expectedTrainers, 2);
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
  EXPECT_THAT(error({"g.mlir"}, {{"MS_ROLE", "MS_SCHED"}}),
              HasSubstr("there is no scheduler to run"));
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
}

TEST(OptionsTest, FilesOfProcesses) {
  EXPECT_EQ(fileOfProcess("m", "trainer", 0), "m");
  EXPECT_EQ(fileOfProcess("m", "trainer", 1), "m.trainer-1");
  EXPECT_EQ(fileOfProcess("m", "pserver", 0), "m.pserver-0");
  EXPECT_EQ(fileOfProcess("", "pserver", 0), "");
}

} // namespace
