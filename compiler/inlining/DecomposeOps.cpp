// SPDX-License-Identifier: Apache-2.0
//===- DecomposeOps.cpp - replaces ops that other ops express -------------===//
//
// The formulas are in BatchNormalization.cpp, LapackCalls.cpp and
// RandomBits.cpp. Here, a map
// becomes the ops of its computation: each is elementwise, so that it computes
// from tensors what it computed from scalars. A bitcast_convert between
// elements of different widths becomes shifts.
//
//===----------------------------------------------------------------------===//

#include "compiler/inlining/DecomposeOps.h"
#include "compiler/Passes.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ps {
#define GEN_PASS_DEF_DECOMPOSEOPS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;
using namespace stablehlo;

static Results decompose(MapOp op, Emitter &e) {
  return e.applyToElements(op.getComputation().front(), op.getInputs(),
                           op.getType());
}

//===----------------------------------------------------------------------===//
// bitcast_convert
//===----------------------------------------------------------------------===//

/// The elements of `value` as unsigned integers of their width.
static Value readAsUnsigned(Emitter &e, Value value) {
  RankedTensorType type = typeOf(value);
  Type bits = IntegerType::get(type.getContext(), type.getElementTypeBitWidth(),
                               IntegerType::Unsigned);
  return type.getElementType() == bits
             ? value
             : e.create<BitcastConvertOp>(value, bits);
}

/// Element `number` of each row along the last dimension.
static Value takeColumn(Emitter &e, Value value, int64_t number) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> limits(type.getShape());
  starts.back() = number;
  limits.back() = number + 1;
  Value column = e.create<SliceOp>(value, starts, limits, strides);
  return e.create<ReshapeOp>(type.clone(type.getShape().drop_back()), column);
}

/// The lowest bits of a wide element come first.
static Value joinBits(Emitter &e, Value parts, Type wide) {
  int64_t width = typeOf(parts).getElementTypeBitWidth();
  Value result;
  for (int64_t i = 0; i < typeOf(parts).getShape().back(); ++i) {
    Value part = e.convert(takeColumn(e, parts, i), wide);
    if (i == 0) {
      result = part;
      continue;
    }
    Value shift = e.like(part, static_cast<double>(i * width));
    result = e.create<OrOp>(result, e.create<ShiftLeftOp>(part, shift));
  }
  return result;
}

static Value splitBits(Emitter &e, Value whole, RankedTensorType parts) {
  int64_t width = parts.getElementTypeBitWidth();
  SmallVector<int64_t> shape(parts.getShape());
  shape.back() = 1;
  SmallVector<Value> columns;
  for (int64_t i = 0; i < parts.getShape().back(); ++i) {
    Value shift = e.like(whole, static_cast<double>(i * width));
    Value part = e.convert(e.create<ShiftRightLogicalOp>(whole, shift),
                           parts.getElementType());
    columns.push_back(e.create<ReshapeOp>(parts.clone(shape), part));
  }
  return e.create<ConcatenateOp>(parts, columns, parts.getRank() - 1);
}

/// Where a wide element is several narrow ones.
static Value decompose(BitcastConvertOp op, Emitter &e) {
  RankedTensorType type = op.getType();
  Type bits = IntegerType::get(type.getContext(), type.getElementTypeBitWidth(),
                               IntegerType::Unsigned);
  Value whole = readAsUnsigned(e, op.getOperand());
  bool isWider = typeOf(whole).getRank() > type.getRank();
  Value result =
      isWider ? joinBits(e, whole, bits)
              : splitBits(e, whole, cast<RankedTensorType>(type.clone(bits)));
  return type.getElementType() == bits
             ? result
             : e.create<BitcastConvertOp>(result, type.getElementType());
}

namespace {

struct DecomposeOps : ps::impl::DecomposeOpsBase<DecomposeOps> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      OpBuilder builder(op);
      Emitter e(builder, op->getLoc());
      llvm::TypeSwitch<Operation *>(op)
          .Case<BatchNormTrainingOp, BatchNormInferenceOp, BatchNormGradOp,
                MapOp, RngBitGeneratorOp>([&](auto op) {
            op->replaceAllUsesWith(decompose(op, e));
            op->erase();
          })
          .Case([&](CustomCallOp op) {
            if (!op.isPotrf() && !op.isTrsm())
              return;
            op->replaceAllUsesWith(decomposeLapackCall(op, e));
            op->erase();
          })
          .Case([&](BitcastConvertOp op) {
            if (typeOf(op.getOperand()).getRank() == op.getType().getRank())
              return;
            op.replaceAllUsesWith(decompose(op, e));
            op.erase();
          });
    });
  }
};

} // namespace
