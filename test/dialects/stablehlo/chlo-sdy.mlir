// RUN: ps-opt %s --verify-roundtrip | FileCheck %s

// The ops of chlo and sdy, which are printed as they were read.

// CHECK: sdy.mesh @mesh = <["x"=1, "y"=1]>
sdy.mesh @mesh = <["x"=1, "y"=1]>
// CHECK: sdy.mesh @empty = <[]>
sdy.mesh @empty = <[]>
// CHECK: sdy.mesh @device = <[]>
sdy.mesh @device = <[], device_ids=[0]>

// CHECK-LABEL: func @sharded
func.func @sharded(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x", "y"}, {}]> : tensor<4x3xf32>
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", "y"}, {}]> : tensor<4x3xf32>
  // CHECK: sdy.sharding_constraint %{{.*}} <@empty, [{}, {}]> : tensor<4x3xf32>
  %1 = sdy.sharding_constraint %0 <@empty, [{?}, {}]> : tensor<4x3xf32>
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{}, {}]> : tensor<4x3xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{}, {}], replicated={"x"}> : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}

// CHECK-LABEL: func @functions
func.func @functions(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>) {
  // CHECK: chlo.acos %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %0 = chlo.acos %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.acosh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %1 = chlo.acosh %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.asin %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %2 = chlo.asin %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.asinh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %3 = chlo.asinh %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.atan %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %4 = chlo.atan %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.atanh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %5 = chlo.atanh %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.cosh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %6 = chlo.cosh %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.digamma %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %7 = chlo.digamma %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.erf %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %8 = chlo.erf %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.erf_inv %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %9 = chlo.erf_inv %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.erfc %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %10 = chlo.erfc %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.lgamma %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %11 = chlo.lgamma %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.sinh %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %12 = chlo.sinh %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.square %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %13 = chlo.square %a : tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.next_after %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  %14 = chlo.next_after %a, %b : tensor<2x?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.zeta %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  %15 = chlo.zeta %a, %b : tensor<2x?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.polygamma %{{.*}}, %{{.*}} : tensor<2x?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  %16 = chlo.polygamma %a, %b : tensor<2x?xf32>, tensor<2x?xf32> -> tensor<2x?xf32>
  // CHECK: chlo.tan %{{.*}} : tensor<2x?xf32> -> tensor<2x?xf32>
  %17 = chlo.tan %a : tensor<2x?xf32> -> tensor<2x?xf32>
  return
}

// CHECK-LABEL: func @top
func.func @top(%a: tensor<?x8xf32>) {
  // CHECK: %{{.*}}, %{{.*}} = chlo.top_k(%{{.*}}, k = 2) : tensor<?x8xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %values, %indices = chlo.top_k(%a, k = 2) : tensor<?x8xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return
}
