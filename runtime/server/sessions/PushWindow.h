// SPDX-License-Identifier: Apache-2.0
//===- PushWindow.h - which pushes of a trainer have been accepted --------===//
//
// A trainer repeats a push whose answer it has not received. It numbers its
// pushes, so a repeated one is recognized here, is acknowledged and counts
// once, whatever the mode and whatever it pushes.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_SESSIONS_PUSHWINDOW_H
#define PS_RUNTIME_SERVER_SESSIONS_PUSHWINDOW_H

#include "absl/container/flat_hash_map.h"
#include "runtime/server/sessions/DeferredReplies.h"
#include "runtime/server/sessions/PushPullReply.h"
#include <vector>

namespace ps::runtime {

/// How far a push may be ahead of the first one that is missing. Trainers
/// number the messages of a block at once and send them a few at a time, so
/// those of another step may come first; there are fewer of them.
inline constexpr uint64_t maxPushesAhead = uint64_t(1) << 16;

/// The pushes of one incarnation, numbered from 1. Those up to settled() belong
/// to batches that have been applied; of later ones each that was accepted is
/// known. The caller locks.
class PushWindow {
public:
  explicit PushWindow(uint64_t settled = 0)
      : settledTo(settled), completeTo(settled), highest(settled) {}

  /// Whether push `sequence` was accepted before.
  bool has(uint64_t sequence) const {
    return sequence <= settledTo ? sequence != 0 : accepted.contains(sequence);
  }
  /// Whether push `sequence` was accepted before. Then moves from `done`: it is
  /// acknowledged, but not before the first one is, which still reads the
  /// sender's memory.
  bool acknowledgeRepeat(uint64_t sequence, Respond &done,
                         DeferredReplies &replies);
  /// RESOURCE_EXHAUSTED, naming the push that is missing, for one that is so
  /// far ahead of it that the trainer must have skipped it.
  absl::Status check(uint64_t sequence) const;
  /// Push `sequence`, which was accepted, is a pull, too.
  void setReply(uint64_t sequence,
                const std::shared_ptr<PushPullReply> &reply) {
    accepted.find(sequence)->second.reply = reply;
  }
  /// Its reply; null where it is not waited for any more.
  std::shared_ptr<PushPullReply> findReply(uint64_t sequence) const {
    auto found = accepted.find(sequence);
    return found == accepted.end() ? nullptr : found->second.reply.lock();
  }
  /// Accepts push `sequence`, which is done after `parts` calls of finishPart.
  void accept(uint64_t sequence, size_t parts, Respond done);
  /// Replies after the last part, with the first failure of any.
  void finishPart(uint64_t sequence, DeferredReplies &replies,
                  const absl::Status &status = absl::OkStatus());
  /// All that was accepted is part of the batches that have been applied.
  void settle();
  /// What is finished is: where pushes are applied one by one, before they are
  /// finished.
  void settleFinished();

  uint64_t settled() const { return settledTo; }

private:
  struct Push {
    size_t remaining = 0;
    absl::Status status;
    Respond done;
    std::vector<Respond> repeats;
    std::weak_ptr<PushPullReply> reply;
  };

  /// Pushes after `settledTo`, by their number.
  absl::flat_hash_map<uint64_t, Push> accepted;
  uint64_t settledTo;
  /// Up to here none is missing.
  uint64_t completeTo;
  uint64_t highest;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SESSIONS_PUSHWINDOW_H
