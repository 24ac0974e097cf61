// SPDX-License-Identifier: Apache-2.0
//===- LogSync.h - a log that withstands the end of its machine -----------===//

#ifndef PS_RUNTIME_SERVER_LOG_LOGSYNC_H
#define PS_RUNTIME_SERVER_LOG_LOGSYNC_H

#include "absl/functional/any_invocable.h"
#include "runtime/server/log/HeldAnswers.h"
#include <string>
#include <thread>

namespace ps::runtime {

/// A keeper of `answers` that makes the log in a folder durable.
class LogSync {
public:
  /// `failed` is called, once, where the disk does not take it. `answers`
  /// outlives the result, and is closed before its end.
  LogSync(std::string dir, HeldAnswers &answers,
          absl::AnyInvocable<void(absl::Status)> failed);
  ~LogSync();

private:
  void run();
  absl::Status sync(LogPosition end);

  const std::string dir;
  HeldAnswers &answers;
  absl::AnyInvocable<void(absl::Status)> failed;
  const size_t keeper;
  /// The segment that is open, and its number; none before the first.
  Descriptor file;
  uint64_t open = 0;
  std::thread thread;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_LOG_LOGSYNC_H
