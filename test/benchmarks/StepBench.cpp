// SPDX-License-Identifier: Apache-2.0
//===- StepBench.cpp - a training step against its matrix products --------===//
//
// usage: bench-step GRAPH
//
// One step of the 784-512-256-10 classifier (forward, backward, Momentum) at
// batch 512 on one thread, alternating with the eight matrix products that
// such a step needs, called in the library without anything between them.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Executor.h"
#include "test/benchmarks/StepProducts.h"
#include "test/benchmarks/Table.h"
#include "tools/ps-run/loader/Loader.h"
#include <cstdlib>
#include <cstring>
#include <random>

extern "C" void omp_set_num_threads(int);

using namespace ps;
using namespace ps::runtime;

namespace {
constexpr int64_t batch = 512;

template <typename T>
T check(absl::StatusOr<T> value) {
  if (value.ok())
    return std::move(*value);
  std::fprintf(stderr, "step benchmark: %s\n",
               std::string(value.status().message()).c_str());
  std::exit(1);
}
void check(const absl::Status &status) {
  check(status.ok() ? absl::StatusOr<bool>(true) : status);
}

/// The compiled graph, its variables, and a batch of noise.
class Step {
public:
  explicit Step(const char *path) : loader(check(Loader::create(path))) {
    check(loader->selectProgram(""));
    store = check(Store::create(check(loader->variables()), /*seed=*/1));
    Binding binding;
    binding.store = store.get();
    CompileOptions options;
    options.batchSize = batch;
    compiled = check(
        loader->compile(check(loader->functions())[0].name, options, binding));
    executor = check(Executor::create({.threads = 1}));
    std::mt19937 random(1);
    std::normal_distribution<float> noise;
    TensorRef image = compiled.program->feeds.at("image");
    for (int64_t i = 0; i < image.type.numElements(); ++i)
      image.as<float>()[i] = noise(random);
    TensorRef label = compiled.program->feeds.at("label");
    for (int64_t i = 0; i < batch; ++i)
      label.as<int64_t>()[i] = static_cast<int64_t>(random() % 10);
  }
  void run() { check(executor->run(*compiled.program, step++)); }
  size_t nodes() const { return compiled.program->size(); }

private:
  std::unique_ptr<Loader> loader;
  std::unique_ptr<Store> store;
  CompiledProgram compiled;
  std::unique_ptr<Executor> executor;
  int64_t step = 0;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench-step GRAPH\n");
    return 2;
  }
  omp_set_num_threads(1);
  Step step(argv[1]);
  bench::StepProducts products(batch, {784, 512, 256, 10},
                               /*needsInputGradient=*/false);
  const auto multiply = [&] {
    check(products.run() ? absl::OkStatus()
                         : absl::InternalError("sgemm failed"));
  };
  for (int i = 0; i < 5; ++i) {
    step.run();
    multiply();
  }
  std::vector<double> steps, gemms;
  for (int i = 0; i < 101; ++i) {
    steps.push_back(bench::seconds([&] { step.run(); }));
    gemms.push_back(bench::seconds(multiply));
  }
  const double stepTime = bench::median(steps), gemmTime = bench::median(gemms);
  const std::string what = "784-512-256-10, batch 512, 1T, ";
  bench::row(what + "step", stepTime * 1e3, "ms");
  bench::row(what + "products", gemmTime * 1e3, "ms");
  bench::row(what + "products", products.flops() / gemmTime * 1e-9, "GFLOP/s");
  bench::row(what + "products / step", 100 * gemmTime / stepTime, "%", ">= 70");
}
