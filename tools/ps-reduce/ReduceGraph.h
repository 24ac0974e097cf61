// SPDX-License-Identifier: Apache-2.0
//===- ReduceGraph.h - makes a graph smaller while it still fails ---------===//

#ifndef PS_TOOLS_PS_REDUCE_REDUCEGRAPH_H
#define PS_TOOLS_PS_REDUCE_REDUCEGRAPH_H

namespace ps {

/// Registers --ps-reduce-graph.
void registerReduceGraph();

} // namespace ps

#endif // PS_TOOLS_PS_REDUCE_REDUCEGRAPH_H
