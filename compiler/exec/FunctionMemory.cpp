// SPDX-License-Identifier: Apache-2.0
//===- FunctionMemory.cpp - the memory that a function's values are in ----===//

#include "compiler/exec/FunctionMemory.h"
#include "compiler/exec/Storage.h"

using namespace mlir;
using namespace ps;

/// The table whose update takes the rows `argument`; null for other arguments.
static FlatSymbolRefAttr getUpdatedTable(BlockArgument argument) {
  for (Operation *user : argument.getUsers())
    if (auto update = dyn_cast<UpdateRowsOp>(user))
      return update.getTableAttr();
  return {};
}

/// Null for what is not of one worker alone.
IntegerAttr FunctionMemory::getWorkerAttr(Value value) const {
  std::optional<int64_t> worker = plan.getWorker(value);
  return worker ? builder.getI64IntegerAttr(*worker) : IntegerAttr();
}

/// Null for an argument that cannot be fed.
Value FunctionMemory::emitFeed(BlockArgument argument, StringAttr name) {
  Location loc = argument.getLoc();
  Type type = argument.getType();
  if (auto rows = dyn_cast<RowsType>(type)) {
    FlatSymbolRefAttr table = getUpdatedTable(argument);
    if (!table)
      return {};
    const bool isInHbm =
        hbm && symbols.lookup<TableOp>(table.getValue()).getHbmTier();
    return builder.create<exec::RowsOp>(loc, rows, table.getValue(),
                                        /*lookups=*/0, name, isInHbm);
  }
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.hasStaticShape())
    return builder.create<exec::FeedOp>(loc, exec::getBufferType(tensor), name,
                                        getWorkerAttr(argument));
  return builder.create<exec::RaggedFeedOp>(loc, exec::getBufferType(tensor),
                                            name, getWorkerAttr(argument));
}

LogicalResult FunctionMemory::emitFeeds() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto name =
        function.getArgAttrOfType<StringAttr>(i, PSDialect::feedAttrName);
    if (!name)
      return emitError(argument.getLoc(), "argument ")
             << i << " of '@" << function.getSymName()
             << "' has no ps.feed name";
    buffers[argument] = emitFeed(argument, name);
    if (!buffers[argument])
      return emitError(argument.getLoc(), "argument ")
             << i << " of '@" << function.getSymName()
             << "' holds rows that update no table";
  }
  return success();
}

Value FunctionMemory::getVariable(StringRef name, RankedTensorType type,
                                  Location loc) {
  Value &variable = variables[name];
  if (variable)
    return variable;
  auto declared =
      builder.create<exec::VariableOp>(loc, exec::getBufferType(type), name);
  // What names a table, or a slot of one, is in its rows.
  if (auto source = symbols.lookup<VariableOp>(name))
    if (Attribute pulled = source->getAttr(pulledAttrName))
      declared->setAttr(pulledAttrName, pulled);
  return variable = declared;
}

void FunctionMemory::bindRead(ReadOp read) {
  StringRef variable = read.getVariable();
  buffers[read] = getVariable(variable, cast<RankedTensorType>(read.getType()),
                              read.getLoc());
  residents[variable].push_back(read);
}

SmallVector<Value> FunctionMemory::getBuffers(ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values)
    result.push_back(getBuffer(value));
  return result;
}

Value FunctionMemory::createBuffer(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = value.getLoc();
  AssignOp assign = plan.getPlace(value);
  if (!assign)
    return buffers[value] = builder.create<exec::BufferOp>(
               loc, exec::getBufferType(type), /*offset=*/IntegerAttr(),
               getWorkerAttr(value));
  StringRef name = assign.getVariable();
  beforeWrite(name, value.getDefiningOp());
  residents[name].push_back(value);
  Value variable = getVariable(
      name, cast<RankedTensorType>(assign.getValue().getType()), loc);
  if (assign.getValue().getType() != type)
    variable =
        builder.create<exec::ViewOp>(loc, exec::getBufferType(type), variable);
  return buffers[value] = variable;
}

/// A view of a product that is computed with its epilogue stands before both
/// and is made on its first use.
Value FunctionMemory::getBuffer(Value value) {
  if (!value)
    return {};
  auto reshape = value.getDefiningOp<stablehlo::ReshapeOp>();
  if (reshape && !buffers.contains(value))
    emitView(reshape);
  return buffers.lookup(value);
}

void FunctionMemory::emitView(stablehlo::ReshapeOp op) {
  buffers[op.getResult()] = builder.create<exec::ViewOp>(
      op.getLoc(), exec::getBufferType(cast<RankedTensorType>(op.getType())),
      getBuffer(op.getOperand()));
}

void FunctionMemory::beforeWrite(StringRef variable, Operation *writer) {
  for (Value value : residents[variable])
    copyOut(value, writer);
  residents[variable].clear();
}

/// Gives `value` memory of its own if it is needed after `writer`.
void FunctionMemory::copyOut(Value value, Operation *writer) {
  if (!plan.isUsedAfter(value, writer))
    return;
  Location loc = writer->getLoc();
  Value old = getBuffer(value);
  Value copy = builder.create<exec::BufferOp>(
      loc, cast<MemRefType>(old.getType()), /*offset=*/IntegerAttr(),
      getWorkerAttr(value));
  builder.create<exec::CopyOp>(loc, builder.getType<TokenType>(), old, copy,
                               ValueRange());
  buffers[value] = copy;
  rebindViews(value);
}

void FunctionMemory::rebindViews(Value value) {
  for (Operation *user : value.getUsers()) {
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(user);
    if (!reshape || !buffers.contains(reshape.getResult()))
      continue;
    emitView(reshape);
    rebindViews(reshape.getResult());
  }
}

Value FunctionMemory::getConstant(ElementsAttr value, Location loc) {
  Value &constant = constants[value];
  if (!constant)
    constant = builder.create<exec::ConstantOp>(
        loc, exec::getBufferType(cast<RankedTensorType>(value.getShapedType())),
        value);
  return constant;
}
