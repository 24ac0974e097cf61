// SPDX-License-Identifier: Apache-2.0
//===- BatchFrames.cpp - samples in the frames of a batch server ----------===//

#include "runtime/data/served/BatchFrames.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <bit>
#include <cstring>

using namespace ps::runtime;

static_assert(std::endian::native == std::endian::little);

namespace {
/// The most in a frame of columns, and in an error.
constexpr uint64_t kMaxTextBytes = 1 << 20;
/// What is received at once, and so the most memory that a frame can take
/// beyond twice what has been received.
constexpr uint64_t kPieceBytes = 16 << 20;
/// Elements that are widened while they are in a cache.
constexpr int64_t kNarrowElements = 1 << 16;
} // namespace

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

absl::Status BatchFrames::error(absl::string_view why) const {
  return absl::DataLossError(absl::StrCat("data '", spec, "': byte ", position,
                                          " of frame ", frame, ": ", why));
}

absl::Status BatchFrames::take(uint64_t size, absl::string_view what) {
  if (size > left)
    return error(absl::StrCat("expected ", size, " bytes of ", what, ", found ",
                              left, " in the frame"));
  left -= size;
  return absl::OkStatus();
}

absl::Status BatchFrames::readBytes(void *to, uint64_t size,
                                    absl::string_view what) {
  RETURN_IF_ERROR(take(size, what));
  RETURN_IF_ERROR(annotate(read(to, size), "data '", spec, "': byte ", position,
                           " of frame ", frame));
  position += size;
  return absl::OkStatus();
}

template <typename T>
absl::StatusOr<T> BatchFrames::readNumber(absl::string_view what) {
  T number;
  RETURN_IF_ERROR(readBytes(&number, sizeof(T), what));
  return number;
}

absl::StatusOr<std::string> BatchFrames::readName(size_t size,
                                                  absl::string_view what) {
  std::string name(size, '\0');
  RETURN_IF_ERROR(readBytes(name.data(), size, what));
  if (name.empty() || printable(name) != name)
    return error(
        absl::StrCat("expected ", what, ", found '", printable(name), "'"));
  return name;
}

absl::Status BatchFrames::expectEnd() const {
  return left == 0 ? absl::OkStatus()
                   : error(absl::StrCat("expected the end of the frame, found ",
                                        left, " more bytes"));
}

/// Reads the header of the next frame, which is of `kind`, or an error.
absl::Status BatchFrames::readHeader(absl::string_view kind) {
  ++frame;
  position = 0;
  left = sizeof(header);
  RETURN_IF_ERROR(readBytes(&header, sizeof(header), "the header"));
  left = header.bytes;
  const absl::string_view found(header.kind, sizeof(header.kind));
  if (found == kErrorFrame)
    return readError();
  if (found != kind)
    return error(absl::StrCat("expected a frame '", kind, "', found '",
                              printable(found), "'"));
  return absl::OkStatus();
}

