// SPDX-License-Identifier: Apache-2.0
//===- GridBuilder.cpp - a linalg op as a grid of threads -----------------===//
//
// 1. sortLoops: a loop that all accumulators index counts points, any other one
//    is inside of a point.
//    Transposes are done by tiles (TileBuilder.h).
// 2. chooseSchedule: which thread takes which point, by static extents.
// 3. emitPoints, where nothing is reduced: threads take vectors of neighboring
//    points, which LLVM makes loads and stores of vectors of. All elements of a
//    thread are computed before the first is stored, so that their loads are
//    under way together. Only the last block may not be full; threads of it
//    that are beyond the last point compute that, too, and store nothing.
// 4. emitLanes: each lane reduces every lanes-th element in a register, several
//    of them under way at a time, then the lanes of a point are combined in
//    shared memory, in halves, an order that depends on nothing but the
//    extents. Where there are points enough, each has one lane. emitSerial,
//    where lanes could not be combined or would have next to nothing to do.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/GridBuilder.h"
#include "compiler/gpu/TileBuilder.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

/// Reductions of fewer elements are not worth a second thread.
static constexpr int64_t fewestReduced = 8;
/// A vector of f32 is 16 bytes, the most that a thread loads at once.
static constexpr int64_t vectorWidth = 4;
/// A thread per point for so many leaves multiprocessors with room for more.
static constexpr int64_t fewPoints = 132 * 2048;
/// The ops of a body that a thread does for two vectors.
static constexpr int64_t mostOfLightBody = 16;
/// The elements that a lane has under way at a time: with 2048 threads on a
/// multiprocessor, 64 KB of f32.
static constexpr int64_t elementsOfRun = 8;

//===----------------------------------------------------------------------===//
// 1. sortLoops
//===----------------------------------------------------------------------===//

static bool isIndexed(const LoopOperand &operand, unsigned dim) {
  return llvm::any_of(operand.indices, [&](AffineExpr expr) {
    return expr.isFunctionOfDim(dim);
  });
}

LogicalResult GridBuilder::sortLoops() {
  ArrayRef<unsigned> accumulators = body.accumulators();
  for (unsigned dim = 0; dim < space.numDims(); ++dim) {
    if (!space.isLoop(dim))
      continue;
    auto isIndexedBy = [&](unsigned output) {
      return isIndexed(space.operands[space.numInputs() + output], dim);
    };
    bool isPoint = llvm::all_of(accumulators, isIndexedBy);
    if (!isPoint && llvm::any_of(accumulators, isIndexedBy))
      return op.emitOpError("reduces over different dimensions");
    (isPoint ? pointDims : reducedDims).push_back(dim);
    if (!isPoint && !space.staticExtent(dim))
      return op.emitOpError("reduces over a dimension of unknown extent");
  }
  for (unsigned i = space.numInputs(); i < space.operands.size(); ++i)
    for (unsigned dim : space.isAccumulated(i) ? pointDims : reducedDims)
      if (!isIndexed(space.operands[i], dim))
        return op.emitOpError("has an output that several threads would write");
  return success();
}

//===----------------------------------------------------------------------===//
// 2. chooseSchedule
//===----------------------------------------------------------------------===//

/// Neighbors are vectors of memory where the innermost loop, or the only one,
/// has whole vectors. Of short tensors, each thread takes one point: what
/// counts is that many threads wait at a time.
GridBuilder::Schedule GridBuilder::chooseVectors() {
  Schedule schedule;
  std::optional<int64_t> points = 1;
  for (unsigned dim : pointDims) {
    std::optional<int64_t> extent = space.staticExtent(dim);
    points = points && extent ? std::optional(*points * *extent) : std::nullopt;
  }
  if (points && *points <= fewPoints)
    return schedule;
  const bool isWhole =
      pointDims.size() == 1 ||
      space.staticExtent(pointDims.back()).value_or(1) % vectorWidth == 0;
  if (isWhole)
    schedule.width = vectorWidth;
  const bool isLight =
      space.numInputs() <= 2 &&
      llvm::range_size(op.getBody()->without_terminator()) <= mostOfLightBody;
  schedule.unroll = isWhole ? (isLight ? 2 : 1) : vectorWidth;
  schedule.pointsPerBlock = schedule.unroll * schedule.width * blockThreads;
  return schedule;
}

