// SPDX-License-Identifier: Apache-2.0
//===- ProcessId.h - which process a peer is, and whether it lives --------===//
//
// A connection that ends does not show whether the process behind it has. On
// one machine the system knows.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_PROCESSID_H
#define PS_RUNTIME_PROTOCOL_PROCESSID_H

#include <cstdint>
#include <string>

namespace ps::runtime {

/// Names a process of this machine or another, for as long as they run.
struct ProcessId {
  /// The machine since its start and the PID namespace; empty if unknown.
  /// Processes that share it can look for each other.
  std::string host;
  int64_t pid = 0;
  /// In clock ticks of the machine: numbers of processes are used again.
  uint64_t startTime = 0;
};

/// This process. Its host is empty where the system hides it.
const ProcessId &ownProcess();

enum class ProcessState : uint8_t {
  Unknown, ///< it runs elsewhere, or cannot be seen
  Running,
  Ended
};
/// Looks for `process`. Thread-safe.
ProcessState findProcess(const ProcessId &process);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_PROCESSID_H
