// SPDX-License-Identifier: Apache-2.0
//===- LowerSort.cpp - kernels that sort ----------------------------------===//
//
// The part of ps-stablehlo-to-linalg that sorts lines of elements along a
// dimension, by merging from the bottom up. What is sorted are the numbers of
// the elements, in two planes between which they go to and fro; at the end the
// elements are taken in that order. So a line stays a permutation of itself
// whatever the comparator says, and equal elements keep their order.
//
// No iteration of the innermost loops reads what another one writes:
// ps-mark-parallel-loops relies on that.
//
//===----------------------------------------------------------------------===//

#include "compiler/kernels/KernelLowering.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stablehlo;
using namespace ps;

namespace {

class SortLoops {
public:
  SortLoops(SortOp op, ImplicitLocOpBuilder &b, ArrayRef<Value> inputs,
            ArrayRef<Value> results, Value order)
      : op(op), b(b), inputs(inputs), results(results), order(order),
        type(getTensorType(op.getResult(0))), dim(op.getSortedDim()),
        size(type.getDimSize(dim)) {}

  void run();

private:
  Value index(int64_t value) { return b.create<arith::ConstantIndexOp>(value); }
  Value min(Value x, Value y) { return b.create<arith::MinSIOp>(x, y); }
  Value add(Value x, Value y) { return b.create<arith::AddIOp>(x, y); }
  scf::ForOp startLoop(Value begin, Value end, Value step,
                       ValueRange carried = {});
  SmallVector<Value> locate(Value plane, Value place);
  Value loadNumber(Value plane, Value place);
  void storeNumber(Value number, Value plane, Value place);
  Value comesBefore(Value x, Value y);
  void number();
  void mergePass(Value pass);
  void mergeBlocks(Value begin, Value middle, Value end, Value from, Value to);
  void takeElements();

  SortOp op;
  ImplicitLocOpBuilder &b;
  ArrayRef<Value> inputs, results;
  Value order;
  RankedTensorType type;
  int64_t dim, size;
  /// The current line; the place along `dim` is set where it is used.
  SmallVector<Value> at;
};

} // namespace

/// Emits a loop, and goes on inside of it.
scf::ForOp SortLoops::startLoop(Value begin, Value end, Value step,
                                ValueRange carried) {
  auto loop = b.create<scf::ForOp>(begin, end, step, carried);
  b.setInsertionPointToStart(loop.getBody());
  return loop;
}

/// Where the current line has a number: all lines may have the same memory,
/// else those of neighbors are beside one another.
SmallVector<Value> SortLoops::locate(Value plane, Value place) {
  SmallVector<Value> indices{plane, place};
  if (cast<MemRefType>(order.getType()).getRank() > 2)
    for (auto [other, where] : llvm::enumerate(at))
      if (int64_t(other) != dim)
        indices.push_back(where);
  return indices;
}

Value SortLoops::loadNumber(Value plane, Value place) {
  return b.create<arith::IndexCastOp>(
      b.getIndexType(), b.create<memref::LoadOp>(order, locate(plane, place)));
}

void SortLoops::storeNumber(Value number, Value plane, Value place) {
  Type element = cast<MemRefType>(order.getType()).getElementType();
  b.create<memref::StoreOp>(b.create<arith::IndexCastOp>(element, number),
                            order, locate(plane, place));
}

/// Whether element `x` along `dim` comes before element `y`.
Value SortLoops::comesBefore(Value x, Value y) {
  SmallVector<Value> arguments;
  for (auto [buffer, value] : llvm::zip(inputs, op.getResults()))
    for (Value place : {x, y}) {
      at[dim] = place;
      arguments.push_back(emitLoaded(b, b.getLoc(),
                                     b.create<memref::LoadOp>(buffer, at),
                                     getElementTypeOrSelf(value)));
    }
  return emitBody(op.getComparator().front(), arguments, b).front();
}

/// Plane 0 holds the elements in their first order.
void SortLoops::number() {
  OpBuilder::InsertionGuard guard(b);
  scf::ForOp loop = startLoop(index(0), index(size), index(1));
  storeNumber(loop.getInductionVar(), index(0), loop.getInductionVar());
}

