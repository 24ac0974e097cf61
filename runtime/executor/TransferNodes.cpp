//===- TransferNodes.cpp - nodes that cross the network -------------------===//

#include "runtime/executor/TransferNodes.h"
#include "absl/strings/str_cat.h"
#include <algorithm>
#include <atomic>
#include <mutex>

using namespace ps::runtime;

namespace {

/// "send @w, @b and 3 more".
template <typename Part>
std::string nameParts(const char *what, const std::vector<Part> &parts) {
  constexpr size_t most = 3;
  std::string name = what;
  for (size_t i = 0; i < std::min(parts.size(), most); ++i)
    absl::StrAppend(&name, i ? ", @" : " @", parts[i].block);
  if (parts.size() > most)
    absl::StrAppend(&name, " and ", parts.size() - most, " more");
  return name;
}

class SendNode : public Node {
public:
  SendNode(Client &client, std::vector<SendPart> parts, Exchange exchange)
      : Node(Kind::Send, nameParts("send", parts)), client(client),
        parts(std::move(parts)), exchange(exchange) {}

  void start(StepContext &context, Done done) override {
    client.push(exchange.at(context.step()), parts, std::move(done));
  }

private:
  Client &client;
  std::vector<SendPart> parts;
  Exchange exchange;
};

class RecvNode : public Node {
public:
  RecvNode(Client &client, std::vector<RecvPart> parts, Exchange exchange)
      : Node(Kind::Recv, nameParts("recv", parts)), client(client),
        parts(std::move(parts)), exchange(exchange) {}

  void start(StepContext &context, Done done) override {
    client.pull(exchange.at(context.step()), parts, std::move(done));
  }

private:
  Client &client;
  std::vector<RecvPart> parts;
  Exchange exchange;
};

/// Waits for several answers and passes on the first failure.
class Gather {
public:
  Gather(size_t count, Done done) : remaining(count), done(std::move(done)) {}

  void arrive(absl::Status status) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      first.Update(status);
    }
    if (remaining.fetch_sub(1) == 1)
      done(std::move(first));
  }

private:
  std::atomic<size_t> remaining;
  Done done;
  std::mutex mutex; // guards first until the last has arrived
  absl::Status first;
};

class BarrierNode : public Node {
public:
  using Call = void (Client::*)(int64_t, Done);

  BarrierNode(Kind kind, std::string name, std::vector<Client *> clients,
              Exchange exchange, Call call)
      : Node(kind, std::move(name)), clients(std::move(clients)),
        exchange(exchange), call(call) {}

  void start(StepContext &context, Done done) override {
    if (clients.empty())
      return done(absl::OkStatus());
    auto gather = std::make_shared<Gather>(clients.size(), std::move(done));
    for (Client *client : clients)
      (client->*call)(
          exchange.at(context.step()),
          [gather](absl::Status status) { gather->arrive(std::move(status)); });
  }

private:
  std::vector<Client *> clients;
  Exchange exchange;
  Call call;
};

} // namespace

std::unique_ptr<Node> ps::runtime::makeSendNode(Client &client,
                                                std::vector<SendPart> parts,
                                                Exchange exchange) {
  return std::make_unique<SendNode>(client, std::move(parts), exchange);
}

std::unique_ptr<Node> ps::runtime::makeRecvNode(Client &client,
                                                std::vector<RecvPart> parts,
                                                Exchange exchange) {
  return std::make_unique<RecvNode>(client, std::move(parts), exchange);
}

std::unique_ptr<Node>
ps::runtime::makeSendBarrierNode(std::vector<Client *> clients,
                                 Exchange exchange) {
  return std::make_unique<BarrierNode>(Node::Kind::SendBarrier, "send_barrier",
                                       std::move(clients), exchange,
                                       &Client::sendBarrier);
}

std::unique_ptr<Node>
ps::runtime::makeFetchBarrierNode(std::vector<Client *> clients,
                                  Exchange exchange) {
  return std::make_unique<BarrierNode>(Node::Kind::FetchBarrier,
                                       "fetch_barrier", std::move(clients),
                                       exchange, &Client::fetchBarrier);
}
