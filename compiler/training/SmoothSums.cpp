// SPDX-License-Identifier: Apache-2.0
//===- SmoothSums.cpp - sums in which kinks cancel ------------------------===//
//
// log(e^a + e^b) is smooth, but computed as max(a, b) + log1p(exp(-|a - b|)),
// of which both terms have a kink where a = b. The conventions for their
// derivatives (ChoiceGradients.cpp) would not add up to its derivative there,
// that is at the logits 0 with which training begins. Pairs are
//
//   max(a, b) + log1p(exp(-|a - b|))     softplus, logaddexp, cross entropy
//   min(a, b) - log1p(exp(-|a - b|))     the logarithm of the logistic function
//   max(x, 0) + c f(min(x, 0) / d)       celu, where f is expm1; PReLU
//
// also where other terms are between, as in max(x, 0) - x y + log1p(exp(-|x|)).
//
// 1. collectTerms: what each side of an addition or subtraction adds up.
// 2. joinPair: find a pair with one term on each side.
// 3. separate: give the sum copies of the pair's kinks, so that a relu of the
//    same x elsewhere keeps its own convention.
//
//===----------------------------------------------------------------------===//

#include "compiler/training/SmoothSums.h"

#include "dialects/stablehlo/Matchers.h"

using namespace mlir;
using namespace stablehlo;

namespace {

/// What a sum adds or subtracts.
struct Term {
  Value value;
  bool isSubtracted;
  /// The numbers of the operands by which the sum reaches the value.
  SmallVector<unsigned> path;
};

class SmoothSums {
public:
  llvm::DenseSet<Operation *>
  separate(llvm::iterator_range<Block::iterator> ops);

private:
  bool joinPair(Operation *sum);
  bool joinPair(Operation *sum, const Term &choice, const Term &rest);
  bool joinLogOfSum(Operation *sum, const Term &choice, const Term &log);
  bool joinParts(Operation *sum, const Term &choice, const Term &part);
  bool findNegativePart(Value value, Value x, Value zero,
                        SmallVectorImpl<unsigned> &path, unsigned levels = 3);

  llvm::DenseSet<Operation *> kinks;
};

} // namespace

static bool isZero(Value value) { return getNumber(value) == 0.0; }

/// Whether both values are one, or zeros.
static bool areSame(Value a, Value b) {
  return a == b || (isZero(a) && isZero(b));
}

/// Whether `a` and `b` are the operands of `op`, in either order.
static bool isOf(Operation *op, Value a, Value b) {
  Value x = op->getOperand(0), y = op->getOperand(1);
  return (areSame(x, a) && areSame(y, b)) || (areSame(x, b) && areSame(y, a));
}

/// The value without its sign.
static Value withoutSign(Value value) {
  auto negated = value.getDefiningOp<NegOp>();
  return negated ? negated.getOperand() : value;
}

/// Whether `difference` is a - b or b - a.
static bool isDifference(Value difference, Value a, Value b) {
  Value d = withoutSign(difference);
  if (auto subtract = d.getDefiningOp<SubtractOp>())
    if (isOf(subtract, a, b))
      return true;
  return (isZero(b) && d == withoutSign(a)) ||
         (isZero(a) && d == withoutSign(b));
}

/// The |d| of log1p(exp(-|d|)); null for other values.
static AbsOp getDistance(Value value) {
  auto log = value.getDefiningOp<Log1pOp>();
  auto exp = log ? log.getOperand().getDefiningOp<ExpOp>() : ExpOp();
  auto negated = exp ? exp.getOperand().getDefiningOp<NegOp>() : NegOp();
  return negated ? negated.getOperand().getDefiningOp<AbsOp>() : AbsOp();
}

//===----------------------------------------------------------------------===//
// 1. collectTerms
//===----------------------------------------------------------------------===//

/// Collects `term` and the terms that it is a sum of: as many levels as losses
/// have, so that the time is linear in the number of ops.
static void collectTerms(Term term, SmallVectorImpl<Term> &terms) {
  static constexpr size_t levels = 4;
  terms.push_back(term);
  Operation *op = term.value.getDefiningOp();
  if (term.path.size() == levels ||
      !isa_and_nonnull<AddOp, SubtractOp, NegOp>(op))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    bool isNegative = isa<NegOp>(op) || (isa<SubtractOp>(op) && number == 1);
    Term part{operand.get(), term.isSubtracted != isNegative, term.path};
    part.path.push_back(number);
    collectTerms(part, terms);
  }
}

//===----------------------------------------------------------------------===//
// 3. separate
//===----------------------------------------------------------------------===//

