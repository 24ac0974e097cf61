// SPDX-License-Identifier: Apache-2.0
//===- BufferView.cpp - memrefs made of pointers --------------------------===//

#include "compiler/kernels/BufferView.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

using namespace mlir;

bool ps::hasRows(MemRefType type) {
  return type.getRank() > 0 && type.isDynamicDim(0);
}

int64_t ps::getBufferBytes(MemRefType type) {
  ArrayRef<int64_t> shape = type.getShape();
  if (hasRows(type))
    shape = shape.drop_front();
  int64_t bits = std::max(8u, type.getElementTypeBitWidth());
  return ShapedType::getNumElements(shape) * (bits / 8);
}

Value ps::makeMemRef(ImplicitLocOpBuilder &b, MemRefType type, Value pointer,
                     Value rows) {
  LLVMTypeConverter converter(b.getContext());
  MemRefDescriptor desc =
      MemRefDescriptor::undef(b, b.getLoc(), converter.convertType(type));
  desc.setAllocatedPtr(b, b.getLoc(), pointer);
  desc.setAlignedPtr(b, b.getLoc(), pointer);
  desc.setConstantOffset(b, b.getLoc(), 0);
  int64_t stride = 1;
  for (int i = type.getRank() - 1; i >= 0; --i) {
    desc.setConstantStride(b, b.getLoc(), i, stride);
    // Only the leading dimension may be dynamic, so nothing follows.
    if (type.isDynamicDim(i)) {
      desc.setSize(b, b.getLoc(), i, rows);
      break;
    }
    desc.setConstantSize(b, b.getLoc(), i, type.getDimSize(i));
    stride *= type.getDimSize(i);
  }
  Value value = desc;
  return b.create<UnrealizedConversionCastOp>(type, value).getResult(0);
}
