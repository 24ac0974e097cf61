// SPDX-License-Identifier: Apache-2.0
//===- ModelFile.cpp - the variables of a model in a folder ---------------===//
//
// A pserver's variable may be a slice of a variable of the model: `origin` is
// the name in the file, and rows from `rowOffset` on are read from it.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/StagedCheckpoint.h"
#include "runtime/checkpoint/StagedFile.h"
#include <cerrno>
#include <filesystem>
#include <string_view>

using namespace ps::runtime;

std::string ps::runtime::modelPath(const std::string &dir) {
  return (std::filesystem::path(dir) / "model.safetensors").string();
}

/// Makes `dir` and what is missing above it. A folder is durable when the one
/// that it is in is.
static absl::Status createFolders(const std::string &dir) {
  std::error_code error;
  std::vector<std::string> parents;
  for (auto path = std::filesystem::absolute(dir, error);
       !std::filesystem::exists(path, error) && path.has_relative_path();
       path = path.parent_path())
    parents.push_back(path.parent_path());
  std::filesystem::create_directories(dir, error);
  if (error)
    return fileError(error.value(), dir, "cannot create the directory");
  // One may be writable but not readable, and cannot be synced then.
  for (const std::string &parent : parents)
    if (!syncFolder(parent) && errno != EACCES)
      return fileError(errno, parent, "cannot sync the directory");
  return absl::OkStatus();
}

absl::Status ps::runtime::checkWritable(const std::string &dir) {
  RETURN_IF_ERROR(createFolders(dir));
  std::error_code error;
  if (std::filesystem::is_directory(modelPath(dir), error))
    return fileError(EISDIR, modelPath(dir), "cannot replace");
  finishSave(dir);
  removeAbandoned(dir);
  // The probe is removed at the end of its scope.
  if (auto probe = StagedFile::create(modelPath(dir)); !probe.ok())
    return absl::Status(probe.status().code(),
                        absl::StrCat("'", dir,
                                     "': cannot write in the directory: ",
                                     probe.status().message()));
  return absl::OkStatus();
}

/// Every variable is checked before the first is read.
absl::Status ps::runtime::loadModel(const SafetensorsFile &model, Store &store,
                                    ModelMatch match,
                                    std::span<const std::string> tables) {
  const std::string &path = model.path();
  const auto &found = model.tensors();

  std::map<std::string_view, bool> used;
  for (const std::string &table : tables)
    used[table] = true;
  for (const VariableSpec &spec : store.variables()) {
    if (!spec.slotOf.empty())
      continue;
    used[spec.origin] = true;
    auto it = found.find(spec.origin);
    if (it == found.end() && match.allowsMissing)
      continue;
    const bool sliced = spec.origin != spec.name;
    if (!sliced && it != found.end() && it->second != spec.type)
      return absl::InvalidArgumentError(
          absl::StrCat("'", path, "': tensor '", spec.origin, "': expected ",
                       spec.type.str(), ", found ", it->second.str()));
    RETURN_IF_ERROR(model.check(spec.origin, spec.type, spec.rowOffset));
  }
  if (!match.allowsExtra)
    for (const auto &[name, type] : found)
      if (!used.count(name))
        return absl::InvalidArgumentError(
            absl::StrCat("'", path, "': tensor '", name,
                         "' is not a variable of the program"));

  for (size_t i = 0; i < store.variables().size(); ++i) {
    const VariableSpec &spec = store.variables()[i];
    if (!spec.slotOf.empty() || !found.contains(spec.origin))
      continue;
    RETURN_IF_ERROR(model.read(spec.origin, store.tensor(i), spec.rowOffset));
  }
  return absl::OkStatus();
}
