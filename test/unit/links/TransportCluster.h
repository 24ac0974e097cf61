// SPDX-License-Identifier: Apache-2.0
//===- TransportCluster.h - one pserver and its trainers, for tests -------===//

#ifndef PS_TEST_UNIT_LINKS_TRANSPORTCLUSTER_H
#define PS_TEST_UNIT_LINKS_TRANSPORTCLUSTER_H

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
#include "runtime/client/Connect.h"
#include "runtime/executor/FunctionNode.h"
#include "runtime/links/Direct.h"
#include "runtime/links/Grpc.h"
#include "runtime/links/InProcess.h"
#include "runtime/server/PServer.h"
#include "runtime/table/Table.h"
#include "runtime/variables/Store.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/links/FaultyLink.h"
#include "test/unit/links/RawLink.h"
#include <condition_variable>
#include <cstring>
#include <gtest/gtest.h>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>

namespace ps::runtime {

/// `status` failed with `code`, and its message holds all of `parts`.
inline void expectError(const absl::Status &status, absl::StatusCode code,
                        std::initializer_list<const char *> parts) {
  EXPECT_EQ(status.code(), code) << status;
  const std::string message(status.message());
  for (const char *part : parts)
    EXPECT_NE(message.find(part), std::string::npos)
        << "no '" << part << "' in: " << message;
}

/// No wait in a test lasts longer.
inline constexpr absl::Duration testDeadline = absl::Seconds(60);
inline constexpr float rate = 0.5f;

enum class Transport { InProcess, Grpc, SharedMemory, Tcp };

/// For suites of tests that run over all.
inline const auto allTransports =
    ::testing::Values(Transport::InProcess, Transport::Grpc,
                      Transport::SharedMemory, Transport::Tcp);
inline const char *nameOf(const ::testing::TestParamInfo<Transport> &info) {
  constexpr const char *names[] = {"InProcess", "Grpc", "SharedMemory", "Tcp"};
  return names[static_cast<int>(info.param)];
}
inline const Log noLog = [](const std::string &) {};

/// Starts a call and waits for its answer.
class Pending {
public:
  Done done() {
    return [state = state](absl::Status status) {
      std::lock_guard<std::mutex> lock(state->mutex);
      state->status = std::move(status);
      state->answered = true;
      state->change.notify_all();
    };
  }
  bool answered() const {
    std::lock_guard<std::mutex> lock(state->mutex);
    return state->answered;
  }
  absl::Status wait() const {
    std::unique_lock<std::mutex> lock(state->mutex);
    if (!state->change.wait_for(lock, absl::ToChronoSeconds(testDeadline),
                                [&] { return state->answered; }))
      return absl::DeadlineExceededError("the test has waited too long");
    return state->status;
  }

private:
  /// Not a Notification: ThreadSanitizer does not see into Abseil.
  struct State {
    std::mutex mutex; // Guards what follows.
    std::condition_variable change;
    absl::Status status;
    bool answered = false;
  };
  std::shared_ptr<State> state = std::make_shared<State>();
};

/// value -= rate * grad, for f32 and f64; value = grad for the half types.
inline absl::Status applyUpdate(const TensorRef &value, const TensorRef &grad) {
  const int64_t count = value.type.numElements();
  if (value.type.dtype == DType::F32)
    for (int64_t i = 0; i < count; ++i)
      value.as<float>()[i] -= rate * grad.as<float>()[i];
  else if (value.type.dtype == DType::F64)
    for (int64_t i = 0; i < count; ++i)
      value.as<double>()[i] -= rate * grad.as<double>()[i];
  else
    std::memcpy(value.data, grad.data, value.type.bytes());
  return absl::OkStatus();
}

/// row -= rate * grad, for F32. Slots are not touched.
inline absl::Status updateRows(Table &table, RowBatch &grads) {
  const int64_t width = grads.width();
  std::vector<float> values(grads.size() * width);
  const bool create = table.spec().admission.kind == Admission::Kind::All;
  absl::Status status = table.lookup(
      grads.ids(), create, reinterpret_cast<std::byte *>(values.data()));
  for (int64_t i = 0; i < grads.size() && status.ok(); ++i) {
    auto *row = reinterpret_cast<float *>(table.find(grads.ids()[i]));
    const float *grad = grads.gradients()->as<float>() + i * width;
    for (int64_t j = 0; row && j < width; ++j)
      row[j] -= rate * grad[j];
  }
  return status;
}

struct BlockSpec {
  std::string name;
  TensorType type;
  int round = 0;
  /// As OptimizeBlock::largest.
  int64_t largest = 0;
};

/// Counts the heartbeats that have come to a pserver: it notices the end of a
/// connection that one of them has come over.
class CountedHeartbeats final : public Service {
public:
  explicit CountedHeartbeats(Service &service) : service(service) {}

