// SPDX-License-Identifier: Apache-2.0
//===- Saves.h - checkpoints that trainer 0 asks a pserver for ------------===//

#ifndef PS_RUNTIME_SERVER_SAVES_H
#define PS_RUNTIME_SERVER_SAVES_H

#include "runtime/server/PServer.h"
#include "runtime/server/sessions/DeferredReplies.h"
#include <vector>

namespace ps::runtime {

/// The save request under way, or the last one, which may be repeated. The
/// caller holds a lock during every call except run().
class Saves {
public:
  /// Accepts a request, repeated or not, and moves from `done`. For one that is
  /// out of order it returns FAILED_PRECONDITION and leaves `done` alone.
  absl::Status add(const SaveRequest &request, Respond &done,
                   DeferredReplies &replies);
  /// Whether `request` reads or marks what updates change; another one may run
  /// during updates.
  bool usesState(const SaveRequest &request) const;
  /// Whether a request is waiting to be run that uses the state, or uses none;
  /// take() returns it, once.
  bool isDueBetweenUpdates() const {
    return state == State::Due && usesState(latest);
  }
  bool isDueAtAnyTime() const {
    return state == State::Due && !usesState(latest);
  }
  SaveRequest take();
  /// RESOURCE_EXHAUSTED when memory runs out.
  static absl::StatusOr<SavedPart> run(const SaveRequest &request,
                                       Saver &saver);
  /// Answers the request that take() returned with the result of run().
  void finish(absl::StatusOr<SavedPart> part, DeferredReplies &replies);
  /// Fails the calls that wait for an answer.
  void cancel(const absl::Status &status, DeferredReplies &replies);

private:
  enum class State { Idle, Due, Running, Finished };

  absl::Status checkOrder(const SaveRequest &request) const;
  absl::StatusOr<Response> answer() const;

  State state = State::Idle;
  SaveRequest latest;
  /// Whether what was staged last marks rows as saved when it is published.
  bool marksRows = false;
  absl::StatusOr<SavedPart> result;
  std::vector<Respond> waiting;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SAVES_H
