// SPDX-License-Identifier: Apache-2.0
//===- TableDeclaration.cpp - ps.table ------------------------------------===//
//
// Which attributes of a table go together.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/ps/Spelling.h"

using namespace mlir;
using namespace ps;

RankedTensorType TableOp::getRowType() {
  RankedTensorType type = getTensorType();
  return RankedTensorType::get(type.getShape().drop_front(),
                               type.getElementType());
}

RowsType TableOp::getRowsType() {
  RankedTensorType type = getTensorType();
  return RowsType::get(getContext(), type.getDimSize(1),
                       cast<FloatType>(type.getElementType()));
}

/// A table that replaces a variable has all its rows.
static LogicalResult verifyRecovered(TableOp table) {
  if (!table.getRecovered())
    return success();
  for (StringAttr name :
       {table.getAccessorAttrName(), table.getAdmitCountAttrName(),
        table.getAdmitProbabilityAttrName(), table.getEvictAgeAttrName(),
        table.getEvictEveryAttrName(), table.getEvictLruAttrName()})
    if (table->getAttr(name))
      return table.emitOpError()
             << "is recovered: it replaces a variable, whose rows are neither "
                "admitted nor evicted, so expects no "
             << name.getValue();
  return success();
}

/// Which ids get rows, and which rows go.
static LogicalResult verifyEntryAndExit(TableOp table) {
  using Number = std::pair<StringRef, std::optional<int64_t>>;
  for (auto [name, number] : {Number("admit_count", table.getAdmitCount()),
                              Number("evict_age", table.getEvictAge()),
                              Number("evict_every", table.getEvictEvery())})
    if (number && (*number < 1 || *number > INT32_MAX))
      return table.emitOpError() << "expects " << name << " from 1 to "
                                 << INT32_MAX << ", found " << *number;
  if (auto share = table.getAdmitProbabilityAttr()) {
    // Written so that NaN fails.
    if (!(share.getValueAsDouble() > 0 && share.getValueAsDouble() <= 1))
      return table.emitOpError()
             << "expects admit_probability above 0 and at most 1, found "
             << share.getValueAsDouble();
    if (table.getAdmitCount())
      return table.emitOpError() << "has admit_count and admit_probability: "
                                    "expected one of them";
  }
  if (CtrAttr accessor = table.getAccessorAttr()) {
    const int64_t width = table.getTensorType().getDimSize(1);
    if (std::optional<int64_t> first = accessor.getEmbedxFrom();
        first && *first >= width)
      return table.emitOpError()
             << "has rows of " << width
             << " columns: expected embedx_from to be one of them, found "
             << *first;
  }
  if (table.getAccessor() && !table.getEvictEvery())
    return table.emitOpError()
           << "expects evict_every with its accessor: the number of steps in a "
              "day of shows and clicks";
  if (!table.getAccessor() &&
      table.getEvictAge().has_value() != table.getEvictEvery().has_value())
    return table.emitOpError()
           << "expects evict_age and evict_every together: the steps for which "
              "an unused row is kept, and the steps between two checks";
  return success();
}

/// Copies of rows are updated as the rows are: from all bits.
static LogicalResult verifyWire(TableOp table) {
  RowWire wire = table.getWire().value_or(RowWire::F32);
  if (wire == RowWire::F32)
    return success();
  if (Type element = table.getTensorType().getElementType(); !element.isF32())
    return table.emitOpError()
           << "has rows of " << element << " and wire("
           << stringifyRowWire(wire) << "), which is for rows of f32";
  if (table.getCacheRows())
    return table.emitOpError()
           << "has cache_rows and wire(" << stringifyRowWire(wire)
           << "): the copies of rows would lose bits, and no longer be equal "
              "to the rows: expected one of them";
  return success();
}

/// What trainers keep copies of changes by its gradients alone.
static LogicalResult verifyCache(TableOp table) {
  std::optional<int64_t> rows = table.getCacheRows();
  if (!rows)
    return success();
  if (*rows < 1 || *rows > INT32_MAX)
    return table.emitOpError() << "expects cache_rows from 1 to " << INT32_MAX
                               << ", found " << *rows;
  if (!table.getAccessor())
    return success();
  return table.emitOpError()
         << "has cache_rows and an accessor: shows and clicks of all trainers "
            "change its rows on the pservers, so expected one of them";
}

template <typename TierAttr>
static TierAttr findTier(TableOp table) {
  if (std::optional<ArrayAttr> tiers = table.getTiers())
    for (Attribute tier : *tiers)
      if (auto found = dyn_cast<TierAttr>(tier))
        return found;
  return nullptr;
}

HbmAttr TableOp::getHbmTier() { return findTier<HbmAttr>(*this); }
MemAttr TableOp::getMemoryTier() { return findTier<MemAttr>(*this); }
SsdAttr TableOp::getSsdTier() { return findTier<SsdAttr>(*this); }

static LogicalResult verifyTiers(TableOp table) {
  if (!table.getTiers())
    return success();
  ArrayRef<Attribute> tiers = table.getTiers()->getValue();
  if (!tiers.empty() && isa<HbmAttr>(tiers.front()))
    tiers = tiers.drop_front();
  const bool isInMemory = tiers.empty() && table.getHbmTier();
  if (!isInMemory &&
      (tiers.size() != 2 || !isa<MemAttr>(tiers[0]) || !isa<SsdAttr>(tiers[1])))
    return table.emitOpError()
           << "expects the tiers [#ps.hbm<rows = ..>], [#ps.mem<rows = ..>, "
              "#ps.ssd<\"DIR\">] or all three in this order, found "
           << *table.getTiers();
  if (table.getEvictLru() && !isInMemory)
    return table.emitOpError()
           << "has evict_lru and tiers: a row that leaves memory is either "
              "dropped or kept on the SSD: expected one of them";
  return success();
}

LogicalResult TableOp::verify() {
  static constexpr StringRef known[] = {
      "accessor",  "admit_count",         "admit_probability", "cache_rows",
      "clip",      "evict_age",           "evict_every",       "evict_lru",
      "recovered", "learning_rate_scale", "regularize",        "sym_visibility",
      "trainable"};
  for (NamedAttribute attribute : (*this)->getDiscardableAttrs())
    if (!attribute.getName().getValue().contains('.'))
      return emitOpError() << "has the unknown attribute '"
                           << attribute.getName().getValue() << "'"
                           << suggest(attribute.getName(), known);
  RankedTensorType type = getTensorType();
  if (!type.hasStaticShape() || llvm::is_contained(type.getShape(), 0))
    return emitOpError()
           << "expects a row limit and a row width, both positive, found "
           << type;
  if (auto scale = getLearningRateScaleAttr())
    if (!isFiniteIn(llvm::APFloat::IEEEsingle(), scale.getValue()) ||
        scale.getValueAsDouble() < 0)
      return emitOpError() << "expects learning_rate_scale to be finite in f32 "
                              "and not negative, found "
                           << scale.getValueAsDouble();
  if (failed(verifyInitialValues(*this, getInit(), type)) ||
      failed(verifyRecovered(*this)) || failed(verifyCache(*this)) ||
      failed(verifyWire(*this)) || failed(verifyTiers(*this)))
    return failure();
  return verifyEntryAndExit(*this);
}

LogicalResult TableOp::verifySymbolUses(SymbolTableCollection &) {
  return success();
}
