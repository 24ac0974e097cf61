// SPDX-License-Identifier: Apache-2.0
//===- FeedMap.h - which column of the samples fills which feed -----------===//

#ifndef PS_RUNTIME_DATA_FEEDMAP_H
#define PS_RUNTIME_DATA_FEEDMAP_H

#include "absl/status/statusor.h"
#include "runtime/data/LineFormat.h"
#include "runtime/executor/Program.h"
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// Which column fills which feed. A feed named like a column or an alias takes
/// it; the others take the remaining columns in order. A sample's elements must
/// fill dimensions 1.. of the feed; any number of them goes into a ragged feed.
/// Beside a ragged feed "s1", the feed "s1.offsets" gets the place where each
/// sample begins in it, and "s1.weights" the column of weights.
/// Floating-point feeds get scaled values, integer feeds the stored ones, which
/// must fit. An optional feed that no column fills is left out, with its
/// offsets and weights. Immutable; safe to use from several threads.
class FeedMap {
public:
  /// INVALID_ARGUMENT names the feed that no sample with the columns of `data`
  /// can fill.
  static absl::StatusOr<FeedMap> create(const Dataset &data,
                                        std::span<const FeedSpec> feeds);

  /// The names of feeds that are left out.
  const std::vector<std::string> &leftOut() const { return missing; }

  /// INVALID_ARGUMENT unless every sample of `data`, which has the columns that
  /// the map was made for, fills the feeds.
  absl::Status check(const Dataset &data) const;
  /// The same for each sample as its line is parsed; null where every sample
  /// does. `data` has the columns, without samples, that the map was made for.
  SampleCheck checkOfLines(std::shared_ptr<const Dataset> data) const;

  /// Writes `samples` of `data`, which have passed a check, to the rows of each
  /// feed of `worker` and behind one another into the ragged ones.
  /// RESOURCE_EXHAUSTED when these cannot grow.
  absl::Status gather(const Dataset &data, std::span<const int64_t> samples,
                      const std::map<std::string, TensorRef> &feeds,
                      std::map<std::string, RaggedBuffer> &ragged,
                      int worker = 0) const;

  /// Appends the elements of `feed`, which holds I64, of `samples` of `data`.
  void appendIds(const Dataset &data, std::span<const int64_t> samples,
                 const std::string &feed, std::vector<int64_t> &ids) const;

private:
  /// Elements of each sample of a column: all of them, or one.
  struct Source {
    size_t column = 0;
    std::optional<int64_t> element;

    int64_t begin(const Column &from, int64_t sample) const {
      return from.begin(sample) + element.value_or(0);
    }
    int64_t count(const Column &from, int64_t sample) const {
      return element ? 1 : from.count(sample);
    }
  };
  struct Entry {
    FeedSpec feed;
    Source source;
    /// The feed gets where each sample's elements begin, not the elements.
    bool offsets = false;
    /// The column whose elements those of the source weigh.
    std::optional<size_t> weighted;
  };

  static std::optional<Source> named(const Dataset &data,
                                     const std::string &name);
  static std::optional<std::vector<Source>>
  chooseSources(const Dataset &data, std::span<const FeedSpec> feeds);
  static absl::Status lackError(const Dataset &data,
                                std::span<const FeedSpec> feeds);
  absl::Status addPlain(const Dataset &data, std::vector<FeedSpec> feeds);
  absl::Status addDerived(const Dataset &data, const FeedSpec &feed,
                          const Entry &base);
  static absl::Status checkShape(const Dataset &data, const Entry &entry);
  /// Whether a sample with the columns of `data` may not fill the feed.
  static bool canMisfit(const Dataset &data, const Entry &entry);
  template <typename Sample>
  static std::optional<Misfit>
  findMisfit(const Dataset &data, const Entry &entry, const Sample &sample);

  std::vector<Entry> entries;
  std::vector<std::string> missing;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_FEEDMAP_H
