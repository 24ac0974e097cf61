// SPDX-License-Identifier: Apache-2.0
//===- Metrics.cpp - what a run measured, one JSON object per line --------===//
//
// An error while writing is kept for close(): a full disk must not end a
// training run.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/output/Metrics.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/StagedFile.h"
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ps;

static absl::Status failure(const std::string &path, int error) {
  return absl::UnavailableError(absl::StrCat("cannot write metrics to '", path,
                                             "': ", std::strerror(error)));
}

/// Whether `line` is what a run wrote of one of its first `steps` steps.
static bool isBefore(const std::string &line, int64_t steps) {
  const auto json =
      nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    return false;
  auto step = json.find("step"), phase = json.find("phase");
  return step != json.end() && step->is_number_integer() &&
         step->get<int64_t>() < steps && phase != json.end() &&
         *phase != "serve" && *phase != "end";
}

/// The killed process may have written of steps that are taken again, and part
/// of a line.
static absl::Status keepBefore(const std::string &path, int64_t steps) {
  std::error_code ignored;
  // A pipe or a terminal has no lines of before.
  if (!std::filesystem::is_regular_file(path, ignored))
    return absl::OkStatus();
  std::ifstream from(path);
  if (!from)
    return absl::OkStatus();
  ASSIGN_OR_RETURN(auto to, runtime::StagedFile::create(path));
  uint64_t size = 0;
  for (std::string line; std::getline(from, line);) {
    if (!isBefore(line, steps))
      continue;
    line += '\n';
    RETURN_IF_ERROR(to->write(line.data(), line.size(), size));
    size += line.size();
  }
  return to->publish();
}

absl::StatusOr<Metrics> Metrics::open(const std::string &path,
                                      const std::string &role, int id,
                                      int64_t resumedAfter) {
  Metrics metrics;
  metrics.path = path;
  metrics.role = role;
  metrics.id = id;
  if (path.empty())
    return metrics;
  if (resumedAfter > 0)
    RETURN_IF_ERROR(keepBefore(path, resumedAfter));
  metrics.file.reset(fopen(path.c_str(), resumedAfter > 0 ? "a" : "w"));
  if (!metrics.file)
    return failure(path, errno);
  return metrics;
}

std::string ps::quoteJson(absl::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      absl::StrAppendFormat(&quoted, "\\u%04x", c);
    else
      quoted += c;
  }
  return quoted + '"';
}

/// As few digits as it takes to read the same f32, or else f64, back.
static std::string number(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[32];
  float narrow = static_cast<float>(value);
  std::to_chars_result end =
      narrow == value ? std::to_chars(text, text + sizeof(text), narrow)
                      : std::to_chars(text, text + sizeof(text), value);
  return {text, end.ptr};
}

std::string ps::toJson(const MetricsRecord &record, const std::string &role,
                       int id) {
  bool serves = record.phase == "serve";
  std::string line = absl::StrCat("{\"role\":", quoteJson(role), ",\"id\":", id,
                                  ",\"phase\":", quoteJson(record.phase));
  if (!serves)
    absl::StrAppend(&line, ",\"epoch\":", record.epoch);
  absl::StrAppend(&line, ",\"step\":", record.step);
  for (const auto &[name, value] : record.scalars)
    absl::StrAppend(&line, ",", quoteJson(name), ":", number(value));
  for (const auto &[name, value] : record.learningRates)
    absl::StrAppend(&line, ",", quoteJson(name), ":", number(value));
  if (!serves)
    absl::StrAppendFormat(&line, ",\"examples_per_second\":%.1f",
                          record.examplesPerSecond);
  if (record.phase == "end")
    absl::StrAppend(
        &line, ",\"saved\":[",
        absl::StrJoin(record.saved, ",",
                      [](std::string *out, const std::string &name) {
                        out->append(quoteJson(name));
                      }),
        "]");
  absl::StrAppendFormat(&line, ",\"seconds\":%.3f", record.seconds);
  return line + "}";
}

Scalars Metrics::allNumbers(const MetricsRecord &record) {
  Scalars all = record.scalars;
  all.insert(all.end(), record.learningRates.begin(),
             record.learningRates.end());
  if (record.phase != "serve")
    all.emplace_back("examples_per_second", record.examplesPerSecond);
  return all;
}

/// What is drawn by step.
void Metrics::report(const MetricsRecord &record) {
  if (events) {
    Scalars tagged = allNumbers(record);
    for (auto &[name, value] : tagged)
      name = absl::StrCat(record.phase, "/", name);
    events->add(absl::Now(), record.step, tagged);
  }
  if (server) {
    for (const auto &[name, value] : allNumbers(record))
      server->set(name, record.phase, value);
    server->set("epoch", record.phase, static_cast<double>(record.epoch));
    server->set("step", record.phase, static_cast<double>(record.step));
    server->set("seconds", record.phase, record.seconds);
  }
}

void Metrics::write(MetricsRecord record) {
  using std::chrono::duration;
  const auto now = runtime::Clock::steady().now();
  record.seconds = duration<double>(now - began).count();
  if (record.phase != "end")
    report(record);
  if (file &&
      fputs(absl::StrCat(toJson(record, role, id), "\n").c_str(), file.get()) <
          0 &&
      error == 0)
    error = errno;
  // Not after every line: with steps of microseconds the flushes would
  // dominate.
  if (now - flushed > std::chrono::milliseconds(500))
    flush();
}

void Metrics::flush() {
  if (events)
    events->flush();
  if (file && fflush(file.get()) != 0 && error == 0)
    error = errno;
  flushed = runtime::Clock::steady().now();
}

absl::Status Metrics::close() {
  server.reset();
  absl::Status status = events ? events->close() : absl::OkStatus();
  if (!file)
    return status;
  // fclose frees the file even when it fails.
  if (fclose(file.release()) != 0 && error == 0)
    error = errno;
  return error ? failure(path, error) : status;
}
