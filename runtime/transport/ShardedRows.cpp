//===- ShardedRows.cpp - the rows of tables that pservers hold ------------===//

#include "runtime/transport/ShardedRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>

using namespace ps::runtime;

namespace {
/// The ids of one call by shard, in their order.
struct Split {
  Split(std::span<const int64_t> ids, const ShardedTable &table);

  std::span<const int64_t> idsOf(size_t shard) const {
    return std::span(ids).subspan(begins[shard], count(shard));
  }
  /// Which of the call's rows those of the shard are.
  std::span<const int32_t> placesOf(size_t shard) const {
    return std::span(places).subspan(begins[shard], count(shard));
  }
  size_t count(size_t shard) const { return begins[shard + 1] - begins[shard]; }

  std::vector<size_t> begins;
  std::vector<int64_t> ids;
  std::vector<int32_t> places;
};

/// The calls on the shards: counts the answers, the first failure is that of
/// all. Keeps what the calls point at.
struct ShardCalls {
  std::mutex mutex; // Guards remaining, rows and result.
  size_t remaining = 0;
  /// That the shards which have answered hold.
  uint64_t rows = 0;
  absl::Status result;
  Done done;

  Split split;
  /// By shard, as the ids: which rows there are copies of.
  std::vector<uint8_t> held;
  std::unique_ptr<std::byte[]> gradients;

  /// `toAll`: shards get a call without ids, too. `done` is for the caller to
  /// set. RESOURCE_EXHAUSTED when there is no memory for the ids and for
  /// `gradientBytes`.
  static absl::StatusOr<std::shared_ptr<ShardCalls>>
  create(std::span<const int64_t> ids, const ShardedTable &table, bool toAll,
         size_t gradientBytes = 0);

  ShardCalls(Split split, bool toAll) : split(std::move(split)), toAll(toAll) {
    for (size_t i = 0; i < numShards(); ++i)
      remaining += calls(i);
  }

  size_t numShards() const { return split.begins.size() - 1; }
  bool calls(size_t shard) const { return toAll || split.count(shard) != 0; }

  /// Whether this was the last.
  bool arrive(const absl::StatusOr<uint64_t> &answer) {
    std::lock_guard<std::mutex> lock(mutex);
    result.Update(answer.status());
    rows += answer.value_or(0);
    return --remaining == 0;
  }

private:
  const bool toAll;
};

class ShardedRows final : public RowHolders {
public:
  explicit ShardedRows(Rounds rounds) : rounds(rounds) {}
  absl::Status add(ShardedTable table);

  void prefetch(int64_t step, const std::string &name,
                std::span<const int64_t> ids, bool create,
                const TensorRef &values, Done done) override;
  void refresh(int64_t step, const std::string &name,
               std::span<const int64_t> ids, const TensorRef &values,
               const RowCopies &copies, Done done) override;
  void push(int64_t step, const std::string &name, std::span<const int64_t> ids,
            const TensorRef &gradients, Done done) override;
  void checkLimits(int64_t step, Done done) override;

private:
  struct Entry {
    ShardedTable table;
    std::mutex mutex; // Guards created.
    /// As the rows that were last asked for in training.
    std::optional<TensorType> created;

    absl::Status checkLimit(uint64_t rows) const;
  };

  absl::StatusOr<Entry *> find(const std::string &name,
                               std::span<const int64_t> ids,
                               const TensorRef &rows);
  void fetch(int64_t step, const std::string &name,
             std::span<const int64_t> ids, bool frozen, const TensorRef &values,
             const RowCopies &copies, Done done);
  void ask(int64_t step, Entry &entry, const RowRequest &request, bool check,
           Done done);
  void checkFrom(std::map<std::string, Entry>::iterator next, int64_t step,
                 Done done);

  const Rounds rounds;
  std::map<std::string, Entry> entries;
};
} // namespace

Split::Split(std::span<const int64_t> all, const ShardedTable &table)
    : begins(table.shards.size() + 1) {
  const int shards = static_cast<int>(table.shards.size());
  std::vector<int32_t> shard(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    shard[i] = shardOf(all[i], shards, table.partition);
    ++begins[shard[i] + 1];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  ids.resize(all.size());
  places.resize(all.size());
  std::vector<size_t> next(begins.begin(), begins.end() - 1);
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t at = next[shard[i]]++;
    ids[at] = all[i];
    places[at] = static_cast<int32_t>(i);
  }
}

