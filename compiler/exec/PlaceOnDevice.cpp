// SPDX-License-Identifier: Apache-2.0
//===- PlaceOnDevice.cpp - lets a device run kernels and products ---------===//
//
// Follows the nodes of a program in order and keeps, for each piece of memory,
// in which memory space its bytes are up to date. A node that works in a space
// where they are not comes after a copy. What a program starts with and leaves
// behind has a home: fetches on the host, variables where the process keeps
// them, feeds on the host or, where the caller fills both, in both. What
// trainers pull from a pserver has two.
//
// Kernels that would keep few threads of a device busy for long stay on the
// host: what sorts a few long lines, or factors a few large matrices.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"
#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/StablehloDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace ps {
#define GEN_PASS_DEF_PLACEONDEVICE
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

using exec::MemorySpace;

constexpr MemorySpace spaces[] = {MemorySpace::Host, MemorySpace::Device};

/// With fewer threads than a warp has, so many iterations, one after the other,
/// take a device about a millisecond, in which 30 MB go to the host and back.
constexpr int64_t fewThreads = 32, manyIterations = 4096;

/// Memory that a program declares, in both spaces.
struct Memory {
  /// Where it is when the program begins, and must be when it ends.
  bool isHome[2] = {false, false};
  /// What shows it in a space; null where nothing needs it.
  Value shown[2];
  bool isCurrent[2] = {false, false};

  Value &in(MemorySpace space) { return shown[static_cast<int>(space)]; }
  bool &current(MemorySpace space) {
    return isCurrent[static_cast<int>(space)];
  }
  void setHome(MemorySpace space) {
    isHome[static_cast<int>(space)] = current(space) = true;
  }
  bool hasHome(MemorySpace space) const {
    return isHome[static_cast<int>(space)];
  }
};

class Placement {
public:
  Placement(exec::ProgramOp program, bool variablesOnDevice, bool feedsOnDevice)
      : program(program), variablesOnDevice(variablesOnDevice),
        feedsOnDevice(feedsOnDevice), b(program.getContext()) {}

  void run();

private:
  void findSerial();
  MemorySpace getSpace(exec::NodeOpInterface node, Value buffer);
  bool isFilledInBoth(Operation *op);
  bool isShownElsewhere(Operation *feed);
  void declare(Operation *op);
  MemRefType inSpace(Type type, MemorySpace space);
  Value show(Operation *storage, MemorySpace space);
  Value show(Value buffer, MemorySpace space);
  void bring(Operation *storage, MemorySpace space);
  void place(exec::NodeOpInterface node);
  void bringHome();

  exec::ProgramOp program;
  bool variablesOnDevice, feedsOnDevice;
  OpBuilder b;
  llvm::MapVector<Operation *, Memory> memories;
  /// Launches of kernels that stay on the host.
  llvm::SmallPtrSet<Operation *, 4> serial;
  DenseMap<std::pair<Value, int>, Value> views;
};

} // namespace

/// Whether a device has few threads for `op`, and much for each to do: one
/// takes a line that is sorted, a matrix, or a column of what is solved for.
static bool isSerial(Operation &op, int64_t rows) {
  if (!isa<stablehlo::SortOp, stablehlo::CholeskyOp,
           stablehlo::TriangularSolveOp>(op))
    return false;
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = rows;
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  if (elements == 0)
    return false;
  int64_t taken, iterations;
  if (auto sort = dyn_cast<stablehlo::SortOp>(op)) {
    taken = shape[sort.getSortedDim()];
    iterations = taken * llvm::Log2_64_Ceil(taken);
  } else {
    const int64_t size = shape[shape.size() - 2];
    const bool isCholesky = isa<stablehlo::CholeskyOp>(op);
    taken = isCholesky ? size * size : size;
    iterations = size * size * (isCholesky ? size : 3) / 6;
  }
  return elements / taken < fewThreads && iterations >= manyIterations;
}