  void call(const wire::Request &request, Pieces payload,
            Respond done) override {
    const bool isHeartbeat = request.has_heartbeat();
    const int trainer = request.trainer();
    service.call(request, payload, std::move(done));
    if (!isHeartbeat)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    ++counts[trainer];
    change.notify_all();
  }
  void callerLost(const wire::Request &request) override {
    service.callerLost(request);
  }
  int count(int trainer) {
    std::lock_guard<std::mutex> lock(mutex);
    return counts[trainer];
  }
  /// Whether so many have come; waits for that.
  bool waitFor(int trainer, int number) {
    std::unique_lock<std::mutex> lock(mutex);
    return change.wait_for(lock, absl::ToChronoSeconds(testDeadline),
                           [&] { return counts[trainer] >= number; });
  }

private:
  Service &service;
  std::mutex mutex; // Guards what follows.
  std::condition_variable change;
  std::map<int, int> counts;
};

/// A pserver whose blocks start as 1 and its server, if any. It has a variable
/// "steps", which no gradient changes; its schedule adds 1.
class Cluster {
public:
  struct Setup {
    int trainers = 1;
    Synchronization synchronization = Synchronization::Sync;
    std::vector<BlockSpec> blocks = {{"w", {DType::F32, {300000}}},
                                     {"b", {DType::F32, {7}}}};
    /// F32; updated in round 0.
    std::vector<TableSpec> tables = {};
    absl::Duration peerTimeout = absl::Seconds(60);
    /// What trainers give the pserver up by, where it is to be the first.
    std::optional<absl::Duration> clientTimeout = std::nullopt;
    absl::Duration connectTimeout = absl::Seconds(60);
    absl::Duration stepTimeout = absl::Seconds(60);
    bool deterministic = false;
    int rounds = 1;
    Saver *saver = nullptr;
    RunOptions options = {};
    TrainerLoss onLoss = TrainerLoss::Fail;
    /// The pserver's. Outlives the cluster.
    const Clock *clock = &Clock::steady();
  };

