// SPDX-License-Identifier: Apache-2.0
//===- ControlFlowOps.cpp - ops whose regions may run, or run again -------===//
//
// Syntax and verifiers. Their regions may use values from outside, and hold any
// op: passes replace these ops early, by what their regions hold.
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stablehlo;

/// Checks that `region` of `op`, called `what`, returns values of `types`.
static LogicalResult verifyReturns(Operation *op, Region &region,
                                   StringRef what, TypeRange types) {
  TypeRange returned = region.front().getTerminator()->getOperandTypes();
  if (areCompatible(returned, types))
    return success();
  return op->emitOpError() << "expected a " << what << " that returns "
                           << SmallVector<Type>(types) << ", found "
                           << SmallVector<Type>(returned);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

/// Parses `%iterArg = %0, ..` in parentheses.
static ParseResult
parseBindings(OpAsmParser &parser,
              SmallVectorImpl<OpAsmParser::Argument> &arguments,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        return failure(parser.parseArgument(arguments.emplace_back()) ||
                       parser.parseEqual() ||
                       parser.parseOperand(operands.emplace_back()));
      });
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  if (parseBindings(parser, arguments, operands) ||
      parser.parseOptionalColonTypeList(types) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.resolveOperands(operands, types, loc, state.operands))
    return failure();
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  state.addTypes(types);
  return failure(parser.parseKeyword("cond") ||
                 parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*state.addRegion(), arguments));
}

/// The names of the arguments stand once, for both regions.
void WhileOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperands()),
                        printer, [&](auto binding) {
                          printer << std::get<0>(binding) << " = "
                                  << std::get<1>(binding);
                        });
  printer << ")";
  if (getNumOperands() != 0)
    printer << " : ";
  llvm::interleaveComma(getOperandTypes(), printer);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult WhileOp::verifyRegions() {
  if (!areCompatible(getOperandTypes(), getResultTypes()))
    return emitOpError() << "expected results of types " << getOperandTypes()
                         << ", found " << getResultTypes();
  for (Region *region : getRegions())
    if (!areCompatible(region->getArgumentTypes(), getOperandTypes()))
      return emitOpError() << "expected regions with arguments "
                           << getOperandTypes() << ", found "
                           << SmallVector<Type>(region->getArgumentTypes());
  auto boolean = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(verifyReturns(*this, getCond(), "condition", TypeRange(boolean))))
    return failure();
  return verifyReturns(*this, getBody(), "body", getOperandTypes());
}

//===----------------------------------------------------------------------===//
// case, if
//===----------------------------------------------------------------------===//

static LogicalResult verifyBranches(Operation *op) {
  for (Region &branch : op->getRegions()) {
    if (branch.getNumArguments() != 0)
      return op->emitOpError() << "expected branches without arguments, found "
                               << branch.getNumArguments();
    if (failed(verifyReturns(op, branch, "branch", op->getResultTypes())))
      return failure();
  }
  return success();
}

LogicalResult CaseOp::verifyRegions() {
  if (getBranches().empty())
    return emitOpError() << "expected at least one branch";
  return verifyBranches(*this);
}

LogicalResult IfOp::verifyRegions() { return verifyBranches(*this); }

//===----------------------------------------------------------------------===//
// composite
//===----------------------------------------------------------------------===//

CallInterfaceCallable CompositeOp::getCallableForCallee() {
  return getDecompositionAttr();
}

void CompositeOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  setDecompositionAttr(cast<FlatSymbolRefAttr>(callee.get<SymbolRefAttr>()));
}

Operation::operand_range CompositeOp::getArgOperands() { return getInputs(); }

MutableOperandRange CompositeOp::getArgOperandsMutable() {
  return getInputsMutable();
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getDecompositionAttr());
  if (!function)
    return emitOpError() << "refers to unknown function '"
                         << getDecompositionAttr() << "'";
  if (!llvm::equal(function.getArgumentTypes(), getOperandTypes()) ||
      !llvm::equal(function.getResultTypes(), getResultTypes()))
    return emitOpError() << "calls '" << getDecompositionAttr()
                         << "', which takes " << function.getArgumentTypes()
                         << " and returns " << function.getResultTypes();
  return success();
}
