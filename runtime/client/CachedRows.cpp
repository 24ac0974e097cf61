// SPDX-License-Identifier: Apache-2.0
//===- CachedRows.cpp - a trainer's copies of rows ------------------------===//
//
// A table in a step:
//   1. prefetch() sends the ids, and which of the rows there are copies of;
//   2. when the answer is here and the copies of the step before are updated,
//      settle() writes the step's rows, those that were kept from the copies,
//      drops the copies that are not right and inserts new ones;
//   3. the update node updates the copies of the step's rows.
// With early prefetches 1 and the answer may come before 3 of the step before.
// Steps without rows send nothing: their answer may come even before 1 of that.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/CachedRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Status.h"
#include "runtime/executor/FunctionNode.h"
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

using namespace ps::runtime;

/// Copies whose update is worth a task.
static constexpr int64_t kGrain = 2048;

absl::StatusOr<std::unique_ptr<CachedRows>>
CachedRows::create(std::unique_ptr<RowSource> holders,
                   std::vector<CachedTable> tables, int trainers,
                   Rounds rounds) {
  std::unique_ptr<CachedRows> source(
      new CachedRows(std::move(holders), trainers, rounds));
  for (CachedTable &table : tables) {
    const std::string name = table.spec.name;
    ASSIGN_OR_RETURN(RowLayout layout,
                     annotate(layoutOf(table.spec), "table '@", name, "'"));
    ASSIGN_OR_RETURN(RowCache cache,
                     annotate(RowCache::create(table.maxRows, layout.bytes),
                              "table '@", name,
                              "' with cache_rows = ", table.maxRows));
    auto entry = std::make_unique<Entry>(std::move(table.spec),
                                         layout.stateBytes, std::move(cache));
    if (!source->entries.emplace(name, std::move(entry)).second)
      return absl::InvalidArgumentError(
          absl::StrCat("table '@", name, "' is given twice"));
  }
  return source;
}

CachedRows::~CachedRows() {
  for (auto &[name, entry] : entries) {
    decltype(entry->waiting) waiting;
    {
      MutexLock lock(entry->mutex);
      waiting.swap(entry->waiting);
    }
    for (auto &[step, ask] : waiting)
      ask->done(absl::CancelledError(absl::StrCat(
          "the step before did not update its rows of table '", name, "'")));
  }
}

const TableSpec *CachedRows::findSpec(const std::string &table) const {
  auto found = entries.find(table);
  return found == entries.end() ? nullptr : &found->second->spec;
}

/// Tables without a cache, and reads that create nothing, go to the pservers
/// directly.
void CachedRows::prefetch(int64_t step, const RowRequest &request, Done done) {
  auto found = entries.find(request.table);
  if (found == entries.end() || request.frozen)
    return holders->prefetch(step, request, std::move(done));
  Entry &entry = *found->second;
  const std::span<const int64_t> ids = request.ids;
  auto ask = std::make_shared<Ask>();
  ask->step = step;
  ask->request = request;
  ask->values = request.values;
  ask->done = std::move(done);
  ask->held.resize(ids.size());
  ask->answers.resize(ids.size());
  ask->rows.reset(new (std::nothrow) std::byte[ids.size() * entry.stateBytes]);
  if (!ask->rows)
    return answered(entry, std::move(ask),
                    absl::ResourceExhaustedError(absl::StrCat(
                        "table '@", request.table, "': no memory for ",
                        ids.size(), " rows of ", entry.stateBytes, " bytes")));
  absl::Status failure;
  {
    MutexLock lock(entry.mutex);
    failure = entry.failure;
    // The step before may still drop copies unless its rows are here. Without
    // a copy announced, the row is sent.
    if (entry.next == step)
      for (size_t i = 0; i < ids.size(); ++i)
        ask->held[i] = entry.cache.contains(ids[i]);
  }
  if (!failure.ok())
    return ask->done(std::move(failure));
  ask->request.values = ask->rows.get();
  ask->request.copies = {entry.stateBytes, ask->held, ask->answers};
  holders->prefetch(step, ask->request,
                    [this, &entry, ask](absl::Status status) mutable {
                      answered(entry, std::move(ask), std::move(status));
                    });
}

/// Answers may arrive out of order; advance() answers callers in the order of
/// steps, without the lock.
void CachedRows::answered(Entry &entry, std::shared_ptr<Ask> ask,
                          absl::Status status) {
  Ready ready;
  {
    MutexLock lock(entry.mutex);
    const int64_t step = ask->step;
    entry.waiting.emplace(step, std::move(ask));
    ready = advance(entry, status);
  }
  ready.answer();
}

/// The prefetches that can be answered after a step with `status`. A step that
/// fails ends the job: those after it must not wait for its rows.
CachedRows::Ready CachedRows::advance(Entry &entry,
                                      const absl::Status &status) {
  entry.failure.Update(status);
  Ready ready{entry.failure, {}};
  if (!entry.failure.ok())
    for (auto &[step, ask] : std::exchange(entry.waiting, {}))
      ready.asks.push_back(std::move(ask));
  else if (std::shared_ptr<Ask> next = settleNext(entry))
    ready.asks.push_back(std::move(next));
  return ready;
}

