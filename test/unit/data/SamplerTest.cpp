// SPDX-License-Identifier: Apache-2.0
//===- SamplerTest.cpp ----------------------------------------------------===//

#include "runtime/data/Sampler.h"
#include "gmock/gmock.h"
#include <algorithm>
#include <set>

using namespace ps::runtime;

namespace {

std::vector<int64_t> take(const Sampler::Options &options, int64_t epoch,
                          int64_t step) {
  auto sampler = Sampler::create(options);
  std::vector<int64_t> samples(options.batchSize);
  sampler->batch(epoch, step, samples);
  return samples;
}

TEST(SamplerTest, TrainersTakeIndicesModuloTheirNumber) {
  EXPECT_THAT(
      take({.samples = 20, .batchSize = 3, .trainers = 2, .trainer = 1}, 0, 1),
      testing::ElementsAre(7, 9, 11));
}

TEST(SamplerTest, AStepOfAllTrainersIsAStepOfOneProcess) {
  for (bool shuffle : {false, true}) {
    constexpr int trainers = 3, batch = 4;
    Sampler::Options whole{.samples = 50,
                           .batchSize = trainers * batch,
                           .shuffle = shuffle,
                           .seed = 7};
    auto sampler = Sampler::create(whole);
    for (int64_t epoch = 0; epoch != 2; ++epoch) {
      for (int64_t step = 0; step != sampler->stepsPerEpoch(); ++step) {
        std::vector<int64_t> expected = take(whole, epoch, step), together;
        for (int trainer = 0; trainer != trainers; ++trainer) {
          Sampler::Options part = whole;
          part.batchSize = batch;
          part.trainers = trainers;
          part.trainer = trainer;
          EXPECT_EQ(Sampler::create(part)->stepsPerEpoch(),
                    sampler->stepsPerEpoch());
          for (int64_t sample : take(part, epoch, step))
            together.push_back(sample);
        }
        std::sort(expected.begin(), expected.end());
        std::sort(together.begin(), together.end());
        EXPECT_EQ(together, expected);
      }
    }
  }
}

TEST(SamplerTest, ShufflingRepeatsForASeedAndDiffersByEpoch) {
  Sampler::Options options{
      .samples = 100, .batchSize = 100, .shuffle = true, .seed = 5};
  std::vector<int64_t> first = take(options, 0, 0);
  EXPECT_EQ(take(options, 0, 0), first);
  EXPECT_NE(take(options, 1, 0), first);
  options.seed = 6;
  EXPECT_NE(take(options, 0, 0), first);
  EXPECT_EQ(std::set<int64_t>(first.begin(), first.end()).size(), 100u);
}

TEST(SamplerTest, EveryTrainerRunsTheSameNumberOfSteps) {
  for (int trainer : {0, 1, 2})
    EXPECT_EQ(
        Sampler::create(
            {.samples = 29, .batchSize = 3, .trainers = 3, .trainer = trainer})
            ->stepsPerEpoch(),
        3);
}

TEST(SamplerTest, PaddingRepeatsTheStartOfTheEpoch) {
  Sampler::Options options{.samples = 7, .batchSize = 3, .pad = true};
  EXPECT_EQ(Sampler::create(options)->stepsPerEpoch(), 3);
  EXPECT_THAT(take(options, 0, 2), testing::ElementsAre(6, 0, 1));
  options.shuffle = true;
  std::vector<int64_t> first = take(options, 1, 0), last = take(options, 1, 2);
  EXPECT_EQ(last[1], first[0]);
  EXPECT_EQ(last[2], first[1]);
  // A step may need all samples more than once.
  options = {.samples = 2, .batchSize = 5, .pad = true};
  EXPECT_THAT(take(options, 0, 0), testing::ElementsAre(0, 1, 0, 1, 0));
  options.samples = 10;
  EXPECT_EQ(Sampler::create(options)->stepsPerEpoch(), 2);
}

TEST(SamplerTest, TrainersWithSamplesOfTheirOwnAgreeOnSteps) {
  const int64_t samples[] = {9, 5, 8};
  EXPECT_EQ(*agreeOnSteps(samples, {.batchSize = 2}), 2);
  EXPECT_EQ(*agreeOnSteps(samples, {.batchSize = 2, .pad = true}), 5);
  EXPECT_EQ(agreeOnSteps(samples, {.batchSize = 6}).status().message(),
            "the files of trainer 1 hold 5 samples, but a step takes 6: assign "
            "files of similar size, lower --batch-size, or fill steps with "
            "--remainder=pad");
  EXPECT_EQ(agreeOnSteps(samples, {.batchSize = 6, .fixedBatch = true})
                .status()
                .message(),
            "the files of trainer 1 hold 5 samples, but a step takes 6: assign "
            "files of similar size, make the batch `?` in the graph, which "
            "fixes it at 6, or fill steps with --remainder=pad");
  EXPECT_EQ(
      agreeOnSteps(std::vector<int64_t>{1, 0}, {.batchSize = 6, .pad = true})
          .status()
          .message(),
      "the files of trainer 1 hold 0 samples, but a step takes 6: none can be "
      "filled");
  // Samples come again, or not at all.
  EXPECT_THAT(take({.samples = 3, .batchSize = 2, .steps = 4}, 0, 3),
              testing::ElementsAre(0, 1));
  EXPECT_EQ(Sampler::create({.samples = 9, .steps = 4})->stepsPerEpoch(), 4);
}

TEST(SamplerTest, BatchLargerThanTheData) {
  EXPECT_EQ(Sampler::create({.samples = 3, .batchSize = 4}).status().message(),
            "batch size 4 is larger than the data, which has 3 samples: lower "
            "--batch-size, or fill the step with --remainder=pad");
  EXPECT_EQ(Sampler::create({.samples = 7, .batchSize = 4, .trainers = 2})
                .status()
                .message(),
            "batch size 4 on each of 2 trainers is larger than the data, "
            "which has 7 samples: lower --batch-size, or fill the step with "
            "--remainder=pad");
  // No flag changes what the graph fixes.
  EXPECT_EQ(
      Sampler::create({.samples = 3, .batchSize = 4, .fixedBatch = true})
          .status()
          .message(),
      "batch size 4 is larger than the data, which has 3 samples: make the "
      "batch `?` in the graph, which fixes it at 4, or fill the step with "
      "--remainder=pad");
}

TEST(SamplerTest, NoStepHasSamplesOfTwoParts) {
  // Parts of 5, 0, 1 and 4 samples.
  Sampler::Options options{
      .samples = 10, .batchSize = 2, .partEnds = {5, 5, 6, 10}};
  auto sampler = Sampler::create(options);
  EXPECT_EQ(sampler->stepsPerEpoch(), 4);
  EXPECT_THAT(sampler->partEnds(), testing::ElementsAre(2, 4));
  EXPECT_THAT(take(options, 0, 1), testing::ElementsAre(2, 3));
  EXPECT_THAT(take(options, 0, 2), testing::ElementsAre(6, 7));
  EXPECT_THAT(take(options, 1, 3), testing::ElementsAre(8, 9));
  options.pad = true;
  EXPECT_THAT(Sampler::create(options)->partEnds(),
              testing::ElementsAre(3, 4, 6));
  EXPECT_THAT(take(options, 0, 2), testing::ElementsAre(4, 0));
  EXPECT_THAT(take(options, 0, 3), testing::ElementsAre(5, 5));
  EXPECT_THAT(take(options, 0, 4), testing::ElementsAre(6, 7));
  options.shuffle = true;
  std::set<std::vector<int64_t>> orders;
  for (int64_t epoch = 0; epoch < 20; ++epoch) {
    std::vector<int64_t> last = take(options, epoch, 4);
    const std::vector<int64_t> rest = take(options, epoch, 5);
    last.insert(last.end(), rest.begin(), rest.end());
    orders.insert(last);
    EXPECT_THAT(last, testing::UnorderedElementsAre(6, 7, 8, 9));
  }
  EXPECT_GT(orders.size(), 5u);
  EXPECT_EQ(
      Sampler::create({.samples = 3, .batchSize = 2, .partEnds = {1, 2, 3}})
          .status()
          .message(),
      "batch size 2 is larger than each part of the data, of 3 samples: "
      "lower --batch-size, or fill the step with --remainder=pad");
}

} // namespace
