// SPDX-License-Identifier: Apache-2.0
//===- ExchangeNodes.h - nodes that exchange rows trainers hold -----------===//

#ifndef PS_RUNTIME_NODES_EXCHANGENODES_H
#define PS_RUNTIME_NODES_EXCHANGENODES_H

#include "runtime/client/ExchangedTable.h"
#include "runtime/nodes/TransferNodes.h"

namespace ps::runtime {

/// Fills `rows` with what was changed in `table`, divided by `parts`, a scalar
/// of the table's type. Both outlive the node, here and below.
std::unique_ptr<Node>
makeCollectChangesNode(RowBatch &rows, ExchangedTable &table, TensorRef parts);
/// Pulls what others have changed.
std::unique_ptr<Node> makePullChangesNode(ExchangedTable &table,
                                          Exchange exchange);
/// Merges what was pulled.
std::unique_ptr<Node> makeMergeChangesNode(ExchangedTable &table);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_EXCHANGENODES_H
