// SPDX-License-Identifier: Apache-2.0
//===- RaggedBuffer.cpp - values whose number changes with every step -----===//

#include "runtime/executor/RaggedBuffer.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <limits>

using namespace ps::runtime;

absl::Status RaggedBuffer::assign(int64_t elements) {
  // No element takes more than eight bytes.
  if (elements < 0 || elements > std::numeric_limits<int64_t>::max() / 16)
    return absl::ResourceExhaustedError("out of memory");
  size_t needed = elements * byteWidth(dtype);
  if (needed > bytes.size()) {
    ASSIGN_OR_RETURN(bytes, Buffer::allocate(std::max(
                                needed, bytes.size() + bytes.size() / 2)));
  }
  size = elements;
  return absl::OkStatus();
}
