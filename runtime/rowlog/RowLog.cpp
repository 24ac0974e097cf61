// SPDX-License-Identifier: Apache-2.0
//===- RowLog.cpp - rows of a table on an SSD -----------------------------===//
//
// A file has up to recordsPerFile records, each a header and a row; a place is
// the file's index times that, plus the record's position. Erased ids get a
// record without a row's meaning, for resume(), which reads all records in the
// order of the files' numbers and keeps the last of each id. A file that was
// given up gets another number and is written over: what is left in it of
// earlier records is behind those that a commit counts.
//
//===----------------------------------------------------------------------===//

#include "runtime/rowlog/RowLog.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/rowlog/LogRecord.h"
#include "runtime/rows/RowGather.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>

using namespace ps::runtime;

namespace {
/// How large files are: a sixteenth of the table's rows, within these bounds.
constexpr size_t kMinFileBytes = size_t{1} << 20,
                 kMaxFileBytes = size_t{1} << 30;
/// What is written, and read in order, at a time.
constexpr size_t kPieceBytes = size_t{1} << 18;
/// How many files that were given up are kept to be written over.
constexpr size_t kMostSpares = 2;
constexpr char kSuffix[] = ".rows";

/// The number of a file of rows, or -1.
int64_t numberOf(const std::filesystem::path &path) {
  std::string name = path.filename().string();
  absl::string_view digits = name;
  int64_t number;
  if (!absl::ConsumeSuffix(&digits, kSuffix) ||
      !absl::SimpleAtoi(digits, &number))
    return -1;
  return number;
}

std::vector<int64_t> listNumbers(const std::string &directory) {
  std::vector<int64_t> numbers;
  std::error_code ignored;
  for (const auto &entry :
       std::filesystem::directory_iterator(directory, ignored))
    if (const int64_t number = numberOf(entry.path()); number >= 0)
      numbers.push_back(number);
  return numbers;
}
} // namespace

absl::Status RowLog::failure(const char *what, const std::string &path) {
  const std::string message =
      absl::StrCat("cannot ", what, " '", path, "': ", std::strerror(errno));
  if (errno == ENOSPC || errno == EDQUOT || errno == EMFILE || errno == ENFILE)
    return absl::ResourceExhaustedError(message);
  if (errno == ENOENT)
    return absl::NotFoundError(message);
  return absl::UnavailableError(message);
}

RowLog::RowLog(Options given) : options(std::move(given)) {
  recordBytes = sizeof(RecordHeader) + options.rowBytes;
  const size_t wanted = size_t(options.maxRows / 16 + 1);
  recordsPerFile = static_cast<uint32_t>(
      std::clamp(wanted, std::max<size_t>(kMinFileBytes / recordBytes, 1),
                 std::max<size_t>(kMaxFileBytes / recordBytes, 1)));
}

RowLog::~RowLog() {
  if (!directory)
    return;
  removeFiles([&](int64_t number) {
    return std::ranges::count(committed, number) == 0;
  });
  if (!committed.empty())
    return;
  std::error_code ignored;
  std::filesystem::remove(markPath(), ignored);
  std::filesystem::remove(options.directory, ignored);
}

std::string RowLog::pathOf(int64_t number) const {
  return absl::StrCat(options.directory, "/",
                      absl::Dec(number, absl::kZeroPad8), kSuffix);
}

/// There from the first commit on.
std::string RowLog::markPath() const {
  return options.directory + "/committed";
}

absl::Status RowLog::damaged(int64_t number, int64_t record) const {
  return absl::DataLossError(
      absl::StrCat("'", pathOf(number), "': record ", record,
                   " is damaged: expected what was written"));
}

/// Why a record is refused that is not intact.
absl::Status RowLog::refused(const std::byte *data, int64_t number,
                             int64_t record) const {
  if (!RecordHeader::of(data).isOfEarlierVersion())
    return damaged(number, record);
  return absl::DataLossError(
      absl::StrCat("'", pathOf(number),
                   "' was written by an earlier version, whose records have "
                   "another checksum: load a model that a run has saved at "
                   "its end"));
}

