// SPDX-License-Identifier: Apache-2.0
//===- GrpcLink.cpp - the trainer's end of gRPC ---------------------------===//
//
// A call is a unary RPC of one generic method. gRPC's own retries are off:
// pushes must not be repeated without their numbers being known, so the client
// session repeats calls itself. Errors of gRPC are divided into those that
// another attempt may not have (link failures) and those that show that the
// peer is not a pserver.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/base/Timer.h"
#include "runtime/links/Grpc.h"
#include "runtime/links/GrpcChannel.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>
#include <atomic>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <new>
#include <set>

using namespace ps::runtime;

namespace {
/// The RPCs under way on a link; outlives it through them.
struct Outgoing {
  Mutex mutex;
  bool disconnected ABSL_GUARDED_BY(mutex) = false;
  std::set<grpc::ClientContext *> contexts ABSL_GUARDED_BY(mutex);
};

/// One RPC. Ends when the answer is here and nothing refers to the payload any
/// more, whichever comes last.
class OutgoingCall {
public:
  OutgoingCall(std::shared_ptr<Outgoing> outgoing, Respond done)
      : outgoing(std::move(outgoing)), done(std::move(done)) {}

  /// Deletes itself in the end.
  void start(grpc::GenericStub &stub, const wire::Request &request,
             Pieces payload, absl::Duration timeout);

private:
  void received(const grpc::Status &answer);
  void released();
  void end();
  void deliver();
  absl::Status transportError() const;

  std::shared_ptr<Outgoing> outgoing;
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
           absl::Duration barrierTimeout);
  ~GrpcLink() override { disconnect(); }

  void call(const wire::Request &request, Pieces payload,
            Respond done) override;
  void disconnect() override;

private:
  const absl::Duration callTimeout, barrierTimeout;
  /// Heartbeats have a connection of their own: they do not queue behind
  /// payloads.
  grpc::GenericStub data, keepalive;
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
  // gRPC makes its keepalive timeout the socket's TCP_USER_TIMEOUT, too:
  // without it, the payload of a push to a process that was stopped would be
  // held until that process continues. The heartbeats are the client's own.
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, toMilliseconds(absl::Hours(24)));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, toMilliseconds(silence));
  return grpc::CreateCustomChannel(endpoint, grpc::InsecureChannelCredentials(),
                                   args);
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
  bool disconnected;
  {
    MutexLock lock(outgoing->mutex);
    disconnected = outgoing->disconnected;
    if (!disconnected)
      outgoing->contexts.insert(context.get());
  }
  if (disconnected)
    return received(
        grpc::Status(grpc::StatusCode::CANCELLED, "the connection is closed"));
  stub.UnaryCall(context.get(), callMethod, grpc::StubOptions(), &requestBytes,
                 &replyBytes,
                 [this](const grpc::Status &status) { received(status); });
}

/// On a thread of gRPC: the answer is here, or the RPC has failed.
void OutgoingCall::received(const grpc::Status &answer) {
  {
    MutexLock lock(outgoing->mutex);
    outgoing->contexts.erase(context.get());
  }
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

/// A pserver always answers with gRPC's OK, so any other code is the
/// connection's or another server's.
absl::Status OutgoingCall::transportError() const {
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  const std::string account = printable(status.error_message());
  if (isFromAnotherServer(account))
    return notAPServerError(absl::Status(code, "it does not speak HTTP/2"));
  if (isTransient(status.error_code()))
    return linkFailure(code, account);
  if (code == absl::StatusCode::kResourceExhausted &&
      account == noMemoryForAnswer)
    return absl::Status(code, account);
  return notAPServerError(absl::Status(code, account));
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
    done(transportError());
  delete this;
}

GrpcLink::GrpcLink(const std::string &endpoint, absl::Duration callTimeout,
                   absl::Duration barrierTimeout)
    : callTimeout(callTimeout), barrierTimeout(barrierTimeout),
      data(makeChannel(endpoint, callTimeout)),
      keepalive(makeChannel(endpoint, callTimeout)) {}

/// Calls that wait for other trainers have a longer deadline; the pserver
/// reports their timeouts first. A numbered heartbeat has none: it stays with
/// the pserver until the next one, and ends with its connection only.
void GrpcLink::call(const wire::Request &request, Pieces payload,
                    Respond done) {
  const CallTraits traits = traitsOf(request);
  auto *call = new OutgoingCall(outgoing, std::move(done));
  const bool stays = request.heartbeat().number() != 0;
  call->start(traits.isHeartbeat ? keepalive : data, request, payload,
              stays                     ? absl::InfiniteDuration()
              : traits.waitsForTrainers ? barrierTimeout
                                        : callTimeout);
}

/// Cancels what is under way; later calls fail at once.
void GrpcLink::disconnect() {
  MutexLock lock(outgoing->mutex);
  outgoing->disconnected = true;
  for (grpc::ClientContext *context : outgoing->contexts)
    context->TryCancel();
}

std::unique_ptr<Link> ps::runtime::makeGrpcLink(const std::string &endpoint,
                                                absl::Duration callTimeout,
                                                absl::Duration barrierTimeout) {
  return std::make_unique<GrpcLink>(endpoint, callTimeout, barrierTimeout);
}
