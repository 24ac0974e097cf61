// SPDX-License-Identifier: Apache-2.0
//===- RowLog.cpp - rows of a table on an SSD -----------------------------===//
//
// A file has up to recordsPerFile records, each a header and a row; a place is
// the file's index times that, plus the record's position. Erased ids get a
// record without a row's meaning, for resume(), which reads all records in the
// order of the files' numbers and keeps the last of each id.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/RowLog.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/table/LogRecord.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/uio.h>

using namespace ps::runtime;

namespace {
/// The number in the index of an id whose row was erased.
constexpr uint32_t kGone = RowIndex::kNone - 1;
/// How large files are: a sixteenth of the table's rows, within these bounds.
constexpr size_t kMinFileBytes = size_t{1} << 20,
                 kMaxFileBytes = size_t{1} << 30;
/// What is written, and read in order, at a time.
constexpr size_t kPieceBytes = size_t{1} << 20;
/// Rows per task of a read, and how many of them may be on their way from the
/// SSD at once.
constexpr int64_t kRowsPerRead = 256;
constexpr char kSuffix[] = ".rows";

absl::Status failure(const char *what, const std::string &path) {
  const std::string message =
      absl::StrCat("cannot ", what, " '", path, "': ", std::strerror(errno));
  if (errno == ENOSPC || errno == EDQUOT || errno == EMFILE || errno == ENFILE)
    return absl::ResourceExhaustedError(message);
  if (errno == ENOENT)
    return absl::NotFoundError(message);
  return absl::UnavailableError(message);
}

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

absl::Status RowLog::damaged(const File &file, int64_t record) const {
  return absl::DataLossError(
      absl::StrCat("'", pathOf(file.number), "': record ", record,
                   " is damaged: expected what was written"));
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
  if (std::error_code ignored;
      std::filesystem::exists(log->markPath(), ignored)) {
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
  File opened;
  opened.number = file.number;
  opened.descriptor = Descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!opened.descriptor)
    return failure("open", path);
  const off_t size = ::lseek(opened.descriptor.get(), 0, SEEK_END);
  if (size < off_t(file.records * recordBytes))
    return absl::DataLossError(absl::StrCat("'", path, "': expected ",
                                            file.records * recordBytes,
                                            " bytes, found ", size));
  opened.records = file.records;
  nextNumber = file.number + 1;
  const auto first = static_cast<uint32_t>(files.size() * recordsPerFile);
  files.push_back(std::move(opened));
  numRecords += file.records;
  active = files.size() - 1;
  return forEachRecord(
      files.back(), file.records,
      [&](int64_t record, const std::byte *data) -> absl::Status {
        const RecordHeader header = RecordHeader::of(data);
        if (!isIntact(data, options.rowBytes))
          return damaged(files.back(), record);
        return point(header.id, header.kind == RecordHeader::kErased
                                    ? kGone
                                    : first + static_cast<uint32_t>(record));
      });
}

absl::Status RowLog::forEachRecord(
    const File &file, int64_t count,
    absl::FunctionRef<absl::Status(int64_t record, const std::byte *data)>
        visit) const {
  const int64_t atATime =
      std::max<int64_t>(1, int64_t(kPieceBytes / recordBytes));
  std::vector<std::byte> piece;
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
        return damaged(file, first);
      done += size_t(got);
    }
    for (int64_t i = 0; i < records; ++i)
      RETURN_IF_ERROR(visit(first + i, piece.data() + i * recordBytes));
  }
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

int64_t RowLog::size() const {
  int64_t ids = -numErased;
  for (const RowIndex &part : parts)
    ids += static_cast<int64_t>(part.size());
  return ids;
}

void RowLog::findAll(std::span<const int64_t> ids, uint32_t *places) const {
  for (size_t begin = 0; begin < ids.size(); begin += RowIndex::kMostIds)
    RowIndex::findAll(
        parts.data(), 64 - std::countr_zero(kNumParts), hash,
        ids.subspan(begin, std::min(ids.size() - begin, RowIndex::kMostIds)),
        places + begin);
  std::replace(places, places + ids.size(), kGone, kNone);
}

void RowLog::forEachId(size_t part,
                       absl::FunctionRef<void(int64_t id)> visit) const {
  parts[part].forEach([&](int64_t id, uint32_t place) {
    if (place != kGone)
      visit(id);
  });
}

absl::Status RowLog::read(std::span<const int64_t> ids,
                          std::span<const uint32_t> places, std::byte *rows,
                          ParallelRows parallel) const {
  Mutex mutex;
  absl::Status result;
  parallel(ids.size(), kRowsPerRead, [&](int64_t begin, int64_t end) {
    for (; begin < end; begin += kRowsPerRead) {
      const int64_t size = std::min(kRowsPerRead, end - begin);
      absl::Status status =
          readPiece(ids.subspan(begin, size), places.subspan(begin, size),
                    rows + begin * options.rowBytes);
      MutexLock lock(mutex);
      result.Update(status);
    }
  });
  return result;
}

