//===- CachedRows.cpp - a trainer's copies of rows ------------------------===//
//
// What happens to a table in a step:
//   1. prefetch() tells the holders which of the rows there are copies of;
//   2. when the answer is here and the copies of the step before are updated,
//      settle() gives the step its rows, those that were kept from the copies,
//      drops the copies that are not right and takes new ones;
//   3. the update node updates the copies of the step's rows.
// With early prefetches 1 and the answer may come before 3 of the step before.
// Steps without rows ask nobody: their answer may come even before 1 of that.
//
//===----------------------------------------------------------------------===//

#include "runtime/transport/CachedRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include "runtime/transport/Merge.h"
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

using namespace ps::runtime;

/// Copies whose update is worth a task.
static constexpr int64_t kGrain = 2048;

absl::StatusOr<std::unique_ptr<CachedRows>>
CachedRows::create(std::unique_ptr<RowHolders> holders,
                   std::vector<CachedTable> tables, int trainers,
                   Rounds rounds) {
  std::unique_ptr<CachedRows> source(
      new CachedRows(std::move(holders), trainers, rounds));
  for (CachedTable &table : tables) {
    const std::string name = table.spec.name;
    absl::StatusOr<RowLayout> layout = layoutOf(table.spec);
    if (!layout.ok())
      return annotate(layout.status(), absl::StrCat("table '@", name, "'"));
    absl::StatusOr<RowCache> cache =
        RowCache::create(table.maxRows, layout->bytes);
    if (!cache.ok())
      return annotate(cache.status(),
                      absl::StrCat("table '@", name,
                                   "' with cache_rows = ", table.maxRows));
    auto entry = std::make_unique<Entry>(std::move(table.spec),
                                         layout->stateBytes, *std::move(cache));
    if (!source->entries.emplace(name, std::move(entry)).second)
      return absl::InvalidArgumentError(
          absl::StrCat("table '@", name, "' is given twice"));
  }
  return source;
}

CachedRows::~CachedRows() {
  for (auto &[name, entry] : entries)
    for (auto &[step, ask] : entry->waiting)
      ask->done(absl::CancelledError(absl::StrCat(
          "the step before did not update its rows of table '", name, "'")));
}

const TableSpec *CachedRows::findSpec(const std::string &table) const {
  auto found = entries.find(table);
  return found == entries.end() ? nullptr : &found->second->spec;
}

void CachedRows::prefetch(int64_t step, const std::string &table,
                          std::span<const int64_t> ids, bool create,
                          const TensorRef &values, Done done) {
  auto found = entries.find(table);
  if (found == entries.end() || !create)
    return holders->prefetch(step, table, ids, create, values, std::move(done));
  Entry &entry = *found->second;
  auto ask = std::make_shared<Ask>();
  ask->step = step;
  ask->ids = ids;
  ask->values = values;
  ask->done = std::move(done);
  ask->held.resize(ids.size());
  ask->answers.resize(ids.size());
  ask->rows.reset(new (std::nothrow) std::byte[ids.size() * entry.stateBytes]);
  if (!ask->rows)
    return answered(entry, std::move(ask),
                    absl::ResourceExhaustedError(absl::StrCat(
                        "table '@", table, "': no memory for ", ids.size(),
                        " rows of ", entry.stateBytes, " bytes")));
  absl::Status failure;
  {
    std::lock_guard<std::mutex> lock(entry.mutex);
    failure = entry.failure;
    // The step before may still drop copies unless its rows are here. Who does
    // not say that there is a copy gets the row.
    if (entry.next == step)
      for (size_t i = 0; i < ids.size(); ++i)
        ask->held[i] = entry.cache.contains(ids[i]);
  }
  if (!failure.ok())
    return ask->done(std::move(failure));
  holders->refresh(step, table, ids, {values.type, ask->rows.get()},
                   {entry.stateBytes, ask->held, ask->answers},
                   [this, &entry, ask](absl::Status status) mutable {
                     answered(entry, std::move(ask), std::move(status));
                   });
}

void CachedRows::answered(Entry &entry, std::shared_ptr<Ask> ask,
                          absl::Status status) {
  std::unique_lock<std::mutex> lock(entry.mutex);
  const int64_t step = ask->step;
  entry.waiting.emplace(step, std::move(ask));
  goOn(entry, std::move(lock), std::move(status));
}

/// Answers who has waited for what was done with the lock, which it lets go
/// before. A step that fails ends the job: those after it must not wait for its
/// rows.
void CachedRows::goOn(Entry &entry, std::unique_lock<std::mutex> lock,
                      absl::Status status) {
  std::map<int64_t, std::shared_ptr<Ask>> failed;
  std::shared_ptr<Ask> next;
  entry.failure.Update(status);
  status = entry.failure;
  if (status.ok())
    next = settleNext(entry);
  else
    failed.swap(entry.waiting);
  lock.unlock();
  if (next)
    next->done(absl::OkStatus());
  for (auto &[step, each] : failed)
    each->done(status);
}

