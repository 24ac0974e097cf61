// SPDX-License-Identifier: Apache-2.0
//===- StopForOther.h - a stop that another process was asked for ---------===//

#ifndef PS_TOOLS_PS_RUN_INTERRUPT_STOPFOROTHER_H
#define PS_TOOLS_PS_RUN_INTERRUPT_STOPFOROTHER_H

#include "runtime/base/Log.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include <thread>

namespace ps {

/// What a process logs that stops because another one of the job was asked to.
inline constexpr char stopsForOther[] =
    "another process of the job was asked to stop";

/// Has this process stop, and exit, as one that was asked to itself. Does not
/// block, also where a callback of `stop` calls it.
inline void stopForOther(const StopSignal &stop) {
  std::thread([stop] {
    if (!stop.requested())
      runtime::logInfo(stopsForOther);
    stop.request();
  }).detach();
}

/// Returns when stop.requested() is true. Not to be called from a callback of
/// `stop`.
inline void requestStop(const StopSignal &stop) {
  stop.request();
  stop.await();
}

} // namespace ps

#endif // PS_TOOLS_PS_RUN_INTERRUPT_STOPFOROTHER_H
