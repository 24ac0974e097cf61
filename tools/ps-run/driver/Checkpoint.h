// SPDX-License-Identifier: Apache-2.0
//===- Checkpoint.h - what --save writes and --load reads -----------------===//
//
// A checkpoint is a folder with the model, the rows of tables, the optimizers'
// state and the position in the training data. Each process of a job writes
// what it holds, as trainer 0 requests: all processes stage their files, then
// make them durable, seal them and publish them, trainer 0 last. What a pserver
// does for it is in PServerProcess.h.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_CHECKPOINT_H
#define PS_TOOLS_PS_RUN_DRIVER_CHECKPOINT_H

#include "absl/functional/any_invocable.h"
#include "runtime/checkpoint/StagedCheckpoint.h"
#include "runtime/client/Client.h"
#include "tools/ps-run/driver/Process.h"
#include <functional>

namespace ps {

/// Fills the variables, tables and slots of `process` from the folders of
/// --load, if it is set. DATA_LOSS if a folder holds files of two checkpoints.
/// `isWhole`: the process holds the whole model; `isLeader`: it reports for all
/// what --load-partial leaves out.
absl::Status loadCheckpoint(const RunConfig &config, bool isWhole,
                            bool isLeader, Process &process);

/// Reads rows `first`, `first` + 1, .. of a table on pservers.
using ReadRows = std::function<absl::Status(
    const std::string &table, int64_t first, const runtime::TensorRef &rows)>;

/// The job's pservers, in their order; none for a local run.
using PServerClients = std::span<const std::unique_ptr<runtime::Client>>;

/// Has every pserver check that it can write its part of what the run saves.
absl::Status checkSaving(const RunConfig &config, PServerClients pservers);

/// Saves a local run that goes on, in all folders of --save. Tables with tiers
/// leave their rows on the SSD, which the folders then refer to. Gives how many
/// of those rows have changed since the last pass.
absl::StatusOr<int64_t> savePass(const RunConfig &config,
                                 const Process &process,
                                 const runtime::TrainingState &state);

/// What pservers do about a folder beside their own --save.
enum class SaveKind {
  /// They save in their own, where they have one.
  Final,
  /// One of --checkpoint: they save there, and files may have only what changed
  /// since earlier ones.
  Periodic,
  /// The best model's: they save there.
  Best
};

/// What is saved, and where.
struct CheckpointToSave {
  std::span<const SaveTarget> folders;
  /// The position in the data.
  runtime::TrainingState state;
  /// Those of a run that goes on.
  MetricSums metrics = {};
  /// Counts the checkpoints of this process from 1.
  uint64_t number = 1;
  SaveKind kind = SaveKind::Final;
};

/// Makes a checkpoint that is staged whole. It uses nothing that training
/// changes, so another thread may call it, once, while training goes on. On an
/// error, or without a call, the folders are unchanged, unless publishing
/// itself has failed: --load refuses what that leaves.
using CompleteSave = absl::AnyInvocable<absl::Status()>;

/// Stages a checkpoint of a local run, or as trainer 0 of a job: writes what is
/// to be saved, while nothing changes it. `readRows` reads tables on pservers
/// that are saved as variables. What `pservers` refers to outlives the result.
absl::StatusOr<CompleteSave>
stageCheckpoint(CheckpointToSave checkpoint, const Process &process,
                PServerClients pservers = {},
                const ReadRows &readRows = nullptr);
/// Stages and completes one of a local run.
absl::Status saveCheckpoint(CheckpointToSave checkpoint,
                            const Process &process);

/// Stages the rows of the tables of `process` that are not part of the model,
/// in a folder of a series of checkpoints if `isInSeries`.
absl::Status stageTables(const Process &process, const std::string &dir,
                         runtime::RowSelection rows, bool isInSeries,
                         runtime::StagedCheckpoint &staged);

/// The files of optimizer state that training.json lists: that of trainer 0 if
/// `hasOwn`, and those of the pservers' `parts`, in the pservers' order.
/// INVALID_ARGUMENT names a pserver whose part has a file of another name.
absl::StatusOr<std::vector<std::string>>
listOptimizerFiles(bool hasOwn, std::span<const runtime::SavedPart> parts);

/// Adds the files that the pservers have sealed to the lists of training.json,
/// one for each folder. INVALID_ARGUMENT names a pserver with a file that is
/// none of a pserver's, or that another process has.
absl::Status addSavedFiles(std::span<const runtime::SavedPart> parts,
                           std::span<runtime::FileChecksums> folders);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_CHECKPOINT_H
