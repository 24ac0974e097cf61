// SPDX-License-Identifier: Apache-2.0
//===- DeviceNodes.cpp - nodes that a device's queue computes -------------===//

#include "runtime/nodes/DeviceNodes.h"
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
