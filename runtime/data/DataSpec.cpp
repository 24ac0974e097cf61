//===- DataSpec.cpp - what a --data string says ---------------------------===//

#include "runtime/data/DataSpec.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/data/FeedMap.h"
#include <algorithm>
#include <glob.h>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Suffixes
//===----------------------------------------------------------------------===//

absl::Status DataSpec::error(absl::string_view why) const {
  return absl::InvalidArgumentError(absl::StrCat("data '", text, "': ", why));
}

/// Parses "A-B", "A-" or "-B".
static std::optional<SampleRange> parseRange(absl::string_view text) {
  std::vector<absl::string_view> ends = absl::StrSplit(text, '-');
  SampleRange range;
  if (ends.size() != 2 || text == "-" ||
      !(ends[0].empty() || absl::SimpleAtoi(ends[0], &range.begin)) ||
      !(ends[1].empty() || absl::SimpleAtoi(ends[1], &range.end)))
    return std::nullopt;
  return range;
}

absl::Status ps::runtime::checkRange(absl::string_view spec,
                                     const SampleRange &range,
                                     int64_t samples) {
  int64_t end = range.endOf(samples);
  if (range.begin < end && end <= samples)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "data '", spec, "': range #", range.begin, "-",
      range.end == SampleRange::toTheEnd ? "" : absl::StrCat(range.end),
      " is not within its ", samples, " samples"));
}

/// Parses "click:f,s1,-"; false when it is none of these.
static bool parseSlots(absl::string_view text,
                       std::vector<DataSpec::Slot> &slots) {
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    DataSpec::Slot slot;
    if (absl::ConsumeSuffix(&item, ":f"))
      slot.dtype = DType::F32;
    else if (absl::ConsumeSuffix(&item, ":i"))
      slot.dtype = DType::I64;
    if (item.empty())
      return false;
    if (item != "-")
      slot.name = std::string(item);
    auto same = [&](const DataSpec::Slot &other) {
      return !slot.name.empty() && other.name == slot.name;
    };
    if (std::any_of(slots.begin(), slots.end(), same))
      return false;
    slots.push_back(std::move(slot));
  }
  return true;
}

/// The kinds that take the suffix called `name`.
static std::vector<absl::string_view> kindsOf(absl::string_view name) {
  if (name == "label" || name == "header" || name == "noheader")
    return {"csv"};
  if (name == "slots")
    return {"multislot", "slots"};
  if (name == "ins-id" || name == "empty")
    return {"multislot"};
  if (name == "ids")
    return {"criteo"};
  return {};
}

static absl::Status parseSuffix(DataSpec &spec, absl::string_view text) {
  if (std::optional<SampleRange> range = parseRange(text)) {
    if (range->begin >= range->end)
      return spec.error(absl::StrCat("#", text, " is empty"));
    spec.range = range;
    return absl::OkStatus();
  }
  std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  auto [name, value] = parts;
  std::vector<absl::string_view> kinds = kindsOf(name);
  bool valued = name == "label" || name == "slots" || name == "ids";
  if (kinds.empty() || valued != absl::StrContains(text, '='))
    return spec.error(absl::StrCat(
        "'#", text,
        "' is none of #A-B, #A-, #-B, #label=COL, #header and #noheader of "
        "csv, "
        "#slots=NAMES, #ins-id and #empty of multislot, #slots=NAMES of slots "
        "and #ids=N of criteo"));
  if (std::find(kinds.begin(), kinds.end(), spec.kind) == kinds.end())
    return spec.error(absl::StrCat(
        "#", name, " is for ", absl::StrJoin(kinds, " and "), " files only"));
  if (name == "label")
    spec.label = std::string(value);
  else if (name == "header")
    spec.header = CsvOptions::Header::Yes;
  else if (name == "noheader")
    spec.header = CsvOptions::Header::No;
  else if (name == "ins-id")
    spec.insId = true;
  else if (name == "empty")
    spec.emptySlots = true;
  else if (name == "slots" && !parseSlots(value, spec.slots))
    return spec.error(absl::StrCat(
        "'#", text,
        "': expected names that differ, with :f for numbers or :i for ids "
        "behind them, and - for slots to be read over"));
  else if (name == "ids" &&
           (!absl::SimpleAtoi(value, &spec.ids) || spec.ids == 0 ||
            spec.ids > uint64_t(std::numeric_limits<int64_t>::max())))
    return spec.error(
        absl::StrCat("'#", text, "': expected a number of ids from 1"));
  return absl::OkStatus();
}

