//===- TableFile.cpp - tables on disk -------------------------------------===//

#include "runtime/store/TableFile.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/Status.h"
#include "runtime/store/Safetensors.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>

using namespace ps::runtime;

namespace {
constexpr char kIds[] = "ids";
constexpr char kPartition[] = "partition";
/// What Table::savedAt() was: changes from then on are known, or held.
constexpr char kSince[] = "since";
/// What Table::time() was: when a row was used is told in the same unit.
constexpr char kTime[] = "time";
/// How many files were saved together.
constexpr char kHolders[] = "holders";
/// Which rows were saved.
constexpr char kRows[] = "rows";
/// What names the saving, where several holders take part in it.
constexpr char kSaving[] = "saving";
/// Ids that are sorted at a time, unless the table is very large.
constexpr size_t kIdsInMemory = size_t{1} << 22;
/// Rows that are read at a time.
constexpr int64_t kPiece = 16384;

const char *partitionName(IdPartition partition) {
  return partition == IdPartition::Mix ? "mix" : "modulo";
}

const char *selectionName(RowSelection rows) {
  switch (rows) {
  case RowSelection::All:
    return "all";
  case RowSelection::Base:
    return "base";
  case RowSelection::Delta:
    return "delta";
  }
  return "";
}

/// `rows` rows of `column`.
TensorType typeOf(const RowColumn &column, int64_t rows) {
  TensorType type = column.type;
  type.shape.insert(type.shape.begin(), rows);
  return type;
}

/// `name` as the beginning of a file's name: what would lead elsewhere, or
/// cannot be printed, is %XX, as is what stands for that.
std::string encodeName(std::string_view name) {
  std::string file;
  for (unsigned char c : name) {
    if (c == '/' || c == '\\' || c == '%' || c < ' ' || c == 0x7f)
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
  int count;

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
        std::string_view(second.ptr, end - second.ptr) != ".safetensors" ||
        index >= count)
      return std::nullopt;
    std::optional<std::string> table = decodeName(file.substr(0, dash));
    if (!table)
      return std::nullopt;
    return FileName{*std::move(table), count};
  }
};

/// The files of table `name` in `dir`, by the numbers of holders that wrote
/// them.
absl::StatusOr<TableFiles> listFiles(const std::string &dir,
                                     const std::string &name) {
  auto tables = listTables(dir);
  if (!tables.ok())
    return tables.status();
  return std::move((*tables)[name]);
}

/// What `file` says of itself under `key`.
std::string metadataOf(const SafetensorsFile &file, const char *key,
                       const char *otherwise = "") {
  auto found = file.metadata().find(key);
  return found == file.metadata().end() ? otherwise : found->second;
}

/// A file of rows, with what has been read of it.
class Reader {
public:
  /// Checks the file's columns against those of `table`.
  static absl::StatusOr<Reader> open(const std::string &path,
                                     const Table &table);
  const SafetensorsFile &contents() const { return *opened; }
  const std::string &file() const { return path; }
  /// How many steps of training the file's rows have had.
  absl::StatusOr<uint32_t> time() const { return numberOf(kTime); }
  /// From when on it knows what has changed; a delta holds that.
  absl::StatusOr<uint32_t> since() const { return numberOf(kSince); }
  /// Whether it holds only what has changed since another saving.
  bool isDelta() const { return isOf(RowSelection::Delta); }
  absl::Status read(Table &table, const TableShard &shard, bool onlyOurs);

private:
  absl::StatusOr<uint32_t> numberOf(const char *key) const;
  bool isOf(RowSelection rows) const;
  absl::Status readPiece(int64_t first, int64_t count, Table &table,
                         const TableShard &shard, bool onlyOurs);
  absl::Status makeRows(std::span<const int64_t> ids,
                        std::span<std::byte *> places, Table &table) const;

  std::string path;
  std::unique_ptr<SafetensorsFile> opened;
  int64_t rows = 0;
  std::vector<std::byte> buffer;
};
} // namespace

