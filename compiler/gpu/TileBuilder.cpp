// SPDX-License-Identifier: Apache-2.0
//===- TileBuilder.cpp - transposes as a grid of threads ------------------===//
//
// Neighboring threads should read neighbors, and write neighbors. Where these
// are along different loops, a block does both with a square of elements:
//
// 1. chooseTile: the loop along which all outputs are written, and another one
//    along which an input is read.
// 2. loadTile: warps read rows of such inputs to shared memory. A row there is
//    an element longer, so that the elements of a column are in different
//    banks.
// 3. emitTile: after all threads, warps compute columns of it and write them
//    as rows of the outputs. Other inputs are read here.
//
// Threads beyond the end of a loop load and compute the last element, too, and
// store nothing.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/TileBuilder.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

/// A warp has a side.
static constexpr int64_t tileSide = warpThreads;
static constexpr int64_t warps = blockThreads / warpThreads;
/// Of shorter loops, most of what a warp reads is in the cache line that its
/// neighbors read.
static constexpr int64_t shortestSide = 16;
/// Tiles of f64 in the 48 KB of shared memory that every block can have.
static constexpr size_t mostInputs = 4;

//===----------------------------------------------------------------------===//
// 1. chooseTile
//===----------------------------------------------------------------------===//

/// The loop along which elements of the operand are neighbors in memory.
static std::optional<unsigned> findInnerLoop(const LoopOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.memref.getType());
  if (!type || !type.getLayout().isIdentity())
    return std::nullopt;
  for (auto [size, expr] :
       llvm::reverse(llvm::zip(type.getShape(), operand.indices))) {
    if (size == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim ? std::optional(dim.getPosition()) : std::nullopt;
  }
  return std::nullopt;
}

static bool isIndexedBy(const LoopOperand &operand, unsigned dim) {
  return llvm::any_of(operand.indices, [&](AffineExpr expr) {
    return expr.isFunctionOfDim(dim);
  });
}

bool TileBuilder::chooseTile() {
  auto isLong = [&](unsigned dim) {
    return op.space.staticExtent(dim).value_or(0) >= shortestSide;
  };
  ArrayRef<LoopOperand> operands = op.space.operands;
  auto written = findInnerLoop(operands.back());
  if (!written || !isLong(*written))
    return false;
  for (const LoopOperand &output : operands.drop_front(op.space.numInputs()))
    if (findInnerLoop(output) != written)
      return false;
  for (unsigned i = 0; i < op.space.numInputs(); ++i) {
    auto read = findInnerLoop(operands[i]);
    if (!read || read == written || !isLong(*read) ||
        !isIndexedBy(operands[i], *written) ||
        op.op.getBody()->getArgument(i).use_empty())
      continue;
    if (inputs.empty())
      reads = {*read, *op.space.staticExtent(*read), {}};
    if (*read == reads.dim && inputs.size() < mostInputs)
      inputs.push_back({i, {}});
  }
  writes = {*written, *op.space.staticExtent(*written), {}};
  return !inputs.empty();
}

void TileBuilder::setGrid() {
  int64_t points = llvm::divideCeil(reads.extent, tileSide) *
                   llvm::divideCeil(writes.extent, tileSide);
  bool perRow = false;
  for (unsigned dim = 0; dim < op.space.numDims(); ++dim) {
    if (!op.space.isLoop(dim) || dim == reads.dim || dim == writes.dim)
      continue;
    otherDims.push_back(dim);
    perRow |= !op.space.staticExtent(dim);
    points *= op.space.countPerRow(dim);
  }
  function->setAttr("exec.grid",
                    exec::GridAttr::get(b.getContext(), points, perRow,
                                        /*pointsPerBlock=*/1));
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({static_cast<int32_t>(blockThreads), 1, 1}));
}

/// Neighboring blocks write neighboring tiles.
void TileBuilder::findTile() {
  Value number = b.create<gpu::BlockIdOp>(gpu::Dimension::x);
  for (Side *side : {&writes, &reads}) {
    Value tiles = constant(llvm::divideCeil(side->extent, tileSide));
    side->first = b.create<arith::MulIOp>(
        b.create<arith::RemUIOp>(number, tiles), constant(tileSide));
    number = b.create<arith::DivUIOp>(number, tiles);
  }
  op.setIndices(otherDims, number);
  Value thread = b.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  x = b.create<arith::RemUIOp>(thread, constant(tileSide));
  y = b.create<arith::DivUIOp>(thread, constant(tileSide));
}

/// Sets the loop's index to `place` in the tile; whether there is such an
/// element, or null if there always is.
Value TileBuilder::moveTo(Side &side, Value place) {
  Value index = b.create<arith::AddIOp>(side.first, place);
  op.indices[side.dim] = index;
  if (side.extent % tileSide == 0)
    return {};
  Clamped clamped = clamp(b, index, constant(side.extent));
  op.indices[side.dim] = clamped.number;
  return clamped.isInside;
}

//===----------------------------------------------------------------------===//
// 2. loadTile
//===----------------------------------------------------------------------===//

/// All loads come before the first store.
void TileBuilder::loadTile() {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  SmallVector<std::pair<Value, Value>> loaded;
  for (int64_t row = 0; row < tileSide; row += warps) {
    Value place = b.createOrFold<arith::AddIOp>(y, constant(row));
    moveTo(reads, x);
    moveTo(writes, place);
    for (const Transposed &input : inputs)
      loaded.emplace_back(place, op.load(input.operand));
  }
  for (auto [i, input] : llvm::enumerate(inputs)) {
    input.shared = function.addWorkgroupAttribution(
        MemRefType::get({tileSide, tileSide + 1}, loaded[i].second.getType(),
                        MemRefLayoutAttrInterface(), space),
        b.getLoc());
    for (size_t row = i; row < loaded.size(); row += inputs.size())
      b.create<memref::StoreOp>(loaded[row].second, input.shared,
                                ValueRange{loaded[row].first, x});
  }
}

//===----------------------------------------------------------------------===//
// 3. emitTile
//===----------------------------------------------------------------------===//

void TileBuilder::emitTile() {
  struct Element {
    SmallVector<Value> indices;
    IRMapping mapping;
    Value isInside;
  };
  SmallVector<Element> elements;
  for (int64_t row = 0; row < tileSide; row += warps) {
    Value place = b.createOrFold<arith::AddIOp>(y, constant(row));
    Value isWritten = moveTo(writes, x), isRead = moveTo(reads, place);
    IRMapping mapping = op.emitElement([&](unsigned operand) -> Value {
      for (const Transposed &input : inputs)
        if (input.operand == operand)
          return b.create<memref::LoadOp>(input.shared, ValueRange{x, place});
      return op.load(operand);
    });
    elements.push_back({op.indices, std::move(mapping),
                        combineConditions(b, isWritten, isRead)});
  }
  for (const Element &element : elements) {
    op.indices = element.indices;
    OpBuilder::InsertionGuard guard = enterIfAny(b, element.isInside);
    for (unsigned output : op.elementOutputs())
      op.store(output, op.getOutput(element.mapping, output));
  }
}

void TileBuilder::run() {
  setGrid();
  findTile();
  loadTile();
  b.create<gpu::BarrierOp>();
  emitTile();
}
