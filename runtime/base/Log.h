// SPDX-License-Identifier: Apache-2.0
//===- Log.h - where progress lines go ------------------------------------===//
//
// All that a process writes to stderr goes through these functions, in the
// format that the user has chosen. Thread-safe.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_BASE_LOG_H
#define PS_RUNTIME_BASE_LOG_H

#include "absl/strings/string_view.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ps::runtime {

/// Where progress lines go; null is stderr.
using Log = std::function<void(const std::string &line)>;

/// Writes `line` to `log`, or to stderr in one piece: trainers of one process
/// write at the same time. `step`, where given, is the one that it is about.
void logLine(const Log &log, const std::string &line,
             std::optional<int64_t> step = std::nullopt);
/// The same for something that users should look into.
void logWarning(const Log &log, const std::string &text,
                std::optional<int64_t> step = std::nullopt);

enum class LogFormat {
  /// A level other than Info is a prefix: "ps-run: warning: ".
  Text,
  /// One object a line: time (UTC, with milliseconds), level, role, rank,
  /// message, and step where it is known. Role and rank are null where there is
  /// none.
  Json,
};
enum class LogLevel { Info, Warning, Error };

/// Writes to stderr. Text takes no memory: it may be what is missing.
void writeLog(LogLevel level, absl::string_view message,
              std::optional<int64_t> step = std::nullopt);
inline void logInfo(absl::string_view message,
                    std::optional<int64_t> step = std::nullopt) {
  writeLog(LogLevel::Info, message, step);
}
inline void logWarning(absl::string_view message,
                       std::optional<int64_t> step = std::nullopt) {
  writeLog(LogLevel::Warning, message, step);
}
inline void logError(absl::string_view message) {
  writeLog(LogLevel::Error, message);
}

/// The format of this process from now on, and what its lines are from. `role`
/// is a literal.
void setLogFormat(LogFormat format);
LogFormat getLogFormat();
void setLogProcess(const char *role, std::optional<int> rank = std::nullopt);
/// The step of lines that are about no other one, from now on: for a process
/// that trains one.
void setLogStep(int64_t step);

/// What writeLog() writes, without the end of the line.
std::string formatLog(LogLevel level, absl::string_view message,
                      std::optional<int64_t> step = std::nullopt);

struct LogRecord {
  LogLevel level = LogLevel::Info;
  std::string message;
  /// Whether the line has the format of JSON.
  bool isJson = false;
};
/// Reads a line of either format. Any other line is a message itself.
LogRecord parseLog(absl::string_view line);

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_LOG_H
