// SPDX-License-Identifier: Apache-2.0
//===- Checkpoint.cpp - what --save writes and --load reads ---------------===//
//
// A checkpoint consists of files of several processes with one id, a digest of
// their contents. All are written beside the final names first (staged), and
// made durable; when every process has succeeded, all get the id (sealed), and
// then their names (published), training.json last, which lists them. A reader
// completes what one process was killed in; one that still finds two ids knows
// that a save was interrupted.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/Checkpoint.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/Digest.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/SlotFiles.h"
#include "runtime/executor/FunctionNode.h"
#include "runtime/testing/CrashPoint.h"
#include "tools/ps-run/checkpoint/PartialLoad.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

using namespace ps;
using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Restores the optimizer state of slots of this program that `folder` has; the
/// others keep their initial values. What schedules count is of interest to
/// processes without a slot for it, too.
static absl::Status loadSlots(CheckpointFolder &folder, Process &process) {
  ASSIGN_OR_RETURN(SlotFiles slots, SlotFiles::open(folder));
  RETURN_IF_ERROR(slots.read(*process.store));
  if (const auto missing = slots.findMissing(*process.store))
    logWarning(absl::StrCat("'", folder.dir(), "' has no '@", *missing,
                            "', another optimizer has trained the model: what "
                            "is missing of the optimizer's state begins anew"));
  ASSIGN_OR_RETURN(process.updatesBefore, slots.readCount("global_step"));
  return absl::OkStatus();
}

/// The file of what metrics had added up.
static std::string metricsPath(const std::string &dir) {
  return (std::filesystem::path(dir) / "metrics.safetensors").string();
}

/// Reads it, if `folder` has one.
static absl::StatusOr<MetricSums> loadMetrics(CheckpointFolder &folder) {
  MetricSums sums;
  auto file = folder.openFile(metricsPath(folder.dir()));
  if (absl::IsNotFound(file.status()))
    return sums;
  if (!file.ok())
    return file.status();
  RETURN_IF_ERROR(folder.check(**file));
  RETURN_IF_ERROR(folder.verify(**file));
  for (const auto &[name, type] : (*file)->tensors()) {
    std::vector<double> &read = sums[name];
    if (type.dtype != DType::F64)
      return absl::DataLossError(
          absl::StrCat("'", (*file)->path(), "': expected sums of metric '",
                       printable(name), "' of type f64, found ", type.str()));
    read.resize(size_t(type.numElements()));
    RETURN_IF_ERROR((*file)->read(
        name, {type, reinterpret_cast<std::byte *>(read.data())}));
  }
  return sums;
}

/// Without the optimizers' state, which belongs to variables.
static ModelNames listKnown(const Process &process) {
  ModelNames names;
  for (const VariableSpec &spec : process.store->variables())
    if (spec.slotOf.empty())
      names.variables.insert(spec.origin);
  for (const HeldTable &held : process.tables)
    names.tables.insert(held.table->spec().name);
  for (const TableInfo &info : process.remoteTables)
    names.tables.insert(info.spec.name);
  return names;
}

/// A process reads what it holds: its rows of variables and tables, from files
/// of any number of processes.
absl::Status ps::loadCheckpoint(const RunConfig &config, bool isWhole,
                                bool isLeader, Process &process) {
  if (config.load.empty())
    return absl::OkStatus();
  std::vector<CheckpointFolder> folders;
  for (const std::string &dir : config.load) {
    ASSIGN_OR_RETURN(CheckpointFolder folder, CheckpointFolder::open(dir));
    folders.push_back(std::move(folder));
  }
  // Each folder has all variables.
  CheckpointFolder &last = folders.back();
  if (!last.model().ok())
    return last.model().status();
  std::vector<std::string> tables;
  for (const HeldTable &held : process.tables)
    tables.push_back(held.table->spec().name);
  RETURN_IF_ERROR(last.verify(**last.model()));
  const bool isPart = loadsPart(config);
  RETURN_IF_ERROR(loadModel(
      **last.model(), *process.store,
      {.allowsExtra = isPart || !isWhole, .allowsMissing = isPart}, tables));
  process.resumed = last.state();
  if (!config.checkpoint.resumed.empty()) {
    ASSIGN_OR_RETURN(process.metrics, loadMetrics(last));
  }
  for (const CheckpointFolder &folder : folders)
    process.loadedIds.push_back(folder.id());
  RETURN_IF_ERROR(loadSlots(last, process));
  for (const HeldTable &held : process.tables) {
    bool isThere = true;
    if (isPart) {
      ASSIGN_OR_RETURN(isThere, hasTable(folders, held.table->spec().name));
    }
    if (isThere)
      RETURN_IF_ERROR(loadTable(folders, *held.table, held.shard));
  }
  return isPart && isLeader ? reportPartialLoad(folders, listKnown(process))
                            : absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// What a process holds
//===----------------------------------------------------------------------===//

/// Variables (`slots` = false) or optimizer state under their own names.
static std::vector<NamedTensor> select(const Store &store, bool slots) {
  std::vector<NamedTensor> tensors;
  for (size_t i = 0; i != store.variables().size(); ++i)
    if (const VariableSpec &spec = store.variables()[i];
        slots ? spec.isState() : spec.slotOf.empty())
      tensors.push_back({store.variables()[i].name, store.tensor(i)});
  return tensors;
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
    return table.readColumn(column, idsOf(first, rows), rows.data);
  };
  return tensor;
}

