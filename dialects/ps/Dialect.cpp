// SPDX-License-Identifier: Apache-2.0
//===- Dialect.cpp - the ps dialect and its function attributes -----------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/ps/Spelling.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace ps;

#include "dialects/ps/PSAttrInterfaces.cpp.inc"
#include "dialects/ps/PSDialect.cpp.inc"
#include "dialects/ps/PSOpInterfaces.cpp.inc"

namespace {

/// Helper functions may read variables: everything inlines.
struct PSInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

/// Every program of a job carries the same cluster, so it prints as an alias.
struct PSAsmInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    if (!isa<ClusterAttr>(attr))
      return AliasResult::NoAlias;
    os << "cluster";
    return AliasResult::FinalAlias;
  }
};

} // namespace

void PSDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/ps/PSOps.cpp.inc"
      >();
  addInterfaces<PSInlinerInterface, PSAsmInterface>();
}

static ParseResult refuseUnknownOp(OpAsmParser &parser, OperationState &state) {
  SmallVector<StringRef> known;
  for (RegisteredOperationName name :
       parser.getContext()->getRegisteredOperations())
    if (name.getDialectNamespace() == PSDialect::getDialectNamespace())
      known.push_back(name.getStringRef());
  StringRef name = state.name.getStringRef();
  return parser.emitError(parser.getNameLoc())
         << "is unknown" << suggest(name, known);
}

std::optional<Dialect::ParseOpHook>
PSDialect::getParseOperationHook(StringRef) const {
  return refuseUnknownOp;
}

LogicalResult PSDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attr) {
  if (attr.getName() == feedAttrName)
    return op->emitOpError() << "carries 'ps.feed', which belongs to a "
                                "function argument";
  if (attr.getName() == fetchAttrName)
    return op->emitOpError() << "carries 'ps.fetch', which belongs to a "
                                "function result";
  if (attr.getName() == everyAttrName) {
    auto steps = dyn_cast<IntegerAttr>(attr.getValue());
    if (isa<func::FuncOp>(op) && steps && steps.getType().isInteger(64) &&
        steps.getInt() > 0)
      return success();
    return op->emitOpError() << "carries 'ps.every', which is a positive i64 "
                                "and belongs to a function";
  }
  if (attr.getName() == thenAttrName) {
    if (isa<func::FuncOp>(op) && isa<FlatSymbolRefAttr>(attr.getValue()))
      return success();
    return op->emitOpError() << "carries 'ps.then', which names a function and "
                                "belongs to a function";
  }
  if (attr.getName() == lastAttrName) {
    if (isa<func::FuncOp>(op) && isa<UnitAttr>(attr.getValue()))
      return success();
    return op->emitOpError() << "carries 'ps.last', which is a unit and "
                                "belongs to a function";
  }
  if (attr.getName() == rowOfAttrName) {
    if (isa<func::FuncOp>(op) && isa<FlatSymbolRefAttr>(attr.getValue()))
      return success();
    return op->emitOpError() << "carries 'ps.row_of', which names a table and "
                                "belongs to a function";
  }
  if (attr.getName() == clusterAttrName) {
    if (isa<ModuleOp>(op) && isa<ClusterAttr>(attr.getValue()))
      return success();
    return op->emitOpError() << "carries 'ps.cluster', which is a #ps.cluster "
                                "and belongs to a module";
  }
  return op->emitOpError() << "carries the unknown attribute " << attr.getName()
                           << suggest(attr.getName(),
                                      {clusterAttrName, everyAttrName,
                                       thenAttrName, lastAttrName,
                                       rowOfAttrName});
}

/// Checks the name under which argument or result `index` is fed or fetched:
/// a string that no earlier one bears. `getAttr` gives the attribute at an
/// index.
static LogicalResult verifyPortName(Operation *op, NamedAttribute attr,
                                    StringRef what, unsigned index, Type type,
                                    function_ref<Attribute(unsigned)> getAttr) {
  auto name = dyn_cast<StringAttr>(attr.getValue());
  if (!name || name.empty())
    return op->emitOpError() << "expects " << attr.getName() << " on " << what
                             << " " << index << " to be a non-empty string";
  // An optimize block of a table is fed rows.
  bool isRows =
      isa<RowsType>(type) && attr.getName() == PSDialect::feedAttrName;
  if (!isa<RankedTensorType>(type) && !isRows)
    return op->emitOpError()
           << "expects " << what << " " << index << " with " << attr.getName()
           << " to be a ranked tensor, found " << type;
  for (unsigned i = 0; i < index; ++i)
    if (getAttr(i) == name)
      return op->emitOpError()
             << "has two " << what << "s with " << attr.getName() << " = "
             << name << ": " << i << " and " << index;
  return success();
}

LogicalResult PSDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                  unsigned index,
                                                  NamedAttribute attr) {
  auto function = cast<FunctionOpInterface>(op);
  auto getWorker = [&](unsigned i) {
    return function.getArgAttrOfType<IntegerAttr>(i, workerAttrName);
  };
  if (attr.getName() == workerAttrName) {
    IntegerAttr worker = getWorker(index);
    if (worker && worker.getType().isInteger(64) && worker.getInt() >= 0)
      return success();
    return op->emitOpError() << "expects 'ps.worker' on argument " << index
                             << " to be an i64 of at least 0";
  }
  if (attr.getName() != feedAttrName)
    return op->emitOpError()
           << "has the unknown attribute " << attr.getName() << " on argument "
           << index << suggest(attr.getName(), {feedAttrName, workerAttrName});
  // Each worker has a batch of its own.
  return verifyPortName(op, attr, "argument", index,
                        function.getArgumentTypes()[index], [&](unsigned i) {
                          return getWorker(i) == getWorker(index)
                                     ? function.getArgAttr(i, feedAttrName)
                                     : Attribute();
                        });
}

LogicalResult PSDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                     unsigned index,
                                                     NamedAttribute attr) {
  if (attr.getName() != fetchAttrName)
    return op->emitOpError()
           << "has the unknown attribute " << attr.getName() << " on result "
           << index << suggest(attr.getName(), {fetchAttrName});
  auto function = cast<FunctionOpInterface>(op);
  return verifyPortName(
      op, attr, "result", index, function.getResultTypes()[index],
      [&](unsigned i) { return function.getResultAttr(i, fetchAttrName); });
}
