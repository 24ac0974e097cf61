//===- Feeder.h - from samples to the feeds of a program ------------------===//

#ifndef PS_RUNTIME_DATA_FEEDER_H
#define PS_RUNTIME_DATA_FEEDER_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/data/Batches.h"
#include "runtime/data/FeedMap.h"
#include <condition_variable>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace ps::runtime {

/// Prepares the next batch on a thread of its own while a step runs, and lets
/// the program's early nodes begin with it. Thread-compatible, but for stop().
class Feeder {
public:
  /// `program`, and the data of `batches`, outlive the feeder; the feeds of
  /// the program have the size of a batch in dimension 0. Nothing begins early
  /// from step `steps` on, the end of the run if that is known, nor in the
  /// first step of an epoch: between epochs others look at what a step works
  /// with.
  static absl::StatusOr<std::unique_ptr<Feeder>>
  create(FeedMap map, std::unique_ptr<BatchSource> batches, Program &program,
         int64_t steps = std::numeric_limits<int64_t>::max());
  /// Stops the thread; does not wait for data.
  ~Feeder();

  /// Where the batch that a step works on stands.
  struct Position {
    int64_t epoch = 0;
    /// Whether the batch is the last of its epoch.
    bool endsEpoch = false;
    /// What the user should know, or empty.
    std::string note;
  };
  /// Puts the next batch into the program's feeds. Goes on for ever, epoch by
  /// epoch; after an error there is nothing more. CANCELLED after stop(). While
  /// there is no data `goOn` is asked now and then; its error ends the wait.
  absl::StatusOr<Position> next(absl::FunctionRef<absl::Status()> goOn = [] {
    return absl::OkStatus();
  });
  /// Ends next(), also one that waits for data. Thread-safe.
  void stop();

private:
  Feeder(FeedMap map, std::unique_ptr<BatchSource> batches, Program &program,
         int64_t steps)
      : map(std::move(map)), batches(std::move(batches)), program(program),
        steps(steps) {}
  void prepareBatches();
  absl::StatusOr<Position> prepareBatch();

  FeedMap map;
  std::unique_ptr<BatchSource> batches;
  Program &program;
  const int64_t steps;
  /// Ends a wait of an early node.
  std::stop_source stopEarly;
  /// Same keys as the program's; with `prepared`, written by the thread while
  /// !ready, read while ready.
  std::map<std::string, TensorRef> staged;
  std::map<std::string, RaggedBuffer> stagedRagged;
  std::vector<Buffer> memory;
  absl::StatusOr<Position> prepared;

  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;    // guarded by mutex
  bool stopping = false; // guarded by mutex
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_FEEDER_H
