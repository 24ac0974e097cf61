// SPDX-License-Identifier: Apache-2.0
//===- DeviceNodes.cpp - nodes that a device's queue computes -------------===//

#include "runtime/nodes/DeviceNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/executor/FunctionNode.h"
#include <atomic>

using namespace ps::runtime;

static absl::Status launchAll(Device &device, const DeviceCall &call) {
  for (const DeviceFunction &function : call.kernel->functions)
    RETURN_IF_ERROR(device.launch(function, call.buffers, call.rows));
  return absl::OkStatus();
}

std::unique_ptr<Node> ps::runtime::makeDeviceKernelNode(std::string name,
                                                        Device &device,
                                                        DeviceCall call) {
  return makeNode(Node::Kind::Kernel, std::move(name),
                  [&device, call = std::move(call)](StepContext &) {
                    return launchAll(device, call);
                  });
}

/// Makes `product` do the work of a kernel; false if the device does not
/// compute it so.
static absl::StatusOr<bool> extend(Device &device, DeviceProduct &product,
                                   const DeviceProduct &extended) {
  const absl::Status status = device.prepare(extended);
  if (absl::IsUnimplemented(status))
    return false;
  RETURN_IF_ERROR(status);
  product = extended;
  return true;
}

absl::StatusOr<std::unique_ptr<Node>> ps::runtime::makeDeviceProductNode(
    std::string name, Device &device, DeviceProduct product,
    std::optional<DeviceEpilogue> epilogue, std::optional<DeviceSums> sums) {
  std::vector<DeviceCall> after;
  auto runKernel = [&](const std::string &kernel, DeviceCall call) {
    absl::StrAppend(&name, " @", kernel);
    after.push_back(std::move(call));
  };
  if (sums) {
    DeviceProduct extended = product;
    extended.summed = sums->operand;
    extended.sums = sums->sums;
    ASSIGN_OR_RETURN(const bool isPart, extend(device, product, extended));
    if (isPart)
      absl::StrAppend(&name, " +bias_gradient");
    else
      runKernel(sums->name, std::move(sums->kernel));
  }
  if (epilogue) {
    DeviceProduct extended = product;
    extended.epilogue = epilogue->kind;
    extended.bias = epilogue->bias;
    extended.c = epilogue->result;
    bool isPart = epilogue->kind != Epilogue::None && product.isPlain();
    if (isPart) {
      ASSIGN_OR_RETURN(isPart, extend(device, product, extended));
    }
    if (isPart)
      absl::StrAppend(&name, " +", std::string(epilogueName(product.epilogue)));
    else
      runKernel(epilogue->name, std::move(epilogue->kernel));
  }
  if (product.isPlain())
    RETURN_IF_ERROR(device.prepare(product));
  return makeNode(Node::Kind::Gemm, std::move(name),
                  [&device, product,
                   after = std::move(after)](StepContext &) -> absl::Status {
                    RETURN_IF_ERROR(device.multiply(product));
                    for (const DeviceCall &call : after)
                      RETURN_IF_ERROR(launchAll(device, call));
                    return absl::OkStatus();
                  });
}

namespace {
class TracedNode final : public Node {
public:
  TracedNode(std::unique_ptr<Node> traced, Device &device, Trace &trace)
      : Node(traced->kind(), traced->name()), traced(std::move(traced)),
        device(device), trace(trace),
        lane(absl::StrCat("device ", std::string(device.name()))) {}

  void start(StepContext &context, Done done) override {
    auto begin = std::make_shared<Clock::TimePoint>();
    device.mark([begin](Clock::TimePoint time) { *begin = time; });
    const int64_t step = context.step();
    traced->start(context, std::move(done));
    device.mark([this, begin, step](Clock::TimePoint end) {
      trace.laneSpan(lane, kindName(kind()), name(), *begin, end, step);
    });
  }

private:
  const std::unique_ptr<Node> traced;
  Device &device;
  Trace &trace;
  const std::string lane;
};
} // namespace

std::unique_ptr<Node> ps::runtime::traceOnDevice(std::unique_ptr<Node> node,
                                                 Device &device, Trace &trace) {
  return std::make_unique<TracedNode>(std::move(node), device, trace);
}

namespace {
class PlacedNode final : public Node {
public:
  PlacedNode(std::unique_ptr<Node> node, Device &device,
             std::shared_ptr<Moment> place)
      : Node(node->kind(), node->name()), node(std::move(node)), device(device),
        place(std::move(place)) {}

