// SPDX-License-Identifier: Apache-2.0
//===- RowLog.h - rows of a table on an SSD -------------------------------===//
//
// Rows of one size, in files that are appended to: the last record of an id is
// its row. Where it is, an index in memory says, about 20 bytes per id.
// When less than half of the records are in use, the rows of the file with the
// fewest are appended again and the file is given up: removed, or written over
// as another file, but not before a commit that does without it (M. Rosenblum
// and J. Ousterhout, "The Design and Implementation of a Log-Structured File
// System", 1992).
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_ROWLOG_ROWLOG_H
#define PS_RUNTIME_ROWLOG_ROWLOG_H

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Mutex.h"
#include "runtime/rowlog/MappedFile.h"
#include "runtime/rows/ParallelRows.h"
#include "runtime/rows/RowIndex.h"
#include <array>
#include <atomic>
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

/// Where a row is, and which of the rows that its id has had.
struct RowVersion {
  uint32_t place = RowIndex::kNone;
  /// The number of the file; none is given twice.
  int64_t file = 0;

  bool operator==(const RowVersion &) const = default;
};

/// Not thread-safe, except as each method says. Errors name the file: DATA_LOSS
/// for a record that is damaged, UNAVAILABLE or RESOURCE_EXHAUSTED for what the
/// system refuses. After an error of append(), erase() or collect() the log is
/// as before, except for rows of that call.
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
    /// For create(): rows that another log has committed stay in the directory
    /// until forgetOlder().
    bool keepsCommitted = false;
  };

  /// A log without rows. FAILED_PRECONDITION when the directory is another
  /// process', or, without `keepsCommitted`, has rows that another log has
  /// committed.
  static absl::StatusOr<std::unique_ptr<RowLog>> create(Options options);
  /// The rows of a commit; what was appended since is removed. NOT_FOUND or
  /// DATA_LOSS when a file is missing, shorter or damaged.
  static absl::StatusOr<std::unique_ptr<RowLog>>
  resume(Options options, std::span<const LogFile> files);
  /// Removes the files, except those of a commit that forgetOlder() was called
  /// for.
  ~RowLog();

  size_t rowBytes() const { return options.rowBytes; }
  /// Ids that have a row. Thread-safe.
  int64_t size() const;
  struct OpenFile;
  /// The files that places are in, which can be read as long as this is kept;
  /// null where there is none.
  using OpenFiles = std::vector<std::shared_ptr<OpenFile>>;
  /// Thread-safe.
  OpenFiles openFiles() const;
  /// Writes where the row of each id is, or kNone. A place is valid until its
  /// id is appended or erased, or collect() is called. Thread-safe.
  void findAll(std::span<const int64_t> ids, uint32_t *places) const;
  /// Reads the rows of `ids`, which are at `places`, to `rows`, one after the
  /// other. Fast where places ascend.
  absl::Status read(std::span<const int64_t> ids,
                    std::span<const uint32_t> places, std::byte *rows,
                    ParallelRows parallel = serialRows) const {
    return read(openFiles(), ids, places, rows, parallel);
  }
  /// As above, from the files that were open when places were found: another
  /// thread may meanwhile append(), erase() and collect().
  absl::Status read(const OpenFiles &opened, std::span<const int64_t> ids,
                    std::span<const uint32_t> places, std::byte *rows,
                    ParallelRows parallel = serialRows) const;

  /// As findAll(). Without a place for rows that setTaken() was called for, if
  /// `skipsTaken`. Thread-safe.
  void findVersions(std::span<const int64_t> ids, RowVersion *versions,
                    bool skipsTaken) const;
  /// Copies the rows of `ids` to `rows` if all can be read and none has moved
  /// away from `versions`, where it was. Thread-safe.
  bool copy(std::span<const int64_t> ids, std::span<const RowVersion> versions,
            std::byte *rows) const;

  /// Has the system read rows of `ids` that it does not have in memory, without
  /// waiting for them, except those that setTaken() was called for. Returns how
  /// many. A hint: nothing depends on it. Thread-safe.
  int64_t readAhead(std::span<const int64_t> ids);
  /// Whether rows were lately waited for that the system did not have in
  /// memory. Thread-safe.
  bool isCold() const { return cold.load(std::memory_order_relaxed); }
  /// Records that the caller keeps the rows at `places` and needs no others of
  /// them, or `taken` = false that it does not any more.
  void setTaken(std::span<const uint32_t> places, bool taken);

  /// Gives each of `ids`, in which no id may repeat, the row that `rows` points
  /// to.
  absl::Status append(std::span<const int64_t> ids,
                      std::span<const std::byte *const> rows);
  /// Removes the rows of `ids`; ids without one are skipped.
  absl::Status erase(std::span<const int64_t> ids);
  /// Call after some of append() and erase(). Keeps at least half of the
  /// records in use, except in two files, by appending rows again.
  absl::Status collect();

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

  /// Bytes of memory that the index takes. Thread-safe.
  size_t indexBytes() const;
  /// Bytes of all records.
  uint64_t fileBytes() const;