GridBuilder::Schedule GridBuilder::chooseSchedule() {
  Schedule schedule;
  if (!body.reduces())
    return chooseVectors();
  int64_t reduced = 1;
  for (unsigned dim : reducedDims)
    reduced *= *space.staticExtent(dim);
  schedule.isSerial = reduced < fewestReduced || !body.isAssociative();
  if (schedule.isSerial)
    return schedule;
  auto mostLanes = static_cast<int64_t>(llvm::bit_floor<uint64_t>(reduced));

  int64_t points = 1;
  for (unsigned dim : pointDims)
    points *= space.staticExtent(dim).value_or(neighborPoints);
  points = std::max<int64_t>(points, 1);

  // Neighboring threads read neighboring elements; caches have those of a few.
  SmallVector<ArrayRef<AffineExpr>> inputs;
  for (unsigned i = 0; i < space.numInputs(); ++i)
    inputs.push_back(space.operands[i].indices);
  const bool isWindow = reduced < warpThreads && points >= fewPoints;
  schedule.lanesFirst = !isWindow && readsAlongReduction(inputs, reducedDims);
  if (schedule.lanesFirst) {
    schedule.lanes = std::min(mostLanes, blockThreads);
    schedule.pointsPerBlock = blockThreads / schedule.lanes;
    return schedule;
  }
  // Where points alone keep a GPU busy, lanes would only have to meet.
  const auto neighbors = static_cast<int64_t>(
      llvm::PowerOf2Ceil(std::min<int64_t>(neighborPoints, points)));
  const auto wanted = static_cast<int64_t>(
      llvm::PowerOf2Ceil(llvm::divideCeil(fewPoints, points)));
  schedule.lanes = std::min({mostLanes, blockThreads / neighbors, wanted});
  // A block has fewer threads where elements or points are few.
  schedule.pointsPerBlock = wanted < blockThreads / neighbors
                                ? blockThreads / schedule.lanes
                                : neighbors;
  return schedule;
}

void GridBuilder::setGrid(const Schedule &schedule) {
  int64_t points = 1;
  bool perRow = false;
  for (unsigned dim : pointDims) {
    perRow |= !space.staticExtent(dim);
    points *= space.countPerRow(dim);
  }
  function->setAttr("exec.grid",
                    exec::GridAttr::get(b.getContext(), points, perRow,
                                        schedule.pointsPerBlock));
  function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr(
      {static_cast<int32_t>(schedule.lanes * schedule.pointsPerBlock /
                            (schedule.unroll * schedule.width)),
       1, 1}));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void GridBuilder::storeElements(const IRMapping &mapping, Value condition) {
  SmallVector<unsigned> outputs = elementOutputs();
  if (outputs.empty())
    return;
  OpBuilder::InsertionGuard guard = enterIf(b, condition);
  for (unsigned i : outputs)
    store(i, getOutput(mapping, i));
}

void GridBuilder::storeAccumulators(ValueRange values, Value condition) {
  OpBuilder::InsertionGuard guard = enterIf(b, condition);
  for (auto [output, value] : llvm::zip(body.accumulators(), values))
    store(space.numInputs() + output, value);
}

//===----------------------------------------------------------------------===//
// 3. emitPoints
//===----------------------------------------------------------------------===//

/// Stores that are neighbors in memory come one after the other.
void GridBuilder::emitFullBlock(const Schedule &schedule, Value first) {
  struct Element {
    SmallVector<Value> indices;
    IRMapping mapping;
  };
  SmallVector<Element> elements;
  const int64_t width = schedule.width;
  Value thread = b.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  Value place = b.create<arith::AddIOp>(
      first, b.createOrFold<arith::MulIOp>(thread, constant(width)));
  for (int64_t i = 0; i < schedule.unroll; ++i) {
    setElement(pointDims, b.createOrFold<arith::AddIOp>(
                              place, constant(i * width * blockThreads)));
    for (int64_t j = 0; j < width; ++j) {
      if (j)
        indices = makeNeighbor(pointDims, 1);
      IRMapping mapping = emitElement();
      elements.push_back({indices, std::move(mapping)});
    }
  }
  for (size_t begin = 0; begin < elements.size(); begin += width)
    for (unsigned output : elementOutputs())
      for (int64_t j = 0; j < width; ++j) {
        indices = elements[begin + j].indices;
        store(output, getOutput(elements[begin + j].mapping, output));
      }
}

