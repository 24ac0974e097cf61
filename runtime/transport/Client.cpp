//===- Client.cpp - chunks, retries and heartbeats over a link ------------===//
//
//   1. a push or pull becomes one call per chunk, parts that fit into a chunk
//      together become one; rows of a table become a call per rowsPerMessage()
//      of them. Chunks travel in lanes: the rows of a step, its pushes, its
//      pulls, the rows of the next. At most `window` calls of a lane are under
//      way, the others queue in order. The pserver may keep a call until those
//      of earlier lanes have arrived, never for later ones;
//   2. a call whose link fails is tried again after a pause, until the line
//      has been down for a sixth of the peer timeout; the pserver tells
//      repeated calls by their sequence or step;
//   3. a heartbeat is always with the pserver; answers of any kind are signs of
//      its life. Silence, a dead line or the end of the job make the client
//      fail: outstanding and later calls get the reason.
//
//===----------------------------------------------------------------------===//

#include "runtime/transport/Client.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "runtime/RandomBits.h"
#include "runtime/Status.h"
#include "runtime/transport/Merge.h"
#include "runtime/transport/Timer.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>

using namespace ps::runtime;

namespace {
using Clock = std::chrono::steady_clock;

/// Chunks of one lane that are under way at a time.
constexpr size_t window = 16;
constexpr auto firstPause = std::chrono::milliseconds(50);
constexpr auto longestPause = std::chrono::milliseconds(1000);
constexpr char linkFailureUrl[] = "ps.runtime/link-failure";

/// Of calls that move chunks.
using Lane = int64_t;

Lane rowsLane(int64_t step) { return 3 * step; }
Lane pushLane(int64_t step) { return 3 * step + 1; }
Lane pullLane(int64_t step) { return 3 * step + 2; }
/// Of frozen rows, which wait for nothing, whatever step they say.
constexpr Lane frozenLane = -2;
static_assert(startupStep == -1);

/// One call on the pserver, through all its attempts.
struct Call {
  /// "push of block 'w' at step 3".
  std::string what;
  /// Counts against its window.
  std::optional<Lane> lane;
  /// Starts an attempt.
  absl::AnyInvocable<void(Link &, Peer, Done)> attempt;
  Done done;
  Clock::duration pause = firstPause;
};
using CallPtr = std::shared_ptr<Call>;

/// What a client's calls share. Callbacks keep it alive; the link is cut and
/// unused once no call is outstanding.
class State : public std::enable_shared_from_this<State> {
public:
  State(std::string endpoint, std::unique_ptr<Link> link,
        ClientOptions options);

  void submit(CallPtr call);
  void beat();
  void fail(absl::Status reason);
  void leave();
  void close();
  absl::Status health() const;
  /// Notes a block or table that the trainer exchanges with this pserver.
  void use(const std::string &block);
  void useTable(const std::string &table);
  /// "send barrier of step 3 for blocks 'a', 'b'".
  std::string barrier(const char *kind, int64_t step) const;

  const std::string endpoint;
  const ClientOptions options;
  const Peer peer;
  std::atomic<uint64_t> nextSequence{1};

private:
  void useLink(absl::FunctionRef<void(Link &)> body);
  CallPtr takeChunk();
  void pump();
  void start(const CallPtr &call);
  void answered(const CallPtr &call, absl::Status status);
  void finish(const CallPtr &call, absl::Status status);
  void beatAnswered(const absl::Status &status);
  void heard();
  bool lineIsLost();
  absl::Status unreachable(const absl::Status &linkStatus) const;
  absl::Status silence();

  /// Null once the client is closed; kept by useLink.
  std::unique_ptr<Link> link;
  const Clock::duration interval, retryLimit, silenceLimit;

  mutable std::mutex mutex; // Guards what follows.
  std::condition_variable idle;
  absl::Status failure;
  bool leaving = false, closing = false, pumping = false;
  size_t outstanding = 0, linkUsers = 0;
  struct Chunks {
    size_t underWay = 0;
    std::deque<CallPtr> queued;
  };
  /// Those that have any.
  std::map<Lane, Chunks> lanes;
  std::set<CallPtr> pausing;
  std::set<std::string> blocks, tables;
  Clock::time_point lastHeard = Clock::now(), lastBeat = lastHeard;
  /// Since when the line fails; unset while it works.
  std::optional<Clock::time_point> downSince;
};

class LinkClient final : public Client {
public:
  LinkClient(std::string endpoint, std::unique_ptr<Link> link,
             ClientOptions options)
      : state(std::make_shared<State>(std::move(endpoint), std::move(link),
                                      std::move(options))) {
    state->beat();
  }
  ~LinkClient() override { state->close(); }

