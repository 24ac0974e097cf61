// SPDX-License-Identifier: Apache-2.0
//===- RowLog.h - rows of a table on an SSD -------------------------------===//
//
// Rows of one size, in files that are only appended to: the last record of an
// id is its row. Where it is, an index in memory says, about 20 bytes per id.
// When less than half of the records are in use, the rows of the file with the
// fewest are appended again and the file is removed, but not before a commit
// that does without it (M. Rosenblum and J. Ousterhout, "The Design and
// Implementation of a Log-Structured File System", 1992).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_TABLE_ROWLOG_H
#define PS_RUNTIME_TABLE_ROWLOG_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include "runtime/table/ParallelRows.h"
#include "runtime/table/RowIndex.h"
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// A file of a commit: its number and how many of its records belong to it.
struct LogFile {
  int64_t number = 0, records = 0;
};

/// Not thread-safe, except as each method says. Errors name the file: DATA_LOSS
/// for a record that is damaged, UNAVAILABLE or RESOURCE_EXHAUSTED for what the
/// system refuses. After an error of append() or erase() the log is as before,
/// except for rows of that call.
class RowLog {
public:
  static constexpr uint32_t kNone = RowIndex::kNone;
  /// A process keeps no more rows in a log.
  static constexpr int64_t kMaxRows = int64_t{1} << 30;

  struct Options {
    /// Created if need be; belongs to the log alone, which locks it.
    std::string directory;
    /// The size of a row; at least 1.
    size_t rowBytes = 0;
    /// How many rows are expected; decides on the size of files.
    int64_t maxRows = 0;
  };

  /// A log without rows. FAILED_PRECONDITION when the directory has rows that
  /// another log has committed, or is another process'.
  static absl::StatusOr<std::unique_ptr<RowLog>> create(Options options);
  /// The rows of a commit; what was appended since is removed. NOT_FOUND or
  /// DATA_LOSS when a file is missing, shorter or damaged.
  static absl::StatusOr<std::unique_ptr<RowLog>>
  resume(Options options, std::span<const LogFile> files);
  /// Removes the files, except those of a commit that forgetOlder() was called
  /// for.
  ~RowLog();

  /// Ids that have a row.
  int64_t size() const;
  /// Writes where the row of each id is, or kNone. Thread-safe while nothing
  /// is appended or erased.
  void findAll(std::span<const int64_t> ids, uint32_t *places) const;
  /// Reads the rows of `ids`, which are at `places`, to `rows`, one after the
  /// other. Fast where places ascend.
  absl::Status read(std::span<const int64_t> ids,
                    std::span<const uint32_t> places, std::byte *rows,
                    ParallelRows parallel = serialRows) const;

  /// Gives each of `ids`, in which no id may repeat, the row that `rows` points
  /// to.
  absl::Status append(std::span<const int64_t> ids,
                      std::span<const std::byte *const> rows);
  /// Removes the rows of `ids`; ids without one are skipped.
  absl::Status erase(std::span<const int64_t> ids);

  /// How many parts forEachId() visits the ids in.
  static constexpr size_t kNumParts = 64;
  /// Calls `visit` with the ids of a part, in any order.
  void forEachId(size_t part, absl::FunctionRef<void(int64_t id)> visit) const;

  /// Makes all rows durable, and returns what resume() needs.
  absl::StatusOr<std::vector<LogFile>> commit();
  /// Call when what commit() returned has been recorded: files that only an
  /// earlier commit needs are removed.
  void forgetOlder();
  /// Call when no commit will be resumed any more: the destructor removes all
  /// files.
  void discard() { committed.clear(); }

  /// Bytes of memory that the index takes, and of the files.
  size_t indexBytes() const;
  uint64_t fileBytes() const;

private:
  struct File {
    int64_t number = -1; ///< -1 for a place that is free
    int64_t records = 0, live = 0;
    Descriptor descriptor;
  };
  explicit RowLog(Options options);

  std::string pathOf(int64_t number) const;
  std::string markPath() const;
  absl::Status openDirectory();
  absl::Status openFile();
  absl::Status loadFile(const LogFile &file);
  absl::Status write(std::span<const std::byte> records);
  absl::Status point(int64_t id, uint32_t place);
  void release(uint32_t place);
  absl::Status addRecords(std::vector<std::byte> &records);
  absl::Status collect();
  absl::Status collectFile(size_t index);
  absl::Status forEachRecord(
      const File &file, int64_t count,
      absl::FunctionRef<absl::Status(int64_t record, const std::byte *data)>
          visit) const;
  absl::Status readPiece(std::span<const int64_t> ids,
                         std::span<const uint32_t> places,
                         std::byte *rows) const;
  void removeFiles(absl::FunctionRef<bool(int64_t number)> removes) const;
  absl::Status damaged(const File &file, int64_t record) const;

  Options options;
  size_t recordBytes = 0;
  uint32_t recordsPerFile = 0;
  Descriptor directory;
  IdHash hash;
  PagePool indexMemory;
  std::array<RowIndex, kNumParts> parts;
  /// Ids in the index without a row.
  int64_t numErased = 0;
  std::vector<File> files;
  int64_t numRecords = 0;
  /// The index in `files` of the one that records are appended to.
  size_t active = SIZE_MAX;
  int64_t nextNumber = 0;
  /// The files of the last commit that was recorded, and of the last one.
  std::vector<int64_t> committed, announced;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_ROWLOG_H
