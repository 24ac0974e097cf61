// SPDX-License-Identifier: Apache-2.0
//===- ShardedRowsTest.cpp - rows that several pservers hold --------------===//

#include "runtime/client/ShardedRows.h"
#include "test/unit/MemoryLimit.h"
#include "test/unit/links/TransportCluster.h"

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
  const TableRows all{"emb", DType::F32, /*width=*/1, ids};
  Pending push, prefetch;
  {
    MemoryLimit limit(4 << 20);
    if (!limit.holds())
      GTEST_SKIP() << "memory cannot be limited";
    rows->push(0, {all, std::as_bytes(std::span(values))}, push.done());
    rows->prefetch(0, {all, reinterpret_cast<std::byte *>(values.data())},
                   prefetch.done());
  }
  constexpr auto exhausted = absl::StatusCode::kResourceExhausted;
  expectError(push.wait(), exhausted,
              {"push of rows of table 'emb' at step 0",
               "no memory to sort 9437184 rows", "lower --batch-size"});
  expectError(prefetch.wait(), exhausted,
              {"prefetch of table 'emb' at step 0", "no memory to sort"});
}
