// SPDX-License-Identifier: Apache-2.0
//===- Process.cpp - what every role of ps-run has ------------------------===//

#include "tools/ps-run/driver/Process.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/device/OpenDevice.h"
#include "runtime/kernels/LowPrecision.h"
#include "runtime/nodes/DeviceNodes.h"
#include "tools/ps-run/config/Resume.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace ps;
using namespace ps::runtime;

Binding Process::binding() const {
  Binding binding;
  binding.precision = precision;
  binding.device = device;
  binding.trace = trace.get();
  binding.store = store.get();
  for (const HeldTable &held : tables)
    binding.tables[held.table->spec().name] = held.table.get();
  for (const std::unique_ptr<HbmRows> &rows : hbm)
    binding.hbm[rows->table().spec().name] = rows.get();
  return binding;
}

/// A process has its share of the rows in memory, and a directory of its own
/// for the others, where a pass may have left those of the model of --load.
static absl::Status placeTiers(const RunConfig &config, TableInfo &info) {
  RowTiers &tiers = *info.spec.tiers;
  const TableShard &shard = info.shard;
  tiers.memoryRows = 1 + (tiers.memoryRows - 1) / shard.count;
  // A name that is mistyped, or an SSD that is not mounted, would fill another
  // disk. The separator is for names with one at the end.
  std::error_code error;
  const std::filesystem::path parent =
      (std::filesystem::path(tiers.directory) / "").parent_path().parent_path();
  if (!parent.empty() && !std::filesystem::is_directory(parent, error))
    return absl::NotFoundError(absl::StrCat(
        "table '@", info.spec.name, "': #ps.ssd<\"", tiers.directory,
        "\">: expected the directory '", parent.string(), "' to exist"));
  tiers.directory =
      tierPath(tiers.directory, info.spec.name, shard.index, shard.count);
  if (!config.load.empty()) {
    ASSIGN_OR_RETURN(tiers.commit, findTierCommit(config.load.front(),
                                                  info.spec.name, shard));
  }
  // A checkpoint has all rows. A pass may have left those of the model of
  // --save.
  tiers.keepsCommitted = !config.checkpoint.resumed.empty();
  return absl::OkStatus();
}

/// Tables with holders are on pservers; this process only knows about them.
static absl::Status makeTables(const RunConfig &config, Loader &loader,
                               Process &process) {
  ASSIGN_OR_RETURN(std::vector<TableInfo> infos, loader.tables());
  for (TableInfo &info : infos) {
    if (!info.holders.empty()) {
      process.remoteTables.push_back(std::move(info));
      continue;
    }
    // A full pserver knows the ages of its own rows only, so it has a share of
    // its own to keep to.
    if (info.spec.eviction.leastRecentlyUsed)
      info.spec.maxRows = 1 + (info.spec.maxRows - 1) / info.shard.count;
    if (info.spec.hbmRows)
      info.spec.hbmRows = 1 + (*info.spec.hbmRows - 1) / info.shard.count;
    if (info.spec.tiers)
      RETURN_IF_ERROR(placeTiers(config, info));
    ASSIGN_OR_RETURN(std::unique_ptr<Table> table,
                     Table::create(std::move(info.spec), config.seed));
    process.tables.push_back({std::move(table), info.shard});
  }
  return absl::OkStatus();
}

/// A pserver's host counts accesses and merges gradients of its trainers, so it
/// finds the rows, too.
static absl::Status makeHbmRows(const std::string &role, Process &process) {
  const HbmFinder finder =
      role == "pserver" ? HbmFinder::Host : HbmFinder::Device;
  for (const HeldTable &held : process.tables)
    if (held.table->spec().hbmRows) {
      ASSIGN_OR_RETURN(std::unique_ptr<HbmRows> rows,
                       HbmRows::create(*held.table, *process.device, finder));
      process.hbm.push_back(std::move(rows));
    }
  return absl::OkStatus();
}

