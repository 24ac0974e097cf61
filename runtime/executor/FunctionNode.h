// SPDX-License-Identifier: Apache-2.0
//===- FunctionNode.h - a node made of a function -------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_FUNCTIONNODE_H
#define PS_RUNTIME_EXECUTOR_FUNCTIONNODE_H

#include "runtime/executor/Program.h"
#include <type_traits>

namespace ps::runtime {

template <typename Function>
class FunctionNode final : public Node {
public:
  FunctionNode(Kind kind, std::string name, Function function)
      : Node(kind, std::move(name)), function(std::move(function)) {}

  void start(StepContext &context, Done done) override {
    if constexpr (std::is_invocable_v<Function &, StepContext &, Done>)
      function(context, std::move(done));
    else
      done(function(context));
  }

private:
  Function function;
};

/// A node that calls `function`: with the context and a callback for the end of
/// the work, or with the context alone if the work has ended, with the status
/// that it returns, when it returns.
template <typename Function>
std::unique_ptr<Node> makeNode(Node::Kind kind, std::string name,
                               Function function) {
  return std::make_unique<FunctionNode<Function>>(kind, std::move(name),
                                                  std::move(function));
}

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_FUNCTIONNODE_H
