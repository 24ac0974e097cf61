// SPDX-License-Identifier: Apache-2.0
//===- LogReplicaTest.cpp - a copy of a log on another machine ------------===//

#include "runtime/server/log/LogReplica.h"
#include "absl/strings/match.h"
#include "runtime/links/InProcess.h"
#include "runtime/server/log/LogCopier.h"
#include "runtime/server/log/LoggedServer.h"
#include "test/unit/RuntimeTesting.h"
#include "gmock/gmock.h"
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

using namespace ps::runtime;
using Code = absl::StatusCode;

namespace {
/// A replica that can be away.
class Door final : public Service {
public:
  explicit Door(Service &service) : service(service) {}
  void call(const wire::Request &request, Pieces payload,
            Respond done) override {
    if (!isOpen)
      return done(linkFailure(Code::kUnavailable, "closed"));
    if (losesAnswer && !payload.empty()) {
      losesAnswer = false;
      service.call(request, payload, [](const absl::StatusOr<Response> &) {});
      return done(linkFailure(Code::kUnavailable, "lost"));
    }
    service.call(request, payload, std::move(done));
  }
  std::atomic<bool> isOpen{true};
  /// Of the next part.
  std::atomic<bool> losesAnswer{false};

private:
  Service &service;
};

class LogReplicaTest : public testing::Test {
protected:
  void TearDown() override { stop(); }

  std::string dir() const { return home / "log"; }
  std::string copy() const { return home / "copies/pserver_0"; }

  CallLog begin(uint64_t number, const std::string &job = "job") {
    return *CallLog::begin(dir(), number, {job, "pserver_0", {}, {}, {}});
  }
  absl::Status start(LogPosition end, absl::Duration patience) {
    absl::StatusOr<std::unique_ptr<LogCopier>> made =
        LogCopier::create({.dir = dir(),
                           .jobHash = "job",
                           .server = "pserver_0",
                           .endpoint = "replica:1",
                           .patience = patience,
                           .connectTimeout = absl::ZeroDuration(),
                           .log =
                               [this](const std::string &line) {
                                 MutexLock lock(mutex);
                                 lines += line + "\n";
                               }},
                          makeInProcessLink(door), end);
    if (!made.ok())
      return made.status();
    copier = *std::move(made);
    copier->start(*answers);
    answers->noteAppended(end);
    return absl::OkStatus();
  }
  void stop() {
    answers->close();
    copier.reset();
    answers.emplace();
  }
  void append(CallLog &log, size_t bytes) {
    const std::string text(bytes, char('a' + bytes % 26));
    const Piece payload = std::as_bytes(std::span(text));
    EXPECT_OK(log.append(requestFrom({1, 7}), {&payload, 1}));
    answers->noteAppended(log.end());
  }
  /// Whether the answer has come.
  bool answer() {
    auto given = std::make_shared<std::atomic<bool>>(false);
    answers->hold([given](const absl::StatusOr<Response> &response) {
      *given = response.ok();
    })(Response());
    answers->awaitNone();
    return *given;
  }
  static std::map<std::string, std::string> filesOf(const std::string &folder) {
    std::map<std::string, std::string> files;
    std::error_code none;
    for (const auto &entry :
         std::filesystem::directory_iterator(folder, none)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().filename()] = {std::istreambuf_iterator<char>(file),
                                        {}};
    }
    return files;
  }

  bool said(const std::string &text) {
    MutexLock lock(mutex);
    return absl::StrContains(lines, text);
  }

  const TemporaryDirectory home;
  Mutex mutex;
  std::string lines ABSL_GUARDED_BY(mutex);
  LogReplica replica{home / "copies", [](const std::string &) {}};
  Door door{replica};
  std::optional<HeldAnswers> answers{std::in_place};
  std::unique_ptr<LogCopier> copier;
};
} // namespace

TEST_F(LogReplicaTest, WhatIsAnsweredIsInTheCopy) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(absl::StrCat("seed ", seed));
  std::mt19937 random(seed);
  CallLog log = begin(1);
  ASSERT_OK(start(log.end(), absl::InfiniteDuration()));
  for (int i = 0; i < 60; ++i) {
    // Some are longer than a message.
    append(log, random() % (random() % 8 ? 1000 : 5000000));
    if (random() % 3 == 0) {
      EXPECT_TRUE(answer());
      EXPECT_EQ(filesOf(copy()), filesOf(dir()));
    }
    if (random() % 10 == 0) {
      log = begin(log.segment() + 1);
      answers->noteAppended(log.end());
      if (random() % 2)
        for (uint64_t old = 1; old < log.segment(); ++old)
          EXPECT_OK(removeSegment(dir(), old));
    }
    if (random() % 10 == 0) {
      stop();
      ASSERT_OK(start(log.end(), absl::InfiniteDuration()));
    }
  }
  EXPECT_TRUE(answer());
  // The segments that are gone go with the next part.
  append(log, 1);
  EXPECT_TRUE(answer());
  EXPECT_EQ(filesOf(copy()), filesOf(dir()));
}

TEST_F(LogReplicaTest, AReplicaThatIsAwayIsWaitedForAndCatchesUp) {
  CallLog log = begin(1);
  ASSERT_OK(start(log.end(), absl::Milliseconds(300)));
  EXPECT_TRUE(answer());
  door.isOpen = false;
  append(log, 100);
  EXPECT_TRUE(answer()); // After a while, without it.
  EXPECT_NE(filesOf(copy()), filesOf(dir()));
  log = begin(2);
  append(log, 100);
  EXPECT_TRUE(answer());
  // It has lost what it had.
  std::filesystem::remove_all(copy());
  door.isOpen = true;
  while (filesOf(copy()) != filesOf(dir()))
    absl::SleepFor(absl::Milliseconds(10));
  append(log, 100);
  EXPECT_TRUE(answer());
}

