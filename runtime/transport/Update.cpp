//===- Update.cpp - what a pserver updates by itself ----------------------===//

#include "runtime/transport/Update.h"
#include "absl/strings/str_cat.h"
#include "runtime/transport/Merge.h"

using namespace ps::runtime;

namespace {
/// Stands for a node of a part in the whole.
class ForwardNode final : public Node {
public:
  explicit ForwardNode(Node &node)
      : Node(node.kind(), node.name()), node(node) {}
  void start(StepContext &context, Done done) override {
    node.start(context, std::move(done));
  }

private:
  Node &node;
};

class MeanNode final : public Node {
public:
  MeanNode(const std::string &block, TensorRef target,
           std::vector<std::byte *> kept, const std::vector<int> &contributors)
      : Node(Kind::Kernel, absl::StrCat("mean @", block)), target(target),
        kept(std::move(kept)), contributors(contributors) {}

  void start(StepContext &context, Done done) override {
    constexpr int64_t grain = 1 << 16;
    const DType type = target.type.dtype;
    const int divisor = static_cast<int>(contributors.size());
    std::vector<const std::byte *> sources;
    if (!kept.empty())
      for (int trainer : contributors)
        sources.push_back(kept[trainer]);
    context.parallelRows(target.type.numElements(), grain,
                         [&](int64_t begin, int64_t end) {
                           if (!sources.empty())
                             meanOf(type, sources, target.data, begin, end);
                           else if (divisor > 1)
                             divide(type, target.data, divisor, begin, end);
                         });
    done(absl::OkStatus());
  }

private:
  TensorRef target;
  std::vector<std::byte *> kept;
  const std::vector<int> &contributors;
};
} // namespace

std::vector<NodeId> ps::runtime::append(Program &part, Program &whole,
                                        std::span<const NodeId> after) {
  std::vector<std::vector<NodeId>> before(part.size());
  std::vector<NodeId> last;
  for (size_t i = 0; i < part.size(); ++i) {
    NodeId from = static_cast<NodeId>(i);
    if (part.numPredecessors(from) == 0)
      before[i].assign(after.begin(), after.end());
    NodeId id = whole.addNode(std::make_unique<ForwardNode>(part.node(from)),
                              before[i]);
    for (NodeId successor : part.successors(from))
      before[successor].push_back(id);
    if (part.successors(from).empty())
      last.push_back(id);
  }
  return last;
}

std::unique_ptr<Node>
ps::runtime::makeMeanNode(const std::string &block, TensorRef target,
                          std::vector<std::byte *> kept,
                          const std::vector<int> &contributors) {
  return std::make_unique<MeanNode>(block, target, std::move(kept),
                                    contributors);
}
