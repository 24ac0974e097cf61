// SPDX-License-Identifier: Apache-2.0
//===- BatchesTest.cpp - the samples of each step -------------------------===//

#include "runtime/data/Batches.h"
#include "absl/strings/str_cat.h"
#include "runtime/data/Feeder.h"
#include "test/unit/data/DatasetTest.h"
#include "gmock/gmock.h"
#include <set>

using namespace ps::runtime;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

/// Streams of lines "1 I 1 I" for the slots y and s, I from 0.
class BatchesTest : public DatasetTest {
protected:
  void writeLines(const std::string &name, int64_t first, int64_t count) {
    std::string text;
    for (int64_t i = first; i != first + count; ++i)
      absl::StrAppend(&text, "1 ", i, " 1 ", i, "\n");
    write(name, text);
  }
  std::unique_ptr<BatchSource> stream(const Sampler::Options &order,
                                      const std::string &suffix = "",
                                      int64_t window = 1,
                                      int64_t badLines = 0) {
    auto spec =
        DataSpec::parse("multislot:" + path("*") + "#slots=y:f,s:i" + suffix);
    EXPECT_TRUE(spec.ok()) << spec.status();
    auto files = findLineFiles(*spec, {});
    EXPECT_TRUE(files.ok()) << files.status();
    return batchesFromStream({.spec = *spec,
                              .files = *files,
                              .pipeCommand = {},
                              .threads = 2,
                              .badLines = badLines,
                              .window = window,
                              .order = order});
  }
  /// The s of the next batch; the last of an epoch ends with -1.
  static std::vector<int64_t> take(BatchSource &source) {
    absl::StatusOr<SampleBatch> batch = source.next();
    EXPECT_TRUE(batch.ok()) << batch.status();
    std::vector<int64_t> ids;
    if (!batch.ok())
      return ids;
    for (int64_t sample : batch->samples) {
      ids.push_back(batch->data->columns[1].at(sample, 0));
      EXPECT_EQ(batch->data->columns[0].at(sample, 0), ids.back());
    }
    if (batch->endsEpoch)
      ids.push_back(-1);
    return ids;
  }
  /// All batches of an epoch, without the -1.
  static std::vector<int64_t> takeEpoch(BatchSource &source) {
    std::vector<int64_t> all;
    for (;;) {
      std::vector<int64_t> batch = take(source);
      if (batch.empty())
        return all;
      bool last = batch.back() == -1;
      all.insert(all.end(), batch.begin(), batch.end() - last);
      if (last)
        return all;
    }
  }
  std::string error(BatchSource &source) {
    for (int i = 0; i != 1000; ++i)
      if (absl::StatusOr<SampleBatch> batch = source.next(); !batch.ok())
        return std::string(batch.status().message());
    return "";
  }
};

TEST_F(BatchesTest, StreamsGoThroughFilesAndEpochs) {
  writeLines("a", 0, 3);
  writeLines("b", 3, 4);
  auto source = stream({.batchSize = 3});
  for (int epoch = 0; epoch != 3; ++epoch) {
    EXPECT_THAT(take(*source), ElementsAre(0, 1, 2));
    EXPECT_THAT(take(*source), ElementsAre(3, 4, 5, -1));
  }
}

TEST_F(BatchesTest, StreamsTakeWhatMemoryTakes) {
  writeLines("a", 0, 20000);
  writeLines("b", 20000, 101);
  auto data = Dataset::open("multislot:" + path("*") + "#slots=y:f,s:i");
  ASSERT_TRUE(data.ok()) << data.status();
  for (bool pad : {false, true}) {
    for (int trainer : {0, 1, 2}) {
      Sampler::Options order{
          .batchSize = 7, .trainers = 3, .trainer = trainer, .pad = pad};
      auto streamed = stream(order);
      order.samples = data->size;
      auto kept = batchesInMemory(*data, *Sampler::create(order));
      for (int epoch = 0; epoch != 2; ++epoch)
        EXPECT_EQ(takeEpoch(*streamed), takeEpoch(*kept));
    }
  }
}

