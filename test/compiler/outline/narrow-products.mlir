// RUN: ps-opt %s --split-input-file --ps-outline-kernels="device bf16-products" | FileCheck %s
// RUN: ps-opt %s --split-input-file --ps-outline-kernels=device | FileCheck %s --check-prefix=F32
// RUN: ps-opt %s --split-input-file --ps-outline-kernels | FileCheck %s --check-prefix=HOST

// Every value is rounded once, in the kernel that computes it. Feeds and
// variables have a kernel for that. What nothing needs in f32 is in no memory:
// after the first product come what others multiply, and a mask.

// CHECK-LABEL: func.func @layers
// CHECK-DAG: %[[X:.*]] = exec.call @[[ROUND:.*]](%arg0) : (tensor<8x4xf32>) -> tensor<8x4xbf16>
// CHECK-DAG: %[[W:.*]] = exec.call @{{.*}}(%arg1) : (tensor<4x6xf32>) -> tensor<4x6xbf16>
// CHECK-DAG: %[[V:.*]] = exec.call @{{.*}}(%arg2) : (tensor<6x3xf32>) -> tensor<6x3xbf16>
// CHECK: %[[Z:.*]] = stablehlo.dot_general %[[X]], %[[W]], contracting_dims = [1] x [0] : (tensor<8x4xbf16>, tensor<4x6xbf16>) -> tensor<8x6xf32>
// CHECK: %[[H:.*]]:2 = exec.call @{{.*}}(%arg4, %[[Z]]) : (tensor<6xf32>, tensor<8x6xf32>) -> (tensor<8x6xbf16>, tensor<8x6xi1>)
// CHECK: %[[P:.*]] = stablehlo.dot_general %[[H]]#0, %[[V]], {{.*}} -> tensor<8x3xf32>
// CHECK: %[[E:.*]]:2 = exec.call @{{.*}}(%[[P]], %arg3) {{.*}} -> (tensor<8x3xf32>, tensor<8x3xbf16>)
// CHECK: stablehlo.dot_general %[[H]]#0, %[[E]]#1, contracting_dims = [0] x [0] {{.*}} -> tensor<6x3xf32>
// CHECK: exec.call @{{.*}}(%[[E]]#0) : (tensor<8x3xf32>) -> tensor<3xf32>
// CHECK: %[[DH:.*]] = stablehlo.dot_general %[[E]]#1, %[[V]], contracting_dims = [1] x [1] {{.*}} -> tensor<8x6xf32>
// CHECK: %[[DZ:.*]] = exec.call @{{.*}}(%[[H]]#1, %[[DH]]) : (tensor<8x6xi1>, tensor<8x6xf32>) -> tensor<8x6xbf16>
// CHECK: stablehlo.dot_general %[[X]], %[[DZ]], contracting_dims = [0] x [0] {{.*}} -> tensor<4x6xf32>
// CHECK: func.func private @[[ROUND]](%arg0: tensor<?x4xf32>) -> tensor<?x4xbf16>
// CHECK-NEXT: stablehlo.convert %arg0 : (tensor<?x4xf32>) -> tensor<?x4xbf16>

// F32-LABEL: func.func @layers
// F32-NOT: bf16
// HOST-LABEL: func.func @layers
// HOST-NOT: bf16
func.func @layers(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x3xf32>, %y: tensor<8x3xf32>, %b: tensor<6xf32>)
    -> (tensor<4x6xf32>, tensor<6x3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8x6xf32>
  %xw = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
  %z = stablehlo.add %bias, %xw : tensor<8x6xf32>
  %h = stablehlo.maximum %z, %zeros : tensor<8x6xf32>
  %p = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x3xf32>) -> tensor<8x3xf32>
  %e = stablehlo.subtract %p, %y : tensor<8x3xf32>
  %dv = stablehlo.dot_general %h, %e, contracting_dims = [0] x [0] : (tensor<8x6xf32>, tensor<8x3xf32>) -> tensor<6x3xf32>
  %db = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<3xf32>
  %vt = stablehlo.transpose %v, dims = [1, 0] : (tensor<6x3xf32>) -> tensor<3x6xf32>
  %dh = stablehlo.dot_general %e, %vt, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x6xf32>) -> tensor<8x6xf32>
  %above = stablehlo.compare GT, %z, %zeros : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
  %dz = stablehlo.select %above, %dh, %zeros : (tensor<8x6xi1>, tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  %dw = stablehlo.dot_general %x, %dz, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %dw, %dv, %db : tensor<4x6xf32>, tensor<6x3xf32>, tensor<3xf32>
}