  Cluster(Transport transport, const Setup &setup)
      : transport(transport), setup(setup) {
    std::vector<VariableSpec> specs;
    for (const BlockSpec &block : setup.blocks)
      specs.push_back({block.name,
                       block.type,
                       {InitialValue::Kind::Constant, 1, 0},
                       block.name,
                       0,
                       ""});
    specs.push_back({"steps", {DType::F32, {}}, {}, "steps", 0, ""});
    store = *Store::create(std::move(specs), /*seed=*/1);
    executor = *Executor::create({.threads = 2});
    PServer::Options options;
    options.endpoint = "server";
    options.jobHash = "job";
    options.trainers = setup.trainers;
    options.synchronization = setup.synchronization;
    options.peerTimeout = setup.peerTimeout;
    options.connectTimeout = setup.connectTimeout;
    options.stepTimeout = setup.stepTimeout;
    options.deterministic = setup.deterministic;
    options.store = store.get();
    options.executor = executor.get();
    for (const BlockSpec &block : setup.blocks) {
      auto update = std::make_unique<Program>();
      TensorRef grad{block.type, *update->ownMemory(block.type.bytes())};
      update->feeds["grad"] = grad;
      update->addNode(
          makeNode(Node::Kind::Kernel, "update",
                   [value = *store->find(block.name), grad](StepContext &) {
                     return applyUpdate(value, grad);
                   }),
          {});
      options.blocks.push_back(
          {block.name, update.get(), block.round, block.largest});
      updates.push_back(std::move(update));
    }
    for (const TableSpec &spec : setup.tables) {
      tables.push_back(*Table::create(spec, /*seed=*/1));
      auto update = std::make_unique<Program>();
      RowBatch &rows = *rowFeeds.emplace_back(
          std::make_unique<RowBatch>(spec.dtype, spec.width));
      update->rowFeeds["grad"] = &rows;
      update->addNode(
          makeNode(Node::Kind::Kernel, "update rows",
                   [table = tables.back().get(), &rows](StepContext &) {
                     return updateRows(*table, rows);
                   }),
          {});
      options.tables.push_back({tables.back().get(), update.get()});
      updates.push_back(std::move(update));
    }
    schedule.addNode(makeNode(Node::Kind::Kernel, "count",
                              [steps = *store->find("steps")](StepContext &) {
                                ++*steps.as<float>();
                                return absl::OkStatus();
                              }),
                     {});
    options.schedule = &schedule;
    options.rounds.count = setup.rounds;
    options.saver = setup.saver;
    options.runOptions = setup.options;
    options.onLoss = setup.onLoss;
    options.clock = setup.clock;
    options.log = noLog;
    pserver = *PServer::create(std::move(options));
    heartbeats = std::make_unique<CountedHeartbeats>(*pserver);
    endpoint = "in-process";
    if (transport != Transport::InProcess) {
      direct = DirectServer::start(*heartbeats, "127.0.0.1:0", choice(),
                                   setup.trainers, noLog);
      server = *GrpcServer::start("127.0.0.1:0", *direct, noLog);
      endpoint = server->endpoint();
    }
  }

  ~Cluster() {
    // Ends calls that wait, so that the server can close.
    pserver->stop(absl::CancelledError("the test is over"));
  }

  TransportChoice choice() const {
    return transport == Transport::Grpc  ? TransportChoice::Grpc
           : transport == Transport::Tcp ? TransportChoice::Tcp
                                         : TransportChoice::Auto;
  }

  bool keepsStep() const {
    return setup.synchronization == Synchronization::Sync;
  }

  std::unique_ptr<Link> link() {
    if (transport == Transport::InProcess)
      return makeInProcessLink(*heartbeats);
    return makeLink({.endpoint = endpoint,
                     .transport = choice(),
                     .callTimeout = setup.peerTimeout / 2,
                     .barrierTimeout = setup.stepTimeout + setup.peerTimeout,
                     .pushesWait = !keepsStep(),
                     .log = noLog});
  }

  std::unique_ptr<RawLink> rawLink() {
    return std::make_unique<RawLink>(link());
  }

  Hello hello(int trainer, uint64_t incarnation = 1) const {
    return {trainer, incarnation, "job", setup.peerTimeout};
  }

  ClientOptions clientOptions(int trainer, uint64_t incarnation = 1) const {
    ClientOptions options;
    options.hello = hello(trainer, incarnation);
    options.peerTimeout = setup.clientTimeout.value_or(setup.peerTimeout);
    options.stepTimeout = setup.stepTimeout;
    options.rounds.count = setup.rounds;
    options.keepsStep = keepsStep();
    return options;
  }

  /// Under load a connection may need several attempts.
  absl::StatusOr<std::unique_ptr<Client>>
  introduced(const ClientOptions &options,
             const std::shared_ptr<FaultPlan> &plan = nullptr) {
    if (transport != Transport::InProcess && !plan) {
      ConnectOptions connect{.client = options, .connectTimeout = testDeadline};
      connect.log = noLog;
      connect.transport = choice();
      auto clients = connectAll(std::span(&endpoint, 1), connect);
      if (!clients.ok())
        return clients.status();
      return std::move(clients->front());
    }
    const absl::Time deadline = absl::Now() + testDeadline;
    while (true) {
      std::unique_ptr<Link> line = link();
      if (plan)
        line = std::make_unique<FaultyLink>(std::move(line), plan);
      auto client = introduce(endpoint, std::move(line), options);
      if (!isLinkFailure(client.status()) || absl::Now() > deadline)
        return client;
    }
  }