TEST_F(BatchesTest, TrainingBeginsAnywhere) {
  writeLines("a", 0, 20);
  auto data = Dataset::open("multislot:" + path("*") + "#slots=y:f,s:i");
  ASSERT_TRUE(data.ok()) << data.status();
  Sampler::Options order{.samples = data->size,
                         .batchSize = 3,
                         .trainers = 2,
                         .trainer = 1,
                         .shuffle = true,
                         .seed = 5,
                         .pad = true};
  for (bool streamed : {false, true}) {
    auto make = [&](StartPosition start) {
      if (!streamed)
        return batchesInMemory(*data, *Sampler::create(order), start);
      auto spec = DataSpec::parse("multislot:" + path("*") + "#slots=y:f,s:i");
      return batchesFromStream({.spec = *spec,
                                .files = *findLineFiles(*spec, {}),
                                .pipeCommand = {},
                                .window = 7,
                                .order = order,
                                .start = start});
    };
    auto whole = make({});
    std::vector<std::vector<int64_t>> all;
    for (int step = 0; step != 12; ++step)
      all.push_back(take(*whole));
    for (int64_t epoch : {0, 1, 2})
      for (int64_t step : {0, 1, 3}) {
        auto rest = make({epoch, step});
        for (size_t k = epoch * 4 + step; k != all.size(); ++k)
          EXPECT_EQ(take(*rest), all[k]) << epoch << " " << step << " " << k;
      }
  }
  auto spec = DataSpec::parse("multislot:" + path("*") + "#slots=y:f,s:i");
  auto beyond = batchesFromStream({.spec = *spec,
                                   .files = *findLineFiles(*spec, {}),
                                   .pipeCommand = {},
                                   .order = order,
                                   .start = {1, 4}});
  EXPECT_THAT(error(*beyond), HasSubstr("expected more than 4 steps"));
}

TEST_F(BatchesTest, WindowsAreShuffled) {
  writeLines("a", 0, 100);
  Sampler::Options whole{.batchSize = 10, .shuffle = true, .seed = 3};
  auto source = stream(whole, "", 35); // four steps
  std::vector<int64_t> first = takeEpoch(*source), second = takeEpoch(*source);
  EXPECT_NE(first, second);
  auto inWindow = [](const std::vector<int64_t> &ids, int64_t begin,
                     int64_t end) {
    std::set<int64_t> set(ids.begin() + begin, ids.begin() + end);
    return static_cast<int64_t>(set.size()) == end - begin &&
           *set.begin() == begin && *set.rbegin() == end - 1;
  };
  for (const std::vector<int64_t> &ids : {first, second}) {
    EXPECT_EQ(ids.size(), 100u);
    EXPECT_TRUE(inWindow(ids, 0, 40));
    EXPECT_TRUE(inWindow(ids, 40, 80));
    EXPECT_TRUE(inWindow(ids, 80, 100));
  }
  EXPECT_FALSE(std::is_sorted(first.begin(), first.begin() + 40));
  auto again = stream(whole, "", 35);
  EXPECT_EQ(takeEpoch(*again), first);
  // Two trainers take what one does.
  Sampler::Options part = whole;
  part.batchSize = 5;
  part.trainers = 2;
  auto one = stream(part, "", 35);
  part.trainer = 1;
  auto other = stream(part, "", 35);
  for (int step = 0; step != 10; ++step) {
    std::vector<int64_t> together = take(*one), rest = take(*other);
    together.insert(together.end(), rest.begin(), rest.end());
    std::erase(together, -1);
    std::vector<int64_t> expected(first.begin() + 10 * step,
                                  first.begin() + 10 * step + 10);
    EXPECT_THAT(together, testing::UnorderedElementsAreArray(expected));
  }
}

TEST_F(BatchesTest, PaddingRepeatsTheStartOfTheEpoch) {
  writeLines("a", 0, 5);
  auto source = stream({.batchSize = 3, .pad = true});
  EXPECT_THAT(take(*source), ElementsAre(0, 1, 2));
  EXPECT_THAT(take(*source), ElementsAre(3, 4, 0, -1));
  EXPECT_THAT(take(*source), ElementsAre(0, 1, 2));
  auto few = stream({.batchSize = 12, .pad = true});
  EXPECT_THAT(take(*few), ElementsAre(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, -1));
}

TEST_F(BatchesTest, RangesOfStreams) {
  writeLines("a", 0, 6);
  writeLines("b", 6, 6);
  auto source = stream({.batchSize = 3}, "#4-10");
  for (int epoch = 0; epoch != 2; ++epoch) {
    EXPECT_THAT(take(*source), ElementsAre(4, 5, 6));
    EXPECT_THAT(take(*source), ElementsAre(7, 8, 9, -1));
  }
  auto beyond = stream({.batchSize = 3}, "#4-13");
  EXPECT_THAT(error(*beyond), EndsWith("range #4-13 is not within its 12 "
                                       "samples"));
}

