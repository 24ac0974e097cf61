// SPDX-License-Identifier: Apache-2.0
//===- Rejoin.h - a process that begins anew ------------------------------===//

#ifndef PS_TOOLS_PS_RUN_MEMBERSHIP_REJOIN_H
#define PS_TOOLS_PS_RUN_MEMBERSHIP_REJOIN_H

namespace ps {

/// Ends all that this process does, as SIGKILL would, and runs its program with
/// its arguments again under the same process id. On any thread.
[[noreturn]] void executeAnew();

} // namespace ps

#endif // PS_TOOLS_PS_RUN_MEMBERSHIP_REJOIN_H
