//===- RecoverTables.cpp - makes tables of variables that are gathered ----===//
//
//  1. findReads: collect, for each variable of rank 2 that a gather reads, the
//     ops that use it, from an index of the whole module (ModuleUses).
//  2. explainRefusal: find a reason why it must stay a variable: a table could
//     not do what is done with it, or would not give the same results, because
//     a step moves rows that it does not look up.
//  3. collectParts: where the graph brings its own gradient, take that apart
//     into scatter-adds of rows, and find the gather that each belongs to.
//  4. recover: replace the variable, its gathers, and the gradient.
//
// A table's ids are any i64, and a gather clamps its own: the lookup gets
// clamped ids, so it finds what the gather found, and the table never holds
// more rows than the variable had. A scatter skips what lies outside instead,
// and the gradient of a gather is one: there the gradient gets zeros. Where
// ps.minimize is to differentiate a lookup, rows of ids that lie outside are
// read through ps.stop_gradient.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/ValueNumbers.h"
#include "dialects/ps/PSDialect.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/WindowDims.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace ps {
#define GEN_PASS_DEF_RECOVERTABLES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

/// Why a variable stays one, and the op that is to blame.
struct Refusal {
  std::string reason;
  Operation *at = nullptr;
  /// Whether recover-tables=lazy makes it a table all the same.
  bool isChoice = false;
};

/// What candidates ask about the whole module: found once, so that the pass
/// takes time linear in the module however many variables there are.
class ModuleUses {
public:
  explicit ModuleUses(ModuleOp module);

  ArrayRef<Operation *> getUsers(VariableOp variable) const;
  ArrayRef<MinimizeOp> getMinimizes(Block *block) const;
  /// Whether `op` is computed from a variable that a gather reads. Holds for
  /// ops that were there when this was made.
  bool isAfterGatheredRead(Operation *op) const {
    return afterReads.contains(op);
  }

private:
  void findDependents();

  DenseMap<StringAttr, SmallVector<Operation *>> users;
  DenseMap<Block *, SmallVector<MinimizeOp>> minimizes;
  llvm::SetVector<Operation *> afterReads;
};

/// A variable and what reads and updates it.
class Candidate {
public:
  explicit Candidate(VariableOp variable)
      : variable(variable), type(variable.getTensorType()) {}

  void findReads(const ModuleUses &uses);
  bool isGathered() const { return !gathers.empty(); }
  std::optional<Refusal> explainRefusal(const ModuleUses &uses, bool lazy);
  void recover();
  void explainRecovery(TableOp table);

private:
  /// A scatter-add of the gradient, and the gather whose ids it has.
  struct Part {
    stablehlo::ScatterOp scatter;
    stablehlo::GatherOp gather;
  };

  std::optional<Refusal> refuseUses();
  std::optional<Refusal> refuseDeclaration();
  std::optional<Refusal> refuseUpdate();
  std::optional<Refusal> refuseRule(Operation *update,
                                    OptimizerAttrInterface optimizer,
                                    ClipAttrInterface clip,
                                    RegularizerAttrInterface regularizer);
  std::optional<Refusal> refuseOrder(Operation *update);
  std::optional<Refusal> refuseIds(const ModuleUses &uses);
  std::optional<Refusal> collectParts();
  std::optional<Refusal> collectPart(Value gradient, Operation *reader,
                                     SmallVectorImpl<OpOperand *> &pending);
  std::optional<Refusal> collectScatter(stablehlo::ScatterOp scatter);
  /// A block, the type of a batch of rows, and the number of the ids.
  using RowsKey = std::tuple<Block *, Type, unsigned>;
  RowsKey getKey(Operation *op, Value indices, Value batch);
  void indexGathers();

  Value getTableIds(OpBuilder &builder, stablehlo::GatherOp gather);
  bool isTrainedThrough(stablehlo::GatherOp gather);
  Value emitLookup(OpBuilder &builder, TableOp table,
                   stablehlo::GatherOp gather);
  Value emitPart(OpBuilder &builder, TableOp table, const Part &part);
  void replaceGradient(TableOp table);

