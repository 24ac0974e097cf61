// SPDX-License-Identifier: Apache-2.0
//===- ZipArchive.h - the files in a zip archive --------------------------===//

#ifndef PS_RUNTIME_DATA_ARRAYS_ZIPARCHIVE_H
#define PS_RUNTIME_DATA_ARRAYS_ZIPARCHIVE_H

#include "runtime/base/Descriptor.h"
#include "runtime/data/File.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// A zip archive on disk, with sizes of 64 bits where they need it. Members are
/// stored or deflated. Nothing of it is trusted. Thread-compatible.
class ZipArchive {
public:
  struct Member {
    std::string name;
    bool deflated = false;
    uint32_t checksum = 0;
    uint64_t storedBytes = 0, bytes = 0;
    /// Where its own header is.
    uint64_t offset = 0;
  };

  /// NOT_FOUND when there is no such file; DATA_LOSS when it is no archive, or
  /// one that cannot be read.
  static absl::StatusOr<std::unique_ptr<ZipArchive>>
  open(const std::string &path);

  /// In the order of the archive's directory.
  std::span<const Member> members() const { return directory; }
  /// The member's contents, which errors call "ARCHIVE:NAME". The archive
  /// outlives the file.
  absl::StatusOr<std::unique_ptr<File>> read(const Member &member) const;

private:
  struct Directory {
    uint64_t entries = 0, bytes = 0, offset = 0;
  };
  ZipArchive(std::string path, Descriptor file, uint64_t size)
      : path(std::move(path)), file(std::move(file)), size(size) {}
  absl::Status error(absl::string_view why) const;
  absl::StatusOr<std::string> readAt(uint64_t offset, uint64_t bytes,
                                     absl::string_view what) const;
  absl::StatusOr<Directory> findDirectory() const;
  absl::StatusOr<Directory> findWideDirectory(uint64_t end) const;
  absl::StatusOr<Member> parseMember(absl::string_view &rest) const;

  const std::string path;
  const Descriptor file;
  const uint64_t size;
  std::vector<Member> directory;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_ARRAYS_ZIPARCHIVE_H
