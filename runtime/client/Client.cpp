// SPDX-License-Identifier: Apache-2.0
//===- Client.cpp - the calls of a trainer on one pserver -----------------===//
//
// A push or pull becomes one call per chunk, parts that fit into a chunk
// together become one; rows of a table become a call per rowsPerMessage() of
// them (Packing.h). Chunks travel in lanes: the rows of a step, its pushes, its
// pulls, the rows of the next (Lanes.h); pushes that are pulls are in none, as
// they are answered when all have arrived. ClientSession.h sends the calls.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/Client.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include "runtime/client/ClientSession.h"
#include "runtime/client/Packing.h"
#include "runtime/client/PulledCopies.h"
#include "runtime/protocol/Handshake.h"
#include "runtime/protocol/Ranges.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>
#include <atomic>
#include <set>

using namespace ps::runtime;

namespace {
/// The blocks and tables that the trainer has exchanged with a pserver, for
/// errors of its barriers. Thread-safe.
class ExchangedNames {
public:
  void addBlock(const std::string &block) {
    MutexLock lock(mutex);
    blocks.insert(block);
  }
  void addTable(const std::string &table) {
    MutexLock lock(mutex);
    tables.insert(table);
  }
  /// "blocks 'a', 'b' and table 'emb'".
  std::string str() const;

private:
  mutable Mutex mutex;
  std::set<std::string> blocks ABSL_GUARDED_BY(mutex);
  std::set<std::string> tables ABSL_GUARDED_BY(mutex);
};

class LinkClient final : public Client {
public:
  LinkClient(std::string endpoint, std::unique_ptr<Link> link,
             ClientOptions options)
      : session(ClientSession::start(std::move(endpoint), std::move(link),
                                     std::move(options))) {}
  ~LinkClient() override { session->close(); }

  const std::string &endpoint() const override { return session->endpoint; }
  void push(int64_t step, std::span<const SendPart> parts, Done done) override;
  void pull(int64_t step, std::span<const RecvPart> parts, Done done) override;
  void pushPull(int64_t step, std::span<const SendPart> parts,
                std::span<const RecvPart> places, Done done) override;
  void prefetch(int64_t step, const RowRequest &request,
                RowsDone done) override;
  void pushRows(int64_t step, const RowGradients &rows, Done done) override;
  void pullChanges(int64_t step, const TableRows &table, uint64_t number,
                   ReceiveChanges done) override;
  void sendBarrier(int64_t step, Done done) override;
  void fetchBarrier(int64_t step, Done done) override;
  void mergeMetric(const std::string &metric, int64_t epoch,
                   std::span<double> sums, Done done) override;
  void save(const SaveRequest &request, ReceiveSaved done) override;
  void complete(Done done) override;
  void confirmCompletion(Done done) override;
  void abort(const std::string &reason, Done done) override;
  absl::Status health() const override { return session->health(); }
  std::optional<PendingCall> findPending() const override {
    return session->findPending();
  }
  const Welcome &welcome() const override { return session->options.welcome; }

private:
  std::string nameStep(int64_t step) const {
    return session->options.rounds.str(step);
  }
  ClientCallPtr makePush(std::string what, int64_t step) const;
  void reportProgress(ClientCall &call) const;
  std::vector<ClientCallPtr> makePushes(int64_t step,
                                        std::span<const SendPart> parts);
  void submit(std::span<const ClientCallPtr> calls, Done done);
  std::string describeBlocks(const char *what, const Ranges &ranges) const;
  std::string describeTable(const char *what, const std::string &table,
                            int64_t step) const;
  std::string describeBarrier(const char *kind, int64_t step) const;

  const std::shared_ptr<ClientSession> session;
  std::atomic<uint64_t> nextSequence{1}, nextPull{1};
  ExchangedNames names;
};
} // namespace

/// A call outside of all windows: barriers and the like are few, and must not
/// wait behind data.
static ClientCallPtr makeCall(std::string what, Done done) {
  auto call = std::make_shared<ClientCall>();
  call->what = std::move(what);
  call->done = std::move(done);
  return call;
}

/// One of several calls, which counts against the window of `lane`.
static ClientCallPtr makeCall(std::string what, Lane lane) {
  ClientCallPtr call = makeCall(std::move(what), Done());
  call->lane = lane;
  return call;
}