  const std::string &endpoint() const override { return state->endpoint; }
  void push(int64_t step, std::span<const SendPart> parts, Done done) override;
  void pull(int64_t step, std::span<const RecvPart> parts, Done done) override;
  void prefetch(int64_t step, const RowRequest &request,
                RowsDone done) override;
  void pushRows(int64_t step, const RowGradients &rows, Done done) override;
  void sendBarrier(int64_t step, Done done) override;
  void fetchBarrier(int64_t step, Done done) override;
  void mergeMetric(const std::string &metric, int64_t epoch,
                   std::span<double> sums, Done done) override;
  void save(const SaveRequest &request, ReceiveSaved done) override;
  void complete(Done done) override;
  void abort(const std::string &reason, Done done) override;
  absl::Status health() const override { return state->health(); }

private:
  std::shared_ptr<State> state;
};

/// The messages of one push or pull; calls `done` after the last, with the
/// first failure.
class Transfer {
public:
  Transfer(size_t messages, Done done)
      : remaining(messages), done(std::move(done)) {}

  void messageDone(absl::Status status) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (result.ok())
        result = std::move(status);
      if (--remaining != 0)
        return;
    }
    done(std::move(result));
  }

private:
  std::mutex mutex; // Guards result and remaining.
  absl::Status result;
  size_t remaining;
  Done done;
};
} // namespace

//===----------------------------------------------------------------------===//
// Statuses
//===----------------------------------------------------------------------===//

absl::Status ps::runtime::linkFailure(absl::StatusCode code,
                                      const std::string &message) {
  absl::Status status(code, message);
  status.SetPayload(linkFailureUrl, absl::Cord());
  return status;
}

bool ps::runtime::isLinkFailure(const absl::Status &status) {
  return status.GetPayload(linkFailureUrl).has_value();
}

std::string
ps::runtime::nameBlocks(size_t count,
                        absl::FunctionRef<const std::string &(size_t)> name,
                        const char *noun) {
  constexpr size_t most = 3;
  std::string text =
      absl::StrCat(count ? "" : "no ", noun, count == 1 ? "" : "s");
  for (size_t i = 0; i < std::min(count, most); ++i)
    absl::StrAppend(&text, i ? ", '" : " '", name(i), "'");
  if (count > most)
    absl::StrAppend(&text, " and ", count - most, " more");
  return text;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Clock::duration chronoOf(absl::Duration duration) {
  return absl::ToChronoNanoseconds(
      std::clamp(duration, absl::ZeroDuration(), absl::Hours(24 * 365)));
}

State::State(std::string endpoint, std::unique_ptr<Link> link,
             ClientOptions options)
    : endpoint(std::move(endpoint)),
      options(std::move(options)), peer{this->options.hello.trainerId,
                                        this->options.hello.incarnation},
      link(std::move(link)), interval(chronoOf(this->options.peerTimeout / 6)),
      retryLimit(chronoOf(this->options.peerTimeout / 6)),
      silenceLimit(chronoOf(this->options.peerTimeout * 0.75)) {}

/// Calls `body` with the link, which stays until it returns: the answer may
/// come before that, on another thread, and lead to the client's end.
void State::useLink(absl::FunctionRef<void(Link &)> body) {
  Link *current;
  {
    std::lock_guard<std::mutex> lock(mutex);
    current = link.get();
    if (!current)
      return;
    ++linkUsers;
  }
  body(*current);
  std::lock_guard<std::mutex> lock(mutex);
  if (--linkUsers == 0)
    idle.notify_all();
}

void State::submit(CallPtr call) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ++outstanding;
    if (call->lane)
      lanes[*call->lane].queued.push_back(call);
  }
  if (call->lane)
    pump();
  else
    start(call);
}

/// The next chunk for which a window has room, or null.
CallPtr State::takeChunk() {
  for (auto &[lane, chunks] : lanes) {
    if (chunks.queued.empty() || chunks.underWay == window)
      continue;
    CallPtr call = std::move(chunks.queued.front());
    chunks.queued.pop_front();
    ++chunks.underWay;
    return call;
  }
  return nullptr;
}

/// Starts queued chunks while there is room. One thread at a time: a call that
/// is answered at once must not recurse into the next.
void State::pump() {
  std::unique_lock<std::mutex> lock(mutex);
  if (pumping)
    return;
  pumping = true;
  while (CallPtr call = takeChunk()) {
    lock.unlock();
    start(call);
    lock.lock();
  }
  pumping = false;
}

