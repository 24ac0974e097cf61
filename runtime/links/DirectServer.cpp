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
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include "runtime/links/Direct.h"
#include "runtime/links/FrameConnection.h"
#include "runtime/links/SharedMemory.h"
#include "runtime/links/Sockets.h"
#include "runtime/links/TcpStream.h"
#include "runtime/protocol/Endpoint.h"
#include "runtime/protocol/Wire.h"
#include <cstring>
#include <list>
#include <new>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>

using namespace ps::runtime;

namespace {
/// A call that has arrived; lives until it is answered.
struct IncomingCall {
  Frame frame;
  wire::Request request;
  std::shared_ptr<FrameConnection> connection;

  /// What the service gets a span of.
  Pieces payload() const {
    return {&frame.payload, frame.payload.empty() ? size_t(0) : size_t(1)};
  }
  void answer(absl::StatusOr<Response> response) const {
    Response reply = toReply(std::move(response));
    connection->send(frame.call, reply.header, reply.payload,
                     std::move(reply.owner));
  }
};

/// A trainer's connection and its thread.
class ServedConnection {
public:
  ServedConnection(std::unique_ptr<ByteStream> stream, Service &service)
      : connection(std::make_shared<FrameConnection>(std::move(stream))),
        thread([this, &service] { serve(service); }) {}
  ~ServedConnection() {
    connection->close(/*flush=*/true);
    if (!ended.waitFor(absl::Seconds(2)))
      connection->close();
    thread.join();
  }

  bool hasEnded() const { return ended.hasHappened(); }

private:
  void serve(Service &service) {
    connection->run(
        {.receive = [&](Frame frame) { receive(std::move(frame), service); },
         .closed = [this](const absl::Status &) { ended.notify(); }});
  }

  void receive(Frame frame, Service &service) {
    auto call = std::make_shared<IncomingCall>();
    call->frame = std::move(frame);
    call->connection = connection;
    const Piece header = call->frame.header;
    if (!call->request.ParseFromArray(header.data(),
                                      static_cast<int>(header.size())))
      return connection->close();
    try {
      service.call(call->request, call->payload(),
                   [call](absl::StatusOr<Response> response) {
                     call->answer(std::move(response));
                   });
    } catch (const std::bad_alloc &) {
      // The trainer fails with this, and ends the job for everybody.
      call->answer(absl::ResourceExhaustedError(absl::StrCat(
          "no memory for a call of trainer ", call->request.trainer())));
    }
  }

  const std::shared_ptr<FrameConnection> connection;
  Event ended;
  std::thread thread; // Last: uses the others.
};

class DirectServerImpl final : public DirectServer {
public:
  DirectServerImpl(Service &service, Log log)
      : service(service), log(std::move(log)) {}
  ~DirectServerImpl() override;
  absl::Status listen(const std::string &endpoint, TransportChoice transport);

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
  const Log log;
  /// Those that are offered have sockets.
  LocalListener local;
  TcpListener tcp;
  StreamToken token;
  /// Readable when the thread is to end.
  Descriptor end;
  /// Belongs to the thread while that runs.
  std::list<ServedConnection> connections;
  std::thread thread;
};
} // namespace

absl::Status DirectServerImpl::listen(const std::string &endpoint,
                                      TransportChoice transport) {
  const uint64_t bits[] = {randomBits(), randomBits()};
  static_assert(sizeof bits == sizeof token);
  std::memcpy(token.data(), bits, sizeof bits);
  std::string host;
  int port;
  if (!splitEndpoint(endpoint, host, port))
    return checkEndpoint(endpoint);
  if (transport == TransportChoice::Auto) {
    ASSIGN_OR_RETURN(local, LocalListener::open());
  }
  ASSIGN_OR_RETURN(tcp, TcpListener::open(host));
  end = Descriptor(::eventfd(0, EFD_CLOEXEC));
  if (!end)
    return absl::ResourceExhaustedError("cannot make an event");
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
  const uint64_t one = 1;
  (void)!::write(end.get(), &one, sizeof one);
  thread.join();
}

/// Those that are refused use gRPC.
void DirectServerImpl::acceptAll() {
  while (true) {
    pollfd entries[] = {{end.get(), POLLIN, 0},
                        {local.socket.get(), POLLIN, 0},
                        {tcp.socket.get(), POLLIN, 0}};
    if (::poll(entries, 3, -1) < 0)
      continue; // Interrupted by a signal.
    if (entries[0].revents != 0)
      return;
    connections.remove_if(
        [](const ServedConnection &one) { return one.hasEnded(); });
    absl::Status status;
    if (entries[1].revents != 0)
      status.Update(acceptLocal());
    if (entries[2].revents != 0)
      status.Update(acceptTcp());
    if (status.ok() || absl::IsUnavailable(status))
      continue;
    logLine(log,
            absl::StrCat("refused a direct connection: ", status.message()));
    // It may still be there, for want of a descriptor.
    ::poll(entries, 1, /*timeout=*/100);
  }
}

absl::Status DirectServerImpl::acceptLocal() {
  ASSIGN_OR_RETURN(Descriptor socket, local.accept());
  return serve(offerSharedMemory(std::move(socket)));
}

absl::Status DirectServerImpl::acceptTcp() {
  ASSIGN_OR_RETURN(Descriptor socket, tcp.accept());
  return serve(acceptTcpStream(std::move(socket), token));
}

absl::Status
DirectServerImpl::serve(absl::StatusOr<std::unique_ptr<ByteStream>> stream) {
  RETURN_IF_ERROR(stream.status());
  constexpr size_t most = 1024;
  if (connections.size() >= most)
    return absl::ResourceExhaustedError(
        absl::StrCat("there are ", most, " already"));
  try {
    connections.emplace_back(*std::move(stream), service);
  } catch (const std::system_error &) {
    return absl::ResourceExhaustedError("cannot start a thread");
  }
  return absl::OkStatus();
}

void DirectServerImpl::call(const wire::Request &request, Pieces payload,
                            Respond done) {
  if (!thread.joinable() || !(request.has_hello() || request.has_join()))
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
                                                  const Log &log) {
  auto server = std::make_unique<DirectServerImpl>(service, log);
  if (transport == TransportChoice::Grpc)
    return server;
  if (absl::Status status = server->listen(endpoint, transport); !status.ok())
    logLine(log, absl::StrCat("only gRPC: ", status.message()));
  return server;
}
