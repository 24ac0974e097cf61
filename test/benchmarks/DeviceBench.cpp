// SPDX-License-Identifier: Apache-2.0
//===- DeviceBench.cpp - kernels and products of a device -----------------===//
//
// usage: bench-ps-cuda [DEVICE [GRAPH]]
//
// What a GPU's kernels move per second, beside a copy within its memory, what
// its products compute, and how fast it finds rows; with GRAPH,
// test/benchmarks/classifier.mlir, also a training step beside its kernels.
// Times of kernels are the device's (Device::mark). On the emulated device,
// with small sizes, it shows that the program works.
//
//===----------------------------------------------------------------------===//

#include "compiler/Registration.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "runtime/device/OpenDevice.h"
#include "test/benchmarks/DeviceTime.h"
#include "tools/ps-run/loader/DeviceKernels.h"

using namespace mlir;
using namespace ps;
using namespace ps::bench;
using namespace ps::runtime;

namespace {

/// Kernels that move much and compute little. `?` is the number of rows.
const char *const kernels = R"mlir(
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32>
    attributes {exec.kernel} {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @bias_relu(%x: tensor<?x512xf32>, %b: tensor<512xf32>)
    -> tensor<?x512xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<512xf32>) -> tensor<?x512xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x512xf32>
  %2 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x512xf32>
  %3 = stablehlo.maximum %1, %2 : tensor<?x512xf32>
  return %3 : tensor<?x512xf32>
}
func.func @momentum(%p: tensor<?xf32>, %v: tensor<?xf32>, %g: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) attributes {exec.kernel} {
  %mu = stablehlo.constant dense<0.9> : tensor<f32>
  %mub = stablehlo.broadcast_in_dim %mu, dims = [] : (tensor<f32>) -> tensor<?xf32>
  %0 = stablehlo.multiply %mub, %v : tensor<?xf32>
  %1 = stablehlo.add %0, %g : tensor<?xf32>
  %2 = stablehlo.subtract %p, %1 : tensor<?xf32>
  return %2, %1 : tensor<?xf32>, tensor<?xf32>
}
func.func @row_sum(%x: tensor<?x512xf32>) -> tensor<?xf32>
    attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x512xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @row_softmax(%x: tensor<?x512xf32>) -> tensor<?x512xf32>
    attributes {exec.kernel} {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x512xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x512xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x512xf32>
  %e = stablehlo.exponential %d : tensor<?x512xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x512xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x512xf32>
  %p = stablehlo.divide %e, %sb : tensor<?x512xf32>
  return %p : tensor<?x512xf32>
}
func.func @column_sum(%x: tensor<$ROWSx512xf32>) -> tensor<512xf32>
    attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<$ROWSx512xf32>, tensor<f32>) -> tensor<512xf32>
  return %0 : tensor<512xf32>
}
func.func @transpose(%x: tensor<$ROWSx512xf32>) -> tensor<512x$ROWSxf32>
    attributes {exec.kernel} {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<$ROWSx512xf32>) -> tensor<512x$ROWSxf32>
  return %0 : tensor<512x$ROWSxf32>
}
func.func @patches(%x: tensor<?x6x6x16xf32>) -> tensor<?x4x4x3x3x16xf32>
    attributes {exec.kernel} {
  %0 = stablehlo.iota dim = 1 : tensor<?x4x4x3x3x16x2xi32>
  %1 = stablehlo.iota dim = 3 : tensor<?x4x4x3x3x16x2xi32>
  %2 = stablehlo.add %0, %1 : tensor<?x4x4x3x3x16x2xi32>
  %3 = stablehlo.iota dim = 2 : tensor<?x4x4x3x3x16x2xi32>
  %4 = stablehlo.iota dim = 4 : tensor<?x4x4x3x3x16x2xi32>
  %5 = stablehlo.add %3, %4 : tensor<?x4x4x3x3x16x2xi32>
  %6 = stablehlo.iota dim = 6 : tensor<?x4x4x3x3x16x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<?x4x4x3x3x16x2xi32>
  %8 = stablehlo.compare EQ, %6, %7 : (tensor<?x4x4x3x3x16x2xi32>, tensor<?x4x4x3x3x16x2xi32>) -> tensor<?x4x4x3x3x16x2xi1>
  %9 = stablehlo.select %8, %2, %5 : tensor<?x4x4x3x3x16x2xi1>, tensor<?x4x4x3x3x16x2xi32>
  %10 = "stablehlo.gather"(%x, %9) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 2], operand_batching_dims = [0, 3], start_indices_batching_dims = [0, 5], start_index_map = [1, 2], index_vector_dim = 6>, slice_sizes = array<i64: 1, 1, 1, 1>}> : (tensor<?x6x6x16xf32>, tensor<?x4x4x3x3x16x2xi32>) -> tensor<?x4x4x3x3x16xf32>
  return %10 : tensor<?x4x4x3x3x16xf32>
}
)mlir";

class DeviceBench {
public:
  DeviceBench(Device &device, int64_t rows, int64_t side)
      : device(device), rows(rows), side(side), jit(check(Jit::create({}))) {}

