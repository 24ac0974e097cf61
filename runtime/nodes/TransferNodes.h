// SPDX-License-Identifier: Apache-2.0
//===- TransferNodes.h - nodes that cross the network ---------------------===//
//
// One node per transfer op of a program; each hands over to a Client and is
// done when the pserver has answered. Clients and memory outlive the node.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_NODES_TRANSFERNODES_H
#define PS_RUNTIME_NODES_TRANSFERNODES_H

#include "runtime/client/Client.h"
#include "runtime/executor/Program.h"
#include <vector>

namespace ps::runtime {

/// Which exchange of a step a node is part of.
struct Exchange {
  Rounds rounds;
  int round = 0;

  /// The protocol's step in `step` of the program.
  int64_t at(int64_t step) const { return rounds.at(step, round); }
};

/// Pushes the parts from where they lie.
std::unique_ptr<Node> makeSendNode(Client &client, std::vector<SendPart> parts,
                                   Exchange exchange);
/// Pulls blocks to where the parts say.
std::unique_ptr<Node> makeRecvNode(Client &client, std::vector<RecvPart> parts,
                                   Exchange exchange);
/// Pushes the parts and pulls their blocks, once updated, to the places.
std::unique_ptr<Node> makePushPullNode(Client &client,
                                       std::vector<SendPart> parts,
                                       std::vector<RecvPart> places,
                                       Exchange exchange);
/// Done when every pserver's barrier is passed; fails with the first failure.
std::unique_ptr<Node> makeSendBarrierNode(std::vector<Client *> clients,
                                          Exchange exchange);
std::unique_ptr<Node> makeFetchBarrierNode(std::vector<Client *> clients,
                                           Exchange exchange);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_TRANSFERNODES_H
