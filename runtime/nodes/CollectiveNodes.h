// SPDX-License-Identifier: Apache-2.0
//===- CollectiveNodes.h - nodes that meet those of other trainers --------===//
//
// One node per collective op of a program; each hands over to a Communicator,
// which outlives it, as does the memory.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_NODES_COLLECTIVENODES_H
#define PS_RUNTIME_NODES_COLLECTIVENODES_H

#include "runtime/collective/Communicator.h"
#include "runtime/executor/Program.h"
#include <memory>

namespace ps::runtime {

/// Done when the means are there.
std::unique_ptr<Node> makeAllReduceNode(Communicator &communicator,
                                        int64_t channel,
                                        std::vector<ReducePart> parts);
/// Done when `value` is that of trainer 0; `name` is the variable's.
std::unique_ptr<Node> makeBroadcastNode(Communicator &communicator,
                                        int64_t channel,
                                        const std::string &name,
                                        std::span<std::byte> value);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_COLLECTIVENODES_H
