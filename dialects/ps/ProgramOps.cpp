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

LogicalResult SendOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<VariableOp> variable = lookUpVariableOfShape(
      *this, getVariableAttr(), getGradient().getType(), symbols);
  if (failed(variable))
    return failure();
  return verifyRows(*this, *variable, getRowOffset(), getRows());
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
  IntegerAttr round;
  if (succeeded(parser.parseOptionalKeyword("round")) &&
      (parser.parseLParen() ||
       parser.parseAttribute(round, parser.getBuilder().getI64Type(),
                             getRoundAttrName(result.name),
                             result.attributes) ||
       parser.parseRParen()))
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
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getVariableAttrName(), getRoundAttrName()});
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
  return lookUpVariableOfShape(*this, getVariableAttr(), gradient, symbols);
}