/// First what is in the system's cache; meanwhile the rest is on its way.
absl::Status RowLog::readPiece(std::span<const int64_t> ids,
                               std::span<const uint32_t> places,
                               std::byte *rows) const {
  auto readOne = [&](size_t i, int flags) -> absl::StatusOr<bool> {
    const File &file = files[places[i] / recordsPerFile];
    const int64_t record = places[i] % recordsPerFile;
    std::byte *row = rows + i * options.rowBytes;
    RecordHeader header;
    iovec parts[] = {{&header, sizeof(header)}, {row, options.rowBytes}};
    const off_t offset = off_t(record * recordBytes);
    ssize_t got;
    do
      got = ::preadv2(file.descriptor.get(), parts, 2, offset, flags);
    while (got < 0 && errno == EINTR);
    // A part is in the cache, or nothing; or the file system cannot say.
    if (flags != 0 && got != ssize_t(recordBytes))
      return false;
    if (got < 0)
      return failure("read", pathOf(file.number));
    if (got != ssize_t(recordBytes) || header.id != ids[i] ||
        header.kind != RecordHeader::kRow ||
        header.check !=
            checkOf(header.id, RecordHeader::kRow, row, options.rowBytes))
      return damaged(file, record);
    return true;
  };
  std::vector<uint32_t> waiting;
  for (size_t i = 0; i < ids.size(); ++i) {
    ASSIGN_OR_RETURN(bool isRead, readOne(i, RWF_NOWAIT));
    if (isRead)
      continue;
    waiting.push_back(static_cast<uint32_t>(i));
    ::posix_fadvise(files[places[i] / recordsPerFile].descriptor.get(),
                    off_t(places[i] % recordsPerFile) * off_t(recordBytes),
                    off_t(recordBytes), POSIX_FADV_WILLNEED);
  }
  for (uint32_t i : waiting)
    RETURN_IF_ERROR(readOne(i, 0).status());
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Ends the active file and begins another.
absl::Status RowLog::openFile() {
  // Rows go to the SSD while others come: a commit has little left to wait for.
  if (active != SIZE_MAX)
    ::sync_file_range(files[active].descriptor.get(), 0, 0,
                      SYNC_FILE_RANGE_WRITE);
  File file;
  file.number = nextNumber;
  const std::string path = pathOf(file.number);
  file.descriptor = Descriptor(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file.descriptor)
    return failure("create", path);
  ++nextNumber;
  const auto found = std::ranges::find(files, -1, &File::number);
  active = size_t(found - files.begin());
  if (found == files.end())
    files.emplace_back();
  files[active] = std::move(file);
  return absl::OkStatus();
}

absl::Status RowLog::write(std::span<const std::byte> records) {
  File &file = files[active];
  off_t offset = off_t(file.records) * off_t(recordBytes);
  while (!records.empty()) {
    const ssize_t done =
        ::pwrite(file.descriptor.get(), records.data(), records.size(), offset);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return failure("write", pathOf(file.number));
    offset += done;
    records = records.subspan(size_t(done));
  }
  return absl::OkStatus();
}

/// The record at `place` is no longer its id's.
void RowLog::release(uint32_t place) { --files[place / recordsPerFile].live; }

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
      release(before);
  }
  if (place != kGone)
    ++files[place / recordsPerFile].live;
  return absl::OkStatus();
}

/// Appends `records`, with their headers except the check, and empties the
/// list.
absl::Status RowLog::addRecords(std::vector<std::byte> &records) {
  std::span<std::byte> left = records;
  while (!left.empty()) {
    if (active == SIZE_MAX || files[active].records == recordsPerFile)
      RETURN_IF_ERROR(openFile());
    const size_t count =
        std::min<size_t>(left.size() / recordBytes,
                         recordsPerFile - size_t(files[active].records));
    const std::span<std::byte> piece = left.first(count * recordBytes);
    for (size_t i = 0; i < count; ++i) {
      std::byte *data = piece.data() + i * recordBytes;
      RecordHeader header = RecordHeader::of(data);
      header.check = checkOf(header.id, header.kind, data + sizeof(header),
                             options.rowBytes);
      std::memcpy(data, &header, sizeof(header));
    }
    RETURN_IF_ERROR(write(piece));
    const auto first = static_cast<uint32_t>(active * recordsPerFile +
                                             size_t(files[active].records));
    files[active].records += int64_t(count);
    numRecords += int64_t(count);
    for (size_t i = 0; i < count; ++i) {
      const RecordHeader header =
          RecordHeader::of(piece.data() + i * recordBytes);
      RETURN_IF_ERROR(point(header.id, header.kind == RecordHeader::kErased
                                           ? kGone
                                           : first + uint32_t(i)));
    }
    left = left.subspan(piece.size());
  }
  records.clear();
  return absl::OkStatus();
}

