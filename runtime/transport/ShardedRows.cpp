//===- ShardedRows.cpp - the rows of tables that pservers hold ------------===//

#include "runtime/transport/ShardedRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>

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
  std::mutex mutex; // Guards remaining and result.
  size_t remaining = 0;
  absl::Status result;
  Done done;

  Split split;
  std::unique_ptr<std::byte[]> gradients;

  ShardCalls(Split split, Done done)
      : done(std::move(done)), split(std::move(split)) {
    for (size_t i = 0; i + 1 < this->split.begins.size(); ++i)
      remaining += this->split.count(i) != 0;
  }

  /// Whether this was the last.
  bool arrive(const absl::Status &status) {
    std::lock_guard<std::mutex> lock(mutex);
    result.Update(status);
    return --remaining == 0;
  }
};

class ShardedRows final : public RowSource {
public:
  explicit ShardedRows(Rounds rounds) : rounds(rounds) {}
  absl::Status add(ShardedTable table);

  void prefetch(int64_t step, const std::string &name,
                std::span<const int64_t> ids, bool create,
                const TensorRef &values, Done done) override;
  void push(int64_t step, const std::string &name, std::span<const int64_t> ids,
            const TensorRef &gradients, Done done) override;

private:
  struct Entry {
    ShardedTable table;
    std::mutex mutex; // Guards held.
    /// By shard: rows when it last answered.
    std::vector<uint64_t> held;

    void note(size_t shard, uint64_t rows);
    absl::Status checkLimit();
  };

  absl::StatusOr<Entry *> find(const std::string &name,
                               std::span<const int64_t> ids,
                               const TensorRef &rows);

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

absl::Status ShardedRows::add(ShardedTable table) {
  if (table.shards.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table.name, "' has no shards"));
  auto [entry, added] = entries.try_emplace(table.name);
  if (!added)
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table.name, "' is given twice"));
  entry->second.held.resize(table.shards.size());
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

void ShardedRows::Entry::note(size_t shard, uint64_t rows) {
  std::lock_guard<std::mutex> lock(mutex);
  held[shard] = rows;
}

absl::Status ShardedRows::Entry::checkLimit() {
  if (!table.maxRows)
    return absl::OkStatus();
  std::lock_guard<std::mutex> lock(mutex);
  const uint64_t rows = std::accumulate(held.begin(), held.end(), uint64_t(0));
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
  absl::StatusOr<Entry *> found = find(name, ids, values);
  if (!found.ok())
    return done(found.status());
  if (ids.empty())
    return done(absl::OkStatus());
  Entry &entry = **found;
  const uint64_t width = static_cast<uint64_t>(values.type.shape[1]);
  if (entry.table.shards.size() == 1)
    return entry.table.shards[0]->prefetch(
        step, {name, values.type.dtype, width, ids, values.data, {}, !create},
        [done = std::move(done)](absl::StatusOr<uint64_t> rows) mutable {
          done(rows.status());
        });
  const std::string what =
      absl::StrCat("prefetch of table '", name, "' at step ", rounds.str(step));
  auto calls =
      std::make_shared<ShardCalls>(Split(ids, entry.table), std::move(done));
  for (size_t shard = 0; shard < entry.table.shards.size(); ++shard) {
    if (calls->split.count(shard) == 0)
      continue;
    RowRequest request{name,
                       values.type.dtype,
                       width,
                       calls->split.idsOf(shard),
                       values.data,
                       calls->split.placesOf(shard),
                       /*frozen=*/!create};
    entry.table.shards[shard]->prefetch(
        step, request,
        [calls, shard, create, &entry, what](absl::StatusOr<uint64_t> rows) {
          if (rows.ok())
            entry.note(shard, *rows);
          if (!calls->arrive(rows.status()))
            return;
          if (calls->result.ok() && create)
            calls->result = annotate(entry.checkLimit(), what);
          calls->done(std::move(calls->result));
        });
  }
}

void ShardedRows::push(int64_t step, const std::string &name,
                       std::span<const int64_t> ids, const TensorRef &gradients,
                       Done done) {
  absl::StatusOr<Entry *> found = find(name, ids, gradients);
  if (!found.ok())
    return done(found.status());
  if (ids.empty())
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
  auto calls =
      std::make_shared<ShardCalls>(Split(ids, entry.table), std::move(done));
  const Split &split = calls->split;
  calls->gradients =
      std::make_unique_for_overwrite<std::byte[]>(ids.size() * rowBytes);
  std::byte *to = calls->gradients.get();
  for (int32_t place : split.places) {
    std::memcpy(to, gradients.data + static_cast<size_t>(place) * rowBytes,
                rowBytes);
    to += rowBytes;
  }
  for (size_t shard = 0; shard < entry.table.shards.size(); ++shard)
    if (const size_t count = split.count(shard); count != 0)
      entry.table.shards[shard]->pushRows(
          step,
          {name,
           dtype,
           width,
           split.idsOf(shard),
           {calls->gradients.get() + split.begins[shard] * rowBytes,
            count * rowBytes}},
          [calls](absl::Status status) {
            if (calls->arrive(status))
              calls->done(std::move(calls->result));
          });
}

absl::StatusOr<std::unique_ptr<RowSource>>
ps::runtime::makeShardedRows(std::vector<ShardedTable> tables, Rounds rounds) {
  auto source = std::make_unique<ShardedRows>(rounds);
  for (ShardedTable &table : tables)
    if (absl::Status status = source->add(std::move(table)); !status.ok())
      return status;
  return source;
}
