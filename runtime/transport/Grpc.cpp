//===- Grpc.cpp - transport between processes -----------------------------===//
//
// Every call is one unary RPC of the same generic method; the header says
// which. The server answers with gRPC's OK and its own status in the header, so
// a gRPC failure means the line, or that somebody else answers.
//
//===----------------------------------------------------------------------===//

#include "runtime/transport/Grpc.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/blocking_counter.h"
#include "runtime/Status.h"
#include "runtime/Threads.h"
#include "runtime/transport/Merge.h"
#include "runtime/transport/Timer.h"
#include "runtime/transport/Wire.h"
#include "runtime/transport/ps.pb.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <grpc/support/log.h>
#include <grpc/support/time.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <iostream>
#include <mutex>
#include <netdb.h>
#include <new>
#include <set>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;

static constexpr char callMethod[] = "/ps.PServer/Call";
/// By this text a trainer knows that the refusal is a pserver's: proxies use
/// its code too.
static constexpr char noMemoryForAnswer[] =
    "the pserver has no memory for the answer";

//===----------------------------------------------------------------------===//
// Both ends
//===----------------------------------------------------------------------===//

/// gRPC writes its own account of every failure to stderr; ours is the status.
static void quietGrpc() {
  static const bool once = [] {
    if (!std::getenv("GRPC_VERBOSITY"))
      gpr_set_log_function([](gpr_log_func_args *) {});
    return true;
  }();
  (void)once;
}

static void logLine(const Log &log, const std::string &line) {
  if (log)
    log(line);
  else
    std::cerr << line + '\n'; // In one piece: trainers of one process log too.
}

/// A deadline for gRPC that does not move with the wall clock.
static gpr_timespec after(absl::Duration duration) {
  return gpr_time_from_nanos(
      absl::ToInt64Nanoseconds(std::min(duration, absl::Hours(24 * 365))),
      GPR_TIMESPAN);
}

/// Splits "host:port"; the host of IPv6 keeps its brackets.
static bool splitEndpoint(const std::string &endpoint, std::string &host,
                          int &port) {
  const size_t colon = endpoint.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return false;
  host = endpoint.substr(0, colon);
  const bool bracketed = host.front() == '[' && host.back() == ']';
  if (host.find_first_of(" \t/,") != std::string::npos ||
      (!bracketed && host.find(':') != std::string::npos))
    return false;
  const char *begin = endpoint.data() + colon + 1;
  const char *end = endpoint.data() + endpoint.size();
  auto [rest, error] = std::from_chars(begin, end, port);
  return error == std::errc() && rest == end && begin != end && port >= 0 &&
         port <= 65535;
}

absl::Status ps::runtime::checkEndpoint(const std::string &endpoint) {
  std::string host;
  int port = 0;
  if (splitEndpoint(endpoint, host, port))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("expected an endpoint 'host:port', found '", endpoint, "'"));
}

static void setRange(wire::Range *to, const Range &range) {
  to->set_step(range.step);
  to->set_block(range.block);
  to->set_dtype(std::string(dtypeName(range.dtype)));
  to->set_block_bytes(range.blockBytes);
  to->set_offset(range.offset);
  to->set_size(range.size);
}

static absl::StatusOr<DType> toDType(const std::string &name, const char *noun,
                                     const std::string &what) {
  for (int i = 0; i <= static_cast<int>(DType::F64); ++i)
    if (dtypeName(static_cast<DType>(i)) == name)
      return static_cast<DType>(i);
  return absl::InvalidArgumentError(
      absl::StrCat("found a message about ", noun, " '", what,
                   "' with the unknown element type '", name, "'"));
}

static absl::StatusOr<Range> toRange(const wire::Range &from) {
  absl::StatusOr<DType> dtype = toDType(from.dtype(), "block", from.block());
  if (!dtype.ok())
    return dtype.status();
  return Range{from.step(),        from.block(),  *dtype,
               from.block_bytes(), from.offset(), from.size()};
}

static void setRows(wire::Rows *to, const RowRange &rows) {
  to->set_step(rows.step);
  to->set_table(rows.table);
  to->set_dtype(std::string(dtypeName(rows.dtype)));
  to->set_width(rows.width);
  to->set_offset(rows.offset);
  to->set_count(rows.count);
  to->set_total(rows.total);
  to->set_state_bytes(rows.stateBytes);
}

static absl::StatusOr<RowRange> toRows(const wire::Rows &from) {
  absl::StatusOr<DType> dtype = toDType(from.dtype(), "table", from.table());
  if (!dtype.ok())
    return dtype.status();
  return RowRange{from.step(),  from.table(),      *dtype,
                  from.width(), from.offset(),     from.count(),
                  from.total(), from.state_bytes()};
}

