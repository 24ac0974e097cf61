// SPDX-License-Identifier: Apache-2.0
//===- Evaluator.cpp - the forward pass over a whole dataset --------------===//
//
// The forward pass over a dataset, in whole batches and one smaller rest. Where
// the graph fixes the batch size, the rest is repeated until it fills a batch;
// that is correct only for means over samples and values per sample, which the
// loader has proved.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/data/Evaluator.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/output/Predictions.h"
#include <algorithm>
#include <optional>

using namespace ps;
using namespace ps::runtime;

static double firstElement(const TensorRef &tensor) {
  switch (tensor.type.dtype) {
  case DType::I1:
  case DType::UI8:
    return *tensor.as<uint8_t>();
  case DType::I8:
    return *tensor.as<int8_t>();
  case DType::I16:
    return *tensor.as<int16_t>();
  case DType::I32:
    return *tensor.as<int32_t>();
  case DType::I64:
    return *tensor.as<int64_t>();
  case DType::UI16:
    return *tensor.as<uint16_t>();
  case DType::UI32:
    return *tensor.as<uint32_t>();
  case DType::UI64:
    return *tensor.as<uint64_t>();
  case DType::BF16:
    return static_cast<double>(*tensor.as<BFloat16>());
  case DType::F16:
    return static_cast<double>(*tensor.as<_Float16>());
  case DType::F32:
    return *tensor.as<float>();
  case DType::F64:
    return *tensor.as<double>();
  }
  __builtin_unreachable();
}

Scalars ps::readScalars(const std::vector<FetchInfo> &fetches,
                        const Program &program) {
  Scalars scalars;
  for (const FetchInfo &fetch : fetches) {
    // Not what happens to have one element, such as a row per sample in a
    // batch of one.
    auto found = program.fetches.find(fetch.name);
    if (isScalar(fetch) && found != program.fetches.end())
      scalars.emplace_back(fetch.name, firstElement(found->second));
  }
  return scalars;
}

void ps::addMetrics(std::span<const std::shared_ptr<Metric>> metrics,
                    Scalars &scalars) {
  for (const std::shared_ptr<Metric> &metric : metrics)
    if (std::optional<double> value = metric->value())
      scalars.emplace_back(metric->name(), *value);
}

/// Compiles the function for the batch size and, unless the batch is fixed,
/// once more for the rest.
absl::StatusOr<std::unique_ptr<Evaluator>>
Evaluator::create(const FedDataset &data, int64_t batchSize,
                  const FunctionInfo &function, Loader &loader,
                  const Binding &binding, Executor &executor) {
  auto evaluator =
      std::unique_ptr<Evaluator>(new Evaluator(data, function, executor));
  // Feeds without data are zeros, which nothing that is reported may show.
  evaluator->onlyPredicts = !data.map->leftOut().empty();
  evaluator->repeats = function.fixedBatch().has_value();
  evaluator->batchSize =
      evaluator->repeats ? batchSize : std::min(batchSize, data.data.size);
  int64_t remaining = 0;
  if (!evaluator->repeats)
    remaining = data.data.size % evaluator->batchSize;
  for (auto [size, program] :
       {std::pair(evaluator->batchSize, &evaluator->whole),
        std::pair(remaining, &evaluator->rest)}) {
    if (size == 0)
      continue;
    ASSIGN_OR_RETURN(static_cast<CompiledProgram &>(*program),
                     loader.compile(function.name,
                                    {.batchSize = size, .forwardOnly = true},
                                    binding));
    ASSIGN_OR_RETURN(program->feeds,
                     StagedFeeds::create(*program->program, {.ahead = false}));
  }
  return evaluator;
}

/// How many samples from `first` on the next run takes. A fixed batch holds as
/// many as fill it when each is repeated as often as the others: where a value
/// is a mean over samples, and row by row elsewhere, that changes nothing.
int64_t Evaluator::rowsFrom(int64_t first) const {
  int64_t rows = std::min(batchSize, data.data.size - first);
  while (repeats && batchSize % rows != 0)
    --rows;
  return rows;
}

/// Adds means weighted by their samples, since the last batch may be smaller.
absl::Status Evaluator::runBatch(Compiled &compiled, int64_t first,
                                 int64_t rows, Scalars &sums) {
  Program &program = *compiled.program;
  std::vector<int64_t> samples(repeats ? batchSize : rows);
  for (size_t i = 0; i != samples.size(); ++i)
    samples[i] = first + i % rows;
  for (const std::shared_ptr<Metric> &metric : program.metrics)
    metric->setSamples(rows, samples.size() / rows);
  RETURN_IF_ERROR(data.map->gather(data.data, samples, compiled.feeds->batch(),
                                   program.ragged));
  RETURN_IF_ERROR(compiled.feeds->send());
  RETURN_IF_ERROR(compiled.feeds->deliver());
  RETURN_IF_ERROR(executor.run(program, 0));
  if (onlyPredicts)
    return absl::OkStatus();
  Scalars scalars = readScalars(function.fetches, program);
  if (sums.empty())
    for (const auto &[name, value] : scalars)
      sums.emplace_back(name, 0);
  for (size_t i = 0; i != scalars.size(); ++i)
    sums[i].second += scalars[i].second * rows;
  return absl::OkStatus();
}

/// What whole batches and the rest have measured, together.
std::span<const std::shared_ptr<Metric>> Evaluator::gatherMetrics() {
  if (rest.program)
    for (size_t i = 0; i != rest.program->metrics.size(); ++i)
      whole.program->metrics[i]->merge(*rest.program->metrics[i]);
  return whole.program->metrics;
}

/// Returns the means over the dataset. `goOn` may end it between batches.
absl::StatusOr<Scalars>
Evaluator::run(const std::function<absl::Status()> &goOn,
               const OnBatch &onBatch) {
  Scalars sums;
  for (const Compiled *compiled : {&whole, &rest})
    if (compiled->program)
      for (const std::shared_ptr<Metric> &metric : compiled->program->metrics)
        metric->reset();
  int64_t size = data.data.size;
  for (int64_t first = 0, rows = 0; first < size; first += rows) {
    rows = rowsFrom(first);
    RETURN_IF_ERROR(goOn());
    Compiled &compiled = repeats || rows == batchSize ? whole : rest;
    RETURN_IF_ERROR(runBatch(compiled, first, rows, sums));
    if (!onBatch)
      continue;
    RETURN_IF_ERROR(onBatch(*compiled.program, rows));
  }
  for (auto &[name, sum] : sums)
    sum /= size;
  if (!onlyPredicts)
    addMetrics(gatherMetrics(), sums);
  return sums;
}
