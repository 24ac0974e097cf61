// SPDX-License-Identifier: Apache-2.0
//===- ClientSessionTest.cpp - heartbeats and retries, without waiting ---===//

#include "runtime/base/Event.h"
#include "test/unit/base/ManualClock.h"
#include "test/unit/links/TransportCluster.h"
#include <deque>
#include <gmock/gmock.h>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

namespace {

/// What a session sends to a pserver, which answers when the test says so.
struct Mailbox {
  void add(const wire::Request &request, Respond done) {
    std::lock_guard<std::mutex> lock(mutex);
    if (disconnected)
      return done(lost());
    calls.push_back({request, std::move(done)});
    ++counts[request.call_case()];
    changed.notify_all();
  }
  int count(wire::Request::CallCase call) {
    std::lock_guard<std::mutex> lock(mutex);
    return counts[call];
  }
  /// Waits until `number` calls of this kind have come in all.
  bool waitFor(wire::Request::CallCase call, int number) {
    std::unique_lock<std::mutex> lock(mutex);
    return changed.wait_for(lock, absl::ToChronoSeconds(testDeadline),
                            [&] { return counts[call] >= number; });
  }
  /// Answers the calls of this kind that wait.
  void answer(wire::Request::CallCase call, const absl::Status &status) {
    answer(call, status.ok() ? absl::StatusOr<Response>(Response()) : status);
  }
  void answer(wire::Request::CallCase call,
              const absl::StatusOr<Response> &response) {
    std::deque<Waiting> others, answered;
    {
      std::lock_guard<std::mutex> lock(mutex);
      for (Waiting &each : calls)
        (each.request.call_case() == call ? answered : others)
            .push_back(std::move(each));
      calls = std::move(others);
    }
    for (Waiting &each : answered)
      each.done(response);
  }
  void disconnect() {
    std::deque<Waiting> answered;
    {
      std::lock_guard<std::mutex> lock(mutex);
      disconnected = true;
      answered.swap(calls);
    }
    for (Waiting &each : answered)
      each.done(lost());
  }
  static absl::Status lost() {
    return linkFailure(absl::StatusCode::kUnavailable, "connection refused");
  }

private:
  struct Waiting {
    wire::Request request;
    Respond done;
  };
  std::mutex mutex; // Guards what follows.
  std::condition_variable changed;
  std::deque<Waiting> calls;
  std::map<wire::Request::CallCase, int> counts;
  bool disconnected = false;
};

class MailboxLink final : public Link {
public:
  explicit MailboxLink(std::shared_ptr<Mailbox> mailbox)
      : mailbox(std::move(mailbox)) {}
  void call(const wire::Request &request, Pieces, Respond done) override {
    mailbox->add(request, std::move(done));
  }
  void disconnect() override { mailbox->disconnect(); }

private:
  std::shared_ptr<Mailbox> mailbox;
};

class ClientSessionTest : public testing::Test {
protected:
  static constexpr auto heartbeat = wire::Request::kHeartbeat;
  static constexpr auto barrier = wire::Request::kSendBarrier;
  static constexpr auto fetch = wire::Request::kFetchBarrier;

  void SetUp() override { start({}); }
  void start(const ProcessId &pserver, bool keepsStep = true) {
    client.reset();
    mailbox = std::make_shared<Mailbox>();
    ClientOptions options;
    options.hello = {2, 7, "job"};
    options.peerTimeout = absl::Seconds(60);
    options.timer = &timer;
    options.welcome.process = pserver;
    options.keepsStep = keepsStep;
    options.onStop = [this] { ++stops; };
    options.log = [this](const std::string &line) {
      std::lock_guard<std::mutex> lock(mutex);
      logged.push_back(line);
    };
    client = makeClient("the pserver", std::make_unique<MailboxLink>(mailbox),
                        options);
  }
  std::vector<std::string> lines() {
    std::lock_guard<std::mutex> lock(mutex);
    return logged;
  }

