//===- MetricMerge.cpp - metrics of all trainers --------------------------===//

#include "runtime/transport/MetricMerge.h"
#include "absl/strings/str_cat.h"
#include "runtime/transport/Merge.h"
#include <algorithm>
#include <utility>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// One metric
//===----------------------------------------------------------------------===//

std::string MetricMerge::str() const {
  return absl::StrCat("metric '", metricName, "' of epoch ", epoch);
}

absl::Status MetricMerge::add(int trainer, int64_t epoch, Pieces sums,
                              ReceiveTotal &done) {
  const size_t bytes = totalBytes(sums);
  if (bytes == 0 || bytes % sizeof(double) != 0 || bytes > chunkBytes)
    return absl::InvalidArgumentError(
        absl::StrCat("expected 1 to ", maxMetricSums, " sums of ",
                     sizeof(double), " bytes of metric '", metricName,
                     "' from trainer ", trainer, ", found ", bytes, " bytes"));
  if (!waits()) {
    if (epoch <= latestEpoch)
      return absl::FailedPreconditionError(absl::StrCat(
          "expected metric '", metricName, "' of an epoch after ", latestEpoch,
          " from trainer ", trainer, ", found epoch ", epoch));
    this->epoch = epoch;
    began = Clock::now();
  } else if (epoch != this->epoch) {
    return absl::FailedPreconditionError(absl::StrCat(
        "expected ", str(), " from trainer ", trainer, ", as from trainer ",
        parts.begin()->first, ", found epoch ", epoch));
  } else if (size_t count = parts.begin()->second.size();
             bytes != count * sizeof(double)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", count, " sums of ", str(), " from trainer ",
                     trainer, ", as from trainer ", parts.begin()->first,
                     ", found ", bytes / sizeof(double)));
  }
  if (auto [part, isNew] = parts.try_emplace(trainer); isNew) {
    part->second.resize(bytes / sizeof(double));
    copyPieces(sums, reinterpret_cast<std::byte *>(part->second.data()));
  }
  waiting.push_back(std::move(done));
  return absl::OkStatus();
}

std::vector<ReceiveTotal> MetricMerge::merge() {
  auto total =
      std::make_shared<std::vector<double>>(parts.begin()->second.size());
  for (const auto &[trainer, part] : parts)
    for (size_t i = 0; i != part.size(); ++i)
      (*total)[i] += part[i];
  latest = std::move(total);
  latestEpoch = epoch;
  return cancel();
}

std::vector<ReceiveTotal> MetricMerge::cancel() {
  parts.clear();
  return std::exchange(waiting, {});
}

//===----------------------------------------------------------------------===//
// All metrics
//===----------------------------------------------------------------------===//

/// Merges once every live trainer has sent its part.
static void mergeIfComplete(MetricMerge &metric, std::span<const int> live,
                            Answers &answers) {
  if (!metric.waits() ||
      !std::all_of(live.begin(), live.end(),
                   [&](int trainer) { return metric.has(trainer); }))
    return;
  for (ReceiveTotal &done : metric.merge())
    answers.add(giving(std::move(done), metric.total()), absl::OkStatus());
}

absl::Status MetricMerges::add(const std::string &name, int trainer,
                               int64_t epoch, Pieces sums,
                               std::span<const int> live, ReceiveTotal &done,
                               Answers &answers) {
  auto found = metrics.find(name);
  if (found == metrics.end()) {
    if (metrics.size() == maxMetrics)
      return absl::ResourceExhaustedError(absl::StrCat(
          "expected at most ", maxMetrics, " metrics, found metric '", name,
          "' besides, from trainer ", trainer));
    found = metrics.try_emplace(name, name).first;
  }
  MetricMerge &metric = found->second;
  if (metric.isTotalOf(epoch)) {
    answers.add(giving(std::move(done), metric.total()), absl::OkStatus());
    return absl::OkStatus(); // A repeated one.
  }
  if (absl::Status status = metric.add(trainer, epoch, sums, done);
      !status.ok())
    return status;
  mergeIfComplete(metric, live, answers);
  return absl::OkStatus();
}

void MetricMerges::mergeComplete(std::span<const int> live, Answers &answers) {
  for (auto &[name, metric] : metrics)
    mergeIfComplete(metric, live, answers);
}

void MetricMerges::cancel(const absl::Status &status, Answers &answers) {
  for (auto &[name, metric] : metrics)
    for (ReceiveTotal &done : metric.cancel())
      answers.add(giving(std::move(done), MetricTotal()), status);
}

const MetricMerge *MetricMerges::awaitedBy(int trainer) const {
  for (const auto &[name, metric] : metrics)
    if (metric.has(trainer))
      return &metric;
  return nullptr;
}

const MetricMerge *MetricMerges::missingFrom(int trainer) const {
  for (const auto &[name, metric] : metrics)
    if (metric.waits() && !metric.has(trainer))
      return &metric;
  return nullptr;
}

const MetricMerge *MetricMerges::oldest() const {
  const MetricMerge *oldest = nullptr;
  for (const auto &[name, metric] : metrics)
    if (metric.waits() && (!oldest || metric.since() < oldest->since()))
      oldest = &metric;
  return oldest;
}
