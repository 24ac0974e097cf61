// SPDX-License-Identifier: Apache-2.0
//===- TraceMerge.cpp - the traces of a job in one file -------------------===//
//
// 1. readOrigins: the name of each process, and where its clock is, which the
//    first and the last line of its file have.
// 2. Files are sorted by role and rank, which become rows in that order.
// 3. copyEvents: line by line, as traces may be larger than memory. Processes
//    are numbered anew, for ids of several machines may be the same, and
//    transfers, whose ids are of one process.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/output/TraceMerge.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/StagedFile.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

using namespace ps;
using Json = nlohmann::ordered_json;

namespace {

/// A file, and what is known of its process.
struct Origin {
  std::string file;
  /// "trainer 0".
  std::string process;
  /// The machine since it was started, "" if the file does not say it, and by
  /// how many microseconds its wall clock is ahead of the trace's.
  std::string machine;
  double wallOffset = 0;

  /// Trainers first.
  std::tuple<bool, std::string, int64_t> order() const {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(process, absl::MaxSplits(' ', 1));
    int64_t rank = 0;
    const bool isRanked = absl::SimpleAtoi(parts.second, &rank);
    return {parts.first != "trainer", isRanked ? parts.first : process, rank};
  }
};

} // namespace

/// The event that a merged file has before those of each process.
static constexpr const char *sortIndex = "process_sort_index";

static absl::Status malformed(const std::string &file, int64_t line) {
  return absl::InvalidArgumentError(absl::StrCat(
      file, ":", line, ": expected a line of a trace that --trace wrote"));
}

/// The object of a line between the brackets of the list; discarded for one
/// that is none.
static Json parseEvent(absl::string_view line) {
  line = absl::StripAsciiWhitespace(line);
  absl::ConsumeSuffix(&line, ",");
  return Json::parse(line, /*cb=*/nullptr, /*allow_exceptions=*/false);
}

static bool isFirstLine(const std::string &line) {
  return absl::StartsWith(line, "{\"displayTimeUnit\"");
}
static bool isLastLine(const std::string &line) {
  return absl::StartsWith(line, "]");
}

static absl::StatusOr<std::ifstream> open(const std::string &file) {
  std::ifstream stream(file);
  if (!stream)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", file, "': ", std::strerror(errno)));
  return stream;
}

/// The last line says which clock the times are of.
static void readClock(std::ifstream &stream, Origin &origin) {
  constexpr std::streamoff most = 4096;
  stream.clear();
  stream.seekg(0, std::ios::end);
  stream.seekg(std::max<std::streamoff>(stream.tellg() - most, 0));
  std::string line, last;
  while (std::getline(stream, line))
    last = line;
  const Json json = Json::parse(absl::StrCat("{\"traceEvents\":[", last),
                                /*cb=*/nullptr, /*allow_exceptions=*/false);
  const Json data = json.is_object() ? json.value("otherData", Json()) : Json();
  if (!data.is_object() || !data.contains("boot") ||
      !data["boot"].is_string() || !data.contains("wall_offset_us") ||
      !data["wall_offset_us"].is_number())
    return;
  origin.machine = data["boot"];
  origin.wallOffset = data["wall_offset_us"];
}

static absl::StatusOr<Origin> readOrigin(const std::string &file) {
  Origin origin{.file = file, .process = "", .machine = ""};
  ASSIGN_OR_RETURN(std::ifstream stream, open(file));
  std::string line;
  if (!std::getline(stream, line) || !isFirstLine(line))
    return malformed(file, 1);
  const Json event = std::getline(stream, line) ? parseEvent(line) : Json();
  if (event.is_object() && event.value("name", Json()) == sortIndex)
    return absl::InvalidArgumentError(
        absl::StrCat("'", file,
                     "' holds the merged traces of a job: expected files that "
                     "were not merged, which launch --trace does itself"));
  if (!event.is_object() || event.value("name", Json()) != "process_name" ||
      !event.contains("args") || !event["args"].is_object() ||
      !event["args"].contains("name") || !event["args"]["name"].is_string())
    return malformed(file, 2);
  origin.process = event["args"]["name"];
  readClock(stream, origin);
  return origin;
}

static absl::StatusOr<std::vector<Origin>>
readOrigins(std::span<const std::string> files) {
  std::vector<Origin> origins;
  for (const std::string &file : files) {
    ASSIGN_OR_RETURN(Origin origin, readOrigin(file));
    origins.push_back(std::move(origin));
  }
  std::ranges::stable_sort(origins, {}, &Origin::order);
  return origins;
}

