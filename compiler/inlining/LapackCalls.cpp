// SPDX-License-Identifier: Apache-2.0
//===- LapackCalls.cpp - calls of LAPACK as ops of StableHLO --------------===//
//
// JAX prints them for CPUs, with the flags of LAPACK as letters. What the other
// triangle of a factor holds is 0 here and the operand's there; JAX replaces it
// by zeros.
//
//===----------------------------------------------------------------------===//

#include "compiler/inlining/DecomposeOps.h"
#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

/// The last element of the diagonal of each matrix.
static Value takeLastPivots(Emitter &e, Value matrices) {
  RankedTensorType type = typeOf(matrices);
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> limits(type.getShape());
  for (int64_t dim = type.getRank() - 2; dim != type.getRank(); ++dim)
    starts[dim] = limits[dim] - 1;
  Value last = e.create<SliceOp>(matrices, starts, limits, strides);
  return e.create<ReshapeOp>(type.clone(type.getShape().drop_back(2)), last);
}

/// The second result is not 0 where a matrix is not positive definite. The last
/// pivot shows that: after one that is not positive all are NaN.
static Results decomposePotrf(CustomCallOp op, Emitter &e) {
  Value factor =
      e.create<CholeskyOp>(op.getInputs()[0], op.getLapackFlag("uplo") == 'L');
  auto info = cast<RankedTensorType>(op.getResult(1).getType());
  if (typeOf(factor).getShape().back() == 0)
    return {factor, e.splat(info, 0)};
  Value pivots = takeLastPivots(e, factor);
  Value fails = e.create<NotOp>(e.greater(pivots, e.like(pivots, 0)));
  return {factor, e.convert(fails, info.getElementType())};
}

Results ps::decomposeLapackCall(CustomCallOp op, Emitter &e) {
  if (op.isPotrf())
    return decomposePotrf(op, e);
  return {e.create<TriangularSolveOp>(
      op.getInputs()[0], op.getInputs()[1], op.getLapackFlag("side") == 'L',
      op.getLapackFlag("uplo") == 'L', op.getLapackFlag("diag") == 'U',
      op.getLapackFlag("trans_x") == 'N' ? Transpose::NO_TRANSPOSE
                                         : Transpose::TRANSPOSE)};
}
