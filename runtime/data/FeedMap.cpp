// SPDX-License-Identifier: Apache-2.0
//===- FeedMap.cpp - which column of the samples fills which feed ---------===//

#include "runtime/data/FeedMap.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Calls `body` with a value of the C++ type that stores `type`.
template <typename Body>
static auto withType(DType type, Body body) {
  switch (type) {
  case DType::I1:
  case DType::UI8:
    return body(uint8_t());
  case DType::I8:
    return body(int8_t());
  case DType::I16:
    return body(int16_t());
  case DType::I32:
    return body(int32_t());
  case DType::I64:
    return body(int64_t());
  case DType::UI16:
    return body(uint16_t());
  case DType::UI32:
    return body(uint32_t());
  case DType::UI64:
    return body(uint64_t());
  case DType::BF16:
    return body(BFloat16());
  case DType::F16:
    return body(_Float16(0));
  case DType::F32:
    return body(float());
  case DType::F64:
    return body(double());
  }
  __builtin_unreachable();
}

/// Writes `count` numbers that are stored as `From`.
template <typename From, typename To>
static To *convert(const From *from, int64_t count, double scale, To *to) {
  if constexpr (std::is_same_v<From, To>)
    if (scale == 1)
      return std::copy_n(from, count, to);
  for (int64_t i = 0; i != count; ++i)
    // Not every id is exact as a double.
    if constexpr (std::is_integral_v<From> && std::is_signed_v<From>)
      to[i] = static_cast<To>(from[i]);
    else
      to[i] = static_cast<To>(from[i] * scale);
  return to + count;
}

/// Writes what `range`, a first element and a number of them, says about each
/// of `samples`.
template <typename Range>
static void copyElements(const Column &column, DType dtype,
                         std::span<const int64_t> samples, std::byte *memory,
                         Range range) {
  double scale = isFloat(dtype) ? column.scale : 1;
  withType(dtype, [&](auto zero) {
    column.withStored([&, to = reinterpret_cast<decltype(zero) *>(memory)](
                          auto stored) mutable {
      using From = decltype(stored);
      const From *from = reinterpret_cast<const From *>(column.bytes.data());
      for (int64_t sample : samples) {
        auto [begin, count] = range(sample);
        to = convert(from + begin, count, scale, to);
      }
    });
  });
}

/// Whether a whole number that `from` holds is the one that was given: larger
/// ones than it has digits for may have been rounded.
static bool isExact(double value, DType from) {
  if (!isFloat(from))
    return true;
  return std::abs(value) < std::ldexp(1.0, from == DType::F64 ? 53 : 24);
}

/// Whether a feed of `type` can hold `value`, of a column of `from`: an integer
/// one exactly, a floating-point one as a finite number.
static bool fits(double value, DType from, DType type) {
  if (type == DType::I1)
    return value == 0 || value == 1;
  return withType(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      // The upper end, a power of two, is exact as a double; the largest T
      // may not be.
      return std::trunc(value) == value && isExact(value, from) &&
             value >= static_cast<double>(std::numeric_limits<T>::min()) &&
             value < std::ldexp(1.0, std::numeric_limits<T>::digits);
    else
      return std::isfinite(static_cast<double>(static_cast<T>(value)));
  });
}

//===----------------------------------------------------------------------===//
// FeedMap
//===----------------------------------------------------------------------===//

static std::string show(const TensorType &type) {
  std::string text;
  for (int64_t size : type.shape)
    absl::StrAppend(&text, size < 0 ? "?" : absl::StrCat(size), "x");
  return text.append(dtypeName(type.dtype));
}

/// "feed 'x' is ?x4xf32, ".
static std::string introduce(const FeedSpec &feed) {
  return absl::StrCat("feed '", feed.name, "' is ", show(feed.type),
                      feed.ragged ? " (ragged), " : ", ");
}

static absl::Status feedError(const Dataset &data, const FeedSpec &feed,
                              absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat(introduce(feed), why, " in data '", data.spec, "'"));
}

/// Elements of one sample in a feed that is not ragged.
static int64_t rowElements(const TensorType &type) {
  int64_t elements = 1;
  for (size_t i = 1; i < type.shape.size(); ++i)
    elements *= type.shape[i];
  return elements;
}

/// Whether every number that `from` can hold fits into `to`. What readers
/// store is finite.
static bool alwaysFits(DType from, DType to) {
  if (from == to)
    return true;
  switch (from) {
  case DType::UI8:
    return isFloat(to) || to == DType::I32 || to == DType::I64;
  case DType::I32:
    if (to == DType::I64)
      return true;
    [[fallthrough]];
  case DType::I64:
    return to == DType::F32 || to == DType::F64 || to == DType::BF16;
  case DType::F32:
    return to == DType::F64;
  default:
    return false;
  }
}

