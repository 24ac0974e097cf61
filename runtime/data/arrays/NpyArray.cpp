// SPDX-License-Identifier: Apache-2.0
//===- NpyArray.cpp - an array that NumPy saved ---------------------------===//
//
// numpy.save() writes a magic number, the version, the length of a header, the
// header, then the elements. The header is the text of a
// Python dictionary with the keys 'descr', 'fortran_order' and 'shape' (NumPy
// enhancement proposal 1). Dimension 0 is the samples. Versions 1 to 3, numbers
// in little-endian order, rows one after the other.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/arrays/NpyArray.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/data/arrays/ElementType.h"
#include <algorithm>
#include <cstring>

using namespace ps::runtime;

namespace {
constexpr absl::string_view kMagic("\x93NUMPY", 6);
/// NumPy writes a hundred bytes; only records need more.
constexpr uint32_t kMaxHeaderBytes = 1 << 16;

struct NpyHeader {
  /// "<f4".
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads the dictionary of a header. Errors name the byte of the file.
class HeaderParser {
public:
  HeaderParser(const File &file, absl::string_view text, size_t offset)
      : file(file), text(text), rest(text), offset(offset) {}

  absl::StatusOr<NpyHeader> parse();

private:
  absl::Status error(absl::string_view expected) const {
    return file.error(absl::StrCat("byte ", offset + text.size() - rest.size(),
                                   " of the header: expected ", expected));
  }
  void skipBlanks() {
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n'))
      rest.remove_prefix(1);
  }
  bool consume(absl::string_view token) {
    skipBlanks();
    return absl::ConsumePrefix(&rest, token);
  }
  absl::StatusOr<std::string> parseString();
  absl::StatusOr<std::vector<int64_t>> parseShape();
  absl::Status parseEntry(NpyHeader &header);

  const File &file;
  const absl::string_view text;
  absl::string_view rest;
  /// Where the header begins in the file.
  const size_t offset;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};
} // namespace

absl::StatusOr<std::string> HeaderParser::parseString() {
  skipBlanks();
  if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
    return error("a string");
  const size_t end = rest.find(rest[0], 1);
  if (end == absl::string_view::npos)
    return error("a string that ends");
  std::string value(rest.substr(1, end - 1));
  rest.remove_prefix(end + 1);
  return value;
}

absl::StatusOr<std::vector<int64_t>> HeaderParser::parseShape() {
  std::vector<int64_t> shape;
  if (!consume("("))
    return error("'(' and the sizes of dimensions");
  while (!consume(")")) {
    const size_t digits =
        std::min(rest.find_first_not_of("0123456789"), rest.size());
    int64_t size;
    if (!absl::SimpleAtoi(rest.substr(0, digits), &size))
      return error("the size of a dimension, below 2^63");
    rest.remove_prefix(digits);
    shape.push_back(size);
    skipBlanks();
    if (!consume(",") && !absl::StartsWith(rest, ")"))
      return error("',' or ')'");
    skipBlanks();
  }
  return shape;
}

absl::Status HeaderParser::parseEntry(NpyHeader &header) {
  ASSIGN_OR_RETURN(const std::string key, parseString());
  if (!consume(":"))
    return error("':'");
  if (key == "descr") {
    hasDescr = true;
    ASSIGN_OR_RETURN(header.descr, parseString());
  } else if (key == "fortran_order") {
    hasOrder = true;
    header.fortranOrder = consume("True");
    if (!header.fortranOrder && !consume("False"))
      return error("True or False");
  } else if (key == "shape") {
    hasShape = true;
    ASSIGN_OR_RETURN(header.shape, parseShape());
  } else {
    return error("'descr', 'fortran_order' or 'shape' before it");
  }
  return absl::OkStatus();
}

absl::StatusOr<NpyHeader> HeaderParser::parse() {
  NpyHeader header;
  if (!consume("{"))
    return error("'{'");
  while (!consume("}")) {
    RETURN_IF_ERROR(parseEntry(header));
    skipBlanks();
    if (!consume(",") && !absl::StartsWith(rest, "}"))
      return error("',' or '}'");
  }
  skipBlanks();
  if (!rest.empty())
    return error("the end of the header");
  if (!hasDescr || !hasOrder || !hasShape)
    return error("'descr', 'fortran_order' and 'shape' before it");
  return header;
}

static absl::StatusOr<NpyHeader> readHeader(File &file, size_t &headerEnd) {
  unsigned char bytes[12] = {};
  RETURN_IF_ERROR(file.readExactly(bytes, 8, "the magic number and version"));
  if (std::memcmp(bytes, kMagic.data(), kMagic.size()) != 0)
    return file.error("byte 0: expected the magic number of a .npy file");
  const int version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] != 0)
    return file.error(absl::StrCat("byte 6: expected version 1.0, 2.0 or 3.0, "
                                   "found ",
                                   version, ".", int(bytes[7])));
  const size_t lengthBytes = version == 1 ? 2 : 4;
  RETURN_IF_ERROR(
      file.readExactly(bytes + 8, lengthBytes, "the length of the header"));
  uint32_t length = 0;
  for (size_t i = 0; i != lengthBytes; ++i)
    length |= uint32_t(bytes[8 + i]) << 8 * i;
  if (length > kMaxHeaderBytes)
    return file.error(absl::StrCat("byte 8: expected a header of at most ",
                                   kMaxHeaderBytes, " bytes, found ", length));
  std::string text(length, '\0');
  RETURN_IF_ERROR(file.readExactly(text.data(), length, "the header"));
  headerEnd = 8 + lengthBytes + length;
  return HeaderParser(file, text, 8 + lengthBytes).parse();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Checks that the elements that `header` promises can be read as a column of
