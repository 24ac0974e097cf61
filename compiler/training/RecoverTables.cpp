// SPDX-License-Identifier: Apache-2.0
//===- RecoverTables.cpp - makes tables of variables that are gathered ----===//
//
//  1. Choose the variables that a table can replace (TableCandidate.h), and
//     report for the others why they stay variables.
//  2. emitTable: declare the table.
//  3. emitLookup: replace each gather by a lookup.
//  4. replaceGradient: replace the gradient that the graph brings, if any, by
//     gradients of rows.
//
// A table accepts any i64 as an id, while a gather clamps its indices: the
// lookup gets clamped ids, so it finds what the gather found, and the table
// never holds more rows than the variable had. A scatter instead skips indices
// that are out of bounds, and the gradient of a gather is a scatter: the
// gradient of such an id is zeros. Where ps.minimize is to differentiate a
// lookup, rows of ids out of bounds are read through ps.stop_gradient.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/training/RowIds.h"
#include "compiler/training/TableCandidate.h"
#include "dialects/stablehlo/Emitter.h"
#include "dialects/stablehlo/Matchers.h"

namespace ps {
#define GEN_PASS_DEF_RECOVERTABLES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;
using stablehlo::typeOf;

namespace {

/// Replaces a variable by a table.
class Recovery {
public:
  explicit Recovery(const TableCandidate &candidate)
      : candidate(candidate), type(candidate.type) {}

  void run();

private:
  TableOp emitTable();
  Value getTableIds(OpBuilder &builder, stablehlo::GatherOp gather);
  bool isTrainedThrough(stablehlo::GatherOp gather);
  Value emitLookup(OpBuilder &builder, stablehlo::GatherOp gather);
  Value emitPart(OpBuilder &builder, const TableCandidate::Part &part);
  void replaceGradient();

