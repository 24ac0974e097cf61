// SPDX-License-Identifier: Apache-2.0
//===- PartialLoad.cpp - a model that differs from the program's ----------===//
//
// With --load-partial each process loads what there is of what it holds. One of
// them, which knows all variables and tables, reports the rest.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/checkpoint/PartialLoad.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TableFile.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

absl::StatusOr<bool> ps::hasTable(std::span<const CheckpointFolder> folders,
                                  const std::string &name) {
  for (const CheckpointFolder &folder : folders) {
    ASSIGN_OR_RETURN(auto files, listTables(folder.dir()));
    // Only the last folder needs a model.
    const auto &model = folder.model();
    if (files.contains(name) ||
        (model.ok() && (*model)->tensors().contains(name)))
      return true;
  }
  return false;
}

/// The last folder has all variables.
static absl::StatusOr<std::set<std::string>>
listSaved(std::span<const CheckpointFolder> folders) {
  std::set<std::string> names;
  for (const auto &[name, type] : (*folders.back().model())->tensors())
    names.insert(name);
  for (const CheckpointFolder &folder : folders) {
    ASSIGN_OR_RETURN(auto files, listTables(folder.dir()));
    for (const auto &[name, parts] : files)
      names.insert(name);
  }
  return names;
}

absl::Status ps::reportPartialLoad(std::span<const CheckpointFolder> folders,
                                   const std::set<std::string> &known) {
  const std::string dir = folders.back().dir();
  ASSIGN_OR_RETURN(const std::set<std::string> saved, listSaved(folders));
  for (const std::string &name : known)
    if (!saved.contains(name))
      logInfo(absl::StrCat("--load-partial: '@", name, "' is not in '", dir,
                           "': it has its initial values"));
  for (const std::string &name : saved)
    if (!known.contains(name))
      logInfo(absl::StrCat("--load-partial: '", printable(name), "' of '", dir,
                           "' is not in the program: it is ignored"));
  if (std::ranges::none_of(
          known, [&](const std::string &name) { return saved.contains(name); }))
    return absl::InvalidArgumentError(
        absl::StrCat("--load-partial: '", dir,
                     "' has none of the variables and tables of the program"));
  return absl::OkStatus();
}
