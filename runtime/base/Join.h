// SPDX-License-Identifier: Apache-2.0
//===- Join.h - one callback after several --------------------------------===//

#ifndef PS_RUNTIME_BASE_JOIN_H
#define PS_RUNTIME_BASE_JOIN_H

#include "absl/functional/function_ref.h"
#include "runtime/base/Done.h"
#include "runtime/base/Event.h"
#include "runtime/base/Mutex.h"
#include <cstddef>
#include <memory>

namespace ps::runtime {

/// Calls a callback when so many parts of some work have ended, with the first
/// failure among them. Thread-safe.
class Join : public std::enable_shared_from_this<Join> {
public:
  /// For at least one part.
  static std::shared_ptr<Join> create(size_t parts, Done done) {
    return std::shared_ptr<Join>(new Join(parts, std::move(done)));
  }

  /// The callback of one part, to be called `parts` times in all.
  Done part() {
    return [join = shared_from_this()](absl::Status status) {
      join->finishPart(std::move(status));
    };
  }
  void finishPart(absl::Status status) {
    absl::Status first;
    {
      MutexLock lock(mutex);
      result.Update(std::move(status));
      if (--remaining != 0)
        return;
      first = std::move(result);
    }
    // Without the lock: what it calls may take long, or drop this object.
    done(std::move(first));
  }

private:
  Join(size_t parts, Done done) : remaining(parts), done(std::move(done)) {}

  Mutex mutex;
  size_t remaining ABSL_GUARDED_BY(mutex);
  absl::Status result ABSL_GUARDED_BY(mutex);
  Done done; // Called once, by whichever part is the last.
};

/// Starts work that ends with a callback and waits for it; returns what the
/// callback got. Not on a thread that the work needs.
inline absl::Status await(absl::FunctionRef<void(Done)> start) {
  absl::Status result;
  Event ended;
  start([&](absl::Status status) {
    result = std::move(status);
    ended.notify();
  });
  ended.wait();
  return result;
}

/// Starts `count` parts of some work, each of which ends with a callback, and
/// waits for all of them; returns the first failure among them.
inline absl::Status awaitAll(size_t count,
                             absl::FunctionRef<void(size_t, Done)> start) {
  if (count == 0)
    return absl::OkStatus();
  return await([&](Done done) {
    std::shared_ptr<Join> join = Join::create(count, std::move(done));
    for (size_t i = 0; i != count; ++i)
      start(i, join->part());
  });
}

/// The same. If `cancel` happens meanwhile, `abandon` is called once, to make
/// the parts end soon; null never happens.
inline absl::Status awaitAll(size_t count,
                             absl::FunctionRef<void(size_t, Done)> start,
                             const Event *cancel,
                             absl::FunctionRef<void()> abandon) {
  if (count == 0)
    return absl::OkStatus();
  // Events have one waiter each: how late an abandoned wait may end.
  constexpr absl::Duration interval = absl::Milliseconds(20);
  absl::Status result;
  Event ended;
  std::shared_ptr<Join> join = Join::create(count, [&](absl::Status status) {
    result = std::move(status);
    ended.notify();
  });
  for (size_t i = 0; i != count; ++i)
    start(i, join->part());
  ThreadWait wait;
  while (cancel && !ended.waitFor(interval)) {
    wait.look();
    if (cancel->hasHappened()) {
      abandon();
      break;
    }
  }
  ended.wait();
  return result;
}

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_JOIN_H