/// A message of a push. Where no message is answered before all have arrived, a
/// window would keep the last ones of a large push back for ever.
ClientCallPtr LinkClient::makePush(std::string what, int64_t step) const {
  ClientCallPtr call = makeCall(std::move(what), Done());
  if (session->options.keepsStep)
    call->lane = pushLane(step);
  reportProgress(*call);
  return call;
}

void LinkClient::reportProgress(ClientCall &call) const {
  if (session->options.progress)
    session->options.progress->write(*call.request.mutable_progress());
}

/// `done` when all have ended.
void LinkClient::submit(std::span<const ClientCallPtr> calls, Done done) {
  if (calls.empty())
    return done(absl::OkStatus());
  auto join = Join::create(calls.size(), std::move(done));
  for (const ClientCallPtr &call : calls) {
    call->done = join->part();
    session->submit(call);
  }
}

//===----------------------------------------------------------------------===//
// What calls are named in errors
//===----------------------------------------------------------------------===//

static std::string nameAll(const std::set<std::string> &names,
                           const char *noun) {
  auto next = names.begin();
  return nameBlocks(
      names.size(), [&](size_t) -> const std::string & { return *next++; },
      noun);
}

std::string ExchangedNames::str() const {
  MutexLock lock(mutex);
  std::string text;
  if (!blocks.empty() || tables.empty())
    text = nameAll(blocks, "block");
  if (!tables.empty())
    absl::StrAppend(&text, text.empty() ? "" : " and ",
                    nameAll(tables, "table"));
  return text;
}

/// "push of block 'w' at step 3".
std::string LinkClient::describeBlocks(const char *what,
                                       const Ranges &ranges) const {
  return absl::StrCat(what, " of ",
                      nameBlocks(ranges.size(),
                                 [&](size_t i) -> const std::string & {
                                   return ranges[static_cast<int>(i)].block();
                                 }),
                      " at step ", nameStep(ranges[0].step()));
}

/// "prefetch of table 'emb' at step 3".
std::string LinkClient::describeTable(const char *what,
                                      const std::string &table,
                                      int64_t step) const {
  return absl::StrCat(what, " of table '", table, "' at step ", nameStep(step));
}