// -----

// Products with a vector, and outer products of vectors, are limited by memory.

// CHECK-LABEL: func.func @of_vectors
// CHECK-NOT: bf16
// CHECK: return
func.func @of_vectors(%x: tensor<8x4xf32>, %u: tensor<4x1xf32>, %v: tensor<1x4xf32>) -> (tensor<8x1xf32>, tensor<1x8xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x1xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.dot_general %v, %x, contracting_dims = [1] x [1] : (tensor<1x4xf32>, tensor<8x4xf32>) -> tensor<1x8xf32>
  %2 = stablehlo.dot_general %u, %v, contracting_dims = [1] x [0] : (tensor<4x1xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<8x1xf32>, tensor<1x8xf32>, tensor<4x4xf32>
}

// -----

// So are products that no library has: kernels round nothing.

// CHECK-LABEL: func.func @no_library
// CHECK-NOT: bf16
func.func @no_library(%x: tensor<3x4x5xf32>, %y: tensor<4x3xf32>, %z: tensor<8x8xf64>) -> (tensor<3x5x3xf32>, tensor<8x8xf64>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x4x5xf32>, tensor<4x3xf32>) -> tensor<3x5x3xf32>
  %1 = stablehlo.dot_general %z, %z, contracting_dims = [1] x [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  return %0, %1 : tensor<3x5x3xf32>, tensor<8x8xf64>
}

// -----

// Heads of an attention: values are rounded before they are reshaped and
// transposed, so that the transpose moves bf16.

// CHECK-LABEL: func.func @heads
// CHECK: %[[T:.*]] = exec.call @[[K:.*]](%arg0) : (tensor<2x48x8xf32>) -> tensor<2x4x48x2xbf16>
// CHECK: stablehlo.dot_general %[[T]], %[[T]], {{.*}} : (tensor<2x4x48x2xbf16>, tensor<2x4x48x2xbf16>) -> tensor<2x4x48x48xf32>
// CHECK: func.func private @[[K]]
// CHECK-NEXT: stablehlo.convert
// CHECK-NEXT: stablehlo.reshape {{.*}}bf16
// CHECK-NEXT: stablehlo.transpose {{.*}}bf16
func.func @heads(%q: tensor<2x48x8xf32>) -> tensor<2x4x48x48xf32> {
  %0 = stablehlo.reshape %q : (tensor<2x48x8xf32>) -> tensor<2x48x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<2x48x4x2xf32>) -> tensor<2x4x48x2xf32>
  %2 = stablehlo.dot_general %1, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x48x2xf32>, tensor<2x4x48x2xf32>) -> tensor<2x4x48x48xf32>
  return %2 : tensor<2x4x48x48xf32>
}

// -----

// What is needed in f32 besides is transposed once.

// CHECK-LABEL: func.func @transposed_besides
// CHECK: %[[T:.*]]:2 = exec.call @{{.*}}(%arg0) : (tensor<2x4x3xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xbf16>)
// CHECK: stablehlo.reshape %[[T]]#1 : (tensor<2x3x4xbf16>) -> tensor<6x4xbf16>
// CHECK-NOT: tensor<2x4x3xbf16>
func.func @transposed_besides(%x: tensor<2x4x3xf32>) -> (tensor<2x3x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  return %0, %2 : tensor<2x3x4xf32>, tensor<4x4xf32>
}

// -----

// Also where it is reshaped for both.

// CHECK-LABEL: func.func @reshaped_besides
// CHECK: %[[T:.*]]:2 = exec.call @{{.*}}(%arg0) : (tensor<2x4x3xf32>) -> ({{.*}}, tensor<2x3x4xbf16>)
// CHECK: stablehlo.reshape %[[T]]#1 : (tensor<2x3x4xbf16>) -> tensor<6x4xbf16>
// CHECK-NOT: tensor<2x4x3xbf16>
func.func @reshaped_besides(%x: tensor<2x4x3xf32>) -> (tensor<6x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.dot_general %1, %1, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.tanh %1 : tensor<6x4xf32>
  return %3, %2 : tensor<6x4xf32>, tensor<4x4xf32>
}

