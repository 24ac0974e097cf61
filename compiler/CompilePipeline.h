// SPDX-License-Identifier: Apache-2.0
//===- CompilePipeline.h - from a program to nodes and kernels ------------===//

#ifndef PS_COMPILER_COMPILEPIPELINE_H
#define PS_COMPILER_COMPILEPIPELINE_H

#include "compiler/PipelineOptions.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ps {

/// The options of `--ps-compile`.
struct CompilePipelineOptions : public PipelineOptions<CompilePipelineOptions> {
  Option<std::string> program{
      *this, "program",
      llvm::cl::desc("Program to compile; empty for a graph "
                     "that runs on a single machine")};
  Option<std::string> function{
      *this, "function",
      llvm::cl::desc("Function to compile; empty for all of the program")};
  Option<int64_t> batchSize{*this, "batch-size",
                            llvm::cl::desc("Number of samples in a batch"),
                            llvm::cl::init(1)};
  Option<int64_t> workers{
      *this, "workers",
      llvm::cl::desc("Batches that a training step works on side by side"),
      llvm::cl::init(1)};
  Option<bool> mergePushes{
      *this, "merge-pushes",
      llvm::cl::desc("Merge what workers push without a send barrier"),
      llvm::cl::init(false)};
  Option<bool> forwardOnly{*this, "forward-only",
                           llvm::cl::desc("Leave out updates and transfers"),
                           llvm::cl::init(false)};
  Option<std::string> recoverTables{
      *this, "recover-tables",
      llvm::cl::desc(
          "Make tables of variables that are only gathered from: "
          "true (where results stay the same), lazy (also where rows "
          "then change only in steps that look them up) or false"),
      llvm::cl::init("true")};
  Option<int64_t> maxOps{
      *this, "max-ops",
      llvm::cl::desc("Ops that a function may have once its calls are inlined"),
      llvm::cl::init(kMaxOps)};
  Option<bool> device{
      *this, "device",
      llvm::cl::desc("Let a device run kernels and matrix products"),
      llvm::cl::init(false)};
  Option<bool> bf16Products{
      *this, "bf16-products",
      llvm::cl::desc("Round what a device's matrix products multiply to bf16"),
      llvm::cl::init(false)};
  Option<bool> deviceVariables{
      *this, "device-variables",
      llvm::cl::desc("Keep variables in the device's memory"),
      llvm::cl::init(true)};
  Option<bool> deviceFeeds{
      *this, "device-feeds",
      llvm::cl::desc("Have the caller fill feeds in the device's memory"),
      llvm::cl::init(true)};
  Option<bool> reportMemory{
      *this, "report-memory",
      llvm::cl::desc("Report the peak bytes of each program in a remark"),
      llvm::cl::init(false)};
};

/// Adds the passes that turn the chosen functions into `exec.program`s, with
/// their memory planned and their nodes ordered, and kernels.
void buildCompilePipeline(mlir::OpPassManager &pm,
                          const CompilePipelineOptions &options);

/// Makes the pipeline known as `--ps-compile`.
void registerCompilePipeline();

/// The function that `ps-select-program` makes of the optimize block `block`.
std::string getUpdateFunctionName(llvm::StringRef block);
/// The function that it makes of the schedule block.
inline constexpr llvm::StringLiteral scheduleFunctionName = "main.schedule";

} // namespace ps

#endif // PS_COMPILER_COMPILEPIPELINE_H
