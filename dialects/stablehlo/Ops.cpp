//===- Ops.cpp - result types and verifiers of stablehlo ops --------------===//
//
// Where an op's result type follows from its operands and attributes, all
// checks stand in inferReturnTypes, which the verifier calls as well; elsewhere
// they stand in verify().
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/AssemblyFormat.h"
#include "dialects/stablehlo/Inference.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "dialects/stablehlo/TensorSize.h"

#include "mlir/IR/Builders.h"
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
// Values from nothing
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
  Type from = getElementTypeOrSelf(getOperand().getType());
  Type to = getElementTypeOrSelf(getType());
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError() << "expected element types of the same width, found "
                         << from << " and " << to;
  return success();
}

LogicalResult OptimizationBarrierOp::verify() {
  if (getOperandTypes() != getResultTypes())
    return emitOpError() << "expected results of types " << getOperandTypes()
                         << ", found " << getResultTypes();
  return success();
}

//===----------------------------------------------------------------------===//
// Moving elements about
//===----------------------------------------------------------------------===//

LogicalResult BroadcastInDimOp::verify() {
  auto operand = cast<RankedTensorType>(getOperand().getType());
  auto result = cast<RankedTensorType>(getType());
  ArrayRef<int64_t> dimensions = getBroadcastDimensions();
  if (static_cast<int64_t>(dimensions.size()) != operand.getRank())
    return emitOpError() << "expected one broadcast dimension per dimension of "
                         << operand << ", found " << dimensions.size();
  if (failed(checkDimensions(getOperationName(), getLoc(), "broadcast",
                             dimensions, result.getRank())))
    return failure();
  for (auto [i, dimension] : llvm::enumerate(dimensions)) {
    int64_t from = operand.getDimSize(i), to = result.getDimSize(dimension);
    if (from != 1 && !areCompatible(from, to))
      return emitOpError() << "cannot broadcast dimension " << i << " of "
                           << operand << " to dimension " << dimension << " of "
                           << result;
  }
  return success();
}

/// The elements for each batch of one, nothing when 63 bits do not hold them.
static std::optional<int64_t> getStaticSize(ShapedType type) {
  SmallVector<int64_t> shape(type.getShape());
  std::replace(shape.begin(), shape.end(), ShapedType::kDynamic, int64_t(1));
  return stablehlo::countElements(shape);
}

/// Whether a tensor in one shape can have the elements of one in the other, for
/// some batch size.
static bool haveSameSize(ShapedType lhs, ShapedType rhs) {
  int64_t lhsSize = *getStaticSize(lhs), rhsSize = *getStaticSize(rhs);
  int64_t extra = lhs.getNumDynamicDims() - rhs.getNumDynamicDims();
  if (extra == 0)
    return lhsSize == rhsSize;
  // lhsSize * batch^extra == rhsSize needs a multiple.
  if (extra < 0)
    std::swap(lhsSize, rhsSize);
  return lhsSize == 0 ? rhsSize == 0 : rhsSize % lhsSize == 0;
}

