// Nothing here needs libdevice.
// RUN: env CUDA_HOME=%t ps-opt %s --ps-compile-gpu-kernels=chip=sm_90 | FileCheck %s
// RUN: not ps-opt %s --ps-compile-gpu-kernels=chip=sm_5 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: LLVM knows no GPU 'sm_5'; expected one such as sm_80 or sm_90

// CHECK: gpu.binary @softmax
// CHECK-SAME: exec.launches = [
// CHECK-SAME: {grid = #exec.grid<points = 1, perRow = true, pointsPerBlock = 8>, name = "softmax_0", threads = 256 : i64}]
// CHECK-SAME: .target sm_90
// CHECK-SAME: .entry softmax_0
// CHECK-SAME: ld.global.v4.f32
// CHECK-SAME: shfl.sync.down.b32
// CHECK-SAME: shfl.sync.idx.b32
// CHECK-NOT: .local
// CHECK-SAME: st.global.v4.f32
func.func @softmax(%x: tensor<?x200xf32>) -> tensor<?x200xf32> attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x200xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<?xf32>) -> tensor<?x200xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x200xf32>
  %e = stablehlo.exponential %d : tensor<?x200xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x200xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<?xf32>) -> tensor<?x200xf32>
  %y = stablehlo.divide %e, %sb : tensor<?x200xf32>
  return %y : tensor<?x200xf32>
}

// Neighboring elements are loaded and stored as vectors, where every row of a
// broadcast begins at one.

// CHECK: gpu.binary @add_bias
// CHECK-SAME: ld.global.v4.f32
// CHECK-SAME: st.global.v4.f32
func.func @add_bias(%x: tensor<?x12xf32>, %b: tensor<12xf32>) -> tensor<?x12xf32> attributes {exec.kernel} {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<12xf32>) -> tensor<?x12xf32>
  %1 = stablehlo.add %x, %0 : tensor<?x12xf32>
  return %1 : tensor<?x12xf32>
}

// Exact instructions, as on the host.

// CHECK: gpu.binary @exact
// CHECK-NOT: .approx
// CHECK-SAME: sqrt.rn.f32
// CHECK-NOT: .approx
func.func @exact(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %0 = stablehlo.abs %x : tensor<?xf32>
  %1 = stablehlo.sqrt %0 : tensor<?xf32>
  %2 = stablehlo.floor %1 : tensor<?xf32>
  %3 = stablehlo.ceil %y : tensor<?xf32>
  %4 = stablehlo.round_nearest_even %3 : tensor<?xf32>
  %5 = stablehlo.rsqrt %4 : tensor<?xf32>
  %6 = stablehlo.tanh %2 : tensor<?xf32>
  %7 = stablehlo.divide %6, %5 : tensor<?xf32>
  return %7 : tensor<?xf32>
}

// What is loaded as a vector is so aligned, also behind a few bytes.

// CHECK: gpu.binary @any_and_sum
// CHECK-SAME: .shared .align 1 .b8 [[BYTES:__wg_[a-z_0-9]+]][8];
// CHECK-SAME: .shared .align 16 .b8 [[SUMS:__wg_[a-z_0-9]+]][32];
// CHECK-SAME: ld.shared.v4.f32 {{[^;]*}}[[[SUMS]]];
func.func @any_and_sum(%m: tensor<?x2048xi1>, %x: tensor<?x2048xf32>) -> (tensor<?xi1>, tensor<?xf32>) attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.reduce(%m init: %false) applies stablehlo.or across dimensions = [1] : (tensor<?x2048xi1>, tensor<i1>) -> tensor<?xi1>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x2048xf32>, tensor<f32>) -> tensor<?xf32>
  return %a, %s : tensor<?xi1>, tensor<?xf32>
}
