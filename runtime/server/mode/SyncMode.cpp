// SPDX-License-Identifier: Apache-2.0
//===- SyncMode.cpp - synchronous training --------------------------------===//
//
// All trainers take the same steps. A unit (a block or a table) is updated when
// every live trainer has pushed its gradient; with one round per step that
// happens as soon as the unit is complete, before the send barriers, so that
// pulls can be answered while other gradients are still on their way. The step
// ends when all live trainers are at the send barrier, or where they send none,
// when all that they push is here.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/mode/SyncMode.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

/// A restored server continues after the step that its state has ended.
SyncMode::SyncMode(const Setup &setup)
    : rounds(setup.rounds), live(*setup.live), clock(*setup.clock),
      pulls(*setup.store, setup.trainers, setup.rounds),
      prefetches(setup.rounds, units), ended(setup.endedStep) {
  trainers.reserve(setup.trainers);
  for (int i = 0; i < setup.trainers; ++i) {
    trainers.push_back({CallOrder(i, rounds), {}});
    trainers.back().order.step = ended;
  }
}

/// Units have addresses that stay: pulls and prefetches refer to them.
void SyncMode::addUnit(const ParameterState::Unit &unit,
                       PushedGradients *pushed) {
  auto own = std::make_unique<SyncUnit>(unit, pushed);
  own->updated = own->ended = ended;
  numPushed += pushed != nullptr;
  if (!unit.table)
    pulls.setUnit(unit.name, *own);
  units.push_back(std::move(own));
}

//===----------------------------------------------------------------------===//
// Trainers
//===----------------------------------------------------------------------===//

void SyncMode::join(int trainer) {
  CallOrder &order = trainers[trainer].order;
  if (order.phase == Phase::Absent)
    order.phase = Phase::Pulling;
}

void SyncMode::replace(int trainer, const absl::Status &status,
                       DeferredReplies &replies) {
  drop(trainer, status, replies);
  pulls.startStep(trainer);
}

/// Fails what `trainer` has sent ahead of time.
void SyncMode::drop(int trainer, const absl::Status &status,
                    DeferredReplies &replies) {
  prefetches.drop(trainer, status, replies);
  pulls.drop(trainer, status, replies);
}

/// Where it has pushed, means are taken over it, and it waits for their update.
absl::Status SyncMode::checkLeave(int trainer) const {
  const CallOrder &order = trainers[trainer].order;
  const bool hasPushed =
      std::any_of(units.begin(), units.end(), [&](const auto &unit) {
        return unit->pushed && unit->pushed->hasPushed(trainer);
      });
  return hasPushed || order.isWithinStep()
             ? order.outOfOrder("complete", order.step)
             : absl::OkStatus();
}

/// What the others have pushed is all that there is now. A trainer that is lost
/// leaves in the middle of a step.
void SyncMode::leave(int trainer, DeferredReplies &replies) {
  const absl::Status why = absl::FailedPreconditionError(
      absl::StrCat("trainer ", trainer, " has completed"));
  trainers[trainer].order.phase = Phase::Completed;
  replies.add(std::exchange(trainers[trainer].barrier, {}), why);
  drop(trainer, why, replies);
  for (const std::unique_ptr<SyncUnit> &unit : units)
    updateIfComplete(*unit);
  endStepIfComplete();
}

void SyncMode::cancel(const absl::Status &status, DeferredReplies &replies) {
  for (Trainer &trainer : trainers)
    replies.add(std::exchange(trainer.barrier, {}), status);
  prefetches.cancel(status, replies);
  pulls.cancel(status, replies);
}

absl::Status SyncMode::outOfOrder(int trainer, absl::string_view found) const {
  return trainers[trainer].order.outOfOrder(found);
}

std::string SyncMode::nameStep(int trainer) const {
  return trainers[trainer].order.nameStep();
}

bool SyncMode::isWorking(int trainer) const {
  return trainers[trainer].order.phase == Phase::Pushing;
}

/// "blocks 'a' and 'b' and table 't'".
std::string SyncMode::nameUnits() const {
  std::vector<const SyncUnit *> blocks, tables;
  for (const std::unique_ptr<SyncUnit> &unit : units)
    (unit->held.table ? tables : blocks).push_back(unit.get());
  auto name = [](const std::vector<const SyncUnit *> &of, const char *noun) {
    return nameBlocks(
        of.size(),
        [&](size_t i) -> const std::string & { return of[i]->held.name; },
        noun);
  };
  if (tables.empty())
    return name(blocks, "block");
  return blocks.empty() ? name(tables, "table")
                        : absl::StrCat(name(blocks, "block"), " and ",
                                       name(tables, "table"));
}

