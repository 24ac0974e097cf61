// SPDX-License-Identifier: Apache-2.0
//===- WidenPredicates.cpp - predicates that are reduced as bytes ---------===//
//
// An accumulator takes the place of an element of its type (ReductionBody.h).
// In memory a boolean is a byte, and `any(x > 0)` combines one with a bit:
//
//   %p = cmpf ogt, %x, 0                   %p = cmpf ogt, %x, 0
//                                          %e = extui %p : i1 to i8
//                                          %q = cmpi ne, %e, 0
//   %o = cmpi ne, %out, 0                  %o = cmpi ne, %out, 0
//   %r = ori %o, %p                        %r = ori %o, %q
//   yield (extui %r : i1 to i8)            yield (extui %r : i1 to i8)
//
// 1. isBoolean: an accumulator is, if nothing but its truth is asked for.
// 2. collectPredicates: the bits that it is combined with, but none that a mask
//    has in memory: those are made of bytes already.
// 3. widen: such a bit becomes a byte and is read from it.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/WidenPredicates.h"
#include "compiler/gpu/ReductionBody.h"
#include "compiler/kernels/ScalarEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ps;

/// Whether `op` asks whether a byte is 0, or whether it is not.
static bool asksForTruth(Operation *op) {
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  return compare && compare.getLhs().getType().isInteger(8) &&
         matchPattern(compare.getRhs(), m_Zero()) &&
         (compare.getPredicate() == arith::CmpIPredicate::ne ||
          compare.getPredicate() == arith::CmpIPredicate::eq);
}

static bool isBoolean(BlockArgument accumulator) {
  return accumulator.getType().isInteger(8) &&
         llvm::all_of(accumulator.getUsers(), asksForTruth);
}

/// Whether `predicate` is the truth of a byte. That of another accumulator may
/// take its place.
static bool isOfByte(Value predicate) {
  Operation *maker = predicate.getDefiningOp();
  return asksForTruth(maker) &&
         cast<arith::CmpIOp>(maker).getPredicate() == arith::CmpIPredicate::ne;
}

static void collectPredicates(Value yielded, ReductionBody &body,
                              llvm::SetVector<Value> &predicates) {
  llvm::SetVector<Value> needed;
  needed.insert(yielded);
  for (size_t i = 0; i < needed.size(); ++i) {
    Value value = needed[i];
    Operation *maker = value.getDefiningOp();
    if (maker && body.combines(maker))
      needed.insert(maker->operand_begin(), maker->operand_end());
    else if (value.getType().isInteger(1) && !isOfByte(value) &&
             !isa_and_nonnull<arith::ConstantOp>(maker))
      predicates.insert(value);
  }
}

static void widen(Value predicate, linalg::GenericOp op,
                  const ReductionBody &body) {
  OpBuilder b = OpBuilder::atBlockBegin(op.getBody());
  if (predicate.getParentBlock() == op.getBody())
    b.setInsertionPointAfterValue(predicate);
  Type type = predicate.getType();
  Value stored = emitStored(b, op.getLoc(), predicate, type);
  Value loaded = emitLoaded(b, op.getLoc(), stored, type);
  predicate.replaceUsesWithIf(
      loaded, [&](OpOperand &use) { return body.combines(use.getOwner()); });
}

void ps::widenPredicates(linalg::GenericOp op) {
  ReductionBody body(op);
  llvm::SetVector<Value> predicates;
  for (unsigned output : body.accumulators())
    if (isBoolean(op.getMatchingBlockArgument(op.getDpsInitOperand(output))))
      collectPredicates(body.getYielded(output), body, predicates);
  for (Value predicate : predicates)
    widen(predicate, op, body);
}
