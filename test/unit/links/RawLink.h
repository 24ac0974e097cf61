// SPDX-License-Identifier: Apache-2.0
//===- RawLink.h - single calls on a pserver, for tests -------------------===//

#ifndef PS_TEST_UNIT_LINKS_RAWLINK_H
#define PS_TEST_UNIT_LINKS_RAWLINK_H

#include "runtime/client/Client.h"
#include "runtime/protocol/Ranges.h"
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ps::runtime {

/// The calls of ps.proto on a service, typed: what a client sends, and what it
/// never would. Payloads outlive the calls.
class RawCalls {
public:
  using Method = void (RawCalls::*)(Peer, int64_t, Done);

  RawCalls(Service &service) : service(service) {}

  void handshake(const Hello &hello, Done done) {
    runtime::handshake(service, hello,
                       [done = std::move(done)](
                           const absl::StatusOr<Welcome> &welcome) mutable {
                         done(welcome.status());
                       });
  }
  void heartbeat(Peer peer, Done done) {
    wire::Request request = requestFrom(peer);
    request.mutable_heartbeat();
    call(request, {}, std::move(done));
  }
  void push(Peer peer, uint64_t sequence, std::span<const wire::Range> ranges,
            Pieces payload, Done done) {
    wire::Request request = requestFrom(peer);
    request.mutable_push()->set_sequence(sequence);
    *request.mutable_push()->mutable_ranges() = {ranges.begin(), ranges.end()};
    call(request, payload, std::move(done));
  }
  void pullBytes(Peer peer, std::span<const wire::Range> ranges, Respond done) {
    wire::Request request = requestFrom(peer);
    request.mutable_pull();
    *request.mutable_pull()->mutable_ranges() = {ranges.begin(), ranges.end()};
    service.call(request, {}, std::move(done));
  }
  void pull(Peer peer, std::span<const wire::Range> ranges, Done done) {
    pullBytes(peer, ranges, statusTo(std::move(done)));
  }
  void prefetch(Peer peer, const wire::Rows &rows, bool frozen, Pieces ids,
                Done done) {
    wire::Request request = requestFrom(peer);
    *request.mutable_prefetch()->mutable_rows() = rows;
    request.mutable_prefetch()->set_frozen(frozen);
    call(request, ids, std::move(done));
  }
  void pushRows(Peer peer, uint64_t sequence, const wire::Rows &rows,
                Pieces payload, Done done) {
    wire::Request request = requestFrom(peer);
    request.mutable_push_rows()->set_sequence(sequence);
    *request.mutable_push_rows()->mutable_rows() = rows;
    call(request, payload, std::move(done));
  }
  void sendBarrier(Peer peer, int64_t step, Done done) {
    wire::Request request = requestFrom(peer);
    request.mutable_send_barrier()->set_step(step);
    call(request, {}, std::move(done));
  }
  void fetchBarrier(Peer peer, int64_t step, Done done) {
    wire::Request request = requestFrom(peer);
    request.mutable_fetch_barrier()->set_step(step);
    call(request, {}, std::move(done));
  }
  void mergeMetric(Peer peer, const std::string &metric, int64_t epoch,
                   Pieces sums, Done done) {
    wire::Request request = requestFrom(peer);
    request.mutable_merge_metric()->set_metric(metric);
    request.mutable_merge_metric()->set_epoch(epoch);
    call(request, sums, std::move(done));
  }
  void complete(Peer peer, Done done) {
    wire::Request request = requestFrom(peer);
    request.mutable_complete();
    call(request, {}, std::move(done));
  }

private:
  static Respond statusTo(Done done) {
    return [done = std::move(done)](
               const absl::StatusOr<Response> &response) mutable {
      done(response.status());
    };
  }
  void call(const wire::Request &request, Pieces payload, Done done) {
    service.call(request, payload, statusTo(std::move(done)));
  }

  Service &service;
};

/// The same over a link of its own.
class RawLink : public RawCalls {
public:
  explicit RawLink(std::unique_ptr<Link> link)
      : RawCalls(*link), link(std::move(link)) {}
  void disconnect() { link->disconnect(); }

private:
  std::unique_ptr<Link> link;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_LINKS_RAWLINK_H
