// SPDX-License-Identifier: Apache-2.0
//===- ParameterState.h - what a server holds and batches change ----------===//
//
// The variables, tables and optimizer slots of a server, and the programs that
// update them. It changes by batches only, and by the rows that reads create:
// equal states that see the same batches with the same gradients, and the same
// reads in between, stay equal to the bit. So a batch is what a log of a server
// has to record, and a snapshot is where such a log begins. When a batch is
// applied is for a mode to decide (Mode.h).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_SERVER_STATE_PARAMETERSTATE_H
#define PS_RUNTIME_SERVER_STATE_PARAMETERSTATE_H

#include "runtime/executor/Executor.h"
#include "runtime/protocol/Service.h"
#include "runtime/server/state/PushedGradients.h"
#include "runtime/server/state/ServedTable.h"
#include "runtime/server/state/Snapshot.h"
#include "runtime/variables/Store.h"
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// One block and the compiled update that its merged gradient feeds.
struct OptimizeBlock {
  /// "fc_w.block0": a variable of the store.
  std::string block;
  /// Has the feed "grad", of the block's shape and of the type that gradients
  /// arrive in. One that compensates for delays has the feed "pulled", too, of
  /// the block's type: the block as the trainer that pushes the gradient has
  /// pulled it last. Outlives the server.
  Program *update = nullptr;
  /// The round of a step in which its gradient arrives.
  int round = 0;
  /// How many elements of its gradient, F32, a trainer pushes
  /// (LargestElements.h); 0 for all.
  int64_t largest = 0;
};

/// Units that are updated together, after their gradients have been merged.
struct UpdateBatch {
  /// The protocol's.
  int64_t step = 0;
  /// Numbers of units, each at most once.
  std::vector<int> units;
  /// The trainers over which means are taken, in ascending order.
  std::vector<int> contributors;
  /// They are the last ones of the step.
  bool endsStep = false;
  /// What the contributors have pushed of the units is over with the batch;
  /// otherwise everything is with the end of the step.
  bool settles = false;
};

/// A prefetch whose header has been checked.
struct Prefetch {
  ServedTable *table = nullptr;
  int trainer = 0;
  /// The protocol's, whose rows it asks for unless it is frozen.
  int64_t step = 0;
  bool frozen = false;
  std::vector<int64_t> ids;
  /// Set for a trainer that keeps copies: not 0 for the ids of which it has
  /// one.
  std::optional<std::vector<uint8_t>> held;
  Respond done;
  /// Not 0: instead of ids it asks for rows that others have changed, for the
  /// trainer's pull of that number.
  uint64_t changes = 0;
  /// As what the rows travel; with neither of the two.
  DType wire = DType::F32;
};

/// A block as one moment saw it, for the messages of a pull that bring a chunk
/// each. Made when the first is read.
struct BlockCopy {
  Piece block;
  Buffer bytes;
  /// Names the copy in answers; 0 for one that needs no name.
  uint64_t name = 0;
};

/// A pull whose ranges have been checked, of variables that may change before
/// the answer is sent.
struct PulledBlocks {
  /// Part of a variable of the store.
  struct Part {
    Piece bytes;
    /// The number of the variable's unit; -1 where no gradient changes it.
    int unit = -1;
    /// Null where it is the whole; outlives the answer.
    std::shared_ptr<BlockCopy> of = nullptr;
  };

  int trainer = 0;
  /// The protocol's, after which it comes.
  int64_t step = 0;
  std::vector<Part> parts;
  Respond done;
};

/// What trainers ask for between two batches.
struct Reads {
  std::deque<Prefetch> rows;
  std::deque<PulledBlocks> blocks;
};

