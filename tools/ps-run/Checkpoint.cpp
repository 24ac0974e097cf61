// SPDX-License-Identifier: Apache-2.0
//===- Checkpoint.cpp - what --save leaves and --load starts from ---------===//

#include "tools/ps-run/Checkpoint.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include "runtime/store/Safetensors.h"
#include "runtime/store/SlotFiles.h"
#include "tools/ps-run/Options.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numeric>

using namespace ps;
using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Restores the optimizer state of `dir`, as far as it names slots of this
/// program; the others start anew.
static absl::Status loadSlots(const std::string &dir,
                              const std::optional<TrainingState> &state,
                              Store &store) {
  absl::StatusOr<SlotFiles> slots = SlotFiles::open(
      dir, state ? state->optimizerFiles : std::vector<std::string>());
  if (!slots.ok())
    return slots.status();
  if (state && !state->optimizerFiles.empty() &&
      slots->saving() != state->saving)
    return absl::DataLossError(absl::StrCat(
        "files of two savings: '", trainingStatePath(dir), "' and '",
        (std::filesystem::path(dir) / state->optimizerFiles[0]).string(),
        "'; save or copy all of one"));
  return slots->read(store);
}

absl::Status ps::loadCheckpoint(const RunConfig &config, bool isWhole,
                                Process &process) {
  if (config.load.empty())
    return absl::OkStatus();
  // Of variables every folder has all.
  const std::string &last = config.load.back();
  std::vector<std::string> tables;
  for (const HeldTable &held : process.tables)
    tables.push_back(held.table->spec().name);
  if (absl::Status s = loadModel(last, *process.store, !isWhole, tables);
      !s.ok())
    return s;
  absl::StatusOr<std::optional<TrainingState>> state = readTrainingState(last);
  if (!state.ok())
    return state.status();
  process.resumed = *std::move(state);
  if (absl::Status s = loadSlots(last, process.resumed, *process.store);
      !s.ok())
    return s;
  for (const HeldTable &held : process.tables)
    if (absl::Status s = loadTable(config.load, *held.table, held.shard);
        !s.ok())
      return s;
  return absl::OkStatus();
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
    table.readColumn(column, idsOf(first, rows), rows.data);
    return absl::OkStatus();
  };
  return tensor;
}

/// Stages the rows of the tables that are not part of the model.
static absl::Status stageTables(const Process &process, const std::string &dir,
                                RowSelection rows, StagedSaving &staged) {
  for (const HeldTable &held : process.tables)
    if (!isSavedAsVariable(held.table->spec()))
      if (absl::Status s = staged.addTable(dir, *held.table, held.shard, rows);
          !s.ok())
        return s;
  return absl::OkStatus();
}

/// The model of `dir` holds the variable that the table stands for, unless that
/// is large: no files of an earlier saving may stand beside it.
static absl::Status settleRows(const std::string &dir, const TableSpec &spec,
                               StagedSaving &staged) {
  if (!spec.isVariable)
    return absl::OkStatus();
  if (isSavedAsVariable(spec)) {
    auto tables = listTables(dir);
    if (!tables.ok())
      return tables.status();
    for (const auto &[count, file] : (*tables)[spec.name])
      staged.remove(file);
    return absl::OkStatus();
  }
  fprintf(stderr,
          "'@%s' was recovered as a table and is larger than %llu MiB: its "
          "rows are in '%s/%s-*.safetensors', not in '%s'\n",
          spec.name.c_str(),
          static_cast<unsigned long long>(kMaxVariableBytes >> 20), dir.c_str(),
          spec.name.c_str(), modelPath(dir).c_str());
  return absl::OkStatus();
}

namespace {
/// What a local run, or trainer 0, writes of a model.
struct Model {
  std::vector<NamedTensor> variables, slots;
  /// Of tables that may stand for variables.
  std::vector<const TableSpec *> tables;

  Model(const Process &process, const ReadRows &readRows);
  absl::Status stage(const std::string &dir, int pservers,
                     StagedSaving &staged) const;
};
} // namespace

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

