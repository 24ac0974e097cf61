// SPDX-License-Identifier: Apache-2.0
//===- StepFloor.cpp - a small synchronous step, written by hand ----------===//
//
// usage: bench-step-floor [--steps=N] [--pin] [--products=BATCH,WIDTH,..]
//
// What two pservers and two trainers of examples/mnist_mlp cannot do without,
// as four processes with no framework: each trainer computes the matrix
// products of its 32 samples and sends each pserver its gradients, as many
// bytes as the blocks of that pserver have; the pserver takes the mean of both,
// updates by Momentum, and sends the values to both, which is the barrier too.
// Once over TCP sockets, once through shared memory, each with and without the
// products. The result of the updates is checked.
//
// --pin gives each role a core, in turn. --products prints what the products of
// a step of another network take on one thread, and no exchange.
//
//===----------------------------------------------------------------------===//

#include "test/benchmarks/Sockets.h"
#include "test/benchmarks/StepProducts.h"
#include "test/benchmarks/Table.h"
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <linux/futex.h>
#include <memory>
#include <optional>
#include <sched.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern "C" void omp_set_num_threads(int);

namespace {
using ps::bench::StepProducts;

constexpr int kTrainers = 2, kServers = 2, kWarmUp = 50;
/// The floats of each pserver, as `ps-opt --ps-transpile` assigns the blocks.
constexpr size_t kFloats[kServers] = {392 * 128 + 128 + 128 * 64 + 64 * 10,
                                      392 * 128 + 64 + 10};
constexpr float kLearningRate = 0.05f, kMomentum = 0.9f;
constexpr int kDeadlineSeconds = 300;

struct Options {
  int steps = 3000;
  bool pin = false;
  /// Batch and widths.
  std::vector<int64_t> products;
};

/// What all processes share. In shared memory, gradients and values; over TCP
/// only the time.
struct Shared {
  std::atomic<uint32_t> pushed[kServers][kTrainers];
  std::atomic<uint32_t> updated[kServers];
  double seconds;
  float gradients[kServers][kTrainers][kFloats[0]];
  float values[kServers][kFloats[0]];
};

void waitFor(std::atomic<uint32_t> &word, uint32_t count) {
  for (uint32_t seen; (seen = word.load(std::memory_order_acquire)) != count;)
    syscall(SYS_futex, &word, FUTEX_WAIT, seen, nullptr, nullptr, 0);
}

void advance(std::atomic<uint32_t> &word) {
  word.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// The vector instructions are chosen when the program starts, as those of
/// compiled kernels are.
__attribute__((target_clones("avx512f", "avx2", "default"))) void
update(float *values, float *velocity, const float *first, const float *second,
       size_t count) {
  for (size_t i = 0; i < count; ++i) {
    velocity[i] = kMomentum * velocity[i] + 0.5f * (first[i] + second[i]);
    values[i] -= kLearningRate * velocity[i];
  }
}

/// How a trainer and a pserver exchange a step. The trainer's side of pserver
/// s, and the side of pserver s.
class Exchange {
public:
  virtual ~Exchange() = default;
  virtual void connect() {}
  virtual void push(int server, const float *gradients) = 0;
  virtual void pull(int server, float *values) = 0;
  virtual void accept(int server) { (void)server; }
  /// The gradients of all trainers, valid until `answer`.
  virtual const float *receive(int server, int trainer) = 0;
  virtual float *values(int server) = 0;
  virtual void answer(int server) = 0;

  int trainer = 0;
};

class TcpExchange : public Exchange {
public:
  TcpExchange() {
    for (int server = 0; server < kServers; ++server)
      listeners[server] = ps::bench::listenOn(ports[server]);
  }
  ~TcpExchange() override {
    for (int listener : listeners)
      close(listener);
  }
  void connect() override {
    for (int server = 0; server < kServers; ++server)
      servers[server] = ps::bench::connectTo(ports[server]);
  }
  void push(int server, const float *gradients) override {
    ps::bench::writeAll(servers[server], gradients,
                        kFloats[server] * sizeof(float));
  }
  void pull(int server, float *values) override {
    ps::bench::readAll(servers[server], values,
                       kFloats[server] * sizeof(float));
  }
  void accept(int server) override {
    for (int i = 0; i < kTrainers; ++i) {
      trainers[i] = ps::bench::acceptFrom(listeners[server]);
      received[i].resize(kFloats[server]);
    }
    held.resize(kFloats[server]);
  }
  const float *receive(int server, int trainer) override {
    ps::bench::readAll(trainers[trainer], received[trainer].data(),
                       kFloats[server] * sizeof(float));
    return received[trainer].data();
  }
  float *values(int) override { return held.data(); }
  void answer(int server) override {
    for (int fd : trainers)
      ps::bench::writeAll(fd, held.data(), kFloats[server] * sizeof(float));
  }

private:
  int listeners[kServers], ports[kServers], servers[kServers];
  int trainers[kTrainers];
  std::vector<float> received[kTrainers], held;
};

/// A trainer copies its gradients in and the values out; a pserver works on
/// what is shared.
class MemoryExchange : public Exchange {
public:
  explicit MemoryExchange(Shared &shared) : shared(shared) {}
  void push(int server, const float *gradients) override {
    std::memcpy(shared.gradients[server][trainer], gradients,
                kFloats[server] * sizeof(float));
    advance(shared.pushed[server][trainer]);
    steps[server] += 1;
  }
  void pull(int server, float *values) override {
    waitFor(shared.updated[server], steps[server]);
    std::memcpy(values, shared.values[server], kFloats[server] * sizeof(float));
  }
  const float *receive(int server, int trainer) override {
    waitFor(shared.pushed[server][trainer], steps[server] + 1);
    return shared.gradients[server][trainer];
  }
  float *values(int server) override { return shared.values[server]; }
  void answer(int server) override {
    advance(shared.updated[server]);
    steps[server] += 1;
  }

private:
  Shared &shared;
  uint32_t steps[kServers] = {};
};

/// A trainer's gradients are the number of the trainer and one, everywhere.
/// Returns the value that every weight then has after `steps` steps.
float expectedValue(int steps) {
  float value = 0, velocity = 0;
  for (int step = 0; step < steps; ++step) {
    const float first = 1, second = 2;
    update(&value, &velocity, &first, &second, 1);
  }
  return value;
}

void serve(Exchange &exchange, int server, int steps) {
  exchange.accept(server);
  std::vector<float> velocity(kFloats[server]);
  for (int step = 0; step < steps; ++step) {
    const float *first = exchange.receive(server, 0);
    const float *second = exchange.receive(server, 1);
    update(exchange.values(server), velocity.data(), first, second,
           kFloats[server]);
    exchange.answer(server);
  }
}

/// Returns the seconds of all steps but the first ones.
double train(Exchange &exchange, StepProducts *products, int steps) {
  exchange.connect();
  std::vector<float> gradients(kFloats[0],
                               static_cast<float>(exchange.trainer + 1));
  std::vector<float> values[kServers];
  for (int server = 0; server < kServers; ++server)
    values[server].resize(kFloats[server]);
  const auto runSteps = [&](int count) {
    for (int step = 0; step < count; ++step) {
      if (products && !products->run())
        std::exit(1);
      for (int server = 0; server < kServers; ++server)
        exchange.push(server, gradients.data());
      for (int server = 0; server < kServers; ++server)
        exchange.pull(server, values[server].data());
    }
  };
  runSteps(kWarmUp);
  const double seconds = ps::bench::seconds([&] { runSteps(steps - kWarmUp); });
  const float expected = expectedValue(steps);
  for (const std::vector<float> &each : values)
    for (float value : each)
      if (value != expected) {
        std::fprintf(stderr, "step floor: expected the value %g, found %g\n",
                     expected, value);
        std::exit(1);
      }
  return seconds;
}

void pinToCore(int role) {
  cpu_set_t allowed, one;
  sched_getaffinity(0, sizeof(allowed), &allowed);
  int left = role % CPU_COUNT(&allowed);
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed) && left-- == 0) {
      CPU_ZERO(&one);
      CPU_SET(core, &one);
      sched_setaffinity(0, sizeof(one), &one);
    }
}

