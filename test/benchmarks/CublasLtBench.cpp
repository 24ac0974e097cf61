// SPDX-License-Identifier: Apache-2.0
//===- CublasLtBench.cpp - products of a GPU beside plain cuBLASLt --------===//
//
// The same products by Device::multiply() and by calls of cuBLASLt that do
// nothing else, with the fastest of the algorithms that it proposes. Linked
// with the toolkit's library, which libps-cuda.so opens, too. Then epilogues,
// beside the product without one.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/OpenDevice.h"
#include "runtime/device/ProductTrial.h"
#include "test/benchmarks/DeviceTime.h"
#include <algorithm>
#include <array>
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <limits>
#include <random>

using namespace ps::bench;
using namespace ps::runtime;

static void check(cudaError_t error) {
  if (error != cudaSuccess)
    fail(cudaGetErrorString(error));
}
static void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    fail(cublasLtGetStatusString(status));
}

namespace {

/// C' = B' A' of square or other matrices in their usual order, none of them
/// transposed; what it makes lives as long as the program.
class PlainProduct {
public:
  PlainProduct(const DeviceProduct &product, cublasComputeType_t compute)
      : p(product) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMalloc(&workspace, workspaceBytes));
    check(cublasLtCreate(&handle));
    check(cublasLtMatmulDescCreate(&operation, compute, CUDA_R_32F));
    const cudaDataType_t type =
        p.precision == Precision::BF16 ? CUDA_R_16BF : CUDA_R_32F;
    a = makeLayout(type, p.n, p.k);
    b = makeLayout(type, p.k, p.m);
    c = makeLayout(CUDA_R_32F, p.n, p.m);
  }

  /// Of the fastest algorithm.
  double seconds() {
    cublasLtMatmulPreference_t preference = nullptr;
    check(cublasLtMatmulPreferenceCreate(&preference));
    check(cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspaceBytes,
        sizeof(workspaceBytes)));
    std::array<cublasLtMatmulHeuristicResult_t, 8> found;
    int count = 0;
    check(cublasLtMatmulAlgoGetHeuristic(handle, operation, a, b, c, c,
                                         preference, found.size(), found.data(),
                                         &count));
    double fastest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i)
      fastest = std::min(fastest, secondsOf(found[i].algo));
    return fastest;
  }

private:
  cublasLtMatrixLayout_t makeLayout(cudaDataType_t type, int64_t rows,
                                    int64_t columns) {
    cublasLtMatrixLayout_t layout = nullptr;
    check(cublasLtMatrixLayoutCreate(&layout, type, rows, columns, rows));
    const auto batch = static_cast<int32_t>(p.batch);
    const int64_t stride = rows * columns;
    check(cublasLtMatrixLayoutSetAttribute(
        layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof(batch)));
    check(cublasLtMatrixLayoutSetAttribute(
        layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
        sizeof(stride)));
    return layout;
  }

  void queue(const cublasLtMatmulAlgo_t &algorithm) {
    const float one = 1, zero = 0;
    check(cublasLtMatmul(handle, operation, &one, p.b, a, p.a, b, &zero, p.c, c,
                         p.c, c, &algorithm, workspace, workspaceBytes,
                         stream));
  }

  /// As deviceSeconds().
  double secondsOf(const cublasLtMatmulAlgo_t &algorithm) {
    constexpr int repeats = 5, calls = 10;
    cudaEvent_t begin = nullptr, end = nullptr;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    queue(algorithm);
    std::vector<double> times;
    for (int repeat = 0; repeat != repeats; ++repeat) {
      check(cudaEventRecord(begin, stream));
      for (int call = 0; call != calls; ++call)
        queue(algorithm);
      check(cudaEventRecord(end, stream));
      check(cudaEventSynchronize(end));
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin, end));
      times.push_back(milliseconds / 1e3 / calls);
    }
    return median(std::move(times));
  }

  static constexpr uint64_t workspaceBytes = 32 << 20;
  const DeviceProduct p;
  cudaStream_t stream = nullptr;
  void *workspace = nullptr;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
};

} // namespace

static cublasComputeType_t computeType(Precision precision) {
  return precision == Precision::TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                      : CUBLAS_COMPUTE_32F;
}

static void measureEpilogues(Device &device, DeviceProduct product,
                             const std::string &name, double plainSeconds) {
  for (Epilogue epilogue :
       {Epilogue::Bias, Epilogue::BiasRelu, Epilogue::BiasGelu}) {
    product.epilogue = epilogue;
    const std::string of = name + ", " + std::string(epilogueName(epilogue));
    if (absl::Status status = device.prepare(product); !status.ok()) {
      std::printf("%s: by a kernel: %s\n", of.c_str(),
                  std::string(status.message()).c_str());
      continue;
    }
    const double seconds =
        deviceSeconds(device, [&] { check(device.multiply(product)); });
    row(of + ", of the product alone", 100 * plainSeconds / seconds, "%");
  }
}

static void measure(Device &device, Precision precision, int64_t batch,
                    int64_t m, int64_t n, int64_t k) {
  std::vector<Buffer> memory;
  // Random numbers: zeros take less power, so the GPU computes faster.
  std::mt19937 random(1);
  std::uniform_real_distribution<float> drawn(-1, 1);
  auto allocate = [&](int64_t count, Precision as) {
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return drawn(random); });
    std::vector<std::byte> packed = ProductTrial::pack(values, as);
    memory.push_back(
        check(device.allocate(MemorySpace::Device, packed.size())));
    const TensorType type = {as == Precision::BF16 ? DType::BF16 : DType::F32,
                             {count}};
    check(copyAndWait(device, {type, packed.data()},
                      {type, memory.back().data(), MemorySpace::Device}));
    return memory.back().data();
  };
  auto allocateFloats = [&](int64_t count) {
    return reinterpret_cast<float *>(allocate(count, Precision::F32));
  };
  DeviceProduct product = {.precision = precision,
                           .batch = batch,
                           .m = m,
                           .n = n,
                           .k = k,
                           .a = allocate(batch * m * k, precision),
                           .b = allocate(batch * k * n, precision),
                           .c = allocateFloats(batch * m * n)};
  check(device.prepare(product));
  const double seconds =
      deviceSeconds(device, [&] { check(device.multiply(product)); });
  device.drain();
  const double plain = PlainProduct(product, computeType(precision)).seconds();
  const std::string name = (batch == 1 ? "" : std::to_string(batch) + " x ") +
                           std::to_string(m) + "x" + std::to_string(n) + "x" +
                           std::to_string(k) + ", " +
                           std::string(precisionName(precision));
  const double operations = 2.0 * batch * m * n * k;
  row(name, operations / seconds / 1e12, "TFLOP/s");
  row(name + ", plain cuBLASLt", operations / plain / 1e12, "TFLOP/s");
  row(name + ", of plain cuBLASLt", 100 * plain / seconds, "%", ">= 95 %");
  product.bias = allocateFloats(n);
  measureEpilogues(device, product, name, seconds);
  memory.clear();
}

int main(int argc, char **argv) {
  Device &device = *check(openDevice(argc > 1 ? argv[1] : "cuda"));
  if (device.chip().empty() || device.chip() == "host")
    fail("expected a GPU");
  for (Precision precision :
       {Precision::F32, Precision::TF32, Precision::BF16}) {
    measure(device, precision, 1, 4096, 4096, 4096);
    measure(device, precision, 1, 65536, 512, 1024);
    measure(device, precision, 64, 512, 512, 64);
  }
  return 0;
}