absl::StatusOr<std::shared_ptr<ShardCalls>>
ShardCalls::create(std::span<const int64_t> ids, const ShardedTable &table,
                   bool toAll, size_t gradientBytes) {
  try {
    auto calls = std::make_shared<ShardCalls>(Split(ids, table), toAll);
    calls->held.reserve(ids.size());
    if (gradientBytes != 0)
      calls->gradients =
          std::make_unique_for_overwrite<std::byte[]>(gradientBytes);
    return calls;
  } catch (const std::bad_alloc &) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory to sort ", ids.size(), " rows of table '",
                     table.name, "' by pserver: lower --batch-size"));
  }
}

absl::Status ShardedRows::add(ShardedTable table) {
  if (table.shards.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table.name, "' has no shards"));
  auto [entry, added] = entries.try_emplace(table.name);
  if (!added)
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table.name, "' is given twice"));
  entry->second.table = std::move(table);
  return absl::OkStatus();
}

absl::StatusOr<ShardedRows::Entry *>
ShardedRows::find(const std::string &name, std::span<const int64_t> ids,
                  const TensorRef &rows) {
  auto found = entries.find(name);
  if (found == entries.end())
    return absl::NotFoundError(
        absl::StrCat("no pserver holds a table '", name, "'"));
  if (rows.type.shape.size() != 2 ||
      rows.type.shape[0] != static_cast<int64_t>(ids.size()))
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", ids.size(), " rows of table '", name,
                     "', found ", rows.type.str()));
  return &found->second;
}

absl::Status ShardedRows::Entry::checkLimit(uint64_t rows) const {
  if (rows <= static_cast<uint64_t>(*table.maxRows))
    return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("table '", table.name, "' is full: the pservers hold ", rows,
                   " rows of at most ", *table.maxRows,
                   "; raise the row limit, dimension 0 of the table's type"));
}

void ShardedRows::prefetch(int64_t step, const std::string &name,
                           std::span<const int64_t> ids, bool create,
                           const TensorRef &values, Done done) {
  fetch(step, name, ids, /*frozen=*/!create, values, /*copies=*/{},
        std::move(done));
}

void ShardedRows::refresh(int64_t step, const std::string &name,
                          std::span<const int64_t> ids, const TensorRef &values,
                          const RowCopies &copies, Done done) {
  fetch(step, name, ids, /*frozen=*/false, values, copies, std::move(done));
}

void ShardedRows::fetch(int64_t step, const std::string &name,
                        std::span<const int64_t> ids, bool frozen,
                        const TensorRef &values, const RowCopies &copies,
                        Done done) {
  absl::StatusOr<Entry *> found = find(name, ids, values);
  if (!found.ok())
    return done(found.status());
  if (ids.empty())
    return done(absl::OkStatus());
  Entry &entry = **found;
  const RowRequest request{name,
                           values.type.dtype,
                           static_cast<uint64_t>(values.type.shape[1]),
                           ids,
                           values.data,
                           /*places=*/{},
                           frozen,
                           copies};
  if (entry.table.shards.size() == 1)
    return entry.table.shards[0]->prefetch(
        step, request,
        [done = std::move(done)](absl::StatusOr<uint64_t> rows) mutable {
          done(rows.status());
        });
  if (!frozen) {
    std::lock_guard<std::mutex> lock(entry.mutex);
    entry.created = values.type;
  }
  ask(step, entry, request, !frozen && entry.table.maxRows, std::move(done));
}

