// SPDX-License-Identifier: Apache-2.0
//===- PushedRows.cpp - gradients of rows that trainers push --------------===//
//
// Messages of rows are stored as they arrive, by trainer and offset. When all
// are there, equal ids are grouped and their gradients added in the order of
// the trainers and of their messages, so that sums do not depend on the order
// of arrival.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/PushedRows.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Reduce.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <bit>
#include <utility>

using namespace ps::runtime;

static_assert(std::endian::native == std::endian::little,
              "ids travel as they lie in memory");

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

/// Makes room for one message. Its address stays valid while others are added,
/// because arrivals are in a map.
absl::StatusOr<PushedRows::Arrival *>
PushedRows::accept(int trainer, uint64_t sequence, const wire::Rows &rows) {
  Push &push = pushed[trainer];
  if (!push.arrivals.empty() && push.total != rows.total())
    return absl::FailedPreconditionError(
        absl::StrCat("expected ", push.total, " rows of table '", table.name(),
                     "' as before, found ", rows.total()));
  auto [found, isFirst] = push.arrivals.try_emplace(rows.offset());
  Arrival &arrival = found->second;
  if (!isFirst) // A repeated push does not come here: PushWindow knows it.
    return absl::FailedPreconditionError(
        absl::StrCat("expected one push of rows of table '", table.name(),
                     "', found another (sequence ", arrival.sequence, ", then ",
                     sequence, ")"));
  push.total = rows.total();
  arrival.table = this;
  arrival.trainer = trainer;
  arrival.sequence = sequence;
  return &arrival;
}

/// Without the server's mutex: no other thread looks at the arrival before
/// arrived().
absl::Status PushedRows::copyIn(Arrival &arrival, const wire::Rows &rows,
                                Pieces payload) const {
  arrival.ids.resize(rows.count());
  arrival.gradients = std::make_unique_for_overwrite<std::byte[]>(
      rows.count() * table.pushBytes());
  PayloadCursor cursor(payload);
  cursor.read(arrival.ids.data(), rows.count() * sizeof(int64_t));
  return annotate(
      table.pushCodec().decode(cursor, rows.count(), arrival.gradients.get()),
      "push of rows of table '", table.name(), "' from trainer ",
      arrival.trainer);
}

void PushedRows::arrived(Arrival &arrival) {
  arrival.here = true;
  pushed[arrival.trainer].arrived += arrival.ids.size();
}

void PushedRows::reject(const Arrival &arrival) {
  Push &push = pushed[arrival.trainer];
  std::erase_if(push.arrivals, [sequence = arrival.sequence](const auto &each) {
    return each.second.sequence == sequence;
  });
  if (push.arrivals.empty())
    push = {};
}

bool PushedRows::Push::isHere() const {
  // A message without rows is a push of its own.
  return arrived == total &&
         (arrivals.empty() || arrivals.begin()->second.here);
}

bool PushedRows::Push::isIdle() const {
  return std::ranges::all_of(arrivals,
                             [](const auto &each) { return each.second.here; });
}

bool PushedRows::hasAll(std::span<const int> trainers) const {
  return std::all_of(trainers.begin(), trainers.end(),
                     [&](int trainer) { return isComplete(trainer); });
}

std::string PushedRows::describePending(int trainer) const {
  const Push &push = pushed[trainer];
  if (push.isHere())
    return "";
  if (push.total == 0)
    return absl::StrCat("its push of no rows of table '", table.name(),
                        "' had no answer");
  return absl::StrCat("it had pushed ", push.arrived, " of ", push.total,
                      " rows of table '", table.name(), "'");
}

/// Returned instead of freed: the caller releases the memory without the mutex.
std::vector<PushedRows::Push> PushedRows::takePushes() {
  std::vector<Push> taken(pushed.size());
  for (size_t i = 0; i < pushed.size(); ++i)
    if (pushed[i].isIdle())
      std::swap(taken[i], pushed[i]);
  return taken;
}

/// Messages on their way keep their places.
SettledPush PushedRows::settle(int trainer) {
  using Messages = std::map<uint64_t, Arrival>;
  Push &push = pushed[trainer];
  SettledPush settled;
  auto taken = std::make_shared<std::vector<Messages::node_type>>();
  for (auto next = push.arrivals.begin(); next != push.arrivals.end();) {
    const auto message = next++;
    if (!message->second.here)
      continue;
    settled.sequences.push_back(message->second.sequence);
    push.arrived -= message->second.ids.size();
    taken->push_back(push.arrivals.extract(message));
  }
  if (push.arrivals.empty())
    push = {};
  settled.memory = std::move(taken);
  return settled;
}

