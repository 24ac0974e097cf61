// SPDX-License-Identifier: Apache-2.0
//===- TableOps.cpp - ops on tables of rows -------------------------------===//
//
// A table has a row per id that has occurred, up to a limit: tensor<limit x
// width>. Rows of a step travel as a !ps.rows, whose number is known at run
// time only; lookups find theirs in it by their ids and padding.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/ps/Spelling.h"

using namespace mlir;
using namespace ps;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

LogicalResult RowsType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t width, FloatType elementType) {
  if (width < 1)
    return emitError() << "expected rows of at least one element, found "
                       << width;
  if (!elementType.isF32() && !elementType.isF64())
    return emitError() << "expected rows of f32 or f64, found " << elementType;
  return success();
}

LogicalResult ShardAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t index, int64_t count) {
  if (index >= 0 && index < count)
    return success();
  return emitError() << "expected a shard from 0 to " << count - 1
                     << ", found shard " << index << " of " << count;
}

LogicalResult HbmAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              int64_t rows) {
  if (rows >= 1)
    return success();
  return emitError() << "expected at least 1 row in a GPU's memory, found "
                     << rows;
}

LogicalResult MemAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              int64_t rows) {
  if (rows >= 1)
    return success();
  return emitError() << "expected at least 1 row in memory, found " << rows;
}

LogicalResult SsdAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              StringAttr directory) {
  if (!directory.getValue().empty() && !directory.getValue().contains('\0'))
    return success();
  return emitError() << "expected a directory for the rows that are not in "
                        "memory, found "
                     << directory;
}

LogicalResult CtrAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, StringAttr click,
    llvm::APFloat nonclickCoefficient, llvm::APFloat clickCoefficient,
    std::optional<int64_t> embedxFrom, llvm::APFloat embedxThreshold, bool,
    llvm::APFloat baseThreshold, llvm::APFloat deltaThreshold,
    llvm::APFloat deltaKeepDays, llvm::APFloat decay,
    llvm::APFloat deleteThreshold, llvm::APFloat deleteAfterUnseenDays) {
  if (click.getValue().empty())
    return emitError() << "expected click to name a feed, found \"\"";
  const double left = decay.convertToDouble();
  if (!(left > 0 && left <= 1))
    return emitError()
           << "expected decay to be greater than 0 and at most 1, found "
           << left;
  if (embedxFrom && *embedxFrom < 1)
    return emitError() << "expected embedx_from to be a column from 1 on, "
                          "found "
                       << *embedxFrom;
  using Number = std::pair<StringRef, llvm::APFloat>;
  for (const auto &[name, number] :
       {Number("delta_keep_days", deltaKeepDays),
        Number("delete_after_unseen_days", deleteAfterUnseenDays)})
    // Written so that NaN fails.
    if (!(number.convertToDouble() >= 0))
      return emitError() << "expected " << name << " not to be negative, found "
                         << number.convertToDouble();
  for (const auto &[name, number] :
       {Number("nonclick_coefficient", nonclickCoefficient),
        Number("click_coefficient", clickCoefficient),
        Number("embedx_threshold", embedxThreshold),
        Number("base_threshold", baseThreshold),
        Number("delta_threshold", deltaThreshold),
        Number("delete_threshold", deleteThreshold)})
    if (!number.isFinite())
      return emitError() << "expected " << name << " to be finite, found "
                         << number.convertToDouble();
  return success();
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The table that `op` names, or a diagnostic.
static FailureOr<TableOp> lookUpTable(Operation *op, FlatSymbolRefAttr name,
                                      SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(op, name);
  if (!symbol) {
    SmallVector<StringRef> names;
    Operation *parent = SymbolTable::getNearestSymbolTable(op);
    for (auto table : parent->getRegion(0).getOps<TableOp>())
      names.push_back(table.getSymName());
    return op->emitOpError() << "names the unknown table '" << name << "'"
                             << suggest(name.getValue(), names);
  }
  auto table = dyn_cast<TableOp>(symbol);
  if (table)
    return table;
  InFlightDiagnostic diag = op->emitOpError()
                            << "expects '" << name << "' to be a table";
  diag.attachNote(symbol->getLoc())
      << "it is this '" << symbol->getName() << "'";
  return diag;
}

/// Adds where the table is declared.
static InFlightDiagnostic noteTable(InFlightDiagnostic diag, TableOp table) {
  diag.attachNote(table.getLoc())
      << "'@" << table.getSymName() << "' is declared here";
  return diag;
}

/// As above; the table must work with rows of `type`.
static FailureOr<TableOp> lookUpTableOfRows(Operation *op,
                                            FlatSymbolRefAttr name, Type type,
                                            SymbolTableCollection &symbols) {
  FailureOr<TableOp> table = lookUpTable(op, name, symbols);
  if (failed(table) || table->getRowsType() == type)
    return table;
  return noteTable(op->emitOpError()
                       << "has type " << type << ", but the rows of '" << name
                       << "' are " << table->getRowsType(),
                   *table);
}

/// As above; the table must be one that is trained.
static LogicalResult lookUpTrained(Operation *op, FlatSymbolRefAttr name,
                                   Type type, SymbolTableCollection &symbols) {
  FailureOr<TableOp> table = lookUpTableOfRows(op, name, type, symbols);
  if (failed(table) || table->getTrainable())
    return table;
  return noteTable(
      op->emitOpError() << "expects '" << name << "' to be trainable", *table);
}

//===----------------------------------------------------------------------===//
// LookupOp, LookupGradientOp
//===----------------------------------------------------------------------===//

/// Pooled lookups have bags, and ids in a row; others have neither.
template <typename LookupOp>
static LogicalResult verifyBags(LookupOp op) {
  if (op.getPool().has_value() != !!op.getOffsets())
    return op.emitOpError()
           << (op.getOffsets() ? "has segments but no pool: choose pool(sum), "
                                 "pool(mean) or pool(sqrtn)"
                               : "has pool but no segments: give the start of "
                                 "each bag by segments(%offsets)");
  if (!op.getPool()) {
    if (op.getWeights())
      return op.emitOpError() << "has weights, but no bags to weigh";
    return success();
  }
  auto ids = cast<RankedTensorType>(op.getIds().getType());
  if (ids.getRank() != 1)
    return op.emitOpError() << "pools bags, so expects its ids concatenated in "
                               "a tensor of rank 1, found "
                            << ids;
  for (Value ragged : {Value(op.getIds()), Value(op.getWeights())}) {
    auto argument = dyn_cast_or_null<BlockArgument>(ragged);
    if (ragged && !argument)
      return op.emitOpError() << "pools bags, whose ids and weights are "
                                 "arguments of the function: expected no op "
                                 "between them and the lookup";
  }
  return success();
}

/// What a lookup of `ids` in `offsets` bags, null for none, gives.
template <typename LookupOp>
static RankedTensorType getResultType(LookupOp op, RowsType rows) {
  Value batch = op.getOffsets() ? op.getOffsets() : op.getIds();
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(batch.getType()).getShape());
  shape.push_back(rows.getWidth());
  return RankedTensorType::get(shape, rows.getElementType());
}