static absl::StatusOr<std::vector<Range>>
toRanges(const google::protobuf::RepeatedPtrField<wire::Range> &from) {
  std::vector<Range> ranges;
  for (const wire::Range &each : from) {
    absl::StatusOr<Range> range = toRange(each);
    if (!range.ok())
      return range.status();
    ranges.push_back(*std::move(range));
  }
  return ranges;
}

//===----------------------------------------------------------------------===//
// The pserver's end
//===----------------------------------------------------------------------===//

namespace {
/// One RPC. Belongs to gRPC until OnDone and to the service until it answers;
/// whoever lets go last deletes it.
class IncomingCall final : public grpc::ServerGenericBidiReactor {
public:
  explicit IncomingCall(Service &service) : service(service) {
    StartRead(&requestBytes);
  }

  void OnReadDone(bool ok) override {
    if (!ok)
      return close(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT,
                                "expected one message"));
    if (absl::Status status = message.decode(requestBytes, request);
        !status.ok())
      return reply(status);
    const Share self = share();
    try {
      dispatch();
    } catch (const std::bad_alloc &) {
      // The trainer fails with this, and ends the job for everybody.
      reply(absl::ResourceExhaustedError(
          absl::StrCat("no memory for a call of trainer ", request.trainer())));
    }
  }
  /// The trainer has gone, or the server closes: nobody waits for the answer.
  void OnCancel() override {
    close(grpc::Status(grpc::StatusCode::CANCELLED, "cancelled"));
  }
  void OnDone() override { letGo(); }

private:
  void dispatch();

  /// The service's share of the call: goes with the callback it is kept in,
  /// whether that was called or not.
  struct LetGo {
    void operator()(IncomingCall *call) const { call->letGo(); }
  };
  using Share = std::unique_ptr<IncomingCall, LetGo>;
  Share share() {
    ++holders;
    return Share(this);
  }

  /// A callback of the service that answers with a bare status.
  Done answer() {
    return [call = share()](absl::Status status) { call->reply(status); };
  }

  void reply(const absl::Status &status, Pieces payload = {}) {
    // The service's bytes outlast the call: the trainer's fetch barrier comes
    // after this answer.
    send([&] { return encode(headerOf(status), payload); });
  }
  void reply(const absl::StatusOr<FetchedRows> &rows);
  void reply(const absl::StatusOr<SavedPart> &part);
  void reply(const absl::StatusOr<MetricTotal> &total);

  static wire::Reply headerOf(const absl::Status &status) {
    wire::Reply header;
    header.set_code(static_cast<int>(status.code()));
    header.set_message(std::string(status.message().substr(0, 32 << 10)));
    return header;
  }
  void send(absl::FunctionRef<grpc::ByteBuffer()> answer) {
    if (answered.exchange(true))
      return;
    try {
      replyBytes = answer();
    } catch (const std::bad_alloc &) {
      return Finish(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED,
                                 noMemoryForAnswer));
    }
    StartWriteAndFinish(&replyBytes, grpc::WriteOptions(), grpc::Status::OK);
  }

  void close(const grpc::Status &status) {
    if (!answered.exchange(true))
      Finish(status);
  }

  void letGo() {
    if (--holders == 0)
      delete this;
  }

  Service &service;
  std::atomic<int> holders{1};
  std::atomic<bool> answered{false};
  grpc::ByteBuffer requestBytes, replyBytes;
  wire::Request request;
  Message message;
};

class GenericService final : public grpc::CallbackGenericService {
public:
  explicit GenericService(Service &service) : service(service) {}
  grpc::ServerGenericBidiReactor *
  CreateReactor(grpc::GenericCallbackServerContext *) override {
    return new IncomingCall(service);
  }

private:
  Service &service;
};

class GrpcServerImpl final : public GrpcServer {
public:
  explicit GrpcServerImpl(Service &service) : handler(service) {}
  ~GrpcServerImpl() override {
    if (!server)
      return;
    server->Shutdown(after(absl::Seconds(2)));
    server->Wait();
  }
  absl::Status listen(const std::string &address);

  int port() const override { return portNumber; }
  const std::string &endpoint() const override { return name; }

private:
  GenericService handler;
  std::unique_ptr<grpc::Server> server;
  int portNumber = 0;
  std::string name;
};
} // namespace

namespace {
/// Keeps what a payload points at until gRPC has let go of every piece.
struct Hold {
  std::shared_ptr<const void> owner;
  std::atomic<size_t> pieces;

  static void released(void *self) {
    auto *hold = static_cast<Hold *>(self);
    if (--hold->pieces == 0)
      delete hold;
  }
};
} // namespace

void IncomingCall::reply(const absl::StatusOr<FetchedRows> &rows) {
  if (!rows.ok())
    return reply(rows.status());
  send([&] {
    wire::Reply header = headerOf(absl::OkStatus());
    header.set_table_rows(rows->tableRows);
    if (rows->values.empty())
      return encode(header);
    auto *hold = new Hold{rows->owner, rows->values.size()};
    return encode(header, rows->values, Hold::released, hold);
  });
}