TEST_F(LogReplicaTest, AnAnswerThatIsLostHoldsNothingUp) {
  CallLog log = begin(1);
  ASSERT_OK(start(log.end(), absl::InfiniteDuration()));
  EXPECT_TRUE(answer());
  door.losesAnswer = true;
  append(log, 100);
  EXPECT_TRUE(answer());
  EXPECT_EQ(filesOf(copy()), filesOf(dir()));
}

/// Of another attempt, in another folder.
TEST_F(LogReplicaTest, ALongerCopyIsNoCopy) {
  CallLog log = begin(1);
  ASSERT_OK(start(log.end(), absl::Milliseconds(300)));
  EXPECT_TRUE(answer());
  {
    CallLog other =
        *CallLog::begin(copy(), 7, {"job", "pserver_0", {}, {}, {}});
  }
  const auto before = filesOf(copy());
  append(log, 100);
  EXPECT_TRUE(answer()); // Without the copy.
  EXPECT_TRUE(said("has another log of pserver_0"));
  EXPECT_FALSE(said("has the whole log again"));
  EXPECT_EQ(filesOf(copy()), before);
}

TEST_F(LogReplicaTest, ACopyInUseIsNotRemoved) {
  CallLog log = begin(1);
  ASSERT_OK(start(log.end(), absl::InfiniteDuration()));
  EXPECT_TRUE(answer());
  const auto before = filesOf(copy());
  CallLog used = *CallLog::reopen(copy(), 1, before.begin()->second.size());
  answers->close();
  copier->discard();
  copier.reset();
  EXPECT_TRUE(said("is in use: a pserver goes on from it"));
  EXPECT_EQ(filesOf(copy()), before);
}

TEST_F(LogReplicaTest, ACopyWithOtherCallsIsRefused) {
  LogPosition before;
  {
    CallLog log = begin(1);
    append(log, 100);
    before = log.end();
    append(log, 100);
    ASSERT_OK(start(log.end(), absl::InfiniteDuration()));
    EXPECT_TRUE(answer());
    stop();
  }
  // The log lacks the last call, as that of a machine that was lost may.
  EXPECT_TRUE(failsWith(start(before, absl::InfiniteDuration()),
                        Code::kFailedPrecondition,
                        "has calls that the log in '"));
  {
    // It has another one.
    CallLog log = *CallLog::reopen(dir(), 1, before.bytes);
    append(log, 500);
    EXPECT_TRUE(failsWith(start(log.end(), absl::InfiniteDuration()),
                          Code::kFailedPrecondition,
                          "has calls that the log in '"));
  }
  std::filesystem::remove_all(dir());
  CallLog other = begin(1, "another");
  std::filesystem::remove_all(copy());
  std::filesystem::create_directories(copy());
  std::filesystem::copy(segmentPath(dir(), 1), segmentPath(copy(), 1));
  EXPECT_TRUE(failsWith(start(other.end(), absl::InfiniteDuration()),
                        Code::kFailedPrecondition,
                        "has the log of job 'another': expected job 'job'"));
}

TEST_F(LogReplicaTest, ACopyInUseIsLeftAlone) {
  CallLog log = begin(1);
  ASSERT_OK(start(log.end(), absl::Milliseconds(300)));
  EXPECT_TRUE(answer());
  const auto before = filesOf(copy());
  // A pserver goes on from it.
  CallLog used = *CallLog::reopen(copy(), 1, before.begin()->second.size());
  append(log, 100);
  EXPECT_TRUE(answer()); // Without the copy.
  EXPECT_EQ(filesOf(copy()), before);
}

TEST_F(LogReplicaTest, ACopyThatEndsInTheStartOfASegmentIsRecoveredFrom) {
  CallLog log = begin(1);
  append(log, 100);
  begin(2);
  std::filesystem::resize_file(segmentPath(dir(), 2), 40);
  absl::StatusOr<std::optional<LoggedStart>> start =
      findLoggedStart(dir(), "job", "pserver_0");
  ASSERT_OK(start.status());
  EXPECT_EQ((*start)->first, 1u);
  EXPECT_EQ((*start)->last, 1u);
}

TEST_F(LogReplicaTest, ACopyIsRemovedWithTheLog) {
  CallLog log = begin(1);
  ASSERT_OK(start(log.end(), absl::InfiniteDuration()));
  EXPECT_TRUE(answer());
  EXPECT_TRUE(std::filesystem::exists(copy()));
  answers->close();
  copier->discard();
  copier.reset();
  EXPECT_FALSE(std::filesystem::exists(copy()));
}

TEST_F(LogReplicaTest, OtherCallsAndNamesAreRefused) {
  auto call = [&](const wire::Request &request) {
    absl::Status status;
    replica.call(request, {}, [&](const absl::StatusOr<Response> &response) {
      status = response.status();
    });
    return status;
  };
  wire::Request request = requestFrom({1, 7});
  request.mutable_hello();
  EXPECT_TRUE(failsWith(call(request), Code::kFailedPrecondition,
                        "this is a log replica"));
  EXPECT_TRUE(isNotAPServer(call(request)));
  for (const char *name : {"", "..", "a/b", ".hidden"}) {
    request.mutable_replicate()->set_server(name);
    EXPECT_TRUE(failsWith(call(request), Code::kInvalidArgument,
                          "expected the name of a pserver"));
  }
}