absl::Status RowLog::append(std::span<const int64_t> ids,
                            std::span<const std::byte *const> rows) {
  std::vector<std::byte> records;
  records.reserve(std::min(ids.size() * recordBytes, kPieceBytes));
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!records.empty() && records.size() + recordBytes > kPieceBytes)
      RETURN_IF_ERROR(addRecords(records));
    const RecordHeader header{ids[i], 0, RecordHeader::kRow};
    const auto *bytes = reinterpret_cast<const std::byte *>(&header);
    records.insert(records.end(), bytes, bytes + sizeof(header));
    records.insert(records.end(), rows[i], rows[i] + options.rowBytes);
  }
  RETURN_IF_ERROR(addRecords(records));
  return collect();
}

absl::Status RowLog::erase(std::span<const int64_t> ids) {
  std::vector<std::byte> records;
  std::vector<uint32_t> places(ids.size());
  findAll(ids, places.data());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (places[i] == kNone)
      continue;
    const RecordHeader header{ids[i], 0, RecordHeader::kErased};
    const size_t at = records.size();
    records.resize(at + recordBytes);
    std::memcpy(records.data() + at, &header, sizeof(header));
  }
  RETURN_IF_ERROR(addRecords(records));
  if (numErased > size() + int64_t(kNumParts)) {
    for (RowIndex &part : parts)
      RETURN_IF_ERROR(
          part.filter([](int64_t, uint32_t &place) { return place != kGone; },
                      hash, indexMemory));
    numErased = 0;
  }
  return collect();
}

/// Keeps at least half of the records in use, except in two files. Records of
/// erased ids have no use in the oldest file only, so that one is next when
/// nothing was gained.
absl::Status RowLog::collect() {
  bool hasGained = true;
  while (numRecords > 2 * (size() + int64_t{recordsPerFile})) {
    auto costs = [&](const File &file) {
      return hasGained ? file.live : file.number;
    };
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < files.size(); ++i)
      if (files[i].number >= 0 && i != active &&
          (found == SIZE_MAX || costs(files[i]) < costs(files[found])))
        found = i;
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
  const bool isOldest = std::ranges::none_of(files, [&](const File &file) {
    return file.number >= 0 && file.number < files[index].number;
  });
  // A copy: appending may move the list.
  const Descriptor &opened = files[index].descriptor;
  File old;
  old.number = files[index].number;
  old.records = files[index].records;
  old.descriptor = Descriptor(::dup(opened.get()));
  if (!old.descriptor)
    return failure("open", pathOf(old.number));
  std::vector<std::byte> records;
  const auto first = static_cast<uint32_t>(index * recordsPerFile);
  RETURN_IF_ERROR(forEachRecord(
      old, old.records,
      [&](int64_t record, const std::byte *data) -> absl::Status {
        const RecordHeader header = RecordHeader::of(data);
        uint32_t place;
        findAll({&header.id, 1}, &place);
        const bool isUsed = header.kind == RecordHeader::kErased
                                ? !isOldest && place == kNone
                                : place == first + uint32_t(record);
        if (!isUsed)
          return absl::OkStatus();
        if (!isIntact(data, options.rowBytes))
          return damaged(old, record);
        records.insert(records.end(), data, data + recordBytes);
        return records.size() + recordBytes > kPieceBytes ? addRecords(records)
                                                          : absl::OkStatus();
      }));
  RETURN_IF_ERROR(addRecords(records));
  numRecords -= old.records;
  files[index] = File();
  if (std::error_code ignored; std::ranges::count(committed, old.number) == 0 &&
                               std::ranges::count(announced, old.number) == 0)
    std::filesystem::remove(pathOf(old.number), ignored);
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Commits
//===----------------------------------------------------------------------===//

absl::StatusOr<std::vector<LogFile>> RowLog::commit() {
  Descriptor mark(
      ::open(markPath().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!mark)
    return failure("create", markPath());
  std::vector<LogFile> result;
  for (const File &file : files) {
    if (file.number < 0)
      continue;
    if (::fdatasync(file.descriptor.get()) != 0)
      return failure("write", pathOf(file.number));
    result.push_back({file.number, file.records});
  }
  if (::fsync(directory.get()) != 0)
    return failure("write", options.directory);
  std::ranges::sort(result, {}, &LogFile::number);
  announced.clear();
  for (const LogFile &file : result)
    announced.push_back(file.number);
  return result;
}

void RowLog::forgetOlder() {
  committed = announced;
  removeFiles([&](int64_t number) {
    return std::ranges::count(committed, number) == 0 &&
           std::ranges::count(files, number, &File::number) == 0;
  });
}

size_t RowLog::indexBytes() const {
  size_t bytes = 0;
  for (const RowIndex &part : parts)
    bytes += part.bytes();
  return bytes;
}

uint64_t RowLog::fileBytes() const {
  return uint64_t(numRecords) * recordBytes;
}
