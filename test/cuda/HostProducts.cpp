// SPDX-License-Identifier: Apache-2.0
//===- HostProducts.cpp - cuBLASLt's functions on the host ----------------===//
//
// Matrix products by a loop, with the epilogues that cuBLASLt's manual
// describes, on a stream of HostRuntime.cpp. There are two algorithms, which do
// the same.
//
//===----------------------------------------------------------------------===//

#include "test/cuda/HostStream.h"
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cublasLt.h>
#include <numeric>
#include <vector>

namespace {
struct Layout {
  cudaDataType_t type;
  int64_t rows, columns, stride, batch = 1, batchOffset = 0;
};
struct Description {
  int32_t transposeA = CUBLAS_OP_N, transposeB = CUBLAS_OP_N;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  float *vector = nullptr;
};

const Layout &layoutOf(cublasLtMatrixLayout_t layout) {
  return *reinterpret_cast<const Layout *>(layout);
}

/// An operand after op(), of one product of a batch: `rows` that follow each
/// other if `byRows`, or columns.
std::vector<double> unpack(const Layout &layout, const void *data, int64_t item,
                           bool byRows) {
  std::vector<double> elements;
  elements.reserve(size_t(layout.rows * layout.columns));
  auto add = [&](int64_t row, int64_t column) {
    const int64_t place =
        item * layout.batchOffset + column * layout.stride + row;
    if (layout.type == CUDA_R_32F)
      return elements.push_back(static_cast<const float *>(data)[place]);
    const uint32_t bits = static_cast<const uint16_t *>(data)[place];
    elements.push_back(std::bit_cast<float>(bits << 16));
  };
  for (int64_t i = 0; i < (byRows ? layout.rows : layout.columns); ++i)
    for (int64_t j = 0; j < (byRows ? layout.columns : layout.rows); ++j)
      byRows ? add(i, j) : add(j, i);
  return elements;
}

float finish(uint32_t epilogue, float x) {
  switch (epilogue) {
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
    return x < 0 ? 0 : x;
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_BIAS: {
    const float inner =
        std::sqrt(2 / float(M_PI)) * (x + 0.044715f * x * x * x);
    return 0.5f * x * (1 + std::tanh(inner));
  }
  default:
    return x;
  }
}

bool hasBias(uint32_t epilogue) {
  return epilogue == CUBLASLT_EPILOGUE_BIAS ||
         epilogue == CUBLASLT_EPILOGUE_RELU_BIAS ||
         epilogue == CUBLASLT_EPILOGUE_GELU_BIAS;
}

/// The processor adds several up at a time.
double dot(const double *a, const double *b, int64_t count) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// d, of m rows and n columns, where columns follow each other, is a product of
/// rows of `a` and columns of `b`, of k elements each.
void multiply(const Description &how, const std::vector<double> &a,
              const std::vector<double> &b, int64_t m, int64_t n, int64_t k,
              float *d) {
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < m; ++i) {
      const double sum = dot(&a[i * k], &b[j * k], k);
      const float bias = hasBias(how.epilogue) ? how.vector[i] : 0;
      d[j * m + i] = finish(how.epilogue, float(sum) + bias);
    }
  auto sumOver = [&](const std::vector<double> &operand, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      how.vector[i] = float(std::accumulate(
          operand.begin() + i * k, operand.begin() + (i + 1) * k, 0.0));
  };
  if (how.epilogue == CUBLASLT_EPILOGUE_BGRADA)
    sumOver(a, m);
  if (how.epilogue == CUBLASLT_EPILOGUE_BGRADB)
    sumOver(b, n);
}
} // namespace

PS_CUDA_FUNCTION cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}

PS_CUDA_FUNCTION const char *cublasLtGetStatusString(cublasStatus_t) {
  return "an error of cuBLASLt";
}

