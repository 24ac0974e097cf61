// SPDX-License-Identifier: Apache-2.0
//===- ZipArchive.cpp - the files in a zip archive ------------------------===//
//
// An archive ends with a record that says where its directory is; one beyond
// 4 GiB has a second such record with wide numbers before it. The directory has
// an entry for each member, with its name, sizes and place. There a header of
// its own precedes the contents, whose name and extra fields may have other
// lengths than those in the directory. (APPNOTE.TXT of PKWARE, 4.3)
//
//===----------------------------------------------------------------------===//

#include "runtime/data/arrays/ZipArchive.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace ps::runtime;

namespace {
constexpr uint32_t kEnd = 0x06054b50, kWideEnd = 0x06064b50,
                   kWideLocator = 0x07064b50, kEntry = 0x02014b50,
                   kLocal = 0x04034b50;
constexpr uint64_t kEndBytes = 22, kLocatorBytes = 20, kWideEndBytes = 56,
                   kEntryBytes = 46, kLocalBytes = 30;
/// A hundred bytes for each member.
constexpr uint64_t kMostDirectoryBytes = 64 << 20;
/// In the end record, and in entries with wide sizes.
constexpr uint32_t kIsWide = 0xffffffff;
constexpr uint16_t kWideField = 1, kIsEncrypted = 1;
constexpr uint16_t kStored = 0, kDeflated = 8;

/// The number at `offset` of `text`, which is long enough.
template <typename T>
T numberAt(absl::string_view text, size_t offset) {
  T number;
  std::memcpy(&number, text.data() + offset, sizeof(T));
  return number;
}

absl::StatusOr<size_t> readSome(int file, void *to, size_t bytes,
                                uint64_t offset) {
  for (;;) {
    const ssize_t got = ::pread(file, to, bytes, static_cast<off_t>(offset));
    if (got >= 0)
      return static_cast<size_t>(got);
    if (errno != EINTR)
      return absl::DataLossError(std::strerror(errno));
  }
}

/// The contents of a member, whose checksum is compared at its end.
class MemberFile final : public File {
public:
  MemberFile(std::string name, int file, uint64_t offset,
             const ZipArchive::Member &member)
      : File(std::move(name), member.bytes, !member.deflated), file(file),
        offset(offset), member(member) {}
  ~MemberFile() override {
    if (inflating)
      inflateEnd(&stream);
  }
  absl::Status begin();
  absl::StatusOr<size_t> read(void *to, size_t size) override;

private:
  absl::StatusOr<size_t> readStored(void *to, size_t size);
  absl::StatusOr<size_t> readDeflated(void *to, size_t size);

  const int file;
  uint64_t offset;
  const ZipArchive::Member member;
  /// Bytes that were read, as they are stored and unpacked.
  uint64_t taken = 0, made = 0;
  uLong checksum = crc32(0, nullptr, 0);
  bool inflating = false;
  z_stream stream = {};
  std::unique_ptr<Bytef[]> packed;
};
constexpr size_t kPackedBytes = 1 << 18;
} // namespace

absl::Status MemberFile::begin() {
  if (!member.deflated)
    return member.storedBytes == member.bytes
               ? absl::OkStatus()
               : error(absl::StrCat("is stored in ", member.storedBytes,
                                    " bytes, but has ", member.bytes));
  if (member.bytes / maxDeflateRatio > member.storedBytes)
    return error(absl::StrCat("cannot be ", member.bytes, " bytes, packed in ",
                              member.storedBytes));
  // Negative: without the header of zlib.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return absl::ResourceExhaustedError("out of memory");
  inflating = true;
  packed = std::make_unique_for_overwrite<Bytef[]>(kPackedBytes);
  return absl::OkStatus();
}

absl::StatusOr<size_t> MemberFile::readStored(void *to, size_t size) {
  const size_t wanted = std::min<uint64_t>(size, member.storedBytes - taken);
  if (wanted == 0)
    return 0;
  ASSIGN_OR_RETURN(
      const size_t got,
      annotate(readSome(file, to, wanted, offset + taken), "'", path(), "'"));
  if (got == 0)
    return error("the archive has become shorter");
  taken += got;
  return got;
}

