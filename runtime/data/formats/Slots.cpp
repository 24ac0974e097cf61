// SPDX-License-Identifier: Apache-2.0
//===- Slots.cpp - samples of named slots ---------------------------------===//
//
// multislot:  "<n> v1 ... vn" for each slot in order, single blanks between
// slots:      "name:value" as often as wanted, in any order
// libsvm:     "label index:value index:value ..."
//
//===----------------------------------------------------------------------===//

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/LineFormat.h"
#include "runtime/data/Numbers.h"
#include <algorithm>
#include <optional>

using namespace ps::runtime;

LineFormat::Result LineFormat::parse(absl::string_view line, bool first,
                                     Rows &rows, LineError &error) const {
  Result result = parseLine(line, first, rows, error);
  if (result == Result::Sample && check)
    if (std::optional<Misfit> misfit = check(rows)) {
      error = {locate(*misfit, line, first), std::move(misfit->why)};
      result = Result::Broken;
    }
  if (result == Result::Sample)
    rows.endSample();
  else
    rows.dropSample();
  return result;
}

/// Where a line has what does not fit: parses it once more.
int64_t LineFormat::locate(const Misfit &misfit, absl::string_view line,
                           bool first) const {
  Rows rows(columns);
  Rows::Trace trace;
  rows.columns[misfit.column].trace = &trace;
  LineError none;
  parseLine(line, first, rows, none);
  if (!misfit.element && trace.begin)
    return *trace.begin;
  const size_t element = misfit.element.value_or(0);
  return element < trace.elements.size() ? trace.elements[element] : 1;
}

static bool isBlank(char c) { return c == ' ' || c == '\t'; }

namespace {

/// A place in a line.
struct Cursor {
  explicit Cursor(absl::string_view line, LineError &error)
      : start(line.data()), p(start), end(start + line.size()), error(error) {}

  LineFormat::Result fail(const char *at, std::string why) {
    error.column = at - start + 1;
    error.why = std::move(why);
    return LineFormat::Result::Broken;
  }

  /// Reads a word that is a number of the column's type.
  bool readValue(Rows::Column &to) {
    const char *word = p;
    if (to.trace)
      to.trace->elements.push_back(word - start + 1);
    if (to.dtype == DType::I64) {
      int64_t id;
      NumberError failed = readId(p, end, id);
      if (failed != NumberError::None || !atWordEnd()) {
        fail(word, explainId(failed, word, end));
        return false;
      }
      to.ids.push_back(id);
      return true;
    }
    return to.dtype == DType::F32 ? appendWord(to.numbers)
                                  : appendWord(to.wideNumbers);
  }
  template <typename Number>
  bool appendWord(std::vector<Number> &numbers) {
    Number number;
    if (!readWord(number))
      return false;
    numbers.push_back(number);
    return true;
  }
  /// Reads a word that is a number.
  template <typename Number>
  bool readWord(Number &number) {
    const char *word = p;
    NumberError failed = readNumber(p, end, number);
    if (failed == NumberError::None && atWordEnd())
      return true;
    fail(word, explainNumber(failed, word, end,
                             sizeof(Number) == sizeof(float) ? "f32" : "f64"));
    return false;
  }
  bool atWordEnd() const { return p == end || isBlank(*p); }
  void skipBlanks() {
    while (p != end && isBlank(*p))
      ++p;
  }

  const char *start, *p, *end;
  LineError &error;
};

} // namespace

//===----------------------------------------------------------------------===//
// MultiSlot
//===----------------------------------------------------------------------===//

namespace {

class MultiSlotFormat : public LineFormat {
public:
  explicit MultiSlotFormat(MultiSlotOptions given) : options(std::move(given)) {
    for (const SlotSpec &slot : options.slots)
      if (!slot.name.empty())
        columns.push_back({.name = slot.name, .dtype = slot.dtype});
  }

private:
  Result parseLine(absl::string_view line, bool first, Rows &rows,
                   LineError &error) const override;
  /// "'s1'", or for a slot that is not used its number.
  std::string nameOf(size_t slot) const {
    const std::string &name = options.slots[slot].name;
    return name.empty() ? absl::StrCat(slot + 1) : absl::StrCat("'", name, "'");
  }
  bool readCount(Cursor &cursor, int64_t &count) const;
  bool failCount(Cursor &cursor, const char *word,
                 const std::string &what) const;
  bool skipInsId(Cursor &cursor) const;
  bool readSlot(Cursor &cursor, size_t slot, Rows::Column *to) const;

