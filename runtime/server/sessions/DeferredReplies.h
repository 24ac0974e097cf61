// SPDX-License-Identifier: Apache-2.0
//===- DeferredReplies.h - replies to send once no lock is held -----------===//
//
// The callback of a request may take its time or call the server again. So code
// that holds the server's mutex only collects its replies here, in an object
// that is declared before the lock and thus sends them after it is released.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_SESSIONS_DEFERREDREPLIES_H
#define PS_RUNTIME_SERVER_SESSIONS_DEFERREDREPLIES_H

#include "runtime/executor/SendBatch.h"
#include "runtime/protocol/Service.h"
#include <utility>
#include <vector>

namespace ps::runtime {

/// Replies to requests, in order; sent by flush() or the destructor. Not
/// thread-safe.
class DeferredReplies {
public:
  DeferredReplies() = default;
  ~DeferredReplies() { flush(); }
  DeferredReplies(const DeferredReplies &) = delete;
  DeferredReplies &operator=(const DeferredReplies &) = delete;

  /// `done` may be null: no request waits.
  void add(Respond done, absl::StatusOr<Response> response) {
    if (done)
      list.emplace_back(std::move(done), std::move(response));
  }
  /// A reply that is nothing but a status.
  void add(Respond done, absl::Status status) {
    if (status.ok())
      add(std::move(done), Response());
    else
      add(std::move(done), absl::StatusOr<Response>(std::move(status)));
  }
  void add(std::vector<Respond> dones, const absl::Status &status) {
    for (Respond &done : dones)
      add(std::move(done), status);
  }
  /// Adds a call to those of a trainer that wait for one answer. A trainer
  /// repeats a call when it has lost the one before: of more than a few, the
  /// oldest is given up.
  void addRepeat(std::vector<Respond> &calls, Respond done) {
    constexpr size_t most = 8;
    if (calls.size() == most) {
      add(std::move(calls.front()),
          absl::CancelledError("the call was repeated"));
      calls.erase(calls.begin());
    }
    calls.push_back(std::move(done));
  }
  /// Not while a lock is held.
  void flush() {
    if (list.empty())
      return;
    SendBatch batch;
    for (auto &[done, response] : std::exchange(list, {}))
      done(std::move(response));
  }

private:
  std::vector<std::pair<Respond, absl::StatusOr<Response>>> list;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SESSIONS_DEFERREDREPLIES_H
