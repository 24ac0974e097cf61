// SPDX-License-Identifier: Apache-2.0
//===- DeviceNodes.cpp - nodes that a device's queue computes -------------===//

#include "runtime/nodes/DeviceNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/loader/ProgramBuilder.h"

using namespace mlir;
using namespace ps;

/// Other nodes are code of the host, whatever memory the device has. The
/// communicators of devices take gradients of both.
absl::Status ProgramBuilder::checkSpaces(exec::NodeOpInterface node) {
  const bool hasQueue = !program->device().chip().empty();
  if (isa<exec::CopyOp>(node) ||
      (hasQueue && isa<exec::LaunchOp, exec::GemmOp, exec::AllReduceOp>(node)))
    return absl::OkStatus();
  if (isa<exec::LookupOp, exec::LookupGradientOp>(node) &&
      findHbmBatch(node->getOperand(0)))
    return absl::OkStatus();
  for (const exec::Access &access : node.getAccesses())
    if (auto type = dyn_cast<BaseMemRefType>(access.buffer.getType());
        type && !exec::isOnHost(type))
      return absl::UnimplementedError(
          absl::StrCat(formatLocation(node.getLoc()), ": device '",
                       std::string(program->device().name()), "' runs '",
                       node->getName().getStringRef().str(),
                       "' on the host, found a buffer in #exec.space<device>"));
  return absl::OkStatus();
}

static bool isOnDevice(exec::NodeOpInterface node) {
  return llvm::any_of(node.getAccesses(), [](const exec::Access &access) {
    auto type = dyn_cast<BaseMemRefType>(access.buffer.getType());
    return type && !exec::isOnHost(type);
  });
}

bool ProgramBuilder::isTransfer(exec::CopyOp copy) {
  return exec::isOnHost(copy.getSource().getType()) !=
         exec::isOnHost(copy.getTarget().getType());
}

/// Whether the device may still work when `node` is done. An all-reduce waits
/// for it, and for others.
bool ProgramBuilder::leavesWorkQueued(exec::NodeOpInterface node) const {
  auto copy = dyn_cast<exec::CopyOp>(*node);
  return isOnDevice(node) && !(copy && isTransfer(copy)) &&
         !isa<exec::AllReduceOp>(node);
}

/// Has a trace show the device's time as well, where the device does the work.
absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::trace(exec::NodeOpInterface node,
                      absl::StatusOr<std::unique_ptr<runtime::Node>> made) {
  if (!made.ok() || !binding.trace)
    return made;
  measure(node, **made);
  if (!leavesWorkQueued(node))
    return made;
  return runtime::traceOnDevice(*std::move(made), program->device(),
                                *binding.trace);
}

