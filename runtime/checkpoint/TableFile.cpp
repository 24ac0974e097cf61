// SPDX-License-Identifier: Apache-2.0
//===- TableFile.cpp - tables on disk -------------------------------------===//
//
// A table is saved as one file per holder, or as a variable of the model if it
// was recovered from one and is small. Files of another number of holders can
// be loaded: each process then reads all files and keeps the ids of its shard.
// With several folders, the first has all rows and the others what changed.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/TableFile.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/RowFile.h"
#include "runtime/checkpoint/SlotFiles.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <tuple>

using namespace ps::runtime;

namespace {
constexpr char kSuffix[] = ".safetensors", kBaseSuffix[] = ".base.safetensors";

/// `name` as the beginning of a file's name: what would lead elsewhere, or
/// cannot be printed, is %XX, as is what stands for that. training.json is
/// UTF-8, and so are the names that it lists.
std::string encodeName(std::string_view name) {
  const bool isText = printable({name.data(), name.size()}) == name;
  std::string file;
  for (unsigned char c : name) {
    if (c == '/' || c == '\\' || c == '%' || c < ' ' || c == 0x7f ||
        (c > 0x7f && !isText))
      absl::StrAppendFormat(&file, "%%%02X", c);
    else
      file += static_cast<char>(c);
  }
  return file;
}

/// What encodeName made `file` of, if it did.
std::optional<std::string> decodeName(std::string_view file) {
  std::string name;
  for (size_t i = 0; i < file.size(); ++i) {
    auto c = static_cast<unsigned char>(file[i]);
    if (c == '%' && i + 2 < file.size()) {
      std::from_chars(file.data() + i + 1, file.data() + i + 3, c, 16);
      i += 2;
    }
    name += static_cast<char>(c);
  }
  if (encodeName(name) != file)
    return std::nullopt;
  return name;
}

/// The name of a file of a table: NAME-kkkkk-of-nnnnn.safetensors, of more
/// digits if need be.
struct FileName {
  std::string table;
  int index, count;

  static std::optional<FileName> parse(std::string_view file) {
    const size_t of = file.rfind("-of-");
    const size_t dash =
        of == file.npos || of == 0 ? file.npos : file.rfind('-', of - 1);
    if (dash == file.npos)
      return std::nullopt;
    const char *end = file.data() + file.size();
    int index, count;
    auto first = std::from_chars(file.data() + dash + 1, end, index);
    auto second = std::from_chars(file.data() + of + 4, end, count);
    if (first.ec != std::errc() || first.ptr != file.data() + of ||
        second.ec != std::errc() ||
        std::string_view(second.ptr, end - second.ptr) != kSuffix ||
        index >= count)
      return std::nullopt;
    std::optional<std::string> table = decodeName(file.substr(0, dash));
    if (!table)
      return std::nullopt;
    return FileName{*std::move(table), index, count};
  }
};

/// The files of table `name` in `dir`, by the numbers of holders that wrote
/// them.
absl::StatusOr<TableFiles> listFiles(const std::string &dir,
                                     const std::string &name) {
  ASSIGN_OR_RETURN(auto tables, listTables(dir));
  return std::move(tables[name]);
}
} // namespace

std::string ps::runtime::tierPath(const std::string &dir, std::string_view name,
                                  int index, int count) {
  return (std::filesystem::path(dir) /
          absl::StrFormat("%s-%05d-of-%05d", encodeName(name), index, count))
      .string();
}

std::string ps::runtime::tablePath(const std::string &dir,
                                   std::string_view name, int index,
                                   int count) {
  return absl::StrCat(tierPath(dir, name, index, count), kSuffix);
}

std::string ps::runtime::basePath(const std::string &path) {
  return path.substr(0, path.size() - std::strlen(kSuffix)) + kBaseSuffix;
}

bool ps::runtime::isTableFileName(const std::string &file, int count) {
  const bool isBase = std::string_view(file).ends_with(kBaseSuffix);
  std::string plain = file;
  if (isBase)
    plain.replace(file.size() - std::strlen(kBaseSuffix), plain.npos, kSuffix);
  const std::optional<FileName> name = FileName::parse(plain);
  return name && name->count <= count &&
         tablePath("", name->table, name->index, name->count) == plain;
}

