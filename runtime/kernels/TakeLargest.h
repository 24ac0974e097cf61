// SPDX-License-Identifier: Apache-2.0
//===- TakeLargest.h - what a step sends of a gradient --------------------===//

#ifndef PS_RUNTIME_KERNELS_TAKELARGEST_H
#define PS_RUNTIME_KERNELS_TAKELARGEST_H

#include "runtime/executor/Program.h"
#include "runtime/protocol/LargestElements.h"

namespace ps::runtime {

/// Elements of F32, and where those that are sent go: of largestType().
struct TakeLargestCall {
  std::span<const std::byte> gradient;
  std::span<std::byte> unsent;
  TensorRef largest;
};

/// As takeLargest().
std::unique_ptr<Node> makeTakeLargestNode(std::string name,
                                          TakeLargestCall call);

} // namespace ps::runtime

#endif // PS_RUNTIME_KERNELS_TAKELARGEST_H