  VariableOp variable;
  RankedTensorType type;
  SmallVector<ReadOp> reads;
  llvm::SetVector<stablehlo::GatherOp> gathers;
  /// Uses of the variable that are no read and no update.
  SmallVector<Operation *> otherUses;
  llvm::SetVector<MinimizeOp> minimizes;
  ApplyOp apply;
  ValueNumbers numbers;
  /// The first gather of each key; filled when a gradient is taken apart.
  DenseMap<RowsKey, stablehlo::GatherOp> firstGathers;
  SmallVector<Part> parts;
  /// Of the dead gradient, users first.
  SmallVector<Operation *> replaced;
  /// What in a step moves also the rows of a variable that get no gradient.
  std::optional<Refusal> moves;
  /// The ids that each gather became a lookup of.
  DenseMap<Operation *, Value> tableIds;
};

struct RecoverTables : public ps::impl::RecoverTablesBase<RecoverTables> {
  using RecoverTablesBase::RecoverTablesBase;
  void runOnOperation() override;
};

} // namespace

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Whether windows are whole rows, each named by one id: the window is the last
/// dimension of `batch`, gather's result or scatter's updates.
static bool addressesRows(const ::stablehlo::WindowDims &dims, Value indices,
                          Value batch) {
  int64_t rank = typeOf(indices).getRank();
  bool isVectorLast =
      dims.indexVectorDim == rank || dims.indexVectorDim == rank - 1;
  return isVectorLast && dims.dropped == ArrayRef<int64_t>(0) &&
         dims.indexMap == ArrayRef<int64_t>(0) &&
         dims.operandBatching.empty() &&
         dims.window == ArrayRef<int64_t>(typeOf(batch).getRank() - 1);
}

static bool gathersRows(stablehlo::GatherOp op) {
  RankedTensorType table = typeOf(op.getOperand());
  return addressesRows(::stablehlo::WindowDims(op.getDimensionNumbers()),
                       op.getStartIndices(), op.getResult()) &&
         op.getSliceSizes() == ArrayRef<int64_t>{1, table.getDimSize(1)};
}

/// The shape of the ids: that of the indices without the dimension of index
/// vectors, which are one id long.
static SmallVector<int64_t> getIdsShape(Value indices, int64_t vectorDim) {
  SmallVector<int64_t> shape(typeOf(indices).getShape());
  shape.resize(vectorDim);
  return shape;
}

/// Whether the gather's result has the shape that a lookup's would have.
static bool haveOneShape(stablehlo::GatherOp op) {
  SmallVector<int64_t> shape = getIdsShape(
      op.getStartIndices(), op.getDimensionNumbers().getIndexVectorDim());
  return typeOf(op.getResult()).getShape().drop_back() == ArrayRef(shape);
}

/// `indices` without the op that gave ids a dimension of size 1 at their end.
static Value stripVectors(Value indices, int64_t vectorDim) {
  Operation *op = indices.getDefiningOp();
  if (vectorDim == typeOf(indices).getRank() || !op)
    return indices;
  auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
  bool keepsOrder =
      isa<stablehlo::ReshapeOp>(op) ||
      (broadcast &&
       llvm::equal(broadcast.getBroadcastDimensions(),
                   llvm::seq<int64_t>(typeOf(indices).getRank() - 1)));
  if (!keepsOrder || typeOf(op->getOperand(0)).getShape() !=
                         ArrayRef(getIdsShape(indices, vectorDim)))
    return indices;
  return op->getOperand(0);
}

/// Whether `value` holds zeros everywhere.
static bool isZeros(Value value) {
  while (auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>())
    value = broadcast.getOperand();
  return matchPattern(value, m_AnyZeroFloat());
}

/// The number that `value` holds everywhere, if there is one.
static std::optional<int64_t> getConstant(Value value) {
  while (auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>())
    value = broadcast.getOperand();
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getLimitedValue(INT64_MAX);
}

