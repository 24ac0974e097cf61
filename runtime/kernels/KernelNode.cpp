// SPDX-License-Identifier: Apache-2.0
//===- KernelNode.cpp - compiled functions and copies as nodes ------------===//

#include "runtime/executor/FunctionNode.h"
#include "runtime/kernels/Kernels.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

namespace {
/// What a piece of a split kernel moves at least: more than 5 us of work at
/// the speed of memory.
constexpr int64_t kPieceBytes = 256 << 10;

int64_t rowGrain(int64_t bytesPerRow) {
  return std::max<int64_t>(1, kPieceBytes / std::max<int64_t>(1, bytesPerRow));
}
} // namespace

std::unique_ptr<Node> ps::runtime::makeKernelNode(std::string name,
                                                  KernelCall call) {
  return makeNode(Node::Kind::Kernel, std::move(name),
                  [call = std::move(call)](StepContext &context) {
                    void *const *buffers = call.buffers.data();
                    if (!call.rows)
                      call.function(buffers, 0, 1);
                    else
                      context.parallelRows(*call.rows,
                                           rowGrain(call.bytesPerRow),
                                           [&](int64_t begin, int64_t end) {
                                             call.function(buffers, begin, end);
                                           });
                    return absl::OkStatus();
                  });
}

std::unique_ptr<Node> ps::runtime::makeCopyNode(std::string name,
                                                Device &device,
                                                TensorRef source,
                                                TensorRef target) {
  if (source.space == MemorySpace::Device)
    return makeNode(Node::Kind::Kernel, std::move(name),
                    [=, &device](StepContext &) {
                      return device.copyWithin(source, target);
                    });
  // With the executor's threads, as kernels of the host.
  return makeNode(
      Node::Kind::Kernel, std::move(name), [=](StepContext &context) {
        context.parallelRows(static_cast<int64_t>(source.type.bytes()),
                             kPieceBytes, [&](int64_t begin, int64_t end) {
                               std::memcpy(target.data + begin,
                                           source.data + begin, end - begin);
                             });
        return absl::OkStatus();
      });
}
