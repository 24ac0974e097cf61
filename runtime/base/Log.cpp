// SPDX-License-Identifier: Apache-2.0
//===- Log.cpp - where progress lines go ----------------------------------===//
//
// The only place that writes to stderr. What all lines of a process have is in
// atomics, not behind a lock: a thread that runs out of memory while it formats
// a line writes another one, which says so.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Log.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "runtime/base/LiveLine.h"
#include <atomic>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace ps::runtime;
using Json = nlohmann::ordered_json;

namespace {

constexpr LogLevel levels[] = {LogLevel::Info, LogLevel::Warning,
                               LogLevel::Error};

constexpr int64_t unknown = -1;
std::atomic<LogFormat> chosen{LogFormat::Text};
std::atomic<const char *> processRole{nullptr};
std::atomic<int> processRank{unknown};
std::atomic<int64_t> processStep{unknown};

const char *nameOf(LogLevel level) {
  switch (level) {
  case LogLevel::Info:
    return "info";
  case LogLevel::Warning:
    return "warning";
  case LogLevel::Error:
    return "error";
  }
  return "";
}

const char *prefixOf(LogLevel level) {
  switch (level) {
  case LogLevel::Info:
    return "";
  case LogLevel::Warning:
    return "ps-run: warning: ";
  case LogLevel::Error:
    return "ps-run: error: ";
  }
  return "";
}

std::string formatJson(LogLevel level, absl::string_view message,
                       std::optional<int64_t> step) {
  const char *role = processRole;
  const int rank = processRank;
  if (const int64_t known = processStep; !step && known != unknown)
    step = known;
  Json line;
  line["time"] = absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::Now(),
                                  absl::UTCTimeZone());
  line["level"] = nameOf(level);
  line["role"] = role ? Json(role) : Json();
  line["rank"] = rank == unknown ? Json() : Json(rank);
  line["message"] = std::string(message);
  if (step)
    line["step"] = *step;
  // Names of files may have any bytes.
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

void ps::runtime::setLogFormat(LogFormat format) { chosen = format; }

LogFormat ps::runtime::getLogFormat() { return chosen; }

void ps::runtime::setLogProcess(const char *role, std::optional<int> rank) {
  processRole = role;
  processRank = rank.value_or(unknown);
}

void ps::runtime::setLogStep(int64_t step) { processStep = step; }

std::string ps::runtime::formatLog(LogLevel level, absl::string_view message,
                                   std::optional<int64_t> step) {
  return chosen == LogFormat::Json ? formatJson(level, message, step)
                                   : absl::StrCat(prefixOf(level), message);
}

void ps::runtime::writeLog(LogLevel level, absl::string_view message,
                           std::optional<int64_t> step) {
  const bool isJson = chosen == LogFormat::Json;
  const std::string json = isJson ? formatJson(level, message, step) : "";
  const LiveLinePause pause;
  if (isJson)
    fprintf(stderr, "%s\n", json.c_str());
  else
    fprintf(stderr, "%s%.*s\n", prefixOf(level),
            static_cast<int>(message.size()), message.data());
}

void ps::runtime::logLine(const Log &log, const std::string &line,
                          std::optional<int64_t> step) {
  if (log)
    log(line);
  else
    logInfo(line, step);
}

void ps::runtime::logWarning(const Log &log, const std::string &text,
                             std::optional<int64_t> step) {
  if (log)
    log(absl::StrCat(prefixOf(LogLevel::Warning), text));
  else
    logWarning(text, step);
}

LogRecord ps::runtime::parseLog(absl::string_view line) {
  for (LogLevel level : {LogLevel::Warning, LogLevel::Error})
    if (absl::string_view text = line;
        absl::ConsumePrefix(&text, prefixOf(level)))
      return {level, std::string(text)};
  if (line.substr(0, 1) != "{")
    return {LogLevel::Info, std::string(line)};
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (json.is_object() && json.contains("level") && json.contains("message") &&
      json["message"].is_string())
    for (LogLevel level : levels)
      if (json["level"] == nameOf(level))
        return {level, json["message"].get<std::string>(), true};
  return {LogLevel::Info, std::string(line)};
}
