// SPDX-License-Identifier: Apache-2.0
//===- Process.h - what every role of ps-run has --------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_PROCESS_H
#define PS_TOOLS_PS_RUN_DRIVER_PROCESS_H

#include "runtime/checkpoint/BaseFile.h"
#include "runtime/checkpoint/TrainingState.h"
#include "runtime/executor/Executor.h"
#include "runtime/executor/Trace.h"
#include "runtime/variables/Store.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include "tools/ps-run/loader/Loader.h"
#include "tools/ps-run/output/Metrics.h"
#include <optional>

namespace ps {

/// A table of this process, and which ids of it that holds.
struct HeldTable {
  std::unique_ptr<runtime::Table> table;
  runtime::TableShard shard;
  /// What the checkpoints of this process share; null if each has all rows.
  std::unique_ptr<runtime::BaseFile> base = nullptr;
};

/// A selected program with its variables, its tables and the threads to run it.
struct Process {
  std::unique_ptr<runtime::Trace> trace;
  std::unique_ptr<runtime::Store> store;
  std::vector<HeldTable> tables;
  /// The rows of these tables that the device has.
  std::vector<std::unique_ptr<runtime::HbmRows>> hbm;
  /// Those of others.
  std::vector<TableInfo> remoteTables;
  std::unique_ptr<runtime::Executor> executor;
  runtime::Precision precision = runtime::Precision::F32;
  /// What kernels and products run on.
  runtime::Device *device = &runtime::Device::cpu();
  /// How far the run had come that --load starts from, where it says so.
  std::optional<runtime::TrainingState> resumed;
  /// How many updates its schedules had counted.
  int64_t updatesBefore = 0;
  /// What metrics had added up in the epoch under way, where it goes on.
  MetricSums metrics;
  /// The ids of the checkpoints of --load, in its order.
  std::vector<std::string> loadedIds;

  /// For programs without transfers.
  Binding binding() const;
};

/// Makes the store and the executor for the selected program of `loader`, with
/// the values of --load. `role` and `id` name the process in its trace.
absl::StatusOr<Process> makeProcess(const RunConfig &config, Loader &loader,
                                    const std::string &role, int id);

/// How many rows the tables of `process` hold, and what has happened to rows,
/// for metrics.
Scalars tableScalars(const Process &process);

/// After a run that ended with `status`: a failure is when one wants a trace.
absl::Status writeTrace(const RunConfig &config, const Process &process,
                        absl::Status status);

/// Whether a run of so many steps leaves something that is worth more than what
/// an earlier run saved.
bool hasResult(const StopSignal &stop, int64_t steps);

/// What a training process runs: for every batch, and now and then.
struct TrainingFunctions {
  FunctionInfo step;
  std::vector<FunctionInfo> periodic;
  /// What runs once, before the last exchange.
  std::vector<FunctionInfo> last;
};

/// Those of the selected program.
absl::StatusOr<TrainingFunctions> trainingFunctions(Loader &loader);

void printMemoryPlan(const MemoryPlan &plan);

/// What a run writes when it ends must not fail then.
absl::Status checkOutputs(const RunConfig &config);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_PROCESS_H