absl::StatusOr<std::optional<std::string>>
ps::runtime::findTierCommit(const std::string &dir, const std::string &name,
                            const TableShard &shard) {
  ASSIGN_OR_RETURN(CheckpointFolder folder, CheckpointFolder::open(dir));
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> opened =
      folder.openFile(tablePath(dir, name, shard.index, shard.count));
  if (absl::IsNotFound(opened.status()))
    return std::nullopt;
  if (!opened.ok())
    return opened.status();
  // A table that begins without its rows on the SSD removes them.
  const SafetensorsFile &file = **opened;
  RETURN_IF_ERROR(folder.check(file));
  RETURN_IF_ERROR(folder.verify(file));
  auto found = file.metadata().find(kTierFiles);
  if (found == file.metadata().end())
    return std::nullopt;
  return found->second;
}

absl::StatusOr<std::map<std::string, TableFiles>>
ps::runtime::listTables(const std::string &dir) {
  std::map<std::string, TableFiles> tables;
  std::error_code error;
  for (std::filesystem::directory_iterator it(dir, error), end;
       !error && it != end; it.increment(error))
    if (auto name = FileName::parse(it->path().filename().string()))
      tables[name->table].emplace(name->count, it->path().string());
  if (error)
    return absl::ErrnoToStatus(
        error.value(), absl::StrCat("'", dir, "': cannot list the directory"));
  return tables;
}

/// Whether all `count` files of the checkpoint are there.
static bool isComplete(const std::string &dir, const std::string &name,
                       int count, const std::string &checkpointId) {
  for (int index = 0; index < count; ++index) {
    auto file = SafetensorsFile::open(tablePath(dir, name, index, count));
    if (!file.ok() || metadataOf(**file, kCheckpointId) != checkpointId)
      return false;
  }
  return true;
}

bool ps::runtime::isSavedAsVariable(const TableSpec &spec) {
  absl::StatusOr<size_t> bytes =
      checkedBytes(spec.dtype, {spec.maxRows, spec.width});
  return spec.isVariable && bytes.ok() && *bytes <= kMaxVariableBytes;
}

/// Files of another number of holders are a second model: until the last holder
/// has saved it is the only one that is whole.
void ps::runtime::removeOtherHolders(const std::string &dir,
                                     const std::string &name, int holders,
                                     const std::string &checkpointId) {
  if (!isComplete(dir, name, holders, checkpointId))
    return;
  auto files = listFiles(dir, name);
  if (!files.ok())
    return;
  for (const auto &[count, stale] : *files)
    if (std::error_code ignored; count != holders)
      std::filesystem::remove(stale, ignored);
}

/// Whether the files of all holders were saved together. A holder that failed
/// to save leaves its file of an earlier checkpoint.
static absl::Status checkHolders(std::span<const RowFile> readers) {
  for (const RowFile &reader : readers) {
    const std::string holders = metadataOf(reader.contents(), kHolders);
    if (!holders.empty() && holders != absl::StrCat(readers.size()))
      return absl::DataLossError(
          absl::StrCat("'", reader.file(), "': expected a file of ",
                       readers.size(), " holders, found one of ", holders));
    // Where trainers do not keep step, holders may count other numbers.
    if (metadataOf(reader.contents(), kCheckpointId).empty() &&
        timeOf(reader.contents()) != timeOf(readers[0].contents()))
      return absl::DataLossError(absl::StrCat(
          "files of two checkpoints: '", readers[0].file(), "' after ",
          timeOf(readers[0].contents()), " steps, '", reader.file(), "' after ",
          timeOf(reader.contents()), "; save again, or copy all files of one"));
    if (reader.isDelta() != readers[0].isDelta())
      return absl::DataLossError(absl::StrCat(
          "files of two checkpoints: '", readers[0].file(), "' and '",
          reader.file(),
          "', of which one holds only rows that changed; save again, or copy "
          "all files of one"));
  }
  return absl::OkStatus();
}