std::optional<FeedMap::Source> FeedMap::named(const Dataset &data,
                                              const std::string &name) {
  for (size_t i = 0; i != data.columns.size(); ++i)
    if (data.columns[i].name == name)
      return Source{i, std::nullopt};
  for (const Alias &alias : data.aliases)
    if (alias.name == name)
      return Source{alias.column, alias.element};
  return std::nullopt;
}

/// What the values of a feed are called in errors.
static const std::string &nameOf(const Dataset &data, size_t column,
                                 std::optional<int64_t> element) {
  if (element)
    for (const Alias &alias : data.aliases)
      if (alias.column == column && alias.element == *element)
        return alias.name;
  return data.columns[column].name;
}

absl::Status FeedMap::checkShape(const Dataset &data, const Entry &entry) {
  const FeedSpec &feed = entry.feed;
  const Column &column = data.columns[entry.source.column];
  const std::string &name =
      nameOf(data, entry.source.column, entry.source.element);
  size_t rank = feed.type.shape.size();
  if (feed.ragged || entry.offsets)
    return rank == 1
               ? absl::OkStatus()
               : feedError(
                     data, feed,
                     absl::StrCat("it must have one dimension for the ", name));
  if (rank == 0)
    return feedError(
        data, feed,
        absl::StrCat("it has no batch dimension to hold the ", name));
  int64_t width = rowElements(feed.type);
  int64_t found = entry.source.element ? 1 : column.width;
  if (!column.ragged() && width != found)
    return feedError(data, feed,
                     absl::StrCat("expected ", width, " ", name,
                                  " per sample, found ", found));
  return absl::OkStatus();
}

namespace {

/// A sample of a dataset.
struct StoredSample {
  const Dataset &data;
  int64_t sample;

  int64_t count(size_t column) const {
    return data.columns[column].count(sample);
  }
  double at(size_t column, int64_t element) const {
    return data.columns[column].at(sample, element);
  }
  int64_t id(size_t column, int64_t element) const {
    const Column &from = data.columns[column];
    return reinterpret_cast<const int64_t *>(
        from.bytes.data())[from.begin(sample) + element];
  }
};

/// A sample whose line has just been parsed, behind those of `rows`.
struct ParsedSample {
  const Rows &rows;

  int64_t begin(size_t column) const {
    return rows.begin(rows.columns[column], rows.size);
  }
  int64_t count(size_t column) const {
    return rows.columns[column].elements() - begin(column);
  }
  double at(size_t column, int64_t element) const {
    return Rows::Column::withElements(
        rows.columns[column], [&](auto &elements) -> double {
          return static_cast<double>(elements[begin(column) + element]);
        });
  }
  int64_t id(size_t column, int64_t element) const {
    return rows.columns[column].ids[begin(column) + element];
  }
};

} // namespace

/// Whether values of the column have to be checked one by one; most types
/// always fit.
bool FeedMap::canMisfit(const Dataset &data, const Entry &entry) {
  const Column &column = data.columns[entry.source.column];
  return !entry.offsets &&
         ((column.ragged() && !entry.feed.ragged) || entry.weighted ||
          !alwaysFits(column.dtype, entry.feed.type.dtype));
}

/// `data` has the columns of the sample; it need not hold it.
template <typename Sample>
std::optional<Misfit> FeedMap::findMisfit(const Dataset &data,
                                          const Entry &entry,
                                          const Sample &sample) {
  const FeedSpec &feed = entry.feed;
  const size_t place = entry.source.column;
  const Column &column = data.columns[place];
  const std::string &name = nameOf(data, place, entry.source.element);
  const int64_t count = entry.source.element ? 1 : sample.count(place);
  if (column.ragged() && !feed.ragged)
    if (int64_t width = rowElements(feed.type); count != width)
      return Misfit{place, std::nullopt,
                    absl::StrCat("expected ", width, " ", name,
                                 " per sample, found ", count)};
  if (entry.weighted)
    if (int64_t ids = sample.count(*entry.weighted); ids != count)
      return Misfit{place, std::nullopt,
                    absl::StrCat("expected ", ids,
                                 " weights, one for each id, found ", count)};
  if (alwaysFits(column.dtype, feed.type.dtype))
    return std::nullopt;
  for (int64_t i = 0; i != count; ++i) {
    int64_t element = i + entry.source.element.value_or(0);
    if (fits(sample.at(place, element), column.dtype, feed.type.dtype))
      continue;
    // Not every id is exact as a double.
    std::string value = column.dtype == DType::I64
                            ? absl::StrCat(sample.id(place, element))
                            : absl::StrCat(sample.at(place, element));
    std::string why = absl::StrCat("it cannot hold ", name, " ", value);
    if (!isFloat(feed.type.dtype) &&
        !isExact(sample.at(place, element), column.dtype))
      absl::StrAppend(&why, ", which may have been rounded to ",
                      std::string(dtypeName(column.dtype)));
    if (column.hashed)
      absl::StrAppend(&why, ": add #ids=N for ids below N");
    return Misfit{place, element, std::move(why)};
  }
  return std::nullopt;
}

