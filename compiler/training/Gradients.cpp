// SPDX-License-Identifier: Apache-2.0
//===- Gradients.cpp - derivatives of StableHLO ops -----------------------===//
//
// One rule per op (GradientRules.h). Those of ops that choose between operands
// are in ChoiceGradients.cpp, those of gather and scatter in
// WindowGradients.cpp, those of convolutions and of reductions of windows in
// ConvolutionGradients.cpp and WindowReductionGradients.cpp, those of
// triangular matrices in MatrixGradients.cpp; all of them follow JAX where a
// function has a kink, as docs/Design.md lists. Here:
//
//   reduce max, min     equal elements share the gradient evenly
//   power               0^y has slope 0 in y; x^0 has slope 0 in x
//   sqrt at 0           infinite
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradients.h"

#include "compiler/training/GradientRules.h"
#include "dialects/ps/PSDialect.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Gradients differentiate(AddOp, RuleEmitter &, Value g) {
  return {{g, g}};
}

static Gradients differentiate(SubtractOp, RuleEmitter &e, Value g) {
  return {{g, e.neg(g)}};
}

static Gradients differentiate(MulOp op, RuleEmitter &e, Value g) {
  return {{e.mul(g, op.getRhs()), e.mul(g, op.getLhs())}};
}

/// d(x/y)/dy is -(x/y)/y, which reuses the quotient and the gradient of x.
static Gradients differentiate(DivOp op, RuleEmitter &e, Value g) {
  Value lhs = e.div(g, op.getRhs());
  return {{lhs, e.neg(e.mul(lhs, op.getResult()))}};
}

/// x rem y = x - y * trunc(x / y), and trunc is constant almost everywhere.
static Gradients differentiate(RemOp op, RuleEmitter &e, Value g) {
  Value quotient = e.div(op.getLhs(), op.getRhs());
  Value truncated = e.mul(e.create<SignOp>(quotient),
                          e.create<FloorOp>(e.create<AbsOp>(quotient)));
  return {{g, e.neg(e.mul(g, truncated))}};
}

/// Selects the exceptions before multiplying, where 0 * inf would be NaN.
static Gradients differentiate(PowOp op, RuleEmitter &e, Value g) {
  Value x = op.getLhs(), y = op.getRhs();
  Value one = e.like(y, 1), zero = e.like(y, 0);
  // y * x^(y - 1), but 0 where y is 0 and x might be 0 too.
  Value slope = e.mul(y, e.create<PowOp>(x, e.sub(y, one)));
  Value dx = e.mul(g, e.select(e.equal(y, zero), zero, slope));
  // x^y * log(x), but 0 where x is 0.
  Value base = e.select(e.equal(x, e.like(x, 0)), e.like(x, 1), x);
  Value dy = e.mul(g, e.mul(op.getResult(), e.create<LogOp>(base)));
  return {{dx, dy}};
}

static Gradients differentiate(NegOp, RuleEmitter &e, Value g) {
  return {{e.neg(g)}};
}

/// Sign and what rounds are constant between their jumps.
static Gradients differentiate(SignOp, RuleEmitter &, Value) {
  return {{Value()}};
}
static Gradients differentiate(FloorOp, RuleEmitter &, Value) {
  return {{Value()}};
}
static Gradients differentiate(CeilOp, RuleEmitter &, Value) {
  return {{Value()}};
}
static Gradients differentiate(RoundNearestEvenOp, RuleEmitter &, Value) {
  return {{Value()}};
}
static Gradients differentiate(RoundOp, RuleEmitter &, Value) {
  return {{Value()}};
}

//===----------------------------------------------------------------------===//
// Transcendental functions
//===----------------------------------------------------------------------===//

static Gradients differentiate(ExpOp op, RuleEmitter &e, Value g) {
  return {{e.mul(g, op.getResult())}};
}

