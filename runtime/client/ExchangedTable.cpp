// SPDX-License-Identifier: Apache-2.0
//===- ExchangedTable.cpp - a table that trainers hold and exchange -------===//
//
// Rows are visited in pieces, in which those that are missing are created
// before any is worked on; then threads share the rows of a piece.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/ExchangedTable.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cstring>
#include <new>

using namespace ps::runtime;

/// Rows of a piece: enough for all threads, few enough for their values to stay
/// in cache.
static constexpr size_t kPiece = size_t{1} << 14;

void NotedIds::note(std::span<const int64_t> ids,
                    std::span<const uint32_t> numbers) {
  for (size_t i = 0; i < ids.size(); ++i) {
    const uint32_t number = numbers[i];
    if (!RowStore::isRow(number))
      continue;
    if (number / 64 >= bits.size())
      bits.resize(std::max<size_t>(number / 64 + 1, 2 * bits.size()));
    uint64_t &word = bits[number / 64];
    const uint64_t bit = uint64_t{1} << number % 64;
    if (word & bit)
      continue;
    noted.push_back(ids[i]);
    rows.push_back(number);
    word |= bit;
  }
}

void NotedIds::clear() {
  for (uint32_t number : rows)
    bits[number / 64] = 0;
  noted.clear();
  rows.clear();
}

absl::StatusOr<std::unique_ptr<ExchangedTable>>
ExchangedTable::create(Options options) {
  std::unique_ptr<ExchangedTable> table(new ExchangedTable(std::move(options)));
  const Options &given = table->options;
  ASSIGN_OR_RETURN(table->own, Table::create(given.spec, given.seed));
  ASSIGN_OR_RETURN(table->known, Table::create(given.spec, given.seed));
  table->pulls.resize(given.shards.size());
  return table;
}

/// What no memory was found for.
static absl::Status noMemory(const TableSpec &spec, absl::string_view what) {
  return absl::ResourceExhaustedError(
      absl::StrCat("table '@", spec.name, "': no memory to ", what));
}

absl::Status ExchangedTable::noteUpdate(std::span<const int64_t> ids) {
  try {
    numbers.resize(ids.size());
    own->rows().findAll(ids, numbers.data());
    updated.note(ids, numbers);
    differing.note(ids, numbers);
  } catch (const std::bad_alloc &) {
    return noMemory(options.spec, "note rows that were updated");
  }
  return absl::OkStatus();
}

/// Calls `body` for pieces of `ids` with the rows of both tables, which it may
/// write. Creates those that are missing.
absl::Status ExchangedTable::visit(std::span<const int64_t> ids,
                                   ParallelRows parallel, Body body) {
  const size_t most = std::min(ids.size(), kPiece);
  std::vector<std::byte> unused(most * own->valueBytes());
  std::vector<const std::byte *> mine(most), theirs(most);
  for (size_t first = 0; first < ids.size(); first += kPiece) {
    const size_t count = std::min(ids.size() - first, kPiece);
    const std::span<const int64_t> piece = ids.subspan(first, count);
    RETURN_IF_ERROR(own->locate(piece, /*create=*/true, unused.data(),
                                std::span(mine).first(count), parallel));
    RETURN_IF_ERROR(known->locate(piece, /*create=*/true, unused.data(),
                                  std::span(theirs).first(count), parallel));
    parallel(count, kIdsPerTask / 8, [&](int64_t begin, int64_t end) {
      body(first + begin, end - begin,
           std::span(mine).subspan(begin, end - begin),
           std::span(theirs).subspan(begin, end - begin));
    });
  }
  return absl::OkStatus();
}

/// The elements of a row of a table, for writing.
template <typename T>
static T *elements(const std::byte *row) {
  return reinterpret_cast<T *>(const_cast<std::byte *>(row));
}