absl::Status ps::stageTables(const Process &process, const std::string &dir,
                             RowSelection rows, bool isInSeries,
                             StagedCheckpoint &staged) {
  // Training waits for it, so all threads of the executor take part.
  for (const HeldTable &held : process.tables) {
    const TableSpec &spec = held.table->spec();
    if (isSavedAsVariable(spec))
      continue;
    Program program;
    program.addNode(
        makeNode(Node::Kind::Kernel, "save @" + spec.name,
                 [&](StepContext &context) {
                   const ParallelStep parallel{context};
                   return isInSeries && held.table->isInMemory()
                              ? staged.addToSeries(dir, *held.table, held.shard,
                                                   held.base.get(), parallel)
                              : staged.addTable(dir, *held.table, held.shard,
                                                rows, parallel);
                 }),
        {});
    RETURN_IF_ERROR(process.executor->run(program, 0));
  }
  return absl::OkStatus();
}

/// If the model of `dir` holds the variable that the table stands for, removes
/// the table's files of an earlier checkpoint. If that is too large, reports
/// where its rows are.
static absl::Status settleRows(const std::string &dir, const TableSpec &spec,
                               StagedCheckpoint &staged) {
  if (!spec.isVariable)
    return absl::OkStatus();
  if (isSavedAsVariable(spec)) {
    ASSIGN_OR_RETURN(auto tables, listTables(dir));
    for (const auto &[count, file] : tables[spec.name])
      staged.remove(file);
    return absl::OkStatus();
  }
  logInfo(absl::StrCat(
      "'@", spec.name, "' was recovered as a table and is larger than ",
      kMaxVariableBytes >> 20, " MiB: its rows are in '", dir, "/", spec.name,
      "-*.safetensors', not in '", modelPath(dir), "'"));
  return absl::OkStatus();
}

namespace {
/// What a local run, or trainer 0, writes of a model.
struct Model {
  std::vector<NamedTensor> variables, slots;
  /// Tables that may stand for variables.
  std::vector<const TableSpec *> tables;

  Model(const Process &process, const ReadRows &readRows);
  absl::Status stage(const std::string &dir, int pservers,
                     StagedCheckpoint &staged) const;
};
} // namespace

/// A small table that was recovered from a variable is saved as one, so that
/// models do not depend on how they were trained.
Model::Model(const Process &process, const ReadRows &readRows)
    : variables(select(*process.store, false)),
      slots(select(*process.store, true)) {
  for (const HeldTable &held : process.tables) {
    const TableSpec &spec = held.table->spec();
    tables.push_back(&spec);
    if (!isSavedAsVariable(spec))
      continue;
    const std::vector<RowColumn> &columns = held.table->columns();
    variables.push_back(makeTensor(held, columns[0], spec.name));
    for (const RowColumn &column : std::span(columns).subspan(1))
      slots.push_back(makeTensor(held, column, column.name));
  }
  for (const TableInfo &info : process.remoteTables) {
    const TableSpec &spec = info.spec;
    tables.push_back(&spec);
    if (isSavedAsVariable(spec))
      variables.push_back(
          {spec.name,
           {{spec.dtype, {spec.maxRows, spec.width}}, nullptr},
           [&spec, &readRows](int64_t first, const TensorRef &rows) {
             return readRows(spec.name, first, rows);
           }});
  }
}

