// SPDX-License-Identifier: Apache-2.0
//===- Loader.h - from IR to runtime programs -----------------------------===//
//
// The only bridge between MLIR and the runtime: parses a file, runs the
// compile pipeline on the program of one role, compiles its kernels and builds
// the runtime's nodes. No MLIR type crosses this header.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_LOADER_LOADER_H
#define PS_TOOLS_PS_RUN_LOADER_LOADER_H

#include "absl/status/statusor.h"
#include "runtime/base/Precision.h"
#include "runtime/checkpoint/TableFile.h"
#include "runtime/client/CachedRows.h"
#include "runtime/client/Client.h"
#include "runtime/client/ExchangedTable.h"
#include "runtime/collective/Communicator.h"
#include "runtime/executor/Program.h"
#include "runtime/executor/Trace.h"
#include "runtime/hbm/HbmRows.h"
#include "runtime/table/Table.h"
#include "runtime/variables/Store.h"
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ps {

/// The names of the options of ps-opt --ps-transpile.
std::vector<std::string> transpileOptions();

/// One ps.program of a transpiled module.
struct ProgramInfo {
  enum class Role { Trainer, PServer };
  Role role = Role::Trainer;
  std::string name;
};

/// What some updates multiply gradients by, before the factors of variables.
struct LearningRate {
  /// What is counted for a schedule: Unknown where it is steps of several
  /// functions, or of trainers that do not keep step, or the rate is computed.
  enum class Counts { Nothing, Steps, Exchanges, Unknown };
  /// The first in the alphabet of the variables and tables that it updates.
  std::string name;
  Counts counts = Counts::Nothing;
  /// The rate at a step, counted from 0; null where it is not known.
  std::function<double(int64_t step)> at;
};

/// What a file holds: a single-machine graph (no programs), or the programs of
/// a job.
struct ModuleInfo {
  std::vector<ProgramInfo> programs;
  /// How the job keeps step: "sync", "async", "half-async", "geo" or
  /// "collective".
  std::string mode = "sync";
  /// How many steps a trainer may be ahead of the slowest; no value for any
  /// number, and where all work on the same step.
  std::optional<int64_t> staleness;
  /// Whether pservers compare values with those that trainers have pulled.
  bool compensatesDelay = false;
  /// Whether all trainers work on the same step.
  bool keepsStep() const { return mode == "sync" || mode == "collective"; }
  /// Whether trainers keep what they have not sent of a gradient (`top-k`).
  bool keepsUnsent = false;
  /// Whether trainers reduce gradients among themselves.
  bool reduces = false;
  int trainers = 1;
  /// The names of the pserver programs, in the order of shards.
  std::vector<std::string> pservers;
  /// Where they listen, if the programs say so; otherwise empty.
  std::vector<std::string> endpoints;
  std::string jobHash;
  runtime::Rounds rounds;
  /// Trainers get variables with fewer bits than pservers hold: what is saved
  /// must be pulled by the trainer's @pull_model first.
  bool narrowWire = false;
  /// Those of all updates, each once.
  std::vector<LearningRate> learningRates;
  /// Whether anything changes a variable or table.
  bool hasUpdates = false;
};

/// A function argument that takes data. The batch dimension, if any, is -1.
struct FeedInfo {
  std::string name;
  runtime::TensorType type;
  /// The only dimension is the number of elements of a whole batch.
  bool ragged = false;
};

struct FetchInfo {
  std::string name;
  runtime::TensorType type;
  /// Where the feeds fix a batch: why less than a batch of samples cannot be
  /// evaluated, beginning with file:line:column; empty where it can. Of one
  /// number its mean over samples, of more the rows of each sample.
  std::string needsWholeBatch = {};
  /// The feeds that it is computed from.
  std::vector<std::string> feeds = {};
};

struct FunctionInfo {
  std::string name;
  std::vector<FeedInfo> feeds;
  std::vector<FetchInfo> fetches;
  /// The names of what it measures (ps.metric).
  std::vector<std::string> metrics;
  /// As FetchInfo::needsWholeBatch, of the first metric for which it is so.
  std::string metricNeedsWholeBatch;
  /// A function that the trainer runs after every so many steps; 0 for others.
  int64_t every = 0;
  /// The transfers of this one go on in the background; when they have ended,
  /// the trainer runs the function of this name. Empty for others.
  std::string then;
  /// The trainer runs it once, before its last exchange.
  bool last = false;

  /// The batch size that feeds fix; unset where it is `?` for all of them.
  std::optional<int64_t> fixedBatch() const {
    for (const FeedInfo &feed : feeds)
      if (!feed.type.shape.empty() && feed.type.shape[0] >= 0)
        return feed.type.shape[0];
    return std::nullopt;
  }
};

/// A table that a program works with.
struct TableInfo {
  runtime::TableSpec spec;
  /// The ids that this process holds, where it holds some.
  runtime::TableShard shard;
  /// Otherwise the pservers that do, shard by shard.
  std::vector<std::string> holders;
  /// The most rows that a trainer keeps copies of, where it does.
  std::optional<int64_t> cacheRows;
  /// Whether each trainer holds all rows, and exchanges changes with `holders`.
  bool exchanged = false;
};

/// What a compiled program is bound to.
struct Binding {
  /// What matrix products multiply.
  runtime::Precision precision = runtime::Precision::F32;
  /// What the program runs on; outlives it.
  runtime::Device *device = &runtime::Device::cpu();
  /// Gets when the device did what; outlives the program. Null for no trace.
  runtime::Trace *trace = nullptr;
  /// Whether the device is given nodes in groups (exec.graph). With a trace it
  /// gets them one by one, to be seen apart.
  bool graphs = true;
  /// Holds the program's variables; outlives it.
  runtime::Store *store = nullptr;
  /// The tables of this process by name; outlive it.
  std::map<std::string, runtime::Table *> tables;
  /// The rows of these tables that the device has; outlive it.
  std::map<std::string, runtime::HbmRows *> hbm;
  /// Those among them whose changes are exchanged; outlive the program.
  std::map<std::string, runtime::ExchangedTable *> exchanged;
  /// The connections, by the name of the pserver, for transfer nodes; outlive
  /// it.
  std::map<std::string, runtime::Client *> clients;
  /// The rounds of the job, for transfer nodes.
  runtime::Rounds rounds;
  /// The tables of others; outlives it. Null where there are none.
  runtime::RowSource *rowSource = nullptr;
  /// Whether rows may be asked for before their step begins.
  bool prefetchesEarly = true;
  /// Copies of rows of these tables that the program updates itself; outlive
  /// it. Null where there are none.
  runtime::CachedRows *copies = nullptr;
  /// Reaches the other trainers, for collective nodes; outlives them. Null
  /// where the program has none.
  runtime::Communicator *communicator = nullptr;
};

/// What --print-memory-plan shows.
struct MemoryPlan {
  /// Bytes of the activation arena with reuse, and without.
  int64_t arenaBytes = 0, unsharedBytes = 0;
  int64_t constantBytes = 0, variableBytes = 0, feedBytes = 0;
  /// One line per buffer: offset, size, first and last user.
  std::string table;
};

struct CompileOptions {
  /// Replaces `?`. A batch that does not fit the graph is an error at the op
  /// that cannot take it.
  int64_t batchSize = 1;
  /// The batches of that size that a training step works on side by side.
  int workers = 1;
  /// Drops updates and transfers: the forward pass for --eval-data.
  bool forwardOnly = false;
};

/// The ids of a table of this process that a program looks up, and creates
/// rows for, where they are feeds.
struct FedLookups {
  runtime::Table *table = nullptr;
  /// What the device has of it, or null.
  runtime::HbmRows *hbm = nullptr;
  struct Lookup {
    /// The feed of the first worker, which is that of all.
    std::string feed;
    std::optional<int64_t> padding;
  };
  std::vector<Lookup> lookups;
};

struct CompiledProgram {
  std::unique_ptr<runtime::Program> program;
  MemoryPlan memory;
  std::vector<FedLookups> fedLookups;
};

/// What a pserver runs.
struct CompiledUpdates {
  struct Update {
    std::string block;
    int round = 0;
    /// How many elements of its gradient a trainer pushes; 0 for all.
    int64_t largest = 0;
    CompiledProgram program;
  };
  std::vector<Update> blocks;
  /// Holds no program where no learning rate is scheduled.
  CompiledProgram schedule;
};

/// Thread-compatible. Everything it compiled stays valid while it lives.
class Loader {
public:
  /// Parses and verifies `path` ("-" is standard input). Here and in all that
  /// follows, the status describes what is wrong with the program, in one line
  /// that begins with file:line:column.
  static absl::StatusOr<std::unique_ptr<Loader>>
  create(const std::string &path);
  virtual ~Loader() = default;
  /// Another loader of the same text, which is not read again.
  virtual absl::StatusOr<std::unique_ptr<Loader>> again() const = 0;

  /// Gives the optimizers of a graph other parameters, "NAME=VALUE" each.
  virtual absl::Status setParameters(std::span<const std::string> settings) = 0;
  /// What transpile() would work on, as text.
  virtual std::string print() const = 0;
  /// Makes the programs of a job of the graph, as ps-opt --ps-transpile does
  /// with these options, of which some may be unknown; its warnings go to
  /// stderr. From then on module() is that of the programs.
  virtual absl::Status transpile(const std::string &options) = 0;
  /// Shows whether processes that transpile a graph have the same.
  virtual std::string textDigest() const = 0;

  virtual const ModuleInfo &module() const = 0;
  /// Whether programs for a device with memory of its own expect variables
  /// there: where no other process reads or writes them, or, of a pserver,
  /// reads no others than those that are on the host, too.
  virtual bool keepsVariablesOnDevice() const = 0;

  /// Chooses the program all later calls speak of; the empty name is the
  /// single-machine module itself, in which variables become tables where that
  /// changes no result: stderr gets the reason for each one.
  /// Differentiates the program if it still holds ps.minimize.
  virtual absl::Status selectProgram(const std::string &name) = 0;
  /// Variables and optimizer slots of the selected program.
  virtual absl::StatusOr<std::vector<runtime::VariableSpec>> variables() = 0;
  /// Tables of the selected program.
  virtual absl::StatusOr<std::vector<TableInfo>> tables() = 0;
  /// The public functions: first the one that trains on batches, or the only
  /// one. An error where there is none or the choice is not clear.
  virtual absl::StatusOr<std::vector<FunctionInfo>> functions() = 0;

  /// Compiles `function` of the selected program. Where that pushes and is not
  /// periodic, the last transfers of a step may be under way when the next one
  /// begins: the caller drains the executor before others work with what they
  /// write.
  virtual absl::StatusOr<CompiledProgram> compile(const std::string &function,
                                                  const CompileOptions &options,
                                                  const Binding &binding) = 0;
  /// Warns on stderr where a step of `workers` batches may differ from one of
  /// all their samples, in a file that holds a graph.
  virtual absl::Status warnOfWorkers(int workers) = 0;
  /// Compiles the optimize blocks and the schedule of a selected pserver.
  virtual absl::StatusOr<CompiledUpdates>
  compileUpdates(const Binding &binding) = 0;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_LOADER_LOADER_H
