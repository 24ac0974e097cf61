// SPDX-License-Identifier: Apache-2.0
//===- Checkpoint.h - what --save leaves and --load starts from -----------===//
//
// A folder holds the model, the rows of tables, the optimizers' state and how
// far training had come. Each process of a job writes what it holds; trainer 0
// leads. All of them stage their files, then publish them, trainer 0 last.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_CHECKPOINT_H
#define PS_TOOLS_PS_RUN_CHECKPOINT_H

#include "runtime/store/Saving.h"
#include "runtime/transport/Client.h"
#include "runtime/transport/PServer.h"
#include "tools/ps-run/Process.h"
#include <functional>
#include <optional>

namespace ps {

/// Fills the variables, tables and slots of `process` as --load says; nothing
/// without it. `isWhole` says that the process has all of the model.
absl::Status loadCheckpoint(const RunConfig &config, bool isWhole,
                            Process &process);

/// Reads rows `first`, `first` + 1, .. of a table of others.
using ReadRows = std::function<absl::Status(
    const std::string &table, int64_t first, const runtime::TensorRef &rows)>;

/// The pservers of the job that trainer 0 saves with; none for a local run.
using PServerClients = std::span<const std::unique_ptr<runtime::Client>>;

/// Has every pserver make sure that it can write its part.
absl::Status checkSaving(const RunConfig &config, PServerClients pservers);

/// Saves the run of a local process, or of a job on behalf of trainer 0, in all
/// folders that the run leaves behind. `state` says how far it has come;
/// `readRows` reads what stands for variables on pservers. When it fails, the
/// folders hold what they held, unless the publishing itself has failed.
absl::Status saveCheckpoint(const RunConfig &config, const Process &process,
                            runtime::TrainingState state,
                            PServerClients pservers = {},
                            const ReadRows &readRows = nullptr);

/// A pserver's part: in the folders that trainer 0 names, or in those of its
/// own --save, --save-base and --save-delta.
class PServerSaver final : public runtime::Saver {
public:
  /// Pserver `index` of `count`; what is passed outlives the saver.
  PServerSaver(const RunConfig &config, const Process &process, int index,
               int count)
      : config(config), process(process), index(index), count(count) {}

  absl::Status check(std::span<const runtime::SaveFolder> folders) override;
  absl::StatusOr<runtime::SavedPart>
  stage(std::span<const runtime::SaveFolder> folders) override;
  absl::Status publish(const std::string &saving) override;

  /// Makes sure that its own folders can be written.
  absl::Status checkOwn() const;
  /// FAILED_PRECONDITION when it has folders of its own and trainer 0 has never
  /// said that it saves. After the job.
  absl::Status checkUse() const;

private:
  std::string folderOf(const runtime::SaveFolder &folder) const;
  bool holdsAnything() const;
  absl::Status stageSlots(const std::string &dir,
                          std::vector<std::string> &names);

  const RunConfig &config;
  const Process &process;
  const int index, count;
  bool announced = false;
  std::optional<runtime::StagedSaving> staged;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CHECKPOINT_H
