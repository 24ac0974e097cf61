// SPDX-License-Identifier: Apache-2.0
//===- PushPullReply.h - one answer to a push and a pull ------------------===//

#ifndef PS_RUNTIME_SERVER_SESSIONS_PUSHPULLREPLY_H
#define PS_RUNTIME_SERVER_SESSIONS_PUSHPULLREPLY_H

#include "runtime/base/Mutex.h"
#include "runtime/protocol/Service.h"
#include <memory>
#include <utility>

namespace ps::runtime {

/// The answer to a push that is a pull, too: what the pull gets, once the
/// payload of the push is needed no more. Thread-safe.
class PushPullReply : public std::enable_shared_from_this<PushPullReply> {
public:
  explicit PushPullReply(Respond done) : done(std::move(done)) {}

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
  /// For a push that is not accepted.
  Respond take() { return std::move(done); }

private:
  void finish(absl::StatusOr<Response> response, bool isPull) {
    {
      MutexLock lock(mutex);
      // The failure of a push counts, else what the pull brings.
      if (answer.ok() && (isPull || !response.ok()))
        answer = std::move(response);
      if (--missing != 0)
        return;
    }
    done(std::move(answer));
  }

  Respond done;
  Mutex mutex;
  int missing ABSL_GUARDED_BY(mutex) = 2;
  /// Guarded until nothing is missing.
  absl::StatusOr<Response> answer = Response();
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_SESSIONS_PUSHPULLREPLY_H
