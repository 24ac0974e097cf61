// SPDX-License-Identifier: Apache-2.0
//===- Products.cpp - matrix products by cuBLASLt -------------------------===//
//
// cuBLASLt counts columns first: what it sees is the transpose of everything,
// C' = op(B)' op(A)', with n rows and m columns. So its bias, one element per
// row, is one per column of C, and its operand A is our B.
//
// A plan per kind of product holds the algorithm. cuBLASLt's heuristics name
// several, in an order that depends on the card, the library's version and the
// plan's key only; algorithms that add up parts of k in the order in which
// these are ready are ruled out. The plan has the fastest of those whose
// results have the bits of the first one's, as tried out on random operands: so
// times, which vary, change no result, and equal runs give equal bits.
//
// An epilogue's algorithm is tried out on operands whose result is known
// (ProductTrial.h) before it is used.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/cuda/Products.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/device/ProductTrial.h"
#include "runtime/device/cuda/AlgorithmTrial.h"
#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

using namespace ps::runtime;

/// What a product may use besides its operands; as NVIDIA advises for H100.
static constexpr uint64_t workspaceBytes = 32 << 20;
/// Batches are the third dimension of a grid, which has fewer than 2^16.
static constexpr int64_t largestBatch = 65535;
/// How many algorithms are considered.
static constexpr int mostAlgorithms = 16;
/// Fewer results may have equal bits by chance.
static constexpr int64_t leastCompared = 256;
/// For larger matrices, trials would take long, and much memory.
static constexpr int64_t mostCompared = int64_t{1} << 26;
/// How long a product's algorithms are tried, even if some are left.
static constexpr auto longestChoice = std::chrono::seconds(1);
/// How long the choices of a device's products may take together.
static constexpr auto longestChoices = std::chrono::seconds(20);

namespace {

struct Destroy {
  void operator()(cublasLtMatmulDesc_t desc) const {
    cublasLtMatmulDescDestroy(desc);
  }
  void operator()(cublasLtMatrixLayout_t layout) const {
    cublasLtMatrixLayoutDestroy(layout);
  }
  void operator()(cublasLtMatmulPreference_t preference) const {
    cublasLtMatmulPreferenceDestroy(preference);
  }
};
template <typename T>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Destroy>;
} // namespace

/// A product in cuBLASLt's terms; `a` and `b` are those of cuBLASLt.
struct CudaProducts::Problem {
  Owned<cublasLtMatmulDesc_t> operation;
  Owned<cublasLtMatrixLayout_t> a, b, c;
};

struct CudaProducts::Plan {
  Problem problem;
  cublasLtMatmulAlgo_t algorithm;
  /// What cuBLASLt proposes, until the fastest is known.
  std::vector<cublasLtMatmulAlgo_t> proposed;
  /// The result of the trial of a product with an epilogue, once it was tried.
  std::optional<absl::Status> trial;
};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string describeProduct(const DeviceProduct &p) {
  return absl::StrCat("product ", p.m, "x", p.n, "x", p.k,
                      p.batch == 1 ? "" : absl::StrCat(" of ", p.batch),
                      p.precision == Precision::BF16 ? " in bf16" : "");
}

/// With `stream`, on which the product failed, the text has what CUDA says: the
/// GPU may be lost.
absl::Status CudaProducts::check(cublasStatus_t status,
                                 const DeviceProduct &product,
                                 cudaStream_t stream) const {
  if (status == CUBLAS_STATUS_SUCCESS)
    return absl::OkStatus();
  const std::string cause = stream ? describeFault(stream) : "";
  const std::string text = absl::StrCat(
      "device '", gpu.name, "': ", describeProduct(product), ": ",
      cublasLtGetStatusString(status), cause.empty() ? "" : ": ", cause);
  // Each of these may mean that a product is not supported.
  return status == CUBLAS_STATUS_NOT_SUPPORTED ||
                 status == CUBLAS_STATUS_INVALID_VALUE ||
                 status == CUBLAS_STATUS_ARCH_MISMATCH
             ? absl::UnimplementedError(text)
             : absl::InternalError(text);
}

