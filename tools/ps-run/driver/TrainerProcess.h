// SPDX-License-Identifier: Apache-2.0
//===- TrainerProcess.h - the role of a trainer ---------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_TRAINERPROCESS_H
#define PS_TOOLS_PS_RUN_DRIVER_TRAINERPROCESS_H

#include "runtime/client/CachedRows.h"
#include "runtime/client/Client.h"
#include "runtime/collective/Communicator.h"
#include "runtime/membership/JobMember.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include "tools/ps-run/driver/Process.h"
#include "tools/ps-run/driver/TrainingRun.h"

namespace ps {

/// One trainer of a job, from its connections to its last step.
class TrainerProcess {
public:
  TrainerProcess(const RunConfig &config, const StopSignal &stop,
                 Loader &loader, const TrainingFunctions &functions,
                 const TrainingData &data, int id,
                 runtime::JobMember *member = nullptr)
      : config(config), stop(stop), loader(loader), functions(functions),
        data(data), id(id), member(member) {}

  /// Makes the variables, with the values of --load, so that a trainer that has
  /// none is not introduced.
  absl::Status load();
  /// These two after load().
  runtime::ClientOptions clientOptions() const;
  runtime::Device &device() const { return *process.device; }
  /// Compiles the programs over `connected`, one client per pserver in the
  /// order of the job, and `communicator`, null where the job needs none.
  absl::Status
  build(std::vector<std::unique_ptr<runtime::Client>> connected,
        std::unique_ptr<runtime::Communicator> communicator = nullptr);
  /// Pulls initial values, trains, leaves. Tells the pservers when it fails.
  absl::Status run();

private:
  absl::Status compile();
  absl::Status openTables();
  absl::Status openExchanged(const TableInfo &info,
                             const std::vector<runtime::Client *> &shards);
  /// The connection to a pserver of the job, by its name.
  runtime::Client *findClient(const std::string &pserver) const;
  runtime::Predecessor findPredecessor() const;
  void roundToWire();
  /// How long a step may take after a request to stop.
  absl::Duration findPatience() const;
  absl::StatusOr<int64_t> runSteps();
  absl::Status awaitOthers();
  absl::Status checkTables();
  bool endsWithOthers(int64_t steps) const;
  void writeCacheCounters();
  absl::Status train();
  absl::Status leave();
  absl::Status compilePullOfModel(const Binding &binding);
  bool savesAnything() const {
    return !config.saves.empty() || !config.checkpoint.dir.empty() ||
           !config.monitor.saveBest.empty();
  }
  Checkpoints checkpoints();
  absl::StatusOr<CompleteSave> stage(CheckpointToSave checkpoint);
  absl::Status readRows(int64_t step, const std::string &table, int64_t first,
                        const runtime::TensorRef &rows);
  /// What the trainer waits for in an exchange.
  std::string describeWait() const;
  /// Tells everybody that this trainer has failed.
  void abort(const std::string &reason);

  const RunConfig &config;
  const StopSignal &stop;
  Loader &loader;
  const TrainingFunctions &functions;
  const TrainingData &data;
  int id;
  /// Null where no coordinator keeps the job; outlives this.
  runtime::JobMember *member;
  Process process;
  /// The tables that the pservers hold; null where there are none. Outlives the
  /// clients, whose calls end in it.
  std::unique_ptr<runtime::CachedRows> tables;
  /// Those of them that this trainer holds, too (mode geo). As `tables`.
  std::vector<std::unique_ptr<runtime::ExchangedTable>> exchanged;
  std::vector<std::unique_ptr<runtime::Client>> clients;
  /// What the clients report; null where no process takes its place.
  std::shared_ptr<runtime::TrainerProgress> progress;
  std::unique_ptr<runtime::Communicator> others;
  /// Without a program where the trainer's copies are the model.
  CompiledProgram startup, pullOfModel;
  std::unique_ptr<TrainingRun> training;
  /// How often it has saved, and where at the end.
  uint64_t saves = 0;
  std::span<const SaveTarget> saved;
};

/// A usage error where the job cannot do what --on-trainer-loss asks for.
absl::Status checkReplaceable(const RunConfig &config, Loader &loader);

/// Selects the trainer program and opens the data of `trainer`.
absl::StatusOr<std::pair<TrainingFunctions, TrainingData>>
openTrainer(const RunConfig &config, Loader &loader, int trainer);

/// Connects over gRPC and trains. `member` is null where no coordinator keeps
/// the job's addresses.
absl::Status runTrainer(const RunConfig &config, Loader &loader,
                        const StopSignal &stop,
                        runtime::JobMember *member = nullptr);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_TRAINERPROCESS_H
