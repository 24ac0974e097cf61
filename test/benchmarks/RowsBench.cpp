// SPDX-License-Identifier: Apache-2.0
//===- RowsBench.cpp - what a step does with table rows -------------------===//
//
// A batch of 1,024 samples with 26 ids of rows of 16 floats, the ids drawn by
// a power law as those of clicks are: bringing ids together, looking their rows
// up, plainly and in bags, and adding their gradients, beside a plain copy of
// as many bytes. On one thread.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Executor.h"
#include "runtime/executor/FunctionNode.h"
#include "runtime/executor/RowBatch.h"
#include "runtime/nodes/Rows.h"
#include "test/benchmarks/Table.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace ps::runtime;
namespace bench = ps::bench;

namespace {
constexpr int64_t kSamples = 1024, kSlots = 26, kWidth = 16;
constexpr int64_t kIds = kSamples * kSlots;
constexpr int kRepeats = 101;

void measure(StepContext &context) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<int64_t> ids(kIds), offsets(kSamples);
  for (int64_t i = 0; i != kIds; ++i)
    ids[i] = static_cast<int64_t>(
        mixId(static_cast<int64_t>(std::pow(1e6, uniform(random))) * kSlots +
              i % kSlots));
  for (int64_t i = 0; i != kSamples; ++i)
    offsets[i] = i * kSlots;

  RowBatch batch(DType::F32, kWidth);
  std::vector<RowLookup> lookups = {{ids, std::nullopt}};
  auto perId = [](double seconds) { return seconds / kIds * 1e9; };
  double assign =
      bench::medianSeconds(kRepeats, [&] { (void)batch.assign(lookups); });
  bench::row("different ids among 26,624", double(batch.size()), "");
  bench::row("group equal ids", perId(assign), "ns/id");

  std::vector<float> from(kIds * kWidth, 1), to(kIds * kWidth);
  double copy = bench::medianSeconds(kRepeats, [&] {
    std::memcpy(to.data(), from.data(), to.size() * sizeof(float));
  });
  bench::row("copy as many bytes as the rows have", perId(copy), "ns/id");

  std::byte *values = reinterpret_cast<std::byte *>(to.data());
  RowGradientAdder adder;
  for (Pooling pooling : {Pooling::None, Pooling::Mean}) {
    Bags bags{pooling, offsets, nullptr};
    const char *what = pooling == Pooling::None ? "plain" : "in bags of 26";
    double lookUp = bench::medianSeconds(kRepeats, [&] {
      lookUpRows(context, batch.rows(), batch.places(0), bags, values);
    });
    double gradient = bench::medianSeconds(kRepeats, [&] {
      adder.add(context, values, batch.places(0), bags, *batch.gradients());
    });
    bench::row(std::string("look up, ") + what, perId(lookUp), "ns/id");
    bench::row(std::string("add gradients, ") + what, perId(gradient), "ns/id");
  }
}
} // namespace

int main() {
  Program program;
  program.addNode(makeNode(Node::Kind::Kernel, "bench",
                           [](StepContext &context, Done done) {
                             measure(context);
                             done(absl::OkStatus());
                           }),
                  {});
  auto executor = Executor::create({.threads = 1});
  return executor.ok() && (*executor)->run(program, 0).ok() ? 0 : 1;
}
