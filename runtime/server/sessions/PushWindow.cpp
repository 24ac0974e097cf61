// SPDX-License-Identifier: Apache-2.0
//===- PushWindow.cpp - which pushes of a trainer have been accepted ------===//
//
// Pushes are numbered by the trainer. A push that is sent again after a lost
// answer has the same number and must not be merged twice: it is answered when
// the first one is. Numbers up to `settledTo` belong to steps that have ended;
// later ones are remembered individually, since pushes may arrive in any order.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/sessions/PushWindow.h"
#include "absl/strings/str_cat.h"
#include <algorithm>

using namespace ps::runtime;

bool PushWindow::acknowledgeRepeat(uint64_t sequence, Respond &done,
                                   DeferredReplies &replies) {
  if (!has(sequence))
    return false;
  auto found = accepted.find(sequence);
  if (found != accepted.end() && found->second.remaining != 0)
    replies.addRepeat(found->second.repeats, std::move(done));
  else
    replies.add(std::move(done), absl::OkStatus());
  return true;
}

absl::Status PushWindow::check(uint64_t sequence) const {
  if (sequence <= completeTo || sequence - completeTo <= maxPushesAhead)
    return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "expected push ", completeTo + 1, " and at most ", maxPushesAhead - 1,
      " later ones before it, found push ", sequence));
}

void PushWindow::accept(uint64_t sequence, size_t parts, Respond done) {
  accepted[sequence] = {parts, absl::OkStatus(), std::move(done), {}, {}};
  highest = std::max(highest, sequence);
  while (accepted.contains(completeTo + 1))
    ++completeTo;
}

void PushWindow::finishPart(uint64_t sequence, DeferredReplies &replies,
                            const absl::Status &status) {
  Push &push = accepted.find(sequence)->second;
  push.status.Update(status);
  if (--push.remaining != 0)
    return;
  replies.add(std::move(push.done), push.status);
  replies.add(std::exchange(push.repeats, {}), push.status);
}

/// Called at the end of a step: repeats of its pushes are recognized by their
/// numbers from then on.
void PushWindow::settle() {
  settledTo = completeTo = highest;
  absl::erase_if(accepted,
                 [](const auto &push) { return push.second.remaining == 0; });
}

/// Trainers number their pushes without gaps, so those that are finished reach
/// ever higher, and the others after them are few.
void PushWindow::settleFinished() {
  auto next = accepted.find(settledTo + 1);
  while (next != accepted.end() && next->second.remaining == 0) {
    accepted.erase(next);
    next = accepted.find(++settledTo + 1);
  }
  highest = std::max(highest, settledTo);
}
