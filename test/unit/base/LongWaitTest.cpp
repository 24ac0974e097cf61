// SPDX-License-Identifier: Apache-2.0
//===- LongWaitTest.cpp - which waits are logged, and as what -------------===//

#include "runtime/base/LongWait.h"
#include "runtime/base/Event.h"
#include "runtime/base/Join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <atomic>
#include <functional>
#include <thread>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

/// Every wait by it ends a second later. Thread-safe.
class SteppingClock final : public Clock {
public:
  TimePoint now() const override { return TimePoint(elapsed.load()); }
  void waitUntil(CondVar &, MutexLock &lock,
                 TimePoint) const override ABSL_NO_THREAD_SAFETY_ANALYSIS {
    advance(absl::Seconds(1));
    lock.unlock();
    if (now() >= end)
      atEnd();
    lock.lock();
  }
  void advance(absl::Duration duration) const {
    elapsed = elapsed.load() + clockDuration(duration);
  }
  /// `action` is called in all waits from so many seconds from now on.
  void after(int seconds, std::function<void()> action) {
    end = now() + std::chrono::seconds(seconds);
    atEnd = std::move(action);
  }

private:
  mutable std::atomic<Duration> elapsed{std::chrono::hours(1)};
  TimePoint end;
  std::function<void()> atEnd;
};

class LongWaitTest : public testing::Test {
protected:
  /// A reason whose text is `purpose` at that moment.
  WaitReason::Options reason() {
    return {.describe =
                [this] {
                  ++looks;
                  return purpose;
                },
            .log = log,
            .clock = &clock};
  }
  /// Waits for an event that happens so many seconds later.
  void wait(int seconds) {
    Event event;
    clock.after(seconds, [&] { event.notify(); });
    event.wait();
  }

  SteppingClock clock;
  std::vector<std::string> lines;
  const Log log = [this](const std::string &line) { lines.push_back(line); };
  std::string purpose = "trainer 1";
  std::atomic<int> looks = 0;
};

TEST_F(LongWaitTest, IsLoggedOnce) {
  auto wait = [&](absl::Duration length) {
    LongWait wait(log, clock);
    for (int i = 0; i != 10; ++i) {
      clock.advance(length / 10);
      if (wait.isDue())
        wait.name("trainer 1");
    }
  };
  wait(absl::Milliseconds(4990));
  EXPECT_THAT(lines, IsEmpty());
  wait(absl::Seconds(10));
  EXPECT_THAT(lines, ElementsAre("waiting for trainer 1, for 5s so far",
                                 "no longer waiting for trainer 1, after 10s"));
}

TEST_F(LongWaitTest, AThreadThatSleepsNamesItsReasonOnce) {
  const WaitReason why(reason());
  wait(4);
  EXPECT_THAT(lines, IsEmpty());
  wait(9);
  EXPECT_THAT(lines, ElementsAre("waiting for trainer 1, for 5s so far",
                                 "no longer waiting for trainer 1, after 9s"));
  EXPECT_EQ(looks, 1);
}

/// Also where other threads have one.
TEST_F(LongWaitTest, AThreadWithoutAReasonIsSilent) {
  Event isWaiting, begun;
  std::thread other([&] {
    isWaiting.notify();
    begun.wait();
  });
  { const WaitReason ended(reason()); }
  isWaiting.wait();
  const WaitReason why(reason());
  clock.advance(absl::Seconds(9));
  begun.notify();
  other.join();
  EXPECT_THAT(lines, IsEmpty());
  EXPECT_EQ(looks, 0);
}

/// A wait for nothing is one for a computation of this process.
TEST_F(LongWaitTest, AReasonWithoutATextIsAskedAgain) {
  const WaitReason why(
      {.describe = [this] { return ++looks == 3 ? "trainer 1" : ""; },
       .log = log,
       .clock = &clock});
  wait(9);
  EXPECT_THAT(lines, ElementsAre("waiting for trainer 1, for 7s so far",
                                 "no longer waiting for trainer 1, after 9s"));
}

TEST_F(LongWaitTest, TheOuterReasonFollowsTheInnerOne) {
  const WaitReason why(reason());
  {
    const WaitReason checkpoint("the checkpoint");
    wait(6);
    purpose = "";
    wait(6);
  }
  EXPECT_THAT(
      lines,
      ElementsAre("waiting for the checkpoint: trainer 1, for 5s so far",
                  "no longer waiting for the checkpoint: trainer 1, after 6s",
                  "waiting for the checkpoint, for 5s so far",
                  "no longer waiting for the checkpoint, after 6s"));
  lines.clear();
  purpose = "trainer 2";
  wait(6);
  EXPECT_THAT(lines, ElementsAre("waiting for trainer 2, for 5s so far",
                                 "no longer waiting for trainer 2, after 6s"));
}

/// As one that tries again and again.
TEST_F(LongWaitTest, AWaitWithinAnotherIsAPartOfIt) {
  const WaitReason why(reason());
  {
    ThreadWait whole;
    for (int i = 0; i != 3; ++i) {
      wait(3);
      whole.look();
    }
  }
  EXPECT_THAT(lines, ElementsAre("waiting for trainer 1, for 6s so far",
                                 "no longer waiting for trainer 1, after 9s"));
}

/// What describes a wait may need the locks of what ends it.
TEST_F(LongWaitTest, DescribesWithoutTheLock) {
  Event event;
  const WaitReason why({.describe =
                            [&] {
                              event.notify();
                              return "what ends meanwhile";
                            },
                        .log = log,
                        .clock = &clock});
  clock.after(60, [] {});
  event.wait();
  EXPECT_THAT(lines,
              ElementsAre("waiting for what ends meanwhile, for 5s so far",
                          "no longer waiting for what ends meanwhile, "
                          "after 5s"));
}

TEST_F(LongWaitTest, AWaitThatCanBeCancelledIsNamedToo) {
  const WaitReason why(reason());
  Event cancel;
  Done part;
  std::thread time([&] {
    // Again and again: the wait may begin later.
    while (looks == 0) {
      clock.advance(absl::Seconds(1));
      std::this_thread::yield();
    }
    cancel.notify();
  });
  EXPECT_EQ(awaitAll(
                1, [&](size_t, Done done) { part = std::move(done); }, &cancel,
                [&] { part(absl::CancelledError("abandoned")); }),
            absl::CancelledError("abandoned"));
  time.join();
  EXPECT_THAT(lines.front(), StartsWith("waiting for trainer 1, for "));
}

} // namespace