  const TableCandidate &candidate;
  RankedTensorType type;
  TableOp table;
  /// The ids of the lookup that replaces each gather.
  DenseMap<Operation *, Value> tableIds;
};

struct RecoverTables : public ps::impl::RecoverTablesBase<RecoverTables> {
  using RecoverTablesBase::RecoverTablesBase;
  void runOnOperation() override;
};

} // namespace

/// The ids in `indices`, without a dimension for vectors.
static Value emitIds(::stablehlo::Emitter &e, Value indices,
                     int64_t vectorDim) {
  Value ids = stripVectors(indices, vectorDim);
  RankedTensorType idsType =
      typeOf(indices).clone(getIdsShape(indices, vectorDim));
  return ids.getType() == idsType
             ? ids
             : e.create<stablehlo::ReshapeOp>(idsType, ids);
}

/// Rows of `inside` where clamping left `ids` as they were, elsewhere rows of
/// `outside`.
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

/// The ids of a gather as a table's: clamped as the gather does it, as i64.
Value Recovery::getTableIds(OpBuilder &builder, stablehlo::GatherOp gather) {
  ::stablehlo::Emitter e(builder, gather.getLoc());
  Value ids = emitIds(e, gather.getStartIndices(),
                      gather.getDimensionNumbers().getIndexVectorDim());
  // A narrow type may not hold the number of the last row: widen it first.
  Type element = typeOf(ids).getElementType();
  if (element.getIntOrFloatBitWidth() < 64)
    ids = e.convert(ids, element = builder.getI64Type());
  auto scalar = RankedTensorType::get({}, element);
  ids = e.create<stablehlo::ClampOp>(e.splat(scalar, 0), ids,
                                     e.splat(scalar, type.getDimSize(0) - 1));
  return e.convert(ids, builder.getI64Type());
}

/// Whether a ps.minimize is to differentiate the gather, and the graph does not
/// show that its ids are in bounds.
bool Recovery::isTrainedThrough(stablehlo::GatherOp gather) {
  return !getOriginalIds(gather.getStartIndices(), type.getDimSize(0))
              .areClamped &&
         llvm::any_of(candidate.minimizes, [&](MinimizeOp minimize) {
           return minimize->getBlock() == gather->getBlock();
         });
}

/// The rows that the gather reads. Those of ids out of bounds get no gradient.
Value Recovery::emitLookup(OpBuilder &builder, stablehlo::GatherOp gather) {
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

/// The gradient of a part; zero for the ids that the scatter skips.
Value Recovery::emitPart(OpBuilder &builder, const TableCandidate::Part &part) {
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

/// The graph's own gradient, a sum of scatter-adds, becomes a sum of gradients
/// of lookups, and the update one of rows.
void Recovery::replaceGradient() {
  ApplyOp apply = candidate.apply;
  OpBuilder builder(apply);
  SmallVector<Value> gradients;
  for (const TableCandidate::Part &part : candidate.parts)
    gradients.push_back(emitPart(builder, part));
  Value sum = gradients.front();
  if (gradients.size() > 1)
    sum = builder.create<MergeRowsOp>(apply.getLoc(), table.getRowsType(),
                                      gradients);
  builder.create<ApplyRowsOp>(apply.getLoc(), FlatSymbolRefAttr::get(table),
                              sum, apply.getRate(), apply.getOptimizer(),
                              apply.getClipAttr(), apply.getRegularizeAttr());
  apply.erase();
  for (Operation *op : candidate.replaced)
    op->erase();
}

/// `recovered` makes evaluation read initial values of rows that were never
/// looked up, as the variable had them.
TableOp Recovery::emitTable() {
  VariableOp variable = candidate.variable;
  OpBuilder builder(variable);
  return builder.create<TableOp>(
      variable.getLoc(), variable.getSymNameAttr(), variable.getTypeAttr(),
      variable.getInit(),
      IdPartitionAttr::get(builder.getContext(), IdPartition::Mix), ShardAttr(),
      /*wire=*/RowWireAttr(), /*tiers=*/ArrayAttr(),
      variable.getLearningRateScaleAttr(), builder.getBoolAttr(true),
      variable.getClipAttr(), variable.getRegularizeAttr(),
      /*admit_count=*/IntegerAttr(), /*admit_probability=*/FloatAttr(),
      /*evict_age=*/IntegerAttr(), /*evict_every=*/IntegerAttr(),
      /*evict_lru=*/UnitAttr(), /*cache_rows=*/IntegerAttr(),
      /*accessor=*/CtrAttr(), /*recovered=*/builder.getUnitAttr());
}

/// Gathers are erased last: gradients refer to the ids of their lookups.
void Recovery::run() {
  table = emitTable();
  for (stablehlo::GatherOp gather : candidate.gathers) {
    OpBuilder builder(gather);
    gather.getResult().replaceAllUsesWith(emitLookup(builder, gather));
  }
  if (candidate.apply)
    replaceGradient();
  for (stablehlo::GatherOp gather : candidate.gathers)
    gather.erase();
  for (ReadOp read : candidate.reads)
    read.erase();
  VariableOp variable = candidate.variable;
  variable.erase();
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void explainRecovery(const TableCandidate &candidate) {
  VariableOp variable = candidate.variable;
  InFlightDiagnostic diag =
      variable.emitRemark()
      << "'@" << variable.getSymName()
      << "' becomes a table: only gathers of whole rows by id read it";
  // Frameworks count negative ids from the end before they gather.
  diag.attachNote() << "as before, an id that is below 0 when it reaches the "
                       "gather reads row 0, one beyond the end reads row "
                    << candidate.type.getDimSize(0) - 1
                    << ", and neither trains it";
  if (candidate.changesOtherRows)
    diag.attachNote() << "a row that a step does not look up now keeps its "
                         "value and its optimizer's state in that step";
}

/// Only variables that are gathered from are explained: others were never
/// candidates.
static void explainRefusal(VariableOp variable, const Refusal &refusal) {
  InFlightDiagnostic diag = variable.emitRemark()
                            << "'@" << variable.getSymName()
                            << "' stays a variable: " << refusal.reason;
  if (refusal.at)
    diag.attachNote(refusal.at->getLoc()) << "here";
  if (refusal.isChoice)
    diag.attachNote()
        << "recover-tables=lazy of --ps-transpile, `ps-opt --inline "
           "--ps-recover-tables=recover=lazy` for a local run, or a ps.table "
           "in "
           "its place updates a row only in steps that look it up";
}

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
    if (variable.getTensorType().getRank() != 2 ||
        !(only.empty() ||
          llvm::is_contained(only, variable.getSymName().str())))
      continue;
    TableCandidate candidate(variable, uses);
    if (!candidate.isGathered())
      continue;
    if (auto refusal = candidate.explainRefusal(uses, recover == "lazy")) {
      explainRefusal(variable, *refusal);
      continue;
    }
    explainRecovery(candidate);
    Recovery(candidate).run();
  }
}
