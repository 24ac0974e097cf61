// SPDX-License-Identifier: Apache-2.0
//===- Ops.cpp - ops of the exec dialect ----------------------------------===//

#include "dialects/exec/Accesses.h"
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

static bool addsBias(Epilogue epilogue) {
  return epilogue != Epilogue::Relu && epilogue != Epilogue::Gelu;
}

/// The operands of a fused epilogue; what its kernel computes, ps-verify-exec
/// knows.
static LogicalResult verifyFused(GemmOp op) {
  if (!op.getFused())
    return success();
  const bool hasBias = addsBias(*op.getFused());
  if (op.getEpilogueInputs().size() != (hasBias ? 2 : 1) ||
      llvm::count(op.getEpilogueInputs(), op.getC()) != 1 ||
      op.getEpilogueOutputs().size() != 1)
    return op.emitOpError("expects the fused epilogue '")
           << stringifyEpilogue(*op.getFused()) << "' to work with c"
           << (hasBias ? ", a bias" : "") << " and one result";
  if (hasBias &&
      shapedType(op.getBias()).getNumElements() != int64_t(op.getN()))
    return op.emitOpError("adds a bias of ")
           << op.getBias().getType() << " to rows of " << op.getN();
  return success();
}

/// Sums over k of rows of k, not of columns.
static LogicalResult verifyBiasGradient(GemmOp op) {
  if (!op.getSummed())
    return success();
  const bool ofA = *op.getSummed() == Factor::A;
  if (op.getFused() || op.getBatch() != 1 ||
      (ofA ? !op.getTransposeA() : op.getTransposeB()))
    return op.emitOpError("sums rows of an operand that has k of them, in one "
                          "product without a fused epilogue");
  const int64_t columns = ofA ? op.getM() : op.getN();
  if (ShapedType type = shapedType(op.getBiasGradient());
      type.getNumElements() != columns)
    return op.emitOpError("sums ") << columns << " columns into " << type;
  return success();
}

LogicalResult GemmOp::verify() {
  // The operands are of one type, the result is f32.
  const bool isBf16 = multipliesBf16();
  auto check = [&](Value buffer, int64_t rows, int64_t columns,
                   StringRef name) -> LogicalResult {
    ShapedType type = shapedType(buffer);
    const bool expectsBf16 = isBf16 && buffer != getC();
    if ((expectsBf16 ? type.getElementType().isBF16()
                     : type.getElementType().isF32()) &&
        type.getNumElements() == int64_t(getBatch()) * rows * columns)
      return success();
    return emitOpError("takes ") << type << " for " << name << ", expected "
                                 << (expectsBf16 ? "bf16" : "f32") << " of "
                                 << getBatch() << "x" << rows << "x" << columns;
  };
  if (failed(check(getA(), getM(), getK(), "a")) ||
      failed(check(getB(), getK(), getN(), "b")) ||
      failed(check(getC(), getM(), getN(), "c")))
    return failure();
  if ((getFused() || getSummed()) &&
      isOnHost(cast<BaseMemRefType>(getC().getType())))
    return emitOpError("does the work of other kernels on a device only");
  if (failed(verifyFused(*this)))
    return failure();
  return verifyBiasGradient(*this);
}

bool GemmOp::multipliesBf16() {
  return shapedType(getA()).getElementType().isBF16();
}

Value GemmOp::getSummedOperand() {
  if (!getSummed())
    return {};
  return *getSummed() == Factor::A ? getA() : getB();
}

Value GemmOp::getBias() {
  for (Value input : getEpilogueInputs())
    if (getFused() && input != getC())
      return input;
  return {};
}

LogicalResult GemmOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (getEpilogue() && failed(verifyKernelUse(
                           *this, getEpilogueAttr(), getBatch() * getM(),
                           getEpilogueInputs(), getEpilogueOutputs(), symbols)))
    return failure();
  if (!getSummed())
    return success();
  return verifyKernelUse(*this, getBiasGradientKernelAttr(), /*rows=*/-1,
                         getSummedOperand(), getBiasGradient(), symbols);
}

