// SPDX-License-Identifier: Apache-2.0
//===- CudaGraph.cpp - work of a stream as one ----------------------------===//
//
// Work is captured from a stream of its own, so that what other threads queue
// meanwhile stays out of it. Only the thread that captures may not do what is
// not allowed then, such as allocate memory.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/cuda/CudaGraph.h"
#include "absl/cleanup/cleanup.h"

using namespace ps::runtime;

namespace {
class CudaGraph final : public DeviceGraph {
public:
  CudaGraph(const CudaGpu &gpu, cudaGraphExec_t graph, cudaStream_t stream)
      : gpu(gpu), graph(graph), stream(stream) {}
  ~CudaGraph() override {
    if (gpu.use().ok())
      cudaGraphExecDestroy(graph);
  }
  absl::Status launch() override {
    RETURN_IF_ERROR(gpu.use());
    return gpu.check(cudaGraphLaunch(graph, stream), "cudaGraphLaunch");
  }

private:
  const CudaGpu &gpu;
  const cudaGraphExec_t graph;
  const cudaStream_t stream;
};
} // namespace

absl::StatusOr<std::unique_ptr<DeviceGraph>> ps::runtime::captureGraph(
    const CudaGpu &gpu, cudaStream_t stream,
    absl::FunctionRef<absl::Status(cudaStream_t)> queueWork) {
  RETURN_IF_ERROR(gpu.use());
  cudaStream_t captured = nullptr;
  RETURN_IF_ERROR(
      gpu.check(cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking),
                "cudaStreamCreate"));
  absl::Cleanup destroyStream = [&] { cudaStreamDestroy(captured); };
  RETURN_IF_ERROR(gpu.check(
      cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal),
      "cudaStreamBeginCapture"));
  absl::Status queued = queueWork(captured);
  // Also after an error: nothing else may be queued while a capture goes on.
  cudaGraph_t graph = nullptr;
  absl::Status ended =
      gpu.check(cudaStreamEndCapture(captured, &graph), "cudaStreamEndCapture");
  absl::Cleanup destroyGraph = [&] {
    if (graph)
      cudaGraphDestroy(graph);
    cudaGetLastError(); // Is told here, and not again.
  };
  // What broke the capture says more than its end.
  RETURN_IF_ERROR(queued);
  RETURN_IF_ERROR(ended);
  cudaGraphExec_t ready = nullptr;
  RETURN_IF_ERROR(gpu.check(cudaGraphInstantiate(&ready, graph, /*flags=*/0),
                            "cudaGraphInstantiate"));
  return std::make_unique<CudaGraph>(gpu, ready, stream);
}
