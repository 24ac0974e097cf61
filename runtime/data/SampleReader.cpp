// SPDX-License-Identifier: Apache-2.0
//===- SampleReader.cpp - the samples in text files, parsed by threads ----===//
//
// 1. A thread chooses the first open file that no other thread reads, or opens
//    the next one, reads a block of lines and releases the file.
// 2. It parses the block, while others may read and parse the next ones.
// 3. next() takes the pieces in order of files and blocks.
//
// As many files are open as there are threads: slow commands run side by side,
// and one long file still keeps all threads busy.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/SampleReader.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include <cstring>
#include <new>
#include <system_error>
#include <utility>

using namespace ps::runtime;

SampleReader::SampleReader(Options given) : options(std::move(given)) {
  try {
    for (int i = 0; i < options.threads; ++i)
      threads.emplace_back([this] { work(); });
  } catch (const std::system_error &) {
    // Fewer do as well; none are an error of next().
  }
}

void SampleReader::stop() {
  {
    MutexLock lock(mutex);
    stopping = true;
  }
  changed.notifyAll();
}

SampleReader::~SampleReader() {
  stop();
  for (std::thread &thread : threads)
    thread.join();
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The file to read a block of; null when there is nothing to do now.
SampleReader::OpenFile *SampleReader::chooseFile(size_t &index) {
  for (size_t i = 0; i != open.size(); ++i) {
    OpenFile &file = open[i];
    index = firstOpen + i;
    if (!file.reading && !file.done &&
        file.read - file.taken < options.piecesAhead)
      return &file;
  }
  index = firstOpen + open.size();
  if (index >= options.files.size() ||
      open.size() >= static_cast<size_t>(options.threads))
    return nullptr;
  return &open.emplace_back();
}

/// Without the lock: only this thread has `file.reading` set.
absl::StatusOr<TextBlock> SampleReader::readBlock(OpenFile &file,
                                                  size_t index) {
  try {
    if (!file.source) {
      ASSIGN_OR_RETURN(file.source, TextSource::open(options.files[index],
                                                     options.pipeCommand));
    }
    return file.source->next(stopping);
  } catch (const std::bad_alloc &) {
    return absl::ResourceExhaustedError("out of memory");
  }
}

/// Malformed lines are collected here and counted in next(), in the order of
/// lines: which one is the first must not depend on threads.
SampleReader::Piece SampleReader::parse(const TextBlock &block) const {
  Piece piece;
  Rows &rows = piece.rows.emplace(options.format->columns);
  const char *p = block.memory.get(), *end = p + block.size;
  bool isFirst = block.firstLine == 1;
  for (int64_t number = block.firstLine; p != end; ++number) {
    const void *found = std::memchr(p, '\n', end - p);
    const char *lineEnd = found ? static_cast<const char *>(found) : end;
    absl::string_view line(p, lineEnd - p);
    p = found ? lineEnd + 1 : end;
    absl::ConsumeSuffix(&line, "\r");
    if (number == 1)
      absl::ConsumePrefix(&line, "\xef\xbb\xbf"); // Some editors mark UTF-8.
    if (options.format->isBlankLine(line))
      continue;
    LineError error;
    if (options.format->parse(line, std::exchange(isFirst, false), rows,
                              error) != LineFormat::Result::Broken)
      continue;
    const bool isLast = options.badLines == 0 || error.isOfFile;
    piece.broken.push_back({number, std::move(error)});
    if (isLast)
      break;
  }
  return piece;
}

/// `reading` and `read` reserve the block, so other threads can take the next
/// one while this one parses.
void SampleReader::work() {
  for (;;) {
    MutexLock lock(mutex);
    size_t index = 0;
    OpenFile *file = nullptr;
    while (!stopping && !(file = chooseFile(index)))
      changed.wait(lock);
    if (stopping)
      return;
    file->reading = true;
    const int64_t number = file->read++;
    lock.unlock();
    absl::StatusOr<TextBlock> block = readBlock(*file, index);
    lock.lock();
    file->reading = false;
    file->done = !block.ok() || block->last;
    lock.unlock();
    changed.notifyAll();
    Piece piece;
    try {
      if (block.ok())
        piece = parse(*block);
      else
        piece.status = block.status();
    } catch (const std::bad_alloc &) {
      piece.status = absl::ResourceExhaustedError("out of memory");
    }
    lock.lock();
    file->pieces.emplace(number, std::move(piece));
    lock.unlock();
    changed.notifyAll();
  }
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

/// Fails on the first malformed line beyond those that --bad-lines allows.
absl::Status SampleReader::countBroken(const std::vector<BrokenLine> &lines,
                                       size_t file) {
  for (const BrokenLine &line : lines) {
    const bool isSkipped = skipped < options.badLines && !line.error.isOfFile;
    if (isSkipped) {
      ++skipped;
      continue;
    }
    std::string message =
        absl::StrCat(options.files[file], ":", line.number, ":",
                     line.error.column, ": ", line.error.why);
    if (skipped != 0)
      absl::StrAppend(&message, "; ", skipped,
                      " malformed lines before it were skipped");
    return absl::DataLossError(message);
  }
  return absl::OkStatus();
}

/// Whether the first file has a piece for next(), or has ended.
bool SampleReader::isFrontReady() const {
  if (open.empty())
    return false;
  const OpenFile &file = open.front();
  return file.pieces.contains(file.taken) ||
         (file.done && file.taken == file.read);
}

/// Waits for the next piece in order; nullopt at the end of the last file.
absl::StatusOr<std::optional<Rows>> SampleReader::next() {
  if (threads.empty())
    return absl::ResourceExhaustedError("cannot start a thread");
  for (;;) {
    Piece piece;
    size_t fileIndex;
    {
      MutexLock lock(mutex);
      if (firstOpen == options.files.size())
        return std::nullopt;
      while (!stopping && !isFrontReady())
        changed.wait(lock);
      if (stopping)
        return absl::CancelledError("stopped");
      OpenFile &file = open.front();
      if (file.taken == file.read) {
        open.pop_front();
        ++firstOpen;
        lock.unlock();
        changed.notifyAll();
        continue;
      }
      piece = std::move(file.pieces.extract(file.taken++).mapped());
      fileIndex = firstOpen;
    }
    // A file that was piecesAhead may be read again.
    changed.notifyAll();
    if (!piece.status.ok())
      return piece.status;
    RETURN_IF_ERROR(countBroken(piece.broken, fileIndex));
    lastFile = fileIndex;
    if (piece.rows->size != 0)
      return std::move(piece.rows);
  }
}

absl::Status
SampleReader::forEach(absl::FunctionRef<absl::Status(const Rows &)> body) {
  for (;;) {
    ASSIGN_OR_RETURN(std::optional<Rows> rows, next());
    if (!rows)
      return absl::OkStatus();
    RETURN_IF_ERROR(body(*rows));
  }
}