TEST_F(BatchesTest, StreamsThatCannotBeUsed) {
  write("a", "\n");
  auto empty = stream({.batchSize = 3});
  EXPECT_THAT(error(*empty), EndsWith("holds no samples"));
  writeLines("a", 0, 5);
  auto few = stream({.batchSize = 3, .trainers = 2});
  EXPECT_EQ(error(*few), "batch size 3 on each of 2 trainers is larger than "
                         "the data, which has 5 samples: lower "
                         "--batch-size, or fill the step with --remainder=pad");
  write("b", "1 5 1 x\n");
  auto broken = stream({.batchSize = 5});
  EXPECT_EQ(error(*broken),
            path("b") + ":1:7: slot 's': expected an integer, got 'x'");
}

TEST_F(BatchesTest, StepsThatNoMemoryHolds) {
  writeLines("a", 0, 5);
  MemoryLimit limit(size_t(1) << 30);
  if (!limit.holds())
    GTEST_SKIP();
  for (auto [size, trainers, step] :
       {std::tuple(int64_t(1) << 40, 2, "2199023255552"),
        {INT64_MAX, 1, "9223372036854775807"},
        {INT64_MAX, 3, "9223372036854775807"}})
    for (bool pad : {false, true}) {
      auto huge = stream({.batchSize = size, .trainers = trainers, .pad = pad});
      EXPECT_THAT(error(*huge),
                  EndsWith(absl::StrCat("out of memory with steps of ", step,
                                        " samples: lower --batch-size or "
                                        "--shuffle-window")));
    }
}

/// Commands that print lines and then nothing, for ever.
class EndlessTest : public BatchesTest {
protected:
  /// Has a step less than lines: whether the last one is complete, or the last,
  /// is not known.
  std::unique_ptr<BatchSource> endless(int64_t lines = 1) {
    writeLines("a", 0, lines);
    auto spec = DataSpec::parse("multislot:" + path("a") + "#slots=y:f,s:i");
    return batchesFromStream({.spec = *spec,
                              .files = *findLineFiles(*spec, {}),
                              .pipeCommand = "cat; sleep 100000",
                              .order = {.batchSize = 1}});
  }
};

TEST_F(EndlessTest, BatchesDoNotWaitForLaterText) {
  auto source = endless(5);
  for (int64_t i = 0; i != 4; ++i) {
    absl::StatusOr<SampleBatch> batch = source->next();
    ASSERT_TRUE(batch.ok()) << batch.status();
    EXPECT_EQ(batch->data->columns[1].at(batch->samples[0], 0), i);
  }
}

TEST_F(EndlessTest, StopEndsAWaitForData) {
  auto source = endless();
  std::thread other([&] { source->stop(); });
  EXPECT_TRUE(absl::IsCancelled(source->next().status()));
  other.join();
  EXPECT_TRUE(absl::IsCancelled(source->next().status()));
  auto before = endless();
  before->stop();
  EXPECT_TRUE(absl::IsCancelled(before->next().status()));
}

TEST_F(EndlessTest, AFeederDoesNotWaitForData) {
  auto columns =
      ColumnStore({{"y", DType::F32, 1}, {"s", DType::I64, 1}}, {}, "endless")
          .take();
  std::vector<FeedSpec> feeds = {{"s", {DType::I64, {-1}}}};
  auto map = FeedMap::create(columns, feeds);
  ASSERT_TRUE(map.ok()) << map.status();
  int64_t s;
  Program program;
  program.feeds["s"] = {{DType::I64, {1}}, reinterpret_cast<std::byte *>(&s)};
  auto feeder = Feeder::create(*map, endless(), program);
  ASSERT_TRUE(feeder.ok()) << feeder.status();
  std::thread other([&] { (*feeder)->stop(); });
  EXPECT_TRUE(absl::IsCancelled((*feeder)->next().status()));
  other.join();
  feeder = Feeder::create(*map, endless(), program);
  ASSERT_TRUE(feeder.ok()) << feeder.status();
  int asked = 0;
  absl::Status lost = absl::UnavailableError("lost");
  EXPECT_EQ((*feeder)
                ->next([&] { return ++asked == 2 ? lost : absl::OkStatus(); })
                .status(),
            lost);
}

