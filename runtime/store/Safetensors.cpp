//===- Safetensors.cpp - reads and writes the safetensors format ----------===//
//
// Files come from anywhere: every number in the header is checked before it is
// used, and the header is taken apart as it is read (SAX), so that repeated
// names and wrong kinds of values are seen and nesting cannot run away.
//
//===----------------------------------------------------------------------===//

#include "runtime/store/Safetensors.h"
#include "absl/strings/str_cat.h"
#include "runtime/store/StagedFile.h"
#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace ps::runtime;
using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "tensors are written as they lie in memory");

namespace {
constexpr uint64_t kLengthBytes = 8;
/// The format's limit.
constexpr uint64_t kMaxHeaderBytes = 100'000'000;
/// Rows that are made and written at a time.
constexpr int64_t kRowsAtATime = 16384;
constexpr std::string_view kMetadataKey = "__metadata__";

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

/// A tensor as its header entry states it.
struct Entry {
  std::string name;
  std::string dtype;
  std::vector<uint64_t> shape;
  std::vector<uint64_t> offsets;
  bool hasDtype = false, hasShape = false, hasOffsets = false;
};

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

/// Reads exactly `bytes` at `offset`.
absl::Status readFully(int descriptor, void *target, uint64_t bytes,
                       uint64_t offset, const std::string &path) {
  char *out = static_cast<char *>(target);
  while (bytes > 0) {
    ssize_t got = ::pread(descriptor, out, std::min<uint64_t>(bytes, 1 << 30),
                          static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fileError(errno, path, "cannot read");
    if (got == 0)
      return absl::DataLossError(
          absl::StrCat("'", path, "': file ends at byte ", offset));
    out += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<uint64_t>(got);
  }
  return absl::OkStatus();
}

/// The header, padded so that the data is aligned. `sorted` is in file order.
std::string makeHeader(const std::vector<const NamedTensor *> &sorted,
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
} // namespace

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
    header = makeHeader(sorted, metadata);
  } catch (const Json::exception &) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", path, "': a name is not valid UTF-8"));
  }
  if (header.size() > kMaxHeaderBytes)
    return absl::InvalidArgumentError(
        absl::StrCat("'", path, "': header of ", header.size(),
                     " bytes exceeds the format's limit of ", kMaxHeaderBytes));
  absl::StatusOr<std::unique_ptr<StagedFile>> file = StagedFile::create(path);
  if (!file.ok())
    return file.status();
  writer->file = *std::move(file);
  writer->header = std::move(header);
  if (absl::Status status = writer->writeHeader(); !status.ok())
    return status;
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
  digest.add(name);
  digest.add(std::as_bytes(std::span(&begin, 1)));
  digest.add({rows.data, rows.type.bytes()});
  return file->write(rows.data, rows.type.bytes(), dataBegin + begin);
}

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
    if (absl::Status status = named.fill(first, rows); !status.ok())
      return status;
    if (absl::Status status = writer.write(named.name, rows, first);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
ps::runtime::stageSafetensors(
    const std::string &path, std::span<const NamedTensor> tensors,
    const std::map<std::string, std::string> &metadata) {
  absl::StatusOr<std::unique_ptr<SafetensorsWriter>> writer =
      SafetensorsWriter::create(path, tensors, metadata);
  if (!writer.ok())
    return writer.status();
  for (const NamedTensor &named : tensors)
    if (absl::Status status = named.fill
                                  ? writePieces(named, **writer)
                                  : (*writer)->write(named.name, named.tensor);
        !status.ok())
      return status;
  return writer;
}

absl::StatusOr<std::unique_ptr<SafetensorsFile>>
SafetensorsFile::open(const std::string &path) {
  std::unique_ptr<SafetensorsFile> file(new SafetensorsFile);
  file->filePath = path;
  // Without waiting for the other end, should it be a pipe.
  file->descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file->descriptor < 0)
    return fileError(errno, path, "cannot open");
  absl::Status status = file->parse();
  if (!status.ok())
    return status;
  return file;
}

SafetensorsFile::~SafetensorsFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

absl::Status SafetensorsFile::parse() {
  auto invalid = [&](const std::string &what) {
    return absl::DataLossError(absl::StrCat("'", filePath, "': ", what));
  };
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return fileError(errno, filePath, "cannot read");
  if (!S_ISREG(info.st_mode))
    return invalid("not a regular file");
  const uint64_t size = static_cast<uint64_t>(info.st_size);
  if (size < kLengthBytes)
    return invalid(absl::StrCat(
        "expected at least 8 bytes of a safetensors file, found ", size));

  uint64_t headerBytes = 0;
  absl::Status status =
      readFully(descriptor, &headerBytes, kLengthBytes, 0, filePath);
  if (!status.ok())
    return status;
  if (headerBytes > kMaxHeaderBytes || headerBytes > size - kLengthBytes)
    return invalid(absl::StrCat("header of ", headerBytes,
                                " bytes does not fit in a file of ", size,
                                " (not a safetensors file, or cut short)"));
  std::string header(headerBytes, '\0');
  status =
      readFully(descriptor, header.data(), headerBytes, kLengthBytes, filePath);
  if (!status.ok())
    return status;
  dataBegin = kLengthBytes + headerBytes;
  dataBytes = size - dataBegin;
  status = parseHeader(header);
  return status.ok() ? status : invalid(std::string(status.message()));
}

