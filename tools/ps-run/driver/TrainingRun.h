// SPDX-License-Identifier: Apache-2.0
//===- TrainingRun.h - the step loop --------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_TRAININGRUN_H
#define PS_TOOLS_PS_RUN_DRIVER_TRAININGRUN_H

#include "runtime/base/Clock.h"
#include "runtime/base/Descriptor.h"
#include "tools/ps-run/checkpoint/CheckpointSchedule.h"
#include "tools/ps-run/data/BestModel.h"
#include "tools/ps-run/data/Evaluator.h"
#include "tools/ps-run/driver/PassRows.h"
#include "tools/ps-run/driver/PendingCheckpoint.h"
#include "tools/ps-run/driver/PeriodicFunctions.h"
#include "tools/ps-run/driver/TrainingPlan.h"
#include "tools/ps-run/interrupt/StopAgreement.h"
#include "tools/ps-run/output/Metrics.h"
#include "tools/ps-run/output/TimeUse.h"
#include <atomic>
#include <limits>

namespace ps {

/// Trains one copy of the graph: the local one, or a trainer's.
/// Thread-compatible.
class TrainingRun {
public:
  /// Compiles the function, for training and for evaluation.
  static absl::StatusOr<std::unique_ptr<TrainingRun>>
  create(TrainingOptions options);

  /// Runs every step, or as many as there is time for before a stop is
  /// requested: after it, the running step is the last, or where trainers keep
  /// step, one that they agree on. There a last checkpoint is taken, if any
  /// are. Gives the number of steps done.
  absl::StatusOr<int64_t> run();
  /// What a run logs first that was asked to stop.
  static constexpr char stoppedAfter[] = "stopped after ";
  /// Waits for the other trainers at the end of the run, trainer 0 among them,
  /// which comes when it has saved.
  absl::Status meetAtEnd();
  /// How often the trainer has exchanged values so far: with every step, or
  /// where another function does it, with every run of that one.
  int64_t exchanges() const {
    return periodic.empty() ? stepsDone : periodic.runs();
  }
  /// Whether it has ended at a checkpoint for other processes to go on from.
  bool wasCut() const { return isCut; }
  /// How far it has come, for a run that resumes here.
  runtime::TrainingState state() const;
  /// Seconds that the longest step or checkpoint so far took, without limit
  /// while a checkpoint is taken; thread-safe.
  double longestStep() const {
    return inCheckpoint ? std::numeric_limits<double>::infinity()
                        : longest.load();
  }
  /// How many steps may follow a request to stop, the running one included.
  int64_t stepsToStop() const;
  /// Adds what is known of tables, or of a trainer's copies of rows, to the
  /// metrics.
  void writeTables(const Scalars &scalars);
  /// Reports what the run took and leaves, when all is saved; `saved` are the
  /// folders of --save that were written.
  void reportEnd(std::span<const SaveTarget> saved);
  /// Completes the metrics; after the model is saved, lest a full disk cost it.
  absl::Status close() { return metrics.close(); }
  const MemoryPlan &memoryPlan() const { return program.memory; }

private:
  explicit TrainingRun(TrainingOptions options) : options(std::move(options)) {}
  absl::Status compile();
  absl::StatusOr<int64_t> runSteps();
  absl::Status spend(absl::FunctionRef<absl::Status()> work);
  /// Waits for the transfers that have gone on after the last step.
  absl::Status drain();
  /// Shows where the time went so far.
  void reportTime();
  absl::Status openFeeder();
  absl::StatusOr<std::unique_ptr<runtime::BatchSource>> openBatches();
  absl::Status skip(runtime::BatchSource &batches);
  void moveTo(int64_t epoch, bool endsEpoch, bool endsData = false);
  int64_t endEpoch() const;
  void reportEndOfData() const;
  absl::Status goOnForOther(class Progress &progress);
  absl::Status meetOthers(int64_t step, class Progress &progress);
  void noteDone(int64_t step);
  absl::Status feed(int64_t step, class Progress &progress);
  /// How many steps the run has taken before `step` of this process.
  int64_t ofRun(int64_t step) const { return plan.stepsBefore + step; }
  /// Not within the steps that are repeated: pservers have parts of them.
  bool mayStopBefore(int64_t step) const { return step >= plan.repeatedEnd; }
  /// Whether `step`, which `position` is of, is the last of the run.
  bool isLast(int64_t step) const;
  absl::StatusOr<Scalars> runEvaluation();
  /// `begin` is when the step began to wait for its data.
  absl::Status runStep(int64_t step, runtime::Clock::TimePoint begin,
                       class Progress &progress);
  /// A request to stop from now on ends what may be ended of the next step.
  void watchForStop(int64_t step);
  void agreeOnStops();
  absl::StatusOr<bool> mustStopBefore(int64_t step);
  absl::Status mayWaitForData(int64_t step, runtime::Clock::TimePoint began);
  /// Ends a run after `steps` steps, as was requested.
  absl::StatusOr<int64_t> stopAfter(int64_t steps, class Progress &progress);
  /// `where` completes "loss is nan".
  absl::Status checkFinite(const Scalars &scalars, const std::string &where,
                           Progress &progress) const;
  /// Makes the metrics of the epoch that ends those of all trainers.
  absl::Status mergeMetrics(int64_t step, Progress &progress);
  /// Shows in the trace, if there is one, what the run itself has done since
  /// `begin`.
  void traceSpan(const char *what, int64_t step,
                 runtime::Clock::TimePoint begin) const;
  absl::Status openReports();
  std::vector<std::string> listSaved(std::span<const SaveTarget> saved) const;
  void chooseLearningRates();
  void updateLearningRates(int64_t step);
  absl::Status planEvaluations();
  void pauseBeforeEvaluation(int64_t step);
  bool isEvaluationDue(int64_t step) const;
  absl::StatusOr<Scalars> evaluate(int64_t step, Progress &progress);
  absl::Status saveBest(int64_t step, Progress &progress);
  absl::Status evaluateTogether(int64_t step, Progress &progress);
  absl::Status evaluateAfter(int64_t step, Progress &progress);
  int64_t endOfPass(int64_t step) const;
  absl::Status beginPass(int64_t step);
  absl::Status endPass(int64_t step, Progress &progress);
  absl::Status planCheckpoints();
  void reportSchedule();
  absl::Status sumOverTrainers(const std::string &name, int64_t number,
                               std::span<double> numbers);
  absl::Status barrierAtAllServers(int64_t number);
  absl::StatusOr<bool> decideAtAllServers(int64_t number, bool leaderSays);
  absl::StatusOr<bool> decideAtAllServers(const std::string &name,
                                          int64_t number, bool leaderSays);
  absl::StatusOr<MetricSums> sumMetrics(int64_t step);
  absl::Status addResumed(const std::string &metric,
                          std::span<double> total) const;
  absl::Status checkpoint(int64_t step, Progress &progress);
  absl::Status takeCheckpoint(int64_t step, runtime::Clock::TimePoint began,
                              Progress &progress);
  absl::Status takeLastCheckpoint(int64_t step, Progress &progress);
  absl::StatusOr<bool> haveAllStoppedBefore(int64_t step);
  void reportLostSteps() const;
  absl::Status stage(int64_t step, runtime::Clock::TimePoint began,
                     const MetricSums &metrics, Progress &progress);
  absl::Status warnOfCheckpoint(int64_t steps,
                                const absl::Status &status) const;
  absl::StatusOr<bool> finishCheckpoint();
  absl::StatusOr<bool> reportCheckpoint();
  absl::Status serversLive() const;
  absl::Status goOn() const;

