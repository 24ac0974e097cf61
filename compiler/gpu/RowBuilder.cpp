// SPDX-License-Identifier: Apache-2.0
//===- RowBuilder.cpp - stages that work on rows as a grid of threads -----===//
//
// 1. addStage: a stage's loops become those of rows and those of columns.
// 2. findPlace: the row of a thread, and its columns: vectors of neighbors, a
//    vector of each other lane apart. A thread beyond the last row computes
//    that one, too, and one beyond the last column that one; they store
//    nothing, and no sum has a column twice.
// 3. emitStage, in order: all columns of a thread are computed before the first
//    is stored. What was loaded or computed by an earlier stage is known. What
//    nothing but these stages needs is in no memory: an allocation that is in
//    the function.
// 4. reduce: a thread combines its columns in order. Lanes of a warp meet by
//    shuffles, each with the one that is half of them behind it, and the first
//    has the result, which all others get from there; warps of a block meet in
//    shared memory, and every thread combines them in order. So the order of a
//    sum depends on the number of columns alone, and all lanes have equal bits.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/RowBuilder.h"
#include "compiler/gpu/Stages.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

/// A vector of f32 is 16 bytes, the most that a thread loads at once. Every
/// lane has one, or none has.
static int64_t chooseWidth(const StageGroup &group) {
  constexpr int64_t vectorWidth = 4;
  return group.shape->columns.back() % vectorWidth == 0 &&
                 group.shape->countColumns() >= vectorWidth * group.lanes
             ? vectorWidth
             : 1;
}

RowBuilder::RowBuilder(gpu::GPUFuncOp function, const StageGroup &group,
                       ImplicitLocOpBuilder &b)
    : function(function), b(b), group(group),
      columns(group.shape->countColumns()), width(chooseWidth(group)) {}

Value RowBuilder::constant(int64_t value) {
  return b.create<arith::ConstantIndexOp>(value);
}

/// Whether no other function works with the memory.
static bool isLocal(Value buffer) {
  return buffer.getDefiningOp<memref::AllocOp>() != nullptr;
}

//===----------------------------------------------------------------------===//
// 1. addStage
//===----------------------------------------------------------------------===//

LogicalResult RowBuilder::addStage(linalg::GenericOp op) {
  Stage &stage = stages.emplace_back();
  for (OpOperand &use : op->getOpOperands()) {
    stage.buffers.push_back(getBuffer(use.get()));
    stage.accesses.push_back(classifyAccess(use, *group.shape));
  }
  SmallVector<unsigned> loops = findLoops(op);
  llvm::SmallBitVector isColumn(op.getNumLoops());
  for (unsigned dim : ArrayRef(loops).drop_front(group.shape->rows.size()))
    isColumn.set(dim);
  stage.op = std::make_unique<GridOp>(op, b);
  stage.op->takeInitialValues();
  if (failed(stage.op->normalize(isColumn)))
    return failure();
  for (unsigned dim : loops)
    if (stage.op->space.isLoop(dim))
      (isColumn[dim] ? stage.columnDims : stage.rowDims).push_back(dim);
  return success();
}

//===----------------------------------------------------------------------===//
// 2. findPlace
//===----------------------------------------------------------------------===//

void RowBuilder::setGrid() {
  int64_t points = 1;
  bool perRow = false;
  for (int64_t extent : group.shape->rows) {
    perRow |= ShapedType::isDynamic(extent);
    points *= ShapedType::isDynamic(extent) ? 1 : extent;
  }
  const int64_t rowsOfBlock = blockThreads / group.lanes;
  function->setAttr("exec.grid", exec::GridAttr::get(b.getContext(), points,
                                                     perRow, rowsOfBlock));
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({static_cast<int32_t>(blockThreads), 1, 1}));

  row = makeFirstPoint(b, rowsOfBlock);
  if (rowsOfBlock == 1)
    return;
  row = b.create<arith::AddIOp>(
      row, b.create<arith::DivUIOp>(thread, constant(group.lanes)));
  if (!perRow && points % rowsOfBlock == 0)
    return;
  Value count = constant(points);
  if (perRow) {
    Value rows =
        function.getArgument(function.getFunctionType().getNumInputs() - 1);
    count = b.create<arith::MulIOp>(
        count, b.create<arith::IndexCastOp>(b.getIndexType(), rows));
  }
  Clamped clamped = clamp(b, row, count);
  row = clamped.number;
  isRow = clamped.isInside;
}

