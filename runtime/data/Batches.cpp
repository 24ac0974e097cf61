// SPDX-License-Identifier: Apache-2.0
//===- Batches.cpp - the samples of each step -----------------------------===//

#include "runtime/data/Batches.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

class MemoryBatches : public BatchSource {
public:
  MemoryBatches(const Dataset &data, Sampler sampler, StartPosition start)
      : data(data), sampler(std::move(sampler)),
        samples(this->sampler.batchSize()), epoch(start.epoch),
        step(start.step) {}

  absl::StatusOr<SampleBatch> next() override {
    SampleBatch batch{.data = &data,
                      .samples = samples,
                      .epoch = epoch,
                      .endsEpoch = step + 1 == sampler.stepsPerEpoch(),
                      .note = {}};
    sampler.batch(epoch, step++, samples);
    if (batch.endsEpoch) {
      ++epoch;
      step = 0;
    }
    return batch;
  }

private:
  const Dataset &data;
  Sampler sampler;
  std::vector<int64_t> samples;
  /// The next batch's place.
  int64_t epoch, step;
};

} // namespace

std::unique_ptr<BatchSource> ps::runtime::batchesInMemory(const Dataset &data,
                                                          Sampler sampler,
                                                          StartPosition start) {
  return std::make_unique<MemoryBatches>(data, std::move(sampler), start);
}

//===----------------------------------------------------------------------===//
// Streams
//
// 1. pull: pieces of the files wait until they hold a whole step, or the epoch
//    has no more; what lies outside the spec's range is dropped.
// 2. fillWindow: samples that wait become a window, step by step, so that it is
//    always known whether another one follows. Those that fill no step at the
//    end of an epoch are left out, or padded with its first samples. Where the
//    number of steps is agreed on, so many are taken, and the files are read
//    again from their start when that is more than they fill.
// 3. next: a batch is every T-th sample of its step in the window.
//
//===----------------------------------------------------------------------===//

namespace {

class StreamBatches : public BatchSource {
public:
  explicit StreamBatches(StreamOptions given)
      : options(std::move(given)), samplesPerStep(sizeOfStep(options.order)),
        epoch(options.start.epoch - 1),
        window(options.files.format->columns, options.files.format->aliases,
               options.spec.text),
        head(options.files.format->columns) {}

  absl::StatusOr<SampleBatch> next() override;
  void stop() override;

private:
  /// Samples of a piece that no window has taken.
  struct Waiting {
    Rows rows;
    int64_t first, last;
  };

  static int64_t sizeOfStep(const Sampler::Options &order);
  absl::StatusOr<SampleBatch> nextBatch();
  absl::Status skipToStart();
  /// Whether this is the first epoch of the run.
  bool isFirst() const { return epoch == options.start.epoch; }
  void openFiles();
  void openReader();
  absl::Status startEpoch();
  absl::Status pull();
  void keep(Rows rows);
  absl::Status endEpoch();
  absl::Status endFiles();
  void noteEmptySlots();
  void addNote(const std::string &text);
  absl::Status take(int64_t count);
  absl::Status pad();
  absl::Status fillWindow();
  /// Whether the samples that wait make another step of the epoch.
  bool anotherStep() const {
    if (options.order.steps)
      return stepsTaken < *options.order.steps;
    return waitingSamples >= (options.order.pad ? 1 : samplesPerStep);
  }

  const StreamOptions options;
  const int64_t samplesPerStep;
  /// Held to replace `reader`, which the thread of next() reads without it, and
  /// to use it on another thread.
  Mutex mutex;
  bool stopped ABSL_GUARDED_BY(mutex) = false;
  std::unique_ptr<SampleReader> reader;
  std::deque<Waiting> waiting;
  int64_t waitingSamples = 0;
  /// Since the files were opened, those outside the range included.
  int64_t samplesRead = 0;
  bool atEnd = false;
  /// Steps of this epoch that have gone to windows.
  int64_t stepsTaken = 0;
  int64_t epoch, windows = 0, step = 0, stepsInWindow = 0;
  bool begun = false;
  ColumnStore window;
  std::vector<int64_t> order;
  /// The first samples of the epoch, for padding.
  Rows head;
  std::vector<int64_t> samples;
  std::string note;
};

} // namespace

static SampleReader::Options readerOptions(const StreamOptions &options) {
  constexpr int64_t piecesAhead = 4;
  return {.files = options.files.files,
          .format = options.files.format,
          .pipeCommand = options.pipeCommand,
          .threads = options.threads,
          .badLines = options.badLines,
          .piecesAhead = piecesAhead};
}