  MultiSlotOptions options;
};

} // namespace

bool MultiSlotFormat::readCount(Cursor &cursor, int64_t &count) const {
  return cursor.p != cursor.end && *cursor.p != '-' &&
         readId(cursor.p, cursor.end, count) == NumberError::None &&
         cursor.atWordEnd() && count >= 0;
}

/// Says why there is no count of values at `word`.
bool MultiSlotFormat::failCount(Cursor &cursor, const char *word,
                                const std::string &what) const {
  const std::string found = quoteWord(word, cursor.end);
  if (word == cursor.end)
    cursor.fail(word, absl::StrCat("line ends before ", what));
  else
    cursor.fail(word, absl::StrCat("expected the number of values of ", what,
                                   ", found ", found,
                                   absl::StrContains(found, ':')
                                       ? ": is this a file for slots:?"
                                       : ""));
  return false;
}

/// Reads "1 ID ".
bool MultiSlotFormat::skipInsId(Cursor &cursor) const {
  const char *word = cursor.p;
  int64_t count;
  if (!readCount(cursor, count))
    return failCount(cursor, word, "the instance's id");
  if (count != 1) {
    cursor.fail(word, absl::StrCat("expected 1 id of the instance, found ",
                                   quoteWord(word, cursor.end)));
    return false;
  }
  cursor.skipBlanks();
  while (!cursor.atWordEnd())
    ++cursor.p;
  cursor.skipBlanks();
  return true;
}

bool MultiSlotFormat::readSlot(Cursor &cursor, size_t slot,
                               Rows::Column *to) const {
  const char *word = cursor.p;
  int64_t count;
  if (!readCount(cursor, count))
    return failCount(cursor, word, absl::StrCat("slot ", nameOf(slot)));
  if (count == 0 && !options.emptySlots) {
    cursor.fail(word,
                absl::StrCat("slot ", nameOf(slot),
                             " has no values: pad it with one, or add #empty"));
    return false;
  }
  if (to && to->trace)
    to->trace->begin = word - cursor.start + 1;
  for (int64_t i = 0; i != count; ++i) {
    float skipped;
    if (cursor.p == cursor.end || *cursor.p != ' ' ||
        cursor.p + 1 == cursor.end || isBlank(cursor.p[1])) {
      cursor.fail(cursor.p, absl::StrCat("slot ", nameOf(slot), " announces ",
                                         count, " values, found ", i));
      return false;
    }
    ++cursor.p;
    if (to ? !cursor.readValue(*to) : !cursor.readWord(skipped)) {
      cursor.error.why =
          absl::StrCat("slot ", nameOf(slot), ": ", cursor.error.why);
      return false;
    }
  }
  return true;
}

LineFormat::Result MultiSlotFormat::parseLine(absl::string_view line, bool,
                                              Rows &rows,
                                              LineError &error) const {
  Cursor cursor(line, error);
  if (options.insId && !skipInsId(cursor))
    return Result::Broken;
  size_t column = 0;
  for (size_t slot = 0; slot != options.slots.size(); ++slot) {
    if (slot != 0) {
      // A blank separates slots, none before the first.
      if (cursor.p != cursor.end && *cursor.p == ' ')
        ++cursor.p;
      else if (cursor.p != cursor.end)
        return cursor.fail(cursor.p, "expected a blank");
    }
    bool used = !options.slots[slot].name.empty();
    if (!readSlot(cursor, slot, used ? &rows.columns[column] : nullptr))
      return Result::Broken;
    column += used;
  }
  cursor.skipBlanks();
  if (cursor.p != cursor.end)
    return cursor.fail(cursor.p, absl::StrCat(quoteWord(cursor.p, cursor.end),
                                              " follows the last of ",
                                              options.slots.size(), " slots"));
  return Result::Sample;
}

std::unique_ptr<LineFormat>
ps::runtime::multiSlotFormat(MultiSlotOptions options) {
  return std::make_unique<MultiSlotFormat>(std::move(options));
}

