// SPDX-License-Identifier: Apache-2.0
//===- GemmBench.cpp - matrix product nodes against the library alone -----===//

#include "runtime/executor/Executor.h"
#include "runtime/kernels/Kernels.h"
#include "test/benchmarks/Table.h"
#include <cstdlib>
#include <oneapi/dnnl/dnnl.h>

extern "C" void omp_set_num_threads(int);

using namespace ps::runtime;

namespace {
struct Shape {
  const char *what;
  bool transposeA, transposeB;
  int64_t m, n, k;
};

/// The products of a 784-512-256-10 step at batch 512, then shapes of other
/// models.
constexpr Shape kShapes[] = {
    {"fwd 784-512", false, false, 512, 512, 784},
    {"fwd 512-256", false, false, 512, 256, 512},
    {"fwd 256-10", false, false, 512, 10, 256},
    {"dW 256-10", true, false, 256, 10, 512},
    {"dX 256-10", false, true, 512, 256, 10},
    {"dW 512-256", true, false, 512, 256, 512},
    {"dX 512-256", false, true, 512, 512, 256},
    {"dW 784-512", true, false, 784, 512, 512},
    {"fwd 128, 64x64", false, false, 128, 64, 64},
    {"fwd 4096, 512-1", false, false, 4096, 1, 512},
    {"dW 4096, 512-1", true, false, 512, 1, 4096},
    {"dX 4096, 512-1", false, true, 4096, 512, 1},
};

double nodeSeconds(const GemmCall &call, int threads) {
  Executor::Options options;
  options.threads = threads;
  auto executor = *Executor::create(options);
  Program program;
  program.addNode(makeGemmNode("gemm", call), {});
  return ps::bench::medianSeconds(41, [&] {
    if (!executor->run(program, 0).ok())
      std::abort();
  });
}

double librarySeconds(const GemmCall &call) {
  return ps::bench::medianSeconds(41, [&] {
    dnnl_sgemm(call.transposeA ? 'T' : 'N', call.transposeB ? 'T' : 'N', call.m,
               call.n, call.k, 1.0f, call.a, call.transposeA ? call.m : call.k,
               call.b, call.transposeB ? call.k : call.n, 0.0f, call.c, call.n);
  });
}
} // namespace

int main() {
  omp_set_num_threads(1);
  for (const Shape &shape : kShapes) {
    std::vector<float> a(shape.m * shape.k, 0.5f), b(shape.k * shape.n, 0.25f),
        c(shape.m * shape.n);
    GemmCall call;
    call.transposeA = shape.transposeA;
    call.transposeB = shape.transposeB;
    call.m = shape.m;
    call.n = shape.n;
    call.k = shape.k;
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
    const double library = librarySeconds(call);
    const std::string what = std::string("gemm ") + shape.what;
    ps::bench::row(what + ", library 1T",
                   2e-9 * shape.m * shape.n * shape.k / library, "GFLOP/s");
    for (int threads : {1, 2}) {
      ps::bench::row(what + ", node " + std::to_string(threads) + "T",
                     library / nodeSeconds(call, threads), "x library");
    }
  }
}
