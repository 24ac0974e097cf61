// SPDX-License-Identifier: Apache-2.0
//===- InProcessGroup.cpp - the trainers of one process -------------------===//
//
// The group collects the calls of an operation. The last to arrive does the
// work for all, on its thread and outside the lock, and completes the others'
// calls.
//
// The first operation of a step waits for all trainers that have not left;
// those that took part in it are the members of the step.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/InProcessGroup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Timer.h"
#include "runtime/collective/Operation.h"
#include "runtime/collective/StopProposals.h"
#include <cstring>
#include <map>
#include <optional>

using namespace ps::runtime;

namespace {

using Kind = OperationKind;
using Key = OperationKey;

/// One trainer's call.
struct Call {
  std::vector<ReducePart> parts;
  Done done;
};

/// The calls of one operation so far, by trainer.
struct Operation {
  std::vector<std::optional<Call>> calls;
  Clock::TimePoint begin = Clock::steady().now();
};

/// Calls to end, outside the lock.
using EndedCalls = std::vector<std::pair<Done, absl::Status>>;

class Group : public std::enable_shared_from_this<Group> {
public:
  explicit Group(const GroupOptions &options)
      : timeout(absl::ToChronoNanoseconds(options.timeout)),
        live(options.trainers, true), last(options.trainers),
        stops(options.trainers) {}

  void join(int trainer, Key key, std::vector<ReducePart> parts, Done done);
  void proposeStop(int trainer, std::span<double> proposals, Done done);
  void complete(int trainer);
  void abort(int trainer, const std::string &reason);
  bool isLive(int trainer) const {
    MutexLock lock(mutex);
    return live[trainer];
  }
  absl::Status health() const {
    MutexLock lock(mutex);
    return failure;
  }
  std::string describePending(int trainer) const;

private:
  using Operations = std::map<Key, Operation>;

  absl::Status checkOrder(int trainer, Key key) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status checkParts(int trainer, Key key,
                          const std::vector<ReducePart> &parts) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  std::vector<int> findMissing(Key key, const Operation &operation) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status checkMembers(Key key, const std::vector<int> &missing) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  Operation take(Operations::iterator place)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  EndedCalls endStops() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  EndedCalls failAll(absl::Status reason) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void scheduleCheck() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void checkDeadlines();

