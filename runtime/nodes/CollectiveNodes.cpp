// SPDX-License-Identifier: Apache-2.0
//===- CollectiveNodes.cpp - nodes that meet those of other trainers ------===//

#include "runtime/nodes/CollectiveNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/executor/FunctionNode.h"

using namespace ps::runtime;

std::unique_ptr<Node>
ps::runtime::makeAllReduceNode(Communicator &communicator, int64_t channel,
                               std::vector<ReducePart> parts) {
  return makeNode(Node::Kind::AllReduce, absl::StrCat("all_reduce ", channel),
                  [&communicator, channel,
                   parts = std::move(parts)](StepContext &context, Done done) {
                    communicator.allReduce(context.step(), channel, parts,
                                           std::move(done));
                  });
}

std::unique_ptr<Node>
ps::runtime::makeBroadcastNode(Communicator &communicator, int64_t channel,
                               const std::string &name,
                               std::span<std::byte> value) {
  return makeNode(
      Node::Kind::Broadcast, absl::StrCat("broadcast @", name),
      [&communicator, channel, value](StepContext &context, Done done) {
        communicator.broadcast(context.step(), channel, value, std::move(done));
      });
}
