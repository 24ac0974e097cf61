// SPDX-License-Identifier: Apache-2.0
//===- UnfinishedSave.h - a save whose process died as it published -------===//

#ifndef PS_RUNTIME_CHECKPOINT_UNFINISHEDSAVE_H
#define PS_RUNTIME_CHECKPOINT_UNFINISHEDSAVE_H

#include <string>

namespace ps::runtime {

/// Publishes the staged files in `dir` that a dead process left and that belong
/// to a checkpoint of which a file is published. Errors are ignored: whoever
/// reads the folder finds files of two checkpoints. Waits while another process
/// does the same.
void finishSave(const std::string &dir);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_UNFINISHEDSAVE_H