  /// Waits until the timer has run all that is due.
  void runDue() {
    Event ran;
    timer.after({}, [&] { ran.notify(); });
    ran.wait();
  }
  /// For so long, all heartbeats fail.
  void loseHeartbeats(absl::Duration duration) {
    constexpr absl::Duration step = absl::Milliseconds(50);
    for (absl::Duration passed; passed < duration; passed += step) {
      mailbox->answer(heartbeat, Mailbox::lost());
      clock.advance(step);
      runDue();
    }
  }
  /// Each attempt of a call fails; it is given up after `minutes`.
  void failForMinutes(int minutes, wire::Request::CallCase kind,
                      const Pending &call) {
    for (int minute = 0; minute <= minutes; ++minute) {
      ASSERT_FALSE(call.answered()) << minute;
      ASSERT_TRUE(mailbox->waitFor(kind, minute + 1));
      mailbox->answer(kind, Mailbox::lost());
      for (int second = 0; second < 60; second += 5) {
        mailbox->answer(heartbeat, absl::OkStatus());
        clock.advance(absl::Seconds(5));
        runDue();
      }
    }
  }
  /// Waits until so many lines are logged.
  bool waitForLines(size_t number) {
    const absl::Time deadline = absl::Now() + testDeadline;
    while (lines().size() < number && absl::Now() < deadline)
      absl::SleepFor(absl::Milliseconds(1));
    return lines().size() >= number;
  }

  /// Waits until the session has sent so many heartbeats and set the timer for
  /// the next.
  bool waitForHeartbeat(int number) {
    const absl::Time deadline = absl::Now() + testDeadline;
    if (!mailbox->waitFor(heartbeat, number))
      return false;
    while (timer.numWaiting() == 0 && absl::Now() < deadline)
      absl::SleepFor(absl::Milliseconds(1));
    return timer.numWaiting() != 0;
  }

