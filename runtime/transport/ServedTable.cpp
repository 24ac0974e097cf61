//===- ServedTable.cpp - a table as a pserver serves it -------------------===//

#include "runtime/transport/ServedTable.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include "runtime/transport/Merge.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

using namespace ps::runtime;

static_assert(std::endian::native == std::endian::little,
              "ids travel as they lie in memory");

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

absl::StatusOr<std::unique_ptr<ServedTable>>
ServedTable::create(const TableBlock &spec, int trainers, int rounds) {
  Table &table = *spec.table;
  std::unique_ptr<ServedTable> served(new ServedTable(table, spec.round));
  if (rowsPerMessage(served->pushBytes()) == 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "a row of table '", table.spec().name, "' with its id must fit into ",
        chunkBytes, " bytes, found rows of ", table.spec().width, " x ",
        std::string(dtypeName(table.spec().dtype))));
  if (spec.round < 0 || spec.round >= rounds)
    return absl::InvalidArgumentError(
        absl::StrCat("table '", table.spec().name, "' is updated in round ",
                     spec.round, ", expected 0 to ", rounds - 1));
  const size_t stateBytes = table.layout().stateBytes;
  if (table.spec().tellsUpdaters && rowsPerMessage(stateBytes) == 0)
    return absl::InvalidArgumentError(
        absl::StrCat("a row of table '", table.spec().name,
                     "' with its id and slots must fit into ", chunkBytes,
                     " bytes for trainers to keep copies of it "
                     "(cache_rows), found ",
                     stateBytes));
  served->pushed.resize(trainers);
  served->updateProgram = spec.update;
  if (!spec.update)
    return served;
  auto feed = spec.update->rowFeeds.find("grad");
  if (feed == spec.update->rowFeeds.end())
    return absl::InvalidArgumentError(
        absl::StrCat("the update of table '", table.spec().name,
                     "' has no feed 'grad' of rows"));
  served->feed = feed->second;
  if (served->feed->dtype() != table.spec().dtype ||
      served->feed->width() != table.spec().width)
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of table '", table.spec().name, "' takes rows of ",
        served->feed->width(), " x ",
        std::string(dtypeName(served->feed->dtype())), ", expected ",
        table.spec().width, " x ", std::string(dtypeName(table.spec().dtype))));
  return served;
}

absl::Status ServedTable::checkRows(const RowRange &rows, bool push,
                                    size_t payloadBytes) const {
  const int64_t width = push ? pushWidth() : table.spec().width;
  if (rows.dtype != table.spec().dtype ||
      rows.width != static_cast<uint64_t>(width))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected rows of ", width, " x ",
        std::string(dtypeName(table.spec().dtype)), " of table '", name(),
        "', found ", rows.width, " x ", std::string(dtypeName(rows.dtype))));
  // With admission most of a step's ids may have no rows.
  if (push && table.spec().admission.kind == Admission::Kind::All &&
      rows.total > static_cast<uint64_t>(table.spec().maxRows))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected gradients of at most ", table.spec().maxRows,
        " rows, all that table '", name(), "' may have, found ", rows.total));
  const size_t rowBytes = push ? pushBytes() : table.valueBytes();
  const size_t stateBytes = table.layout().stateBytes;
  if (rows.stateBytes != 0 &&
      (push || !table.spec().tellsUpdaters || rows.stateBytes != stateBytes))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", push || !table.spec().tellsUpdaters ? 0 : stateBytes,
        " bytes for a copy of a row of table '", name(), "', found ",
        rows.stateBytes));
  const size_t perMessage =
      rowsPerMessage(std::max<size_t>(rowBytes, rows.stateBytes));
  if (rows.offset % perMessage != 0 || rows.offset > rows.total ||
      rows.count != std::min<uint64_t>(perMessage, rows.total - rows.offset) ||
      (rows.count == 0 && rows.total != 0))
    return absl::InvalidArgumentError(
        absl::StrCat("expected messages of ", perMessage, " rows of table '",
                     name(), "', the last one shorter, found ", rows.count,
                     " at ", rows.offset, " of ", rows.total));
  const size_t each =
      sizeof(int64_t) + (push ? rowBytes : 0) + (rows.stateBytes != 0);
  if (payloadBytes != rows.count * each)
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", rows.count * each, " bytes for ", rows.count,
                     " rows of table '", name(), "', found ", payloadBytes));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Pushes
//===----------------------------------------------------------------------===//

