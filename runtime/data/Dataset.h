// SPDX-License-Identifier: Apache-2.0
//===- Dataset.h - samples to train on ------------------------------------===//
//
// A dataset is named by one string, which users give to --data: docs/Data.md
// lists what there is. Everything is read, checked and kept in memory.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_DATASET_H
#define PS_RUNTIME_DATA_DATASET_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/Tensor.h"
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// One part of every sample, row-major over the samples.
struct Column {
  /// "features", "label", or what the format or its files call it. A column
  /// "NAME.weights" holds a weight for each element of column NAME.
  std::string name;
  /// Elements per sample, unless `offsets` says so.
  int64_t width = 1;
  /// UI8, I32, I64, F32 or F64.
  DType dtype = DType::F64;
  /// Multiplies the elements where they become floating-point numbers: images
  /// are stored as 0 .. 255 and read as [0, 1].
  double scale = 1;
  Buffer bytes;
  /// Where the elements of each sample begin and, last, where those of the
  /// last one end, in a ragged column. Empty for a dense one.
  std::vector<int64_t> offsets = {};
  /// The elements are ids made of texts, which #ids= limits.
  bool hashed = false;

  bool ragged() const { return !offsets.empty(); }
  int64_t begin(int64_t sample) const {
    return ragged() ? offsets[sample] : sample * width;
  }
  /// Elements of `sample`.
  int64_t count(int64_t sample) const {
    return ragged() ? offsets[sample + 1] - offsets[sample] : width;
  }
  /// Element `element` of sample `sample` as stored; ids beyond 2^53 are
  /// rounded.
  double at(int64_t sample, int64_t element) const;
  /// Calls `body` with a value of the C++ type that stores the elements.
  template <typename Body>
  auto withStored(Body body) const {
    switch (dtype) {
    case DType::UI8:
      return body(uint8_t());
    case DType::I32:
      return body(int32_t());
    case DType::I64:
      return body(int64_t());
    case DType::F32:
      return body(float());
    default:
      return body(double());
    }
  }
};

/// A name for one element of every sample of a dense column.
struct Alias {
  std::string name;
  /// Index among the columns.
  size_t column = 0;
  int64_t element = 0;
};

/// A feed as the graph declares it; a batch dimension that is not fixed is -1.
struct FeedSpec {
  std::string name;
  TensorType type;
  /// The feed holds the samples' elements one behind the other, as many as
  /// there are, and its one dimension is not the batch.
  bool ragged = false;
  /// Data need not fill it.
  bool optional = false;
  /// What is computed from it, for the error where data lacks it; may be empty.
  std::string user = {};
};

inline constexpr absl::string_view offsetsSuffix = ".offsets";
inline constexpr absl::string_view weightsSuffix = ".weights";

/// The ragged feed among `feeds` whose offsets or weights a feed called `name`
/// takes; empty when it stands for itself.
std::string baseOfDerivedFeed(absl::string_view name,
                              std::span<const FeedSpec> feeds);

/// INVALID_ARGUMENT when there are offsets of a feed that is not among `feeds`
/// or not ragged.
absl::Status checkOffsets(std::span<const FeedSpec> feeds);

/// How samples are read.
struct DataOptions {
  /// What the samples are for: name the slots of files that do not, and say
  /// which hold numbers instead of ids.
  std::vector<FeedSpec> feeds;
  /// A shell command that each text file goes through.
  std::string pipeCommand;
  /// That parse text files; the samples do not depend on it.
  int threads = 1;
  /// Broken lines that are left out before one is an error.
  int64_t badLines = 0;
  /// The files are assigned to readers in turn; this is one of the readers.
  int readers = 1, reader = 0;
};

/// Samples in memory; moves, never copied. Immutable once read; safe to read
/// from several threads.
struct Dataset {
  /// As the user wrote it; errors quote it.
  std::string spec;
  int64_t size = 0;
  /// In the order in which feeds without a column of their name take them;
  /// docs/Data.md says which ones a format has.
  std::vector<Column> columns;
  std::vector<Alias> aliases = {};
  /// What the user should know about the samples, a line each.
  std::vector<std::string> notes = {};
  /// The samples that lie before the end of each file. Empty where samples are
  /// not read from files of lines, or where only a range of them is.
  std::vector<int64_t> fileEnds = {};
  /// Where a file has an element of a sample, "x.csv:2:3"; may be null.
  std::function<std::string(int64_t sample, size_t column, int64_t element)>
      place = nullptr;

  /// Reads what `spec` names. INVALID_ARGUMENT for a spec that cannot be
  /// parsed; NOT_FOUND or DATA_LOSS name the file, and the place in it, that
  /// cannot be used; RESOURCE_EXHAUSTED when it does not fit into memory.
  /// Never empty.
  static absl::StatusOr<Dataset> open(const std::string &spec,
                                      const DataOptions &options = {});
};

// The readers behind Dataset::open.

/// `labels` may be empty.
absl::StatusOr<Dataset> readIdx(const std::string &images,
                                const std::string &labels);

struct CsvOptions {
  enum class Header { Detect, Yes, No };
  Header header = Header::Detect;
  /// A name, an index (from the end when negative), or "none".
  std::string label = "-1";
};
absl::StatusOr<Dataset> readCsv(const std::string &file,
                                const CsvOptions &options);

struct DigitsOptions {
  int64_t samples = 10000;
  uint64_t seed = 0;
};
/// Sample i is the same for every number of samples.
absl::StatusOr<Dataset> makeDigits(const DigitsOptions &options);

struct ClicksOptions {
  /// Samples [begin, end); sample i is the same in every range.
  int64_t begin = 0, end = 100000;
  int64_t fields = 26;
  /// Distinct ids per field.
  int64_t ids = 1000000;
  /// Exponent of the law by which an id's rank is drawn; 0: all are equal.
  double zipf = 1.05;
  int64_t dense = 13;
  /// Draws the samples.
  int64_t seed = 0;
  /// Draws the model that labels are drawn by.
  int64_t teacher = 0;
};
/// Columns label, sparse with the aliases C1, C2, ..., and dense.
absl::StatusOr<Dataset> drawClicks(const ClicksOptions &options, int threads);

struct SkipGramOptions {
  /// Words on each side, at most.
  int64_t window = 5;
  /// Drawn for each pair.
  int64_t negatives = 5;
  /// Words beyond the most frequent ones are left out.
  int64_t vocabulary = 10000;
  int64_t seed = 0;
};
/// Columns center, a word, and context, a word near it followed by others drawn
/// at random.
absl::StatusOr<Dataset> readSkipGrams(const std::string &file,
                                      const SkipGramOptions &options);

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_DATASET_H
