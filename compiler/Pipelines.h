//===- Pipelines.h - the passes in the order in which they are run --------===//

#ifndef PS_COMPILER_PIPELINES_H
#define PS_COMPILER_PIPELINES_H

#include "compiler/PipelineOptions.h"

namespace ps {

/// What a user may choose of a job; described at ps-place-variables, whose
/// options they are.
struct TranspileOptions : public PipelineOptions<TranspileOptions> {
  ListOption<std::string> pservers{
      *this, "pservers",
      llvm::cl::desc("Endpoints, host:port, of the parameter servers")};
  Option<int64_t> trainers{*this, "trainers",
                           llvm::cl::desc("Number of trainers"),
                           llvm::cl::init(1)};
  Option<std::string> mode{
      *this, "mode",
      llvm::cl::desc("sync, async, half-async, geo or collective"),
      llvm::cl::init("sync")};
  Option<std::string> splitMethod{
      *this, "split-method",
      llvm::cl::desc("RoundRobin (where nothing is said), HashName or "
                     "SizeBalanced"),
      llvm::cl::init("")};
  Option<bool> sliceVarUp{*this, "slice-var-up",
                          llvm::cl::desc("Cut large variables into blocks"),
                          llvm::cl::init(true)};
  Option<int64_t> minBlockSize{
      *this, "min-block-size",
      llvm::cl::desc("Elements below which a block is not made smaller (8192)"),
      llvm::cl::init(unsetOption)};
  Option<int64_t> geoSteps{
      *this, "geo-steps",
      llvm::cl::desc("Steps between two exchanges of mode=geo (400)"),
      llvm::cl::init(unsetOption)};
  Option<int64_t> accumulate{
      *this, "accumulate",
      llvm::cl::desc("Batches of a trainer whose gradients make one step"),
      llvm::cl::init(1)};
  Option<int64_t> bucketBytes{
      *this, "bucket-bytes",
      llvm::cl::desc("Blocks of at most so many bytes travel together, up to "
                     "so many bytes; 0 sends each alone, and all-reduces up to "
                     "4 MiB at once"),
      llvm::cl::init(0)};
  Option<std::string> wire{
      *this, "wire",
      llvm::cl::desc("Element type of f32 variables on the network: f32, bf16 "
                     "or f16"),
      llvm::cl::init("f32")};
  Option<std::string> recoverTables{
      *this, "recover-tables",
      llvm::cl::desc("Make tables of variables that are only gathered from, "
                     "where the mode has tables: true where results stay the "
                     "same, lazy also where rows "
                     "then rest in steps that do not look them up, or false"),
      llvm::cl::init("true")};
  Option<int64_t> maxOps{
      *this, "max-ops",
      llvm::cl::desc("Ops that a function may have once its calls are inlined"),
      llvm::cl::init(kMaxOps)};
  Option<bool> remarks{*this, "remarks",
                       llvm::cl::desc("Say where each variable goes, and why"),
                       llvm::cl::init(false)};
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
