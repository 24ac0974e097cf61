//===- Dataset.cpp - from a --data string to samples ----------------------===//

#include "runtime/data/Dataset.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/Status.h"
#include "runtime/data/Query.h"
#include "runtime/data/SampleReader.h"
#include <cstring>
#include <new>
#include <optional>

using namespace ps::runtime;

std::string ps::runtime::baseOfDerivedFeed(absl::string_view name,
                                           std::span<const FeedSpec> feeds) {
  absl::string_view base = name;
  if (absl::ConsumeSuffix(&base, offsetsSuffix) ||
      absl::ConsumeSuffix(&base, weightsSuffix))
    for (const FeedSpec &feed : feeds)
      if (feed.ragged && feed.name == base)
        return feed.name;
  return "";
}

absl::Status ps::runtime::checkOffsets(std::span<const FeedSpec> feeds) {
  for (const FeedSpec &feed : feeds) {
    absl::string_view base = feed.name;
    if (absl::ConsumeSuffix(&base, offsetsSuffix) &&
        baseOfDerivedFeed(feed.name, feeds).empty())
      return absl::InvalidArgumentError(
          absl::StrCat("feed '", feed.name, "': there is no ragged feed '",
                       base, "' whose bags it could divide"));
  }
  return absl::OkStatus();
}

static absl::Status noGenerator(const DataSpec &spec, absl::string_view name) {
  return spec.error(absl::StrCat("there is no generator '", name,
                                 "', only synthetic:digits and synthetic:ctr"));
}

/// Reads all samples of text files.
static absl::StatusOr<Dataset> readLines(const DataSpec &spec,
                                         const DataOptions &options) {
  absl::StatusOr<LineFiles> found = findLineFiles(spec, options);
  if (!found.ok())
    return found.status();
  ColumnStore store(found->format->columns, found->format->aliases, spec.text);
  SampleReader reader({.files = found->files,
                       .format = found->format,
                       .pipeCommand = options.pipeCommand,
                       .threads = options.threads,
                       .badLines = options.badLines});
  if (absl::Status s = reader.forEach(
          [&](const Rows &rows) { return store.append(rows, 0, rows.size); });
      !s.ok())
    return s;
  if (store.data().size == 0)
    return found->emptyError(spec);
  Dataset data = std::move(store).take();
  if (reader.skippedLines() != 0)
    data.notes.push_back(
        absl::StrCat("skipped ", reader.skippedLines(), " broken lines"));
  for (const Column &column : data.columns)
    if (column.begin(data.size) == 0)
      data.notes.push_back(emptySlotNote(column.name, "every sample"));
  return data;
}

/// The largest double that is an int64_t.
static constexpr double maxSeed = 0x1.fffffffffffffp62;

static absl::StatusOr<Dataset> readDigits(const DataSpec &spec) {
  DigitsOptions options;
  int64_t seed = 0;
  absl::StatusOr<std::string> name = parseQuery(
      spec, {{{"n", &options.samples, 1, 1e7}, {"seed", &seed, 0, maxSeed}}});
  if (!name.ok())
    return name.status();
  if (*name != "digits")
    return noGenerator(spec, *name);
  options.seed = seed;
  return makeDigits(options);
}

/// Draws only the range that is asked for.
static absl::StatusOr<Dataset> readClicks(DataSpec &spec, int threads) {
  ClicksOptions options;
  int64_t samples = options.end;
  absl::StatusOr<std::string> name =
      parseQuery(spec, {{{"n", &samples, 1, 1e12},
                         {"fields", &options.fields, 1, 10000},
                         {"ids", &options.ids, 1, 1e14},
                         {"zipf", &options.zipf, 0, 10},
                         {"dense", &options.dense, 0, 10000},
                         {"seed", &options.seed, 0, maxSeed},
                         {"teacher", &options.teacher, 0, maxSeed}}});
  if (!name.ok())
    return name.status();
  if (*name != "ctr")
    return noGenerator(spec, *name);
  options.end = samples;
  if (spec.range) {
    if (absl::Status s = checkRange(spec.text, *spec.range, samples); !s.ok())
      return s;
    options.begin = spec.range->begin;
    options.end = spec.range->endOf(samples);
    spec.range.reset();
  }
  return drawClicks(options, threads);
}