template <typename LookupOp>
static LogicalResult verifyLookup(LookupOp op, Type found, RowsType result,
                                  SymbolTableCollection &symbols) {
  FailureOr<TableOp> table = lookUpTable(op, op.getTableAttr(), symbols);
  if (failed(table))
    return failure();
  RowsType rows = table->getRowsType();
  RankedTensorType expected = getResultType(op, rows);
  if (found != expected)
    return noteTable(op.emitOpError()
                         << "of " << op.getIds().getType() << " in '"
                         << op.getTableAttr() << "' gives " << expected
                         << ", found " << found,
                     *table);
  if (op.getRows())
    result = cast<RowsType>(op.getRows().getType());
  if (result && result != rows)
    return noteTable(op.emitOpError()
                         << "has type " << result << ", but the rows of '"
                         << op.getTableAttr() << "' are " << rows,
                     *table);
  // Their list, where it is known here.
  auto prefetch = op.getRows()
                      ? op.getRows().template getDefiningOp<PrefetchOp>()
                      : PrefetchOp();
  if (prefetch && (prefetch.getTableAttr() != op.getTableAttr() ||
                   prefetch.findList(op.getIds(), op.getPaddingIdxAttr()) ==
                       prefetch.getIds().size())) {
    InFlightDiagnostic diag =
        op.emitOpError() << "finds no rows of '" << op.getTableAttr()
                         << "' for its ids and padding among those fetched";
    diag.attachNote(prefetch.getLoc()) << "they are fetched here";
    return diag;
  }
  Value weights = op.getWeights();
  if (weights && cast<RankedTensorType>(weights.getType()).getElementType() !=
                     rows.getElementType())
    return noteTable(op.emitOpError()
                         << "expects weights of " << rows.getElementType()
                         << ", found " << weights.getType(),
                     *table);
  return success();
}

LogicalResult LookupOp::verify() { return verifyBags(*this); }

LogicalResult LookupOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyLookup(*this, getType(), RowsType(), symbols);
}

/// What was fetched before stays what it was.
void LookupOp::getEffects(Effects &effects) {
  if (!getRows())
    effects.emplace_back(MemoryEffects::Read::get(), getTableAttr(),
                         VariableResource::get());
}