/// What `ids` of a table of so many rows were before they were put into a wider
/// type, clamped as a gather clamps them, and made vectors.
static Value getOriginalIds(Value ids, int64_t numRows,
                            bool *areClamped = nullptr) {
  while (Operation *op = ids.getDefiningOp()) {
    RankedTensorType type = typeOf(ids);
    if (auto clamp = dyn_cast<stablehlo::ClampOp>(op)) {
      if (getConstant(clamp.getMin()) != 0 ||
          getConstant(clamp.getMax()) != numRows - 1)
        break;
      if (areClamped)
        *areClamped = true;
      ids = clamp.getOperand();
    } else if (isa<stablehlo::ConvertOp>(op)) {
      Type from = typeOf(op->getOperand(0)).getElementType();
      Type to = type.getElementType();
      bool isExtended =
          isa<IntegerType>(from) && !from.isInteger(1) &&
          (from.isUnsignedInteger() || !to.isUnsignedInteger()) &&
          from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
      if (!isExtended)
        break;
      ids = op->getOperand(0);
    } else {
      Value stripped = stripVectors(ids, type.getRank() - 1);
      if (type.getRank() == 0 || type.getShape().back() != 1 || stripped == ids)
        break;
      ids = stripped;
    }
  }
  return ids;
}

static bool addsUpdates(stablehlo::ScatterOp op) {
  Block &body = op.getUpdateComputation().front();
  return op.getInputs().size() == 1 && llvm::hasNItems(body, 2) &&
         isa<stablehlo::AddOp>(body.front()) &&
         body.front().getOperand(0) != body.front().getOperand(1) &&
         llvm::all_of(body.front().getOperands(),
                      [](Value v) { return isa<BlockArgument>(v); }) &&
         body.back().getOperand(0) == body.front().getResult(0);
}

//===----------------------------------------------------------------------===//
// 1. findReads
//===----------------------------------------------------------------------===//

ModuleUses::ModuleUses(ModuleOp module) {
  auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
  if (!uses)
    return; // an op of unknown kind may hold more
  for (SymbolTable::SymbolUse use : *uses)
    users[use.getSymbolRef().getRootReference()].push_back(use.getUser());
  module.walk([&](MinimizeOp op) { minimizes[op->getBlock()].push_back(op); });
  findDependents();
}

static stablehlo::GatherOp getGather(OpOperand &use) {
  auto gather = dyn_cast<stablehlo::GatherOp>(use.getOwner());
  return gather && use.getOperandNumber() == 0 ? gather : nullptr;
}

void ModuleUses::findDependents() {
  for (auto &[name, ops] : users)
    for (Operation *op : ops)
      if (isa<ReadOp>(op) && llvm::any_of(op->getUses(), getGather))
        afterReads.insert(op);
  for (size_t i = 0; i < afterReads.size(); ++i)
    for (Operation *user : afterReads[i]->getUsers())
      afterReads.insert(user);
}

ArrayRef<Operation *> ModuleUses::getUsers(VariableOp variable) const {
  auto found = users.find(variable.getSymNameAttr());
  return found == users.end() ? ArrayRef<Operation *>() : found->second;
}

ArrayRef<MinimizeOp> ModuleUses::getMinimizes(Block *block) const {
  auto found = minimizes.find(block);
  return found == minimizes.end() ? ArrayRef<MinimizeOp>() : found->second;
}

void Candidate::findReads(const ModuleUses &uses) {
  for (Operation *user : uses.getUsers(variable)) {
    if (auto read = dyn_cast<ReadOp>(user)) {
      reads.push_back(read);
      for (OpOperand &use : read->getUses())
        if (auto gather = getGather(use))
          gathers.insert(gather);
    } else if (isa<ApplyOp>(user) && !apply) {
      apply = cast<ApplyOp>(user);
    } else {
      otherUses.push_back(user);
    }
  }
  if (!isGathered())
    return;
  SmallPtrSet<Block *, 4> blocks;
  for (ReadOp read : reads)
    if (blocks.insert(read->getBlock()).second)
      for (MinimizeOp op : uses.getMinimizes(read->getBlock()))
        minimizes.insert(op);
}

//===----------------------------------------------------------------------===//
// 2. explainRefusal
//===----------------------------------------------------------------------===//

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

static std::string quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