template <typename T>
absl::Status ExchangedTable::collectAs(T parts, RowBatch &batch,
                                       ParallelRows parallel) {
  const size_t width = own->spec().width;
  const std::span<const int64_t> noted =
      (parts == 1 ? differing : updated).ids();
  // Gradients may have been zero.
  std::vector<uint8_t> differs(noted.size());
  RETURN_IF_ERROR(visit(
      noted, parallel, [&](size_t first, size_t count, auto mine, auto theirs) {
        for (size_t i = 0; i < count; ++i)
          differs[first + i] =
              std::memcmp(mine[i], theirs[i], width * sizeof(T)) != 0;
      }));
  std::vector<int64_t> ids;
  for (size_t i = 0; i < noted.size(); ++i)
    if (differs[i])
      ids.push_back(noted[i]);
  const RowLookup lookup{ids, std::nullopt};
  RETURN_IF_ERROR(batch.assign(std::span(&lookup, 1)));
  ASSIGN_OR_RETURN(TensorRef gradients, batch.gradients());
  T *const all = gradients.as<T>();
  RETURN_IF_ERROR(
      visit(batch.ids(), parallel,
            [&](size_t first, size_t count, auto mine, auto theirs) {
              for (size_t i = 0; i < count; ++i) {
                const T *x = elements<T>(mine[i]);
                T *y = elements<T>(theirs[i]);
                T *d = all + (first + i) * width;
                for (size_t j = 0; j < width; ++j) {
                  d[j] = (y[j] - x[j]) / parts;
                  y[j] -= d[j];
                }
              }
            }));
  updated.clear();
  if (parts == 1)
    differing.clear();
  return absl::OkStatus();
}

absl::Status ExchangedTable::collect(double parts, RowBatch &batch,
                                     ParallelRows parallel) {
  try {
    return own->spec().dtype == DType::F64
               ? collectAs<double>(parts, batch, parallel)
               : collectAs<float>(static_cast<float>(parts), batch, parallel);
  } catch (const std::bad_alloc &) {
    return noMemory(options.spec, "collect rows that were updated");
  }
}

void ExchangedTable::pull(int64_t step, Done done) {
  auto join = Join::create(options.shards.size(), std::move(done));
  for (size_t shard = 0; shard < options.shards.size(); ++shard)
    pullNext(shard, step, std::nullopt, join->part());
}

/// One message after the other, until those have come that were `left` when the
/// first was answered: others may change rows all the time.
void ExchangedTable::pullNext(size_t shard, int64_t step,
                              std::optional<uint64_t> left, Done done) {
  const TableSpec &spec = options.spec;
  auto receive = [this, shard, step, left, done = std::move(done)](
                     absl::StatusOr<RowChanges> changes) mutable {
    if (!changes.ok())
      return done(changes.status());
    const uint64_t count = changes->ids.size();
    const uint64_t before = left.value_or(changes->left + count);
    {
      MutexLock lock(mutex);
      pulled.push_back(*std::move(changes));
    }
    if (count == 0 || before <= count)
      return done(absl::OkStatus());
    pullNext(shard, step, before - count, std::move(done));
  };
  options.shards[shard]->pullChanges(
      step, {spec.name, spec.dtype, static_cast<uint64_t>(spec.width), {}},
      ++pulls[shard], std::move(receive));
}

template <typename T>
absl::Status ExchangedTable::mergeAs(const RowChanges &changes,
                                     ParallelRows parallel) {
  const size_t width = own->spec().width;
  return visit(changes.ids, parallel,
               [&](size_t first, size_t count, auto mine, auto theirs) {
                 for (size_t i = 0; i < count; ++i) {
                   T *x = elements<T>(mine[i]), *y = elements<T>(theirs[i]);
                   const std::byte *z =
                       changes.values.data() + (first + i) * width * sizeof(T);
                   for (size_t j = 0; j < width; ++j) {
                     T value; // Answers are not aligned.
                     std::memcpy(&value, z + j * sizeof(T), sizeof(T));
                     x[j] += value - y[j];
                     y[j] = value;
                   }
                 }
               });
}

absl::Status ExchangedTable::merge(ParallelRows parallel) {
  std::vector<RowChanges> all;
  {
    MutexLock lock(mutex);
    all = std::exchange(pulled, {});
  }
  try {
    for (const RowChanges &changes : all)
      RETURN_IF_ERROR(own->spec().dtype == DType::F64
                          ? mergeAs<double>(changes, parallel)
                          : mergeAs<float>(changes, parallel));
  } catch (const std::bad_alloc &) {
    return noMemory(options.spec, "merge rows of other trainers");
  }
  return absl::OkStatus();
}