/// Threads of a block have neighboring points here, since vectors would reach
/// beyond the end.
void GridBuilder::emitStrided(Value first, Value count, int64_t points) {
  struct Element {
    SmallVector<Value> indices;
    IRMapping mapping;
    Value isInside;
  };
  SmallVector<Element> elements;
  Value thread = b.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  Value place = b.create<arith::AddIOp>(first, thread);
  for (int64_t i = 0; i < points; ++i) {
    Clamped point = clamp(
        b, b.createOrFold<arith::AddIOp>(place, constant(i * blockThreads)),
        count);
    setElement(pointDims, point.number);
    IRMapping mapping = emitElement();
    elements.push_back({indices, std::move(mapping), point.isInside});
  }
  for (Element &element : elements) {
    indices = element.indices;
    storeElements(element.mapping, element.isInside);
  }
}

void GridBuilder::emitPoints(const Schedule &schedule) {
  Value count = makeCount(pointDims);
  Value first = makeFirstPoint(b, schedule.pointsPerBlock);
  if (schedule.pointsPerBlock == blockThreads)
    return emitStrided(first, count, 1);
  auto known = getConstantIntValue(count);
  if (known && *known % schedule.pointsPerBlock == 0)
    return emitFullBlock(schedule, first);
  Value end = b.create<arith::AddIOp>(first, constant(schedule.pointsPerBlock));
  auto branch = b.create<scf::IfOp>(
      b.create<arith::CmpIOp>(arith::CmpIPredicate::sle, end, count),
      /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emitFullBlock(schedule, first);
  b.setInsertionPointToStart(branch.elseBlock());
  auto loop = b.create<scf::ForOp>(first, count,
                                   constant(schedule.width * blockThreads));
  b.setInsertionPointToStart(loop.getBody());
  emitStrided(loop.getInductionVar(), count, schedule.width);
}

//===----------------------------------------------------------------------===//
// 4. emitLanes
//===----------------------------------------------------------------------===//

void GridBuilder::emitSerial(const Schedule &schedule) {
  Value thread = b.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  Clamped point = clamp(b,
                        b.create<arith::AddIOp>(
                            makeFirstPoint(b, schedule.pointsPerBlock), thread),
                        makeCount(pointDims));
  setIndices(pointDims, point.number);
  SmallVector<Value> initial;
  for (auto [output, fill] : llvm::zip(body.accumulators(), fills))
    initial.push_back(fill ? fill : load(space.numInputs() + output));
  auto loop = b.create<scf::ForOp>(constant(0), makeCount(reducedDims),
                                   constant(1), initial);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    setIndices(reducedDims, loop.getInductionVar());
    IRMapping mapping = emitElement();
    storeElements(mapping, point.isInside);
    b.create<scf::YieldOp>(
        body.emitCombine(b, mapping, loop.getRegionIterArgs()));
  }
  storeAccumulators(loop.getResults(), point.isInside);
}

SmallVector<Value> GridBuilder::emitRun(const Schedule &schedule, Value first,
                                        int64_t count, ValueRange values,
                                        Value store) {
  SmallVector<IRMapping> elements;
  for (int64_t i = 0; i < count; ++i) {
    setIndices(reducedDims, b.createOrFold<arith::AddIOp>(
                                first, constant(i * schedule.lanes)));
    elements.push_back(emitElement());
    storeElements(elements.back(), store);
  }
  SmallVector<Value> result(values);
  for (IRMapping &element : elements) {
    if (!result.empty()) {
      result = body.emitCombine(b, element, result);
      continue;
    }
    for (Value value : body.elementValues())
      result.push_back(element.lookupOrDefault(value));
  }
  return result;
}

