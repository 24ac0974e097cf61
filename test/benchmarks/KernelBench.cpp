// SPDX-License-Identifier: Apache-2.0
//===- KernelBench.cpp - what compiled kernels cost per element -----------===//
//
// Per element and on one thread, for buffers that fit in the cache and for
// buffers that do not; and what compiling costs.
//
//===----------------------------------------------------------------------===//

#include "test/benchmarks/Table.h"
#include "test/unit/compiler/KernelHarness.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

using namespace ps;

namespace {

/// Replaces each `$name` in `text`.
std::string substitute(std::string text, const std::string &name,
                       int64_t value) {
  for (size_t at; (at = text.find("$" + name)) != std::string::npos;)
    text.replace(at, name.size() + 1, std::to_string(value));
  return text;
}

const char *const momentum = R"mlir(
func.func @momentum(%p: tensor<?xf32>, %v: tensor<?xf32>, %g: tensor<?xf32>,
                    %lr: tensor<f32>)
    -> (tensor<?xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %mu = stablehlo.constant dense<0.9> : tensor<f32>
  %mub = stablehlo.broadcast_in_dim %mu, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %lrb = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %0 = stablehlo.multiply %mub, %v : tensor<?xf32>
  %1 = stablehlo.add %0, %g : tensor<?xf32>
  %2 = stablehlo.multiply %lrb, %1 : tensor<?xf32>
  %3 = stablehlo.subtract %p, %2 : tensor<?xf32>
  return %3, %1 : tensor<?xf32>, tensor<?xf32>
})mlir";

const char *const adam = R"mlir(
func.func @adam(%p: tensor<?xf32>, %m: tensor<?xf32>, %v: tensor<?xf32>,
                %g: tensor<?xf32>, %lr: tensor<f32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %c0 = stablehlo.constant dense<0.9> : tensor<f32>
  %c1 = stablehlo.constant dense<0.1> : tensor<f32>
  %c2 = stablehlo.constant dense<0.999> : tensor<f32>
  %c3 = stablehlo.constant dense<0.001> : tensor<f32>
  %c4 = stablehlo.constant dense<1.0e-8> : tensor<f32>
  %b0 = stablehlo.broadcast_in_dim %c0, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %b1 = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %b2 = stablehlo.broadcast_in_dim %c2, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %b3 = stablehlo.broadcast_in_dim %c3, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %b4 = stablehlo.broadcast_in_dim %c4, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %b5 = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %0 = stablehlo.multiply %b0, %m : tensor<?xf32>
  %1 = stablehlo.multiply %b1, %g : tensor<?xf32>
  %2 = stablehlo.add %0, %1 : tensor<?xf32>
  %3 = stablehlo.multiply %b2, %v : tensor<?xf32>
  %4 = stablehlo.multiply %g, %g : tensor<?xf32>
  %5 = stablehlo.multiply %b3, %4 : tensor<?xf32>
  %6 = stablehlo.add %3, %5 : tensor<?xf32>
  %7 = stablehlo.sqrt %6 : tensor<?xf32>
  %8 = stablehlo.add %7, %b4 : tensor<?xf32>
  %9 = stablehlo.divide %2, %8 : tensor<?xf32>
  %10 = stablehlo.multiply %b5, %9 : tensor<?xf32>
  %11 = stablehlo.subtract %p, %10 : tensor<?xf32>
  return %11, %2, %6 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
})mlir";

const char *const biasRelu = R"mlir(
func.func @bias_relu(%x: tensor<?x512xf32>, %b: tensor<512xf32>)
    -> tensor<?x512xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<512xf32>) -> tensor<?x512xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x512xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<?x512xf32>
  %4 = stablehlo.maximum %1, %3 : tensor<?x512xf32>
  return %4 : tensor<?x512xf32>
})mlir";

const char *const sigmoidLoss = R"mlir(
func.func @sigmoid_loss(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %0 = stablehlo.maximum %x, %z : tensor<?xf32>
  %1 = stablehlo.multiply %x, %y : tensor<?xf32>
  %2 = stablehlo.abs %x : tensor<?xf32>
  %3 = stablehlo.negate %2 : tensor<?xf32>
  %4 = stablehlo.exponential %3 : tensor<?xf32>
  %5 = stablehlo.log_plus_one %4 : tensor<?xf32>
  %6 = stablehlo.subtract %0, %1 : tensor<?xf32>
  %7 = stablehlo.add %6, %5 : tensor<?xf32>
  %8 = stablehlo.logistic %x : tensor<?xf32>
  %9 = stablehlo.subtract %8, %y : tensor<?xf32>
  return %7, %9 : tensor<?xf32>, tensor<?xf32>
})mlir";

