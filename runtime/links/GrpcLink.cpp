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
/// One RPC. Ends when the answer is here and nothing refers to the payload any
/// more, whichever comes last.
class OutgoingCall {
public:
  /// `pass` is null where the job has no token.
  OutgoingCall(std::shared_ptr<RunningCalls> running,
               std::shared_ptr<GrpcPass> pass, Respond done)
      : running(std::move(running)), pass(std::move(pass)),
        done(std::move(done)) {}

  /// Deletes itself in the end.
  void start(grpc::GenericStub &stub, const wire::Request &request,
             Pieces payload, absl::Duration timeout);

private:
  void received(const grpc::Status &answer);
  void released();
  void end();
  void deliver();
  absl::Status failure() const;

  std::shared_ptr<RunningCalls> running;
  std::shared_ptr<GrpcPass> pass;
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
           bool pushesWait);
  ~GrpcLink() override { disconnect(); }

  void call(const wire::Request &request, Pieces payload,
            Respond done) override;
  void disconnect() override;

private:
  void start(const wire::Request &request, Pieces payload, Respond done);

  const absl::Duration callTimeout, barrierTimeout;
  const bool pushesWait;
  /// Heartbeats have a connection of their own: they do not queue behind
  /// payloads.
  grpc::GenericStub data, keepalive;
  const std::shared_ptr<RunningCalls> running =
      std::make_shared<RunningCalls>();
  /// Null where the job has no token.
  std::shared_ptr<GrpcPass> pass;
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

/// The payload is sent from the caller's memory, so the call counts references
/// to its pieces and ends when gRPC has dropped all of them.
void OutgoingCall::start(grpc::GenericStub &stub, const wire::Request &request,
                         Pieces payload, absl::Duration timeout) {
  context->set_deadline(deadlineAfter(timeout));
  pending += payload.size();
  requestBytes = encode(
      request, payload,
      [](void *self) { static_cast<OutgoingCall *>(self)->released(); }, this);
  if (pass)
    context->AddMetadata(passKey, pass->get());
  if (!running->add(*context))
    return received(
        grpc::Status(grpc::StatusCode::CANCELLED, "the connection is closed"));
  stub.UnaryCall(context.get(), callMethod, grpc::StubOptions(), &requestBytes,
                 &replyBytes,
                 [this](const grpc::Status &status) { received(status); });
}

/// On a thread of gRPC: the answer is here, or the RPC has failed.
void OutgoingCall::received(const grpc::Status &answer) {
  running->remove(*context);
  status = answer;
  // A call that ends before it is sent keeps its message until it is destroyed,
  // and the context keeps the call: with either in hand, waiting for the
  // payload would last for ever. The context also holds the channel, which must
  // not be destroyed on one of gRPC's threads, because the last channel of the
  // process takes the threads with it: the link keeps it until the answer.
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
  if (!pass || !absl::IsUnauthenticated(error) || isNotAPServer(error))
    return error;
  pass->forget();
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

GrpcLink::GrpcLink(const std::string &endpoint, absl::Duration callTimeout,
                   absl::Duration barrierTimeout, const Security &security,
                   bool pushesWait)
    : callTimeout(callTimeout), barrierTimeout(barrierTimeout),
      pushesWait(pushesWait),
      data(makeChannel(endpoint, callTimeout, security.certificates)),
      keepalive(makeChannel(endpoint, callTimeout, security.certificates)) {
  if (!security.token.empty())
    pass = std::make_shared<GrpcPass>(security.token, running, callTimeout);
}

void GrpcLink::call(const wire::Request &request, Pieces payload,
                    Respond done) {
  if (!pass || !pass->get().empty())
    return start(request, payload, std::move(done));
  pass->request(data, [this, request, payload, done = std::move(done)](
                          const absl::StatusOr<std::string> &given) mutable {
    if (!given.ok())
      return done(given.status());
    start(request, payload, std::move(done));
  });
}

/// Calls that wait, for other trainers or the rest of a push, have a longer
/// deadline; the pserver reports timeouts of trainers first. A numbered
/// heartbeat has none: it stays with the pserver until the next one, and ends
/// with its connection only.
void GrpcLink::start(const wire::Request &request, Pieces payload,
                     Respond done) {
  const CallTraits traits = traitsOf(request);
  auto *call = new OutgoingCall(running, pass, std::move(done));
  const bool stays = request.heartbeat().number() != 0;
  call->start(traits.isHeartbeat ? keepalive : data, request, payload,
              stays                            ? absl::InfiniteDuration()
              : traits.mayTakeLong(pushesWait) ? barrierTimeout
                                               : callTimeout);
}

/// Cancels what is under way; later calls fail at once.
void GrpcLink::disconnect() { running->cancelAll(); }

std::unique_ptr<Link> ps::runtime::makeGrpcLink(const std::string &endpoint,
                                                absl::Duration callTimeout,
                                                absl::Duration barrierTimeout,
                                                const Security &security,
                                                bool pushesWait) {
  return std::make_unique<GrpcLink>(endpoint, callTimeout, barrierTimeout,
                                    security, pushesWait);
}
