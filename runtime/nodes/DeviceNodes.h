// SPDX-License-Identifier: Apache-2.0
//===- DeviceNodes.h - nodes that a device's queue computes ---------------===//
//
// They have ended when their work is queued: what comes after them on the same
// device comes after them in its queue, and what the host reads is transferred
// first, beside the queue. A transfer comes after the places in the queue of
// the nodes before it, which they leave for it when they end.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_NODES_DEVICENODES_H
#define PS_RUNTIME_NODES_DEVICENODES_H

#include "runtime/executor/Program.h"
#include "runtime/executor/Trace.h"
#include <memory>
#include <optional>

namespace ps::runtime {

struct DeviceCall {
  std::shared_ptr<const DeviceKernel> kernel;
  /// Arguments, results and scratch, all in the device's memory.
  std::vector<void *> buffers;
  int64_t rows = 1;
};

/// `device` outlives the node.
std::unique_ptr<Node> makeDeviceKernelNode(std::string name, Device &device,
                                           DeviceCall call);
/// What comes after a product: a kernel, or the same as part of the product
/// where the device prepares that.
struct DeviceEpilogue {
  /// For traces: "add_maximum".
  std::string name;
  DeviceCall kernel;
  /// What the kernel computes from the product and `bias` into `result`; None
  /// where no product can.
  Epilogue kind = Epilogue::None;
  const float *bias = nullptr;
  float *result = nullptr;
};
struct DeviceSums {
  std::string name;
  DeviceCall kernel;
  SummedOperand operand = SummedOperand::None;
  float *sums = nullptr;
};

/// A product that is plain, and what comes after it; the node's name gets what
/// became part of the product, or the kernels. Asks the device: not while it
/// must not wait.
absl::StatusOr<std::unique_ptr<Node>>
makeDeviceProductNode(std::string name, Device &device, DeviceProduct product,
                      std::optional<DeviceEpilogue> epilogue = {},
                      std::optional<DeviceSums> sums = {});

/// `node`, which writes the moment behind its work to `place` when it ends.
std::unique_ptr<Node> leavePlace(std::unique_ptr<Node> node, Device &device,
                                 std::shared_ptr<Moment> place);

/// A transfer between the memory of the host and that of `device`.
struct TransferCall {
  TensorRef source, target;
  /// Where the nodes are in the queue that it comes after, or the step before.
  std::vector<std::shared_ptr<const Moment>> after;
};
/// `trace`, null for none, shows when the device did it.
std::unique_ptr<Node> makeTransferNode(Device &device, TransferCall call,
                                       Trace *trace);

/// `nodes`, whose work is the same in every step and has ended when start()
/// returns, queued in that order: one by one in the first step, in which the
/// device may have code to load, and as a graph of the device from then on.
/// Where the device refuses, which a line on stderr says, one by one.
std::unique_ptr<Node> makeGraphNode(Device &device,
                                    std::vector<std::unique_ptr<Node>> nodes);

/// `node`, whose work for `device` is queued when its start() returns; `trace`
/// shows when the device did it, on a lane of its own. All three outlive what
/// is queued: see awaitMarks().
std::unique_ptr<Node> traceOnDevice(std::unique_ptr<Node> node, Device &device,
                                    Trace &trace);
/// Returns when traces have all that was queued.
void awaitMarks(Device &device);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_DEVICENODES_H
