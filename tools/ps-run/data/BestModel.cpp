// SPDX-License-Identifier: Apache-2.0
//===- BestModel.cpp - which evaluation of a run was the best -------------===//

#include "tools/ps-run/data/BestModel.h"
#include "absl/strings/str_cat.h"
#include <algorithm>
#include <cmath>

using namespace ps;
using namespace ps::runtime;

bool BestModel::add(const Scalars &scalars, int64_t step) {
  auto found = std::ranges::find(scalars, config.metric,
                                 &std::pair<std::string, double>::first);
  const double value = found == scalars.end() ? NAN : found->second;
  const bool better =
      std::isfinite(value) &&
      (!best || (config.isMaximum ? value > best->value : value < best->value));
  if (better)
    best = BestEvaluation{.value = value, .step = step, .since = 0};
  else if (best)
    ++best->since;
  return better;
}

std::string BestModel::describeEnd() const {
  return absl::StrCat(
      config.metric, " was ", best->value, " at best, after step ", best->step,
      ", and has not ", config.isMaximum ? "risen" : "fallen", " in ",
      best->since, best->since == 1 ? " evaluation" : " evaluations");
}