/// Gives its rows to the step whose turn it is, if they are here: its call can
/// be answered then. The caller locks.
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

/// The caller locks.
void CachedRows::settle(Entry &entry, const Ask &ask) {
  RowCache &cache = entry.cache;
  const size_t valueBytes = ask.values.type.rowBytes();
  entry.open = true;
  entry.copies.clear();
  cache.beginStep();
  auto give = [&](size_t i, const std::byte *row) {
    std::memcpy(ask.values.data + i * valueBytes, row, valueBytes);
  };
  // What the step uses of the copies must not make room for others.
  for (size_t i = 0; i < ask.ids.size(); ++i)
    if (ask.answers[i] == RowAnswer::Kept) {
      std::byte *row = cache.find(ask.ids[i]);
      give(i, row);
      entry.copies.push_back({static_cast<int32_t>(i), row});
      ++entry.counters.kept;
    } else if (ask.answers[i] == RowAnswer::Value) {
      cache.erase(ask.ids[i]);
      give(i, ask.rows.get() + i * entry.stateBytes);
      ++entry.counters.values;
    }
  for (size_t i = 0; i < ask.ids.size(); ++i) {
    if (ask.answers[i] != RowAnswer::State)
      continue;
    const std::byte *state = ask.rows.get() + i * entry.stateBytes;
    give(i, state);
    ++entry.counters.states;
    if (std::byte *row = cache.insert(ask.ids[i])) {
      std::memcpy(row, state, entry.stateBytes);
      entry.copies.push_back({static_cast<int32_t>(i), row});
    }
  }
}

/// The caller does not lock: its thread may do other work between pieces.
/// Copies stay where they are while the step is open.
absl::Status CachedRows::updateCopies(std::span<const Copy> copies,
                                      const UpdateCopiesCall &call,
                                      ParallelRows parallel) const {
  absl::StatusOr<TensorRef> gradients = call.rows->gradients();
  if (!gradients.ok())
    return annotate(gradients.status(),
                    absl::StrCat("table '@", call.table, "'"));
  const size_t rowBytes = call.rows->rowBytes();
  parallel(copies.size(), kGrain, [&](int64_t begin, int64_t end) {
    RowUpdate::Runner runner(*call.update);
    std::vector<std::byte> gradient(rowBytes);
    for (int64_t i = begin; i < end; ++i) {
      // A sum of one, as on the pservers: it has no -0.
      const Piece pushed(gradients->data + size_t(copies[i].place) * rowBytes,
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

absl::Status CachedRows::update(const UpdateCopiesCall &call,
                                ParallelRows parallel) {
  Entry &entry = *entries.at(call.table);
  std::vector<Copy> copies;
  {
    std::lock_guard<std::mutex> lock(entry.mutex);
    copies = std::move(entry.copies);
  }
  absl::Status status = updateCopies(copies, call, parallel);
  std::unique_lock<std::mutex> lock(entry.mutex);
  entry.open = false;
  goOn(entry, std::move(lock), status);
  return status;
}

class CachedRows::UpdateNode final : public Node {
public:
  UpdateNode(CachedRows &source, UpdateCopiesCall call)
      : Node(Kind::UpdateRows, absl::StrCat("update copies @", call.table)),
        source(source), call(std::move(call)) {}

  void start(StepContext &context, Done done) override {
    if (call.rate.data)
      std::memcpy(call.rateInput.data, call.rate.data, call.rate.type.bytes());
    done(source.update(call, ParallelStep{context}));
  }

private:
  CachedRows &source;
  UpdateCopiesCall call;
};

std::unique_ptr<Node> CachedRows::makeUpdateNode(UpdateCopiesCall call) {
  return std::make_unique<UpdateNode>(*this, std::move(call));
}

void CachedRows::push(int64_t step, const std::string &table,
                      std::span<const int64_t> ids, const TensorRef &gradients,
                      Done done) {
  holders->push(step, table, ids, gradients, std::move(done));
}

void CachedRows::checkLimits(int64_t step, Done done) {
  holders->checkLimits(step, std::move(done));
}

std::map<std::string, CacheCounters> CachedRows::counters() const {
  std::map<std::string, CacheCounters> result;
  for (const auto &[name, entry] : entries) {
    std::lock_guard<std::mutex> lock(entry->mutex);
    CacheCounters &counters = result[name] = entry->counters;
    counters.copies = entry->cache.size();
  }
  return result;
}
