// SPDX-License-Identifier: Apache-2.0
//===- Batches.h - the samples of each step -------------------------------===//
//
// From memory, or from text files as they are read. The order of an epoch is
// one sequence for the whole job either way (Sampler.h), so that all trainers
// run the same number of steps.
//
// A stream is cut into windows. All trainers read all of it; each window is a
// small dataset of a whole number of steps, which is shuffled for itself.
// Trainers with files of their own read these through once before, to agree on
// the number of steps.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_BATCHES_H
#define PS_RUNTIME_DATA_BATCHES_H

#include "runtime/data/DataSpec.h"
#include "runtime/data/SampleReader.h"
#include "runtime/data/Sampler.h"

namespace ps::runtime {

/// The samples of one trainer in one step. Valid until the next call of next().
struct SampleBatch {
  const Dataset *data = nullptr;
  std::span<const int64_t> samples;
  int64_t epoch = 0;
  /// Whether it is the last of its epoch.
  bool endsEpoch = false;
  /// Whether it is the last of all.
  bool endsData = false;
  /// What the user should know, or empty.
  std::string note;
};

/// Returns batches, epoch after epoch without end. Thread-compatible; stop() is
/// thread-safe.
class BatchSource {
public:
  virtual ~BatchSource() = default;
  /// After an error there are no more batches.
  virtual absl::StatusOr<SampleBatch> next() = 0;
  /// Makes next(), also one that waits for its data, return CANCELLED soon.
  /// Thread-safe. A source that never waits has nothing to do.
  virtual void stop() {}
};

/// Batches of `data`, which outlives the source; `start` is of the sampler's
/// epochs.
std::unique_ptr<BatchSource>
batchesInMemory(const Dataset &data, Sampler sampler, StartPosition start = {});

/// How text files are read while steps run.
struct StreamOptions {
  DataSpec spec;
  LineFiles files;
  std::string pipeCommand;
  int threads = 1;
  int64_t badLines = 0;
  /// Samples that are shuffled together; rounded up to whole steps.
  int64_t window = 1 << 16;
  /// `samples` is not used.
  Sampler::Options order;
  /// What is before it in its epoch is read, but not trained on; DATA_LOSS
  /// where the epoch has no such step.
  StartPosition start;
};
std::unique_ptr<BatchSource> batchesFromStream(StreamOptions options);

/// What a stream holds. It must not change before it is read again.
struct StreamSize {
  int64_t samples = 0, skippedLines = 0;
};
/// Reads and checks all lines once.
absl::StatusOr<StreamSize> measureStream(const StreamOptions &options);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_BATCHES_H
