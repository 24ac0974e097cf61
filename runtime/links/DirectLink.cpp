// SPDX-License-Identifier: Apache-2.0
//===- DirectLink.cpp - the trainer's end of a direct connection ----------===//
//
// The answers to the first call and to heartbeats name a local socket and a
// port. Whoever can connect to the socket is on the pserver's host, so nothing
// is compared: a process elsewhere, or in a container with a network of its
// own, finds no such socket and tries the port. When the connection is lost its
// calls fail as those of any link do; the session repeats them, and they take
// gRPC until the next answer to a heartbeat, which may come from a process that
// has taken the place of the lost one.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/base/Threads.h"
#include "runtime/links/Direct.h"
#include "runtime/links/FrameConnection.h"
#include "runtime/links/SharedMemory.h"
#include "runtime/links/Sockets.h"
#include "runtime/links/TcpStream.h"
#include "runtime/protocol/Endpoint.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <system_error>

using namespace ps::runtime;

namespace {
/// The direct connection of a link, and its calls. Outlives the link through
/// the call that introduces it.
class DirectCalls : public std::enable_shared_from_this<DirectCalls> {
public:
  explicit DirectCalls(LinkOptions options) : options(std::move(options)) {}

  /// Connects on a thread of its own where there is no connection yet, or it
  /// was lost, and then passes on `response`, whether that succeeded or not.
  void connect(absl::StatusOr<Response> response, Respond done);
  /// Whether there is a connection that takes the call.
  bool call(const wire::Request &request, Pieces payload, Respond &done);
  void disconnect();
  /// Waits for the thread. Not on that thread.
  void join();

private:
  void run(Response response, Respond done);
  absl::StatusOr<std::unique_ptr<ByteStream>>
  open(const wire::DirectOffer &offer) const;
  void receive(Frame frame, FrameConnection &connection);
  void checkDeadlines(FrameConnection &connection);
  void close(const absl::Status &reason);

  struct Call {
    Respond done;
    Clock::TimePoint deadline;
  };

  const LinkOptions options;
  const Clock &clock = Clock::steady();
  /// The thread's; whether a connection has brought no answer in time.
  Clock::TimePoint nextCheck = {};
  bool hasStalled = false;
  Mutex mutex; // Taken after a FrameConnection's.
  bool disconnected ABSL_GUARDED_BY(mutex) = false;
  std::shared_ptr<FrameConnection> connection ABSL_GUARDED_BY(mutex);
  std::map<uint64_t, Call> calls ABSL_GUARDED_BY(mutex);
  /// Whether connect() is to try: after an attempt that has failed it is not.
  bool isWanted ABSL_GUARDED_BY(mutex) = true;
  /// That of the last attempt, started under the lock once the one before has
  /// nothing left to do.
  std::thread thread;
};

class DirectLink final : public Link {
public:
  DirectLink(std::unique_ptr<Link> grpcLink, LinkOptions options)
      : grpcLink(std::move(grpcLink)),
        direct(std::make_shared<DirectCalls>(std::move(options))) {}
  ~DirectLink() override {
    disconnect();
    direct->join();
  }

  void call(const wire::Request &request, Pieces payload,
            Respond done) override {
    // Heartbeats show whether the process is alive and its network works, and
    // end when the connection does.
    if (offersDirect(request))
      return grpcLink->call(request, payload,
                            [direct = direct, done = std::move(done)](
                                absl::StatusOr<Response> response) mutable {
                              direct->connect(std::move(response),
                                              std::move(done));
                            });
    if (!direct->call(request, payload, done))
      grpcLink->call(request, payload, std::move(done));
  }

  void disconnect() override {
    grpcLink->disconnect();
    direct->disconnect();
  }

private:
  const std::unique_ptr<Link> grpcLink;
  const std::shared_ptr<DirectCalls> direct;
};
} // namespace

void DirectCalls::connect(absl::StatusOr<Response> response, Respond done) {
  if (!response.ok() || !response->header.has_direct())
    return done(std::move(response));
  auto answer = std::make_shared<std::pair<Response, Respond>>(
      *std::move(response), std::move(done));
  try {
    MutexLock lock(mutex);
    if (!disconnected && std::exchange(isWanted, false)) {
      if (thread.joinable())
        thread.join();
      thread = std::thread([self = shared_from_this(), answer] {
        nameThread("ps-link");
        self->run(std::move(answer->first), std::move(answer->second));
      });
      return;
    }
  } catch (const std::system_error &) {
    // Without a thread there is gRPC.
  }
  answer->second(std::move(answer->first));
}