std::string ps::runtime::tablePath(const std::string &dir,
                                   std::string_view name, int index,
                                   int count) {
  return (std::filesystem::path(dir) /
          absl::StrFormat("%s-%05d-of-%05d.safetensors", encodeName(name),
                          index, count))
      .string();
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

static std::string timeOf(const SafetensorsFile &file) {
  return metadataOf(file, kTime, "0");
}

/// Whether all `count` files of the saving `saving` at `time` are there.
static bool isComplete(const std::string &dir, const std::string &name,
                       int count, const std::string &time,
                       const std::string &saving) {
  for (int index = 0; index < count; ++index) {
    auto file = SafetensorsFile::open(tablePath(dir, name, index, count));
    if (!file.ok() || timeOf(**file) != time ||
        metadataOf(**file, kSaving) != saving)
      return false;
  }
  return true;
}

absl::Status ps::runtime::removeTable(const std::string &dir,
                                      const std::string &name) {
  auto files = listFiles(dir, name);
  if (!files.ok())
    return files.status();
  for (const auto &[count, file] : *files)
    if (std::error_code error; !std::filesystem::remove(file, error) && error)
      return absl::ErrnoToStatus(
          error.value(), absl::StrCat("'", file, "': cannot remove the file"));
  return absl::OkStatus();
}

bool ps::runtime::isSavedAsVariable(const TableSpec &spec) {
  absl::StatusOr<size_t> bytes =
      checkedBytes(spec.dtype, {spec.maxRows, spec.width});
  return spec.isVariable && bytes.ok() && *bytes <= kMaxVariableBytes;
}

absl::Status ps::runtime::saveTable(const std::string &dir, Table &table,
                                    const TableShard &shard, RowSelection rows,
                                    const std::string &saving) {
  const std::string path =
      tablePath(dir, table.spec().name, shard.index, shard.count);
  if (!table.spec().clicks)
    rows = RowSelection::All;
  const int64_t size = table.count(rows);
  std::vector<NamedTensor> tensors;
  tensors.push_back({kIds, {{DType::I64, {size}}, nullptr}});
  for (const RowColumn &column : table.columns())
    tensors.push_back({column.name, {typeOf(column, size), nullptr}});
  std::map<std::string, std::string> metadata = {
      {kPartition, partitionName(shard.partition)},
      {kHolders, absl::StrCat(shard.count)},
      {kRows, selectionName(rows)},
      {kSince, absl::StrCat(table.savedAt())},
      {kTime, absl::StrCat(table.time())}};
  if (!saving.empty())
    metadata[kSaving] = saving;
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      SafetensorsWriter::create(path, tensors, metadata);
  if (!writer.ok())
    return writer.status();

  int64_t written = 0;
  std::vector<std::byte> buffer;
  std::vector<int64_t> ids;
  std::vector<const std::byte *> places;
  auto writePiece = [&](std::span<const int64_t> allIds,
                        std::span<const std::byte *const> allPlaces) {
    ids.clear();
    places.clear();
    for (size_t i = 0; i < allIds.size(); ++i)
      if (table.selects(allPlaces[i], rows)) {
        ids.push_back(allIds[i]);
        places.push_back(allPlaces[i]);
      }
    const auto count = static_cast<int64_t>(ids.size());
    auto *data = reinterpret_cast<std::byte *>(ids.data());
    absl::Status status =
        (*writer)->write(kIds, {{DType::I64, {count}}, data}, written);
    for (const RowColumn &column : table.columns()) {
      const size_t bytes = column.type.bytes();
      buffer.assign(ids.size() * bytes, std::byte{0});
      if (rows == RowSelection::All || !column.countsFromSaving)
        for (size_t i = 0; i < ids.size(); ++i)
          std::memcpy(buffer.data() + i * bytes, places[i] + column.offset,
                      bytes);
      if (status.ok())
        status = (*writer)->write(
            column.name, {typeOf(column, count), buffer.data()}, written);
    }
    written += count;
    return status;
  };
  // At most 16 passes over the index.
  absl::Status status = table.forEach(
      writePiece, std::max<size_t>(kIdsInMemory, size_t(table.size()) / 16));
  if (status.ok())
    status = (*writer)->finish();
  if (!status.ok())
    return status;
  table.markSaved(rows);

  // Files of another number of holders are a second model: the last holder to
  // save removes it, for until then it is the only one that is whole.
  const std::string &name = table.spec().name;
  if (!isComplete(dir, name, shard.count, absl::StrCat(table.time()), saving))
    return absl::OkStatus();
  auto files = listFiles(dir, name);
  if (!files.ok())
    return files.status();
  for (const auto &[count, stale] : *files)
    if (std::error_code ignored; count != shard.count)
      std::filesystem::remove(stale, ignored);
  return absl::OkStatus();
}

absl::StatusOr<Reader> Reader::open(const std::string &path,
                                    const Table &table) {
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> file =
      SafetensorsFile::open(path);
  if (!file.ok())
    return file.status();
  Reader reader;
  reader.path = path;
  reader.opened = *std::move(file);
  const auto &found = reader.opened->tensors();
  auto ids = found.find(kIds);
  if (ids == found.end() || ids->second.dtype != DType::I64 ||
      ids->second.shape.size() != 1)
    return absl::InvalidArgumentError(absl::StrCat(
        "'", path, "': expected a tensor 'ids' of i64 numbers, found ",
        ids == found.end() ? "none" : ids->second.str(),
        " (not a file of a table)"));
  reader.rows = ids->second.shape[0];
  for (const RowColumn &column : table.columns()) {
    const TensorType expected = typeOf(column, reader.rows);
    auto it = found.find(column.name);
    if (it == found.end() && column.isStatistic)
      continue;
    if (it == found.end() || it->second != expected)
      return absl::InvalidArgumentError(absl::StrCat(
          "'", path, "': table '@", table.spec().name, "' needs a tensor '",
          column.name, "' of ", expected.str(), ", found ",
          it == found.end() ? "none" : it->second.str()));
  }
  return reader;
}

/// A number of steps in the metadata; 0 where it is missing.
absl::StatusOr<uint32_t> Reader::numberOf(const char *key) const {
  auto found = opened->metadata().find(key);
  uint32_t steps = 0;
  if (found != opened->metadata().end() &&
      !absl::SimpleAtoi(found->second, &steps))
    return absl::DataLossError(
        absl::StrCat("'", path, "': expected a number as '", key,
                     "' in the metadata, found '", found->second, "'"));
  return steps;
}

bool Reader::isOf(RowSelection rows) const {
  return metadataOf(*opened, kRows, selectionName(RowSelection::All)) ==
         selectionName(rows);
}

/// The places of the rows of `ids`, in `table` from now on; what has changed
/// may be there before.
absl::Status Reader::makeRows(std::span<const int64_t> ids,
                              std::span<std::byte *> places,
                              Table &table) const {
  if (!isDelta())
    return table.insert(ids, places);
  std::vector<int64_t> fresh;
  std::vector<size_t> positions;
  for (size_t i = 0; i < ids.size(); ++i)
    if (places[i] = table.find(ids[i]); !places[i]) {
      fresh.push_back(ids[i]);
      positions.push_back(i);
    }
  std::vector<std::byte *> made(fresh.size());
  absl::Status status = table.insert(fresh, made);
  for (size_t i = 0; i < fresh.size(); ++i)
    places[positions[i]] = made[i];
  return status;
}

absl::Status Reader::readPiece(int64_t first, int64_t count, Table &table,
                               const TableShard &shard, bool onlyOurs) {
  std::vector<int64_t> ids(count);
  absl::Status status = opened->read(
      kIds, {{DType::I64, {count}}, reinterpret_cast<std::byte *>(ids.data())},
      first);
  if (!status.ok())
    return status;
  std::vector<int64_t> ours, positions;
  for (int64_t i = 0; i < count; ++i) {
    if (shardOf(ids[i], shard.count, shard.partition) == shard.index) {
      ours.push_back(ids[i]);
      positions.push_back(i);
    } else if (onlyOurs) {
      return absl::DataLossError(
          absl::StrCat("'", path, "': expected ids of holder ", shard.index,
                       " of ", shard.count, ", found ", ids[i]));
    }
  }
  if (ours.empty())
    return absl::OkStatus();
  std::vector<std::byte *> places(ours.size());
  if (status = makeRows(ours, places, table); !status.ok())
    return annotate(status, absl::StrCat("'", path, "'"));
  for (const RowColumn &column : table.columns()) {
    if (!opened->tensors().count(column.name))
      continue;
    const size_t bytes = column.type.bytes();
    buffer.resize(size_t(count) * bytes);
    status = opened->read(column.name, {typeOf(column, count), buffer.data()},
                          first);
    if (!status.ok())
      return status;
    for (size_t i = 0; i < ours.size(); ++i)
      std::memcpy(places[i] + column.offset,
                  buffer.data() + size_t(positions[i]) * bytes, bytes);
  }
  return absl::OkStatus();
}

absl::Status Reader::read(Table &table, const TableShard &shard,
                          bool onlyOurs) {
  absl::StatusOr<uint32_t> steps = time();
  absl::StatusOr<uint32_t> saved = isOf(RowSelection::All) ? since() : steps;
  for (const absl::Status &status : {steps.status(), saved.status()})
    if (!status.ok())
      return status;
  table.advance(std::max<int64_t>(0, *steps - table.time()));
  table.setSavedAt(*saved);
  for (int64_t first = 0; first < rows; first += kPiece)
    if (absl::Status status = readPiece(first, std::min(kPiece, rows - first),
                                        table, shard, onlyOurs);
        !status.ok())
      return status;
  return absl::OkStatus();
}

/// A holder that failed to save leaves its file of an earlier saving.
static absl::Status checkOneSaving(std::span<const Reader> readers) {
  for (const Reader &reader : readers) {
    const std::string holders = metadataOf(reader.contents(), kHolders);
    if (!holders.empty() && holders != absl::StrCat(readers.size()))
      return absl::DataLossError(
          absl::StrCat("'", reader.file(), "': expected a file of ",
                       readers.size(), " holders, found one of ", holders));
    if (timeOf(reader.contents()) != timeOf(readers[0].contents()))
      return absl::DataLossError(absl::StrCat(
          "files of two savings: '", readers[0].file(), "' after ",
          timeOf(readers[0].contents()), " steps, '", reader.file(), "' after ",
          timeOf(reader.contents()), "; save or copy all of one"));
    if (metadataOf(reader.contents(), kSaving) !=
        metadataOf(readers[0].contents(), kSaving))
      return absl::DataLossError(absl::StrCat(
          "files of two savings: '", readers[0].file(), "' and '",
          reader.file(), "', of different runs; save or copy all of one"));
    if (reader.isDelta() != readers[0].isDelta())
      return absl::DataLossError(absl::StrCat(
          "files of two savings: '", readers[0].file(), "' and '",
          reader.file(),
          "', of which one holds only rows that changed; save or copy all of "
          "one"));
  }
  return absl::OkStatus();
}

/// Rows 0, 1, .. of `table` from a variable of its name in the model, and their
/// state from the variable's, where a file tells of it row by row.
static absl::Status loadVariable(const SafetensorsFile &model,
                                 const std::string &dir, Table &table,
                                 const TableShard &shard) {
  const TensorType &found = model.tensors().find(table.spec().name)->second;
  const int64_t rows = found.rows();
  const RowColumn &values = table.columns()[0];
  if (found != typeOf(values, rows))
    return absl::InvalidArgumentError(
        absl::StrCat("'", modelPath(dir), "': table '@", table.spec().name,
                     "' needs rows of ", values.type.str(),
                     ", found a tensor of ", found.str()));
  std::vector<std::tuple<const SafetensorsFile *, std::string, RowColumn>> from;
  from.emplace_back(&model, table.spec().name, values);
  auto slots = SafetensorsFile::open(slotPath(dir));
  if (!slots.ok() && !absl::IsNotFound(slots.status()))
    return slots.status();
  for (const RowColumn &column : std::span(table.columns()).subspan(1))
    if (slots.ok() && (*slots)->tensors().contains(column.name) &&
        (*slots)->tensors().find(column.name)->second == typeOf(column, rows))
      from.emplace_back(slots->get(), column.name, column);

  std::vector<std::byte> buffer;
  for (int64_t first = 0; first < rows; first += kPiece) {
    const int64_t count = std::min(kPiece, rows - first);
    std::vector<int64_t> ours;
    for (int64_t id = first; id < first + count; ++id)
      if (shardOf(id, shard.count, shard.partition) == shard.index)
        ours.push_back(id);
    std::vector<std::byte *> places(ours.size());
    if (absl::Status s = table.insert(ours, places); !s.ok())
      return annotate(s, absl::StrCat("'", modelPath(dir), "'"));
    for (const auto &[file, name, column] : from) {
      const size_t bytes = column.type.bytes();
      buffer.resize(size_t(count) * bytes);
      if (absl::Status s =
              file->read(name, {typeOf(column, count), buffer.data()}, first);
          !s.ok())
        return s;
      for (size_t i = 0; i < ours.size(); ++i)
        std::memcpy(places[i] + column.offset,
                    buffer.data() + size_t(ours[i] - first) * bytes, bytes);
    }
  }
  return absl::OkStatus();
}

namespace {
/// What a folder has of a table.
struct Saving {
  std::string dir;
  /// Instead of files of rows: the model that has the table as a variable.
  std::unique_ptr<SafetensorsFile> model;
  std::vector<Reader> readers;
  /// Whether all readers' rows belong to the shard that asks.
  bool onlyOurs = false;

  static absl::StatusOr<Saving> open(const std::string &dir, const Table &table,
                                     const TableShard &shard);
  bool isDelta() const { return !readers.empty() && readers[0].isDelta(); }
  absl::Status read(Table &table, const TableShard &shard);

private:
  absl::Status openFiles(const Table &table, const TableShard &shard);
};
} // namespace

absl::StatusOr<Saving> Saving::open(const std::string &dir, const Table &table,
                                    const TableShard &shard) {
  Saving saving;
  saving.dir = dir;
  // A model that was saved with the table says nothing of it.
  if (auto model = SafetensorsFile::open(modelPath(dir));
      model.ok() && (*model)->tensors().contains(table.spec().name)) {
    saving.model = *std::move(model);
    return saving;
  }
  if (absl::Status status = saving.openFiles(table, shard); !status.ok())
    return status;
  return saving;
}

absl::Status Saving::openFiles(const Table &table, const TableShard &shard) {
  const std::string &name = table.spec().name;
  auto files = listFiles(dir, name);
  if (!files.ok())
    return files.status();
  if (files->empty())
    return absl::NotFoundError(absl::StrCat("'", dir, "': no files of table '@",
                                            name, "', such as '",
                                            tablePath("", name, 0, 1), "'"));
  const int count = files->begin()->first;
  if (files->rbegin()->first != count)
    return absl::InvalidArgumentError(
        absl::StrCat("'", dir, "': files of table '@", name,
                     "' of two savings, '", files->begin()->second, "' and '",
                     files->rbegin()->second, "'; remove those of one"));

  for (int index = 0; index < count; ++index) {
    absl::StatusOr<Reader> reader =
        Reader::open(tablePath(dir, name, index, count), table);
    if (!reader.ok())
      return reader.status();
    readers.push_back(*std::move(reader));
  }
  if (absl::Status status = checkOneSaving(readers); !status.ok())
    return status;
  // Where the same holders come back, each needs its own file only.
  if (count != shard.count)
    return absl::OkStatus();
  onlyOurs = metadataOf(readers[shard.index].contents(), kPartition) ==
             partitionName(shard.partition);
  if (!onlyOurs)
    return absl::OkStatus();
  Reader ours = std::move(readers[shard.index]);
  readers.clear();
  readers.push_back(std::move(ours));
  return absl::OkStatus();
}

absl::Status Saving::read(Table &table, const TableShard &shard) {
  if (model)
    return loadVariable(*model, dir, table, shard);
  for (Reader &reader : readers)
    if (absl::Status status = reader.read(table, shard, onlyOurs); !status.ok())
      return status;
  return absl::OkStatus();
}

/// All rows come first, then what has changed, in the order of the savings.
static absl::Status checkOrder(std::span<const Saving> savings,
                               const Table &table) {
  const std::string name = absl::StrCat("table '@", table.spec().name, "'");
  if (savings[0].isDelta())
    return absl::InvalidArgumentError(
        absl::StrCat("'", savings[0].dir, "' holds only rows of ", name,
                     " that changed: expected before it the folder that they "
                     "changed since"));
  for (size_t i = 1; i < savings.size(); ++i) {
    // Tables that cannot tell what has changed are saved as a whole.
    if (!table.spec().clicks)
      continue;
    if (!savings[i].isDelta())
      return absl::InvalidArgumentError(
          absl::StrCat("'", savings[i].dir, "' holds rows of ", name,
                       " whether they changed",
                       " or not: expected only rows that changed since '",
                       savings[i - 1].dir, "' was saved"));
    if (savings[i - 1].model)
      continue;
    absl::StatusOr<uint32_t> before = savings[i - 1].readers[0].time();
    absl::StatusOr<uint32_t> since = savings[i].readers[0].since();
    absl::StatusOr<uint32_t> after = savings[i].readers[0].time();
    for (const absl::Status &status :
         {before.status(), since.status(), after.status()})
      if (!status.ok())
        return status;
    if (*since > *before || *after < *before)
      return absl::InvalidArgumentError(absl::StrCat(
          "'", savings[i].dir, "' holds rows of ", name,
          " that changed from step ", *since, " to ", *after, ", but '",
          savings[i - 1].dir, "' before it was saved after step ", *before,
          ": expected all folders in the order of their savings"));
  }
  return absl::OkStatus();
}

absl::Status ps::runtime::loadTable(std::span<const std::string> dirs,
                                    Table &table, const TableShard &shard) {
  std::vector<Saving> savings;
  for (const std::string &dir : dirs) {
    absl::StatusOr<Saving> saving = Saving::open(dir, table, shard);
    if (!saving.ok())
      return saving.status();
    savings.push_back(*std::move(saving));
  }
  if (absl::Status status = checkOrder(savings, table); !status.ok())
    return status;
  // What holds all rows needs nothing of what is before it.
  auto begin = savings.end() - 1;
  while (begin->isDelta())
    --begin;
  for (; begin != savings.end(); ++begin)
    if (absl::Status status = begin->read(table, shard); !status.ok())
      return status;
  return absl::OkStatus();
}
