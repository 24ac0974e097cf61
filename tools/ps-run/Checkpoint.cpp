// SPDX-License-Identifier: Apache-2.0
//===- Checkpoint.cpp - what --save writes and --load reads ---------------===//

#include "tools/ps-run/Checkpoint.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"
#include "runtime/store/CheckpointFolder.h"
#include "runtime/store/Safetensors.h"
#include "runtime/store/SlotFiles.h"
#include "tools/ps-run/Options.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>

using namespace ps;
using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Restores the optimizer state of slots of this program that `folder` has; the
/// others keep their initial values.
static absl::Status loadSlots(CheckpointFolder &folder, Store &store) {
  absl::StatusOr<SlotFiles> slots = SlotFiles::open(folder);
  return slots.ok() ? slots->read(store) : slots.status();
}

absl::Status ps::loadCheckpoint(const RunConfig &config, bool isWhole,
                                Process &process) {
  if (config.load.empty())
    return absl::OkStatus();
  std::vector<CheckpointFolder> folders;
  for (const std::string &dir : config.load) {
    absl::StatusOr<CheckpointFolder> folder = CheckpointFolder::open(dir);
    if (!folder.ok())
      return folder.status();
    folders.push_back(*std::move(folder));
  }
  // Each folder has all variables.
  CheckpointFolder &last = folders.back();
  if (!last.model().ok())
    return last.model().status();
  std::vector<std::string> tables;
  for (const HeldTable &held : process.tables)
    tables.push_back(held.table->spec().name);
  if (absl::Status s =
          loadModel(**last.model(), *process.store, !isWhole, tables);
      !s.ok())
    return s;
  process.resumed = last.state();
  for (const CheckpointFolder &folder : folders)
    process.loadedIds.push_back(folder.id());
  if (absl::Status s = loadSlots(last, *process.store); !s.ok())
    return s;
  for (const HeldTable &held : process.tables)
    if (absl::Status s = loadTable(folders, *held.table, held.shard); !s.ok())
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
                                RowSelection rows, StagedCheckpoint &staged) {
  for (const HeldTable &held : process.tables)
    if (!isSavedAsVariable(held.table->spec()))
      if (absl::Status s = staged.addTable(dir, *held.table, held.shard, rows);
          !s.ok())
        return s;
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
                     StagedCheckpoint &staged) const;
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
                          StagedCheckpoint &staged) const {
  if (slots.empty())
    staged.remove(slotPath(dir));
  else if (absl::Status s = staged.add(slotPath(dir), slots); !s.ok())
    return s;
  for (const std::string &stale : findSlotParts(dir, pservers))
    staged.remove(stale);
  for (const TableSpec *table : tables)
    if (absl::Status s = settleRows(dir, *table, staged); !s.ok())
      return s;
  return staged.add(modelPath(dir), variables);
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

/// The folders by absolute names: pservers may have another working directory.
static absl::StatusOr<std::vector<SaveFolder>>
listFolders(const RunConfig &config) {
  std::vector<SaveFolder> folders;
  for (const SaveTarget &save : config.saves) {
    std::error_code error;
    const auto dir = std::filesystem::absolute(save.dir, error);
    if (error)
      return fileError(error.value(), save.dir,
                       "cannot make the name absolute");
    folders.push_back({dir.lexically_normal().string(), save.rows});
  }
  return folders;
}

absl::Status ps::checkSaving(const RunConfig &config, PServerClients pservers) {
  absl::StatusOr<std::vector<SaveFolder>> folders = listFolders(config);
  if (!folders.ok())
    return folders.status();
  return saveAll(pservers, {.folders = *std::move(folders)}).status();
}

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

/// The checkpoint's id: equal contents have the same.
static std::string makeId(const StagedCheckpoint &own,
                          std::span<const SavedPart> parts) {
  Digest digest;
  digest.add(own.digest());
  for (const SavedPart &part : parts)
    digest.add(part.digest);
  return digest.str();
}

/// Stages training.json of `dir`.
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
  absl::StatusOr<std::vector<SaveFolder>> folders = listFolders(config);
  if (!folders.ok())
    return folders.status();
  const Model model(process, readRows);
  StagedCheckpoint own;
  for (const SaveTarget &save : config.saves) {
    if (absl::Status s = checkWritable(save.dir); !s.ok())
      return s;
    if (absl::Status s = stageTables(process, save.dir, save.rows, own);
        !s.ok())
      return s;
    if (absl::Status s = model.stage(save.dir, pservers.size(), own); !s.ok())
      return s;
  }
  if (absl::Status s = own.flush(); !s.ok())
    return s;
  // A run saves once.
  SaveRequest request{.phase = SaveRequest::Phase::Stage,
                      .number = 1,
                      .folders = *std::move(folders)};
  absl::StatusOr<std::vector<SavedPart>> parts = saveAll(pservers, request);
  if (!parts.ok())
    return parts.status();

  absl::StatusOr<std::vector<std::string>> optimizerFiles =
      listOptimizerFiles(!model.slots.empty(), *parts);
  if (!optimizerFiles.ok())
    return optimizerFiles.status();
  state.optimizerFiles = *std::move(optimizerFiles);
  state.checkpointId = makeId(own, *parts);
  std::vector<std::unique_ptr<StagedFile>> states;
  for (const SaveTarget &save : config.saves) {
    absl::StatusOr<std::unique_ptr<StagedFile>> file =
        stageState(save.dir, state);
    if (!file.ok())
      return file.status();
    states.push_back(*std::move(file));
  }

  request.phase = SaveRequest::Phase::Publish;
  request.checkpointId = state.checkpointId;
  if (absl::Status s = saveAll(pservers, request).status(); !s.ok())
    return s;
  if (absl::Status s = own.publish(state.checkpointId); !s.ok())
    return s;
  for (const std::unique_ptr<StagedFile> &file : states)
    if (absl::Status s = file->publish(); !s.ok())
      return s;
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Pservers
//===----------------------------------------------------------------------===//

/// The folder for the pserver's part: its own --save overrides trainer 0's.
std::string PServerSaver::folderOf(const SaveFolder &folder) const {
  for (const SaveTarget &own : config.saves)
    if (own.rows == folder.rows)
      return own.dir;
  return folder.dir;
}

bool PServerSaver::holdsAnything() const {
  return !process.tables.empty() || !slotParts(*process.store).empty();
}

absl::Status PServerSaver::checkOwn() const {
  if (holdsAnything())
    for (const SaveTarget &save : config.saves)
      if (absl::Status s = checkWritable(save.dir); !s.ok())
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
  for (const HeldTable &held : process.tables)
    if (isSavedAsVariable(held.table->spec()))
      addRowSlots(*held.table, held.shard, slots);
  for (const std::string &stale : findSlotParts(dir, count))
    staged->remove(stale);
  if (slots.empty()) {
    staged->remove(path);
    return absl::OkStatus();
  }
  names = {slotPartPath("", index, count)};
  return staged->add(path, slots);
}

absl::StatusOr<SavedPart>
PServerSaver::stage(std::span<const SaveFolder> folders) {
  staged.emplace();
  SavedPart part;
  for (const SaveFolder &folder : folders) {
    const std::string dir = folderOf(folder);
    // Without anything to save, the files of an older job are still removed.
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

absl::Status PServerSaver::publish(const std::string &checkpointId) {
  absl::Status status = staged->publish(checkpointId);
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
