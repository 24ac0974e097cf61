// SPDX-License-Identifier: Apache-2.0
//===- File.cpp - whole files, gzipped or not -----------------------------===//
//
// A size is never trusted before the bytes have arrived: a gzipped file can
// claim more than the machine's memory. Bytes behind a gzip stream that are no
// gzip are an error, where gzread() would leave them out.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/File.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>

using namespace ps::runtime;

namespace {
/// As it lies on disk.
class PlainFile final : public File {
public:
  PlainFile(const std::string &path, Descriptor file, uint64_t bytesOnDisk)
      : File(path, bytesOnDisk, /*isPlain=*/true), file(std::move(file)) {}
  absl::StatusOr<size_t> read(void *to, size_t size) override;

private:
  const Descriptor file;
};

/// One gzip stream, or several, one behind the other.
class GzipFile final : public File {
public:
  GzipFile(const std::string &path, Descriptor file, uint64_t bytesOnDisk)
      : File(path, bytesOnDisk * maxDeflateRatio, /*isPlain=*/false),
        file(std::move(file)), packed(1 << 18) {}
  ~GzipFile() override { inflateEnd(&stream); }
  absl::Status begin();
  absl::StatusOr<size_t> read(void *to, size_t size) override;

private:
  absl::StatusOr<bool> fill();
  absl::Status beginNext();

  const Descriptor file;
  std::vector<unsigned char> packed;
  z_stream stream = {};
  bool isWithin = true;
};
} // namespace

/// A read of a file that is not interrupted.
static absl::StatusOr<size_t> readSome(const File &file, int descriptor,
                                       void *to, size_t size) {
  for (;;) {
    const ssize_t got =
        ::read(descriptor, to, std::min<size_t>(size, size_t{1} << 30));
    if (got >= 0)
      return static_cast<size_t>(got);
    if (errno != EINTR)
      return absl::DataLossError(absl::StrCat("cannot read '", file.path(),
                                              "': ", std::strerror(errno)));
  }
}

absl::StatusOr<size_t> PlainFile::read(void *to, size_t size) {
  size_t total = 0;
  while (total < size) {
    ASSIGN_OR_RETURN(const size_t got,
                     readSome(*this, file.get(),
                              static_cast<char *>(to) + total, size - total));
    if (got == 0)
      break;
    total += got;
  }
  return total;
}

absl::Status GzipFile::begin() {
  constexpr int gzipOnly = 15 + 16; // the largest window, and no zlib header
  return inflateInit2(&stream, gzipOnly) == Z_OK
             ? absl::OkStatus()
             : absl::ResourceExhaustedError("out of memory");
}

/// Whether there is more to unpack.
absl::StatusOr<bool> GzipFile::fill() {
  if (stream.avail_in != 0)
    return true;
  ASSIGN_OR_RETURN(const size_t got,
                   readSome(*this, file.get(), packed.data(), packed.size()));
  stream.next_in = packed.data();
  stream.avail_in = static_cast<unsigned>(got);
  return got != 0;
}

/// Behind the end of a stream there is another one, or zeros that fill a block.
absl::Status GzipFile::beginNext() {
  bool isPadded = false;
  for (;;) {
    ASSIGN_OR_RETURN(const bool isMore, fill());
    if (!isMore)
      return absl::OkStatus();
    if (*stream.next_in != 0)
      break;
    isPadded = true;
    ++stream.next_in;
    --stream.avail_in;
  }
  constexpr unsigned char firstOfGzip = 0x1f;
  if (isPadded || *stream.next_in != firstOfGzip)
    return error("the bytes behind the end of its gzip stream are not gzip");
  isWithin = true;
  return inflateReset(&stream) == Z_OK
             ? absl::OkStatus()
             : absl::InternalError("cannot begin another gzip stream");
}

absl::StatusOr<size_t> GzipFile::read(void *to, size_t size) {
  size_t total = 0;
  while (total < size) {
    if (!isWithin) {
      RETURN_IF_ERROR(beginNext());
      if (!isWithin)
        break;
    }
    ASSIGN_OR_RETURN(const bool isMore, fill());
    if (!isMore)
      return absl::DataLossError(absl::StrCat(
          "cannot read '", path(), "': the gzip stream is cut short"));
    const size_t piece = std::min<size_t>(size - total, size_t{1} << 30);
    stream.next_out = static_cast<unsigned char *>(to) + total;
    stream.avail_out = static_cast<unsigned>(piece);
    const int code = inflate(&stream, Z_NO_FLUSH);
    total += piece - stream.avail_out;
    isWithin = code != Z_STREAM_END;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return absl::DataLossError(absl::StrCat(
          "cannot read '", path(),
          "': ", stream.msg ? stream.msg : "the gzip stream is damaged"));
  }
  return total;
}

absl::StatusOr<std::unique_ptr<File>> File::open(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': ", std::strerror(errno)));
  if (!S_ISREG(info.st_mode))
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': not a regular file"));
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': ", std::strerror(errno)));
  unsigned char magic[2];
  const bool isGzip = pread(file.get(), magic, 2, 0) == 2 && magic[0] == 0x1f &&
                      magic[1] == 0x8b;
  if (!isGzip)
    return std::make_unique<PlainFile>(path, std::move(file), info.st_size);
  auto gzip = std::make_unique<GzipFile>(path, std::move(file), info.st_size);
  RETURN_IF_ERROR(gzip->begin());
  return gzip;
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
