// SPDX-License-Identifier: Apache-2.0
//===- NarrowProducts.cpp - operands of products in bf16 ------------------===//
//
//  1. Choose the products: those of f32 that exec.gemm computes, of three sizes
//     above 1.
//  2. Find what is needed in bf16, from the last op to the first: the operands
//     of these, and instead of the result of a reshape, or of another move that
//     nothing else reads, such as a transpose or the patches of a convolution,
//     what it moves. So the conversion is part of the kernel that computes a
//     value, and half as many bytes are moved.
//  3. Convert each value once, where it is computed.
//
// Rounding a value before it is moved and multiplied is rounding it within the
// product: the sums have the same terms.
//
//===----------------------------------------------------------------------===//

#include "compiler/outline/NarrowProducts.h"
#include "compiler/outline/KernelAnalysis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ps;

namespace {

class ProductNarrowing {
public:
  explicit ProductNarrowing(Block &block)
      : block(block), builder(block.getParentOp()->getContext()) {}

  void run() {
    for (Operation &op : llvm::reverse(block))
      findNeeded(op);
    convertArguments();
    for (Operation &op : llvm::make_early_inc_range(block))
      narrow(op);
    eraseUnused();
  }

private:
  void findNeeded(Operation &op);
  void convertArguments();
  void narrow(Operation &op);
  void eraseUnused();

  /// Set by the visits of all that comes after its operand.
  bool isNeeded(Value value) const { return needed.contains(value); }
  Value convert(Value value) {
    return builder.createOrFold<stablehlo::ConvertOp>(value.getLoc(), value,
                                                      builder.getBF16Type());
  }

  Block &block;
  OpBuilder builder;
  /// The products, the ops that move bf16, and those of them that nothing needs
  /// in f32 besides.
  llvm::DenseSet<Operation *> products, moves, vanishing;
  llvm::DenseSet<Value> needed;
  /// What was converted, in bf16.
  llvm::DenseMap<Value, Value> narrowed;
};

} // namespace

/// Whether rounding is worth it: a product with a vector, or of one term each,
/// is limited by memory.
static bool isChosen(Operation &op) {
  auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
  if (!dot || !dot.getLhs().getType().getElementType().isF32())
    return false;
  std::optional<GemmShape> shape = matchGemm(dot);
  return shape && shape->m > 1 && shape->n > 1 && shape->k > 1;
}

/// What takes less of its operand, such as rows of a table, is converted
/// afterwards.
static bool takesAll(Operation &op) {
  auto count = [](Value value) {
    return cast<ShapedType>(value.getType()).getNumElements();
  };
  return count(op.getResult(0)) >= count(op.getOperand(0));
}

/// The operands that an op moves; none where it computes.
static OperandRange getMoved(Operation &op) {
  unsigned count = 0;
  if (isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::ReverseOp,
          stablehlo::GatherOp>(op))
    count = takesAll(op) ? 1 : 0;
  else if (isa<stablehlo::PadOp>(op))
    count = takesAll(op) ? 2 : 0;
  return op.getOperands().take_front(count);
}

void ProductNarrowing::findNeeded(Operation &op) {
  if (isChosen(op)) {
    products.insert(&op);
    needed.insert(op.operand_begin(), op.operand_end());
    return;
  }
  OperandRange moved = getMoved(op);
  if (moved.empty() || !isNeeded(op.getResult(0)))
    return;
  const bool vanishes = llvm::all_of(op.getUsers(), [&](Operation *user) {
    return products.contains(user) || vanishing.contains(user);
  });
  // A reshape is a view; another move of f32 that stays is not repeated.
  if (!isa<stablehlo::ReshapeOp>(op) && !vanishes)
    return;
  if (vanishes)
    vanishing.insert(&op);
  moves.insert(&op);
  needed.insert(moved.begin(), moved.end());
}

void ProductNarrowing::convertArguments() {
  builder.setInsertionPointToStart(&block);
  for (BlockArgument argument : block.getArguments())
    if (isNeeded(argument))
      narrowed[argument] = convert(argument);
}

void ProductNarrowing::narrow(Operation &op) {
  if (products.contains(&op))
    for (OpOperand &operand : op.getOpOperands())
      operand.set(narrowed.lookup(operand.get()));
  builder.setInsertionPointAfter(&op);
  for (OpResult result : op.getResults()) {
    if (!isNeeded(result))
      continue;
    if (!moves.contains(&op)) {
      narrowed[result] = convert(result);
      continue;
    }
    Operation *moved = builder.clone(op);
    for (auto [i, operand] : llvm::enumerate(getMoved(op)))
      moved->setOperand(i, narrowed.lookup(operand));
    auto type = cast<RankedTensorType>(result.getType());
    moved->getResult(0).setType(type.clone(builder.getBF16Type()));
    narrowed[result] = moved->getResult(0);
  }
}

void ProductNarrowing::eraseUnused() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (moves.contains(&op) && op.use_empty())
      op.erase();
}

void ps::narrowProducts(Block &block) { ProductNarrowing(block).run(); }
