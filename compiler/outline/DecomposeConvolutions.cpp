// SPDX-License-Identifier: Apache-2.0
//===- DecomposeConvolutions.cpp - convolutions as matrix products --------===//
//
//   patches[.., p, .., k, ..] = padded[.., p * stride + k * dilation, ..]
//   result = patches . kernel, over the window and the input features
//
// for every convolution of f32, also those that are derivatives: the patches
// are a gather at indices that are computed where they are used, the product is
// a library's. K. Chellapilla, S. Puri, P. Simard, "High Performance
// Convolutional Neural Networks for Document Processing", IWFHR 2006.
//
// Both operands have the form that products read in place, whatever the order
// of the dimensions is, and neighbors of the input are neighbors of the
// patches.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/outline/FoldConvolutions.h"
#include "compiler/outline/FoldProducts.h"
#include "compiler/outline/KernelAnalysis.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ps {
#define GEN_PASS_DEF_DECOMPOSECONVOLUTIONS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;
using ::stablehlo::Emitter;
using ::stablehlo::typeOf;
using ::stablehlo::WindowAxis;

namespace {

/// What a dimension is. Window and Place have one for each axis of the window,
/// in this order; a base has places only.
enum Role : unsigned { Group, Batch, Feature, Output, FirstAxis };
using Roles = SmallVector<unsigned>;

unsigned placeOf(size_t axis) { return FirstAxis + 2 * axis; }
unsigned windowOf(size_t axis) { return FirstAxis + 2 * axis + 1; }

/// A tensor, and what its dimensions are.
struct Side {
  Value value;
  Roles roles;

  int64_t size(unsigned role) const {
    return typeOf(value).getDimSize(dimOf(role));
  }
  int64_t dimOf(unsigned role) const {
    return llvm::find(roles, role) - roles.begin();
  }
  bool has(unsigned role) const { return llvm::is_contained(roles, role); }
  SmallVector<int64_t> dimsOf(ArrayRef<unsigned> wanted) const {
    return llvm::map_to_vector(wanted,
                               [&](unsigned role) { return dimOf(role); });
  }
};

class Decomposition {
public:
  explicit Decomposition(stablehlo::ConvolutionOp op)
      : op(op), dims(op.getDimensionNumbers()), window(op.getWindow()),
        builder(op), e(builder, op.getLoc()) {}

  void run();

private:
  int64_t countPlaces(size_t axis) {
    return typeOf(op.getResult())
        .getDimSize(dims.getOutputSpatialDimensions()[axis]);
  }
  Side transpose(const Side &side, const Roles &order);
  void splitGroups(Side &side, unsigned role, int64_t groups);
  Side getBase();
  Side getKernel();
  Roles getResultRoles();
  void chooseOrder(const Side &base, const Side &kernel);
  Roles getPatchRoles() const;
  SmallVector<int64_t> getPatchSizes(const Side &base, const Roles &roles);
  std::optional<Side> viewAsPatches(const Side &base);
  Value emitIndices(const Side &patches, ArrayRef<int64_t> sizes);
  Side gatherPatches(const Side &base);
  Side alignKernel(const Side &kernel);
  Side multiply(const Side &lhs, const Side &rhs);

  stablehlo::ConvolutionOp op;
  stablehlo::ConvDimensionNumbersAttr dims;
  SmallVector<WindowAxis> window;
  OpBuilder builder;
  Emitter e;
  /// The dimensions of the patches: [group, free.., summed..], or the other way
  /// round.
  Roles groups, freeRoles, summed;
  bool isSummedLast = true;
};

} // namespace

static Roles concat(std::initializer_list<ArrayRef<unsigned>> parts) {
  Roles all;
  for (ArrayRef<unsigned> part : parts)
    llvm::append_range(all, part);
  return all;
}

Side Decomposition::transpose(const Side &side, const Roles &order) {
  if (side.roles == order)
    return side;
  return {e.create<stablehlo::TransposeOp>(side.value, side.dimsOf(order)),
          order};
}

