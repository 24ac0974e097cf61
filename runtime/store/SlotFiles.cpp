// SPDX-License-Identifier: Apache-2.0
//===- SlotFiles.cpp - optimizer state on disk ----------------------------===//

#include "runtime/store/SlotFiles.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/store/RowFile.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>

using namespace ps::runtime;

namespace {
constexpr std::string_view kPrefix = "optimizer.";
constexpr std::string_view kSuffix = ".safetensors";
constexpr char kIds[] = ":ids";
constexpr char kRowsOf[] = ":rows";

/// K and N of "optimizer.K-of-N.safetensors".
std::optional<std::pair<int, int>> parsePartName(std::string_view name) {
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
      index < 0 || index >= count)
    return std::nullopt;
  return std::pair(index, count);
}
} // namespace

std::string ps::runtime::slotPath(const std::string &dir) {
  return (std::filesystem::path(dir) / "optimizer.safetensors").string();
}

std::string ps::runtime::slotPartPath(const std::string &dir, int index,
                                      int count) {
  return (std::filesystem::path(dir) /
          absl::StrFormat("%s%05d-of-%05d%s", std::string(kPrefix), index,
                          count, std::string(kSuffix)))
      .string();
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

void ps::runtime::addRowSlots(Table &table, const TableShard &shard,
                              std::vector<int64_t> &ids,
                              std::vector<NamedTensor> &tensors) {
  const std::span<const RowColumn> slots =
      std::span(table.columns()).subspan(1);
  if (slots.empty())
    return;
  ids.clear();
  for (int64_t id = 0; id != table.spec().maxRows; ++id)
    if (shardOf(id, shard.count, shard.partition) == shard.index)
      ids.push_back(id);
  const auto size = static_cast<int64_t>(ids.size());
  tensors.push_back(
      {absl::StrCat(table.spec().name, kIds),
       {{DType::I64, {size}}, reinterpret_cast<std::byte *>(ids.data())}});
  for (const RowColumn &column : slots)
    tensors.push_back(
        {absl::StrCat(column.name, kRowsOf),
         {typeOf(column, size), nullptr},
         [&table, &column, &ids](int64_t first, const TensorRef &rows) {
           table.readColumn(column,
                            std::span(ids).subspan(first, rows.type.rows()),
                            rows.data);
           return absl::OkStatus();
         }});
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

absl::StatusOr<SlotFiles>
SlotFiles::open(const std::string &dir, std::span<const std::string> expected) {
  SlotFiles result;
  result.dir = dir;
  // A name that cannot be looked up is missing, too: it may be a file's claim.
  std::error_code error;
  for (const std::string &name : expected)
    if (const auto path = std::filesystem::path(dir) / name;
        !std::filesystem::exists(path, error))
      return absl::DataLossError(
          absl::StrCat("'", path.string(), "' is missing: '", dir,
                       "' was saved with it; copy the files of all pservers "
                       "into one folder"));
  if (std::filesystem::exists(slotPath(dir), error))
    if (absl::Status status = result.openFile(slotPath(dir)); !status.ok())
      return status;
  if (!result.files.empty()) {
    result.whole = std::move(result.files.front());
    result.files.clear();
  }
  for (const std::string &path : findSlotParts(dir))
    if (absl::Status status = result.openFile(path); !status.ok())
      return status;
  if (absl::Status status = result.checkOneSaving(); !status.ok())
    return status;
  result.index();
  return result;
}

absl::Status SlotFiles::openFile(const std::string &path) {
  absl::StatusOr<std::unique_ptr<SafetensorsFile>> file =
      SafetensorsFile::open(path);
  if (!file.ok())
    return file.status();
  files.push_back(std::make_unique<File>(File{path, *std::move(file)}));
  return absl::OkStatus();
}

absl::Status SlotFiles::checkOneSaving() const {
  const File *first = whole.get();
  for (const std::unique_ptr<File> &file : files) {
    if (!first)
      first = file.get();
    if (metadataOf(*file->opened, kSaving) !=
        metadataOf(*first->opened, kSaving))
      return absl::DataLossError(
          absl::StrCat("files of two savings: '", first->path, "' and '",
                       file->path, "'; save or copy all of one"));
  }
  return absl::OkStatus();
}

std::string SlotFiles::saving() const {
  const File *file = whole           ? whole.get()
                     : files.empty() ? nullptr
                                     : files.front().get();
  return file ? metadataOf(*file->opened, kSaving) : "";
}

/// Finds out which rows of slots the files of pservers hold.
void SlotFiles::index() {
  for (const std::unique_ptr<File> &file : files)
    for (const auto &[name, type] : file->opened->tensors()) {
      const size_t colon = name.rfind(':');
      int64_t first;
      if (colon != name.npos &&
          absl::SimpleAtoi(name.substr(colon + 1), &first))
        slots[name.substr(0, colon)].try_emplace(first,
                                                 Part{file.get(), name, type});
    }
}

absl::Status SlotFiles::read(Store &store) const {
  for (size_t i = 0; i != store.variables().size(); ++i) {
    const VariableSpec &spec = store.variables()[i];
    if (!spec.isState())
      continue;
    absl::Status status;
    if (whole && whole->opened->tensors().contains(spec.origin))
      status =
          whole->opened->read(spec.origin, store.tensor(i), spec.rowOffset);
    else if (auto parts = slots.find(spec.origin); parts != slots.end())
      status = readParts(parts->second, spec.origin, store.tensor(i),
                         spec.rowOffset);
    if (!status.ok())
      return status;
  }
  return absl::OkStatus();
}

/// Reads rows `rowOffset`, .. of a slot, as many as `target` has, from the
/// parts that have some of them; a slot that is one number from any.
absl::Status SlotFiles::readParts(const std::map<int64_t, Part> &parts,
                                  const std::string &slot,
                                  const TensorRef &target,
                                  int64_t rowOffset) const {
  if (target.type.shape.empty()) {
    const Part &part = parts.begin()->second;
    return part.file->opened->read(part.tensor, target);
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
    if (absl::Status status =
            part.file->opened->read(part.tensor, rows, next - first);
        !status.ok())
      return status;
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
  auto found = whole->opened->tensors().find(column);
  return found != whole->opened->tensors().end() && found->second == type
             ? whole->opened.get()
             : nullptr;
}

absl::Status SlotFiles::readRows(Table &table) const {
  for (const std::unique_ptr<File> &file : files)
    if (file->opened->tensors().contains(absl::StrCat(table.spec().name, kIds)))
      if (absl::Status status = readRows(table, *file); !status.ok())
        return status;
  return absl::OkStatus();
}

absl::Status SlotFiles::readRows(Table &table, const File &file) const {
  const std::string name = absl::StrCat(table.spec().name, kIds);
  const int64_t rows = file.opened->tensors().find(name)->second.rows();
  std::vector<int64_t> ids;
  std::vector<std::byte> buffer;
  for (int64_t first = 0; first < rows; first += kRowsPerRead) {
    const int64_t count = std::min(kRowsPerRead, rows - first);
    ids.resize(count);
    if (absl::Status status = file.opened->read(
            name,
            {{DType::I64, {count}}, reinterpret_cast<std::byte *>(ids.data())},
            first);
        !status.ok())
      return status;
    for (const RowColumn &column : std::span(table.columns()).subspan(1)) {
      const std::string tensor = absl::StrCat(column.name, kRowsOf);
      if (!file.opened->tensors().contains(tensor))
        continue;
      const size_t bytes = column.type.bytes();
      buffer.resize(size_t(count) * bytes);
      if (absl::Status status = file.opened->read(
              tensor, {typeOf(column, count), buffer.data()}, first);
          !status.ok())
        return status;
      for (int64_t i = 0; i < count; ++i)
        if (std::byte *row = table.find(ids[i]))
          std::memcpy(row + column.offset, buffer.data() + size_t(i) * bytes,
                      bytes);
    }
  }
  return absl::OkStatus();
}