/// "send barrier of step 3 for blocks 'a', 'b'".
std::string LinkClient::describeBarrier(const char *kind, int64_t step) const {
  return absl::StrCat(kind, " barrier of step ", nameStep(step), " for ",
                      names.str());
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Each message has a sequence number, by which the pserver recognizes it when
/// it is sent again.
std::vector<ClientCallPtr>
LinkClient::makePushes(int64_t step, std::span<const SendPart> parts) {
  std::vector<ClientCallPtr> calls;
  packBlocks(step, parts, [&](Ranges ranges, std::vector<Piece> bytes) {
    ClientCallPtr call = makePush(describeBlocks("push", ranges), step);
    wire::Push *push = call->request.mutable_push();
    push->set_sequence(nextSequence++);
    push->mutable_ranges()->Swap(&ranges);
    call->payload = std::move(bytes);
    calls.push_back(std::move(call));
  });
  for (const SendPart &part : parts)
    names.addBlock(part.block);
  return calls;
}

void LinkClient::push(int64_t step, std::span<const SendPart> parts,
                      Done done) {
  submit(makePushes(step, parts), std::move(done));
}

/// Copies what is answered to `places`.
static auto receiveBlocks(std::vector<std::span<std::byte>> places) {
  return [places = std::move(places)](const Response &response) {
    return unpackBlocks(response.payload, places);
  };
}

/// Places are packed as the pushes are, since they have the same sizes. The
/// answers come when all trainers have pushed: no window.
void LinkClient::pushPull(int64_t step, std::span<const SendPart> parts,
                          std::span<const RecvPart> places, Done done) {
  if (!std::ranges::equal(
          parts, places, [](const auto &part, const auto &place) {
            return part.block == place.block && part.dtype == place.dtype &&
                   part.rows.size() == place.rows.size();
          }))
    return done(absl::InvalidArgumentError(
        "expected places for the blocks that are pushed, of their sizes"));
  const std::vector<ClientCallPtr> calls = makePushes(step, parts);
  auto next = calls.begin();
  packBlocks(step, places,
             [&](const Ranges &, std::vector<std::span<std::byte>> to) {
               ClientCall &call = **next++;
               call.lane.reset();
               call.request.mutable_push()->set_pull(true);
               call.receive = receiveBlocks(std::move(to));
             });
  submit(calls, std::move(done));
}

/// Pulls may be repeated without harm, so calls have no sequence number. Blocks
/// that come as parts of several copies are pulled anew.
void LinkClient::pull(int64_t step, std::span<const RecvPart> parts,
                      Done done) {
  using Places = std::vector<std::span<std::byte>>;
  std::vector<ClientCallPtr> calls;
  auto copies = std::make_shared<PulledCopies>(parts);
  const uint64_t number = nextPull++;
  packBlocks(step, parts, [&](Ranges ranges, Places places) {
    ClientCallPtr call =
        makeCall(describeBlocks("pull", ranges), pullLane(step));
    if (ranges[0].size() != ranges[0].block_bytes())
      ranges[0].set_pull(number);
    call->request.mutable_pull()->mutable_ranges()->Swap(&ranges);
    // Lives with the call.
    const wire::Range &first = call->request.pull().ranges(0);
    call->receive = [&first, copies,
                     places = std::move(places)](const Response &response) {
      copies->note(first.block(), response.header.copy());
      return unpackBlocks(response.payload, places);
    };
    calls.push_back(std::move(call));
  });
  submit(calls, [this, step, copies,
                 done = std::move(done)](absl::Status status) mutable {
    const std::vector<RecvPart> mixed = copies->findMixed();
    if (!status.ok() || mixed.empty())
      return done(std::move(status));
    pull(step, mixed, std::move(done));
  });
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
/// How many rows the pserver has of a table, by the answers to the messages of
/// a prefetch.
struct RowCount {
  std::atomic<uint64_t> most{0};

  /// Counts grow only within a step, so the largest is the latest.
  void update(uint64_t count) {
    for (uint64_t old = most; old < count;)
      if (most.compare_exchange_weak(old, count))
        return;
  }
};
} // namespace

/// Asks in messages of as many rows as fit into a chunk; `done` gets the
/// largest count of rows among the answers.
void LinkClient::prefetch(int64_t step, const RowRequest &request,
                          RowsDone done) {
  const std::string what = describeTable("prefetch", request.table, step);
  auto messages = packRows(step, request, request.copies.stateBytes);
  if (!messages.ok())
    return done(annotate(messages.status(), what));
  names.addTable(request.table);
  auto rows = std::make_shared<RowCount>();
  std::vector<ClientCallPtr> calls;
  for (wire::Rows &each : *messages) {
    ClientCallPtr call =
        makeCall(what, request.frozen ? frozenLane : rowsLane(step));
    wire::Prefetch *prefetch = call->request.mutable_prefetch();
    prefetch->set_frozen(request.frozen);
    prefetch->mutable_rows()->Swap(&each);
    const wire::Rows &message = prefetch->rows(); // Lives with the call.
    const size_t begin = message.offset(), count = message.count();
    call->payload = {std::as_bytes(request.ids.subspan(begin, count))};
    if (request.copies.stateBytes != 0)
      call->payload.push_back(
          std::as_bytes(request.copies.held.subspan(begin, count)));
    call->receive = [&message, request, rows](const Response &response) {
      rows->update(response.header.table_rows());
      return unpackRows(response.payload, request, message);
    };
    calls.push_back(std::move(call));
  }
  submit(calls, [rows, done = std::move(done)](absl::Status status) mutable {
    if (!status.ok())
      return done(std::move(status));
    done(rows->most.load());
  });
}

/// The gradients are sent from the caller's memory, message by message, unless
/// they travel in fewer bits.
void LinkClient::pushRows(int64_t step, const RowGradients &rows, Done done) {
  const std::string what = describeTable("push of rows", rows.table, step);
  auto messages = packRows(step, rows);
  if (!messages.ok())
    return done(annotate(messages.status(), what));
  const size_t rowBytes = rows.rowBytes();
  if (rows.gradients.size() != rows.ids.size() * rowBytes)
    return done(
        annotate(absl::InvalidArgumentError(absl::StrCat(
                     "expected ", rows.ids.size(), " rows of ", rowBytes,
                     " bytes, found ", rows.gradients.size(), " bytes")),
                 what));
  // Where a step is one round, the table's update waits for a message.
  if (rows.ids.empty() && session->options.rounds.count != 1)
    return done(absl::OkStatus());
  absl::StatusOr<EncodedRows> encoded = encodeRows(rows);
  if (!encoded.ok())
    return done(annotate(encoded.status(), what));
  names.addTable(rows.table);
  std::vector<ClientCallPtr> calls;
  for (wire::Rows &message : *messages) {
    const size_t begin = message.offset(), count = message.count();
    const size_t wireBytes = rows.codec().wireBytes();
    ClientCallPtr call = makePush(what, step);
    wire::PushRows *push = call->request.mutable_push_rows();
    push->set_sequence(nextSequence++);
    push->mutable_rows()->Swap(&message);
    call->payload = {
        std::as_bytes(rows.ids.subspan(begin, count)),
        encoded->bytes.subspan(begin * wireBytes, count * wireBytes)};
    calls.push_back(std::move(call));
  }
  submit(calls, [memory = std::move(encoded->memory), done = std::move(done)](
                    absl::Status status) mutable { done(std::move(status)); });
}

void LinkClient::pullChanges(int64_t step, const TableRows &table,
                             uint64_t number, ReceiveChanges done) {
  const std::string what = describeTable("pull of changes", table.table, step);
  auto messages = packRows(step, table);
  if (!messages.ok())
    return done(annotate(messages.status(), what));
  names.addTable(table.table);
  auto changes = std::make_shared<RowChanges>();
  ClientCallPtr call = makeCall(
      what, [changes, done = std::move(done)](absl::Status status) mutable {
        if (!status.ok())
          return done(std::move(status));
        done(std::move(*changes));
      });
  wire::Prefetch *prefetch = call->request.mutable_prefetch();
  prefetch->set_changes(number);
  prefetch->mutable_rows()->Swap(&messages->front());
  call->receive = [changes,
                   rowBytes = table.rowBytes()](const Response &response) {
    return unpackChanges(response, rowBytes, *changes);
  };
  session->submit(std::move(call));
}

//===----------------------------------------------------------------------===//
// Barriers, metrics and saving
//===----------------------------------------------------------------------===//

void LinkClient::sendBarrier(int64_t step, Done done) {
  ClientCallPtr call = makeCall(describeBarrier("send", step), std::move(done));
  call->request.mutable_send_barrier()->set_step(step);
  session->submit(std::move(call));
}

void LinkClient::fetchBarrier(int64_t step, Done done) {
  ClientCallPtr call =
      makeCall(describeBarrier("fetch", step), std::move(done));
  call->request.mutable_fetch_barrier()->set_step(step);
  session->submit(std::move(call));
}

/// Puts the totals of a metric where the trainer's own sums were.
static absl::Status placeTotal(Pieces total, std::span<double> sums) {
  const size_t bytes = totalBytes(total);
  if (bytes != sums.size_bytes())
    return absl::InternalError(
        absl::StrCat("expected ", sums.size(), " sums of ", sizeof(double),
                     " bytes in the answer, found ", bytes, " bytes"));
  copyPieces(total, std::as_writable_bytes(sums).data());
  return absl::OkStatus();
}

void LinkClient::mergeMetric(const std::string &metric, int64_t epoch,
                             std::span<double> sums, Done done) {
  std::string what = describeMerge(metric, epoch);
  if (sums.size() > maxMetricSums)
    return done(annotate(
        absl::InvalidArgumentError(absl::StrCat(
            "expected at most ", maxMetricSums, " sums, found ", sums.size())),
        what));
  ClientCallPtr call = makeCall(std::move(what), std::move(done));
  call->request.mutable_merge_metric()->set_metric(metric);
  call->request.mutable_merge_metric()->set_epoch(epoch);
  reportProgress(*call);
  call->payload = {std::as_bytes(sums)};
  call->receive = [sums](const Response &response) {
    return placeTotal(response.payload, sums);
  };
  session->submit(std::move(call));
}

static void setSave(wire::Save *to, const SaveRequest &request) {
  to->set_phase(static_cast<uint32_t>(request.phase));
  to->set_number(request.number);
  to->set_checkpoint_id(request.checkpointId);
  for (const SaveFolder &folder : request.folders) {
    wire::SaveFolder *added = to->add_folders();
    added->set_dir(folder.dir);
    added->set_rows(static_cast<uint32_t>(folder.rows));
    added->set_fixed(folder.fixed);
    added->set_best(folder.best);
  }
}

/// The files that a pserver has sealed.
static absl::StatusOr<std::vector<SavedFile>> readFiles(Pieces payload) {
  std::string text(totalBytes(payload), '\0');
  copyPieces(payload, reinterpret_cast<std::byte *>(text.data()));
  wire::SavedFiles list;
  if (!list.ParseFromString(text))
    return absl::InternalError(
        absl::StrCat("expected a list of files in the answer, found ",
                     text.size(), " other bytes"));
  std::vector<SavedFile> files;
  for (const wire::SavedFile &file : list.files())
    files.push_back({file.folder(), file.name(), {file.bytes(), file.xxh3()}});
  return files;
}

void LinkClient::save(const SaveRequest &request, ReceiveSaved receive) {
  auto part = std::make_shared<SavedPart>();
  ClientCallPtr call = makeCall("saving", [part, receive = std::move(receive)](
                                              absl::Status status) mutable {
    if (status.ok())
      receive(std::move(*part));
    else
      receive(std::move(status));
  });
  setSave(call->request.mutable_save(), request);
  call->receive = [part](const Response &response) {
    const wire::Saved &saved = response.header.saved();
    *part = {saved.digest(),
             {saved.optimizer_files().begin(), saved.optimizer_files().end()}};
    ASSIGN_OR_RETURN(part->files, readFiles(response.payload));
    return absl::OkStatus();
  };
  session->submit(std::move(call));
}

//===----------------------------------------------------------------------===//
// Leaving
//===----------------------------------------------------------------------===//

/// The client sends no heartbeats from then on.
void LinkClient::complete(Done done) {
  ClientCallPtr call = makeCall(
      "completion",
      [session = session, done = std::move(done)](absl::Status status) mutable {
        if (status.ok())
          session->leave();
        done(std::move(status));
      });
  call->request.mutable_complete();
  session->submit(std::move(call));
}

/// The pserver may exit once it knows that the trainer knows, so a completion
/// is confirmed.
void LinkClient::confirmCompletion(Done done) {
  ClientCallPtr call = makeCall("confirmation of the completion",
                                [done = std::move(done)](absl::Status) mutable {
                                  done(absl::OkStatus());
                                });
  call->request.mutable_confirm_completion();
  session->submit(std::move(call));
}

/// Leaves first: the job fails now, and this client need not report that it
/// did.
void LinkClient::abort(const std::string &reason, Done done) {
  session->leave();
  ClientCallPtr call = makeCall("abort", std::move(done));
  call->request.mutable_abort()->set_reason(
      reason.substr(0, maxHeaderBytes / 2));
  session->submit(std::move(call));
}

//===----------------------------------------------------------------------===//
// Construction
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
  return annotate(answer, "pserver ", endpoint, " refuses trainer ",
                  hello.trainerId);
}

