// SPDX-License-Identifier: Apache-2.0
//===- Evaluator.h - the forward pass over a whole dataset ----------------===//

#ifndef PS_TOOLS_PS_RUN_DATA_EVALUATOR_H
#define PS_TOOLS_PS_RUN_DATA_EVALUATOR_H

#include "runtime/data/StagedFeeds.h"
#include "runtime/executor/Executor.h"
#include "runtime/nodes/Metric.h"
#include "tools/ps-run/data/TrainingData.h"
#include "tools/ps-run/loader/Loader.h"
#include "tools/ps-run/output/Metrics.h"
#include <functional>
#include <memory>
#include <span>

namespace ps {

/// The numbers among `fetches` (isScalar()).
Scalars readScalars(const std::vector<FetchInfo> &fetches,
                    const runtime::Program &program);

/// Appends the numbers that `metrics` have measured, those that there are.
void addMetrics(std::span<const std::shared_ptr<runtime::Metric>> metrics,
                Scalars &scalars);

/// Runs a training function without its updates. Thread-compatible.
class Evaluator {
public:
  using OnBatch =
      std::function<absl::Status(const runtime::Program &, int64_t samples)>;

  /// Compiles `function` of the loader's program once for whole batches and
  /// once for what remains; where the feeds fix the batch, once: samples that
  /// do not fill it are repeated. `data` and `executor` outlive the evaluator.
  static absl::StatusOr<std::unique_ptr<Evaluator>>
  create(const FedDataset &data, int64_t batchSize,
         const FunctionInfo &function, Loader &loader, const Binding &binding,
         runtime::Executor &executor);

  /// Every fetched number, averaged over all samples, and what is measured
  /// over all of them; nothing where the data left out a feed. `goOn` is asked
  /// between batches; its error ends the run. So does that of `onBatch`, which
  /// is called after each batch with the program that ran and the number of its
  /// samples; batches come in the order of the samples.
  absl::StatusOr<Scalars> run(const std::function<absl::Status()> &goOn,
                              const OnBatch &onBatch = {});

private:
  Evaluator(const FedDataset &data, const FunctionInfo &function,
            runtime::Executor &executor)
      : data(data), function(function), executor(executor) {}
  int64_t rowsFrom(int64_t first) const;
  struct Compiled : CompiledProgram {
    std::unique_ptr<runtime::StagedFeeds> feeds;
  };
  absl::Status runBatch(Compiled &compiled, int64_t first, int64_t rows,
                        Scalars &sums);

  std::span<const std::shared_ptr<runtime::Metric>> gatherMetrics();

  const FedDataset &data;
  FunctionInfo function;
  runtime::Executor &executor;
  int64_t batchSize = 1;
  /// Whether samples are repeated where they do not fill a batch.
  bool repeats = false;
  /// Whether feeds that no prediction is computed from have no data.
  bool onlyPredicts = false;
  Compiled whole, rest;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DATA_EVALUATOR_H