template <typename Range>
static std::string listNames(const Range &range) {
  if (range.empty())
    return "nothing";
  return absl::StrJoin(range, ", ", [](std::string *out, const auto &each) {
    absl::StrAppend(out, "'", each.name, "'");
  });
}

/// What the graph takes and what `data` has, where they do not fit.
absl::Status FeedMap::lackError(const Dataset &data,
                                std::span<const FeedSpec> feeds) {
  std::string message =
      absl::StrCat("the graph takes ", listNames(feeds), ", data '", data.spec,
                   "' has ", listNames(data.columns));
  auto lacking = std::ranges::find_if(feeds, [&](const FeedSpec &feed) {
    return !feed.user.empty() && !named(data, feed.name);
  });
  if (lacking != feeds.end())
    absl::StrAppend(&message, ": ", lacking->user, " depends on feed '",
                    lacking->name, "'");
  return absl::InvalidArgumentError(message);
}

/// The column of each feed, by name or else in order; nothing where there are
/// too few.
std::optional<std::vector<FeedMap::Source>>
FeedMap::chooseSources(const Dataset &data, std::span<const FeedSpec> feeds) {
  std::vector<bool> taken(data.columns.size());
  std::vector<std::optional<Source>> chosen;
  size_t unnamed = 0;
  for (const FeedSpec &feed : feeds) {
    chosen.push_back(named(data, feed.name));
    unnamed += !chosen.back();
    if (chosen.back() && !chosen.back()->element)
      taken[chosen.back()->column] = true;
  }
  std::vector<size_t> left;
  for (size_t i = 0; i != taken.size(); ++i)
    if (!taken[i] && !absl::EndsWith(data.columns[i].name, weightsSuffix))
      left.push_back(i);
  // A graph without a label may use data that has one, never the reverse.
  if (feeds.empty() || unnamed > left.size())
    return std::nullopt;
  auto next = left.begin();
  std::vector<Source> sources;
  for (const std::optional<Source> &source : chosen)
    sources.push_back(source ? *source : Source{*next++, std::nullopt});
  return sources;
}

/// Feeds that are not about another feed.
absl::Status FeedMap::addPlain(const Dataset &data,
                               std::vector<FeedSpec> feeds) {
  std::optional<std::vector<Source>> sources = chooseSources(data, feeds);
  if (!sources) {
    std::erase_if(feeds, [&](const FeedSpec &feed) {
      const bool isLeftOut = feed.optional && !named(data, feed.name);
      if (isLeftOut)
        missing.push_back(feed.name);
      return isLeftOut;
    });
    sources = chooseSources(data, feeds);
  }
  if (!sources)
    return lackError(data, feeds);
  for (size_t i = 0; i != feeds.size(); ++i)
    entries.push_back(
        {.feed = feeds[i], .source = (*sources)[i], .weighted = {}});
  return absl::OkStatus();
}

/// Offsets or weights of the ragged feed of `base`.
absl::Status FeedMap::addDerived(const Dataset &data, const FeedSpec &feed,
                                 const Entry &base) {
  Entry entry{.feed = feed, .source = base.source, .weighted = {}};
  if (absl::EndsWith(feed.name, offsetsSuffix)) {
    if (feed.ragged || feed.type.dtype != DType::I64)
      return feedError(data, feed,
                       "expected ?xi64, one element for each sample,");
    entry.offsets = true;
  } else {
    const std::string &ids =
        nameOf(data, base.source.column, base.source.element);
    std::optional<Source> weights =
        named(data, absl::StrCat(ids, weightsSuffix));
    if (!weights)
      return feedError(data, feed,
                       absl::StrCat("but there are no weights of ", ids));
    entry.source = *weights;
    entry.weighted = base.source.column;
  }
  entries.push_back(std::move(entry));
  return absl::OkStatus();
}

