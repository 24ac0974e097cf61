//===- InProcess.cpp - transport inside one process -----------------------===//

#include "runtime/transport/InProcess.h"
#include <atomic>
#include <mutex>

using namespace ps::runtime;

namespace {
/// Calls the service directly. Cutting this line tells the service that the
/// trainer failed: there is no silence to notice inside one process.
class InProcessLink final : public Link {
public:
  explicit InProcessLink(Service &service) : service(service) {}

  void handshake(const Hello &hello, Done done) override {
    if (refuse(done))
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      peer = {hello.trainerId, hello.incarnation};
    }
    service.handshake(hello, std::move(done));
  }
  void heartbeat(Peer peer, Done done) override {
    if (!refuse(done))
      service.heartbeat(peer, std::move(done));
  }
  void push(Peer peer, uint64_t sequence, Ranges ranges, Pieces payload,
            Done done) override {
    if (!refuse(done))
      service.push(peer, sequence, ranges, payload, std::move(done));
  }
  void pull(Peer peer, Ranges ranges, Receive done) override {
    if (cut)
      return done(lineIsCut());
    service.pull(peer, ranges, std::move(done));
  }
  void prefetch(Peer peer, const RowRange &rows, bool frozen, Pieces ids,
                ReceiveRows done) override {
    if (cut)
      return done(lineIsCut());
    service.prefetch(peer, rows, frozen, ids, std::move(done));
  }
  void pushRows(Peer peer, uint64_t sequence, const RowRange &rows,
                Pieces payload, Done done) override {
    if (!refuse(done))
      service.pushRows(peer, sequence, rows, payload, std::move(done));
  }
  void sendBarrier(Peer peer, int64_t step, Done done) override {
    if (!refuse(done))
      service.sendBarrier(peer, step, std::move(done));
  }
  void fetchBarrier(Peer peer, int64_t step, Done done) override {
    if (!refuse(done))
      service.fetchBarrier(peer, step, std::move(done));
  }
  void mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                   Pieces sums, ReceiveTotal done) override {
    if (cut)
      return done(lineIsCut());
    service.mergeMetric(peer, metric, epoch, sums, std::move(done));
  }
  void save(Peer peer, const SaveRequest &request, ReceiveSaved done) override {
    if (cut)
      return done(lineIsCut());
    service.save(peer, request, std::move(done));
  }
  void complete(Peer peer, Done done) override {
    if (!refuse(done))
      service.complete(peer, std::move(done));
  }
  void confirmCompletion(Peer peer, Done done) override {
    if (!refuse(done))
      service.confirmCompletion(peer, std::move(done));
  }
  void abort(Peer peer, const std::string &reason, Done done) override {
    if (!refuse(done))
      service.abort(peer, reason, std::move(done));
  }

  void disconnect() override {
    if (cut.exchange(true))
      return;
    Peer who;
    {
      std::lock_guard<std::mutex> lock(mutex);
      who = peer;
    }
    service.abort(who, "it left before it had completed", [](absl::Status) {});
  }

private:
  static absl::Status lineIsCut() {
    return linkFailure(absl::StatusCode::kUnavailable, "the line is cut");
  }
  bool refuse(Done &done) {
    const bool gone = cut;
    if (gone)
      done(lineIsCut());
    return gone;
  }

  Service &service;
  std::atomic<bool> cut{false};
  std::mutex mutex; // Guards peer.
  Peer peer{-1, 0};
};
} // namespace

std::unique_ptr<Link> ps::runtime::makeInProcessLink(Service &service) {
  return std::make_unique<InProcessLink>(service);
}

absl::StatusOr<std::unique_ptr<Client>>
ps::runtime::connectInProcess(std::string endpoint, Service &service,
                              ClientOptions options) {
  return introduce(std::move(endpoint), makeInProcessLink(service),
                   std::move(options));
}