/// Softmax cross entropy over int labels: loss per row and d loss / d x.
const char *const softmaxLoss = R"mlir(
func.func @softmax_loss(%x: tensor<?x$Cxf32>, %label: tensor<?xi32>)
    -> (tensor<?xf32>, tensor<?x$Cxf32>) attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x$Cxf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x$Cxf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x$Cxf32>
  %e = stablehlo.exponential %d : tensor<?x$Cxf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x$Cxf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x$Cxf32>
  %p = stablehlo.divide %e, %sb : tensor<?x$Cxf32>
  %i = stablehlo.iota dim = 1 : tensor<?x$Cxi32>
  %lb = stablehlo.broadcast_in_dim %label, dims = [0] : (tensor<?xi32>) -> tensor<?x$Cxi32>
  %hot = stablehlo.compare EQ, %i, %lb, SIGNED : (tensor<?x$Cxi32>, tensor<?x$Cxi32>) -> tensor<?x$Cxi1>
  %one = stablehlo.convert %hot : (tensor<?x$Cxi1>) -> tensor<?x$Cxf32>
  %dx = stablehlo.subtract %p, %one : tensor<?x$Cxf32>
  %picked = stablehlo.multiply %d, %one : tensor<?x$Cxf32>
  %q = stablehlo.reduce(%picked init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x$Cxf32>, tensor<f32>) -> tensor<?xf32>
  %l = stablehlo.log %s : tensor<?xf32>
  %loss = stablehlo.subtract %l, %q : tensor<?xf32>
  return %loss, %dx : tensor<?xf32>, tensor<?x$Cxf32>
})mlir";

const char *const columnSum = R"mlir(
func.func @column_sum(%x: tensor<$Rx$Cxf32>) -> tensor<$Cxf32>
    attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<$Rx$Cxf32>, tensor<f32>) -> tensor<$Cxf32>
  return %s : tensor<$Cxf32>
})mlir";

/// The best of several runs of at least 2 ms each.
double bestSeconds(const std::function<void()> &run) {
  int calls = std::max(1, int(2e-3 / bench::medianSeconds(3, run)));
  double best = 1e9;
  for (int repeat = 0; repeat < 20; ++repeat)
    best = std::min(best, bench::medianSeconds(1, [&] {
                            for (int call = 0; call < calls; ++call)
                              run();
                          }) / calls);
  return best;
}

double passSeconds = 0, jitSeconds = 0;

/// Runs kernel `text` on buffers of the given numbers of 4-byte elements.
void measure(test::KernelHarness &harness, const std::string &label,
             const std::string &text, int64_t rows, int64_t elements,
             const std::vector<int64_t> &sizes, const char *goal = "") {
  CompiledKernel kernel = harness.compile(text).begin()->second;
  std::vector<std::unique_ptr<float[]>> storage;
  std::vector<void *> buffers;
  for (int64_t size : sizes) {
    // All bits zero would make every label 0 and every number 0.
    storage.push_back(std::make_unique<float[]>(size));
    for (int64_t i = 0; i < size; ++i)
      storage.back()[i] = static_cast<float>(i % 17) * 0.1f - 0.8f;
    buffers.push_back(storage.back().get());
  }
  double seconds =
      bestSeconds([&] { kernel.function(buffers.data(), 0, rows); });
  bench::row(label, seconds * 1e9 / static_cast<double>(elements), "ns/elem",
             goal);
  passSeconds += harness.passSeconds;
  jitSeconds += harness.jitSeconds;
}

} // namespace

int main() {
  test::KernelHarness harness(/*threads=*/1);
  int64_t n = 65536;
  measure(harness, "momentum update, in cache", momentum, n, n,
          {n, n, n, 1, n, n}, "<= 0.13");
  measure(harness, "adam update, in cache", adam, n, n,
          {n, n, n, n, 1, n, n, n}, "<= 0.14");
  measure(harness, "bias + relu, 512 wide, in cache", biasRelu, n / 512, n,
          {n, 512, n}, "<= 0.06");
  measure(harness, "sigmoid loss and gradient, in cache", sigmoidLoss, n, n,
          {n, n, n, n}, "<= 0.80");
  int64_t m = 4 << 20;
  measure(harness, "momentum update, from memory", momentum, m, m,
          {m, m, m, 1, m, m}, "<= 0.52");
  measure(harness, "adam update, from memory", adam, m, m,
          {m, m, m, m, 1, m, m, m}, "<= 0.55");
  measure(harness, "bias + relu, 512 wide, from memory", biasRelu, m / 512, m,
          {m, 512, m}, "<= 0.24");
  measure(harness, "sigmoid loss and gradient, from memory", sigmoidLoss, m, m,
          {m, m, m, m}, "<= 0.82");
  for (auto [rows, columns] :
       {std::pair<int64_t, int64_t>(512, 10), {4096, 512}}) {
    int64_t n = rows * columns;
    std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
    measure(harness, "softmax loss and gradient, " + shape,
            substitute(softmaxLoss, "C", columns), rows, n, {n, rows, rows, n});
    measure(harness, "sum of columns, " + shape,
            substitute(substitute(columnSum, "C", columns), "R", rows), 1, n,
            {n, columns});
  }
  bench::row("lowering to the LLVM dialect, all of the above",
             passSeconds * 1e3, "ms");
  bench::row("LLVM, the 8 different ones of the above", jitSeconds * 1e3, "ms");
  return 0;
}
