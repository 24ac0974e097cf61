// SPDX-License-Identifier: Apache-2.0
//===- File.cpp - whole files, gzipped or not -----------------------------===//
//
// zlib reads plain files as they are, so that one path serves both. A size is
// never trusted before the bytes have arrived: a gzipped file can claim more
// than the machine's memory.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/File.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <zlib.h>

using namespace ps::runtime;

namespace {
class ZlibFile final : public File {
public:
  ZlibFile(const std::string &path, gzFile handle, uint64_t bytesOnDisk)
      : File(path, bytesOnDisk * (gzdirect(handle) ? 1 : maxDeflateRatio),
             gzdirect(handle)),
        handle(handle) {}
  ~ZlibFile() override { gzclose(handle); }
  absl::StatusOr<size_t> read(void *to, size_t size) override;

private:
  const gzFile handle;
};
} // namespace

absl::StatusOr<std::unique_ptr<File>> File::open(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': ", std::strerror(errno)));
  if (!S_ISREG(info.st_mode))
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': not a regular file"));
  gzFile handle = gzopen(path.c_str(), "rb");
  if (!handle)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': ", std::strerror(errno)));
  // The default of 8 KiB makes a system call every few lines.
  gzbuffer(handle, 1 << 18);
  return std::make_unique<ZlibFile>(path, handle, info.st_size);
}

absl::StatusOr<size_t> ZlibFile::read(void *to, size_t size) {
  size_t total = 0;
  while (total < size) {
    // gzread() returns an int, so a piece must stay below 2^31.
    unsigned piece = std::min<size_t>(size - total, 1u << 30);
    int got = gzread(handle, static_cast<char *>(to) + total, piece);
    int error = Z_OK;
    const char *why = gzerror(handle, &error);
    // A gzip stream that ends early is Z_BUF_ERROR beside a short count.
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
      return absl::DataLossError(
          absl::StrCat("cannot read '", path(), "': ",
                       error == Z_BUF_ERROR ? "the gzip stream is cut short"
                       : error == Z_ERRNO   ? std::strerror(errno)
                                            : why));
    if (got == 0)
      break;
    total += got;
  }
  return total;
}

absl::Status File::error(absl::string_view why) const {
  return absl::DataLossError(absl::StrCat("'", name, "': ", why));
}

static std::string describeTruncation(absl::string_view what, size_t expected,
                                      size_t found) {
  return absl::StrCat("truncated: ", what, " takes ", expected,
                      " bytes, found ", found);
}

absl::Status File::readExactly(void *to, size_t size, absl::string_view what) {
  ASSIGN_OR_RETURN(size_t got, read(to, size));
  return got == size ? absl::OkStatus()
                     : error(describeTruncation(what, size, got));
}

absl::Status File::readRest(size_t size, Buffer &bytes) {
  // Doubled from here on: few copies, and no more than twice what is there.
  constexpr size_t firstPiece = 1 << 24;
  for (size_t used = 0; used != size;) {
    size_t piece = size - used;
    if (!plain())
      piece = std::min(piece, std::max(used, firstPiece));
    RETURN_IF_ERROR(bytes.resize(used + piece));
    ASSIGN_OR_RETURN(size_t got, read(bytes.data() + used, piece));
    used += got;
    if (got != piece)
      return error(describeTruncation("its elements", size, used));
  }
  // A file that is too long is as wrong as one that is too short.
  char extra;
  ASSIGN_OR_RETURN(size_t more, read(&extra, 1));
  return more == 0 ? absl::OkStatus() : error("is longer than its header says");
}

absl::StatusOr<std::string>
ps::runtime::readWholeFile(const std::string &path) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, File::open(path));
  std::string text;
  constexpr size_t piece = 1 << 20;
  for (size_t used = 0;;) {
    text.resize(used + piece);
    ASSIGN_OR_RETURN(size_t got, file->read(text.data() + used, piece));
    used += got;
    if (got < piece) {
      text.resize(used);
      return text;
    }
  }
}