/// Lets the dimension that has `groups` of them become two.
void Decomposition::splitGroups(Side &side, unsigned role, int64_t groups) {
  if (groups == 1)
    return;
  const int64_t dim = side.dimOf(role);
  SmallVector<int64_t> shape(typeOf(side.value).getShape());
  shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  side.roles.insert(side.roles.begin() + dim, Group);
  side.value = e.create<stablehlo::ReshapeOp>(typeOf(side.value).clone(shape),
                                              side.value);
}

/// The input with its padding and holes.
Side Decomposition::getBase() {
  RankedTensorType type = typeOf(op.getLhs());
  Side base{op.getLhs(), Roles(type.getRank())};
  base.roles[dims.getInputBatchDimension()] = Batch;
  base.roles[dims.getInputFeatureDimension()] = Feature;
  SmallVector<int64_t> low(type.getRank()), high(low), holes(low);
  bool isPadded = false;
  for (auto [i, axis] : llvm::enumerate(window)) {
    const int64_t dim = dims.getInputSpatialDimensions()[i];
    base.roles[dim] = placeOf(i);
    low[dim] = axis.low;
    high[dim] = axis.high;
    holes[dim] = axis.baseDilation - 1;
    isPadded |= axis.low != 0 || axis.high != 0 || axis.baseDilation != 1;
  }
  if (isPadded)
    base.value = e.create<stablehlo::PadOp>(
        base.value, e.zero(type.getElementType()), low, high, holes);
  splitGroups(base, Feature, op.getFeatureGroupCount());
  splitGroups(base, Batch, op.getBatchGroupCount());
  return base;
}

/// The kernel in the order of the window's elements.
Side Decomposition::getKernel() {
  Side kernel{op.getRhs(), Roles(typeOf(op.getRhs()).getRank())};
  kernel.roles[dims.getKernelInputFeatureDimension()] = Feature;
  kernel.roles[dims.getKernelOutputFeatureDimension()] = Output;
  SmallVector<int64_t> reversed;
  for (auto [i, axis] : llvm::enumerate(window)) {
    const int64_t dim = dims.getKernelSpatialDimensions()[i];
    kernel.roles[dim] = windowOf(i);
    if (axis.isReversed && axis.size != 1)
      reversed.push_back(dim);
  }
  if (!reversed.empty())
    kernel.value = e.create<stablehlo::ReverseOp>(kernel.value, reversed);
  splitGroups(kernel, Output,
              op.getFeatureGroupCount() * op.getBatchGroupCount());
  return kernel;
}

/// Those of the result, its features in groups.
Roles Decomposition::getResultRoles() {
  Roles roles(typeOf(op.getResult()).getRank());
  roles[dims.getOutputBatchDimension()] = Batch;
  roles[dims.getOutputFeatureDimension()] = Output;
  for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
    roles[dim] = placeOf(i);
  if (!groups.empty())
    roles.insert(llvm::find(roles, Output), Group);
  return roles;
}

/// Has the patches end with what the base ends with, so that neighbors are read
/// and written together: its features or its batch or, of places and window,
/// what is longer.
void Decomposition::chooseOrder(const Side &base, const Side &kernel) {
  Roles places, windows;
  double numPlaces = 1, numElements = 1;
  for (auto [i, axis] : llvm::enumerate(window)) {
    places.push_back(placeOf(i));
    windows.push_back(windowOf(i));
    numPlaces *= double(countPlaces(i));
    numElements *= double(axis.size);
  }
  if (base.has(Group))
    groups = {Group};
  freeRoles = concat({{Batch}, places});
  summed = concat({{Feature}, windows});
  switch (base.roles.back()) {
  case Batch: {
    freeRoles = concat({places, {Batch}});
    isSummedLast = false;
    // The kernel's order, but the patches must not begin with a dimension that
    // is counted: what counts along rows is no part of a row kernel.
    Roles ofKernel = kernel.roles;
    llvm::erase_if(ofKernel, [](unsigned role) {
      return role == Group || role == Output;
    });
    if (ofKernel.front() == Feature)
      summed = ofKernel;
    break;
  }
  case Feature:
    summed = concat({windows, {Feature}});
    break;
  default:
    isSummedLast = numElements > numPlaces;
    break;
  }
}

