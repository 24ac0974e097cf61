// SPDX-License-Identifier: Apache-2.0
//===- ExecutorBench.cpp - what the executor itself costs per node --------===//

#include "runtime/executor/Executor.h"
#include "runtime/executor/FunctionNode.h"
#include "test/benchmarks/Table.h"
#include <cstdlib>

using namespace ps::runtime;

namespace {
/// `size` nodes in layers of `width`; each comes after three of the layer
/// before.
void build(Program &program, int size, int width) {
  for (int i = 0; i < size; ++i) {
    std::vector<NodeId> after;
    const int layer = i / width * width;
    for (int e = 0; layer > 0 && e < std::min(3, width); ++e)
      after.push_back(layer - width + (i + e) % width);
    program.addNode(makeNode(Node::Kind::Kernel, "empty",
                             [](StepContext &) { return absl::OkStatus(); }),
                    after);
  }
}

void measure(int size, int width, int threads, bool deterministic) {
  Program program;
  build(program, size, width);
  Executor::Options options;
  options.threads = threads;
  options.deterministic = deterministic;
  auto executor = *Executor::create(options);
  const double seconds = ps::bench::medianSeconds(501, [&] {
    if (!executor->run(program, 0).ok())
      std::abort();
  });
  std::string what =
      "executor, " + std::to_string(size) + " empty nodes, " +
      (width == 1 ? "chain" : "layers of 10") + ", " +
      (deterministic ? "in order" : std::to_string(threads) + "T");
  ps::bench::row(what, seconds / size * 1e9, "ns/node", "<= 1000");
}
} // namespace

int main() {
  for (int size : {200, 2000})
    for (int width : {1, 10}) {
      measure(size, width, /*threads=*/1, /*deterministic=*/false);
      measure(size, width, /*threads=*/2, /*deterministic=*/false);
      measure(size, width, /*threads=*/2, /*deterministic=*/true);
    }
}