void State::start(const CallPtr &call) {
  if (absl::Status status = health(); !status.ok())
    return finish(call, std::move(status));
  useLink([&](Link &link) {
    call->attempt(link, peer,
                  [self = shared_from_this(), call](absl::Status status) {
                    self->answered(call, std::move(status));
                  });
  });
}

void State::answered(const CallPtr &call, absl::Status status) {
  if (!isLinkFailure(status)) {
    heard();
    return finish(call, annotate(status, absl::StrCat("pserver ", endpoint)));
  }
  if (absl::Status reason = health(); !reason.ok())
    return finish(call, std::move(reason));
  if (lineIsLost()) {
    status = unreachable(status);
    fail(status);
    return finish(call, std::move(status));
  }
  const Clock::duration pause = call->pause;
  {
    std::lock_guard<std::mutex> lock(mutex);
    status = failure;
    if (status.ok())
      pausing.insert(call);
  }
  if (!status.ok())
    return finish(call, std::move(status));
  call->pause = std::min<Clock::duration>(pause * 2, longestPause);
  Timer::shared().after(pause, [weak = weak_from_this(), call] {
    std::shared_ptr<State> self = weak.lock();
    if (!self)
      return;
    {
      std::lock_guard<std::mutex> lock(self->mutex);
      if (self->pausing.erase(call) == 0)
        return; // The client failed meanwhile and has answered it.
    }
    self->start(call);
  });
}

void State::finish(const CallPtr &call, absl::Status status) {
  Done done = std::move(call->done);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (call->lane) {
      auto chunks = lanes.find(*call->lane);
      if (--chunks->second.underWay == 0 && chunks->second.queued.empty())
        lanes.erase(chunks);
    }
  }
  done(annotate(status, call->what));
  done = nullptr;
  if (call->lane)
    pump();
  std::lock_guard<std::mutex> lock(mutex);
  if (--outstanding == 0)
    idle.notify_all();
}

//===----------------------------------------------------------------------===//
// Life and death
//===----------------------------------------------------------------------===//

void State::heard() {
  std::lock_guard<std::mutex> lock(mutex);
  lastHeard = Clock::now();
  downSince.reset();
}

/// Notes that the line failed; true when it has failed for too long.
bool State::lineIsLost() {
  std::lock_guard<std::mutex> lock(mutex);
  const Clock::time_point now = Clock::now();
  if (!downSince)
    downSince = now;
  return now - *downSince >= retryLimit;
}

absl::Status State::unreachable(const absl::Status &linkStatus) const {
  return absl::UnavailableError(absl::StrCat(
      "pserver ", endpoint, " does not answer: ", linkStatus.message()));
}

absl::Status State::silence() {
  std::lock_guard<std::mutex> lock(mutex);
  const Clock::time_point now = Clock::now();
  // This process, or the whole machine, stood still: nobody listened.
  if (now - std::exchange(lastBeat, now) > 2 * interval)
    lastHeard = now;
  if (now - lastHeard < silenceLimit)
    return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("pserver ", endpoint, " has been silent for ",
                   absl::FormatDuration(absl::FromChrono(silenceLimit))));
}

absl::Status State::health() const {
  std::lock_guard<std::mutex> lock(mutex);
  return failure;
}

/// Sends a heartbeat and comes back after the interval.
void State::beat() {
  if (absl::Status status = silence(); !status.ok())
    return fail(std::move(status));
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (leaving || !failure.ok())
      return;
    ++outstanding;
  }
  useLink([&](Link &link) {
    link.heartbeat(peer, [self = shared_from_this()](absl::Status status) {
      self->beatAnswered(status);
      std::lock_guard<std::mutex> lock(self->mutex);
      if (--self->outstanding == 0)
        self->idle.notify_all();
    });
  });
  Clock::duration next = interval;
  {
    // A line that is down is looked at more often than one that works.
    std::lock_guard<std::mutex> lock(mutex);
    if (downSince)
      next = std::min<Clock::duration>(interval, retryLimit / 4);
  }
  Timer::shared().after(next, [weak = weak_from_this()] {
    if (std::shared_ptr<State> self = weak.lock())
      self->beat();
  });
}

void State::beatAnswered(const absl::Status &status) {
  if (isLinkFailure(status)) {
    if (lineIsLost())
      fail(unreachable(status));
    return;
  }
  heard();
  if (!status.ok())
    fail(annotate(status, absl::StrCat("pserver ", endpoint)));
}

void State::fail(absl::Status reason) {
  std::set<CallPtr> paused;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (leaving && !closing)
      return; // The pserver may go, and the job may fail, without it.
    if (failure.ok())
      failure = reason;
    paused.swap(pausing);
  }
  useLink([](Link &link) { link.disconnect(); });
  for (const CallPtr &call : paused)
    finish(call, reason);
  pump();
}