/// Requires an accessor, which decides which rows are worth serving.
static absl::Status checkSelections(const RunConfig &config,
                                    const Process &process) {
  const bool selects = std::any_of(
      config.saves.begin(), config.saves.end(),
      [](const SaveTarget &save) { return save.rows != RowSelection::All; });
  const bool hasAccessor =
      std::any_of(process.tables.begin(), process.tables.end(),
                  [](const HeldTable &held) {
                    return held.table->spec().clicks.has_value();
                  }) ||
      std::any_of(
          process.remoteTables.begin(), process.remoteTables.end(),
          [](const TableInfo &info) { return info.spec.clicks.has_value(); });
  if (!selects || hasAccessor)
    return absl::OkStatus();
  return usageError("--save-base and --save-delta leave out rows by the shows "
                    "and clicks that a table's accessor keeps: expected a "
                    "table with an accessor, the program has none");
}

/// With a log each checkpoint has all rows: a pserver that repeats one from its
/// log has begun without what it would share.
static void shareRows(const RunConfig &config, Process &process) {
  if (config.checkpoint.dir.empty() || config.recovery.usesLog)
    return;
  for (HeldTable &held : process.tables)
    if (held.table->isInMemory())
      held.base = std::make_unique<BaseFile>();
}

/// A host without units for bf16 has the same results, but gains nothing. A GPU
/// without them has no products of bf16.
static absl::Status checkPrecision(const RunConfig &config,
                                   const Device &device) {
  if (config.precision != Precision::BF16)
    return absl::OkStatus();
  if (device.chip().empty() && !multipliesBf16())
    logWarning("--precision=bf16: expected a processor with avx512_bf16, found "
               "none: matrix products round their inputs to bf16 and multiply "
               "them as f32, which is slower than --precision=f32");
  constexpr int firstWithBf16 = 80;
  std::string_view chip = device.chip();
  int number = 0;
  if (chip.starts_with("sm_") &&
      absl::SimpleAtoi(std::string(chip.substr(3)), &number) &&
      number < firstWithBf16)
    return usageError(absl::StrCat(
        "--precision=bf16: device '", std::string(device.name()), "' is of ",
        std::string(chip), ", which has no products of bf16: expected sm_",
        firstWithBf16, " or newer: use --precision=f32"));
  return absl::OkStatus();
}

/// Memory, initial or loaded values and an executor: what does not depend on
/// the role.
absl::StatusOr<Process> ps::makeProcess(const RunConfig &config, Loader &loader,
                                        const std::string &role, int id) {
  Process process;
  ASSIGN_OR_RETURN(std::vector<VariableSpec> specs, loader.variables());
  ASSIGN_OR_RETURN(process.device, openDevice(config.device, config.localRank));
  // Updates have no products.
  if (role != "pserver")
    RETURN_IF_ERROR(checkPrecision(config, *process.device));
  const bool isOnDevice =
      !process.device->chip().empty() && loader.keepsVariablesOnDevice();
  if (isOnDevice)
    for (VariableSpec &spec : specs)
      spec.space = MemorySpace::Device;
  ASSIGN_OR_RETURN(process.store, Store::create(std::move(specs), config.seed,
                                                *process.device));
  RETURN_IF_ERROR(makeTables(config, loader, process));
  RETURN_IF_ERROR(checkSelections(config, process));
  RETURN_IF_ERROR(loadCheckpoint(config, role == "local",
                                 id == 0 && role != "pserver", process));
  RETURN_IF_ERROR(process.store->upload());
  if (isOnDevice)
    RETURN_IF_ERROR(makeHbmRows(role, process));
  shareRows(config, process);
  if (!config.trace.empty())
    process.trace = std::make_unique<Trace>(absl::StrCat(role, " ", id));
  ASSIGN_OR_RETURN(process.executor,
                   Executor::create({.threads = config.threads.value_or(0),
                                     .trace = process.trace.get(),
                                     .deterministic = config.deterministic}));
  process.precision = config.precision;
  return process;
}

