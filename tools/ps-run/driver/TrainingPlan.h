// SPDX-License-Identifier: Apache-2.0
//===- TrainingPlan.h - which steps a run takes ---------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_TRAININGPLAN_H
#define PS_TOOLS_PS_RUN_DRIVER_TRAININGPLAN_H

#include "runtime/checkpoint/TrainingState.h"
#include "runtime/client/Client.h"
#include "runtime/executor/Executor.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/data/TrainingData.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include "tools/ps-run/interrupt/StopSignal.h"
#include "tools/ps-run/loader/Loader.h"
#include "tools/ps-run/output/Metrics.h"
#include <functional>
#include <limits>

namespace ps {

/// How a run is saved while it trains.
struct Checkpoints {
  /// Brings the values that pservers have to this trainer; null where it has
  /// them after every step.
  std::function<absl::Status()> pull;
  /// Stages a checkpoint in the folder `dir`; null for trainers other than 0.
  std::function<absl::StatusOr<CompleteSave>(
      SaveKind kind, const std::string &dir,
      const runtime::TrainingState &state, const MetricSums &sums)>
      stage;
  /// What metrics had added up at the checkpoint that the run goes on from.
  MetricSums resumed;
  /// For trainer 0: whether the next checkpoint is to be soon, and the run to
  /// end there, for other processes to go on from it.
  std::function<bool()> isCutDue = [] { return false; };
};

/// How one copy of the graph is trained: the local one, or a trainer's.
struct TrainingOptions {
  /// The first five outlive the run.
  const RunConfig *config = nullptr;
  const TrainingData *data = nullptr;
  Loader *loader = nullptr;
  runtime::Executor *executor = nullptr;
  const StopSignal *stop = nullptr;
  Binding binding;
  FunctionInfo function;
  /// What runs after so many steps, and once more at the end if steps are
  /// left over.
  std::vector<FunctionInfo> periodic;
  /// What runs before that end.
  std::vector<FunctionInfo> last;
  /// As metrics name this process: "local" or "trainer".
  std::string role = "local";
  int trainer = 0, trainers = 1;
  std::string metricsFile;
  /// Whether this copy reports progress and evaluates.
  bool leader = true;
  /// How far the run had come that this one goes on from.
  std::optional<runtime::TrainingState> resumed;
  /// How many updates the schedules of the graph had counted before this run.
  int64_t updatesBefore = 0;
  /// What --checkpoint takes.
  Checkpoints checkpoints = {};
  /// Whose place the trainer has taken, if it has.
  runtime::Predecessor predecessor = {};
  /// Gets to know which steps are over; null where that is not reported.
  std::shared_ptr<runtime::TrainerProgress> progress = nullptr;
  /// The pserver that merges the metrics of all trainers, the same one for
  /// each; null where they stay with this copy. Outlives the run.
  runtime::Client *metricsServer = nullptr;
  /// Where there is no pserver, the other trainers; null for a local run.
  runtime::Communicator *others = nullptr;

  /// A pass is so many steps, or the samples of a file; if neither, there are
  /// none.
  int64_t stepsPerPass = 0;
  bool isPassPerFile = false;
  /// Called after each pass, unless the run ends there.
  std::function<absl::Status(int64_t pass, const runtime::TrainingState &state)>
      endPass;

  /// Whether addUp() has anything to add.
  bool hasOthers() const { return metricsServer || others; }
  bool hasPasses() const { return stepsPerPass > 0 || isPassPerFile; }
};

/// The sums that come before the first step.
inline constexpr int64_t startSums = 2;

/// Adds up numbers of all trainers, for `epoch` and after the exchange
/// `step`, or before the first one (startupStep); `index` counts them. Every
/// trainer calls.
void addUp(const TrainingOptions &options, const std::string &name,
           int64_t epoch, int64_t step, int64_t index,
           std::span<double> numbers, runtime::Done done);

/// The steps of a run, the same in all trainers of a job.
struct TrainingPlan {
  /// No end, or none that is known.
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

  /// Whichever comes first ends the run.
  int64_t totalSteps = 0, totalEpochs = 1;
  /// Unset for a stream that all trainers read.
  std::optional<int64_t> stepsPerEpoch;
  runtime::StartPosition start;
  /// Where the run began, and the steps that it has taken since: of a run that
  /// goes on after --resume, in other processes.
  runtime::StartPosition origin;
  int64_t stepsBefore = 0;
  /// The first step to take: those before it were taken by another process of
  /// the trainer, from `start` on.
  int64_t first = 0;
  /// Steps before this one are repeated: that process has pushed some of them.
  int64_t repeatedEnd = 0;
  /// What the samples of a step depend on.
  std::vector<DataSetting> settings;
};

/// Chooses the steps; of a job, with the other trainers.
absl::StatusOr<TrainingPlan> planTraining(const TrainingOptions &options);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_TRAININGPLAN_H