static absl::StatusOr<Dataset> read(DataSpec &spec,
                                    const DataOptions &options) {
  if (isLineKind(spec.kind))
    return readLines(spec, options);
  if (!options.pipeCommand.empty())
    return checkLineKind(spec, "--pipe-command");
  if (spec.kind == "csv") {
    CsvOptions csv{.header = spec.header};
    if (spec.label)
      csv.label = *spec.label;
    return readCsv(spec.source, csv);
  }
  if (spec.kind == "idx") {
    std::vector<std::string> files = absl::StrSplit(spec.source, ',');
    if (files.size() > 2 || files[0].empty())
      return spec.error("expected idx:IMAGES,LABELS");
    return readIdx(files[0], files.size() == 2 ? files[1] : "");
  }
  if (spec.kind == "text") {
    SkipGramOptions grams;
    absl::StatusOr<std::string> file =
        parseQuery(spec, {{{"window", &grams.window, 1, 1000},
                           {"negatives", &grams.negatives, 0, 1000},
                           {"vocabulary", &grams.vocabulary, 2, 1 << 30},
                           {"seed", &grams.seed, 0, maxSeed}}});
    return file.ok() ? readSkipGrams(*file, grams) : file.status();
  }
  if (absl::StartsWith(spec.source, "ctr"))
    return readClicks(spec, options.threads);
  return readDigits(spec);
}

/// Keeps only the samples of `range`.
static absl::Status cut(Dataset &data, const SampleRange &range) {
  if (absl::Status s = checkRange(data.spec, range, data.size); !s.ok())
    return s;
  const int64_t end = range.endOf(data.size);
  for (Column &column : data.columns) {
    int64_t first = column.begin(range.begin), last = column.begin(end);
    size_t element = byteWidth(column.dtype);
    std::memmove(column.bytes.data(), column.bytes.data() + first * element,
                 (last - first) * element);
    if (absl::Status s = column.bytes.resize((last - first) * element); !s.ok())
      return s;
    if (!column.ragged())
      continue;
    column.offsets.erase(column.offsets.begin() + end + 1,
                         column.offsets.end());
    column.offsets.erase(column.offsets.begin(),
                         column.offsets.begin() + range.begin);
    for (int64_t &offset : column.offsets)
      offset -= first;
  }
  data.size = end - range.begin;
  if (data.place)
    data.place = [place = std::move(data.place), first = range.begin](
                     int64_t sample, size_t column, int64_t element) {
      return place(first + sample, column, element);
    };
  return absl::OkStatus();
}

double Column::at(int64_t sample, int64_t element) const {
  int64_t index = begin(sample) + element;
  return withStored([&](auto value) {
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return static_cast<double>(value);
  });
}

static absl::StatusOr<Dataset> openSpec(DataSpec &spec,
                                        const DataOptions &options) {
  absl::StatusOr<Dataset> data = read(spec, options);
  if (!data.ok())
    return data.status();
  data->spec = spec.text;
  if (spec.range)
    if (absl::Status status = cut(*data, *spec.range); !status.ok())
      return status;
  return data;
}

absl::StatusOr<Dataset> Dataset::open(const std::string &text,
                                      const DataOptions &options) {
  absl::StatusOr<DataSpec> spec = DataSpec::parse(text);
  if (!spec.ok())
    return spec.status();
  absl::Status status;
  try {
    absl::StatusOr<Dataset> data = openSpec(*spec, options);
    if (!absl::IsResourceExhausted(data.status()))
      return data;
    status = data.status();
  } catch (const std::bad_alloc &) {
    status = absl::ResourceExhaustedError("out of memory");
  }
  return annotate(status, absl::StrCat("data '", text, "'"));
}
