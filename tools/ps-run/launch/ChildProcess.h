// SPDX-License-Identifier: Apache-2.0
//===- ChildProcess.h - a process that does not outlive us ----------------===//

#ifndef PS_TOOLS_PS_RUN_LAUNCH_CHILDPROCESS_H
#define PS_TOOLS_PS_RUN_LAUNCH_CHILDPROCESS_H

#include "absl/status/statusor.h"
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ps {

/// A started program; killed and reaped by the destructor. Thread-compatible.
class ChildProcess {
public:
  /// Exit code when the program could not be run, as shells have it.
  static constexpr int cannotRun = 127;

  struct Options {
    /// For messages: "trainer 0".
    std::string name;
    /// The program and its arguments.
    std::vector<std::string> arguments;
    /// "NAME=value"; the whole environment.
    std::vector<std::string> environment;
    /// Where stdout and stderr go; empty: where ours go.
    std::string log;
    /// A line to append to the log first; empty: the log is truncated.
    std::string heading = "";
    /// The process runs for one on another machine: gets SIGINT and SIGTERM as
    /// lines "INT" and "TERM" on its standard input, whose end kills it there.
    bool relaysSignals = false;
    /// Else: its standard input, which start() does not close; -1 for ours.
    /// From ours it cannot read where that is a terminal.
    int input = -1;
  };
  /// The process gets a group of its own, so that a terminal's Ctrl-C does not
  /// reach it, and dies with the calling thread.
  static absl::StatusOr<ChildProcess> start(Options options);
  ChildProcess(ChildProcess &&other) noexcept;
  ChildProcess &operator=(ChildProcess &&other) noexcept;
  ~ChildProcess();

  const std::string &name() const { return options.name; }
  const std::string &log() const { return options.log; }
  const std::string &program() const { return options.arguments.front(); }
  /// The offset in the log at which this process's output begins.
  int64_t logBegin() const { return begin; }

  /// -1 after the end.
  pid_t id() const { return pid; }

  /// The exit code once the process has ended, -N when signal N killed it.
  /// Does not wait.
  std::optional<int> poll();
  /// Waits for the end.
  int wait();
  /// Does nothing after the end.
  void signal(int number);
  /// Readable once the process has ended; -1 afterwards.
  int descriptor() const { return pidDescriptor; }

private:
  explicit ChildProcess(Options options) : options(std::move(options)) {}
  /// Returns the log's descriptor.
  absl::StatusOr<int> openLog();
  void reap(int flags);
  void ended(int status);
  void closeInput();

  Options options;
  pid_t pid = -1;
  int pidDescriptor = -1;
  /// The end of its standard input that we hold.
  int input = -1;
  int64_t begin = 0;
  std::optional<int> code;
};

/// The file that this program was run from when this was called first, which a
/// child may run, too.
const std::string &ownProgram();

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LAUNCH_CHILDPROCESS_H
