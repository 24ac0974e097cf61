// SPDX-License-Identifier: Apache-2.0
//===- MetricMerge.cpp - metrics of all trainers --------------------------===//
//
// Parts are kept per trainer and added in the order of the trainers, so that
// totals do not depend on the order of arrival. The last total stays, for a
// trainer whose answer was lost and which asks again.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/MetricMerge.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Service.h"
#include <algorithm>
#include <iterator>
#include <utility>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// One metric
//===----------------------------------------------------------------------===//

/// Logs may show it, and the name is a trainer's.
std::string MetricMerge::describe() const {
  return describeMerge(printable(metricName), epoch);
}

std::string MetricMerge::describePart() const {
  if (absl::StartsWith(metricName, "@"))
    return absl::StrCat("its part of the ", describe());
  return absl::StrCat("metric '", printable(metricName), "' of epoch ", epoch);
}

/// Moves from `done` unless it fails. A second part of a trainer is a repeated
/// one: it is not added, but its call waits for the total too.
absl::Status MetricMerge::add(int trainer, int64_t epoch, Pieces sums,
                              Clock::TimePoint now, Respond &done,
                              DeferredReplies &replies) {
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
    // The first part of an epoch sets what the others are compared with.
    this->epoch = epoch;
    began = now;
  } else if (epoch != this->epoch) {
    return absl::FailedPreconditionError(absl::StrCat(
        "expected ", describePart(), " from trainer ", trainer,
        ", as from trainer ", parts.begin()->first, ", found epoch ", epoch));
  } else if (size_t count = parts.begin()->second.size();
             bytes != count * sizeof(double)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", count, " sums of ", describePart(),
                     " from trainer ", trainer, ", as from trainer ",
                     parts.begin()->first, ", found ", bytes / sizeof(double)));
  }
  if (auto [part, isNew] = parts.try_emplace(trainer); isNew) {
    part->second.resize(bytes / sizeof(double));
    copyPieces(sums, reinterpret_cast<std::byte *>(part->second.data()));
  }
  replies.addRepeat(waiting[trainer], std::move(done));
  return absl::OkStatus();
}

std::vector<Respond> MetricMerge::merge() {
  auto total =
      std::make_shared<std::vector<double>>(parts.begin()->second.size());
  for (const auto &[trainer, part] : parts)
    for (size_t i = 0; i != part.size(); ++i)
      (*total)[i] += part[i];
  before = std::exchange(latest, std::move(total));
  epochBefore = std::exchange(latestEpoch, epoch);
  return cancel();
}

Response MetricMerge::total(int64_t epoch) const {
  const auto &total = epoch == latestEpoch ? latest : before;
  return {.payload = {std::as_bytes(std::span(*total))}, .owner = total};
}

std::vector<Respond> MetricMerge::takeCalls(int trainer) {
  auto found = waiting.find(trainer);
  return found == waiting.end() ? std::vector<Respond>()
                                : std::exchange(found->second, {});
}

std::vector<Respond> MetricMerge::cancel() {
  parts.clear();
  std::vector<Respond> all;
  for (auto &[trainer, calls] : std::exchange(waiting, {}))
    std::ranges::move(calls, std::back_inserter(all));
  return all;
}

//===----------------------------------------------------------------------===//
// All metrics
//===----------------------------------------------------------------------===//

/// Merges once every live trainer has sent its part.
static void mergeIfComplete(MetricMerge &metric, std::span<const int> live,
                            DeferredReplies &replies) {
  if (!metric.waits() ||
      !std::all_of(live.begin(), live.end(),
                   [&](int trainer) { return metric.has(trainer); }))
    return;
  for (Respond &done : metric.merge())
    replies.add(std::move(done), metric.latestTotal());
}

absl::Status MetricMerges::add(const std::string &name, int trainer,
                               int64_t epoch, Pieces sums,
                               std::span<const int> live, Respond &done,
                               DeferredReplies &replies) {
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
    replies.add(std::move(done), metric.total(epoch));
    return absl::OkStatus(); // A repeated one.
  }
  RETURN_IF_ERROR(metric.add(trainer, epoch, sums, clock.now(), done, replies));
  mergeIfComplete(metric, live, replies);
  return absl::OkStatus();
}

void MetricMerges::mergeComplete(std::span<const int> live,
                                 DeferredReplies &replies) {
  for (auto &[name, metric] : metrics)
    mergeIfComplete(metric, live, replies);
}

void MetricMerges::cancel(const absl::Status &status,
                          DeferredReplies &replies) {
  for (auto &[name, metric] : metrics)
    for (Respond &done : metric.cancel())
      replies.add(std::move(done), status);
}

void MetricMerges::drop(int trainer, const absl::Status &status,
                        DeferredReplies &replies) {
  for (auto &[name, metric] : metrics)
    replies.add(metric.takeCalls(trainer), status);
}

void MetricMerges::dropStop(int trainer, DeferredReplies &replies) {
  if (auto found = metrics.find(stopMetric); found != metrics.end())
    replies.add(found->second.takeCalls(trainer), stopOfOneThatLeft());
}

absl::Status MetricMerges::stopOfOneThatLeft() {
  return absl::CancelledError("the trainer has left");
}

/// A metric whose total the trainer waits for; null if there is none.
const MetricMerge *MetricMerges::awaitedBy(int trainer) const {
  for (const auto &[name, metric] : metrics)
    if (name != stopMetric && metric.has(trainer))
      return &metric;
  return nullptr;
}

/// A metric that waits for the trainer's part; null if there is none.
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