void State::leave() {
  std::lock_guard<std::mutex> lock(mutex);
  leaving = true;
}

void State::close() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    closing = true;
  }
  fail(absl::CancelledError("the client was closed"));
  std::unique_ptr<Link> unused;
  {
    std::unique_lock<std::mutex> lock(mutex);
    idle.wait(lock, [&] { return outstanding == 0 && linkUsers == 0; });
    unused = std::move(link);
  }
  // It goes here, not with the last callback that lets go of this object: a
  // link must not go on a thread of its own.
}

//===----------------------------------------------------------------------===//
// The client
//===----------------------------------------------------------------------===//

std::string Rounds::str(int64_t step) const {
  if (count == 1 || step < 0)
    return absl::StrCat(step);
  return absl::StrCat(step / count, " (round ", roundOf(step), ")");
}

void State::use(const std::string &block) {
  std::lock_guard<std::mutex> lock(mutex);
  blocks.insert(block);
}

void State::useTable(const std::string &table) {
  std::lock_guard<std::mutex> lock(mutex);
  tables.insert(table);
}

static std::string nameAll(const std::set<std::string> &names,
                           const char *noun) {
  auto next = names.begin();
  return nameBlocks(
      names.size(), [&](size_t) -> const std::string & { return *next++; },
      noun);
}

std::string State::barrier(const char *kind, int64_t step) const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string names;
  if (!blocks.empty() || tables.empty())
    names = nameAll(blocks, "block");
  if (!tables.empty())
    absl::StrAppend(&names, names.empty() ? "" : " and ",
                    nameAll(tables, "table"));
  return absl::StrCat(kind, " barrier of step ", options.rounds.str(step),
                      " for ", names);
}

namespace {
/// What one call moves: ranges, and where their bytes are.
template <typename Bytes>
struct Parcel {
  std::vector<Range> ranges;
  std::vector<Bytes> places;
  size_t bytes = 0, nameBytes = 0;

  void add(int64_t step, const std::string &block, DType dtype, Bytes rows,
           size_t offset) {
    const size_t size = std::min(chunkBytes, rows.size() - offset);
    ranges.push_back({step, block, dtype, rows.size(), offset, size});
    places.push_back(rows.subspan(offset, size));
    bytes += size;
    nameBytes += block.size();
  }
  bool takes(const std::string &block, size_t more) const {
    constexpr size_t maxNameBytes = 16 << 10; // They travel in the header.
    return bytes + more <= chunkBytes && ranges.size() < maxRanges &&
           nameBytes + block.size() <= maxNameBytes;
  }
};
} // namespace

/// Parts of several chunks travel by themselves, each chunk in a message; the
/// others share messages as they come.
template <typename Part>
static auto packParts(int64_t step, std::span<const Part> parts) {
  using Bytes = decltype(Part::rows);
  std::vector<Parcel<Bytes>> parcels;
  bool open = false;
  for (const Part &part : parts) {
    const size_t size = part.rows.size();
    if (numChunks(size) == 1) {
      if (!open || !parcels.back().takes(part.block, size))
        parcels.emplace_back();
      open = true;
      parcels.back().add(step, part.block, part.dtype, part.rows, 0);
      continue;
    }
    open = false;
    for (size_t offset = 0; offset < size; offset += chunkBytes) {
      parcels.emplace_back();
      parcels.back().add(step, part.block, part.dtype, part.rows, offset);
    }
  }
  return parcels;
}

/// "push of block 'w' at step 3".
static std::string describe(const char *what, const std::vector<Range> &ranges,
                            const Rounds &rounds) {
  return absl::StrCat(what, " of ",
                      nameBlocks(ranges.size(),
                                 [&](size_t i) -> const std::string & {
                                   return ranges[i].block;
                                 }),
                      " at step ", rounds.str(ranges.front().step));
}

static CallPtr makeCall(std::string what, Done done) {
  auto call = std::make_shared<Call>();
  call->what = std::move(what);
  call->done = std::move(done);
  return call;
}

static CallPtr makeMessage(std::string what, Lane lane,
                           std::shared_ptr<Transfer> transfer) {
  CallPtr call = makeCall(
      std::move(what), [transfer = std::move(transfer)](absl::Status status) {
        transfer->messageDone(std::move(status));
      });
  call->lane = lane;
  return call;
}

