// SPDX-License-Identifier: Apache-2.0
//===- ShardedRows.cpp - the rows of tables that pservers hold ------------===//
//
// An id belongs to one shard. A call is split by a counting sort of its ids,
// one call per shard is made, and the answers are written straight to the
// places of the caller's rows. With one shard nothing is sorted or copied.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/ShardedRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <atomic>
#include <cstring>
#include <map>
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

/// The calls on the shards. Keeps what they point at until all have ended.
struct ShardCalls {
  /// That the shards which have answered hold.
  std::atomic<uint64_t> rows{0};

  Split split;
  /// Which rows there are copies of, by shard, as the ids.
  std::vector<uint8_t> held;
  std::unique_ptr<std::byte[]> gradients;

  /// `toAll`: shards get a call without ids, too. RESOURCE_EXHAUSTED when there
  /// is no memory for the ids and for `gradientBytes`.
  static absl::StatusOr<std::shared_ptr<ShardCalls>>
  create(std::span<const int64_t> ids, const ShardedTable &table, bool toAll,
         size_t gradientBytes = 0);

  ShardCalls(Split split, bool toAll) : split(std::move(split)), toAll(toAll) {}

  bool calls(size_t shard) const { return toAll || split.count(shard) != 0; }
  size_t numCalls() const {
    size_t count = 0;
    for (size_t shard = 0; shard + 1 < split.begins.size(); ++shard)
      count += calls(shard);
    return count;
  }

private:
  const bool toAll;
};

class ShardedRows final : public RowSource {
public:
  explicit ShardedRows(Rounds rounds) : rounds(rounds) {}
  absl::Status add(ShardedTable table);

  void prefetch(int64_t step, const RowRequest &request, Done done) override;
  void push(int64_t step, const RowGradients &rows, Done done) override;
  void checkLimits(int64_t step, Done done) override;

private:
  struct Entry {
    ShardedTable table;
    Mutex mutex;
    /// As those that training asks for, without ids.
    std::optional<TableRows> created ABSL_GUARDED_BY(mutex);

    absl::Status checkLimit(uint64_t rows) const;
  };

  absl::StatusOr<Entry *> find(const std::string &name);
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

/// All memory of a call is allocated here, where failing is still simple.
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

/// Fails if no pserver holds the table.
absl::StatusOr<ShardedRows::Entry *>
ShardedRows::find(const std::string &name) {
  auto found = entries.find(name);
  if (found == entries.end())
    return absl::NotFoundError(
        absl::StrCat("no pserver holds a table '", name, "'"));
  return &found->second;
}

/// Each pserver only knows its own count; the limit is on the sum.
absl::Status ShardedRows::Entry::checkLimit(uint64_t rows) const {
  if (rows <= static_cast<uint64_t>(*table.maxRows))
    return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("table '", table.name, "' is full: the pservers hold ", rows,
                   " rows of at most ", *table.maxRows,
                   "; raise the row limit, dimension 0 of the table's type"));
}

void ShardedRows::prefetch(int64_t step, const RowRequest &request, Done done) {
  absl::StatusOr<Entry *> found = find(request.table);
  if (!found.ok())
    return done(found.status());
  if (request.ids.empty())
    return done(absl::OkStatus());
  Entry &entry = **found;
  // What is evaluated or saved is what the pservers hold.
  RowRequest narrow = request;
  if (!request.frozen)
    narrow.wire = entry.table.wire;
  if (entry.table.shards.size() == 1)
    return entry.table.shards[0]->prefetch(
        step, narrow,
        [done = std::move(done)](absl::StatusOr<uint64_t> rows) mutable {
          done(rows.status());
        });
  if (!request.frozen) {
    MutexLock lock(entry.mutex);
    if (!entry.created)
      entry.created = {request.table, request.dtype, request.width, {}};
  }
  ask(step, entry, narrow, !request.frozen && entry.table.maxRows,
      std::move(done));
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
  auto join = Join::create(
      calls->numCalls(), [calls, check, &entry, what,
                          done = std::move(done)](absl::Status status) mutable {
        if (status.ok() && check)
          status = annotate(entry.checkLimit(calls->rows), what);
        done(std::move(status));
      });
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
        [calls, done = join->part()](absl::StatusOr<uint64_t> rows) mutable {
          calls->rows += rows.value_or(0);
          done(rows.status());
        });
  }
}

/// One table after the other, from `next` on: there are few.
void ShardedRows::checkFrom(std::map<std::string, Entry>::iterator next,
                            int64_t step, Done done) {
  for (; next != entries.end(); ++next) {
    Entry &entry = next->second;
    std::optional<TableRows> created;
    {
      MutexLock lock(entry.mutex);
      created = entry.created;
    }
    if (!created || !entry.table.maxRows)
      continue;
    const RowRequest none{*created, nullptr, {}, /*frozen=*/true};
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

void ShardedRows::push(int64_t step, const RowGradients &rows, Done done) {
  absl::StatusOr<Entry *> found = find(rows.table);
  if (!found.ok())
    return done(found.status());
  const size_t rowBytes = rows.rowBytes();
  const size_t bytes = rows.ids.size() * rowBytes;
  if (rows.gradients.size() != bytes)
    return done(absl::InvalidArgumentError(absl::StrCat(
        "expected ", bytes, " bytes of ", rows.ids.size(), " rows of table '",
        rows.table, "', found ", rows.gradients.size())));
  // The update of a shard waits for a message from every trainer.
  const bool toAll = rounds.count == 1;
  if (rows.ids.empty() && !toAll)
    return done(absl::OkStatus());
  Entry &entry = **found;
  RowGradients part = rows;
  part.wire = entry.table.wire;
  if (entry.table.shards.size() == 1)
    return entry.table.shards[0]->pushRows(step, part, std::move(done));
  auto made = ShardCalls::create(rows.ids, entry.table, toAll, bytes);
  if (!made.ok())
    return done(annotate(made.status(), "push of rows of table '", rows.table,
                         "' at step ", rounds.str(step)));
  std::shared_ptr<ShardCalls> calls = *std::move(made);
  auto join = Join::create(calls->numCalls(), [calls, done = std::move(done)](
                                                  absl::Status status) mutable {
    done(std::move(status));
  });
  const Split &split = calls->split;
  std::byte *to = calls->gradients.get();
  for (int32_t place : split.places) {
    std::memcpy(to,
                rows.gradients.data() + static_cast<size_t>(place) * rowBytes,
                rowBytes);
    to += rowBytes;
  }
  for (size_t shard = 0; shard < entry.table.shards.size(); ++shard) {
    if (!calls->calls(shard))
      continue;
    part.ids = split.idsOf(shard);
    part.gradients = {calls->gradients.get() + split.begins[shard] * rowBytes,
                      split.count(shard) * rowBytes};
    entry.table.shards[shard]->pushRows(step, part, join->part());
  }
}

absl::StatusOr<std::unique_ptr<RowSource>>
ps::runtime::makeShardedRows(std::vector<ShardedTable> tables, Rounds rounds) {
  auto source = std::make_unique<ShardedRows>(rounds);
  for (ShardedTable &table : tables)
    RETURN_IF_ERROR(source->add(std::move(table)));
  return source;
}
