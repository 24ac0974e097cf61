// SPDX-License-Identifier: Apache-2.0
//===- Ops.cpp - variables, and the ops that train them -------------------===//
//
// verify() looks at an op alone; what depends on the variable or table that an
// op names is in verifySymbolUses(), which runs on the whole module, wherever
// the symbol is defined. Messages say what was expected and where the other
// party is, since programs are also written by hand.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/ps/Spelling.h"
#include "dialects/ps/VariableLookup.h"
#include "dialects/stablehlo/TensorSize.h"

using namespace mlir;
using namespace ps;

/// Checks the name of an attribute in a variable's dictionary: one of its own
/// that has no other place in the text, or one of another dialect.
static LogicalResult
verifyVariableAttrName(StringRef name,
                       function_ref<InFlightDiagnostic()> emitError) {
  static constexpr StringRef known[] = {
      "clip",          "learning_rate_scale", "optimizer_state",
      "reason",        "regularize",          "server",
      "sync",          "trainable",           "transient",
      "sym_visibility"};
  if (name.contains('.') || llvm::is_contained(known, name))
    return success();
  return emitError() << "unknown attribute '" << name << "'"
                     << suggest(name, known);
}

static ParseResult parseSync(OpAsmParser &parser, Attribute &value) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseOptionalKeyword(&keyword))
    return parser.emitError(loc, "expected sync to be pserver or all_reduce");
  std::optional<Sync> sync = symbolizeSync(keyword);
  if (!sync)
    return parser.emitError(loc)
           << "expected sync to be pserver or all_reduce, found '" << keyword
           << "'";
  value = SyncAttr::get(parser.getContext(), *sync);
  return success();
}

/// One `name = value`, or a bare name for a unit attribute.
static ParseResult parseVariableAttr(OpAsmParser &parser,
                                     NamedAttrList &attributes) {
  std::string name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&name) ||
      failed(
          verifyVariableAttrName(name, [&] { return parser.emitError(loc); })))
    return failure();
  Attribute value = UnitAttr::get(parser.getContext());
  if (name == "sync") {
    if (parser.parseEqual() || parseSync(parser, value))
      return failure();
  } else if (succeeded(parser.parseOptionalEqual())) {
    if (parser.parseAttribute(value))
      return failure();
  }
  if (attributes.set(name, value))
    return parser.emitError(loc) << "'" << name << "' is given twice";
  return success();
}

/// An attribute dictionary in which `sync` has a bare keyword as its value:
/// `{server = 1, sync = all_reduce}`.
static ParseResult parseVariableAttrs(OpAsmParser &parser,
                                      NamedAttrList &attributes) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalBraces, [&] {
        return parseVariableAttr(parser, attributes);
      }))
    return failure();
  // An attribute of a wrong kind would be dropped when the op is made of them.
  OperationName name(VariableOp::getOperationName(), parser.getContext());
  return VariableOp::verifyInherentAttrs(name, attributes,
                                         [&] { return parser.emitError(loc); });
}

/// Leaves out what the rest of the text shows and what has its default.
static void printVariableAttrs(OpAsmPrinter &printer, VariableOp op,
                               DictionaryAttr attributes) {
  SmallVector<NamedAttribute> printed;
  for (NamedAttribute attr : attributes) {
    StringRef name = attr.getName();
    bool elsewhere =
        name == op.getSymNameAttrName() || name == op.getTypeAttrName() ||
        name == op.getInitAttrName() || name == op.getPlacementsAttrName() ||
        name == op.getSliceAttrName() || name == op.getSlotOfAttrName();
    bool isDefault =
        (name == op.getTrainableAttrName() && op.getTrainable()) ||
        (name == op.getSyncAttrName() && op.getSync() == Sync::PServer);
    if (!elsewhere && !isDefault)
      printed.push_back(attr);
  }
  if (printed.empty())
    return;
  printer << " {";
  llvm::interleaveComma(printed, printer, [&](NamedAttribute attr) {
    printer.printKeywordOrString(attr.getName());
    if (attr.getName() == op.getSyncAttrName())
      printer << " = " << stringifySync(op.getSync());
    else if (!isa<UnitAttr>(attr.getValue()))
      printer << " = " << attr.getValue();
  });
  printer << "}";
}

#define GET_OP_CLASSES
#include "dialects/ps/PSOps.cpp.inc"

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// VariableOp
//===----------------------------------------------------------------------===//

RankedTensorType VariableOp::getWholeType() {
  if (SliceAttr slice = getSliceAttr())
    return slice.getOriginType();
  return getTensorType();
}