LogicalResult ReshapeOp::verify() {
  auto operand = cast<ShapedType>(getOperand().getType());
  auto result = cast<ShapedType>(getType());
  for (ShapedType type : {operand, result})
    if (!getStaticSize(type))
      return emitOpError() << "expected a tensor that memory can hold, found "
                           << type;
  if (!haveSameSize(operand, result))
    return emitOpError() << "cannot turn " << operand << " into " << result
                         << ": they differ in size";
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (static_cast<int64_t>(permutation.size()) != operand.getRank())
    return inferError(getOperationName(), location, "permutes ",
                      permutation.size(), " dimensions of ", operand);
  if (failed(checkDimensions(getOperationName(), location, "permuted",
                             permutation, operand.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t dimension : permutation)
    shape.push_back(operand.getDimSize(dimension));
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  if (failed(checkDimensions(getOperationName(), location, "reversed",
                             adaptor.getDimensions(), operand.getRank())))
    return failure();
  results.push_back(operand);
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> starts = adaptor.getStartIndices();
  ArrayRef<int64_t> limits = adaptor.getLimitIndices();
  ArrayRef<int64_t> strides = adaptor.getStrides();
  size_t rank = operand.getRank();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return inferError(getOperationName(), location,
                      "expected one range per dimension of ", operand,
                      ", found ", starts.size(), " starts, ", limits.size(),
                      " limits and ", strides.size(), " strides");
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = operand.getDimSize(i);
    // `?` is the whole dimension, also once its size is known.
    int64_t limit = ShapedType::isDynamic(limits[i]) ? size : limits[i];
    if (strides[i] <= 0)
      return inferError(getOperationName(), location, "stride ", strides[i],
                        " of dimension ", i, " is not positive");
    if (ShapedType::isDynamic(limit)) {
      if (starts[i] != 0 || strides[i] != 1)
        return inferError(getOperationName(), location,
                          "takes a part of the batch dimension ", i, " of ",
                          operand, " up to its unknown end");
      shape.push_back(limit);
      continue;
    }
    bool fits = ShapedType::isDynamic(size) || limit <= size;
    if (starts[i] < 0 || starts[i] > limit || !fits)
      return inferError(getOperationName(), location, "range ", starts[i], ":",
                        limit, " of dimension ", i, " does not lie within ",
                        operand);
    shape.push_back(llvm::divideCeil(limit - starts[i], strides[i]));
  }
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> location,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> sizes = adaptor.getSliceSizes();
  size_t rank = operand.getRank();
  if (sizes.size() != rank || adaptor.getStartIndices().size() != rank)
    return inferError(getOperationName(), location,
                      "expected one start and one size per dimension of ",
                      operand, ", found ", adaptor.getStartIndices().size(),
                      " and ", sizes.size());
  if (!llvm::all_equal(adaptor.getStartIndices().getTypes()))
    return inferError(getOperationName(), location,
                      "start indices differ in type");
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size < 0 || (!operand.isDynamicDim(i) && size > operand.getDimSize(i)))
      return inferError(getOperationName(), location, "size ", size,
                        " of dimension ", i, " does not fit into ", operand);
  results.push_back(RankedTensorType::get(sizes, operand.getElementType()));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  ArrayRef<int64_t> low = adaptor.getEdgePaddingLow();
  ArrayRef<int64_t> high = adaptor.getEdgePaddingHigh();
  ArrayRef<int64_t> interior = adaptor.getInteriorPadding();
  size_t rank = operand.getRank();
  if (low.size() != rank || high.size() != rank || interior.size() != rank)
    return inferError(getOperationName(), location,
                      "expected one padding per dimension of ", operand,
                      ", found ", low.size(), " low, ", high.size(),
                      " high and ", interior.size(), " interior");
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    if (interior[i] < 0)
      return inferError(getOperationName(), location, "interior padding ",
                        interior[i], " of dimension ", i, " is negative");
    int64_t size = operand.getDimSize(i);
    if (ShapedType::isDynamic(size)) {
      if (low[i] != 0 || high[i] != 0 || interior[i] != 0)
        return inferError(getOperationName(), location,
                          "pads the batch dimension ", i, " of ", operand);
      shape.push_back(size);
      continue;
    }
    int64_t gaps = std::max<int64_t>(size - 1, 0), edges, inner, padded;
    if (llvm::AddOverflow(low[i], high[i], edges) ||
        llvm::MulOverflow(gaps, interior[i], inner) ||
        llvm::AddOverflow(size, inner, padded) ||
        llvm::AddOverflow(padded, edges, padded))
      return inferError(getOperationName(), location, "padding of dimension ",
                        i, " of ", operand, " makes it larger than 63 bits");
    if (padded < 0)
      return inferError(getOperationName(), location, "padding removes ",
                        -edges, " elements from dimension ", i, " of ",
                        operand);
    shape.push_back(padded);
  }
  results.push_back(RankedTensorType::get(shape, operand.getElementType()));
  return success();
}

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> location,
                                              Adaptor adaptor,
                                              SmallVectorImpl<Type> &results) {
  if (adaptor.getInputs().empty())
    return failure(); // reported by a trait
  auto first = cast<RankedTensorType>(adaptor.getInputs().front().getType());
  uint64_t dimension = adaptor.getDimension();
  if (failed(checkDimensions(getOperationName(), location, "joined",
                             static_cast<int64_t>(dimension), first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  for (Type type : adaptor.getInputs().drop_front().getTypes()) {
    SmallVector<int64_t> next(cast<RankedTensorType>(type).getShape());
    int64_t joined = ShapedType::kDynamic;
    if (dimension < next.size())
      std::swap(joined, next[dimension]);
    FailureOr<SmallVector<int64_t>> merged =
        mergeShapes({RankedTensorType::get(shape, first.getElementType()),
                     RankedTensorType::get(next, first.getElementType())});
    if (failed(merged))
      return inferError(getOperationName(), location, "cannot join ", type,
                        " to ", first, " along dimension ", dimension);
    if (ShapedType::isDynamic(shape[dimension]) ||
        ShapedType::isDynamic(joined))
      return inferError(getOperationName(), location,
                        "joins along the batch dimension ", dimension, " of ",
                        ShapedType::isDynamic(joined) ? type : first);
    int64_t sum;
    if (llvm::AddOverflow(shape[dimension], joined, sum))
      return inferError(getOperationName(), location, "dimension ", dimension,
                        " of the result is larger than 63 bits");
    shape = *merged;
    shape[dimension] = sum;
  }
  results.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}

LogicalResult GetDimensionSizeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &results) {
  auto operand = cast<RankedTensorType>(adaptor.getOperand().getType());
  results.push_back(RankedTensorType::get({}, IntegerType::get(context, 32)));
  auto dimension = static_cast<int64_t>(adaptor.getDimension());
  if (failed(checkDimensions(getOperationName(), location, "measured",
                             dimension, operand.getRank())))
    return failure();
  int64_t size = operand.getDimSize(dimension);
  if (!ShapedType::isDynamic(size) && size > INT32_MAX)
    return inferError(getOperationName(), location, "size ", size,
                      " of dimension ", dimension, " does not fit i32");
  return success();
}

//===----------------------------------------------------------------------===//
// Sums over elements
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

LogicalResult stablehlo::verifyBody(Operation *op, Block &body,
                                    TypeRange inputs, StringRef what) {
  SmallVector<Type> scalars;
  for (Type input : inputs)
    scalars.push_back(RankedTensorType::get({}, getElementTypeOrSelf(input)));
  SmallVector<Type> arguments(scalars);
  llvm::append_range(arguments, scalars);
  if (!llvm::equal(body.getArgumentTypes(), arguments))
    return op->emitOpError()
           << "expected a body with arguments " << arguments << ", found "
           << SmallVector<Type>(body.getArgumentTypes());
  for (Operation &inner : body.without_terminator())
    if (!isSupportedInBody(&inner))
      return inner.emitOpError()
             << "is not supported in the body of a " << what;
  Operation *terminator = body.getTerminator();
  if (!llvm::equal(terminator->getOperandTypes(), scalars))
    return op->emitOpError()
           << "expected a body that returns " << scalars << ", found "
           << SmallVector<Type>(terminator->getOperandTypes());
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyBody(*this, getBody().front(), getInputs().getTypes(), "reduce");
}

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

LogicalResult ReturnOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (parent->isRegistered() && !isa<ReduceOp, ScatterOp>(parent))
    return emitOpError() << "ends the body of a stablehlo.reduce or "
                            "stablehlo.scatter, not of "
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

/// A product may be wider than its factors, but not of another kind.
static bool isSameKind(Type a, Type b) {
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
// Calls out
//===----------------------------------------------------------------------===//

LogicalResult CustomCallOp::verify() {
  StringRef target = getCallTargetName();
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