void LinkClient::push(int64_t step, std::span<const SendPart> parts,
                      Done done) {
  auto parcels = packParts(step, parts);
  if (parcels.empty())
    return done(absl::OkStatus());
  auto transfer = std::make_shared<Transfer>(parcels.size(), std::move(done));
  for (const SendPart &part : parts)
    state->use(part.block);
  for (auto &parcel : parcels) {
    CallPtr call =
        makeMessage(describe("push", parcel.ranges, state->options.rounds),
                    pushLane(step), transfer);
    call->attempt = [parcel = std::move(parcel),
                     sequence = state->nextSequence++](Link &link, Peer peer,
                                                       Done done) {
      link.push(peer, sequence, parcel.ranges, parcel.places, std::move(done));
    };
    state->submit(std::move(call));
  }
}

/// Copies what a pull brought to its places: the one copy on this side.
static absl::Status place(const absl::StatusOr<Pieces> &pieces,
                          std::span<const std::span<std::byte>> targets) {
  if (!pieces.ok())
    return pieces.status();
  size_t expected = 0;
  for (std::span<std::byte> target : targets)
    expected += target.size();
  if (size_t found = totalBytes(*pieces); found != expected)
    return absl::InternalError(absl::StrCat(
        "expected ", expected, " bytes in the answer, found ", found));
  auto piece = pieces->begin();
  size_t used = 0; // Of *piece.
  for (std::span<std::byte> target : targets)
    while (!target.empty()) {
      if (used == piece->size()) {
        ++piece;
        used = 0;
        continue;
      }
      const size_t count = std::min(target.size(), piece->size() - used);
      std::memcpy(target.data(), piece->data() + used, count);
      target = target.subspan(count);
      used += count;
    }
  return absl::OkStatus();
}

void LinkClient::pull(int64_t step, std::span<const RecvPart> parts,
                      Done done) {
  auto parcels = packParts(step, parts);
  if (parcels.empty())
    return done(absl::OkStatus());
  auto transfer = std::make_shared<Transfer>(parcels.size(), std::move(done));
  for (auto &parcel : parcels) {
    CallPtr call =
        makeMessage(describe("pull", parcel.ranges, state->options.rounds),
                    pullLane(step), transfer);
    call->attempt = [parcel = std::move(parcel)](Link &link, Peer peer,
                                                 Done done) {
      // The call, and with it its places, stays until it is answered.
      link.pull(peer, parcel.ranges,
                [&parcel, done = std::move(done)](
                    absl::StatusOr<Pieces> pieces) mutable {
                  done(place(pieces, parcel.places));
                });
    };
    state->submit(std::move(call));
  }
}

namespace {
/// One message of rows, with what it brings or takes.
struct RowMessage {
  RowRange range;
  Piece ids;
};

/// The answers to the messages of a prefetch.
struct TableRows {
  std::atomic<uint64_t> most{0};

  /// Counts grow only within a step, so the largest is the latest.
  void see(uint64_t count) {
    for (uint64_t old = most; old < count;)
      if (most.compare_exchange_weak(old, count))
        return;
  }
};
} // namespace

/// Cuts the rows of `ids` into messages; INVALID_ARGUMENT when not even one row
/// fits.
static absl::StatusOr<std::vector<RowMessage>>
packRows(int64_t step, const std::string &table, DType dtype, uint64_t width,
         std::span<const int64_t> ids, uint64_t stateBytes = 0) {
  const size_t most = width > chunkBytes
                          ? 0
                          : rowsPerMessage(std::max<size_t>(
                                width * byteWidth(dtype), stateBytes));
  if (most == 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "a row of table '", table, "' with its id must fit into ", chunkBytes,
        " bytes, found rows of ", width, " x ", std::string(dtypeName(dtype))));
  std::vector<RowMessage> messages;
  for (size_t offset = 0; offset < ids.size(); offset += most) {
    std::span<const int64_t> part =
        ids.subspan(offset, std::min(most, ids.size() - offset));
    messages.push_back({{step, table, dtype, width, offset, part.size(),
                         ids.size(), stateBytes},
                        std::as_bytes(part)});
  }
  return messages;
}

/// "prefetch of table 'emb' at step 3".
static std::string describe(const char *what, const std::string &table,
                            int64_t step, const Rounds &rounds) {
  return absl::StrCat(what, " of table '", table, "' at step ",
                      rounds.str(step));
}

namespace {
/// Reads bytes that lie in several pieces, one run after the other.
class PieceReader {
public:
  explicit PieceReader(Pieces pieces) : pieces(pieces) {}