/// Placements must cover the variable's rows in order, without gap or overlap.
static LogicalResult verifyPlacements(VariableOp op, ArrayAttr placements) {
  int64_t next = 0;
  for (auto placement : placements.getAsRange<PlacementAttr>()) {
    if (placement.getRowOffset() != next || placement.getRows() < 1)
      return op.emitOpError()
             << "expects block " << placement.getBlock() << " to begin at row "
             << next << " and hold at least one row, found rows ["
             << placement.getRowOffset() << ", " << placement.getRowOffset()
             << " + " << placement.getRows() << ")";
    if (placement.getServer() < 0)
      return op.emitOpError()
             << "expects block " << placement.getBlock()
             << " to name a pserver, found " << placement.getServer();
    next += placement.getRows();
  }
  int64_t rows = getRowCount(op.getTensorType());
  if (next != rows)
    return op.emitOpError()
           << "has " << rows << " rows but its placements cover " << next;
  return success();
}

/// Checks the type first: placements and slices are checked against its rows.
LogicalResult VariableOp::verify() {
  for (NamedAttribute attribute : (*this)->getDiscardableAttrs())
    if (failed(verifyVariableAttrName(attribute.getName(),
                                      [&] { return emitOpError("has the "); })))
      return failure();
  RankedTensorType type = getTensorType();
  if (llvm::is_contained(type.getShape(), 0))
    return emitOpError() << "expects at least one element, found " << type;
  if (!::stablehlo::countBytes(type))
    return emitOpError() << "is larger than the address space: " << type;
  if (auto scale = getLearningRateScaleAttr())
    if (!isFiniteIn(llvm::APFloat::IEEEsingle(), scale.getValue()) ||
        scale.getValueAsDouble() < 0)
      return emitOpError() << "expects learning_rate_scale to be finite in f32 "
                              "and not negative, found "
                           << scale.getValueAsDouble();
  if (failed(verifyInitialValues(*this, getInit(), getWholeType())))
    return failure();
  if (getTrainable() && !isa<FloatType>(type.getElementType()))
    return emitOpError() << "holds integers, so expects trainable = false";
  if (getOptimizerState() && getTrainable())
    return emitOpError() << "is optimizer state, so expects trainable = false";
  if (getOptimizerState() && getSlotOf())
    return emitOpError() << "is a slot of '" << getSlotOfAttr()
                         << "', so expects no optimizer_state, which is for "
                            "what belongs to no variable";
  if (getTransient() && !isOptimizerState())
    return emitOpError() << "is transient, so expects slot_of or "
                            "optimizer_state: the model is kept";
  if (getServerAttr() && getSync() == Sync::AllReduce)
    return emitOpError() << "stays with the trainers (sync = all_reduce), so "
                            "expects no server, found server = "
                         << *getServer();
  if (SliceAttr slice = getSliceAttr()) {
    RankedTensorType expected =
        getRowsType(slice.getOriginType(), slice.getRows());
    if (type != expected)
      return emitOpError() << "has type " << type << " but " << slice.getRows()
                           << " rows of " << slice.getOriginType() << " are "
                           << expected;
  }
  if (ArrayAttr placements = getPlacementsAttr())
    return verifyPlacements(*this, placements);
  return success();
}

/// The owner of a slot may be a variable or a table of the same module.
LogicalResult VariableOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FlatSymbolRefAttr owner = getSlotOfAttr();
  if (!owner)
    return success();
  if (getTrainable())
    return emitOpError() << "is a slot of '" << owner
                         << "', so expects trainable = false";
  if (symbols.lookupNearestSymbolFrom<TableOp>(*this, owner))
    return success();
  FailureOr<VariableOp> variable = lookUpVariable(*this, owner, symbols);
  if (failed(variable))
    return failure();
  if (*variable == *this)
    return emitOpError() << "is a slot of itself";
  return success();
}

//===----------------------------------------------------------------------===//
// ReadOp, AssignOp
//===----------------------------------------------------------------------===//

/// Whether `op` is in a function that updates one row of a table, and
/// `name` is the table: then it is that row, of type `type`.
static bool isRow(Operation *op, FlatSymbolRefAttr name, Type type,
                  SymbolTableCollection &symbols) {
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function || function->getAttr(PSDialect::rowOfAttrName) != name)
    return false;
  auto table = symbols.lookupNearestSymbolFrom<TableOp>(op, name);
  return table && table.getRowType() == type;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (isRow(*this, getVariableAttr(), getType(), symbols))
    return success();
  return lookUpVariableOfType(*this, getVariableAttr(), getType(), symbols);
}

void ReadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), getVariableAttr(),
                       VariableResource::get());
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (isRow(*this, getVariableAttr(), getValue().getType(), symbols))
    return success();
  return lookUpVariableOfType(*this, getVariableAttr(), getValue().getType(),
                              symbols);
}

void AssignOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), getVariableAttr(),
                       VariableResource::get());
}

//===----------------------------------------------------------------------===//
// MinimizeOp, ApplyOp
//===----------------------------------------------------------------------===//

