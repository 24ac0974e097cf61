// SPDX-License-Identifier: Apache-2.0
//===- StopProposals.h - where trainers may stop --------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_STOPPROPOSALS_H
#define PS_RUNTIME_COLLECTIVE_STOPPROPOSALS_H

#include "absl/functional/function_ref.h"
#include "runtime/base/Done.h"
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace ps::runtime {

/// The numbers that the trainers of a group have given to proposeStop(), and
/// the calls that wait for all of them. The caller locks.
class StopProposals {
public:
  using Ended = std::vector<std::pair<Done, absl::Status>>;

  explicit StopProposals(int trainers) : all(trainers) {}

  /// A trainer elsewhere has given `proposal`, which is not 0. Returns whether
  /// it is the first one of all.
  bool note(int trainer, double proposal) {
    const bool isFirst =
        std::ranges::all_of(all, [](double p) { return p == 0; });
    all[trainer] = proposal;
    return isFirst;
  }
  /// A call of `trainer` that waits.
  void add(int trainer, std::span<double> proposals, Done done) {
    note(trainer, proposals[trainer]);
    waiting.push_back({trainer, proposals, std::move(done)});
  }
  /// The calls to end with OK, if no proposal is missing of those that have not
  /// left.
  Ended takeIfComplete(absl::FunctionRef<bool(int trainer)> hasLeft) {
    for (size_t i = 0; i != all.size(); ++i)
      if (all[i] == 0 && !hasLeft(static_cast<int>(i)))
        return {};
    for (Waiting &each : waiting)
      std::ranges::copy(all, each.proposals.begin());
    return takeAll(absl::OkStatus());
  }
  /// All calls, to end with `status`.
  Ended takeAll(const absl::Status &status) {
    Ended ended;
    for (Waiting &each : std::exchange(waiting, {}))
      ended.emplace_back(std::move(each.done), status);
    return ended;
  }
  /// Those of `trainer`, which leaves.
  Ended take(int trainer, const absl::Status &status) {
    Ended ended;
    std::erase_if(waiting, [&](Waiting &each) {
      if (each.trainer != trainer)
        return false;
      ended.emplace_back(std::move(each.done), status);
      return true;
    });
    return ended;
  }

private:
  struct Waiting {
    int trainer = 0;
    std::span<double> proposals;
    Done done;
  };
  std::vector<double> all;
  std::vector<Waiting> waiting;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_STOPPROPOSALS_H