absl::StatusOr<size_t> MemberFile::readDeflated(void *to, size_t size) {
  stream.next_out = static_cast<Bytef *>(to);
  stream.avail_out = static_cast<uInt>(std::min<size_t>(size, 1u << 30));
  const size_t room = stream.avail_out;
  while (stream.avail_out == room) {
    if (stream.avail_in == 0 && taken < member.storedBytes) {
      const size_t wanted =
          std::min<uint64_t>(kPackedBytes, member.storedBytes - taken);
      ASSIGN_OR_RETURN(
          const size_t got,
          annotate(readSome(file, packed.get(), wanted, offset + taken),
                   path()));
      stream.next_in = packed.get();
      stream.avail_in = static_cast<uInt>(got);
      taken += got;
    }
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
      break;
    if (result != Z_OK)
      return error(result == Z_BUF_ERROR ? "its packed bytes are cut short"
                   : stream.msg          ? stream.msg
                                         : "cannot be unpacked");
  }
  return room - stream.avail_out;
}

absl::StatusOr<size_t> MemberFile::read(void *to, size_t size) {
  size_t total = 0;
  while (total < size) {
    auto *next = static_cast<std::byte *>(to) + total;
    ASSIGN_OR_RETURN(const size_t got, member.deflated
                                           ? readDeflated(next, size - total)
                                           : readStored(next, size - total));
    if (got == 0)
      break;
    for (size_t i = 0; i < got; i += 1u << 30)
      checksum = crc32(checksum, reinterpret_cast<const Bytef *>(next) + i,
                       static_cast<uInt>(std::min<size_t>(got - i, 1u << 30)));
    total += got;
    made += got;
  }
  if (total == size)
    return total;
  if (made != member.bytes)
    return error(
        absl::StrCat("expected ", member.bytes, " bytes, found ", made));
  if (checksum != member.checksum)
    return error("is damaged: its checksum differs");
  return total;
}

//===----------------------------------------------------------------------===//
// The directory
//===----------------------------------------------------------------------===//

absl::Status ZipArchive::error(absl::string_view why) const {
  return absl::DataLossError(absl::StrCat("'", path, "': ", why));
}

absl::StatusOr<std::string> ZipArchive::readAt(uint64_t offset, uint64_t bytes,
                                               absl::string_view what) const {
  if (bytes > size || offset > size - bytes)
    return error(absl::StrCat("expected ", what, " of ", bytes,
                              " bytes at byte ", offset, ", found ", size,
                              " bytes in the file"));
  std::string text(bytes, '\0');
  for (size_t used = 0; used != bytes;) {
    ASSIGN_OR_RETURN(const size_t got,
                     annotate(readSome(file.get(), text.data() + used,
                                       bytes - used, offset + used),
                              "'", path, "'"));
    if (got == 0)
      return error("has become shorter");
    used += got;
  }
  return text;
}

absl::StatusOr<ZipArchive::Directory>
ZipArchive::findWideDirectory(uint64_t end) const {
  if (end < kLocatorBytes)
    return error("expected the place of its wide end record");
  ASSIGN_OR_RETURN(const std::string locator,
                   readAt(end - kLocatorBytes, kLocatorBytes, "a locator"));
  if (numberAt<uint32_t>(locator, 0) != kWideLocator)
    return error("expected the place of its wide end record");
  ASSIGN_OR_RETURN(const std::string wide,
                   readAt(numberAt<uint64_t>(locator, 8), kWideEndBytes,
                          "a wide end record"));
  if (numberAt<uint32_t>(wide, 0) != kWideEnd)
    return error("expected a wide end record");
  return Directory{numberAt<uint64_t>(wide, 32), numberAt<uint64_t>(wide, 40),
                   numberAt<uint64_t>(wide, 48)};
}

absl::StatusOr<ZipArchive::Directory> ZipArchive::findDirectory() const {
  // A comment of up to 64 KiB may follow.
  const uint64_t bytes = std::min<uint64_t>(size, kEndBytes + 0xffff);
  ASSIGN_OR_RETURN(const std::string last,
                   readAt(size - bytes, bytes, "an end record"));
  for (size_t i = bytes < kEndBytes ? 0 : bytes - kEndBytes + 1; i-- != 0;) {
    if (numberAt<uint32_t>(last, i) != kEnd ||
        numberAt<uint16_t>(last, i + 20) != bytes - i - kEndBytes)
      continue;
    const Directory found{numberAt<uint16_t>(last, i + 10),
                          numberAt<uint32_t>(last, i + 12),
                          numberAt<uint32_t>(last, i + 16)};
    const bool isWide = found.entries == 0xffff || found.bytes == kIsWide ||
                        found.offset == kIsWide;
    return isWide ? findWideDirectory(size - bytes + i) : found;
  }
  return error("expected a zip archive, as numpy.savez() writes it");
}