namespace {

/// Writes the events of files one after the other.
class Merger {
public:
  explicit Merger(runtime::StagedFile &to) : to(to) {}

  absl::Status begin();
  /// Moves times by `shift` microseconds.
  absl::Status copyEvents(const Origin &origin, double shift);
  absl::Status finish();

private:
  absl::Status flush();
  absl::Status put(absl::string_view text);
  absl::Status putEvent(const Json &event);

  runtime::StagedFile &to;
  uint64_t size = 0;
  /// Lines that are not written yet.
  std::string buffer;
  int process = 0;
};

} // namespace

absl::Status Merger::put(absl::string_view text) {
  absl::StrAppend(&buffer, text);
  if (buffer.size() < size_t{1} << 20)
    return absl::OkStatus();
  return flush();
}

absl::Status Merger::flush() {
  RETURN_IF_ERROR(to.write(buffer.data(), buffer.size(), size));
  size += buffer.size();
  buffer.clear();
  return absl::OkStatus();
}

absl::Status Merger::finish() {
  RETURN_IF_ERROR(put("\n]}\n"));
  return flush();
}

absl::Status Merger::begin() {
  return put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

absl::Status Merger::putEvent(const Json &event) {
  const bool isFirst = size == 0 && absl::EndsWith(buffer, "[\n");
  return put(
      absl::StrCat(isFirst ? "" : ",\n",
                   event.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

absl::Status Merger::copyEvents(const Origin &origin, double shift) {
  ++process;
  RETURN_IF_ERROR(putEvent({{"ph", "M"},
                            {"pid", process},
                            {"tid", 0},
                            {"name", sortIndex},
                            {"args", {{"sort_index", process}}}}));
  ASSIGN_OR_RETURN(std::ifstream stream, open(origin.file));
  std::string line;
  std::getline(stream, line);
  int64_t number = 2;
  for (; std::getline(stream, line) && !isLastLine(line); ++number) {
    Json event = parseEvent(line);
    if (!event.is_object() || !event.contains("ph"))
      return malformed(origin.file, number);
    event["pid"] = process;
    if (event.contains("id"))
      event["id"] = absl::StrCat(process, ".", event["id"].dump());
    if (event.contains("ts") && event["ts"].is_number() && shift != 0)
      event["ts"] = event["ts"].get<double>() + shift;
    RETURN_IF_ERROR(putEvent(event));
  }
  return isLastLine(line) ? absl::OkStatus() : malformed(origin.file, number);
}

absl::Status ps::mergeTraces(std::span<const std::string> files,
                             const std::string &output) {
  ASSIGN_OR_RETURN(const std::vector<Origin> origins, readOrigins(files));
  ASSIGN_OR_RETURN(auto to, runtime::StagedFile::create(output));
  Merger merger(*to);
  RETURN_IF_ERROR(merger.begin());
  const Origin &first = origins.front();
  for (const Origin &origin : origins) {
    const bool isElsewhere = !origin.machine.empty() &&
                             !first.machine.empty() &&
                             origin.machine != first.machine;
    RETURN_IF_ERROR(merger.copyEvents(
        origin, isElsewhere ? origin.wallOffset - first.wallOffset : 0));
  }
  RETURN_IF_ERROR(merger.finish());
  return to->publish();
}

/// Whether `name` is `file` or that with a suffix of another process.
static bool isTraceOf(absl::string_view name, const std::string &file) {
  int rank = 0;
  return absl::ConsumePrefix(&name, file) &&
         (name.empty() || ((absl::ConsumePrefix(&name, ".trainer-") ||
                            absl::ConsumePrefix(&name, ".pserver-")) &&
                           absl::SimpleAtoi(name, &rank)));
}

std::vector<std::string> ps::findTraces(const std::string &file,
                                        std::filesystem::file_time_type begin) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  const fs::path path(file);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (isTraceOf(it->path().filename().string(), path.filename().string()) &&
        it->last_write_time(ignored) >= begin && !ignored)
      found.push_back(it->path().string());
  }
  std::ranges::sort(found);
  return found;
}

void ps::mergeTracesOfJob(std::span<const std::string> traces,
                          const std::string &output) {
  if (traces.empty())
    return;
  if (absl::Status status = mergeTraces(traces, output); !status.ok())
    return runtime::logWarning(absl::StrCat(
        "the traces of the job are not in one file: ", status.message()));
  runtime::logInfo(
      absl::StrCat("trace of ", traces.size(), " processes: ", output));
}
