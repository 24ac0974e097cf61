// SPDX-License-Identifier: Apache-2.0
//===- QueuedPush.h - a push that waits for its turn ----------------------===//

#ifndef PS_RUNTIME_CLIENT_QUEUEDPUSH_H
#define PS_RUNTIME_CLIENT_QUEUEDPUSH_H

#include "runtime/client/Client.h"
#include <memory>
#include <span>

namespace ps::runtime {

/// A copy of a push, which sends itself. One thread at a time.
class QueuedPush {
public:
  virtual ~QueuedPush() = default;

  virtual int64_t step() const = 0;
  /// Lives until `done`.
  virtual void send(Client &client, Done done) = 0;
  /// Adds a later push of the same blocks or the same table, and takes its
  /// step. False, with nothing changed, where there is no memory for the sum.
  virtual bool add(const QueuedPush &later) = 0;
};

/// RESOURCE_EXHAUSTED without memory for a copy.
absl::StatusOr<std::shared_ptr<QueuedPush>>
copyPush(int64_t step, std::span<const SendPart> parts);
absl::StatusOr<std::shared_ptr<QueuedPush>> copyPush(int64_t step,
                                                     const RowGradients &rows);

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_QUEUEDPUSH_H
