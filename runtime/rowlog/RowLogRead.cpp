// SPDX-License-Identifier: Apache-2.0
//===- RowLogRead.cpp - reading rows of a RowLog --------------------------===//
//
// Rows are copied from mapped files: those that the system has in memory take
// 30 ns, where a call of the system per row takes a microsecond. Rows that it
// does not have would be waited for one by one; they are announced to it first,
// all at once, so that an SSD works on many. Which case it is shows in what
// happened before: page faults that waited, and a sample of what is asked for.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Status.h"
#include "runtime/rowlog/LogRecord.h"
#include "runtime/rowlog/RowLog.h"
#include "runtime/rows/RowGather.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/uio.h>

using namespace ps::runtime;

namespace {
/// Rows per task of a read, and how many of them may be on their way from the
/// SSD at once.
constexpr int64_t kRowsPerRead = 256;
/// Rows this close are read together with what is between them: on disks whose
/// reads are few or far, 100 us each and 140 MB/s, that takes as long as two.
constexpr size_t kGapBytes = 16 << 10;
/// How many rows of a read show whether the system has all of them.
constexpr size_t kSample = 16;

/// Page faults of this thread that waited for a disk.
int64_t countWaits() {
  rusage usage;
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_majflt;
}
} // namespace

int64_t RowLog::size() const {
  MutexLock lock(mutex);
  int64_t ids = -numErased;
  for (const RowIndex &part : parts)
    ids += static_cast<int64_t>(part.size());
  return ids;
}

void RowLog::find(std::span<const int64_t> ids, uint32_t *places) const {
  for (size_t begin = 0; begin < ids.size(); begin += RowIndex::kMostIds)
    RowIndex::findAll(
        parts.data(), 64 - std::countr_zero(kNumParts), hash,
        ids.subspan(begin, std::min(ids.size() - begin, RowIndex::kMostIds)),
        places + begin);
  std::replace(places, places + ids.size(), kGone, kNone);
}

void RowLog::findAll(std::span<const int64_t> ids, uint32_t *places) const {
  MutexLock lock(mutex);
  find(ids, places);
}

void RowLog::forEachId(size_t part,
                       absl::FunctionRef<void(int64_t id)> visit) const {
  std::vector<int64_t> ids;
  {
    MutexLock lock(mutex);
    parts[part].forEach([&](int64_t id, uint32_t place) {
      if (place != kGone)
        ids.push_back(id);
    });
  }
  for (int64_t id : ids)
    visit(id);
}

RowLog::OpenFiles RowLog::openFiles() const {
  OpenFiles opened;
  MutexLock lock(mutex);
  for (const File &file : files)
    opened.push_back(file.opened);
  return opened;
}

//===----------------------------------------------------------------------===//
// Rows that are waited for
//===----------------------------------------------------------------------===//

absl::Status RowLog::read(const OpenFiles &opened, std::span<const int64_t> ids,
                          std::span<const uint32_t> places, std::byte *rows,
                          ParallelRows parallel) const {
  Mutex resultMutex;
  absl::Status result;
  parallel(ids.size(), kRowsPerRead, [&](int64_t begin, int64_t end) {
    for (; begin < end; begin += kRowsPerRead) {
      const int64_t size = std::min(kRowsPerRead, end - begin);
      absl::Status status = readPiece(opened, ids.subspan(begin, size),
                                      places.subspan(begin, size),
                                      rows + begin * options.rowBytes);
      MutexLock lock(resultMutex);
      result.Update(status);
    }
  });
  return result;
}

absl::Status RowLog::readPiece(const OpenFiles &opened,
                               std::span<const int64_t> ids,
                               std::span<const uint32_t> places,
                               std::byte *rows) const {
  if (isCold()) {
    cold.store(!areCached(opened, places), std::memory_order_relaxed);
    announce(opened, places);
  }
  const int64_t waits = countWaits();
  bool isCopied = false;
  copyMapped([&] { isCopied = copyRows(opened, ids, places, rows); });
  if (countWaits() != waits)
    cold.store(true, std::memory_order_relaxed);
  if (isCopied)
    return absl::OkStatus();
  // Finds out which row it is, and what the system has to say.
  for (size_t i = 0; i < ids.size(); ++i)
    RETURN_IF_ERROR(readOne(*opened[places[i] / recordsPerFile],
                            places[i] % recordsPerFile, ids[i],
                            rows + i * options.rowBytes));
  return absl::OkStatus();
}

/// Whether all of them are what was written.
bool RowLog::copyRows(const OpenFiles &opened, std::span<const int64_t> ids,
                      std::span<const uint32_t> places, std::byte *rows) const {
  auto recordAt = [&](uint32_t place) -> const std::byte * {
    const std::byte *data = opened[place / recordsPerFile]->mapped.data();
    return data ? data + (place % recordsPerFile) * recordBytes : nullptr;
  };
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kRowsAhead < ids.size())
      if (const std::byte *ahead = recordAt(places[i + kRowsAhead]))
        prefetchRow(ahead, std::min(recordBytes, kBytesFetched));
    const std::byte *record = recordAt(places[i]);
    if (!record)
      return false;
    std::byte *row = rows + i * options.rowBytes;
    const RecordHeader header = RecordHeader::of(record);
    std::memcpy(row, record + sizeof(header), options.rowBytes);
    // The copy is checked, because nothing changes it any more.
    if (header.id != ids[i] || header.kind != RecordHeader::kRow ||
        header.check != checkOf(header.id, header.kind, row, options.rowBytes))
      return false;
  }
  return true;
}

