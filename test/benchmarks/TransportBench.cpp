//===- TransportBench.cpp - a push over gRPC against a raw copy over TCP --===//
//
// Alternates the two in one process, on loopback, so that both see the same
// machine: a gradient of 16 MiB from a trainer into the accumulator of a
// pserver, and the same bytes through a TCP socket into a buffer, answered by
// one byte.
//
//===----------------------------------------------------------------------===//

#include "absl/synchronization/notification.h"
#include "runtime/Memory.h"
#include "runtime/transport/Grpc.h"
#include "runtime/transport/PServer.h"
#include "test/benchmarks/Table.h"
#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;

namespace {
void check(bool ok, const char *what) {
  if (ok)
    return;
  std::fprintf(stderr, "transport benchmark: %s failed\n", what);
  std::exit(1);
}

/// Sends `bytes` to a thread that receives them into memory of its own.
class TcpPair {
public:
  explicit TcpPair(size_t bytes) : bytes(bytes) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    check(bind(listener, reinterpret_cast<sockaddr *>(&address), length) == 0 &&
              listen(listener, 1) == 0 &&
              getsockname(listener, reinterpret_cast<sockaddr *>(&address),
                          &length) == 0,
          "listen");
    sender = socket(AF_INET, SOCK_STREAM, 0);
    check(connect(sender, reinterpret_cast<sockaddr *>(&address), length) == 0,
          "connect");
    receiver = accept(listener, nullptr, nullptr);
    check(receiver >= 0, "accept");
    close(listener);
    const int on = 1;
    setsockopt(sender, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(receiver, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    thread = std::thread([this] { receive(); });
  }
  ~TcpPair() {
    close(sender);
    thread.join();
    close(receiver);
  }

  void send(const std::byte *data) {
    for (size_t at = 0; at < bytes;) {
      ssize_t part = write(sender, data + at, bytes - at);
      check(part > 0, "write");
      at += static_cast<size_t>(part);
    }
    char answer;
    check(read(sender, &answer, 1) == 1, "read");
  }

private:
  void receive() {
    std::vector<std::byte> target(bytes);
    while (true) {
      for (size_t at = 0; at < bytes;) {
        ssize_t part = read(receiver, target.data() + at, bytes - at);
        if (part <= 0)
          return;
        at += static_cast<size_t>(part);
      }
      check(write(receiver, "", 1) == 1, "write");
    }
  }

  const size_t bytes;
  int sender, receiver;
  std::thread thread;
};

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

/// A pserver with one block and no update, over gRPC, and its one trainer.
class Pair {
public:
  explicit Pair(int64_t elements) : rows(elements, 1.0f) {
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
    server =
        *GrpcServer::start("127.0.0.1:0", *pserver, [](const std::string &) {});
    ConnectOptions connect;
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
  std::unique_ptr<GrpcServer> server;
  std::vector<std::unique_ptr<Client>> clients;
};

void measure(size_t bytes, const std::string &name, int repeats,
             const std::string &goal) {
  Pair pair(static_cast<int64_t>(bytes / sizeof(float)));
  TcpPair tcp(bytes);
  std::vector<double> raw, push, pull;
  constexpr int warmUp = 3;
  for (int64_t step = 0; step < warmUp + repeats; ++step) {
    const double rawSeconds =
        ps::bench::seconds([&] { tcp.send(pair.data()); });
    const double pushSeconds = ps::bench::seconds([&] { pair.push(step); });
    pair.sendBarrier(step);
    const double pullSeconds = ps::bench::seconds([&] { pair.pull(step); });
    pair.fetchBarrier(step);
    if (step < warmUp)
      continue;
    raw.push_back(rawSeconds);
    push.push_back(pushSeconds);
    pull.push_back(pullSeconds);
  }
  const double gigabytes = static_cast<double>(bytes) * 1e-9;
  ps::bench::row("transport, " + name + " over raw TCP",
                 gigabytes / ps::bench::median(raw), "GB/s");
  ps::bench::row("transport, push of " + name + " over gRPC",
                 gigabytes / ps::bench::median(push), "GB/s");
  ps::bench::row("transport, pull of " + name + " over gRPC",
                 gigabytes / ps::bench::median(pull), "GB/s");
  ps::bench::row("transport, push of " + name + " against raw TCP",
                 100 * ps::bench::median(raw) / ps::bench::median(push), "%",
                 goal);
}
} // namespace

int main() {
  keepLargeBlocks();
  measure(16 << 20, "16 MiB", 41, ">= 50");
  measure(64 << 10, "64 KiB", 201, "");
}
