// SPDX-License-Identifier: Apache-2.0
//===- Etcd.h - a client of etcd ------------------------------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_ETCD_H
#define PS_RUNTIME_MEMBERSHIP_ETCD_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/base/Mutex.h"
#include "runtime/links/GrpcChannel.h"
#include "runtime/protocol/Certificates.h"
#include <cstdint>
#include <grpcpp/grpcpp.h>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// What etcd holds under a key.
struct EtcdValue {
  std::string key, value;
  /// The revision of its last change.
  int64_t revision = 0;
};

/// All values under a prefix, at one moment.
struct EtcdSnapshot {
  std::vector<EtcdValue> values;
  /// That of etcd then.
  int64_t revision = 0;
};

/// Calls the members of an etcd cluster, one that answers after another. Every
/// call is read from, or agreed on by, a majority of them. Thread-safe. Where
/// none answers, errors satisfy isLinkFailure().
class Etcd {
public:
  /// An attempt at one member takes at most `timeout`.
  Etcd(std::vector<std::string> endpoints, absl::Duration timeout,
       const Certificates &certificates);

  absl::StatusOr<EtcdSnapshot> read(const std::string &prefix);
  /// A key that lives as long as a lease, unless that is 0.
  struct Put {
    std::string key, value;
    int64_t lease = 0;
  };
  /// Makes all of `puts` if the last change of `key` was at `revision`, 0 for a
  /// key that is not there. Returns whether it was; false also for a call of
  /// this object that was repeated.
  absl::StatusOr<bool> replace(const std::string &key, int64_t revision,
                               const std::vector<Put> &puts);

  /// Returns a lease that ends `ttl` after it was kept alive last.
  absl::StatusOr<int64_t> grantLease(absl::Duration ttl);
  /// Returns whether there is such a lease.
  absl::StatusOr<bool> keepAlive(int64_t lease);

  /// Waits for a change under `prefix` after `revision`, for `limit` at most.
  absl::Status awaitChange(const std::string &prefix, int64_t revision,
                           absl::Duration limit);

  /// Makes the calls under way fail soon, and later ones at once.
  void disconnect() { running.cancelAll(); }

private:
  using Channel = std::shared_ptr<grpc::Channel>;
  using Call = absl::FunctionRef<grpc::Status(const Channel &channel,
                                              grpc::ClientContext &context)>;
  absl::Status call(absl::Duration limit, Call body);
  Channel current(size_t &index);
  void leave(size_t index);

  const std::vector<std::string> endpoints;
  const absl::Duration timeout;
  std::vector<Channel> channels;
  RunningCalls running;
  Mutex mutex;
  /// The member that is called.
  size_t chosen ABSL_GUARDED_BY(mutex) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_ETCD_H