absl::StatusOr<ServedTable::Arrival *> ServedTable::accept(int trainer,
                                                           uint64_t sequence,
                                                           const RowRange &rows,
                                                           Done &done) {
  Push &push = pushed[trainer];
  if (!push.arrivals.empty() && push.total != rows.total)
    return absl::FailedPreconditionError(
        absl::StrCat("expected ", push.total, " rows of table '", name(),
                     "' as before, found ", rows.total));
  push.total = rows.total;
  auto [found, first] = push.arrivals.try_emplace(rows.offset);
  Arrival &arrival = found->second;
  if (first) {
    arrival.sequence = sequence;
    return &arrival;
  }
  if (arrival.sequence != sequence)
    return absl::FailedPreconditionError(
        absl::StrCat("expected one push of rows of table '", name(),
                     "', found another (sequence ", arrival.sequence, ", then ",
                     sequence, ")"));
  // Its answer must not overtake the first's: payloads are let go then.
  if (!arrival.here)
    arrival.waiting.push_back(std::move(done));
  return nullptr;
}

void ServedTable::copyIn(Arrival &arrival, const RowRange &rows,
                         Pieces payload) const {
  arrival.ids.resize(rows.count);
  arrival.gradients =
      std::make_unique_for_overwrite<std::byte[]>(rows.count * pushBytes());
  std::vector<Piece> rest(payload.begin(), payload.end());
  copyPieces(takeFront(rest, rows.count * sizeof(int64_t)),
             reinterpret_cast<std::byte *>(arrival.ids.data()));
  copyPieces(rest, arrival.gradients.get());
}

std::vector<Done> ServedTable::arrived(int trainer, Arrival &arrival) {
  arrival.here = true;
  pushed[trainer].arrived += arrival.ids.size();
  return std::move(arrival.waiting);
}

bool ServedTable::Push::isHere() const {
  // A message without rows is a push of its own.
  return arrived == total &&
         (arrivals.empty() || arrivals.begin()->second.here);
}

bool ServedTable::hasAll(std::span<const int> trainers) const {
  return std::all_of(trainers.begin(), trainers.end(), [&](int trainer) {
    return hasPushed(trainer) && pushed[trainer].isHere();
  });
}

std::string ServedTable::whatIsMissing(int trainer) const {
  const Push &push = pushed[trainer];
  if (push.isHere())
    return "";
  if (push.total == 0)
    return absl::StrCat("its push of no rows of table '", name(),
                        "' had no answer");
  return absl::StrCat("it had pushed ", push.arrived, " of ", push.total,
                      " rows of table '", name(), "'");
}

std::vector<ServedTable::Push> ServedTable::takePushes() {
  return std::exchange(pushed, std::vector<Push>(pushed.size()));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// The payload of an answer, which stays with it.
struct Payload {
  explicit Payload(size_t size)
      : bytes(std::make_unique_for_overwrite<std::byte[]>(size)),
        piece(bytes.get(), size) {}

  std::unique_ptr<std::byte[]> bytes;
  Piece piece;
};
} // namespace

absl::StatusOr<FetchedRows> ServedTable::prefetch(std::span<const int64_t> ids,
                                                  bool frozen,
                                                  ParallelRows parallel) {
  auto values = std::make_shared<Payload>(ids.size() * table.valueBytes());
  std::byte *to = values->bytes.get();
  if (absl::Status status =
          frozen ? table.lookup(ids, /*create=*/false, to, parallel)
                 : table.access(ids, to, /*rows=*/{}, parallel);
      !status.ok())
    return status;
  return FetchedRows{Pieces(&values->piece, 1), values,
                     static_cast<uint64_t>(table.size())};
}

