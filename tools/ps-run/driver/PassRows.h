// SPDX-License-Identifier: Apache-2.0
//===- PassRows.h - rows of a pass, before its first step -----------------===//
//
// The samples of a pass show which rows of tables its steps look up. These are
// brought into memory, or to the device, before the first step, in bulk; while
// a pass trains, a thread lists those of the next one, and has the system read
// them from the SSD.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_PASSROWS_H
#define PS_TOOLS_PS_RUN_DRIVER_PASSROWS_H

#include "runtime/data/passes/PassIds.h"
#include "tools/ps-run/driver/TrainingPlan.h"
#include <future>

namespace ps {

/// Thread-compatible.
class PassRows {
public:
  /// For the steps of a run from its first one on, which `program` runs. Null
  /// where no rows can be brought: none are in tiers, or the samples are not
  /// known before they are trained on. `options` and `program` outlive it.
  static absl::StatusOr<std::unique_ptr<PassRows>>
  create(const TrainingOptions &options, const CompiledProgram &program,
         const TrainingPlan &plan);
  /// Ends the thread.
  ~PassRows();

  /// Brings the rows of the next `steps` steps, which come after those of the
  /// pass before. `following` is the length of the pass after it; 0 for none.
  /// Nothing else may use the tables.
  absl::Status begin(int64_t steps, int64_t following);

private:
  using Listed = absl::StatusOr<std::vector<runtime::PassIds>>;

  explicit PassRows(const TrainingOptions &options)
      : options(options), program(*options.binding.device) {}
  void addTable(const FedLookups &lookups);
  void addNodes();
  Listed list(int64_t steps);
  void listAhead(int64_t steps);

  const TrainingOptions &options;
  /// Each once, and its feeds.
  std::vector<runtime::Table *> tables;
  std::vector<runtime::IdFeeds> feeds;
  std::unique_ptr<runtime::BatchSource> batches;
  /// What the pass that begins needs.
  std::vector<runtime::PassIds> pass;
  /// A node for each table.
  runtime::Program program;
  /// Counted from the first one of the run.
  int64_t stepsBegun = 0;
  std::stop_source stop;
  /// The ids of the next pass, while a thread lists them.
  std::future<Listed> next;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_PASSROWS_H