void Placement::findSerial() {
  SymbolTable symbols(program->getParentOp());
  for (auto launch : program.getBody().getOps<exec::LaunchOp>()) {
    auto kernel = symbols.lookup<func::FuncOp>(launch.getKernel());
    const int64_t rows = launch.getRows().value_or(1);
    if (kernel && !kernel.isDeclaration() &&
        llvm::any_of(kernel.getBody().front(),
                     [&](Operation &op) { return isSerial(op, rows); }))
      serial.insert(launch);
  }
}

/// Whether the loader or the caller puts its value into both memories.
bool Placement::isFilledInBoth(Operation *op) {
  return isa<exec::ConstantOp>(op) || (feedsOnDevice && isa<exec::FeedOp>(op));
}

/// Whether the device has its own memory for a feed.
bool Placement::isShownElsewhere(Operation *feed) {
  return feedsOnDevice && memories[feed].in(MemorySpace::Device);
}

void Placement::declare(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<MemRefType>(op->getResult(0).getType()) ||
      isa<exec::ViewOp, exec::NodeOpInterface>(op))
    return;
  Memory memory;
  if (isFilledInBoth(op)) {
    memory.isCurrent[0] = memory.isCurrent[1] = true;
    if (isa<exec::FeedOp>(op))
      memory.in(MemorySpace::Host) = op->getResult(0);
  } else if (isa<exec::VariableOp>(op)) {
    memory.setHome(variablesOnDevice ? MemorySpace::Device : MemorySpace::Host);
    if (op->hasAttr(pulledAttrName))
      memory.setHome(MemorySpace::Host);
  } else if (!isa<exec::BufferOp>(op)) {
    // What the caller fills is declared once.
    memory.setHome(MemorySpace::Host);
    memory.in(MemorySpace::Host) = op->getResult(0);
  }
  memories.insert({op, memory});
}

MemRefType Placement::inSpace(Type type, MemorySpace space) {
  auto memref = cast<MemRefType>(type);
  Attribute attribute;
  if (space == MemorySpace::Device)
    attribute = exec::MemorySpaceAttr::get(b.getContext(), space);
  return MemRefType::get(memref.getShape(), memref.getElementType(),
                         memref.getLayout(), attribute);
}

/// Declares the memory in `space`: what has its home elsewhere is shown there
/// by a buffer.
Value Placement::show(Operation *storage, MemorySpace space) {
  Memory &memory = memories[storage];
  if (Value shown = memory.in(space))
    return shown;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(storage);
  MemRefType type = inSpace(storage->getResult(0).getType(), space);
  if (isa<exec::BufferOp>(storage) || isFilledInBoth(storage) ||
      memory.hasHome(space)) {
    Operation *clone = b.clone(*storage);
    clone->getResult(0).setType(type);
    return memory.in(space) = clone->getResult(0);
  }
  IntegerAttr worker;
  if (auto feed = dyn_cast<exec::FeedOp>(storage))
    worker = feed.getWorkerAttr();
  return memory.in(space) = b.create<exec::BufferOp>(
             storage->getLoc(), type, /*offset=*/IntegerAttr(), worker);
}

Value Placement::show(Value buffer, MemorySpace space) {
  auto view = buffer.getDefiningOp<exec::ViewOp>();
  if (!view)
    return show(buffer.getDefiningOp(), space);
  Value &shown = views[{buffer, static_cast<int>(space)}];
  if (shown)
    return shown;
  Value source = show(view.getSource(), space);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(view);
  Value made = b.create<exec::ViewOp>(view.getLoc(),
                                      inSpace(view.getType(), space), source);
  return views[{buffer, static_cast<int>(space)}] = made;
}

/// Copies the memory to `space` if only the other one is up to date.
void Placement::bring(Operation *storage, MemorySpace space) {
  MemorySpace other =
      space == MemorySpace::Host ? MemorySpace::Device : MemorySpace::Host;
  if (memories[storage].current(space) || !memories[storage].current(other))
    return;
  Value source = show(storage, other), target = show(storage, space);
  b.create<exec::CopyOp>(storage->getLoc(), TokenType::get(b.getContext()),
                         source, target, /*after=*/ValueRange());
  memories[storage].current(space) = true;
}