/// Merges the sorted parts [begin, middle) and [middle, end) of plane `from`
/// into plane `to`.
void SortLoops::mergeBlocks(Value begin, Value middle, Value end, Value from,
                            Value to) {
  OpBuilder::InsertionGuard guard(b);
  Value last = index(size - 1);
  scf::ForOp loop = startLoop(begin, end, index(1), {begin, middle});
  Value left = loop.getRegionIterArg(0), right = loop.getRegionIterArg(1);
  // Loads stay inside; what is read beyond a part's end is not used.
  Value atLeft = loadNumber(from, min(left, last));
  Value atRight = loadNumber(from, min(right, last));
  Value isBefore = comesBefore(atRight, atLeft);
  Value leftIsOver =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::sge, left, middle);
  Value hasRight =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, right, end);
  Value takesRight = b.create<arith::OrIOp>(
      leftIsOver, b.create<arith::AndIOp>(hasRight, isBefore));
  storeNumber(b.create<arith::SelectOp>(takesRight, atRight, atLeft), to,
              loop.getInductionVar());
  Value one = index(1);
  Value next[] = {
      b.create<arith::SelectOp>(takesRight, left, add(left, one)),
      b.create<arith::SelectOp>(takesRight, add(right, one), right)};
  b.create<scf::YieldOp>(next);
}

/// Sorted parts of 2^pass elements become parts of twice as many.
void SortLoops::mergePass(Value pass) {
  Value one = index(1), end = index(size);
  Value from = b.create<arith::AndIOp>(pass, one);
  Value to = b.create<arith::SubIOp>(one, from);
  Value width = b.create<arith::ShLIOp>(one, pass);
  scf::ForOp loop = startLoop(index(0), end, add(width, width));
  Value begin = loop.getInductionVar();
  Value middle = min(add(begin, width), end);
  mergeBlocks(begin, middle, min(add(middle, width), end), from, to);
}

void SortLoops::takeElements() {
  OpBuilder::InsertionGuard guard(b);
  Value plane = index(llvm::Log2_64_Ceil(size) % 2);
  scf::ForOp loop = startLoop(index(0), index(size), index(1));
  Value taken = loadNumber(plane, loop.getInductionVar());
  for (auto [input, result] : llvm::zip(inputs, results)) {
    at[dim] = taken;
    Value element = b.create<memref::LoadOp>(input, at);
    at[dim] = loop.getInductionVar();
    b.create<memref::StoreOp>(element, result, at);
  }
}

void SortLoops::run() {
  OpBuilder::InsertionGuard guard(b);
  at.resize(type.getRank());
  for (int64_t other = 0; other < type.getRank(); ++other)
    if (other != dim)
      at[other] = startLoop(index(0), index(type.getDimSize(other)), index(1))
                      .getInductionVar();
  number();
  {
    OpBuilder::InsertionGuard passes(b);
    scf::ForOp loop =
        startLoop(index(0), index(llvm::Log2_64_Ceil(size)), index(1));
    mergePass(loop.getInductionVar());
  }
  takeElements();
}

void KernelLowering::lowerSort(SortOp op) {
  SmallVector<Value> inputs, results;
  for (Value input : op.getInputs())
    inputs.push_back(getBuffer(tensors.lookup(input), /*isReadOnly=*/true));
  for (Value result : op.getResults())
    results.push_back(
        getBuffer(getStoredDestination(result), /*isReadOnly=*/false));
  RankedTensorType type = getTensorType(op.getResult(0));
  const int64_t size = type.getDimSize(op.getSortedDim());
  Type number = size > INT32_MAX ? b.getI64Type() : b.getI32Type();
  SmallVector<int64_t> shape{2, size};
  if (parallelLines)
    for (auto [dim, lines] : llvm::enumerate(type.getShape()))
      if (int64_t(dim) != op.getSortedDim())
        shape.push_back(lines);
  Value order = b.create<memref::AllocOp>(MemRefType::get(shape, number));
  SortLoops(op, b, inputs, results, order).run();
  for (auto [result, buffer] : llvm::zip(op.getResults(), results))
    tensors[result] = b.create<bufferization::ToTensorOp>(
        buffer, /*restrict=*/true, /*writable=*/true);
}
