// SPDX-License-Identifier: Apache-2.0
//===- TransferNodes.cpp - nodes that cross the network -------------------===//
//
// Transfers end when the transport answers, on one of its threads; the executor
// runs other nodes meanwhile. A barrier is one call to each pserver and ends
// with the last answer.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/TransferNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/executor/FunctionNode.h"

using namespace ps::runtime;

namespace {

/// "send @w, @b and 3 more".
template <typename Part>
std::string nameParts(const char *what, const std::vector<Part> &parts) {
  return absl::StrCat(what, " ", nameSome(parts.size(), [&](size_t i) {
                        return absl::StrCat("@", parts[i].block);
                      }));
}

using Barrier = void (Client::*)(int64_t, Done);

std::unique_ptr<Node> makeBarrierNode(Node::Kind kind, std::string name,
                                      std::vector<Client *> clients,
                                      Exchange exchange, Barrier barrier) {
  return makeNode(kind, std::move(name),
                  [clients = std::move(clients), exchange,
                   barrier](StepContext &context, Done done) {
                    if (clients.empty())
                      return done(absl::OkStatus());
                    std::shared_ptr<Join> join =
                        Join::create(clients.size(), std::move(done));
                    for (Client *client : clients)
                      (client->*barrier)(exchange.at(context.step()),
                                         join->part());
                  });
}

} // namespace

std::unique_ptr<Node> ps::runtime::makeSendNode(Client &client,
                                                std::vector<SendPart> parts,
                                                Exchange exchange) {
  std::string name = nameParts("send", parts);
  return makeNode(Node::Kind::Send, std::move(name),
                  [&client, parts = std::move(parts),
                   exchange](StepContext &context, Done done) {
                    client.push(exchange.at(context.step()), parts,
                                std::move(done));
                  });
}

std::unique_ptr<Node> ps::runtime::makeRecvNode(Client &client,
                                                std::vector<RecvPart> parts,
                                                Exchange exchange) {
  std::string name = nameParts("recv", parts);
  return makeNode(Node::Kind::Recv, std::move(name),
                  [&client, parts = std::move(parts),
                   exchange](StepContext &context, Done done) {
                    client.pull(exchange.at(context.step()), parts,
                                std::move(done));
                  });
}

std::unique_ptr<Node>
ps::runtime::makePushPullNode(Client &client, std::vector<SendPart> parts,
                              std::vector<RecvPart> places, Exchange exchange) {
  std::string name = nameParts("push_pull", parts);
  return makeNode(Node::Kind::PushPull, std::move(name),
                  [&client, parts = std::move(parts),
                   places = std::move(places),
                   exchange](StepContext &context, Done done) {
                    client.pushPull(exchange.at(context.step()), parts, places,
                                    std::move(done));
                  });
}

std::unique_ptr<Node>
ps::runtime::makeSendBarrierNode(std::vector<Client *> clients,
                                 Exchange exchange) {
  return makeBarrierNode(Node::Kind::SendBarrier, "send_barrier",
                         std::move(clients), exchange, &Client::sendBarrier);
}

std::unique_ptr<Node>
ps::runtime::makeFetchBarrierNode(std::vector<Client *> clients,
                                  Exchange exchange) {
  return makeBarrierNode(Node::Kind::FetchBarrier, "fetch_barrier",
                         std::move(clients), exchange, &Client::fetchBarrier);
}
