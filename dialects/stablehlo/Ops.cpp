// SPDX-License-Identifier: Apache-2.0
//===- Ops.cpp - result types and verifiers of stablehlo ops --------------===//
//
// Where an op's result type follows from its operands and attributes, all
// checks are in inferReturnTypes, which the verifier calls as well; elsewhere
// they are in verify(). Ops that move data are in DataMovementOps.cpp, those
// that work on windows in WindowOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/AssemblyFormat.h"
#include "dialects/stablehlo/Inference.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool stablehlo::areCompatible(int64_t lhs, int64_t rhs) {
  return lhs == rhs || ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs);
}

static bool areShapesCompatible(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip(lhs, rhs), [](auto sizes) {
           return areCompatible(std::get<0>(sizes), std::get<1>(sizes));
         });
}

bool stablehlo::areCompatible(TypeRange lhs, TypeRange rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip(lhs, rhs), [](auto types) {
           auto a = dyn_cast<RankedTensorType>(std::get<0>(types));
           auto b = dyn_cast<RankedTensorType>(std::get<1>(types));
           return a && b && a.getElementType() == b.getElementType() &&
                  areShapesCompatible(a.getShape(), b.getShape());
         });
}

FailureOr<SmallVector<int64_t>> stablehlo::mergeShapes(TypeRange types) {
  SmallVector<int64_t> merged(cast<ShapedType>(types.front()).getShape());
  for (Type type : types.drop_front()) {
    ArrayRef<int64_t> shape = cast<ShapedType>(type).getShape();
    if (!areShapesCompatible(merged, shape))
      return failure();
    for (auto [size, other] : llvm::zip(merged, shape))
      if (ShapedType::isDynamic(size))
        size = other;
  }
  return merged;
}

LogicalResult stablehlo::inferElementwise(StringRef opName,
                                          std::optional<Location> location,
                                          ValueRange operands,
                                          SmallVectorImpl<Type> &results) {
  FailureOr<SmallVector<int64_t>> shape = mergeShapes(operands.getTypes());
  if (failed(shape))
    return inferError(opName, location,
                      "operands differ in shape: ", operands.front().getType(),
                      " and ", operands.back().getType());
  results.push_back(RankedTensorType::get(
      *shape, getElementTypeOrSelf(operands.front().getType())));
  return success();
}

LogicalResult stablehlo::verifyInference(Operation *op) {
  SmallVector<Type> inferred;
  if (failed(cast<InferTypeOpInterface>(op).inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), inferred)))
    return failure();
  if (!areCompatible(inferred, op->getResultTypes()))
    return op->emitOpError() << "expected a result of type " << inferred
                             << ", found " << op->getResultTypes();
  return success();
}

LogicalResult stablehlo::checkDimensions(StringRef opName,
                                         std::optional<Location> location,
                                         StringRef what,
                                         ArrayRef<int64_t> dimensions,
                                         int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dimension : dimensions) {
    if (dimension < 0 || dimension >= rank)
      return inferError(opName, location, what, " dimension ", dimension,
                        " is not one of a tensor of rank ", rank);
    if (seen.test(dimension))
      return inferError(opName, location, what, " dimension ", dimension,
                        " is given twice");
    seen.set(dimension);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Constants and iota
//===----------------------------------------------------------------------===//

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(),
          isa<FloatType>(getElementTypeOrSelf(getType())) ? "cst" : "c");
}

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  return checkDimensions(getOperationName(), getLoc(), "iota",
                         getIotaDimension(), type.getRank());
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

LogicalResult IsFiniteOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location>,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  results.push_back(operand.clone(IntegerType::get(context, 1)));
  return success();
}

/// Booleans compare as unsigned: true is 1, not -1.
static ComparisonType getDefaultCompareType(Type element) {
  if (isa<FloatType>(element))
    return ComparisonType::FLOAT;
  bool isSigned = element.isSignlessInteger() && !element.isInteger(1);
  return isSigned ? ComparisonType::SIGNED : ComparisonType::UNSIGNED;
}