void IncomingCall::reply(const absl::StatusOr<MetricTotal> &total) {
  if (!total.ok())
    return reply(total.status());
  send([&] {
    const Piece piece = std::as_bytes(std::span(**total));
    return encode(headerOf(absl::OkStatus()), Pieces(&piece, 1), Hold::released,
                  new Hold{*total, 1});
  });
}

void IncomingCall::reply(const absl::StatusOr<SavedPart> &part) {
  if (!part.ok())
    return reply(part.status());
  send([&] {
    wire::Reply header = headerOf(absl::OkStatus());
    header.set_digest(part->digest);
    for (const std::string &file : part->optimizerFiles)
      header.add_optimizer_files(file);
    return encode(header);
  });
}

/// As it comes; whether a trainer may say so is checked later.
static Hello toHello(const wire::Hello &from) {
  Hello hello{from.trainer(), from.incarnation(), from.job_hash(),
              absl::Milliseconds(from.peer_timeout_ms())};
  for (const wire::RunOption &option : from.options())
    hello.options[option.name()] = option.value();
  return hello;
}

/// A request as it comes; whether a trainer may make it is checked later.
static absl::StatusOr<SaveRequest> toSaveRequest(const wire::Save &save) {
  using Phase = SaveRequest::Phase;
  SaveRequest request;
  if (save.phase() > uint32_t(Phase::Publish))
    return absl::InvalidArgumentError(absl::StrCat(
        "expected phase 0, 1 or 2 of a save, found ", save.phase()));
  request.phase = static_cast<Phase>(save.phase());
  request.number = save.number();
  request.checkpointId = save.checkpoint_id();
  for (const wire::SaveFolder &folder : save.folders()) {
    if (folder.rows() > uint32_t(RowSelection::Delta))
      return absl::InvalidArgumentError(absl::StrCat(
          "expected rows 0, 1 or 2 of a save, found ", folder.rows()));
    request.folders.push_back(
        {folder.dir(), static_cast<RowSelection>(folder.rows())});
  }
  return request;
}

void IncomingCall::dispatch() {
  const Peer peer{request.trainer(), request.incarnation()};
  switch (request.call_case()) {
  case wire::Request::kHello: {
    const wire::Hello &hello = request.hello();
    if (hello.version() != wireVersion)
      return answer()(absl::FailedPreconditionError(
          absl::StrCat("expected version ", wireVersion,
                       " of the protocol, found ", hello.version())));
    return service.handshake(toHello(hello), answer());
  }
  case wire::Request::kHeartbeat:
    return service.heartbeat(peer, answer());
  case wire::Request::kPush: {
    absl::StatusOr<std::vector<Range>> ranges =
        toRanges(request.push().ranges());
    if (!ranges.ok())
      return answer()(ranges.status());
    return service.push(peer, request.push().sequence(), *ranges,
                        message.payload(), answer());
  }
  case wire::Request::kPull: {
    absl::StatusOr<std::vector<Range>> ranges =
        toRanges(request.pull().ranges());
    if (!ranges.ok())
      return answer()(ranges.status());
    return service.pull(
        peer, *ranges, [call = share()](absl::StatusOr<Pieces> pieces) {
          call->reply(pieces.status(), pieces.ok() ? *pieces : Pieces());
        });
  }
  case wire::Request::kPrefetch: {
    const wire::Prefetch &prefetch = request.prefetch();
    absl::StatusOr<RowRange> rows = toRows(prefetch.rows());
    if (!rows.ok())
      return answer()(rows.status());
    return service.prefetch(peer, *rows, prefetch.frozen(), message.payload(),
                            [call = share()](absl::StatusOr<FetchedRows> rows) {
                              call->reply(rows);
                            });
  }
  case wire::Request::kPushRows: {
    const wire::PushRows &push = request.push_rows();
    absl::StatusOr<RowRange> rows = toRows(push.rows());
    if (!rows.ok())
      return answer()(rows.status());
    return service.pushRows(peer, push.sequence(), *rows, message.payload(),
                            answer());
  }
  case wire::Request::kSendBarrier:
    return service.sendBarrier(peer, request.send_barrier().step(), answer());
  case wire::Request::kFetchBarrier:
    return service.fetchBarrier(peer, request.fetch_barrier().step(), answer());
  case wire::Request::kMergeMetric: {
    const wire::MergeMetric &merge = request.merge_metric();
    return service.mergeMetric(
        peer, merge.metric(), merge.epoch(), message.payload(),
        [call = share()](absl::StatusOr<MetricTotal> total) {
          call->reply(total);
        });
  }
  case wire::Request::kSave: {
    absl::StatusOr<SaveRequest> save = toSaveRequest(request.save());
    if (!save.ok())
      return answer()(save.status());
    return service.save(peer, *save,
                        [call = share()](absl::StatusOr<SavedPart> part) {
                          call->reply(part);
                        });
  }
  case wire::Request::kComplete:
    return service.complete(peer, answer());
  case wire::Request::kConfirmCompletion:
    return service.confirmCompletion(peer, answer());
  case wire::Request::kAbort:
    return service.abort(peer, printable(request.abort().reason()), answer());
  case wire::Request::CALL_NOT_SET:
    return answer()(absl::InvalidArgumentError("the message holds no call"));
  }
}