//===----------------------------------------------------------------------===//
// Named slots
//===----------------------------------------------------------------------===//

namespace {

class SlotsFormat : public LineFormat {
public:
  explicit SlotsFormat(const std::vector<SlotSpec> &slots) {
    for (const SlotSpec &slot : slots) {
      if (slot.name.empty())
        continue;
      places.emplace(slot.name, columns.size());
      columns.push_back({.name = slot.name, .dtype = slot.dtype});
    }
  }

private:
  Result parseLine(absl::string_view line, bool first, Rows &rows,
                   LineError &error) const override;

  absl::flat_hash_map<std::string, size_t> places;
};

} // namespace

LineFormat::Result SlotsFormat::parseLine(absl::string_view line, bool,
                                          Rows &rows, LineError &error) const {
  Cursor cursor(line, error);
  // Files repeat a slot, then continue with the next one.
  size_t guess = 0;
  for (cursor.skipBlanks(); cursor.p != cursor.end; cursor.skipBlanks()) {
    const char *word = cursor.p;
    while (!cursor.atWordEnd() && *cursor.p != ':')
      ++cursor.p;
    absl::string_view name(word, cursor.p - word);
    if (name.empty() || cursor.atWordEnd())
      return cursor.fail(word, absl::StrCat("expected slot:value, found ",
                                            quoteWord(word, cursor.end)));
    ++cursor.p;
    for (size_t tries = 0; tries != 2; ++tries, ++guess)
      if (guess < columns.size() && columns[guess].name == name)
        break;
    if (guess >= columns.size() || columns[guess].name != name) {
      auto found = places.find(name);
      guess = found == places.end() ? 0 : found->second;
      if (found == places.end()) {
        while (!cursor.atWordEnd())
          ++cursor.p;
        continue;
      }
    }
    if (!cursor.readValue(rows.columns[guess])) {
      error.why = absl::StrCat("slot '", name, "': ", error.why);
      return Result::Broken;
    }
  }
  return Result::Sample;
}

std::unique_ptr<LineFormat>
ps::runtime::slotsFormat(std::vector<SlotSpec> slots) {
  return std::make_unique<SlotsFormat>(slots);
}

//===----------------------------------------------------------------------===//
// libsvm
//===----------------------------------------------------------------------===//

namespace {

class LibsvmFormat : public LineFormat {
public:
  LibsvmFormat() {
    columns = {{.name = "features", .dtype = DType::I64},
               {.name = "features.weights", .dtype = DType::F32},
               {.name = "label", .dtype = DType::F32, .width = 1}};
  }

private:
  Result parseLine(absl::string_view line, bool first, Rows &rows,
                   LineError &error) const override;
};

} // namespace

LineFormat::Result LibsvmFormat::parseLine(absl::string_view line, bool,
                                           Rows &rows, LineError &error) const {
  line = line.substr(0, line.find('#')); // a comment
  Cursor cursor(line, error);
  cursor.skipBlanks();
  if (cursor.p == cursor.end)
    return Result::Header;
  if (!cursor.readValue(rows.columns[2])) {
    error.why = absl::StrCat("the label ", error.why);
    return Result::Broken;
  }
  for (cursor.skipBlanks(); cursor.p != cursor.end; cursor.skipBlanks()) {
    const char *word = cursor.p;
    int64_t id;
    NumberError failed = readId(cursor.p, cursor.end, id);
    if (failed == NumberError::OutOfRange)
      return cursor.fail(word, explainId(failed, word, cursor.end));
    if (failed != NumberError::None || cursor.p == cursor.end ||
        *cursor.p != ':')
      return cursor.fail(word, absl::StrCat("expected index:value, found ",
                                            quoteWord(word, cursor.end)));
    ++cursor.p;
    rows.columns[0].ids.push_back(id);
    if (rows.columns[0].trace)
      rows.columns[0].trace->elements.push_back(word - cursor.start + 1);
    if (!cursor.readValue(rows.columns[1]))
      return Result::Broken;
  }
  return Result::Sample;
}