Roles Decomposition::getPatchRoles() const {
  return isSummedLast ? concat({groups, freeRoles, summed})
                      : concat({groups, summed, freeRoles});
}

SmallVector<int64_t> Decomposition::getPatchSizes(const Side &base,
                                                  const Roles &roles) {
  return llvm::map_to_vector(roles, [&](unsigned role) {
    if (role < FirstAxis)
      return base.size(role);
    const unsigned axis = (role - FirstAxis) / 2;
    return role == placeOf(axis) ? countPlaces(axis) : window[axis].size;
  });
}

/// The patches where each element of the base is in one of them: along an axis
/// the window has one element, or one place.
std::optional<Side> Decomposition::viewAsPatches(const Side &base) {
  Side renamed = base;
  for (auto [i, axis] : llvm::enumerate(window)) {
    const int64_t size = base.size(placeOf(i));
    const bool isPlace = axis.size == 1 && countPlaces(i) == size;
    const bool isWindow = axis.size == size && axis.dilation == 1;
    if (!isPlace && !isWindow)
      return std::nullopt;
    if (!isPlace)
      renamed.roles[base.dimOf(placeOf(i))] = windowOf(i);
  }
  Side patches{nullptr, getPatchRoles()};
  Roles order = patches.roles;
  llvm::erase_if(order, [&](unsigned role) { return !renamed.has(role); });
  patches.value = e.create<stablehlo::ReshapeOp>(
      typeOf(base.value).clone(getPatchSizes(base, patches.roles)),
      transpose(renamed, order).value);
  return patches;
}

/// For each element of the patches its index along each axis of the base.
Value Decomposition::emitIndices(const Side &patches, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> shape(sizes);
  shape.push_back(window.size());
  auto type = RankedTensorType::get(shape, builder.getI32Type());
  // A step along dimension `dim` of the patches is one of `steps` on the base.
  auto count = [&](int64_t dim, int64_t steps) {
    Value number = e.create<stablehlo::IotaOp>(type, dim);
    return steps == 1 ? number : e.scale(number, double(steps));
  };
  Value indices;
  for (auto [i, axis] : llvm::enumerate(window)) {
    std::pair<int64_t, int64_t> terms[] = {
        {patches.dimOf(placeOf(i)), axis.stride},
        {patches.dimOf(windowOf(i)), axis.dilation}};
    // Equal patches of a convolution and its derivative become one by CSE.
    llvm::sort(terms);
    Value index =
        e.add(std::apply(count, terms[0]), std::apply(count, terms[1]));
    if (indices) {
      Value axes = e.create<stablehlo::IotaOp>(type, int64_t(sizes.size()));
      index = e.select(e.equal(axes, e.like(axes, double(i))), index, indices);
    }
    indices = index;
  }
  return indices;
}

Side Decomposition::gatherPatches(const Side &base) {
  if (std::optional<Side> view = viewAsPatches(base))
    return *view;
  Side patches{nullptr, getPatchRoles()};
  SmallVector<int64_t> sizes = getPatchSizes(base, patches.roles);
  // Along the places of the base the indices say where, along its other
  // dimensions the patches go together with it.
  SmallVector<int64_t> indexed, together, partners;
  for (size_t i = 0; i < window.size(); ++i)
    indexed.push_back(base.dimOf(placeOf(i)));
  for (auto [dim, role] : llvm::enumerate(base.roles))
    if (role < FirstAxis) {
      together.push_back(dim);
      partners.push_back(patches.dimOf(role));
    }
  SmallVector<int64_t> collapsed(indexed);
  llvm::sort(collapsed);
  auto numbers = stablehlo::GatherDimensionNumbersAttr::get(
      op.getContext(), /*offsetDims=*/{}, collapsed, together, partners,
      indexed, /*indexVectorDim=*/int64_t(sizes.size()));
  SmallVector<int64_t> ones(base.roles.size(), 1);
  patches.value = e.create<stablehlo::GatherOp>(
      base.value, emitIndices(patches, sizes), numbers, ones);
  return patches;
}

