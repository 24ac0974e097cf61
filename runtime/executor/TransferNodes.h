//===- TransferNodes.h - nodes that cross the network ---------------------===//
//
// One node per transfer op of a program; each hands over to a Client and is
// done when the pserver has answered. Clients and memory outlive the node.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_TRANSFERNODES_H
#define PS_RUNTIME_EXECUTOR_TRANSFERNODES_H

#include "runtime/transport/Client.h"
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Pushes `rows` from where they lie.
std::unique_ptr<Node> makeSendNode(Client &client, std::string block,
                                   DType dtype,
                                   std::span<const std::byte> rows);
/// Pulls a block into `rows`.
std::unique_ptr<Node> makeRecvNode(Client &client, std::string block,
                                   DType dtype, std::span<std::byte> rows);
/// Done when every pserver's barrier is passed; fails with the first failure.
std::unique_ptr<Node> makeSendBarrierNode(std::vector<Client *> clients);
std::unique_ptr<Node> makeFetchBarrierNode(std::vector<Client *> clients);

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_TRANSFERNODES_H
