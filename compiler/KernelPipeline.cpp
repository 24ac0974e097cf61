// SPDX-License-Identifier: Apache-2.0
//===- KernelPipeline.cpp - from stablehlo kernels to LLVM ----------------===//

#include "compiler/KernelPipeline.h"
#include "compiler/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Tensors to loops over buffers to LLVM. What MLIR's own passes do is left to
/// them; ours are in compiler/kernels.
void ps::buildKernelPipeline(OpPassManager &pm) {
  // Tensors: one linalg op per fused loop nest. CSE merges the constants.
  pm.addNestedPass<func::FuncOp>(createStablehloToLinalg());
  pm.addPass(createCSEPass());

  // Buffers. Nothing may come between bufferization and the loops that could
  // move a fill away from the reduction that it initializes.
  pm.addPass(createBufferizeKernels());
  pm.addNestedPass<func::FuncOp>(createLinalgToLoops());
  pm.addPass(createLowerMath());
  pm.addNestedPass<func::FuncOp>(createFinalizeKernels());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // LLVM. Strided views are taken apart before memrefs become structs.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertSCFToCFPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCSEPass());
  // Last: any pass that merges or splits blocks could hide the loops' shape.
  pm.addNestedPass<LLVM::LLVMFuncOp>(createMarkParallelLoops());
}

void ps::registerKernelPipeline() {
  PassPipelineRegistration<>("ps-compile-kernels",
                             "Lower kernel functions to the LLVM dialect.",
                             buildKernelPipeline);
}

void ps::registerKernelDialects(DialectRegistry &registry) {
  // Every stage of a kernel can be read back.
  registry.insert<arith::ArithDialect, bufferization::BufferizationDialect,
                  gpu::GPUDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                  scf::SCFDialect, tensor::TensorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
}
