// SPDX-License-Identifier: Apache-2.0
//===- ShardedRowsTest.cpp - rows that several pservers hold --------------===//

#include "runtime/transport/ShardedRows.h"
#include "MemoryLimit.h"
#include "TransportCluster.h"

using namespace ps::runtime;

TEST(ShardedRowsTest, StepsThatDoNotFitIntoMemoryAreRefused) {
  // No pserver is asked.
  auto rows = *makeShardedRows({{.name = "emb",
                                 .maxRows = std::nullopt,
                                 .partition = IdPartition::Mix,
                                 .shards = {nullptr, nullptr}}});
  // Lists of this size always come from the system.
  const std::vector<int64_t> ids(9 << 20);
  std::vector<float> values(ids.size());
  const TensorRef tensor{{DType::F32, {static_cast<int64_t>(ids.size()), 1}},
                         reinterpret_cast<std::byte *>(values.data())};
  Pending push, prefetch;
  {
    MemoryLimit limit(4 << 20);
    if (!limit.holds())
      GTEST_SKIP() << "memory cannot be limited";
    rows->push(0, "emb", ids, tensor, push.done());
    rows->prefetch(0, "emb", ids, /*create=*/true, tensor, prefetch.done());
  }
  constexpr auto exhausted = absl::StatusCode::kResourceExhausted;
  expectError(push.wait(), exhausted,
              {"push of rows of table 'emb' at step 0",
               "no memory to sort 9437184 rows", "lower --batch-size"});
  expectError(prefetch.wait(), exhausted,
              {"prefetch of table 'emb' at step 0", "no memory to sort"});
}
