// SPDX-License-Identifier: Apache-2.0
//===- GridBuilder.cpp - a linalg op as a grid of threads -----------------===//
//
// 1. sortLoops: a loop that all accumulators index counts points, any other one
//    is inside of a point.
// 2. chooseSchedule: which thread takes which point, by static extents.
// 3. emitPoints, where nothing is reduced: all elements of a thread are
//    computed before the first is stored, so that their loads are under way
//    together. Threads beyond the last point compute it, too, and store
//    nothing.
// 4. emitLanes: each lane reduces every lanes-th element in a register, several
//    of them under way at a time, then the lanes of a point are combined in
//    shared memory, in halves, an order that depends on nothing but the extent.
//    emitSerial, where lanes could not be combined or would have next to
//    nothing to do.
//
//===----------------------------------------------------------------------===//

#include "compiler/gpu/GridBuilder.h"
#include "compiler/gpu/SplitReductions.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;

/// Reductions of fewer elements are not worth a second thread.
static constexpr int64_t fewestReduced = 8;
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

bool ps::readsAlongReduction(ArrayRef<ArrayRef<AffineExpr>> inputs,
                             ArrayRef<unsigned> reducedDims) {
  int64_t votes = 0;
  auto isReduced = [&](AffineExpr expr) {
    return llvm::any_of(
        reducedDims, [&](unsigned dim) { return expr.isFunctionOfDim(dim); });
  };
  for (ArrayRef<AffineExpr> indices : inputs)
    if (llvm::any_of(indices, isReduced))
      votes += isReduced(indices.back()) ? 1 : -1;
  return votes > 0;
}

GridBuilder::Schedule GridBuilder::chooseSchedule() {
  Schedule schedule;
  if (!body.reduces()) {
    schedule.unroll = 4;
    schedule.pointsPerBlock = schedule.unroll * blockThreads;
    return schedule;
  }
  int64_t reduced = 1;
  for (unsigned dim : reducedDims)
    reduced *= *space.staticExtent(dim);
  if (reduced < fewestReduced || !body.isAssociative())
    return schedule;
  auto mostLanes = static_cast<int64_t>(llvm::bit_floor<uint64_t>(reduced));

  // Neighboring threads read neighboring elements.
  SmallVector<ArrayRef<AffineExpr>> inputs;
  for (unsigned i = 0; i < space.numInputs(); ++i)
    inputs.push_back(space.operands[i].indices);
  schedule.lanesFirst = readsAlongReduction(inputs, reducedDims);
  if (schedule.lanesFirst) {
    schedule.lanes = std::min(mostLanes, blockThreads);
    schedule.pointsPerBlock = blockThreads / schedule.lanes;
    return schedule;
  }
  int64_t points = 1;
  for (unsigned dim : pointDims)
    points *= space.staticExtent(dim).value_or(neighborPoints);
  schedule.pointsPerBlock = std::min<int64_t>(
      neighborPoints, llvm::PowerOf2Ceil(std::max<int64_t>(points, 1)));
  schedule.lanes = std::min(mostLanes, blockThreads / schedule.pointsPerBlock);
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
                            schedule.unroll),
       1, 1}));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value GridBuilder::constant(int64_t value) {
  return b.create<arith::ConstantIndexOp>(value);
}

Value GridBuilder::makeCount(ArrayRef<unsigned> dims) {
  Value count = constant(1);
  for (unsigned dim : dims)
    count = b.createOrFold<arith::MulIOp>(count, space.makeExtent(dim));
  return count;
}

/// The last loop counts fastest.
void GridBuilder::setIndices(ArrayRef<unsigned> dims, Value number) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (i == 0) {
      indices[dims[i]] = number;
      return;
    }
    Value extent = space.makeExtent(dims[i]);
    indices[dims[i]] = b.create<arith::RemUIOp>(number, extent);
    number = b.create<arith::DivUIOp>(number, extent);
  }
}

SmallVector<Value> GridBuilder::makeIndices(const LoopOperand &operand) {
  SmallVector<Value> result;
  for (AffineExpr expr : operand.indices)
    result.push_back(
        affine::expandAffineExpr(b, b.getLoc(), expr, indices, ValueRange()));
  return result;
}

Value GridBuilder::load(unsigned operand) {
  const LoopOperand &read = space.operands[operand];
  if (!isa<MemRefType>(read.memref.getType()))
    return read.memref;
  return b.create<memref::LoadOp>(read.memref, makeIndices(read));
}

void GridBuilder::store(unsigned operand, Value value) {
  const LoopOperand &written = space.operands[operand];
  b.create<memref::StoreOp>(value, written.memref, makeIndices(written));
}

IRMapping GridBuilder::emitElement() {
  IRMapping mapping;
  for (unsigned i = 0; i < space.numInputs(); ++i)
    if (Value argument = op.getBody()->getArgument(i); !argument.use_empty())
      mapping.map(argument, load(i));
  body.emitElement(b, mapping, [&](unsigned dim) { return indices[dim]; });
  return mapping;
}