absl::Status BatchFrames::readError() {
  if (left > kMaxTextBytes)
    return error(absl::StrCat("expected an error of at most ", kMaxTextBytes,
                              " bytes, found ", left));
  std::string text(left, '\0');
  RETURN_IF_ERROR(readBytes(text.data(), text.size(), "an error"));
  return absl::DataLossError(
      absl::StrCat("data '", spec, "': its server: ", printable(text)));
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

absl::Status BatchFrames::readColumn() {
  ServedColumn column;
  ASSIGN_OR_RETURN(const uint16_t nameBytes,
                   readNumber<uint16_t>("the length of a name"));
  ASSIGN_OR_RETURN(column.name, readName(nameBytes, "the name of a column"));
  for (const ServedColumn &other : columns)
    if (other.name == column.name)
      return error(absl::StrCat("column '", column.name, "' is given twice"));
  ASSIGN_OR_RETURN(const std::string descr, readName(3, "an element type"));
  column.type = findElementType(descr);
  if (!column.type)
    return error(absl::StrCat("column '", column.name,
                              "': ", describeUnknownElements(descr)));
  ASSIGN_OR_RETURN(const uint8_t ragged, readNumber<uint8_t>("a mark"));
  if (ragged > 1)
    return error(absl::StrCat("column '", column.name,
                              "': expected 0, or 1 for bags, found ", ragged));
  column.ragged = ragged == 1;
  ASSIGN_OR_RETURN(column.width, readNumber<int64_t>("the size of a sample"));
  if (column.width < 1)
    return error(absl::StrCat("column '", column.name,
                              "': expected 1 or more elements per sample, "
                              "found ",
                              column.width));
  columns.push_back(std::move(column));
  return absl::OkStatus();
}

absl::Status BatchFrames::readColumns() {
  RETURN_IF_ERROR(readHeader(kColumnsFrame));
  if (left > kMaxTextBytes)
    return error(absl::StrCat("expected columns of at most ", kMaxTextBytes,
                              " bytes, found ", left));
  do
    RETURN_IF_ERROR(readColumn());
  while (left != 0);
  return absl::OkStatus();
}

Dataset BatchFrames::makeDataset() const {
  Dataset data{.spec = spec, .columns = {}};
  for (const ServedColumn &column : columns) {
    data.columns.push_back({.name = column.name,
                            .width = column.width,
                            .dtype = column.type->stored,
                            .bytes = {}});
    if (column.ragged)
      data.columns.back().offsets.push_back(0);
  }
  return data;
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// Reads where the bags of `samples` begin in what follows, and adds it to
/// where those before end.
absl::Status BatchFrames::readOffsets(const ServedColumn &served,
                                      int64_t samples, Column &column) {
  const uint64_t most = left / served.type->bytes;
  const int64_t base = column.offsets.back();
  int64_t last = 0;
  for (int64_t i = 0; i <= samples;) {
    int64_t piece[1024];
    const int64_t count = std::min<int64_t>(samples + 1 - i, std::size(piece));
    RETURN_IF_ERROR(readBytes(piece, count * sizeof(int64_t), "offsets"));
    for (int64_t j = 0; j != count; ++j) {
      const bool isFirst = i == 0 && j == 0;
      if (piece[j] < last || (isFirst && piece[j] != 0) ||
          static_cast<uint64_t>(piece[j]) > most)
        return error(absl::StrCat(
            "column '", served.name, "': expected offset ", i + j, " from ",
            last, " to ", isFirst ? 0 : most, ", found ", piece[j]));
      last = piece[j];
      if (!isFirst)
        column.offsets.push_back(base + last);
    }
    i += count;
  }
  return absl::OkStatus();
}

/// Reads `count` elements to place `begin` of the column, whose memory grows
/// with what comes.
absl::Status BatchFrames::readElements(const ServedColumn &served,
                                       int64_t count, int64_t begin,
                                       Column &column) {
  const size_t width = byteWidth(column.dtype);
  const int64_t most = served.type->widen
                           ? kNarrowElements
                           : static_cast<int64_t>(kPieceBytes / width);
  const std::string what = absl::StrCat("column '", served.name, "'");
  while (count != 0) {
    const int64_t piece = std::min(count, most);
    const size_t needed = (begin + piece) * width;
    if (needed > column.bytes.size())
      RETURN_IF_ERROR(
          annotate(column.bytes.resize(std::max(
                       needed, column.bytes.size() + column.bytes.size() / 2)),
                   "data '", spec, "'"));
    std::byte *to = column.bytes.data() + begin * width;
    if (served.type->widen) {
      narrow.resize(kNarrowElements * served.type->bytes);
      RETURN_IF_ERROR(
          readBytes(narrow.data(), piece * served.type->bytes, what));
      served.type->widen(narrow.data(), piece, to);
    } else {
      RETURN_IF_ERROR(readBytes(to, piece * width, what));
    }
    begin += piece;
    count -= piece;
  }
  return absl::OkStatus();
}

/// Reads what `samples` have in a column, behind its samples so far.
absl::Status BatchFrames::readSamplesOf(const ServedColumn &served,
                                        int64_t samples, int64_t before,
                                        Column &column) {
  const int64_t begin = column.begin(before);
  int64_t count, bytes;
  if (served.ragged) {
    RETURN_IF_ERROR(readOffsets(served, samples, column));
    count = column.offsets.back() - begin;
  } else if (__builtin_mul_overflow(samples, served.width, &count)) {
    return error(absl::StrCat("column '", served.name, "' is too large"));
  }
  if (__builtin_mul_overflow(count, int64_t(served.type->bytes), &bytes) ||
      static_cast<uint64_t>(bytes) > left)
    return error(absl::StrCat("column '", served.name, "': expected ", count,
                              " elements, found ", left, " bytes"));
  return readElements(served, count, begin, column);
}

absl::StatusOr<BatchFrames::End>
BatchFrames::readSamples(Dataset &data, std::optional<int64_t> expected) {
  RETURN_IF_ERROR(readHeader(kSamplesFrame));
  if ((header.flags & ~(kEndsEpoch | kEndsData)) != 0 ||
      header.flags == kEndsData)
    return error(
        absl::StrCat("expected flags 0, 1 or 3, found ", header.flags));
  ASSIGN_OR_RETURN(const int64_t samples,
                   readNumber<int64_t>("the number of samples"));
  if (expected.value_or(samples) != samples)
    return error(
        absl::StrCat("expected ", *expected, " samples, found ", samples));
  // Each takes a byte at least.
  if (samples < 1 || static_cast<uint64_t>(samples) > left)
    return error(
        absl::StrCat("expected samples, in ", left, " bytes, found ", samples));
  for (size_t i = 0; i != columns.size(); ++i)
    RETURN_IF_ERROR(
        readSamplesOf(columns[i], samples, data.size, data.columns[i]));
  RETURN_IF_ERROR(expectEnd());
  data.size += samples;
  return End{(header.flags & kEndsEpoch) != 0, (header.flags & kEndsData) != 0};
}