absl::Status SafetensorsFile::parseHeader(const std::string &header) {
  if (header.empty() || header[0] != '{')
    return absl::DataLossError("header does not begin with '{'");
  HeaderHandler handler;
  if (!Json::sax_parse(header, &handler))
    return absl::DataLossError(handler.error);

  for (const Entry &entry : handler.entries) {
    absl::StatusOr<TensorType> type = checkEntry(entry, dataBytes);
    if (!type.ok())
      return type.status();
    types.emplace(entry.name, *std::move(type));
    offsets.emplace(entry.name, entry.offsets[0]);
  }
  strings = std::move(handler.metadata);
  return checkTiling(handler.entries, dataBytes);
}

absl::Status SafetensorsFile::read(std::string_view name,
                                   const TensorRef &target,
                                   int64_t rowOffset) const {
  const TensorType &expected = target.type;
  absl::Status status = check(name, expected, rowOffset);
  if (!status.ok())
    return status;
  const TensorType &found = types.find(name)->second;
  const uint64_t skip = found.rowBytes() * static_cast<uint64_t>(rowOffset);
  const uint64_t bytes = expected.bytes();
  status = readFully(descriptor, target.data, bytes,
                     dataBegin + offsets.find(name)->second + skip, filePath);
  if (status.ok() && expected.dtype == DType::I1)
    for (uint64_t i = 0; i < bytes; ++i)
      target.data[i] = std::byte(target.data[i] != std::byte{0});
  return status;
}

absl::Status SafetensorsFile::check(std::string_view name,
                                    const TensorType &expected,
                                    int64_t rowOffset) const {
  auto it = types.find(name);
  if (it == types.end())
    return absl::NotFoundError(
        absl::StrCat("'", filePath, "': no tensor '", std::string(name), "'"));
  const TensorType &found = it->second;
  // A slice has the whole's dimensions but the first.
  bool fits = found.dtype == expected.dtype &&
              found.shape.size() == expected.shape.size() && rowOffset >= 0;
  for (size_t i = 1; fits && i < found.shape.size(); ++i)
    fits = found.shape[i] == expected.shape[i];
  if (!fits || rowOffset > found.rows() ||
      expected.rows() > found.rows() - rowOffset)
    return absl::InvalidArgumentError(absl::StrCat(
        "'", filePath, "': tensor '", std::string(name), "': expected ",
        rowOffset == 0 ? "" : absl::StrCat("rows from ", rowOffset, " for "),
        expected.str(), ", found ", found.str()));
  return absl::OkStatus();
}

std::string ps::runtime::modelPath(const std::string &dir) {
  return (std::filesystem::path(dir) / "model.safetensors").string();
}

absl::Status ps::runtime::checkWritable(const std::string &dir) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error)
    return fileError(error.value(), dir, "cannot create the directory");
  if (std::filesystem::is_directory(modelPath(dir), error))
    return fileError(EISDIR, modelPath(dir), "cannot replace");
  removeAbandoned(dir);
  // It goes when it goes out of scope.
  if (auto probe = StagedFile::create(modelPath(dir)); !probe.ok())
    return absl::Status(probe.status().code(),
                        absl::StrCat("'", dir,
                                     "': cannot write in the directory: ",
                                     probe.status().message()));
  return absl::OkStatus();
}

/// Every variable is checked before the first is read.
absl::Status ps::runtime::loadModel(const SafetensorsFile &model, Store &store,
                                    bool allowExtra,
                                    std::span<const std::string> tables) {
  const std::string &path = model.path();
  const auto &found = model.tensors();

  std::map<std::string_view, bool> used;
  for (const std::string &table : tables)
    used[table] = true;
  for (const VariableSpec &spec : store.variables()) {
    if (!spec.slotOf.empty())
      continue;
    used[spec.origin] = true;
    auto it = found.find(spec.origin);
    const bool sliced = spec.origin != spec.name;
    if (!sliced && it != found.end() && it->second != spec.type)
      return absl::InvalidArgumentError(
          absl::StrCat("'", path, "': tensor '", spec.origin, "': expected ",
                       spec.type.str(), ", found ", it->second.str()));
    absl::Status status = model.check(spec.origin, spec.type, spec.rowOffset);
    if (!status.ok())
      return status;
  }
  if (!allowExtra)
    for (const auto &[name, type] : found)
      if (!used.count(name))
        return absl::InvalidArgumentError(absl::StrCat(
            "'", path, "': tensor '", name, "' is no variable of the program"));

  for (size_t i = 0; i < store.variables().size(); ++i) {
    const VariableSpec &spec = store.variables()[i];
    if (!spec.slotOf.empty())
      continue;
    absl::Status status =
        model.read(spec.origin, store.tensor(i), spec.rowOffset);
    if (!status.ok())
      return status;
  }
  return absl::OkStatus();
}