  TrainingOptions options;
  CompiledProgram program;
  PeriodicFunctions periodic;
  std::unique_ptr<runtime::Feeder> feeder;
  /// Null where no rows are brought before a pass.
  std::unique_ptr<PassRows> passRows;
  /// The step that the pass ends before which has begun, and those that ended.
  int64_t passEnd = 0, passesDone = 0;
  /// Null where no trainers stop together; the run needs no checkpoint, then.
  std::shared_ptr<StopAgreement> agreement;
  /// Ends a wait for data, or has trainers agree.
  std::shared_ptr<void> stopHandle;
  /// Held by the leader of a run that takes checkpoints, as long as it lives.
  runtime::Descriptor seriesLock;
  /// Without a value where no checkpoints are taken.
  std::optional<CheckpointSchedule> schedule;
  /// The last checkpoint, until it is whole; how long training stopped for it.
  std::unique_ptr<PendingCheckpoint> pending;
  double stopped = 0;
  /// After how many steps of the run the newest whole one was taken, and the
  /// last one that was begun.
  std::optional<int64_t> newestWhole, newestBegun;
  /// How many evaluations this process has made, and checkpoints that are
  /// whole; whether it has saved a best model.
  int64_t evaluations = 0, checkpointsTaken = 0;
  bool hasSavedBest = false;
  /// While the last one is taken: what delays the end of the process.
  std::shared_ptr<void> lastDelay;
  /// Whether the run ends because it was asked to.
  bool isStopping = false;
  /// Whether no more steps are taken, and whether that is for others to go on.
  bool hasEnded = false, isCut = false;
  std::unique_ptr<Evaluator> evaluator;
  /// Set in all trainers of a run that compares evaluations; the leader's
  /// knows them.
  std::optional<BestModel> bestModel;
  bool hasStoppedEarly = false;
  /// What --predictions gets.
  std::vector<FetchInfo> predicted;
  Metrics metrics;
  /// What --metrics reports of the step, of all that is known; and whether a
  /// schedule is among it, which progress lines show.
  Scalars learningRates;
  std::vector<LearningRate> rateFunctions;
  bool hasSchedule = false;
  TrainingPlan plan;
  int64_t stepsDone = 0;
  /// How often trainers have added something up: an exchange may be followed by
  /// several sums, or by none.
  int64_t sums = startSums;
  runtime::StartPosition next;
  /// The step that ran last; without a feeder all steps are of one epoch.
  runtime::Feeder::Position position;
  /// When the epoch of `position` began, and its steps so far.
  runtime::Clock::TimePoint epochBegan;
  int64_t stepsOfEpoch = 0;
  std::atomic<double> longest = 0;
  std::atomic<bool> inCheckpoint = false;
  runtime::Clock::TimePoint began;
  TimeUse time;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_TRAININGRUN_H
