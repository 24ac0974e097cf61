// SPDX-License-Identifier: Apache-2.0
//===- CompareActivations.cpp - asks of relu(x) whether x is above 0 ------===//
//
// For each maximum(x, zeros) whose x is read by nothing but comparisons
// `x > zeros` and by itself: the comparisons read the maximum. Both are false
// where x is NaN, a zero of either sign or below.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/stablehlo/Matchers.h"

namespace ps {
#define GEN_PASS_DEF_COMPAREACTIVATIONS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

bool isZero(Value value) { return stablehlo::getNumber(value) == 0.0; }

/// The operand of `use` is x in x > 0, or in 0 < x.
bool isAboveZero(OpOperand &use) {
  auto compare = dyn_cast<stablehlo::CompareOp>(use.getOwner());
  // The total order has NaN above or below all numbers.
  if (!compare ||
      compare.getEffectiveCompareType() != stablehlo::ComparisonType::FLOAT)
    return false;
  const bool isFirst = use.getOperandNumber() == 0;
  return compare.getComparisonDirection() ==
             (isFirst ? stablehlo::ComparisonDirection::GT
                      : stablehlo::ComparisonDirection::LT) &&
         isZero(isFirst ? compare.getRhs() : compare.getLhs());
}

struct CompareActivations
    : public ps::impl::CompareActivationsBase<CompareActivations> {
  void runOnOperation() override {
    getOperation().walk([](stablehlo::MaxOp max) {
      Value x = isZero(max.getRhs())   ? max.getLhs()
                : isZero(max.getLhs()) ? max.getRhs()
                                       : Value();
      if (!x)
        return;
      SmallVector<OpOperand *> compared;
      for (OpOperand &use : x.getUses()) {
        if (use.getOwner() == max)
          continue;
        if (!isAboveZero(use) ||
            use.getOwner()->getBlock() != max->getBlock() ||
            !max->isBeforeInBlock(use.getOwner()))
          return;
        compared.push_back(&use);
      }
      for (OpOperand *use : compared)
        use->set(max);
    });
  }
};

} // namespace