static Gradients differentiate(Expm1Op op, RuleEmitter &e, Value g) {
  return {{e.mul(g, e.add(op.getResult(), e.like(g, 1)))}};
}

static Gradients differentiate(LogOp op, RuleEmitter &e, Value g) {
  return {{e.div(g, op.getOperand())}};
}

static Gradients differentiate(Log1pOp op, RuleEmitter &e, Value g) {
  return {{e.div(g, e.add(op.getOperand(), e.like(g, 1)))}};
}

static Gradients differentiate(LogisticOp op, RuleEmitter &e, Value g) {
  Value y = op.getResult();
  return {{e.mul(g, e.mul(y, e.sub(e.like(y, 1), y)))}};
}

/// (1 + y)(1 - y) keeps digits that 1 - y^2 loses where y is near 1.
static Gradients differentiate(TanhOp op, RuleEmitter &e, Value g) {
  Value y = op.getResult(), one = e.like(y, 1);
  return {{e.mul(g, e.mul(e.add(one, y), e.sub(one, y)))}};
}

static Gradients differentiate(SqrtOp op, RuleEmitter &e, Value g) {
  return {{e.mul(g, e.div(e.like(g, 0.5), op.getResult()))}};
}

static Gradients differentiate(RsqrtOp op, RuleEmitter &e, Value g) {
  Value slope = e.div(op.getResult(), op.getOperand());
  return {{e.mul(g, e.mul(e.like(g, -0.5), slope))}};
}

static Gradients differentiate(CbrtOp op, RuleEmitter &e, Value g) {
  Value y = op.getResult();
  return {{e.div(g, e.mul(e.like(y, 3), e.mul(y, y)))}};
}

static Gradients differentiate(SineOp op, RuleEmitter &e, Value g) {
  return {{e.mul(g, e.create<CosineOp>(op.getOperand()))}};
}

static Gradients differentiate(CosineOp op, RuleEmitter &e, Value g) {
  return {{e.neg(e.mul(g, e.create<SineOp>(op.getOperand())))}};
}

/// 1 + tan^2 x
static Gradients differentiate(TanOp op, RuleEmitter &e, Value g) {
  Value square = e.mul(op.getResult(), op.getResult());
  return {{e.mul(g, e.add(square, e.like(square, 1)))}};
}

/// d/dy is x / (x^2 + y^2), d/dx is -y / (x^2 + y^2).
static Gradients differentiate(Atan2Op op, RuleEmitter &e, Value g) {
  Value y = op.getLhs(), x = op.getRhs();
  Value part = e.div(g, e.add(e.mul(x, x), e.mul(y, y)));
  return {{e.mul(part, x), e.neg(e.mul(part, y))}};
}

//===----------------------------------------------------------------------===//
// Choice and conversion
//===----------------------------------------------------------------------===//

static Gradients differentiate(SelectOp op, RuleEmitter &e, Value g) {
  Value zero = e.like(g, 0);
  return {{Value(), e.select(op.getPred(), g, zero),
           e.select(op.getPred(), zero, g)}};
}

static Gradients differentiate(ConvertOp op, RuleEmitter &e, Value g) {
  Type elementType = typeOf(op.getOperand()).getElementType();
  if (!isa<FloatType>(elementType))
    return {{Value()}};
  return {{e.create<ConvertOp>(g, elementType)}};
}

//===----------------------------------------------------------------------===//
// Moving elements about
//===----------------------------------------------------------------------===//

