// SPDX-License-Identifier: Apache-2.0
//===- Saves.h - savings that trainer 0 asks a pserver for ----------------===//

#ifndef PS_RUNTIME_TRANSPORT_SAVES_H
#define PS_RUNTIME_TRANSPORT_SAVES_H

#include "runtime/transport/Answers.h"
#include "runtime/transport/PServer.h"
#include <optional>
#include <vector>

namespace ps::runtime {

/// The saving under way, or the last one, whose request may be repeated. The
/// caller locks, except for run().
class Saves {
public:
  /// Takes a request, repeated or not, and moves from `done`; or
  /// FAILED_PRECONDITION for one that is out of order, and leaves `done` alone.
  absl::Status add(const SaveRequest &request, ReceiveSaved &done,
                   Answers &answers);
  /// Whether there is a request to run, which take() returns once.
  bool isDue() const { return state == State::Due; }
  SaveRequest take();
  static absl::StatusOr<SavedPart> run(const SaveRequest &request,
                                       Saver &saver);
  /// What run() has returned for the request that was taken.
  void finish(absl::StatusOr<SavedPart> part, Answers &answers);
  /// Answers those who wait.
  void cancel(const absl::Status &status, Answers &answers);

private:
  enum class State { Idle, Due, Running, Finished };

  State state = State::Idle;
  SaveRequest latest;
  absl::StatusOr<SavedPart> result;
  std::vector<ReceiveSaved> waiting;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_SAVES_H
