// SPDX-License-Identifier: Apache-2.0
//===- JobOptions.h - what a user chooses of a job ------------------------===//
//
// The options that --ps-transpile hands to --ps-place-variables are declared
// here, once for both. A new one is a member, a line of setFrom() and, if it
// changes the programs, one of hashJob().
//
//===----------------------------------------------------------------------===//

#ifndef PS_COMPILER_JOBOPTIONS_H
#define PS_COMPILER_JOBOPTIONS_H

#include "compiler/PipelineOptions.h"
#include "dialects/ps/PSDialect.h"

#include "mlir/Pass/Pass.h"

#include <string>

namespace ps {

/// The options as members of `Owner`: a mlir::Pass, or the options of a
/// pipeline.
template <typename Owner>
struct JobOptions {
  template <typename T>
  using Option = typename Owner::template Option<T>;
  template <typename T>
  using ListOption = typename Owner::template ListOption<T>;

  explicit JobOptions(Owner &owner) : owner(owner) {}

  /// First, for the initializers of the others.
  Owner &owner;

  ListOption<std::string> pservers{
      owner, "pservers",
      llvm::cl::desc("Number of pservers (parameter servers), or their "
                     "endpoints, host:port,..")};
  Option<int64_t> trainers{owner, "trainers",
                           llvm::cl::desc("Number of trainers"),
                           llvm::cl::init(1)};
  Option<std::string> mode{
      owner, "mode",
      llvm::cl::desc("How trainers and pservers synchronize: sync, async, "
                     "half-async, geo or collective"),
      llvm::cl::init("sync")};
  Option<std::string> dense{
      owner, "dense",
      llvm::cl::desc("Who averages the gradients of variables, in mode=sync: "
                     "pserver, or all_reduce, the trainers among themselves, "
                     "while tables stay on pservers"),
      llvm::cl::init("pserver")};
  Option<std::string> splitMethod{
      owner, "split-method",
      llvm::cl::desc("How blocks are assigned to pservers: RoundRobin "
                     "(default), HashName, SizeBalanced or a registered "
                     "dispatcher"),
      llvm::cl::init("")};
  Option<bool> sliceVarUp{owner, "slice-var-up",
                          llvm::cl::desc("Slice large variables into blocks"),
                          llvm::cl::init(true)};
  Option<int64_t> minBlockSize{
      owner, "min-block-size",
      llvm::cl::desc(
          "Smallest number of elements in a block of a sliced variable (8192)"),
      llvm::cl::init(unsetOption)};
  Option<int64_t> geoSteps{
      owner, "geo-steps",
      llvm::cl::desc("Steps between two exchanges of mode=geo (400)"),
      llvm::cl::init(unsetOption)};
  Option<int64_t> staleness{
      owner, "staleness",
      llvm::cl::desc("Steps that a trainer of mode=async or half-async may be "
                     "ahead of the slowest; any number if not given"),
      llvm::cl::init(unsetOption)};
  Option<double> delayCompensation{
      owner, "dc",
      llvm::cl::desc("Factor of the compensation for gradients of old values, "
                     "in mode=async or half-async (DC-ASGD); 0 compensates "
                     "for nothing"),
      llvm::cl::init(0)};
  Option<int64_t> accumulate{
      owner, "accumulate",
      llvm::cl::desc(
          "Batches per trainer and step, whose gradients are averaged"),
      llvm::cl::init(1)};
  Option<int64_t> bucketBytes{
      owner, "bucket-bytes",
      llvm::cl::desc("Blocks of at most this many bytes are combined into "
                     "messages of up to this many bytes; 0 sends each block "
                     "alone, and all-reduces up to 4 MiB at once"),
      llvm::cl::init(0)};
  Option<std::string> wire{
      owner, "wire",
      llvm::cl::desc("Element type of f32 variables on the network: f32, bf16 "
                     "or f16"),
      llvm::cl::init("f32")};
  Option<double> topK{
      owner, "top-k",
      llvm::cl::desc("Share of the elements of a block's gradient that a step "
                     "sends: the largest, while the trainer keeps the rest for "
                     "later steps; 0 sends all"),
      llvm::cl::init(0)};
  Option<std::string> rowWire{
      owner, "row-wire",
      llvm::cl::desc("As what rows of f32 of trained tables travel, for tables "
                     "without their own wire: f32, bf16, f16, or int8 with a "
                     "scale per row"),
      llvm::cl::init("f32")};
  Option<int64_t> cacheRows{
      owner, "cache-rows",
      llvm::cl::desc("Rows of each trained table that a trainer caches, for "
                     "tables without their own cache_rows, such as recovered "
                     "ones; 0 caches none"),
      llvm::cl::init(0)};
  Option<bool> remarks{owner, "remarks",
                       llvm::cl::desc("Report how each variable is sliced, "
                                      "where its blocks are placed, and why"),
                       llvm::cl::init(false)};

  /// Takes the values of the same options of another owner.
  template <typename Other>
  void setFrom(const JobOptions<Other> &other) {
    pservers = llvm::ArrayRef<std::string>(llvm::to_vector(
        llvm::make_range(other.pservers.begin(), other.pservers.end())));
    trainers = other.trainers.getValue();
    mode = other.mode.getValue();
    dense = other.dense.getValue();
    splitMethod = other.splitMethod.getValue();
    sliceVarUp = other.sliceVarUp.getValue();
    minBlockSize = other.minBlockSize.getValue();
    geoSteps = other.geoSteps.getValue();
    staleness = other.staleness.getValue();
    delayCompensation = other.delayCompensation.getValue();
    accumulate = other.accumulate.getValue();
    bucketBytes = other.bucketBytes.getValue();
    wire = other.wire.getValue();
    topK = other.topK.getValue();
    rowWire = other.rowWire.getValue();
    cacheRows = other.cacheRows.getValue();
    remarks = other.remarks.getValue();
  }
};

/// The options of a pass, with a meaning once checkJobOptions() has passed.
using PlacementOptions = JobOptions<mlir::Pass>;
/// The options of a pipeline.
using TranspileJobOptions = JobOptions<mlir::detail::PassOptions>;

/// Fails, with `refuse`, on options that describe no job, or that the mode
/// leaves without a meaning: these are mistakes.
mlir::LogicalResult
checkJobOptions(const PlacementOptions &options,
                llvm::function_ref<mlir::InFlightDiagnostic()> refuse);

/// How many pservers the job has.
int64_t countServers(const PlacementOptions &options);

/// Where they listen, in their order; empty where pservers=N leaves that to the
/// run.
llvm::SmallVector<llvm::StringRef>
getEndpoints(const PlacementOptions &options);

/// The values of options that have a default of their own in each mode.
int64_t getGeoSteps(const PlacementOptions &options);
int64_t getMinBlockSize(const PlacementOptions &options);
llvm::StringRef getSplitMethod(const PlacementOptions &options);

/// Names `graph` and the options in 16 hex digits. Where the text came from,
/// how the user likes it printed and where pservers listen do not count: it is
/// the same job on other machines.
std::string hashJob(mlir::ModuleOp graph, const PlacementOptions &options);

/// The pass ps-place-variables with these options.
std::unique_ptr<mlir::Pass>
createPlaceVariables(const TranspileJobOptions &options);

} // namespace ps

#endif // PS_COMPILER_JOBOPTIONS_H
