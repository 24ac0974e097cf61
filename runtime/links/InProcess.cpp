// SPDX-License-Identifier: Apache-2.0
//===- InProcess.cpp - transport inside one process -----------------------===//
//
// Trainers and pservers of --role=all call each other directly: same calls,
// same order, no serialization of payloads.
//
//===----------------------------------------------------------------------===//

#include "runtime/links/InProcess.h"
#include "runtime/base/Mutex.h"
#include <atomic>

using namespace ps::runtime;

namespace {
/// Calls the service directly. Inside one process no timeout reports a lost
/// peer: disconnecting reports to the service that the trainer failed.
class InProcessLink final : public Link {
public:
  explicit InProcessLink(Service &service) : service(service) {}

  void call(const wire::Request &request, Pieces payload,
            Respond done) override {
    if (disconnected)
      return done(linkFailure(absl::StatusCode::kUnavailable,
                              "the connection is closed"));
    {
      MutexLock lock(mutex);
      peer = {request.trainer(), request.incarnation()};
    }
    service.call(request, payload, std::move(done));
  }

  void disconnect() override {
    if (disconnected.exchange(true))
      return;
    wire::Request request;
    {
      MutexLock lock(mutex);
      request = requestFrom(peer);
    }
    request.mutable_abort()->set_reason("it left before it had completed");
    service.call(request, {}, [](const absl::StatusOr<Response> &) {});
  }

private:
  Service &service;
  std::atomic<bool> disconnected{false};
  Mutex mutex;
  /// The last caller: a link is used by one trainer.
  Peer peer ABSL_GUARDED_BY(mutex){-1, 0};
};
} // namespace

std::unique_ptr<Link> ps::runtime::makeInProcessLink(Service &service) {
  return std::make_unique<InProcessLink>(service);
}
