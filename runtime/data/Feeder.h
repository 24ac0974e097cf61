//===- Feeder.h - from samples to the feeds of a program ------------------===//

#ifndef PS_RUNTIME_DATA_FEEDER_H
#define PS_RUNTIME_DATA_FEEDER_H

#include "absl/status/statusor.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Sampler.h"
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ps::runtime {

/// A feed as the graph declares it; a batch dimension that is not fixed is -1.
struct FeedSpec {
  std::string name;
  TensorType type;
};

/// Which column fills which feed. A feed named like a column takes it; the
/// others take the remaining columns in order. A sample's elements must fill
/// dimensions 1.. of the feed. Floating-point feeds get scaled values, integer
/// feeds the stored ones, which must fit. Immutable; safe to use from several
/// threads.
class FeedMap {
public:
  /// `data` outlives the map. INVALID_ARGUMENT names the feed that the data
  /// cannot fill.
  static absl::StatusOr<FeedMap> create(const Dataset &data,
                                        std::span<const FeedSpec> feeds);

  /// Writes `samples` to the rows of each feed.
  void gather(std::span<const int64_t> samples,
              const std::map<std::string, TensorRef> &feeds) const;

private:
  struct Entry {
    std::string feed;
    const Column *column;
  };
  std::vector<Entry> entries;
};

/// Prepares the next batch on a thread of its own while a step runs.
/// Thread-compatible.
class Feeder {
public:
  /// `feeds` are the program's own, with the batch size in dimension 0.
  static absl::StatusOr<std::unique_ptr<Feeder>>
  create(FeedMap map, Sampler sampler,
         const std::map<std::string, TensorRef> &feeds);
  /// Stops the thread.
  ~Feeder();

  /// Puts the next batch into the program's feeds. Goes on for ever, epoch by
  /// epoch.
  void next();

private:
  Feeder(FeedMap map, Sampler sampler)
      : map(std::move(map)), sampler(std::move(sampler)) {}
  void prepareBatches();

  FeedMap map;
  Sampler sampler;
  int64_t batchSize = 0;
  std::map<std::string, TensorRef> feeds;
  /// Same keys as feeds; written by the thread while !ready, read while ready.
  std::map<std::string, TensorRef> staged;
  std::vector<Buffer> memory;

  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;    // guarded by mutex
  bool stopping = false; // guarded by mutex
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_FEEDER_H
