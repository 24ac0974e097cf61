// SPDX-License-Identifier: Apache-2.0
//===- PassIds.cpp - which ids the steps of a pass look up ----------------===//

#include "runtime/data/passes/PassIds.h"
#include "absl/container/flat_hash_set.h"
#include "runtime/base/Status.h"
#include <new>

using namespace ps::runtime;

namespace {
/// Collects the ids of one table.
class Collector {
public:
  explicit Collector(const IdFeeds &table) : table(table) {}

  void add(const FeedMap &map, const SampleBatch &batch, uint32_t step) {
    for (const IdFeeds::Feed &feed : table.feeds) {
      if (found.ids.size() >= table.most)
        return;
      batchIds.clear();
      map.appendIds(*batch.data, batch.samples, feed.name, batchIds);
      for (int64_t id : batchIds)
        if (id != feed.padding && found.ids.size() < table.most &&
            known.insert(id).second) {
          found.ids.push_back(id);
          found.steps.push_back(step);
        }
    }
  }

  PassIds found;

private:
  const IdFeeds &table;
  absl::flat_hash_set<int64_t> known;
  std::vector<int64_t> batchIds;
};
} // namespace

static absl::StatusOr<std::vector<PassIds>>
collect(const FeedMap &map, BatchSource &batches, int64_t steps,
        std::span<const IdFeeds> tables, const std::stop_token &stop) {
  std::vector<Collector> collectors(tables.begin(), tables.end());
  for (int64_t step = 0; step < steps; ++step) {
    if (stop.stop_requested())
      return absl::CancelledError("stopped");
    ASSIGN_OR_RETURN(const SampleBatch batch, batches.next());
    for (Collector &collector : collectors)
      collector.add(map, batch, static_cast<uint32_t>(step));
  }
  std::vector<PassIds> found;
  for (Collector &collector : collectors)
    found.push_back(std::move(collector.found));
  return found;
}

absl::StatusOr<std::vector<PassIds>>
ps::runtime::collectPass(const FeedMap &map, BatchSource &batches,
                         int64_t steps, std::span<const IdFeeds> tables,
                         const std::stop_token &stop) {
  try {
    return collect(map, batches, steps, tables, stop);
  } catch (const std::bad_alloc &) {
    return absl::ResourceExhaustedError(
        "out of memory for the ids of a pass: lower --pass-samples");
  }
}
