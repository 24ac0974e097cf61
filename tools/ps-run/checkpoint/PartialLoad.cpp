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
static absl::StatusOr<ModelNames>
listSaved(std::span<const CheckpointFolder> folders) {
  ModelNames names;
  for (const auto &[name, type] : (*folders.back().model())->tensors())
    names.variables.insert(name);
  for (const CheckpointFolder &folder : folders) {
    ASSIGN_OR_RETURN(auto files, listTables(folder.dir()));
    for (const auto &[name, parts] : files)
      names.tables.insert(name);
  }
  return names;
}

/// A table may be loaded from a variable, but no variable from a table's rows.
static absl::Status checkKinds(const std::string &dir, const ModelNames &saved,
                               const ModelNames &program) {
  for (const std::string &name : program.variables)
    if (!saved.variables.contains(name) && saved.tables.contains(name))
      return absl::InvalidArgumentError(
          absl::StrCat("--load-partial: expected a variable '", name, "' in '",
                       dir, "', as the program has, found a table"));
  return absl::OkStatus();
}

static std::set<std::string> join(const ModelNames &names) {
  std::set<std::string> all = names.variables;
  all.insert(names.tables.begin(), names.tables.end());
  return all;
}

absl::Status ps::reportPartialLoad(std::span<const CheckpointFolder> folders,
                                   const ModelNames &program) {
  const std::string dir = folders.back().dir();
  ASSIGN_OR_RETURN(const ModelNames found, listSaved(folders));
  RETURN_IF_ERROR(checkKinds(dir, found, program));
  const std::set<std::string> known = join(program), saved = join(found);
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
