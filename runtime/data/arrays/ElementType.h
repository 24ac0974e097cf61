// SPDX-License-Identifier: Apache-2.0
//===- ElementType.h - the numbers that arrays of NumPy hold --------------===//

#ifndef PS_RUNTIME_DATA_ARRAYS_ELEMENTTYPE_H
#define PS_RUNTIME_DATA_ARRAYS_ELEMENTTYPE_H

#include "absl/strings/string_view.h"
#include "runtime/base/Tensor.h"
#include <string>

namespace ps::runtime {

/// How the elements of a type are stored in a column: as they are, or widened,
/// which loses nothing.
struct ElementType {
  /// What NumPy calls it, "<f4".
  absl::string_view descr;
  size_t bytes;
  DType stored;
  /// Null for those that are stored as they are.
  void (*widen)(const std::byte *from, int64_t count, std::byte *to) = nullptr;
};

/// Null for a type that no column can hold.
const ElementType *findElementType(absl::string_view descr);
/// "expected elements of .., found '<c8'".
std::string describeUnknownElements(absl::string_view descr);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_ARRAYS_ELEMENTTYPE_H
