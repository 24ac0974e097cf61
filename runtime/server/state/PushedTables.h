// SPDX-License-Identifier: Apache-2.0
//===- PushedTables.h - pushes of several tables --------------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_PUSHEDTABLES_H
#define PS_RUNTIME_SERVER_STATE_PUSHEDTABLES_H

#include "runtime/server/state/PushedRows.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// The tables by name, with what trainers push of those that are trained. The
/// caller locks.
class PushedTables {
public:
  explicit PushedTables(Rounds rounds) : rounds(rounds) {}

  /// `table` outlives this; the names of tables differ. Returns null for one
  /// that is not trained.
  PushedRows *add(ServedTable &table, int trainers);

  /// The table that a header from `trainer` names, which it fits as
  /// ServedTable::checkRows says.
  absl::StatusOr<ServedTable *> find(int trainer, const wire::Rows &rows,
                                     bool push, size_t payloadBytes) const;
  /// The same for a push: FAILED_PRECONDITION for a table that is not trained,
  /// or in another round.
  absl::StatusOr<PushedRows *> findPushed(int trainer, const wire::Rows &rows,
                                          size_t payloadBytes) const;

  /// Forgets the pushes of the step, which the caller destroys when it holds no
  /// lock.
  std::vector<std::vector<PushedRows::Push>> takePushes();

private:
  struct Entry {
    ServedTable *table;
    /// Null for a table that is not trained.
    std::unique_ptr<PushedRows> pushed;
  };

  absl::StatusOr<const Entry *> findEntry(int trainer, const wire::Rows &rows,
                                          bool push, size_t payloadBytes) const;

  const Rounds rounds;
  std::map<std::string, Entry, std::less<>> tables;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_PUSHEDTABLES_H