absl::Status Model::stage(const std::string &dir, int pservers,
                          StagedSaving &staged) const {
  if (slots.empty())
    staged.remove(slotPath(dir));
  else if (absl::Status s = staged.add(slotPath(dir), slots); !s.ok())
    return s;
  for (const std::string &stale : findSlotParts(dir, pservers))
    staged.remove(stale);
  for (const TableSpec *table : tables)
    if (absl::Status s = settleRows(dir, *table, staged); !s.ok())
      return s;
  return staged.addModel(dir, variables);
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// As pservers get it: they may have another working directory.
static std::vector<SaveFolder> foldersOf(const RunConfig &config) {
  std::vector<SaveFolder> folders;
  for (const Saving &saving : config.saves) {
    std::error_code error;
    const auto dir = std::filesystem::absolute(saving.dir, error);
    folders.push_back(
        {error ? saving.dir : dir.lexically_normal().string(), saving.rows});
  }
  return folders;
}

absl::Status ps::checkSaving(const RunConfig &config, PServerClients pservers) {
  return saveAll(pservers, {.folders = foldersOf(config)}).status();
}

/// What names the saving: equal contents have the same name.
static std::string nameOf(const StagedSaving &own,
                          std::span<const SavedPart> parts) {
  Digest digest;
  digest.add(own.digest());
  for (const SavedPart &part : parts)
    digest.add(part.digest);
  return digest.str();
}

/// Stages how far the run has come, beside the model of `dir`.
static absl::StatusOr<std::unique_ptr<StagedFile>>
stageState(const std::string &dir, const TrainingState &state) {
  absl::StatusOr<std::unique_ptr<StagedFile>> file =
      StagedFile::create(trainingStatePath(dir));
  if (!file.ok())
    return file.status();
  const std::string text = formatTrainingState(state);
  absl::Status status = (*file)->write(text.data(), text.size(), 0);
  if (status.ok())
    status = (*file)->flush();
  if (!status.ok())
    return status;
  return file;
}

absl::Status ps::saveCheckpoint(const RunConfig &config, const Process &process,
                                TrainingState state, PServerClients pservers,
                                const ReadRows &readRows) {
  const Model model(process, readRows);
  StagedSaving own;
  for (const Saving &saving : config.saves) {
    if (absl::Status s = checkWritable(saving.dir); !s.ok())
      return s;
    if (absl::Status s = stageTables(process, saving.dir, saving.rows, own);
        !s.ok())
      return s;
    if (absl::Status s = model.stage(saving.dir, pservers.size(), own); !s.ok())
      return s;
  }
  if (absl::Status s = own.flush(); !s.ok())
    return s;
  // A run saves once.
  SaveRequest request{.phase = SaveRequest::Phase::Stage,
                      .number = 1,
                      .folders = foldersOf(config)};
  absl::StatusOr<std::vector<SavedPart>> parts = saveAll(pservers, request);
  if (!parts.ok())
    return parts.status();

  state.saving = nameOf(own, *parts);
  state.optimizerFiles.clear();
  if (!model.slots.empty())
    state.optimizerFiles.push_back(
        std::filesystem::path(slotPath("")).filename().string());
  for (const SavedPart &part : *parts)
    state.optimizerFiles.insert(state.optimizerFiles.end(),
                                part.optimizerFiles.begin(),
                                part.optimizerFiles.end());
  std::vector<std::unique_ptr<StagedFile>> states;
  for (const Saving &saving : config.saves) {
    absl::StatusOr<std::unique_ptr<StagedFile>> file =
        stageState(saving.dir, state);
    if (!file.ok())
      return file.status();
    states.push_back(*std::move(file));
  }

  request.phase = SaveRequest::Phase::Publish;
  request.saving = state.saving;
  if (absl::Status s = saveAll(pservers, request).status(); !s.ok())
    return s;
  if (absl::Status s = own.publish(state.saving); !s.ok())
    return s;
  for (const std::unique_ptr<StagedFile> &file : states)
    if (absl::Status s = file->publish(); !s.ok())
      return s;
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Pservers
//===----------------------------------------------------------------------===//

/// Where the pserver's part of `folder` goes.
std::string PServerSaver::folderOf(const SaveFolder &folder) const {
  for (const Saving &own : config.saves)
    if (own.rows == folder.rows)
      return own.dir;
  return folder.dir;
}

bool PServerSaver::holdsAnything() const {
  return !process.tables.empty() || !slotParts(*process.store).empty();
}

absl::Status PServerSaver::checkOwn() const {
  if (holdsAnything())
    for (const Saving &saving : config.saves)
      if (absl::Status s = checkWritable(saving.dir); !s.ok())
        return s;
  return absl::OkStatus();
}

absl::Status PServerSaver::check(std::span<const SaveFolder> folders) {
  announced = true;
  if (!holdsAnything())
    return absl::OkStatus();
  for (const SaveFolder &folder : folders) {
    const std::string dir = folderOf(folder);
    if (absl::Status s = checkWritable(dir); !s.ok())
      return s;
    if (config.saves.empty())
      fprintf(stderr, "trainer 0 has this pserver save its part to '%s'\n",
              printable(dir).c_str());
  }
  return absl::OkStatus();
}

absl::Status PServerSaver::stageSlots(const std::string &dir,
                                      std::vector<std::string> &names) {
  const std::string path = slotPartPath(dir, index, count);
  std::vector<NamedTensor> slots = slotParts(*process.store);
  std::map<const Table *, std::vector<int64_t>> ids;
  for (const HeldTable &held : process.tables)
    if (isSavedAsVariable(held.table->spec()))
      addRowSlots(*held.table, held.shard, ids[held.table.get()], slots);
  for (const std::string &stale : findSlotParts(dir, count))
    staged->remove(stale);
  if (slots.empty()) {
    staged->remove(path);
    return absl::OkStatus();
  }
  names = {std::filesystem::path(path).filename().string()};
  return staged->add(path, slots);
}

absl::StatusOr<SavedPart>
PServerSaver::stage(std::span<const SaveFolder> folders) {
  staged.emplace();
  SavedPart part;
  for (const SaveFolder &folder : folders) {
    const std::string dir = folderOf(folder);
    // Without anything to save, what an older job has left is still removed.
    absl::Status status =
        holdsAnything() ? checkWritable(dir) : absl::OkStatus();
    if (status.ok())
      status = stageTables(process, dir, folder.rows, *staged);
    if (status.ok())
      status = stageSlots(dir, part.optimizerFiles);
    if (!status.ok())
      return status;
  }
  if (absl::Status status = staged->flush(); !status.ok())
    return status;
  part.digest = staged->digest();
  return part;
}

absl::Status PServerSaver::publish(const std::string &saving) {
  absl::Status status = staged->publish(saving);
  staged.reset();
  return status;
}

absl::Status PServerSaver::checkUse() const {
  if (announced || config.saves.empty())
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "nothing is saved in '", config.saves.back().dir,
      "': --save of a pserver says where its part of the model goes, but "
      "trainer 0 runs without --save"));
}