/// Reads rows 0, 1, .. of `table` from a variable of its name in the model, and
/// their state from the variable's slots that have a row for each.
static absl::Status loadVariable(CheckpointFolder &folder, Table &table,
                                 const TableShard &shard) {
  const SafetensorsFile &model = **folder.model();
  const TensorType &found = model.tensors().find(table.spec().name)->second;
  const int64_t rows = found.rows();
  const RowColumn &values = table.columns()[0];
  if (found != typeOf(values, rows))
    return absl::InvalidArgumentError(absl::StrCat(
        "'", model.path(), "': table '@", table.spec().name, "' needs rows of ",
        values.type.str(), ", found a tensor of ", found.str()));
  std::vector<std::tuple<const SafetensorsFile *, std::string, RowColumn>> from;
  from.emplace_back(&model, table.spec().name, values);
  ASSIGN_OR_RETURN(SlotFiles slots, SlotFiles::open(folder));
  for (const RowColumn &column : std::span(table.columns()).subspan(1))
    if (const SafetensorsFile *file =
            slots.find(column.name, typeOf(column, rows)))
      from.emplace_back(file, column.name, column);

  std::vector<std::byte> buffer;
  for (int64_t first = 0; first < rows; first += kRowsPerRead) {
    const int64_t count = std::min(kRowsPerRead, rows - first);
    std::vector<int64_t> ours;
    for (int64_t id = first; id < first + count; ++id)
      if (shardOf(id, shard.count, shard.partition) == shard.index)
        ours.push_back(id);
    std::vector<std::byte *> places(ours.size());
    RETURN_IF_ERROR(
        annotate(table.insert(ours, places), "'", model.path(), "'"));
    for (const auto &[file, name, column] : from) {
      const size_t bytes = column.type.bytes();
      buffer.resize(size_t(count) * bytes);
      RETURN_IF_ERROR(
          file->read(name, {typeOf(column, count), buffer.data()}, first));
      for (size_t i = 0; i < ours.size(); ++i)
        std::memcpy(places[i] + column.offset,
                    buffer.data() + size_t(ours[i] - first) * bytes, bytes);
    }
    RETURN_IF_ERROR(table.endLoading());
  }
  return slots.readRows(table);
}

namespace {
/// A table in a folder.
struct SavedTable {
  CheckpointFolder &folder;
  /// Whether the model has it as a variable, instead of files of rows.
  bool isVariable = false;
  std::vector<RowFile> readers;
  /// Whether all readers' rows belong to the shard that asks.
  bool onlyOurs = false;

  static absl::StatusOr<SavedTable>
  open(CheckpointFolder &folder, const Table &table, const TableShard &shard);
  const std::string &dir() const { return folder.dir(); }
  bool isDelta() const { return !readers.empty() && readers[0].isDelta(); }
  absl::Status read(Table &table, const TableShard &shard);

private:
  absl::Status openFiles(const Table &table, const TableShard &shard);
  absl::Status addReader(std::unique_ptr<SafetensorsFile> file, int index,
                         int count, bool isUsed, const Table &table);
};
} // namespace

/// A variable of the table's name takes precedence over files of rows.
absl::StatusOr<SavedTable> SavedTable::open(CheckpointFolder &folder,
                                            const Table &table,
                                            const TableShard &shard) {
  SavedTable saved{folder};
  // A model that was saved beside files of rows has no such variable.
  saved.isVariable = folder.model().ok() &&
                     (*folder.model())->tensors().contains(table.spec().name);
  if (saved.isVariable) {
    RETURN_IF_ERROR(folder.verify(**folder.model()));
    return saved;
  }
  RETURN_IF_ERROR(saved.openFiles(table, shard));
  return saved;
}

/// The file of holder `index` of `count`, verified if it `isUsed`, with its
/// base if it has one.
absl::Status SavedTable::addReader(std::unique_ptr<SafetensorsFile> file,
                                   int index, int count, bool isUsed,
                                   const Table &table) {
  if (isUsed)
    RETURN_IF_ERROR(folder.verify(*file));
  ASSIGN_OR_RETURN(RowFile reader, RowFile::create(std::move(file), table));
  if (!reader.baseId().empty()) {
    ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsFile> base,
                     folder.openBase(basePath(reader.file()), reader.baseId()));
    if (isUsed)
      RETURN_IF_ERROR(folder.verify(*base));
    ASSIGN_OR_RETURN(RowFile whole, RowFile::create(std::move(base), table));
    RETURN_IF_ERROR(reader.setBase(std::move(whole)));
  }
  readers.push_back(std::move(reader));
  return absl::OkStatus();
}

