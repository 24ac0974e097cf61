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

using namespace ps::runtime;

namespace {
constexpr char kIds[] = "ids";
constexpr char kPartition[] = "partition";
/// What Table::time() was: when a row was used is told in the same unit.
constexpr char kTime[] = "time";
/// Ids that are sorted at a time, unless the table is very large.
constexpr size_t kIdsInMemory = size_t{1} << 22;
/// Rows that are read at a time.
constexpr int64_t kPiece = 16384;

const char *partitionName(IdPartition partition) {
  return partition == IdPartition::Mix ? "mix" : "modulo";
}

/// `rows` rows of `column`.
TensorType typeOf(const RowColumn &column, int64_t rows) {
  TensorType type = column.type;
  type.shape.insert(type.shape.begin(), rows);
  return type;
}

/// The number of holders, if `file` is the name of a file of table `name`.
std::optional<int> countOf(std::string_view file, std::string_view name) {
  // NAME-kkkkk-of-nnnnn.safetensors, of more digits if need be.
  if (file.substr(0, name.size()) != name)
    return std::nullopt;
  file.remove_prefix(name.size());
  const size_t of = file.find("-of-");
  int index, count;
  if (of == file.npos || file.empty() || file[0] != '-')
    return std::nullopt;
  const char *end = file.data() + file.size();
  auto first = std::from_chars(file.data() + 1, end, index);
  auto second = std::from_chars(file.data() + of + 4, end, count);
  if (first.ec != std::errc() || first.ptr != file.data() + of ||
      second.ec != std::errc() ||
      std::string_view(second.ptr, end - second.ptr) != ".safetensors" ||
      index < 0 || index >= count)
    return std::nullopt;
  return count;
}

/// The files of table `name` in `dir`, by the numbers of holders that wrote
/// them.
absl::StatusOr<std::set<std::pair<int, std::string>>>
listFiles(const std::string &dir, std::string_view name) {
  std::set<std::pair<int, std::string>> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(dir, error), end;
       !error && it != end; it.increment(error))
    if (std::optional<int> count =
            countOf(it->path().filename().string(), name))
      files.emplace(*count, it->path().string());
  if (error)
    return absl::ErrnoToStatus(
        error.value(), absl::StrCat("'", dir, "': cannot list the directory"));
  return files;
}

/// A file of rows, with what has been read of it.
class Reader {
public:
  /// Checks the file's columns against those of `table`.
  static absl::StatusOr<Reader> open(const std::string &path,
                                     const Table &table);
  const SafetensorsFile &contents() const { return *file; }
  absl::Status read(Table &table, const TableShard &shard, bool onlyOurs);

private:
  absl::Status readPiece(int64_t first, int64_t count, Table &table,
                         const TableShard &shard, bool onlyOurs);

  std::string path;
  std::unique_ptr<SafetensorsFile> file;
  int64_t rows = 0;
  std::vector<std::byte> buffer;
};
} // namespace

std::string ps::runtime::tablePath(const std::string &dir,
                                   std::string_view name, int index,
                                   int count) {
  return (std::filesystem::path(dir) /
          absl::StrFormat("%s-%05d-of-%05d.safetensors", std::string(name),
                          index, count))
      .string();
}

absl::Status ps::runtime::saveTable(const std::string &dir, const Table &table,
                                    const TableShard &shard) {
  const std::string path =
      tablePath(dir, table.spec().name, shard.index, shard.count);
  std::vector<NamedTensor> tensors;
  tensors.push_back({kIds, {{DType::I64, {table.size()}}, nullptr}});
  for (const RowColumn &column : table.columns())
    tensors.push_back({column.name, {typeOf(column, table.size()), nullptr}});
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      SafetensorsWriter::create(path, tensors,
                                {{kPartition, partitionName(shard.partition)},
                                 {kTime, absl::StrCat(table.time())}});
  if (!writer.ok())
    return writer.status();

  int64_t written = 0;
  std::vector<std::byte> buffer;
  auto writePiece = [&](std::span<const int64_t> ids,
                        std::span<const std::byte *const> places) {
    const auto count = static_cast<int64_t>(ids.size());
    auto *data =
        reinterpret_cast<std::byte *>(const_cast<int64_t *>(ids.data()));
    absl::Status status =
        (*writer)->write(kIds, {{DType::I64, {count}}, data}, written);
    for (const RowColumn &column : table.columns()) {
      const size_t bytes = column.type.bytes();
      buffer.resize(ids.size() * bytes);
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
  if (!status.ok() || shard.index != 0)
    return status;

  // Files of another number of holders would be taken for a second model.
  auto files = listFiles(dir, table.spec().name);
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
  reader.file = *std::move(file);
  const auto &found = reader.file->tensors();
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

absl::Status Reader::readPiece(int64_t first, int64_t count, Table &table,
                               const TableShard &shard, bool onlyOurs) {
  std::vector<int64_t> ids(count);
  absl::Status status = file->read(
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
  if (status = table.insert(ours, places); !status.ok())
    return annotate(status, absl::StrCat("'", path, "'"));
  for (const RowColumn &column : table.columns()) {
    if (!file->tensors().count(column.name))
      continue;
    const size_t bytes = column.type.bytes();
    buffer.resize(size_t(count) * bytes);
    status =
        file->read(column.name, {typeOf(column, count), buffer.data()}, first);
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
  auto time = file->metadata().find(kTime);
  uint32_t steps = 0;
  if (time != file->metadata().end() && !absl::SimpleAtoi(time->second, &steps))
    return absl::DataLossError(
        absl::StrCat("'", path, "': expected a number as '", kTime,
                     "' in the metadata, found '", time->second, "'"));
  table.advance(std::max<int64_t>(0, steps - table.time()));
  for (int64_t first = 0; first < rows; first += kPiece)
    if (absl::Status status = readPiece(first, std::min(kPiece, rows - first),
                                        table, shard, onlyOurs);
        !status.ok())
      return status;
  return absl::OkStatus();
}

absl::Status ps::runtime::loadTable(const std::string &dir, Table &table,
                                    const TableShard &shard) {
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

  std::vector<Reader> readers;
  auto open = [&](int index) {
    absl::StatusOr<Reader> reader =
        Reader::open(tablePath(dir, name, index, count), table);
    if (reader.ok())
      readers.push_back(*std::move(reader));
    return reader.status();
  };
  // Where the same holders come back, each needs its own file only.
  bool onlyOurs = false;
  if (count == shard.count) {
    if (absl::Status status = open(shard.index); !status.ok())
      return status;
    const auto &metadata = readers.back().contents().metadata();
    auto it = metadata.find(kPartition);
    onlyOurs =
        it != metadata.end() && it->second == partitionName(shard.partition);
  }
  if (!onlyOurs) {
    readers.clear();
    for (int index = 0; index < count; ++index)
      if (absl::Status status = open(index); !status.ok())
        return status;
  }
  for (Reader &reader : readers)
    if (absl::Status status = reader.read(table, shard, onlyOurs); !status.ok())
      return status;
  return absl::OkStatus();
}
