// SPDX-License-Identifier: Apache-2.0
//===- Log.h - where progress lines go ------------------------------------===//

#ifndef PS_RUNTIME_BASE_LOG_H
#define PS_RUNTIME_BASE_LOG_H

#include <functional>
#include <string>

namespace ps::runtime {

/// Where progress lines go; null is stderr.
using Log = std::function<void(const std::string &line)>;

/// Writes `line` to `log`, or to stderr in one piece: trainers of one process
/// write at the same time.
void logLine(const Log &log, const std::string &line);

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_LOG_H