  const Clock::Duration timeout;
  mutable Mutex mutex;
  std::vector<bool> live ABSL_GUARDED_BY(mutex);
  /// What each trainer has issued last.
  std::vector<std::optional<Key>> last ABSL_GUARDED_BY(mutex);
  Operations operations ABSL_GUARDED_BY(mutex);
  /// The newest step whose first operation all have called, and those trainers.
  std::optional<int64_t> memberStep ABSL_GUARDED_BY(mutex);
  std::vector<bool> members ABSL_GUARDED_BY(mutex);
  absl::Status failure ABSL_GUARDED_BY(mutex);
  bool checkScheduled ABSL_GUARDED_BY(mutex) = false;
  StopProposals stops ABSL_GUARDED_BY(mutex);
};

void finishAll(EndedCalls ended) {
  for (auto &[done, status] : ended)
    done(std::move(status));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The mean, or the sum.
void reduce(const std::vector<Call *> &calls, bool divides) {
  Call &first = *calls.front();
  for (size_t i = 0; i != first.parts.size(); ++i) {
    const ReducePart &part = first.parts[i];
    std::vector<const std::byte *> sources;
    for (Call *call : calls)
      sources.push_back(call->parts[i].gradient.data());
    const int64_t count = part.mean.size() / byteWidth(part.dtype);
    divides ? meanOf(part.dtype, sources, part.mean.data(), 0, count)
            : sumOf(part.dtype, sources, part.mean.data(), 0, count);
    for (Call *call : calls)
      if (call != &first)
        std::memcpy(call->parts[i].mean.data(), part.mean.data(),
                    part.mean.size());
  }
}

void copyToAll(const std::vector<Call *> &calls) {
  std::span<const std::byte> value = calls.front()->parts.front().gradient;
  for (Call *call : calls)
    if (call != calls.front())
      std::memcpy(call->parts.front().mean.data(), value.data(), value.size());
}

/// All calls have arrived, in order of ids.
void finish(Key key, Operation operation) {
  std::vector<Call *> calls;
  for (std::optional<Call> &call : operation.calls)
    if (call)
      calls.push_back(&*call);
  key.kind == Kind::Broadcast ? copyToAll(calls)
                              : reduce(calls, key.kind == Kind::AllReduce);
  for (Call *call : calls)
    call->done(absl::OkStatus());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The trainers whose calls are missing: members of the step, or, before its
/// first operation is complete and of sums, all that have not left.
std::vector<int> Group::findMissing(Key key, const Operation &operation) const {
  const std::vector<bool> &expected =
      key.step == memberStep && !key.isSum() ? members : live;
  std::vector<int> missing;
  for (size_t i = 0; i != expected.size(); ++i)
    if (expected[i] && !operation.calls[i])
      missing.push_back(i);
  return missing;
}

/// The first that it has called: the others come after it.
std::string Group::describePending(int trainer) const {
  MutexLock lock(mutex);
  for (const auto &[key, operation] : operations)
    if (operation.calls[trainer])
      return describeMissing(key, findMissing(key, operation));
  return "";
}

/// Removes an operation that all trainers have called. The first one of a step
/// decides which trainers are the members of the step.
Operation Group::take(Operations::iterator place) {
  if (place->first.step != memberStep && !place->first.isSum()) {
    memberStep = place->first.step;
    members.assign(live.size(), false);
    for (size_t i = 0; i != live.size(); ++i)
      members[i] = place->second.calls[i].has_value();
  }
  return std::move(operations.extract(place).mapped());
}

/// Fails where a trainer that has left is needed.
absl::Status Group::checkMembers(Key key,
                                 const std::vector<int> &missing) const {
  if (key.kind == Kind::Broadcast && !live[0])
    return absl::AbortedError("trainer 0, whose value it is, has left the job");
  for (int trainer : missing)
    if (!live[trainer])
      return absl::AbortedError(
          absl::StrCat("trainer ", trainer, " has left within the step"));
  return absl::OkStatus();
}

/// Whether `trainer` issues what the others do, in the same order.
absl::Status Group::checkOrder(int trainer, Key key) const {
  if (!live[trainer])
    return refuseOperation(key, trainer, " issues it, but has left the job");
  RETURN_IF_ERROR(checkAscending(key, last[trainer], trainer));
  // Trainers never go back in their order.
  for (auto &[other, operation] : operations)
    if (other < key && !operation.calls[trainer])
      return refuseOperation(
          key, trainer, " issues it without ", other.str(),
          ", which others wait for: expected the same operations");
  for (size_t i = 0; i != last.size(); ++i)
    if (live[i] && last[i] > key && !operations.contains(key))
      return refuseOperation(key, trainer, " issues it, but trainer ", i,
                             " has gone on to ", last[i]->str(),
                             ": expected the same operations");
  return absl::OkStatus();
}

/// Whether the parts of `trainer` can be merged with those of the others.
absl::Status Group::checkParts(int trainer, Key key,
                               const std::vector<ReducePart> &parts) const {
  RETURN_IF_ERROR(checkTypes(key, trainer, parts));
  auto place = operations.find(key);
  if (place == operations.end())
    return absl::OkStatus();
  const std::vector<std::optional<Call>> &calls = place->second.calls;
  for (size_t i = 0; i != calls.size(); ++i) {
    if (!calls[i])
      continue;
    const std::vector<ReducePart> &others = calls[i]->parts;
    bool alike = others.size() == parts.size();
    for (size_t j = 0; alike && j != parts.size(); ++j)
      alike = others[j].dtype == parts[j].dtype &&
              others[j].mean.size() == parts[j].mean.size();
    if (!alike)
      return refuseOperation(key, trainer, " has other tensors than trainer ",
                             i);
  }
  return absl::OkStatus();
}

void Group::join(int trainer, Key key, std::vector<ReducePart> parts,
                 Done done) {
  std::optional<Operation> complete;
  EndedCalls ended;
  absl::Status status;
  {
    MutexLock lock(mutex);
    status = failure;
    if (status.ok())
      status = checkOrder(trainer, key);
    if (status.ok())
      status = checkParts(trainer, key, parts);
    if (status.ok()) {
      last[trainer] = key;
      auto place = operations.try_emplace(key).first;
      place->second.calls.resize(live.size());
      place->second.calls[trainer] = {std::move(parts), std::move(done)};
      const std::vector<int> missing = findMissing(key, place->second);
      if (absl::Status lost = checkMembers(key, missing); !lost.ok()) {
        ended = failAll(std::move(lost));
      } else if (missing.empty()) {
        complete = take(place);
      } else if (!checkScheduled) {
        checkScheduled = true;
        scheduleCheck();
      }
    }
  }
  if (!status.ok())
    return done(std::move(status));
  finishAll(std::move(ended));
  if (complete)
    finish(key, *std::move(complete));
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// Empties the operations. Later calls fail with `reason` too.
EndedCalls Group::failAll(absl::Status reason) {
  failure.Update(reason);
  EndedCalls ended = stops.takeAll(failure);
  for (auto &[key, operation] : operations)
    for (std::optional<Call> &call : operation.calls)
      if (call)
        ended.emplace_back(
            std::move(call->done),
            absl::Status(reason.code(),
                         absl::StrCat(key.str(), ": ", reason.message())));
  operations.clear();
  return ended;
}

EndedCalls Group::endStops() {
  return stops.takeIfComplete(
      [this](int trainer) ABSL_NO_THREAD_SAFETY_ANALYSIS {
        return !live[trainer]; // Called with the lock.
      });
}

/// All members are in this process, which was asked to stop as a whole.
void Group::proposeStop(int trainer, std::span<double> proposals, Done done) {
  EndedCalls ended;
  {
    MutexLock lock(mutex);
    stops.add(trainer, proposals, std::move(done));
    ended = failure.ok() ? endStops() : stops.takeAll(failure);
  }
  finishAll(std::move(ended));
}

void Group::complete(int trainer) {
  std::vector<std::pair<Key, Operation>> complete;
  EndedCalls ended, left;
  {
    MutexLock lock(mutex);
    live[trainer] = false;
    left = stops.take(trainer, absl::CancelledError("it has completed"));
    for (auto place = operations.begin(); place != operations.end();) {
      auto here = place++;
      const Key key = here->first;
      const std::vector<int> missing = findMissing(key, here->second);
      if (absl::Status lost = checkMembers(key, missing); !lost.ok()) {
        ended = failAll(std::move(lost));
        break;
      }
      if (missing.empty())
        complete.emplace_back(key, take(here));
    }
    for (auto &each : endStops())
      ended.push_back(std::move(each));
  }
  finishAll(std::move(left));
  finishAll(std::move(ended));
  for (auto &[key, operation] : complete)
    finish(key, std::move(operation));
}

void Group::abort(int trainer, const std::string &reason) {
  EndedCalls ended;
  {
    MutexLock lock(mutex);
    live[trainer] = false;
    if (failure.ok())
      ended = failAll(absl::AbortedError(
          absl::StrCat("trainer ", trainer, " failed: ", reason)));
  }
  finishAll(std::move(ended));
}

//===----------------------------------------------------------------------===//
// Deadlines
//===----------------------------------------------------------------------===//

/// One look at a time, as long as a member waits. Called under the lock.
void Group::scheduleCheck() {
  Timer::shared().after(
      timeout / 8, [self = shared_from_this()] { self->checkDeadlines(); });
}

void Group::checkDeadlines() {
  EndedCalls ended;
  {
    MutexLock lock(mutex);
    auto now = Clock::steady().now();
    for (auto &[key, operation] : operations) {
      if (now - operation.begin < timeout)
        continue;
      std::vector<int> missing = findMissing(key, operation);
      ended = failAll(
          missingTrainers(missing, absl::FromChrono(now - operation.begin)));
      break;
    }
    checkScheduled = !operations.empty();
    if (checkScheduled)
      scheduleCheck();
  }
  finishAll(std::move(ended));
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

class Member final : public Communicator {
public:
  Member(std::shared_ptr<Group> group, int trainer)
      : group(std::move(group)), trainer(trainer) {}
  ~Member() override {
    if (group->isLive(trainer))
      group->abort(trainer, "it ended early");
  }

  void allReduce(int64_t step, int64_t channel, std::vector<ReducePart> parts,
                 Done done) override {
    group->join(trainer, {step, channel, Kind::AllReduce}, std::move(parts),
                std::move(done));
  }
  void broadcast(int64_t step, int64_t channel, std::span<std::byte> value,
                 Done done) override {
    group->join(trainer, {step, channel, Kind::Broadcast},
                {{DType::UI8, value, value}}, std::move(done));
  }
  void sum(int64_t step, int64_t index, std::span<double> values,
           Done done) override {
    const std::span<std::byte> bytes = std::as_writable_bytes(values);
    group->join(trainer, {step, index, Kind::Sum}, {{DType::F64, bytes, bytes}},
                std::move(done));
  }
  void proposeStop(std::span<double> proposals, Done done) override {
    group->proposeStop(trainer, proposals, std::move(done));
  }
  void complete() override { group->complete(trainer); }
  void abort(const std::string &reason) override {
    group->abort(trainer, reason);
  }
  absl::Status health() const override { return group->health(); }
  std::string describePending() const override {
    return group->describePending(trainer);
  }

private:
  std::shared_ptr<Group> group;
  int trainer;
};

} // namespace

std::vector<std::unique_ptr<Communicator>>
ps::runtime::makeInProcessGroup(GroupOptions options) {
  auto group = std::make_shared<Group>(options);
  std::vector<std::unique_ptr<Communicator>> members;
  for (int trainer = 0; trainer != options.trainers; ++trainer)
    members.push_back(std::make_unique<Member>(group, trainer));
  return members;
}
