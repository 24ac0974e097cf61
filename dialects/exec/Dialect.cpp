//===- Dialect.cpp - the exec dialect -------------------------------------===//

#include "dialects/exec/ExecDialect.h"
#include "dialects/stablehlo/TensorSize.h"

using namespace mlir;
using namespace ps::exec;

#include "dialects/exec/ExecDialect.cpp.inc"

void ExecDialect::initialize() {
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

MemRefType ps::exec::getBufferType(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType());
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
