//===- ServedTables.h - the tables of a pserver ---------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_SERVEDTABLES_H
#define PS_RUNTIME_TRANSPORT_SERVEDTABLES_H

#include "runtime/transport/ServedTable.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// The tables by name. The caller locks.
class ServedTables {
public:
  explicit ServedTables(Rounds rounds) : rounds(rounds) {}

  /// Fails as ServedTable::create does, and for a name that is given twice or a
  /// table whose rows would depend on the order in which trainers ask although
  /// the job is deterministic.
  absl::StatusOr<ServedTable *> add(const TableBlock &spec,
                                    const PServer::Options &options);

  /// The table that a header from `trainer` names, which it fits as
  /// ServedTable::checkRows says.
  absl::StatusOr<ServedTable *> find(int trainer, const RowRange &rows,
                                     bool push, size_t payloadBytes) const;
  /// The same for a push: FAILED_PRECONDITION for a table that is not trained,
  /// or in another round.
  absl::StatusOr<ServedTable *> findPushed(int trainer, const RowRange &rows,
                                           size_t payloadBytes) const;

  /// Empty, or what is missing of a push of `trainer` that has begun.
  std::string whatIsMissing(int trainer) const;
  /// Units have been updated in `step`, the protocol's, all of them if it ends:
  /// the rows of those tables are a step older.
  void updated(int64_t step, bool endsStep);
  /// Forgets the pushes of the step, which the caller lets go when it holds no
  /// lock.
  std::vector<std::vector<ServedTable::Push>> takePushes();

  bool empty() const { return tables.empty(); }
  /// "tables 'a' and 'b'".
  std::string names() const;

private:
  const Rounds rounds;
  std::vector<std::unique_ptr<ServedTable>> tables;
  std::map<std::string, ServedTable *, std::less<>> index;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_SERVEDTABLES_H