absl::Status CudaProducts::checkSizes(const DeviceProduct &product) const {
  for (int64_t size : {product.m, product.n, product.k})
    if (size > std::numeric_limits<int32_t>::max())
      return absl::InvalidArgumentError(absl::StrCat(
          "device '", gpu.name, "': a matrix product has a size of ", size,
          ": expected less than 2^31"));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

static cublasComputeType_t computeType(Precision precision) {
  switch (precision) {
  case Precision::TF32:
    return CUBLAS_COMPUTE_32F_FAST_TF32;
  case Precision::F32:
  case Precision::BF16:
    return CUBLAS_COMPUTE_32F;
  }
  return CUBLAS_COMPUTE_32F;
}

static cudaDataType_t operandType(Precision precision) {
  return precision == Precision::BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

static cublasLtEpilogue_t epilogueOf(const DeviceProduct &p) {
  if (p.summed != SummedOperand::None)
    return p.summed == SummedOperand::A ? CUBLASLT_EPILOGUE_BGRADB
                                        : CUBLASLT_EPILOGUE_BGRADA;
  switch (p.epilogue) {
  case Epilogue::None:
    return CUBLASLT_EPILOGUE_DEFAULT;
  case Epilogue::Bias:
    return CUBLASLT_EPILOGUE_BIAS;
  case Epilogue::Relu:
    return CUBLASLT_EPILOGUE_RELU;
  case Epilogue::BiasRelu:
    return CUBLASLT_EPILOGUE_RELU_BIAS;
  case Epilogue::Gelu:
    return CUBLASLT_EPILOGUE_GELU;
  case Epilogue::BiasGelu:
    return CUBLASLT_EPILOGUE_GELU_BIAS;
  }
  return CUBLASLT_EPILOGUE_DEFAULT;
}

/// The vector of the epilogue: the bias, or the sums.
static const void *vectorOf(const DeviceProduct &p) {
  return p.summed == SummedOperand::None ? static_cast<const void *>(p.bias)
                                         : p.sums;
}

template <typename T>
static cublasStatus_t set(const Owned<cublasLtMatmulDesc_t> &operation,
                          cublasLtMatmulDescAttributes_t attribute, T value) {
  return cublasLtMatmulDescSetAttribute(operation.get(), attribute, &value,
                                        sizeof(value));
}

template <typename T>
static cublasStatus_t set(const Owned<cublasLtMatmulPreference_t> &preference,
                          cublasLtMatmulPreferenceAttributes_t attribute,
                          T value) {
  return cublasLtMatmulPreferenceSetAttribute(preference.get(), attribute,
                                              &value, sizeof(value));
}

/// Columns follow each other in memory, and matrices of a batch do.
static cublasStatus_t makeLayout(cudaDataType_t type, int64_t rows,
                                 int64_t columns, int64_t batch,
                                 Owned<cublasLtMatrixLayout_t> &layout) {
  cublasLtMatrixLayout_t made = nullptr;
  if (cublasStatus_t failed =
          cublasLtMatrixLayoutCreate(&made, type, rows, columns, rows);
      failed != CUBLAS_STATUS_SUCCESS)
    return failed;
  layout.reset(made);
  const auto count = static_cast<int32_t>(batch);
  if (cublasStatus_t failed = cublasLtMatrixLayoutSetAttribute(
          made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count));
      failed != CUBLAS_STATUS_SUCCESS)
    return failed;
  const int64_t stride = rows * columns;
  return cublasLtMatrixLayoutSetAttribute(
      made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
      sizeof(stride));
}

absl::StatusOr<CudaProducts::Problem>
CudaProducts::describe(const DeviceProduct &p) const {
  Problem problem;
  cublasLtMatmulDesc_t operation = nullptr;
  RETURN_IF_ERROR(check(cublasLtMatmulDescCreate(
                            &operation, computeType(p.precision), CUDA_R_32F),
                        p));
  problem.operation.reset(operation);
  const int32_t a = p.transposeB ? CUBLAS_OP_T : CUBLAS_OP_N;
  const int32_t b = p.transposeA ? CUBLAS_OP_T : CUBLAS_OP_N;
  RETURN_IF_ERROR(
      check(set(problem.operation, CUBLASLT_MATMUL_DESC_TRANSA, a), p));
  RETURN_IF_ERROR(
      check(set(problem.operation, CUBLASLT_MATMUL_DESC_TRANSB, b), p));
  if (!p.isPlain()) {
    const uint32_t epilogue = epilogueOf(p);
    RETURN_IF_ERROR(check(
        set(problem.operation, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue), p));
    RETURN_IF_ERROR(check(
        set(problem.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, vectorOf(p)),
        p));
  }
  const cudaDataType_t type = operandType(p.precision);
  RETURN_IF_ERROR(
      check(makeLayout(type, p.transposeB ? p.k : p.n, p.transposeB ? p.n : p.k,
                       p.batch, problem.a),
            p));
  RETURN_IF_ERROR(
      check(makeLayout(type, p.transposeA ? p.m : p.k, p.transposeA ? p.k : p.m,
                       p.batch, problem.b),
            p));
  RETURN_IF_ERROR(
      check(makeLayout(CUDA_R_32F, p.n, p.m, p.batch, problem.c), p));
  return problem;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The largest power of two, at most 256, that divides the address.
static uint32_t alignmentOf(const void *pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  return static_cast<uint32_t>(
      std::min<uintptr_t>(address & (~address + 1), 256));
}

CudaProducts::Key CudaProducts::keyOf(const DeviceProduct &p) {
  return {static_cast<int64_t>(p.precision),
          p.transposeA,
          p.transposeB,
          p.batch,
          p.m,
          p.n,
          p.k,
          static_cast<int64_t>(p.epilogue),
          static_cast<int64_t>(p.summed),
          alignmentOf(p.a),
          alignmentOf(p.b),
          alignmentOf(p.c),
          alignmentOf(vectorOf(p))};
}

absl::StatusOr<std::vector<cublasLtMatmulAlgo_t>>
CudaProducts::listAlgorithms(const DeviceProduct &p,
                             const Problem &problem) const {
  cublasLtMatmulPreference_t made = nullptr;
  RETURN_IF_ERROR(check(cublasLtMatmulPreferenceCreate(&made), p));
  const Owned<cublasLtMatmulPreference_t> preference(made);
  auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute,
                    auto value) {
    return check(set(preference, attribute, value), p);
  };
  RETURN_IF_ERROR(
      prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspaceBytes));
  // Parts of k meet in the workspace and are added up in a step of its own.
  constexpr uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE |
                               CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
  RETURN_IF_ERROR(prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes));
  RETURN_IF_ERROR(
      prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignmentOf(p.b)));
  RETURN_IF_ERROR(
      prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignmentOf(p.a)));
  RETURN_IF_ERROR(
      prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignmentOf(p.c)));
  RETURN_IF_ERROR(
      prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignmentOf(p.c)));
  cublasLtMatmulHeuristicResult_t found[mostAlgorithms];
  int count = 0;
  RETURN_IF_ERROR(check(cublasLtMatmulAlgoGetHeuristic(
                            handle, problem.operation.get(), problem.a.get(),
                            problem.b.get(), problem.c.get(), problem.c.get(),
                            preference.get(), mostAlgorithms, found, &count),
                        p));
  RETURN_IF_ERROR(
      check(count == 0 ? CUBLAS_STATUS_NOT_SUPPORTED : found[0].state, p));
  std::vector<cublasLtMatmulAlgo_t> algorithms;
  for (int i = 0; i < count; ++i)
    if (found[i].state == CUBLAS_STATUS_SUCCESS)
      algorithms.push_back(found[i].algo);
  return algorithms;
}