LogicalResult LookupGradientOp::verify() { return verifyBags(*this); }

BlockArgument ps::getClicks(LookupGradientOp op, CtrAttr accessor,
                            std::optional<int64_t> worker) {
  auto function = op->getParentOfType<func::FuncOp>();
  BlockArgument first;
  for (BlockArgument argument : function.getArguments()) {
    const unsigned index = argument.getArgNumber();
    if (function.getArgAttr(index, PSDialect::feedAttrName) !=
        accessor.getClick())
      continue;
    auto own = function.getArgAttrOfType<IntegerAttr>(
        index, PSDialect::workerAttrName);
    if (!worker || (own && own.getInt() == *worker))
      return argument;
    if (!first)
      first = argument;
  }
  return first;
}

/// The feed of clicks must be there, with a number for each sample.
static LogicalResult verifyClicks(LookupGradientOp op, TableOp table) {
  CtrAttr accessor = table.getAccessorAttr();
  if (!accessor)
    return success();
  BlockArgument clicks = getClicks(op, accessor);
  if (!clicks)
    return noteTable(op.emitOpError()
                         << "trains '" << op.getTableAttr()
                         << "', whose clicks are in the feed "
                         << accessor.getClick()
                         << ", which is not an argument of the function",
                     table);
  Value batch = op.getOffsets() ? op.getOffsets() : op.getIds();
  auto samples = cast<RankedTensorType>(batch.getType());
  auto type = cast<RankedTensorType>(clicks.getType());
  Type element = type.getElementType();
  const bool isColumn = type.getRank() == 2 && type.getDimSize(1) == 1;
  if (samples.getRank() > 0 && (type.getRank() == 1 || isColumn) &&
      type.getDimSize(0) == samples.getDimSize(0) &&
      (element.isF32() || element.isF64() || element.isInteger(32) ||
       element.isInteger(64)))
    return success();
  return noteTable(op.emitOpError()
                       << "of " << samples << " expects a click of f32, f64, "
                       << "i32 or i64 for each sample in the feed "
                       << accessor.getClick() << ", found " << type,
                   table);
}

LogicalResult
LookupGradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(verifyLookup(*this, getGradient().getType(), getType(), symbols)))
    return failure();
  return verifyClicks(*this, *lookUpTable(*this, getTableAttr(), symbols));
}

template <typename LookupOp>
static bool poolsListsFrom(Operation *op, Value value) {
  auto lookup = dyn_cast<LookupOp>(op);
  return lookup && lookup.getPool() &&
         (lookup.getIds() == value || lookup.getWeights() == value);
}

bool ps::poolsFrom(Operation *op, Value value) {
  return poolsListsFrom<LookupOp>(op, value) ||
         poolsListsFrom<LookupGradientOp>(op, value);
}

bool ps::isRagged(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 1 || type.hasStaticShape() ||
      !isa<BlockArgument>(value))
    return false;
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return poolsFrom(user, value); });
}

//===----------------------------------------------------------------------===//
// Updates and transfers
//===----------------------------------------------------------------------===//

static void readAndWrite(Effects &effects, FlatSymbolRefAttr table) {
  effects.emplace_back(MemoryEffects::Read::get(), table,
                       VariableResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), table,
                       VariableResource::get());
}

/// A row is updated by itself.
static LogicalResult verifyRowsAlone(ApplyRowsOp op) {
  ClipAttrInterface clip = op.getClipAttr();
  auto refuse = [&](Attribute attribute) -> InFlightDiagnostic {
    return op.emitOpError()
           << "updates '" << op.getTableAttr() << "' row by row, but "
           << attribute << " needs more than one row: ";
  };
  if (op.getOptimizer().needsWholeVariable())
    return refuse(op.getOptimizer())
           << "expected an elementwise optimizer, such as #ps.adagrad";
  if (clip && (clip.needsGlobalNorm() || clip.needsWholeVariable()))
    return refuse(clip) << "give the table a clip of its own, such as clip = "
                           "#ps.clip_by_value<min = -1.0, max = 1.0>";
  return success();
}

LogicalResult ApplyRowsOp::verify() {
  if (failed(verifyRowsAlone(*this)))
    return failure();
  Attribute learningRate = getOptimizer().getLearningRate();
  bool hasSchedule = isa<ScheduleAttrInterface>(learningRate);
  if (getRate() && !hasSchedule)
    return emitOpError() << "has rate, which " << getOptimizer()
                         << " does not need";
  if (!getRate() && hasSchedule && isa<OptimizeBlockOp>((*this)->getParentOp()))
    return emitOpError() << "expects rate in ps.optimize_block, for "
                         << getOptimizer();
  if (getRate() &&
      cast<RankedTensorType>(getRate().getType()).getElementType() !=
          getGradient().getType().getElementType())
    return emitOpError() << "expects rate of "
                         << getGradient().getType().getElementType()
                         << ", found " << getRate().getType();
  return success();
}

