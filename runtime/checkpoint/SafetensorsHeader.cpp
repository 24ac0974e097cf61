// SPDX-License-Identifier: Apache-2.0
//===- SafetensorsHeader.cpp - the JSON header of the format --------------===//
//
// Files come from anywhere: every number in the header is checked before it is
// used, and the header is taken apart as it is read (SAX), so that repeated
// names and wrong kinds of values are seen and nesting cannot run away.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/SafetensorsHeader.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

using namespace ps::runtime;
using Json = nlohmann::json;

namespace {
struct FormatName {
  DType dtype;
  std::string_view name;
};
constexpr FormatName kFormatNames[] = {
    {DType::I1, "BOOL"},   {DType::I8, "I8"},    {DType::I16, "I16"},
    {DType::I32, "I32"},   {DType::I64, "I64"},  {DType::UI8, "U8"},
    {DType::UI16, "U16"},  {DType::UI32, "U32"}, {DType::UI64, "U64"},
    {DType::BF16, "BF16"}, {DType::F16, "F16"},  {DType::F32, "F32"},
    {DType::F64, "F64"}};

std::string_view formatName(DType dtype) {
  return kFormatNames[static_cast<size_t>(dtype)].name;
}

std::optional<DType> parseFormatName(std::string_view name) {
  for (const FormatName &entry : kFormatNames)
    if (entry.name == name)
      return entry.dtype;
  return std::nullopt;
}

using Entry = HeaderEntry;

/// Takes the header apart. Each callback returns false to stop, with `error`
/// set. The base class's other events are all unexpected values.
class HeaderHandler final : public nlohmann::json_sax<Json> {
public:
  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;
  std::string error;

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool number_integer(number_integer_t value) override {
    return unexpected(absl::StrCat("the number ", value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (place == Place::Shape)
      entries.back().shape.push_back(value);
    else if (place == Place::Offsets)
      entries.back().offsets.push_back(value);
    else
      return unexpected(absl::StrCat("the number ", value));
    return true;
  }
  bool number_float(number_float_t, const string_t &text) override {
    return unexpected(absl::StrCat("the number ", text));
  }
  bool binary(binary_t &) override { return unexpected("binary data"); }
  bool string(string_t &value) override;
  bool start_object(std::size_t) override;
  bool key(string_t &name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &) override {
    return fail(absl::StrCat("header is not valid JSON at byte ", position));
  }

private:
  /// Where in the header we are; what follows a key is Before.
  enum class Place {
    Start,
    Top,
    BeforeTensor,
    BeforeMetadata,
    Tensor,
    Metadata,
    BeforeMetadataValue,
    BeforeDtype,
    BeforeShape,
    BeforeOffsets,
    Shape,
    Offsets
  };

  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }
  bool unexpected(const std::string &found) {
    std::string where;
    if (place == Place::Start || place == Place::Top)
      where = "header: ";
    else if (!entries.empty() && place != Place::Metadata &&
             place != Place::BeforeMetadata &&
             place != Place::BeforeMetadataValue)
      where = absl::StrCat("tensor '", entries.back().name, "': ");
    else
      where = "'__metadata__': ";
    return fail(
        absl::StrCat(where, "expected ", expectation(), ", found ", found));
  }
  const char *expectation() const;
  bool tensorKey(const std::string &name);

  Place place = Place::Start;
  bool sawMetadata = false;
  std::string metadataKey;
  std::map<std::string, bool> names;
};
} // namespace

const char *HeaderHandler::expectation() const {
  switch (place) {
  case Place::Start:
  case Place::Top:
  case Place::BeforeTensor:
  case Place::BeforeMetadata:
  case Place::Tensor:
  case Place::Metadata:
    return "an object";
  case Place::BeforeDtype:
  case Place::BeforeMetadataValue:
    return "a string";
  case Place::BeforeShape:
  case Place::BeforeOffsets:
    return "an array";
  case Place::Shape:
  case Place::Offsets:
    return "numbers >= 0";
  }
  return "";
}

bool HeaderHandler::string(string_t &value) {
  if (place == Place::BeforeMetadataValue) {
    if (!metadata.try_emplace(metadataKey, value).second)
      return fail(
          absl::StrCat("'__metadata__' holds '", metadataKey, "' twice"));
    place = Place::Metadata;
    return true;
  }
  if (place == Place::BeforeDtype) {
    entries.back().dtype = value;
    place = Place::Tensor;
    return true;
  }
  return unexpected("a string");
}

bool HeaderHandler::start_object(std::size_t) {
  if (place == Place::Start)
    place = Place::Top;
  else if (place == Place::BeforeTensor)
    place = Place::Tensor;
  else if (place == Place::BeforeMetadata)
    place = Place::Metadata;
  else
    return unexpected("an object");
  return true;
}

bool HeaderHandler::key(string_t &name) {
  if (place == Place::Metadata) {
    metadataKey = name;
    place = Place::BeforeMetadataValue;
    return true;
  }
  if (place == Place::Tensor)
    return tensorKey(name);
  if (!names.try_emplace(name, true).second)
    return fail(absl::StrCat("header holds '", name, "' twice"));
  if (name == kMetadataKey) {
    place = Place::BeforeMetadata;
    return true;
  }
  entries.emplace_back();
  entries.back().name = name;
  place = Place::BeforeTensor;
  return true;
}

bool HeaderHandler::tensorKey(const std::string &name) {
  Entry &entry = entries.back();
  bool *seen = nullptr;
  if (name == "dtype") {
    seen = &entry.hasDtype;
    place = Place::BeforeDtype;
  } else if (name == "shape") {
    seen = &entry.hasShape;
    place = Place::BeforeShape;
  } else if (name == "data_offsets") {
    seen = &entry.hasOffsets;
    place = Place::BeforeOffsets;
  } else {
    return fail(
        absl::StrCat("tensor '", entry.name, "': unknown key '", name, "'"));
  }
  if (*seen)
    return fail(
        absl::StrCat("tensor '", entry.name, "' holds '", name, "' twice"));
  *seen = true;
  return true;
}

bool HeaderHandler::end_object() {
  if (place == Place::Metadata) {
    place = Place::Top;
    return true;
  }
  if (place != Place::Tensor)
    return true; // The whole header.
  const Entry &entry = entries.back();
  const char *missing = !entry.hasDtype     ? "dtype"
                        : !entry.hasShape   ? "shape"
                        : !entry.hasOffsets ? "data_offsets"
                                            : nullptr;
  if (missing)
    return fail(
        absl::StrCat("tensor '", entry.name, "': '", missing, "' is missing"));
  place = Place::Top;
  return true;
}

bool HeaderHandler::start_array(std::size_t) {
  if (place == Place::BeforeShape)
    place = Place::Shape;
  else if (place == Place::BeforeOffsets)
    place = Place::Offsets;
  else
    return unexpected("an array");
  return true;
}

bool HeaderHandler::end_array() {
  place = Place::Tensor;
  return true;
}

namespace {
/// The type an entry states, when it fits the bytes it claims.
absl::StatusOr<TensorType> checkEntry(const Entry &entry, uint64_t dataBytes) {
  auto invalid = [&](const std::string &what) {
    return absl::DataLossError(
        absl::StrCat("tensor '", entry.name, "': ", what));
  };
  std::optional<DType> dtype = parseFormatName(entry.dtype);
  if (!dtype)
    return invalid(absl::StrCat("unknown dtype '", entry.dtype, "'"));
  TensorType type;
  type.dtype = *dtype;
  for (uint64_t dim : entry.shape) {
    if (dim > static_cast<uint64_t>(INT64_MAX))
      return invalid(absl::StrCat("dimension ", dim, " is too large"));
    type.shape.push_back(static_cast<int64_t>(dim));
  }
  absl::StatusOr<size_t> bytes = checkedBytes(type.dtype, type.shape);
  if (!bytes.ok())
    return invalid(std::string(bytes.status().message()));

  if (entry.offsets.size() != 2)
    return invalid(
        absl::StrCat("expected 2 data_offsets, found ", entry.offsets.size()));
  const uint64_t begin = entry.offsets[0], end = entry.offsets[1];
  if (begin > end || end > dataBytes)
    return invalid(absl::StrCat("data_offsets [", begin, ", ", end,
                                "] do not lie within the file's ", dataBytes,
                                " bytes of data"));
  if (end - begin != *bytes)
    return invalid(absl::StrCat("expected ", *bytes, " bytes for ", type.str(),
                                ", found ", end - begin));
  return type;
}

/// The bytes must be used exactly once and completely.
absl::Status checkTiling(std::vector<Entry> &entries, uint64_t dataBytes) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return a.offsets < b.offsets;
  });
  uint64_t reached = 0;
  for (const Entry &entry : entries) {
    if (entry.offsets[0] != reached)
      return absl::DataLossError(
          absl::StrCat("tensor '", entry.name, "': expected data to begin at ",
                       reached, ", found ", entry.offsets[0],
                       entry.offsets[0] < reached ? " (overlap)" : " (hole)"));
    reached = entry.offsets[1];
  }
  if (reached != dataBytes)
    return absl::DataLossError(absl::StrCat("tensors use ", reached, " of ",
                                            dataBytes, " bytes of data"));
  return absl::OkStatus();
}
} // namespace