absl::StatusOr<std::unique_ptr<CudaProducts::Plan>>
CudaProducts::makePlan(const DeviceProduct &product) const {
  auto made = std::make_unique<Plan>();
  ASSIGN_OR_RETURN(made->problem, describe(product));
  ASSIGN_OR_RETURN(made->proposed, listAlgorithms(product, made->problem));
  made->algorithm = made->proposed.front();
  return made;
}

absl::StatusOr<CudaProducts::Plan *>
CudaProducts::findPlan(const DeviceProduct &product) {
  std::unique_ptr<Plan> &plan = plans[keyOf(product)];
  if (plan)
    return plan.get();
  RETURN_IF_ERROR(checkSizes(product));
  absl::StatusOr<std::unique_ptr<Plan>> made = makePlan(product);
  // Not all sizes and alignments are multiplied in tf32.
  if (absl::IsUnimplemented(made.status()) && product.isPlain() &&
      product.precision == Precision::TF32) {
    DeviceProduct exact = product;
    exact.precision = Precision::F32;
    made = makePlan(exact);
  }
  if (absl::IsUnimplemented(made.status()) &&
      product.precision == Precision::BF16)
    return absl::UnimplementedError(absl::StrCat(
        made.status().message(),
        ": cuBLASLt has no such product of bf16 operands with an f32 result: "
        "use --precision=f32"));
  RETURN_IF_ERROR(made.status());
  plan = *std::move(made);
  return plan.get();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

CudaProducts::CudaProducts(const CudaGpu &gpu) : gpu(gpu) {}
CudaProducts::~CudaProducts() = default;

absl::Status CudaProducts::open() {
  if (cublasStatus_t failed = cublasLtCreate(&handle);
      failed != CUBLAS_STATUS_SUCCESS)
    return absl::InternalError(
        absl::StrCat("device '", gpu.name,
                     "': cublasLtCreate: ", cublasLtGetStatusString(failed)));
  ASSIGN_OR_RETURN(workspace, gpu.allocate(workspaceBytes));
  return absl::OkStatus();
}

absl::Status CudaProducts::queue(const DeviceProduct &p, const Problem &problem,
                                 const cublasLtMatmulAlgo_t &algorithm,
                                 cudaStream_t stream) {
  if (!p.isPlain())
    RETURN_IF_ERROR(check(
        set(problem.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, vectorOf(p)),
        p));
  const float one = 1, zero = 0;
  return check(cublasLtMatmul(handle, problem.operation.get(), &one, p.b,
                              problem.a.get(), p.a, problem.b.get(), &zero, p.c,
                              problem.c.get(), p.c, problem.c.get(), &algorithm,
                              workspace, workspaceBytes, stream),
               p, stream);
}

/// cuBLASLt refuses matrices without elements.
static bool isEmpty(const DeviceProduct &p) {
  return p.batch == 0 || p.m == 0 || p.n == 0 || p.k == 0;
}

absl::Status CudaProducts::multiply(const DeviceProduct &product,
                                    cudaStream_t stream) {
  // Sums of nothing, if there are any.
  if (isEmpty(product)) {
    const int64_t count = product.batch * product.m * product.n;
    return count == 0
               ? absl::OkStatus()
               : gpu.check(cudaMemsetAsync(product.c, 0, count * sizeof(float),
                                           stream),
                           "product without terms");
  }
  MutexLock lock(mutex);
  for (int64_t first = 0; first < product.batch; first += largestBatch) {
    const DeviceProduct part =
        product.part(first, std::min(product.batch - first, largestBatch));
    ASSIGN_OR_RETURN(Plan *const plan, findPlan(part));
    if (!product.isPlain() && !(plan->trial && plan->trial->ok()))
      return absl::FailedPreconditionError(
          absl::StrCat("device '", gpu.name, "': ", describeProduct(product),
                       " with an epilogue was not prepared"));
    RETURN_IF_ERROR(queue(part, plan->problem, plan->algorithm, stream));
  }
  return absl::OkStatus();
}

absl::Status CudaProducts::prepare(const DeviceProduct &product,
                                   cudaStream_t stream) {
  if (!product.isPlain() && (isEmpty(product) || product.batch > largestBatch))
    return absl::UnimplementedError(
        absl::StrCat("device '", gpu.name, "': ", describeProduct(product),
                     " with an epilogue"));
  if (isEmpty(product))
    return absl::OkStatus();
  MutexLock lock(mutex);
  const DeviceProduct part =
      product.part(0, std::min(product.batch, largestBatch));
  ASSIGN_OR_RETURN(Plan *const plan, findPlan(part));
  if (!product.isPlain()) {
    if (!plan->trial)
      plan->trial = tryOut(part, plan->algorithm, stream);
    RETURN_IF_ERROR(*plan->trial);
  }
  const auto begin = std::chrono::steady_clock::now();
  const absl::Status picked = pickFastest(part, *plan, stream);
  choosing += std::chrono::steady_clock::now() - begin;
  return annotate(picked, describeProduct(part));
}

/// How many results there are of each kind, at least.
static int64_t leastResults(const DeviceProduct &p) {
  const int64_t count = p.batch * p.m * p.n;
  return p.summed == SummedOperand::None ? count
         : p.summed == SummedOperand::A  ? std::min(count, p.m)
                                         : std::min(count, p.n);
}

/// Where trials have no memory, the first algorithm stays. An error is one of
/// the GPU, which an algorithm may have caused.
absl::Status CudaProducts::pickFastest(const DeviceProduct &product, Plan &plan,
                                       cudaStream_t stream) {
  const std::vector<cublasLtMatmulAlgo_t> all =
      std::exchange(plan.proposed, {});
  if (all.size() < 2 || choosing >= longestChoices ||
      leastResults(product) < leastCompared ||
      product.batch * std::max({product.m * product.k, product.k * product.n,
                                product.m * product.n}) >
          mostCompared)
    return absl::OkStatus();
  using Time = std::chrono::steady_clock;
  const Time::time_point end = Time::now() + longestChoice;
  auto queueOnce =
      [&](const DeviceProduct &p, const cublasLtMatmulAlgo_t &algorithm)
          ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
            return queue(p, plan.problem, algorithm, stream).ok();
          };
  AlgorithmTrial trial(product, stream, queueOnce);
  AlgorithmTrial::Result first, result;
  if (!trial.run(all.front(), first))
    return gpu.check(cudaStreamSynchronize(stream), "trial of an algorithm");
  std::vector<cublasLtMatmulAlgo_t> equal;
  for (const cublasLtMatmulAlgo_t &algorithm : all)
    if (Time::now() < end && trial.run(algorithm, result) && result == first)
      equal.push_back(algorithm);
  const int calls = trial.time(all.front(), 1) < 1 ? 10 : 1;
  float least = std::numeric_limits<float>::infinity();
  for (int round = 0; round < 3; ++round)
    for (const cublasLtMatmulAlgo_t &algorithm : equal) {
      if (Time::now() > end)
        break;
      if (const float time = trial.time(algorithm, calls); time < least) {
        least = time;
        plan.algorithm = algorithm;
      }
    }
  // The trial of the first one's epilogue has operands with NaN, too.
  if (!product.isPlain() && !tryOut(product, plan.algorithm, stream).ok())
    plan.algorithm = all.front();
  return gpu.check(cudaStreamSynchronize(stream), "trial of an algorithm");
}

