//===- TrainingRun.h - the step loop --------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_TRAININGRUN_H
#define PS_TOOLS_PS_RUN_TRAININGRUN_H

#include "runtime/executor/Executor.h"
#include "runtime/store/TrainingState.h"
#include "tools/ps-run/Evaluator.h"
#include "tools/ps-run/Loader.h"
#include "tools/ps-run/Metrics.h"
#include "tools/ps-run/RunConfig.h"
#include "tools/ps-run/StopSignal.h"
#include "tools/ps-run/TrainingData.h"
#include <atomic>
#include <chrono>
#include <map>
#include <span>

namespace ps {

/// Trains one copy of the graph: the local one, or a trainer's.
/// Thread-compatible.
class TrainingRun {
public:
  struct Options {
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
    /// As metrics name this process: "local" or "trainer".
    std::string role = "local";
    int trainer = 0, trainers = 1;
    std::string metricsFile;
    /// Whether this copy reports progress and evaluates.
    bool leader = true;
    /// How far the run had come that this one goes on from.
    std::optional<runtime::TrainingState> resumed;
    /// The pserver that merges the metrics of all trainers, the same one for
    /// each; null where they stay with this copy. Outlives the run.
    runtime::Client *metricsServer = nullptr;
  };
  /// Compiles the function, for training and for evaluation.
  static absl::StatusOr<std::unique_ptr<TrainingRun>> create(Options options);

  /// Runs every step, or as many as there is time for before a stop is
  /// requested: after it, the running step is the last. Gives the number of
  /// steps done.
  absl::StatusOr<int64_t> run();
  /// How often the trainer has exchanged values so far: with every step, or
  /// where another function does it, with every run of that one.
  int64_t exchanges() const {
    return periodic.empty() ? stepsDone : periodic.front().runs;
  }
  /// How far it has come, for a run that goes on from here.
  runtime::TrainingState state() const;
  /// Seconds that the longest step so far took; thread-safe.
  double longestStep() const { return longest; }
  /// Adds what is known of tables, or of a trainer's copies of rows, to the
  /// metrics.
  void writeTables(const Scalars &scalars);
  /// Completes the metrics; after the model is saved, lest a full disk cost it.
  absl::Status close() { return metrics.close(); }
  const MemoryPlan &memoryPlan() const { return program.memory; }

private:
  explicit TrainingRun(Options options) : options(std::move(options)) {}
  absl::Status compile();
  absl::StatusOr<int64_t> runSteps();
  /// Waits for the transfers that have gone on after the last step.
  absl::Status drain();
  absl::Status openFeeder();
  absl::StatusOr<std::optional<int64_t>> stepsPerEpoch() const;
  absl::Status addUp(const std::string &what, std::span<double> numbers) const;
  absl::StatusOr<runtime::StartPosition> chooseStart() const;
  absl::Status feed(int64_t step, class Progress &progress);
  /// Whether `step`, which `position` is of, is the last of the run.
  bool isLast(int64_t step) const;
  absl::Status compilePeriodic();
  absl::Status checkFetches();
  void warnIfUntrained() const;
  absl::StatusOr<Scalars> runEvaluation();
  /// `begin` is when the step began to wait for its data.
  absl::Status runStep(int64_t step,
                       std::chrono::steady_clock::time_point begin,
                       class Progress &progress);
  /// Ends a run after `steps` steps, as was requested.
  absl::StatusOr<int64_t> stopAfter(int64_t steps, class Progress &progress);
  /// Runs what is due after `steps` steps, or else everything that is not.
  absl::Status runPeriodic(int64_t steps, bool due);
  /// `where` completes "loss is nan".
  absl::Status checkFinite(const Scalars &scalars, const std::string &where,
                           Progress &progress) const;
  absl::Status checkMetrics() const;
  /// Makes the metrics of the epoch that ends those of all trainers.
  absl::Status mergeMetrics(int64_t step, Progress &progress);
  absl::Status evaluate(int64_t step, Progress &progress);
  absl::Status serversLive() const;
  absl::Status goOn() const;

  struct Periodic {
    int64_t every = 1;
    CompiledProgram program;
    int64_t runs = 0;
  };

  Options options;
  CompiledProgram program;
  std::vector<Periodic> periodic;
  std::unique_ptr<runtime::Feeder> feeder;
  /// Ends a wait for data.
  std::shared_ptr<void> stopFeeder;
  std::unique_ptr<Evaluator> evaluator;
  /// What --predictions gets.
  std::vector<FetchInfo> predicted;
  Metrics metrics;
  /// Whichever comes first ends the run; the largest number where there is no
  /// end, or none that is known.
  int64_t totalSteps = 0, totalEpochs = 1;
  int64_t stepsDone = 0;
  runtime::StartPosition start, next;
  /// What the samples of a step depend on.
  std::map<std::string, std::string> order;
  /// Of the step that ran last; without a feeder all steps are of one epoch.
  runtime::Feeder::Position position;
  /// When the epoch of `position` began, and its steps so far.
  std::chrono::steady_clock::time_point epochBegan;
  int64_t stepsOfEpoch = 0;
  std::atomic<double> longest = 0;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_TRAININGRUN_H
