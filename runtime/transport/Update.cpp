//===- Update.cpp - what a pserver updates by itself ----------------------===//

#include "runtime/transport/Update.h"

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