SmallVector<Access> GemmOp::getAccesses() {
  SmallVector<Access> accesses;
  addAccesses(accesses, {getA(), getB()}, /*write=*/false);
  addAccesses(accesses, {getC()}, /*write=*/true);
  for (Value input : getEpilogueInputs())
    if (input != getC())
      accesses.push_back(accessWhole(input, /*write=*/false));
  addAccesses(accesses, getEpilogueOutputs(), /*write=*/true);
  if (Value sums = getBiasGradient())
    accesses.push_back(accessWhole(sums, /*write=*/true));
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
static LogicalResult verifyParts(TransferOp op, ValueRange buffers) {
  size_t parts = buffers.size();
  if (parts == 0 || op.getBlocks().size() != parts)
    return op.emitOpError("expects a block for each of its ")
           << parts << " buffers, at least one, found "
           << op.getBlocks().size();
  if (op.getRowOffsets().size() != parts || op.getRows().size() != parts)
    return op.emitOpError("expects the rows of each of its ")
           << parts << " buffers, found " << op.getRows().size();
  for (auto [buffer, offset, rows] :
       llvm::zip_equal(buffers, op.getRowOffsets(), op.getRows()))
    if (failed(verifyRows(op, buffer, offset, rows)))
      return failure();
  return success();
}

template <typename TransferOp>
static SmallVector<Access> accessParts(TransferOp op, ValueRange buffers,
                                       bool write) {
  SmallVector<Access> accesses;
  for (auto [buffer, offset, rows] :
       llvm::zip_equal(buffers, op.getRowOffsets(), op.getRows()))
    accesses.push_back(accessRows(buffer, offset, rows, write));
  return accesses;
}

LogicalResult SendOp::verify() { return verifyParts(*this, getBuffers()); }

SmallVector<Access> SendOp::getAccesses() {
  return accessParts(*this, getBuffers(), /*write=*/false);
}

LogicalResult TakeLargestOp::verify() {
  ShapedType gradient = shapedType(getGradient());
  ShapedType unsent = shapedType(getUnsent());
  ShapedType largest = shapedType(getLargest());
  if (!gradient.getElementType().isF32() || unsent != gradient)
    return emitOpError(
               "expects gradient and unsent of one type, of f32, found ")
           << gradient << " and " << unsent;
  if (largest.getRank() != 2 || largest.getDimSize(1) != 2 ||
      !largest.getElementType().isUnsignedInteger(32))
    return emitOpError("expects outs of type memref<Nx2xui32>, found ")
           << largest;
  return verifyRows(*this, getUnsent(), getRowOffset(), getRows());
}

SmallVector<Access> TakeLargestOp::getAccesses() {
  return {accessRows(getGradient(), getRowOffset(), getRows(), /*write=*/false),
          accessRows(getUnsent(), getRowOffset(), getRows(), /*write=*/false),
          accessRows(getUnsent(), getRowOffset(), getRows(), /*write=*/true),
          accessWhole(getLargest(), /*write=*/true)};
}

LogicalResult RecvOp::verify() { return verifyParts(*this, getBuffers()); }

SmallVector<Access> RecvOp::getAccesses() {
  return accessParts(*this, getBuffers(), /*write=*/true);
}

LogicalResult PushPullOp::verify() {
  if (failed(verifyParts(*this, getGradients())) ||
      failed(verifyParts(*this, getVariables())))
    return failure();
  for (auto [gradient, variable] :
       llvm::zip_equal(getGradients(), getVariables()))
    if (gradient.getType() != variable.getType())
      return emitOpError("expects gradients of the types of their variables, "
                         "found ")
             << gradient.getType() << " into " << variable.getType();
  return success();
}

SmallVector<Access> PushPullOp::getAccesses() {
  SmallVector<Access> accesses =
      accessParts(*this, getGradients(), /*write=*/false);
  llvm::append_range(accesses,
                     accessParts(*this, getVariables(), /*write=*/true));
  return accesses;
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

bool ps::exec::isQueuedOnDevice(Operation *node) {
  if (!isa<LaunchOp, GemmOp, CopyOp>(node))
    return false;
  return llvm::all_of(
      cast<NodeOpInterface>(node).getAccesses(), [](const Access &access) {
        return !isOnHost(cast<BaseMemRefType>(access.buffer.getType()));
      });
}

LogicalResult GraphOp::verify() {
  Operation *last = nullptr;
  for (Value token : getTokens()) {
    Operation *node = token.getDefiningOp();
    if (!node || !isQueuedOnDevice(node))
      return emitOpError("expects tokens of kernels, products and copies "
                         "within #exec.space<device>");
    if (last && !last->isBeforeInBlock(node))
      return emitOpError("expects tokens in the order of their nodes");
    last = node;
  }
  return success();
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

/// Trainer 0 reads the value that the others get.
SmallVector<Access> BroadcastOp::getAccesses() {
  return {accessWhole(getVariable(), /*write=*/false),
          accessWhole(getVariable(), /*write=*/true)};
}
