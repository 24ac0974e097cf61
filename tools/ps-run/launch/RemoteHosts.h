// SPDX-License-Identifier: Apache-2.0
//===- RemoteHosts.h - the machines of a job ------------------------------===//

#ifndef PS_TOOLS_PS_RUN_LAUNCH_REMOTEHOSTS_H
#define PS_TOOLS_PS_RUN_LAUNCH_REMOTEHOSTS_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include <string>
#include <vector>

namespace ps {

/// On which machine each process of a job runs, by rank.
struct HostPlan {
  std::vector<std::string> pservers, trainers;
};

/// Reads lines "HOST", "HOST slots=N" or "HOST pservers=N trainers=M"; what
/// follows a # is a comment. Without counts pservers are assigned to the slots
/// in turn, and so are trainers. Usage errors name its number.
absl::StatusOr<HostPlan> planHosts(const std::string &path, int pservers,
                                   int trainers);
/// The same of a text; `path` is for messages.
absl::StatusOr<HostPlan> parseHosts(absl::string_view text,
                                    const std::string &path, int pservers,
                                    int trainers);

/// As one word of a command: in quotes if it has more than letters, digits and
/// a few marks that no shell has a meaning for.
std::string quoteForShell(const std::string &text);

/// What a process is to be on another machine.
struct RemoteProcess {
  /// Starts a command there: "ssh", with arguments of its own.
  std::string ssh;
  std::string host;
  /// Where it runs, and the files that have to be there.
  std::string folder;
  std::string program, script;
  /// "NAME=value"
  std::vector<std::string> environment;
  std::vector<std::string> arguments;
};

/// The command line that starts it, from this machine. A line "INT" or "TERM"
/// on its standard input is a signal for the process, and the end of the input,
/// as when this machine ends, kills it.
std::vector<std::string> remoteCommand(const RemoteProcess &process);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LAUNCH_REMOTEHOSTS_H
