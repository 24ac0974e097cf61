//===- EntryExit.h - which ids have rows, and which rows go ---------------===//

#ifndef PS_RUNTIME_STORE_ENTRYEXIT_H
#define PS_RUNTIME_STORE_ENTRYEXIT_H

#include <cstdint>
#include <optional>

namespace ps::runtime {

/// Which ids are given a row. The others read as zeros and are not updated.
struct Admission {
  enum class Kind {
    All,
    Count,      ///< at an id's `count`-th access
    Probability ///< a share of `probability` of all ids, decided by the id
  };
  Kind kind = Kind::All;
  /// An access is a training look-up whose ids hold the id, once or more. At
  /// least 1, and less than 2^31; more than 2^30 - 2 count as that many.
  int64_t count = 1;
  /// Greater than 0, at most 1.
  double probability = 1;
};

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

/// Keeps show and click statistics with each row and judges rows by them. The
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

/// Which rows go.
struct Eviction {
  /// Table::shrink() drops rows not used for more steps than this.
  std::optional<int64_t> maxAge;
  /// Who updates the table lets it shrink after every so many steps.
  std::optional<int64_t> every;
  /// A full table drops the rows that were used the longest time ago, a
  /// sixteenth of all at a time, instead of refusing new ones.
  bool leastRecentlyUsed = false;

  bool needsLastUse() const { return maxAge || leastRecentlyUsed; }
};

/// What happened to rows since a table was made.
struct TableCounters {
  /// Rows that were created in training or loaded.
  int64_t admitted = 0;
  /// Rows that were wanted when the table was full.
  int64_t refusedFull = 0;
  /// Look-ups of ids that have not been accessed often enough, or that are not
  /// in the share of those that have rows.
  int64_t refusedByCount = 0, refusedByProbability = 0;
  /// Ids that were forgotten before they had been accessed often enough.
  int64_t forgotten = 0;
  /// Rows whose absent columns were created, for they had the score for it.
  int64_t embedxCreated = 0;
  /// Rows dropped: not used for too many steps, of too low a score, not updated
  /// for too many days, used the longest time ago in a full table.
  int64_t evictedByAge = 0, evictedByScore = 0, evictedUnseen = 0,
          evictedByCapacity = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_ENTRYEXIT_H