absl::StatusOr<FetchedRows> ServedTable::refresh(int trainer,
                                                 std::span<const int64_t> ids,
                                                 std::span<const uint8_t> held,
                                                 ParallelRows parallel) {
  const size_t valueBytes = table.valueBytes();
  const size_t stateBytes = table.layout().stateBytes;
  std::vector<std::byte> values(ids.size() * valueBytes);
  std::vector<const std::byte *> rows(ids.size());
  if (absl::Status status = table.access(ids, values.data(), rows, parallel);
      !status.ok())
    return status;

  std::vector<RowAnswer> answers(ids.size(), RowAnswer::Value);
  size_t size = ids.size();
  for (size_t i = 0; i < ids.size(); ++i) {
    if (rows[i] && table.updaterOf(rows[i]) == trainer)
      answers[i] = held[i] ? RowAnswer::Kept : RowAnswer::State;
    if (answers[i] != RowAnswer::Kept)
      size += answers[i] == RowAnswer::State ? stateBytes : valueBytes;
  }

  auto payload = std::make_shared<Payload>(size);
  std::byte *to = payload->bytes.get();
  auto append = [&](const void *from, size_t bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  append(answers.data(), answers.size());
  for (size_t i = 0; i < ids.size(); ++i)
    if (answers[i] == RowAnswer::State)
      append(rows[i], stateBytes);
    else if (answers[i] == RowAnswer::Value)
      append(values.data() + i * valueBytes, valueBytes);
  return FetchedRows{Pieces(&payload->piece, 1), payload,
                     static_cast<uint64_t>(table.size())};
}

void ServedTable::endStep(int64_t step) {
  if (endedStep >= step)
    return;
  endedStep = step;
  table.advance();
}

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
absl::Status
ServedTable::mergeClicks(std::span<const Arrival *const> arrivals) {
  absl::StatusOr<RowBatch::Clicks> sums = feed->clicks();
  if (!sums.ok())
    return sums.status();
  for (size_t i = 0; i < arrivals.size(); ++i) {
    const std::byte *rows = arrivals[i]->gradients.get();
    if (feed->dtype() == DType::F64)
      addClicks<double>(rows, feed->places(i), feed->width(), *sums);
    else
      addClicks<float>(rows, feed->places(i), feed->width(), *sums);
  }
  return absl::OkStatus();
}

/// A copy that a trainer updates by what it pushed is right if the pserver's
/// row is updated by that alone, divided by the number of the job's trainers.
/// `contributors` are those whose pushes merge() gave to the feed, in its
/// order.
void ServedTable::tellUpdaters(std::span<const int> contributors,
                               ParallelRows parallel) {
  const bool all = contributors.size() == pushed.size();
  std::vector<Updater> updaters(feed->size(), all ? noUpdater : manyUpdaters);
  size_t list = 0;
  for (int trainer : contributors)
    for (size_t i = 0; i < pushed[trainer].arrivals.size(); ++i)
      for (int32_t place : feed->places(list++)) {
        Updater &updater = updaters[place];
        updater =
            updater == noUpdater || updater == trainer ? trainer : manyUpdaters;
      }
  table.setUpdaters(feed->ids(), updaters, parallel);
}

absl::Status ServedTable::merge(StepContext &context,
                                std::span<const int> contributors) {
  std::vector<const Arrival *> arrivals;
  std::vector<RowLookup> lists;
  for (int trainer : contributors)
    for (const auto &[offset, arrival] : pushed[trainer].arrivals) {
      arrivals.push_back(&arrival);
      lists.push_back({arrival.ids, std::nullopt});
    }
  if (absl::Status status = feed->assign(lists); !status.ok())
    return annotate(status, absl::StrCat("rows of table '", name(), "'"));
  absl::StatusOr<TensorRef> sums = feed->gradients();
  if (!sums.ok())
    return annotate(sums.status(),
                    absl::StrCat("rows of table '", name(), "'"));

  // Each piece of the sums takes its own from all that has arrived, in order:
  // whatever the pieces, a row is added up in the order of the trainers. Few
  // pieces: each looks at all places.
  const int64_t grain = std::max<int64_t>(
      4096, feed->size() / std::max(2 * context.parallelism(), 1));
  const int64_t width = feed->width(), stride = pushWidth();
  const int divisor = static_cast<int>(contributors.size());
  context.parallelRows(feed->size(), grain, [&](int64_t begin, int64_t end) {
    for (size_t i = 0; i < arrivals.size(); ++i) {
      const std::byte *rows = arrivals[i]->gradients.get();
      if (feed->dtype() == DType::F64)
        addRows(rows, feed->places(i), width, stride, sums->as<double>(), begin,
                end);
      else
        addRows(rows, feed->places(i), width, stride, sums->as<float>(), begin,
                end);
    }
    if (divisor > 1)
      divide(feed->dtype(), sums->data, divisor, begin * width, end * width);
  });
  if (table.spec().tellsUpdaters)
    tellUpdaters(contributors, ParallelStep{context});
  return table.spec().clicks
             ? annotate(mergeClicks(arrivals),
                        absl::StrCat("rows of table '", name(), "'"))
             : absl::OkStatus();
}

namespace {
class RowMeanNode final : public Node {
public:
  RowMeanNode(ServedTable &table, const std::vector<int> &contributors)
      : Node(Kind::Kernel, absl::StrCat("mean of rows @", table.name())),
        table(table), contributors(contributors) {}

  void start(StepContext &context, Done done) override {
    done(table.merge(context, contributors));
  }

private:
  ServedTable &table;
  const std::vector<int> &contributors;
};
} // namespace

std::unique_ptr<Node>
ServedTable::makeMean(const std::vector<int> &contributors) {
  return std::make_unique<RowMeanNode>(*this, contributors);
}
