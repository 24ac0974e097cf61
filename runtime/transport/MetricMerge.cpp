//===- MetricMerge.cpp - one metric of all trainers -----------------------===//

#include "runtime/transport/MetricMerge.h"
#include "absl/strings/str_cat.h"
#include "runtime/transport/Merge.h"
#include <utility>

using namespace ps::runtime;

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