  ManualClock clock;
  std::mutex mutex; // Guards logged.
  std::vector<std::string> logged;
  std::atomic<int> stops{0};
  /// Its thread may log until it goes.
  Timer timer{clock};
  std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>();
  std::unique_ptr<Client> client;
};

TEST_F(ClientSessionTest, AHeartbeatIsSentEverySixthOfThePeerTimeout) {
  ASSERT_TRUE(waitForHeartbeat(1));
  for (int sent = 1; sent <= 5; ++sent) {
    clock.advance(absl::Seconds(9));
    runDue();
    EXPECT_EQ(mailbox->count(heartbeat), sent);
    // Each one answers the one before.
    clock.advance(absl::Seconds(1));
    ASSERT_TRUE(waitForHeartbeat(sent + 1));
    mailbox->answer(heartbeat, absl::OkStatus());
  }
  EXPECT_OK(client->health());
}

TEST_F(ClientSessionTest, SilenceForThreeQuartersOfThePeerTimeoutIsAFailure) {
  Pending waiting;
  client->sendBarrier(0, waiting.done());
  for (int sent = 1; sent <= 5; ++sent) {
    ASSERT_TRUE(waitForHeartbeat(sent));
    EXPECT_OK(client->health());
    clock.advance(absl::Seconds(10));
  }
  expectError(waiting.wait(), absl::StatusCode::kUnavailable,
              {"send barrier of step 0", "pserver the pserver",
               "has been silent for 45s"});
  EXPECT_EQ(mailbox->count(heartbeat), 5);
}

TEST_F(ClientSessionTest, ASuspendedProcessDoesNotBlameThePServer) {
  ASSERT_TRUE(waitForHeartbeat(1));
  clock.advance(absl::Hours(1));
  ASSERT_TRUE(waitForHeartbeat(2));
  EXPECT_OK(client->health());
}

TEST_F(ClientSessionTest, LostCallsAreRepeatedAfterPausesThatGrow) {
  Pending pending;
  client->sendBarrier(3, pending.done());
  int attempts = 1;
  for (int pause : {50, 100, 200, 400}) {
    ASSERT_TRUE(mailbox->waitFor(barrier, attempts));
    mailbox->answer(barrier, Mailbox::lost());
    clock.advance(absl::Milliseconds(pause - 1));
    runDue();
    EXPECT_EQ(mailbox->count(barrier), attempts);
    clock.advance(absl::Milliseconds(1));
    ++attempts;
  }
  ASSERT_TRUE(mailbox->waitFor(barrier, attempts));
  EXPECT_FALSE(pending.answered());
  mailbox->answer(barrier, absl::OkStatus());
  EXPECT_OK(pending.wait());
}

TEST_F(ClientSessionTest, AConnectionThatStaysDownIsGivenUp) {
  Pending pending;
  client->sendBarrier(3, pending.done());
  ASSERT_TRUE(waitForHeartbeat(1));
  // A short outage is no news.
  loseHeartbeats(absl::Milliseconds(450));
  EXPECT_THAT(lines(), IsEmpty());
  loseHeartbeats(absl::Milliseconds(500));
  ASSERT_TRUE(waitForLines(1));
  EXPECT_THAT(lines(), ElementsAre("connection to pserver the pserver lost, "
                                   "retrying for 30s"));
  loseHeartbeats(absl::Seconds(28));
  EXPECT_OK(client->health());
  loseHeartbeats(absl::Seconds(2));
  expectError(pending.wait(), absl::StatusCode::kUnavailable,
              {"send barrier of step 3", "pserver the pserver does not answer",
               "connection refused"});
  EXPECT_FALSE(client->health().ok());
  EXPECT_THAT(lines(), SizeIs(1));
}

TEST_F(ClientSessionTest, AConnectionThatComesBackIsReported) {
  ASSERT_TRUE(waitForHeartbeat(1));
  loseHeartbeats(absl::Seconds(29));
  // The pserver keeps one, so another one follows soon.
  const int before = mailbox->count(heartbeat);
  for (int i = 0; i < 10; ++i) {
    clock.advance(absl::Milliseconds(50));
    runDue();
  }
  ASSERT_TRUE(mailbox->waitFor(heartbeat, before + 1));
  mailbox->answer(heartbeat, absl::OkStatus());
  ASSERT_TRUE(waitForLines(2));
  EXPECT_THAT(
      lines()[1],
      StartsWith("connection to pserver the pserver is back after 29."));
  // Another outage has as much time again.
  loseHeartbeats(absl::Seconds(29));
  EXPECT_OK(client->health());
}

TEST_F(ClientSessionTest, APserverThatIsAskedToStopHasTheTrainerStop) {
  ASSERT_TRUE(waitForHeartbeat(1));
  Response response;
  response.header.set_stop(true);
  mailbox->answer(heartbeat, response);
  EXPECT_EQ(stops, 1);
  // A heartbeat stays with the pserver.
  EXPECT_TRUE(mailbox->waitFor(heartbeat, 2));
  EXPECT_OK(client->health());
}

TEST_F(ClientSessionTest, AHeartbeatThatFailsIsSentAgainAtOnce) {
  ASSERT_TRUE(waitForHeartbeat(1));
  mailbox->answer(heartbeat, Mailbox::lost());
  EXPECT_TRUE(mailbox->waitFor(heartbeat, 2));
  EXPECT_OK(client->health());
}

TEST_F(ClientSessionTest, APserverWhoseProcessHasEndedIsGivenUpAtOnce) {
  ProcessId ended = ownProcess();
  ++ended.startTime;
  start(ended);
  Pending pending;
  client->sendBarrier(3, pending.done());
  ASSERT_TRUE(waitForHeartbeat(1));
  // The answer to a heartbeat may bring the reason yet.
  mailbox->answer(barrier, Mailbox::lost());
  runDue();
  EXPECT_OK(client->health());
  mailbox->answer(heartbeat, Mailbox::lost());
  expectError(pending.wait(), absl::StatusCode::kUnavailable,
              {"send barrier of step 3", "pserver the pserver does not answer",
               "its process ", " has ended"});
}

TEST_F(ClientSessionTest, CallsThatAlwaysFailAreGivenUpThoughHeartbeatsDoNot) {
  Pending pending;
  client->fetchBarrier(3, pending.done());
  for (int second = 0; second <= 30; ++second) {
    ASSERT_FALSE(pending.answered());
    ASSERT_TRUE(mailbox->waitFor(fetch, second + 1));
    mailbox->answer(fetch, Mailbox::lost());
    mailbox->answer(heartbeat, absl::OkStatus());
    clock.advance(absl::Seconds(1));
  }
  expectError(pending.wait(), absl::StatusCode::kUnavailable,
              {"fetch barrier of step 3", "pserver the pserver does not answer",
               "connection refused"});
}

/// A step may take 30 minutes, and the pserver a minute to report that.
TEST_F(ClientSessionTest, CallsThatMayWaitHaveTheTimeOfABarrier) {
  Pending pending;
  client->sendBarrier(3, pending.done());
  failForMinutes(31, barrier, pending);
  expectError(pending.wait(), absl::StatusCode::kUnavailable,
              {"send barrier of step 3", "pserver the pserver does not answer",
               "connection refused"});
  EXPECT_THAT(lines(),
              ElementsAre("send barrier of step 3 for no blocks: pserver the "
                          "pserver does not answer, retrying for 31m: "
                          "connection refused"));
}

/// Where trainers do not keep step, it is answered when all of it is applied.
TEST_F(ClientSessionTest, APushThatWaitsHasTheTimeOfABarrier) {
  start({}, /*keepsStep=*/false);
  const std::vector<float> rows(7);
  Pending pending;
  startPush(*client, 3, "w", DType::F32, std::as_bytes(std::span(rows)),
            pending.done());
  failForMinutes(31, wire::Request::kPush, pending);
  expectError(pending.wait(), absl::StatusCode::kUnavailable,
              {"push of block 'w' at step 3", "does not answer"});
}

TEST_F(ClientSessionTest, TheEndOfTheJobReachesCallsThatWait) {
  Pending pending;
  client->sendBarrier(0, pending.done());
  ASSERT_TRUE(waitForHeartbeat(1));
  mailbox->answer(heartbeat, absl::AbortedError("trainer 1 failed"));
  expectError(lossOf(*client), absl::StatusCode::kAborted,
              {"pserver the pserver", "trainer 1 failed"});
  EXPECT_FALSE(pending.wait().ok());
}

/// Rows that are asked for ahead of their step are late when nothing else is.
TEST_F(ClientSessionTest, TheOldestCallWithoutAnAnswerIsFound) {
  ASSERT_TRUE(waitForHeartbeat(1));
  EXPECT_EQ(client->findPending(), std::nullopt);
  std::vector<float> values(2);
  std::vector<int64_t> ids = {7};
  Pending rows, first, second;
  client->prefetch(
      4,
      {{"emb", DType::F32, /*width=*/2, ids},
       reinterpret_cast<std::byte *>(values.data())},
      [done = rows.done()](absl::StatusOr<uint64_t> known) mutable {
        done(known.status());
      });
  const Clock::TimePoint begin = clock.now();
  EXPECT_EQ(client->findPending(),
            (PendingCall{"prefetch of table 'emb' at step 4", begin}));
  clock.advance(absl::Seconds(1));
  client->sendBarrier(3, first.done());
  clock.advance(absl::Seconds(1));
  client->fetchBarrier(3, second.done());
  const std::optional<PendingCall> found = client->findPending();
  ASSERT_TRUE(found);
  EXPECT_THAT(found->what, StartsWith("send barrier of step 3"));
  EXPECT_EQ(found->since, begin + std::chrono::seconds(1));

  mailbox->answer(barrier, absl::OkStatus());
  EXPECT_OK(first.wait());
  ASSERT_TRUE(client->findPending());
  EXPECT_THAT(client->findPending()->what, StartsWith("fetch barrier"));
  mailbox->answer(fetch, absl::OkStatus());
  mailbox->answer(wire::Request::kPrefetch,
                  absl::InvalidArgumentError("no such table"));
  EXPECT_OK(second.wait());
  EXPECT_FALSE(rows.wait().ok());
  EXPECT_EQ(client->findPending(), std::nullopt);
}

TEST_F(ClientSessionTest, TheOldestCallOfAllPServersIsDescribed) {
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::shared_ptr<Mailbox>> mailboxes;
  for (int i = 0; i != 3; ++i) {
    start({});
    mailboxes.push_back(mailbox);
    clients.push_back(std::move(client));
  }
  EXPECT_EQ(describePending(clients), "");
  Pending late, later;
  clients[1]->sendBarrier(3, late.done());
  EXPECT_EQ(describePending(clients),
            "pserver the pserver, send barrier of step 3 for no blocks");
  clock.advance(absl::Seconds(1));
  clients[0]->sendBarrier(4, later.done());
  EXPECT_EQ(describePending(clients),
            "pserver the pserver, send barrier of step 3 for no blocks, and 1 "
            "more");
  for (const std::shared_ptr<Mailbox> &each : mailboxes)
    each->answer(barrier, absl::OkStatus());
  EXPECT_OK(late.wait());
  EXPECT_OK(later.wait());
  EXPECT_EQ(describePending(clients), "");
}

} // namespace