/// Plain feeds first: offsets and weights are about the column that a plain
/// feed has chosen.
absl::StatusOr<FeedMap> FeedMap::create(const Dataset &data,
                                        std::span<const FeedSpec> feeds) {
  FeedMap map;
  std::vector<FeedSpec> plain;
  std::vector<std::pair<FeedSpec, std::string>> derived;
  for (const FeedSpec &feed : feeds) {
    std::string base = baseOfDerivedFeed(feed.name, feeds);
    if (base.empty())
      plain.push_back(feed);
    else
      derived.emplace_back(feed, base);
  }
  RETURN_IF_ERROR(map.addPlain(data, std::move(plain)));
  for (const auto &[feed, base] : derived) {
    if (std::ranges::count(map.missing, base) != 0) {
      map.missing.push_back(feed.name);
      continue;
    }
    auto found = std::find_if(
        map.entries.begin(), map.entries.end(),
        [&](const Entry &entry) { return entry.feed.name == base; });
    Entry of = *found;
    RETURN_IF_ERROR(map.addDerived(data, feed, of));
  }
  for (const Entry &entry : map.entries)
    RETURN_IF_ERROR(checkShape(data, entry));
  return map;
}

/// Fails on the first sample that does not fit its feed, with its place in the
/// file if that is known.
absl::Status FeedMap::check(const Dataset &data) const {
  for (const Entry &entry : entries) {
    if (!canMisfit(data, entry))
      continue;
    for (int64_t sample = 0; sample != data.size; ++sample) {
      std::optional<Misfit> misfit =
          findMisfit(data, entry, StoredSample{data, sample});
      if (!misfit)
        continue;
      if (!data.place)
        return feedError(data, entry.feed,
                         absl::StrCat(misfit->why, " of sample ", sample));
      return absl::InvalidArgumentError(absl::StrCat(
          data.place(sample, misfit->column, misfit->element.value_or(0)), ": ",
          introduce(entry.feed), misfit->why));
    }
  }
  return absl::OkStatus();
}

/// The same check for lines as they are parsed; null if nothing can be wrong.
SampleCheck FeedMap::checkOfLines(std::shared_ptr<const Dataset> data) const {
  std::vector<Entry> checked;
  for (const Entry &entry : entries)
    if (canMisfit(*data, entry))
      checked.push_back(entry);
  if (checked.empty())
    return nullptr;
  return [data = std::move(data), checked = std::move(checked)](
             const Rows &rows) -> std::optional<Misfit> {
    for (const Entry &entry : checked)
      if (std::optional<Misfit> misfit =
              findMisfit(*data, entry, ParsedSample{rows})) {
        misfit->why = introduce(entry.feed) + misfit->why;
        return misfit;
      }
    return std::nullopt;
  };
}

void FeedMap::appendIds(const Dataset &data, std::span<const int64_t> samples,
                        const std::string &feed,
                        std::vector<int64_t> &ids) const {
  for (const Entry &entry : entries) {
    if (entry.feed.name != feed || entry.offsets)
      continue;
    const Column &column = data.columns[entry.source.column];
    auto rangeOf = [&](int64_t sample) {
      return std::pair(entry.source.begin(column, sample),
                       entry.source.count(column, sample));
    };
    const size_t before = ids.size();
    int64_t added = 0;
    for (int64_t sample : samples)
      added += rangeOf(sample).second;
    ids.resize(before + size_t(added));
    copyElements(column, DType::I64, samples,
                 reinterpret_cast<std::byte *>(ids.data() + before), rangeOf);
  }
}

/// Copies the samples of a batch into the feeds, in the order of `samples`.
absl::Status FeedMap::gather(const Dataset &data,
                             std::span<const int64_t> samples,
                             const std::map<std::string, TensorRef> &feeds,
                             std::map<std::string, RaggedBuffer> &ragged,
                             int worker) const {
  for (const Entry &entry : entries) {
    const std::string name = nameFeed(entry.feed.name, worker);
    const Source &source = entry.source;
    const Column &column = data.columns[source.column];
    if (entry.offsets) {
      int64_t *to = feeds.at(name).as<int64_t>(), total = 0;
      for (int64_t sample : samples) {
        *to++ = total;
        total += source.count(column, sample);
      }
      continue;
    }
    std::byte *to;
    if (entry.feed.ragged) {
      RaggedBuffer &buffer = ragged.at(name);
      int64_t total = 0;
      for (int64_t sample : samples)
        total += source.count(column, sample);
      RETURN_IF_ERROR(
          annotate(buffer.assign(total), "feed '", entry.feed.name, "'"));
      to = buffer.bytes.data();
    } else {
      to = feeds.at(name).data;
    }
    copyElements(column, entry.feed.type.dtype, samples, to,
                 [&](int64_t sample) {
                   return std::pair(source.begin(column, sample),
                                    source.count(column, sample));
                 });
  }
  return absl::OkStatus();
}
