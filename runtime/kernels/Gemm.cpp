// SPDX-License-Identifier: Apache-2.0
//===- Gemm.cpp - matrix products as nodes --------------------------------===//
//
// The library's sgemm runs on one thread; we split the product ourselves into
// blocks of rows (and of columns when there are too few rows), so that there
// is one pool of threads and an epilogue finds its block in cache. Products
// with a 1-wide side are bound by memory and have kernels of their own.
//
// With Precision::BF16 the inputs are rounded to memory of the node first. A
// processor without instructions for bf16 multiplies the rounded inputs as
// floats: the same products, exact in f32, at the speed of f32.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/LowPrecision.h"
#include "runtime/kernels/MatVec.h"
#include <algorithm>
#include <cassert>
#include <map>
#include <oneapi/dnnl/dnnl.h>

// From libgomp, whose header Clang does not have.
extern "C" void omp_set_num_threads(int);

using namespace ps::runtime;

namespace {
/// Floating-point operations that make a block worth a task.
constexpr int64_t kBlockFlops = 2'000'000;
/// Blocks are multiples of what the library's inner kernel handles at once.
constexpr int64_t kRowUnit = 16, kColumnUnit = 64;
/// Fewer rows than this waste the library's packing.
constexpr int64_t kMinRows = 64;
/// An epilogue's block of C should stay in the second-level cache.
constexpr int64_t kEpilogueBytes = 256 << 10;
/// What a piece of a product with a vector reads at least.
constexpr int64_t kVectorPieceBytes = 256 << 10;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t roundUp(int64_t a, int64_t unit) { return ceilDiv(a, unit) * unit; }

/// Elements that a task rounds.
constexpr int64_t kRoundedPiece = 64 << 10;

absl::Status sgemm(const GemmCall &call, int64_t m, int64_t n, const float *a,
                   const float *b, float *c) {
  // The setting belongs to a thread, and tasks run on any.
  thread_local bool single = (omp_set_num_threads(1), true);
  (void)single;
  dnnl_status_t status =
      dnnl_sgemm(call.transposeA ? 'T' : 'N', call.transposeB ? 'T' : 'N', m, n,
                 call.k, 1.0f, a, call.transposeA ? call.m : call.k, b,
                 call.transposeB ? call.k : call.n, 0.0f, c, call.n);
  if (status != dnnl_success)
    return absl::InternalError(
        absl::StrCat("sgemm failed with status ", static_cast<int>(status)));
  return absl::OkStatus();
}

/// The library compiles its kernels at the first call, which takes tens of
/// milliseconds: not in the first step.
void warmUp() {
  static std::once_flag once;
  std::call_once(once, [] {
    const int64_t size = 64;
    std::vector<float> a(size * size), b(size * size), c(size * size);
    GemmCall call;
    call.m = call.n = call.k = size;
    (void)sgemm(call, size, size, a.data(), b.data(), c.data());
  });
}

/// How a product is cut into blocks of C.
struct Blocking {
  int64_t rows, columns;           // The size of a block.
  int64_t rowBlocks, columnBlocks; // Per product of the batch.
};

/// Cuts rows first, since whole rows let the epilogue run in the same task;
/// columns only if there are too few rows for all threads.
Blocking chooseBlocking(const GemmCall &call, int parallelism) {
  const int64_t m = call.m, n = call.n;
  const double flops = 2.0 * m * n * call.k * call.batch;
  // Two blocks per thread even out what other nodes take away from some.
  int64_t wanted = parallelism == 1 ? 1 : 2 * parallelism;
  wanted = std::clamp<int64_t>(int64_t(flops / kBlockFlops), 1, wanted);
  wanted = ceilDiv(wanted, call.batch);

  int64_t rows = std::max(kMinRows, roundUp(ceilDiv(m, wanted), kRowUnit));
  if (call.epilogue && call.epilogue->rows)
    rows = std::min(
        rows, std::max(kMinRows, kEpilogueBytes / int64_t(n * sizeof(float)) /
                                     kRowUnit * kRowUnit));
  rows = std::min(rows, m);
  const int64_t rowBlocks = ceilDiv(m, rows);
  int64_t columns = n;
  if (rowBlocks < wanted)
    columns = std::min(n, roundUp(ceilDiv(n, wanted / rowBlocks), kColumnUnit));
  return {rows, columns, rowBlocks, ceilDiv(n, columns)};
}

class GemmNode final : public Node {
public:
  GemmNode(std::string name, GemmCall call)
      : Node(Kind::Gemm, std::move(name)), call(std::move(call)) {}

