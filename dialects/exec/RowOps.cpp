// SPDX-License-Identifier: Apache-2.0
//===- RowOps.cpp - nodes that work with rows of tables -------------------===//

#include "dialects/exec/Accesses.h"

using namespace mlir;
using namespace ps::exec;

//===----------------------------------------------------------------------===//
// Rows of tables
//===----------------------------------------------------------------------===//

LogicalResult RowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto table =
      symbols.lookupNearestSymbolFrom<ps::TableOp>(*this, getTableAttr());
  if (!table)
    return emitOpError("refers to unknown table '@") << getTable() << "'";
  if (getType() == table.getRowsType())
    return success();
  return emitOpError("has type ") << getType() << ", but table '@" << getTable()
                                  << "' needs " << table.getRowsType();
}

static Access accessValues(Value rows, bool write) {
  return {rows, 0, 1, write};
}

static Access accessGradients(Value rows, bool write) {
  return {rows, 1, 2, write};
}

/// A list of any length is one piece.
static void addLists(SmallVector<Access> &accesses, ValueRange lists) {
  for (Value list : lists)
    if (shapedType(list).hasStaticShape())
      accesses.push_back(accessWhole(list, /*write=*/false));
}

template <typename LookupOp>
static SmallVector<Access> accessLookup(LookupOp op, bool isGradient) {
  SmallVector<Access> accesses;
  accesses.push_back(accessValues(op.getRows(), /*write=*/false));
  if (op.getOffsets())
    accesses.push_back(accessWhole(op.getOffsets(), /*write=*/false));
  if (op.getWeights())
    addLists(accesses, op.getWeights());
  accesses.push_back(accessWhole(op.getValues(), /*write=*/!isGradient));
  if (isGradient)
    accesses.push_back(accessGradients(op.getRows(), /*write=*/true));
  return accesses;
}

SmallVector<Access> PrefetchOp::getAccesses() {
  SmallVector<Access> accesses;
  addLists(accesses, getIds());
  accesses.push_back(accessValues(getRows(), /*write=*/true));
  accesses.push_back(accessGradients(getRows(), /*write=*/true));
  return accesses;
}

bool PrefetchOp::mayBeginEarly() {
  return getServers() && !getFrozen() && llvm::all_of(getIds(), [](Value ids) {
           return isa_and_nonnull<FeedOp, RaggedFeedOp>(ids.getDefiningOp());
         });
}

LogicalResult PrefetchOp::verify() {
  if (!getEarly() || mayBeginEarly())
    return success();
  return emitOpError("cannot begin early: expected rows of pservers that are "
                     "not frozen, for ids that are feeds");
}

SmallVector<Access> LookupOp::getAccesses() {
  return accessLookup(*this, /*isGradient=*/false);
}

SmallVector<Access> LookupGradientOp::getAccesses() {
  return accessLookup(*this, /*isGradient=*/true);
}

SmallVector<Access> LookupClicksOp::getAccesses() {
  return accessLookup(*this, /*isGradient=*/true);
}

//===----------------------------------------------------------------------===//
// Rows in place
//===----------------------------------------------------------------------===//

/// Where the vectors of a lookup_dot or lookup_update come from.
template <typename VectorsOp>
static void addVectors(SmallVector<Access> &accesses, VectorsOp op) {
  if (op.getVectors())
    accesses.push_back(accessWhole(op.getVectors(), /*write=*/false));
  if (op.getVectorRows())
    accesses.push_back(accessValues(op.getVectorRows(), /*write=*/false));
}