TEST_F(BatchesTest, SlotsThatNoSampleHasAreNotedOnce) {
  write("a", "1 0 1 0\nbroken\n1 1 1 1\n");
  auto spec = DataSpec::parse("slots:" + path("b") + "#slots=y:f,s:i");
  for (int lines : {2, 200000}) {
    std::string text;
    for (int i = 0; i != lines; ++i)
      text += "y:1 sss:2\n";
    write("b", text);
    auto source = batchesFromStream({.spec = *spec,
                                     .files = *findLineFiles(*spec, {}),
                                     .pipeCommand = {},
                                     .order = {.batchSize = 1}});
    absl::StatusOr<SampleBatch> first = source->next();
    ASSERT_TRUE(first.ok()) << first.status();
    // A piece of a file is a megabyte.
    EXPECT_EQ(first->note, absl::StrCat("slot 's' is empty in the first ",
                                        std::min(lines, 104857), " samples"));
    for (int i = 0; i != 4; ++i)
      EXPECT_EQ(source->next()->note, "");
  }
}

TEST_F(BatchesTest, SkippedLinesAreNotedOnce) {
  write("a", "1 0 1 0\nbroken\n1 1 1 1\n");
  auto source = stream({.batchSize = 1}, "", 1, 1);
  std::vector<std::string> notes;
  for (int i = 0; i != 6; ++i) {
    absl::StatusOr<SampleBatch> batch = source->next();
    ASSERT_TRUE(batch.ok()) << batch.status();
    if (!batch->note.empty())
      notes.push_back(batch->note);
  }
  EXPECT_THAT(notes, ElementsAre("skipped 1 malformed lines"));
}

TEST_F(BatchesTest, AStreamCanBeMeasuredFirst) {
  writeLines("a", 0, 3);
  write("b", "1 0 1 0\nbroken\n");
  auto spec = DataSpec::parse("multislot:" + path("*") + "#slots=y:f,s:i");
  StreamOptions options{.spec = *spec,
                        .files = *findLineFiles(*spec, {}),
                        .pipeCommand = {},
                        .badLines = 1,
                        .order = {}};
  absl::StatusOr<StreamSize> size = measureStream(options);
  ASSERT_TRUE(size.ok()) << size.status();
  EXPECT_EQ(size->samples, 4);
  EXPECT_EQ(size->skippedLines, 1);
  options.badLines = 0;
  EXPECT_THAT(std::string(measureStream(options).status().message()),
              HasSubstr(path("b") + ":2:1: "));
}

TEST_F(BatchesTest, AnEpochHasTheStepsAgreedOn) {
  writeLines("a", 0, 3);
  auto fewer = stream({.batchSize = 1, .steps = 2});
  EXPECT_THAT(takeEpoch(*fewer), ElementsAre(0, 1));
  EXPECT_THAT(takeEpoch(*fewer), ElementsAre(0, 1));
  auto more = stream({.batchSize = 2, .pad = true, .steps = 4});
  EXPECT_THAT(takeEpoch(*more), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1));
  EXPECT_THAT(takeEpoch(*more), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1));
  // They were more when they were counted.
  auto lost = stream({.batchSize = 2, .steps = 2});
  EXPECT_THAT(error(*lost), HasSubstr("fewer samples than when they were"));
}

TEST_F(BatchesTest, EachReaderIsAssignedFilesOfItsOwn) {
  for (const char *name : {"a", "b", "c"})
    writeLines(name, 0, 1);
  auto spec = DataSpec::parse("multislot:" + path("*") + "#slots=y:f,s:i");
  EXPECT_THAT(findLineFiles(*spec, {.readers = 2, .reader = 0})->files,
              ElementsAre(path("a"), path("c")));
  EXPECT_THAT(findLineFiles(*spec, {.readers = 2, .reader = 1})->files,
              ElementsAre(path("b")));
  EXPECT_THAT(
      std::string(
          findLineFiles(*spec, {.readers = 4, .reader = 0}).status().message()),
      HasSubstr("3 files cannot be divided among 4 trainers"));
}

TEST_F(BatchesTest, WhatDoesNotFitAFeedIsABrokenLine) {
  write("a", "1 0 1 0\n1 1 2 1 1\n1 2 1 2\n");
  auto spec = DataSpec::parse("multislot:" + path("a") + "#slots=y:f,s:i");
  std::vector<FeedSpec> feeds = {{"y", {DType::F32, {-1}}},
                                 {"s", {DType::I64, {-1, 1}}}};
  StreamOptions options{.spec = *spec,
                        .files = *findLineFiles(*spec, {.feeds = feeds}),
                        .pipeCommand = {},
                        .order = {.batchSize = 1}};
  EXPECT_EQ(error(*batchesFromStream(options)),
            path("a") + ":2:5: feed 's' is ?x1xi64, expected 1 s per sample, "
                        "found 2");
  options.badLines = 1;
  EXPECT_THAT(takeEpoch(*batchesFromStream(options)), ElementsAre(0, 2));
}

} // namespace
