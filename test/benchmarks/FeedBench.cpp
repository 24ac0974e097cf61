// SPDX-License-Identifier: Apache-2.0
//===- FeedBench.cpp - how fast a batch server feeds ----------------------===//
//
// usage: bench-feed DATA BATCH WIDTH
//
// Reads the column "x" of WIDTH f32 per sample from the batch server of DATA to
// its end, and copies each batch into a feed, as a step that computes nothing
// would. Prints gigabytes per second, a number alone: feed_bench.py starts the
// server, and makes rows of it.
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "runtime/data/served/ServedBatches.h"
#include <cstdlib>

using namespace ps;
using namespace ps::runtime;

static absl::StatusOr<double> measure(const std::string &text, int64_t batch,
                                      int64_t width) {
  absl::StatusOr<DataSpec> spec = DataSpec::parse(text);
  if (!spec.ok())
    return spec.status();
  auto served = ServedData::open({.spec = *spec, .batchSize = batch});
  if (!served.ok())
    return served.status();
  const FeedSpec feed{"x", {DType::F32, {-1, width}}};
  auto map = FeedMap::create((*served)->makeDataset(), {&feed, 1});
  auto memory = Buffer::allocate(batch * width * sizeof(float));
  if (!map.ok() || !memory.ok())
    return map.ok() ? memory.status() : map.status();
  const std::map<std::string, TensorRef> feeds{
      {"x", {{DType::F32, {batch, width}}, memory->data()}}};
  std::map<std::string, RaggedBuffer> ragged;
  auto source = (*served)->batches(0, {}, *map);
  int64_t steps = 0;
  absl::Status status;
  const double seconds = bench::seconds([&] {
    for (bool ended = false; !ended && status.ok(); ++steps) {
      absl::StatusOr<SampleBatch> next = source->next();
      status = next.ok()
                   ? map->gather(*next->data, next->samples, feeds, ragged)
                   : next.status();
      ended = next.ok() && next->endsData;
    }
  });
  if (!status.ok())
    return status;
  return steps * batch * width * sizeof(float) / seconds / 1e9;
}

int main(int count, char **arguments) {
  if (count != 4)
    return 2;
  const absl::StatusOr<double> rate =
      measure(arguments[1], std::atoll(arguments[2]), std::atoll(arguments[3]));
  if (!rate.ok()) {
    std::fprintf(stderr, "%s\n", rate.status().ToString().c_str());
    return 1;
  }
  std::printf("%g\n", *rate);
  return 0;
}
