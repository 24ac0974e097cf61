// SPDX-License-Identifier: Apache-2.0
//===- Pipelines.h - the passes in the order in which they are run --------===//

#ifndef PS_COMPILER_PIPELINES_H
#define PS_COMPILER_PIPELINES_H

#include "compiler/JobOptions.h"
#include "compiler/PipelineOptions.h"

namespace ps {

/// The options of ps-transpile: those of the job, and how the graph is read.
struct TranspileOptions : public PipelineOptions<TranspileOptions> {
  TranspileJobOptions job{*this};
  Option<std::string> recoverTables{
      *this, "recover-tables",
      llvm::cl::desc("Make tables of variables that are only gathered from, "
                     "where the mode has tables: true (where results stay the "
                     "same), lazy (also where rows then change only in steps "
                     "that look them up) or false"),
      llvm::cl::init("true")};
  Option<int64_t> maxOps{
      *this, "max-ops",
      llvm::cl::desc("Ops that a function may have once its calls are inlined"),
      llvm::cl::init(kMaxOps)};
};

/// Makes one block of every function, without calls and without what other
/// frameworks write beside the ops: the beginning of every pipeline. A function
/// that would have more than `maxOps` ops is refused.
void buildInliningPipeline(mlir::OpPassManager &pm, int64_t maxOps = kMaxOps);

/// Appends the passes that turn a single-machine training graph into one
/// program per role.
void buildTranspilePipeline(mlir::OpPassManager &pm,
                            const TranspileOptions &options);

/// Makes the pipelines known to the command line.
void registerTranspilePipeline();

} // namespace ps

#endif // PS_COMPILER_PIPELINES_H
