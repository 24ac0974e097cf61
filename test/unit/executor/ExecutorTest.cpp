// SPDX-License-Identifier: Apache-2.0
//===- ExecutorTest.cpp - order, failures and threads of a step -----------===//

#include "absl/strings/str_cat.h"
#include "test/unit/RuntimeTesting.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

using namespace ps::runtime;

namespace {
/// Calls Done callbacks from a thread of its own, as a transport does.
class FakeTransport {
public:
  FakeTransport() : thread([this] { loop(); }) {}
  ~FakeTransport() {
    complete(nullptr);
    thread.join();
  }

  /// Null stops the thread.
  void complete(Done done, absl::Status status = absl::OkStatus()) {
    std::lock_guard<std::mutex> lock(mutex);
    queue.emplace_back(std::move(done), std::move(status));
    wake.notify_one();
  }

  std::unique_ptr<Node> makeNode(std::string name,
                                 absl::Status status = absl::OkStatus()) {
    return ps::runtime::makeNode(Node::Kind::Send, std::move(name),
                                 [this, status](StepContext &, Done done) {
                                   complete(std::move(done), status);
                                 });
  }

private:
  void loop() {
    while (true) {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return !queue.empty(); });
      auto [done, status] = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      if (!done)
        return;
      done(status);
    }
  }

  std::mutex mutex; // Guards queue.
  std::condition_variable wake;
  std::deque<std::pair<Done, absl::Status>> queue;
  std::thread thread;
};

/// Threads and whether nodes run in program order.
class ExecutorTest : public ::testing::TestWithParam<std::pair<int, bool>> {
protected:
  std::unique_ptr<Executor> executor =
      makeExecutor(GetParam().first, GetParam().second);
};

INSTANTIATE_TEST_SUITE_P(
    Modes, ExecutorTest,
    ::testing::Values(std::pair(1, false), std::pair(2, false),
                      std::pair(5, false), std::pair(1, true),
                      std::pair(3, true)),
    [](const auto &info) {
      return absl::StrCat(info.param.first, "Threads",
                          info.param.second ? "InOrder" : "");
    });
} // namespace

TEST_P(ExecutorTest, EmptyProgramIsDone) {
  Program program;
  EXPECT_OK(executor->run(program, 0));
}

TEST_P(ExecutorTest, NodesSeeTheStep) {
  Program program;
  int64_t seen = 0;
  program.addNode(makeNode(Node::Kind::Kernel, "n",
                           [&](StepContext &context, Done done) {
                             seen = context.step();
                             done(absl::OkStatus());
                           }),
                  {});
  EXPECT_OK(executor->run(program, 41));
  EXPECT_EQ(seen, 41);
}

// A device may run a kernel: its Done comes from another thread after the node
// has returned, and its successors wait for that.
TEST_P(ExecutorTest, KernelsMayFinishLater) {
  FakeTransport device;
  Program program;
  std::vector<std::string> order; // Its writers are ordered, so no lock.
  NodeId launch = program.addNode(
      makeNode(Node::Kind::Kernel, "launch",
               [&](StepContext &, Done done) {
                 order.push_back("launched");
                 device.complete([&order, done = std::move(done)](
                                     absl::Status status) mutable {
                   order.push_back("finished");
                   done(std::move(status));
                 });
               }),
      {});
  program.addNode(makeNode(Node::Kind::Kernel, "use",
                           [&](StepContext &, Done done) {
                             order.push_back("used");
                             done(absl::OkStatus());
                           }),
                  {{launch}});
  for (int step = 0; step < 50; ++step) {
    order.clear();
    EXPECT_OK(executor->run(program, step));
    EXPECT_EQ(order,
              (std::vector<std::string>{"launched", "finished", "used"}));
  }
}

// A kernel that fails on its device fails the step, as any node.
TEST_P(ExecutorTest, KernelsMayFailLater) {
  FakeTransport device;
  Program program;
  bool used = false;
  NodeId launch = program.addNode(
      makeNode(Node::Kind::Kernel, "launch",
               [&](StepContext &, Done done) {
                 device.complete(std::move(done), absl::DataLossError("ECC"));
               }),
      {});
  program.addNode(makeNode(Node::Kind::Kernel, "use",
                           [&](StepContext &, Done done) {
                             used = true;
                             done(absl::OkStatus());
                           }),
                  {{launch}});
  EXPECT_TRUE(
      failsWith(executor->run(program, 0), absl::StatusCode::kDataLoss, "ECC"));
  EXPECT_FALSE(used);
}