LogicalResult ApplyRowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(lookUpTrained(*this, getTableAttr(), getGradient().getType(),
                           symbols)))
    return failure();
  auto table = symbols.lookupNearestSymbolFrom<TableOp>(*this, getTableAttr());
  return getOptimizer().verifyUpdateFunction(
      *this, getUpdateType(table.getRowType()), symbols);
}

void ApplyRowsOp::getEffects(Effects &effects) {
  readAndWrite(effects, getTableAttr());
}

LogicalResult UpdateRowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(lookUpTrained(*this, getTableAttr(), getGradient().getType(),
                           symbols)))
    return failure();
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getFunctionAttr());
  if (function && function->getAttr(PSDialect::rowOfAttrName) == getTableAttr())
    return success();
  return emitOpError() << "expects '" << getFunctionAttr()
                       << "' to be a function with " << PSDialect::rowOfAttrName
                       << " = " << getTableAttr();
}

void UpdateRowsOp::getEffects(Effects &effects) {
  readAndWrite(effects, getTableAttr());
}

/// One padding per list of ids, or none at all.
LogicalResult PrefetchOp::verify() {
  if (getIds().empty())
    return emitOpError() << "expects ids to fetch";
  ArrayAttr paddings = getPaddingsAttr();
  if (!paddings)
    return success();
  if (paddings.size() != getIds().size())
    return emitOpError() << "expects a padding for each of its "
                         << getIds().size() << " ids, found "
                         << paddings.size();
  for (Attribute padding : paddings) {
    auto number = dyn_cast<IntegerAttr>(padding);
    if (!isa<UnitAttr>(padding) && !(number && number.getType().isInteger(64)))
      return emitOpError() << "expects paddings to be i64 or unit, found "
                           << padding;
  }
  return success();
}

unsigned PrefetchOp::findList(Value ids, IntegerAttr padding) {
  ArrayAttr paddings = getPaddingsAttr();
  auto isList = [&](unsigned i) {
    auto found = paddings ? dyn_cast<IntegerAttr>(paddings[i]) : IntegerAttr();
    return getIds()[i] == ids && found == padding;
  };
  unsigned i = 0;
  while (i < getIds().size() && !isList(i))
    ++i;
  return i;
}

/// Lookups refer to lists by ids and padding, not by position, so they need no
/// change.
void PrefetchOp::eraseLists(const llvm::BitVector &erased) {
  SmallVector<Value> ids;
  SmallVector<Attribute> paddings;
  for (auto [i, list] : llvm::enumerate(getIds())) {
    if (erased.test(i))
      continue;
    ids.push_back(list);
    if (getPaddings())
      paddings.push_back((*getPaddings())[i]);
  }
  getIdsMutable().assign(ids);
  if (getPaddings())
    setPaddingsAttr(ArrayAttr::get(getContext(), paddings));
}

LogicalResult PrefetchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return lookUpTableOfRows(*this, getTableAttr(), getType(), symbols);
}

/// Reads the rows, and makes those that are new.
void PrefetchOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), getTableAttr(),
                       VariableResource::get());
  if (!getFrozen())
    effects.emplace_back(MemoryEffects::Write::get(), getTableAttr(),
                         VariableResource::get());
  if (!getServers())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), NetworkResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), NetworkResource::get());
}

LogicalResult PushRowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return lookUpTrained(*this, getTableAttr(), getGradient().getType(), symbols);
}

void PushRowsOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), NetworkResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), NetworkResource::get());
}

LogicalResult
CollectChangesOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(lookUpTrained(*this, getTableAttr(), getType(), symbols)))
    return failure();
  Type parts = cast<RankedTensorType>(getParts().getType()).getElementType();
  if (parts == getType().getElementType())
    return success();
  return emitOpError() << "expects parts of " << getType().getElementType()
                       << ", found " << parts;
}

void CollectChangesOp::getEffects(Effects &effects) {
  readAndWrite(effects, getTableAttr());
}

LogicalResult PullChangesOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(succeeded(lookUpTable(*this, getTableAttr(), symbols)));
}

void PullChangesOp::getEffects(Effects &effects) {
  readAndWrite(effects, getTableAttr());
  effects.emplace_back(MemoryEffects::Read::get(), NetworkResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), NetworkResource::get());
}

LogicalResult MergeChangesOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(succeeded(lookUpTable(*this, getTableAttr(), symbols)));
}

void MergeChangesOp::getEffects(Effects &effects) {
  readAndWrite(effects, getTableAttr());
}
