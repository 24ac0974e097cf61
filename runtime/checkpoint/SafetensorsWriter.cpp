// SPDX-License-Identifier: Apache-2.0
//===- SafetensorsWriter.cpp - writes the safetensors format --------------===//
//
// The header is written first, with room for everything that is known only
// later (setMetadata), so that tensors can be written in any order and in
// pieces: a table of many GB is never in memory twice.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/SafetensorsHeader.h"
#include "runtime/checkpoint/StagedFile.h"
#include <algorithm>
#include <bit>
#include <cassert>
#include <nlohmann/json.hpp>
#include <utility>

using namespace ps::runtime;
using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "tensors are written as they lie in memory");

/// Rows that are made and written at a time.
static constexpr int64_t kRowsAtATime = 16384;

absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
SafetensorsWriter::create(const std::string &path,
                          std::span<const NamedTensor> tensors,
                          const std::map<std::string, std::string> &metadata) {
  std::vector<const NamedTensor *> sorted;
  for (const NamedTensor &tensor : tensors)
    sorted.push_back(&tensor);
  // Wide elements first, so that each tensor is aligned to its elements.
  std::sort(sorted.begin(), sorted.end(),
            [](const NamedTensor *a, const NamedTensor *b) {
              size_t wa = byteWidth(a->tensor.type.dtype);
              size_t wb = byteWidth(b->tensor.type.dtype);
              return wa != wb ? wa > wb : a->name < b->name;
            });
  std::unique_ptr<SafetensorsWriter> writer(new SafetensorsWriter);
  writer->metadata = metadata;
  uint64_t offset = 0;
  for (const NamedTensor *named : sorted) {
    const TensorType &type = named->tensor.type;
    if (named->name == kMetadataKey ||
        !writer->places.try_emplace(named->name, type, offset).second)
      return absl::InvalidArgumentError(absl::StrCat(
          "'", path, "': tensor name '", named->name, "' is ",
          named->name == kMetadataKey ? "reserved" : "used twice"));
    offset += type.bytes();
  }

  std::string header;
  try {
    header = makeSafetensorsHeader(sorted, metadata);
  } catch (const Json::exception &) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", path, "': a name is not valid UTF-8"));
  }
  if (header.size() > kMaxHeaderBytes)
    return absl::InvalidArgumentError(
        absl::StrCat("'", path, "': header of ", header.size(),
                     " bytes exceeds the format's limit of ", kMaxHeaderBytes));
  ASSIGN_OR_RETURN(writer->file, StagedFile::create(path));
  writer->header = std::move(header);
  RETURN_IF_ERROR(writer->writeHeader());
  return writer;
}

SafetensorsWriter::~SafetensorsWriter() = default;

absl::Status SafetensorsWriter::writeHeader() {
  dataBegin = kLengthBytes + header.size();
  const uint64_t length = header.size();
  absl::Status status = file->write(&length, kLengthBytes, 0);
  return status.ok() ? file->write(header.data(), header.size(), kLengthBytes)
                     : status;
}

absl::Status SafetensorsWriter::write(std::string_view name,
                                      const TensorRef &rows,
                                      int64_t rowOffset) {
  auto it = places.find(name);
  assert(it != places.end() && "a tensor that was not announced");
  const auto &[type, offset] = it->second;
  const uint64_t begin =
      offset + type.rowBytes() * static_cast<uint64_t>(rowOffset);
  return file->write(rows.data, rows.type.bytes(), dataBegin + begin);
}

/// A value must keep its length: the elements behind the header do not move.
absl::Status SafetensorsWriter::setMetadata(const std::string &key,
                                            const std::string &value) {
  const std::string before = Json(metadata).dump();
  metadata.at(key) = value;
  const std::string after = Json(metadata).dump();
  assert(before.size() == after.size() && "the header has its size");
  // They are what the header begins with.
  header.replace(header.find(before), before.size(), after);
  return writeHeader();
}

absl::Status SafetensorsWriter::flush() { return file->flush(); }

absl::StatusOr<FileChecksum> SafetensorsWriter::checksum() const {
  return file->checksum();
}

absl::StatusOr<std::string> SafetensorsWriter::digest() const {
  return file->digest();
}

absl::Status SafetensorsWriter::finish() { return file->publish(); }

const std::string &SafetensorsWriter::path() const { return file->path(); }

/// Writes a tensor that is made while it is written.
static absl::Status writePieces(const NamedTensor &named,
                                SafetensorsWriter &writer) {
  const TensorType &type = named.tensor.type;
  std::vector<std::byte> memory;
  for (int64_t first = 0; first < type.rows(); first += kRowsAtATime) {
    TensorType piece = type;
    piece.shape[0] = std::min(kRowsAtATime, type.rows() - first);
    memory.resize(piece.bytes());
    const TensorRef rows{piece, memory.data()};
    RETURN_IF_ERROR(named.fill(first, rows));
    RETURN_IF_ERROR(writer.write(named.name, rows, first));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
ps::runtime::stageSafetensors(
    const std::string &path, std::span<const NamedTensor> tensors,
    const std::map<std::string, std::string> &metadata) {
  ASSIGN_OR_RETURN(std::unique_ptr<SafetensorsWriter> writer,
                   SafetensorsWriter::create(path, tensors, metadata));
  for (const NamedTensor &named : tensors)
    RETURN_IF_ERROR(named.fill ? writePieces(named, *writer)
                               : writer->write(named.name, named.tensor));
  return writer;
}