/// Sums over the dimensions that were made or widened, then puts the others
/// back in the operand's order.
static Gradients differentiate(BroadcastInDimOp op, RuleEmitter &e, Value g) {
  RankedTensorType type = typeOf(op.getOperand());
  ArrayRef<int64_t> targets = op.getBroadcastDimensions();
  // The operand's dimensions that keep their size, in the order of the result.
  SmallVector<int64_t> kept;
  SmallVector<int64_t> keptTargets;
  for (int64_t target = 0; target < typeOf(g).getRank(); ++target) {
    auto found = llvm::find(targets, target);
    if (found == targets.end())
      continue;
    int64_t source = found - targets.begin();
    if (type.getDimSize(source) == 1 && typeOf(g).getDimSize(target) != 1)
      continue;
    kept.push_back(source);
    keptTargets.push_back(target);
  }
  Value sum = e.sum(g, dimensionsWithout(typeOf(g).getRank(), keptTargets));

  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(kept.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return kept[a] < kept[b]; });
  if (!llvm::is_sorted(order))
    sum = e.create<TransposeOp>(sum, order);
  if (typeOf(sum).getRank() != type.getRank())
    sum = e.create<ReshapeOp>(type, sum);
  return {{sum}};
}

static Gradients differentiate(ReshapeOp op, RuleEmitter &e, Value g) {
  return {{e.create<ReshapeOp>(op.getOperand().getType(), g)}};
}

/// The inverse permutation takes the gradient back.
static Gradients differentiate(TransposeOp op, RuleEmitter &e, Value g) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [i, source] : llvm::enumerate(op.getPermutation()))
    inverse[source] = i;
  return {{e.create<TransposeOp>(g, inverse)}};
}

static Gradients differentiate(ReverseOp op, RuleEmitter &e, Value g) {
  return {{e.create<ReverseOp>(g, op.getDimensions())}};
}

/// Puts the gradient back where the box was cut, zeros around.
static Gradients differentiate(SliceOp op, RuleEmitter &e, Value g) {
  RankedTensorType type = typeOf(op.getOperand());
  SmallVector<int64_t> low, high, interior;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t start = op.getStartIndices()[i], stride = op.getStrides()[i];
    if (type.isDynamicDim(i)) {
      if (start != 0 || stride != 1 ||
          !ShapedType::isDynamic(op.getLimitIndices()[i]))
        return e.emitError() << ": it cuts the batch dimension " << i;
      low.push_back(0);
      high.push_back(0);
      interior.push_back(0);
      continue;
    }
    int64_t size = typeOf(op.getResult()).getDimSize(i);
    int64_t end = size == 0 ? start : start + (size - 1) * stride + 1;
    low.push_back(start);
    high.push_back(type.getDimSize(i) - end);
    interior.push_back(stride - 1);
  }
  return {
      {e.create<PadOp>(g, e.zero(type.getElementType()), low, high, interior)}};
}

/// Among zeros, at the same place: both ops move a box that begins too far.
static Gradients differentiate(DynamicSliceOp op, RuleEmitter &e, Value g) {
  RankedTensorType type = typeOf(op.getOperand());
  for (auto [i, size] : llvm::enumerate(op.getSliceSizes()))
    if (type.isDynamicDim(i) && !ShapedType::isDynamic(size))
      return e.emitError() << ": it cuts the batch dimension " << i;
  Value zeros = e.like(op.getOperand(), 0);
  SmallVector<Value> gradients(op->getNumOperands());
  gradients[0] =
      e.create<DynamicUpdateSliceOp>(type, zeros, g, op.getStartIndices());
  return gradients;
}

/// The update gets the gradient of its box, the operand that of all others.
static Gradients differentiate(DynamicUpdateSliceOp op, RuleEmitter &e,
                               Value g) {
  Value zeros = e.like(op.getUpdate(), 0);
  SmallVector<Value> gradients(op->getNumOperands());
  gradients[0] = e.create<DynamicUpdateSliceOp>(g.getType(), g, zeros,
                                                op.getStartIndices());
  gradients[1] = e.create<DynamicSliceOp>(op.getUpdate().getType(), g,
                                          op.getStartIndices(),
                                          typeOf(op.getUpdate()).getShape());
  return gradients;
}

