// SPDX-License-Identifier: Apache-2.0
//===- ClientSession.h - a trainer's session with one pserver ------------===//
//
// Retries, heartbeats and the end: what calls share, whatever they are.
//
//   1. a call whose link fails is tried again after a pause; the pserver
//      recognizes repeated calls by their sequence or step;
//   2. a heartbeat is always with the pserver; an answer of any kind shows that
//      it is alive. A heartbeat that fails shows at once that the connection
//      has ended: others are sent until one is answered;
//   3. silence, a connection or a call that keeps failing, the end of the
//      pserver's process or of the job make the session fail: outstanding and
//      later calls get the reason.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CLIENT_CLIENTSESSION_H
#define PS_RUNTIME_CLIENT_CLIENTSESSION_H

#include "absl/functional/function_ref.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Timer.h"
#include "runtime/client/Client.h"
#include "runtime/client/Lanes.h"
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace ps::runtime {

/// Thread-safe. Callbacks keep it alive; the link is closed and unused once no
/// call is outstanding.
class ClientSession : public std::enable_shared_from_this<ClientSession> {
public:
  /// Over `link`, whose handshake has succeeded.
  static std::shared_ptr<ClientSession> start(std::string endpoint,
                                              std::unique_ptr<Link> link,
                                              ClientOptions options);

  /// Starts the call now, or when its lane has room. Every call ends.
  void submit(ClientCallPtr call);
  /// The trainer leaves: what happens to pserver and job no longer concerns it.
  void leave();
  /// Closes the connection and waits until the outstanding calls have failed.
  void close();
  /// Why the pserver or the job is lost; OK while it is not.
  absl::Status health() const;
  /// As Client's.
  std::optional<PendingCall> findPending() const;

  const std::string endpoint;
  const ClientOptions options;

private:
  ClientSession(std::string endpoint, std::unique_ptr<Link> link,
                ClientOptions options);

  void useLink(absl::FunctionRef<void(Link &)> body);
  void pump();
  void attempt(const ClientCallPtr &call);
  void finishAttempt(const ClientCallPtr &call, absl::Status status);
  void retryAfterPause(const ClientCallPtr &call);
  void finish(const ClientCallPtr &call, absl::Status status);
  void release();

  /// The connection of heartbeats fails.
  struct Outage {
    Clock::TimePoint since;
    /// Why the last attempt failed.
    std::string cause;
    bool isLogged = false;
  };

  void tick();
  void sendHeartbeat(uint64_t number);
  void scheduleTick(std::optional<Clock::Duration> delay = std::nullopt);
  void finishHeartbeat(const absl::StatusOr<Response> &response);
  void retryHeartbeat(const absl::Status &linkStatus);
  void noteActivity();
  void endOutage();
  bool noteOutage(const absl::Status &linkStatus);
  absl::Status checkPeer();
  absl::Status checkOutage(Clock::TimePoint now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status checkCall(ClientCall &call, const absl::Status &linkStatus);
  void logOutage();
  void logFailing(const ClientCall &call, Clock::Duration limit,
                  const absl::Status &linkStatus);
  absl::Status unreachable(absl::string_view cause) const;
  void fail(absl::Status reason);

  const Peer peer;
  Timer &timer;
  const Clock &clock;
  const Clock::Duration heartbeatInterval, silenceLimit, outageLimit,
      farewellLimit, waitLimit;

  mutable Mutex mutex;
  CondVar idle;
  /// Null once the session is closed; kept by useLink.
  std::unique_ptr<Link> link ABSL_GUARDED_BY(mutex);
  size_t linkUsers ABSL_GUARDED_BY(mutex) = 0;
  absl::Status failure ABSL_GUARDED_BY(mutex);
  bool leaving ABSL_GUARDED_BY(mutex) = false;
  bool closing ABSL_GUARDED_BY(mutex) = false;
  /// A thread is in pump().
  bool pumping ABSL_GUARDED_BY(mutex) = false;
  /// Calls and heartbeats.
  size_t outstanding ABSL_GUARDED_BY(mutex) = 0;
  Lanes lanes ABSL_GUARDED_BY(mutex);
  /// The calls, in the order in which they were submitted.
  std::list<ClientCall *> unanswered ABSL_GUARDED_BY(mutex);
  /// Calls between two attempts.
  std::set<ClientCallPtr> pausing ABSL_GUARDED_BY(mutex);
  Clock::TimePoint lastActivity ABSL_GUARDED_BY(mutex);
  Clock::TimePoint lastTick ABSL_GUARDED_BY(mutex);
  /// Only the tick that was scheduled last runs.
  uint64_t nextTick ABSL_GUARDED_BY(mutex) = 0;
  uint64_t heartbeatsSent ABSL_GUARDED_BY(mutex) = 0;
  size_t heartbeatsUnderWay ABSL_GUARDED_BY(mutex) = 0;
  /// Before the next heartbeat while those fail.
  Clock::Duration heartbeatPause ABSL_GUARDED_BY(mutex){};
  /// A call that keeps failing has been logged.
  bool failingLogged ABSL_GUARDED_BY(mutex) = false;
  /// Unset while heartbeats do not fail.
  std::optional<Outage> outage ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_CLIENTSESSION_H
