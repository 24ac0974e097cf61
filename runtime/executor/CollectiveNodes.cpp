//===- CollectiveNodes.cpp - nodes that meet those of other trainers ------===//

#include "runtime/executor/CollectiveNodes.h"
#include "absl/strings/str_cat.h"

using namespace ps::runtime;

namespace {

class AllReduceNode : public Node {
public:
  AllReduceNode(Communicator &communicator, int64_t channel,
                std::vector<ReducePart> parts)
      : Node(Kind::AllReduce, absl::StrCat("all_reduce ", channel)),
        communicator(communicator), channel(channel), parts(std::move(parts)) {}

  void start(StepContext &context, Done done) override {
    communicator.allReduce(context.step(), channel, parts, std::move(done));
  }

private:
  Communicator &communicator;
  int64_t channel;
  std::vector<ReducePart> parts;
};

class BroadcastNode : public Node {
public:
  BroadcastNode(Communicator &communicator, int64_t channel,
                const std::string &name, std::span<std::byte> value)
      : Node(Kind::Broadcast, absl::StrCat("broadcast @", name)),
        communicator(communicator), channel(channel), value(value) {}

  void start(StepContext &context, Done done) override {
    communicator.broadcast(context.step(), channel, value, std::move(done));
  }

private:
  Communicator &communicator;
  int64_t channel;
  std::span<std::byte> value;
};

} // namespace

std::unique_ptr<Node>
ps::runtime::makeAllReduceNode(Communicator &communicator, int64_t channel,
                               std::vector<ReducePart> parts) {
  return std::make_unique<AllReduceNode>(communicator, channel,
                                         std::move(parts));
}

std::unique_ptr<Node>
ps::runtime::makeBroadcastNode(Communicator &communicator, int64_t channel,
                               std::string name, std::span<std::byte> value) {
  return std::make_unique<BroadcastNode>(communicator, channel, name, value);
}
