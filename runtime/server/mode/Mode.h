// SPDX-License-Identifier: Apache-2.0
//===- Mode.h - when requests of trainers take effect ---------------------===//
//
// A server is sessions, a mode and a state. The mode decides which calls of a
// trainer are in order, when what was pushed becomes a batch that is applied to
// the state, and when pulls, prefetches and barriers are answered. It holds the
// requests that wait, and neither threads nor locks nor I/O: the server calls
// it under its mutex, and a test as it likes.
//
//   Server                     Mode                          step thread
//   checkPush, pushed     ->   may it, and what follows
//   merged                ->   is a batch due?        ->     takeBatch, apply,
//   pull, prefetch        ->   now, or when?                 applied
//   barriers              ->                          ->     takeReads, read
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_MODE_MODE_H
#define PS_RUNTIME_SERVER_MODE_MODE_H

#include "runtime/base/Clock.h"
#include "runtime/server/sessions/DeferredReplies.h"
#include "runtime/server/state/ParameterState.h"
#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// How many updates their unit had between a trainer's last read and its
/// pushes.
struct Staleness {
  /// Pushes by staleness: 0, 1, 2 to 3, 4 to 7, and so on.
  std::array<uint64_t, 33> counts{};
  uint64_t pushes = 0, sum = 0, most = 0;

  void add(uint64_t updates) {
    ++counts[std::min<size_t>(std::bit_width(updates), counts.size() - 1)];
    ++pushes;
    sum += updates;
    most = std::max(most, updates);
  }
};

/// A trainer that others wait for.
struct Overdue {
  int trainer = 0;
  /// When the first of them began to wait.
  Clock::TimePoint since;
};

/// The caller locks. Trainers are known by their ids; they join before their
/// other calls. FAILED_PRECONDITION, unless something else is said, is the
/// answer to calls out of order and names what was expected. Where a method
/// takes a callback by reference, it moves from it unless it fails.
class Mode {
public:
  /// What a mode knows of the job.
  struct Setup {
    int trainers = 1;
    Rounds rounds = {};
    /// The trainers that have not completed, in ascending order; outlives the
    /// mode.
    const std::vector<int> *live = nullptr;
    /// Trainers may pull every variable of it. Outlives the mode.
    Store *store = nullptr;
    /// Outlives the mode.
    const Clock *clock = &Clock::steady();
    /// The last step that the state has seen.
    int64_t endedStep = startupStep;
    /// How many steps a trainer may be ahead of the slowest, if that is
    /// bounded.
    std::optional<int64_t> staleness = std::nullopt;
  };

  virtual ~Mode() = default;

  /// As `mode` of ps-opt --ps-transpile has it.
  virtual absl::string_view name() const = 0;
  /// Whether all trainers work on the same step, and merge what they push.
  /// Otherwise each push is a batch of its own and acknowledged when that is
  /// applied, and no fetch barrier ends a trainer's startup.
  virtual bool keepsStep() const = 0;
  /// A unit of the state, in the order of their numbers. `pushed` is null where
  /// nothing updates it. Both outlive the mode.
  virtual void addUnit(const ParameterState::Unit &unit,
                       PushedGradients *pushed) = 0;

  //===--------------------------------------------------------------------===//
  // Trainers
  //===--------------------------------------------------------------------===//

  /// A process takes part as `trainer`. Idempotent.
  virtual void join(int trainer) = 0;
  /// Another process takes its place: what the former has asked for fails with
  /// `status`. Where trainers keep step, before the end of the startup.
  virtual void replace(int trainer, const absl::Status &status,
                       DeferredReplies &replies) = 0;
  /// It completes; checked before it is taken out of the live ones.
  virtual absl::Status checkLeave(int trainer) const = 0;
  /// It was taken out of them, as it has completed or is lost: others may wait
  /// for nothing any more.
  virtual void leave(int trainer, DeferredReplies &replies) = 0;
  /// The job is over: what waits fails.
  virtual void cancel(const absl::Status &status, DeferredReplies &replies) = 0;

  /// `found` is what a trainer has called, "a save of step 3".
  virtual absl::Status outOfOrder(int trainer,
                                  absl::string_view found) const = 0;
  /// "3": the program's step that it is in.
  virtual std::string nameStep(int trainer) const = 0;
  /// The same as a number; startupStep before the first.
  virtual int64_t stepOf(int trainer) const = 0;
  /// Whether it works on a step, and waits for no answer: between steps it may
  /// then measure or save.
  virtual bool isWorking(int trainer) const = 0;
  /// Whether it has taken its last step and waits for the others to do so: it
  /// measures nothing any more.
  virtual bool hasFinished(int trainer) const = 0;
  /// What it has not done of what others may wait for: "it had not pushed block
  /// 'w' at step 3".
  virtual std::string describePending(int trainer) const = 0;
  /// Nothing where no trainer waits for another one.
  virtual std::optional<Overdue> findOverdue() const = 0;

  //===--------------------------------------------------------------------===//
  // Requests
  //===--------------------------------------------------------------------===//

  /// What is pushed is a `noun` called `name`: "block", "w".
  virtual absl::Status checkPush(int trainer, int64_t step,
                                 absl::string_view noun,
                                 absl::string_view name) const = 0;
  /// Whether pushes of `trainer` may be pulls, too.
  virtual absl::Status checkPushPull(int trainer) const = 0;
  /// A push that passed was accepted.
  virtual void pushed(int trainer, int64_t step) = 0;
  /// Some of what `trainer` pushed of `unit` has been merged.
  virtual void merged(int trainer, int unit) = 0;
  /// INVALID_ARGUMENT for what is not there, RESOURCE_EXHAUSTED when too many
  /// of the trainer wait.
  virtual absl::Status pull(int trainer, const Ranges &ranges, Respond &done,
                            DeferredReplies &replies) = 0;
  /// The pull of a push that passed checkPushPull(), likewise. All pushes of
  /// the job are pulls then, and trainers send no barriers.
  virtual absl::Status pushPull(int trainer, const Ranges &ranges,
                                Respond &done, DeferredReplies &replies) = 0;
  virtual absl::Status checkPrefetch(int trainer, int64_t step, bool frozen,
                                     absl::string_view table) const = 0;
  /// One that passed; its step may be over by now. RESOURCE_EXHAUSTED as above.
  virtual absl::Status prefetch(Prefetch &prefetch) = 0;
  virtual absl::Status sendBarrier(int trainer, int64_t step, Respond &done,
                                   DeferredReplies &replies) = 0;
  /// Answered at once.
  virtual absl::Status fetchBarrier(int trainer, int64_t step) = 0;
  /// Whether nothing is updated until `trainer` makes its next call.
  virtual absl::Status checkSave(int trainer) const = 0;

  //===--------------------------------------------------------------------===//
  // The step thread
  //===--------------------------------------------------------------------===//

  virtual bool hasBatch() const = 0;
  /// The bytes of the blocks of the next batch, without those of tables, whose
  /// rows are counted where they are pushed.
  virtual size_t batchBytes() const = 0;
  /// The next batch, for the caller to apply.
  virtual UpdateBatch takeBatch() = 0;
  /// The batch that was taken last is applied.
  virtual void applied(const UpdateBatch &batch, DeferredReplies &replies) = 0;
  virtual bool hasReads() const = 0;
  /// What the caller is to read.
  virtual Reads takeReads(DeferredReplies &replies) = 0;
  /// The last step, the protocol's, that has ended.
  virtual int64_t endedStep() const = 0;
  /// Null where it is always 0.
  virtual const Staleness *staleness() const { return nullptr; }
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_MODE_H
