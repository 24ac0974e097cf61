// SPDX-License-Identifier: Apache-2.0
//===- TransportBench.cpp - pushes and pulls against a raw copy over TCP --===//
//
// Alternates the transports in one process, on loopback, so that all see the
// same machine: a gradient from a trainer into the accumulator of a pserver,
// and the same bytes through a TCP socket, or through shared memory, into a
// buffer.
// Then rows of a table: 100,000 of 16 floats per step, from the table to their
// places on the trainer, and their gradients back; beside them what a table
// does without a network.
//
//===----------------------------------------------------------------------===//

#include "absl/synchronization/notification.h"
#include "runtime/client/Connect.h"
#include "runtime/client/ShardedRows.h"
#include "runtime/links/Direct.h"
#include "runtime/links/Grpc.h"
#include "runtime/links/Memory.h"
#include "runtime/server/PServer.h"
#include "test/benchmarks/RawCopy.h"
#include "test/benchmarks/Table.h"
#include <cstdio>
#include <cstdlib>

using namespace ps::runtime;

namespace {
void check(bool ok, const char *what) {
  if (ok)
    return;
  std::fprintf(stderr, "transport benchmark: %s failed\n", what);
  std::exit(1);
}

/// A call that is waited for.
template <typename Start>
void await(Start &&start, const char *what) {
  absl::Notification done;
  absl::Status answer;
  start([&](absl::Status status) {
    answer = std::move(status);
    done.Notify();
  });
  done.WaitForNotification();
  if (!answer.ok())
    std::fprintf(stderr, "%s\n", answer.ToString().c_str());
  check(answer.ok(), what);
}

/// A pserver with one block and no update, and its one trainer.
class Pair {
public:
  Pair(int64_t elements, TransportChoice transport) : rows(elements, 1.0f) {
    TensorType type{DType::F32, {elements}};
    store = *Store::create({{"w", type, {}, "w", 0, ""}}, 1);
    executor = *Executor::create({});
    update.feeds["grad"] = {type, *update.ownMemory(type.bytes())};
    PServer::Options options;
    options.jobHash = "bench";
    options.store = store.get();
    options.executor = executor.get();
    options.blocks = {{"w", &update}};
    pserver = *PServer::create(std::move(options));
    const Log noLog = [](const std::string &) {};
    direct = DirectServer::start(*pserver, "127.0.0.1:0", transport,
                                 /*callers=*/1, noLog);
    server = *GrpcServer::start("127.0.0.1:0", *direct, noLog);
    ConnectOptions connect;
    connect.log = noLog;
    connect.transport = transport;
    connect.client.hello = {0, newIncarnation(), "bench"};
    std::vector<std::string> endpoints = {server->endpoint()};
    clients = *connectAll(endpoints, connect);
    fetchBarrier(startupStep);
  }
  ~Pair() {
    check(completeAll(clients).ok(), "complete");
    clients.clear();
    check(pserver->wait().ok(), "wait");
  }