static bool isInHbm(Value rows) {
  return rows.getDefiningOp<exec::RowsOp>().getHbm();
}

/// Devices have means of full types only: half types are summed in f32.
static bool isReducedOnDevice(exec::AllReduceOp op) {
  return llvm::all_of(op.getGradients().getTypes(), [](Type type) {
    Type element = cast<MemRefType>(type).getElementType();
    return element.isF32() || element.isF64();
  });
}

/// Where `node` works with `buffer`. The lists of a lookup stay on the host.
MemorySpace Placement::getSpace(exec::NodeOpInterface node, Value buffer) {
  if (serial.contains(node))
    return MemorySpace::Host;
  if (isa<exec::LaunchOp, exec::GemmOp, exec::CopyOp>(node))
    return MemorySpace::Device;
  return TypeSwitch<Operation *, MemorySpace>(node)
      .Case([](exec::AllReduceOp op) {
        return isReducedOnDevice(op) ? MemorySpace::Device : MemorySpace::Host;
      })
      .Case<exec::LookupOp, exec::LookupGradientOp>([&](auto op) {
        return isInHbm(op.getRows()) && op.getValues() == buffer
                   ? MemorySpace::Device
                   : MemorySpace::Host;
      })
      .Default([](Operation *) { return MemorySpace::Host; });
}

void Placement::place(exec::NodeOpInterface node) {
  b.setInsertionPoint(node);
  SmallVector<std::pair<Operation *, MemorySpace>> written;
  for (const exec::Access &access : node.getAccesses()) {
    Operation *storage = getStorage(access.buffer);
    if (!memories.contains(storage))
      continue;
    MemorySpace space = getSpace(node, access.buffer);
    bool isWhole = access.begin == 0 &&
                   access.end == exec::getByteSize(cast<ShapedType>(
                                     storage->getResult(0).getType()));
    if (!access.write || !isWhole)
      bring(storage, space);
    if (access.write)
      written.push_back({storage, space});
  }
  for (OpOperand &operand : node->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()) &&
        memories.contains(getStorage(operand.get())))
      operand.set(show(operand.get(), getSpace(node, operand.get())));
  for (auto [storage, space] : written)
    for (MemorySpace each : spaces)
      memories[storage].current(each) = each == space;
}

void Placement::bringHome() {
  b.setInsertionPointToEnd(&program.getBody().front());
  for (auto fetch : program.getBody().getOps<exec::FetchOp>()) {
    bring(getStorage(fetch.getBuffer()), MemorySpace::Host);
    fetch.getBufferMutable().assign(show(fetch.getBuffer(), MemorySpace::Host));
  }
  for (Operation *storage : llvm::to_vector(llvm::make_first_range(memories)))
    for (MemorySpace space : spaces)
      if (memories[storage].hasHome(space))
        bring(storage, space);
}

void Placement::run() {
  findSerial();
  SmallVector<Operation *> declared, nodes;
  for (Operation &op : program.getBody().front()) {
    declare(&op);
    (isa<exec::NodeOpInterface>(op) ? nodes : declared).push_back(&op);
  }
  for (Operation *node : nodes)
    place(cast<exec::NodeOpInterface>(node));
  bringHome();
  for (Operation *op : llvm::reverse(declared))
    if (op->use_empty() &&
        (isa<exec::ViewOp, exec::BufferOp, exec::ConstantOp, exec::VariableOp>(
             op) ||
         (isa<exec::FeedOp>(op) && isShownElsewhere(op))))
      op->erase();
}

namespace {
struct PlaceOnDevice : public ps::impl::PlaceOnDeviceBase<PlaceOnDevice> {
  using PlaceOnDeviceBase::PlaceOnDeviceBase;

  void runOnOperation() override {
    // The update of one row works on rows of a table, which the host holds.
    if (!getOperation().getRowOf())
      Placement(getOperation(), variables, feeds).run();
  }
};
} // namespace
