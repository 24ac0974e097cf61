// SPDX-License-Identifier: Apache-2.0
//===- GrpcServer.cpp - the pserver's end of gRPC -------------------------===//
//
// Every call is one unary RPC of the same generic method; the header says
// which. The server answers with gRPC's OK and its own status in the header, so
// a failure of gRPC is one of the connection. Calls that GrpcGate refuses never
// become an IncomingCall: their message is not read.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/base/Threads.h"
#include "runtime/links/Grpc.h"
#include "runtime/links/GrpcChannel.h"
#include "runtime/links/GrpcGate.h"
#include "runtime/protocol/Endpoint.h"
#include "runtime/protocol/Wire.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/resource_quota.h>
#include <netdb.h>
#include <new>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;

namespace {
/// Keeps what a payload points at until gRPC has released every piece.
struct PayloadOwner {
  std::shared_ptr<const void> owner;
  std::atomic<size_t> refs;

  static void unref(void *self) {
    auto *payload = static_cast<PayloadOwner *>(self);
    if (--payload->refs == 0)
      delete payload;
  }
};

/// A payload without an owner outlasts the call: the trainer pushes again after
/// this answer only.
grpc::ByteBuffer encodeReply(absl::StatusOr<Response> response) {
  Response reply = toReply(std::move(response));
  if (!reply.owner || reply.payload.empty())
    return encode(reply.header, reply.payload);
  auto *owner = new PayloadOwner{std::move(reply.owner), reply.payload.size()};
  return encode(reply.header, reply.payload, PayloadOwner::unref, owner);
}

/// One RPC. Referenced by gRPC until OnDone and by the service until it
/// answers; the last one to drop its reference deletes it.
class IncomingCall final : public grpc::ServerGenericBidiReactor {
public:
  explicit IncomingCall(Service &service) : service(service) {
    StartRead(&requestBytes);
  }

  // The reference `self` keeps the message until the service returns, even if
  // the answer is sent before.
  void OnReadDone(bool ok) override {
    if (!ok)
      return close(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT,
                                "expected one message"));
    if (absl::Status status = message.decode(requestBytes, request);
        !status.ok())
      return reply(status);
    const Ref self = ref();
    try {
      service.call(request, message.payload(),
                   [call = ref()](absl::StatusOr<Response> response) {
                     call->reply(std::move(response));
                   });
    } catch (const std::bad_alloc &) {
      // The trainer fails with this, and ends the job for everybody.
      reply(absl::ResourceExhaustedError(
          absl::StrCat("no memory for a call of trainer ", request.trainer())));
    }
    note(Called);
  }
  /// The trainer has gone, or the server closes: the answer is not wanted.
  void OnCancel() override {
    note(Cancelled);
    close(grpc::Status(grpc::StatusCode::CANCELLED, "cancelled"));
  }
  void OnDone() override { unref(); }

private:
  /// The service's reference to the call: is dropped with the callback that
  /// holds it, whether that was called or not.
  struct Unref {
    void operator()(IncomingCall *call) const { call->unref(); }
  };
  using Ref = std::unique_ptr<IncomingCall, Unref>;
  Ref ref() {
    ++refs;
    return Ref(this);
  }

  /// What has happened to the call, in either order.
  enum Event { Called = 1, Cancelled = 2 };
  /// The service hears of the end of a call that it knows.
  void note(Event event) {
    if ((events.fetch_or(event) | event) == (Called | Cancelled))
      service.callerLost(request);
  }