  /// There are as many bytes left.
  void read(std::byte *to, size_t bytes) {
    while (bytes != 0) {
      if (at == pieces.front().size()) {
        pieces = pieces.subspan(1);
        at = 0;
        continue;
      }
      const size_t part = std::min(bytes, pieces.front().size() - at);
      std::memcpy(to, pieces.front().data() + at, part);
      at += part;
      to += part;
      bytes -= part;
    }
  }

private:
  Pieces pieces;
  size_t at = 0; // In the first of the pieces.
};
} // namespace

static absl::Status badRows(const RowRange &range, size_t expected,
                            size_t found) {
  return absl::InternalError(absl::StrCat("expected ", range.count, " rows in ",
                                          expected, " bytes of the answer, ",
                                          "found ", found, " bytes"));
}

/// Copies the rows that a message of a prefetch brought to their places: the
/// one copy on this side.
static absl::Status placeRows(Pieces values, const RowRange &range,
                              const RowRequest &request) {
  const size_t rowBytes = range.width * byteWidth(range.dtype);
  const size_t expected = range.count * rowBytes;
  if (size_t found = totalBytes(values); found != expected)
    return badRows(range, expected, found);
  if (request.places.empty()) {
    copyPieces(values, request.values + range.offset * rowBytes);
    return absl::OkStatus();
  }
  PieceReader reader(values);
  for (int32_t place : request.places.subspan(range.offset, range.count))
    reader.read(request.values + static_cast<size_t>(place) * rowBytes,
                rowBytes);
  return absl::OkStatus();
}

/// As above, for a trainer that keeps copies: first comes what is there of each
/// row.
static absl::Status placeCopies(Pieces values, const RowRange &range,
                                const RowRequest &request) {
  const RowCopies &copies = request.copies;
  const size_t rowBytes = range.width * byteWidth(range.dtype);
  const size_t found = totalBytes(values);
  if (found < range.count)
    return badRows(range, range.count, found);
  std::vector<RowAnswer> answers(range.count);
  PieceReader reader(values);
  reader.read(reinterpret_cast<std::byte *>(answers.data()), range.count);
  size_t expected = range.count;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] > RowAnswer::State ||
        (answers[i] == RowAnswer::Kept && !copies.held[range.offset + i]))
      return absl::InternalError(absl::StrCat(
          "expected a row, or that the trainer's copy of it is right where it "
          "has one, found answer ",
          static_cast<int>(answers[i]), " for id ",
          request.ids[range.offset + i]));
    if (answers[i] != RowAnswer::Kept)
      expected += answers[i] == RowAnswer::State ? copies.stateBytes : rowBytes;
  }
  if (found != expected)
    return badRows(range, expected, found);
  for (size_t i = 0; i < answers.size(); ++i) {
    const size_t at = range.offset + i;
    const size_t place =
        request.places.empty() ? at : static_cast<size_t>(request.places[at]);
    copies.answers[place] = answers[i];
    if (answers[i] != RowAnswer::Kept)
      reader.read(request.values + place * copies.stateBytes,
                  answers[i] == RowAnswer::State ? copies.stateBytes
                                                 : rowBytes);
  }
  return absl::OkStatus();
}

void LinkClient::prefetch(int64_t step, const RowRequest &request,
                          RowsDone done) {
  std::string what =
      describe("prefetch", request.table, step, state->options.rounds);
  auto messages = packRows(step, request.table, request.dtype, request.width,
                           request.ids, request.copies.stateBytes);
  if (!messages.ok())
    return done(annotate(messages.status(), what));
  if (messages->empty()) // The answer tells of the rows all the same.
    messages->push_back(
        {{step, request.table, request.dtype, request.width, 0, 0, 0}, {}});
  state->useTable(request.table);
  auto rows = std::make_shared<TableRows>();
  auto transfer = std::make_shared<Transfer>(
      messages->size(),
      [rows, done = std::move(done)](absl::Status status) mutable {
        if (!status.ok())
          return done(std::move(status));
        done(rows->most.load());
      });
  for (RowMessage &message : *messages) {
    CallPtr call = makeMessage(
        what, request.frozen ? frozenLane : rowsLane(step), transfer);
    const RowRange &range = message.range;
    std::vector<Piece> payload = {message.ids};
    if (range.stateBytes != 0)
      payload.push_back(std::as_bytes(
          request.copies.held.subspan(range.offset, range.count)));
    call->attempt = [range, request, payload = std::move(payload),
                     rows](Link &link, Peer peer, Done done) {
      // The call, and with it what is kept here, stays until it is answered.
      link.prefetch(peer, range, request.frozen, payload,
                    [&range, &request, rows, done = std::move(done)](
                        absl::StatusOr<FetchedRows> fetched) mutable {
                      if (!fetched.ok())
                        return done(fetched.status());
                      rows->see(fetched->tableRows);
                      done(range.stateBytes == 0
                               ? placeRows(fetched->values, range, request)
                               : placeCopies(fetched->values, range, request));
                    });
    };
    state->submit(std::move(call));
  }
}

