// SPDX-License-Identifier: Apache-2.0
//===- RaggedBuffer.h - values whose number changes with every step -------===//

#ifndef PS_RUNTIME_EXECUTOR_RAGGEDBUFFER_H
#define PS_RUNTIME_EXECUTOR_RAGGEDBUFFER_H

#include "runtime/base/Tensor.h"

namespace ps::runtime {

/// Values whose number changes with every step. Movable; swapping the contents
/// of two costs nothing.
struct RaggedBuffer {
  DType dtype = DType::I64;
  /// Room for at least `size` elements.
  Buffer bytes;
  int64_t size = 0;

  /// Makes `size` equal to `elements`; what was there may be lost. The room
  /// grows by half at least, so that it seldom grows. RESOURCE_EXHAUSTED
  /// leaves everything as it was.
  absl::Status assign(int64_t elements);

  template <typename T>
  T *as() const {
    return reinterpret_cast<T *>(bytes.data());
  }
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_RAGGEDBUFFER_H
