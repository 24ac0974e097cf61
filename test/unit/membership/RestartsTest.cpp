// SPDX-License-Identifier: Apache-2.0
//===- RestartsTest.cpp ---------------------------------------------------===//

#include "runtime/membership/Restarts.h"
#include "gmock/gmock.h"

using namespace ps::runtime;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

JobFailure killed(const std::string &name) {
  return {.what = name + " was killed", .error = "", .isUsageError = false};
}

JobFailure failed(const std::string &error) {
  return {.what = "trainer 0 failed: " + error, .error = error};
}

std::string message(const absl::StatusOr<int> &result) {
  EXPECT_FALSE(result.ok());
  return std::string(result.status().message());
}

TEST(RestartsTest, NoneUnlessAllowed) {
  Restarts restarts(0, std::nullopt);
  EXPECT_EQ(message(restarts.next(killed("pserver 1"), std::nullopt)),
            "pserver 1 was killed");
}

TEST(RestartsTest, GivesUpWithTheFirstCause) {
  Restarts restarts(2, 10);
  EXPECT_EQ(*restarts.next(killed("pserver 0"), 10), 1);
  EXPECT_EQ(*restarts.next(killed("pserver 1"), 10), 2);
  std::string error = message(restarts.next(killed("trainer 1"), 10));
  EXPECT_THAT(error, StartsWith("pserver 0 was killed; after 2 restarts"));
  EXPECT_THAT(error, HasSubstr(": trainer 1 was killed"));
}

TEST(RestartsTest, ANewCheckpointResetsTheCount) {
  Restarts restarts(1, std::nullopt);
  EXPECT_EQ(*restarts.next(killed("pserver 0"), std::nullopt), 1);
  for (int64_t step = 10; step != 100; step += 10)
    EXPECT_EQ(*restarts.next(killed("pserver 1"), step), 1);
  EXPECT_THAT(message(restarts.next(killed("trainer 1"), 90)),
              StartsWith("pserver 1 was killed; after 1 restart without"));
}

TEST(RestartsTest, ARepeatedErrorIsFinal) {
  Restarts restarts(9, std::nullopt);
  EXPECT_EQ(*restarts.next(failed("loss is nan at step 7"), std::nullopt), 1);
  EXPECT_THAT(
      message(restarts.next(failed("loss is nan at step 7"), std::nullopt)),
      StartsWith("trainer 0 failed: loss is nan at step 7; after 1 restart"));
}

TEST(RestartsTest, ProcessesThatAreStartedAloneRepeatTheirOwnErrors) {
  Restarts restarts(9, std::nullopt);
  JobFailure one = failed("disk is full"), two = one, all = one;
  one.alone = "trainer 1";
  two.alone = "trainer 2";
  EXPECT_EQ(*restarts.next(one, std::nullopt), 1);
  EXPECT_EQ(*restarts.next(two, std::nullopt), 2);
  EXPECT_EQ(*restarts.next(all, std::nullopt), 3);
  EXPECT_EQ(*restarts.next(two, std::nullopt), 4);
  EXPECT_THAT(message(restarts.next(two, std::nullopt)),
              HasSubstr("; after 4 restarts"));
}

TEST(RestartsTest, AnErrorAfterACheckpointIsANewOne) {
  Restarts restarts(9, 10);
  EXPECT_EQ(*restarts.next(failed("loss is nan at step 27"), 20), 1);
  EXPECT_EQ(*restarts.next(failed("loss is nan at step 7"), 20), 2);
  EXPECT_EQ(*restarts.next(failed("loss is nan at step 7"), 25), 1);
  EXPECT_THAT(message(restarts.next(failed("loss is nan at step 7"), 25)),
              StartsWith("trainer 0 failed: loss is nan at step 7; after 1"));
}

/// What kills a process may do so any number of times.
TEST(RestartsTest, KilledProcessesHaveNoErrorToCompare) {
  Restarts restarts(3, 10);
  for (int number : {1, 2, 3})
    EXPECT_EQ(*restarts.next(killed("pserver 0"), 10), number);
}

TEST(RestartsTest, AUsageErrorIsFinal) {
  JobFailure failure = failed("--threads: expected an integer");
  failure.isUsageError = true;
  Restarts restarts(3, 10);
  EXPECT_EQ(message(restarts.next(failure, 10)), failure.what);
  EXPECT_EQ(*restarts.next(killed("pserver 0"), 20), 1);
  EXPECT_THAT(message(restarts.next(failure, 20)),
              StartsWith("pserver 0 was killed; after 1 restart without"));
}

} // namespace
