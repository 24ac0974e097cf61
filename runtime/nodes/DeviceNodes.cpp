// SPDX-License-Identifier: Apache-2.0
//===- DeviceNodes.cpp - nodes that a device's queue computes -------------===//

#include "runtime/nodes/DeviceNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include "runtime/base/Status.h"
#include "runtime/executor/FunctionNode.h"

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

std::unique_ptr<Node>
ps::runtime::makeDeviceProductNode(std::string name, Device &device,
                                   DeviceProduct product,
                                   std::optional<DeviceCall> epilogue) {
  return makeNode(Node::Kind::Gemm, std::move(name),
                  [&device, product, epilogue = std::move(epilogue)](
                      StepContext &) -> absl::Status {
                    RETURN_IF_ERROR(device.multiply(product));
                    return epilogue ? launchAll(device, *epilogue)
                                    : absl::OkStatus();
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

void ps::runtime::awaitMarks(Device &device) {
  Event reached;
  device.mark([&](Clock::TimePoint) { reached.notify(); });
  reached.wait();
}