  void push(int64_t step) {
    await(
        [&](Done done) {
          SendPart part{"w", DType::F32, std::as_bytes(std::span(rows))};
          clients[0]->push(step, std::span(&part, 1), std::move(done));
        },
        "push");
  }
  void sendBarrier(int64_t step) {
    await([&](Done done) { clients[0]->sendBarrier(step, std::move(done)); },
          "send barrier");
  }
  void pull(int64_t step) {
    await(
        [&](Done done) {
          RecvPart part{"w", DType::F32,
                        std::as_writable_bytes(std::span(rows))};
          clients[0]->pull(step, std::span(&part, 1), std::move(done));
        },
        "pull");
  }
  void fetchBarrier(int64_t step) {
    await([&](Done done) { clients[0]->fetchBarrier(step, std::move(done)); },
          "fetch barrier");
  }
  const std::byte *data() const {
    return reinterpret_cast<const std::byte *>(rows.data());
  }

private:
  std::vector<float> rows;
  std::unique_ptr<Store> store;
  std::unique_ptr<Executor> executor;
  Program update;
  std::unique_ptr<PServer> pserver;
  std::unique_ptr<DirectServer> direct;
  std::unique_ptr<GrpcServer> server;
  std::vector<std::unique_ptr<Client>> clients;
};

struct Measured {
  const char *name;
  std::unique_ptr<Pair> pair;
  std::vector<double> push, pull;
};

void measure(size_t bytes, const std::string &name, int repeats,
             const std::string &goal) {
  const auto elements = static_cast<int64_t>(bytes / sizeof(float));
  std::vector<Measured> all(3);
  all[0] = {"gRPC", std::make_unique<Pair>(elements, TransportChoice::Grpc)};
  all[1] = {"TCP", std::make_unique<Pair>(elements, TransportChoice::Tcp)};
  all[2] = {"shared memory",
            std::make_unique<Pair>(elements, TransportChoice::Auto)};
  ps::bench::TcpCopy tcp(bytes);
  ps::bench::MemoryCopy memory(bytes);
  std::vector<double> rawTcp, rawMemory;
  constexpr int warmUp = 3;
  for (int64_t step = 0; step < warmUp + repeats; ++step) {
    const std::byte *data = all[0].pair->data();
    const double overTcp = ps::bench::seconds([&] { tcp.send(data); });
    const double overMemory = ps::bench::seconds([&] { memory.send(data); });
    if (step >= warmUp) {
      rawTcp.push_back(overTcp);
      rawMemory.push_back(overMemory);
    }
    for (Measured &one : all) {
      const double push = ps::bench::seconds([&] { one.pair->push(step); });
      one.pair->sendBarrier(step);
      const double pull = ps::bench::seconds([&] { one.pair->pull(step); });
      one.pair->fetchBarrier(step);
      if (step < warmUp)
        continue;
      one.push.push_back(push);
      one.pull.push_back(pull);
    }
  }
  const double gigabytes = static_cast<double>(bytes) * 1e-9;
  const double rawTime = ps::bench::median(rawTcp);
  ps::bench::row("transport, " + name + " over raw TCP", gigabytes / rawTime,
                 "GB/s");
  ps::bench::row("transport, " + name + " over raw shared memory",
                 gigabytes / ps::bench::median(rawMemory), "GB/s");
  for (const Measured &one : all) {
    const double push = ps::bench::median(one.push);
    const std::string over = std::string(" over ") + one.name;
    ps::bench::row("transport, push of " + name + over, gigabytes / push,
                   "GB/s");
    ps::bench::row("transport, pull of " + name + over,
                   gigabytes / ps::bench::median(one.pull), "GB/s");
    ps::bench::row("transport, push of " + name + over + " against raw TCP",
                   100 * rawTime / push, "%",
                   one.pair == all[0].pair ? goal : "");
  }
}

/// Pservers that share a table over gRPC, and their one trainer. Updates add
/// gradients up, and that is all.
class RowPair {
public:
  static constexpr int64_t width = 16;

  explicit RowPair(int servers) {
    ShardedTable sharded{"emb", 1 << 22, IdPartition::Mix, {}};
    std::vector<std::string> endpoints;
    for (int i = 0; i < servers; ++i) {
      held.push_back(start(sharded));
      endpoints.push_back(held.back()->grpc->endpoint());
    }
    ConnectOptions connect;
    connect.client.hello = {0, newIncarnation(), "bench"};
    clients = *connectAll(endpoints, connect);
    for (auto &client : clients)
      sharded.shards.push_back(client.get());
    rows = *makeShardedRows({sharded});
    forAll(&Client::fetchBarrier, startupStep);
  }
  ~RowPair() {
    check(completeAll(clients).ok(), "complete");
    clients.clear();
    for (auto &server : held)
      check(server->pserver->wait().ok(), "wait");
  }

  void prefetch(int64_t step, std::span<const int64_t> ids, float *values) {
    await(
        [&](Done done) {
          rows->prefetch(step,
                         {{"emb", DType::F32, width, ids},
                          reinterpret_cast<std::byte *>(values)},
                         std::move(done));
        },
        "prefetch");
  }
  void push(int64_t step, std::span<const int64_t> ids, float *gradients) {
    await(
        [&](Done done) {
          rows->push(step,
                     {{"emb", DType::F32, width, ids},
                      std::as_bytes(std::span(gradients, ids.size() * width))},
                     std::move(done));
        },
        "push of rows");
  }
  void sendBarrier(int64_t step) { forAll(&Client::sendBarrier, step); }
  void fetchBarrier(int64_t step) { forAll(&Client::fetchBarrier, step); }

private:
  struct Server {
    std::unique_ptr<Table> table;
    std::unique_ptr<Store> store;
    std::unique_ptr<Executor> executor;
    Program update;
    std::unique_ptr<PServer> pserver;
    std::unique_ptr<GrpcServer> grpc;
  };

