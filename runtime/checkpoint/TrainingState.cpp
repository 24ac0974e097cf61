// SPDX-License-Identifier: Apache-2.0
//===- TrainingState.cpp - how far a saved run had come -------------------===//
//
// training.json beside the model: the position in the data, which data it is,
// the optimizer's files, the id that all files of the checkpoint carry, their
// checksums and one of all this as compact JSON, whatever its layout.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/TrainingState.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/SlotFiles.h"
#include "runtime/checkpoint/StagedFile.h"
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

using namespace ps::runtime;
using Json = nlohmann::ordered_json;

namespace {
/// A longer file is not one that was saved.
constexpr size_t kMaxBytes = size_t{1} << 24;
/// So much of a wrong name goes into the error.
constexpr size_t kMaxQuoted = 80;
/// The checksum, of a file or of the other members.
constexpr char kXxh3[] = "xxh3";

absl::Status malformed(const std::string &path, const std::string &expected) {
  return absl::DataLossError(absl::StrCat("'", path, "': expected ", expected));
}

/// Without waiting for the other end, should it be a pipe.
absl::StatusOr<std::optional<std::string>> readText(const std::string &path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return std::nullopt;
  if (!std::filesystem::is_regular_file(status))
    return malformed(path, "a regular file");
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
      std::fopen(path.c_str(), "re"), std::fclose);
  if (!file)
    return fileError(errno, path, "cannot open");
  std::string text(kMaxBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()))
    return fileError(EIO, path, "cannot read");
  if (text.size() > kMaxBytes)
    return malformed(path, absl::StrCat("at most ", kMaxBytes, " bytes"));
  return text;
}

/// Epochs and steps of one are multiplied.
constexpr uint64_t kMostCounted = uint64_t{1} << 31;
/// What a number of JSON holds.
constexpr uint64_t kMostSteps = uint64_t{1} << 53;

/// Reads a number below `limit`.
bool readCount(const Json &json, const char *key, int64_t &value,
               uint64_t limit = kMostCounted) {
  auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned())
    return false;
  const uint64_t number = found->get<uint64_t>();
  if (number >= limit)
    return false;
  value = static_cast<int64_t>(number);
  return true;
}

bool readRun(const Json &json, std::optional<RunProgress> &run) {
  auto found = json.find("run");
  if (found == json.end())
    return true;
  run.emplace();
  return found->is_object() &&
         readCount(*found, "steps", run->steps, kMostSteps) &&
         readCount(*found, "first_epoch", run->epoch) &&
         readCount(*found, "first_step", run->step);
}

bool readBest(const Json &json, std::optional<BestEvaluation> &best) {
  auto found = json.find("best");
  if (found == json.end())
    return true;
  best.emplace();
  if (!found->is_object())
    return false;
  auto value = found->find("value");
  if (value == found->end() || !value->is_number())
    return false;
  best->value = value->get<double>();
  return std::isfinite(best->value) &&
         readCount(*found, "step", best->step, kMostSteps) &&
         readCount(*found, "since", best->since, kMostSteps);
}

bool readStrings(const Json &json, TrainingState &state) {
  auto id = json.find("checkpoint_id"), files = json.find("optimizer_files"),
       data = json.find("data");
  if (id == json.end() || !id->is_string() || files == json.end() ||
      !files->is_array() || data == json.end() || !data->is_object())
    return false;
  state.checkpointId = id->get<std::string>();
  for (const Json &file : *files) {
    if (!file.is_string())
      return false;
    state.optimizerFiles.push_back(file.get<std::string>());
  }
  for (const auto &[key, value] : data->items()) {
    if (!value.is_string())
      return false;
    state.data[key] = value.get<std::string>();
  }
  return true;
}

/// Names are looked up in the folder: none may lead out of it.
bool isPlainName(const std::string &name) {
  constexpr size_t longest = 255;
  return !name.empty() && name.size() <= longest && name != "." &&
         name != ".." && name.find('/') == name.npos && printable(name) == name;
}

bool readFile(const Json &json, FileChecksum &file) {
  if (!json.is_object())
    return false;
  auto bytes = json.find("bytes"), xxh3 = json.find(kXxh3);
  if (bytes == json.end() || !bytes->is_number_unsigned() ||
      xxh3 == json.end() || !xxh3->is_string())
    return false;
  const auto number = parseXxh3(xxh3->get<std::string>());
  if (number)
    file = {bytes->get<uint64_t>(), *number};
  return number.has_value();
}

/// Where there are any, an empty list would be one that has lost them.
bool readFiles(const Json &json, FileChecksums &files) {
  auto found = json.find("files");
  if (found == json.end())
    return true;
  if (!found->is_object() || found->empty())
    return false;
  for (const auto &[name, file] : found->items())
    if (!isPlainName(name) || !readFile(file, files[name]))
      return false;
  return true;
}