  void start(StepContext &context, Done done) override {
    node->start(context,
                [this, done = std::move(done)](absl::Status status) mutable {
                  if (status.ok())
                    status = leave();
                  done(std::move(status));
                });
  }

private:
  absl::Status leave() {
    ASSIGN_OR_RETURN(*place, device.moment());
    return absl::OkStatus();
  }

  const std::unique_ptr<Node> node;
  Device &device;
  const std::shared_ptr<Moment> place;
};

class TransferNode final : public Node {
public:
  TransferNode(Device &device, TransferCall call, Trace *trace)
      : Node(Kind::Kernel, "copy"), device(device), call(std::move(call)),
        trace(trace), lane(this->call.target.space == MemorySpace::Device
                               ? DeviceLane::ToDevice
                               : DeviceLane::ToHost),
        laneName(absl::StrCat("device ", std::string(device.name()),
                              lane == DeviceLane::ToDevice ? ", from host"
                                                           : ", to host")) {}

  void start(StepContext &context, Done done) override {
    std::vector<Moment> after;
    for (const std::shared_ptr<const Moment> &place : call.after)
      after.push_back(*place);
    if (!trace)
      return device.transfer(call.source, call.target, after, std::move(done));
    auto begin = std::make_shared<Clock::TimePoint>();
    device.markLane(lane, after,
                    [begin](Clock::TimePoint time) { *begin = time; });
    device.transfer(call.source, call.target, after, std::move(done));
    device.markLane(lane, {},
                    [this, begin, step = context.step()](Clock::TimePoint end) {
                      trace->laneSpan(laneName, kindName(kind()), name(),
                                      *begin, end, step);
                    });
  }

private:
  Device &device;
  const TransferCall call;
  Trace *const trace;
  const DeviceLane lane;
  const std::string laneName;
};

class GraphNode final : public Node {
public:
  GraphNode(Device &device, std::vector<std::unique_ptr<Node>> nodes)
      : Node(Kind::Kernel, absl::StrCat("graph of ", nodes.size(), " nodes")),
        device(device), nodes(std::move(nodes)) {}

  void start(StepContext &context, Done done) override {
    if (!graph && hasRun && !isRefused)
      capture(context);
    hasRun = true;
    done(graph ? graph->launch() : queueAll(context));
  }

private:
  absl::Status queueAll(StepContext &context) {
    absl::Status status = absl::OkStatus();
    for (const std::unique_ptr<Node> &node : nodes)
      if (status.ok())
        node->start(context, [&](absl::Status queued) { status = queued; });
    return status;
  }

  /// Not every driver takes all work into graphs: steps go on without.
  void capture(StepContext &context) {
    absl::StatusOr<std::unique_ptr<DeviceGraph>> made =
        device.capture([&] { return queueAll(context); });
    if (made.ok()) {
      graph = *std::move(made);
      return;
    }
    isRefused = true;
    static std::atomic<bool> isTold = false;
    if (!isTold.exchange(true))
      logWarning(absl::StrCat(printable(made.status().message()),
                              ": steps are queued node by node"));
  }

  Device &device;
  const std::vector<std::unique_ptr<Node>> nodes;
  std::unique_ptr<DeviceGraph> graph;
  bool hasRun = false, isRefused = false;
};
} // namespace

std::unique_ptr<Node> ps::runtime::leavePlace(std::unique_ptr<Node> node,
                                              Device &device,
                                              std::shared_ptr<Moment> place) {
  return std::make_unique<PlacedNode>(std::move(node), device,
                                      std::move(place));
}

std::unique_ptr<Node>
ps::runtime::makeTransferNode(Device &device, TransferCall call, Trace *trace) {
  return std::make_unique<TransferNode>(device, std::move(call), trace);
}

std::unique_ptr<Node>
ps::runtime::makeGraphNode(Device &device,
                           std::vector<std::unique_ptr<Node>> nodes) {
  return std::make_unique<GraphNode>(device, std::move(nodes));
}

void ps::runtime::awaitMarks(Device &device) {
  for (DeviceLane lane :
       {DeviceLane::Queue, DeviceLane::ToDevice, DeviceLane::ToHost}) {
    Event reached;
    device.markLane(lane, {}, [&](Clock::TimePoint) { reached.notify(); });
    reached.wait();
  }
}