/// What the system says about listening on `host`:`port`; asked after gRPC has
/// failed to, because gRPC does not tell.
static absl::Status whyNotListening(std::string host, int port) {
  if (host.front() == '[')
    host = host.substr(1, host.size() - 2);
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo *list = nullptr;
  if (int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(),
                              &hints, &list))
    return absl::InvalidArgumentError(gai_strerror(error));
  int error = EADDRINUSE;
  int fd = socket(list->ai_family, list->ai_socktype, list->ai_protocol);
  if (fd >= 0) {
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, list->ai_addr, list->ai_addrlen) != 0 || ::listen(fd, 1) != 0)
      error = errno;
    close(fd);
  }
  freeaddrinfo(list);
  if (error == EADDRINUSE)
    return absl::AlreadyExistsError("the port is in use");
  return absl::UnavailableError(std::strerror(error));
}

absl::Status GrpcServerImpl::listen(const std::string &address) {
  std::string host;
  int wanted = 0;
  if (!splitEndpoint(address, host, wanted))
    return checkEndpoint(address);
  // What gRPC starts by itself, and the answers to the first calls.
  if (absl::Status status = checkThreads(
          static_cast<int>(std::thread::hardware_concurrency()) + 8);
      !status.ok())
    return annotate(status, absl::StrCat("cannot serve on ", address));
  grpc::ServerBuilder builder;
  // Two servers on one port would share its connections silently.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.SetMaxReceiveMessageSize(maxMessageBytes);
  builder.SetMaxSendMessageSize(maxMessageBytes);
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(),
                           &portNumber);
  builder.RegisterCallbackGenericService(&handler);
  server = builder.BuildAndStart();
  if (!server || portNumber == 0) {
    absl::Status why = whyNotListening(host, wanted);
    return annotate(why, absl::StrCat("cannot listen on ", address));
  }
  name = absl::StrCat(host, ":", portNumber);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<GrpcServer>>
GrpcServer::start(const std::string &endpoint, Service &service,
                  const Log &log) {
  quietGrpc();
  auto server = std::make_unique<GrpcServerImpl>(service);
  if (absl::Status status = server->listen(endpoint); !status.ok())
    return status;
  logLine(log, absl::StrCat("Server listening on ", server->endpoint(),
                            " selected port: ", server->port()));
  return server;
}

//===----------------------------------------------------------------------===//
// The trainer's end
//===----------------------------------------------------------------------===//

namespace {
/// The RPCs under way on a link; outlives it through them.
struct Outgoing {
  std::mutex mutex; // Guards what follows.
  bool cut = false;
  std::set<grpc::ClientContext *> contexts;
};

/// One RPC. Ends when the answer is here and nothing refers to the payload any
/// more, whichever comes last.
class OutgoingCall {
public:
  using Answer =
      absl::AnyInvocable<void(absl::Status, const wire::Reply &, Pieces)>;

  OutgoingCall(std::shared_ptr<Outgoing> outgoing, Answer answer)
      : outgoing(std::move(outgoing)), answer(std::move(answer)) {}

  /// Deletes itself in the end.
  void start(grpc::GenericStub &stub, const wire::Request &request,
             Pieces payload, absl::Duration timeout);

private:
  void received(const grpc::Status &status);
  void released();
  void end();

  std::shared_ptr<Outgoing> outgoing;
  Answer answer;
  std::unique_ptr<grpc::ClientContext> context =
      std::make_unique<grpc::ClientContext>();
  grpc::ByteBuffer requestBytes, replyBytes;
  grpc::Status line;
  /// The RPC and the pieces of the payload.
  std::atomic<size_t> pending{1};
};

class GrpcLink final : public Link {
public:
  GrpcLink(const std::string &endpoint, absl::Duration callTimeout,
           absl::Duration barrierTimeout);
  ~GrpcLink() override { disconnect(); }

