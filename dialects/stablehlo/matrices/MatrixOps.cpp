// SPDX-License-Identifier: Apache-2.0
//===- MatrixOps.cpp - types of ops with triangular matrices --------------===//

#include "dialects/stablehlo/Inference.h"

using namespace mlir;
using namespace stablehlo;

/// Checks that the last two dimensions of `type` are equal numbers.
static LogicalResult checkSquare(StringRef opName,
                                 std::optional<Location> location,
                                 RankedTensorType type) {
  int64_t rank = type.getRank();
  if (rank >= 2 && !type.isDynamicDim(rank - 1) &&
      type.getDimSize(rank - 2) == type.getDimSize(rank - 1))
    return success();
  return inferError(opName, location,
                    "expected square matrices in the last two dimensions, "
                    "found ",
                    type);
}

LogicalResult CholeskyOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> location,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &results) {
  auto type = cast<RankedTensorType>(adaptor.getA().getType());
  if (failed(checkSquare(getOperationName(), location, type)))
    return failure();
  results.push_back(type);
  return success();
}

/// Checks that a triangular_solve of `a` and `b` is one.
static LogicalResult checkEquations(StringRef opName,
                                    std::optional<Location> location,
                                    RankedTensorType a, RankedTensorType b,
                                    bool fromLeft) {
  if (failed(checkSquare(opName, location, a)))
    return failure();
  int64_t rank = a.getRank();
  bool isMatching =
      b.getRank() == rank &&
      b.getDimSize(fromLeft ? rank - 2 : rank - 1) == a.getDimSize(rank - 1);
  for (int64_t dim = 0; isMatching && dim < rank - 2; ++dim)
    isMatching = areCompatible(a.getDimSize(dim), b.getDimSize(dim));
  if (isMatching)
    return success();
  return inferError(opName, location,
                    "expected as many matrices in both operands, and ",
                    a.getDimSize(rank - 1), fromLeft ? " rows" : " columns",
                    " in the second one, found ", a, " and ", b);
}

LogicalResult TriangularSolveOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &results) {
  auto a = cast<RankedTensorType>(adaptor.getA().getType());
  auto b = cast<RankedTensorType>(adaptor.getB().getType());
  if (failed(checkEquations(getOperationName(), location, a, b,
                            adaptor.getLeftSide())))
    return failure();
  if (adaptor.getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return inferError(getOperationName(), location,
                      "expected NO_TRANSPOSE, TRANSPOSE or ADJOINT, found "
                      "TRANSPOSE_INVALID");
  results.push_back(b);
  return success();
}

//===----------------------------------------------------------------------===//
// Calls of LAPACK
//===----------------------------------------------------------------------===//

bool CustomCallOp::isPotrf() {
  StringRef target = getCallTargetName();
  return target == "lapack_spotrf_ffi" || target == "lapack_dpotrf_ffi";
}

bool CustomCallOp::isTrsm() {
  StringRef target = getCallTargetName();
  return target == "lapack_strsm_ffi" || target == "lapack_dtrsm_ffi";
}

char CustomCallOp::getLapackFlag(StringRef name) {
  auto flags = (*this)->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto letter = flags ? flags.getAs<IntegerAttr>(name) : IntegerAttr();
  return letter && letter.getValue().getActiveBits() < 8
             ? static_cast<char>(letter.getValue().getZExtValue())
             : 0;
}

LogicalResult stablehlo::verifyLapackCall(CustomCallOp op) {
  std::pair<StringRef, StringRef> expected[] = {
      {"uplo", "LU"}, {"side", "LR"}, {"trans_x", "NTC"}, {"diag", "NU"}};
  for (auto [name, letters] :
       ArrayRef(expected).take_front(op.isTrsm() ? 4 : 1))
    if (!letters.contains(op.getLapackFlag(name)) || !op.getLapackFlag(name))
      return op.emitOpError()
             << "to '@" << op.getCallTargetName() << "' expected one of the "
             << "letters " << letters << " as '" << name
             << "' in mhlo.backend_config";
  SmallVector<RankedTensorType> inputs, results;
  for (Type type : op.getInputs().getTypes())
    inputs.push_back(cast<RankedTensorType>(type));
  for (Type type : op.getResultTypes())
    results.push_back(cast<RankedTensorType>(type));
  // Where the batch size is a symbol, the shape of each result is an operand.
  if (op->hasAttr("indices_of_shape_operands"))
    inputs.pop_back_n(std::min(inputs.size(), results.size()));
  StringRef name = op->getName().getStringRef();
  if (op.isTrsm() && inputs.size() == 2 && results.size() == 1 &&
      inputs[0].getElementType() == inputs[1].getElementType() &&
      isa<FloatType>(inputs[0].getElementType()) && inputs[1] == results[0])
    return checkEquations(name, op.getLoc(), inputs[0], inputs[1],
                          op.getLapackFlag("side") == 'L');
  if (op.isPotrf() && inputs.size() == 1 && results.size() == 2 &&
      isa<FloatType>(inputs[0].getElementType()) && inputs[0] == results[0] &&
      results[1].getElementType().isInteger(32) &&
      results[1].getShape() == inputs[0].getShape().drop_back(2))
    return checkSquare(name, op.getLoc(), inputs[0]);
  return op.emitOpError() << "to '@" << op.getCallTargetName()
                          << (op.isTrsm()
                                  ? "' takes two tensors of floats and returns "
                                    "one like the second"
                                  : "' takes a tensor of floats and returns "
                                    "one like it and a tensor of i32 with a "
                                    "number for each matrix");
}
