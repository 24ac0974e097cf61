// SPDX-License-Identifier: Apache-2.0
//===- DeviceNodes.h - nodes that a device's queue computes ---------------===//
//
// They have ended when their work is queued: what comes after them on the same
// device comes after them in its queue, and what the host reads is copied
// first.
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
/// A product, then the kernel if there is one.
std::unique_ptr<Node> makeDeviceProductNode(std::string name, Device &device,
                                            DeviceProduct product,
                                            std::optional<DeviceCall> epilogue);

/// `node`, whose work for `device` is queued when its start() returns; `trace`
/// shows when the device did it, on a lane of its own. All three outlive what
/// is queued: see awaitMarks().
std::unique_ptr<Node> traceOnDevice(std::unique_ptr<Node> node, Device &device,
                                    Trace &trace);
/// Returns when traces have all that was queued.
void awaitMarks(Device &device);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_DEVICENODES_H
