// SPDX-License-Identifier: Apache-2.0
//===- TensorSize.h - sizes that a program's text may make overflow -------===//

#ifndef PS_DIALECTS_STABLEHLO_TENSORSIZE_H
#define PS_DIALECTS_STABLEHLO_TENSORSIZE_H

#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace stablehlo {

/// The number of elements of a static `shape`, or nothing when it does not fit
/// into 63 bits.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// The bytes of a dense tensor or memref of static shape, or nothing when they
/// are more than a process can address: 2^47, so that sums of many fit too.
std::optional<int64_t> countBytes(mlir::ShapedType type);

} // namespace stablehlo

#endif // PS_DIALECTS_STABLEHLO_TENSORSIZE_H
