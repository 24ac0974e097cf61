//===- ParkedCalls.h - calls that have come before their time -------------===//

#ifndef PS_RUNTIME_TRANSPORT_PARKEDCALLS_H
#define PS_RUNTIME_TRANSPORT_PARKEDCALLS_H

#include "runtime/transport/Answers.h"
#include <algorithm>
#include <deque>

namespace ps::runtime {

/// Takes those of `calls` that are as `test` says, in their order.
template <typename Call, typename Test>
std::deque<Call> takeIf(std::deque<Call> &calls, Test test) {
  std::deque<Call> taken, others;
  for (Call &call : calls)
    (test(call) ? taken : others).push_back(std::move(call));
  calls = std::move(others);
  return taken;
}

/// Answers `calls` with a failure.
template <typename Call>
void fail(std::deque<Call> calls, const absl::Status &status,
          Answers &answers) {
  for (Call &call : calls)
    answers.add([done = std::move(call.done)](
                    absl::Status status) mutable { done(std::move(status)); },
                status);
}

/// Calls in the order of their arrival. A `Call` has an `int trainer` and a
/// `done`, which takes failures. What a trainer may make a pserver hold is
/// bounded. The caller locks.
template <typename Call>
class ParkedCalls {
public:
  static constexpr ptrdiff_t maxOfTrainer = 256;

  /// Moves from `call`; or returns false, as its trainer has parked as many as
  /// it may, and leaves it alone.
  bool add(Call &call) {
    if (std::count_if(calls.begin(), calls.end(), [&](const Call &other) {
          return other.trainer == call.trainer;
        }) == maxOfTrainer)
      return false;
    calls.push_back(std::move(call));
    return true;
  }
  /// Those whose time has come, as `test` says.
  template <typename Test>
  std::deque<Call> take(Test test) {
    return takeIf(calls, test);
  }
  /// Fails those of `trainer`.
  void drop(int trainer, const absl::Status &status, Answers &answers) {
    fail(take([&](const Call &call) { return call.trainer == trainer; }),
         status, answers);
  }
  /// Fails all.
  void cancel(const absl::Status &status, Answers &answers) {
    fail(std::exchange(calls, {}), status, answers);
  }

private:
  std::deque<Call> calls;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_PARKEDCALLS_H
