//===- Dataset.cpp - from a --data string to samples ----------------------===//

#include "runtime/data/Dataset.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/Status.h"
#include <cctype>
#include <cstring>
#include <new>
#include <optional>

using namespace ps::runtime;

namespace {

/// Samples [begin, end).
struct Range {
  int64_t begin = 0, end = 0;
};

/// What stands behind the first '#'.
struct Suffixes {
  std::optional<Range> range;
  std::optional<std::string> label;
  CsvOptions::Header header = CsvOptions::Header::Detect;
};

} // namespace

static absl::Status badSpec(absl::string_view spec, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("data '", spec, "': ", why));
}

static std::optional<Range> parseRange(absl::string_view text) {
  std::vector<absl::string_view> ends = absl::StrSplit(text, '-');
  Range range;
  if (ends.size() != 2 || !absl::SimpleAtoi(ends[0], &range.begin) ||
      !absl::SimpleAtoi(ends[1], &range.end))
    return std::nullopt;
  return range;
}

static absl::StatusOr<Suffixes>
parseSuffixes(absl::string_view spec, const std::vector<std::string> &texts) {
  Suffixes suffixes;
  for (absl::string_view text : texts) {
    if (absl::ConsumePrefix(&text, "label=")) {
      suffixes.label = std::string(text);
    } else if (text == "header") {
      suffixes.header = CsvOptions::Header::Yes;
    } else if (text == "noheader") {
      suffixes.header = CsvOptions::Header::No;
    } else if (auto range = parseRange(text)) {
      suffixes.range = *range;
    } else {
      return badSpec(spec, absl::StrCat("'#", text,
                                        "' is none of #A-B, "
                                        "#label=COL, #header and #noheader"));
    }
  }
  return suffixes;
}

/// Parses "digits?n=8000&seed=1".
static absl::StatusOr<DigitsOptions> parseDigits(absl::string_view spec,
                                                 absl::string_view text) {
  DigitsOptions options;
  std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('?', 1));
  if (parts.first != "digits")
    return badSpec(spec, absl::StrCat("there is no generator '", parts.first,
                                      "', only synthetic:digits"));
  for (absl::string_view option :
       absl::StrSplit(parts.second, '&', absl::SkipEmpty())) {
    absl::string_view value = option;
    bool ok = absl::ConsumePrefix(&value, "n=")
                  ? absl::SimpleAtoi(value, &options.samples)
                  : absl::ConsumePrefix(&value, "seed=") &&
                        absl::SimpleAtoi(value, &options.seed);
    if (!ok)
      return badSpec(spec, absl::StrCat("'", option,
                                        "' is neither n=NUMBER nor "
                                        "seed=NUMBER"));
  }
  return options;
}

static absl::StatusOr<Dataset> read(const std::string &spec,
                                    absl::string_view kind,
                                    absl::string_view rest,
                                    const Suffixes &suffixes) {
  bool csv = kind == "csv";
  if (!csv && (suffixes.label || suffixes.header != CsvOptions::Header::Detect))
    return badSpec(spec, "#label and #header are for csv files only");
  if (csv) {
    CsvOptions options;
    options.header = suffixes.header;
    if (suffixes.label)
      options.label = *suffixes.label;
    return readCsv(std::string(rest), options);
  }
  if (kind == "idx") {
    std::vector<std::string> files = absl::StrSplit(rest, ',');
    if (files.size() > 2 || files[0].empty())
      return badSpec(spec, "expected idx:IMAGES,LABELS");
    return readIdx(files[0], files.size() == 2 ? files[1] : "");
  }
  if (kind == "synthetic") {
    absl::StatusOr<DigitsOptions> options = parseDigits(spec, rest);
    if (!options.ok())
      return options.status();
    return makeDigits(*options);
  }
  return badSpec(spec, "expected idx:IMAGES,LABELS, csv:FILE or "
                       "synthetic:digits");
}

/// Keeps only the samples of `range`.
static absl::Status cut(Dataset &data, const Range &range) {
  if (range.begin >= range.end || range.end > data.size)
    return absl::InvalidArgumentError(
        absl::StrCat("data '", data.spec, "': range #", range.begin, "-",
                     range.end, " is not within its ", data.size, " samples"));
  for (Column &column : data.columns) {
    int64_t first = column.begin(range.begin), last = column.begin(range.end);
    size_t element = byteWidth(column.dtype);
    std::memmove(column.bytes.data(), column.bytes.data() + first * element,
                 (last - first) * element);
    if (absl::Status s = column.bytes.resize((last - first) * element); !s.ok())
      return s;
    if (!column.ragged())
      continue;
    column.offsets.erase(column.offsets.begin() + range.end + 1,
                         column.offsets.end());
    column.offsets.erase(column.offsets.begin(),
                         column.offsets.begin() + range.begin);
    for (int64_t &offset : column.offsets)
      offset -= first;
  }
  data.size = range.end - range.begin;
  return absl::OkStatus();
}

double Column::at(int64_t sample, int64_t element) const {
  int64_t index = begin(sample) + element;
  auto read = [&](auto value) {
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return static_cast<double>(value);
  };
  switch (dtype) {
  case DType::UI8:
    return read(uint8_t());
  case DType::I64:
    return read(int64_t());
  case DType::F32:
    return read(float());
  default:
    return read(double());
  }
}

static absl::StatusOr<Dataset> openSpec(const std::string &spec) {
  std::vector<std::string> parts = absl::StrSplit(spec, '#');
  std::pair<absl::string_view, absl::string_view> source =
      absl::StrSplit(parts[0], absl::MaxSplits(':', 1));
  absl::StatusOr<Suffixes> suffixes =
      parseSuffixes(spec, {parts.begin() + 1, parts.end()});
  if (!suffixes.ok())
    return suffixes.status();
  absl::StatusOr<Dataset> data =
      read(spec, source.first, source.second, *suffixes);
  if (!data.ok())
    return data.status();
  data->spec = spec;
  if (suffixes->range)
    if (absl::Status status = cut(*data, *suffixes->range); !status.ok())
      return status;
  return data;
}

absl::StatusOr<Dataset> Dataset::open(const std::string &spec) {
  absl::Status status;
  try {
    absl::StatusOr<Dataset> data = openSpec(spec);
    if (!absl::IsResourceExhausted(data.status()))
      return data;
    status = data.status();
  } catch (const std::bad_alloc &) {
    status = absl::ResourceExhaustedError("out of memory");
  }
  return annotate(status, absl::StrCat("data '", spec, "'"));
}
