// SPDX-License-Identifier: Apache-2.0
//===- AllReduceBench.cpp - all-reduce between processes ------------------===//
//
// Trainers that are processes of this machine reduce a tensor of f32. Beside
// each figure is its floor: raw TCP that moves as many bytes in as many
// directions, without a sum. Arguments: repetitions (default 20).
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Join.h"
#include "runtime/collective/PeerGroup.h"
#include "test/benchmarks/Sockets.h"
#include "test/benchmarks/Table.h"
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;
using ps::bench::listenOn;

namespace {
/// One trainer; the listeners for raw TCP exist before the fork, so that their
/// ports are known to all.
struct Process {
  int id = 0, trainers = 2;
  std::vector<int> ports;
};

double runTcp(Process &self, std::vector<int> &listeners, size_t bytes,
              int repetitions) {
  // Around the ring: to the next one, from the previous one.
  const int next = (self.id + 1) % self.trainers;
  const int out = ps::bench::connectTo(self.ports[next]);
  const int in = ps::bench::acceptFrom(listeners[self.id]);
  // Each sends 2 (T - 1) / T of the tensor.
  const size_t moved = 2 * bytes * (self.trainers - 1) / self.trainers;
  std::vector<char> source(moved), target(moved);
  const double time = ps::bench::medianSeconds(repetitions, [&] {
    std::thread sender([&] { ps::bench::writeAll(out, source.data(), moved); });
    ps::bench::readAll(in, target.data(), moved);
    sender.join();
  });
  close(out);
  close(in);
  return time;
}

double runReduce(PeerGroup &group, int64_t &step, size_t bytes,
                 int repetitions) {
  std::vector<float> values(bytes / sizeof(float), 1.f);
  const std::span<std::byte> data = std::as_writable_bytes(std::span(values));
  return ps::bench::medianSeconds(repetitions, [&] {
    const absl::Status status = await([&](Done done) {
      group.allReduce(step++, 0, {{DType::F32, data, data}}, std::move(done));
    });
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
      std::exit(1);
    }
  });
}

constexpr size_t sizes[] = {size_t(64) << 10, size_t(256) << 10,
                            size_t(1) << 20,  size_t(4) << 20,
                            size_t(16) << 20, size_t(64) << 20};

/// Everything one trainer does; trainer 0 prints.
void runTrainer(Process self, std::vector<int> listeners,
                const std::vector<int> &groupPorts, int repetitions) {
  std::vector<double> floors;
  for (size_t bytes : sizes)
    floors.push_back(runTcp(self, listeners, bytes, repetitions));
  std::vector<std::string> endpoints;
  for (int port : groupPorts)
    endpoints.push_back("127.0.0.1:" + std::to_string(port));
  auto group = PeerGroup::listen(endpoints[self.id],
                                 {.hello = {.trainerId = self.id,
                                            .incarnation = self.id + 1u,
                                            .jobHash = "bench"},
                                  .trainers = self.trainers},
                                 [](const std::string &) {});
  if (!group.ok() || !(*group)->connect(endpoints, {}).ok())
    std::exit(1);
  int64_t step = 0;
  for (size_t i = 0; i != std::size(sizes); ++i) {
    const double time = runReduce(**group, step, sizes[i], repetitions);
    if (self.id != 0)
      continue;
    const std::string what = "all-reduce, " + std::to_string(sizes[i] >> 10) +
                             " KiB, " + std::to_string(self.trainers) +
                             " trainers";
    ps::bench::row(what, time * 1e6, "us");
    ps::bench::row(what + ", raw TCP", floors[i] * 1e6, "us");
  }
  (*group)->complete();
}

} // namespace

int main(int argc, char **argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 20;
  for (int trainers : {2, 3}) {
    std::vector<int> listeners(trainers), ports(trainers), groupPorts(trainers);
    for (int id = 0; id != trainers; ++id)
      listeners[id] = listenOn(ports[id]);
    for (int id = 0; id != trainers; ++id) // Free ones: closed at once.
      close(listenOn(groupPorts[id]));
    std::vector<pid_t> children;
    for (int id = 0; id != trainers; ++id) {
      const pid_t child = fork();
      if (child == 0) {
        runTrainer({id, trainers, ports}, listeners, groupPorts, repetitions);
        return 0;
      }
      children.push_back(child);
    }
    for (int fd : listeners)
      close(fd);
    for (pid_t child : children)
      waitpid(child, nullptr, 0);
  }
  return 0;
}
