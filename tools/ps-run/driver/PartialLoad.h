// SPDX-License-Identifier: Apache-2.0
//===- PartialLoad.h - a model that differs from the program's ------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_PARTIALLOAD_H
#define PS_TOOLS_PS_RUN_DRIVER_PARTIALLOAD_H

#include "runtime/checkpoint/CheckpointFolder.h"
#include "tools/ps-run/driver/Process.h"
#include <span>

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

/// Reports each variable and table that `process`, which knows the whole
/// program, has and the folders lack, and the other way round.
absl::Status
reportPartialLoad(std::span<const runtime::CheckpointFolder> folders,
                  const Process &process);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_PARTIALLOAD_H
