// SPDX-License-Identifier: Apache-2.0
//===- TraceTest.cpp - the written trace ----------------------------------===//

#include "runtime/executor/Trace.h"
#include "test/unit/RuntimeTesting.h"
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;
using Json = nlohmann::json;

namespace {
Json writeAndParse(const Trace &trace) {
  TemporaryDirectory dir;
  EXPECT_OK(trace.write(dir / "trace.json"));
  std::ifstream file(dir / "trace.json");
  return Json::parse(file)["traceEvents"];
}

size_t residentBytes() {
  size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

Json eventsOf(const Json &events, const std::string &phase) {
  Json out = Json::array();
  for (const Json &event : events)
    if (event["ph"] == phase)
      out.push_back(event);
  return out;
}
} // namespace

TEST(Trace, EmptyTraceIsValid) {
  Json events = writeAndParse(Trace("trainer 0"));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0]["name"], "process_name");
  EXPECT_EQ(events[0]["args"]["name"], "trainer 0");
}

TEST(Trace, NamesAreEscaped) {
  Trace trace("a \"quoted\" \\ name");
  auto now = Trace::Clock::now();
  trace.span("kernel", "line\nbreak \xff", now, now, 0);
  Json events = writeAndParse(trace);
  EXPECT_EQ(events[0]["args"]["name"], "a \"quoted\" \\ name");
  EXPECT_EQ(eventsOf(events, "X").size(), 1u);
}

TEST(Trace, ThreadsHaveNamedLanes) {
  Trace trace("p");
  auto add = [&] {
    auto now = Trace::Clock::now();
    trace.span("kernel", "k", now, now + std::chrono::nanoseconds(1500), 3);
  };
  add();
  std::thread(add).join();
  Json events = writeAndParse(trace);
  Json spans = eventsOf(events, "X");
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_NE(spans[0]["tid"], spans[1]["tid"]);
  EXPECT_DOUBLE_EQ(spans[0]["dur"].get<double>(), 1.5);
  EXPECT_EQ(spans[0]["args"]["step"], 3);
  int named = 0;
  for (const Json &event : events)
    named += event["name"] == "thread_name";
  EXPECT_EQ(named, 2);
}

TEST(Trace, DevicesHaveLanesByName) {
  Trace trace("p");
  auto now = Trace::Clock::now();
  trace.span("kernel", "k", now, now, 0);
  for (int64_t step : {0, 1})
    trace.laneSpan("device cuda:0", "kernel", "k", now, now, step);
  Json events = writeAndParse(trace);
  Json spans = eventsOf(events, "X");
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_NE(spans[0]["tid"], spans[1]["tid"]);
  EXPECT_EQ(spans[1]["tid"], spans[2]["tid"]);
  std::map<int, std::string> lanes;
  for (const Json &event : events)
    if (event["name"] == "thread_name")
      lanes[event["tid"]] = event["args"]["name"];
  EXPECT_EQ(lanes[spans[1]["tid"]], "device cuda:0");
}

TEST(Trace, TransfersAreAsyncSpans) {
  Trace trace("p");
  auto now = Trace::Clock::now();
  trace.asyncSpan("send", "send @w", now, now + std::chrono::microseconds(5),
                  0);
  trace.asyncSpan("send", "send @w", now, now + std::chrono::microseconds(5),
                  1);
  Json events = writeAndParse(trace);
  Json begins = eventsOf(events, "b"), ends = eventsOf(events, "e");
  ASSERT_EQ(begins.size(), 2u);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(begins[0]["id"], ends[0]["id"]);
  EXPECT_NE(begins[0]["id"], begins[1]["id"]);
  EXPECT_NEAR(ends[0]["ts"].get<double>() - begins[0]["ts"].get<double>(), 5,
              1e-3);
}

TEST(Trace, TransfersHaveTheirSizes) {
  Trace trace("p");
  auto now = Trace::Clock::now();
  int64_t rows = 1;
  const int push = 0, pull = 0;
  trace.measure(&push, [&] { return TransferSize{.sent = 8 * rows}; });
  trace.measure(&pull, [] { return TransferSize{.received = 4}; });
  trace.asyncSpan("send", "push", now, now, 0, &push);
  rows = 2;
  trace.asyncSpan("send", "push", now, now, 1, &push);
  trace.asyncSpan("recv", "pull", now, now, 1, &pull);
  trace.asyncSpan("send_barrier", "barrier", now, now, 1);
  const Json begins = eventsOf(writeAndParse(trace), "b");
  ASSERT_EQ(begins.size(), 4u);
  EXPECT_EQ(begins[0]["args"], Json::parse(R"({"step":0,"sent_bytes":8})"));
  EXPECT_EQ(begins[1]["args"], Json::parse(R"({"step":1,"sent_bytes":16})"));
  EXPECT_EQ(begins[2]["args"], Json::parse(R"({"step":1,"received_bytes":4})"));
  EXPECT_EQ(begins[3]["args"], Json::parse(R"({"step":1})"));
}

TEST(Trace, RepeatedNamesAreKeptOnce) {
  // A name of a megabyte would take a gigabyte otherwise.
  const std::string name(1 << 20, 'n');
  Trace trace("p");
  const size_t before = residentBytes();
  for (int64_t step = 0; step < 1000; ++step) {
    auto now = Trace::Clock::now();
    trace.span("kernel", name, now, now, step);
  }
  EXPECT_LT(residentBytes(), before + (size_t(64) << 20));
}

TEST(Trace, ExecutorRecordsEveryNode) {
  Trace trace("p");
  auto executor = makeExecutor(2, /*deterministic=*/false, &trace);
  Program program;
  NodeId compute =
      program.addNode(makeNode("@k", [] { return absl::OkStatus(); }), {});
  program.addNode(makeNode(Node::Kind::Send, "send @w",
                           [](StepContext &, Done done) {
                             std::thread([done = std::move(done)]() mutable {
                               done(absl::OkStatus());
                             }).detach();
                           }),
                  {{compute}});
  EXPECT_OK(executor->run(program, 0));
  EXPECT_OK(executor->run(program, 1));
  Json events = writeAndParse(trace);
  Json kernels = eventsOf(events, "X"), transfers = eventsOf(events, "b");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]["name"], "@k");
  EXPECT_EQ(kernels[0]["cat"], "kernel");
  ASSERT_EQ(transfers.size(), 2u);
  EXPECT_EQ(transfers[0]["name"], "send @w");
  EXPECT_EQ(transfers[1]["args"]["step"], 1);
}

TEST(Trace, UnwritablePathIsAnError) {
  EXPECT_TRUE(failsWith(Trace("p").write("/nonexistent/trace.json"),
                        absl::StatusCode::kNotFound,
                        "cannot write trace '/nonexistent/trace.json'"));
}
