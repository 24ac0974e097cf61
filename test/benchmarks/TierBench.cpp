// SPDX-License-Identifier: Apache-2.0
//===- TierBench.cpp - what a table costs that does not fit in memory -----===//
//
// Steps look up batches of ids, drawn by Zipf's law with exponent 1.05, and
// update their rows of 16 floats with Adagrad's state, on one thread, in a
// table that is in memory and in one whose memory holds a tenth of the rows,
// in turn; a thread of the table's own writes rows. Arguments: the number of
// rows, and a directory for the SSD's tier. The ids of a step that repeat are
// looked up again, and updated once.
//
//===----------------------------------------------------------------------===//

#include "runtime/table/Table.h"
#include "test/benchmarks/Table.h"
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

using namespace ps::runtime;
namespace bench = ps::bench;

namespace {
constexpr int64_t kWidth = 16;
constexpr size_t kValueBytes = kWidth * sizeof(float);
constexpr size_t kBatch = 32768;
constexpr int kSteps = 20, kRounds = 9;

using Row [[gnu::vector_size(kValueBytes), gnu::aligned(4)]] = float;

void adagrad(void *const *buffers, int64_t, int64_t) {
  auto *value = static_cast<Row *>(buffers[0]);
  auto *moment = static_cast<Row *>(buffers[1]);
  const Row g = *static_cast<const Row *>(buffers[2]);
  *moment += g * g;
  *value -= *static_cast<const float *>(buffers[3]) * g /
            __builtin_elementwise_sqrt(*moment);
}

void check(const absl::Status &status) {
  if (status.ok())
    return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

int64_t idOf(int64_t row) { return static_cast<int64_t>(mixId(row + 12345)); }

/// Draws the rank r >= 0 with a probability in proportion to (r + 1)^-1.05.
class Zipf {
public:
  explicit Zipf(int64_t count) {
    double sum = 0;
    for (int64_t rank = 0; rank < count; ++rank)
      sums.push_back(sum += std::pow(double(rank + 1), -1.05));
  }
  int64_t draw(std::mt19937_64 &random) const {
    const double at = std::uniform_real_distribution(0.0, sums.back())(random);
    return std::lower_bound(sums.begin(), sums.end(), at) - sums.begin();
  }

private:
  std::vector<double> sums;
};

struct Step {
  std::vector<int64_t> ids, distinct;
};

class Side {
public:
  Side(TableSpec spec, int64_t rows) {
    absl::StatusOr<std::unique_ptr<Table>> made = Table::create(spec, 1);
    check(made.status());
    table = *std::move(made);
    image.resize(table->layout().bytes);
    RowStep step;
    step.kernel.function = adagrad;
    step.kernel.buffers = {image.data(),
                           image.data() + table->layout().slots[0],
                           gradient.data(), &rate};
    RowMemory memory;
    memory.row = image;
    memory.gradient = gradient;
    absl::StatusOr<RowUpdate> compiled =
        RowUpdate::create(std::span(&step, 1), memory);
    check(compiled.status());
    update = *std::move(compiled);
    // All rows exist, as after some days of training.
    std::vector<int64_t> ids;
    for (int64_t row = 0; row < rows; ++row) {
      ids.push_back(idOf(row));
      if (ids.size() < kBatch && row + 1 < rows)
        continue;
      check(table->lookup(ids, true, values.data()));
      table->advance();
      ids.clear();
    }
  }

  void run(const Step &step) {
    check(table->lookup(step.ids, true, values.data()));
    check(table->update(step.distinct,
                        reinterpret_cast<std::byte *>(gradients.data()),
                        update));
    table->advance();
  }

  std::unique_ptr<Table> table;

private:
  std::vector<std::byte> image, gradient = std::vector<std::byte>(kValueBytes);
  std::vector<std::byte> values = std::vector<std::byte>(kBatch * kValueBytes);
  std::vector<float> gradients = std::vector<float>(kBatch * kWidth, 0.01f);
  float rate = 0.01f;
  RowUpdate update;
};
} // namespace

int main(int argc, char **argv) {
  const int64_t rows = argc > 1 ? std::atoll(argv[1]) : 0;
  if (rows < 10 * int64_t{kBatch} || argc != 3) {
    std::fprintf(stderr, "usage: bench-tiers ROWS DIRECTORY, ROWS from %zu\n",
                 10 * kBatch);
    return 1;
  }
  TableSpec spec;
  spec.name = "emb";
  spec.width = kWidth;
  spec.maxRows = rows;
  spec.initial = {InitialValue::Kind::Uniform, -0.1, 0.1};
  spec.slots = {{"moment", {DType::F32, {kWidth}}, 0.1}};
  Side whole(spec, rows);
  spec.tiers = {rows / 10, argv[2], {}};
  Side tiered(spec, rows);

  const Zipf zipf(rows);
  std::mt19937_64 random(7);
  auto draw = [&] {
    std::vector<Step> steps(kSteps);
    for (Step &step : steps) {
      for (size_t i = 0; i < kBatch; ++i)
        step.ids.push_back(idOf(zipf.draw(random)));
      step.distinct = step.ids;
      std::ranges::sort(step.distinct);
      step.distinct.erase(
          std::unique(step.distinct.begin(), step.distinct.end()),
          step.distinct.end());
    }
    return steps;
  };
  // Until memory has the rows that are used most.
  for (int round = 0; round < 10; ++round)
    for (const Step &step : draw())
      tiered.run(step);

  std::vector<double> inMemory, inTiers, ratios;
  const TableCounters before = tiered.table->counters();
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<Step> steps = draw();
    auto rate = [&](Side &side) {
      return double(kSteps * kBatch) * 1e-6 / bench::seconds([&] {
               for (const Step &step : steps)
                 side.run(step);
             });
    };
    inMemory.push_back(rate(whole));
    inTiers.push_back(rate(tiered));
    ratios.push_back(100 * inTiers.back() / inMemory.back());
  }
  const double ids = double(kRounds) * kSteps * kBatch;
  const TableCounters &after = tiered.table->counters();
  const std::string label = std::to_string(rows / 1000) + " k rows, ";
  bench::row(label + "in memory", bench::median(inMemory), "M ids/s");
  bench::row(label + "a tenth in memory", bench::median(inTiers), "M ids/s");
  bench::row(label + "a tenth, of all in memory", bench::median(ratios), "%",
             ">= 40");
  bench::row(label + "promoted, of ids",
             100 * double(after.promoted - before.promoted) / ids, "%");
  bench::row(label + "promoted",
             double(after.promoted - before.promoted) * 1e-6, "M rows");
}