/// Units are the blocks of the options, then the tables, numbered from 0.
/// What create() and setGradients() set up does not change afterwards and may
/// be read by any thread; all else belongs to one thread at a time.
class ParameterState {
public:
  struct Options {
    Store *store = nullptr;
    Executor *executor = nullptr;
    Rounds rounds = {};
    std::vector<OptimizeBlock> blocks;
    std::vector<TableBlock> tables;
    /// Whether trainers work on the same step, and units take means.
    bool keepsStep = true;
    /// Runs once per step, in its first round before the units, or without
    /// common steps before each batch; may be null.
    Program *schedule = nullptr;
    /// The last step that the values have seen, the protocol's.
    int64_t endedStep = startupStep;
  };
  /// INVALID_ARGUMENT names the block or table whose store variable, feed, type
  /// or round does not fit; NOT_FOUND a block that the store lacks. What the
  /// options point to outlives the state.
  static absl::StatusOr<std::unique_ptr<ParameterState>>
  create(const Options &options);

  struct Unit {
    int number = 0;
    std::string name;
    /// When its gradients arrive.
    int round = 0;
    /// Null for a block.
    ServedTable *table = nullptr;
    /// The feeds of a block's update; the second one may be missing, without
    /// memory then.
    TensorRef gradient, pulled;
    /// What trainers have pulled last, by their ids; empty without `pulled`.
    std::map<int, std::shared_ptr<const BlockCopy>> copies;
    /// What trainers push of a block: its gradient, or the largest elements.
    TensorType pushed;
    bool getsLargest() const { return pushed != gradient.type; }
    /// Null where nothing updates it.
    Program *update = nullptr;
    /// The mean of what was pushed, then the update.
    Program program;
  };
  size_t numUnits() const { return units.size(); }
  const Unit &unit(size_t number) const { return *units[number]; }

  /// All trainers have pulled the values that there are now.
  absl::Status noteAllPulled(int trainers);

  /// Where the gradients of a unit that is updated come from. Once, before the
  /// first batch; `gradients` outlives the state's use.
  void setGradients(int unit, PushedGradients &gradients);

  /// Updates the units of `batch` in one run of the executor, as parallel as
  /// they are, the first ones of a program's step after the schedule. When it
  /// fails the state is undefined.
  absl::Status apply(const UpdateBatch &batch);
  /// Reads rows in the order of the prefetches, which creates those that are
  /// missing, copies blocks, and answers all. Not with a lock held.
  void read(Reads reads);

  /// The last step, the protocol's, that a batch has ended.
  int64_t endedStep() const { return ended; }
  /// What it holds: rows of tables; bytes of variables, and of rows with their
  /// slots.
  struct Size {
    uint64_t rows = 0, bytes = 0;
  };
  Size size() const;

  /// Writes all that later batches and reads depend on: variables, slots, rows,
  /// which rows tables admit and drop, the step. Between two batches.
  absl::Status save(SnapshotWriter &snapshot) const;
  /// Goes on from a snapshot of a state with the same variables and tables:
  /// INVALID_ARGUMENT names the first that differs, and nothing is changed
  /// then. FAILED_PRECONDITION for a state that has seen a batch or rows,
  /// DATA_LOSS for other bytes than save() writes.
  absl::Status restore(SnapshotReader &snapshot);

private:
  explicit ParameterState(const Options &options)
      : rounds(options.rounds), store(*options.store),
        executor(*options.executor), keepsStep(options.keepsStep),
        schedule(options.schedule), ended(options.endedStep),
        scheduled(options.endedStep) {}
  absl::Status addBlock(const OptimizeBlock &spec);
  absl::Status addTable(const TableBlock &spec);
  std::vector<std::string> describe() const;
  void readBlocks(PulledBlocks &pull);
  void readRows(std::deque<Prefetch> prefetches);
  void fillPulled(StepContext &context, const Unit &unit) const;

  const Rounds rounds;
  Store &store;
  Executor &executor;
  const bool keepsStep;
  Program *const schedule;
  std::vector<std::unique_ptr<Unit>> units;
  std::vector<std::unique_ptr<ServedTable>> tables;
  /// Those of the batch that is being applied; the nodes of the means read it.
  std::vector<int> contributors;
  /// The last step that has ended, and that in which the schedule last ran.
  int64_t ended, scheduled;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_SERVER_STATE_PARAMETERSTATE_H