/// Saturates: no data has more samples than the largest number.
int64_t StreamBatches::sizeOfStep(const Sampler::Options &order) {
  int64_t size;
  return __builtin_mul_overflow(order.batchSize, order.trainers, &size)
             ? std::numeric_limits<int64_t>::max()
             : size;
}

/// Begins the next epoch: files are opened again from their start.
void StreamBatches::openFiles() {
  ++epoch;
  windows = stepsTaken = 0;
  atEnd = false;
  waiting.clear();
  waitingSamples = 0;
  head = Rows(options.files.format->columns);
  openReader();
}

/// The new reader starts before the lock is taken; stop() may have been called
/// meanwhile.
void StreamBatches::openReader() {
  samplesRead = 0;
  auto next = std::make_unique<SampleReader>(readerOptions(options));
  MutexLock lock(mutex);
  reader.swap(next);
  if (stopped)
    reader->stop();
}

void StreamBatches::stop() {
  MutexLock lock(mutex);
  stopped = true;
  if (reader)
    reader->stop();
}

/// Adds a piece to those that wait.
void StreamBatches::keep(Rows rows) {
  int64_t begin = 0, end = rows.size;
  if (options.spec.range) {
    begin =
        std::clamp<int64_t>(options.spec.range->begin - samplesRead, 0, end);
    end =
        std::clamp<int64_t>(options.spec.range->end - samplesRead, begin, end);
  }
  samplesRead += rows.size;
  if (options.order.pad && head.size < samplesPerStep)
    head.append(rows, begin, std::min(end - begin, samplesPerStep - head.size));
  waitingSamples += end - begin;
  if (begin != end)
    waiting.push_back({std::move(rows), begin, end});
}

/// Checks and reports what is only known once everything has been read.
absl::Status StreamBatches::endEpoch() {
  atEnd = true;
  // Where the steps were agreed on, measureStream() has reported it before.
  if (isFirst() && reader->skippedLines() != 0 && !options.order.steps)
    addNote(
        absl::StrCat("skipped ", reader->skippedLines(), " malformed lines"));
  return options.spec.range
             ? checkRange(options.spec.text, *options.spec.range, samplesRead)
             : absl::OkStatus();
}

void StreamBatches::addNote(const std::string &text) {
  if (text.empty())
    return;
  absl::StrAppend(&note, note.empty() ? "" : "; ", text);
}

/// Notes, at the beginning, the slots that occur in none of the waiting
/// samples: their bags would all be empty.
void StreamBatches::noteEmptySlots() {
  const std::vector<ColumnSpec> &columns = options.files.format->columns;
  for (size_t i = 0; i != columns.size(); ++i) {
    int64_t elements = 0;
    for (const Waiting &each : waiting) {
      const Rows::Column &column = each.rows.columns[i];
      elements += each.rows.begin(column, each.last) -
                  each.rows.begin(column, each.first);
    }
    if (elements == 0)
      addNote(emptySlotNote(
          columns[i].name,
          absl::StrCat("the first ", waitingSamples, " samples")));
  }
}

/// Reads until a whole step waits, so that anotherStep() can answer without
/// reading.
absl::Status StreamBatches::pull() {
  while (!atEnd && waitingSamples < samplesPerStep) {
    // Whatever follows the range is not read.
    if (options.spec.range && samplesRead >= options.spec.range->end)
      return endEpoch();
    ASSIGN_OR_RETURN(std::optional<Rows> rows, reader->next());
    if (rows)
      keep(*std::move(rows));
    else
      RETURN_IF_ERROR(endFiles());
  }
  return absl::OkStatus();
}

/// Ends the epoch, or begins the files again where it has more steps.
absl::Status StreamBatches::endFiles() {
  if (!options.order.steps || !anotherStep())
    return endEpoch();
  if (!options.order.pad || samplesRead == 0)
    return absl::DataLossError(absl::StrCat(
        "data '", options.spec.text,
        "': the files of this trainer hold fewer samples than when they were "
        "counted: they must not change while they are read"));
  openReader();
  return absl::OkStatus();
}

/// Moves samples that wait to the window.
absl::Status StreamBatches::take(int64_t count) {
  waitingSamples -= count;
  while (count != 0) {
    Waiting &next = waiting.front();
    int64_t taken = std::min(next.last - next.first, count);
    RETURN_IF_ERROR(window.append(next.rows, next.first, taken));
    count -= taken;
    next.first += taken;
    if (next.first == next.last)
      waiting.pop_front();
  }
  return absl::OkStatus();
}