/// A process that ends with its parent, or at the deadline.
template <typename Body>
pid_t start(int role, bool pin, Body &&body) {
  const pid_t child = fork();
  if (child != 0)
    return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(kDeadlineSeconds);
  if (pin)
    pinToCore(role);
  body();
  std::_Exit(0);
}

/// Waits for all; the first failure ends the others, and this program.
void waitForAll(std::vector<pid_t> children) {
  for (size_t left = children.size(); left > 0; --left) {
    int status = 0;
    wait(&status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      continue;
    std::fprintf(stderr, "step floor: a process failed\n");
    for (pid_t child : children)
      kill(child, SIGKILL);
    std::exit(1);
  }
}

/// Seconds of the processor that children have taken.
double processorTime() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Prints the steps per second of trainer 0, and what a step takes of the
/// processors, all processes together: the figure to compare where a machine
/// has other work.
void measure(const std::string &what, Exchange &exchange, Shared &shared,
             bool multiply, const Options &options) {
  const int steps = kWarmUp + options.steps;
  const double before = processorTime();
  std::vector<pid_t> children;
  for (int i = 0; i < kTrainers; ++i)
    children.push_back(start(i, options.pin, [&] {
      omp_set_num_threads(1);
      std::optional<StepProducts> products;
      if (multiply)
        products.emplace(32, std::vector<int64_t>{784, 128, 64, 10}, false);
      exchange.trainer = i;
      const double seconds =
          train(exchange, products ? &*products : nullptr, steps);
      if (i == 0)
        shared.seconds = seconds;
    }));
  for (int i = 0; i < kServers; ++i)
    children.push_back(
        start(kTrainers + i, options.pin, [&] { serve(exchange, i, steps); }));
  waitForAll(std::move(children));
  ps::bench::row(what, options.steps / shared.seconds, "steps/s");
  ps::bench::row(what + ", processor time",
                 1e6 * (processorTime() - before) / steps, "us/step");
}

struct Unmap {
  void operator()(Shared *shared) const { munmap(shared, sizeof(Shared)); }
};

/// Zeros.
std::unique_ptr<Shared, Unmap> makeShared() {
  void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("step floor");
    std::exit(1);
  }
  return std::unique_ptr<Shared, Unmap>(static_cast<Shared *>(memory));
}

