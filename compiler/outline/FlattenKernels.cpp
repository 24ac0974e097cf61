// SPDX-License-Identifier: Apache-2.0
//===- FlattenKernels.cpp - makes elementwise kernels shapeless -----------===//
//
//  1. For every launch of a row kernel that is elementwise and takes nothing
//     but tensors of the results' shape and scalars: build the same kernel over
//     vectors and launch it on the elements.
//  2. Erase the kernels that no program uses any more.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/outline/KernelAnalysis.h"
#include "compiler/outline/KernelLibrary.h"
#include "dialects/exec/ExecDialect.h"

namespace ps {
#define GEN_PASS_DEF_FLATTENKERNELS
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

namespace {

bool isScalar(Type type) { return cast<RankedTensorType>(type).getRank() == 0; }

/// An iota or a broadcast of a vector depends on an element's position in its
/// row, which a flat kernel does not know. Kernels of rank 1 are flat already.
bool canFlatten(func::FuncOp kernel) {
  if (!isElementwiseKernel(kernel))
    return false;
  auto shape = cast<RankedTensorType>(kernel.getResultTypes().front());
  if (shape.getRank() < 2)
    return false;
  for (Type type : kernel.getArgumentTypes())
    if (!isScalar(type) &&
        cast<RankedTensorType>(type).getShape() != shape.getShape())
      return false;
  return llvm::none_of(kernel.front(), [](Operation &op) {
    if (isa<stablehlo::IotaOp>(op))
      return true;
    auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
    return broadcast && !isScalar(broadcast.getOperand().getType());
  });
}

/// The kernel over vectors, in no module.
func::FuncOp flatten(func::FuncOp kernel) {
  func::FuncOp flat = kernel.clone();
  auto flattenType = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() != 0)
      value.setType(type.clone(ArrayRef<int64_t>{ShapedType::kDynamic}));
  };
  Block &body = flat.front();
  for (BlockArgument argument : body.getArguments())
    flattenType(argument);
  for (Operation &op : body)
    for (OpResult result : op.getResults())
      flattenType(result);
  flat.setType(FunctionType::get(flat.getContext(), body.getArgumentTypes(),
                                 body.getTerminator()->getOperandTypes()));
  return flat;
}

struct FlattenKernels : public ps::impl::FlattenKernelsBase<FlattenKernels> {
  void runOnOperation() override {
    KernelLibrary library(getOperation());
    llvm::DenseMap<func::FuncOp, StringAttr> flattened;
    getOperation().walk([&](exec::LaunchOp launch) {
      func::FuncOp kernel = library.lookup(launch.getKernel());
      if (!launch.getRows() || kernel.isDeclaration() || !canFlatten(kernel))
        return;
      StringAttr &name = flattened[kernel];
      if (!name)
        name = library.add(flatten(kernel));
      launch.setKernelAttr(FlatSymbolRefAttr::get(name));
      launch.setRows(cast<ShapedType>(launch.getOutputs().front().getType())
                         .getNumElements());
    });
    library.eraseUnused();
  }
};

} // namespace