/// Cuts the operand's elements out again; the padding value gets the rest.
static Gradients differentiate(PadOp op, RuleEmitter &e, Value g) {
  RankedTensorType type = typeOf(op.getOperand());
  SmallVector<int64_t> zeros(type.getRank(), 0), low, high;
  SmallVector<int64_t> starts, limits, strides;
  bool cuts = false, pads = false;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t before = op.getEdgePaddingLow()[i];
    int64_t after = op.getEdgePaddingHigh()[i];
    int64_t between = op.getInteriorPadding()[i];
    low.push_back(std::max<int64_t>(-before, 0));
    high.push_back(std::max<int64_t>(-after, 0));
    cuts |= before < 0 || after < 0;
    pads |= before > 0 || after > 0 || between > 0;
    int64_t size = type.getDimSize(i);
    int64_t start = std::max<int64_t>(before, 0);
    starts.push_back(start);
    limits.push_back(type.isDynamicDim(i) ? ShapedType::kDynamic
                     : size == 0          ? start
                                 : start + size + (size - 1) * between);
    strides.push_back(between + 1);
  }
  Value operand = g;
  if (cuts)
    operand = e.create<PadOp>(operand, e.zero(type.getElementType()), low, high,
                              zeros);
  if (pads)
    operand = e.create<SliceOp>(operand, starts, limits, strides);
  return {{operand, e.sub(e.sumAll(g), e.sumAll(operand))}};
}

/// Each operand gets its own slice of the gradient.
static Gradients differentiate(ConcatenateOp op, RuleEmitter &e, Value g) {
  RankedTensorType type = typeOf(op.getResult());
  int64_t dimension = op.getDimension();
  SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> limits(type.getShape());
  SmallVector<Value> gradients;
  limits[dimension] = 0;
  for (Value input : op.getInputs()) {
    starts[dimension] = limits[dimension];
    limits[dimension] += typeOf(input).getDimSize(dimension);
    gradients.push_back(e.create<SliceOp>(g, starts, limits, strides));
  }
  return gradients;
}

//===----------------------------------------------------------------------===//
// Sums over elements
//===----------------------------------------------------------------------===//

/// Every element that equals the result has an even share of the gradient.
static Value shareAmongEqual(ReduceOp op, RuleEmitter &e, Value g) {
  Value x = op.getInputs()[0];
  ArrayRef<int64_t> dimensions = op.getDimensions();
  RankedTensorType type = typeOf(x);
  Value chosen = e.equal(x, e.broadcast(op.getResult(0), type, dimensions));
  Value zero = e.like(x, 0);
  Value count = e.sum(e.select(chosen, e.like(x, 1), zero), dimensions);
  return e.select(chosen, e.broadcast(e.div(g, count), type, dimensions), zero);
}

/// The slope is the product of all other elements: the product of all elements
/// that are not 0, over this one, if no other one is 0.
static Value multiplyOthers(ReduceOp op, RuleEmitter &e, Value g) {
  Value x = op.getInputs()[0];
  ArrayRef<int64_t> dimensions = op.getDimensions();
  RankedTensorType type = typeOf(x);
  Value zero = e.like(x, 0), one = e.like(x, 1);
  Value isZero = e.equal(x, zero);
  Value nonZero = e.select(isZero, one, x);
  Value product = e.reduce<MulOp>(nonZero, op.getInitValues()[0], dimensions);
  Value zeros = e.sum(e.select(isZero, one, zero), dimensions);
  // Zeros among the others.
  Value others =
      e.sub(e.broadcast(zeros, type, dimensions), e.select(isZero, one, zero));
  Value slope =
      e.div(e.broadcast(e.mul(g, product), type, dimensions), nonZero);
  return e.select(e.equal(others, zero), slope, zero);
}

static bool isConstant(Value value) {
  return value.getDefiningOp<ConstantOp>() != nullptr;
}