std::optional<Refusal> Candidate::refuseDeclaration() {
  if (!type.getElementType().isF32() && !type.getElementType().isF64())
    return Refusal{"tables hold f32 and f64 only"};
  if (!variable.getTrainable())
    return Refusal{"it is not trainable"};
  if (variable.getSync() != Sync::PServer)
    return Refusal{"its 'sync' keeps it with the trainers"};
  if (variable.getServerAttr())
    return Refusal{"'server' pins it to one pserver, but a table is with all"};
  if (variable.getPlacementsAttr() || variable.getSliceAttr())
    return Refusal{"it has its place already"};
  return std::nullopt;
}

std::optional<Refusal> Candidate::refuseUses() {
  for (Operation *use : otherUses)
    return Refusal{"it is also used by " + quote(use), use};
  for (ReadOp read : reads)
    for (OpOperand &use : read->getUses()) {
      auto gather = dyn_cast<stablehlo::GatherOp>(use.getOwner());
      if (!gather || use.getOperandNumber() != 0)
        return Refusal{"it is also read by " + quote(use.getOwner()),
                       use.getOwner()};
      if (!gathersRows(gather))
        return Refusal{"a gather takes something else from it than a whole row "
                       "per id",
                       gather};
      if (!haveOneShape(gather))
        return Refusal{"a gather's result says less or more of its sizes than "
                       "its ids do",
                       gather};
    }
  return std::nullopt;
}

static bool keepsZeros(ClipAttrInterface clip) {
  auto byValue = dyn_cast<ClipByValueAttr>(clip);
  return byValue && byValue.getMin().convertToDouble() <= 0 &&
         byValue.getMax().convertToDouble() >= 0;
}

std::optional<Refusal>
Candidate::refuseRule(Operation *update, OptimizerAttrInterface optimizer,
                      ClipAttrInterface clip,
                      RegularizerAttrInterface regularizer) {
  if (auto own = variable.getClipAttr())
    clip = own;
  if (auto own = variable.getRegularizeAttr())
    regularizer = own;
  if (optimizer.needsWholeVariable())
    return Refusal{"the update by " + print(optimizer) +
                       " of a row depends on the other rows",
                   update};
  if (clip && clip.needsGlobalNorm())
    return Refusal{print(clip) + " takes the gradients of all variables as a "
                                 "whole",
                   update};
  if (clip && clip.needsWholeVariable())
    return Refusal{print(clip) + " of a row depends on the other rows", update};
  Attribute mover;
  if (regularizer)
    mover = regularizer;
  else if (clip && !keepsZeros(clip))
    mover = clip;
  else if (!optimizer.isIdentityForZeroGradient())
    mover = optimizer;
  if (mover && !moves)
    moves = Refusal{print(mover) + " moves also rows that a step does not "
                                   "look up",
                    update, /*isChoice=*/true};
  return std::nullopt;
}

/// Rows are fetched before the step and updated at its end.
std::optional<Refusal> Candidate::refuseOrder(Operation *update) {
  for (ReadOp read : reads)
    if (read->getBlock() == update->getBlock() && update->isBeforeInBlock(read))
      return Refusal{"it is read after its update", read};
  return std::nullopt;
}

/// All rows of a step are fetched at once, so ids must be known before.
std::optional<Refusal> Candidate::refuseIds(const ModuleUses &uses) {
  llvm::SetVector<Operation *> producers;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      producers.insert(op);
  };
  size_t next = 0;
  for (stablehlo::GatherOp gather : gathers) {
    // Recovering another variable replaces rows, never ids: this op is old.
    Operation *ids = gather.getStartIndices().getDefiningOp();
    if (!ids || !uses.isAfterGatheredRead(ids))
      continue;
    for (add(gather.getStartIndices()); next < producers.size(); ++next) {
      auto read = dyn_cast<ReadOp>(producers[next]);
      if (read && read.getVariableAttr().getAttr() == variable.getSymNameAttr())
        return Refusal{"the ids of a gather are computed from it", gather};
      llvm::for_each(producers[next]->getOperands(), add);
    }
  }
  return std::nullopt;
}