void ps::runtime::handshake(Service &service, const Hello &hello,
                            ReceiveWelcome done) {
  wire::Request request = requestFrom({hello.trainerId, hello.incarnation});
  writeHello(hello, *request.mutable_hello());
  service.call(
      request, {},
      [done =
           std::move(done)](const absl::StatusOr<Response> &response) mutable {
        if (!response.ok())
          return done(response.status());
        absl::StatusOr<Predecessor> predecessor = readPredecessor(*response);
        if (!predecessor.ok())
          return done(predecessor.status());
        done(Welcome{readProcess(response->header.process()),
                     response->header.state(), *std::move(predecessor)});
      });
}

absl::StatusOr<std::unique_ptr<Client>>
ps::runtime::introduce(std::string endpoint, std::unique_ptr<Link> link,
                       ClientOptions options) {
  // A link answers within its time limit.
  const absl::Status answer = await([&](Done done) {
    handshake(*link, options.hello,
              [&options, done = std::move(done)](
                  absl::StatusOr<Welcome> welcome) mutable {
                if (welcome.ok())
                  options.welcome = *std::move(welcome);
                done(welcome.status());
              });
  });
  if (isLinkFailure(answer))
    return answer;
  if (!answer.ok())
    return refusal(answer, endpoint, options.hello);
  return makeClient(std::move(endpoint), std::move(link), std::move(options));
}
