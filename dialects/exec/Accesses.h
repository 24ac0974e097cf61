// SPDX-License-Identifier: Apache-2.0
//===- Accesses.h - the memory that nodes access --------------------------===//
//
// For the files that implement the ops.
//
//===----------------------------------------------------------------------===//

#ifndef PS_DIALECTS_EXEC_ACCESSES_H
#define PS_DIALECTS_EXEC_ACCESSES_H

#include "dialects/exec/ExecDialect.h"

namespace ps::exec {

inline mlir::ShapedType shapedType(mlir::Value value) {
  return llvm::cast<mlir::ShapedType>(value.getType());
}

inline Access accessWhole(mlir::Value buffer, bool write) {
  return {buffer, 0, getByteSize(shapedType(buffer)), write};
}

inline Access accessRows(mlir::Value buffer, int64_t rowOffset, int64_t rows,
                         bool write) {
  int64_t rowBytes = getRowBytes(shapedType(buffer));
  return {buffer, rowOffset * rowBytes, (rowOffset + rows) * rowBytes, write};
}

inline void addAccesses(mlir::SmallVector<Access> &accesses,
                        mlir::ValueRange buffers, bool write) {
  for (mlir::Value buffer : buffers)
    accesses.push_back(accessWhole(buffer, write));
}

} // namespace ps::exec

#endif // PS_DIALECTS_EXEC_ACCESSES_H
