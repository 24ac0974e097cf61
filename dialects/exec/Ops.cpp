// SPDX-License-Identifier: Apache-2.0
//===- Ops.cpp - ops of the exec dialect ----------------------------------===//

#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/TensorSize.h"

using namespace mlir;
using namespace ps::exec;

#include "dialects/exec/ExecEnums.cpp.inc"
#include "dialects/exec/ExecInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Syntax of transfers
//===----------------------------------------------------------------------===//

/// rows(0, 4) %a, rows(0, 8) %b
static ParseResult
parseParts(OpAsmParser &parser, DenseI64ArrayAttr &rowOffsets,
           DenseI64ArrayAttr &rows,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &buffers) {
  SmallVector<int64_t> offsets, counts;
  auto parsePart = [&]() -> ParseResult {
    return failure(
        parser.parseKeyword("rows") || parser.parseLParen() ||
        parser.parseInteger(offsets.emplace_back()) || parser.parseComma() ||
        parser.parseInteger(counts.emplace_back()) || parser.parseRParen() ||
        parser.parseOperand(buffers.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(parsePart))
    return failure();
  rowOffsets = parser.getBuilder().getDenseI64ArrayAttr(offsets);
  rows = parser.getBuilder().getDenseI64ArrayAttr(counts);
  return success();
}

static void printParts(OpAsmPrinter &printer, Operation *,
                       DenseI64ArrayAttr rowOffsets, DenseI64ArrayAttr rows,
                       OperandRange buffers) {
  auto parts =
      llvm::zip_equal(rowOffsets.asArrayRef(), rows.asArrayRef(), buffers);
  llvm::interleaveComma(parts, printer, [&](auto part) {
    auto [offset, count, buffer] = part;
    printer << "rows(" << offset << ", " << count << ") " << buffer;
  });
}

/// block("a", "b")
static ParseResult parseBlocks(OpAsmParser &parser, ArrayAttr &blocks) {
  SmallVector<Attribute> names;
  auto parseBlock = [&]() -> ParseResult {
    StringAttr name;
    if (parser.parseAttribute(name))
      return failure();
    names.push_back(name);
    return success();
  };
  if (parser.parseKeyword("block") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseBlock))
    return failure();
  blocks = parser.getBuilder().getArrayAttr(names);
  return success();
}

static void printBlocks(OpAsmPrinter &printer, Operation *, ArrayAttr blocks) {
  printer << "block(";
  llvm::interleaveComma(blocks, printer);
  printer << ')';
}

#define GET_OP_CLASSES
#include "dialects/exec/ExecOps.cpp.inc"

static ShapedType shapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

static Access accessWhole(Value buffer, bool write) {
  return {buffer, 0, getByteSize(shapedType(buffer)), write};
}

static Access accessRows(Value buffer, int64_t rowOffset, int64_t rows,
                         bool write) {
  int64_t rowBytes = getRowBytes(shapedType(buffer));
  return {buffer, rowOffset * rowBytes, (rowOffset + rows) * rowBytes, write};
}

static void addAccesses(SmallVector<Access> &accesses, ValueRange buffers,
                        bool write) {
  for (Value buffer : buffers)
    accesses.push_back(accessWhole(buffer, write));
}

//===----------------------------------------------------------------------===//
// Program and memory
//===----------------------------------------------------------------------===//

LogicalResult ProgramOp::verifyRegions() {
  for (Operation &op : getBody().front()) {
    if (!isa_and_nonnull<ExecDialect>(op.getDialect()) || isa<CallOp>(op))
      return op.emitOpError("is not allowed in an exec.program");
    for (Type type : op.getResultTypes())
      if (auto buffer = dyn_cast<ShapedType>(type);
          buffer && buffer.hasStaticShape() && !::stablehlo::countBytes(buffer))
        return op.emitOpError("is larger than the address space: ") << buffer;
  }
  return success();
}

int64_t ProgramOp::getArenaBytes(MemorySpace space) {
  return (space == MemorySpace::Host ? getArena() : getDeviceArena())
      .value_or(0);
}

/// What a program's `name` stands for: a variable, or the row of the table
/// that the program updates; null for anything else.
static RankedTensorType getVariableType(VariableOp op, FlatSymbolRefAttr name,
                                        SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(op, name);
  if (auto variable = dyn_cast_or_null<ps::VariableOp>(symbol))
    return variable.getTensorType();
  auto table = dyn_cast_or_null<ps::TableOp>(symbol);
  if (table && op->getParentOfType<ProgramOp>().getRowOfAttr() == name)
    return table.getRowType();
  return {};
}

LogicalResult VariableOp::verifySymbolUses(SymbolTableCollection &symbols) {
  RankedTensorType type = getVariableType(*this, getVariableAttr(), symbols);
  if (!type)
    return emitOpError("refers to unknown variable '@") << getVariable() << "'";
  MemRefType expected = getBufferType(type, getType().getMemorySpace());
  if (getType() != expected)
    return emitOpError("has type ") << getType() << ", but variable '@"
                                    << getVariable() << "' needs " << expected;
  return success();
}

LogicalResult ConstantOp::verify() {
  ShapedType value = getValue().getShapedType();
  if (value.getShape() != getType().getShape() ||
      value.getElementType() != getType().getElementType())
    return emitOpError("holds ") << value << ", but has type " << getType();
  return success();
}

LogicalResult ViewOp::verify() {
  ShapedType source = getSource().getType(), result = getType();
  if (source.getElementType() != result.getElementType() ||
      source.getNumElements() != result.getNumElements() ||
      getSource().getType().getMemorySpace() != getType().getMemorySpace())
    return emitOpError("cannot view ") << source << " as " << result;
  return success();
}

//===----------------------------------------------------------------------===//
// Computing nodes
//===----------------------------------------------------------------------===//

/// Checks one buffer against the kernel's type for it.
static LogicalResult verifyKernelBuffer(Operation *op, Value buffer,
                                        Type expectedType, int64_t rows,
                                        const Twine &what) {
  ShapedType actual = shapedType(buffer);
  auto expected = cast<ShapedType>(expectedType);
  int64_t elements = 1;
  for (int64_t size : expected.getShape())
    elements *= ShapedType::isDynamic(size) ? rows : size;
  if (actual.getElementType() != expected.getElementType() ||
      !actual.hasStaticShape() || actual.getNumElements() != elements)
    return op->emitOpError("passes ")
           << actual << " as " << what << ", which is " << expected
           << (rows >= 0 ? " of " + Twine(rows) + " rows" : Twine());
  return success();
}

/// Whether kernels work on `type`: a `?` stands for rows.
static bool isKernelType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return false;
  return tensor.getRank() == 0 ||
         !ShapedType::isDynamicShape(tensor.getShape().drop_front());
}

