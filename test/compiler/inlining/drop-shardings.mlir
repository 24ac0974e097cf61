// RUN: ps-opt %s --ps-drop-shardings | FileCheck %s

// A mesh of one device, and everything that refers to it, goes.

// CHECK-NOT: sdy.
// CHECK: func.func @test(%[[X:.*]]: tensor<4x3xf32> {ps.feed = "x"}) -> (tensor<4x3xf32> {jax.result_info = "result"})
// CHECK-NEXT: %[[Y:.*]] = stablehlo.add %[[X]], %[[X]] : tensor<4x3xf32>
// CHECK-NEXT: return %[[Y]]
// CHECK-NOT: sdy.
sdy.mesh @mesh = <["x"=1]>
sdy.mesh @empty_mesh = <[]>
func.func @test(%x: tensor<4x3xf32> {ps.feed = "x", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x3xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {}]> : tensor<4x3xf32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<4x3xf32>
  %2 = sdy.sharding_constraint %1 <@empty_mesh, [{}, {}]> : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
