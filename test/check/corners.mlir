// RUN: ps-run %s --entry=main
// Programs that random ones have found.

module {
  ps.variable @before : tensor<2x2xf32> init(#ps.constant<1.0>)
  ps.variable @twice : tensor<8x8xf32> init(#ps.constant<-2.0>)

  func.func @main() {
    // The product is assigned to what an op that follows it still reads.
    %before = ps.read @before : tensor<2x2xf32>
    %ones = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %product = stablehlo.dot_general %ones, %ones, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %change = stablehlo.subtract %product, %before : tensor<2x2xf32>
    ps.assign @before, %product : tensor<2x2xf32>
    check.expect_eq_const %change, dense<[[6.0, 9.0], [14.0, 21.0]]> : tensor<2x2xf32>

    // One value is assigned twice, in another shape.
    %twice = ps.read @twice : tensor<8x8xf32>
    %flat = stablehlo.reshape %twice : (tensor<8x8xf32>) -> tensor<64xf32>
    %doubled = stablehlo.add %flat, %flat : tensor<64xf32>
    %shaped = stablehlo.reshape %doubled : (tensor<64xf32>) -> tensor<8x8xf32>
    ps.assign @twice, %shaped : tensor<8x8xf32>
    ps.assign @twice, %shaped : tensor<8x8xf32>

    // An update of nothing.
    %three = stablehlo.constant dense<1.0> : tensor<3xf32>
    %none = stablehlo.slice %three [0:0] : (tensor<3xf32>) -> tensor<0xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %updated = stablehlo.dynamic_update_slice %none, %none, %zero : (tensor<0xf32>, tensor<0xf32>, tensor<i32>) -> tensor<0xf32>
    %two = stablehlo.constant dense<2.0> : tensor<f32>
    %padded = stablehlo.pad %updated, %two, low = [1], high = [1], interior = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
    check.expect_eq_const %padded, dense<2.0> : tensor<2xf32>

    // Windows whose op has attributes.
    %truths = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
    %true = stablehlo.constant dense<true> : tensor<i1>
    %equal = "stablehlo.reduce_window"(%truths, %true) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %x = stablehlo.compare EQ, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %x : tensor<i1>
    }) : (tensor<4xi1>, tensor<i1>) -> tensor<3xi1>
    check.expect_eq_const %equal, dense<[false, false, true]> : tensor<3xi1>
    return
  }
}
