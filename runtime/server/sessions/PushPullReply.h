// SPDX-License-Identifier: Apache-2.0
//===- PushPullReply.h - one answer to a push and a pull ------------------===//

#ifndef PS_RUNTIME_SERVER_SESSIONS_PUSHPULLREPLY_H
#define PS_RUNTIME_SERVER_SESSIONS_PUSHPULLREPLY_H

#include "runtime/base/Mutex.h"
#include "runtime/protocol/Service.h"
#include <memory>
#include <utility>
#include <vector>

namespace ps::runtime {

/// The answer to a push that is a pull, too: what the pull gets, once the
/// payload of the push is needed no more. Thread-safe.
class PushPullReply : public std::enable_shared_from_this<PushPullReply> {
public:
  explicit PushPullReply(Respond done) { waiting.push_back(std::move(done)); }

  Respond pushed() {
    return [self = shared_from_this()](absl::StatusOr<Response> response) {
      self->finish(std::move(response), /*isPull=*/false);
    };
  }
  Respond pulled() {
    return [self = shared_from_this()](absl::StatusOr<Response> response) {
      self->finish(std::move(response), /*isPull=*/true);
    };
  }
  /// For a push that is not accepted: nothing else is called then.
  Respond take() {
    MutexLock lock(mutex);
    return std::move(waiting.front());
  }
  /// The same push came again, since the answer to it may be lost. False, and
  /// `done` is left alone, if it was answered.
  bool repeat(Respond &done) {
    MutexLock lock(mutex);
    if (missing == 0)
      return false;
    waiting.push_back(std::move(done));
    return true;
  }

private:
  void finish(absl::StatusOr<Response> response, bool isPull) {
    std::vector<Respond> all;
    absl::StatusOr<Response> result;
    {
      MutexLock lock(mutex);
      // The failure of a push counts, else what the pull brings.
      if (answer.ok() && (isPull || !response.ok()))
        answer = std::move(response);
      if (--missing != 0)
        return;
      all.swap(waiting);
      result = std::move(answer);
    }
    for (Respond &done : all)
      done(result);
  }

  Mutex mutex;
  int missing ABSL_GUARDED_BY(mutex) = 2;
  std::vector<Respond> waiting ABSL_GUARDED_BY(mutex);
  absl::StatusOr<Response> answer ABSL_GUARDED_BY(mutex) = Response();
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SESSIONS_PUSHPULLREPLY_H
