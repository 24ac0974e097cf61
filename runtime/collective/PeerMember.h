// SPDX-License-Identifier: Apache-2.0
//===- PeerMember.h - a trainer among trainers of other processes ---------===//
//
// The communicator over links, and the service that the other trainers call.
// Where links come from is for PeerGroup.h.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_COLLECTIVE_PEERMEMBER_H
#define PS_RUNTIME_COLLECTIVE_PEERMEMBER_H

#include "runtime/base/Mutex.h"
#include "runtime/collective/OperationQueue.h"
#include "runtime/collective/PeerGroup.h"
#include "runtime/collective/PeerLink.h"
#include "runtime/collective/StopProposals.h"

namespace ps::runtime {

/// Thread-safe.
class PeerMember final : public Service,
                         public std::enable_shared_from_this<PeerMember> {
public:
  /// Heartbeats and deadlines begin.
  static std::shared_ptr<PeerMember> create(PeerOptions options);

  /// A first call on trainer `to`.
  wire::Request makeJoin(int to) const;
  /// Takes the connection to a trainer that has accepted this one.
  void attach(int trainer, std::unique_ptr<Link> link);
  /// Ends all operations. What is to be said last gets a moment, then links are
  /// closed; the service still answers.
  void shutdown();

  // As those of Communicator.
  void issue(CollectiveCall call);
  void proposeStop(std::span<double> proposals, Done done);
  void complete();
  void abort(const std::string &reason);
  absl::Status health() const;
  std::string describePending() const;

  void call(const wire::Request &request, Pieces payload,
            Respond done) override;

private:
  class Scope;
  struct PeerState {
    std::unique_ptr<PeerLink> link;
    /// 0: it has not joined.
    uint64_t incarnation = 0;
    bool isPinged = false;
  };

  explicit PeerMember(PeerOptions options);

  // The operation under way.
  void startNext(Scope &scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void advance(Scope &scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void open(std::vector<int> members, Scope &scope)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void process(IncomingCut incoming, Scope &scope)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void reduceCut(size_t cut, Scope &scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void sendCuts(const std::vector<RunningOperation::Outgoing> &sends)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void endIfDone(Scope &scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void end(absl::Status status, bool refused, Scope &scope)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // Calls on others.
  PeerCall makeCall(int to);
  void sendToAll(const wire::Request &request,
                 const std::vector<std::byte> &values)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void noteEnd(int to, const absl::Status &status, Scope &scope)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void endStops(Scope &scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status noteStop(const wire::Request &request, Scope &scope)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void leaveIfIdle() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void fail(absl::Status reason, Scope &scope)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void disconnectAll();

  // Calls of others.
  absl::Status join(const wire::Request &request)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status identify(const wire::Request &request) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status answer(const wire::Request &request, Pieces payload,
                      Scope &scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void exchange(const wire::Request &request, Pieces payload, Respond done,
                Scope &scope) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  void tick();

  const PeerOptions options;
  const int self;
  mutable Mutex mutex;
  OperationQueue queue ABSL_GUARDED_BY(mutex);
  /// Indexed by trainer.
  std::vector<PeerState> peers ABSL_GUARDED_BY(mutex);
  absl::Status failure ABSL_GUARDED_BY(mutex);
  StopProposals stops ABSL_GUARDED_BY(mutex);
  /// Leaves when what it has issued is done; has said so.
  bool isLeaving ABSL_GUARDED_BY(mutex) = false;
  bool saidGoodbye ABSL_GUARDED_BY(mutex) = false;
  bool isShutDown ABSL_GUARDED_BY(mutex) = false;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_COLLECTIVE_PEERMEMBER_H