/// Also removes what an earlier checkpoint of another shape left in the folder:
/// it would be loaded with the new one.
absl::Status Model::stage(const std::string &dir, int pservers,
                          StagedCheckpoint &staged) const {
  if (slots.empty())
    staged.remove(slotPath(dir));
  else
    RETURN_IF_ERROR(staged.add(slotPath(dir), slots));
  for (const std::string &stale : findSlotParts(dir, pservers))
    staged.remove(stale);
  for (const TableSpec *table : tables)
    RETURN_IF_ERROR(settleRows(dir, *table, staged));
  return staged.add(modelPath(dir), variables);
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// The folders by absolute names: pservers may have another working directory.
static absl::StatusOr<std::vector<SaveFolder>>
listFolders(std::span<const SaveTarget> saves, SaveKind kind) {
  std::vector<SaveFolder> folders;
  for (const SaveTarget &save : saves) {
    std::error_code error;
    const auto dir = std::filesystem::absolute(save.dir, error);
    if (error)
      return fileError(error.value(), save.dir,
                       "cannot make the name absolute");
    folders.push_back({dir.lexically_normal().string(), save.rows,
                       kind == SaveKind::Periodic, kind == SaveKind::Best});
  }
  return folders;
}

/// Whether all pservers could write, before training.
absl::Status ps::checkSaving(const RunConfig &config, PServerClients pservers) {
  std::vector<SaveTarget> series, best;
  if (!config.checkpoint.dir.empty())
    series.push_back({config.checkpoint.dir});
  if (!config.monitor.saveBest.empty())
    best.push_back({config.monitor.saveBest});
  for (auto [saves, kind] :
       {std::pair(std::span<const SaveTarget>(config.saves), SaveKind::Final),
        {series, SaveKind::Periodic},
        {best, SaveKind::Best}}) {
    if (saves.empty())
      continue;
    ASSIGN_OR_RETURN(std::vector<SaveFolder> folders, listFolders(saves, kind));
    RETURN_IF_ERROR(
        saveAll(pservers, {.folders = std::move(folders)}).status());
  }
  return absl::OkStatus();
}

/// The names come from other processes and end up in training.json, so only
/// those that a pserver may use are accepted.
absl::StatusOr<std::vector<std::string>>
ps::listOptimizerFiles(bool hasOwn, std::span<const SavedPart> parts) {
  std::vector<std::string> files;
  if (hasOwn)
    files.push_back(slotPath(""));
  for (size_t i = 0; i != parts.size(); ++i) {
    const std::string expected =
        slotPartPath("", static_cast<int>(i), static_cast<int>(parts.size()));
    for (const std::string &file : parts[i].optimizerFiles) {
      constexpr size_t longest = 80;
      if (file != expected || parts[i].optimizerFiles.size() != 1)
        return absl::InvalidArgumentError(absl::StrCat(
            "pserver ", i, ": expected at most one file of optimizer state, '",
            expected, "', found ", parts[i].optimizerFiles.size(),
            ", the first of them '", printable(file.substr(0, longest)), "'"));
      files.push_back(file);
    }
  }
  return files;
}

/// As with optimizer files: no name may lead elsewhere, or take the place of
/// another process's file.
absl::Status ps::addSavedFiles(std::span<const SavedPart> parts,
                               std::span<FileChecksums> folders) {
  const int count = static_cast<int>(parts.size());
  for (int i = 0; i != count; ++i)
    for (const SavedFile &file : parts[i].files) {
      const bool isPServers = file.name == slotPartPath("", i, count) ||
                              isTableFileName(file.name, count);
      if (file.folder < folders.size() && isPServers &&
          folders[file.folder].emplace(file.name, file.checksum).second)
        continue;
      constexpr size_t longest = 80;
      return absl::InvalidArgumentError(absl::StrCat(
          "pserver ", i, ": expected files of its own in folders 0 to ",
          folders.size() - 1, ", such as '", slotPartPath("", i, count),
          "', found '", printable(file.name.substr(0, longest)), "' in folder ",
          file.folder));
    }
  return absl::OkStatus();
}

/// What training.json lists in each of the folders of `saves`.
static absl::StatusOr<std::vector<FileChecksums>>
listFiles(std::span<const SaveTarget> saves, const StagedCheckpoint &own,
          std::span<const SavedPart> parts) {
  std::vector<FileChecksums> folders;
  for (const SaveTarget &save : saves)
    folders.push_back(own.sealedIn(save.dir));
  RETURN_IF_ERROR(addSavedFiles(parts, folders));
  return folders;
}

/// The checkpoint's id: equal contents have the same.
static std::string makeId(const std::string &own,
                          std::span<const SavedPart> parts) {
  Digest digest;
  digest.add(own);
  for (const SavedPart &part : parts)
    digest.add(part.digest);
  return digest.str();
}

/// Stages training.json of `dir`.
static absl::StatusOr<std::unique_ptr<StagedFile>>
stageState(const std::string &dir, const TrainingState &state) {
  ASSIGN_OR_RETURN(std::unique_ptr<StagedFile> file,
                   StagedFile::create(trainingStatePath(dir)));
  const std::string text = formatTrainingState(state);
  RETURN_IF_ERROR(file->write(text.data(), text.size(), 0));
  RETURN_IF_ERROR(file->flush());
  return file;
}

/// Stages training.json in the folders of `saves`, with the files that this
/// process and the pservers have sealed.
static absl::StatusOr<std::vector<std::unique_ptr<StagedFile>>>
stageStates(std::span<const SaveTarget> saves, TrainingState state,
            const StagedCheckpoint &own, std::span<const SavedPart> parts) {
  ASSIGN_OR_RETURN(std::vector<FileChecksums> files,
                   listFiles(saves, own, parts));
  std::vector<std::unique_ptr<StagedFile>> states;
  for (size_t i = 0; i != saves.size(); ++i) {
    state.files = std::move(files[i]);
    ASSIGN_OR_RETURN(std::unique_ptr<StagedFile> file,
                     stageState(saves[i].dir, state));
    states.push_back(std::move(file));
  }
  return states;
}

absl::StatusOr<int64_t> ps::savePass(const RunConfig &config,
                                     const Process &process,
                                     const TrainingState &reached) {
  // What --save-base and --save-delta count from is the end of a run.
  std::vector<SaveTarget> saves;
  for (const SaveTarget &save : config.saves)
    if (save.rows == RowSelection::All)
      saves.push_back(save);
  RETURN_IF_ERROR(process.store->download());
  std::map<const Table *, std::string> commits;
  int64_t changed = 0;
  for (const HeldTable &held : process.tables) {
    if (!held.table->tiers())
      continue;
    RETURN_IF_ERROR(held.table->syncWithDevice());
    ASSIGN_OR_RETURN(TieredRows::Commit commit, held.table->tiers()->commit());
    commits[held.table.get()] = commit.files;
    changed += commit.changed;
  }
  const Model model(process, nullptr);
  StagedCheckpoint staged;
  for (const SaveTarget &save : saves) {
    RETURN_IF_ERROR(checkWritable(save.dir));
    for (const HeldTable &held : process.tables)
      if (auto commit = commits.find(held.table.get()); commit != commits.end())
        RETURN_IF_ERROR(
            staged.addTiers(save.dir, *held.table, held.shard, commit->second));
      else if (!isSavedAsVariable(held.table->spec()))
        RETURN_IF_ERROR(
            staged.addTable(save.dir, *held.table, held.shard, save.rows));
    RETURN_IF_ERROR(model.stage(save.dir, /*pservers=*/0, staged));
  }
  ASSIGN_OR_RETURN(const std::string digest, staged.flush());
  TrainingState state = reached;
  ASSIGN_OR_RETURN(state.optimizerFiles,
                   listOptimizerFiles(!model.slots.empty(), {}));
  state.checkpointId = makeId(digest, {});
  RETURN_IF_ERROR(staged.seal(state.checkpointId));
  ASSIGN_OR_RETURN(auto states, stageStates(saves, state, staged, {}));
  RETURN_IF_ERROR(staged.publish(state.checkpointId));
  for (const std::unique_ptr<StagedFile> &file : states)
    RETURN_IF_ERROR(file->publish());
  return changed;
}

/// Tensors of what metrics have added up.
static std::vector<NamedTensor> tensorsOf(MetricSums &metrics) {
  std::vector<NamedTensor> tensors;
  for (auto &[name, sums] : metrics)
    tensors.push_back({name,
                       {{DType::F64, {static_cast<int64_t>(sums.size())}},
                        reinterpret_cast<std::byte *>(sums.data())}});
  return tensors;
}

namespace {
/// A checkpoint that is staged everywhere.
struct StagedSave {
  std::vector<SaveTarget> folders;
  TrainingState state;
  PServerClients pservers;
  /// The one of the phase under way.
  SaveRequest request;
  StagedCheckpoint own;

  absl::Status complete();
  /// Has pservers remove what they have staged. Those that cannot do that next
  /// time.
  void discard() {
    try {
      (void)run(SaveRequest::Phase::Discard);
    } catch (const std::bad_alloc &) {
      // So does this process.
    }
  }

private:
  absl::StatusOr<std::vector<std::unique_ptr<StagedFile>>> prepare();
  absl::StatusOr<std::vector<SavedPart>> run(SaveRequest::Phase phase) {
    request.phase = phase;
    return saveAll(pservers, request);
  }
};
} // namespace

/// Makes the files durable everywhere, then seals them everywhere. Pservers
/// come first: until they have written their rows, they copy those that change.
absl::StatusOr<std::vector<std::unique_ptr<StagedFile>>> StagedSave::prepare() {
  using Phase = SaveRequest::Phase;
  ASSIGN_OR_RETURN(std::vector<SavedPart> parts, run(Phase::Flush));
  ASSIGN_OR_RETURN(const std::string digest, own.flush());
  crashPoint("save.flushed");
  state.checkpointId = makeId(digest, parts);
  request.checkpointId = state.checkpointId;
  RETURN_IF_ERROR(own.seal(state.checkpointId));
  ASSIGN_OR_RETURN(parts, run(Phase::Seal));
  ASSIGN_OR_RETURN(auto states, stageStates(folders, state, own, parts));
  crashPoint("save.sealed");
  return states;
}

/// Publishes everywhere what is ready everywhere. A failure before the first
/// publish leaves the old checkpoint as it was.
absl::Status StagedSave::complete() {
  absl::Cleanup lost = [this] { discard(); };
  ASSIGN_OR_RETURN(auto states, prepare());
  std::move(lost).Cancel();
  RETURN_IF_ERROR(run(SaveRequest::Phase::Publish).status());
  RETURN_IF_ERROR(own.publish(state.checkpointId));
  crashPoint("save.unlisted");
  for (const std::unique_ptr<StagedFile> &file : states)
    RETURN_IF_ERROR(file->publish());
  crashPoint("save.listed");
  return absl::OkStatus();
}

absl::StatusOr<CompleteSave> ps::stageCheckpoint(CheckpointToSave checkpoint,
                                                 const Process &process,
                                                 PServerClients pservers,
                                                 const ReadRows &readRows) {
  auto save = std::make_unique<StagedSave>();
  save->folders.assign(checkpoint.folders.begin(), checkpoint.folders.end());
  save->state = std::move(checkpoint.state);
  save->pservers = pservers;
  save->request = {.phase = SaveRequest::Phase::Stage,
                   .number = checkpoint.number};
  ASSIGN_OR_RETURN(save->request.folders,
                   listFolders(save->folders, checkpoint.kind));
  RETURN_IF_ERROR(process.store->download());
  const Model model(process, readRows);
  for (const SaveTarget &folder : save->folders) {
    RETURN_IF_ERROR(checkWritable(folder.dir));
    RETURN_IF_ERROR(stageTables(process, folder.dir, folder.rows,
                                checkpoint.kind == SaveKind::Periodic,
                                save->own));
    RETURN_IF_ERROR(model.stage(folder.dir, pservers.size(), save->own));
    if (!checkpoint.metrics.empty())
      RETURN_IF_ERROR(save->own.add(metricsPath(folder.dir),
                                    tensorsOf(checkpoint.metrics)));
  }
  absl::Cleanup lost = [&save] { save->discard(); };
  ASSIGN_OR_RETURN(const std::vector<SavedPart> parts,
                   saveAll(pservers, save->request));
  ASSIGN_OR_RETURN(save->state.optimizerFiles,
                   listOptimizerFiles(!model.slots.empty(), parts));
  std::move(lost).Cancel();
  crashPoint("save.staged");
  return [save = std::move(save)] { return save->complete(); };
}

absl::Status ps::saveCheckpoint(CheckpointToSave checkpoint,
                                const Process &process) {
  ASSIGN_OR_RETURN(CompleteSave complete,
                   stageCheckpoint(std::move(checkpoint), process));
  return complete();
}