  void handshake(const Hello &hello, Done done) override;
  void heartbeat(Peer peer, Done done) override;
  void push(Peer peer, uint64_t sequence, Ranges ranges, Pieces payload,
            Done done) override;
  void pull(Peer peer, Ranges ranges, Receive done) override;
  void prefetch(Peer peer, const RowRange &rows, bool frozen, Pieces ids,
                ReceiveRows done) override;
  void pushRows(Peer peer, uint64_t sequence, const RowRange &rows,
                Pieces payload, Done done) override;
  void sendBarrier(Peer peer, int64_t step, Done done) override;
  void fetchBarrier(Peer peer, int64_t step, Done done) override;
  void mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                   Pieces sums, ReceiveTotal done) override;
  void save(Peer peer, const SaveRequest &request, ReceiveSaved done) override;
  void complete(Peer peer, Done done) override;
  void confirmCompletion(Peer peer, Done done) override;
  void abort(Peer peer, const std::string &reason, Done done) override;
  void disconnect() override;

private:
  void call(grpc::GenericStub &stub, const wire::Request &request,
            Pieces payload, absl::Duration timeout,
            OutgoingCall::Answer answer);
  /// A call whose answer is a bare status.
  void call(const wire::Request &request, Done done) {
    call(data, request, {}, callTimeout, plain(std::move(done)));
  }
  static OutgoingCall::Answer plain(Done done) {
    return
        [done = std::move(done)](absl::Status status, const wire::Reply &,
                                 Pieces) mutable { done(std::move(status)); };
  }
  static wire::Request from(Peer peer) {
    wire::Request request;
    request.set_trainer(peer.trainer);
    request.set_incarnation(peer.incarnation);
    return request;
  }

  const absl::Duration callTimeout, barrierTimeout;
  /// Signs of life have a connection of their own: they do not queue behind
  /// payloads.
  grpc::GenericStub data, life;
  std::shared_ptr<Outgoing> outgoing = std::make_shared<Outgoing>();
};
} // namespace

static int toMilliseconds(absl::Duration duration) {
  return static_cast<int>(absl::ToInt64Milliseconds(
      std::clamp(duration, absl::Milliseconds(1), absl::Hours(24))));
}

/// A connection whose peer takes no bytes for `silence` is closed.
static std::shared_ptr<grpc::Channel> makeChannel(const std::string &endpoint,
                                                  absl::Duration silence) {
  quietGrpc();
  grpc::ChannelArguments args;
  args.SetMaxReceiveMessageSize(maxMessageBytes);
  args.SetMaxSendMessageSize(maxMessageBytes);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  args.SetInt(GRPC_ARG_ENABLE_RETRIES, 0); // Ours know about duplicates.
  args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  // Despite its name, how long an attempt to connect may take: far and busy
  // machines need their time.
  args.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5000);
  args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
  // gRPC makes its timeout of signs of life the socket's TCP_USER_TIMEOUT, too:
  // without it, the payload of a push to a process that was stopped would be
  // held until that process goes on. The signs themselves are the client's.
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, toMilliseconds(absl::Hours(24)));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, toMilliseconds(silence));
  return grpc::CreateCustomChannel(endpoint, grpc::InsecureChannelCredentials(),
                                   args);
}

void OutgoingCall::start(grpc::GenericStub &stub, const wire::Request &request,
                         Pieces payload, absl::Duration timeout) {
  context->set_deadline(after(timeout));
  pending += payload.size();
  requestBytes = encode(
      request, payload,
      [](void *self) { static_cast<OutgoingCall *>(self)->released(); }, this);
  bool cut;
  {
    std::lock_guard<std::mutex> lock(outgoing->mutex);
    cut = outgoing->cut;
    if (!cut)
      outgoing->contexts.insert(context.get());
  }
  if (cut)
    return received(
        grpc::Status(grpc::StatusCode::CANCELLED, "the line is cut"));
  stub.UnaryCall(context.get(), callMethod, grpc::StubOptions(), &requestBytes,
                 &replyBytes,
                 [this](const grpc::Status &status) { received(status); });
}

void OutgoingCall::received(const grpc::Status &status) {
  {
    std::lock_guard<std::mutex> lock(outgoing->mutex);
    outgoing->contexts.erase(context.get());
  }
  line = status;
  // A call that ends before it is sent keeps its message until it is destroyed,
  // and the context keeps the call: with either in hand, waiting for the
  // payload would last for ever. The context also holds the channel, which must
  // not go on one of gRPC's threads, because with the last channel of the
  // process go the threads themselves: the link keeps it until the answer.
  requestBytes.Clear();
  context.reset();
  if (--pending == 0)
    end();
}

void OutgoingCall::released() {
  // Called from within the transport when it drops its reference, rarely after
  // the answer: no place to start other calls from.
  if (--pending == 0)
    Timer::shared().after({}, [this] { end(); });
}

static constexpr absl::string_view strangerUrl = "ps-mlir/stranger";

/// An answer that no pserver gives.
static absl::Status strangersAnswer(absl::Status status) {
  status.SetPayload(strangerUrl, absl::Cord());
  return status;
}

