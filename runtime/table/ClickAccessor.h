// SPDX-License-Identifier: Apache-2.0
//===- ClickAccessor.h - show and click statistics of rows ----------------===//

#ifndef PS_RUNTIME_TABLE_CLICKACCESSOR_H
#define PS_RUNTIME_TABLE_CLICKACCESSOR_H

#include <cstdint>
#include <optional>

namespace ps::runtime {

/// What is known of the use of a row of click-through data.
struct RowClicks {
  /// How often the id was shown and clicked, decayed.
  float show = 0, click = 0;
  /// The score of shows and clicks since the row was last saved as one that is
  /// worth serving, or that has changed.
  float deltaScore = 0;
  /// How many days have ended since the row's last update.
  float unseenDays = 0;
};

/// Which rows of a table are saved.
enum class RowSelection {
  All,
  Base, ///< those worth serving
  Delta ///< of these, the ones that have changed since they were last saved so
};

/// Keeps show and click statistics with each row and scores rows by them. The
/// defaults are the usual ones.
struct ClickAccessor {
  double nonClickCoefficient = 0.1, clickCoefficient = 1;
  /// The columns of a row from this one on are absent until the row's score is
  /// at least embedxThreshold: they read as zeros and are not updated.
  std::optional<int64_t> embedxFrom;
  double embedxThreshold = 10;
  /// Whether the gradient of a row is divided by its shows in the step.
  bool showScale = false;
  /// The score of a row worth serving is at least this, ...
  double baseThreshold = 1.5;
  /// ... and it was not updated for at most so many days.
  double deltaKeepDays = 16;
  /// A row has changed whose deltaScore is at least this.
  double deltaThreshold = 0.25;
  /// What is left of shows and clicks after a day.
  double decay = 0.98;
  /// A row goes when its score is less, after decay, ...
  double deleteThreshold = 0.8;
  /// ... or when it has not been updated for more days than this.
  double deleteAfterUnseenDays = 30;

  double score(double show, double click) const {
    return (show - click) * nonClickCoefficient + click * clickCoefficient;
  }
  /// Whether `rows` are such as the row of `known`.
  bool selects(const RowClicks &known, RowSelection rows) const {
    return rows == RowSelection::All ||
           (score(known.show, known.click) >= baseThreshold &&
            known.unseenDays <= deltaKeepDays &&
            (rows == RowSelection::Base || known.deltaScore >= deltaThreshold));
  }
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_CLICKACCESSOR_H