/// Checks a use of a kernel on `rows` rows, -1 for none.
static LogicalResult verifyKernelUse(Operation *op, FlatSymbolRefAttr name,
                                     int64_t rows, ValueRange inputs,
                                     ValueRange outputs,
                                     SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, name);
  if (!kernel || !isKernel(kernel))
    return op->emitOpError("refers to unknown kernel '@")
           << name.getValue() << "'";
  FunctionType type = kernel.getFunctionType();
  for (Type used :
       llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (!isKernelType(used))
      return op->emitOpError("expected kernel '@")
             << name.getValue() << "' to work on tensors of rows, found "
             << used;
  if (isRowKernel(kernel) != (rows >= 0))
    return op->emitOpError(rows >= 0 ? "gives rows to" : "gives no rows to")
           << (rows >= 0 ? " whole" : " row") << " kernel '@" << name.getValue()
           << "'";
  if (type.getNumInputs() != inputs.size() ||
      type.getNumResults() != outputs.size())
    return op->emitOpError("passes ")
           << inputs.size() << " arguments and " << outputs.size()
           << " results to kernel '@" << name.getValue() << "', which has "
           << type.getNumInputs() << " and " << type.getNumResults();
  for (auto [i, buffer] : llvm::enumerate(inputs))
    if (failed(verifyKernelBuffer(op, buffer, type.getInput(i), rows,
                                  "argument " + Twine(i))))
      return failure();
  for (auto [i, buffer] : llvm::enumerate(outputs))
    if (failed(verifyKernelBuffer(op, buffer, type.getResult(i), rows,
                                  "result " + Twine(i))))
      return failure();
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  int64_t rows = -1;
  if (kernel && isKernel(kernel) && isRowKernel(kernel) && getNumResults() > 0)
    if (auto type = dyn_cast<RankedTensorType>(getResultTypes().front());
        type && type.getRank() > 0)
      rows = type.getDimSize(0);
  return verifyKernelUse(*this, getKernelAttr(), rows, getInputs(),
                         getOutputs(), symbols);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyKernelUse(*this, getKernelAttr(), getRows().value_or(-1),
                         getInputs(), getOutputs(), symbols);
}

SmallVector<Access> LaunchOp::getAccesses() {
  SmallVector<Access> accesses;
  addAccesses(accesses, getInputs(), /*write=*/false);
  addAccesses(accesses, getOutputs(), /*write=*/true);
  return accesses;
}

LogicalResult GemmOp::verify() {
  auto check = [&](Value buffer, int64_t rows, int64_t columns,
                   StringRef name) -> LogicalResult {
    ShapedType type = shapedType(buffer);
    if (type.getElementType().isF32() &&
        type.getNumElements() == int64_t(getBatch()) * rows * columns)
      return success();
    return emitOpError("takes ")
           << type << " for " << name << ", expected f32 of " << getBatch()
           << "x" << rows << "x" << columns;
  };
  if (failed(check(getA(), getM(), getK(), "a")) ||
      failed(check(getB(), getK(), getN(), "b")) ||
      failed(check(getC(), getM(), getN(), "c")))
    return failure();
  return success();
}