void printExchanges(const Options &options) {
  for (bool multiply : {true, false}) {
    const std::string what = multiply ? "" : ", without the products";
    auto shared = makeShared();
    MemoryExchange memory(*shared);
    measure("step floor, 2 x 2 through shared memory" + what, memory, *shared,
            multiply, options);
    TcpExchange tcp;
    measure("step floor, 2 x 2 over TCP" + what, tcp, *shared, multiply,
            options);
  }
}

void printProducts(const std::vector<int64_t> &shape) {
  omp_set_num_threads(1);
  StepProducts products(shape[0], {shape.begin() + 1, shape.end()}, true);
  const double time = ps::bench::medianSeconds(41, [&] {
    if (!products.run())
      std::exit(1);
  });
  ps::bench::row("step floor, products", time * 1e3, "ms");
  ps::bench::row("step floor, products", products.flops() / time * 1e-9,
                 "GFLOP/s");
}

std::optional<Options> parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--pin") {
      options.pin = true;
    } else if (argument.starts_with("--steps=")) {
      options.steps = std::atoi(argument.c_str() + strlen("--steps="));
    } else if (argument.starts_with("--products=")) {
      std::istringstream list(argument.substr(strlen("--products=")));
      for (std::string each; std::getline(list, each, ',');)
        options.products.push_back(std::atoll(each.c_str()));
      for (int64_t size : options.products)
        if (size < 1 || size > 1 << 20)
          return std::nullopt;
      if (options.products.size() < 3)
        return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  return options.steps > 0 ? std::optional(options) : std::nullopt;
}
} // namespace

int main(int argc, char **argv) {
  const std::optional<Options> options = parse(argc, argv);
  if (!options) {
    std::fprintf(stderr, "usage: bench-step-floor [--steps=N] [--pin] "
                         "[--products=BATCH,WIDTH,WIDTH,..]\n");
    return 2;
  }
  if (options->products.empty())
    printExchanges(*options);
  else
    printProducts(options->products);
  return 0;
}