Scalars ps::tableScalars(const Process &process) {
  Scalars scalars;
  for (const HeldTable &held : process.tables) {
    const Table &table = *held.table;
    const TableCounters &counters = table.counters();
    for (auto [what, count] :
         {std::pair("rows", table.size()),
          {"bytes", static_cast<int64_t>(table.memoryBytes())},
          {"admitted", counters.admitted},
          {"refused_full", counters.refusedFull},
          {"refused_by_count", counters.refusedByCount},
          {"refused_by_probability", counters.refusedByProbability},
          {"forgotten", counters.forgotten},
          {"embedx_created", counters.embedxCreated},
          {"evicted_by_age", counters.evictedByAge},
          {"evicted_by_score", counters.evictedByScore},
          {"evicted_unseen", counters.evictedUnseen},
          {"evicted_by_capacity", counters.evictedByCapacity},
          {"promoted", counters.promoted},
          {"promoted_for_pass", counters.promotedForPass},
          {"read_for_pass", counters.readForPass},
          {"demoted", counters.demoted}})
      scalars.emplace_back(absl::StrCat(table.spec().name, ".", what), count);
    if (TieredRows *tiers = table.tiers()) {
      const std::string &name = table.spec().name;
      scalars.emplace_back(name + ".read_ahead", tiers->readAhead().rows());
      scalars.emplace_back(name + ".seconds_waited", tiers->secondsWaited());
    }
  }
  for (const std::unique_ptr<HbmRows> &rows : process.hbm)
    for (auto [what, count] :
         {std::pair("hbm_promoted", rows->counters().promoted),
          {"hbm_demoted", rows->counters().demoted}})
      scalars.emplace_back(absl::StrCat(rows->table().spec().name, ".", what),
                           count);
  return scalars;
}

absl::Status ps::writeTrace(const RunConfig &config, const Process &process,
                            absl::Status status) {
  if (!process.trace)
    return status;
  awaitMarks(*process.device);
  status.Update(process.trace->write(config.trace));
  return status;
}

bool ps::hasResult(const StopSignal &stop, int64_t steps) {
  if (steps > 0 || !stop.requested())
    return true;
  logInfo("nothing saved");
  return false;
}

absl::StatusOr<TrainingFunctions> ps::trainingFunctions(Loader &loader) {
  ASSIGN_OR_RETURN(std::vector<FunctionInfo> functions, loader.functions());
  TrainingFunctions result{functions.front(), {}, {}};
  for (const FunctionInfo &function : functions) {
    if (function.every != 0)
      result.periodic.push_back(function);
    if (function.last)
      result.last.push_back(function);
  }
  return result;
}

void ps::printMemoryPlan(const MemoryPlan &plan) {
  printf("%s", plan.table.c_str());
  printf("activations: %lld bytes at the peak (%lld without reuse)\n"
         "constants: %lld bytes, feeds: %lld bytes, variables: %lld bytes\n",
         static_cast<long long>(plan.arenaBytes),
         static_cast<long long>(plan.unsharedBytes),
         static_cast<long long>(plan.constantBytes),
         static_cast<long long>(plan.feedBytes),
         static_cast<long long>(plan.variableBytes));
  fflush(stdout);
}

/// Tries to open every file that the run will write, so that it does not fail
/// after training.
absl::Status ps::checkOutputs(const RunConfig &config) {
  for (const SaveTarget &save : config.saves)
    RETURN_IF_ERROR(checkWritable(save.dir));
  if (!config.monitor.saveBest.empty())
    RETURN_IF_ERROR(checkWritable(config.monitor.saveBest));
  RETURN_IF_ERROR(prepareCheckpoints(config));
  for (auto [what, path] :
       {std::pair("trace", config.trace), std::pair("metrics", config.metrics),
        std::pair("predictions", config.predictions)}) {
    if (path.empty())
      continue;
    std::error_code ignored;
    const bool exists = std::filesystem::exists(path, ignored);
    std::FILE *file = std::fopen(path.c_str(), "a");
    if (!file)
      return absl::UnavailableError(absl::StrCat(
          "cannot write ", what, " to '", path, "': ", std::strerror(errno)));
    std::fclose(file);
    // A run that is refused later must not leave an empty file.
    if (!exists)
      std::filesystem::remove(path, ignored);
  }
  return absl::OkStatus();
}
