// SPDX-License-Identifier: Apache-2.0
//===- LowerTriangular.cpp - kernels with triangular matrices -------------===//
//
// The part of ps-stablehlo-to-linalg that solves triangular equations and
// factors positive definite matrices, an element after the other: each is what
// it would be without the elements before it, less their share, which is a sum
// of products, in f64: errors of the elements before it grow.
//
// All forms of an equation are one: whatever is transposed, and a system that
// is solved from its last row up, is a matter of where an element is found. The
// columns of the solution do not depend on each other.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/KernelLowering.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stablehlo;
using namespace ps;

namespace {

/// The memory of matrices, each as it is or transposed.
struct Matrices {
  Value buffer;
  bool isTransposed;
};

class TriangularLoops {
public:
  TriangularLoops(RankedTensorType type, ImplicitLocOpBuilder &b)
      : b(b), type(type), element(type.getElementType()) {}

  void solve(TriangularSolveOp op, Value a, Value right, Value solution);
  void factor(CholeskyOp op, Value a, Value factor);

private:
  Value index(int64_t value) { return b.create<arith::ConstantIndexOp>(value); }
  Value startLoop(Value begin, Value end);
  void startBatchLoops();
  SmallVector<Value> locate(const Matrices &in, Value row, Value column);
  Value load(const Matrices &from, Value row, Value column);
  void store(Value value, const Matrices &to, Value row, Value column);
  Value
  subtractProducts(Value from, Value count,
                   llvm::function_ref<std::pair<Value, Value>(Value)> factors);

  ImplicitLocOpBuilder &b;
  RankedTensorType type;
  Type element;
  /// The place of the matrix in the dimensions before the last two.
  SmallVector<Value> matrix;
};

} // namespace

/// Emits a loop, and goes on inside of it.
Value TriangularLoops::startLoop(Value begin, Value end) {
  auto loop = b.create<scf::ForOp>(begin, end, index(1));
  b.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}

void TriangularLoops::startBatchLoops() {
  for (int64_t size : type.getShape().drop_back(2))
    matrix.push_back(startLoop(index(0), index(size)));
}

SmallVector<Value> TriangularLoops::locate(const Matrices &in, Value row,
                                           Value column) {
  if (in.isTransposed)
    std::swap(row, column);
  SmallVector<Value> at(matrix);
  at.append({row, column});
  return at;
}

Value TriangularLoops::load(const Matrices &from, Value row, Value column) {
  Value stored =
      b.create<memref::LoadOp>(from.buffer, locate(from, row, column));
  return emitFloatCast(b, b.getLoc(), stored, b.getF64Type());
}

void TriangularLoops::store(Value value, const Matrices &to, Value row,
                            Value column) {
  b.create<memref::StoreOp>(emitFloatCast(b, b.getLoc(), value, element),
                            to.buffer, locate(to, row, column));
}

/// `from` without `count` products, whose factors are given by number.
Value TriangularLoops::subtractProducts(
    Value from, Value count,
    llvm::function_ref<std::pair<Value, Value>(Value)> factors) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = b.create<scf::ForOp>(index(0), count, index(1), from);
  b.setInsertionPointToStart(loop.getBody());
  auto [x, y] = factors(loop.getInductionVar());
  Value rest = b.create<arith::SubFOp>(loop.getRegionIterArg(0),
                                       b.create<arith::MulFOp>(x, y));
  b.create<scf::YieldOp>(rest);
  return loop.getResult(0);
}

/// From the right, an equation is that of the transposed matrices.
void TriangularLoops::solve(TriangularSolveOp op, Value a, Value right,
                            Value solution) {
  OpBuilder::InsertionGuard guard(b);
  const bool isRight = !op.getLeftSide();
  const Matrices factors{a, op.isTransposed() != isRight};
  const Matrices given{right, isRight}, solved{solution, isRight};
  ArrayRef<int64_t> shape = type.getShape().take_back(2);
  const int64_t size = shape[isRight ? 1 : 0];
  // An upper triangular system is solved from its last row on.
  auto rowOf = [&](Value step) -> Value {
    if (op.getLower() != factors.isTransposed)
      return step;
    return b.create<arith::SubIOp>(index(size - 1), step);
  };

  startBatchLoops();
  Value column = startLoop(index(0), index(shape[isRight ? 0 : 1]));
  Value step = startLoop(index(0), index(size));
  Value row = rowOf(step);
  Value rest =
      subtractProducts(load(given, row, column), step, [&](Value before) {
        Value other = rowOf(before);
        return std::pair(load(factors, row, other),
                         load(solved, other, column));
      });
  if (!op.getUnitDiagonal())
    rest = b.create<arith::DivFOp>(rest, load(factors, row, row));
  store(rest, solved, row, column);
}

/// Row by row: L(i, j) L(j, j) is A(i, j) less the products of what is before
/// column j in rows i and j, and L(i, i) is the root of such a rest.
void TriangularLoops::factor(CholeskyOp op, Value a, Value factor) {
  OpBuilder::InsertionGuard guard(b);
  const Matrices given{a, !op.getLower()}, lower{factor, !op.getLower()};
  Value size = index(type.getShape().back());
  startBatchLoops();
  Value row = startLoop(index(0), size);
  auto restAt = [&](Value column) {
    return subtractProducts(load(given, row, column), column,
                            [&](Value before) {
                              return std::pair(load(lower, row, before),
                                               load(lower, column, before));
                            });
  };
  {
    OpBuilder::InsertionGuard inner(b);
    Value column = startLoop(index(0), row);
    store(b.create<arith::DivFOp>(restAt(column), load(lower, column, column)),
          lower, row, column);
  }
  store(b.create<math::SqrtOp>(restAt(row)), lower, row, row);
  Value zero = b.create<arith::ConstantOp>(b.getF64FloatAttr(0));
  Value column = startLoop(b.create<arith::AddIOp>(row, index(1)), size);
  store(zero, lower, row, column);
}

void KernelLowering::lowerTriangular(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getBuffer(tensors.lookup(operand), /*isReadOnly=*/true));
  Value result = op->getResult(0);
  Value buffer = getBuffer(getStoredDestination(result), /*isReadOnly=*/false);
  TriangularLoops loops(getTensorType(result), b);
  if (auto cholesky = dyn_cast<CholeskyOp>(op))
    loops.factor(cholesky, operands[0], buffer);
  else
    loops.solve(cast<TriangularSolveOp>(op), operands[0], operands[1], buffer);
  tensors[result] = b.create<bufferization::ToTensorOp>(
      buffer, /*restrict=*/true, /*writable=*/true);
}