//===----------------------------------------------------------------------===//
// The mean
//===----------------------------------------------------------------------===//

/// Adds those of `rows`, whose places among the sums are `places`, that belong
/// into [begin, end). A row takes `stride` elements, of which the first `width`
/// are its gradient.
template <typename T>
static void addRows(const std::byte *rows, std::span<const int32_t> places,
                    int64_t width, int64_t stride, T *sums, int64_t begin,
                    int64_t end) {
  const T *row = reinterpret_cast<const T *>(rows);
  for (int32_t place : places) {
    if (place >= begin && place < end)
      for (int64_t i = 0; i < width; ++i)
        sums[place * width + i] += row[i];
    row += stride;
  }
}

/// Adds what `rows` hold behind their gradients.
template <typename T>
static void addClicks(const std::byte *rows, std::span<const int32_t> places,
                      int64_t width, RowBatch::Clicks sums) {
  const T *row = reinterpret_cast<const T *>(rows);
  for (int32_t place : places) {
    sums.shows[place] += static_cast<float>(row[width]);
    sums.clicks[place] += static_cast<float>(row[width + 1]);
    row += width + 2;
  }
}

/// Clicks of all trainers add up: they are counts, and no mean is taken.
absl::Status PushedRows::mergeClicks(std::span<const Arrival *const> arrivals) {
  ASSIGN_OR_RETURN(RowBatch::Clicks sums, feed.clicks());
  for (size_t i = 0; i < arrivals.size(); ++i) {
    const std::byte *rows = arrivals[i]->gradients.get();
    if (feed.dtype() == DType::F64)
      addClicks<double>(rows, feed.places(i), feed.width(), sums);
    else
      addClicks<float>(rows, feed.places(i), feed.width(), sums);
  }
  return absl::OkStatus();
}

/// A copy that a trainer updates by what it pushed is right if the pserver's
/// row is updated by that alone, divided by the number of the job's trainers.
/// `contributors` are those whose pushes computeMean() put into the feed, in
/// its order.
void PushedRows::setLastWriters(std::span<const int> contributors,
                                ParallelRows parallel) {
  const bool all = contributors.size() == pushed.size();
  std::vector<Writer> writers(feed.size(), all ? noWriter : multipleWriters);
  size_t list = 0;
  for (int trainer : contributors)
    for (size_t i = 0; i < pushed[trainer].arrivals.size(); ++i)
      for (int32_t place : feed.places(list++)) {
        Writer &writer = writers[place];
        writer =
            writer == noWriter || writer == trainer ? trainer : multipleWriters;
      }
  table.rows().setLastWriters(feed.ids(), writers, parallel);
}

/// Groups the ids of all messages in the feed of the update and computes the
/// mean gradient of each.
absl::Status PushedRows::computeMean(StepContext &context,
                                     std::span<const int> contributors) {
  std::vector<const Arrival *> arrivals;
  std::vector<RowLookup> lists;
  for (int trainer : contributors)
    for (const auto &[offset, arrival] : pushed[trainer].arrivals) {
      arrivals.push_back(&arrival);
      lists.push_back({arrival.ids, std::nullopt});
    }
  auto name = [&](auto result) {
    return annotate(std::move(result), "rows of table '", table.name(), "'");
  };
  RETURN_IF_ERROR(name(feed.assign(lists)));
  ASSIGN_OR_RETURN(TensorRef sums, name(feed.gradients()));

  // Each piece of the sums takes its own from all that has arrived, in order:
  // whatever the pieces, a row is added up in the order of the trainers. Few
  // pieces: each looks at all places.
  const int64_t grain = std::max<int64_t>(
      4096, feed.size() / std::max(2 * context.parallelism(), 1));
  const int64_t width = feed.width(), stride = table.pushWidth();
  const int divisor = static_cast<int>(contributors.size());
  context.parallelRows(feed.size(), grain, [&](int64_t begin, int64_t end) {
    for (size_t i = 0; i < arrivals.size(); ++i) {
      const std::byte *rows = arrivals[i]->gradients.get();
      if (feed.dtype() == DType::F64)
        addRows(rows, feed.places(i), width, stride, sums.as<double>(), begin,
                end);
      else
        addRows(rows, feed.places(i), width, stride, sums.as<float>(), begin,
                end);
    }
    if (divisor > 1)
      divide(feed.dtype(), sums.data, divisor, begin * width, end * width);
  });
  if (table.rows().spec().tracksLastWriter)
    setLastWriters(contributors, ParallelStep{context});
  return table.rows().spec().clicks ? name(mergeClicks(arrivals))
                                    : absl::OkStatus();
}
