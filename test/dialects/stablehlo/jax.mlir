// RUN: ps-opt %s --verify-roundtrip | FileCheck %s
// RUN: ps-opt %s --inline --canonicalize --symbol-dce | FileCheck %s --check-prefix=INLINE

// One step of training a classifier of two layers, as JAX prints it: attributes
// of other dialects, private helpers, argument donation, softmax cross entropy
// with one-hot labels, plain gradient descent.

// CHECK: module @jit_step attributes {
// CHECK-SAME: mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32
// INLINE-NOT: call @
// INLINE: func.func public @main
// INLINE-NOT: func.func
module @jit_step attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  // CHECK: %{{.*}}: tensor<784x128xf32> {jax.buffer_donor = true, mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32}
  // CHECK-SAME: {sdy.sharding = #sdy.sharding<@mesh, [{"batch"}, {}]>}
  func.func public @main(%arg0: tensor<784x128xf32> {jax.buffer_donor = true, mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32}, %arg1: tensor<128xf32> {mhlo.sharding = "{replicated}"}, %arg2: tensor<128x10xf32>, %arg3: tensor<10xf32>, %arg4: tensor<64x784xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"batch"}, {}]>}, %arg5: tensor<64xi32>) -> (tensor<784x128xf32> {jax.result_info = "[0][0]"}, tensor<128xf32> {jax.result_info = "[0][1]"}, tensor<128x10xf32> {jax.result_info = "[0][2]"}, tensor<10xf32> {jax.result_info = "[0][3]"}, tensor<f32> {jax.result_info = "[1]"}, tensor<i32> {jax.result_info = "[2]"}) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x784xf32>, tensor<784x128xf32>) -> tensor<64x128xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<64x128xf32>
    %3 = stablehlo.add %0, %2 : tensor<64x128xf32>
    %4:2 = call @relu(%3) : (tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xi1>)
    %5 = stablehlo.dot_general %4#0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x128xf32>, tensor<128x10xf32>) -> tensor<64x10xf32>
    %6 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<64x10xf32>
    %8 = stablehlo.add %5, %7 : tensor<64x10xf32>
    %9 = call @_one_hot(%arg5) : (tensor<64xi32>) -> tensor<64x10xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%8 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<64xf32>
    %13 = stablehlo.is_finite %12 : (tensor<64xf32>) -> tensor<64xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_1) : (tensor<64xi1>, tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x10xf32>
    %17 = stablehlo.subtract %8, %16 : tensor<64x10xf32>
    %18 = stablehlo.exponential %17 : tensor<64x10xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<64xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %21 = stablehlo.log %20 : tensor<64x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x10xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<64x10xf32>
    %24 = stablehlo.multiply %9, %23 : tensor<64x10xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x10xf32>, tensor<f32>) -> tensor<f32>
    %26 = stablehlo.negate %25 : tensor<f32>
    %cst_4 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %27 = stablehlo.divide %26, %cst_4 : tensor<f32>
    %28 = stablehlo.exponential %23 : tensor<64x10xf32>
    %29 = stablehlo.subtract %28, %9 : tensor<64x10xf32>
    %cst_5 = stablehlo.constant dense<1.562500e-02> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64x10xf32>
    %31 = stablehlo.multiply %29, %30 : tensor<64x10xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<64x10xf32>, tensor<f32>) -> tensor<10xf32>
    %33 = stablehlo.dot_general %31, %4#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x10xf32>, tensor<64x128xf32>) -> tensor<10x128xf32>
    %34 = stablehlo.transpose %33, dims = [1, 0] : (tensor<10x128xf32>) -> tensor<128x10xf32>
    %35 = stablehlo.dot_general %31, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x10xf32>, tensor<128x10xf32>) -> tensor<64x128xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %37 = call @_where_0(%4#1, %35, %36) : (tensor<64x128xi1>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %39 = stablehlo.dot_general %37, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x128xf32>, tensor<64x784xf32>) -> tensor<128x784xf32>
    %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<128x784xf32>) -> tensor<784x128xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<784x128xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<784x128xf32>
    %43 = stablehlo.subtract %arg0, %42 : tensor<784x128xf32>
    %44 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %45 = stablehlo.multiply %44, %38 : tensor<128xf32>
    %46 = stablehlo.subtract %arg1, %45 : tensor<128xf32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<128x10xf32>
    %48 = stablehlo.multiply %47, %34 : tensor<128x10xf32>
    %49 = stablehlo.subtract %arg2, %48 : tensor<128x10xf32>
    %50 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %51 = stablehlo.multiply %50, %32 : tensor<10xf32>
    %52 = stablehlo.subtract %arg3, %51 : tensor<10xf32>
    %53 = call @argmax(%8) : (tensor<64x10xf32>) -> tensor<64xi32>
    %54 = stablehlo.compare  EQ, %53, %arg5,  SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %55 = stablehlo.convert %54 : (tensor<64xi1>) -> tensor<64xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.reduce(%55 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<64xi32>, tensor<i32>) -> tensor<i32>
    return %43, %46, %49, %52, %27, %56 : tensor<784x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>, tensor<i32>
  }
  func.func private @relu(%arg0: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x128xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %3 = stablehlo.compare  GT, %arg0, %2,  FLOAT : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xi1>
    return %1, %3 : tensor<64x128xf32>, tensor<64x128xi1>
  }
  func.func private @_one_hot(%arg0: tensor<64xi32>) -> tensor<64x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x10xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<64x1xi32>) -> tensor<64x10xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<64x10xi32>
    %4 = stablehlo.compare  EQ, %2, %3,  SIGNED : (tensor<64x10xi32>, tensor<64x10xi32>) -> tensor<64x10xi1>
    %5 = stablehlo.convert %4 : (tensor<64x10xi1>) -> tensor<64x10xf32>
    return %5 : tensor<64x10xf32>
  }
  func.func private @_where(%arg0: tensor<64xi1>, %arg1: tensor<64xf32>, %arg2: tensor<f32>) -> tensor<64xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64xi1>, tensor<64xf32>
    return %2 : tensor<64xf32>
  }
  func.func private @_where_0(%arg0: tensor<64x128xi1>, %arg1: tensor<64x128xf32>, %arg2: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<64x128xi1>, tensor<64x128xf32>
    return %0 : tensor<64x128xf32>
  }
  // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) (%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>) {
  func.func private @argmax(%arg0: tensor<64x10xf32>) -> tensor<64xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<64x10xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<64x10xf32>, tensor<64x10xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare  GT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<64xi32>
  }
}