/// UNIMPLEMENTED if the algorithm does not compute what it should, or not for
/// the sizes of the trial.
absl::Status CudaProducts::tryOut(const DeviceProduct &product,
                                  const cublasLtMatmulAlgo_t &algorithm,
                                  cudaStream_t stream) {
  const ProductTrial trial(product);
  DeviceProduct p = trial.shape();
  ProductTrial::Operands operands = trial.makeOperands(0);
  const int64_t size = operandBytes(p.precision);
  TrialMemory a(operands.a.size() * size), b(operands.b.size() * size);
  TrialMemory bias(operands.bias.size() * sizeof(float));
  TrialMemory sums(std::max(p.m, p.n) * sizeof(float));
  TrialMemory c(p.batch * p.m * p.n * sizeof(float));
  p.a = a.data();
  p.b = b.data();
  p.c = c.floats();
  p.bias = bias.floats();
  p.sums = sums.floats();
  ASSIGN_OR_RETURN(const Problem problem, describe(p));
  cublasLtMatmulHeuristicResult_t checked;
  RETURN_IF_ERROR(check(
      cublasLtMatmulAlgoCheck(handle, problem.operation.get(), problem.a.get(),
                              problem.b.get(), problem.c.get(), problem.c.get(),
                              &algorithm, &checked),
      p));
  if (checked.workspaceSize > workspaceBytes)
    return absl::UnimplementedError("the trial needs a larger workspace");
  for (int round = 0; round < trial.rounds(); ++round) {
    operands = trial.makeOperands(round);
    std::vector<float> foundC(p.batch * p.m * p.n),
        foundSums(std::max(p.m, p.n));
    const auto packedA = ProductTrial::pack(operands.a, p.precision);
    const auto packedB = ProductTrial::pack(operands.b, p.precision);
    // What is copied may not go before the copies have ended, also after an
    // error; that is one of the next call, too.
    const absl::Cleanup wait = [stream] { cudaStreamSynchronize(stream); };
    RETURN_IF_ERROR(gpu.check(a.write(packedA, stream), "trial"));
    RETURN_IF_ERROR(gpu.check(b.write(packedB, stream), "trial"));
    RETURN_IF_ERROR(gpu.check(bias.write(operands.bias, stream), "trial"));
    // What a product does not write is no sum.
    RETURN_IF_ERROR(gpu.check(sums.write(foundSums, stream), "trial"));
    RETURN_IF_ERROR(gpu.check(c.write(foundC, stream), "trial"));
    RETURN_IF_ERROR(queue(p, problem, algorithm, stream));
    RETURN_IF_ERROR(gpu.check(c.read(foundC, stream), "trial"));
    RETURN_IF_ERROR(gpu.check(sums.read(foundSums, stream), "trial"));
    RETURN_IF_ERROR(trial.check(round, foundC, foundSums));
  }
  return absl::OkStatus();
}
