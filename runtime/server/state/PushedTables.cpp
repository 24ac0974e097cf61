// SPDX-License-Identifier: Apache-2.0
//===- PushedTables.cpp - pushes of several tables ------------------------===//

#include "runtime/server/state/PushedTables.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

PushedRows *PushedTables::add(ServedTable &table, int trainers) {
  Entry &entry = tables[table.name()];
  entry.table = &table;
  if (table.update())
    entry.pushed = std::make_unique<PushedRows>(table, trainers);
  return entry.pushed.get();
}

absl::StatusOr<const PushedTables::Entry *>
PushedTables::findEntry(int trainer, const wire::Rows &rows, bool push,
                        size_t payloadBytes) const {
  auto found = tables.find(rows.table());
  if (found == tables.end())
    return absl::InvalidArgumentError(absl::StrCat(
        "found a ", push ? "push of rows" : "prefetch", " of unknown table '",
        rows.table(), "' from trainer ", trainer));
  if (absl::Status status =
          found->second.table->checkRows(rows, push, payloadBytes);
      !status.ok())
    return absl::InvalidArgumentError(
        absl::StrCat(status.message(), " from trainer ", trainer));
  return &found->second;
}

absl::StatusOr<ServedTable *> PushedTables::find(int trainer,
                                                 const wire::Rows &rows,
                                                 bool push,
                                                 size_t payloadBytes) const {
  ASSIGN_OR_RETURN(const Entry *entry,
                   findEntry(trainer, rows, push, payloadBytes));
  return entry->table;
}

absl::StatusOr<PushedRows *>
PushedTables::findPushed(int trainer, const wire::Rows &rows,
                         size_t payloadBytes) const {
  ASSIGN_OR_RETURN(const Entry *entry,
                   findEntry(trainer, rows, /*push=*/true, payloadBytes));
  const ServedTable &table = *entry->table;
  const int round = rounds.roundOf(rows.step());
  if (!entry->pushed)
    return absl::FailedPreconditionError(
        absl::StrCat("found a push of rows of table '", table.name(),
                     "', which is not trained, from trainer ", trainer));
  if (table.round() != round)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a push of rows of table '", table.name(),
                     "' in round ", table.round(), " of a step from trainer ",
                     trainer, ", found it in round ", round));
  return entry->pushed.get();
}

std::vector<std::vector<PushedRows::Push>> PushedTables::takePushes() {
  std::vector<std::vector<PushedRows::Push>> pushes;
  for (auto &[name, entry] : tables)
    if (entry.pushed)
      pushes.push_back(entry.pushed->takePushes());
  return pushes;
}
