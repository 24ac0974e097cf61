// SPDX-License-Identifier: Apache-2.0
//===- ProductEpilogues.h - kernels that are part of a product ------------===//
//
// What a device's library does to a product before it writes it, and sums
// beside it. A kernel matches only if it computes the same for every input:
// anything close to it, such as GELU by erf, stays a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_EXEC_PRODUCTEPILOGUES_H
#define PS_COMPILER_EXEC_PRODUCTEPILOGUES_H

#include "dialects/exec/ExecDialect.h"
#include <optional>

namespace ps {

/// An epilogue, with the numbers of the kernel's arguments.
struct MatchedEpilogue {
  exec::Epilogue kind;
  unsigned product;
  std::optional<unsigned> bias;
};

/// What `kernel`, a row kernel of rows of a product, computes.
std::optional<MatchedEpilogue> matchEpilogue(mlir::func::FuncOp kernel);

/// Whether `kernel` sums the `rows` leading elements of each column of its one
/// argument, of f32.
bool sumsColumns(mlir::func::FuncOp kernel, int64_t rows);

} // namespace ps

#endif // PS_COMPILER_EXEC_PRODUCTEPILOGUES_H
