// SPDX-License-Identifier: Apache-2.0
//===- ProcessId.cpp - which process a peer is, and whether it lives ------===//

#include "runtime/protocol/ProcessId.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <fstream>
#include <optional>
#include <unistd.h>
#include <vector>

using namespace ps::runtime;

namespace {
/// What /proc says of a process.
struct Stat {
  char state = 0;
  uint64_t startTime = 0;
};
} // namespace

static std::string firstLine(const std::string &path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

/// Nothing if there is no such process, or it is hidden.
static std::optional<Stat> readStat(const std::string &process) {
  const std::string line = firstLine(absl::StrCat("/proc/", process, "/stat"));
  // The name in the second field may hold anything.
  const size_t name = line.rfind(')');
  if (name == std::string::npos)
    return std::nullopt;
  const std::vector<absl::string_view> fields = absl::StrSplit(
      absl::string_view(line).substr(name + 1), ' ', absl::SkipEmpty());
  constexpr size_t state = 0,
                   startTime = 19; // Fields 3 and 22 of proc(5)'s stat.
  Stat stat;
  if (fields.size() <= startTime ||
      !absl::SimpleAtoi(fields[startTime], &stat.startTime))
    return std::nullopt;
  stat.state = fields[state][0];
  return stat;
}

/// A restart of the machine changes the first part, a container the second.
static std::string nameHost() {
  const std::string boot = firstLine("/proc/sys/kernel/random/boot_id");
  char space[64];
  const ssize_t size = readlink("/proc/self/ns/pid", space, sizeof(space));
  if (boot.empty() || size <= 0 || size == sizeof(space))
    return "";
  return absl::StrCat(boot, " ", absl::string_view(space, size));
}

const ProcessId &ps::runtime::ownProcess() {
  static const ProcessId own = [] {
    const std::optional<Stat> stat = readStat("self");
    if (!stat)
      return ProcessId();
    return ProcessId{nameHost(), getpid(), stat->startTime};
  }();
  return own;
}

ProcessState ps::runtime::findProcess(const ProcessId &process) {
  if (process.host.empty() || process.host != ownProcess().host ||
      process.pid <= 0 || process.pid > INT_MAX)
    return ProcessState::Unknown;
  if (const std::optional<Stat> stat = readStat(absl::StrCat(process.pid)))
    // A zombie has closed its connections, and waits to be reaped.
    return stat->startTime == process.startTime && stat->state != 'Z' &&
                   stat->state != 'X'
               ? ProcessState::Running
               : ProcessState::Ended;
  // /proc may hide the processes of others; this does not.
  if (kill(static_cast<pid_t>(process.pid), 0) != 0 && errno == ESRCH)
    return ProcessState::Ended;
  return ProcessState::Unknown;
}
