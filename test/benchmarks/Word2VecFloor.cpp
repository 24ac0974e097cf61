// SPDX-License-Identifier: Apache-2.0
//===- Word2VecFloor.cpp - word2vec's updates, written by hand ------------===//
//
// What examples/word2vec cannot do without, on one thread and with no
// framework: for each sample, a center and six contexts, six products of rows
// of 64, a sigmoid each, and the updates of the seven rows by gradient descent,
// at once. Words are drawn by Zipf's law, the ones that a center is told apart
// from by the 3/4th power of it, before the time is taken.
//
//===----------------------------------------------------------------------===//

#include "test/benchmarks/Table.h"
#include <cmath>
#include <cstdint>
#include <random>

namespace {
constexpr int kWidth = 64, kContexts = 6, kVocabulary = 10000;
constexpr int kSamples = 200000;
constexpr float kLearningRate = 0.025f;

struct Sample {
  int32_t center;
  int32_t contexts[kContexts];
};

std::vector<Sample> drawSamples() {
  std::vector<double> words, negatives;
  for (int i = 0; i < kVocabulary; ++i) {
    words.push_back(1.0 / (i + 1));
    negatives.push_back(std::pow(words.back(), 0.75));
  }
  std::mt19937 random(1);
  std::discrete_distribution<int32_t> word(words.begin(), words.end()),
      negative(negatives.begin(), negatives.end());
  std::vector<Sample> samples(kSamples);
  for (Sample &sample : samples) {
    sample.center = word(random);
    for (int32_t &context : sample.contexts)
      context = negative(random);
    sample.contexts[0] = word(random);
  }
  return samples;
}

/// sigmoid(x) at steps of 1/64 from -8 to 8.
std::vector<float> tabulateSigmoid() {
  std::vector<float> table(1025);
  for (int i = 0; i <= 1024; ++i)
    table[i] = 1 / (1 + std::exp(-(i / 64.0f - 8)));
  return table;
}

/// The vector instructions are chosen when the program starts, as those of
/// compiled kernels are. Plain memory: what a clone calls is not cloned.
__attribute__((target_clones("avx512f", "avx2", "default"))) void
train(const Sample *samples, float *centers, float *contexts,
      const float *sigmoid) {
#pragma clang fp reassociate(on) contract(fast)
  for (const Sample *sample = samples; sample != samples + kSamples; ++sample) {
    float *center = centers + sample->center * kWidth;
    float change[kWidth] = {};
    for (int i = 0; i < kContexts; ++i) {
      float *context = contexts + sample->contexts[i] * kWidth;
      float product = 0;
      for (int k = 0; k < kWidth; ++k)
        product += center[k] * context[k];
      const float at = product < -8 ? -8 : product > 8 ? 8 : product;
      const float label = i == 0 ? 1.0f : 0.0f;
      const float step =
          kLearningRate * (label - sigmoid[static_cast<int>((at + 8) * 64)]);
      for (int k = 0; k < kWidth; ++k) {
        change[k] += step * context[k];
        context[k] += step * center[k];
      }
    }
    for (int k = 0; k < kWidth; ++k)
      center[k] += change[k];
  }
}

std::vector<float> makeRows() {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> value(-0.01f, 0.01f);
  std::vector<float> rows(kVocabulary * kWidth);
  for (float &each : rows)
    each = value(random);
  return rows;
}
} // namespace

int main() {
  const std::vector<Sample> samples = drawSamples();
  const std::vector<float> sigmoid = tabulateSigmoid();
  std::vector<float> centers = makeRows(), contexts = makeRows();
  const double time = ps::bench::medianSeconds(11, [&] {
    train(samples.data(), centers.data(), contexts.data(), sigmoid.data());
  });
  // Frequent words have learned that they are near each other.
  float length = 0;
  for (int k = 0; k < kWidth; ++k)
    length += centers[k] * centers[k];
  if (!(length > 0.01f)) {
    std::fprintf(stderr, "word2vec floor: nothing was learned\n");
    return 1;
  }
  ps::bench::row("word2vec floor, 1 thread", kSamples / time, "samples/s");
  return 0;
}