/// Fails on bodies without a rule, and, except for sums, on an initial value
/// that would need a gradient of its own.
static Gradients differentiate(ReduceOp op, RuleEmitter &e, Value g) {
  if (op.getInputs().size() != 1)
    return e.emitError() << ": it reduces several operands at once";
  Value x = op.getInputs()[0];
  Operation *body = getCombiner(op.getBody().front());
  if (isa_and_nonnull<AddOp>(body))
    return {{e.broadcast(g, typeOf(x), op.getDimensions()), e.sumAll(g)}};
  if (!isa_and_nonnull<MaxOp, MinOp, MulOp>(body))
    return e.emitError() << ": its body is none of add, multiply, maximum, "
                            "minimum";
  if (!isConstant(op.getInitValues()[0]))
    return e.emitError() << ": its initial value is not a constant";
  if (isa<MulOp>(body))
    return {{multiplyOthers(op, e, g), Value()}};
  return {{shareAmongEqual(op, e, g), Value()}};
}

namespace {

/// The roles of the dimensions of one side of a dot.
struct DotSide {
  ArrayRef<int64_t> batching;
  ArrayRef<int64_t> contracting;
  SmallVector<int64_t> free;

  DotSide(Value value, ArrayRef<int64_t> batching,
          ArrayRef<int64_t> contracting)
      : batching(batching), contracting(contracting) {
    SmallVector<int64_t> bound(batching);
    llvm::append_range(bound, contracting);
    free = dimensionsWithout(typeOf(value).getRank(), bound);
  }
};

} // namespace

/// The indices first, first + 1, .. of `count` dimensions.
static SmallVector<int64_t> countFrom(int64_t first, size_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(first, first + count));
}

static Value emitDot(RuleEmitter &e, Value lhs, Value rhs,
                     DotDimensionNumbersAttr dims, ArrayAttr precision) {
  RankedTensorType lhsType = typeOf(lhs), rhsType = typeOf(rhs);
  auto type =
      RankedTensorType::get(DotGeneralOp::inferShape(lhsType, rhsType, dims),
                            lhsType.getElementType());
  return e.create<DotGeneralOp>(type, lhs, rhs, dims, precision,
                                DotAlgorithmAttr());
}

/// Reorders the result of a dot, whose dimension i is dimension `origins[i]` of
/// the operand, to the operand's order.
static Value restoreOrder(RuleEmitter &e, Value value,
                          ArrayRef<int64_t> origins) {
  SmallVector<int64_t> permutation(origins.size());
  for (auto [i, origin] : llvm::enumerate(origins))
    permutation[origin] = i;
  if (!llvm::is_sorted(permutation))
    value = e.create<TransposeOp>(value, permutation);
  return value;
}

/// For each of `mine`'s contracting dimensions, in the order in which their
/// partners are in the other operand.
static SmallVector<int64_t> contractingByPartner(const DotSide &mine,
                                                 const DotSide &other) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [theirs, ours] :
       llvm::zip_equal(other.contracting, mine.contracting))
    pairs.push_back({theirs, ours});
  llvm::sort(pairs);
  return llvm::to_vector(llvm::make_second_range(pairs));
}