/// The builder's place inside of an if.
static OpBuilder::InsertionGuard enterIf(ImplicitLocOpBuilder &b,
                                         Value condition) {
  OpBuilder::InsertionGuard guard(b);
  auto branch = b.create<scf::IfOp>(condition, /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  return guard;
}

void GridBuilder::storeElements(const IRMapping &mapping, Value condition) {
  SmallVector<unsigned> outputs;
  for (unsigned i = space.numInputs(); i < space.operands.size(); ++i)
    if (!space.isAccumulated(i))
      outputs.push_back(i);
  if (outputs.empty())
    return;
  OpBuilder::InsertionGuard guard = enterIf(b, condition);
  for (unsigned i : outputs)
    store(i, mapping.lookupOrDefault(body.getYielded(i - space.numInputs())));
}

void GridBuilder::storeAccumulators(ValueRange values, Value condition) {
  OpBuilder::InsertionGuard guard = enterIf(b, condition);
  for (auto [output, value] : llvm::zip(body.accumulators(), values))
    store(space.numInputs() + output, value);
}

//===----------------------------------------------------------------------===//
// 3. emitPoints
//===----------------------------------------------------------------------===//

namespace {
/// A number of what there may be `count` of.
struct Clamped {
  /// The last one instead of one beyond.
  Value number;
  Value isInside;
};
} // namespace

static Clamped clamp(ImplicitLocOpBuilder &b, Value number, Value count) {
  Value last =
      b.create<arith::SubIOp>(count, b.create<arith::ConstantIndexOp>(1));
  return {b.create<arith::MinSIOp>(number, last),
          b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, number, count)};
}

/// The number of the first point of this thread's block.
static Value makeFirstPoint(ImplicitLocOpBuilder &b, int64_t pointsPerBlock) {
  return b.create<arith::MulIOp>(
      b.create<gpu::BlockIdOp>(gpu::Dimension::x),
      b.create<arith::ConstantIndexOp>(pointsPerBlock));
}

void GridBuilder::emitPoints(const Schedule &schedule) {
  Value count = makeCount(pointDims);
  Value thread = b.create<gpu::ThreadIdOp>(gpu::Dimension::x);
  Value first = b.create<arith::AddIOp>(
      makeFirstPoint(b, schedule.pointsPerBlock), thread);
  struct Element {
    SmallVector<Value> indices;
    IRMapping mapping;
    Value isInside;
  };
  SmallVector<Element> elements;
  for (int64_t i = 0; i < schedule.unroll; ++i) {
    Clamped point = clamp(
        b, b.create<arith::AddIOp>(first, constant(i * blockThreads)), count);
    setIndices(pointDims, point.number);
    IRMapping mapping = emitElement();
    elements.push_back({indices, std::move(mapping), point.isInside});
  }
  for (Element &element : elements) {
    indices = element.indices;
    storeElements(element.mapping, element.isInside);
  }
}

//===----------------------------------------------------------------------===//
// 4. emitLanes
//===----------------------------------------------------------------------===//

/// A fill that only initializes an accumulator becomes its first value.
void GridBuilder::takeInitialValues() {
  for (unsigned output : body.accumulators()) {
    Value memref = op.getDpsInitOperand(output)->get();
    fills.push_back({});
    for (auto fill :
         llvm::make_early_inc_range(op->getBlock()->getOps<linalg::FillOp>()))
      if (fill.getOutputs()[0] == memref) {
        fills.back() = fill.getInputs()[0];
        fill.erase();
      }
  }
}

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

  SmallVector<Value> partial = emitTree(
      schedule, thread, lane, emitLane(schedule, lane, point.isInside));

  Value isFirst =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, lane, constant(0));
  OpBuilder::InsertionGuard guard =
      enterIf(b, b.create<arith::AndIOp>(isFirst, point.isInside));
  if (isPartial) {
    for (auto [output, value] : llvm::zip(body.accumulators(), partial))
      store(space.numInputs() + output, value);
    return;
  }
  SmallVector<Value> old;
  for (auto [output, fill] : llvm::zip(body.accumulators(), fills))
    old.push_back(fill ? fill : load(space.numInputs() + output));
  for (auto [output, value] :
       llvm::zip(body.accumulators(), body.emitMerge(b, old, partial)))
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
  if (failed(space.normalize()) || failed(sortLoops()))
    return failure();
  indices.assign(space.numDims(), constant(0));
  isPartial = op->hasAttr(partialAttrName);
  Schedule schedule = chooseSchedule();
  setGrid(schedule);
  if (!body.reduces())
    emitPoints(schedule);
  else if (schedule.lanes > 1)
    emitLanes(schedule);
  else
    emitSerial(schedule);
  op.erase();
  return success();
}