// -----

// So are the padding, the patches and the reversed kernel of a convolution: what
// is rounded is what the product moves from.

// CHECK-LABEL: func.func @patches
// CHECK-DAG: %[[PATCHES:.*]] = exec.call @{{.*}}(%arg0, %arg1) : (tensor<4x6x2xf32>, tensor<4x6x3x1xi32>) -> tensor<4x6x3x2xbf16>
// CHECK-DAG: %[[W:.*]] = exec.call @[[ROUND:.*]](%arg2) : (tensor<3x2x5xf32>) -> tensor<3x2x5xbf16>
// CHECK-DAG: %[[REVERSED:.*]] = exec.call @{{.*}}(%[[W]]) : (tensor<3x2x5xbf16>) -> tensor<3x2x5xbf16>
// CHECK: stablehlo.dot_general %[[PATCHES]], %[[REVERSED]]
// CHECK: stablehlo.convert %arg0 : (tensor<?x6x2xf32>) -> tensor<?x6x2xbf16>
// CHECK: stablehlo.pad {{.*}} : (tensor<?x6x2xbf16>, tensor<bf16>) -> tensor<?x8x2xbf16>
// CHECK: "stablehlo.gather"{{.*}} : (tensor<?x8x2xbf16>, tensor<?x6x3x1xi32>) -> tensor<?x6x3x2xbf16>
func.func @patches(%x: tensor<4x6x2xf32>, %i: tensor<4x6x3x1xi32>, %w: tensor<3x2x5xf32>) -> tensor<4x6x5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x6x2xf32>, tensor<f32>) -> tensor<4x8x2xf32>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 2>}> : (tensor<4x8x2xf32>, tensor<4x6x3x1xi32>) -> tensor<4x6x3x2xf32>
  %2 = stablehlo.reverse %w, dims = [0] : tensor<3x2x5xf32>
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [2, 3] x [0, 1] : (tensor<4x6x3x2xf32>, tensor<3x2x5xf32>) -> tensor<4x6x5xf32>
  return %3 : tensor<4x6x5xf32>
}

// -----

// Of a large table, the rows that are multiplied are rounded.

// CHECK-LABEL: func.func @few_rows
// CHECK: exec.call @[[ROWS:.*]](%arg0, %arg1) : (tensor<90x4xf32>, tensor<8x1xi32>) -> tensor<8x4xbf16>
// CHECK: func.func private @[[ROWS]]
// CHECK: "stablehlo.gather"{{.*}} -> tensor<?x4xf32>
// CHECK: stablehlo.convert
func.func @few_rows(%t: tensor<90x4xf32>, %i: tensor<8x1xi32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<90x4xf32>, tensor<8x1xi32>) -> tensor<8x4xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// -----

// What a pad cuts off is not rounded.

// CHECK-LABEL: func.func @cut
// CHECK-NOT: tensor<1000x8xbf16>
func.func @cut(%x: tensor<1000x8xf32>, %w: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [-5, 0], high = [-987, 0], interior = [0, 0] : (tensor<1000x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// A splat is rounded at compile time.

// CHECK-LABEL: func.func @splat
// CHECK: stablehlo.constant dense<1.000980e-01> : tensor<4x6xbf16>
// CHECK: stablehlo.dot_general
// CHECK-SAME: (tensor<8x4xbf16>, tensor<4x6xbf16>) -> tensor<8x6xf32>
func.func @splat(%x: tensor<8x4xf32>) -> tensor<8x6xf32> {
  %w = stablehlo.constant dense<0.1> : tensor<4x6xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A device also multiplies what the graph has in bf16; the host has a kernel.

// CHECK-LABEL: func.func @written_in_bf16
// CHECK: stablehlo.dot_general %arg0, %arg1
// F32-LABEL: func.func @written_in_bf16
// F32: stablehlo.dot_general %arg0, %arg1
// HOST-LABEL: func.func @written_in_bf16
// HOST: exec.call @{{.*}}(%arg0, %arg1)
func.func @written_in_bf16(%x: tensor<8x4xbf16>, %w: tensor<4x6xbf16>) -> tensor<8x6xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xbf16>, tensor<4x6xbf16>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
