// SPDX-License-Identifier: Apache-2.0
//===- RowNodes.h - nodes that work with rows of tables -------------------===//
//
// A step's rows of a table are a RowBatch: one node fetches them, others look
// them up, add gradients to them, and update them here or push them away.
// Batches, lists and memory outlive the nodes.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_NODES_ROWNODES_H
#define PS_RUNTIME_NODES_ROWNODES_H

#include "runtime/client/ExchangedTable.h"
#include "runtime/client/RowSource.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/nodes/Rows.h"
#include "runtime/nodes/TransferNodes.h"
#include "runtime/table/RowUpdate.h"
#include "runtime/table/Table.h"

namespace ps::runtime {

/// Ids or weights: a tensor of any shape, or a feed whose length changes.
struct ListRef {
  TensorRef tensor;
  /// Instead of `tensor`, if not null.
  const RaggedBuffer *ragged = nullptr;
  /// The feed's name, for errors; may be empty.
  std::string feed;

  const std::byte *data() const {
    return ragged ? ragged->bytes.data() : tensor.data;
  }
  int64_t size() const {
    return ragged ? ragged->size : tensor.type.numElements();
  }
};

/// What a prefetch node fills a batch with.
struct PrefetchCall {
  RowBatch *rows = nullptr;
  std::string table;
  /// The ids of each lookup, I64, and which of them is padding.
  std::vector<ListRef> ids;
  std::vector<std::optional<int64_t>> paddings;
  /// Whether unknown ids get rows; otherwise they read as zeros.
  bool create = true;
};

/// The ids of the step that runs.
std::vector<RowLookup> listLookups(const PrefetchCall &call);
/// Gives them to the batch.
absl::Status assignIds(const PrefetchCall &call);

/// Fetches the rows from a table of this process.
std::unique_ptr<Node> makeReadRowsNode(PrefetchCall call, Table &table);
/// As makeReadRowsNode(), of a table with tiers and of ids that are all feeds:
/// it may begin early, with reading rows of the SSD.
std::unique_ptr<EarlyNode> makeReadTieredRowsNode(PrefetchCall call,
                                                  Table &table);
/// The ids of the lookups, all of which are feeds, in a step to come.
std::vector<int64_t> collectIds(const PrefetchCall &call,
                                const ComingFeeds &coming);
/// Fetches the rows from pservers. It may begin early, when all ids are feeds.
std::unique_ptr<EarlyNode>
makePrefetchNode(PrefetchCall call, RowSource &source, Exchange exchange);

/// One of the lookups of a batch.
struct LookupCall {
  RowBatch *rows = nullptr;
  std::string table;
  size_t lookup = 0;
  Pooling pooling = Pooling::None;
  /// With a pooling: where bags begin, I64; and weights of the rows' type,
  /// without data if there are none.
  ListRef offsets, weights;
  /// The result, or its gradient.
  TensorRef values;
};

/// The bags of a lookup of so many ids; INVALID_ARGUMENT where feeds describe
/// none of them.
absl::StatusOr<Bags> getBags(const LookupCall &call, int64_t ids);

/// Writes what a lookup gives to `call.values`.
std::unique_ptr<Node> makeLookupNode(const LookupCall &call);
/// Adds to the batch's gradients what follows from the gradient of a lookup's
/// result.
std::unique_ptr<Node> makeLookupGradientNode(const LookupCall &call);
/// The vectors of a product with rows, or of a gradient: `values`, or without
/// data what a lookup of the batch `rows` without pooling reads.
struct VectorsRef {
  TensorRef values;
  RowBatch *rows = nullptr;
  size_t lookup = 0;
};

/// A lookup whose rows are only multiplied with vectors, F32.
struct LookupDotCall {
  RowBatch *rows = nullptr;
  std::string table;
  size_t lookup = 0;
  VectorsRef vectors;
  /// A product per id; every vector has as many ids.
  TensorRef dots;
};

/// Writes the products to `call.dots`.
std::unique_ptr<Node> makeLookupDotNode(const LookupDotCall &call);
/// Adds to the batch's clicks those of the ids of a lookup. `call.values` holds
/// for each sample what it adds to the clicks, F32, F64, I32 or I64; weights do
/// not matter.
std::unique_ptr<Node> makeLookupClicksNode(const LookupCall &call);

/// Pushes the batch's gradients; where there are clicks, shows and clicks
/// follow the gradient of each row as two more elements.
std::unique_ptr<Node> makePushRowsNode(RowBatch &rows, std::string table,
                                       RowSource &source, Exchange exchange);

/// As a node of makeLookupGradientNode(`lookup`) on zeros, with the gradient
/// `vectors` instead of `lookup.values`, and one of makeUpdateRowsNode(): each
/// row is updated as soon as its gradient is known. For tables without clicks.
std::unique_ptr<Node> makeLookupUpdateNode(LookupCall lookup,
                                           VectorsRef vectors,
                                           RowUpdateCall call, Table &table,
                                           bool endsStep,
                                           ExchangedTable *exchanged = nullptr);

/// Divides each gradient of `batch` by its row's shows, if the table is one
/// that scales them.
absl::Status scaleByShows(RowBatch &batch, const Table &table,
                          StepContext &context);
/// What follows the update of a table's rows in a step, which ended with
/// `status`; as makeUpdateRowsNode().
absl::Status finishUpdate(absl::Status status, Table &table, bool endsStep,
                          StepContext &context);

/// Updates the rows in `table`, records their clicks if there are any, and ends
/// the table's day when it is over. `endsStep`: the node is the one that ends
/// the table's step. `exchanged`, null for others, is the table that has
/// `table` and notes which rows were updated.
std::unique_ptr<Node> makeUpdateRowsNode(RowUpdateCall call, Table &table,
                                         bool endsStep,
                                         ExchangedTable *exchanged = nullptr);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_ROWNODES_H
