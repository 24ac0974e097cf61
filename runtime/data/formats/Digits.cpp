// SPDX-License-Identifier: Apache-2.0
//===- Digits.cpp - draws handwritten-looking digits ----------------------===//
//
// A 28x28 image shows one glyph of a 5x7 bitmap font, moved, scaled, rotated,
// slanted, blurred by interpolation and covered with noise.
//
//===----------------------------------------------------------------------===//

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/data/DataFormat.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/Query.h"
#include "runtime/data/Random.h"
#include <algorithm>
#include <cmath>

using namespace ps::runtime;

static constexpr int side = 28, glyphWidth = 5, glyphHeight = 7;

// One row per digit; 'X' is ink.
static constexpr const char *font[10][glyphHeight] = {
    {" XXX ", "X   X", "X   X", "X   X", "X   X", "X   X", " XXX "},
    {"  X  ", " XX  ", "X X  ", "  X  ", "  X  ", "  X  ", "XXXXX"},
    {" XXX ", "X   X", "    X", "   X ", "  X  ", " X   ", "XXXXX"},
    {"XXXX ", "    X", "    X", " XXX ", "    X", "    X", "XXXX "},
    {"   X ", "  XX ", " X X ", "X  X ", "XXXXX", "   X ", "   X "},
    {"XXXXX", "X    ", "X    ", "XXXX ", "    X", "    X", "XXXX "},
    {"  XX ", " X   ", "X    ", "XXXX ", "X   X", "X   X", " XXX "},
    {"XXXXX", "    X", "    X", "   X ", "  X  ", "  X  ", "  X  "},
    {" XXX ", "X   X", "X   X", " XXX ", "X   X", "X   X", " XXX "},
    {" XXX ", "X   X", "X   X", " XXXX", "    X", "   X ", " XX  "},
};

static double ink(int digit, int x, int y) {
  if (x < 0 || y < 0 || x >= glyphWidth || y >= glyphHeight)
    return 0;
  return font[digit][y][x] == 'X';
}

/// Ink at a point between the centers of the bitmap's cells.
static double interpolate(int digit, double x, double y) {
  double left = std::floor(x), top = std::floor(y);
  double fx = x - left, fy = y - top;
  int ix = static_cast<int>(left), iy = static_cast<int>(top);
  double upper = ink(digit, ix, iy) * (1 - fx) + ink(digit, ix + 1, iy) * fx;
  double lower =
      ink(digit, ix, iy + 1) * (1 - fx) + ink(digit, ix + 1, iy + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

static void draw(int digit, Random &random, std::byte *image) {
  double shiftX = random.uniform(-3, 3), shiftY = random.uniform(-3, 3);
  double cellWidth = random.uniform(2.2, 3.4);
  double cellHeight = cellWidth * random.uniform(0.85, 1.1);
  double angle = random.uniform(-0.3, 0.3), slant = random.uniform(-0.25, 0.25);
  double strength = random.uniform(0.75, 1.0), noise = random.uniform(0, 0.25);
  double cosine = std::cos(angle), sine = std::sin(angle);
  double center = (side - 1) / 2.0;
  for (int row = 0; row != side; ++row) {
    for (int col = 0; col != side; ++col) {
      double x = col - center - shiftX, y = row - center - shiftY;
      double turnedY = (cosine * y - sine * x) / cellHeight;
      double turnedX = (cosine * x + sine * y) / cellWidth + slant * turnedY;
      double value =
          strength * interpolate(digit, turnedX + (glyphWidth - 1) / 2.0,
                                 turnedY + (glyphHeight - 1) / 2.0) +
          noise * random.uniform(-1, 1);
      image[row * side + col] = static_cast<std::byte>(
          std::lround(255 * std::clamp(value, 0.0, 1.0)));
    }
  }
}

absl::StatusOr<Dataset> ps::runtime::makeDigits(const DigitsOptions &options) {
  constexpr int64_t most = 10'000'000, pixels = side * side;
  if (options.samples < 1 || options.samples > most)
    return absl::InvalidArgumentError(
        absl::StrCat("synthetic:digits makes 1 to ", most, " samples, not ",
                     options.samples));
  Dataset data;
  data.size = options.samples;
  data.columns.push_back({.name = "features",
                          .width = pixels,
                          .dtype = DType::UI8,
                          .scale = 1.0 / 255,
                          .bytes = {}});
  data.columns.push_back(
      {.name = "label", .width = 1, .dtype = DType::UI8, .bytes = {}});
  for (Column &column : data.columns)
    RETURN_IF_ERROR(column.bytes.resize(options.samples * column.width));
  std::byte *images = data.columns[0].bytes.data();
  std::byte *labels = data.columns[1].bytes.data();
  for (int64_t i = 0; i != options.samples; ++i) {
    Random random(options.seed, i);
    int digit = static_cast<int>(random.below(10));
    labels[i] = static_cast<std::byte>(digit);
    draw(digit, random, &images[i * pixels]);
  }
  return data;
}

//===----------------------------------------------------------------------===//
// The format
//===----------------------------------------------------------------------===//

static absl::StatusOr<Dataset> readSpec(DataSpec &spec, const DataOptions &) {
  DigitsOptions options;
  int64_t seed = 0;
  RETURN_IF_ERROR(parseQuery(spec, {{{"n", &options.samples, 1, 1e7},
                                     {"seed", &seed, 0, maxSeed}}})
                      .status());
  options.seed = seed;
  return makeDigits(options);
}

const DataFormat formats::digits = {
    .name = "synthetic:digits",
    .source = "",
    .help = "generated 28x28 digits; add ?n=10000&seed=0",
    .hasQuery = true,
    .read = readSpec};