void LinkClient::pushRows(int64_t step, const RowGradients &rows, Done done) {
  std::string what =
      describe("push of rows", rows.table, step, state->options.rounds);
  auto messages = packRows(step, rows.table, rows.dtype, rows.width, rows.ids);
  if (!messages.ok())
    return done(annotate(messages.status(), what));
  const size_t rowBytes = rows.width * byteWidth(rows.dtype);
  if (rows.gradients.size() != rows.ids.size() * rowBytes)
    return done(
        annotate(absl::InvalidArgumentError(absl::StrCat(
                     "expected ", rows.ids.size(), " rows of ", rowBytes,
                     " bytes, found ", rows.gradients.size(), " bytes")),
                 what));
  if (messages->empty()) {
    if (state->options.rounds.count != 1)
      return done(absl::OkStatus());
    // The table's update waits for it.
    messages->push_back({{step, rows.table, rows.dtype, rows.width}, {}});
  }
  state->useTable(rows.table);
  auto transfer = std::make_shared<Transfer>(messages->size(), std::move(done));
  for (RowMessage &message : *messages) {
    const RowRange &range = message.range;
    std::array<Piece, 2> payload = {
        message.ids, rows.gradients.subspan(range.offset * rowBytes,
                                            range.count * rowBytes)};
    CallPtr call = makeMessage(what, pushLane(step), transfer);
    call->attempt = [range, payload, sequence = state->nextSequence++](
                        Link &link, Peer peer, Done done) {
      link.pushRows(peer, sequence, range, payload, std::move(done));
    };
    state->submit(std::move(call));
  }
}

void LinkClient::sendBarrier(int64_t step, Done done) {
  CallPtr call = makeCall(state->barrier("send", step), std::move(done));
  call->attempt = [step](Link &link, Peer peer, Done done) {
    link.sendBarrier(peer, step, std::move(done));
  };
  state->submit(std::move(call));
}

void LinkClient::fetchBarrier(int64_t step, Done done) {
  CallPtr call = makeCall(state->barrier("fetch", step), std::move(done));
  call->attempt = [step](Link &link, Peer peer, Done done) {
    link.fetchBarrier(peer, step, std::move(done));
  };
  state->submit(std::move(call));
}

/// Puts the totals of a metric where the trainer's own sums were.
static absl::Status placeTotal(const absl::StatusOr<MetricTotal> &total,
                               std::span<double> sums) {
  if (!total.ok())
    return total.status();
  if ((*total)->size() != sums.size())
    return absl::InternalError(absl::StrCat("expected ", sums.size(),
                                            " sums in the answer, found ",
                                            (*total)->size()));
  std::copy((*total)->begin(), (*total)->end(), sums.begin());
  return absl::OkStatus();
}

void LinkClient::mergeMetric(const std::string &metric, int64_t epoch,
                             std::span<double> sums, Done done) {
  std::string what =
      absl::StrCat("merging of metric '", metric, "' of epoch ", epoch);
  if (sums.size() > maxMetricSums)
    return done(annotate(
        absl::InvalidArgumentError(absl::StrCat(
            "expected at most ", maxMetricSums, " sums, found ", sums.size())),
        what));
  CallPtr call = makeCall(std::move(what), std::move(done));
  call->attempt = [metric, epoch, sums, payload = Piece(std::as_bytes(sums))](
                      Link &link, Peer peer, Done done) {
    // The call, and with it the payload, stays until it is answered.
    link.mergeMetric(peer, metric, epoch, Pieces(&payload, 1),
                     [sums, done = std::move(done)](
                         absl::StatusOr<MetricTotal> total) mutable {
                       done(placeTotal(total, sums));
                     });
  };
  state->submit(std::move(call));
}

void LinkClient::save(const SaveRequest &request, ReceiveSaved receive) {
  // An answer may be lost, and come again.
  auto part = std::make_shared<SavedPart>();
  CallPtr call = makeCall("saving", [part, receive = std::move(receive)](
                                        absl::Status status) mutable {
    if (status.ok())
      receive(std::move(*part));
    else
      receive(std::move(status));
  });
  call->attempt = [part, request](Link &link, Peer peer, Done done) {
    link.save(peer, request,
              [part, done = std::move(done)](
                  absl::StatusOr<SavedPart> saved) mutable {
                if (saved.ok())
                  *part = *saved;
                done(saved.status());
              });
  };
  state->submit(std::move(call));
}