/// Failures that another attempt may not have.
static bool isTransient(grpc::StatusCode code) {
  return code == grpc::StatusCode::UNAVAILABLE ||
         code == grpc::StatusCode::DEADLINE_EXCEEDED ||
         code == grpc::StatusCode::CANCELLED;
}

/// Whether gRPC's account of a failure is that of a server which does not speak
/// HTTP/2. Of one that answers with HTTP's status 200 all that is left is OK.
static bool isFromAnotherServer(const std::string &account) {
  return absl::EndsWith(account, "last error: OK") ||
         absl::StrContains(account, "http1.x server") ||
         absl::StrContains(account, "Failed parsing HTTP/2");
}

void OutgoingCall::end() {
  if (!line.ok()) {
    const auto code = static_cast<absl::StatusCode>(line.error_code());
    const std::string account = printable(line.error_message());
    if (isFromAnotherServer(account))
      answer(strangersAnswer(absl::Status(code, "it does not speak HTTP/2")),
             {}, {});
    else if (isTransient(line.error_code()))
      answer(linkFailure(code, account), {}, {});
    else if (code == absl::StatusCode::kResourceExhausted &&
             account == noMemoryForAnswer)
      answer(absl::Status(code, account), {}, {});
    else
      answer(strangersAnswer(absl::Status(code, account)), {}, {});
  } else {
    wire::Reply header;
    Message message;
    absl::Status status;
    try {
      status = message.decode(replyBytes, header);
    } catch (const std::bad_alloc &) {
      status = absl::ResourceExhaustedError("no memory for the answer");
    }
    status = status.ok()
                 ? absl::Status(static_cast<absl::StatusCode>(header.code()),
                                printable(header.message()))
                 : strangersAnswer(status);
    answer(std::move(status), header, message.payload());
  }
  delete this;
}

GrpcLink::GrpcLink(const std::string &endpoint, absl::Duration callTimeout,
                   absl::Duration barrierTimeout)
    : callTimeout(callTimeout), barrierTimeout(barrierTimeout),
      data(makeChannel(endpoint, callTimeout)),
      life(makeChannel(endpoint, callTimeout)) {}

void GrpcLink::call(grpc::GenericStub &stub, const wire::Request &request,
                    Pieces payload, absl::Duration timeout,
                    OutgoingCall::Answer answer) {
  auto *outgoingCall = new OutgoingCall(outgoing, std::move(answer));
  outgoingCall->start(stub, request, payload, timeout);
}

void GrpcLink::handshake(const Hello &hello, Done done) {
  wire::Request request;
  wire::Hello *message = request.mutable_hello();
  message->set_version(wireVersion);
  message->set_trainer(hello.trainerId);
  message->set_incarnation(hello.incarnation);
  message->set_job_hash(hello.jobHash);
  message->set_peer_timeout_ms(absl::ToInt64Milliseconds(hello.peerTimeout));
  for (const auto &[name, value] : hello.options) {
    wire::RunOption *option = message->add_options();
    option->set_name(name);
    option->set_value(value);
  }
  call(request, std::move(done));
}

void GrpcLink::heartbeat(Peer peer, Done done) {
  wire::Request request = from(peer);
  request.mutable_heartbeat();
  call(life, request, {}, callTimeout, plain(std::move(done)));
}

void GrpcLink::push(Peer peer, uint64_t sequence, Ranges ranges, Pieces payload,
                    Done done) {
  wire::Request request = from(peer);
  request.mutable_push()->set_sequence(sequence);
  for (const Range &range : ranges)
    setRange(request.mutable_push()->add_ranges(), range);
  call(data, request, payload, callTimeout, plain(std::move(done)));
}

void GrpcLink::pull(Peer peer, Ranges ranges, Receive done) {
  wire::Request request = from(peer);
  request.mutable_pull();
  for (const Range &range : ranges)
    setRange(request.mutable_pull()->add_ranges(), range);
  call(data, request, {}, barrierTimeout,
       [done = std::move(done)](absl::Status status, const wire::Reply &,
                                Pieces bytes) mutable {
         if (status.ok())
           done(bytes);
         else
           done(std::move(status));
       });
}

void GrpcLink::prefetch(Peer peer, const RowRange &rows, bool frozen,
                        Pieces ids, ReceiveRows done) {
  wire::Request request = from(peer);
  setRows(request.mutable_prefetch()->mutable_rows(), rows);
  request.mutable_prefetch()->set_frozen(frozen);
  call(data, request, ids, barrierTimeout,
       [done = std::move(done)](absl::Status status, const wire::Reply &header,
                                Pieces values) mutable {
         if (status.ok())
           done(FetchedRows{values, nullptr, header.table_rows()});
         else
           done(std::move(status));
       });
}

