// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32: (6, 3)
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 0.0], [1.0, 2.0, 3.0], [4.0, 0.0, 1.0], [2.0, 3.0, 4.0], [0.0, 1.0, 2.0]]> : tensor<6x3xf32>
  %1 = stablehlo.constant dense<[2.0, 1.5, 1.0]> : tensor<3xf32>
  %2 = stablehlo.constant dense<[7.0, 7.75, 8.5]> : tensor<3xf32>
  %3:3 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 0.0010000000474974513 : f32, feature_index = 1 : i64}> : (tensor<6x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<6x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %4 = stablehlo.constant dense<[[4.764434814453125, 6.8199968338012695, 8.5], [8.7884521484375, 10.168007850646973, 6.951271057128906], [6.10577392578125, 7.936000823974609, 9.274364471435547], [10.129791259765625, 5.703993320465088, 7.725635528564453], [7.447113037109375, 9.052003860473633, 10.048728942871094], [4.764434814453125, 6.8199968338012695, 8.5]]> : tensor<6x3xf32>
  check.expect_close %3#0, %4, max_ulp_difference = 64 : tensor<6x3xf32>, tensor<6x3xf32>
  %5 = stablehlo.constant dense<[1.6666666269302368, 1.8333333730697632, 2.0]> : tensor<3xf32>
  check.expect_close %3#1, %5, max_ulp_difference = 64 : tensor<3xf32>, tensor<3xf32>
  %6 = stablehlo.constant dense<[2.222222328186035, 1.8055555820465088, 1.6666666269302368]> : tensor<3xf32>
  check.expect_close %3#2, %6, max_ulp_difference = 64 : tensor<3xf32>, tensor<3xf32>

  // f64: (3, 2, 4)
  %7 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0]], [[3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]], [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0]]]> : tensor<3x2x4xf64>
  %8 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf64>
  %9 = stablehlo.constant dense<[7.0, 7.75]> : tensor<2xf64>
  %10:3 = "stablehlo.batch_norm_training"(%7, %8, %9) <{epsilon = 0.0010000000474974513 : f32, feature_index = 1 : i64}> : (tensor<3x2x4xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<3x2x4xf64>, tensor<2xf64>, tensor<2xf64>)
  %11 = stablehlo.constant dense<[[[4.04660957684278, 5.52330478842139, 7.0, 8.47669521157861], [10.063637751733758, 5.792306517763744, 6.860139326256247, 7.92797213474875]], [[8.47669521157861, 9.95339042315722, 4.04660957684278, 5.52330478842139], [7.92797213474875, 8.995804943241254, 10.063637751733758, 5.792306517763744]], [[5.52330478842139, 7.0, 8.47669521157861, 9.95339042315722], [5.792306517763744, 6.860139326256247, 7.92797213474875, 8.995804943241254]]]> : tensor<3x2x4xf64>
  check.expect_close %10#0, %11, max_ulp_difference = 64 : tensor<3x2x4xf64>, tensor<3x2x4xf64>
  %12 = stablehlo.constant dense<[2.0, 1.8333333333333333]> : tensor<2xf64>
  check.expect_close %10#1, %12, max_ulp_difference = 64 : tensor<2xf64>, tensor<2xf64>
  %13 = stablehlo.constant dense<[1.8333333333333333, 1.9722222222222223]> : tensor<2xf64>
  check.expect_close %10#2, %13, max_ulp_difference = 64 : tensor<2xf64>, tensor<2xf64>

  // f64: (2, 5)
  %14 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0, 4.0]]> : tensor<2x5xf64>
  %15 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf64>
  %16 = stablehlo.constant dense<[7.0, 7.75]> : tensor<2xf64>
  %17:3 = "stablehlo.batch_norm_training"(%14, %15, %16) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x5xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x5xf64>, tensor<2xf64>, tensor<2xf64>)
  %18 = stablehlo.constant dense<[[4.470177871865297, 5.735088935932648, 7.0, 8.264911064067352, 9.529822128134704], [5.852633403898972, 6.801316701949486, 7.75, 8.698683298050513, 9.647366596101028]]> : tensor<2x5xf64>
  check.expect_close %17#0, %18, max_ulp_difference = 64 : tensor<2x5xf64>, tensor<2x5xf64>
  %19 = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf64>
  check.expect_close %17#1, %19, max_ulp_difference = 64 : tensor<2xf64>, tensor<2xf64>
  %20 = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf64>
  check.expect_close %17#2, %20, max_ulp_difference = 64 : tensor<2xf64>, tensor<2xf64>

  // f32: (4,)
  %21 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %22 = stablehlo.constant dense<[2.0, 1.5, 1.0, 0.5]> : tensor<4xf32>
  %23 = stablehlo.constant dense<[7.0, 7.75, 8.5, 9.25]> : tensor<4xf32>
  %24:3 = "stablehlo.batch_norm_training"(%21, %22, %23) <{epsilon = 1.0 : f32, feature_index = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %25 = stablehlo.constant dense<[7.0, 7.75, 8.5, 9.25]> : tensor<4xf32>
  check.expect_close %24#0, %25, max_ulp_difference = 64 : tensor<4xf32>, tensor<4xf32>
  %26 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  check.expect_close %24#1, %26, max_ulp_difference = 64 : tensor<4xf32>, tensor<4xf32>
  %27 = stablehlo.constant dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>
  check.expect_close %24#2, %27, max_ulp_difference = 64 : tensor<4xf32>, tensor<4xf32>

  // f32: (2, 3, 3, 2)
  %28 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 0.0]], [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]], [[2.0, 3.0], [4.0, 0.0], [1.0, 2.0]]], [[[3.0, 4.0], [0.0, 1.0], [2.0, 3.0]], [[4.0, 0.0], [1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [2.0, 3.0], [4.0, 0.0]]]]> : tensor<2x3x3x2xf32>
  %29 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf32>
  %30 = stablehlo.constant dense<[7.0, 7.75]> : tensor<2xf32>
  %31:3 = "stablehlo.batch_norm_training"(%28, %29, %30) <{epsilon = 9.999999747378752e-06 : f32, feature_index = 3 : i64}> : (tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %32 = stablehlo.constant dense<[[[[4.247017860412598, 6.804269790649414], [7.0, 8.932162284851074], [9.752982139587402, 5.740323543548584]], [[5.623508930206299, 7.868216037750244], [8.37649154663086, 9.996109008789062], [4.247017860412598, 6.804269790649414]], [[7.0, 8.932162284851074], [9.752982139587402, 5.740323543548584], [5.623508930206299, 7.868216037750244]]], [[[8.37649154663086, 9.996109008789062], [4.247017860412598, 6.804269790649414], [7.0, 8.932162284851074]], [[9.752982139587402, 5.740323543548584], [5.623508930206299, 7.868216037750244], [8.37649154663086, 9.996109008789062]], [[4.247017860412598, 6.804269790649414], [7.0, 8.932162284851074], [9.752982139587402, 5.740323543548584]]]]> : tensor<2x3x3x2xf32>
  check.expect_close %31#0, %32, max_ulp_difference = 64 : tensor<2x3x3x2xf32>, tensor<2x3x3x2xf32>
  %33 = stablehlo.constant dense<[2.0, 1.8888888359069824]> : tensor<2xf32>
  check.expect_close %31#1, %33, max_ulp_difference = 64 : tensor<2xf32>, tensor<2xf32>
  %34 = stablehlo.constant dense<[2.1111111640930176, 1.9876543283462524]> : tensor<2xf32>
  check.expect_close %31#2, %34, max_ulp_difference = 64 : tensor<2xf32>, tensor<2xf32>
  return
}
