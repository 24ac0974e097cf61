// SPDX-License-Identifier: Apache-2.0
//===- Feeder.h - from samples to the feeds of a program ------------------===//

#ifndef PS_RUNTIME_DATA_FEEDER_H
#define PS_RUNTIME_DATA_FEEDER_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/Mutex.h"
#include "runtime/data/Batches.h"
#include "runtime/data/FeedMap.h"
#include "runtime/data/StagedFeeds.h"
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

namespace ps::runtime {

/// Prepares the next batch on a thread of its own while a step runs, and starts
/// the program's early nodes with it. Thread-compatible; stop() is thread-safe.
class Feeder {
public:
  /// `program`, and the data of `batches`, outlive the feeder. Each worker of
  /// the program gets an equal part of a batch, which its feeds have the size
  /// of in dimension 0. No early node starts
  /// from step `steps` on, the end of the run if that is known, nor in the
  /// first step of an epoch: between epochs evaluation reads what early nodes
  /// write. Steps are numbered from `first`.
  static absl::StatusOr<std::unique_ptr<Feeder>>
  create(FeedMap map, std::unique_ptr<BatchSource> batches, Program &program,
         int64_t steps = std::numeric_limits<int64_t>::max(),
         int64_t first = 0);
  /// Stops the thread; does not wait for data.
  ~Feeder();

  /// The place of a step's batch in the run.
  struct Position {
    int64_t epoch = 0;
    /// Whether the batch is the last of its epoch.
    bool endsEpoch = false;
    /// What the user should know, or empty.
    std::string note;
    /// Whether the batch is the last of all.
    bool endsData = false;
  };
  /// Puts the next batch into the program's feeds, epoch after epoch without
  /// end; after an error there is no next one. CANCELLED after stop(). While
  /// there is no data, calls `checkAlive` ten times a second; its error ends
  /// the wait.
  absl::StatusOr<Position> next(absl::FunctionRef<absl::Status()> checkAlive =
                                    [] { return absl::OkStatus(); });
  /// No early node starts for `step`, since what it does is not to be a part of
  /// what is saved before. To be called before next() is for the step before;
  /// calls for several steps add up. Thread-safe.
  void pauseBefore(int64_t step);
  /// No early node starts any more. Returns the first step that none has
  /// started for; steps before it have. Thread-safe.
  int64_t pause();
  /// Ends next(), also one that waits for data. Thread-safe.
  void stop();

private:
  Feeder(FeedMap map, std::unique_ptr<BatchSource> batches, Program &program,
         int64_t steps, int64_t first)
      : map(std::move(map)), batches(std::move(batches)), program(program),
        steps(steps), first(first) {}
  void prepareBatches();
  bool mayBeginEarly(int64_t step);
  absl::StatusOr<Position> prepareBatch();

  FeedMap map;
  std::unique_ptr<BatchSource> batches;
  Program &program;
  const int64_t steps, first;
  /// Ends a wait of an early node.
  std::stop_source stopEarly;
  /// Same keys as the program's. Not guarded: they, and `prepared`, belong to
  /// the thread while !ready and to next() while ready, and `ready` changes
  /// with the mutex held.
  std::unique_ptr<StagedFeeds> staged;
  std::map<std::string, RaggedBuffer> stagedRagged;
  absl::StatusOr<Position> prepared;

  Mutex mutex;
  CondVar changed;
  bool ready ABSL_GUARDED_BY(mutex) = false;
  bool stopping ABSL_GUARDED_BY(mutex) = false;
  /// Steps that no early node starts for, not all of which are to come.
  std::set<int64_t> paused ABSL_GUARDED_BY(mutex);
  /// Or none starts at all.
  bool isPaused ABSL_GUARDED_BY(mutex) = false;
  /// The last step that early nodes have started for, and one more.
  int64_t startedEnd ABSL_GUARDED_BY(mutex) = 0;
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_FEEDER_H
