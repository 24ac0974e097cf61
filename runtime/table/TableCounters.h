// SPDX-License-Identifier: Apache-2.0
//===- TableCounters.h - how many rows a table created and dropped --------===//

#ifndef PS_RUNTIME_TABLE_TABLECOUNTERS_H
#define PS_RUNTIME_TABLE_TABLECOUNTERS_H

#include <cstdint>

namespace ps::runtime {

/// What happened to rows since a table was created.
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
  /// Rows whose absent columns were created, because they reached the score.
  int64_t embedxCreated = 0;
  /// Rows dropped: not used for too many steps, of too low a score, not updated
  /// for too many days, used the longest time ago in a full table.
  int64_t evictedByAge = 0, evictedByScore = 0, evictedUnseen = 0,
          evictedByCapacity = 0;
  /// Rows that came from an SSD into memory, and that left memory for it.
  int64_t promoted = 0, demoted = 0;
  /// Those among the promoted ones that came before a pass.
  int64_t promotedForPass = 0;
  /// Those of them that were read while the pass before trained.
  int64_t readForPass = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_TABLECOUNTERS_H
