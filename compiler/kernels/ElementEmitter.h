// SPDX-License-Identifier: Apache-2.0
//===- ElementEmitter.h - one elementwise op on one element ---------------===//
//
// Inside of the lowering of kernels: the methods by which ScalarEmitter.h emits
// an op. Those of stablehlo.convert are in ElementConversion.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_KERNELS_ELEMENTEMITTER_H
#define PS_COMPILER_KERNELS_ELEMENTEMITTER_H

#include "compiler/kernels/ScalarEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace ps {

/// Emits one op. `type` is the element type of the first operand as written,
/// so that unsigned integers and booleans can be told apart.
class ElementEmitter {
public:
  ElementEmitter(mlir::Operation *op, mlir::ValueRange args,
                 mlir::OpBuilder &builder)
      : op(op), args(args.begin(), args.end()), b(op->getLoc(), builder),
        type(mlir::getElementTypeOrSelf(op->getOperand(0))),
        resultType(mlir::getElementTypeOrSelf(op->getResult(0))) {}

  ElementEmitter(mlir::Location loc, mlir::Value arg, mlir::Type from,
                 mlir::Type to, mlir::OpBuilder &builder)
      : op(nullptr), args({arg}), b(loc, builder), type(from), resultType(to) {}

  bool isFloat() const { return mlir::isa<mlir::FloatType>(type); }
  bool isBool() const { return type.isInteger(1); }
  bool isUnsigned() const { return isBool() || type.isUnsignedInteger(); }
  unsigned width() const { return type.getIntOrFloatBitWidth(); }

  mlir::Value zero() { return constant(0); }
  mlir::Value constant(int64_t value) {
    return constant(args[0].getType(), value);
  }
  mlir::Value constant(mlir::Type type, int64_t value) {
    return b.create<mlir::arith::ConstantOp>(b.getIntegerAttr(type, value));
  }
  mlir::Value constant(const llvm::APInt &value) {
    return b.create<mlir::arith::ConstantOp>(
        b.getIntegerAttr(args[0].getType(), value));
  }
  mlir::Value constantFloat(mlir::Type type, double value) {
    return b.create<mlir::arith::ConstantOp>(b.getFloatAttr(type, value));
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      mlir::Value y) {
    return b.create<mlir::arith::CmpIOp>(predicate, x, y);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                      mlir::Value y) {
    return b.create<mlir::arith::CmpFOp>(predicate, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return b.create<mlir::arith::SelectOp>(condition, yes, no);
  }
  mlir::Value selectOp() { return select(args[0], args[1], args[2]); }
  mlir::Value minSigned() {
    return constant(llvm::APInt::getSignedMinValue(width()));
  }

  /// Emits a float op, in f32 for narrow types.
  mlir::Value
  emitFloat(llvm::function_ref<mlir::Value(mlir::ValueRange)> emit) {
    if (!isNarrowFloat(type))
      return emit(args);
    mlir::SmallVector<mlir::Value> wide;
    for (mlir::Value arg : args)
      wide.push_back(emitFloatCast(b, b.getLoc(), arg, b.getF32Type()));
    return emitFloatCast(b, b.getLoc(), emit(wide), type);
  }
  template <typename FloatOp>
  mlir::Value unaryFloat() {
    return emitFloat([&](mlir::ValueRange x) -> mlir::Value {
      return b.create<FloatOp>(x[0]);
    });
  }
  template <typename FloatOp>
  mlir::Value binaryFloat() {
    return emitFloat([&](mlir::ValueRange x) -> mlir::Value {
      return b.create<FloatOp>(x[0], x[1]);
    });
  }
  template <typename FloatOp, typename IntOp, typename BoolOp>
  mlir::Value binary() {
    if (isFloat())
      return binaryFloat<FloatOp>();
    if (isBool())
      return b.create<BoolOp>(args[0], args[1]);
    return b.create<IntOp>(args[0], args[1]);
  }

  mlir::Value divide();
  mlir::Value remainder();
  mlir::Value power();
  mlir::Value integerPower();
  template <typename FloatOp, typename IntOp>
  mlir::Value extremeFloat(mlir::Value x, mlir::Value y);
  mlir::Value maximum(mlir::Value x, mlir::Value y);
  mlir::Value maximum() { return maximum(args[0], args[1]); }
  mlir::Value minimum(mlir::Value x, mlir::Value y);
  mlir::Value minimum() { return minimum(args[0], args[1]); }
  mlir::Value negate();
  mlir::Value abs();
  mlir::Value sign();
  mlir::Value logistic();
  mlir::Value rsqrt();
  template <typename BitsOp>
  mlir::Value bits() {
    return b.create<BitsOp>(args[0], args[1]);
  }
  template <typename BitsOp>
  mlir::Value countBits() {
    return b.create<BitsOp>(args[0]);
  }
  mlir::Value invert();
  template <typename ShiftOp>
  mlir::Value shift();
  mlir::Value bitcast();
  mlir::Value reducePrecision();
  mlir::Value roundMantissa(mlir::Value bits, unsigned dropped);
  mlir::Value signOf(mlir::Value bits);
  mlir::Value exponentMask();
  mlir::Value limitExponent(mlir::Value bits, unsigned exponentBits);
  mlir::Value isFinite();
  mlir::Value compareOp();
  mlir::Value flipNegative(mlir::Value bits);
  mlir::Value compareTotalOrder(mlir::arith::CmpIPredicate predicate);
  mlir::Value clamp();
  mlir::Value convert();
  mlir::Value convertFromFloat();
  mlir::Value shortenToOdd(mlir::Value x);
  mlir::Value convertToFloat();

  mlir::Operation *op;
  mlir::SmallVector<mlir::Value> args;
  mlir::ImplicitLocOpBuilder b;
  mlir::Type type, resultType;
};

} // namespace ps

#endif // PS_COMPILER_KERNELS_ELEMENTEMITTER_H
