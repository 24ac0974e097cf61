//===- Process.cpp - what every role of ps-run has ------------------------===//

#include "tools/ps-run/Process.h"
#include "absl/strings/str_cat.h"
#include "runtime/store/Safetensors.h"
#include "tools/ps-run/Options.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>

using namespace ps;
using namespace ps::runtime;

/// Restores the optimizer state that a local run saved, as far as it names
/// slots of this program; the others start anew.
static absl::Status loadSlots(const std::string &dir, Store &store) {
  if (!std::filesystem::exists(slotPath(dir)))
    return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> file =
      SafetensorsFile::open(slotPath(dir));
  if (!file.ok())
    return file.status();
  for (size_t i = 0; i != store.variables().size(); ++i) {
    const VariableSpec &spec = store.variables()[i];
    if (spec.slotOf.empty() || !(*file)->tensors().contains(spec.origin))
      continue;
    if (absl::Status status =
            (*file)->read(spec.origin, store.tensor(i), spec.rowOffset);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// An earlier run's optimizer state must not be loaded beside this one's model.
static void removeSlots(const std::string &dir) {
  std::error_code ignored;
  std::filesystem::remove(slotPath(dir), ignored);
}

/// Variables (`slots` = false) or optimizer state under their own names.
static std::vector<NamedTensor> select(const Store &store, bool slots) {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i != store.variables().size(); ++i)
    if (store.variables()[i].slotOf.empty() != slots)
      tensors.push_back({store.variables()[i].name, store.tensor(i)});
  return tensors;
}

Binding Process::binding() const {
  Binding binding;
  binding.store = store.get();
  for (const HeldTable &held : tables)
    binding.tables[held.table->spec().name] = held.table.get();
  return binding;
}

static absl::Status makeTables(const RunConfig &config, Loader &loader,
                               Process &process) {
  absl::StatusOr<std::vector<TableInfo>> infos = loader.tables();
  if (!infos.ok())
    return infos.status();
  for (TableInfo &info : *infos) {
    if (!info.holders.empty()) {
      process.remoteTables.push_back(std::move(info));
      continue;
    }
    // A full pserver knows the ages of its own rows only, so it has a share of
    // its own to keep to.
    if (info.spec.eviction.leastRecentlyUsed)
      info.spec.maxRows = 1 + (info.spec.maxRows - 1) / info.shard.count;
    absl::StatusOr<std::unique_ptr<Table>> table =
        Table::create(std::move(info.spec), config.seed);
    if (!table.ok())
      return table.status();
    process.tables.push_back({std::move(*table), info.shard});
  }
  return absl::OkStatus();
}

/// Something must tell which rows are worth serving.
static absl::Status checkSelections(const RunConfig &config,
                                    const Process &process) {
  const bool selects = std::any_of(
      config.saves.begin(), config.saves.end(),
      [](const Saving &saving) { return saving.rows != RowSelection::All; });
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

absl::StatusOr<Process> ps::makeProcess(const RunConfig &config, Loader &loader,
                                        const std::string &role, int id) {
  Process process;
  absl::StatusOr<std::vector<VariableSpec>> specs = loader.variables();
  if (!specs.ok())
    return specs.status();
  absl::StatusOr<std::unique_ptr<Store>> store =
      Store::create(std::move(*specs), config.seed);
  if (!store.ok())
    return store.status();
  process.store = std::move(*store);
  if (absl::Status s = makeTables(config, loader, process); !s.ok())
    return s;
  if (absl::Status s = checkSelections(config, process); !s.ok())
    return s;
  if (!config.load.empty()) {
    // Of variables every folder has all.
    const std::string &last = config.load.back();
    // A role of a job holds a part of the model only.
    std::vector<std::string> tables;
    for (const HeldTable &held : process.tables)
      tables.push_back(held.table->spec().name);
    if (absl::Status s =
            loadModel(last, *process.store, role != "local", tables);
        !s.ok())
      return s;
    if (absl::Status s = loadSlots(last, *process.store); !s.ok())
      return s;
    for (const HeldTable &held : process.tables)
      if (absl::Status s = loadTable(config.load, *held.table, held.shard);
          !s.ok())
        return s;
  }
  if (!config.trace.empty())
    process.trace = std::make_unique<Trace>(absl::StrCat(role, " ", id));
  absl::StatusOr<std::unique_ptr<Executor>> executor =
      Executor::create({.threads = config.threads,
                        .trace = process.trace.get(),
                        .deterministic = config.deterministic});
  if (!executor.ok())
    return executor.status();
  process.executor = std::move(*executor);
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
          {"evicted_by_capacity", counters.evictedByCapacity}})
      scalars.emplace_back(absl::StrCat(table.spec().name, ".", what), count);
  }
  return scalars;
}

absl::Status ps::writeTrace(const RunConfig &config, const Process &process,
                            absl::Status status) {
  if (process.trace)
    status.Update(process.trace->write(config.trace));
  return status;
}

bool ps::hasResult(const StopSignal &stop, int64_t steps) {
  if (steps > 0 || !stop.requested())
    return true;
  fprintf(stderr, "nothing saved\n");
  return false;
}

