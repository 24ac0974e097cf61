// SPDX-License-Identifier: Apache-2.0
//===- Safetensors.cpp - reads the safetensors format ---------------------===//
//
// A file is 8 bytes with the length of the header, the header (JSON, see
// SafetensorsHeader.cpp) and the elements of all tensors. Only the header is
// kept; tensors are read when they are asked for, with pread(), so that several
// threads can read one file.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/Safetensors.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/SafetensorsHeader.h"
#include "runtime/checkpoint/StagedFile.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace ps::runtime;

static_assert(std::endian::native == std::endian::little,
              "tensors are read as they lie in memory");

/// Reads exactly `bytes` at `offset`.
static absl::Status readFully(int descriptor, void *target, uint64_t bytes,
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

absl::StatusOr<std::unique_ptr<SafetensorsFile>>
SafetensorsFile::open(const std::string &path) {
  std::unique_ptr<SafetensorsFile> file(new SafetensorsFile);
  file->filePath = path;
  // Without waiting for the other end, should it be a pipe.
  file->descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file->descriptor < 0)
    return fileError(errno, path, "cannot open");
  RETURN_IF_ERROR(file->parse());
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
  RETURN_IF_ERROR(
      readFully(descriptor, &headerBytes, kLengthBytes, 0, filePath));
  if (headerBytes > kMaxHeaderBytes || headerBytes > size - kLengthBytes)
    return invalid(absl::StrCat("header of ", headerBytes,
                                " bytes does not fit in a file of ", size,
                                " (not a safetensors file, or cut short)"));
  std::string header(headerBytes, '\0');
  RETURN_IF_ERROR(readFully(descriptor, header.data(), headerBytes,
                            kLengthBytes, filePath));
  dataBegin = kLengthBytes + headerBytes;
  dataBytes = size - dataBegin;
  absl::Status status = parseHeader(header);
  return status.ok() ? status : invalid(std::string(status.message()));
}

absl::Status SafetensorsFile::parseHeader(const std::string &header) {
  SafetensorsHeader parsed;
  RETURN_IF_ERROR(parseSafetensorsHeader(header, dataBytes, parsed));
  types = std::move(parsed.types);
  offsets = std::move(parsed.offsets);
  strings = std::move(parsed.metadata);
  return absl::OkStatus();
}

absl::Status SafetensorsFile::read(std::string_view name,
                                   const TensorRef &target,
                                   int64_t rowOffset) const {
  const TensorType &expected = target.type;
  RETURN_IF_ERROR(check(name, expected, rowOffset));
  const TensorType &found = types.find(name)->second;
  const uint64_t skip = found.rowBytes() * static_cast<uint64_t>(rowOffset);
  const uint64_t bytes = expected.bytes();
  RETURN_IF_ERROR(readFully(descriptor, target.data, bytes,
                            dataBegin + offsets.find(name)->second + skip,
                            filePath));
  // Any nonzero byte is true in the format; kernels expect 0 or 1.
  if (expected.dtype == DType::I1)
    for (uint64_t i = 0; i < bytes; ++i)
      target.data[i] = std::byte(target.data[i] != std::byte{0});
  return absl::OkStatus();
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
  bool isCompatible = found.dtype == expected.dtype &&
                      found.shape.size() == expected.shape.size() &&
                      rowOffset >= 0;
  for (size_t i = 1; isCompatible && i < found.shape.size(); ++i)
    isCompatible = found.shape[i] == expected.shape[i];
  if (!isCompatible || rowOffset > found.rows() ||
      expected.rows() > found.rows() - rowOffset)
    return absl::InvalidArgumentError(absl::StrCat(
        "'", filePath, "': tensor '", std::string(name), "': expected ",
        rowOffset == 0 ? "" : absl::StrCat("rows from ", rowOffset, " for "),
        expected.str(), ", found ", found.str()));
  return absl::OkStatus();
}