absl::StatusOr<DataSpec> DataSpec::parse(const std::string &text) {
  DataSpec spec{.text = text};
  std::vector<std::string> parts = absl::StrSplit(text, '#');
  std::pair<std::string, std::string> source =
      absl::StrSplit(parts[0], absl::MaxSplits(':', 1));
  std::tie(spec.kind, spec.source) = source;
  if (spec.kind == "parquet")
    return spec.error("parquet files are not read, for want of a library in "
                      "Debian: convert them to text, such as criteo or "
                      "multislot");
  bool known = spec.kind == "idx" || spec.kind == "csv" ||
               spec.kind == "text" || spec.kind == "synthetic" ||
               isLineKind(spec.kind);
  if (!known || !absl::StrContains(parts[0], ':'))
    return spec.error(
        "expected idx:IMAGES,LABELS, csv:FILE, multislot:GLOB, slots:GLOB, "
        "criteo:GLOB, libsvm:GLOB, text:FILE, "
        "synthetic:digits or synthetic:ctr");
  if (spec.source.empty())
    return spec.error(
        absl::StrCat("expected a source behind '", spec.kind, ":'"));
  for (size_t i = 1; i != parts.size(); ++i)
    if (absl::Status status = parseSuffix(spec, parts[i]); !status.ok())
      return status;
  return spec;
}

