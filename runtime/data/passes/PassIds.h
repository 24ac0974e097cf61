// SPDX-License-Identifier: Apache-2.0
//===- PassIds.h - which ids the steps of a pass look up ------------------===//
//
// Samples in memory show which rows of a table steps to come will need, long
// before their batches are made.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_PASSES_PASSIDS_H
#define PS_RUNTIME_DATA_PASSES_PASSIDS_H

#include "runtime/data/Batches.h"
#include "runtime/data/FeedMap.h"
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ps::runtime {

/// The feeds that hold ids of one table.
struct IdFeeds {
  struct Feed {
    std::string name;
    /// An id that has no row.
    std::optional<int64_t> padding;
  };
  std::vector<Feed> feeds;
  /// How many ids are of use.
  size_t most = 0;
};

/// Distinct ids, and for each the step of its first use, in the order of these.
struct PassIds {
  std::vector<int64_t> ids;
  std::vector<uint32_t> steps;
};

/// The ids of each table in the next `steps` batches, which are taken, counted
/// from 0. CANCELLED when `stop` is requested; other errors are those of
/// `batches`, and RESOURCE_EXHAUSTED when memory is not enough.
absl::StatusOr<std::vector<PassIds>>
collectPass(const FeedMap &map, BatchSource &batches, int64_t steps,
            std::span<const IdFeeds> tables, const std::stop_token &stop = {});

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_PASSES_PASSIDS_H
