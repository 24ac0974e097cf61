//===- SampleReader.h - the samples in text files, parsed by threads ------===//

#ifndef PS_RUNTIME_DATA_SAMPLEREADER_H
#define PS_RUNTIME_DATA_SAMPLEREADER_H

#include "absl/functional/function_ref.h"
#include "runtime/data/LineFormat.h"
#include "runtime/data/TextSource.h"
#include <condition_variable>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace ps::runtime {

/// Gives the samples of files in the order of the files and their lines,
/// however many threads parse them. Thread-compatible, but for stop().
class SampleReader {
public:
  struct Options {
    std::vector<std::string> files;
    std::shared_ptr<const LineFormat> format;
    /// Empty: files are read as they are, or unpacked.
    std::string pipeCommand;
    int threads = 1;
    /// How many broken lines are left out before one is an error.
    int64_t badLines = 0;
    /// Pieces of about a megabyte that each open file may be read ahead.
    int64_t piecesAhead = std::numeric_limits<int64_t>::max();
  };
  explicit SampleReader(Options options);
  /// Stops the threads.
  ~SampleReader();

  /// The next samples, at least one; none at the end. DATA_LOSS says what is
  /// wrong with which character of which line of which file; CANCELLED that
  /// somebody called stop(). After an error there is nothing more to read.
  absl::StatusOr<std::optional<Rows>> next();
  /// Calls `body` with all that next() gives; its error ends that.
  absl::Status forEach(absl::FunctionRef<absl::Status(const Rows &)> body);
  /// Makes next(), also one that waits, say CANCELLED soon, and kills what the
  /// reader has started. Thread-safe.
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
    /// By number of the block.
    std::map<int64_t, Piece> pieces;
  };

  void work();
  OpenFile *chooseFile(size_t &index);
  absl::StatusOr<TextBlock> readBlock(OpenFile &file, size_t index);
  Piece parse(const TextBlock &block) const;
  absl::Status countBroken(const std::vector<BrokenLine> &lines, size_t file);

  const Options options;
  int64_t skipped = 0;
  std::vector<std::thread> threads;
  std::atomic<bool> stopping = false;

  std::mutex mutex;
  std::condition_variable changed;
  /// All guarded by mutex; a file's source belongs to who set `reading`.
  std::deque<OpenFile> open;
  /// The index of open.front().
  size_t firstOpen = 0;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_SAMPLEREADER_H
