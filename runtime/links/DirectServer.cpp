// SPDX-License-Identifier: Apache-2.0
//===- DirectServer.cpp - the pserver's end of direct connections ---------===//
//
// One thread accepts connections, and one serves each: it reads calls and makes
// them, so those of one trainer start in the order in which they were sent.
// Answers are written by whichever thread gives them.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include "runtime/base/Status.h"
#include "runtime/base/Threads.h"
#include "runtime/links/Direct.h"
#include "runtime/links/FrameConnection.h"
#include "runtime/links/SharedMemory.h"
#include "runtime/links/Sockets.h"
#include "runtime/links/TcpStream.h"
#include "runtime/links/Wakeup.h"
#include "runtime/protocol/Authentication.h"
#include "runtime/protocol/Endpoint.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>
#include <atomic>
#include <cstring>
#include <list>
#include <new>
#include <optional>
#include <poll.h>
#include <system_error>

using namespace ps::runtime;

namespace {
/// The calls of a connection that the service has not answered. Thread-safe.
class OpenCalls {
public:
  void add() {
    MutexLock lock(mutex);
    ++count;
  }
  void remove() {
    MutexLock lock(mutex);
    if (--count == 0)
      none.notifyAll();
  }
  void waitForNone(Clock::TimePoint deadline) {
    MutexLock lock(mutex);
    while (count != 0 && Clock::steady().now() < deadline)
      none.waitUntil(lock, deadline);
  }

private:
  Mutex mutex;
  CondVar none;
  size_t count ABSL_GUARDED_BY(mutex) = 0;
};

/// What outlives a connection through its calls.
struct Served {
  explicit Served(std::unique_ptr<ByteStream> stream)
      : connection(
            std::make_shared<FrameConnection>(std::move(stream), mostQueued)) {}

  /// Answers of a window of calls, and some more.
  static constexpr size_t mostQueued = 32 * chunkBytes;
  const std::shared_ptr<FrameConnection> connection;
  OpenCalls open;
};

/// A call that has arrived; lives until it is answered.
struct IncomingCall {
  IncomingCall(std::shared_ptr<Served> from, Frame frame)
      : served(std::move(from)), frame(std::move(frame)) {
    served->open.add();
  }
  ~IncomingCall() { served->open.remove(); }

  /// What the service gets a span of.
  Pieces payload() const {
    return {&frame.payload, frame.payload.empty() ? size_t(0) : size_t(1)};
  }
  /// A peer that gets no answer repeats its call over gRPC.
  void answer(absl::StatusOr<Response> response) const {
    try {
      Response reply = toReply(std::move(response));
      served->connection->sendAnswer(frame.call, reply.header, reply.payload,
                                     std::move(reply.owner));
    } catch (const std::bad_alloc &) {
      served->connection->close();
    }
  }

  const std::shared_ptr<Served> served;
  const Frame frame;
  wire::Request request;
};

/// A trainer's connection and its thread, which notifies `atEnd`.
class ServedConnection {
public:
  ServedConnection(std::unique_ptr<ByteStream> stream, Service &service,
                   Wakeup &atEnd)
      : served(std::make_shared<Served>(std::move(stream))), atEnd(atEnd),
        thread([this, &service] {
          nameThread("ps-link");
          serve(service);
        }) {}
  ~ServedConnection() {
    served->connection->close();
    thread.join();
  }

  /// Lets answers leave until `deadline`.
  void closeWhenAnswered(Clock::TimePoint deadline) {
    served->open.waitForNone(deadline);
    served->connection->close(/*flush=*/true);
  }
  void waitForEnd(Clock::TimePoint deadline) {
    ended.waitFor(absl::FromChrono(deadline - Clock::steady().now()));
  }
  bool hasEnded() const { return ended.hasHappened(); }
  bool isTrusted() const { return served->connection->isTrusted(); }

private:
  void serve(Service &service) {
    served->connection->run(
        {.receive = [&](Frame frame) { receive(std::move(frame), service); },
         .closed =
             [this, &service](const absl::Status &) {
               if (caller)
                 service.callerLost(requestFrom(*caller));
               ended.notify();
               atEnd.notify();
             }});
  }