void GrpcLink::pushRows(Peer peer, uint64_t sequence, const RowRange &rows,
                        Pieces payload, Done done) {
  wire::Request request = from(peer);
  request.mutable_push_rows()->set_sequence(sequence);
  setRows(request.mutable_push_rows()->mutable_rows(), rows);
  call(data, request, payload, callTimeout, plain(std::move(done)));
}

void GrpcLink::sendBarrier(Peer peer, int64_t step, Done done) {
  wire::Request request = from(peer);
  request.mutable_send_barrier()->set_step(step);
  call(data, request, {}, barrierTimeout, plain(std::move(done)));
}

void GrpcLink::fetchBarrier(Peer peer, int64_t step, Done done) {
  wire::Request request = from(peer);
  request.mutable_fetch_barrier()->set_step(step);
  call(request, std::move(done));
}

/// The totals of a metric, which a message bounds.
static absl::StatusOr<MetricTotal> toTotal(Pieces pieces) {
  const size_t bytes = totalBytes(pieces);
  if (bytes % sizeof(double) != 0)
    return absl::InternalError(absl::StrCat("expected sums of ", sizeof(double),
                                            " bytes each, found ", bytes,
                                            " bytes"));
  auto total = std::make_shared<std::vector<double>>(bytes / sizeof(double));
  copyPieces(pieces, reinterpret_cast<std::byte *>(total->data()));
  return total;
}

void GrpcLink::mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                           Pieces sums, ReceiveTotal done) {
  wire::Request request = from(peer);
  request.mutable_merge_metric()->set_metric(metric);
  request.mutable_merge_metric()->set_epoch(epoch);
  call(data, request, sums, barrierTimeout,
       [done = std::move(done)](absl::Status status, const wire::Reply &,
                                Pieces total) mutable {
         if (status.ok())
           done(toTotal(total));
         else
           done(std::move(status));
       });
}

void GrpcLink::save(Peer peer, const SaveRequest &save, ReceiveSaved done) {
  wire::Request request = from(peer);
  wire::Save *message = request.mutable_save();
  message->set_phase(static_cast<uint32_t>(save.phase));
  message->set_number(save.number);
  message->set_checkpoint_id(save.checkpointId);
  for (const SaveFolder &folder : save.folders) {
    wire::SaveFolder *added = message->add_folders();
    added->set_dir(folder.dir);
    added->set_rows(static_cast<uint32_t>(folder.rows));
  }
  call(data, request, {}, barrierTimeout,
       [done = std::move(done)](absl::Status status, const wire::Reply &reply,
                                Pieces) mutable {
         if (!status.ok())
           return done(std::move(status));
         SavedPart part{reply.digest(), {}};
         for (const std::string &file : reply.optimizer_files())
           part.optimizerFiles.push_back(file);
         done(std::move(part));
       });
}

void GrpcLink::complete(Peer peer, Done done) {
  wire::Request request = from(peer);
  request.mutable_complete();
  call(request, std::move(done));
}

void GrpcLink::confirmCompletion(Peer peer, Done done) {
  wire::Request request = from(peer);
  request.mutable_confirm_completion();
  call(request, std::move(done));
}

void GrpcLink::abort(Peer peer, const std::string &reason, Done done) {
  wire::Request request = from(peer);
  request.mutable_abort()->set_reason(reason.substr(0, maxHeaderBytes / 2));
  call(request, std::move(done));
}

void GrpcLink::disconnect() {
  std::lock_guard<std::mutex> lock(outgoing->mutex);
  outgoing->cut = true;
  for (grpc::ClientContext *context : outgoing->contexts)
    context->TryCancel();
}

std::unique_ptr<Link> ps::runtime::makeGrpcLink(const std::string &endpoint,
                                                absl::Duration callTimeout,
                                                absl::Duration barrierTimeout) {
  return std::make_unique<GrpcLink>(endpoint, callTimeout, barrierTimeout);
}

//===----------------------------------------------------------------------===//
// Connecting
//===----------------------------------------------------------------------===//

namespace {
/// Waits for all pservers of a job.
class Connector {
public:
  Connector(std::span<const std::string> endpoints,
            const ConnectOptions &options)
      : endpoints(endpoints), options(options), clients(endpoints.size()),
        causes(endpoints.size()) {}

  absl::StatusOr<std::vector<std::unique_ptr<Client>>> run();

private:
  absl::Status checkEndpoints() const;
  absl::Status tryMissing();
  std::string missing(bool withCauses) const;
  bool cancelledWithin(absl::Duration duration) const;

  std::span<const std::string> endpoints;
  const ConnectOptions &options;
  std::vector<std::unique_ptr<Client>> clients;
  /// Why the last attempt to reach each endpoint failed.
  std::vector<std::string> causes;
};
} // namespace