/// One source of vectors, which no update of `op` changes while it is read.
template <typename VectorsOp>
static LogicalResult verifyVectors(VectorsOp op) {
  if (!op.getVectors() == !op.getVectorRows())
    return op.emitOpError("expects vectors from either ins(..) or of(..)");
  auto rows = op.getRows().template getDefiningOp<RowsOp>();
  auto vectorRows = op.getVectorRows()
                        ? op.getVectorRows().template getDefiningOp<RowsOp>()
                        : RowsOp();
  if (rows && vectorRows && rows.getTable() == vectorRows.getTable())
    return op.emitOpError("expects vectors of another table than '@")
           << rows.getTable() << "'";
  if (op.getVectorRows() &&
      op.getVectorRows().getType() != op.getRows().getType())
    return op.emitOpError("expects vectors of the rows' type ")
           << op.getRows().getType() << ", found "
           << op.getVectorRows().getType();
  return success();
}

LogicalResult LookupDotOp::verify() {
  if (failed(verifyVectors(*this)))
    return failure();
  auto rows = cast<ps::RowsType>(getRows().getType());
  if (!rows.getElementType().isF32() ||
      !shapedType(getDots()).getElementType().isF32())
    return emitOpError("expects rows and products of f32");
  if (!getVectors())
    return success();
  auto vectors = shapedType(getVectors());
  const int64_t elements = vectors.getNumElements();
  if (vectors.getElementType().isF32() && elements > 0 &&
      elements % rows.getWidth() == 0 &&
      shapedType(getDots()).getNumElements() % (elements / rows.getWidth()) ==
          0)
    return success();
  return emitOpError("expects vectors of ")
         << rows.getWidth() << " x f32 with as many products each, found "
         << vectors << " for " << shapedType(getDots());
}

SmallVector<Access> LookupDotOp::getAccesses() {
  SmallVector<Access> accesses = {accessValues(getRows(), /*write=*/false)};
  addVectors(accesses, *this);
  accesses.push_back(accessWhole(getDots(), /*write=*/true));
  return accesses;
}

LogicalResult LookupUpdateOp::verify() { return verifyVectors(*this); }

SmallVector<Access> LookupUpdateOp::getAccesses() {
  SmallVector<Access> accesses = {accessValues(getRows(), /*write=*/true)};
  addVectors(accesses, *this);
  for (Value buffer : {getOffsets(), getRate()})
    if (buffer)
      accesses.push_back(accessWhole(buffer, /*write=*/false));
  if (getWeights())
    addLists(accesses, getWeights());
  return accesses;
}

SmallVector<Access> PushRowsOp::getAccesses() {
  return {accessValues(getRows(), /*write=*/false),
          accessGradients(getRows(), /*write=*/false)};
}

SmallVector<Access> CollectChangesOp::getAccesses() {
  return {accessValues(getRows(), /*write=*/true),
          accessGradients(getRows(), /*write=*/true),
          accessWhole(getParts(), /*write=*/false)};
}

/// What was pulled is no memory of a program: only tokens order the two.
SmallVector<Access> PullChangesOp::getAccesses() { return {}; }
SmallVector<Access> MergeChangesOp::getAccesses() { return {}; }

SmallVector<Access> UpdateRowsOp::getAccesses() {
  // Lookups read the rows of this process's tables in place.
  SmallVector<Access> accesses = {accessValues(getRows(), /*write=*/true),
                                  accessGradients(getRows(), /*write=*/false)};
  if (getRate())
    accesses.push_back(accessWhole(getRate(), /*write=*/false));
  return accesses;
}

template <typename UpdateOp>
static LogicalResult verifyUpdate(UpdateOp op, SymbolTableCollection &symbols) {
  auto program =
      symbols.lookupNearestSymbolFrom<ProgramOp>(op, op.getFunctionAttr());
  auto rows = op.getRows().template getDefiningOp<RowsOp>();
  if (program && rows && program.getRowOfAttr() == rows.getTableAttr())
    return success();
  return op.emitOpError("expects '@")
         << op.getFunction()
         << "' to be a program that updates a row of the rows' table";
}

LogicalResult UpdateRowsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyUpdate(*this, symbols);
}

LogicalResult LookupUpdateOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyUpdate(*this, symbols);
}