void RowLog::removeFiles(
    absl::FunctionRef<bool(int64_t number)> removes) const {
  for (int64_t number : listNumbers(options.directory))
    if (std::error_code ignored; removes(number))
      std::filesystem::remove(pathOf(number), ignored);
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// The lock ends with the process.
absl::Status RowLog::openDirectory() {
  std::error_code error;
  std::filesystem::create_directories(options.directory, error);
  if (error)
    return absl::UnavailableError(absl::StrCat(
        "cannot create '", options.directory, "': ", error.message()));
  Descriptor opened(
      ::open(options.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened)
    return failure("open", options.directory);
  if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0)
    return absl::FailedPreconditionError(
        absl::StrCat("'", options.directory,
                     "' is in use by another process: expected a directory "
                     "for this one alone"));
  directory = std::move(opened);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<RowLog>> RowLog::create(Options options) {
  auto log = std::unique_ptr<RowLog>(new RowLog(std::move(options)));
  RETURN_IF_ERROR(log->openDirectory());
  std::error_code ignored;
  const bool isCommitted = std::filesystem::exists(log->markPath(), ignored);
  if (isCommitted && log->options.keepsCommitted) {
    log->committed = listNumbers(log->options.directory);
    for (int64_t number : log->committed)
      log->nextNumber = std::max(log->nextNumber, number + 1);
    return log;
  }
  if (isCommitted) {
    const std::string &path = log->options.directory;
    log->directory = Descriptor(); // its files stay
    return absl::FailedPreconditionError(absl::StrCat(
        "'", path,
        "' holds rows that an earlier run has saved there: continue with "
        "--load of the model that it saved, or remove the directory"));
  }
  // What a process that was killed before it saved anything left.
  log->removeFiles([](int64_t) { return true; });
  return log;
}

absl::StatusOr<std::unique_ptr<RowLog>>
RowLog::resume(Options options, std::span<const LogFile> files) {
  auto log = std::unique_ptr<RowLog>(new RowLog(std::move(options)));
  RETURN_IF_ERROR(log->openDirectory());
  // Before anything can fail: a log that is not resumed keeps its files.
  for (int64_t number : listNumbers(log->options.directory))
    log->committed.push_back(number);
  for (const LogFile &file : files)
    RETURN_IF_ERROR(log->loadFile(file));
  log->committed.clear();
  for (const LogFile &file : files)
    log->committed.push_back(file.number);
  log->announced = log->committed;
  log->removeFiles([&](int64_t number) {
    return std::ranges::count(log->committed, number) == 0;
  });
  return log;
}

absl::StatusOr<std::shared_ptr<RowLog::OpenFile>>
RowLog::open(int64_t number, int flags) const {
  auto file = std::make_shared<OpenFile>();
  file->number = number;
  file->descriptor = Descriptor(
      ::open(pathOf(number).c_str(), O_RDWR | O_CLOEXEC | flags, 0644));
  if (!file->descriptor)
    return failure(flags ? "create" : "open", pathOf(number));
  file->mapped =
      MappedFile(file->descriptor.get(), recordsPerFile * recordBytes);
  return file;
}

/// A commit's files come in the order of their numbers, which is that of their
/// records.
absl::Status RowLog::loadFile(const LogFile &file) {
  const std::string path = pathOf(file.number);
  if (file.number < nextNumber || file.records < 0 ||
      file.records > recordsPerFile)
    return absl::DataLossError(
        absl::StrCat("'", path, "': expected up to ", recordsPerFile,
                     " records in a file with a number from ", nextNumber,
                     " on, found ", file.records, " in number ", file.number));
  ASSIGN_OR_RETURN(active, open(file.number, /*flags=*/0));
  const off_t size = ::lseek(active->descriptor.get(), 0, SEEK_END);
  if (size < off_t(file.records * recordBytes))
    return absl::DataLossError(absl::StrCat("'", path, "': expected ",
                                            file.records * recordBytes,
                                            " bytes, found ", size));
  nextNumber = file.number + 1;
  numRecords += file.records;
  activeRecords = file.records;
  {
    MutexLock lock(mutex);
    activeIndex = files.size();
    files.push_back({active, file.records, 0, {}});
  }
  const auto begin = static_cast<uint32_t>(activeIndex * recordsPerFile);
  return forEachPiece(
      *active, file.records,
      [&](int64_t first, std::span<const std::byte> records) -> absl::Status {
        for (size_t at = 0; at < records.size(); at += recordBytes)
          if (!isIntact(records.data() + at, options.rowBytes))
            return refused(records.data() + at, file.number,
                           first + int64_t(at / recordBytes));
        MutexLock lock(mutex);
        return pointTo(records, begin + uint32_t(first));
      });
}

absl::Status RowLog::forEachPiece(
    const OpenFile &file, int64_t count,
    absl::FunctionRef<absl::Status(int64_t first,
                                   std::span<const std::byte> records)>
        visit) {
  const int64_t atATime =
      std::max<int64_t>(1, int64_t(kPieceBytes / recordBytes));
  for (int64_t first = 0; first < count; first += atATime) {
    const int64_t records = std::min(atATime, count - first);
    piece.resize(size_t(records) * recordBytes);
    for (size_t done = 0; done < piece.size();) {
      const ssize_t got =
          ::pread(file.descriptor.get(), piece.data() + done,
                  piece.size() - done, off_t(first * recordBytes + done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return failure("read", pathOf(file.number));
      if (got == 0)
        return damaged(file.number, first);
      done += size_t(got);
    }
    RETURN_IF_ERROR(visit(first, piece));
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Keeps a file that was given up, unless there are enough, or a reader has it:
/// writing to its pages costs the system less than freeing them and getting
/// others.
bool RowLog::keepSpare(std::shared_ptr<OpenFile> &file) {
  MutexLock lock(mutex);
  if (file.use_count() != 1 || spares.size() == kMostSpares)
    return false;
  // After what readers did before they gave it back.
  std::atomic_thread_fence(std::memory_order_acquire);
  spares.push_back(std::move(file));
  return true;
}

/// A file to write over, by the next number; null for none.
std::shared_ptr<RowLog::OpenFile> RowLog::takeSpare() {
  if (spares.empty())
    return nullptr;
  std::shared_ptr<OpenFile> spare = std::move(spares.back());
  spares.pop_back();
  const std::string path = pathOf(spare->number);
  if (std::rename(path.c_str(), pathOf(nextNumber).c_str()) != 0) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return nullptr;
  }
  spare->number = nextNumber;
  return spare;
}

/// Ends the active file and begins another.
absl::Status RowLog::openFile() {
  // Rows go to the SSD while others come: a commit has little left to wait for.
  if (active)
    ::sync_file_range(active->descriptor.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
  std::shared_ptr<OpenFile> opened = takeSpare();
  if (!opened) {
    ASSIGN_OR_RETURN(opened, open(nextNumber, O_CREAT | O_EXCL));
  }
  active = std::move(opened);
  ++nextNumber;
  activeRecords = 0;
  MutexLock lock(mutex);
  const auto found = std::ranges::find(files, nullptr, &File::opened);
  activeIndex = size_t(found - files.begin());
  if (found == files.end())
    files.emplace_back();
  files[activeIndex].opened = active;
  return absl::OkStatus();
}

absl::Status RowLog::write(std::span<const std::byte> records) {
  off_t offset = off_t(activeRecords) * off_t(recordBytes);
  while (!records.empty()) {
    const ssize_t done = ::pwrite(active->descriptor.get(), records.data(),
                                  records.size(), offset);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return failure("write", pathOf(active->number));
    offset += done;
    records = records.subspan(size_t(done));
  }
  return absl::OkStatus();
}

/// `place` is where the row of `id` is from now on, or kGone.
absl::Status RowLog::point(int64_t id, uint32_t place) {
  const uint64_t hashed = hash(id);
  RowIndex &part = parts[hashed >> (64 - std::countr_zero(kNumParts))];
  const uint32_t before = part.find(id, hashed);
  if (before == kNone) {
    if (place == kGone)
      return absl::OkStatus();
    RETURN_IF_ERROR(part.reserve(part.size() + 1, hash, indexMemory));
    part.insert(id, hashed, place);
  } else {
    part.change(id, hashed, place);
    numErased += (place == kGone) - (before == kGone);
    if (before != kGone)
      --files[before / recordsPerFile].live;
  }
  if (place != kGone)
    ++files[place / recordsPerFile].live;
  return absl::OkStatus();
}

/// An id may repeat in what is read from a file.
absl::Status RowLog::pointTo(std::span<const std::byte> piece, uint32_t first) {
  const size_t count = piece.size() / recordBytes;
  int64_t ids[RowIndex::kMostIds];
  uint32_t unused[RowIndex::kMostIds];
  for (size_t begin = 0; begin < count; begin += RowIndex::kMostIds) {
    const size_t size = std::min(count - begin, RowIndex::kMostIds);
    auto headerOf = [&](size_t i) {
      return RecordHeader::of(piece.data() + (begin + i) * recordBytes);
    };
    for (size_t i = 0; i < size; ++i)
      ids[i] = headerOf(i).id;
    // The misses of many ids are under way at once; the index is in cache then.
    find({ids, size}, unused);
    for (size_t i = 0; i < size; ++i)
      RETURN_IF_ERROR(
          point(ids[i], headerOf(i).kind == RecordHeader::kErased
                            ? kGone
                            : first + static_cast<uint32_t>(begin + i)));
  }
  return absl::OkStatus();
}

/// Appends `records`, and empties the list.
absl::Status RowLog::addRecords(std::vector<std::byte> &records) {
  std::span<std::byte> left = records;
  while (!left.empty()) {
    if (!active || activeRecords == recordsPerFile)
      RETURN_IF_ERROR(openFile());
    const size_t count = std::min<size_t>(
        left.size() / recordBytes, recordsPerFile - size_t(activeRecords));
    const std::span<std::byte> piece = left.first(count * recordBytes);
    RETURN_IF_ERROR(write(piece));
    const auto first = static_cast<uint32_t>(activeIndex * recordsPerFile +
                                             size_t(activeRecords));
    activeRecords += int64_t(count);
    numRecords += int64_t(count);
    {
      MutexLock lock(mutex);
      files[activeIndex].records = activeRecords;
      RETURN_IF_ERROR(pointTo(piece, first));
    }
    left = left.subspan(piece.size());
  }
  records.clear();
  return absl::OkStatus();
}

/// Adds a record to `records`.
static void addRecord(std::vector<std::byte> &records, int64_t id,
                      RecordHeader::Kind kind, std::span<const std::byte> row) {
  const RecordHeader header{id, checkOf(id, kind, row.data(), row.size()),
                            kind};
  const auto *bytes = reinterpret_cast<const std::byte *>(&header);
  records.insert(records.end(), bytes, bytes + sizeof(header));
  records.insert(records.end(), row.begin(), row.end());
}

absl::Status RowLog::append(std::span<const int64_t> ids,
                            std::span<const std::byte *const> rows) {
  std::vector<std::byte> &records = appended;
  records.clear(); // what a call left that failed
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kRowsAhead < ids.size())
      prefetchRow(rows[i + kRowsAhead],
                  std::min(options.rowBytes, kBytesFetched));
    if (!records.empty() && records.size() + recordBytes > kPieceBytes)
      RETURN_IF_ERROR(addRecords(records));
    addRecord(records, ids[i], RecordHeader::kRow, {rows[i], options.rowBytes});
  }
  return addRecords(records);
}

absl::Status RowLog::erase(std::span<const int64_t> ids) {
  std::vector<std::byte> records;
  const std::vector<std::byte> nothing(options.rowBytes);
  std::vector<uint32_t> places(ids.size());
  findAll(ids, places.data());
  for (size_t i = 0; i < ids.size(); ++i)
    if (places[i] != kNone)
      addRecord(records, ids[i], RecordHeader::kErased, nothing);
  RETURN_IF_ERROR(addRecords(records));
  const int64_t most = size() + int64_t(kNumParts);
  MutexLock lock(mutex);
  if (numErased <= most)
    return absl::OkStatus();
  for (RowIndex &part : parts)
    RETURN_IF_ERROR(
        part.filter([](int64_t, uint32_t &place) { return place != kGone; },
                    hash, indexMemory));
  numErased = 0;
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// Records of erased ids have no use in the oldest file only, so that one is
/// next when nothing was gained. SIZE_MAX for none.
size_t RowLog::cheapestFile(bool hasGained) const {
  MutexLock lock(mutex);
  size_t best = SIZE_MAX;
  int64_t least = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!files[i].opened || i == activeIndex)
      continue;
    const int64_t cost = hasGained ? files[i].live : files[i].opened->number;
    if (best == SIZE_MAX || cost < least) {
      best = i;
      least = cost;
    }
  }
  return best;
}

absl::Status RowLog::collect() {
  bool hasGained = true;
  while (numRecords > 2 * (size() + int64_t{recordsPerFile})) {
    const size_t found = cheapestFile(hasGained);
    if (found == SIZE_MAX)
      break;
    const int64_t before = numRecords;
    RETURN_IF_ERROR(collectFile(found));
    hasGained = numRecords < before;
  }
  return absl::OkStatus();
}

/// Appends the rows of a file that are still in use, and gives the file up. A
/// record that says that its id is gone has a use while an older file may have
/// a row of the id.
absl::Status RowLog::collectFile(size_t index) {
  std::shared_ptr<OpenFile> old;
  int64_t oldRecords;
  bool isOldest = true;
  {
    MutexLock lock(mutex);
    old = files[index].opened;
    oldRecords = files[index].records;
    for (const File &file : files)
      isOldest &= !file.opened || file.opened->number >= old->number;
  }
  std::vector<std::byte> &used = collected;
  used.clear(); // what a call left that failed
  std::vector<int64_t> ids;
  std::vector<uint32_t> places;
  const auto begin = static_cast<uint32_t>(index * recordsPerFile);
  RETURN_IF_ERROR(forEachPiece(
      *old, oldRecords,
      [&](int64_t first, std::span<const std::byte> records) -> absl::Status {
        const size_t count = records.size() / recordBytes;
        ids.clear();
        for (size_t i = 0; i < count; ++i)
          ids.push_back(RecordHeader::of(records.data() + i * recordBytes).id);
        places.resize(count);
        findAll(ids, places.data());
        for (size_t i = 0; i < count; ++i) {
          const std::byte *data = records.data() + i * recordBytes;
          const bool isUsed =
              RecordHeader::of(data).kind == RecordHeader::kErased
                  ? !isOldest && places[i] == kNone
                  : places[i] == begin + uint32_t(first) + uint32_t(i);
          if (!isUsed)
            continue;
          if (!isIntact(data, options.rowBytes))
            return damaged(old->number, first + int64_t(i));
          used.insert(used.end(), data, data + recordBytes);
        }
        // What is left is less than a piece: the list is at most two.
        return used.size() > kPieceBytes ? addRecords(used) : absl::OkStatus();
      }));
  RETURN_IF_ERROR(addRecords(used));
  numRecords -= oldRecords;
  {
    MutexLock lock(mutex);
    files[index] = File();
  }
  const std::string path = pathOf(old->number);
  if (std::error_code ignored;
      std::ranges::count(committed, old->number) == 0 &&
      std::ranges::count(announced, old->number) == 0 && !keepSpare(old))
    std::filesystem::remove(path, ignored);
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//

size_t RowLog::indexBytes() const {
  size_t bytes = 0;
  MutexLock lock(mutex);
  for (const RowIndex &part : parts)
    bytes += part.bytes();
  return bytes;
}

uint64_t RowLog::fileBytes() const {
  return uint64_t(numRecords) * recordBytes;
}
