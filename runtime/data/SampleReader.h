// SPDX-License-Identifier: Apache-2.0
//===- SampleReader.h - the samples in text files, parsed by threads ------===//

#ifndef PS_RUNTIME_DATA_SAMPLEREADER_H
#define PS_RUNTIME_DATA_SAMPLEREADER_H

#include "absl/functional/function_ref.h"
#include "runtime/base/Mutex.h"
#include "runtime/data/LineFormat.h"
#include "runtime/data/TextSource.h"
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <thread>

namespace ps::runtime {

/// Returns the samples of files in the order of the files and their lines,
/// however many threads parse them. Thread-compatible; stop() is thread-safe.
class SampleReader {
public:
  struct Options {
    std::vector<std::string> files;
    std::shared_ptr<const LineFormat> format;
    /// Empty: files are read as they are, or unpacked.
    std::string pipeCommand;
    int threads = 1;
    /// How many malformed lines are left out before one is an error.
    int64_t badLines = 0;
    /// Pieces of about a megabyte that each open file may be read ahead.
    int64_t piecesAhead = std::numeric_limits<int64_t>::max();
  };
  explicit SampleReader(Options options);
  /// Stops the threads.
  ~SampleReader();

  /// The next samples, at least one; none at the end. DATA_LOSS names the file,
  /// line and character that is wrong; CANCELLED after stop(). After an error
  /// there is nothing more to read.
  absl::StatusOr<std::optional<Rows>> next();
  /// The index of the file that next() returned samples of last.
  size_t file() const { return lastFile; }
  /// Calls `body` with everything that next() returns, until it fails.
  absl::Status forEach(absl::FunctionRef<absl::Status(const Rows &)> body);
  /// Makes next(), also one that waits, return CANCELLED soon, and kills the
  /// commands that the reader has started. Thread-safe.
  void stop();
  /// Lines left out so far.
  int64_t skippedLines() const { return skipped; }

private:
  struct BrokenLine {
    int64_t number;
    LineError error;
  };
  /// A parsed block.
  struct Piece {
    std::optional<Rows> rows;
    std::vector<BrokenLine> broken;
    absl::Status status;
  };
  struct OpenFile {
    std::unique_ptr<TextSource> source;
    bool reading = false, done = false;
    /// Blocks read, and pieces taken by next().
    int64_t read = 0, taken = 0;
    /// Parsed blocks by their number.
    std::map<int64_t, Piece> pieces;
  };

  void work();
  OpenFile *chooseFile(size_t &index) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  bool isFrontReady() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::StatusOr<TextBlock> readBlock(OpenFile &file, size_t index);
  Piece parse(const TextBlock &block) const;
  absl::Status countBroken(const std::vector<BrokenLine> &lines, size_t file);

  const Options options;
  int64_t skipped = 0;
  size_t lastFile = 0;
  std::vector<std::thread> threads;
  std::atomic<bool> stopping = false;

  Mutex mutex;
  CondVar changed;
  /// A file's source belongs to the thread that set its `reading`. A deque: the
  /// other threads add and remove files while one reads.
  std::deque<OpenFile> open ABSL_GUARDED_BY(mutex);
  /// The index of open.front().
  size_t firstOpen ABSL_GUARDED_BY(mutex) = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_SAMPLEREADER_H