  void start(StepContext &context, Done done) override {
    done(compute(context));
  }

private:
  absl::Status compute(StepContext &context);
  absl::Status multiply(StepContext &context);
  void multiplyVector(StepContext &context);
  void multiplyOuter(StepContext &context);

  bool hasVector() const { return call.m == 1 || call.n == 1; }
  /// The epilogue of rows that one task has completed.
  void finishRows(int64_t begin, int64_t end) {
    if (call.epilogue && call.epilogue->rows)
      call.epilogue->function(call.epilogue->buffers.data(), begin, end);
  }
  /// The epilogue when rows are not completed by one task.
  void finishAll(StepContext &context);

  /// Rounds the inputs; makes the products of `blocking` at its first call.
  absl::Status prepareBf16(StepContext &context, const Blocking &blocking);
  absl::Status multiplyPart(int64_t m, int64_t n, int64_t offsetA,
                            int64_t offsetB, float *c);

  GemmCall call;
  /// For Precision::BF16: the inputs, as bf16 or as floats.
  std::vector<uint16_t> shortA, shortB;
  std::vector<float> roundedA, roundedB;
  /// One for each size of a block of C.
  std::map<std::pair<int64_t, int64_t>, std::unique_ptr<Bf16Product>> products;
};
} // namespace

std::unique_ptr<Node> ps::runtime::makeGemmNode(std::string name,
                                                GemmCall call) {
  warmUp();
  assert((!call.epilogue || !call.epilogue->rows ||
          *call.epilogue->rows == call.batch * call.m) &&
         "an epilogue's rows are those of C");
  return std::make_unique<GemmNode>(std::move(name), std::move(call));
}

/// Products with a vector and outer products are limited by memory, where the
/// library's blocking only costs time.
absl::Status GemmNode::compute(StepContext &context) {
  bool rowsFinished = false;
  if (call.batch * call.m * call.n == 0 || call.k == 0) {
    std::fill_n(call.c, call.batch * call.m * call.n, 0.0f);
  } else if (hasVector()) {
    multiplyVector(context);
    rowsFinished = call.n == 1;
  } else if (call.k == 1) {
    multiplyOuter(context);
    rowsFinished = true;
  } else {
    return multiply(context);
  }
  if (!rowsFinished || (call.epilogue && !call.epilogue->rows))
    finishAll(context);
  return absl::OkStatus();
}

/// A separate pass over C, after all blocks are done.
void GemmNode::finishAll(StepContext &context) {
  if (!call.epilogue)
    return;
  if (!call.epilogue->rows) {
    call.epilogue->function(call.epilogue->buffers.data(), 0, 1);
    return;
  }
  const int64_t rowBytes = std::max<int64_t>(1, call.n * sizeof(float));
  context.parallelRows(
      *call.epilogue->rows, std::max<int64_t>(1, kEpilogueBytes / rowBytes),
      [&](int64_t begin, int64_t end) { finishRows(begin, end); });
}

/// Each task multiplies whole blocks with one library thread; the executor, not
/// the library, spreads the work.
absl::Status GemmNode::multiply(StepContext &context) {
  const Blocking blocking = chooseBlocking(call, context.parallelism());
  if (call.precision == Precision::BF16)
    RETURN_IF_ERROR(prepareBf16(context, blocking));
  const bool wholeRows = blocking.columnBlocks == 1;
  struct {
    Mutex mutex;
    absl::Status status ABSL_GUARDED_BY(mutex);
  } failure;

  auto multiplyBlock = [&](int64_t index) {
    const int64_t column = index % blocking.columnBlocks * blocking.columns;
    index /= blocking.columnBlocks;
    const int64_t row = index % blocking.rowBlocks * blocking.rows;
    const int64_t item = index / blocking.rowBlocks;
    const int64_t rows = std::min(blocking.rows, call.m - row);
    const int64_t columns = std::min(blocking.columns, call.n - column);
    absl::Status status = multiplyPart(
        rows, columns,
        item * call.m * call.k + (call.transposeA ? row : row * call.k),
        item * call.k * call.n + (call.transposeB ? column * call.k : column),
        call.c + (item * call.m + row) * call.n + column);
    if (!status.ok()) {
      MutexLock lock(failure.mutex);
      failure.status = status;
      return;
    }
    if (wholeRows)
      finishRows(item * call.m + row, item * call.m + row + rows);
  };

  context.parallelRows(call.batch * blocking.rowBlocks * blocking.columnBlocks,
                       /*grain=*/1, [&](int64_t begin, int64_t end) {
                         for (int64_t index = begin; index < end; ++index)
                           multiplyBlock(index);
                       });
  {
    MutexLock lock(failure.mutex);
    if (!failure.status.ok())
      return failure.status;
  }
  if (!wholeRows || (call.epilogue && !call.epilogue->rows))
    finishAll(context);
  return absl::OkStatus();
}

