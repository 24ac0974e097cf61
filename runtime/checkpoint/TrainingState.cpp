// SPDX-License-Identifier: Apache-2.0
//===- TrainingState.cpp - how far a saved run had come -------------------===//
//
// training.json beside the model: the position in the data, which data it is,
// the optimizer's files and the id that all files of the checkpoint carry.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/TrainingState.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/SlotFiles.h"
#include "runtime/checkpoint/StagedFile.h"
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

using namespace ps::runtime;
using Json = nlohmann::ordered_json;

namespace {
/// A longer file is not one that was saved.
constexpr size_t kMaxBytes = size_t{1} << 20;
/// So much of a wrong name goes into the error.
constexpr size_t kMaxQuoted = 80;

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

bool readCount(const Json &json, const char *key, int64_t &value) {
  auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned())
    return false;
  const uint64_t number = found->get<uint64_t>();
  // Epochs and steps are multiplied.
  if (number >= uint64_t{1} << 31)
    return false;
  value = static_cast<int64_t>(number);
  return true;
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
} // namespace

std::string ps::runtime::trainingStatePath(const std::string &dir) {
  return (std::filesystem::path(dir) / "training.json").string();
}

std::string ps::runtime::formatTrainingState(const TrainingState &state) {
  Json json;
  json["epoch"] = state.epoch;
  json["step"] = state.step;
  json["data"] = Json::object();
  for (const auto &[key, value] : state.data)
    json["data"][key] = value;
  json["optimizer_files"] = state.optimizerFiles;
  json["checkpoint_id"] = state.checkpointId;
  // Names of data need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object())
    return malformed(path, "a JSON object");
  TrainingState state;
  if (!readCount(json, "epoch", state.epoch) ||
      !readCount(json, "step", state.step))
    return malformed(path, "numbers below 2^31 as 'epoch' and 'step'");
  if (!readStrings(json, state))
    return malformed(path, "a string as 'checkpoint_id', names of files as "
                           "'optimizer_files' and strings in 'data'");
  // The names are opened: none may lead out of the folder.
  for (const std::string &file : state.optimizerFiles)
    if (!isSlotFileName(file))
      return malformed(
          path, absl::StrCat("names such as '", slotPartPath("", 0, 1),
                             "' in 'optimizer_files', found '",
                             printable(file.substr(0, kMaxQuoted)), "'"));
  return state;
}
