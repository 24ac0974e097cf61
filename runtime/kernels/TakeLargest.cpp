// SPDX-License-Identifier: Apache-2.0
//===- TakeLargest.cpp - what a step sends of a gradient ------------------===//

#include "runtime/kernels/TakeLargest.h"
#include "runtime/executor/FunctionNode.h"

using namespace ps::runtime;

std::unique_ptr<Node> ps::runtime::makeTakeLargestNode(std::string name,
                                                       TakeLargestCall call) {
  const size_t size = call.unsent.size() / sizeof(float);
  return makeNode(
      Node::Kind::Kernel, std::move(name),
      [call, size](StepContext &) -> absl::Status {
        takeLargest(
            {reinterpret_cast<const float *>(call.gradient.data()), size},
            {reinterpret_cast<float *>(call.unsent.data()), size},
            {call.largest.as<LargestElement>(),
             static_cast<size_t>(call.largest.type.shape[0])});
        return absl::OkStatus();
      });
}