absl::Status Connector::checkEndpoints() const {
  std::set<std::string> seen;
  for (const std::string &endpoint : endpoints) {
    if (absl::Status status = checkEndpoint(endpoint); !status.ok())
      return status;
    if (!seen.insert(endpoint).second)
      return absl::InvalidArgumentError(
          absl::StrCat("pserver ", endpoint, " is given twice"));
  }
  return absl::OkStatus();
}

/// The few words in gRPC's account of a failure that say why.
static std::string causeOf(const absl::Status &failure) {
  const std::string account(failure.message());
  if (absl::StrContains(account, "DNS resolution failed"))
    return "name does not resolve";
  if (absl::IsDeadlineExceeded(failure) ||
      absl::StrContains(account, "timed out"))
    return "no answer";
  const size_t colon = account.rfind(": ");
  std::string cause =
      colon == std::string::npos ? account : account.substr(colon + 2);
  if (!cause.empty())
    cause[0] = absl::ascii_tolower(cause[0]);
  return cause;
}

/// Introduces the trainer to those that have not answered yet, all at once. A
/// refusal, or a job that fails meanwhile, is an error.
absl::Status Connector::tryMissing() {
  const ClientOptions &client = options.client;
  std::vector<std::unique_ptr<Link>> links(endpoints.size());
  std::vector<absl::Status> answers(endpoints.size());
  for (size_t i = 0; i < endpoints.size(); ++i)
    if (!clients[i])
      links[i] = makeGrpcLink(endpoints[i], client.peerTimeout / 2,
                              client.stepTimeout + client.peerTimeout);
  absl::BlockingCounter remaining(static_cast<int>(
      std::count_if(links.begin(), links.end(),
                    [](const auto &link) { return link != nullptr; })));
  for (size_t i = 0; i < endpoints.size(); ++i)
    if (links[i])
      links[i]->handshake(client.hello, [&, i](absl::Status status) {
        answers[i] = std::move(status);
        remaining.DecrementCount();
      });
  remaining.Wait();

  for (size_t i = 0; i < endpoints.size(); ++i) {
    if (!links[i]) {
      if (absl::Status status = clients[i]->health(); !status.ok())
        return status;
    } else if (answers[i].ok()) {
      clients[i] = makeClient(endpoints[i], std::move(links[i]), client);
    } else if (isLinkFailure(answers[i])) {
      causes[i] = causeOf(answers[i]);
    } else if (answers[i].GetPayload(strangerUrl)) {
      return annotate(answers[i],
                      absl::StrCat("something other than a pserver answers at ",
                                   endpoints[i]));
    } else {
      return refusal(answers[i], endpoints[i], client.hello);
    }
  }
  return absl::OkStatus();
}

/// "'127.0.0.1:6174', '127.0.0.1:6175'", or "'127.0.0.1:6174' (connection
/// refused)" with causes; empty when all have answered.
std::string Connector::missing(bool withCauses) const {
  std::vector<std::string> quoted;
  for (size_t i = 0; i < endpoints.size(); ++i)
    if (!clients[i])
      quoted.push_back(
          absl::StrCat("'", endpoints[i], "'",
                       withCauses ? absl::StrCat(" (", causes[i], ")") : ""));
  return absl::StrJoin(quoted, ", ");
}

bool Connector::cancelledWithin(absl::Duration duration) const {
  Event never;
  return (options.cancel ? *options.cancel : never).waitFor(duration);
}

absl::StatusOr<std::vector<std::unique_ptr<Client>>> Connector::run() {
  if (absl::Status status = checkEndpoints(); !status.ok())
    return status;
  constexpr absl::Duration quietInterval = absl::Milliseconds(50);
  const auto begin = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return absl::FromChrono(std::chrono::steady_clock::now() - begin);
  };
  while (true) {
    if (absl::Status status = tryMissing(); !status.ok())
      return status;
    const std::string left = missing(/*withCauses=*/false);
    if (left.empty())
      return std::move(clients);
    const absl::Duration rest = options.connectTimeout - elapsed();
    if (rest <= absl::ZeroDuration())
      return absl::DeadlineExceededError(
          absl::StrCat("pservers not ready within ",
                       absl::FormatDuration(options.connectTimeout), ": [",
                       missing(/*withCauses=*/true), "]"));
    const bool quiet = elapsed() < options.quietTime;
    if (!quiet) {
      logLine(options.log,
              absl::StrCat("server not ready, wait ",
                           absl::ToDoubleSeconds(options.retryInterval),
                           " sec to retry..."));
      logLine(options.log, absl::StrCat("not ready endpoints:[", left, "]"));
    }
    if (cancelledWithin(
            std::min(quiet ? quietInterval : options.retryInterval, rest)))
      return absl::CancelledError("cancelled while waiting for pservers");
  }
}

absl::StatusOr<std::vector<std::unique_ptr<Client>>>
ps::runtime::connectAll(std::span<const std::string> endpoints,
                        const ConnectOptions &options) {
  return Connector(endpoints, options).run();
}
