// SPDX-License-Identifier: Apache-2.0
//===- LogReplica.h - a copy of pservers' logs on another machine ---------===//
//
// Keeps what LogCopier sends: for each pserver a folder that has the bytes of
// its log, so that a pserver can be started with it in the place of one whose
// machine or disk is lost.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_LOG_LOGREPLICA_H
#define PS_RUNTIME_SERVER_LOG_LOGREPLICA_H

#include "runtime/base/Log.h"
#include "runtime/base/Mutex.h"
#include "runtime/server/log/CallLog.h"
#include <map>
#include <string>

namespace ps::runtime {

/// Thread-safe. Other calls than Replicate are refused.
class LogReplica final : public Service {
public:
  /// Logs are folders of `dir`, named as their pservers.
  LogReplica(std::string dir, Log log)
      : dir(std::move(dir)), log(std::move(log)) {}

  void call(const wire::Request &request, Pieces payload,
            Respond done) override;

private:
  absl::StatusOr<Response> replicate(const wire::Replicate &part,
                                     Pieces payload) ABSL_LOCKS_EXCLUDED(mutex);

  const std::string dir;
  const Log log;
  Mutex mutex;
  /// The jobs of the pservers that have called.
  std::map<std::string, std::string> known ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_LOG_LOGREPLICA_H
