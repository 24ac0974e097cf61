// SPDX-License-Identifier: Apache-2.0
//===- Pipelines.cpp - the passes in the order in which they are run ------===//

#include "compiler/Pipelines.h"

#include "compiler/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

namespace ps {

/// Whether a job with these options may hold tables: their rows are with
/// pservers, which update them in each step.
static bool hasTables(const TranspileOptions &options) {
  // An unknown mode is refused later.
  std::optional<Mode> mode = parseModeOption(options.job.mode);
  return mode != Mode::Geo && mode != Mode::Collective &&
         options.job.accumulate == 1;
}

/// Whether a step of a job with these options is the mean of several batches'
/// gradients. In other modes trainers do not keep step, and nothing says that
/// they train as one process does.
static bool takesMeans(const TranspileOptions &options) {
  std::optional<Mode> mode = parseModeOption(options.job.mode);
  return options.job.accumulate > 1 ||
         (mode && keepsStep(*mode) && options.job.trainers > 1);
}

void buildInliningPipeline(mlir::OpPassManager &pm, int64_t maxOps) {
  // How a job is distributed is decided here.
  pm.addPass(createDropShardings());
  // Frameworks print private helper functions, and a public one that a graph
  // may call.
  pm.addPass(createHideHelpers());
  CheckCallsOptions calls;
  calls.maxOps = maxOps;
  pm.addPass(createCheckCalls(calls));
  pm.addPass(mlir::createInlinerPass());
  pm.addPass(mlir::createSymbolDCEPass());
  // Before loops are counted, and before shapes are: formulas have some.
  pm.addNestedPass<mlir::func::FuncOp>(createDecomposeOps());
  // Once bodies have no calls, whose arguments hide the counter. Before
  // everything else: no other pass has a rule for loops.
  UnrollLoopsOptions loops;
  loops.maxOps = maxOps;
  pm.addNestedPass<mlir::func::FuncOp>(createUnrollLoops(loops));
  // Iterations make indices of branches, and starts of slices, constant.
  pm.addNestedPass<mlir::func::FuncOp>(createSelectBranches());
  pm.addNestedPass<mlir::func::FuncOp>(createResolveShapes());
  pm.addNestedPass<mlir::func::FuncOp>(createJoinUpdates());
}

void buildTranspilePipeline(mlir::OpPassManager &pm,
                            const TranspileOptions &options) {
  // A gradient needs the ops themselves, and so does the partitioner, which
  // must see every read and update of a variable in the one training function.
  buildInliningPipeline(pm, options.maxOps);

  // A step of several batches is claimed to be that of one large batch. The
  // graph is read as the user wrote it, so that warnings name those ops.
  if (takesMeans(options)) {
    CheckSeparabilityOptions check;
    check.trainers = options.job.trainers;
    check.accumulate = options.job.accumulate;
    pm.addNestedPass<mlir::func::FuncOp>(createCheckSeparability(check));
  }

  // A lookup's gradient is rows: once a gather is differentiated, its dense
  // gradient is there.
  RecoverTablesOptions tables;
  tables.recover = hasTables(options) ? options.recoverTables.getValue()
                                      : keepVariables(options.recoverTables);
  pm.addPass(createRecoverTables(tables));

  // From here on a step is explicit: gradients, and what uses them.
  pm.addNestedPass<mlir::func::FuncOp>(createDifferentiate());

  // Formulas come after the derivatives of what they approximate.
  pm.addNestedPass<mlir::func::FuncOp>(createDecomposeChlo());

  // Backward passes repeat what the forward pass has and compute what is not
  // used. It goes now, while the graph is still pure SSA: once sends are
  // between the ops, everything before them looks wanted.
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());

  // The rows of a step travel once. What is looked up is known best now, when
  // equal lookups are one.
  pm.addNestedPass<mlir::func::FuncOp>(createFuseLookups());

  // The cluster's hash is of the graph as it is now: nothing may change it
  // between here and the partitioner.
  pm.addPass(createPlaceVariables(options.job));
  pm.addPass(createPartition());

  // The proof that the programs fit together. It must come last: it is of what
  // the user gets.
  pm.addPass(createVerifyPrograms());
}

void registerTranspilePipeline() {
  registerPipeline<TranspileOptions>(
      "ps-transpile",
      "Turn a single-machine training graph into one program per role",
      buildTranspilePipeline);
  // Its one option is the file: --ps-report=job.html.
  mlir::registerPassPipeline(
      "ps-report", "Write a report on a job into a .txt, .json or .html file",
      [](mlir::OpPassManager &pm, llvm::StringRef file,
         llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)>)
          -> mlir::LogicalResult {
        pm.addPass(createWriteReport({file.str()}));
        return mlir::success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)>) {});
}

} // namespace ps
