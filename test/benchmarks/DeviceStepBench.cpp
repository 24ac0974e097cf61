// SPDX-License-Identifier: Apache-2.0
//===- DeviceStepBench.cpp - a training step against its kernels ----------===//
//
// A whole step, from its feeds in the host's memory to its fetches there,
// beside the sum of what each of its nodes takes in the device's queue when it
// runs by itself again and again: what is between them is ours.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/data/StagedFeeds.h"
#include "runtime/executor/Executor.h"
#include "test/benchmarks/DeviceTime.h"
#include "tools/ps-run/loader/Loader.h"
#include <future>
#include <random>

using namespace ps;
using namespace ps::bench;
using namespace ps::runtime;

namespace {

/// For nodes that run outside of a step.
class AloneContext final : public StepContext {
public:
  int64_t step() const override { return 0; }
  int parallelism() const override { return 1; }
  void parallelRows(int64_t rows, int64_t,
                    absl::FunctionRef<void(int64_t, int64_t)> body) override {
    body(0, rows);
  }
};

/// The compiled graph, its variables on the device, and a batch of noise.
class DeviceStep {
public:
  DeviceStep(Device &device, const std::string &graph, int64_t batch,
             Precision precision)
      : device(device), loader(check(Loader::create(graph))) {
    check(loader->selectProgram(""));
    std::vector<VariableSpec> specs = check(loader->variables());
    for (VariableSpec &spec : specs)
      spec.space = MemorySpace::Device;
    store = check(Store::create(std::move(specs), /*seed=*/1, device));
    check(store->upload());
    Binding binding;
    binding.precision = precision;
    binding.device = &device;
    binding.store = store.get();
    CompileOptions options;
    options.batchSize = batch;
    const std::string function = check(loader->functions())[0].name;
    compiled = check(loader->compile(function, options, binding));
    binding.graphs = false;
    apart = check(loader->compile(function, options, binding));
    executor = check(Executor::create({.threads = 1}));
    feeds = check(StagedFeeds::create(program(), {.ahead = true}));
    fill();
    check(feeds->send());
    check(feeds->deliver());
  }

  /// As a feeder does, with the next batch under way meanwhile.
  void run() {
    std::future<absl::Status> sent =
        std::async(std::launch::async, [&] { return feeds->send(); });
    check(executor->run(program(), step++));
    check(sent.get());
    check(feeds->deliver());
  }

  /// What the next batch's way to the device takes, which is meanwhile.
  double secondsOfFeeds() {
    return medianSeconds(9, [&] { check(feeds->send()); });
  }

  /// Each node of the device by itself, ten times in a graph, so that the host
  /// does not show. Copies between host and device are beside the queue: they
  /// count nothing.
  double sumOfNodes() {
    double sum = 0;
    AloneContext context;
    for (size_t id = 0; id < apart.program->size(); ++id) {
      Node &node = apart.program->node(static_cast<NodeId>(id));
      auto start = [&] {
        check(await([&](Done done) { node.start(context, std::move(done)); }));
      };
      start(); // A device may have to load code first.
      constexpr int repeats = 10;
      std::unique_ptr<DeviceGraph> graph = check(device.capture([&] {
        for (int repeat = 0; repeat < repeats; ++repeat)
          start();
        return absl::OkStatus();
      }));
      sum += deviceSeconds(
                 device, [&] { check(graph->launch()); }, 1) /
             repeats;
      device.drain();
    }
    return sum;
  }

private:
  Program &program() { return *compiled.program; }

  void fill() {
    std::mt19937 random(1);
    for (auto &[name, feed] : feeds->batch())
      for (int64_t i = 0; i < feed.type.numElements(); ++i)
        if (feed.type.dtype == DType::F32)
          feed.as<float>()[i] = std::normal_distribution<float>()(random);
        else
          feed.as<int64_t>()[i] = static_cast<int64_t>(random() % 10);
  }

  Device &device;
  std::unique_ptr<Loader> loader;
  std::unique_ptr<Store> store;
  /// The step, and its nodes without graphs of them.
  CompiledProgram compiled, apart;
  std::unique_ptr<StagedFeeds> feeds;
  std::unique_ptr<Executor> executor;
  int64_t step = 0;
};

} // namespace

void ps::bench::measureStep(Device &device, const std::string &graph,
                            int64_t batch, Precision precision) {
  DeviceStep step(device, graph, batch, precision);
  const bool isEmulated = device.chip() == "host";
  const int rounds = isEmulated ? 3 : 101;
  for (int round = 0; round < rounds / 2; ++round)
    step.run();
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round)
    times.push_back(seconds([&] { step.run(); }));
  const double whole = median(std::move(times)), sum = step.sumOfNodes();
  const std::string what =
      absl::StrCat("784-512-256-10, batch ", batch, ", ",
                   precision == Precision::F32
                       ? ""
                       : std::string(precisionName(precision)) + ", ");
  row(what + "step", whole * 1e6, "us");
  row(what + "sum of its kernels", sum * 1e6, "us");
  row(what + "feeds of the next", step.secondsOfFeeds() * 1e6, "us");
  row(what + "step / its kernels", whole / sum, "x", "<= 1.2");
}
