// SPDX-License-Identifier: Apache-2.0
//===- ServedBatches.cpp - the batches of a batch server ------------------===//

#include "runtime/data/served/ServedBatches.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <new>
#include <numeric>
#include <utility>

using namespace ps::runtime;

namespace {

/// A frame of the server is a step.
class ServedBatches : public BatchSource {
public:
  /// Connects in next() where there is no connection.
  ServedBatches(ServedOptions options, const ServedRange &range, FeedMap map,
                std::shared_ptr<BatchConnection> first,
                std::shared_ptr<BatchConnection> own)
      : options(std::move(options)), range(range), map(std::move(map)),
        first(std::move(first)), connection(std::move(own)),
        samples(this->options.batchSize), epoch(range.epoch) {
    std::iota(samples.begin(), samples.end(), 0);
  }

  absl::StatusOr<SampleBatch> next() override;
  void stop() override;

private:
  absl::Status begin();
  absl::Status connect();

  const ServedOptions options;
  const ServedRange range;
  const FeedMap map;
  /// Whose columns `map` is for.
  const std::shared_ptr<BatchConnection> first;
  Mutex mutex;
  /// The thread of next() reads `connection` without it.
  std::shared_ptr<BatchConnection> connection;
  bool stopped ABSL_GUARDED_BY(mutex) = false;
  bool begun = false, ended = false;
  Dataset data;
  std::vector<int64_t> samples;
  int64_t epoch;
};

} // namespace

void ServedBatches::stop() {
  MutexLock lock(mutex);
  stopped = true;
  if (connection)
    connection->stop();
}

/// For a trainer in whose process another one has connected.
absl::Status ServedBatches::connect() {
  ASSIGN_OR_RETURN(std::shared_ptr<BatchConnection> opened,
                   BatchConnection::connect(options));
  {
    MutexLock lock(mutex);
    connection = std::move(opened);
    if (stopped)
      connection->stop();
  }
  RETURN_IF_ERROR(connection->frames().readColumns());
  if (connection->frames().hasColumnsOf(first->frames()))
    return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("data '", options.spec.text, "': trainer ", options.trainer,
                   " was sent other columns than the trainer before it"));
}

absl::Status ServedBatches::begin() {
  if (!connection)
    RETURN_IF_ERROR(connect());
  data = connection->frames().makeDataset();
  return connection->start(range);
}

absl::StatusOr<SampleBatch> ServedBatches::next() {
  if (!std::exchange(begun, true))
    RETURN_IF_ERROR(begin());
  if (ended)
    return absl::OutOfRangeError(
        absl::StrCat("data '", options.spec.text,
                     "': its server has sent the last batch already"));
  data.size = 0;
  for (Column &column : data.columns)
    if (column.ragged())
      column.offsets.assign(1, 0);
  ASSIGN_OR_RETURN(const BatchFrames::End end,
                   connection->frames().readSamples(data, options.batchSize));
  RETURN_IF_ERROR(map.check(data));
  ended = end.ofData;
  return SampleBatch{.data = &data,
                     .samples = samples,
                     .epoch = end.ofEpoch ? epoch++ : epoch,
                     .endsEpoch = end.ofEpoch,
                     .endsData = end.ofData,
                     .note = {}};
}

absl::StatusOr<std::shared_ptr<ServedData>>
ServedData::open(const ServedOptions &options) {
  std::shared_ptr<ServedData> data(new ServedData(options));
  ASSIGN_OR_RETURN(data->first, BatchConnection::connect(options));
  RETURN_IF_ERROR(data->first->frames().readColumns());
  return data;
}

std::shared_ptr<BatchConnection> ServedData::take(int trainer) {
  MutexLock lock(mutex);
  return trainer == options.trainer && !std::exchange(isTaken, true) ? first
                                                                     : nullptr;
}

std::unique_ptr<BatchSource>
ServedData::batches(int trainer, const ServedRange &range, const FeedMap &map) {
  ServedOptions own = options;
  own.trainer = trainer;
  return std::make_unique<ServedBatches>(std::move(own), range, map, first,
                                         take(trainer));
}
