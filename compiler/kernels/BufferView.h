// SPDX-License-Identifier: Apache-2.0
//===- BufferView.h - memrefs made of pointers ----------------------------===//
//
// Inside of the kernel pipelines: kernels get pointers, their bodies work on
// memrefs. Memrefs of kernels are dense; a leading `?` is the number of rows.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_KERNELS_BUFFERVIEW_H
#define PS_COMPILER_KERNELS_BUFFERVIEW_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ps {

/// Whether the leading dimension of `type` is a `?`.
bool hasRows(mlir::MemRefType type);
/// Bytes of one row, or of the whole static buffer.
int64_t getBufferBytes(mlir::MemRefType type);
/// The memref of `type` at `pointer`, in the LLVM dialect behind a cast. Its
/// leading size is `rows`, an i64, if dynamic.
mlir::Value makeMemRef(mlir::ImplicitLocOpBuilder &b, mlir::MemRefType type,
                       mlir::Value pointer, mlir::Value rows);

} // namespace ps

#endif // PS_COMPILER_KERNELS_BUFFERVIEW_H
