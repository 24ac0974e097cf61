// SPDX-License-Identifier: Apache-2.0
//===- ConvolutionTest.cpp - convolutions as nodes ------------------------===//

#include "runtime/kernels/Convolution.h"
#include "test/unit/RuntimeTesting.h"
#include <cmath>
#include <random>

using namespace ps::runtime;

namespace {
using Kind = ConvolutionCall::Kind;

/// A convolution of two spatial dimensions, with its tensors, whose features
/// come last or first.
struct Images {
  Images(ConvolutionCall shape, bool featuresLast) : call(std::move(shape)) {
    const int64_t inputs = call.groups * call.inputFeatures;
    const int64_t outputs = call.groups * call.outputFeatures;
    call.inputLayout = layOut(inputs, call.inputSizes, featuresLast);
    call.outputLayout = layOut(outputs, call.outputSizes, featuresLast);
    const int64_t area = call.kernelSizes[0] * call.kernelSizes[1];
    if (featuresLast)
      call.kernelLayout = {call.outputFeatures, 1, outputs,
                           call.kernelSizes[1] * call.inputFeatures * outputs,
                           call.inputFeatures * outputs};
    else
      call.kernelLayout = {call.outputFeatures * call.inputFeatures * area,
                           call.inputFeatures * area, area, call.kernelSizes[1],
                           1};
    fill(input, call.batch * inputs * call.inputSizes[0] * call.inputSizes[1]);
    fill(kernel, outputs * call.inputFeatures * area);
    fill(output,
         call.batch * outputs * call.outputSizes[0] * call.outputSizes[1]);
    call.input = input.data();
    call.kernel = kernel.data();
    call.output = output.data();
  }

  static std::vector<int64_t> layOut(int64_t features,
                                     const std::vector<int64_t> &sizes,
                                     bool featuresLast) {
    const int64_t all = features * sizes[0] * sizes[1];
    if (featuresLast)
      return {all, 1, sizes[1] * features, features};
    return {all, sizes[0] * sizes[1], sizes[1], 1};
  }

  void fill(std::vector<float> &values, int64_t count) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    values.resize(count);
    for (float &x : values)
      x = uniform(random);
  }

  /// Adds every product to the element that `call.kind` writes.
  void accumulate(std::vector<double> &sums) const;
  void check(int threads);

  std::mt19937 random{7};
  ConvolutionCall call;
  std::vector<float> input, kernel, output;
};
} // namespace

static int64_t place(const std::vector<int64_t> &layout,
                     std::initializer_list<int64_t> indices) {
  int64_t at = 0;
  const int64_t *distance = layout.data();
  for (int64_t index : indices)
    at += index * *distance++;
  return at;
}

void Images::accumulate(std::vector<double> &sums) const {
  auto add = [&](int64_t x, int64_t w, int64_t y) {
    if (call.kind == Kind::Forward)
      sums[y] += double(input[x]) * kernel[w];
    else if (call.kind == Kind::BackwardInput)
      sums[x] += double(output[y]) * kernel[w];
    else
      sums[w] += double(input[x]) * output[y];
  };
  const int64_t places = call.outputSizes[0] * call.outputSizes[1];
  const int64_t area = call.kernelSizes[0] * call.kernelSizes[1];
  for (int64_t n = 0; n < call.batch * places; ++n)
    for (int64_t o = 0; o < call.groups * call.outputFeatures; ++o)
      for (int64_t k = 0; k < area * call.inputFeatures; ++k) {
        const int64_t item = n / places, g = o / call.outputFeatures;
        const int64_t row = n % places / call.outputSizes[1];
        const int64_t column = n % call.outputSizes[1];
        const int64_t i = k % call.inputFeatures;
        const int64_t kr = k / call.inputFeatures / call.kernelSizes[1];
        const int64_t kc = k / call.inputFeatures % call.kernelSizes[1];
        const int64_t r =
            row * call.strides[0] + kr * call.dilations[0] - call.padding[0];
        const int64_t c =
            column * call.strides[1] + kc * call.dilations[1] - call.padding[1];
        if (r < 0 || c < 0 || r >= call.inputSizes[0] ||
            c >= call.inputSizes[1])
          continue;
        add(place(call.inputLayout, {item, g * call.inputFeatures + i, r, c}),
            place(call.kernelLayout, {g, o % call.outputFeatures, i, kr, kc}),
            place(call.outputLayout, {item, o, row, column}));
      }
}

void Images::check(int threads) {
  std::vector<float> &written = call.kind == Kind::Forward         ? output
                                : call.kind == Kind::BackwardInput ? input
                                                                   : kernel;
  std::vector<double> expected(written.size(), 0);
  accumulate(expected);
  std::fill(written.begin(), written.end(), NAN);
  ASSERT_OK(runNode(makeConvolutionNode("c", call), threads));
  for (size_t i = 0; i < written.size(); ++i)
    ASSERT_NEAR(written[i], expected[i], 1e-3) << "element " << i;
}

static ConvolutionCall makeShape(Kind kind, int64_t groups) {
  ConvolutionCall call;
  call.kind = kind;
  call.batch = 13;
  call.groups = groups;
  call.inputFeatures = 12;
  call.outputFeatures = 40;
  call.inputSizes = {15, 14};
  call.kernelSizes = {3, 2};
  call.strides = {2, 1};
  call.dilations = {1, 2};
  call.padding = {1, 0};
  call.outputSizes = {8, 12};
  return call;
}

/// Parts of the batch or of the output features, the last of which is smaller.
TEST(ConvolutionNode, MatchesSumsOfProducts) {
  for (Kind kind : {Kind::Forward, Kind::BackwardInput, Kind::BackwardKernel})
    for (int64_t groups : {1, 3})
      for (bool featuresLast : {true, false})
        for (int threads : {1, 3}) {
          SCOPED_TRACE(testing::Message()
                       << "kind " << int(kind) << ", groups " << groups
                       << (featuresLast ? ", features last" : "")
                       << ", threads " << threads);
          Images(makeShape(kind, groups), featuresLast).check(threads);
        }
}

TEST(ConvolutionNode, ReportsWhatTheLibraryHasNot) {
  ConvolutionCall call = makeShape(Kind::Forward, 1);
  call.padding = {-1, 0};
  Images images(std::move(call), true);
  EXPECT_TRUE(failsWith(runNode(makeConvolutionNode("c", images.call), 1),
                        absl::StatusCode::kInternal,
                        "the library has no convolution of 15x14 by 3x2"));
}