void RowBuilder::findPlace() {
  thread = b.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  lane = b.create<arith::RemUIOp>(thread, constant(group.lanes));
  setGrid();
  const int64_t step = group.lanes * width;
  Value place = b.createOrFold<arith::MulIOp>(lane, constant(width));
  for (int64_t begin = 0; begin < columns; begin += step) {
    Vector &vector = vectors.emplace_back();
    vector.first = b.createOrFold<arith::AddIOp>(place, constant(begin));
    if (begin + step <= columns)
      continue;
    vector.isInside = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                              vector.first, constant(columns));
    vector.first =
        b.create<arith::MinSIOp>(vector.first, constant(columns - width));
  }
}

//===----------------------------------------------------------------------===//
// 3. emitStage
//===----------------------------------------------------------------------===//

Value RowBuilder::loadInput(Stage &stage, unsigned operand, size_t column) {
  const RowAccess access = stage.accesses[operand];
  if (access == RowAccess::Other)
    return stage.op->load(operand);
  SmallVector<Value> &values = known[stage.buffers[operand]];
  if (values.empty())
    values.resize(access == RowAccess::Row ? 1 : vectors.size() * width);
  Value &value = values[access == RowAccess::Row ? 0 : column];
  if (!value)
    value = stage.op->load(operand);
  return value;
}

SmallVector<RowBuilder::Element> RowBuilder::emitElements(Stage &stage) {
  GridOp &op = *stage.op;
  SmallVector<Element> elements;
  auto emit = [&](Value isInside) {
    const size_t column = elements.size();
    IRMapping mapping = op.emitElement(
        [&](unsigned operand) { return loadInput(stage, operand, column); });
    elements.push_back({op.indices, std::move(mapping), isInside});
  };
  op.setIndices(stage.rowDims, row);
  if (stage.columnDims.empty()) {
    emit(b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, lane, constant(0)));
    return elements;
  }
  for (const Vector &vector : vectors) {
    op.setIndices(stage.columnDims, vector.first);
    for (int64_t i = 0; i < width; ++i) {
      if (i)
        op.indices = op.makeNeighbor(stage.columnDims, 1);
      emit(vector.isInside);
    }
  }
  return elements;
}

/// Elements of which the same threads are inside share a branch, in which
/// stores that are neighbors in memory come one after the other.
void RowBuilder::storeElements(Stage &stage, ArrayRef<Element> elements) {
  GridOp &op = *stage.op;
  SmallVector<unsigned> outputs = op.elementOutputs();
  for (unsigned output : outputs) {
    SmallVector<Value> &values = known[stage.buffers[output]];
    values.clear();
    for (const Element &element : elements)
      values.push_back(op.getOutput(element.mapping, output));
  }
  llvm::erase_if(
      outputs, [&](unsigned output) { return isLocal(stage.buffers[output]); });
  while (!elements.empty() && !outputs.empty()) {
    Value isInside = elements.front().isInside;
    auto same = elements.take_while(
        [&](const Element &element) { return element.isInside == isInside; });
    elements = elements.drop_front(same.size());
    OpBuilder::InsertionGuard guard =
        enterIfAny(b, combineConditions(b, isRow, isInside));
    for (unsigned output : outputs)
      for (const Element &element : same) {
        op.indices = element.indices;
        op.store(output, op.getOutput(element.mapping, output));
      }
  }
}

void RowBuilder::emitStage(Stage &stage) {
  SmallVector<Element> elements = emitElements(stage);
  if (stage.op->body.reduces())
    reduce(stage, elements);
  storeElements(stage, elements);
}

//===----------------------------------------------------------------------===//
// 4. reduce
//===----------------------------------------------------------------------===//

void RowBuilder::reduce(Stage &stage, ArrayRef<Element> elements) {
  GridOp &op = *stage.op;
  SmallVector<Value> values;
  for (Value value : op.body.elementValues())
    values.push_back(elements.front().mapping.lookupOrDefault(value));
  for (const Element &element : elements.drop_front()) {
    SmallVector<Value> more = op.body.emitCombine(b, element.mapping, values);
    for (auto [value, combined] : llvm::zip(values, more))
      value = element.isInside
                  ? b.create<arith::SelectOp>(element.isInside, combined, value)
                  : combined;
  }
  values = combineLanes(op, std::move(values));
  if (group.lanes > warpThreads)
    values = combineWarps(op, values);
  values = op.emitResult(
      values, [&](unsigned operand) { return loadInput(stage, operand, 0); });

  Value isFirst =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, lane, constant(0));
  OpBuilder::InsertionGuard guard =
      enterIf(b, combineConditions(b, isFirst, isRow));
  for (auto [output, value] : llvm::zip(op.body.accumulators(), values)) {
    const unsigned operand = op.space.numInputs() + output;
    known[stage.buffers[operand]] = {value};
    if (!isLocal(stage.buffers[operand]))
      op.store(operand, value);
  }
}

