//===- UpdateTest.cpp - what a pserver updates when -----------------------===//

#include "runtime/transport/Update.h"
#include "TransportCluster.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <set>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {
using Log = std::vector<std::string>;

class LogNode final : public Node {
public:
  LogNode(Log &log, std::string line)
      : Node(Kind::Kernel, line), log(log), line(std::move(line)) {}
  void start(StepContext &, Done done) override {
    log.push_back(line);
    done(absl::OkStatus());
  }

private:
  Log &log;
  std::string line;
};

/// Trainers push it by name.
class FakeUnit final : public UpdateUnit {
public:
  FakeUnit(Log &log, std::string name, int round = 0)
      : UpdateUnit(round), log(log), name(std::move(name)) {
    update.addNode(std::make_unique<LogNode>(log, "update " + this->name), {});
  }
  bool hasPushed(int trainer) const override {
    return pushed.contains(trainer);
  }
  bool hasAll(std::span<const int> trainers) const override {
    return std::all_of(trainers.begin(), trainers.end(),
                       [&](int trainer) { return hasPushed(trainer); });
  }
  std::unique_ptr<Node> makeMean(const std::vector<int> &) override {
    return std::make_unique<LogNode>(log, "mean " + name);
  }

  Log &log;
  const std::string name;
  Program update;
  std::set<int> pushed;
};

class StepUpdatesTest : public ::testing::Test {
protected:
  StepUpdatesTest() {
    schedule.addNode(std::make_unique<LogNode>(log, "schedule"), {});
  }
  void addUnits(StepUpdates &updates) {
    updates.add(w, w.update);
    updates.add(b, b.update);
  }
  StepUpdates::Batch run(StepUpdates &updates) {
    StepUpdates::Batch batch = updates.take(live);
    EXPECT_OK(updates.run(batch, *executor));
    updates.updated(batch);
    return batch;
  }

  Log log;
  FakeUnit w{log, "w"}, b{log, "b", /*round=*/0};
  Program schedule;
  std::vector<int> live = {0, 1};
  std::unique_ptr<Executor> executor =
      *Executor::create({.threads = 1, .deterministic = true});
};

TEST_F(StepUpdatesTest, AUnitIsDueWhenAllHavePushedIt) {
  StepUpdates updates(Rounds{1}, &schedule);
  addUnits(updates);
  w.pushed = {0};
  updates.updateIfComplete(w, live);
  EXPECT_FALSE(updates.anyDue());
  EXPECT_TRUE(updates.hasPushed(0));
  EXPECT_FALSE(updates.hasPushed(1));
  w.pushed = {0, 1};
  updates.updateIfComplete(w, live);
  updates.updateIfComplete(w, live);
  StepUpdates::Batch batch = run(updates);
  EXPECT_THAT(batch.units, ElementsAre(&w));
  EXPECT_FALSE(batch.endsStep);
  EXPECT_THAT(log, ElementsAre("schedule", "mean w", "update w"));
  EXPECT_EQ(w.updated, 0);
  EXPECT_EQ(updates.endedStep(), startupStep);
  EXPECT_FALSE(updates.anyDue());
  updates.updateIfComplete(w, live);
  EXPECT_FALSE(updates.anyDue()) << "it is updated once in a step";
}

TEST_F(StepUpdatesTest, WhatIsLeftIsUpdatedAtTheEndOfTheStep) {
  StepUpdates updates(Rounds{1}, &schedule);
  addUnits(updates);
  w.pushed = {0, 1};
  updates.updateIfComplete(w, live);
  run(updates);
  log.clear();
  updates.endStep();
  EXPECT_TRUE(updates.anyDue());
  EXPECT_TRUE(run(updates).endsStep);
  EXPECT_THAT(log, ElementsAre("mean b", "update b"));
  EXPECT_EQ(updates.endedStep(), 0);
  log.clear();
  updates.endStep();
  run(updates);
  EXPECT_EQ(log.front(), "schedule");
  EXPECT_EQ(log.size(), 5u);
}

TEST_F(StepUpdatesTest, UnitsAreDueWhenThoseWhoMissedThemHaveLeft) {
  StepUpdates updates(Rounds{1}, &schedule);
  addUnits(updates);
  w.pushed = {0};
  live = {0};
  updates.updateComplete(live);
  EXPECT_THAT(run(updates).units, ElementsAre(&w));
}

TEST_F(StepUpdatesTest, NothingIsDueBeforeTheEndOfARound) {
  FakeUnit later(log, "later", /*round=*/1);
  StepUpdates updates(Rounds{2}, &schedule);
  addUnits(updates);
  updates.add(later, later.update);
  w.pushed = b.pushed = later.pushed = {0, 1};
  updates.updateComplete(live);
  EXPECT_FALSE(updates.anyDue());
  updates.endStep();
  EXPECT_THAT(run(updates).units, ElementsAre(&w, &b));
  log.clear();
  updates.endStep();
  EXPECT_THAT(run(updates).units, ElementsAre(&later));
  EXPECT_THAT(log, ElementsAre("mean later", "update later"));
}

TEST_F(StepUpdatesTest, AStepMayHaveNothingToUpdate) {
  StepUpdates updates(Rounds(), nullptr);
  updates.endStep();
  EXPECT_THAT(run(updates).units, IsEmpty());
  EXPECT_EQ(updates.endedStep(), 0);
}
} // namespace