absl::Status RowLog::readOne(const OpenFile &file, int64_t record, int64_t id,
                             std::byte *row) const {
  RecordHeader header;
  const iovec parts[] = {{&header, sizeof(header)}, {row, options.rowBytes}};
  ssize_t got;
  do
    got = ::preadv(file.descriptor.get(), parts, 2,
                   off_t(record) * off_t(recordBytes));
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return failure("read", pathOf(file.number));
  if (got != ssize_t(recordBytes) || header.id != id ||
      header.kind != RecordHeader::kRow ||
      header.check != checkOf(id, RecordHeader::kRow, row, options.rowBytes))
    return damaged(file.number, record);
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Rows that will be needed
//===----------------------------------------------------------------------===//

/// Whether the system has some of them in memory, where it can say so.
bool RowLog::areCached(const OpenFiles &opened,
                       std::span<const uint32_t> places) const {
  const size_t step = std::max<size_t>(1, places.size() / kSample);
  for (size_t i = 0; i < places.size(); i += step) {
    std::byte byte;
    const iovec part = {&byte, 1};
    const ssize_t got = ::preadv2(
        opened[places[i] / recordsPerFile]->descriptor.get(), &part, 1,
        off_t(places[i] % recordsPerFile) * off_t(recordBytes), RWF_NOWAIT);
    if (got < 0 && errno == EAGAIN)
      return false;
  }
  return true;
}

/// In the order of the places. What lies between two rows that are close is
/// read as well: for a disk it is less than another read.
void RowLog::announce(const OpenFiles &opened,
                      std::span<const uint32_t> places) const {
  size_t first = 0;
  for (size_t i = 1; i <= places.size(); ++i) {
    const uint32_t file = places[first] / recordsPerFile;
    const uint32_t last = places[i - 1];
    if (i < places.size() && places[i] / recordsPerFile == file &&
        (places[i] - last) * recordBytes <= kGapBytes)
      continue;
    ::posix_fadvise(opened[file]->descriptor.get(),
                    off_t(places[first] % recordsPerFile) * off_t(recordBytes),
                    off_t(last - places[first] + 1) * off_t(recordBytes),
                    POSIX_FADV_WILLNEED);
    first = i;
  }
}

bool RowLog::isTaken(uint32_t place) const {
  const std::vector<bool> &taken = files[place / recordsPerFile].taken;
  const size_t record = place % recordsPerFile;
  return record < taken.size() && taken[record];
}

void RowLog::findVersions(std::span<const int64_t> ids, RowVersion *versions,
                          bool skipsTaken) const {
  uint32_t places[RowIndex::kMostIds];
  for (size_t begin = 0; begin < ids.size(); begin += RowIndex::kMostIds) {
    const size_t size = std::min(ids.size() - begin, RowIndex::kMostIds);
    // Not for all at once: a step may wait for it.
    MutexLock lock(mutex);
    find(ids.subspan(begin, size), places);
    for (size_t i = 0; i < size; ++i)
      if (places[i] == kNone || (skipsTaken && isTaken(places[i])))
        versions[begin + i] = {};
      else
        versions[begin + i] = {
            places[i], files[places[i] / recordsPerFile].opened->number};
  }
}

bool RowLog::copy(std::span<const int64_t> ids,
                  std::span<const RowVersion> versions, std::byte *rows) const {
  const OpenFiles opened = openFiles();
  std::vector<uint32_t> places;
  for (const RowVersion &version : versions) {
    const size_t file = version.place / recordsPerFile;
    if (file >= opened.size() || !opened[file] ||
        opened[file]->number != version.file)
      return false;
    places.push_back(version.place);
  }
  bool isCopied = false;
  copyMapped([&] { isCopied = copyRows(opened, ids, places, rows); });
  return isCopied;
}

int64_t RowLog::readAhead(std::span<const int64_t> ids) {
  OpenFiles opened;
  std::vector<uint32_t> places(ids.size());
  {
    MutexLock lock(mutex);
    find(ids, places.data());
    std::erase_if(places, [&](uint32_t place) ABSL_NO_THREAD_SAFETY_ANALYSIS {
      return place == kNone || isTaken(place); // Called with the lock.
    });
    for (const File &file : files)
      opened.push_back(file.opened);
  }
  std::ranges::sort(places);
  if (!isCold() && areCached(opened, places))
    return 0;
  announce(opened, places);
  return int64_t(places.size());
}

void RowLog::setTaken(std::span<const uint32_t> places, bool taken) {
  MutexLock lock(mutex);
  for (uint32_t place : places) {
    if (place == kNone)
      continue;
    std::vector<bool> &records = files[place / recordsPerFile].taken;
    if (records.empty())
      records.resize(recordsPerFile);
    records[place % recordsPerFile] = taken;
  }
}
