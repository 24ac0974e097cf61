//===- Feeder.h - from samples to the feeds of a program ------------------===//

#ifndef PS_RUNTIME_DATA_FEEDER_H
#define PS_RUNTIME_DATA_FEEDER_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/data/Batches.h"
#include "runtime/executor/Program.h"
#include <condition_variable>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace ps::runtime {

/// Which column fills which feed. A feed named like a column or an alias takes
/// it; the others take the remaining columns in order. A sample's elements must
/// fill dimensions 1.. of the feed; any number of them goes into a ragged feed.
/// Beside a ragged feed "s1", the feed "s1.offsets" gets the place where each
/// sample begins in it, and "s1.weights" the column of weights.
/// Floating-point feeds get scaled values, integer feeds the stored ones, which
/// must fit. Immutable; safe to use from several threads.
class FeedMap {
public:
  /// INVALID_ARGUMENT names the feed that the data cannot fill.
  static absl::StatusOr<FeedMap> create(const Dataset &data,
                                        std::span<const FeedSpec> feeds);

  /// Whether every sample of `data`, which has the columns that the map was
  /// made for, fills the feeds.
  absl::Status check(const Dataset &data) const;

  /// Writes `samples` of `data`, which has passed check(), to the rows of each
  /// feed and behind one another into the ragged ones. RESOURCE_EXHAUSTED when
  /// these cannot grow.
  absl::Status gather(const Dataset &data, std::span<const int64_t> samples,
                      const std::map<std::string, TensorRef> &feeds,
                      std::map<std::string, RaggedBuffer> &ragged) const;

private:
  /// Elements of each sample of a column: all of them, or one.
  struct Source {
    size_t column = 0;
    std::optional<int64_t> element;

    int64_t begin(const Column &from, int64_t sample) const {
      return from.begin(sample) + element.value_or(0);
    }
    int64_t count(const Column &from, int64_t sample) const {
      return element ? 1 : from.count(sample);
    }
  };
  struct Entry {
    FeedSpec feed;
    Source source;
    /// The feed gets where each sample's elements begin, not the elements.
    bool offsets = false;
    /// The column whose elements those of the source weigh.
    std::optional<size_t> weighted;
  };

  static std::optional<Source> named(const Dataset &data,
                                     const std::string &name);
  absl::Status addPlain(const Dataset &data, std::span<const FeedSpec> feeds);
  absl::Status addDerived(const Dataset &data, const FeedSpec &feed,
                          const Entry &base);
  static absl::Status checkShape(const Dataset &data, const Entry &entry);
  static absl::Status checkEntry(const Dataset &data, const Entry &entry);

  std::vector<Entry> entries;
};

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
