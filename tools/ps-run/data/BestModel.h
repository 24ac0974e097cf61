// SPDX-License-Identifier: Apache-2.0
//===- BestModel.h - which evaluation of a run was the best ---------------===//

#ifndef PS_TOOLS_PS_RUN_DATA_BESTMODEL_H
#define PS_TOOLS_PS_RUN_DATA_BESTMODEL_H

#include "runtime/checkpoint/TrainingState.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/output/Metrics.h"
#include <optional>
#include <string>

namespace ps {

/// Follows one number through the evaluations of a run. Thread-compatible.
class BestModel {
public:
  /// Goes on from what an earlier process knew.
  BestModel(MonitorConfig config, std::optional<runtime::BestEvaluation> before)
      : config(std::move(config)), best(before) {}

  /// Takes the numbers of the evaluation after `step` steps. Returns whether it
  /// was the best so far; one that is not a number is not.
  bool add(const Scalars &scalars, int64_t step);
  /// Whether too many evaluations were no better than the best one.
  bool isOver() const {
    return config.patience > 0 && best && best->since >= config.patience;
  }
  /// "loss was 0.25 at best, after step 40, and has not fallen in 3
  /// evaluations".
  std::string describeEnd() const;
  const std::optional<runtime::BestEvaluation> &evaluation() const {
    return best;
  }

private:
  const MonitorConfig config;
  std::optional<runtime::BestEvaluation> best;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DATA_BESTMODEL_H
