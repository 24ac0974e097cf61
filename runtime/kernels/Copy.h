//===- Copy.h - nodes that copy memory ------------------------------------===//

#ifndef PS_RUNTIME_KERNELS_COPY_H
#define PS_RUNTIME_KERNELS_COPY_H

#include "runtime/executor/Program.h"

namespace ps::runtime {

/// A node that copies `bytes` bytes; the two places do not overlap.
std::unique_ptr<Node> makeCopyNode(std::string name, const std::byte *source,
                                   std::byte *target, size_t bytes);

} // namespace ps::runtime

#endif // PS_RUNTIME_KERNELS_COPY_H