  static std::unique_ptr<Server> start(const ShardedTable &sharded) {
    auto server = std::make_unique<Server>();
    TableSpec spec;
    spec.name = sharded.name;
    spec.width = width;
    spec.maxRows = sharded.maxRows.value_or(0);
    server->table = *Table::create(spec, 1);
    server->store = *Store::create({}, 1);
    server->executor = *Executor::create({});
    server->update.rowFeeds["grad"] =
        &server->update.ownRows(DType::F32, width);
    PServer::Options options;
    options.jobHash = "bench";
    options.store = server->store.get();
    options.executor = server->executor.get();
    options.tables = {{server->table.get(), &server->update}};
    server->pserver = *PServer::create(std::move(options));
    server->grpc = *GrpcServer::start("127.0.0.1:0", *server->pserver,
                                      [](const std::string &) {});
    return server;
  }
  void forAll(void (Client::*call)(int64_t, Done), int64_t step) {
    for (auto &client : clients)
      await([&](Done done) { (client.get()->*call)(step, std::move(done)); },
            "barrier");
  }

  std::vector<std::unique_ptr<Server>> held;
  std::vector<std::unique_ptr<Client>> clients;
  std::unique_ptr<RowSource> rows;
};

constexpr int64_t rowsPerStep = 100000;

/// Distinct ids in no order, the same ones every fourth step.
std::vector<int64_t> drawIds(int64_t step) {
  std::vector<int64_t> ids(rowsPerStep);
  for (int64_t i = 0; i < rowsPerStep; ++i)
    ids[i] = static_cast<int64_t>(mixId(step % 4 * rowsPerStep + i));
  return ids;
}

void printRows(const std::string &what, const std::vector<double> &times) {
  ps::bench::row("transport, " + what,
                 rowsPerStep * 1e-6 / ps::bench::median(times), "M rows/s");
}

/// What a prefetch comes down to without a network.
void measureLookup() {
  TableSpec spec;
  spec.name = "emb";
  spec.width = RowPair::width;
  spec.maxRows = 1 << 22;
  auto table = *Table::create(spec, 1);
  std::vector<float> values(rowsPerStep * RowPair::width);
  std::vector<double> times;
  for (int64_t step = 0; step < 4 + 41; ++step) {
    const std::vector<int64_t> ids = drawIds(step);
    times.push_back(ps::bench::seconds([&] {
      check(table
                ->lookup(ids, /*create=*/true,
                         reinterpret_cast<std::byte *>(values.data()))
                .ok(),
            "lookup");
    }));
  }
  printRows("lookup of 100,000 rows in process",
            {times.begin() + 4, times.end()});
}

void measureRows(int servers) {
  RowPair pair(servers);
  std::vector<float> values(rowsPerStep * RowPair::width);
  std::vector<double> prefetch, push, mean;
  constexpr int warmUp = 4, repeats = 41;
  for (int64_t step = 0; step < warmUp + repeats; ++step) {
    const std::vector<int64_t> ids = drawIds(step);
    const double fetching =
        ps::bench::seconds([&] { pair.prefetch(step, ids, values.data()); });
    const double pushing =
        ps::bench::seconds([&] { pair.push(step, ids, values.data()); });
    const double waiting = ps::bench::seconds([&] { pair.sendBarrier(step); });
    pair.fetchBarrier(step);
    if (step < warmUp)
      continue;
    prefetch.push_back(fetching);
    push.push_back(pushing);
    mean.push_back(waiting);
  }
  const std::string with = servers == 1
                               ? ", 1 pserver"
                               : ", " + std::to_string(servers) + " pservers";
  printRows("prefetch of 100,000 rows" + with, prefetch);
  printRows("push of 100,000 rows" + with, push);
  printRows("mean of 100,000 rows" + with, mean);
}
} // namespace

int main() {
  keepLargeBlocks();
  measureLookup();
  measureRows(1);
  measureRows(2);
  measure(64 << 20, "64 MiB", 11, "");
  measure(16 << 20, "16 MiB", 41, ">= 50");
  measure(1 << 20, "1 MiB", 101, "");
  measure(64 << 10, "64 KiB", 201, "");
  measure(1 << 10, "1 KiB", 201, "");
}