/// Writes the rows of the step whose turn it is, if they are here: its call can
/// be answered then.
std::shared_ptr<CachedRows::Ask> CachedRows::settleNext(Entry &entry) {
  auto found = entry.waiting.find(entry.next);
  if (entry.open || found == entry.waiting.end())
    return nullptr;
  std::shared_ptr<Ask> ask = std::move(found->second);
  entry.waiting.erase(found);
  entry.next += rounds.count;
  settle(entry, *ask);
  return ask;
}

/// Two passes, so that inserting new rows cannot evict copies which this step
/// still reads.
void CachedRows::settle(Entry &entry, const Ask &ask) {
  RowCache &cache = entry.cache;
  const std::span<const int64_t> ids = ask.request.ids;
  const size_t valueBytes = ask.request.rowBytes();
  entry.open = true;
  entry.copies.clear();
  cache.beginStep();
  auto setRow = [&](size_t i, const std::byte *row) {
    std::memcpy(ask.values + i * valueBytes, row, valueBytes);
  };
  // What the step uses of the copies must not make room for others.
  for (size_t i = 0; i < ids.size(); ++i)
    if (ask.answers[i] == RowAnswer::Kept) {
      std::byte *row = cache.find(ids[i]);
      setRow(i, row);
      entry.copies.push_back({static_cast<int32_t>(i), row});
      ++entry.counters.kept;
    } else if (ask.answers[i] == RowAnswer::Value) {
      cache.erase(ids[i]);
      setRow(i, ask.rows.get() + i * entry.stateBytes);
      ++entry.counters.values;
    }
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ask.answers[i] != RowAnswer::State)
      continue;
    const std::byte *state = ask.rows.get() + i * entry.stateBytes;
    setRow(i, state);
    ++entry.counters.states;
    if (std::byte *row = cache.insert(ids[i])) {
      std::memcpy(row, state, entry.stateBytes);
      entry.copies.push_back({static_cast<int32_t>(i), row});
    }
  }
}

/// Without the lock, which answers of pservers need meanwhile.
/// Copies stay where they are while the step is open.
absl::Status CachedRows::updateCopies(std::span<const Copy> copies,
                                      const RowUpdateCall &call,
                                      ParallelRows parallel) const {
  ASSIGN_OR_RETURN(const TensorRef gradients, call.rows->gradients());
  const size_t rowBytes = call.rows->rowBytes();
  parallel(copies.size(), kGrain, [&](int64_t begin, int64_t end) {
    RowUpdate::Runner runner(*call.update);
    std::vector<std::byte> gradient(rowBytes);
    for (int64_t i = begin; i < end; ++i) {
      // A sum of one, as on the pservers: it has no -0.
      const Piece pushed(gradients.data + size_t(copies[i].place) * rowBytes,
                         rowBytes);
      std::fill(gradient.begin(), gradient.end(), std::byte{0});
      addPieces(call.rows->dtype(), Pieces(&pushed, 1), gradient.data());
      if (trainers > 1)
        divide(call.rows->dtype(), gradient.data(), trainers, 0,
               call.rows->width());
      runner.apply(copies[i].row, gradient.data());
    }
  });
  return absl::OkStatus();
}

/// Closes the step: the copies are now as the pservers' rows will be, and the
/// rows of the next step may be settled.
absl::Status CachedRows::update(Entry &entry, const RowUpdateCall &call,
                                ParallelRows parallel) {
  std::vector<Copy> copies;
  {
    MutexLock lock(entry.mutex);
    copies = std::move(entry.copies);
  }
  const absl::Status status = annotate(updateCopies(copies, call, parallel),
                                       "table '@", entry.spec.name, "'");
  Ready ready;
  {
    MutexLock lock(entry.mutex);
    entry.open = false;
    ready = advance(entry, status);
  }
  ready.answer();
  return status;
}

std::unique_ptr<Node> CachedRows::makeUpdateNode(const std::string &table,
                                                 RowUpdateCall call) {
  Entry &entry = *entries.at(table);
  return makeNode(Node::Kind::UpdateRows,
                  absl::StrCat("update copies @", table),
                  [this, &entry, call = std::move(call)](StepContext &context) {
                    call.setRate();
                    return update(entry, call, ParallelStep{context});
                  });
}

void CachedRows::push(int64_t step, const RowGradients &rows, Done done) {
  holders->push(step, rows, std::move(done));
}

void CachedRows::checkLimits(int64_t step, Done done) {
  holders->checkLimits(step, std::move(done));
}

std::map<std::string, CacheCounters> CachedRows::counters() const {
  std::map<std::string, CacheCounters> result;
  for (const auto &[name, entry] : entries) {
    MutexLock lock(entry->mutex);
    CacheCounters &counters = result[name] = entry->counters;
    counters.copies = entry->cache.size();
  }
  return result;
}