/// `type`, and computes how many there are.
static absl::StatusOr<int64_t> checkHeader(const File &file,
                                           const NpyHeader &header,
                                           const ElementType &type,
                                           size_t headerEnd) {
  if (header.shape.empty())
    return file.error("expected a dimension of samples, found a scalar");
  // With one dimension both orders are the same.
  if (header.fortranOrder && header.shape.size() > 1)
    return file.error("expected row-major order, found Fortran order: "
                      "save numpy.ascontiguousarray(x)");
  int64_t elements = 1, bytes;
  for (int64_t size : header.shape) {
    if (size == 0)
      return file.error("holds no samples");
    if (__builtin_mul_overflow(elements, size, &elements))
      return file.error("the sizes in the header overflow");
  }
  // Stored elements have at most 8 bytes.
  if (__builtin_mul_overflow(elements, int64_t{8}, &bytes))
    return file.error("the sizes in the header overflow");
  if (headerEnd + uint64_t(elements) * type.bytes > file.maxBytes())
    return file.error(absl::StrCat("truncated: the header promises ", elements,
                                   " elements, more than the file holds"));
  return elements;
}

absl::StatusOr<Column> ps::runtime::readNpyArray(File &file,
                                                 const std::string &name,
                                                 int64_t &samples) {
  size_t headerEnd;
  ASSIGN_OR_RETURN(const NpyHeader header, readHeader(file, headerEnd));
  const ElementType *type = findElementType(header.descr);
  if (!type)
    return file.error(describeUnknownElements(header.descr));
  ASSIGN_OR_RETURN(const int64_t elements,
                   checkHeader(file, header, *type, headerEnd));
  samples = header.shape[0];
  Column column{.name = name,
                .width = elements / samples,
                .dtype = type->stored,
                .bytes = {}};
  RETURN_IF_ERROR(file.readRest(elements * type->bytes, column.bytes));
  if (type->widen) {
    Buffer wide;
    RETURN_IF_ERROR(wide.resize(elements * byteWidth(type->stored)));
    type->widen(column.bytes.data(), elements, wide.data());
    column.bytes = std::move(wide);
  }
  return column;
}

absl::Status ps::runtime::addNpyArray(File &file, const std::string &name,
                                      std::string &first, Dataset &data) {
  int64_t samples = 0;
  ASSIGN_OR_RETURN(Column column, readNpyArray(file, name, samples));
  if (data.columns.empty()) {
    data.size = samples;
    first = file.path();
  } else if (samples != data.size) {
    return absl::DataLossError(absl::StrCat("'", first, "' holds ", data.size,
                                            " samples, but '", file.path(),
                                            "' holds ", samples));
  }
  data.columns.push_back(std::move(column));
  return absl::OkStatus();
}

bool ps::runtime::hasColumn(const Dataset &data, absl::string_view name) {
  return std::ranges::any_of(
      data.columns, [&](const Column &column) { return column.name == name; });
}