/// Asks all shards if `check`, that the count of rows is that of all.
void ShardedRows::ask(int64_t step, Entry &entry, const RowRequest &request,
                      bool check, Done done) {
  const std::string what = absl::StrCat("prefetch of table '", request.table,
                                        "' at step ", rounds.str(step));
  auto made = ShardCalls::create(request.ids, entry.table, check);
  if (!made.ok())
    return done(annotate(made.status(), what));
  std::shared_ptr<ShardCalls> calls = *std::move(made);
  calls->done = std::move(done);
  const Split &split = calls->split;
  if (request.copies.stateBytes != 0)
    for (int32_t place : split.places)
      calls->held.push_back(request.copies.held[place]);
  for (size_t shard = 0; shard < entry.table.shards.size(); ++shard) {
    if (!calls->calls(shard))
      continue;
    RowRequest part = request;
    part.ids = split.idsOf(shard);
    part.places = split.placesOf(shard);
    if (request.copies.stateBytes != 0)
      part.copies.held =
          std::span(calls->held).subspan(split.begins[shard], part.ids.size());
    entry.table.shards[shard]->prefetch(
        step, part,
        [calls, check, &entry, what](absl::StatusOr<uint64_t> rows) {
          if (!calls->arrive(rows))
            return;
          if (calls->result.ok() && check)
            calls->result = annotate(entry.checkLimit(calls->rows), what);
          calls->done(std::move(calls->result));
        });
  }
}

/// One table after the other, from `next` on: there are few.
void ShardedRows::checkFrom(std::map<std::string, Entry>::iterator next,
                            int64_t step, Done done) {
  for (; next != entries.end(); ++next) {
    Entry &entry = next->second;
    std::unique_lock<std::mutex> lock(entry.mutex);
    if (!entry.created || !entry.table.maxRows)
      continue;
    const RowRequest none{entry.table.name,
                          entry.created->dtype,
                          static_cast<uint64_t>(entry.created->shape[1]),
                          {},
                          nullptr,
                          {},
                          /*frozen=*/true};
    lock.unlock();
    return ask(step, entry, none, /*check=*/true,
               [this, next = std::next(next), step,
                done = std::move(done)](absl::Status status) mutable {
                 if (!status.ok())
                   return done(std::move(status));
                 checkFrom(next, step, std::move(done));
               });
  }
  done(absl::OkStatus());
}

void ShardedRows::checkLimits(int64_t step, Done done) {
  checkFrom(entries.begin(), step, std::move(done));
}

void ShardedRows::push(int64_t step, const std::string &name,
                       std::span<const int64_t> ids, const TensorRef &gradients,
                       Done done) {
  absl::StatusOr<Entry *> found = find(name, ids, gradients);
  if (!found.ok())
    return done(found.status());
  // The update of a shard waits to hear of all trainers.
  const bool toAll = rounds.count == 1;
  if (ids.empty() && !toAll)
    return done(absl::OkStatus());
  Entry &entry = **found;
  const size_t rowBytes = gradients.type.rowBytes();
  const uint64_t width = static_cast<uint64_t>(gradients.type.shape[1]);
  const DType dtype = gradients.type.dtype;
  if (entry.table.shards.size() == 1)
    return entry.table.shards[0]->pushRows(
        step,
        {name, dtype, width, ids, {gradients.data, ids.size() * rowBytes}},
        std::move(done));
  auto made =
      ShardCalls::create(ids, entry.table, toAll, ids.size() * rowBytes);
  if (!made.ok())
    return done(
        annotate(made.status(), absl::StrCat("push of rows of table '", name,
                                             "' at step ", rounds.str(step))));
  std::shared_ptr<ShardCalls> calls = *std::move(made);
  calls->done = std::move(done);
  const Split &split = calls->split;
  std::byte *to = calls->gradients.get();
  for (int32_t place : split.places) {
    std::memcpy(to, gradients.data + static_cast<size_t>(place) * rowBytes,
                rowBytes);
    to += rowBytes;
  }
  for (size_t shard = 0; shard < entry.table.shards.size(); ++shard)
    if (calls->calls(shard))
      entry.table.shards[shard]->pushRows(
          step,
          {name,
           dtype,
           width,
           split.idsOf(shard),
           {calls->gradients.get() + split.begins[shard] * rowBytes,
            split.count(shard) * rowBytes}},
          [calls](absl::Status status) {
            if (calls->arrive(status.ok() ? absl::StatusOr<uint64_t>(0)
                                          : std::move(status)))
              calls->done(std::move(calls->result));
          });
}

absl::StatusOr<std::unique_ptr<RowHolders>>
ps::runtime::makeShardedRows(std::vector<ShardedTable> tables, Rounds rounds) {
  auto source = std::make_unique<ShardedRows>(rounds);
  for (ShardedTable &table : tables)
    if (absl::Status status = source->add(std::move(table)); !status.ok())
      return status;
  return source;
}