absl::StatusOr<std::unique_ptr<ByteStream>>
DirectCalls::open(const wire::DirectOffer &offer) const {
  absl::Status reason = absl::UnavailableError("it offers nothing else");
  StreamToken token;
  if (offer.token().size() != token.size())
    return reason;
  std::memcpy(token.data(), offer.token().data(), token.size());
  if (!offer.socket().empty() && options.transport != TransportChoice::Tcp) {
    auto stream = [&]() -> absl::StatusOr<std::unique_ptr<ByteStream>> {
      ASSIGN_OR_RETURN(Descriptor socket, connectLocal(offer.socket(), token));
      return attachSharedMemory(std::move(socket));
    }();
    if (stream.ok())
      return stream;
    reason = stream.status();
  }
  std::string host;
  int grpcPort;
  if (offer.port() == 0 || offer.port() > 65535 ||
      !splitEndpoint(options.endpoint, host, grpcPort))
    return reason;
  // The handshake waits for it, and the pserver for the next call.
  const absl::Duration limit =
      std::min(absl::Seconds(1), options.callTimeout / 8);
  ASSIGN_OR_RETURN(Descriptor socket,
                   connectTcp(host, static_cast<int>(offer.port()), limit));
  return openTcpStream(std::move(socket), token, limit);
}

void DirectCalls::run(Response response, Respond done) {
  absl::StatusOr<std::unique_ptr<ByteStream>> stream =
      open(response.header.direct());
  if (!stream.ok()) {
    logLine(options.log,
            absl::StrCat(options.endpoint, ": gRPC (",
                         printable(stream.status().message()), ")"));
    return done(std::move(response));
  }
  const std::string kind = (*stream)->kind();
  auto own = std::make_shared<FrameConnection>(*std::move(stream));
  bool isLate;
  {
    MutexLock lock(mutex);
    isLate = disconnected;
    if (!isLate)
      connection = own;
  }
  if (isLate)
    own->close();
  else
    logLine(options.log, absl::StrCat(options.endpoint, ": ", kind));
  done(std::move(response));
  // What an answer brings is copied, or checked after it is, in the callback of
  // its call.
  own->run({.receive = [&](Frame frame) { receive(std::move(frame), *own); },
            .inPlace = true,
            .tick = [&] { checkDeadlines(*own); },
            .closed = [this](const absl::Status &reason) { close(reason); }});
}

bool DirectCalls::call(const wire::Request &request, Pieces payload,
                       Respond &done) {
  std::shared_ptr<FrameConnection> to;
  {
    MutexLock lock(mutex);
    to = connection;
  }
  if (!to)
    return false;
  const CallTraits traits = traitsOf(request);
  const Clock::TimePoint deadline =
      clock.now() + clockDuration(traits.mayTakeLong(options.pushesWait)
                                      ? options.barrierTimeout
                                      : options.callTimeout);
  return to->sendCall(request, payload, !traits.isUrgent, [&](uint64_t id) {
    MutexLock lock(mutex);
    calls.emplace(id, Call{std::move(done), deadline});
  });
}

void DirectCalls::receive(Frame frame, FrameConnection &connection) {
  Response reply;
  try {
    if (!reply.header.ParseFromArray(frame.header.data(),
                                     static_cast<int>(frame.header.size())))
      return connection.close();
    if (!frame.payload.empty())
      reply.payload.push_back(frame.payload);
  } catch (const std::bad_alloc &) {
    return connection.close();
  }
  // An answer frees the payload of its call.
  if (!connection.hasSent(frame.call))
    return connection.close();
  Respond done;
  {
    MutexLock lock(mutex);
    auto call = calls.find(frame.call);
    if (call == calls.end())
      return;
    done = std::move(call->second.done);
    calls.erase(call);
  }
  done(fromReply(std::move(reply)));
}

/// Gives up a connection that does not bring an answer in time: over gRPC its
/// call has the same time again, and what fails there is the session's to
/// judge.
void DirectCalls::checkDeadlines(FrameConnection &connection) {
  const Clock::TimePoint now = clock.now();
  if (now < nextCheck)
    return;
  nextCheck = now + std::chrono::milliseconds(500);
  bool isLate;
  {
    MutexLock lock(mutex);
    isLate = std::ranges::any_of(
        calls, [&](const auto &call) { return call.second.deadline <= now; });
  }
  if (!isLate)
    return;
  hasStalled = true;
  connection.close();
}

/// Calls from now on take gRPC; those under way fail.
void DirectCalls::close(const absl::Status &reason) {
  std::map<uint64_t, Call> failed;
  bool isLost;
  {
    MutexLock lock(mutex);
    connection = nullptr;
    failed.swap(calls);
    isLost = !disconnected;
  }
  const std::string account = printable(reason.message());
  if (isLost && !failed.empty())
    logLine(options.log,
            absl::StrCat(options.endpoint, ": gRPC (", account, ")"));
  const absl::Status failure =
      linkFailure(absl::StatusCode::kUnavailable, account);
  for (auto &[id, call] : failed)
    call.done(failure);
  // Last: another thread may follow. Another connection would stall as well.
  MutexLock lock(mutex);
  isWanted = !hasStalled;
}

void DirectCalls::disconnect() {
  std::shared_ptr<FrameConnection> open;
  {
    MutexLock lock(mutex);
    disconnected = true;
    open = connection;
  }
  if (open)
    open->close();
}

void DirectCalls::join() {
  if (thread.joinable())
    thread.join();
}

std::unique_ptr<Link>
ps::runtime::makeDirectLink(std::unique_ptr<Link> grpcLink,
                            LinkOptions options) {
  if (options.transport == TransportChoice::Grpc)
    return grpcLink;
  return std::make_unique<DirectLink>(std::move(grpcLink), std::move(options));
}
