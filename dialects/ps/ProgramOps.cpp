// SPDX-License-Identifier: Apache-2.0
//===- ProgramOps.cpp - programs, and what crosses the network ------------===//
//
// After transpilation a module holds a program per process of the job. Effects
// on the network keep transfers in order: no pass may move, merge or drop an
// exchange of which the other end is in another program.
//
//===----------------------------------------------------------------------===//

#include "dialects/ps/PSDialect.h"
#include "dialects/ps/VariableLookup.h"

using namespace mlir;
using namespace ps;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// ProgramOp
//===----------------------------------------------------------------------===//

/// A pserver's endpoint and the cluster's list must agree, because both are
/// edited by hand.
LogicalResult ProgramOp::verify() {
  ClusterAttr cluster = getCluster();
  if (getRole() == Role::Trainer && getEndpoint())
    return emitOpError() << "expects a trainer to have no endpoint";
  if (getRole() == Role::PServer) {
    std::optional<size_t> index = cluster.findPServer(getSymName());
    if (!index)
      return emitOpError() << "'@" << getSymName()
                           << "' is none of the cluster's pservers "
                           << cluster.getPservers();
    if (getEndpointAttr() != cluster.getEndpoint(*index)) {
      InFlightDiagnostic diag = emitOpError() << "expects ";
      if (StringAttr expected = cluster.getEndpoint(*index))
        diag << "endpoint " << expected << ", as its cluster says, found ";
      else
        diag << "no endpoint, as its cluster has none, found ";
      if (getEndpointAttr())
        diag << getEndpointAttr();
      else
        diag << "none";
      return diag;
    }
  }
  for (Operation &op : getBody().front())
    if (!isa<VariableOp, TableOp, func::FuncOp>(op)) {
      InFlightDiagnostic diag = emitOpError()
                                << "expects variables, tables and functions, "
                                   "found '"
                                << op.getName() << "'";
      diag.attachNote(op.getLoc()) << "it is here";
      return diag;
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Checks that [offset, offset + rows) are rows of `variable`.
static LogicalResult verifyRows(Operation *op, VariableOp variable,
                                int64_t offset, int64_t rows) {
  int64_t whole = getRowCount(variable.getTensorType());
  if (offset >= 0 && rows >= 1 && rows <= whole && offset <= whole - rows)
    return success();
  InFlightDiagnostic diag =
      op->emitOpError() << "names rows [" << offset << ", " << offset << " + "
                        << rows << ") but '@" << variable.getSymName()
                        << "' has " << whole << " rows";
  diag.attachNote(variable.getLoc())
      << "'@" << variable.getSymName() << "' is declared here";
  return diag;
}

static void useNetwork(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), NetworkResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), NetworkResource::get());
}

RankedTensorType ps::getLargestType(MLIRContext *context, int64_t count) {
  return RankedTensorType::get(
      {count, 2}, IntegerType::get(context, 32, IntegerType::Unsigned));
}

bool ps::isLargestType(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && ranked.getRank() == 2 &&
         ranked == getLargestType(type.getContext(), ranked.getDimSize(0));
}

/// A part of the elements of `rows` rows, which are numbered by ui32.
static LogicalResult verifyLargest(Operation *op, Type largest,
                                   VariableOp variable, int64_t rows) {
  RankedTensorType type = variable.getTensorType();
  const int64_t count = cast<RankedTensorType>(largest).getDimSize(0);
  const int64_t elements = getRowsType(type, rows).getNumElements();
  if (type.getElementType().isF32() && count >= 1 && count < elements &&
      elements <= UINT32_MAX)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "has the " << count << " largest of " << elements
                            << " elements of type " << type.getElementType()
                            << ": expected some of at most " << UINT32_MAX
                            << " elements of type f32";
  diag.attachNote(variable.getLoc())
      << "'@" << variable.getSymName() << "' is declared here";
  return diag;
}

int64_t SendOp::getSentRows() {
  return sendsLargest()
             ? cast<RankedTensorType>(getGradient().getType()).getDimSize(0)
             : getRows();
}

LogicalResult SendOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type type = getGradient().getType();
  FailureOr<VariableOp> variable =
      sendsLargest()
          ? lookUpVariable(*this, getVariableAttr(), symbols)
          : lookUpVariableOfShape(*this, getVariableAttr(), type, symbols);
  if (failed(variable) ||
      failed(verifyRows(*this, *variable, getRowOffset(), getRows())))
    return failure();
  return sendsLargest() ? verifyLargest(*this, type, *variable, getRows())
                        : success();
}

LogicalResult TakeLargestOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type type = getLargest().getType();
  if (!isLargestType(type))
    return emitOpError() << "has a result of type " << type
                         << ": expected tensor<Nx2xui32>";
  FailureOr<VariableOp> variable = lookUpVariableOfType(
      *this, getVariableAttr(), getGradient().getType(), symbols);
  if (failed(variable) ||
      failed(verifyRows(*this, *variable, getRowOffset(), getRows())))
    return failure();
  return verifyLargest(*this, type, *variable, getRows());
}

void TakeLargestOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), getVariableAttr(),
                       VariableResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), getVariableAttr(),
                       VariableResource::get());
}

void SendOp::getEffects(Effects &effects) { useNetwork(effects); }

void SendBarrierOp::getEffects(Effects &effects) { useNetwork(effects); }