// Random graphs of computing nodes and transfers: each node runs once per step
// and after all its predecessors.
TEST_P(ExecutorTest, RandomGraphsRunInOrder) {
  std::mt19937 random(7);
  FakeTransport transport;
  for (int round = 0; round < 40; ++round) {
    Program program;
    const int size = 1 + random() % 120;
    std::vector<std::atomic<int>> runs(size);
    std::vector<std::vector<NodeId>> after(size);
    std::atomic<int> violations{0};
    auto visit = [&](int i) {
      for (NodeId predecessor : after[i])
        if (runs[predecessor].load() <= runs[i].load())
          ++violations;
      ++runs[i];
    };
    for (int i = 0; i < size; ++i) {
      for (int e = random() % 4; i > 0 && e > 0; --e)
        after[i].push_back(random() % i); // Repeats on purpose.
      auto body = [&, i, async = random() % 3 == 0](StepContext &, Done done) {
        visit(i);
        if (async)
          transport.complete(std::move(done));
        else
          done(absl::OkStatus());
      };
      EXPECT_EQ(
          program.addNode(makeNode(Node::Kind::Kernel, "n", body), after[i]),
          i);
    }
    for (int step = 0; step < 10; ++step)
      EXPECT_OK(executor->run(program, step));
    EXPECT_EQ(violations, 0);
    for (auto &count : runs)
      EXPECT_EQ(count, 10);
  }
}

TEST_P(ExecutorTest, FirstFailureWinsAndStopsWhatFollows) {
  Program program;
  std::atomic<bool> ran{false};
  NodeId bad = program.addNode(
      makeNode("bad", [] { return absl::InternalError("broken"); }), {});
  NodeId middle = program.addNode(makeNode("middle",
                                           [&] {
                                             ran = true;
                                             return absl::OkStatus();
                                           }),
                                  {{bad}});
  program.addNode(makeNode("late", [] { return absl::AbortedError("late"); }),
                  {{middle}});
  EXPECT_TRUE(failsWith(executor->run(program, 0), absl::StatusCode::kInternal,
                        "broken"));
  EXPECT_FALSE(ran);
}

TEST_P(ExecutorTest, FailedTransferEndsTheStep) {
  FakeTransport transport;
  Program program;
  NodeId send = program.addNode(
      transport.makeNode("send", absl::UnavailableError("gone")), {});
  program.addNode(makeNode("after", [] { return absl::OkStatus(); }), {{send}});
  EXPECT_TRUE(failsWith(executor->run(program, 0),
                        absl::StatusCode::kUnavailable, "gone"));
  // The program can run again.
  EXPECT_FALSE(executor->run(program, 1).ok());
}

TEST_P(ExecutorTest, FailureWaitsForTransfersInFlight) {
  FakeTransport transport;
  std::atomic<bool> started{false}, finished{false};
  Program program;
  program.addNode(
      makeNode(Node::Kind::Recv, "held",
               [&](StepContext &, Done done) {
                 started = true;
                 transport.complete(
                     [&, done = std::move(done)](absl::Status status) mutable {
                       finished = true;
                       done(status);
                     });
               }),
      {});
  program.addNode(makeNode("bad", [] { return absl::InternalError("broken"); }),
                  {});
  EXPECT_FALSE(executor->run(program, 0).ok());
  // The failure may have come first.
  EXPECT_EQ(finished, started);
}

TEST_P(ExecutorTest, DoneMayComeBeforeStartReturns) {
  Program program;
  NodeId node = program.addNode(
      makeNode(Node::Kind::Send, "n",
               [](StepContext &, Done done) {
                 std::thread([&] { done(absl::OkStatus()); }).join();
               }),
      {});
  bool ran = false;
  program.addNode(makeNode("after",
                           [&] {
                             ran = true;
                             return absl::OkStatus();
                           }),
                  {{node}});
  EXPECT_OK(executor->run(program, 0));
  EXPECT_TRUE(ran);
}