/// The walk finds the first one in the function, and any update that the user
/// wrote beside it.
LogicalResult MinimizeOp::verify() {
  auto function = (*this)->getParentOfType<func::FuncOp>();
  MinimizeOp first;
  Operation *apply = nullptr;
  function.walk([&](Operation *op) {
    if (auto minimize = dyn_cast<MinimizeOp>(op); minimize && !first)
      first = minimize;
    if (isa<ApplyOp, ApplyRowsOp>(op) && !apply)
      apply = op;
  });
  if (first != *this) {
    InFlightDiagnostic diag = emitOpError() << "occurs twice in '@"
                                            << function.getSymName() << "'";
    diag.attachNote(first.getLoc()) << "the first one is here";
    return diag;
  }
  if (apply) {
    InFlightDiagnostic diag = emitOpError()
                              << "and " << apply->getName()
                              << " exclude each other, but '@"
                              << function.getSymName() << "' holds both";
    diag.attachNote(apply->getLoc()) << apply->getName() << " is here";
    return diag;
  }
  return success();
}

/// Which variables are read and written is known after differentiation.
void MinimizeOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), VariableResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), VariableResource::get());
}

FailureOr<SmallVector<Value>>
StopGradientOp::buildGradient(OpBuilder &, ValueRange,
                              function_ref<InFlightDiagnostic()>) {
  return SmallVector<Value>{Value()};
}

/// Nothing trains a constant, and a gradient stops but once.
OpFoldResult StopGradientOp::fold(FoldAdaptor adaptor) {
  bool isRedundant =
      adaptor.getOperand() || getOperand().getDefiningOp<StopGradientOp>();
  return isRedundant ? getOperand() : Value();
}

/// Checks what comes from another part of the program: the operand `value`,
/// which may be there only if the attribute `user` needs it, and must be in an
/// optimize block.
static LogicalResult verifyFromElsewhere(ApplyOp op, StringRef name,
                                         Value value, Attribute user,
                                         bool needed) {
  bool inBlock = isa<OptimizeBlockOp>(op->getParentOp());
  if (needed && !value && inBlock)
    return op.emitOpError()
           << "expects " << name << " in ps.optimize_block, for " << user;
  if (!value)
    return success();
  if (!needed)
    return op.emitOpError()
           << "has " << name << ", which " << user << " does not need";
  auto gradient = cast<RankedTensorType>(op.getGradient().getType());
  auto expected =
      RankedTensorType::get({}, getUpdateType(gradient).getElementType());
  if (value.getType() == expected)
    return success();
  return op.emitOpError() << "expects " << name << " of type " << expected
                          << " for a gradient of type " << gradient
                          << ", found " << value.getType();
}

/// Rate and norm are allowed only if the optimizer or the clip uses them: an
/// operand that is ignored would hide a mistake.
LogicalResult ApplyOp::verify() {
  OptimizerAttrInterface optimizer = getOptimizer();
  bool hasSchedule = isa<ScheduleAttrInterface>(optimizer.getLearningRate());
  if (failed(verifyFromElsewhere(*this, "rate", getRate(), optimizer,
                                 hasSchedule)))
    return failure();
  ClipAttrInterface clip = getClipAttr();
  bool needsNorm = clip && clip.needsGlobalNorm();
  if (getNorm() && !clip)
    return emitOpError() << "has norm, but no clip";
  return verifyFromElsewhere(*this, "norm", getNorm(), clip, needsNorm);
}

LogicalResult ApplyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<VariableOp> variable = lookUpVariableOfType(
      *this, getVariableAttr(), getGradient().getType(), symbols);
  if (failed(variable))
    return failure();
  if (variable->getTrainable())
    return getOptimizer().verifyUpdateFunction(
        *this, getUpdateType(variable->getTensorType()), symbols);
  InFlightDiagnostic diag = emitOpError() << "expects '" << getVariableAttr()
                                          << "' to be trainable";
  diag.attachNote(variable->getLoc())
      << "'" << getVariableAttr() << "' is declared here";
  return diag;
}

/// Slots are written too, but belong to the variable alone.
void ApplyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), getVariableAttr(),
                       VariableResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), getVariableAttr(),
                       VariableResource::get());
}

//===----------------------------------------------------------------------===//
// MetricOp
//===----------------------------------------------------------------------===//

LogicalResult MetricOp::verify() {
  constexpr int64_t most = 1 << 24;
  if (getName().empty())
    return emitOpError() << "expects a name to report under";
  if (getBins() > most)
    return emitOpError() << "expects at most " << most << " bins, found "
                         << getBins();
  StringRef kind = stringifyMetricKind(getKind());
  if ((getKind() == MetricKind::Mean) == !!getLabel())
    return emitOpError() << "'" << kind << "' "
                         << (getLabel() ? "takes no label"
                                        : "expects predictions and labels");
  if (getLabel() && getLabel().getType() != getPrediction().getType())
    return emitOpError() << "expects predictions and labels of one type, found "
                         << getPrediction().getType() << " and "
                         << getLabel().getType();
  return success();
}

void MetricOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), MetricResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), MetricResource::get());
}