  void receive(Frame frame, Service &service) {
    std::shared_ptr<IncomingCall> call;
    try {
      call = std::make_shared<IncomingCall>(served, std::move(frame));
      const Piece header = call->frame.header;
      if (!call->request.ParseFromArray(header.data(),
                                        static_cast<int>(header.size())))
        return served->connection->close();
      caller = {call->request.trainer(), call->request.incarnation()};
      service.call(call->request, call->payload(),
                   [call](absl::StatusOr<Response> response) {
                     call->answer(std::move(response));
                   });
    } catch (const std::bad_alloc &) {
      if (!call)
        return served->connection->close();
      // The trainer fails with this, and ends the job for everybody.
      call->answer(absl::ResourceExhaustedError(absl::StrCat(
          "no memory for a call of trainer ", call->request.trainer())));
    }
  }

  const std::shared_ptr<Served> served;
  /// The thread's: of the last call.
  std::optional<Peer> caller;
  Event ended;
  Wakeup &atEnd;
  std::thread thread; // Last: uses the others.
};

class DirectServerImpl final : public DirectServer {
public:
  DirectServerImpl(Service &service, int callers, Log log)
      : service(service), callers(static_cast<size_t>(callers)),
        log(std::move(log)) {}
  ~DirectServerImpl() override;
  absl::Status listen(const std::string &endpoint, TransportChoice transport,
                      bool usesTls);

  void call(const wire::Request &request, Pieces payload,
            Respond done) override;
  void callerLost(const wire::Request &request) override {
    service.callerLost(request);
  }

private:
  void acceptAll();
  absl::Status serve(absl::StatusOr<std::unique_ptr<ByteStream>> stream);
  absl::Status acceptLocal();
  absl::Status acceptTcp();

  Service &service;
  const size_t callers;
  const Log log;
  /// Those that are offered have sockets.
  LocalListener local;
  TcpListener tcp;
  StreamToken token;
  /// Notified when the thread is to end, or to drop connections that have.
  Wakeup wakeup;
  std::atomic<bool> ending{false};
  /// Belongs to the thread while that runs.
  std::list<ServedConnection> connections;
  std::thread thread;
};
} // namespace

absl::Status DirectServerImpl::listen(const std::string &endpoint,
                                      TransportChoice transport, bool usesTls) {
  ASSIGN_OR_RETURN(const std::string secret, makeSecret(token.size()));
  std::memcpy(token.data(), secret.data(), token.size());
  std::string host;
  int port;
  if (!splitEndpoint(endpoint, host, port))
    return checkEndpoint(endpoint);
  if (transport == TransportChoice::Auto) {
    if (auto opened = LocalListener::open(); opened.ok())
      local = *std::move(opened);
    else
      logLine(log,
              absl::StrCat("no shared memory: ", opened.status().message()));
  }
  if (usesTls)
    logLine(log,
            "TLS: processes of other machines exchange all data over gRPC");
  else if (auto opened = TcpListener::open(host); opened.ok())
    tcp = *std::move(opened);
  else
    logLine(log, absl::StrCat("no TCP: ", opened.status().message()));
  ASSIGN_OR_RETURN(wakeup, Wakeup::open());
  try {
    thread = std::thread([this] { acceptAll(); });
  } catch (const std::system_error &) {
    return absl::ResourceExhaustedError("cannot start a thread");
  }
  return absl::OkStatus();
}

DirectServerImpl::~DirectServerImpl() {
  if (!thread.joinable())
    return;
  ending = true;
  wakeup.notify();
  thread.join();
  const Clock::TimePoint deadline =
      Clock::steady().now() + std::chrono::seconds(2);
  for (ServedConnection &one : connections)
    one.closeWhenAnswered(deadline);
  for (ServedConnection &one : connections)
    one.waitForEnd(deadline);
}

