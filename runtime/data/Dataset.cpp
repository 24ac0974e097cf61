// SPDX-License-Identifier: Apache-2.0
//===- Dataset.cpp - from a --data string to samples ----------------------===//
//
// A --data string is parsed (DataSpec), its format reads every sample into
// columns, and the range behind '#' is cut out of them. Formats of lines share
// the reader that streams, too (SampleReader); each other format reads whole
// files itself.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/Dataset.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/SampleReader.h"
#include <cstring>
#include <iterator>
#include <new>
#include <numeric>

using namespace ps::runtime;

/// "ids" for the feed "ids" + offsetsSuffix or weightsSuffix when "ids" is
/// ragged, otherwise "".
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
                       base, "' with bags for it to divide"));
  }
  return absl::OkStatus();
}

/// Reads all samples of text files.
static absl::StatusOr<Dataset> readLines(const DataSpec &spec,
                                         const DataOptions &options) {
  ASSIGN_OR_RETURN(LineFiles found, findLineFiles(spec, options));
  ColumnStore store(found.format->columns, found.format->aliases, spec.text);
  SampleReader reader({.files = found.files,
                       .format = found.format,
                       .pipeCommand = options.pipeCommand,
                       .threads = options.threads,
                       .badLines = options.badLines});
  std::vector<int64_t> fileSizes(found.files.size());
  RETURN_IF_ERROR(reader.forEach([&](const Rows &rows) {
    fileSizes[reader.file()] += rows.size;
    return store.append(rows, 0, rows.size);
  }));
  if (store.data().size == 0)
    return found.emptyError(spec);
  Dataset data = std::move(store).take();
  std::partial_sum(fileSizes.begin(), fileSizes.end(),
                   std::back_inserter(data.fileEnds));
  if (reader.skippedLines() != 0)
    data.notes.push_back(
        absl::StrCat("skipped ", reader.skippedLines(), " malformed lines"));
  for (const Column &column : data.columns)
    if (column.begin(data.size) == 0)
      data.notes.push_back(emptySlotNote(column.name, "every sample"));
  return data;
}

/// A pipe command filters lines; a format without lines has nothing to give it.
static absl::StatusOr<Dataset> read(DataSpec &spec,
                                    const DataOptions &options) {
  if (spec.format->holdsLines())
    return readLines(spec, options);
  if (!options.pipeCommand.empty())
    return checkHoldsLines(spec, "a pipe command");
  return spec.format->read(spec, options);
}

/// Keeps only the samples of `range`.
static absl::Status cut(Dataset &data, const SampleRange &range) {
  RETURN_IF_ERROR(checkRange(data.spec, range, data.size));
  const int64_t end = range.endOf(data.size);
  for (Column &column : data.columns) {
    int64_t first = column.begin(range.begin), last = column.begin(end);
    size_t element = byteWidth(column.dtype);
    // In place: data may fill most of the memory, so there is no second copy.
    std::memmove(column.bytes.data(), column.bytes.data() + first * element,
                 (last - first) * element);
    RETURN_IF_ERROR(column.bytes.resize((last - first) * element));
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
  data.fileEnds.clear();
  // Errors give line and element numbers of the file, not of what was cut out.
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
  ASSIGN_OR_RETURN(Dataset data, read(spec, options));
  data.spec = spec.text;
  if (spec.range)
    RETURN_IF_ERROR(cut(data, *spec.range));
  return data;
}

absl::StatusOr<Dataset> Dataset::open(const std::string &text,
                                      const DataOptions &options) {
  ASSIGN_OR_RETURN(DataSpec spec, DataSpec::parse(text));
  // Data that does not fit is an error of the user's data, not a crash; both
  // ways of running out of memory end in one message with its name.
  absl::Status status;
  try {
    absl::StatusOr<Dataset> data = openSpec(spec, options);
    if (!absl::IsResourceExhausted(data.status()))
      return data;
    status = data.status();
  } catch (const std::bad_alloc &) {
    status = absl::ResourceExhaustedError("out of memory");
  }
  return annotate(status, "data '", text, "'");
}
