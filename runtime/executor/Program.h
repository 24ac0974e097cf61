// SPDX-License-Identifier: Apache-2.0
//===- Program.h - a compiled program as a graph of nodes -----------------===//
//
// The loader builds a Program from an exec.program; the Executor runs it once
// per step. Contract, in three clauses: a node starts when all nodes it comes
// after are done; when one of them failed, it does not run and the failure
// reaches the end of the step; nothing else orders nodes.
//
// Any node may finish later, on any thread. Late nodes, transfers that only
// transfers come after, may even be under way when the next step begins:
// carry() names what that step must not start before they are done.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_PROGRAM_H
#define PS_RUNTIME_EXECUTOR_PROGRAM_H

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/base/Done.h"
#include "runtime/base/Tensor.h"
#include "runtime/device/Device.h"
#include "runtime/executor/RaggedBuffer.h"
#include "runtime/executor/RowBatch.h"
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ps::runtime {

/// What a node sees of the run it is part of.
class StepContext {
public:
  virtual ~StepContext() = default;
  /// Counts steps of this process from 0.
  virtual int64_t step() const = 0;
  /// How many pieces are worth having: the executor's threads, or a fixed
  /// number where results must not depend on them.
  virtual int parallelism() const = 0;
  /// Runs `body(begin, end)` over [0, rows) in pieces of at least `grain` rows
  /// on the executor's threads and returns when all are done. `body` must be
  /// safe to call from several threads at once.
  virtual void parallelRows(int64_t rows, int64_t grain,
                            absl::FunctionRef<void(int64_t, int64_t)> body) = 0;
};

/// A ParallelRows that works on the threads of a step's executor.
struct ParallelStep {
  StepContext &context;

  void operator()(int64_t rows, int64_t grain,
                  absl::FunctionRef<void(int64_t, int64_t)> body) const {
    context.parallelRows(rows, grain, body);
  }
};

/// One unit of work. A node is built once and started once per step, never
/// twice at the same time.
class Node {
public:
  enum class Kind {
    Kernel,
    Gemm,
    Send,
    SendBarrier,
    Recv,
    FetchBarrier,
    PushPull,
    AllReduce,
    Broadcast,
    Check,
    ReadRows,
    Prefetch,
    Lookup,
    LookupGradient,
    LookupClicks,
    PushRows,
    UpdateRows,
    Metric
  };
  static constexpr size_t numKinds = static_cast<size_t>(Kind::Metric) + 1;

  Node(Kind kind, std::string name)
      : nodeKind(kind), nodeName(std::move(name)) {}
  virtual ~Node() = default;

  /// Starts the work. `done` is called when it has ended: before this returns,
  /// or later, from any thread, where a peer or a device does the work.
  virtual void start(StepContext &context, Done done) = 0;

  Kind kind() const { return nodeKind; }
  /// Shown in traces and errors, e.g. "@kernel_3" or "send @fc_w.block0".
  const std::string &name() const { return nodeName; }

private:
  Kind nodeKind;
  std::string nodeName;
};

class Metric;

/// What the batch of `worker` puts into the feed `feed` is called in a program:
/// `feed` itself for the first worker.
std::string nameFeed(const std::string &feed, int worker);

/// What the feeds of a step are going to hold, by nameFeed().
struct ComingFeeds {
  const std::map<std::string, TensorRef> &feeds;
  const std::map<std::string, RaggedBuffer> &ragged;
};

/// A node that can begin its work for the next step while this one runs.
class EarlyNode : public Node {
public:
  using Node::Node;
  /// Begins the work of `step`, once the work begun for the step before is
  /// taken over by start(), for which it waits unless `stop` is requested.
  /// `coming` is no longer needed when it returns. From one thread; start() of
  /// `step` comes after it. Whether it fails shows there.
  virtual void begin(int64_t step, const ComingFeeds &coming,
                     const std::stop_token &stop) = 0;
};

using NodeId = int32_t;

/// Whether nodes of `kind` wait for a peer.
bool isTransfer(Node::Kind kind);
/// "kernel", "gemm", "send", ...
std::string_view kindName(Node::Kind kind);

/// Nodes, their order, and the memory they work in. Immutable once built;
/// one step at a time runs on it.
class Program {
public:
  /// Takes its memory from `device`, which outlives it.
  explicit Program(Device &device = Device::cpu()) : memoryDevice(device) {}
  /// Waits for what its nodes queued.
  ~Program() { memoryDevice.drain(); }
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  /// Where the device's queue was when the running step began. Transfers that
  /// come after no node of their step come after that: what the steps before
  /// queued may still work with their memory.
  std::shared_ptr<const Moment> began();
  /// Before the nodes of a step start.
  absl::Status begin();

  /// Adds a node that starts after `after`, which must be ids already given.
  /// Repeated ids count once.
  NodeId addNode(std::unique_ptr<Node> node, std::span<const NodeId> after);

  /// Lets `id`, a transfer, go on into the next step, in which every node of
  /// `before`, and itself, starts after it. Once per node, when all nodes are
  /// there; what comes after a late node must be late, too.
  void carry(NodeId id, std::vector<NodeId> before);
  bool isLate(NodeId id) const { return !carriedTo(id).empty(); }
  int32_t numLate() const { return late; }
  /// What comes after `id` in the next step; nothing if it is not late.
  std::span<const NodeId> carriedTo(NodeId id) const {
    return late ? std::span<const NodeId>(carried[id])
                : std::span<const NodeId>();
  }

  /// The number of nodes; ids are 0 .. size()-1 in a valid serial order.
  size_t size() const { return nodes.size(); }
  Node &node(NodeId id) const { return *nodes[id]; }
  std::span<const NodeId> successors(NodeId id) const { return next[id]; }
  int32_t numPredecessors(NodeId id) const { return pending[id]; }

  Device &device() const { return memoryDevice; }
  /// Zeroed memory that lives as long as the program: arena, constants, feeds.
  /// Errors are those of Device::allocate.
  absl::StatusOr<std::byte *> ownMemory(size_t bytes,
                                        MemorySpace space = MemorySpace::Host);
  /// An empty batch of rows that lives as long as the program.
  RowBatch &ownRows(DType dtype, int64_t width);

  /// The batches of a step.
  int workers = 1;
  /// Where the caller puts them before a step, by nameFeed(): on the host, and
  /// what the device reads in its memory, too or only there.
  std::map<std::string, TensorRef> feeds, deviceFeeds;
  /// Where the caller puts what changes its length with every batch, by
  /// nameFeed(). Nodes keep pointers to the values of the map.
  std::map<std::string, RaggedBuffer> ragged;
  /// Where the caller finds results after a step, by fetch name.
  std::map<std::string, TensorRef> fetches;
  /// Where the caller puts the rows of a table that the step updates, with
  /// their gradients, by feed name. The batches live as long as the program.
  std::map<std::string, RowBatch *> rowFeeds;
  /// The nodes that may begin as soon as the next step's feeds are known.
  std::vector<EarlyNode *> early;
  /// What its metric nodes add to with every step. They belong to the caller
  /// between steps.
  std::vector<std::shared_ptr<Metric>> metrics;

private:
  Device &memoryDevice;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::vector<NodeId>> next;
  std::vector<int32_t> pending;
  /// For each node, if any is late.
  std::vector<std::vector<NodeId>> carried;
  int32_t late = 0;
  /// Null where no node has asked for it.
  std::shared_ptr<Moment> beginning;
  std::vector<Buffer> memory;
  std::vector<std::unique_ptr<RowBatch>> rows;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_EXECUTOR_PROGRAM_H
