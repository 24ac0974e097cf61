// SPDX-License-Identifier: Apache-2.0
//===- Rejoin.h - a process that begins anew ------------------------------===//

#ifndef PS_TOOLS_PS_RUN_MEMBERSHIP_REJOIN_H
#define PS_TOOLS_PS_RUN_MEMBERSHIP_REJOIN_H

#include <string>
#include <vector>

namespace ps {

/// The signal that this process gets when its parent dies; 0 for none. On the
/// main thread: the system keeps it per thread, and others have none.
int findParentDeathSignal();

/// Ends all that this process does, as SIGKILL would, and runs its program with
/// its arguments again under the same process id, with that signal, and with
/// the environment that it has and `variables`, "NAME=value". On any thread.
[[noreturn]] void executeAnew(int parentDeathSignal,
                              std::vector<std::string> variables = {});

/// Whether executeAnew() has begun this program.
bool hasBegunAnew();

} // namespace ps

#endif // PS_TOOLS_PS_RUN_MEMBERSHIP_REJOIN_H
