// SPDX-License-Identifier: Apache-2.0
//===- AsyncMode.h - training without a common step -----------------------===//
//
// Every push is an update of its own, applied in the order of arrival, and
// acknowledged when it is applied: so a trainer has at most one push of a unit
// under way, which bounds what a server holds. Pulls and prefetches are
// answered at once, with what the updates so far have made of the values: a
// trainer that asks after its pushes were acknowledged sees at least its own.
// Steps wait for no other trainer; send barriers do, at the end, for trainer 0
// saves when all have finished.
//
// Modes half-async and geo are the same to a server: in what a trainer pushes
// and when it pulls, they differ in its program.
//
// With a bound on staleness (Q. Ho et al., "More Effective Distributed ML via a
// Stale Synchronous Parallel Parameter Server", 2013) pulls and prefetches of a
// trainer that is too far ahead wait until the slowest has pushed enough steps.
//
// The staleness of a push is the number of updates that its unit has had since
// the trainer's last read of it. Where a trainer reads ahead of its steps
// (early prefetches, AsyncClient), the values that its gradient is of are
// older.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_MODE_ASYNCMODE_H
#define PS_RUNTIME_SERVER_MODE_ASYNCMODE_H

#include "runtime/base/RandomBits.h"
#include "runtime/server/mode/Mode.h"
#include "runtime/variables/Store.h"
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ps::runtime {

class AsyncMode final : public Mode {
public:
  /// `name` is "async", "half-async" or "geo".
  AsyncMode(const Setup &setup, std::string name);

  absl::string_view name() const override { return modeName; }
  bool keepsStep() const override { return false; }
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
  int64_t stepOf(int trainer) const override { return trainers[trainer].step; }
  bool isWorking(int trainer) const override;
  bool hasFinished(int trainer) const override {
    return trainers[trainer].phase == Phase::Finished;
  }
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
  /// The trainer has pushed all it will: answered when all live ones have.
  absl::Status sendBarrier(int trainer, int64_t step, Respond &done,
                           DeferredReplies &replies) override;
  absl::Status fetchBarrier(int trainer, int64_t step) override;
  absl::Status checkSave(int trainer) const override;

  bool hasBatch() const override { return !due.empty(); }
  size_t batchBytes() const override;
  UpdateBatch takeBatch() override;
  void applied(const UpdateBatch &batch, DeferredReplies &replies) override;
  bool hasReads() const override {
    return !reads.rows.empty() || !reads.blocks.empty();
  }
  Reads takeReads(DeferredReplies &replies) override;
  int64_t endedStep() const override { return ended; }

  const Staleness *staleness() const override { return &measured; }

private:
  enum class Phase { Absent, Working, Finished, Completed };
  struct Trainer {
    Phase phase = Phase::Absent;
    /// The last one that it pushed anything of.
    int64_t step = startupStep;
    /// The answers to its send barrier, which may be repeated.
    std::vector<Respond> barrier;
  };
  struct Unit {
    const ParameterState::Unit &held;
    PushedGradients *pushed;
    /// Updates so far, and how many there were when each trainer read it.
    uint64_t version = 0;
    std::vector<uint64_t> read;
  };
  struct Variable {
    TensorRef tensor;
    /// The number of its unit; -1 where no gradient changes it.
    int unit = -1;
  };

  void drop(int trainer, const absl::Status &status, DeferredReplies &replies);
  bool isNear(int trainer, int64_t step) const;
  absl::Status farStep(int trainer, absl::string_view what, int64_t step) const;
  int slowest() const;
  bool mayRead(int64_t after) const;
  void release();
  std::shared_ptr<BlockCopy> copyFor(int trainer, const wire::Range &range);
  bool hasRoom(int trainer) const;
  absl::Status tooMany(int trainer, absl::string_view what) const;
  void answerBarriers(DeferredReplies &replies);

  const std::string modeName;
  const std::vector<int> &live;
  const Clock &clock;
  const std::optional<int64_t> bound;
  std::vector<Trainer> trainers;
  std::vector<Unit> units;
  std::map<std::string, Variable, std::less<>> variables;
  /// What a trainer has asked for in a pull, of a block of several chunks.
  struct Pulling {
    int64_t step = startupStep;
    /// As in wire::Range.
    uint64_t pull = 0;
    std::set<uint64_t> offsets;
    std::shared_ptr<BlockCopy> copy;
  };
  std::map<std::pair<int, std::string>, Pulling> pulling;
  /// The last copy has this name. Names start at random: a process that takes
  /// the place of this one gives others.
  uint64_t copyName = randomBits();
  /// What is complete of a push and has not been applied, in its order.
  struct Due {
    int trainer, unit;
  };
  std::deque<Due> due;
  Reads reads;
  /// Those of trainers that are too far ahead, and since when there are any.
  Reads ahead;
  std::optional<Clock::TimePoint> waitBegan;
  /// The highest step of any trainer that an update was of.
  int64_t ended;
  Staleness measured;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_ASYNCMODE_H