ComparisonType CompareOp::getEffectiveCompareType() {
  ComparisonType type = getCompareType().value_or(ComparisonType::NOTYPE);
  if (type != ComparisonType::NOTYPE)
    return type;
  return getDefaultCompareType(getElementTypeOrSelf(getLhs().getType()));
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &results) {
  Type element = getElementTypeOrSelf(adaptor.getLhs().getType());
  ComparisonType type =
      adaptor.getCompareType().value_or(ComparisonType::NOTYPE);
  ComparisonType expected = getDefaultCompareType(element);
  bool isTotalOrder =
      type == ComparisonType::TOTALORDER && expected == ComparisonType::FLOAT;
  if (type != ComparisonType::NOTYPE && type != expected && !isTotalOrder)
    return inferError(getOperationName(), location, "compares ", element,
                      " as ", stringifyComparisonType(expected), ", not ",
                      stringifyComparisonType(type));
  if (failed(inferElementwise(getOperationName(), location,
                              adaptor.getOperands(), results)))
    return failure();
  results[0] = cast<ShapedType>(results[0]).clone(IntegerType::get(context, 1));
  return success();
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  auto pred = cast<RankedTensorType>(adaptor.getPred().getType());
  Type onTrue = adaptor.getOnTrue().getType();
  Type onFalse = adaptor.getOnFalse().getType();
  if (!areCompatible(TypeRange(onTrue), TypeRange(onFalse)))
    return inferError(getOperationName(), location, "chooses between ", onTrue,
                      " and ", onFalse);
  SmallVector<Type> shaped = {onTrue, onFalse};
  if (pred.getRank() != 0)
    shaped.push_back(pred);
  FailureOr<SmallVector<int64_t>> shape = mergeShapes(shaped);
  if (failed(shape))
    return inferError(getOperationName(), location, "condition ", pred,
                      " is neither a scalar nor in the shape of ", onTrue);
  results.push_back(
      RankedTensorType::get(*shape, getElementTypeOrSelf(onTrue)));
  return success();
}

LogicalResult ClampOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &results) {
  Type operand = adaptor.getOperand().getType();
  SmallVector<Type> shaped = {operand};
  for (Value bound : {adaptor.getMin(), adaptor.getMax()})
    if (cast<RankedTensorType>(bound.getType()).getRank() != 0)
      shaped.push_back(bound.getType());
  FailureOr<SmallVector<int64_t>> shape = mergeShapes(shaped);
  if (failed(shape))
    return inferError(getOperationName(), location, "bounds ",
                      adaptor.getMin().getType(), " and ",
                      adaptor.getMax().getType(),
                      " are neither scalars nor in the shape of ", operand);
  results.push_back(
      RankedTensorType::get(*shape, getElementTypeOrSelf(operand)));
  return success();
}

void ConvertOp::build(OpBuilder &builder, OperationState &state, Value operand,
                      Type elementType) {
  build(builder, state,
        cast<RankedTensorType>(operand.getType()).clone(elementType), operand);
}

void BitcastConvertOp::build(OpBuilder &builder, OperationState &state,
                             Value operand, Type elementType) {
  build(builder, state,
        cast<RankedTensorType>(operand.getType()).clone(elementType), operand);
}

LogicalResult BitcastConvertOp::verify() {
  RankedTensorType narrow = getOperand().getType(), wide = getType();
  if (narrow.getElementTypeBitWidth() > wide.getElementTypeBitWidth())
    std::swap(narrow, wide);
  int64_t ratio =
      wide.getElementTypeBitWidth() / narrow.getElementTypeBitWidth();
  SmallVector<int64_t> shape(wide.getShape());
  if (ratio != 1)
    shape.push_back(ratio);
  if (narrow.getRank() == static_cast<int64_t>(shape.size()) &&
      succeeded(verifyCompatibleShape(narrow.getShape(), shape)))
    return success();
  return emitOpError() << "expected the shape of " << wide
                       << (ratio == 1 ? ""
                                      : " and one more dimension, of size ")
                       << (ratio == 1 ? "" : std::to_string(ratio))
                       << ", found " << narrow;
}

