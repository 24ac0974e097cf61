// SPDX-License-Identifier: Apache-2.0
//===- Saves.h - checkpoints that trainer 0 asks a pserver for ------------===//

#ifndef PS_RUNTIME_SERVER_SAVES_H
#define PS_RUNTIME_SERVER_SAVES_H

#include "runtime/base/Clock.h"
#include "runtime/server/PServer.h"
#include "runtime/server/sessions/DeferredReplies.h"
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// The save request under way, or the last one, which may be repeated. The
/// caller holds a lock during every call except run().
class Saves {
public:
  /// Accepts a request, repeated or not, and moves from `done`. For one that is
  /// out of order it returns FAILED_PRECONDITION and leaves `done` alone.
  absl::Status add(const SaveRequest &request, Clock::TimePoint now,
                   Respond &done, DeferredReplies &replies);
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
  /// Whether a request has not been answered.
  bool isBusy() const { return state == State::Due || state == State::Running; }
  /// Whether a checkpoint is to be staged, or is and neither published nor
  /// discarded nor failed yet.
  bool isUnderWay() const;
  SaveRequest take();
  /// RESOURCE_EXHAUSTED when memory runs out.
  static absl::StatusOr<SavedPart> run(const SaveRequest &request,
                                       Saver &saver);
  /// A moment, and the steps that are done then.
  struct Moment {
    Clock::TimePoint at;
    int64_t steps = 0;
  };
  /// Answers the request that take() returned with the result of run().
  void finish(absl::StatusOr<SavedPart> part, Moment now,
              DeferredReplies &replies);
  /// Fails the calls that wait for an answer.
  void cancel(const absl::Status &status, DeferredReplies &replies);

  /// The last request.
  struct Activity {
    enum class Result { UnderWay, Done, Failed };
    Result result = Result::UnderWay;
    /// "stage", "flush", ...
    const char *phase = "";
    uint64_t number = 0;
    /// When it came, or ended.
    Clock::TimePoint since;
    /// Why it failed.
    std::string error;
  };
  /// Nothing before the first.
  std::optional<Activity> activity() const;

  struct Published {
    uint64_t number = 0;
    /// The steps that it contains.
    int64_t steps = 0;
    Clock::TimePoint at;
  };
  /// The last one; nothing before the first.
  const std::optional<Published> &published() const { return lastPublished; }

private:
  enum class State { Idle, Due, Running, Finished };

  absl::Status checkOrder(const SaveRequest &request) const;
  bool follows(const SaveRequest &request, SaveRequest::Phase before) const;
  absl::StatusOr<Response> answer() const;

  State state = State::Idle;
  SaveRequest latest;
  /// Whether what was staged last marks rows as saved when it is published.
  bool marksRows = false;
  /// When `latest` came, or ended.
  Clock::TimePoint changedAt;
  int64_t stagedSteps = 0;
  std::optional<Published> lastPublished;
  absl::StatusOr<SavedPart> result;
  std::vector<Respond> waiting;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SAVES_H