PS_CUDA_FUNCTION cublasStatus_t cublasLtMatmulDescCreate(
    cublasLtMatmulDesc_t *made, cublasComputeType_t, cudaDataType_t) {
  *made = reinterpret_cast<cublasLtMatmulDesc_t>(new Description);
  return CUBLAS_STATUS_SUCCESS;
}
PS_CUDA_FUNCTION cublasStatus_t
cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete reinterpret_cast<Description *>(desc);
  return CUBLAS_STATUS_SUCCESS;
}
PS_CUDA_FUNCTION cublasStatus_t cublasLtMatmulDescSetAttribute(
    cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute,
    const void *value, size_t bytes) {
  auto &description = *reinterpret_cast<Description *>(desc);
  void *to = attribute == CUBLASLT_MATMUL_DESC_TRANSA ? &description.transposeA
             : attribute == CUBLASLT_MATMUL_DESC_TRANSB
                 ? &description.transposeB
             : attribute == CUBLASLT_MATMUL_DESC_EPILOGUE
                 ? static_cast<void *>(&description.epilogue)
             : attribute == CUBLASLT_MATMUL_DESC_BIAS_POINTER
                 ? static_cast<void *>(&description.vector)
                 : nullptr;
  if (!to)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  std::memcpy(to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

PS_CUDA_FUNCTION cublasStatus_t
cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType_t type,
                           uint64_t rows, uint64_t columns, int64_t stride) {
  *made = reinterpret_cast<cublasLtMatrixLayout_t>(
      new Layout{type, int64_t(rows), int64_t(columns), stride});
  return CUBLAS_STATUS_SUCCESS;
}
PS_CUDA_FUNCTION cublasStatus_t
cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete reinterpret_cast<Layout *>(layout);
  return CUBLAS_STATUS_SUCCESS;
}
PS_CUDA_FUNCTION cublasStatus_t cublasLtMatrixLayoutSetAttribute(
    cublasLtMatrixLayout_t made, cublasLtMatrixLayoutAttribute_t attribute,
    const void *value, size_t) {
  auto &layout = *reinterpret_cast<Layout *>(made);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
    layout.batch = *static_cast<const int32_t *>(value);
  else if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)
    layout.batchOffset = *static_cast<const int64_t *>(value);
  else
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

PS_CUDA_FUNCTION cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *made) {
  *made = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
PS_CUDA_FUNCTION cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t) {
  return CUBLAS_STATUS_SUCCESS;
}
PS_CUDA_FUNCTION cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
    const void *, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

PS_CUDA_FUNCTION cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t layoutA,
    cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
    cublasLtMatmulPreference_t, int most,
    cublasLtMatmulHeuristicResult_t results[], int *count) {
  *count = 0;
  if (layoutOf(layoutA).type == CUDA_R_16BF &&
      std::getenv("PS_HOST_CUBLAS_NO_BF16"))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  for (; *count < std::min(most, 2); ++*count) {
    results[*count] = {};
    results[*count].algo.data[0] = uint64_t(*count);
  }
  return CUBLAS_STATUS_SUCCESS;
}

PS_CUDA_FUNCTION cublasStatus_t cublasLtMatmulAlgoCheck(
    cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
    cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
    const cublasLtMatmulAlgo_t *, cublasLtMatmulHeuristicResult_t *result) {
  *result = {};
  return CUBLAS_STATUS_SUCCESS;
}

PS_CUDA_FUNCTION cublasStatus_t cublasLtMatmul(
    cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void *, const void *a,
    cublasLtMatrixLayout_t layoutA, const void *b,
    cublasLtMatrixLayout_t layoutB, const void *, const void *,
    cublasLtMatrixLayout_t, void *d, cublasLtMatrixLayout_t layoutD,
    const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
  static std::atomic<int64_t> untilLoss = [] {
    const char *text = std::getenv("PS_HOST_CUBLAS_LOSE");
    return text ? std::atoll(text) : 0;
  }();
  if (untilLoss > 0 && --untilLoss == 0)
    psLoseGpu();
  const cudaError_t added = psAddComputation(
      stream, [how = *reinterpret_cast<const Description *>(desc),
               ofA = layoutOf(layoutA), ofB = layoutOf(layoutB),
               ofD = layoutOf(layoutD), a, b, d] {
        const bool transposedA = how.transposeA == CUBLAS_OP_T;
        const int64_t k = transposedA ? ofA.rows : ofA.columns;
        for (int64_t item = 0; item < ofD.batch; ++item)
          multiply(how, unpack(ofA, a, item, !transposedA),
                   unpack(ofB, b, item, how.transposeB == CUBLAS_OP_T),
                   ofD.rows, ofD.columns, k,
                   static_cast<float *>(d) + item * ofD.batchOffset);
      });
  return added == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                              : CUBLAS_STATUS_EXECUTION_FAILED;
}