absl::StatusOr<TrainingFunctions> ps::trainingFunctions(Loader &loader) {
  absl::StatusOr<std::vector<FunctionInfo>> functions = loader.functions();
  if (!functions.ok())
    return functions.status();
  TrainingFunctions result{functions->front(), {}};
  for (const FunctionInfo &function : *functions)
    if (function.every != 0)
      result.periodic.push_back(function);
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

absl::Status ps::checkOutputs(const RunConfig &config) {
  for (const Saving &saving : config.saves)
    if (absl::Status s = checkWritable(saving.dir); !s.ok())
      return s;
  for (auto [what, path] :
       {std::pair("trace", config.trace), std::pair("metrics", config.metrics),
        std::pair("predictions", config.predictions)}) {
    if (path.empty())
      continue;
    std::FILE *file = std::fopen(path.c_str(), "a");
    if (!file)
      return absl::UnavailableError(absl::StrCat(
          "cannot write ", what, " to '", path, "': ", std::strerror(errno)));
    std::fclose(file);
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// After the model of `dir` is written: it holds the variable that the table
/// stands for, unless that is large.
static absl::Status settleRows(const std::string &dir, const TableSpec &spec) {
  if (!spec.isVariable)
    return absl::OkStatus();
  if (isSavedAsVariable(spec))
    return removeTable(dir, spec.name);
  fprintf(stderr,
          "'@%s' was recovered as a table and is larger than %llu MiB: its "
          "rows are in '%s/%s-*.safetensors', not in '%s'\n",
          spec.name.c_str(),
          static_cast<unsigned long long>(kMaxVariableBytes >> 20), dir.c_str(),
          spec.name.c_str(), modelPath(dir).c_str());
  return absl::OkStatus();
}

/// The ids of rows `first`, `first` + 1, .., as many as `rows` has.
static std::vector<int64_t> idsOf(int64_t first, const TensorRef &rows) {
  std::vector<int64_t> ids(rows.type.rows());
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

/// One tensor of as many rows as the variable has that the table stands for.
static NamedTensor makeTensor(const HeldTable &held, const RowColumn &column,
                              const std::string &name) {
  Table &table = *held.table;
  NamedTensor tensor{name, {column.type, nullptr}};
  std::vector<int64_t> &shape = tensor.tensor.type.shape;
  shape.insert(shape.begin(), table.spec().maxRows);
  tensor.fill = [&table, &column](int64_t first, const TensorRef &rows) {
    table.readColumn(column, idsOf(first, rows), rows.data);
    return absl::OkStatus();
  };
  return tensor;
}

/// Writes the rows of `held` to a file of their own, unless the model has them.
static absl::Status saveRows(const Saving &saving, const HeldTable &held,
                             const std::string &run) {
  return isSavedAsVariable(held.table->spec())
             ? absl::OkStatus()
             : saveTable(saving.dir, *held.table, held.shard, saving.rows, run);
}

absl::Status ps::saveTables(const RunConfig &config, const Process &process,
                            const std::string &run) {
  for (const Saving &saving : config.saves)
    for (const HeldTable &held : process.tables)
      if (absl::Status s = saveRows(saving, held, run); !s.ok())
        return s;
  return absl::OkStatus();
}

absl::Status ps::saveWithSlots(const RunConfig &config,
                               const Process &process) {
  std::vector<NamedTensor> variables = select(*process.store, false);
  std::vector<NamedTensor> slots = select(*process.store, true);
  for (const HeldTable &held : process.tables) {
    const TableSpec &spec = held.table->spec();
    if (!isSavedAsVariable(spec))
      continue;
    const std::vector<RowColumn> &columns = held.table->columns();
    variables.push_back(makeTensor(held, columns[0], spec.name));
    for (const RowColumn &column : std::span(columns).subspan(1))
      slots.push_back(makeTensor(held, column, column.name));
  }
  for (const Saving &saving : config.saves) {
    removeSlots(saving.dir); // first: a crash must not leave old ones
    if (absl::Status s = saveModel(saving.dir, variables); !s.ok())
      return s;
    if (!slots.empty())
      if (absl::Status s = writeSafetensors(slotPath(saving.dir), slots);
          !s.ok())
        return s;
    for (const HeldTable &held : process.tables)
      if (absl::Status s = settleRows(saving.dir, held.table->spec()); !s.ok())
        return s;
  }
  return saveTables(config, process);
}

absl::Status ps::saveWithoutSlots(const RunConfig &config,
                                  const Process &process,
                                  const ReadRows &readRows) {
  std::vector<NamedTensor> variables = select(*process.store, false);
  for (const TableInfo &info : process.remoteTables)
    if (const TableSpec &spec = info.spec; isSavedAsVariable(spec))
      variables.push_back({spec.name,
                           {{spec.dtype, {spec.maxRows, spec.width}}, nullptr},
                           [&](int64_t first, const TensorRef &rows) {
                             return readRows(spec.name, first, rows);
                           }});
  for (const Saving &saving : config.saves) {
    if (absl::Status s = saveModel(saving.dir, variables); !s.ok())
      return s;
    removeSlots(saving.dir);
    for (const TableInfo &info : process.remoteTables)
      if (absl::Status s = settleRows(saving.dir, info.spec); !s.ok())
        return s;
  }
  return saveTables(config, process);
}