LogicalResult GemmOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getEpilogue())
    return success();
  return verifyKernelUse(*this, getEpilogueAttr(), getBatch() * getM(),
                         getEpilogueInputs(), getEpilogueOutputs(), symbols);
}

SmallVector<Access> GemmOp::getAccesses() {
  SmallVector<Access> accesses;
  addAccesses(accesses, {getA(), getB()}, /*write=*/false);
  addAccesses(accesses, {getC()}, /*write=*/true);
  for (Value input : getEpilogueInputs())
    if (input != getC())
      accesses.push_back(accessWhole(input, /*write=*/false));
  addAccesses(accesses, getEpilogueOutputs(), /*write=*/true);
  return accesses;
}

LogicalResult CopyOp::verify() {
  ShapedType source = getSource().getType(), target = getTarget().getType();
  if (source.getElementType() != target.getElementType() ||
      source.getNumElements() != target.getNumElements())
    return emitOpError("cannot copy ") << source << " to " << target;
  return success();
}

SmallVector<Access> CopyOp::getAccesses() {
  return {accessWhole(getSource(), /*write=*/false),
          accessWhole(getTarget(), /*write=*/true)};
}

LogicalResult CheckOp::verify() {
  if (getActual().getType() != getExpected().getType())
    return emitOpError("compares ")
           << getActual().getType() << " with " << getExpected().getType();
  Type element = shapedType(getActual()).getElementType();
  if (getComparison() != Comparison::Eq && !isa<FloatType>(element))
    return emitOpError("'") << stringifyComparison(getComparison())
                            << "' compares floats only, found " << element;
  return success();
}

SmallVector<Access> CheckOp::getAccesses() {
  return {accessWhole(getActual(), /*write=*/false),
          accessWhole(getExpected(), /*write=*/false)};
}

SmallVector<Access> MetricOp::getAccesses() {
  SmallVector<Access> accesses;
  addAccesses(accesses, getInputs(), /*write=*/false);
  return accesses;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Rank 0 counts as one row.
static LogicalResult verifyRows(Operation *op, Value buffer, int64_t rowOffset,
                                int64_t rows) {
  ShapedType type = shapedType(buffer);
  int64_t size = type.getRank() ? type.getDimSize(0) : 1;
  if (rowOffset >= 0 && rows > 0 && rows <= size && rowOffset <= size - rows)
    return success();
  return op->emitOpError("names ")
         << rows << " rows from row " << rowOffset << " of " << size;
}

template <typename TransferOp>
static LogicalResult verifyParts(TransferOp op) {
  size_t parts = op.getBuffers().size();
  if (parts == 0 || op.getBlocks().size() != parts)
    return op.emitOpError("expects a block for each of its ")
           << parts << " buffers, at least one, found "
           << op.getBlocks().size();
  if (op.getRowOffsets().size() != parts || op.getRows().size() != parts)
    return op.emitOpError("expects the rows of each of its ")
           << parts << " buffers, found " << op.getRows().size();
  for (auto [buffer, offset, rows] :
       llvm::zip_equal(op.getBuffers(), op.getRowOffsets(), op.getRows()))
    if (failed(verifyRows(op, buffer, offset, rows)))
      return failure();
  return success();
}

template <typename TransferOp>
static SmallVector<Access> accessParts(TransferOp op, bool write) {
  SmallVector<Access> accesses;
  for (auto [buffer, offset, rows] :
       llvm::zip_equal(op.getBuffers(), op.getRowOffsets(), op.getRows()))
    accesses.push_back(accessRows(buffer, offset, rows, write));
  return accesses;
}

LogicalResult SendOp::verify() { return verifyParts(*this); }

SmallVector<Access> SendOp::getAccesses() {
  return accessParts(*this, /*write=*/false);
}

LogicalResult RecvOp::verify() { return verifyParts(*this); }

SmallVector<Access> RecvOp::getAccesses() {
  return accessParts(*this, /*write=*/true);
}

SmallVector<Access> SendBarrierOp::getAccesses() { return {}; }
SmallVector<Access> FetchBarrierOp::getAccesses() { return {}; }

LogicalResult CarryOp::verify() {
  Operation *late = getLate().getDefiningOp();
  if (late && late->hasTrait<InExchange>())
    return success();
  return emitOpError(
      "expects the token of a node of the exchange with the pservers");
}

LogicalResult AllReduceOp::verify() {
  if (llvm::equal(getGradients().getTypes(), getMeans().getTypes()))
    return success();
  return emitOpError("expects a mean of the type of each gradient, found ")
         << getMeans().getTypes() << " for " << getGradients().getTypes();
}

SmallVector<Access> AllReduceOp::getAccesses() {
  SmallVector<Access> accesses;
  addAccesses(accesses, getGradients(), /*write=*/false);
  addAccesses(accesses, getMeans(), /*write=*/true);
  return accesses;
}

SmallVector<Access> BroadcastOp::getAccesses() {
  return {accessWhole(getVariable(), /*write=*/true)};
}

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
