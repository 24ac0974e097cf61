// SPDX-License-Identifier: Apache-2.0
//===- Packing.cpp - blocks and rows as messages --------------------------===//
//
// A message holds at most chunkBytes of payload. Blocks that are larger travel
// alone, chunk by chunk, so that the chunks of all trainers match and can be
// merged independently; smaller ones share messages. Answers are checked
// against the size that was asked for before anything is written.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/Packing.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Ranges.h"
#include <algorithm>
#include <new>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// The message that is being filled.
template <typename Bytes>
struct OpenMessage {
  Ranges ranges;
  std::vector<Bytes> places;
  size_t bytes = 0, nameBytes = 0;

  void add(wire::Range range, Bytes place) {
    bytes += place.size();
    nameBytes += range.block().size();
    *ranges.Add() = std::move(range);
    places.push_back(place);
  }
  bool hasRoomFor(const std::string &block, size_t more) const {
    constexpr size_t maxNameBytes = 16 << 10; // They travel in the header.
    return bytes + more <= chunkBytes &&
           static_cast<size_t>(ranges.size()) < maxRanges &&
           nameBytes + block.size() <= maxNameBytes;
  }
};
} // namespace

template <typename Part, typename Emit>
static void pack(int64_t step, std::span<const Part> parts, Emit emit) {
  OpenMessage<decltype(Part::rows)> open;
  auto close = [&] {
    if (!open.places.empty())
      emit(std::move(open.ranges), std::move(open.places));
    open = {};
  };
  for (const Part &part : parts) {
    const size_t bytes = part.rows.size();
    const bool alone = numChunks(bytes) > 1;
    for (size_t chunk = 0; chunk < numChunks(bytes); ++chunk) {
      const size_t offset = chunk * chunkBytes;
      const size_t size = std::min(chunkBytes, bytes - offset);
      if (alone || !open.hasRoomFor(part.block, size))
        close();
      open.add(makeRange(step, part.block, part.dtype, bytes, offset, size),
               part.rows.subspan(offset, size));
    }
    if (alone)
      close();
  }
  close();
}

void ps::runtime::packBlocks(
    int64_t step, std::span<const SendPart> parts,
    absl::FunctionRef<void(Ranges, std::vector<Piece>)> emit) {
  pack(step, parts, emit);
}

void ps::runtime::packBlocks(
    int64_t step, std::span<const RecvPart> parts,
    absl::FunctionRef<void(Ranges, std::vector<std::span<std::byte>>)> emit) {
  pack(step, parts, emit);
}

absl::Status
ps::runtime::unpackBlocks(Pieces payload,
                          std::span<const std::span<std::byte>> places) {
  size_t expected = 0;
  for (std::span<std::byte> place : places)
    expected += place.size();
  if (size_t found = totalBytes(payload); found != expected)
    return absl::InternalError(absl::StrCat(
        "expected ", expected, " bytes in the answer, found ", found));
  PayloadCursor cursor(payload);
  for (std::span<std::byte> place : places)
    cursor.read(place.data(), place.size());
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

absl::StatusOr<std::vector<wire::Rows>>
ps::runtime::packRows(int64_t step, const TableRows &rows,
                      uint64_t stateBytes) {
  // Wider rows than a chunk could overflow the product.
  const size_t most = rows.width > chunkBytes
                          ? 0
                          : rowsPerMessage(std::max<size_t>(
                                rows.codec().wireBytes(), stateBytes));
  if (most == 0)
    return absl::InvalidArgumentError(absl::StrCat(
        "a row of table '", rows.table, "' with its id must fit into ",
        chunkBytes, " bytes, found rows of ", rows.width, " x ",
        std::string(dtypeName(rows.dtype))));
  const size_t total = rows.ids.size();
  std::vector<wire::Rows> messages;
  size_t begin = 0;
  do {
    const size_t count = std::min(most, total - begin);
    messages.push_back(makeRows(step, rows.table, rows.codec().wire, rows.width,
                                begin, count, total,
                                count == 0 ? 0 : stateBytes));
    begin += count;
  } while (begin < total);
  return messages;
}

absl::StatusOr<EncodedRows> ps::runtime::encodeRows(const RowGradients &rows) {
  const RowCodec codec = rows.codec();
  if (codec.isPlain())
    return EncodedRows{nullptr, rows.gradients};
  const size_t bytes = rows.ids.size() * codec.wireBytes();
  EncodedRows encoded{
      std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[bytes]), {}};
  if (!encoded.memory)
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", rows.ids.size(), " rows of ",
                     codec.wireBytes(), " bytes: lower --batch-size"));
  codec.encode(rows.gradients.data(), rows.ids.size(), encoded.memory.get());
  encoded.bytes = {encoded.memory.get(), bytes};
  return encoded;
}