/// Completes the last step of the epoch with its first samples.
absl::Status StreamBatches::pad() {
  int64_t missing =
      (samplesPerStep - window.data().size % samplesPerStep) % samplesPerStep;
  while (missing != 0) {
    int64_t count = std::min(missing, head.size);
    RETURN_IF_ERROR(window.append(head, 0, count));
    missing -= count;
  }
  return absl::OkStatus();
}

/// Without shuffling a window is one step: nothing has to be kept in memory.
absl::Status StreamBatches::fillWindow() {
  window.clear();
  int64_t wanted = options.order.shuffle ? options.window : 1;
  while (window.data().size < wanted && anotherStep()) {
    RETURN_IF_ERROR(take(std::min(samplesPerStep, waitingSamples)));
    ++stepsTaken;
    RETURN_IF_ERROR(pull());
  }
  RETURN_IF_ERROR(pad());
  step = 0;
  stepsInWindow = window.data().size / samplesPerStep;
  order.resize(window.data().size);
  std::iota(order.begin(), order.end(), 0);
  if (options.order.shuffle)
    shuffle(order, options.order.seed, epoch, windows);
  ++windows;
  return absl::OkStatus();
}

/// Begins an epoch that has a step at least.
absl::Status StreamBatches::startEpoch() {
  openFiles();
  RETURN_IF_ERROR(pull());
  if (isFirst())
    noteEmptySlots();
  if (anotherStep())
    return absl::OkStatus();
  if (waitingSamples == 0)
    return options.files.emptyError(options.spec);
  Sampler::Options few = options.order;
  few.samples = waitingSamples;
  return Sampler::create(few).status();
}

/// A step, or a window, may be larger than memory; the error names the flags
/// that make it smaller.
absl::StatusOr<SampleBatch> StreamBatches::next() {
  try {
    RETURN_IF_ERROR(skipToStart());
    return nextBatch();
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) { // More than a vector may ever hold.
  }
  return absl::ResourceExhaustedError(absl::StrCat(
      "data '", options.spec.text, "': out of memory with steps of ",
      samplesPerStep, " samples: lower ",
      options.order.fixedBatch ? "" : "--batch-size or ", "--shuffle-window"));
}

/// Before the first batch: passes over the steps of its epoch before it.
absl::Status StreamBatches::skipToStart() {
  if (std::exchange(begun, true))
    return absl::OkStatus();
  for (int64_t skipped = 0; skipped != options.start.step; ++skipped) {
    ASSIGN_OR_RETURN(SampleBatch batch, nextBatch());
    if (batch.endsEpoch)
      return absl::DataLossError(absl::StrCat(
          "data '", options.spec.text, "': expected more than ",
          options.start.step, " steps, which were done of epoch ",
          options.start.epoch, " when the run was saved, found ", skipped + 1));
    addNote(batch.note);
  }
  return absl::OkStatus();
}

/// Trainers take every T-th sample of a step, from their own index on: the
/// union of their batches is the step of one process.
absl::StatusOr<SampleBatch> StreamBatches::nextBatch() {
  // First of all: it fails at once where a step can never be held.
  samples.resize(options.order.batchSize);
  const bool fresh = step == stepsInWindow;
  if (fresh && (epoch < options.start.epoch || !anotherStep()))
    RETURN_IF_ERROR(startEpoch());
  if (fresh)
    RETURN_IF_ERROR(fillWindow());
  int64_t first = step * samplesPerStep + options.order.trainer;
  for (size_t i = 0; i != samples.size(); ++i)
    samples[i] = order[first + i * options.order.trainers];
  ++step;
  return SampleBatch{.data = &window.data(),
                     .samples = samples,
                     .epoch = epoch,
                     .endsEpoch = step == stepsInWindow && !anotherStep(),
                     .note = std::exchange(note, {})};
}

std::unique_ptr<BatchSource>
ps::runtime::batchesFromStream(StreamOptions options) {
  return std::make_unique<StreamBatches>(std::move(options));
}

absl::StatusOr<StreamSize>
ps::runtime::measureStream(const StreamOptions &options) {
  SampleReader reader(readerOptions(options));
  StreamSize size;
  RETURN_IF_ERROR(reader.forEach([&](const Rows &rows) {
    size.samples += rows.size;
    return absl::OkStatus();
  }));
  size.skippedLines = reader.skippedLines();
  return size;
}
