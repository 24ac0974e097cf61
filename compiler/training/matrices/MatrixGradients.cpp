// SPDX-License-Identifier: Apache-2.0
//===- MatrixGradients.cpp - derivatives of triangular equations ----------===//
//
// With X' for the gradient of X and tri for the triangle that is read:
//
//   op(A) X = B     B' = op(A)^-T X'    op(A)' = -B' X^T
//   X op(A) = B     B' = X' op(A)^-T    op(A)' = -X^T B'
//   A = L L^T       A' = F(S + S^T) with S = L^-T F(L^T L') L^-1
//
// where F keeps the lower triangle, with half of the diagonal. The last line is
// I. Murray, "Differentiation of the Cholesky decomposition", 2016,
// section 4.1; its gradient is of A as a function of its lower triangle. S. P.
// Smith derives the same in "Differentiation of the Cholesky Algorithm", 1995.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/GradientRules.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

static Value swapLastDims(Emitter &e, Value value) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(typeOf(value).getRank()));
  std::swap(order.end()[-1], order.end()[-2]);
  return e.create<TransposeOp>(value, order);
}

/// The products of matrices x and y, over dimension rank - `xFromEnd` of one
/// and rank - `yFromEnd` of the other.
static Value multiply(Emitter &e, Value x, int64_t xFromEnd, Value y,
                      int64_t yFromEnd) {
  RankedTensorType type = typeOf(x);
  int64_t rank = type.getRank();
  auto batch = llvm::to_vector(llvm::seq<int64_t>(rank - 2));
  auto dims = DotDimensionNumbersAttr::get(
      type.getContext(), batch, batch, {rank - xFromEnd}, {rank - yFromEnd});
  return e.create<DotGeneralOp>(
      type.clone(DotGeneralOp::inferShape(type, typeOf(y), dims)), x, y, dims,
      ArrayAttr(), DotAlgorithmAttr());
}

/// Compares the row of each element of `value` with its column.
static Value comparePlaces(Emitter &e, Value value,
                           ComparisonDirection direction) {
  RankedTensorType type = typeOf(value);
  auto places = RankedTensorType::get(type.getShape().take_back(2),
                                      e.getBuilder().getI32Type());
  Value holds = e.create<CompareOp>(e.create<IotaOp>(places, 0),
                                    e.create<IotaOp>(places, 1), direction);
  if (type.getRank() == 2)
    return holds;
  return e.broadcast(holds, type,
                     llvm::to_vector(llvm::seq<int64_t>(type.getRank() - 2)));
}

static Value solve(Emitter &e, Value a, Value b, bool fromLeft, bool lower,
                   bool unitDiagonal, bool transposes) {
  return e.create<TriangularSolveOp>(a, b, fromLeft, lower, unitDiagonal,
                                     transposes ? Transpose::TRANSPOSE
                                                : Transpose::NO_TRANSPOSE);
}

Gradients ps::differentiate(TriangularSolveOp op, RuleEmitter &e, Value g) {
  Value a = op.getA(), x = op.getResult();
  const bool fromLeft = op.getLeftSide();
  Value right = solve(e, a, g, fromLeft, op.getLower(), op.getUnitDiagonal(),
                      !op.isTransposed());
  // Transposing op(A)' swaps its factors.
  const bool rightIsFirst = fromLeft != op.isTransposed();
  const int64_t summed = fromLeft ? 1 : 2;
  Value product = multiply(e, rightIsFirst ? right : x, summed,
                           rightIsFirst ? x : right, summed);
  using Direction = ComparisonDirection;
  Direction triangle = op.getUnitDiagonal()
                           ? (op.getLower() ? Direction::GT : Direction::LT)
                           : (op.getLower() ? Direction::GE : Direction::LE);
  return {{e.select(comparePlaces(e, product, triangle), e.neg(product),
                    e.like(product, 0)),
           right}};
}

/// F of the head of this file.
static Value halveDiagonal(Emitter &e, Value value) {
  Value isDiagonal = comparePlaces(e, value, ComparisonDirection::EQ);
  Value isBelow = comparePlaces(e, value, ComparisonDirection::GT);
  return e.select(isBelow, value,
                  e.select(isDiagonal, e.scale(value, 0.5), e.like(value, 0)));
}

/// The upper triangle is the transpose of the lower one, and so are gradients.
Gradients ps::differentiate(CholeskyOp op, RuleEmitter &e, Value g) {
  const bool isLower = op.getLower();
  Value factor = op.getResult();
  Value gradient = isLower ? g : swapLastDims(e, g);
  auto solveBy = [&](Value b, bool fromLeft, bool transposes) {
    return solve(e, factor, b, fromLeft, isLower, false, transposes == isLower);
  };
  Value inner =
      halveDiagonal(e, multiply(e, factor, isLower ? 2 : 1, gradient, 2));
  Value sides = solveBy(solveBy(inner, /*fromLeft=*/true, /*transposes=*/true),
                        /*fromLeft=*/false, /*transposes=*/false);
  Value result = halveDiagonal(e, e.add(sides, swapLastDims(e, sides)));
  return {{isLower ? result : swapLastDims(e, result)}};
}