/// Whether `text` nests more than the format does: the parser's values are
/// written and destroyed by recursion.
bool nestsTooDeep(std::string_view text) {
  constexpr int most = 8;
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      inString = !inString;
    else if (inString && text[i] == '\\')
      ++i;
    else if (!inString && (text[i] == '{' || text[i] == '['))
      ++depth;
    else if (!inString && (text[i] == '}' || text[i] == ']'))
      --depth;
    if (depth > most)
      return true;
  }
  return false;
}

/// Names of data need not be UTF-8.
std::string dump(const Json &json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Takes the checksum of the other members out of `json`. Files that were saved
/// without checksums have none.
absl::Status checkOwnChecksum(const std::string &path, Json &json) {
  auto found = json.find(kXxh3);
  if (found == json.end())
    return json.contains("files")
               ? malformed(path, "'xxh3', the checksum of what it contains")
               : absl::OkStatus();
  const std::string expected =
      found->is_string() ? found->get<std::string>() : "";
  json.erase(kXxh3);
  const std::string computed = formatXxh3(computeXxh3(dump(json, -1)));
  if (computed == expected)
    return absl::OkStatus();
  return damaged(path, absl::StrCat("expected contents of checksum ",
                                    printable(expected.substr(0, kMaxQuoted)),
                                    " as its 'xxh3' says, found ", computed));
}
} // namespace

std::string ps::runtime::trainingStatePath(const std::string &dir) {
  return (std::filesystem::path(dir) / "training.json").string();
}

bool ps::runtime::hasTrainingState(const std::string &dir) {
  std::error_code ignored;
  return std::filesystem::exists(trainingStatePath(dir), ignored);
}

std::string ps::runtime::formatTrainingState(const TrainingState &state) {
  Json json;
  json["epoch"] = state.epoch;
  json["step"] = state.step;
  json["data"] = Json::object();
  for (const auto &[key, value] : state.data)
    json["data"][key] = value;
  if (state.run)
    json["run"] = {{"steps", state.run->steps},
                   {"first_epoch", state.run->epoch},
                   {"first_step", state.run->step}};
  if (state.best)
    json["best"] = {{"value", state.best->value},
                    {"step", state.best->step},
                    {"since", state.best->since}};
  json["optimizer_files"] = state.optimizerFiles;
  json["checkpoint_id"] = state.checkpointId;
  for (const auto &[name, file] : state.files)
    json["files"][name] = {{"bytes", file.bytes},
                           {kXxh3, formatXxh3(file.xxh3)}};
  json[kXxh3] = formatXxh3(computeXxh3(dump(json, -1)));
  return dump(json, 2) + "\n";
}

absl::StatusOr<std::optional<TrainingState>>
ps::runtime::readTrainingState(const std::string &dir) {
  return readTrainingStateFile(trainingStatePath(dir));
}

absl::StatusOr<std::optional<TrainingState>>
ps::runtime::readTrainingStateFile(const std::string &path) {
  ASSIGN_OR_RETURN(std::optional<std::string> text, readText(path));
  if (!text)
    return std::nullopt;
  if (nestsTooDeep(*text))
    return malformed(path, "values that are nested less");
  Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object())
    return malformed(path, "a JSON object");
  RETURN_IF_ERROR(checkOwnChecksum(path, json));
  TrainingState state;
  if (!readCount(json, "epoch", state.epoch) ||
      !readCount(json, "step", state.step))
    return malformed(path, "numbers below 2^31 as 'epoch' and 'step'");
  if (!readRun(json, state.run))
    return malformed(path, "numbers below 2^53 as 'steps', and below 2^31 as "
                           "'first_epoch' and 'first_step', in 'run'");
  if (!readBest(json, state.best))
    return malformed(path, "a number as 'value', and numbers below 2^53 as "
                           "'step' and 'since', in 'best'");
  if (!readStrings(json, state))
    return malformed(path, "a string as 'checkpoint_id', names of files as "
                           "'optimizer_files' and strings in 'data'");
  if (!readFiles(json, state.files))
    return malformed(path, "in 'files' names of files without their folder, "
                           "each with 'bytes' and the 16 hexadecimal digits of "
                           "'xxh3'");
  // The names are opened: none may lead out of the folder.
  for (const std::string &file : state.optimizerFiles)
    if (!isSlotFileName(file))
      return malformed(
          path, absl::StrCat("names such as '", slotPartPath("", 0, 1),
                             "' in 'optimizer_files', found '",
                             printable(file.substr(0, kMaxQuoted)), "'"));
  return state;
}
