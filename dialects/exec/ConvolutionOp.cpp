// SPDX-License-Identifier: Apache-2.0
//===- ConvolutionOp.cpp - the verifier of exec.convolution ---------------===//
//
// What a library would read and write outside of a buffer is refused here.
//
//===----------------------------------------------------------------------===//

#include "dialects/exec/Accesses.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;
using namespace ps::exec;

Value ConvolutionOp::getInput() {
  return getKind() == ConvolutionKind::BackwardInput ? getResult() : getLhs();
}

Value ConvolutionOp::getKernel() {
  return getKind() == ConvolutionKind::BackwardKernel ? getResult() : getRhs();
}

Value ConvolutionOp::getOutput() {
  switch (getKind()) {
  case ConvolutionKind::Forward:
    return getResult();
  case ConvolutionKind::BackwardInput:
    return getLhs();
  case ConvolutionKind::BackwardKernel:
    return getRhs();
  }
  llvm_unreachable("unknown kind of convolution");
}

/// Checks that a tensor of `sizes`, whose neighbors are `layout` apart, has as
/// many elements as the buffer and lies in it.
static LogicalResult verifyLayout(ConvolutionOp op, StringRef what,
                                  Value buffer, ArrayRef<int64_t> sizes,
                                  ArrayRef<int64_t> layout) {
  ShapedType type = shapedType(buffer);
  if (!type.getElementType().isF32())
    return op.emitOpError("takes ")
           << type << " for the " << what << ", expected f32";
  if (layout.size() != sizes.size())
    return op.emitOpError("expected a layout of ")
           << sizes.size() << " dimensions for the " << what << ", found "
           << layout.size();
  int64_t count = 1, last = 0;
  bool fits = true;
  for (auto [size, distance] : llvm::zip(sizes, layout)) {
    int64_t reach;
    fits &= size > 0 && distance > 0 &&
            !llvm::MulOverflow(count, size, count) &&
            !llvm::MulOverflow(size - 1, distance, reach) &&
            !llvm::AddOverflow(last, reach, last);
    if (!fits)
      break;
  }
  if (fits && count == type.getNumElements() && last == count - 1)
    return success();
  return op.emitOpError("expected a layout that covers ")
         << type << " for the " << what << " of sizes [" << sizes
         << "], found [" << layout << "]";
}

/// The sizes of the features and the batch before those of spatial dimensions.
static SmallVector<int64_t> join(ArrayRef<int64_t> leading,
                                 ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> sizes(leading);
  llvm::append_range(sizes, spatial);
  return sizes;
}

/// Whether sizes and padding agree, the library knows.
static LogicalResult verifySpatial(ConvolutionOp op) {
  const size_t rank = op.getInputSizes().size();
  for (ArrayRef<int64_t> list :
       {op.getKernelSizes(), op.getOutputSizes(), op.getStrides(),
        op.getDilations(), op.getPadding()})
    if (list.size() != rank)
      return op.emitOpError("expected lists of ")
             << rank << " spatial dimensions, found one of " << list.size();
  constexpr int64_t most = int64_t(1) << 31;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t sizes[] = {op.getInputSizes()[i], op.getKernelSizes()[i],
                             op.getOutputSizes()[i], op.getStrides()[i],
                             op.getDilations()[i]};
    for (int64_t size : sizes)
      if (size <= 0 || size >= most)
        return op.emitOpError("expected positive sizes below 2^31, found ")
               << size;
    if (op.getPadding()[i] < 0 || op.getPadding()[i] >= most)
      return op.emitOpError("expected padding from 0 to below 2^31, found ")
             << op.getPadding()[i];
  }
  return success();
}

LogicalResult ConvolutionOp::verify() {
  if (failed(verifySpatial(*this)))
    return failure();
  const int64_t batch = getBatch(), groups = getGroups();
  const int64_t inputs = getInputFeatures(), outputs = getOutputFeatures();
  constexpr int64_t most = int64_t(1) << 31;
  for (int64_t count : {batch, groups, inputs, outputs})
    if (count >= most)
      return emitOpError("expected counts below 2^31, found ") << count;
  if (!isOnHost(cast<BaseMemRefType>(getResult().getType())))
    return emitOpError("works on the host only");
  return failure(
      failed(verifyLayout(*this, "input", getInput(),
                          join({batch, groups * inputs}, getInputSizes()),
                          getInputLayout())) ||
      failed(verifyLayout(*this, "kernel", getKernel(),
                          join({groups, outputs, inputs}, getKernelSizes()),
                          getKernelLayout())) ||
      failed(verifyLayout(*this, "output", getOutput(),
                          join({batch, groups * outputs}, getOutputSizes()),
                          getOutputLayout())));
}

SmallVector<Access> ConvolutionOp::getAccesses() {
  SmallVector<Access> accesses;
  addAccesses(accesses, {getLhs(), getRhs()}, /*write=*/false);
  addAccesses(accesses, {getResult()}, /*write=*/true);
  return accesses;
}
