//===- Answers.h - answers to give once no lock is held -------------------===//
//
// What answers a call may take its time or call the server again. So whatever
// works under the server's mutex only collects its answers here, in an object
// that is declared before the lock and thus gives them after it is let go.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TRANSPORT_ANSWERS_H
#define PS_RUNTIME_TRANSPORT_ANSWERS_H

#include "runtime/transport/Service.h"
#include <utility>
#include <vector>

namespace ps::runtime {

/// Answers of calls, in order; gives them when it goes, or by give(). Not
/// thread-safe.
class Answers {
public:
  Answers() = default;
  ~Answers() { give(); }
  Answers(const Answers &) = delete;
  Answers &operator=(const Answers &) = delete;

  /// `done` may be null: nobody waits.
  void add(Done done, absl::Status status) {
    if (done)
      list.emplace_back(std::move(done), std::move(status));
  }
  void add(std::vector<Done> dones, const absl::Status &status) {
    for (Done &done : dones)
      add(std::move(done), status);
  }
  /// Not while a lock is held.
  void give() {
    for (auto &[done, status] : std::exchange(list, {}))
      done(std::move(status));
  }

private:
  std::vector<std::pair<Done, absl::Status>> list;
};

/// Answers a call that asks for a value: with `value`, or else with the
/// failure.
template <typename Receive, typename Value>
Done giving(Receive done, Value value) {
  return [done = std::move(done),
          value = std::move(value)](absl::Status status) mutable {
    if (status.ok())
      done(value);
    else
      done(std::move(status));
  };
}

} // namespace ps::runtime

#endif // PS_RUNTIME_TRANSPORT_ANSWERS_H
