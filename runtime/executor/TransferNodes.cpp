//===- TransferNodes.cpp - nodes that cross the network -------------------===//

#include "runtime/executor/TransferNodes.h"
#include "absl/strings/str_cat.h"
#include <atomic>
#include <mutex>

using namespace ps::runtime;

namespace {

class SendNode : public Node {
public:
  SendNode(Client &client, std::string block, DType dtype,
           std::span<const std::byte> rows)
      : Node(Kind::Send, absl::StrCat("send @", block)), client(client),
        block(std::move(block)), dtype(dtype), rows(rows) {}

  void start(StepContext &context, Done done) override {
    client.push(context.step(), block, dtype, rows, std::move(done));
  }

private:
  Client &client;
  std::string block;
  DType dtype;
  std::span<const std::byte> rows;
};

class RecvNode : public Node {
public:
  RecvNode(Client &client, std::string block, DType dtype,
           std::span<std::byte> rows)
      : Node(Kind::Recv, absl::StrCat("recv @", block)), client(client),
        block(std::move(block)), dtype(dtype), rows(rows) {}

  void start(StepContext &context, Done done) override {
    client.pull(context.step(), block, dtype, rows, std::move(done));
  }

private:
  Client &client;
  std::string block;
  DType dtype;
  std::span<std::byte> rows;
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
              Call call)
      : Node(kind, std::move(name)), clients(std::move(clients)), call(call) {}

  void start(StepContext &context, Done done) override {
    if (clients.empty())
      return done(absl::OkStatus());
    auto gather = std::make_shared<Gather>(clients.size(), std::move(done));
    for (Client *client : clients)
      (client->*call)(context.step(), [gather](absl::Status status) {
        gather->arrive(std::move(status));
      });
  }

private:
  std::vector<Client *> clients;
  Call call;
};

} // namespace

std::unique_ptr<Node>
ps::runtime::makeSendNode(Client &client, std::string block, DType dtype,
                          std::span<const std::byte> rows) {
  return std::make_unique<SendNode>(client, std::move(block), dtype, rows);
}

std::unique_ptr<Node> ps::runtime::makeRecvNode(Client &client,
                                                std::string block, DType dtype,
                                                std::span<std::byte> rows) {
  return std::make_unique<RecvNode>(client, std::move(block), dtype, rows);
}

std::unique_ptr<Node>
ps::runtime::makeSendBarrierNode(std::vector<Client *> clients) {
  return std::make_unique<BarrierNode>(Node::Kind::SendBarrier, "send_barrier",
                                       std::move(clients),
                                       &Client::sendBarrier);
}

std::unique_ptr<Node>
ps::runtime::makeFetchBarrierNode(std::vector<Client *> clients) {
  return std::make_unique<BarrierNode>(Node::Kind::FetchBarrier,
                                       "fetch_barrier", std::move(clients),
                                       &Client::fetchBarrier);
}
