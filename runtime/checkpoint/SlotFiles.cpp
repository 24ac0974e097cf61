// SPDX-License-Identifier: Apache-2.0
//===- SlotFiles.cpp - optimizer state on disk ----------------------------===//
//
// Optimizer state is saved by the process that holds it: a local run in one
// file, each pserver in a file of its own. Tensors are named by slot and first
// row, so that a job of another shape finds the rows that its processes hold.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/SlotFiles.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/RowFile.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>

using namespace ps::runtime;

namespace {
constexpr char kWhole[] = "optimizer.safetensors";
constexpr std::string_view kPrefix = "optimizer.";
constexpr std::string_view kSuffix = ".safetensors";
constexpr char kIds[] = ":ids";
constexpr char kRowsOf[] = ":rows";

std::string partName(int index, int count) {
  return absl::StrFormat("%s%05d-of-%05d%s", std::string(kPrefix), index, count,
                         std::string(kSuffix));
}

/// K and N where `file` is partName(K, N).
std::optional<std::pair<int, int>> parsePartName(const std::string &file) {
  std::string_view name = file;
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) ||
      name.size() < kPrefix.size() + kSuffix.size())
    return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  const size_t of = name.find("-of-");
  int index, count;
  if (of == name.npos ||
      !absl::SimpleAtoi(std::string(name.substr(0, of)), &index) ||
      !absl::SimpleAtoi(std::string(name.substr(of + 4)), &count) ||
      index < 0 || index >= count || partName(index, count) != file)
    return std::nullopt;
  return std::pair(index, count);
}
} // namespace

std::string ps::runtime::slotPath(const std::string &dir) {
  return (std::filesystem::path(dir) / kWhole).string();
}

std::string ps::runtime::slotPartPath(const std::string &dir, int index,
                                      int count) {
  return (std::filesystem::path(dir) / partName(index, count)).string();
}

bool ps::runtime::isSlotFileName(const std::string &name) {
  return name == kWhole || parsePartName(name);
}