std::optional<Refusal> Candidate::refuseUpdate() {
  if (!apply && minimizes.empty())
    return Refusal{"no ps.minimize or ps.apply trains it"};
  if (apply && !minimizes.empty())
    return Refusal{"ps.apply updates it beside a ps.minimize", apply};
  for (MinimizeOp op : minimizes) {
    if (auto refusal = refuseRule(op, op.getOptimizer(), op.getClipAttr(),
                                  op.getRegularizeAttr()))
      return refusal;
    if (auto refusal = refuseOrder(op))
      return refusal;
  }
  if (!apply)
    return std::nullopt;
  if (auto refusal = refuseRule(apply, apply.getOptimizer(),
                                apply.getClipAttr(), apply.getRegularizeAttr()))
    return refusal;
  if (auto refusal = refuseOrder(apply))
    return refusal;
  if (auto refusal = collectParts())
    return refusal;
  if (parts.empty())
    return Refusal{"its gradient is zeros", apply};
  return std::nullopt;
}

std::optional<Refusal> Candidate::explainRefusal(const ModuleUses &uses,
                                                 bool lazy) {
  if (auto refusal = refuseUses())
    return refusal;
  if (auto refusal = refuseDeclaration())
    return refusal;
  if (auto refusal = refuseIds(uses))
    return refusal;
  if (auto refusal = refuseUpdate())
    return refusal;
  return lazy ? std::nullopt : moves;
}

//===----------------------------------------------------------------------===//
// 3. collectParts
//===----------------------------------------------------------------------===//

/// Nothing has merged equal ops yet when this pass runs, so ids are compared by
/// how they are computed.
Candidate::RowsKey Candidate::getKey(Operation *op, Value indices,
                                     Value batch) {
  Value ids = getOriginalIds(indices, type.getDimSize(0));
  return {op->getBlock(), batch.getType(), numbers.get(ids)};
}

void Candidate::indexGathers() {
  for (stablehlo::GatherOp gather : gathers) {
    stablehlo::GatherOp &first = firstGathers[getKey(
        gather, gather.getStartIndices(), gather.getResult())];
    if (!first || gather->isBeforeInBlock(first))
      first = gather;
  }
}

std::optional<Refusal> Candidate::collectScatter(stablehlo::ScatterOp scatter) {
  ::stablehlo::WindowDims dims(scatter.getScatterDimensionNumbers());
  Value indices = scatter.getScatterIndices();
  Value updates = scatter.getUpdates()[0];
  if (!addsUpdates(scatter) || !addressesRows(dims, indices, updates))
    return Refusal{"its gradient comes from a scatter that does something else "
                   "than add a whole row per id",
                   scatter};
  if (firstGathers.empty())
    indexGathers();
  stablehlo::GatherOp gather =
      firstGathers.lookup(getKey(scatter, indices, updates));
  if (!gather || !gather->isBeforeInBlock(scatter))
    return Refusal{"a scatter adds to its gradient by other ids than any "
                   "gather before reads it by",
                   scatter};
  parts.push_back({scatter, gather});
  return std::nullopt;
}

/// `reader` is what takes `gradient`, and must be all that does. What the
/// gradient is a sum of goes to `pending`, the first operand last.
std::optional<Refusal>
Candidate::collectPart(Value gradient, Operation *reader,
                       SmallVectorImpl<OpOperand *> &pending) {
  if (isZeros(gradient))
    return std::nullopt;
  Operation *op = gradient.getDefiningOp();
  if (!op)
    return Refusal{"its gradient is an argument", apply};
  for (Operation *user : op->getUsers())
    if (user != reader)
      return Refusal{"its gradient is also read by " + quote(user), user};
  if (!op->hasOneUse())
    return Refusal{"its gradient is read twice by " + quote(reader), reader};
  replaced.push_back(op);
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    pending.push_back(&op->getOpOperand(0));
    return collectScatter(scatter);
  }
  if (isa<stablehlo::AddOp>(op)) {
    for (OpOperand &operand : llvm::reverse(op->getOpOperands()))
      pending.push_back(&operand);
    return std::nullopt;
  }
  return Refusal{"its gradient comes from " + quote(op) +
                     ", not from a scatter-add into zeros",
                 op};
}

