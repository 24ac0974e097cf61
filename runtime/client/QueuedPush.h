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
  /// Adds later pushes of the same blocks or the same table, and takes the step
  /// of the last: half types are summed in f32 and rounded once. Returns how
  /// many were added: fewer where the next is of other blocks, and none, with
  /// nothing changed, where elements have no sum or there is no memory for it.
  virtual size_t addAll(std::span<const std::shared_ptr<QueuedPush>> later) = 0;
};

/// RESOURCE_EXHAUSTED without memory for a copy.
absl::StatusOr<std::shared_ptr<QueuedPush>>
copyPush(int64_t step, std::span<const SendPart> parts);
absl::StatusOr<std::shared_ptr<QueuedPush>> copyPush(int64_t step,
                                                     const RowGradients &rows);

} // namespace ps::runtime

#endif // PS_RUNTIME_CLIENT_QUEUEDPUSH_H
