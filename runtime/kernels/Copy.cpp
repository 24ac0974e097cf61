//===- Copy.cpp - nodes that copy memory ----------------------------------===//

#include "runtime/kernels/Copy.h"
#include <cstring>

using namespace ps::runtime;

namespace {

class CopyNode : public Node {
public:
  CopyNode(std::string name, const std::byte *source, std::byte *target,
           size_t bytes)
      : Node(Kind::Kernel, std::move(name)), source(source), target(target),
        bytes(bytes) {}

  void start(StepContext &, Done done) override {
    if (bytes != 0)
      std::memcpy(target, source, bytes);
    done(absl::OkStatus());
  }

private:
  const std::byte *source;
  std::byte *target;
  size_t bytes;
};

} // namespace

std::unique_ptr<Node> ps::runtime::makeCopyNode(std::string name,
                                                const std::byte *source,
                                                std::byte *target,
                                                size_t bytes) {
  return std::make_unique<CopyNode>(std::move(name), source, target, bytes);
}