/// From the inputs at these offsets.
absl::Status GemmNode::multiplyPart(int64_t m, int64_t n, int64_t offsetA,
                                    int64_t offsetB, float *c) {
  if (call.precision == Precision::F32)
    return sgemm(call, m, n, call.a + offsetA, call.b + offsetB, c);
  if (!multipliesBf16(call.k))
    return sgemm(call, m, n, roundedA.data() + offsetA,
                 roundedB.data() + offsetB, c);
  omp_set_num_threads(1);
  return products.at({m, n})->run(shortA.data() + offsetA,
                                  shortB.data() + offsetB, c);
}

absl::Status GemmNode::prepareBf16(StepContext &context,
                                   const Blocking &blocking) {
  auto round = [&](const float *from, auto &to, int64_t count) {
    to.resize(count);
    context.parallelRows(count, kRoundedPiece, [&](int64_t begin, int64_t end) {
      roundToBf16(from + begin, to.data() + begin, end - begin);
    });
  };
  const int64_t sizeA = call.batch * call.m * call.k;
  const int64_t sizeB = call.batch * call.k * call.n;
  if (!multipliesBf16(call.k)) {
    round(call.a, roundedA, sizeA);
    round(call.b, roundedB, sizeB);
    return absl::OkStatus();
  }
  round(call.a, shortA, sizeA);
  round(call.b, shortB, sizeB);
  // Whole blocks, and those at the lower and the right edge.
  const int64_t lastRows = call.m - (blocking.rowBlocks - 1) * blocking.rows;
  const int64_t lastColumns =
      call.n - (blocking.columnBlocks - 1) * blocking.columns;
  for (int64_t m : {std::min(blocking.rows, call.m), lastRows})
    for (int64_t n : {std::min(blocking.columns, call.n), lastColumns}) {
      std::unique_ptr<Bf16Product> &product = products[{m, n}];
      if (product)
        continue;
      ASSIGN_OR_RETURN(
          product,
          Bf16Product::create({m, n, call.k, call.transposeA, call.transposeB,
                               call.transposeA ? call.m : call.k,
                               call.transposeB ? call.k : call.n, call.n}));
    }
  return absl::OkStatus();
}

void GemmNode::multiplyVector(StepContext &context) {
  // With n = 1 the matrix is op(A) and b the vector; with m = 1 the matrix is
  // op(B) transposed and a the vector.
  const bool byRows = call.m * call.n == 1 ||
                      (call.n == 1 ? !call.transposeA : call.transposeB);
  const float *matrix = call.n == 1 ? call.a : call.b;
  const float *vector = call.n == 1 ? call.b : call.a;
  const int64_t outputs = call.m * call.n;
  // Columns in units of a few cache lines, so that pieces share none.
  const int64_t unit = byRows ? 1 : std::min(kColumnUnit, outputs);
  const int64_t units = ceilDiv(outputs, unit);
  const int64_t grain = std::max<int64_t>(
      1, kVectorPieceBytes / int64_t(sizeof(float) * call.k * unit));

  auto multiplyRange = [&](int64_t item, int64_t begin, int64_t end) {
    const float *a = matrix + item * outputs * call.k;
    const float *x = vector + item * call.k;
    float *y = call.c + item * outputs;
    if (byRows)
      dotRows(a, x, y, call.k, begin, end);
    else
      sumScaledRows(a, x, y, call.k, outputs, begin, end);
    if (call.n == 1)
      finishRows(item * outputs + begin, item * outputs + end);
  };
  context.parallelRows(
      call.batch * units, grain, [&](int64_t begin, int64_t end) {
        while (begin < end) {
          const int64_t item = begin / units;
          const int64_t stop = std::min(end, (item + 1) * units);
          multiplyRange(item, (begin - item * units) * unit,
                        std::min(outputs, (stop - item * units) * unit));
          begin = stop;
        }
      });
}

/// k = 1: every element is one product, and rows are complete when they are
/// written.
void GemmNode::multiplyOuter(StepContext &context) {
  const int64_t grain =
      std::max<int64_t>(1, kVectorPieceBytes / int64_t(sizeof(float) * call.n));
  context.parallelRows(
      call.batch * call.m, grain, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end;) {
          const int64_t item = row / call.m;
          const int64_t stop = std::min(end, (item + 1) * call.m);
          outerProduct(call.a + item * call.m, call.b + item * call.n,
                       call.c + item * call.m * call.n, call.n,
                       row - item * call.m, stop - item * call.m);
          row = stop;
        }
        finishRows(begin, end);
      });
}
