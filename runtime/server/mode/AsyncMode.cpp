// SPDX-License-Identifier: Apache-2.0
//===- AsyncMode.cpp - training without a common step ---------------------===//

#include "runtime/server/mode/AsyncMode.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Ranges.h"
#include "runtime/server/mode/WaitingRequests.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

AsyncMode::AsyncMode(const Setup &setup, std::string name)
    : modeName(std::move(name)), live(*setup.live), clock(*setup.clock),
      bound(setup.staleness), trainers(setup.trainers), ended(setup.endedStep) {
  std::span<const VariableSpec> specs = setup.store->variables();
  for (size_t i = 0; i < specs.size(); ++i)
    variables[specs[i].name].tensor = setup.store->tensor(i);
  for (Trainer &trainer : trainers)
    trainer.step = ended;
}

void AsyncMode::addUnit(const ParameterState::Unit &unit,
                        PushedGradients *pushed) {
  if (!unit.table)
    variables.find(unit.name)->second.unit = unit.number;
  units.push_back({unit, pushed, 0, std::vector<uint64_t>(trainers.size())});
}

//===----------------------------------------------------------------------===//
// Trainers
//===----------------------------------------------------------------------===//

void AsyncMode::join(int trainer) {
  if (trainers[trainer].phase == Phase::Absent)
    trainers[trainer].phase = Phase::Working;
}

/// What it has pushed remains: a batch that is due is applied.
void AsyncMode::replace(int trainer, const absl::Status &status,
                        DeferredReplies &replies) {
  drop(trainer, status, replies);
  replies.add(std::exchange(trainers[trainer].barrier, {}), status);
  if (trainers[trainer].phase == Phase::Finished)
    trainers[trainer].phase = Phase::Working;
}

/// Fails what it has asked for.
void AsyncMode::drop(int trainer, const absl::Status &status,
                     DeferredReplies &replies) {
  auto isOwn = [&](const auto &request) { return request.trainer == trainer; };
  std::erase_if(pulling,
                [&](const auto &each) { return each.first.first == trainer; });
  for (Reads *each : {&reads, &ahead}) {
    fail(takeIf(each->rows, isOwn), status, replies);
    fail(takeIf(each->blocks, isOwn), status, replies);
  }
}

absl::Status AsyncMode::checkLeave(int trainer) const {
  const bool hasPushed =
      std::any_of(units.begin(), units.end(), [&](const Unit &unit) {
        return unit.pushed && unit.pushed->hasPushed(trainer);
      });
  return hasPushed ? outOfOrder(trainer, "a complete") : absl::OkStatus();
}

void AsyncMode::leave(int trainer, DeferredReplies &replies) {
  trainers[trainer].phase = Phase::Completed;
  drop(trainer,
       absl::FailedPreconditionError(
           absl::StrCat("trainer ", trainer, " has completed")),
       replies);
  replies.add(std::exchange(trainers[trainer].barrier, {}), absl::OkStatus());
  answerBarriers(replies);
  release();
}

void AsyncMode::cancel(const absl::Status &status, DeferredReplies &replies) {
  for (Trainer &trainer : trainers)
    replies.add(std::exchange(trainer.barrier, {}), status);
  for (Reads *each : {&reads, &ahead}) {
    fail(std::exchange(each->rows, {}), status, replies);
    fail(std::exchange(each->blocks, {}), status, replies);
  }
}

absl::Status AsyncMode::outOfOrder(int trainer, absl::string_view found) const {
  const char *expected = "";
  switch (trainers[trainer].phase) {
  case Phase::Absent:
    expected = "a handshake";
    break;
  case Phase::Working:
    expected = "answers to its pushes before anything else";
    break;
  case Phase::Finished:
    expected = "no pushes after its send barrier";
    break;
  case Phase::Completed:
    expected = "nothing after its completion";
    break;
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "expected ", expected, " from trainer ", trainer, ", found ", found));
}

std::string AsyncMode::nameStep(int trainer) const {
  return absl::StrCat(trainers[trainer].step);
}

bool AsyncMode::isWorking(int trainer) const {
  return trainers[trainer].phase == Phase::Working;
}

