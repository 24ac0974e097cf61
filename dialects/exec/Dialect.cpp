// SPDX-License-Identifier: Apache-2.0
//===- Dialect.cpp - the exec dialect -------------------------------------===//

#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/TensorSize.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ps::exec;

#include "dialects/exec/ExecDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/exec/ExecAttrs.cpp.inc"

void ExecDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/exec/ExecAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/exec/ExecOps.cpp.inc"
      >();
}

int64_t ps::exec::getByteWidth(Type elementType) {
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

int64_t ps::exec::getByteSize(ShapedType type) {
  std::optional<int64_t> bytes = ::stablehlo::countBytes(type);
  assert(bytes && "programs are verified");
  return *bytes;
}

int64_t ps::exec::getRowBytes(ShapedType type) {
  int64_t bytes = getByteWidth(type.getElementType());
  for (int64_t size : type.getShape().drop_front(type.getRank() ? 1 : 0))
    bytes *= size;
  return bytes;
}

MemRefType ps::exec::getBufferType(RankedTensorType type, Attribute space) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

MemorySpace ps::exec::getMemorySpace(BaseMemRefType type) {
  auto space = dyn_cast_or_null<MemorySpaceAttr>(type.getMemorySpace());
  return space ? space.getValue() : MemorySpace::Host;
}

bool ps::exec::isOnHost(BaseMemRefType type) { return !type.getMemorySpace(); }

bool ps::exec::isInMemorySpace(BaseMemRefType type) {
  return isOnHost(type) || getMemorySpace(type) == MemorySpace::Device;
}

LogicalResult ps::exec::verifyOneMemorySpace(Operation *op) {
  BaseMemRefType first;
  for (Type type : op->getOperandTypes()) {
    auto buffer = dyn_cast<BaseMemRefType>(type);
    if (!buffer)
      continue;
    if (!first)
      first = buffer;
    if (buffer.getMemorySpace() != first.getMemorySpace())
      return op->emitOpError("works within one memory space, found ")
             << first << " and " << buffer
             << ": copy one of them with exec.copy";
  }
  return success();
}

bool ps::exec::isKernel(func::FuncOp function) {
  return function->hasAttr(ExecDialect::kernelAttrName);
}

bool ps::exec::isRowKernel(func::FuncOp kernel) {
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  FunctionType type = kernel.getFunctionType();
  return llvm::any_of(type.getInputs(), isDynamic) ||
         llvm::any_of(type.getResults(), isDynamic);
}