  /// Null when the test has failed. Without faults the pserver notices from now
  /// on when the client goes.
  std::unique_ptr<Client>
  connect(int trainer, const std::shared_ptr<FaultPlan> &plan = nullptr) {
    const int before = heartbeats->count(trainer);
    absl::StatusOr<std::unique_ptr<Client>> client =
        introduced(clientOptions(trainer), plan);
    EXPECT_TRUE(client.ok()) << client.status();
    if (client.ok() && !plan)
      EXPECT_TRUE(heartbeats->waitFor(trainer, before + 1));
    return client.ok() ? *std::move(client) : nullptr;
  }

  const Transport transport;
  const Setup setup;
  std::unique_ptr<Store> store;
  std::unique_ptr<Executor> executor;
  std::vector<std::unique_ptr<Table>> tables;
  std::vector<std::unique_ptr<RowBatch>> rowFeeds;
  std::vector<std::unique_ptr<Program>> updates;
  Program schedule;
  std::unique_ptr<PServer> pserver;
  std::unique_ptr<CountedHeartbeats> heartbeats;
  std::string endpoint;
  // Go before the pserver.
  std::unique_ptr<DirectServer> direct;
  std::unique_ptr<GrpcServer> server;
};

/// Values of blocks, by name.
using Values = std::map<std::string, std::vector<float>>;

/// Gradient of `trainer` at `step`: differs by element, trainer and step.
inline float gradient(int trainer, int64_t step, size_t index) {
  return static_cast<float>((index % 17) + 3 * trainer + 2 * step);
}

inline Values valuesOf(const Cluster &cluster) {
  Values values;
  for (const BlockSpec &block : cluster.setup.blocks)
    values[block.name].resize(block.type.numElements());
  return values;
}

inline Values gradientsOf(const Cluster &cluster, int trainer, int64_t step) {
  Values grads = valuesOf(cluster);
  for (auto &[block, rows] : grads)
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i] = gradient(trainer, step, i);
  return grads;
}

/// What the blocks hold after steps 0 .. steps-1 of `trainers` trainers.
inline void expectTrained(const Values &values, int trainers, int64_t steps) {
  for (const auto &[block, rows] : values)
    for (size_t i = 0; i < rows.size(); ++i) {
      float expected = 1;
      for (int64_t step = 0; step < steps; ++step) {
        float sum = 0;
        for (int trainer = 0; trainer < trainers; ++trainer)
          sum += gradient(trainer, step, i);
        expected -= rate * (sum / static_cast<float>(trainers));
      }
      ASSERT_FLOAT_EQ(rows[i], expected) << block << "[" << i << "]";
    }
}

/// Pushes one block.
inline void startPush(Client &client, int64_t step, const std::string &block,
                      DType dtype, std::span<const std::byte> rows, Done done) {
  SendPart part{block, dtype, rows};
  client.push(step, std::span(&part, 1), std::move(done));
}

/// Pulls one block.
inline void startPull(Client &client, int64_t step, const std::string &block,
                      DType dtype, std::span<std::byte> rows, Done done) {
  RecvPart part{block, dtype, rows};
  client.pull(step, std::span(&part, 1), std::move(done));
}

inline absl::Status push(Client &client, int64_t step, const std::string &block,
                         const std::vector<float> &rows) {
  Pending pending;
  startPush(client, step, block, DType::F32, std::as_bytes(std::span(rows)),
            pending.done());
  return pending.wait();
}

inline absl::Status pull(Client &client, int64_t step, const std::string &block,
                         std::vector<float> &rows) {
  Pending pending;
  startPull(client, step, block, DType::F32,
            std::as_writable_bytes(std::span(rows)), pending.done());
  return pending.wait();
}