/// The kernel with what is summed in the patches' order, beside one another.
Side Decomposition::alignKernel(const Side &kernel) {
  Roles outputs{Output}, first = concat({groups, outputs, summed});
  return transpose(kernel, kernel.roles == first
                               ? first
                               : concat({groups, summed, outputs}));
}

Side Decomposition::multiply(const Side &lhs, const Side &rhs) {
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      op.getContext(), lhs.dimsOf(groups), rhs.dimsOf(groups),
      lhs.dimsOf(summed), rhs.dimsOf(summed));
  Side product;
  product.roles = groups;
  for (const Side *side : {&lhs, &rhs})
    for (unsigned role : side->roles)
      if (role != Group && !llvm::is_contained(summed, role))
        product.roles.push_back(role);
  SmallVector<int64_t> shape;
  for (unsigned role : product.roles)
    shape.push_back((lhs.has(role) ? lhs : rhs).size(role));
  ArrayAttr precision = op.getPrecisionConfigAttr();
  product.value = e.create<stablehlo::DotGeneralOp>(
      typeOf(op.getResult()).clone(shape), lhs.value, rhs.value, numbers,
      lhs.has(Output) ? swapPrecision(precision) : precision,
      /*algorithm=*/nullptr);
  return product;
}

void Decomposition::run() {
  Side base = getBase(), kernel = getKernel();
  chooseOrder(base, kernel);
  kernel = alignKernel(kernel);
  Side patches = gatherPatches(base);
  Roles wanted = getResultRoles();
  // What the result ends with comes last in the product, too.
  Side product = wanted.back() == Output ? multiply(patches, kernel)
                                         : multiply(kernel, patches);
  Value result = transpose(product, wanted).value;
  if (!groups.empty())
    result = e.create<stablehlo::ReshapeOp>(op.getType(), result);
  op.replaceAllUsesWith(result);
  op.erase();
}

//===----------------------------------------------------------------------===//

/// Many products of a few columns, one for each group, are no better than the
/// convolution's own loops, and have to wait for patches.
static constexpr int64_t fewOutputs = 4;

/// Whether indices of the padded input are 32-bit numbers.
static bool hasSmallIndices(stablehlo::ConvolutionOp op) {
  for (auto [axis, dim] :
       llvm::zip(op.getWindow(),
                 op.getDimensionNumbers().getInputSpatialDimensions())) {
    const int64_t size = typeOf(op.getLhs()).getDimSize(dim);
    if (double(::stablehlo::dilate(size, axis.baseDilation)) +
                double(axis.low) + double(axis.high) >
            double(INT32_MAX) ||
        axis.stride > INT32_MAX || axis.dilation > INT32_MAX)
      return false;
  }
  return true;
}

static bool isProduct(stablehlo::ConvolutionOp op) {
  if (!llvm::all_of(ValueRange{op.getLhs(), op.getRhs(), op.getResult()},
                    isLibraryTensor))
    return false;
  const int64_t groups = op.getFeatureGroupCount() * op.getBatchGroupCount();
  const int64_t outputs =
      typeOf(op.getRhs())
          .getDimSize(
              op.getDimensionNumbers().getKernelOutputFeatureDimension());
  return hasSmallIndices(op) && (groups == 1 || outputs / groups >= fewOutputs);
}

namespace {
struct DecomposeConvolutions
    : public ps::impl::DecomposeConvolutionsBase<DecomposeConvolutions> {
  void runOnOperation() override {
    // So that fewer transposes are left of those around convolutions.
    RewritePatternSet patterns(&getContext());
    populateConvolutionFolds(patterns);
    (void)applyPatternsAndFoldGreedily(getOperation(), std::move(patterns));
    SmallVector<stablehlo::ConvolutionOp> ops;
    getOperation().walk([&](stablehlo::ConvolutionOp op) {
      if (isProduct(op))
        ops.push_back(op);
    });
    for (stablehlo::ConvolutionOp op : ops)
      Decomposition(op).run();
  }
};
} // namespace