std::vector<std::string> ps::runtime::findSlotParts(const std::string &dir,
                                                    int exceptCount) {
  std::vector<std::string> found;
  std::error_code error;
  for (std::filesystem::directory_iterator it(dir, error), end;
       !error && it != end; it.increment(error))
    if (auto part = parsePartName(it->path().filename().string());
        part && part->second != exceptCount)
      found.push_back(it->path().string());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<NamedTensor> ps::runtime::slotParts(const Store &store) {
  std::vector<NamedTensor> tensors;
  // Each block of a variable has the slots that are one number.
  std::set<std::string> names;
  for (size_t i = 0; i != store.variables().size(); ++i) {
    const VariableSpec &spec = store.variables()[i];
    std::string name = absl::StrCat(spec.origin, ":", spec.rowOffset);
    if (spec.isState() && names.insert(name).second)
      tensors.push_back({std::move(name), store.tensor(i)});
  }
  return tensors;
}

namespace {
/// The ids of a table's part, in ascending order and a piece at a time: all of
/// them need not fit in memory.
class ShardIds {
public:
  ShardIds(const TableSpec &spec, const TableShard &shard)
      : maxRows(spec.maxRows), shard(shard) {}

  int64_t count() const {
    int64_t count = 0;
    for (int64_t id = 0; id != maxRows; ++id)
      count += isOurs(id);
    return count;
  }

  /// Those at the positions from `first` on, valid until the next call. Takes
  /// the time to pass over the ids since the end of the last call's piece, from
  /// the beginning where `first` is before that.
  std::span<const int64_t> read(int64_t first, int64_t size) {
    if (first < position)
      position = next = 0;
    ids.clear();
    for (; position < first + size; ++next) {
      if (!isOurs(next))
        continue;
      if (position >= first)
        ids.push_back(next);
      ++position;
    }
    return ids;
  }

private:
  bool isOurs(int64_t id) const {
    return shardOf(id, shard.count, shard.partition) == shard.index;
  }

  int64_t maxRows;
  TableShard shard;
  /// How many of ours are before `next`.
  int64_t position = 0, next = 0;
  std::vector<int64_t> ids;
};
} // namespace

void ps::runtime::addRowSlots(Table &table, const TableShard &shard,
                              std::vector<NamedTensor> &tensors) {
  const std::span<const RowColumn> slots =
      std::span(table.columns()).subspan(1);
  if (slots.empty())
    return;
  ShardIds ids(table.spec(), shard);
  const int64_t size = ids.count();
  tensors.push_back({absl::StrCat(table.spec().name, kIds),
                     {{DType::I64, {size}}, nullptr},
                     [ids](int64_t first, const TensorRef &rows) mutable {
                       std::ranges::copy(ids.read(first, rows.type.rows()),
                                         rows.as<int64_t>());
                       return absl::OkStatus();
                     }});
  for (const RowColumn &column : slots)
    tensors.push_back(
        {absl::StrCat(column.name, kRowsOf),
         {typeOf(column, size), nullptr},
         [&table, &column, ids](int64_t first, const TensorRef &rows) mutable {
           return table.readColumn(column, ids.read(first, rows.type.rows()),
                                   rows.data);
         }});
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The names of the files that belong to the checkpoint.
static std::vector<std::string> listSlotFiles(const CheckpointFolder &folder) {
  if (folder.state())
    return folder.state()->optimizerFiles;
  std::vector<std::string> names;
  // A file that cannot be looked up is opened, and that reports why.
  if (std::error_code error;
      std::filesystem::exists(slotPath(folder.dir()), error) || error)
    names.push_back(kWhole);
  for (const std::string &path : findSlotParts(folder.dir()))
    names.push_back(std::filesystem::path(path).filename().string());
  return names;
}

/// A file that training.json lists must exist; without training.json, whatever
/// is found is used.
absl::StatusOr<SlotFiles> SlotFiles::open(CheckpointFolder &folder) {
  SlotFiles result;
  result.dir = folder.dir();
  for (const std::string &name : listSlotFiles(folder)) {
    const std::string path =
        (std::filesystem::path(folder.dir()) / name).string();
    absl::StatusOr<std::unique_ptr<SafetensorsFile>> file =
        folder.openFile(path);
    if (absl::IsNotFound(file.status()))
      return absl::DataLossError(
          absl::StrCat("'", path, "' is missing: '", folder.dir(),
                       "' was saved with it; copy the files of all pservers "
                       "into one folder"));
    if (!file.ok())
      return file.status();
    RETURN_IF_ERROR(folder.check(**file));
    // A slot whose name is damaged would keep its initial value.
    RETURN_IF_ERROR(folder.verify(**file));
    if (name == kWhole)
      result.whole = *std::move(file);
    else
      result.files.push_back(*std::move(file));
  }
  RETURN_IF_ERROR(result.index());
  return result;
}

/// Finds out which rows of slots the files of pservers hold.
absl::Status SlotFiles::index() {
  for (const std::unique_ptr<SafetensorsFile> &file : files)
    for (const auto &[name, type] : file->tensors()) {
      const size_t colon = name.rfind(':');
      int64_t first;
      if (colon == name.npos ||
          !absl::SimpleAtoi(name.substr(colon + 1), &first))
        continue;
      if (first < 0 ||
          first > std::numeric_limits<int64_t>::max() - type.rows())
        return absl::DataLossError(
            absl::StrCat("'", file->path(), "': tensor '", printable(name),
                         "' of ", type.rows(),
                         " rows: expected the number of its first row after "
                         "':', found one that is out of range"));
      slots[name.substr(0, colon)].try_emplace(first,
                                               Part{file.get(), name, type});
    }
  return absl::OkStatus();
}

/// Slots that no file has keep their initial values: the run may use another
/// optimizer.
absl::Status SlotFiles::read(Store &store) const {
  for (size_t i = 0; i != store.variables().size(); ++i) {
    const VariableSpec &spec = store.variables()[i];
    if (!spec.isState())
      continue;
    if (whole && whole->tensors().contains(spec.origin))
      RETURN_IF_ERROR(
          whole->read(spec.origin, store.tensor(i), spec.rowOffset));
    else if (auto parts = slots.find(spec.origin); parts != slots.end())
      RETURN_IF_ERROR(readParts(parts->second, spec.origin, store.tensor(i),
                                spec.rowOffset));
  }
  return absl::OkStatus();
}

std::optional<std::string> SlotFiles::findMissing(const Store &store) const {
  std::set<std::string, std::less<>> names;
  for (const auto &[name, parts] : slots)
    names.insert(name);
  if (whole)
    for (const auto &[name, type] : whole->tensors())
      names.insert(name);
  for (const VariableSpec &spec : store.variables()) {
    if (!spec.isState() || names.contains(spec.origin))
      continue;
    const std::string prefix =
        spec.origin.substr(0, spec.origin.rfind('.') + 1);
    const auto other = names.lower_bound(prefix);
    if (!prefix.empty() && other != names.end() && other->starts_with(prefix))
      return spec.origin;
  }
  return std::nullopt;
}

absl::StatusOr<int64_t> SlotFiles::readCount(const std::string &name) const {
  int64_t count = 0;
  const TensorType type{DType::I64, {}};
  const TensorRef target{type, reinterpret_cast<std::byte *>(&count)};
  if (auto parts = slots.find(name); parts != slots.end()) {
    const Part &part = parts->second.begin()->second;
    if (part.type == type)
      RETURN_IF_ERROR(part.file->read(part.tensor, target));
  } else if (whole) {
    auto found = whole->tensors().find(name);
    if (found != whole->tensors().end() && found->second == type)
      RETURN_IF_ERROR(whole->read(name, target));
  }
  return count;
}

/// Reads rows `rowOffset`, .. of a slot, as many as `target` has, from the
/// parts that have some of them; a slot that is one number from any.
absl::Status SlotFiles::readParts(const std::map<int64_t, Part> &parts,
                                  const std::string &slot,
                                  const TensorRef &target,
                                  int64_t rowOffset) const {
  if (target.type.shape.empty()) {
    const Part &part = parts.begin()->second;
    return part.file->read(part.tensor, target);
  }
  const int64_t end = rowOffset + target.type.rows();
  int64_t next = rowOffset;
  for (const auto &[first, part] : parts) {
    const int64_t last = first + part.type.rows();
    if (first > next || last <= next || next == end)
      continue;
    TensorType type = target.type;
    type.shape[0] = std::min(last, end) - next;
    const TensorRef rows{type, target.data +
                                   size_t(next - rowOffset) * type.rowBytes()};
    RETURN_IF_ERROR(part.file->read(part.tensor, rows, next - first));
    next += type.shape[0];
  }
  if (next == end)
    return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      "'", dir, "': expected rows ", rowOffset, " to ", end - 1,
      " of optimizer state '@", slot, "' in the files '", std::string(kPrefix),
      "*", std::string(kSuffix), "', found none of row ", next));
}