std::string AsyncMode::describePending(int trainer) const {
  switch (trainers[trainer].phase) {
  case Phase::Absent:
    return "it has not connected";
  case Phase::Finished:
    return "it had finished its last step";
  case Phase::Completed:
    return "it has completed";
  case Phase::Working:
    break;
  }
  return trainers[trainer].step == startupStep
             ? "it had not pushed anything"
             : absl::StrCat("it had pushed step ", nameStep(trainer), " last");
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

/// How far a step may be ahead of what its trainer pushed last. Steps count up:
/// a push of one that is far away would let rows age all at once, and a read of
/// one would never be due.
static constexpr int64_t mostAhead = int64_t{1} << 20;

bool AsyncMode::isNear(int trainer, int64_t step) const {
  return step >= startupStep && step <= trainers[trainer].step + mostAhead;
}

absl::Status AsyncMode::farStep(int trainer, absl::string_view what,
                                int64_t step) const {
  return absl::FailedPreconditionError(
      absl::StrCat("expected a step from ", startupStep, " to ",
                   trainers[trainer].step + mostAhead, " from trainer ",
                   trainer, ", found ", what, " of step ", step));
}

absl::Status AsyncMode::checkPush(int trainer, int64_t step,
                                  absl::string_view noun,
                                  absl::string_view name) const {
  const bool isWorking = trainers[trainer].phase == Phase::Working;
  if (isWorking && step >= 0 && isNear(trainer, step))
    return absl::OkStatus();
  const std::string what = absl::StrCat("a push of ", noun, " '", name, "'");
  return isWorking && step != startupStep
             ? farStep(trainer, what, step)
             : outOfOrder(trainer, absl::StrCat(what, " of step ", step));
}

absl::Status AsyncMode::checkPushPull(int trainer) const {
  return absl::FailedPreconditionError(absl::StrCat(
      "expected pushes that are pulls in mode=sync only, found one "
      "in mode=",
      name(), " from trainer ", trainer));
}

void AsyncMode::pushed(int trainer, int64_t step) {
  if (step <= trainers[trainer].step)
    return;
  trainers[trainer].step = step;
  release();
}

void AsyncMode::merged(int trainer, int unit) {
  if (units[unit].pushed->isComplete(trainer))
    due.push_back({trainer, unit});
}

size_t AsyncMode::batchBytes() const {
  size_t bytes = 0;
  for (const Due &each : due)
    if (const ParameterState::Unit &unit = units[each.unit].held;
        each.trainer == due.front().trainer && !unit.table)
      bytes += unit.pushed.bytes();
  return bytes;
}

/// All that is due of the trainer whose push came first: these are different
/// units, so they are updated at once.
UpdateBatch AsyncMode::takeBatch() {
  const int trainer = due.front().trainer;
  UpdateBatch batch;
  for (const Due &each : takeIf(due, [&](const Due &candidate) {
         return candidate.trainer == trainer;
       }))
    batch.units.push_back(each.unit);
  batch.step = std::max(ended, trainers[trainer].step);
  batch.contributors = {trainer};
  batch.endsStep = batch.step > ended;
  batch.settles = true;
  return batch;
}

void AsyncMode::applied(const UpdateBatch &batch, DeferredReplies &) {
  ended = batch.step;
  const int trainer = batch.contributors.front();
  for (int number : batch.units) {
    Unit &unit = units[number];
    measured.add(unit.version - unit.read[trainer]);
    ++unit.version;
  }
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// The live trainer whose last push is of the earliest step, of those that have
/// not pushed all they will; -1 where all have.
int AsyncMode::slowest() const {
  int found = -1;
  for (int id : live)
    if (trainers[id].phase != Phase::Finished &&
        (found < 0 || trainers[id].step < trainers[found].step))
      found = id;
  return found;
}

/// Whether values may be read for the step that comes after `after`.
bool AsyncMode::mayRead(int64_t after) const {
  if (!bound)
    return true;
  const int last = slowest();
  return last < 0 || after - *bound <= trainers[last].step;
}

/// What waits for a slower trainer and need not any more is read next.
void AsyncMode::release() {
  for (Prefetch &each : takeIf(ahead.rows, [&](const Prefetch &candidate) {
         return mayRead(candidate.step - 1);
       }))
    reads.rows.push_back(std::move(each));
  for (PulledBlocks &each :
       takeIf(ahead.blocks, [&](const PulledBlocks &candidate) {
         return mayRead(candidate.step);
       }))
    reads.blocks.push_back(std::move(each));
  if (ahead.rows.empty() && ahead.blocks.empty())
    waitBegan.reset();
  else if (!waitBegan)
    waitBegan = clock.now();
}

std::optional<Overdue> AsyncMode::findOverdue() const {
  const int last = slowest();
  return waitBegan && last >= 0 ? std::optional(Overdue{last, *waitBegan})
                                : std::nullopt;
}

bool AsyncMode::hasRoom(int trainer) const {
  auto isOwn = [&](const auto &request) { return request.trainer == trainer; };
  ptrdiff_t count = 0;
  for (const Reads *each : {&reads, &ahead})
    count += std::ranges::count_if(each->rows, isOwn) +
             std::ranges::count_if(each->blocks, isOwn);
  return count < WaitingRequests<Prefetch>::maxOfTrainer;
}

absl::Status AsyncMode::tooMany(int trainer, absl::string_view what) const {
  return absl::ResourceExhaustedError(
      absl::StrCat("expected at most ", WaitingRequests<Prefetch>::maxOfTrainer,
                   " pulls and prefetches without an answer from trainer ",
                   trainer, ", found another, of ", what));
}

/// The chunks of a block are asked for by themselves, and updates may come
/// between: all that a trainer asks for in a pull are of one copy, which is
/// kept until it has asked for all of them. One that is sent again after that
/// is of another copy, and the trainer, which sees so, pulls the block anew.
/// Null where the range is the block.
std::shared_ptr<BlockCopy> AsyncMode::copyFor(int trainer,
                                              const wire::Range &range) {
  if (range.size() == range.block_bytes())
    return nullptr;
  const auto place = pulling.try_emplace({trainer, range.block()}).first;
  Pulling &state = place->second;
  if (!state.copy || state.step != range.step() || state.pull != range.pull()) {
    const TensorRef &tensor = variables.find(range.block())->second.tensor;
    state = {range.step(), range.pull(), {}, std::make_shared<BlockCopy>()};
    state.copy->block = {tensor.data, tensor.type.bytes()};
    state.copy->name = ++copyName;
  }
  std::shared_ptr<BlockCopy> copy = state.copy;
  state.offsets.insert(range.offset());
  if (state.offsets.size() == numChunks(range.block_bytes()))
    pulling.erase(place);
  return copy;
}

absl::Status AsyncMode::pull(int trainer, const Ranges &ranges, Respond &done,
                             DeferredReplies &) {
  RETURN_IF_ERROR(checkCount(ranges, "pull", trainer));
  if (trainers[trainer].phase == Phase::Absent ||
      trainers[trainer].phase == Phase::Completed)
    return outOfOrder(trainer, "a pull");
  PulledBlocks pull;
  pull.trainer = trainer;
  pull.step = ranges[0].step();
  for (const wire::Range &range : ranges) {
    auto found = variables.find(range.block());
    if (found == variables.end())
      return unknownBlock(range, "pull", trainer);
    const Variable &variable = found->second;
    RETURN_IF_ERROR(checkRange(range, variable.tensor.type, "pull", trainer));
    if (!isNear(trainer, range.step()))
      return farStep(trainer,
                     absl::StrCat("a pull of block '", range.block(), "'"),
                     range.step());
    pull.parts.push_back(
        {{variable.tensor.data + range.offset(), range.size()}, variable.unit});
  }
  if (!hasRoom(trainer))
    return tooMany(trainer, absl::StrCat("block '", ranges[0].block(), "'"));
  for (int i = 0; i < ranges.size(); ++i)
    pull.parts[i].of = copyFor(trainer, ranges[i]);
  pull.done = std::move(done);
  ahead.blocks.push_back(std::move(pull));
  release();
  return absl::OkStatus();
}

absl::Status AsyncMode::pushPull(int trainer, const Ranges & /*ranges*/,
                                 Respond & /*done*/,
                                 DeferredReplies & /*replies*/) {
  return checkPushPull(trainer);
}

absl::Status AsyncMode::checkPrefetch(int trainer, int64_t step,
                                      bool /*frozen*/,
                                      absl::string_view table) const {
  const Phase phase = trainers[trainer].phase;
  const bool isThere = phase == Phase::Working || phase == Phase::Finished;
  if (isThere && isNear(trainer, step))
    return absl::OkStatus();
  const std::string what = absl::StrCat("a prefetch of table '", table, "'");
  return isThere ? farStep(trainer, what, step) : outOfOrder(trainer, what);
}

absl::Status AsyncMode::prefetch(Prefetch &prefetch) {
  if (!hasRoom(prefetch.trainer))
    return tooMany(prefetch.trainer,
                   absl::StrCat("table '", prefetch.table->name(), "'"));
  (prefetch.frozen ? reads : ahead).rows.push_back(std::move(prefetch));
  release();
  return absl::OkStatus();
}

/// No batch is applied before they are read.
Reads AsyncMode::takeReads(DeferredReplies &) {
  auto note = [&](int trainer, int unit) {
    units[unit].read[trainer] = units[unit].version;
  };
  for (const PulledBlocks &pull : reads.blocks)
    for (const PulledBlocks::Part &part : pull.parts)
      if (part.unit >= 0)
        note(pull.trainer, part.unit);
  for (const Prefetch &prefetch : reads.rows)
    note(prefetch.trainer, prefetch.table->unit());
  return std::exchange(reads, {});
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

absl::Status AsyncMode::sendBarrier(int trainer, int64_t /*step*/,
                                    Respond &done, DeferredReplies &replies) {
  Trainer &caller = trainers[trainer];
  if (caller.phase == Phase::Absent || caller.phase == Phase::Completed)
    return outOfOrder(trainer, "a send barrier");
  RETURN_IF_ERROR(checkLeave(trainer));
  caller.phase = Phase::Finished;
  replies.addRepeat(caller.barrier, std::move(done));
  answerBarriers(replies);
  release();
  return absl::OkStatus();
}

void AsyncMode::answerBarriers(DeferredReplies &replies) {
  if (std::any_of(live.begin(), live.end(), [&](int id) {
        return trainers[id].phase != Phase::Finished;
      }))
    return;
  for (int id : live)
    replies.add(std::exchange(trainers[id].barrier, {}), absl::OkStatus());
}

absl::Status AsyncMode::fetchBarrier(int trainer, int64_t step) {
  return outOfOrder(trainer, absl::StrCat("a fetch barrier of step ", step));
}

/// Saves run between batches, so each server's part is of one moment.
absl::Status AsyncMode::checkSave(int trainer) const {
  const Phase phase = trainers[trainer].phase;
  return phase == Phase::Working || phase == Phase::Finished
             ? absl::OkStatus()
             : outOfOrder(trainer, "a save");
}