absl::Status ps::runtime::parseSafetensorsHeader(const std::string &header,
                                                 uint64_t dataBytes,
                                                 SafetensorsHeader &parsed) {
  if (header.empty() || header[0] != '{')
    return absl::DataLossError("header does not begin with '{'");
  HeaderHandler handler;
  if (!Json::sax_parse(header, &handler))
    return absl::DataLossError(handler.error);

  for (const Entry &entry : handler.entries) {
    ASSIGN_OR_RETURN(TensorType type, checkEntry(entry, dataBytes));
    parsed.types.emplace(entry.name, std::move(type));
    parsed.offsets.emplace(entry.name, entry.offsets[0]);
  }
  parsed.metadata = std::move(handler.metadata);
  return checkTiling(handler.entries, dataBytes);
}

std::string ps::runtime::makeSafetensorsHeader(
    const std::vector<const NamedTensor *> &sorted,
    const std::map<std::string, std::string> &metadata) {
  std::string header = "{";
  auto separate = [&] {
    if (header.size() > 1)
      header += ',';
  };
  if (!metadata.empty())
    absl::StrAppend(&header, Json(std::string(kMetadataKey)).dump(), ":",
                    Json(metadata).dump());
  uint64_t offset = 0;
  for (const NamedTensor *named : sorted) {
    const TensorType &type = named->tensor.type;
    separate();
    absl::StrAppend(&header, Json(named->name).dump(), ":{\"dtype\":\"",
                    std::string(formatName(type.dtype)),
                    "\",\"shape\":", Json(type.shape).dump(),
                    ",\"data_offsets\":[", offset, ",", offset + type.bytes(),
                    "]}");
    offset += type.bytes();
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return header;
}
