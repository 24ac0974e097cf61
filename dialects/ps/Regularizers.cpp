// SPDX-License-Identifier: Apache-2.0
//===- Regularizers.cpp - penalties on variables --------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"

using namespace mlir;
using namespace ps;
using stablehlo::Emitter;

LogicalResult L1DecayAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  llvm::APFloat coeff) {
  return verifyNotNegative(emitError, "coeff", coeff);
}

Value L1DecayAttr::buildDecay(OpBuilder &builder, Location loc, Value param,
                              Value grad) const {
  Emitter e(builder, loc);
  Value sign = e.create<stablehlo::SignOp>(param);
  return e.add(grad, e.scale(sign, getCoeff().convertToDouble()));
}

LogicalResult L2DecayAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  llvm::APFloat coeff) {
  return verifyNotNegative(emitError, "coeff", coeff);
}

Value L2DecayAttr::buildDecay(OpBuilder &builder, Location loc, Value param,
                              Value grad) const {
  Emitter e(builder, loc);
  return e.add(grad, e.scale(param, getCoeff().convertToDouble()));
}
