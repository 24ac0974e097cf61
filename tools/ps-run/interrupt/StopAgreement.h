// SPDX-License-Identifier: Apache-2.0
//===- StopAgreement.h - the step before which all trainers stop ----------===//

#ifndef PS_TOOLS_PS_RUN_INTERRUPT_STOPAGREEMENT_H
#define PS_TOOLS_PS_RUN_INTERRUPT_STOPAGREEMENT_H

#include "absl/status/statusor.h"
#include "runtime/base/Event.h"
#include "runtime/base/Mutex.h"
#include "runtime/client/Client.h"
#include "runtime/collective/Communicator.h"
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ps {

/// Has trainers that keep step stop before the same step, so that nothing of a
/// later one is part of what they save. Each proposes the first step that
/// nothing has begun of, and none begins it before all have proposed; the last
/// of these steps is the one. The first proposal has all trainers asked to
/// stop. Thread-safe.
class StopAgreement : public std::enable_shared_from_this<StopAgreement> {
public:
  struct Options {
    int trainer = 0, trainers = 1;
    /// All pservers, the same one first for each trainer; none for a local run.
    std::vector<runtime::Client *> pservers;
    /// Where there is no pserver, the other trainers.
    runtime::Communicator *others = nullptr;
    /// Lets nothing of a further step begin ahead of it. Returns the first step
    /// of which nothing has.
    std::function<int64_t()> pause;
    /// The first step from this one on that a run may stop before.
    std::function<int64_t(int64_t)> roundUp;
  };
  static std::shared_ptr<StopAgreement> create(Options options) {
    return std::shared_ptr<StopAgreement>(
        new StopAgreement(std::move(options)));
  }

  /// This trainer was asked to stop. Does not block; idempotent.
  void propose();
  /// Whether `step` is not to be taken; waits for the proposals of others where
  /// that depends on them. With its error where there is no agreement.
  absl::StatusOr<bool> isOver(int64_t step);
  /// The same for a step that begins otherwise.
  absl::StatusOr<bool> isOverOrBegin(int64_t step);
  /// The first step that is not taken; unset before all have proposed.
  std::optional<int64_t> agreed() const;
  /// How long ago propose() was called; zero before.
  runtime::Clock::Duration sinceProposal() const;
  /// How many trainers stop there.
  int participants() const;

private:
  explicit StopAgreement(Options options) : options(std::move(options)) {}
  void receive(const std::vector<double> &proposals,
               const absl::Status &status);
  absl::StatusOr<bool> check(int64_t step, bool begins);

  const Options options;
  mutable runtime::Mutex mutex;
  /// The first step that has not begun here.
  int64_t next ABSL_GUARDED_BY(mutex) = 0;
  std::optional<int64_t> proposed ABSL_GUARDED_BY(mutex);
  runtime::Clock::TimePoint proposedAt ABSL_GUARDED_BY(mutex);
  std::optional<int64_t> end ABSL_GUARDED_BY(mutex);
  int count ABSL_GUARDED_BY(mutex) = 0;
  absl::Status result ABSL_GUARDED_BY(mutex);
  /// Raised when `end` or `result` is there.
  runtime::Event received;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_INTERRUPT_STOPAGREEMENT_H
