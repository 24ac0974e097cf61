//===- KernelNode.cpp - compiled functions and copies as nodes ------------===//

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

class KernelNode final : public Node {
public:
  KernelNode(std::string name, KernelCall call)
      : Node(Kind::Kernel, std::move(name)), call(std::move(call)) {}

  void start(StepContext &context, Done done) override {
    void *const *buffers = call.buffers.data();
    if (!call.rows)
      call.function(buffers, 0, 1);
    else
      context.parallelRows(*call.rows, rowGrain(call.bytesPerRow),
                           [&](int64_t begin, int64_t end) {
                             call.function(buffers, begin, end);
                           });
    done(absl::OkStatus());
  }

private:
  KernelCall call;
};

class CopyNode final : public Node {
public:
  CopyNode(std::string name, void *to, const void *from, size_t bytes)
      : Node(Kind::Kernel, std::move(name)), to(static_cast<std::byte *>(to)),
        from(static_cast<const std::byte *>(from)), bytes(bytes) {}

  void start(StepContext &context, Done done) override {
    context.parallelRows(static_cast<int64_t>(bytes), kPieceBytes,
                         [&](int64_t begin, int64_t end) {
                           std::memcpy(to + begin, from + begin, end - begin);
                         });
    done(absl::OkStatus());
  }

private:
  std::byte *to;
  const std::byte *from;
  size_t bytes;
};
} // namespace

std::unique_ptr<Node> ps::runtime::makeKernelNode(std::string name,
                                                  KernelCall call) {
  return std::make_unique<KernelNode>(std::move(name), std::move(call));
}

std::unique_ptr<Node> ps::runtime::makeCopyNode(std::string name, void *to,
                                                const void *from,
                                                size_t bytes) {
  return std::make_unique<CopyNode>(std::move(name), to, from, bytes);
}