/// Pushes all of `grads` at once.
inline absl::Status pushTogether(Client &client, int64_t step,
                                 const Values &grads) {
  std::vector<SendPart> parts;
  for (const auto &[block, rows] : grads)
    parts.push_back({block, DType::F32, std::as_bytes(std::span(rows))});
  Pending pending;
  client.push(step, parts, pending.done());
  return pending.wait();
}

/// Pulls all of `values` at once.
inline absl::Status pullTogether(Client &client, int64_t step, Values &values) {
  std::vector<RecvPart> parts;
  for (auto &[block, rows] : values)
    parts.push_back(
        {block, DType::F32, std::as_writable_bytes(std::span(rows))});
  Pending pending;
  client.pull(step, parts, pending.done());
  return pending.wait();
}

/// Pushes all of `grads` and pulls `values`, the same blocks, at once.
inline void startPushPull(Client &client, int64_t step, const Values &grads,
                          Values &values, Done done) {
  std::vector<SendPart> parts;
  for (const auto &[block, rows] : grads)
    parts.push_back({block, DType::F32, std::as_bytes(std::span(rows))});
  std::vector<RecvPart> places;
  for (auto &[block, rows] : values)
    places.push_back(
        {block, DType::F32, std::as_writable_bytes(std::span(rows))});
  client.pushPull(step, parts, places, std::move(done));
}

inline absl::Status pushPull(Client &client, int64_t step, const Values &grads,
                             Values &values) {
  Pending pending;
  startPushPull(client, step, grads, values, pending.done());
  return pending.wait();
}

inline absl::Status sendBarrier(Client &client, int64_t step) {
  Pending pending;
  client.sendBarrier(step, pending.done());
  return pending.wait();
}

inline absl::Status fetchBarrier(Client &client, int64_t step) {
  Pending pending;
  client.fetchBarrier(step, pending.done());
  return pending.wait();
}

/// Makes `sums` those of all trainers.
inline absl::Status mergeMetric(Client &client, const std::string &metric,
                                int64_t epoch, std::vector<double> &sums) {
  Pending pending;
  client.mergeMetric(metric, epoch, sums, pending.done());
  return pending.wait();
}

inline absl::Status complete(Client &client) {
  Pending pending;
  client.complete(pending.done());
  RETURN_IF_ERROR(pending.wait());
  Pending confirmed;
  client.confirmCompletion(confirmed.done());
  return confirmed.wait();
}

/// Waits until `client` has lost its pserver or the job, and says why.
inline absl::Status lossOf(const Client &client) {
  const absl::Time deadline = absl::Now() + testDeadline;
  while (client.health().ok() && absl::Now() < deadline)
    absl::SleepFor(absl::Milliseconds(1));
  return client.health();
}

/// Pulls every block of `values` and ends the phase.
inline absl::Status fetch(Client &client, int64_t step, Values &values) {
  std::vector<Pending> pulls(values.size());
  size_t i = 0;
  for (auto &[block, rows] : values)
    startPull(client, step, block, DType::F32,
              std::as_writable_bytes(std::span(rows)), pulls[i++].done());
  absl::Status status;
  for (Pending &pending : pulls)
    status.Update(pending.wait());
  if (!status.ok())
    return status;
  return fetchBarrier(client, step);
}

/// Pushes gradients and fetches the new values.
inline absl::Status trainStep(Client &client, int64_t step, const Values &grads,
                              Values &values) {
  std::vector<Pending> pushes(grads.size());
  size_t i = 0;
  for (auto &[block, rows] : grads)
    startPush(client, step, block, DType::F32, std::as_bytes(std::span(rows)),
              pushes[i++].done());
  absl::Status status;
  for (Pending &pending : pushes)
    status.Update(pending.wait());
  if (!status.ok())
    return status;
  if (status = sendBarrier(client, step); !status.ok())
    return status;
  return fetch(client, step, values);
}

} // namespace ps::runtime

#endif // PS_TEST_UNIT_LINKS_TRANSPORTCLUSTER_H