/// Runs of several elements, the first run apart, since the first element has
/// nothing to be added to; then what is left, one by one. There are at least as
/// many elements as lanes: each has a first one.
SmallVector<Value> GridBuilder::emitLane(const Schedule &schedule, Value lane,
                                         Value store) {
  int64_t reduced = 1;
  for (unsigned dim : reducedDims)
    reduced *= *space.staticExtent(dim);
  const int64_t ofLane = reduced / schedule.lanes;
  const int64_t ofRun = std::min(ofLane, elementsOfRun);
  const int64_t step = ofRun * schedule.lanes;
  const int64_t inRuns = ofLane / ofRun * step;
  SmallVector<Value> values = emitRun(schedule, lane, ofRun, {}, store);
  auto emitLoop = [&](Value from, int64_t to, int64_t by, int64_t count) {
    auto loop = b.create<scf::ForOp>(from, constant(to), constant(by), values);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    b.create<scf::YieldOp>(emitRun(schedule, loop.getInductionVar(), count,
                                   loop.getRegionIterArgs(), store));
    values = loop.getResults();
  };
  if (inRuns > step)
    emitLoop(b.create<arith::AddIOp>(lane, constant(step)), inRuns, step,
             ofRun);
  if (inRuns < reduced)
    emitLoop(b.create<arith::AddIOp>(lane, constant(inRuns)), reduced,
             schedule.lanes, 1);
  return values;
}

void GridBuilder::emitLanes(const Schedule &schedule) {
  Value thread = b.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  Value inner =
      constant(schedule.lanesFirst ? schedule.lanes : schedule.pointsPerBlock);
  Value lane = b.create<arith::RemUIOp>(thread, inner);
  Value place = b.create<arith::DivUIOp>(thread, inner);
  if (!schedule.lanesFirst)
    std::swap(lane, place);
  Clamped point = clamp(b,
                        b.create<arith::AddIOp>(
                            makeFirstPoint(b, schedule.pointsPerBlock), place),
                        makeCount(pointDims));
  setIndices(pointDims, point.number);

  SmallVector<Value> partial = emitLane(schedule, lane, point.isInside);
  if (schedule.lanes > 1)
    partial = emitTree(schedule, thread, lane, partial);

  Value isFirst =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, lane, constant(0));
  OpBuilder::InsertionGuard guard =
      enterIf(b, b.create<arith::AndIOp>(isFirst, point.isInside));
  SmallVector<Value> result =
      emitResult(partial, [&](unsigned output) { return load(output); });
  for (auto [output, value] : llvm::zip(body.accumulators(), result))
    store(space.numInputs() + output, value);
}

SmallVector<Value> GridBuilder::emitTree(const Schedule &schedule, Value thread,
                                         Value lane, ValueRange values) {
  SmallVector<Value> shared;
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  for (Value value : values) {
    shared.push_back(function.addWorkgroupAttribution(
        MemRefType::get({blockThreads}, value.getType(),
                        MemRefLayoutAttrInterface(), space),
        b.getLoc()));
    b.create<memref::StoreOp>(value, shared.back(), thread);
  }
  int64_t distance = schedule.lanesFirst ? 1 : schedule.pointsPerBlock;
  for (int64_t half = schedule.lanes / 2; half > 0; half /= 2) {
    b.create<gpu::BarrierOp>();
    Value isLower = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, lane,
                                            constant(half));
    OpBuilder::InsertionGuard guard = enterIf(b, isLower);
    Value other = b.create<arith::AddIOp>(thread, constant(half * distance));
    SmallVector<Value> mine, others;
    for (Value buffer : shared) {
      mine.push_back(b.create<memref::LoadOp>(buffer, thread));
      others.push_back(b.create<memref::LoadOp>(buffer, other));
    }
    for (auto [buffer, value] :
         llvm::zip(shared, body.emitMerge(b, mine, others)))
      b.create<memref::StoreOp>(value, buffer, thread);
  }
  // The first lane reads what it wrote itself.
  SmallVector<Value> result;
  for (Value buffer : shared)
    result.push_back(b.create<memref::LoadOp>(buffer, thread));
  return result;
}

LogicalResult GridBuilder::run() {
  b.setInsertionPoint(op);
  takeInitialValues();
  if (failed(normalize()) || failed(sortLoops()))
    return failure();
  if (TileBuilder tiles(function, *this);
      !body.reduces() && tiles.chooseTile()) {
    tiles.run();
    op.erase();
    return success();
  }
  Schedule schedule = chooseSchedule();
  setGrid(schedule);
  if (!body.reduces()) {
    flattenOperands(pointDims);
    emitPoints(schedule);
  } else if (schedule.isSerial) {
    emitSerial(schedule);
  } else {
    emitLanes(schedule);
  }
  op.erase();
  return success();
}
