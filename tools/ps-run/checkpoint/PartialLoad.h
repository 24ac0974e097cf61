// SPDX-License-Identifier: Apache-2.0
//===- PartialLoad.h - a model that differs from the program's ------------===//

#ifndef PS_TOOLS_PS_RUN_CHECKPOINT_PARTIALLOAD_H
#define PS_TOOLS_PS_RUN_CHECKPOINT_PARTIALLOAD_H

#include "runtime/checkpoint/CheckpointFolder.h"
#include "tools/ps-run/config/RunConfig.h"
#include <set>
#include <span>
#include <string>

namespace ps {

/// Whether a process takes what it finds in the folders of --load, which may
/// lack some of what it has. A run that goes on must find all of it.
inline bool loadsPart(const RunConfig &config) {
  return config.loadsPart && config.checkpoint.resumed.empty();
}

/// Whether `folders` have rows of table `name`, or a variable that it stands
/// for.
absl::StatusOr<bool>
hasTable(std::span<const runtime::CheckpointFolder> folders,
         const std::string &name);

/// What a program or a model has, by name.
struct ModelNames {
  std::set<std::string> variables, tables;
};

/// Reports each variable and table that the `program` has and the folders lack,
/// and the other way round. INVALID_ARGUMENT if none is in both, or if they
/// have rows of a table where the program has a variable.
absl::Status
reportPartialLoad(std::span<const runtime::CheckpointFolder> folders,
                  const ModelNames &program);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CHECKPOINT_PARTIALLOAD_H