LogicalResult OptimizationBarrierOp::verify() {
  if (getOperandTypes() != getResultTypes())
    return emitOpError() << "expected results of types " << getOperandTypes()
                         << ", found " << getResultTypes();
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  if (adaptor.getInputs().empty())
    return inferError(getOperationName(), location,
                      "expected at least one input");
  FailureOr<SmallVector<int64_t>> inputShape =
      mergeShapes(adaptor.getInputs().getTypes());
  if (failed(inputShape))
    return inferError(getOperationName(), location, "inputs differ in shape: ",
                      adaptor.getInputs().front().getType(), " and ",
                      adaptor.getInputs().back().getType());
  ArrayRef<int64_t> dimensions = adaptor.getDimensions();
  if (failed(checkDimensions(getOperationName(), location, "reduced",
                             dimensions, inputShape->size())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(*inputShape))
    if (!llvm::is_contained(dimensions, static_cast<int64_t>(i)))
      shape.push_back(size);
  for (auto [input, init] : llvm::zip(adaptor.getInputs().getTypes(),
                                      adaptor.getInitValues().getTypes())) {
    Type element = getElementTypeOrSelf(input);
    if (getElementTypeOrSelf(init) != element)
      return inferError(getOperationName(), location, "starts a reduction of ",
                        input, " from ", init);
    results.push_back(RankedTensorType::get(shape, element));
  }
  return success();
}

bool stablehlo::isMoveInBody(Operation *op) {
  return isa<BroadcastInDimOp, ReshapeOp, ReverseOp, SliceOp, TransposeOp>(op);
}

/// Bodies work on one element of each input. Calls are inlined before they are
/// compiled.
static bool isSupportedInBody(Operation *op) {
  auto isScalar = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  };
  if (!llvm::all_of(op->getOperandTypes(), isScalar) ||
      !llvm::all_of(op->getResultTypes(), isScalar))
    return false;
  return op->hasTrait<Elementwise>() || isMoveInBody(op) ||
         isa<ConstantOp, CallOpInterface>(op);
}

LogicalResult stablehlo::verifyScalarBody(Operation *op, Block &body,
                                          ArrayRef<Type> arguments,
                                          ArrayRef<Type> results,
                                          StringRef what) {
  if (!llvm::equal(body.getArgumentTypes(), arguments))
    return op->emitOpError()
           << "expected a body with arguments " << arguments << ", found "
           << SmallVector<Type>(body.getArgumentTypes());
  for (Operation &inner : body.without_terminator())
    if (!isSupportedInBody(&inner))
      return inner.emitOpError()
             << "is not supported in the body of a " << what;
  Operation *terminator = body.getTerminator();
  if (!llvm::equal(terminator->getOperandTypes(), results))
    return op->emitOpError()
           << "expected a body that returns " << results << ", found "
           << SmallVector<Type>(terminator->getOperandTypes());
  return success();
}

static Type getScalarType(Type type) {
  return RankedTensorType::get({}, getElementTypeOrSelf(type));
}

LogicalResult stablehlo::verifyBody(Operation *op, Block &body,
                                    TypeRange inputs, StringRef what) {
  SmallVector<Type> scalars = llvm::map_to_vector(inputs, getScalarType);
  SmallVector<Type> arguments(scalars);
  llvm::append_range(arguments, scalars);
  return verifyScalarBody(op, body, arguments, scalars, what);
}

LogicalResult stablehlo::verifyPairBody(Operation *op, Block &body, Type input,
                                        Type result, StringRef what) {
  Type scalar = getScalarType(input);
  return verifyScalarBody(op, body, {scalar, scalar}, getScalarType(result),
                          what);
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyBody(*this, getBody().front(), getInputs().getTypes(), "reduce");
}

/// The op, if the body applies one commutative op to its two arguments, as
/// almost all do; otherwise null.
Operation *ReduceOp::getSimpleBody() {
  Block &block = getBody().front();
  if (getInputs().size() != 1 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &op = block.front();
  Operation &terminator = block.back();
  bool isSimple = op.getDialect() == (*this)->getDialect() &&
                  op.hasTrait<OpTrait::IsCommutative>() &&
                  op.getAttrs().empty() &&
                  llvm::equal(op.getOperands(), block.getArguments()) &&
                  llvm::equal(terminator.getOperands(), op.getResults());
  return isSimple ? &op : nullptr;
}

int64_t SortOp::getSortedDim() {
  int64_t rank = cast<RankedTensorType>(getInputs()[0].getType()).getRank();
  int64_t dimension = static_cast<int64_t>(getDimension());
  return dimension < 0 ? dimension + rank : dimension;
}

LogicalResult SortOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &results) {
  if (adaptor.getInputs().empty())
    return inferError(getOperationName(), location,
                      "expected at least one input");
  TypeRange inputs = adaptor.getInputs().getTypes();
  FailureOr<SmallVector<int64_t>> shape = mergeShapes(inputs);
  if (failed(shape))
    return inferError(getOperationName(), location,
                      "inputs differ in shape: ", inputs.front(), " and ",
                      inputs.back());
  int64_t rank = shape->size();
  auto dimension = static_cast<int64_t>(adaptor.getDimension());
  if (dimension < -rank || dimension >= rank)
    return inferError(getOperationName(), location, "sorted dimension ",
                      dimension, " is not one of a tensor of rank ", rank);
  for (Type input : inputs)
    results.push_back(
        RankedTensorType::get(*shape, getElementTypeOrSelf(input)));
  return success();
}

