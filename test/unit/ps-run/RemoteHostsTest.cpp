// SPDX-License-Identifier: Apache-2.0
//===- RemoteHostsTest.cpp - the machines of a job ------------------------===//

#include "tools/ps-run/launch/RemoteHosts.h"
#include "absl/strings/str_cat.h"
#include "test/unit/TemporaryDirectory.h"
#include "tools/ps-run/config/UsageError.h"
#include "gmock/gmock.h"
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace ps;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
std::string error(absl::string_view text) {
  absl::StatusOr<HostPlan> plan = parseHosts(text, "hosts", 2, 3);
  EXPECT_FALSE(plan.ok());
  EXPECT_TRUE(isUsageError(plan.status()));
  return std::string(plan.status().message());
}

TEST(RemoteHostsTest, ProcessesAreAssignedInTurn) {
  HostPlan plan = *parseHosts("a  # the first\n\nb\n", "hosts", 2, 3);
  EXPECT_THAT(plan.pservers, ElementsAre("a", "b"));
  EXPECT_THAT(plan.trainers, ElementsAre("a", "b", "a"));
  plan = *parseHosts("a slots=2\nb", "hosts", 2, 3);
  EXPECT_THAT(plan.pservers, ElementsAre("a", "a"));
  EXPECT_THAT(plan.trainers, ElementsAre("a", "a", "b"));
}

TEST(RemoteHostsTest, CountsOfRoles) {
  HostPlan plan = *parseHosts("a pservers=2\nb trainers=3", "hosts", 2, 3);
  EXPECT_THAT(plan.pservers, ElementsAre("a", "a"));
  EXPECT_THAT(plan.trainers, ElementsAre("b", "b", "b"));
}

TEST(RemoteHostsTest, Errors) {
  EXPECT_THAT(error("# none\n"), HasSubstr("names no machine"));
  EXPECT_THAT(error("a\nb cpus=2"),
              HasSubstr("hosts:2: expected slots=N, pservers=N or trainers=N, "
                        "found 'cpus=2'"));
  EXPECT_THAT(error("a slots=0"), HasSubstr("found 'slots=0'"));
  EXPECT_THAT(error("a slots=1 trainers=1"), HasSubstr("either slots or"));
  EXPECT_THAT(error("a\nb trainers=1"), HasSubstr("in all lines or in none"));
  EXPECT_THAT(error("a pservers=2 trainers=4"),
              HasSubstr("2 pservers and 4 trainers, the job 2 and 3"));
  EXPECT_THAT(error("-oProxyCommand=x"), HasSubstr("not the name of"));
}

/// What a login shell prints that gets `text`, while its standard input is
/// open.
std::string outputOf(const std::string &text) {
  int input[2];
  EXPECT_EQ(pipe(input), 0);
  fcntl(input[1], F_SETFD, FD_CLOEXEC);
  FILE *shell = popen(
      absl::StrCat("exec 0<&", input[0], " ", input[0], "<&-; ", text).c_str(),
      "re");
  close(input[0]);
  std::string output;
  for (int c; (c = getc(shell)) != EOF;)
    output += static_cast<char>(c);
  EXPECT_EQ(pclose(shell), 0);
  close(input[1]);
  return output;
}

TEST(RemoteHostsTest, WordsSurviveTheOtherShells) {
  const runtime::TemporaryDirectory directory;
  const std::string made = directory / "it's \\ a folder";
  std::filesystem::create_directories(made);
  const std::string folder = std::filesystem::canonical(made);
  const std::vector<std::string> command =
      remoteCommand({.ssh = "ssh -p 22",
                     .host = "a",
                     .folder = folder,
                     .program = "/bin/sh",
                     .script = "/dev/null",
                     .environment = {"A=b 'c'\nd"},
                     .arguments = {"-c", "printf '%s|' \"$PWD\" \"$A\" \"$@\"",
                                   "sh", "--data=$(x)", "it's", "", " a  b ",
                                   "\n", "\\'\\\\", "*"}});
  EXPECT_THAT(std::vector(command.begin(), command.end() - 1),
              ElementsAre("/usr/bin/env", "ssh", "-p", "22", "a"));
  EXPECT_EQ(outputOf(command.back()),
            folder + "|b 'c'\nd|--data=$(x)|it's|| a  b |\n|\\'\\\\|*|");
}
} // namespace