// A stack instead of recursion: sums are as long as the file makes them.
std::optional<Refusal> Candidate::collectParts() {
  SmallVector<OpOperand *> pending{&apply.getGradientMutable()};
  while (!pending.empty()) {
    OpOperand *gradient = pending.pop_back_val();
    if (auto refusal =
            collectPart(gradient->get(), gradient->getOwner(), pending))
      return refusal;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// 4. recover
//===----------------------------------------------------------------------===//

/// The ids that `indices` hold, one each.
static Value emitIds(::stablehlo::Emitter &e, Value indices,
                     int64_t vectorDim) {
  Value ids = stripVectors(indices, vectorDim);
  RankedTensorType idsType =
      typeOf(indices).clone(getIdsShape(indices, vectorDim));
  return ids.getType() == idsType
             ? ids
             : e.create<stablehlo::ReshapeOp>(idsType, ids);
}

/// Rows of `inside` where `tableIds` are the `ids` that they were clamped from,
/// else rows of `outside`.
static Value emitChoice(::stablehlo::Emitter &e, Value tableIds, Value ids,
                        Value inside, Value outside) {
  RankedTensorType type = typeOf(inside);
  Value isInside =
      e.equal(tableIds, e.convert(ids, typeOf(tableIds).getElementType()));
  SmallVector<int64_t> leading =
      llvm::to_vector(llvm::seq<int64_t>(type.getRank() - 1));
  Value chosen = e.create<stablehlo::BroadcastInDimOp>(
      type.clone(typeOf(isInside).getElementType()), isInside, leading);
  return e.select(chosen, inside, outside);
}

/// The ids of a gather as those of a table: clamped like there, as i64.
Value Candidate::getTableIds(OpBuilder &builder, stablehlo::GatherOp gather) {
  ::stablehlo::Emitter e(builder, gather.getLoc());
  Value ids = emitIds(e, gather.getStartIndices(),
                      gather.getDimensionNumbers().getIndexVectorDim());
  // A narrow type cannot name the last row: make room for it first.
  Type element = typeOf(ids).getElementType();
  if (element.getIntOrFloatBitWidth() < 64)
    ids = e.convert(ids, element = builder.getI64Type());
  auto scalar = RankedTensorType::get({}, element);
  ids = e.create<stablehlo::ClampOp>(e.splat(scalar, 0), ids,
                                     e.splat(scalar, type.getDimSize(0) - 1));
  return e.convert(ids, builder.getI64Type());
}

/// Whether a ps.minimize is to differentiate the gather, and its ids may lie
/// outside as far as the graph says.
bool Candidate::isTrainedThrough(stablehlo::GatherOp gather) {
  bool areClamped = false;
  getOriginalIds(gather.getStartIndices(), type.getDimSize(0), &areClamped);
  return !areClamped && llvm::any_of(minimizes, [&](MinimizeOp minimize) {
    return minimize->getBlock() == gather->getBlock();
  });
}

/// What the gather reads. Rows of ids that lie outside get no gradient.
Value Candidate::emitLookup(OpBuilder &builder, TableOp table,
                            stablehlo::GatherOp gather) {
  Location loc = gather.getLoc();
  Value ids = getTableIds(builder, gather);
  tableIds[gather] = ids;
  Value rows = builder.create<LookupOp>(
      loc, gather.getType(), FlatSymbolRefAttr::get(table), ids,
      /*offsets=*/Value(), /*weights=*/Value(), /*rows=*/Value(), PoolAttr(),
      /*padding_idx=*/IntegerAttr());
  if (!isTrainedThrough(gather))
    return rows;
  ::stablehlo::Emitter e(builder, loc);
  Value given = emitIds(e, gather.getStartIndices(),
                        gather.getDimensionNumbers().getIndexVectorDim());
  return emitChoice(e, ids, given, rows,
                    builder.create<StopGradientOp>(loc, rows));
}

/// The gradient of a part. What the scatter skips is zero.
Value Candidate::emitPart(OpBuilder &builder, TableOp table, const Part &part) {
  stablehlo::ScatterOp scatter = part.scatter;
  ::stablehlo::Emitter e(builder, scatter.getLoc());
  ::stablehlo::WindowDims dims(scatter.getScatterDimensionNumbers());
  Value ids = emitIds(e, scatter.getScatterIndices(), dims.indexVectorDim);
  Value kept = tableIds.lookup(part.gather);
  Value gradient = scatter.getUpdates()[0];
  gradient = emitChoice(e, kept, ids, gradient, e.like(gradient, 0));
  return builder.create<LookupGradientOp>(
      scatter.getLoc(), table.getRowsType(), FlatSymbolRefAttr::get(table),
      kept, /*offsets=*/Value(), /*weights=*/Value(), /*rows=*/Value(),
      PoolAttr(), /*padding_idx=*/IntegerAttr(), gradient);
}

void Candidate::replaceGradient(TableOp table) {
  OpBuilder builder(apply);
  SmallVector<Value> gradients;
  for (const Part &part : parts)
    gradients.push_back(emitPart(builder, table, part));
  Value sum = gradients.front();
  if (gradients.size() > 1)
    sum = builder.create<MergeRowsOp>(apply.getLoc(), table.getRowsType(),
                                      gradients);
  builder.create<ApplyRowsOp>(apply.getLoc(), FlatSymbolRefAttr::get(table),
                              sum, apply.getRate(), apply.getOptimizer(),
                              apply.getClipAttr(), apply.getRegularizeAttr());
  apply.erase();
  for (Operation *op : replaced)
    op->erase();
}

void Candidate::recover() {
  OpBuilder builder(variable);
  auto table = builder.create<TableOp>(
      variable.getLoc(), variable.getSymNameAttr(), variable.getTypeAttr(),
      variable.getInit(),
      IdPartitionAttr::get(builder.getContext(), IdPartition::Mix), ShardAttr(),
      variable.getLearningRateScaleAttr(), builder.getBoolAttr(true),
      variable.getClipAttr(), variable.getRegularizeAttr(),
      /*admit_count=*/IntegerAttr(), /*admit_probability=*/FloatAttr(),
      /*evict_age=*/IntegerAttr(), /*evict_every=*/IntegerAttr(),
      /*evict_lru=*/UnitAttr(), /*cache_rows=*/IntegerAttr(),
      /*accessor=*/CtrAttr(), /*recovered=*/builder.getUnitAttr());
  explainRecovery(table);
  for (stablehlo::GatherOp gather : gathers) {
    builder.setInsertionPoint(gather);
    gather.getResult().replaceAllUsesWith(emitLookup(builder, table, gather));
  }
  if (apply)
    replaceGradient(table);
  for (stablehlo::GatherOp gather : gathers)
    gather.erase();
  for (ReadOp read : reads)
    read.erase();
  variable.erase();
}

void Candidate::explainRecovery(TableOp table) {
  InFlightDiagnostic diag = table.emitRemark()
                            << "'@" << table.getSymName()
                            << "' becomes a table: it is only gathered from, "
                               "whole rows by id";
  diag.attachNote()
      << "as before, an id below 0 reads row 0 and one beyond the end row "
      << type.getDimSize(0) - 1 << ", and neither trains it";
  if (moves)
    diag.attachNote() << "a row that a step does not look up now keeps its "
                         "value and its optimizer's state in that step";
}

//===----------------------------------------------------------------------===//

void RecoverTables::runOnOperation() {
  if (recover == "false")
    return;
  if (recover != "true" && recover != "lazy") {
    getOperation().emitError()
        << "expected recover-tables to be true, lazy or false, found '"
        << recover << "'";
    return signalPassFailure();
  }
  SmallVector<VariableOp> variables(getOperation().getOps<VariableOp>());
  ModuleUses uses(getOperation());
  for (VariableOp variable : variables) {
    if (variable.getTensorType().getRank() != 2)
      continue;
    Candidate candidate(variable);
    candidate.findReads(uses);
    if (!candidate.isGathered())
      continue;
    std::optional<Refusal> refusal =
        candidate.explainRefusal(uses, recover == "lazy");
    if (!refusal) {
      candidate.recover();
      continue;
    }
    InFlightDiagnostic diag = variable.emitRemark()
                              << "'@" << variable.getSymName()
                              << "' stays a variable: " << refusal->reason;
    if (refusal->at)
      diag.attachNote(refusal->at->getLoc()) << "here";
    if (refusal->isChoice)
      diag.attachNote() << "recover-tables=lazy, or a ps.table in its place, "
                           "moves a row only in steps that look it up";
  }
}