/// The value of another thread of the warp, of any type. An instruction moves
/// 32 bits.
static Value shuffle(ImplicitLocOpBuilder &b, Value value, Value offset,
                     gpu::ShuffleMode mode) {
  Value width = b.create<arith::ConstantIntOp>(warpThreads, 32);
  auto move = [&](Value word) {
    return b.create<gpu::ShuffleOp>(word, offset, width, mode)
        .getShuffleResult();
  };
  Type type = value.getType(), i32 = b.getI32Type();
  const unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  Value whole = b.createOrFold<arith::BitcastOp>(integer, value);
  if (bits < 32) {
    Value moved = move(b.create<arith::ExtUIOp>(i32, whole));
    whole = b.create<arith::TruncIOp>(integer, moved);
  } else if (bits == 32) {
    whole = move(whole);
  } else {
    Value half = b.create<arith::ConstantIntOp>(32, bits);
    Value low = move(b.create<arith::TruncIOp>(i32, whole));
    Value high = move(
        b.create<arith::TruncIOp>(i32, b.create<arith::ShRUIOp>(whole, half)));
    whole = b.create<arith::OrIOp>(
        b.create<arith::ExtUIOp>(integer, low),
        b.create<arith::ShLIOp>(b.create<arith::ExtUIOp>(integer, high), half));
  }
  return b.createOrFold<arith::BitcastOp>(type, whole);
}

SmallVector<Value> RowBuilder::combineLanes(GridOp &op,
                                            SmallVector<Value> values) {
  const int64_t lanes = std::min(group.lanes, warpThreads);
  auto shuffleAll = [&](Value offset, gpu::ShuffleMode mode) {
    return llvm::map_to_vector(
        values, [&](Value value) { return shuffle(b, value, offset, mode); });
  };
  for (int64_t half = lanes / 2; half > 0; half /= 2)
    values =
        op.body.emitMerge(b, values,
                          shuffleAll(b.create<arith::ConstantIntOp>(half, 32),
                                     gpu::ShuffleMode::DOWN));
  if (group.lanes > warpThreads)
    return values;
  Value first = b.create<arith::AndIOp>(
      b.create<arith::IndexCastOp>(b.getI32Type(), thread),
      b.create<arith::ConstantIntOp>(warpThreads - lanes, 32));
  return shuffleAll(first, gpu::ShuffleMode::IDX);
}

/// Each reduction has shared memory of its own, so one barrier is enough.
SmallVector<Value> RowBuilder::combineWarps(GridOp &op, ValueRange values) {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  const int64_t warps = group.lanes / warpThreads;
  SmallVector<Value> shared;
  for (Value value : values)
    shared.push_back(function.addWorkgroupAttribution(
        MemRefType::get({warps}, value.getType(), MemRefLayoutAttrInterface(),
                        space),
        b.getLoc()));
  {
    Value ofWarp = b.create<arith::RemUIOp>(thread, constant(warpThreads));
    OpBuilder::InsertionGuard guard =
        enterIf(b, b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, ofWarp,
                                           constant(0)));
    Value warp = b.create<arith::DivUIOp>(thread, constant(warpThreads));
    for (auto [buffer, value] : llvm::zip(shared, values))
      b.create<memref::StoreOp>(value, buffer, warp);
  }
  b.create<gpu::BarrierOp>();
  auto load = [&](int64_t warp) {
    return llvm::map_to_vector(shared, [&](Value buffer) -> Value {
      return b.create<memref::LoadOp>(buffer, constant(warp));
    });
  };
  SmallVector<Value> result = load(0);
  for (int64_t warp = 1; warp < warps; ++warp)
    result = op.body.emitMerge(b, result, load(warp));
  return result;
}

LogicalResult RowBuilder::run() {
  for (Operation *op : group.stages)
    if (failed(addStage(cast<linalg::GenericOp>(op))))
      return failure();
  findPlace();
  for (Stage &stage : stages)
    emitStage(stage);
  for (Operation *op : group.stages)
    op->erase();
  return success();
}
