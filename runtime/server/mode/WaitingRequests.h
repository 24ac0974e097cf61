// SPDX-License-Identifier: Apache-2.0
//===- WaitingRequests.h - requests waiting for their step ----------------===//

#ifndef PS_RUNTIME_SERVER_MODE_WAITINGREQUESTS_H
#define PS_RUNTIME_SERVER_MODE_WAITINGREQUESTS_H

#include "runtime/server/sessions/DeferredReplies.h"
#include <algorithm>
#include <deque>

namespace ps::runtime {

/// Removes and returns the `requests` for which `test` returns true, in their
/// order.
template <typename Request, typename Test>
std::deque<Request> takeIf(std::deque<Request> &requests, Test test) {
  std::deque<Request> taken, others;
  for (Request &request : requests)
    (test(request) ? taken : others).push_back(std::move(request));
  requests = std::move(others);
  return taken;
}

/// Fails all `requests`.
template <typename Request>
void fail(std::deque<Request> requests, const absl::Status &status,
          DeferredReplies &replies) {
  for (Request &request : requests)
    replies.add(std::move(request.done), status);
}

/// Requests in the order of their arrival. A `Request` has an `int trainer` and
/// a `Respond done`. A trainer adds no more once it has maxOfTrainer of them,
/// so that the memory they take is bounded. The caller locks.
template <typename Request>
class WaitingRequests {
public:
  static constexpr ptrdiff_t maxOfTrainer = 256;

  /// Moves from `request`; or returns false and leaves it alone if its trainer
  /// has too many already.
  bool add(Request &request) {
    if (std::count_if(requests.begin(), requests.end(),
                      [&](const Request &other) {
                        return other.trainer == request.trainer;
                      }) >= maxOfTrainer)
      return false;
    requests.push_back(std::move(request));
    return true;
  }
  /// Adds one that has waited elsewhere, and was counted there: a trainer can
  /// then have as many more as it may have there.
  void append(Request request) { requests.push_back(std::move(request)); }
  bool empty() const { return requests.empty(); }
  std::deque<Request> takeAll() { return std::exchange(requests, {}); }
  /// Removes and returns those for which `test` returns true.
  template <typename Test>
  std::deque<Request> take(Test test) {
    return takeIf(requests, test);
  }
  /// Fails those of `trainer`.
  void drop(int trainer, const absl::Status &status, DeferredReplies &replies) {
    fail(take([&](const Request &each) { return each.trainer == trainer; }),
         status, replies);
  }
  /// Fails all.
  void cancel(const absl::Status &status, DeferredReplies &replies) {
    fail(std::exchange(requests, {}), status, replies);
  }

private:
  std::deque<Request> requests;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_MODE_WAITINGREQUESTS_H