std::string DataSpec::withoutFiles() const {
  if (kind == "synthetic")
    return text;
  const size_t suffixes = std::min(text.find('#'), text.size());
  // In names of other files a '?' is part of a pattern.
  const size_t query = kind == "text" ? text.find('?') : suffixes;
  return absl::StrCat(kind, text.substr(std::min(query, suffixes)));
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

bool ps::runtime::isLineKind(absl::string_view kind) {
  return kind == "multislot" || kind == "slots" || kind == "criteo" ||
         kind == "libsvm";
}

absl::Status ps::runtime::checkLineKind(const DataSpec &spec,
                                        absl::string_view flag) {
  if (isLineKind(spec.kind))
    return absl::OkStatus();
  return spec.error(absl::StrCat(
      flag, " is for multislot, slots, criteo and libsvm files only"));
}

absl::Status LineFiles::emptyError(const DataSpec &spec) const {
  if (files.size() == 1)
    return absl::DataLossError(
        absl::StrCat("'", files.front(), "': holds no samples"));
  return absl::DataLossError(
      absl::StrCat("'", spec.source, "': hold no samples"));
}

/// Expands the patterns in `list`, separated by commas.
static absl::StatusOr<std::vector<std::string>> expand(const DataSpec &spec) {
  std::vector<std::string> files;
  for (const std::string &pattern :
       std::vector<std::string>(absl::StrSplit(spec.source, ','))) {
    if (pattern.empty())
      return spec.error("expected a name on both sides of each comma");
    glob_t found;
    int failed = glob(pattern.c_str(), GLOB_TILDE, nullptr, &found);
    if (failed == 0)
      files.insert(files.end(), found.gl_pathv,
                   found.gl_pathv + found.gl_pathc);
    if (failed == 0 || failed == GLOB_NOMATCH)
      globfree(&found);
    // Opening a plain name says best why it cannot be used.
    if (failed != 0 && pattern.find_first_of("*?[") == std::string::npos)
      files.push_back(pattern);
    else if (failed != 0)
      return absl::NotFoundError(
          absl::StrCat("no file matches '", pattern, "'"));
  }
  return files;
}

/// The slots of a file, by #slots or else as the feeds that stand for
/// themselves come.
static absl::StatusOr<std::vector<SlotSpec>>
chooseSlots(const DataSpec &spec, std::span<const FeedSpec> feeds) {
  auto find = [&](const std::string &name) {
    return std::find_if(feeds.begin(), feeds.end(), [&](const FeedSpec &feed) {
      return feed.name == name;
    });
  };
  std::vector<DataSpec::Slot> given = spec.slots;
  if (given.empty())
    for (const FeedSpec &feed : feeds)
      if (baseOfDerivedFeed(feed.name, feeds).empty())
        given.push_back({feed.name, std::nullopt});
  if (given.empty())
    return spec.error("nothing says which slots there are: add #slots=NAMES");
  // A slot that is misspelt must not be taken by its place.
  for (const FeedSpec &feed : feeds)
    if (baseOfDerivedFeed(feed.name, feeds).empty() &&
        std::none_of(given.begin(), given.end(),
                     [&](auto &slot) { return slot.name == feed.name; }))
      return spec.error(
          absl::StrCat("#slots= does not name the feed '", feed.name, "'"));
  std::vector<SlotSpec> slots;
  for (const DataSpec::Slot &slot : given) {
    auto feed = find(slot.name);
    DType dtype = feed != feeds.end() && isFloat(feed->type.dtype) ? DType::F32
                                                                   : DType::I64;
    bool used = feed != feeds.end() || feeds.empty();
    slots.push_back({used ? slot.name : "", slot.dtype.value_or(dtype)});
  }
  return slots;
}

/// The files that one reader of several is dealt.
static absl::StatusOr<std::vector<std::string>>
deal(const DataSpec &spec, std::vector<std::string> files,
     const DataOptions &options) {
  const size_t readers = options.readers;
  if (files.size() < readers)
    return spec.error(absl::StrCat(
        files.size() == 1 ? "1 file" : absl::StrCat(files.size(), " files"),
        " cannot be dealt to ", readers,
        " trainers: cut the data into more files, or leave out "
        "--data-split=files"));
  std::vector<std::string> dealt;
  for (size_t i = options.reader; i < files.size(); i += readers)
    dealt.push_back(std::move(files[i]));
  return dealt;
}

/// A feed of f64 gets all digits of the text: numbers are kept as f64 then.
static void keepDigits(std::span<const FeedSpec> feeds, LineFormat &format) {
  if (std::none_of(feeds.begin(), feeds.end(), [](const FeedSpec &feed) {
        return feed.type.dtype == DType::F64;
      }))
    return;
  for (ColumnSpec &column : format.columns)
    if (column.dtype == DType::F32)
      column.dtype = DType::F64;
}

static absl::StatusOr<std::unique_ptr<LineFormat>>
makeFormat(const DataSpec &spec, std::span<const FeedSpec> feeds) {
  if (spec.kind == "criteo")
    return criteoFormat(spec.ids);
  if (spec.kind == "libsvm")
    return libsvmFormat();
  absl::StatusOr<std::vector<SlotSpec>> slots = chooseSlots(spec, feeds);
  if (!slots.ok())
    return slots.status();
  if (spec.kind == "slots")
    return slotsFormat(*std::move(slots));
  return multiSlotFormat({.slots = *std::move(slots),
                          .insId = spec.insId,
                          .emptySlots = spec.emptySlots});
}

/// Makes lines that do not fill `feeds` broken ones.
static absl::Status checkFeeds(const DataSpec &spec,
                               std::span<const FeedSpec> feeds,
                               LineFormat &format) {
  auto columns = std::make_shared<const Dataset>(
      ColumnStore(format.columns, format.aliases, spec.text).take());
  absl::StatusOr<FeedMap> map = FeedMap::create(*columns, feeds);
  if (!map.ok())
    return map.status();
  format.check = map->checkOfLines(std::move(columns));
  return absl::OkStatus();
}

absl::StatusOr<LineFiles>
ps::runtime::findLineFiles(const DataSpec &spec, const DataOptions &options) {
  absl::StatusOr<std::unique_ptr<LineFormat>> format =
      makeFormat(spec, options.feeds);
  if (!format.ok())
    return format.status();
  keepDigits(options.feeds, **format);
  if (!options.feeds.empty())
    if (absl::Status s = checkFeeds(spec, options.feeds, **format); !s.ok())
      return s;
  LineFiles result{.files = {}, .format = *std::move(format)};
  absl::StatusOr<std::vector<std::string>> files = expand(spec);
  if (files.ok())
    files = deal(spec, *std::move(files), options);
  if (!files.ok())
    return files.status();
  result.files = *std::move(files);
  return result;
}
