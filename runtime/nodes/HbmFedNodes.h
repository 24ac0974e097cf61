// SPDX-License-Identifier: Apache-2.0
//===- HbmFedNodes.h - updates of a device's rows by gradients of others --===//

#ifndef PS_RUNTIME_NODES_HBMFEDNODES_H
#define PS_RUNTIME_NODES_HBMFEDNODES_H

#include "runtime/nodes/HbmNodes.h"

namespace ps::runtime {

/// As makeHbmUpdateNode(), for a pserver: `batch`, which the caller fills, has
/// ids and gradients on the host. The node does not end the table's step.
/// `batch` and `rows` outlive it.
std::unique_ptr<Node> makeHbmFedUpdateNode(HbmUpdateCall call, RowBatch &batch,
                                           HbmRows &rows);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_HBMFEDNODES_H
