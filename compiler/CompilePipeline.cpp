// SPDX-License-Identifier: Apache-2.0
//===- CompilePipeline.cpp - from a program to nodes and kernels ----------===//

#include "compiler/CompilePipeline.h"
#include "compiler/Passes.h"
#include "compiler/Pipelines.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ps;

/// Three parts: the graph of one role and function is completed (gradients,
/// sizes, optimizers), cut into kernels and nodes, and its nodes are placed in
/// memory and ordered.
void ps::buildCompilePipeline(OpPassManager &pm,
                              const CompilePipelineOptions &options) {
  // One role's functions, without calls: what follows looks at one block.
  SelectProgramOptions select;
  select.program = options.program;
  select.function = options.function;
  pm.addPass(createSelectProgram(select));
  buildInliningPipeline(pm, options.maxOps);

  // A program of a job was transpiled with the tables that it has.
  RecoverTablesOptions tables;
  tables.recover = options.program.empty()
                       ? options.recoverTables.getValue()
                       : keepVariables(options.recoverTables);
  pm.addPass(createRecoverTables(tables));

  // Gradients come before sizes, so that an error names what the user wrote.
  pm.addNestedPass<func::FuncOp>(createDifferentiate());
  // Formulas come after the derivatives of what they approximate.
  pm.addNestedPass<func::FuncOp>(createDecomposeChlo());
  // A step's rows are fetched in one go, with the gradients' ids if there are.
  pm.addNestedPass<func::FuncOp>(createFuseLookups());
  if (options.forwardOnly)
    pm.addNestedPass<func::FuncOp>(createExtractForward());
  SpecializeBatchOptions batch;
  batch.batchSize = options.batchSize;
  pm.addNestedPass<func::FuncOp>(createSpecializeBatch(batch));
  // Before optimizers, as the workers' gradients become one update.
  AddWorkersOptions workers;
  workers.workers = options.workers;
  workers.mergePushes = options.mergePushes;
  pm.addNestedPass<func::FuncOp>(createAddWorkers(workers));
  // Needs sizes, and leaves values that several elements share to CSE.
  pm.addNestedPass<func::FuncOp>(createDecomposeWindows());
  pm.addPass(createExpandOptimizers());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());

  // Before kernels, whose results then are activations only; those that round
  // them to bf16 have masks.
  const bool bf16Products = options.device && options.bf16Products;
  if (options.device && !bf16Products)
    pm.addNestedPass<func::FuncOp>(createCompareActivations());
  if (options.device)
    pm.addNestedPass<func::FuncOp>(createDecomposeConvolutions());
  OutlineKernelsOptions outline;
  outline.device = options.device;
  outline.bf16Products = bf16Products;
  pm.addPass(createOutlineKernels(outline));
  LowerToExecOptions lower;
  lower.hbm = options.device && options.deviceVariables;
  pm.addPass(createLowerToExec(lower));
  pm.addPass(createFlattenKernels());

  auto &program = pm.nest<exec::ProgramOp>();
  // Before places, as what is not written needs none.
  program.addPass(createFuseRows());
  program.addPass(createOrderPushes());
  // Before places: gradients are in use for longer.
  program.addPass(createPushPull());

  if (options.device) {
    PlaceOnDeviceOptions place;
    place.variables = options.deviceVariables;
    place.feeds = options.deviceFeeds;
    program.addPass(createPlaceOnDevice(place));
    // Once it is known which products are the device's.
    program.addPass(createFuseEpilogues());
  }

  // Places first: sharing bytes adds conflicts that tokens must order.
  OptimizeMemoryOptions memory;
  memory.report = options.reportMemory;
  program.addPass(createOptimizeMemory(memory));
  // What a pull no longer inherits from the barrier, its own tokens order.
  program.addPass(createPullEarly());
  program.addPass(createSequenceTokens());
  // At the end, as what is late and what is grouped depend on all tokens; what
  // runs is what is verified.
  program.addPass(createOverlapSteps());
  if (options.device)
    program.addPass(createGroupDeviceNodes());
  program.addPass(createVerifyExec());
}

void ps::registerCompilePipeline() {
  registerPipeline<CompilePipelineOptions>(
      "ps-compile", "Compile functions to exec programs and kernels",
      buildCompilePipeline);
}
