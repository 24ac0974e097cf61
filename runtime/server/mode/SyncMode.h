// SPDX-License-Identifier: Apache-2.0
//===- SyncMode.h - synchronous training ----------------------------------===//
//
// All trainers work on the same step, where a step is a round of a program's:
//
//   1. a unit, a block or a table, is due when every live trainer has pushed
//      all of it. Units are independent, so each that is due is updated at
//      once. Where a step has several rounds, none is before 2;
//   2. when every live trainer has sent its send barrier, or where trainers
//      send none, has pushed all units, the rest of the round's units is due,
//      and with that batch the step ends: the barriers are answered and the
//      trainers pull;
//   3. pulls and prefetches that have come early wait. After each batch those
//      are answered whose units are all updated, or whose step has come.
//
// Values that a trainer has been answered do not change while they are sent: a
// unit changes next in step t + 1, which needs this trainer's push of it, and
// that comes after it has the answer to its pull of step t. What no unit stands
// for, the schedule's and the slots of optimizers, changes with the first unit
// at the earliest. For the same reason no trainer completes, and the mean's
// divisor does not change, once a unit of the step has been updated: each
// trainer has pushed then. Gradients of a unit are not written between its
// update and the end of the step, as each chunk counts once; those of the next
// step come after the fetch barrier, or after the answers to all pushes.
//
// None of that holds for a trainer that is lost: it leaves at any moment, and
// may be sent values that change meanwhile; its next call is refused. Gradients
// are kept apart by trainer then (Merging::Apart), and a batch takes those of
// the trainers that are live when it begins.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_MODE_SYNCMODE_H
#define PS_RUNTIME_SERVER_MODE_SYNCMODE_H

#include "absl/functional/function_ref.h"
#include "runtime/server/mode/CallOrder.h"
#include "runtime/server/mode/Mode.h"
#include "runtime/server/mode/Prefetches.h"
#include "runtime/server/mode/Pulls.h"
#include "runtime/server/mode/SyncUnit.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

class SyncMode final : public Mode {
public:
  explicit SyncMode(const Setup &setup);

  absl::string_view name() const override { return "sync"; }
  bool keepsStep() const override { return true; }
  void addUnit(const ParameterState::Unit &unit,
               PushedGradients *pushed) override;

  void join(int trainer) override;
  void replace(int trainer, const absl::Status &status,
               DeferredReplies &replies) override;
  absl::Status checkLeave(int trainer) const override;
  void leave(int trainer, DeferredReplies &replies) override;
  void cancel(const absl::Status &status, DeferredReplies &replies) override;
  absl::Status outOfOrder(int trainer, absl::string_view found) const override;
  std::string nameStep(int trainer) const override;
  int64_t stepOf(int trainer) const override {
    return rounds.stepOf(trainers[trainer].order.step);
  }
  bool isWorking(int trainer) const override;
  /// All take their last step together.
  bool hasFinished(int /*trainer*/) const override { return false; }
  std::string describePending(int trainer) const override;
  std::optional<Overdue> findOverdue() const override;

  absl::Status checkPush(int trainer, int64_t step, absl::string_view noun,
                         absl::string_view name) const override;
  absl::Status checkPushPull(int trainer) const override;
  void pushed(int trainer, int64_t step) override;
  void merged(int trainer, int unit) override;
  absl::Status pull(int trainer, const Ranges &ranges, Respond &done,
                    DeferredReplies &replies) override;
  absl::Status pushPull(int trainer, const Ranges &ranges, Respond &done,
                        DeferredReplies &replies) override;
  absl::Status checkPrefetch(int trainer, int64_t step, bool frozen,
                             absl::string_view table) const override;
  absl::Status prefetch(Prefetch &prefetch) override;
  absl::Status sendBarrier(int trainer, int64_t step, Respond &done,
                           DeferredReplies &replies) override;
  absl::Status fetchBarrier(int trainer, int64_t step) override;
  absl::Status checkSave(int trainer) const override;

  bool hasBatch() const override { return ending || !due.empty(); }
  size_t batchBytes() const override;
  UpdateBatch takeBatch() override;
  void applied(const UpdateBatch &batch, DeferredReplies &replies) override;
  bool hasReads() const override { return prefetches.anyReady(); }
  Reads takeReads(DeferredReplies &replies) override;
  int64_t endedStep() const override { return ended; }

private:
  struct Trainer {
    CallOrder order;
    /// The answers to its send barrier, which may be repeated.
    std::vector<Respond> barrier;
    /// Units of which all that it pushes in the step is here, where barriers
    /// are implied.
    size_t complete = 0;
  };
  /// Whether trainers send barriers: all or none, as a trainer without them may
  /// push for the next step as soon as it has all values, which are answered
  /// before others have sent theirs.
  enum class Barriers { Unknown, Sent, Implied };

  void drop(int trainer, const absl::Status &status, DeferredReplies &replies);
  void updateIfComplete(SyncUnit &unit);
  void forEachDue(absl::FunctionRef<void(const SyncUnit &unit)> body) const;
  void awaitEnd(int trainer);
  void endStepIfComplete();
  absl::Status checkAllPushed(int trainer) const;
  std::string nameUnits() const;

  const Rounds rounds;
  const std::vector<int> &live;
  const Clock &clock;
  std::vector<Trainer> trainers;
  std::vector<std::unique_ptr<SyncUnit>> units;
  Pulls pulls;
  Prefetches prefetches;
  /// Numbers of units.
  std::vector<int> due;
  Barriers barriers = Barriers::Unknown;
  /// How many units trainers push.
  size_t numPushed = 0;
  /// The next batch ends the step.
  bool ending = false;
  int64_t ended;
  /// When the first trainer of this step began to wait.
  std::optional<Clock::TimePoint> waitBegan;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_SYNCMODE_H