LogicalResult RecvOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<VariableOp> variable =
      lookUpVariable(*this, getVariableAttr(), symbols);
  if (failed(variable))
    return failure();
  return verifyRows(*this, *variable, getRowOffset(), getRows());
}

void RecvOp::getEffects(Effects &effects) {
  useNetwork(effects);
  effects.emplace_back(MemoryEffects::Write::get(), getVariableAttr(),
                       VariableResource::get());
}

void FetchBarrierOp::getEffects(Effects &effects) { useNetwork(effects); }

void AllReduceOp::getEffects(Effects &effects) { useNetwork(effects); }

LogicalResult BroadcastOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return lookUpVariable(*this, getVariableAttr(), symbols);
}

void BroadcastOp::getEffects(Effects &effects) {
  useNetwork(effects);
  effects.emplace_back(MemoryEffects::Write::get(), getVariableAttr(),
                       VariableResource::get());
}

//===----------------------------------------------------------------------===//
// ListenAndServOp
//===----------------------------------------------------------------------===//

LogicalResult ListenAndServOp::verify() {
  llvm::StringMap<Operation *> blocks;
  ScheduleBlockOp schedule;
  for (Operation &op : getBody().front()) {
    if (auto found = dyn_cast<ScheduleBlockOp>(op)) {
      if (!schedule) {
        schedule = found;
        continue;
      }
      InFlightDiagnostic diag = emitOpError() << "has two schedule blocks";
      diag.attachNote(schedule.getLoc()) << "the first one is here";
      diag.attachNote(op.getLoc()) << "the second one is here";
      return diag;
    }
    auto block = dyn_cast<OptimizeBlockOp>(op);
    if (!block) {
      InFlightDiagnostic diag = emitOpError()
                                << "expects ps.optimize_block inside, found '"
                                << op.getName() << "'";
      diag.attachNote(op.getLoc()) << "it is here";
      return diag;
    }
    auto [first, inserted] = blocks.try_emplace(block.getVariable(), &op);
    if (!inserted) {
      InFlightDiagnostic diag = emitOpError() << "has two blocks for '"
                                              << block.getVariableAttr() << "'";
      diag.attachNote(first->second->getLoc()) << "the first one is here";
      diag.attachNote(op.getLoc()) << "the second one is here";
      return diag;
    }
  }
  return success();
}

/// Serving changes every variable of the program.
void ListenAndServOp::getEffects(Effects &effects) {
  useNetwork(effects);
  effects.emplace_back(MemoryEffects::Read::get(), VariableResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), VariableResource::get());
}

//===----------------------------------------------------------------------===//
// OptimizeBlockOp
//===----------------------------------------------------------------------===//

ParseResult OptimizeBlockOp::parse(OpAsmParser &parser,
                                   OperationState &result) {
  FlatSymbolRefAttr variable;
  SmallVector<OpAsmParser::Argument> arguments;
  Region *body = result.addRegion();
  if (parser.parseAttribute(variable, getVariableAttrName(result.name),
                            result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  auto parseNumber = [&](StringRef keyword, StringAttr name) -> ParseResult {
    IntegerAttr number;
    if (failed(parser.parseOptionalKeyword(keyword)))
      return success();
    return failure(parser.parseLParen() ||
                   parser.parseAttribute(number,
                                         parser.getBuilder().getI64Type(), name,
                                         result.attributes) ||
                   parser.parseRParen());
  };
  if (parseNumber("round", getRoundAttrName(result.name)) ||
      parseNumber("largest", getLargestAttrName(result.name)))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void OptimizeBlockOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getVariableAttr() << " (";
  llvm::interleaveComma(
      getBody().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ')';
  if (getRound() != 0)
    printer << " round(" << getRound() << ')';
  if (getLargest() != 0)
    printer << " largest(" << getLargest() << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getVariableAttrName(), getRoundAttrName(), getLargestAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

LogicalResult OptimizeBlockOp::verify() {
  const unsigned count = getBody().getNumArguments();
  if (count != 1 && count != 2)
    return emitOpError() << "expects the merged gradient as its argument, and "
                            "perhaps the block as it was pulled, found "
                         << count << " arguments";
  return success();
}

LogicalResult
OptimizeBlockOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Type gradient = getBody().getArgument(0).getType();
  if (auto table =
          symbols.lookupNearestSymbolFrom<TableOp>(*this, getVariableAttr())) {
    if (gradient != table.getRowsType())
      return emitOpError() << "expects " << table.getRowsType() << " for '"
                           << getVariableAttr() << "', found " << gradient;
    if (getPulled())
      return emitOpError() << "expects one argument for the table '"
                           << getVariableAttr() << "', found 2";
    return success();
  }
  if (getPulled() &&
      failed(lookUpVariableOfType(*this, getVariableAttr(),
                                  getPulled().getType(), symbols)))
    return failure();
  FailureOr<VariableOp> variable =
      lookUpVariableOfShape(*this, getVariableAttr(), gradient, symbols);
  if (failed(variable) || getLargest() == 0)
    return variable;
  return verifyLargest(*this, getPushedType(), *variable,
                       getRowCount(VariableOp(*variable).getTensorType()));
}

Type OptimizeBlockOp::getPushedType() {
  return getLargest() == 0 ? getBody().getArgument(0).getType()
                           : getLargestType(getContext(), getLargest());
}