const SafetensorsFile *SlotFiles::find(const std::string &column,
                                       const TensorType &type) const {
  if (!whole)
    return nullptr;
  auto found = whole->tensors().find(column);
  return found != whole->tensors().end() && found->second == type ? whole.get()
                                                                  : nullptr;
}

absl::Status SlotFiles::readRows(Table &table) const {
  for (const std::unique_ptr<SafetensorsFile> &file : files)
    if (file->tensors().contains(absl::StrCat(table.spec().name, kIds)))
      RETURN_IF_ERROR(readRows(table, *file));
  return absl::OkStatus();
}

/// For a table that was saved as a variable: state of ids that have no row here
/// is skipped.
absl::Status SlotFiles::readRows(Table &table,
                                 const SafetensorsFile &file) const {
  const std::string name = absl::StrCat(table.spec().name, kIds);
  const int64_t rows = file.tensors().find(name)->second.rows();
  std::vector<int64_t> ids;
  std::vector<std::byte> buffer;
  for (int64_t first = 0; first < rows; first += kRowsPerRead) {
    const int64_t count = std::min(kRowsPerRead, rows - first);
    ids.resize(count);
    RETURN_IF_ERROR(file.read(
        name,
        {{DType::I64, {count}}, reinterpret_cast<std::byte *>(ids.data())},
        first));
    for (const RowColumn &column : std::span(table.columns()).subspan(1)) {
      const std::string tensor = absl::StrCat(column.name, kRowsOf);
      if (!file.tensors().contains(tensor))
        continue;
      const size_t bytes = column.type.bytes();
      buffer.resize(size_t(count) * bytes);
      RETURN_IF_ERROR(
          file.read(tensor, {typeOf(column, count), buffer.data()}, first));
      for (int64_t i = 0; i < count; ++i) {
        ASSIGN_OR_RETURN(std::byte * row, table.findToLoad(ids[i]));
        if (row)
          std::memcpy(row + column.offset, buffer.data() + size_t(i) * bytes,
                      bytes);
      }
    }
    RETURN_IF_ERROR(table.endLoading());
  }
  return absl::OkStatus();
}