absl::StatusOr<runtime::DeviceCall>
ProgramBuilder::makeDeviceCall(StringRef name, int64_t rows, ValueRange inputs,
                               ValueRange outputs) {
  runtime::DeviceCall call;
  call.kernel = kernels.at(name.str()).deviceCode;
  call.rows = rows;
  for (ValueRange buffers : {inputs, outputs})
    for (Value buffer : buffers)
      call.buffers.push_back(memory.lookup(buffer));
  for (int64_t bytes : call.kernel->scratchBytes) {
    ASSIGN_OR_RETURN(
        std::byte * scratch,
        program->ownMemory(bytes * rows, runtime::MemorySpace::Device));
    call.buffers.push_back(scratch);
  }
  return call;
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeDeviceLaunch(exec::LaunchOp launch) {
  ASSIGN_OR_RETURN(runtime::DeviceCall call,
                   makeDeviceCall(launch.getKernel(),
                                  launch.getRows().value_or(1),
                                  launch.getInputs(), launch.getOutputs()));
  return runtime::makeDeviceKernelNode("@" + launch.getKernel().str(),
                                       program->device(), std::move(call));
}

static runtime::Epilogue getEpilogue(exec::Epilogue epilogue) {
  switch (epilogue) {
  case exec::Epilogue::Bias:
    return runtime::Epilogue::Bias;
  case exec::Epilogue::Relu:
    return runtime::Epilogue::Relu;
  case exec::Epilogue::BiasRelu:
    return runtime::Epilogue::BiasRelu;
  case exec::Epilogue::Gelu:
    return runtime::Epilogue::Gelu;
  case exec::Epilogue::BiasGelu:
    return runtime::Epilogue::BiasGelu;
  }
  return runtime::Epilogue::None;
}

absl::StatusOr<std::unique_ptr<runtime::Node>>
ProgramBuilder::makeDeviceProduct(exec::GemmOp gemm) {
  auto floats = [&](Value buffer) {
    return reinterpret_cast<float *>(memory.lookup(buffer));
  };
  runtime::DeviceProduct product;
  product.transposeA = gemm.getTransposeA();
  product.transposeB = gemm.getTransposeB();
  product.batch = gemm.getBatch();
  product.m = gemm.getM();
  product.n = gemm.getN();
  product.k = gemm.getK();
  // What memory limits stays as it is.
  if (gemm.multipliesBf16())
    product.precision = runtime::Precision::BF16;
  else if (product.m > 1 && product.n > 1 && product.k > 1 &&
           binding.precision == runtime::Precision::TF32)
    product.precision = runtime::Precision::TF32;
  product.a = memory.lookup(gemm.getA());
  product.b = memory.lookup(gemm.getB());
  product.c = floats(gemm.getC());
  std::string name =
      absl::StrCat("gemm ", product.m, "x", product.n, "x", product.k);
  std::optional<runtime::DeviceEpilogue> epilogue;
  if (gemm.getEpilogue()) {
    epilogue.emplace();
    epilogue->name = gemm.getEpilogue()->str();
    ASSIGN_OR_RETURN(
        epilogue->kernel,
        makeDeviceCall(*gemm.getEpilogue(), product.batch * product.m,
                       gemm.getEpilogueInputs(), gemm.getEpilogueOutputs()));
    if (gemm.getFused()) {
      epilogue->kind = getEpilogue(*gemm.getFused());
      epilogue->result = floats(gemm.getEpilogueOutputs().front());
      if (Value bias = gemm.getBias())
        epilogue->bias = floats(bias);
    }
  }
  std::optional<runtime::DeviceSums> sums;
  if (gemm.getSummed()) {
    sums.emplace();
    sums->name = gemm.getBiasGradientKernel()->str();
    ASSIGN_OR_RETURN(sums->kernel,
                     makeDeviceCall(*gemm.getBiasGradientKernel(), /*rows=*/1,
                                    gemm.getSummedOperand(),
                                    gemm.getBiasGradient()));
    sums->operand = *gemm.getSummed() == exec::Factor::A
                        ? runtime::SummedOperand::A
                        : runtime::SummedOperand::B;
    sums->sums = floats(gemm.getBiasGradient());
  }
  return runtime::makeDeviceProductNode(std::move(name), program->device(),
                                        product, std::move(epilogue),
                                        std::move(sums));
}

/// A transfer goes on beside the device's queue, so that a node which is done
/// may still be at work there: the transfer comes after the places of those
/// that leave work, through whatever nodes its tokens lead to them.
void ProgramBuilder::findPlaces(exec::CopyOp transfer) {
  std::vector<std::shared_ptr<const runtime::Moment>> &found =
      placesBefore[transfer];
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<exec::NodeOpInterface> open{transfer};
  while (!open.empty())
    for (OpOperand &token : open.pop_back_val().getAfterMutable()) {
      auto node = token.get().getDefiningOp<exec::NodeOpInterface>();
      Operation *first = node;
      if (exec::GraphOp graph = graphs.lookup(node))
        first = members[graph].front();
      if (!seen.insert(first).second)
        continue;
      if (!leavesWorkQueued(node)) {
        open.push_back(node);
        continue;
      }
      std::shared_ptr<runtime::Moment> &place = places[first];
      if (!place)
        place = std::make_shared<runtime::Moment>();
      found.push_back(place);
    }
  if (found.empty())
    found.push_back(program->began());
}

void ProgramBuilder::findPlaces() {
  if (binding.graphs && !binding.trace)
    for (auto graph : op.getBody().getOps<exec::GraphOp>())
      for (Value token : graph.getTokens()) {
        auto node = token.getDefiningOp<exec::NodeOpInterface>();
        graphs[node] = graph;
        members[graph].push_back(node);
      }
  for (auto copy : op.getBody().getOps<exec::CopyOp>())
    if (isTransfer(copy))
      findPlaces(copy);
}

std::unique_ptr<runtime::Node> ProgramBuilder::makeTransfer(exec::CopyOp copy) {
  return runtime::makeTransferNode(program->device(),
                                   {getRef(copy.getSource()),
                                    getRef(copy.getTarget()),
                                    placesBefore.lookup(copy)},
                                   binding.trace);
}