/// With result dimensions [batching, lhs free, rhs free]:
///   lhs' = g . rhs over rhs free, giving [batching, lhs free, contracting]
///   rhs' = lhs . g over lhs free, giving [batching, contracting, rhs free]
/// For a plain x . w neither needs a transpose.
static Gradients differentiate(DotGeneralOp op, RuleEmitter &e, Value g) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  DotSide lhs(op.getLhs(), dims.getLhsBatchingDimensions(),
              dims.getLhsContractingDimensions());
  DotSide rhs(op.getRhs(), dims.getRhsBatchingDimensions(),
              dims.getRhsContractingDimensions());
  int64_t numBatching = lhs.batching.size();
  SmallVector<int64_t> batching = countFrom(0, numBatching);
  SmallVector<int64_t> lhsFree = countFrom(numBatching, lhs.free.size());
  SmallVector<int64_t> rhsFree =
      countFrom(numBatching + lhs.free.size(), rhs.free.size());

  // A dot may sum in a wider type than it multiplies: so do its gradients.
  Type wide = typeOf(g).getElementType();
  auto widen = [&](Value value) {
    return typeOf(value).getElementType() == wide
               ? value
               : e.create<ConvertOp>(value, wide);
  };
  auto narrow = [&](Value value, Value operand) {
    Type elementType = typeOf(operand).getElementType();
    return elementType == wide ? value
                               : e.create<ConvertOp>(value, elementType);
  };
  ArrayAttr precision = op.getPrecisionConfigAttr();
  MLIRContext *context = op.getContext();

  Value dLhs = emitDot(e, g, widen(op.getRhs()),
                       DotDimensionNumbersAttr::get(
                           context, batching, rhs.batching, rhsFree, rhs.free),
                       precision);
  SmallVector<int64_t> lhsOrigins(lhs.batching);
  llvm::append_range(lhsOrigins, lhs.free);
  llvm::append_range(lhsOrigins, contractingByPartner(lhs, rhs));

  Value dRhs = emitDot(e, widen(op.getLhs()), g,
                       DotDimensionNumbersAttr::get(
                           context, lhs.batching, batching, lhs.free, lhsFree),
                       precision);
  SmallVector<int64_t> rhsOrigins(rhs.batching);
  llvm::append_range(rhsOrigins, contractingByPartner(rhs, lhs));
  llvm::append_range(rhsOrigins, rhs.free);

  return {{narrow(restoreOrder(e, dLhs, lhsOrigins), op.getLhs()),
           narrow(restoreOrder(e, dRhs, rhsOrigins), op.getRhs())}};
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {

/// Makes `differentiate` the rule of `OpT`.
template <typename OpT>
struct GradientModel
    : public DifferentiableOpInterface::ExternalModel<GradientModel<OpT>, OpT> {
  Gradients buildGradient(Operation *op, OpBuilder &builder,
                          ValueRange resultGrads,
                          function_ref<InFlightDiagnostic()> emitError) const {
    RuleEmitter emitter(builder, op->getLoc(), emitError);
    return differentiate(cast<OpT>(op), emitter, resultGrads[0]);
  }
};

/// A barrier is the identity, of all of its operands at once.
struct BarrierModel
    : public DifferentiableOpInterface::ExternalModel<BarrierModel,
                                                      OptimizationBarrierOp> {
  Gradients buildGradient(Operation *, OpBuilder &, ValueRange resultGrads,
                          function_ref<InFlightDiagnostic()>) const {
    return llvm::to_vector(resultGrads);
  }
};

template <typename... OpTs>
void attachGradients(MLIRContext *context) {
  (OpTs::template attachInterface<GradientModel<OpTs>>(*context), ...);
}

} // namespace

void ps::registerStablehloGradients(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, StablehloDialect *) {
    attachGradients<AbsOp, AddOp, Atan2Op, BroadcastInDimOp, CbrtOp, CeilOp,
                    CholeskyOp, ClampOp, ConcatenateOp, ConvertOp,
                    ConvolutionOp, CosineOp, DivOp, DotGeneralOp,
                    DynamicSliceOp, DynamicUpdateSliceOp, ExpOp, Expm1Op,
                    FloorOp, GatherOp, Log1pOp, LogOp, LogisticOp, MaxOp, MinOp,
                    MulOp, NegOp, PadOp, PowOp, ReduceOp, ReduceWindowOp, RemOp,
                    ReshapeOp, ReverseOp, RoundNearestEvenOp, RoundOp, RsqrtOp,
                    ScatterOp, SelectOp, SignOp, SineOp, SliceOp, SqrtOp,
                    SubtractOp, TanOp, TanhOp, TransposeOp, TriangularSolveOp>(
        context);
    OptimizationBarrierOp::attachInterface<BarrierModel>(*context);
  });
}