  void run() {
    measureCopy();
    measureKernels();
    for (Precision precision :
         {Precision::F32, Precision::TF32, Precision::BF16})
      measureProduct(precision);
  }

private:
  std::byte *allocate(int64_t bytes) {
    memory.push_back(check(device.allocate(MemorySpace::Device, bytes)));
    return memory.back().data();
  }
  void measureCopy();
  void measureKernels();
  void measureKernel(func::FuncOp function, const DeviceKernel &kernel,
                     int64_t ofRows);
  void measureProduct(Precision precision);

  Device &device;
  const int64_t rows, side;
  std::unique_ptr<Jit> jit;
  std::vector<Buffer> memory;
  double copyBandwidth = 0;
};

} // namespace

/// Reads and writes, each once.
void DeviceBench::measureCopy() {
  const int64_t bytes = rows * 512 * 4;
  std::byte *from = allocate(bytes), *to = allocate(bytes);
  const runtime::TensorType type = {DType::F32, {bytes / 4}};
  const double seconds = deviceSeconds(device, [&] {
    device.copy({type, from}, {type, to},
                [](const absl::Status &status) { check(status); });
  });
  copyBandwidth = 2 * bytes / seconds;
  row("device copy", copyBandwidth / 1e9, "GB/s");
  memory.clear();
}

void DeviceBench::measureKernels() {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  std::string text = kernels;
  for (size_t at; (at = text.find("$ROWS")) != std::string::npos;)
    text.replace(at, 5, std::to_string(rows));
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    fail("the kernels cannot be parsed");
  OwningOpRef<ModuleOp> lowered = module->clone();
  auto runPasses = [&](ModuleOp passed,
                       llvm::function_ref<void(OpPassManager &)> build) {
    PassManager passes(&context);
    build(passes);
    return succeeded(passes.run(passed))
               ? absl::OkStatus()
               : absl::InternalError("the kernels cannot be compiled");
  };
  DeviceKernels loaded = check(
      loadDeviceKernels(*lowered, device, *jit, GpuTarget::Buffers, runPasses));
  for (auto function : module->getOps<func::FuncOp>()) {
    auto argument = cast<RankedTensorType>(function.getArgumentTypes().front());
    measureKernel(function, *loaded.at(function.getSymName().str()),
                  argument.getRank() == 1 ? rows * 512 : rows);
  }
}

void DeviceBench::measureKernel(func::FuncOp function,
                                const DeviceKernel &kernel, int64_t ofRows) {
  int64_t moved = 0;
  std::vector<void *> buffers;
  auto add = [&](Type type) {
    int64_t bytes = 4;
    for (int64_t size : cast<RankedTensorType>(type).getShape())
      bytes *= ShapedType::isDynamic(size) ? ofRows : size;
    buffers.push_back(allocate(bytes));
    moved += bytes;
  };
  llvm::for_each(function.getArgumentTypes(), add);
  llvm::for_each(function.getResultTypes(), add);
  const bool perRow = llvm::any_of(
      kernel.functions, [](const DeviceFunction &each) { return each.perRow; });
  for (int64_t bytes : kernel.scratchBytes)
    buffers.push_back(allocate(perRow ? bytes * ofRows : bytes));
  const double seconds = deviceSeconds(device, [&] {
    for (const DeviceFunction &each : kernel.functions)
      check(device.launch(each, buffers, ofRows));
  });
  const std::string name = function.getSymName().str();
  row(name, moved / seconds / 1e9, "GB/s");
  row(name + ", of a device copy", 100 * moved / seconds / copyBandwidth, "%",
      ">= 85 %");
  memory.clear();
}

void DeviceBench::measureProduct(Precision precision) {
  const int64_t elements = side * side;
  const int64_t bytes = elements * operandBytes(precision);
  DeviceProduct product = {.precision = precision,
                           .m = side,
                           .n = side,
                           .k = side,
                           .a = allocate(bytes),
                           .b = allocate(bytes),
                           .c = reinterpret_cast<float *>(
                               allocate(elements * int64_t(sizeof(float))))};
  const double seconds =
      deviceSeconds(device, [&] { check(device.multiply(product)); });
  const char *name = precision == Precision::F32    ? "f32"
                     : precision == Precision::TF32 ? "tf32"
                                                    : "bf16";
  row("product of " + std::to_string(side) + ", " + name,
      2.0 * side * side * side / seconds / 1e12, "TFLOP/s");
  memory.clear();
}

int main(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "cuda";
  Device &device = *check(openDevice(name));
  if (device.chip().empty())
    fail("expected a device with a queue, found '" + name + "'");
  // A quarter of a gigabyte per matrix, which no cache holds.
  const bool isEmulated = device.chip() == "host";
  DeviceBench(device, isEmulated ? 32 : 131072, isEmulated ? 64 : 4096).run();
  measureRows(device, isEmulated ? 4096 : 1 << 23, isEmulated ? 512 : 1 << 21);
  if (argc > 2)
    for (Precision precision : {Precision::F32, Precision::BF16})
      measureStep(device, argv[2], isEmulated ? 16 : 4096, precision);
  return 0;
}