/// Clones each op on the path from `sum` that has other uses, so that the sum
/// has the only use of what the path ends at. Returns that.
static Operation *separate(Operation *sum, ArrayRef<unsigned> path) {
  Operation *op = sum;
  for (unsigned number : path) {
    OpOperand &use = op->getOpOperand(number);
    op = use.get().getDefiningOp();
    if (!op->hasOneUse()) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      op = builder.clone(*op);
      use.set(op->getResult(0));
    }
  }
  return op;
}

//===----------------------------------------------------------------------===//
// 2. joinPair
//===----------------------------------------------------------------------===//

/// max(a, b) + log1p(exp(-|a - b|)), or the minimum of both minus that.
bool SmoothSums::joinLogOfSum(Operation *sum, const Term &choice,
                              const Term &log) {
  Operation *op = choice.value.getDefiningOp();
  AbsOp distance = getDistance(log.value);
  bool isMin = isa<MinOp>(op);
  if (!distance || kinks.contains(distance) ||
      (choice.isSubtracted != log.isSubtracted) != isMin ||
      !isDifference(distance.getOperand(), op->getOperand(0),
                    op->getOperand(1)))
    return false;
  SmallVector<unsigned> path(log.path);
  path.append({/*log1p*/ 0, /*exp*/ 0, /*negate*/ 0});
  kinks.insert(::separate(sum, choice.path));
  kinks.insert(::separate(sum, path));
  return true;
}

/// Whether `value` is one number, or one for each feature.
static bool isFactor(Value value) {
  return getNumber(value) || value.getDefiningOp<BroadcastInDimOp>();
}

/// Appends the way from `value` to a min(x, 0) that it scales, or whose expm1.
bool SmoothSums::findNegativePart(Value value, Value x, Value zero,
                                  SmallVectorImpl<unsigned> &path,
                                  unsigned levels) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<MinOp>(op))
    return isOf(op, x, zero) && !kinks.contains(op);
  if (levels == 0 || !isa_and_nonnull<MulOp, DivOp, Expm1Op>(op))
    return false;
  for (unsigned number = 0; number < (isa<MulOp>(op) ? 2 : 1); ++number) {
    if (op->getNumOperands() == 2 && !isFactor(op->getOperand(1 - number)))
      continue;
    path.push_back(number);
    if (findNegativePart(op->getOperand(number), x, zero, path, levels - 1))
      return true;
    path.pop_back();
  }
  return false;
}

/// max(x, 0) + c f(min(x, 0) / d).
bool SmoothSums::joinParts(Operation *sum, const Term &choice,
                           const Term &part) {
  auto max = dyn_cast<MaxOp>(choice.value.getDefiningOp());
  if (!max || choice.isSubtracted != part.isSubtracted)
    return false;
  Value x = max.getLhs(), zero = max.getRhs();
  if (isZero(x))
    std::swap(x, zero);
  if (!isZero(zero))
    return false;
  SmallVector<unsigned> path(part.path);
  if (!findNegativePart(part.value, x, zero, path))
    return false;
  kinks.insert(::separate(sum, choice.path));
  kinks.insert(::separate(sum, path));
  return true;
}

bool SmoothSums::joinPair(Operation *sum, const Term &choice,
                          const Term &rest) {
  Operation *op = choice.value.getDefiningOp();
  if (!isa_and_nonnull<MaxOp, MinOp>(op) || kinks.contains(op))
    return false;
  return joinLogOfSum(sum, choice, rest) || joinParts(sum, choice, rest);
}

/// Joins one pair that meets at `sum`, if there is one that is not yet joined.
bool SmoothSums::joinPair(Operation *sum) {
  SmallVector<Term> first, second;
  collectTerms({sum->getOperand(0), false, {0}}, first);
  collectTerms({sum->getOperand(1), isa<SubtractOp>(sum), {1}}, second);
  for (const Term &a : first)
    for (const Term &b : second)
      if (joinPair(sum, a, b) || joinPair(sum, b, a))
        return true;
  return false;
}

/// A pair is joined where it meets, so inner sums come before outer ones.
llvm::DenseSet<Operation *>
SmoothSums::separate(llvm::iterator_range<Block::iterator> ops) {
  SmallVector<Operation *> sums;
  for (Operation &op : ops)
    if (isa<AddOp, SubtractOp>(op))
      sums.push_back(&op);
  for (Operation *sum : sums)
    while (joinPair(sum))
      ;
  return std::move(kinks);
}

llvm::DenseSet<Operation *>
ps::separateSmoothSums(llvm::iterator_range<Block::iterator> ops) {
  return SmoothSums().separate(ops);
}
