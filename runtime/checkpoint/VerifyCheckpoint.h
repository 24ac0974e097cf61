// SPDX-License-Identifier: Apache-2.0
//===- VerifyCheckpoint.h - whether a checkpoint is whole and undamaged ---===//

#ifndef PS_RUNTIME_CHECKPOINT_VERIFYCHECKPOINT_H
#define PS_RUNTIME_CHECKPOINT_VERIFYCHECKPOINT_H

#include "absl/status/status.h"
#include <functional>
#include <string>

namespace ps::runtime {

/// Gets the path of each file that was checked, and the result.
using ReportFile =
    std::function<void(const std::string &path, const absl::Status &status)>;

/// Reads all files that training.json of `dir` lists, and the list itself.
/// DATA_LOSS, of the first that is missing or not as it was saved.
/// FAILED_PRECONDITION where no file, or one that was saved without checksums,
/// lists them. Completes a save whose process died as it published its files
/// (StagedCheckpoint.h). `report` may be null.
absl::Status verifyCheckpoint(const std::string &dir,
                              const ReportFile &report = nullptr);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_VERIFYCHECKPOINT_H
