// SPDX-License-Identifier: Apache-2.0
//===- PServerProcess.h - the role of a pserver ---------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_PSERVERPROCESS_H
#define PS_TOOLS_PS_RUN_DRIVER_PSERVERPROCESS_H

#include "runtime/checkpoint/StagedCheckpoint.h"
#include "runtime/server/PServer.h"
#include "runtime/server/log/LoggedServer.h"
#include "tools/ps-run/driver/Membership.h"
#include "tools/ps-run/driver/Process.h"
#include <optional>

namespace ps {

/// Writes a pserver's part to the folders that trainer 0 names, or to those of
/// its own --save, --save-base and --save-delta.
class PServerSaver final : public runtime::Saver {
public:
  /// For pserver `index` of `count`. `config` and `process` outlive the saver.
  PServerSaver(const RunConfig &config, const Process &process, int index,
               int count)
      : config(config), process(process), index(index), count(count) {}

  absl::Status check(std::span<const runtime::SaveFolder> folders) override;
  absl::StatusOr<runtime::SavedPart>
  stage(std::span<const runtime::SaveFolder> folders) override;
  absl::StatusOr<std::string> flush() override;
  absl::StatusOr<std::vector<runtime::SavedFile>>
  seal(const std::string &checkpointId) override;
  absl::Status publish(const std::string &checkpointId) override;
  void discard() override { staged.reset(); }

  /// Checks that its own folders can be written.
  absl::Status checkOwn() const;
  /// Call after the job: FAILED_PRECONDITION if it has folders of its own but
  /// trainer 0 has never announced a save.
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
  /// Where it stages, by the request's folders.
  std::vector<std::string> dirs;
  std::optional<runtime::StagedCheckpoint> staged;
};

/// One pserver program, compiled, with its service.
struct PServerProcess {
  std::unique_ptr<Process> process;
  CompiledUpdates updates;
  std::unique_ptr<PServerSaver> saver;
  /// What trainers have to agree with.
  runtime::RunOptions options;
  std::unique_ptr<runtime::PServer> server;
};

/// Compiles the program of `own`; the loader outlives the result.
absl::StatusOr<PServerProcess>
makePServer(const RunConfig &config, Loader &loader, const OwnPServer &own,
            const std::optional<runtime::LoggedStart> &from = std::nullopt);

/// Waits until every trainer is done and knows it.
absl::Status waitForTrainers(const PServerProcess &pserver);

/// Writes what is known of a pserver that ended with `status`.
absl::Status writePServer(const RunConfig &config, int id,
                          const PServerProcess &pserver, absl::Status status);

/// Serves over gRPC until every trainer is done. `member` is null where no
/// coordinator keeps the job's addresses.
absl::Status runPServer(const RunConfig &config, Loader &loader,
                        const StopSignal &stop,
                        runtime::JobMember *member = nullptr);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_PSERVERPROCESS_H