/// What the trainer would have to send next, for errors about silent or late
/// trainers.
std::string SyncMode::describePending(int trainer) const {
  const CallOrder &order = trainers[trainer].order;
  std::string pending;
  const char *barrier = "send";
  switch (order.phase) {
  case Phase::Absent:
    return "it has not connected";
  case Phase::Completed:
    return "it has completed";
  case Phase::Waiting:
    return absl::StrCat("it had pushed every block of step ", order.nameStep());
  case Phase::Pulling:
    pending = pulls.describePending(order);
    barrier = "fetch";
    break;
  case Phase::Pushing:
    for (const std::unique_ptr<SyncUnit> &unit : units)
      if (pending.empty() && unit->pushed && unit->held.round == order.round())
        pending = unit->pushed->describePending(trainer);
    break;
  }
  if (pending.empty())
    return absl::StrCat("it had not sent the ", barrier, " barrier of step ",
                        order.nameStep(), " for ", nameUnits());
  return absl::StrCat(pending, " at step ", order.nameStep());
}

/// The first trainer that keeps the step from ending. One that has
/// not connected is not late: it has the time that connecting may take.
std::optional<Overdue> SyncMode::findOverdue() const {
  if (!waitBegan)
    return std::nullopt;
  for (int id : live) {
    const Phase phase = trainers[id].order.phase;
    if (phase == Phase::Pulling || phase == Phase::Pushing)
      return Overdue{id, *waitBegan};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Pushes and barriers
//===----------------------------------------------------------------------===//

absl::Status SyncMode::checkPush(int trainer, int64_t step,
                                 absl::string_view noun,
                                 absl::string_view name) const {
  const CallOrder &order = trainers[trainer].order;
  if (order.phase == Phase::Pushing && step == order.step)
    return absl::OkStatus();
  return order.outOfOrder(absl::StrCat("push of ", noun, " '", name, "'"),
                          step);
}

absl::Status SyncMode::checkPushPull(int trainer) const {
  if (rounds.count != 1)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected pushes that are pulls where steps have one round, found one "
        "where they have ",
        rounds.count, " from trainer ", trainer));
  if (barriers == Barriers::Sent)
    return absl::FailedPreconditionError(
        absl::StrCat("expected send barriers of all trainers or of none, found "
                     "a push that implies one from trainer ",
                     trainer));
  return absl::OkStatus();
}

void SyncMode::pushed(int trainer, int64_t /*step*/) {
  trainers[trainer].order.hasPushed = true;
}

/// A unit may be updated before the send barriers only where a step is one
/// round: the values of a round may be pulled until the trainer's next send
/// barrier, and another round of the step may be where they are pushed.
void SyncMode::updateIfComplete(SyncUnit &unit) {
  if (rounds.count != 1 || unit.due || unit.updated > ended || !unit.pushed ||
      !unit.pushed->hasAll(live))
    return;
  unit.due = true;
  due.push_back(unit.held.number);
}

void SyncMode::merged(int trainer, int unit) {
  updateIfComplete(*units[unit]);
  // The last messages of one that is lost may have been under way.
  if (barriers != Barriers::Implied ||
      trainers[trainer].order.phase == Phase::Completed ||
      !units[unit]->pushed->isComplete(trainer))
    return;
  if (++trainers[trainer].complete == numPushed)
    awaitEnd(trainer);
}

/// The trainer has pushed all of the step.
void SyncMode::awaitEnd(int trainer) {
  trainers[trainer].order.phase = Phase::Waiting;
  if (!waitBegan)
    waitBegan = clock.now();
  endStepIfComplete();
}

/// The step ends when every live trainer has said that it has pushed all of it:
/// one that contributes nothing to some table pushes nothing of it.
void SyncMode::endStepIfComplete() {
  ending = ending ||
           (!live.empty() && std::all_of(live.begin(), live.end(), [&](int id) {
             return trainers[id].order.phase == Phase::Waiting;
           }));
}

/// A missing gradient would otherwise show only as a step that never ends.
absl::Status SyncMode::checkAllPushed(int trainer) const {
  const CallOrder &order = trainers[trainer].order;
  for (const std::unique_ptr<SyncUnit> &unit : units) {
    if (!unit->pushed || unit->held.round != order.round())
      continue;
    std::string pending = unit->pushed->describePending(trainer);
    if (!pending.empty())
      return absl::FailedPreconditionError(absl::StrCat(
          "expected ", unit->held.table ? "all rows" : "every block",
          " from trainer ", trainer, " before its send barrier: ", pending,
          " at step ", order.nameStep()));
  }
  return absl::OkStatus();
}

