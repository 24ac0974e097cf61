// SPDX-License-Identifier: Apache-2.0
//===- OperationQueue.cpp - the order and members of operations -----------===//

#include "runtime/collective/OperationQueue.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

absl::Status OperationQueue::check(const CollectiveCall &call) const {
  if (left[self])
    return refuseOperation(call.key, self, " issues it, but has left the job");
  RETURN_IF_ERROR(checkAscending(call.key, last, self));
  return checkTypes(call.key, self, call.parts);
}

void OperationQueue::add(CollectiveCall call) {
  last = call.key;
  queue.push_back(std::move(call));
}

std::shared_ptr<RunningOperation> OperationQueue::startNext() {
  if (running || queue.empty())
    return nullptr;
  running = std::make_shared<RunningOperation>(std::move(queue.front()), self,
                                               static_cast<int>(left.size()),
                                               directBytes);
  queue.pop_front();
  return running;
}

void OperationQueue::endCurrent(bool refused) {
  if (!refused)
    begun = running->key();
  else if (queue.empty())
    last = begun;
  running = nullptr;
}

std::vector<CollectiveCall> OperationQueue::takeQueued() {
  std::vector<CollectiveCall> calls;
  for (CollectiveCall &call : queue)
    calls.push_back(std::move(call));
  queue.clear();
  return calls;
}

/// Announcements of trainers that have joined are of a later operation.
absl::Status OperationQueue::match() {
  const OperationKey &key = running->key();
  for (size_t i = 0; i != announced.size(); ++i) {
    const int trainer = static_cast<int>(i);
    std::optional<Announcement> &theirs = announced[i];
    if (!theirs || left[i] || running->hasJoined(trainer))
      continue;
    if (theirs->key == key && theirs->signature == running->signature()) {
      // A peer that breaks the protocol ends the job.
      if (absl::Status s = running->join(trainer, std::move(theirs->values));
          !s.ok())
        return absl::InternalError(s.message());
      theirs.reset();
    } else if (trainer > self) {
      continue; // It refuses its own, and announces another one.
    } else if (theirs->key == key) {
      return refuseOperation(key, self, " has other tensors than trainer ",
                             trainer);
    } else if (theirs->key > key) {
      return refuseOperation(key, self, " issues it, but trainer ", trainer,
                             " has gone on to ", theirs->key.str(),
                             ": expected the same operations");
    } else {
      return refuseOperation(key, self, " issues it without ",
                             theirs->key.str(),
                             ", which others wait for: expected the same "
                             "operations");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::vector<int>>> OperationQueue::findMembers() {
  const OperationKey &key = running->key();
  if (key.kind == OperationKind::Broadcast && left[0] && !running->hasJoined(0))
    return absl::AbortedError("trainer 0, whose value it is, has left the job");
  const bool isFirst = key.step != memberStep || key.isSum();
  std::vector<int> joined;
  bool isWaiting = false;
  for (int i = 0; i != static_cast<int>(left.size()); ++i) {
    if (running->hasJoined(i))
      joined.push_back(i);
    else if (isFirst)
      isWaiting |= !left[i];
    else if (members[i] && left[i])
      return absl::AbortedError(
          absl::StrCat("trainer ", i, " has left within the step"));
    else
      isWaiting |= members[i];
  }
  if (isWaiting)
    return std::nullopt;
  if (isFirst && !key.isSum()) {
    memberStep = key.step;
    members.assign(left.size(), false);
    for (int trainer : joined)
      members[trainer] = true;
  }
  return joined;
}