/// Replaces what does not fit into 32 bits by what the wide field says.
static bool applyWideField(absl::string_view extra,
                           ZipArchive::Member &member) {
  uint64_t *const numbers[] = {&member.bytes, &member.storedBytes,
                               &member.offset};
  while (extra.size() >= 4) {
    const auto kind = numberAt<uint16_t>(extra, 0);
    const size_t bytes = numberAt<uint16_t>(extra, 2);
    extra.remove_prefix(4);
    if (bytes > extra.size())
      return false;
    absl::string_view field = extra.substr(0, bytes);
    extra.remove_prefix(bytes);
    for (uint64_t *number : numbers) {
      if (kind != kWideField || *number != kIsWide)
        continue;
      if (field.size() < sizeof(uint64_t))
        return false;
      *number = numberAt<uint64_t>(field, 0);
      field.remove_prefix(sizeof(uint64_t));
    }
  }
  return true;
}

/// Takes an entry from `rest` of the directory.
absl::StatusOr<ZipArchive::Member>
ZipArchive::parseMember(absl::string_view &rest) const {
  if (rest.size() < kEntryBytes || numberAt<uint32_t>(rest, 0) != kEntry)
    return error("expected an entry of its directory");
  const size_t name = numberAt<uint16_t>(rest, 28),
               extra = numberAt<uint16_t>(rest, 30),
               comment = numberAt<uint16_t>(rest, 32);
  if (rest.size() < kEntryBytes + name + extra + comment)
    return error("an entry of its directory is cut short");
  const auto flags = numberAt<uint16_t>(rest, 8),
             method = numberAt<uint16_t>(rest, 10);
  Member member{.name = std::string(rest.substr(kEntryBytes, name)),
                .deflated = method == kDeflated,
                .checksum = numberAt<uint32_t>(rest, 16),
                .storedBytes = numberAt<uint32_t>(rest, 20),
                .bytes = numberAt<uint32_t>(rest, 24),
                .offset = numberAt<uint32_t>(rest, 42)};
  if (printable(member.name) != member.name)
    return error(absl::StrCat("expected the name of a member, found '",
                              printable(member.name), "'"));
  if (flags & kIsEncrypted)
    return error(absl::StrCat("member '", member.name, "' is encrypted"));
  if (method != kStored && method != kDeflated)
    return error(absl::StrCat("member '", member.name,
                              "': expected it stored (0) or deflated (8), "
                              "found method ",
                              method));
  if (!applyWideField(rest.substr(kEntryBytes + name, extra), member))
    return error(absl::StrCat("member '", member.name,
                              "': its extra fields are cut short"));
  rest.remove_prefix(kEntryBytes + name + extra + comment);
  return member;
}

absl::StatusOr<std::unique_ptr<ZipArchive>>
ZipArchive::open(const std::string &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info = {};
  if (!file || ::fstat(file.get(), &info) != 0)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': ", std::strerror(errno)));
  if (!S_ISREG(info.st_mode))
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': not a regular file"));
  std::unique_ptr<ZipArchive> archive(new ZipArchive(
      path, std::move(file), static_cast<uint64_t>(info.st_size)));
  ASSIGN_OR_RETURN(const Directory found, archive->findDirectory());
  if (found.bytes > kMostDirectoryBytes)
    return archive->error(absl::StrCat("expected a directory of at most ",
                                       kMostDirectoryBytes, " bytes, found ",
                                       found.bytes));
  ASSIGN_OR_RETURN(const std::string text,
                   archive->readAt(found.offset, found.bytes, "a directory"));
  absl::string_view rest = text;
  for (uint64_t i = 0; i != found.entries; ++i) {
    ASSIGN_OR_RETURN(Member member, archive->parseMember(rest));
    archive->directory.push_back(std::move(member));
  }
  return archive;
}

absl::StatusOr<std::unique_ptr<File>>
ZipArchive::read(const Member &member) const {
  ASSIGN_OR_RETURN(const std::string local, readAt(member.offset, kLocalBytes,
                                                   "the header of a member"));
  if (numberAt<uint32_t>(local, 0) != kLocal)
    return error(absl::StrCat("expected the header of member '", member.name,
                              "' at byte ", member.offset));
  const uint64_t begin = member.offset + kLocalBytes +
                         numberAt<uint16_t>(local, 26) +
                         numberAt<uint16_t>(local, 28);
  if (begin > size || member.storedBytes > size - begin)
    return error(absl::StrCat("member '", member.name, "' is cut short"));
  auto contents = std::make_unique<MemberFile>(
      absl::StrCat(path, ":", member.name), file.get(), begin, member);
  RETURN_IF_ERROR(contents->begin());
  return contents;
}