void SortOp::isolateComparator() {
  Block &body = getComparator().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  IRMapping copies;
  for (Operation &op : body)
    for (OpOperand &operand : op.getOpOperands()) {
      Value value = operand.get();
      if (value.getParentBlock() == &body)
        continue;
      if (!copies.contains(value))
        builder.clone(*value.getDefiningOp(), copies);
      operand.set(copies.lookup(value));
    }
}

/// The arguments are in pairs.
LogicalResult SortOp::verifyRegions() {
  for (Operation &op : getComparator().front())
    for (Value operand : op.getOperands())
      if (operand.getParentRegion() != &getComparator() &&
          !operand.getDefiningOp<ConstantOp>())
        return op.emitOpError()
               << "uses a value from outside of the comparator "
                  "that is not a constant";
  SmallVector<Type> arguments;
  for (Type input : getInputs().getTypes())
    arguments.append(2, RankedTensorType::get({}, getElementTypeOrSelf(input)));
  Type boolean = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  return verifyScalarBody(*this, getComparator().front(), arguments, boolean,
                          "sort");
}

LogicalResult ReturnOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (parent->isRegistered() &&
      !isa<CaseOp, IfOp, MapOp, ReduceOp, ReduceWindowOp, ScatterOp,
           SelectAndScatterOp, SortOp, WhileOp>(parent))
    return emitOpError() << "ends a region of a stablehlo op, not of "
                         << parent->getName();
  return success();
}

SmallVector<int64_t> DotGeneralOp::inferShape(RankedTensorType lhs,
                                              RankedTensorType rhs,
                                              DotDimensionNumbersAttr dims) {
  SmallVector<int64_t> shape;
  for (auto [l, r] : llvm::zip(dims.getLhsBatchingDimensions(),
                               dims.getRhsBatchingDimensions()))
    shape.push_back(lhs.isDynamicDim(l) ? rhs.getDimSize(r)
                                        : lhs.getDimSize(l));
  auto appendRest = [&](RankedTensorType type, ArrayRef<int64_t> batching,
                        ArrayRef<int64_t> contracting) {
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (!llvm::is_contained(batching, i) &&
          !llvm::is_contained(contracting, i))
        shape.push_back(type.getDimSize(i));
  };
  appendRest(lhs, dims.getLhsBatchingDimensions(),
             dims.getLhsContractingDimensions());
  appendRest(rhs, dims.getRhsBatchingDimensions(),
             dims.getRhsContractingDimensions());
  return shape;
}

/// Checks that two lists pair dimensions of equal size.
static LogicalResult verifyPairs(DotGeneralOp op, StringRef what,
                                 ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  auto lhsType = cast<RankedTensorType>(op.getLhs().getType());
  auto rhsType = cast<RankedTensorType>(op.getRhs().getType());
  for (auto [l, r] : llvm::zip(lhs, rhs))
    if (!areCompatible(lhsType.getDimSize(l), rhsType.getDimSize(r)))
      return op.emitOpError()
             << what << " dimensions " << l << " of " << lhsType << " and " << r
             << " of " << rhsType << " differ in size";
  return success();
}

static LogicalResult verifyAlgorithm(DotGeneralOp op) {
  std::optional<DotAlgorithmAttr> algorithm = op.getAlgorithm();
  if (!algorithm)
    return success();
  if (algorithm->getLhsComponentCount() <= 0 ||
      algorithm->getRhsComponentCount() <= 0 ||
      algorithm->getNumPrimitiveOperations() <= 0)
    return op.emitOpError() << "algorithm has a count that is not positive";
  ArrayAttr precisions = op.getPrecisionConfigAttr();
  auto isExplicit = [](PrecisionAttr precision) {
    return precision.getValue() != Precision::DEFAULT;
  };
  if (precisions &&
      llvm::any_of(precisions.getAsRange<PrecisionAttr>(), isExplicit))
    return op.emitOpError() << "has both an algorithm and a precision";
  return success();
}

