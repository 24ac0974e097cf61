//===- ServedTables.cpp - the tables of a pserver -------------------------===//

#include "runtime/transport/ServedTables.h"
#include "absl/strings/str_cat.h"

using namespace ps::runtime;

absl::StatusOr<ServedTable *>
ServedTables::add(const TableBlock &spec, const PServer::Options &options) {
  absl::StatusOr<std::unique_ptr<ServedTable>> created =
      ServedTable::create(spec, options.trainers, options.rounds.count);
  if (!created.ok())
    return created.status();
  ServedTable *table = created->get();
  if (options.deterministic && options.trainers > 1 &&
      spec.table->spec().eviction.leastRecentlyUsed)
    return absl::InvalidArgumentError(absl::StrCat(
        "table '", table->name(),
        "' drops old rows when it is full, and which "
        "depends on the trainer that asks first: expected 1 trainer in a "
        "deterministic job, found ",
        options.trainers));
  if (!index.emplace(table->name(), table).second)
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table->name(), "' is given twice"));
  tables.push_back(*std::move(created));
  return table;
}

absl::StatusOr<ServedTable *> ServedTables::find(int trainer,
                                                 const RowRange &rows,
                                                 bool push,
                                                 size_t payloadBytes) const {
  auto found = index.find(rows.table);
  if (found == index.end())
    return absl::InvalidArgumentError(absl::StrCat(
        "found a ", push ? "push of rows" : "prefetch", " of unknown table '",
        rows.table, "' from trainer ", trainer));
  if (absl::Status status = found->second->checkRows(rows, push, payloadBytes);
      !status.ok())
    return absl::InvalidArgumentError(
        absl::StrCat(status.message(), " from trainer ", trainer));
  return found->second;
}

absl::StatusOr<ServedTable *>
ServedTables::findPushed(int trainer, const RowRange &rows,
                         size_t payloadBytes) const {
  absl::StatusOr<ServedTable *> found =
      find(trainer, rows, /*push=*/true, payloadBytes);
  if (!found.ok())
    return found;
  const ServedTable &table = **found;
  const int round = rounds.roundOf(rows.step);
  if (!table.update())
    return absl::FailedPreconditionError(
        absl::StrCat("found a push of rows of table '", table.name(),
                     "', which is not trained, from trainer ", trainer));
  if (table.round() != round)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a push of rows of table '", table.name(),
                     "' in round ", table.round(), " of a step from trainer ",
                     trainer, ", found it in round ", round));
  return found;
}

std::string ServedTables::whatIsMissing(int trainer) const {
  for (const std::unique_ptr<ServedTable> &table : tables)
    if (std::string missing = table->whatIsMissing(trainer); !missing.empty())
      return missing;
  return "";
}

void ServedTables::updated(int64_t step, bool endsStep) {
  for (const std::unique_ptr<ServedTable> &table : tables)
    if (endsStep ? rounds.endsStep(step) : table->updated == step)
      table->endStep(step);
}

std::vector<std::vector<ServedTable::Push>> ServedTables::takePushes() {
  std::vector<std::vector<ServedTable::Push>> pushes;
  for (const std::unique_ptr<ServedTable> &table : tables)
    pushes.push_back(table->takePushes());
  return pushes;
}

std::string ServedTables::names() const {
  return nameBlocks(
      tables.size(),
      [&](size_t i) -> const std::string & { return tables[i]->name(); },
      "table");
}
