// SPDX-License-Identifier: Apache-2.0
//===- SendBatch.h - messages of a thread that leave together -------------===//
//
// Each message that leaves by itself wakes its receiver, which takes longer
// than many messages do to make and to read. So a thread that is going to send
// several opens a batch.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_SENDBATCH_H
#define PS_RUNTIME_EXECUTOR_SENDBATCH_H

#include <memory>
#include <vector>

namespace ps::runtime {

/// While one exists, connections may keep back what its thread sends, until it
/// goes or flush() is called: before the thread waits for anything. A batch
/// within another one is part of that. Belongs to a thread.
class SendBatch {
public:
  /// What keeps messages back.
  class Sender {
  public:
    virtual ~Sender() = default;
    /// Sends them. Must not block. Thread-safe.
    virtual void sendKept() = 0;
  };

  SendBatch();
  ~SendBatch();
  SendBatch(const SendBatch &) = delete;
  SendBatch &operator=(const SendBatch &) = delete;

  /// Has all senders of the calling thread send what they keep back.
  static void flush();
  /// Whether the calling thread has a batch: then `sender` is part of it from
  /// now on, and may keep messages back until it is called.
  static bool join(const std::shared_ptr<Sender> &sender);

private:
  const bool isOutermost;
  std::vector<std::shared_ptr<Sender>> senders;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_SENDBATCH_H