/// Those that are refused use gRPC.
void DirectServerImpl::acceptAll() {
  bool isLogged = false;
  while (true) {
    pollfd entries[] = {wakeup.entry(),
                        {local.socket.get(), POLLIN, 0},
                        {tcp.socket.get(), POLLIN, 0}};
    if (::poll(entries, 3, /*timeout=*/-1) < 0)
      continue; // Interrupted by a signal.
    if (ending)
      return;
    if (entries[0].revents != 0)
      wakeup.clear();
    connections.remove_if(
        [](const ServedConnection &one) { return one.hasEnded(); });
    absl::Status status;
    if (entries[1].revents != 0)
      status.Update(acceptLocal());
    if (entries[2].revents != 0)
      status.Update(acceptTcp());
    if (status.ok() || absl::IsUnavailable(status))
      continue;
    if (!std::exchange(isLogged, true))
      logLine(log,
              absl::StrCat("refused a direct connection: ", status.message()));
    // It may still be there, for want of a descriptor.
    if (absl::IsResourceExhausted(status))
      ::poll(entries, 1, /*timeout=*/100);
  }
}

absl::Status DirectServerImpl::acceptLocal() {
  ASSIGN_OR_RETURN(Descriptor socket, local.accept(token));
  return serve(offerSharedMemory(std::move(socket)));
}

absl::Status DirectServerImpl::acceptTcp() {
  ASSIGN_OR_RETURN(Descriptor socket, tcp.accept());
  return serve(acceptTcpStream(std::move(socket), token));
}

absl::Status
DirectServerImpl::serve(absl::StatusOr<std::unique_ptr<ByteStream>> stream) {
  RETURN_IF_ERROR(stream.status());
  // Anybody may connect to a port, so few may stay without a token: all callers
  // at once, and some others. A caller that comes again may find its old
  // connection.
  const size_t mostUntrusted = callers + 16, most = 2 * callers + mostUntrusted;
  const auto untrusted =
      std::ranges::count_if(connections, [](const ServedConnection &one) {
        return !one.isTrusted();
      });
  if (connections.size() >= most ||
      static_cast<size_t>(untrusted) >= mostUntrusted)
    return absl::PermissionDeniedError(
        absl::StrCat("there are ", connections.size(), " already, ", untrusted,
                     " of them without a token"));
  try {
    connections.emplace_back(*std::move(stream), service, wakeup);
  } catch (const std::system_error &) {
    return absl::ResourceExhaustedError("cannot start a thread");
  } catch (const std::bad_alloc &) {
    return absl::ResourceExhaustedError("no memory for a connection");
  }
  return absl::OkStatus();
}

bool ps::runtime::offersDirect(const wire::Request &request) {
  return request.has_hello() || request.has_join() ||
         traitsOf(request).isHeartbeat;
}

void DirectServerImpl::call(const wire::Request &request, Pieces payload,
                            Respond done) {
  if (!thread.joinable() || !offersDirect(request))
    return service.call(request, payload, std::move(done));
  wire::DirectOffer offer;
  offer.set_socket(local.name);
  offer.set_port(static_cast<uint32_t>(tcp.port));
  offer.set_token(token.data(), token.size());
  service.call(request, payload,
               [offer = std::move(offer), done = std::move(done)](
                   absl::StatusOr<Response> response) mutable {
                 if (response.ok())
                   *response->header.mutable_direct() = std::move(offer);
                 done(std::move(response));
               });
}

std::unique_ptr<DirectServer> DirectServer::start(Service &service,
                                                  const std::string &endpoint,
                                                  TransportChoice transport,
                                                  int callers, const Log &log,
                                                  const Security &security) {
  auto server = std::make_unique<DirectServerImpl>(service, callers, log);
  if (transport == TransportChoice::Grpc)
    return server;
  if (absl::Status status =
          server->listen(endpoint, transport, !security.certificates.isEmpty());
      !status.ok())
    logLine(log, absl::StrCat("only gRPC: ", status.message()));
  return server;
}