std::unique_ptr<LineFormat> ps::runtime::libsvmFormat() {
  return std::make_unique<LibsvmFormat>();
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

namespace {
/// One of "#slots=click:f,s1,-"; without a name it is skipped, without a type
/// it has that of its feed.
struct SlotName {
  std::string name;
  std::optional<DType> dtype;
};
} // namespace

/// Parses "click:f,s1,-"; false when it is none of these.
static bool parseSlots(absl::string_view text, std::vector<SlotName> &slots) {
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    SlotName slot;
    if (absl::ConsumeSuffix(&item, ":f"))
      slot.dtype = DType::F32;
    else if (absl::ConsumeSuffix(&item, ":i"))
      slot.dtype = DType::I64;
    if (item.empty())
      return false;
    if (item != "-")
      slot.name = std::string(item);
    auto same = [&](const SlotName &other) {
      return !slot.name.empty() && other.name == slot.name;
    };
    if (std::any_of(slots.begin(), slots.end(), same))
      return false;
    slots.push_back(std::move(slot));
  }
  return true;
}

static std::string checkSlots(absl::string_view value) {
  std::vector<SlotName> slots;
  return parseSlots(value, slots)
             ? ""
             : "names that differ, with :f for numbers or :i for ids behind "
               "them, and - for slots to be skipped";
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
  std::vector<SlotName> given;
  if (spec.has("slots"))
    parseSlots(spec.suffix("slots"), given);
  if (given.empty())
    for (const FeedSpec &feed : feeds)
      if (baseOfDerivedFeed(feed.name, feeds).empty())
        given.push_back({feed.name, std::nullopt});
  if (given.empty())
    return spec.error("the slots are unknown: add #slots=NAMES");
  // A slot that is misspelt must not be taken by its place.
  for (const FeedSpec &feed : feeds)
    if (baseOfDerivedFeed(feed.name, feeds).empty() &&
        std::none_of(given.begin(), given.end(),
                     [&](auto &slot) { return slot.name == feed.name; }))
      return spec.error(
          absl::StrCat("#slots= does not name the feed '", feed.name, "'"));
  std::vector<SlotSpec> slots;
  for (const SlotName &slot : given) {
    auto feed = find(slot.name);
    DType dtype = feed != feeds.end() && isFloat(feed->type.dtype) ? DType::F32
                                                                   : DType::I64;
    bool used = feed != feeds.end() || feeds.empty();
    slots.push_back({used ? slot.name : "", slot.dtype.value_or(dtype)});
  }
  return slots;
}

static absl::StatusOr<std::unique_ptr<LineFormat>>
makeMultiSlot(const DataSpec &spec, const DataOptions &options) {
  ASSIGN_OR_RETURN(std::vector<SlotSpec> slots,
                   chooseSlots(spec, options.feeds));
  return multiSlotFormat({.slots = std::move(slots),
                          .insId = spec.has("ins-id"),
                          .emptySlots = spec.has("empty")});
}

static absl::StatusOr<std::unique_ptr<LineFormat>>
makeSlots(const DataSpec &spec, const DataOptions &options) {
  ASSIGN_OR_RETURN(std::vector<SlotSpec> slots,
                   chooseSlots(spec, options.feeds));
  return slotsFormat(std::move(slots));
}

static absl::StatusOr<std::unique_ptr<LineFormat>>
makeLibsvm(const DataSpec &, const DataOptions &) {
  return libsvmFormat();
}

const DataFormat formats::multislot = {
    .name = "multislot",
    .source = "GLOB",
    .help = "a line holds \"N V1 .. VN\" for each feed in order; add\n"
            "#slots=click:f,s1,- to name the slots (:f numbers,\n"
            ":i ids, - to skip one), #ins-id to skip an id in\n"
            "front, #empty to allow slots without values",
    .suffixes = {{"slots", "NAMES", checkSlots}, {"ins-id"}, {"empty"}},
    .makeLines = makeMultiSlot};

const DataFormat formats::slots = {
    .name = "slots",
    .source = "GLOB",
    .help = "a line holds \"name:value\" any number of times for each\n"
            "feed",
    .suffixes = {{"slots", "NAMES", checkSlots}},
    .makeLines = makeSlots};

const DataFormat formats::libsvm = {
    .name = "libsvm",
    .source = "GLOB",
    .help = "\"label index:value ..\": feeds features,\n"
            "features.weights, label",
    .makeLines = makeLibsvm};