bool stablehlo::isSameKind(Type a, Type b) {
  if (isa<FloatType>(a) || isa<FloatType>(b))
    return isa<FloatType>(a) && isa<FloatType>(b);
  return a.isInteger(1) == b.isInteger(1) &&
         a.isUnsignedInteger() == b.isUnsignedInteger();
}

LogicalResult DotGeneralOp::verify() {
  auto lhs = cast<RankedTensorType>(getLhs().getType());
  auto rhs = cast<RankedTensorType>(getRhs().getType());
  auto result = cast<RankedTensorType>(getType());
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  ArrayRef<int64_t> lhsBatching = dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatching = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContracting = dims.getLhsContractingDimensions();
  ArrayRef<int64_t> rhsContracting = dims.getRhsContractingDimensions();

  if (lhs.getElementType() != rhs.getElementType())
    return emitOpError() << "multiplies " << lhs.getElementType() << " with "
                         << rhs.getElementType();
  if (!isSameKind(lhs.getElementType(), result.getElementType()))
    return emitOpError() << "of " << lhs.getElementType()
                         << " cannot have a result of "
                         << result.getElementType();
  if (lhsBatching.size() != rhsBatching.size() ||
      lhsContracting.size() != rhsContracting.size())
    return emitOpError() << "lists of paired dimensions differ in length";
  SmallVector<int64_t> lhsAll(lhsBatching), rhsAll(rhsBatching);
  llvm::append_range(lhsAll, lhsContracting);
  llvm::append_range(rhsAll, rhsContracting);
  if (failed(checkDimensions(getOperationName(), getLoc(), "lhs", lhsAll,
                             lhs.getRank())) ||
      failed(checkDimensions(getOperationName(), getLoc(), "rhs", rhsAll,
                             rhs.getRank())) ||
      failed(verifyPairs(*this, "batching", lhsBatching, rhsBatching)) ||
      failed(verifyPairs(*this, "contracting", lhsContracting, rhsContracting)))
    return failure();

  SmallVector<int64_t> shape = inferShape(lhs, rhs, dims);
  if (!areShapesCompatible(shape, result.getShape()))
    return emitOpError() << "expected a result in the shape of "
                         << RankedTensorType::get(shape,
                                                  result.getElementType())
                         << ", found " << result;
  if (getPrecisionConfig() && !getPrecisionConfig()->empty() &&
      getPrecisionConfig()->size() != 2)
    return emitOpError() << "expected a precision for each operand, found "
                         << getPrecisionConfig()->size();
  return verifyAlgorithm(*this);
}

//===----------------------------------------------------------------------===//
// Custom calls
//===----------------------------------------------------------------------===//

LogicalResult CustomCallOp::verify() {
  StringRef target = getCallTargetName();
  if (target == getShapeAssertionName()) {
    auto holds = getInputs().empty()
                     ? nullptr
                     : dyn_cast<RankedTensorType>(getInputs()[0].getType());
    if (!holds || holds.getRank() != 0 ||
        !holds.getElementType().isInteger(1) || getNumResults() != 0)
      return emitOpError() << "to '@" << target
                           << "' takes a tensor<i1> and what its message names";
    return success();
  }
  if (isPotrf() || isTrsm())
    return verifyLapackCall(*this);
  bool isApproximate =
      target == "check.expect_close" || target == "check.expect_almost_eq";
  if (!isApproximate && target != "check.expect_eq")
    return emitOpError() << "to '@" << target << "' is not supported";
  if (getInputs().size() != 2 ||
      getInputs()[0].getType() != getInputs()[1].getType() ||
      getNumResults() != 0)
    return emitOpError() << "to '@" << target
                         << "' takes two tensors of one type and returns "
                            "nothing";
  if (isApproximate &&
      !isa<FloatType>(getElementTypeOrSelf(getInputs()[0].getType())))
    return emitOpError() << "to '@" << target << "' compares floats, found "
                         << getInputs()[0].getType();
  return success();
}

#define GET_OP_CLASSES
#include "dialects/stablehlo/StablehloOps.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/CheckOps.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/ChloOps.cpp.inc"