static absl::Status wrongSize(const wire::Rows &message, size_t expected,
                              size_t found) {
  return absl::InternalError(
      absl::StrCat("expected ", message.count(), " rows in ", expected,
                   " bytes of the answer, found ", found, " bytes"));
}

/// Without places the rows are contiguous and take one copy.
static absl::Status unpackValues(Pieces payload, const RowRequest &request,
                                 const wire::Rows &message) {
  const RowCodec codec = request.codec();
  const size_t rowBytes = request.rowBytes();
  const size_t expected = message.count() * codec.wireBytes();
  if (size_t found = totalBytes(payload); found != expected)
    return wrongSize(message, expected, found);
  PayloadCursor cursor(payload);
  if (request.places.empty())
    return codec.decode(cursor, message.count(),
                        request.values + message.offset() * rowBytes);
  std::vector<std::byte> one(codec.isPlain() ? 0 : codec.wireBytes());
  for (int32_t place :
       request.places.subspan(message.offset(), message.count())) {
    std::byte *row = request.values + static_cast<size_t>(place) * rowBytes;
    if (codec.isPlain()) {
      cursor.read(row, rowBytes);
      continue;
    }
    cursor.read(one.data(), one.size());
    RETURN_IF_ERROR(codec.decode(one.data(), row));
  }
  return absl::OkStatus();
}

/// The bytes of the rows that `answers` announce; INTERNAL for an answer that
/// no pserver gives.
static absl::StatusOr<size_t> sizeOfRows(std::span<const RowAnswer> answers,
                                         const RowRequest &request,
                                         size_t begin) {
  size_t bytes = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] > RowAnswer::State ||
        (answers[i] == RowAnswer::Kept && !request.copies.held[begin + i]))
      return absl::InternalError(absl::StrCat(
          "expected a row, or that the trainer's copy of it is right where it "
          "has one, found answer ",
          static_cast<int>(answers[i]), " for id ", request.ids[begin + i]));
    if (answers[i] == RowAnswer::Value)
      bytes += request.rowBytes();
    else if (answers[i] == RowAnswer::State)
      bytes += request.copies.stateBytes;
  }
  return bytes;
}

/// First comes what is there of each row. Nothing is written unless all of it
/// matches: a copy that was half replaced would be wrong.
static absl::Status unpackCopies(Pieces payload, const RowRequest &request,
                                 const wire::Rows &message) {
  const RowCopies &copies = request.copies;
  const size_t found = totalBytes(payload);
  if (found < message.count())
    return wrongSize(message, message.count(), found);
  std::vector<RowAnswer> answers(message.count());
  PayloadCursor cursor(payload);
  cursor.read(answers.data(), answers.size());
  ASSIGN_OR_RETURN(size_t bytes,
                   sizeOfRows(answers, request, message.offset()));
  if (found != message.count() + bytes)
    return wrongSize(message, message.count() + bytes, found);
  for (size_t i = 0; i < answers.size(); ++i) {
    const size_t at = message.offset() + i;
    const size_t place =
        request.places.empty() ? at : static_cast<size_t>(request.places[at]);
    copies.answers[place] = answers[i];
    if (answers[i] != RowAnswer::Kept)
      cursor.read(request.values + place * copies.stateBytes,
                  answers[i] == RowAnswer::State ? copies.stateBytes
                                                 : request.rowBytes());
  }
  return absl::OkStatus();
}

absl::Status ps::runtime::unpackRows(Pieces payload, const RowRequest &request,
                                     const wire::Rows &message) {
  return request.copies.stateBytes == 0
             ? unpackValues(payload, request, message)
             : unpackCopies(payload, request, message);
}

absl::Status ps::runtime::unpackChanges(const Response &response,
                                        size_t rowBytes, RowChanges &changes) {
  const size_t bytes = totalBytes(response.payload);
  const size_t count = bytes / (sizeof(int64_t) + rowBytes);
  if (bytes != count * (sizeof(int64_t) + rowBytes))
    return absl::InternalError(
        absl::StrCat("expected ids with rows of ", rowBytes,
                     " bytes in the answer, found ", bytes, " bytes"));
  changes.ids.resize(count);
  changes.values.resize(count * rowBytes);
  PayloadCursor payload(response.payload);
  payload.read(changes.ids.data(), count * sizeof(int64_t));
  payload.read(changes.values.data(), changes.values.size());
  changes.left = response.header.changes_left();
  return absl::OkStatus();
}