/// Fails on files of two checkpoints, or of two numbers of holders: they would
/// be mixed.
absl::Status SavedTable::openFiles(const Table &table,
                                   const TableShard &shard) {
  const std::string &name = table.spec().name, &dir = folder.dir();
  ASSIGN_OR_RETURN(auto files, listFiles(dir, name));
  if (files.empty())
    return absl::NotFoundError(absl::StrCat("'", dir, "': no files of table '@",
                                            name, "', such as '",
                                            tablePath("", name, 0, 1), "'"));
  const int count = files.begin()->first;
  if (files.rbegin()->first != count)
    return absl::InvalidArgumentError(absl::StrCat(
        "'", dir, "': files of table '@", name, "' of two checkpoints, '",
        files.begin()->second, "' and '", files.rbegin()->second,
        "'; remove those of one"));

  std::vector<std::unique_ptr<SafetensorsFile>> opened;
  for (int index = 0; index < count; ++index) {
    ASSIGN_OR_RETURN(auto file,
                     folder.openFile(tablePath(dir, name, index, count)));
    RETURN_IF_ERROR(folder.check(*file));
    opened.push_back(std::move(file));
  }
  // Where the same holders come back, each needs its own file only.
  onlyOurs =
      count == shard.count && metadataOf(*opened[shard.index], kPartition) ==
                                  partitionName(shard.partition);
  for (int index = 0; index < count; ++index) {
    const bool isUsed = !onlyOurs || index == shard.index;
    RETURN_IF_ERROR(
        addReader(std::move(opened[index]), index, count, isUsed, table));
  }
  RETURN_IF_ERROR(checkHolders(readers));
  if (!onlyOurs)
    return absl::OkStatus();
  RowFile ours = std::move(readers[shard.index]);
  readers.clear();
  readers.push_back(std::move(ours));
  return absl::OkStatus();
}

absl::Status SavedTable::read(Table &table, const TableShard &shard) {
  if (isVariable)
    return loadVariable(folder, table, shard);
  for (RowFile &reader : readers)
    RETURN_IF_ERROR(reader.read(table, shard, onlyOurs));
  return absl::OkStatus();
}

/// All rows come first, then what has changed, in the order in which it was
/// saved.
static absl::Status checkOrder(std::span<const SavedTable> parts,
                               const Table &table) {
  const std::string name = absl::StrCat("table '@", table.spec().name, "'");
  if (parts[0].isDelta())
    return absl::InvalidArgumentError(
        absl::StrCat("'", parts[0].dir(), "' holds only rows of ", name,
                     " that changed: expected before it the folder that they "
                     "changed since"));
  for (size_t i = 1; i < parts.size(); ++i) {
    // Tables that do not record what has changed are saved whole.
    if (!table.spec().clicks)
      continue;
    if (!parts[i].isDelta())
      return absl::InvalidArgumentError(
          absl::StrCat("'", parts[i].dir(), "' holds rows of ", name,
                       " whether they changed",
                       " or not: expected only rows that changed since '",
                       parts[i - 1].dir(), "' was saved"));
    if (parts[i - 1].isVariable)
      continue;
    ASSIGN_OR_RETURN(uint32_t before, parts[i - 1].readers[0].time());
    ASSIGN_OR_RETURN(uint32_t since, parts[i].readers[0].since());
    ASSIGN_OR_RETURN(uint32_t after, parts[i].readers[0].time());
    if (since > before || after < before)
      return absl::InvalidArgumentError(absl::StrCat(
          "'", parts[i].dir(), "' holds rows of ", name,
          " that changed from step ", since, " to ", after, ", but '",
          parts[i - 1].dir(), "' before it was saved after step ", before,
          ": expected all folders in the order in which they were saved"));
  }
  return absl::OkStatus();
}

/// All folders are opened and compared before the first row is inserted.
absl::Status ps::runtime::loadTable(std::span<CheckpointFolder> folders,
                                    Table &table, const TableShard &shard) {
  std::vector<SavedTable> parts;
  for (CheckpointFolder &folder : folders) {
    ASSIGN_OR_RETURN(SavedTable part, SavedTable::open(folder, table, shard));
    parts.push_back(std::move(part));
  }
  RETURN_IF_ERROR(checkOrder(parts, table));
  // A folder with all rows needs nothing of those before it.
  auto begin = parts.end() - 1;
  while (begin->isDelta())
    --begin;
  for (; begin != parts.end(); ++begin)
    RETURN_IF_ERROR(begin->read(table, shard));
  return absl::OkStatus();
}
