// SPDX-License-Identifier: Apache-2.0
//===- GrpcLink.cpp - the trainer's end of gRPC ---------------------------===//
//
// A call is a unary RPC of one generic method. gRPC's own retries are off:
// pushes must not be repeated without their numbers being known, so the client
// session repeats calls itself. Where the job has a token, the first call waits
// until both ends have proved it, and all carry the pass that the server has
// handed out.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Status.h"
#include "runtime/base/Timer.h"
#include "runtime/links/Grpc.h"
#include "runtime/links/GrpcChannel.h"
#include "runtime/links/GrpcPass.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>
#include <atomic>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <new>

using namespace ps::runtime;

namespace {
/// What a link and its calls share; calls may outlive their link.
struct Connection {
  Connection(const std::string &endpoint, absl::Duration callTimeout,
             const Security &security);
  ~Connection();

  /// Heartbeats have a connection of their own: they do not queue behind
  /// payloads.
  grpc::GenericStub data, keepalive;
  RunningCalls running;
  /// Null where the job has no token.
  std::unique_ptr<GrpcPass> pass;
};

/// One RPC. Ends when the answer is here and nothing refers to the payload any
/// more, whichever comes last.
class OutgoingCall {
public:
  OutgoingCall(std::shared_ptr<Connection> connection, Respond done)
      : connection(std::move(connection)), done(std::move(done)) {}

  /// Deletes itself in the end.
  void start(const wire::Request &request, Pieces payload,
             absl::Duration timeout);

private:
  void received(const grpc::Status &answer);
  void released();
  void end();
  void deliver();
  absl::Status failure() const;

  const std::shared_ptr<Connection> connection;
  Respond done;
  std::unique_ptr<grpc::ClientContext> context =
      std::make_unique<grpc::ClientContext>();
  grpc::ByteBuffer requestBytes, replyBytes;
  grpc::Status status;
  /// The RPC and the pieces of the payload.
  std::atomic<size_t> pending{1};
};

class GrpcLink final : public Link {
public:
  GrpcLink(const std::string &endpoint, absl::Duration callTimeout,
           absl::Duration barrierTimeout, const Security &security,
           bool pushesWait)
      : callTimeout(callTimeout), barrierTimeout(barrierTimeout),
        pushesWait(pushesWait), connection(std::make_shared<Connection>(
                                    endpoint, callTimeout, security)) {}
  ~GrpcLink() override { disconnect(); }

  void call(const wire::Request &request, Pieces payload,
            Respond done) override;
  void disconnect() override;

private:
  const absl::Duration callTimeout, barrierTimeout;
  const bool pushesWait;
  const std::shared_ptr<Connection> connection;
};
} // namespace

static int toMilliseconds(absl::Duration duration) {
  return static_cast<int>(absl::ToInt64Milliseconds(
      std::clamp(duration, absl::Milliseconds(1), absl::Hours(24))));
}

/// A connection whose peer takes no bytes for `silence` is closed.
static std::shared_ptr<grpc::Channel>
makeChannel(const std::string &endpoint, absl::Duration silence,
            const Certificates &certificates) {
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
  // gRPC makes its keepalive timeout the socket's TCP_USER_TIMEOUT, too:
  // without it, the payload of a push to a process that was stopped would be
  // held until that process continues. The heartbeats are the client's own.
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, toMilliseconds(absl::Hours(24)));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, toMilliseconds(silence));
  return grpc::CreateCustomChannel(endpoint,
                                   makeChannelCredentials(certificates), args);
}

Connection::Connection(const std::string &endpoint, absl::Duration callTimeout,
                       const Security &security)
    : data(makeChannel(endpoint, callTimeout, security.certificates)),
      keepalive(makeChannel(endpoint, callTimeout, security.certificates)) {
  if (!security.token.empty())
    pass = std::make_unique<GrpcPass>(security.token, running, callTimeout);
}

/// The process's last channel ends gRPC's threads and waits for them, so none
/// of them may destroy it.
Connection::~Connection() {
  if (onGrpcThread)
    Timer::shared().after(
        {}, [data = std::move(data), keepalive = std::move(keepalive)] {});
}

