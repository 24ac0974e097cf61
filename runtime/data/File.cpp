//===- File.cpp - whole files, gzipped or not -----------------------------===//

#include "runtime/data/File.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <zlib.h>

using namespace ps::runtime;

/// Deflate never packs better than 1032 to 1.
static constexpr uint64_t maxGzipRatio = 1032;

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
  gzbuffer(handle, 1 << 18);
  auto file = std::unique_ptr<File>(new File);
  file->name = path;
  file->handle = handle;
  file->isPlain = gzdirect(handle);
  file->bound =
      static_cast<uint64_t>(info.st_size) * (file->isPlain ? 1 : maxGzipRatio);
  return file;
}

File::~File() { gzclose(static_cast<gzFile>(handle)); }

absl::StatusOr<size_t> File::read(void *to, size_t size) {
  size_t total = 0;
  while (total < size) {
    unsigned piece = std::min<size_t>(size - total, 1u << 30);
    int got = gzread(static_cast<gzFile>(handle),
                     static_cast<char *>(to) + total, piece);
    int error = Z_OK;
    const char *why = gzerror(static_cast<gzFile>(handle), &error);
    // A gzip stream that ends early is Z_BUF_ERROR beside a short count.
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
      return absl::DataLossError(
          absl::StrCat("cannot read '", name, "': ",
                       error == Z_BUF_ERROR ? "the gzip stream is cut short"
                       : error == Z_ERRNO   ? std::strerror(errno)
                                            : why));
    if (got == 0)
      break;
    total += got;
  }
  return total;
}

absl::StatusOr<std::string>
ps::runtime::readWholeFile(const std::string &path) {
  absl::StatusOr<std::unique_ptr<File>> file = File::open(path);
  if (!file.ok())
    return file.status();
  std::string text;
  constexpr size_t piece = 1 << 20;
  for (size_t used = 0;;) {
    text.resize(used + piece);
    absl::StatusOr<size_t> got = (*file)->read(text.data() + used, piece);
    if (!got.ok())
      return got.status();
    used += *got;
    if (*got < piece) {
      text.resize(used);
      return text;
    }
  }
}