absl::Status SyncMode::sendBarrier(int trainer, int64_t step, Respond &done,
                                   DeferredReplies &replies) {
  Trainer &caller = trainers[trainer];
  CallOrder &order = caller.order;
  if (order.phase == Phase::Waiting && step == order.step) {
    replies.addRepeat(caller.barrier, std::move(done));
    return absl::OkStatus();
  }
  if (step >= 0 && (step < order.step ||
                    (order.phase == Phase::Pulling && step == order.step))) {
    replies.add(std::move(done), absl::OkStatus()); // A repeated one.
    return absl::OkStatus();
  }
  if (order.phase != Phase::Pushing || step != order.step)
    return order.outOfOrder("send barrier", step);
  if (barriers == Barriers::Implied)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected send barriers of all trainers or of none, found one of step ",
        order.nameStep(), " from trainer ", trainer));
  RETURN_IF_ERROR(checkAllPushed(trainer));
  barriers = Barriers::Sent;
  caller.barrier.push_back(std::move(done));
  awaitEnd(trainer);
  return absl::OkStatus();
}

/// The trainer has all values of the step and begins the next one.
absl::Status SyncMode::fetchBarrier(int trainer, int64_t step) {
  CallOrder &order = trainers[trainer].order;
  if (order.phase == Phase::Pulling && step == order.step) {
    order.startStep();
    pulls.startStep(trainer);
    return absl::OkStatus();
  }
  if (step >= startupStep && step < order.step)
    return absl::OkStatus(); // A repeated one.
  return order.outOfOrder("fetch barrier", step);
}

/// Nothing is updated until it pushes again: every update needs its gradients.
absl::Status SyncMode::checkSave(int trainer) const {
  const CallOrder &order = trainers[trainer].order;
  if (order.phase == Phase::Pushing && !order.hasPushed)
    return absl::OkStatus();
  return order.outOfOrder("save", order.step);
}

//===----------------------------------------------------------------------===//
// Pulls and prefetches
//===----------------------------------------------------------------------===//

absl::Status SyncMode::pull(int trainer, const Ranges &ranges, Respond &done,
                            DeferredReplies &replies) {
  return pulls.add(trainers[trainer].order, ranges, ended, done, replies);
}

absl::Status SyncMode::pushPull(int trainer, const Ranges &ranges,
                                Respond &done, DeferredReplies &replies) {
  barriers = Barriers::Implied;
  return pull(trainer, ranges, done, replies);
}

absl::Status SyncMode::checkPrefetch(int trainer, int64_t step, bool frozen,
                                     absl::string_view table) const {
  const CallOrder &order = trainers[trainer].order;
  if (frozen ? order.mayPrefetchFrozen() : order.mayPrefetch(step))
    return absl::OkStatus();
  return order.outOfOrder(absl::StrCat("prefetch of table '", table, "'"),
                          step);
}

absl::Status SyncMode::prefetch(Prefetch &prefetch) {
  return prefetches.add(prefetch, ended);
}

Reads SyncMode::takeReads(DeferredReplies &replies) {
  return {.rows = prefetches.takeReady(replies), .blocks = {}};
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// Either the units that are complete early, or, at the end of a step, all
/// units of its round that have not been updated yet.
void SyncMode::forEachDue(
    absl::FunctionRef<void(const SyncUnit &unit)> body) const {
  if (!ending) {
    for (int number : due)
      body(*units[number]);
    return;
  }
  for (const std::unique_ptr<SyncUnit> &unit : units)
    if (unit->pushed && unit->updated <= ended &&
        unit->held.round == rounds.roundOf(ended + 1))
      body(*unit);
}

size_t SyncMode::batchBytes() const {
  size_t bytes = 0;
  forEachDue([&](const SyncUnit &unit) {
    if (!unit.held.table)
      bytes += unit.held.pushed.bytes();
  });
  return bytes;
}

UpdateBatch SyncMode::takeBatch() {
  UpdateBatch batch;
  batch.step = ended + 1;
  batch.endsStep = ending;
  batch.contributors = live;
  forEachDue(
      [&](const SyncUnit &unit) { batch.units.push_back(unit.held.number); });
  due.clear();
  ending = false;
  return batch;
}

/// Marks the units as updated, ends the step if the batch did, and answers what
/// waited for either.
void SyncMode::applied(const UpdateBatch &batch, DeferredReplies &replies) {
  for (int number : batch.units) {
    SyncUnit &unit = *units[number];
    unit.updated = batch.step;
    unit.due = false;
    if (rounds.count == 1)
      unit.ended = batch.step;
  }
  if (batch.endsStep) {
    ended = batch.step;
    waitBegan.reset();
    if (rounds.endsStep(ended))
      for (const std::unique_ptr<SyncUnit> &unit : units)
        unit->ended = ended;
    for (int id : live) {
      Trainer &trainer = trainers[id];
      if (trainer.order.phase != Phase::Waiting)
        continue;
      trainer.order.phase = Phase::Pulling;
      replies.add(std::exchange(trainer.barrier, {}), absl::OkStatus());
      if (barriers == Barriers::Implied) {
        trainer.order.startStep();
        trainer.complete = 0;
        pulls.startStep(id);
      }
    }
  }
  prefetches.release(ended);
  pulls.release(ended, replies);
}
