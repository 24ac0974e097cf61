// SPDX-License-Identifier: Apache-2.0
//===- ServedBatches.h - the batches of a batch server --------------------===//

#ifndef PS_RUNTIME_DATA_SERVED_SERVEDBATCHES_H
#define PS_RUNTIME_DATA_SERVED_SERVEDBATCHES_H

#include "runtime/base/Mutex.h"
#include "runtime/data/Batches.h"
#include "runtime/data/FeedMap.h"
#include "runtime/data/served/BatchConnection.h"

namespace ps::runtime {

/// What a batch server sends, whose columns are known. Immutable except for the
/// connection; thread-safe.
class ServedData {
public:
  /// Connects, and waits for the columns.
  static absl::StatusOr<std::shared_ptr<ServedData>>
  open(const ServedOptions &options);

  /// The columns, without samples.
  Dataset makeDataset() const { return first->frames().makeDataset(); }
  /// The batches of `trainer` in `range`, each of which has passed a check of
  /// `map`. Trainers of one process have a connection each, and take their
  /// batches once. After the last batch of the range, or of the server's data,
  /// there are no more.
  std::unique_ptr<BatchSource> batches(int trainer, const ServedRange &range,
                                       const FeedMap &map);

private:
  explicit ServedData(const ServedOptions &options) : options(options) {}
  std::shared_ptr<BatchConnection> take(int trainer);

  const ServedOptions options;
  std::shared_ptr<BatchConnection> first;
  Mutex mutex;
  bool isTaken ABSL_GUARDED_BY(mutex) = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_SERVED_SERVEDBATCHES_H