  /// The first reply counts.
  void reply(absl::StatusOr<Response> response) {
    if (answered.exchange(true))
      return;
    try {
      replyBytes = encodeReply(std::move(response));
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

  void unref() {
    if (--refs == 0)
      delete this;
  }

  Service &service;
  std::atomic<int> refs{1};
  std::atomic<bool> answered{false};
  std::atomic<int> events{0};
  grpc::ByteBuffer requestBytes, replyBytes;
  wire::Request request;
  Message message;
};

class GenericService final : public grpc::CallbackGenericService {
public:
  GenericService(Service &service, std::unique_ptr<GrpcGate> gate)
      : service(service), gate(std::move(gate)) {}
  grpc::ServerGenericBidiReactor *
  CreateReactor(grpc::GenericCallbackServerContext *context) override {
    if (auto *answer = gate->check(*context))
      return answer;
    return new IncomingCall(service);
  }

private:
  Service &service;
  const std::unique_ptr<GrpcGate> gate;
};

class GrpcServerImpl final : public GrpcServer {
public:
  GrpcServerImpl(Service &service, std::unique_ptr<GrpcGate> gate)
      : handler(service, std::move(gate)) {}
  ~GrpcServerImpl() override {
    if (!server)
      return;
    server->Shutdown(deadlineAfter(absl::Seconds(2)));
    server->Wait();
  }
  // Fails with the system's reason, such as that the port is in use.
  absl::Status listen(const std::string &address, const Security &security,
                      int callers, size_t heldPerCaller);

  int port() const override { return portNumber; }
  const std::string &endpoint() const override { return name; }

private:
  GenericService handler;
  std::unique_ptr<grpc::Server> server;
  int portNumber = 0;
  std::string name;
};
} // namespace

/// The system's error for listening on `host`:`port`, asked after gRPC has
/// failed to, because gRPC does not report it.
static absl::Status diagnoseBindFailure(std::string host, int port) {
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

/// Bounds what callers can make the server hold. A trainer has some 64 MiB of
/// messages and some 200 calls under way; what exceeds the quota fails. What
/// the service holds of a caller may be there twice: a call that is sent again,
/// as its connection has ended, waits with its message beside the first.
static void limit(grpc::ServerBuilder &builder, int callers,
                  size_t heldPerCaller) {
  constexpr size_t mebibyte = size_t(1) << 20;
  builder.SetResourceQuota(grpc::ResourceQuota("ps-mlir").Resize(
      256 * mebibyte +
      static_cast<size_t>(callers) * (128 * mebibyte + 2 * heldPerCaller)));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1024);
  // For a connection that does not speak HTTP/2, nor TLS.
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10'000);
}

absl::Status GrpcServerImpl::listen(const std::string &address,
                                    const Security &security, int callers,
                                    size_t heldPerCaller) {
  std::string host;
  int wanted = 0;
  if (!splitEndpoint(address, host, wanted))
    return checkEndpoint(address);
  // What gRPC starts by itself, and the answers to the first calls.
  RETURN_IF_ERROR(annotate(
      checkThreads(static_cast<int>(std::thread::hardware_concurrency()) + 8),
      "cannot serve on ", address));
  grpc::ServerBuilder builder;
  // Two servers on one port would share its connections silently.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.SetMaxReceiveMessageSize(maxMessageBytes);
  builder.SetMaxSendMessageSize(maxMessageBytes);
  limit(builder, callers, heldPerCaller);
  builder.AddListeningPort(
      address, makeServerCredentials(security.certificates), &portNumber);
  builder.RegisterCallbackGenericService(&handler);
  server = builder.BuildAndStart();
  if (!server || portNumber == 0) {
    absl::Status why = diagnoseBindFailure(host, wanted);
    return annotate(why, "cannot listen on ", address);
  }
  name = absl::StrCat(host, ":", portNumber);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<GrpcServer>>
GrpcServer::start(const std::string &endpoint, Service &service, const Log &log,
                  const Security &security, int callers, size_t heldPerCaller) {
  quietGrpc();
  ASSIGN_OR_RETURN(std::unique_ptr<GrpcGate> gate,
                   GrpcGate::create(security, log));
  auto server = std::make_unique<GrpcServerImpl>(service, std::move(gate));
  RETURN_IF_ERROR(server->listen(endpoint, security, callers, heldPerCaller));
  logLine(log, absl::StrCat("Server listening on ", server->endpoint(),
                            " selected port: ", server->port()));
  return server;
}