/// The payload is sent from the caller's memory, so the call counts references
/// to its pieces and ends when gRPC has dropped all of them.
void OutgoingCall::start(const wire::Request &request, Pieces payload,
                         absl::Duration timeout) {
  context->set_deadline(deadlineAfter(timeout));
  pending += payload.size();
  requestBytes = encode(
      request, payload,
      [](void *self) { static_cast<OutgoingCall *>(self)->released(); }, this);
  if (connection->pass)
    context->AddMetadata(passKey, connection->pass->get());
  if (!connection->running.add(*context))
    return received(
        grpc::Status(grpc::StatusCode::CANCELLED, "the connection is closed"));
  grpc::GenericStub &stub =
      traitsOf(request).isHeartbeat ? connection->keepalive : connection->data;
  stub.UnaryCall(context.get(), callMethod, grpc::StubOptions(), &requestBytes,
                 &replyBytes, [this](const grpc::Status &status) {
                   onGrpcThread = true;
                   received(status);
                 });
}

/// The answer is here, or the RPC has failed.
void OutgoingCall::received(const grpc::Status &answer) {
  connection->running.remove(*context);
  status = answer;
  // A call that ends before it is sent keeps its message until it is destroyed,
  // and the context keeps the call: with either in hand, waiting for the
  // payload would last for ever. The context also holds the channel: it goes
  // before the connection does.
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

/// Where a pass is refused, another process has taken the server's place: the
/// next attempt proves the token to that one.
absl::Status OutgoingCall::failure() const {
  absl::Status error = transportError(status);
  if (!connection->pass || !absl::IsUnauthenticated(error) ||
      isNotAPServer(error))
    return error;
  connection->pass->forget();
  return linkFailure(absl::StatusCode::kUnavailable,
                     "the pserver was restarted");
}

/// Decodes the answer and hands it over, with its payload where it lies.
void OutgoingCall::deliver() {
  Response response;
  Message message;
  try {
    if (absl::Status decoded = message.decode(replyBytes, response.header);
        !decoded.ok())
      return done(notAPServerError(std::move(decoded)));
  } catch (const std::bad_alloc &) {
    return done(notAPServerError(
        absl::ResourceExhaustedError("no memory for the answer")));
  }
  response.payload = message.takePayload();
  done(fromReply(std::move(response)));
}

void OutgoingCall::end() {
  if (status.ok())
    deliver();
  else
    done(failure());
  delete this;
}

void GrpcLink::call(const wire::Request &request, Pieces payload,
                    Respond done) {
  const CallTraits traits = traitsOf(request);
  // A numbered heartbeat stays with the pserver until the next one, and ends
  // with its connection only. Calls that wait, for other trainers or the rest
  // of a push, have a longer deadline; the pserver reports timeouts of trainers
  // first.
  const absl::Duration timeout =
      request.heartbeat().number() != 0 ? absl::InfiniteDuration()
      : traits.mayTakeLong(pushesWait)  ? barrierTimeout
                                        : callTimeout;
  if (!connection->pass || !connection->pass->get().empty())
    return (new OutgoingCall(connection, std::move(done)))
        ->start(request, payload, timeout);
  connection->pass->request(
      connection->data, [connection = connection, request, payload, timeout,
                         done = std::move(done)](
                            const absl::StatusOr<std::string> &given) mutable {
        if (!given.ok())
          return done(given.status());
        (new OutgoingCall(std::move(connection), std::move(done)))
            ->start(request, payload, timeout);
      });
}

/// Cancels what is under way; later calls fail at once.
void GrpcLink::disconnect() { connection->running.cancelAll(); }

std::unique_ptr<Link> ps::runtime::makeGrpcLink(const std::string &endpoint,
                                                absl::Duration callTimeout,
                                                absl::Duration barrierTimeout,
                                                const Security &security,
                                                bool pushesWait) {
  return std::make_unique<GrpcLink>(endpoint, callTimeout, barrierTimeout,
                                    security, pushesWait);
}