private:
  /// The processor fetches the rest of a long row by itself.
  static constexpr size_t kBytesFetched = 512;
  struct File {
    std::shared_ptr<OpenFile> opened; ///< null for a place that is free
    int64_t records = 0, live = 0;
    /// One for each record, see setTaken().
    std::vector<bool> taken;
  };
  /// The number in the index of an id whose row was erased.
  static constexpr uint32_t kGone = kNone - 1;

  explicit RowLog(Options options);

  /// The error of a system call that has set `errno`.
  static absl::Status failure(const char *what, const std::string &path);
  std::string pathOf(int64_t number) const;
  std::string markPath() const;
  absl::Status openDirectory();
  absl::StatusOr<std::shared_ptr<OpenFile>> open(int64_t number,
                                                 int flags) const;
  absl::Status openFile();
  bool keepSpare(std::shared_ptr<OpenFile> &file);
  std::shared_ptr<OpenFile> takeSpare();
  absl::Status loadFile(const LogFile &file);
  absl::Status write(std::span<const std::byte> records);
  /// The records of `piece` are at places from `first` on.
  absl::Status pointTo(std::span<const std::byte> piece, uint32_t first)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status point(int64_t id, uint32_t place)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  void find(std::span<const int64_t> ids, uint32_t *places) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  bool isTaken(uint32_t place) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status addRecords(std::vector<std::byte> &records);
  size_t cheapestFile(bool hasGained) const;
  absl::Status collectFile(size_t index);
  absl::Status forEachPiece(
      const OpenFile &file, int64_t count,
      absl::FunctionRef<absl::Status(int64_t first,
                                     std::span<const std::byte> records)>
          visit);
  void removeFiles(absl::FunctionRef<bool(int64_t number)> removes) const;
  absl::Status damaged(int64_t number, int64_t record) const;
  absl::Status refused(const std::byte *data, int64_t number,
                       int64_t record) const;

  absl::Status readPiece(const OpenFiles &opened, std::span<const int64_t> ids,
                         std::span<const uint32_t> places,
                         std::byte *rows) const;
  bool copyRows(const OpenFiles &opened, std::span<const int64_t> ids,
                std::span<const uint32_t> places, std::byte *rows) const;
  absl::Status readOne(const OpenFile &file, int64_t record, int64_t id,
                       std::byte *row) const;
  bool areCached(const OpenFiles &opened,
                 std::span<const uint32_t> places) const;
  void announce(const OpenFiles &opened,
                std::span<const uint32_t> places) const;

  Options options;
  size_t recordBytes = 0;
  uint32_t recordsPerFile = 0;
  Descriptor directory;
  IdHash hash;
  PagePool indexMemory;

  /// What readAhead() uses beside the other methods.
  mutable Mutex mutex;
  std::array<RowIndex, kNumParts> parts ABSL_GUARDED_BY(mutex);
  /// Ids in the index without a row.
  int64_t numErased ABSL_GUARDED_BY(mutex) = 0;
  std::vector<File> files ABSL_GUARDED_BY(mutex);
  /// See isCold().
  mutable std::atomic<bool> cold = false;

  /// Records that append() and collect() are about to write, and a piece of a
  /// file; kept, because new memory costs more than the copies.
  std::vector<std::byte> appended, collected, piece;
  int64_t numRecords = 0;
  /// The file that records are appended to, its index in `files`, and how many
  /// it has.
  std::shared_ptr<OpenFile> active;
  size_t activeIndex = SIZE_MAX;
  int64_t activeRecords = 0;
  int64_t nextNumber = 0;
  /// Files that were given up, and that no reader has.
  std::vector<std::shared_ptr<OpenFile>> spares;
  /// The files of the last commit that was recorded, and of the last one.
  std::vector<int64_t> committed, announced;
};

/// Readers keep a file open that was given up meanwhile.
struct RowLog::OpenFile {
  int64_t number = 0;
  Descriptor descriptor;
  MappedFile mapped;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_ROWLOG_ROWLOG_H