void LinkClient::complete(Done done) {
  CallPtr call = makeCall("completion", [state = state, done = std::move(done)](
                                            absl::Status status) mutable {
    if (!status.ok())
      return done(std::move(status));
    state->leave();
    // The trainer is through, whether this arrives or not.
    CallPtr confirmation =
        makeCall("confirmation of the completion",
                 [done = std::move(done)](absl::Status) mutable {
                   done(absl::OkStatus());
                 });
    confirmation->attempt = [](Link &link, Peer peer, Done done) {
      link.confirmCompletion(peer, std::move(done));
    };
    state->submit(std::move(confirmation));
  });
  call->attempt = [](Link &link, Peer peer, Done done) {
    link.complete(peer, std::move(done));
  };
  state->submit(std::move(call));
}

void LinkClient::abort(const std::string &reason, Done done) {
  state->leave();
  CallPtr call = makeCall("abort", std::move(done));
  call->attempt = [reason](Link &link, Peer peer, Done done) {
    link.abort(peer, reason, std::move(done));
  };
  state->submit(std::move(call));
}

//===----------------------------------------------------------------------===//
// Making and leaving
//===----------------------------------------------------------------------===//

uint64_t ps::runtime::newIncarnation() { return randomBits(); }

std::unique_ptr<Client> ps::runtime::makeClient(std::string endpoint,
                                                std::unique_ptr<Link> link,
                                                ClientOptions options) {
  return std::make_unique<LinkClient>(std::move(endpoint), std::move(link),
                                      std::move(options));
}

absl::Status ps::runtime::refusal(const absl::Status &answer,
                                  const std::string &endpoint,
                                  const Hello &hello) {
  return annotate(answer, absl::StrCat("pserver ", endpoint,
                                       " refuses trainer ", hello.trainerId));
}

absl::StatusOr<std::unique_ptr<Client>>
ps::runtime::introduce(std::string endpoint, std::unique_ptr<Link> link,
                       ClientOptions options) {
  absl::Status answer;
  absl::Notification arrived;
  link->handshake(options.hello, [&](absl::Status status) {
    answer = std::move(status);
    arrived.Notify();
  });
  arrived.WaitForNotification(); // A link answers within its time limit.
  if (isLinkFailure(answer))
    return answer;
  if (!answer.ok())
    return refusal(answer, endpoint, options.hello);
  return makeClient(std::move(endpoint), std::move(link), std::move(options));
}

absl::StatusOr<std::vector<SavedPart>>
ps::runtime::saveAll(std::span<const std::unique_ptr<Client>> clients,
                     const SaveRequest &request) {
  std::vector<absl::StatusOr<SavedPart>> answers(clients.size());
  absl::BlockingCounter remaining(static_cast<int>(clients.size()));
  for (size_t i = 0; i != clients.size(); ++i)
    clients[i]->save(request, [&, i](absl::StatusOr<SavedPart> part) {
      answers[i] = std::move(part);
      remaining.DecrementCount();
    });
  remaining.Wait(); // Every call of a client ends.
  std::vector<SavedPart> parts;
  for (absl::StatusOr<SavedPart> &answer : answers) {
    if (!answer.ok())
      return answer.status();
    parts.push_back(*std::move(answer));
  }
  return parts;
}

absl::Status
ps::runtime::completeAll(std::span<const std::unique_ptr<Client>> clients) {
  std::mutex mutex;
  absl::Status result; // Guarded by mutex.
  absl::BlockingCounter remaining(static_cast<int>(clients.size()));
  for (const std::unique_ptr<Client> &client : clients)
    client->complete([&](absl::Status status) {
      {
        std::lock_guard<std::mutex> lock(mutex);
        result.Update(std::move(status));
      }
      remaining.DecrementCount();
    });
  remaining.Wait(); // Every call of a client ends.
  return result;
}

void ps::runtime::abortAll(std::span<const std::unique_ptr<Client>> clients,
                           const std::string &reason, absl::Duration limit) {
  struct Pending {
    std::mutex mutex; // Guards count.
    std::condition_variable none;
    size_t count;
  };
  // Shared: an answer may come after the limit.
  auto pending = std::make_shared<Pending>();
  pending->count = clients.size();
  for (const std::unique_ptr<Client> &client : clients)
    client->abort(reason, [pending](absl::Status) {
      std::lock_guard<std::mutex> lock(pending->mutex);
      if (--pending->count == 0)
        pending->none.notify_all();
    });
  std::unique_lock<std::mutex> lock(pending->mutex);
  pending->none.wait_for(lock, chronoOf(limit),
                         [&] { return pending->count == 0; });
}