TEST_P(ExecutorTest, LongChainDoesNotRecurse) {
  Program program;
  int count = 0;
  NodeId last = -1;
  for (int i = 0; i < 200'000; ++i) {
    std::vector<NodeId> after;
    if (last >= 0)
      after.push_back(last);
    last = program.addNode(makeNode("n",
                                    [&] {
                                      ++count;
                                      return absl::OkStatus();
                                    }),
                           after);
  }
  EXPECT_OK(executor->run(program, 0));
  EXPECT_EQ(count, 200'000);
}

TEST_P(ExecutorTest, ParallelRowsCoversEachRowOnce) {
  for (int64_t rows : {0, 1, 7, 64, 1000}) {
    for (int64_t grain : {1, 3, 100, 5000}) {
      std::vector<std::atomic<int>> seen(rows);
      std::atomic<int64_t> smallest{INT64_MAX};
      Program program;
      program.addNode(
          makeNode(Node::Kind::Kernel, "n",
                   [&](StepContext &context, Done done) {
                     context.parallelRows(
                         rows, grain, [&](int64_t begin, int64_t end) {
                           for (int64_t i = begin; i < end; ++i)
                             ++seen[i];
                           int64_t size = end - begin;
                           int64_t old = smallest;
                           while (size < old &&
                                  !smallest.compare_exchange_weak(old, size)) {
                           }
                         });
                     done(absl::OkStatus());
                   }),
          {});
      EXPECT_OK(executor->run(program, 0));
      for (auto &count : seen)
        EXPECT_EQ(count, 1);
      if (rows > 0)
        EXPECT_GE(smallest, std::min(rows, grain));
    }
  }
}

// A transfer's completion reaches a caller that sleeps, and one that computes.
TEST_P(ExecutorTest, ManyTransfersComplete) {
  FakeTransport transport;
  Program program;
  std::atomic<int> count{0};
  std::vector<NodeId> last;
  for (int i = 0; i < 300; ++i) {
    NodeId compute = program.addNode(
        makeNode("compute", [] { return absl::OkStatus(); }), last);
    NodeId send = program.addNode(transport.makeNode("send"), {{compute}});
    last = {send};
    program.addNode(makeNode("after",
                             [&] {
                               ++count;
                               return absl::OkStatus();
                             }),
                    {{send}});
  }
  for (int step = 0; step < 5; ++step)
    EXPECT_OK(executor->run(program, step));
  EXPECT_EQ(count, 1500);
}

TEST_P(ExecutorTest, CountsTheTimeThatItSleepsByWhatEndedIt) {
  FakeTransport transport;
  Program program;
  std::vector<NodeId> before;
  for (Node::Kind kind : {Node::Kind::Recv, Node::Kind::SendBarrier})
    before = {program.addNode(makeNode(kind, "late",
                                       [&](StepContext &, Done done) {
                                         transport.complete(std::move(done));
                                       }),
                              before)};
  // It sleeps unless the answer is faster, which it is not in every step.
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(60);
  auto hasSleptFor = [&](Node::Kind kind) {
    return executor->waitTimes()[kind].count() > 0;
  };
  for (int64_t step = 0; !(hasSleptFor(Node::Kind::Recv) &&
                           hasSleptFor(Node::Kind::SendBarrier)) &&
                         std::chrono::steady_clock::now() < deadline;
       ++step)
    ASSERT_OK(executor->run(program, step));
  EXPECT_TRUE(hasSleptFor(Node::Kind::Recv));
  EXPECT_TRUE(hasSleptFor(Node::Kind::SendBarrier));
  EXPECT_FALSE(hasSleptFor(Node::Kind::Send));
}

// Programs of one process may wait for each other, whatever the threads.
TEST_P(ExecutorTest, ProgramsThatWaitForEachOther) {
  constexpr int kPrograms = 6;
  std::mutex mutex; // Guards waiting.
  std::vector<Done> waiting;
  std::vector<std::unique_ptr<Program>> programs;
  for (int i = 0; i < kPrograms; ++i) {
    auto program = std::make_unique<Program>();
    program->addNode(makeNode(Node::Kind::SendBarrier, "barrier",
                              [&](StepContext &, Done done) {
                                std::unique_lock<std::mutex> lock(mutex);
                                waiting.push_back(std::move(done));
                                if (waiting.size() < kPrograms)
                                  return;
                                std::vector<Done> all = std::move(waiting);
                                waiting.clear();
                                lock.unlock();
                                for (Done &each : all)
                                  each(absl::OkStatus());
                              }),
                     {});
    program->addNode(makeNode("after", [] { return absl::OkStatus(); }), {{0}});
    programs.push_back(std::move(program));
  }
  std::vector<std::thread> threads;
  for (auto &program : programs)
    threads.emplace_back([&, program = program.get()] {
      for (int step = 0; step < 20; ++step)
        EXPECT_OK(executor->run(*program, step));
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Two kernels, and a chain of two transfers that the next step's second kernel
/// waits for. Each node writes down the step it has ended.
struct LateProgram {
  Program program;
  FakeTransport transport;
  std::atomic<int64_t> first{-1}, second{-1}, send{-1}, recv{-1};
  /// Of the transfers; what the second one ends with in that step.
  std::atomic<int64_t> failsAt{-1};
  /// Set when a node has started too early.
  std::atomic<bool> early{false};
  /// Transfers end within their start.
  bool atOnce = false;

  std::unique_ptr<Node> makeLate(std::string name, Node::Kind kind,
                                 std::atomic<int64_t> &own,
                                 std::atomic<int64_t> &before) {
    return makeNode(kind, std::move(name),
                    [&, kind](StepContext &context, Done done) {
                      const int64_t step = context.step();
                      early = early || own != step - 1 || before != step;
                      auto end = [&, step, kind, done = std::move(done)](
                                     absl::Status) mutable {
                        own = step;
                        done(kind == Node::Kind::Recv && step == failsAt
                                 ? absl::UnavailableError("the line is cut")
                                 : absl::OkStatus());
                      };
                      if (atOnce)
                        end(absl::OkStatus());
                      else
                        transport.complete(std::move(end));
                    });
  }

  LateProgram() {
    auto compute = [&](std::atomic<int64_t> &own, std::atomic<int64_t> &before,
                       int64_t behind) {
      return makeNode(Node::Kind::Kernel, "compute",
                      [&, behind](StepContext &context, Done done) {
                        early = early || before != context.step() - behind;
                        own = context.step();
                        done(absl::OkStatus());
                      });
    };
    program.addNode(compute(first, first, 1), {});
    program.addNode(compute(second, recv, 1), {{0}});
    program.addNode(makeLate("send", Node::Kind::Send, send, second), {{1}});
    program.addNode(makeLate("recv", Node::Kind::Recv, recv, send), {{2}});
    program.carry(2, {});
    program.carry(3, {1, 2});
  }
};

TEST_P(ExecutorTest, LateNodesGoOnIntoTheNextStep) {
  for (bool atOnce : {false, true}) {
    LateProgram late;
    late.atOnce = atOnce;
    for (int step = 0; step < 500; ++step)
      EXPECT_OK(executor->run(late.program, step));
    EXPECT_OK(executor->drain(late.program));
    EXPECT_EQ(late.recv, 499);
    EXPECT_FALSE(late.early);
    EXPECT_OK(executor->drain(late.program)); // There is nothing left.
  }
}

TEST_P(ExecutorTest, LateFailureEndsTheNextStepOrTheDrain) {
  for (int64_t step : {0, 5}) {
    LateProgram late;
    late.failsAt = step;
    absl::Status status;
    for (int64_t i = 0; i < 100 && status.ok(); ++i)
      status = executor->run(late.program, i);
    EXPECT_TRUE(
        failsWith(status, absl::StatusCode::kUnavailable, "the line is cut"));
    EXPECT_LE(late.second, step + 1);
  }
  LateProgram late;
  late.failsAt = 0;
  absl::Status status = executor->run(late.program, 0);
  status.Update(executor->drain(late.program));
  EXPECT_TRUE(
      failsWith(status, absl::StatusCode::kUnavailable, "the line is cut"));
}

// The step is over while its transfer is not: the caller sees that it computes.
TEST(Executor, StepEndsBeforeItsLateNodes) {
  auto executor = makeExecutor(1);
  Program program;
  std::mutex mutex; // Guards started.
  std::condition_variable wake;
  std::vector<Done> started;
  auto take = [&](size_t place) {
    std::unique_lock<std::mutex> lock(mutex);
    wake.wait(lock, [&] { return started.size() > place; });
    return std::move(started[place]);
  };
  program.addNode(makeNode("compute", [] { return absl::OkStatus(); }), {});
  program.addNode(makeNode(Node::Kind::Send, "send",
                           [&](StepContext &, Done done) {
                             std::lock_guard<std::mutex> lock(mutex);
                             started.push_back(std::move(done));
                             wake.notify_all();
                           }),
                  {{0}});
  program.carry(1, {});
  EXPECT_OK(executor->run(program, 0));
  Done first = take(0);
  EXPECT_OK(executor->run(program, 1));
  {
    std::lock_guard<std::mutex> lock(mutex);
    EXPECT_EQ(started.size(), 1); // It does not start twice at a time.
  }
  first(absl::OkStatus());
  take(1)(absl::OkStatus());
  EXPECT_OK(executor->drain(program));
}

// A caller that is told of a failure lets the program go.
TEST(Executor, FailsOnlyWhenLateNodesAreDone) {
  auto executor = makeExecutor(2);
  FakeTransport failing, slow;
  auto spin = [](int rounds) {
    for (std::atomic<int> i{0}; i < rounds; ++i)
      ;
  };
  auto waitFor = [](const std::atomic<bool> &flag) {
    while (!flag)
      std::this_thread::yield();
  };
  for (int attempt = 0; attempt < 3000; ++attempt) {
    std::atomic<bool> underWay{false}, fails{false}, failed{false};
    Program program;
    // The step ends when the one transfer fails, a little earlier or later.
    program.addNode(makeNode("compute",
                             [&] {
                               waitFor(fails);
                               spin(attempt % 60);
                               return absl::OkStatus();
                             }),
                    {});
    auto fail = [&](StepContext &, Done done) {
      failing.complete([&, done = std::move(done)](absl::Status) mutable {
        waitFor(underWay);
        fails = true;
        spin(attempt / 60);
        done(absl::UnavailableError("the line is cut"));
        failed = true;
      });
    };
    auto goOn = [&](StepContext &, Done done) {
      underWay = true;
      slow.complete([&, done = std::move(done)](absl::Status status) mutable {
        waitFor(failed);
        spin(2000);
        underWay = false;
        done(std::move(status));
      });
    };
    program.addNode(makeNode(Node::Kind::Send, "failing", fail), {});
    program.addNode(makeNode(Node::Kind::Send, "slow", goOn), {});
    program.carry(1, {});
    program.carry(2, {});
    const absl::Status status = executor->run(program, 0);
    EXPECT_TRUE(status.ok() || !underWay);
    EXPECT_FALSE(status.ok() && executor->drain(program).ok());
  }
}

TEST(Executor, RunsInProgramOrderWhenDeterministic) {
  auto executor = makeExecutor(4, /*deterministic=*/true);
  Program program;
  std::vector<int> order;
  for (int i = 0; i < 50; ++i)
    program.addNode(makeNode("n",
                             [&, i] {
                               order.push_back(i);
                               return absl::OkStatus();
                             }),
                    {});
  EXPECT_OK(executor->run(program, 0));
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(order[i], i);
}

TEST(Executor, RunsIndependentNodesAtOnce) {
  auto executor = makeExecutor(2);
  Program program;
  std::atomic<int> started{0};
  auto meet = [&] {
    ++started;
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (started < 2)
      if (std::chrono::steady_clock::now() > deadline)
        return absl::DeadlineExceededError("ran alone");
    return absl::OkStatus();
  };
  program.addNode(makeNode("a", meet), {});
  program.addNode(makeNode("b", meet), {});
  EXPECT_OK(executor->run(program, 0));
}

TEST(Executor, NegativeThreadsAreRefused) {
  Executor::Options options;
  options.threads = -1;
  EXPECT_TRUE(failsWith(Executor::create(options).status(),
                        absl::StatusCode::kInvalidArgument,
                        "expected a number of threads >= 0, found -1"));
}
