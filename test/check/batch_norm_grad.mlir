// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32: (6, 3)
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 0.0], [1.0, 2.0, 3.0], [4.0, 0.0, 1.0], [2.0, 3.0, 4.0], [0.0, 1.0, 2.0]]> : tensor<6x3xf32>
  %1 = stablehlo.constant dense<[2.0, 1.5, 1.0]> : tensor<3xf32>
  %2 = stablehlo.constant dense<[0.5, 0.75, 1.0]> : tensor<3xf32>
  %3 = stablehlo.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %4 = stablehlo.constant dense<[[0.0, 3.0, 1.0], [4.0, 2.0, 0.0], [3.0, 1.0, 4.0], [2.0, 0.0, 3.0], [1.0, 4.0, 2.0], [0.0, 3.0, 1.0]]> : tensor<6x3xf32>
  %5:3 = "stablehlo.batch_norm_grad"(%0, %1, %2, %3, %4) <{epsilon = 0.0010000000474974513 : f32, feature_index = 1 : i64}> : (tensor<6x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<6x3xf32>) -> (tensor<6x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %6 = stablehlo.constant dense<[[-1.1788055896759033, 0.5021638870239258, -0.7498229742050171], [-2.589132785797119, -2.996561288833618, -0.5833437442779541], [0.7075188755989075, -2.107213020324707, 0.4167811870574951], [-7.772109031677246, -1.217864751815796, 0.5832604169845581], [-4.475457191467285, -0.38718435168266296, -0.9163022041320801], [-1.1788055896759033, 0.5021638870239258, -0.7498229742050171]]> : tensor<6x3xf32>
  check.expect_close %5#0, %6, max_ulp_difference = 256 : tensor<6x3xf32>, tensor<6x3xf32>
  %7 = stablehlo.constant dense<[14.138601303100586, 10.534886360168457, 7.999000072479248]> : tensor<3xf32>
  check.expect_close %5#1, %7, max_ulp_difference = 256 : tensor<3xf32>, tensor<3xf32>
  %8 = stablehlo.constant dense<[10.0, 13.0, 11.0]> : tensor<3xf32>
  check.expect_close %5#2, %8, max_ulp_difference = 256 : tensor<3xf32>, tensor<3xf32>

  // f64: (3, 2, 4)
  %9 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0]], [[3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]], [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0]]]> : tensor<3x2x4xf64>
  %10 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf64>
  %11 = stablehlo.constant dense<[0.5, 0.75]> : tensor<2xf64>
  %12 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %13 = stablehlo.constant dense<[[[0.0, 3.0, 1.0, 4.0], [2.0, 0.0, 3.0, 1.0]], [[4.0, 2.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0]], [[3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0]]]> : tensor<3x2x4xf64>
  %14:3 = "stablehlo.batch_norm_grad"(%9, %10, %11, %12, %13) <{epsilon = 0.0010000000474974513 : f32, feature_index = 1 : i64}> : (tensor<3x2x4xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<3x2x4xf64>) -> (tensor<3x2x4xf64>, tensor<2xf64>, tensor<2xf64>)
  %15 = stablehlo.constant dense<[[[-1.6649893062578058, -0.4558009059817307, -6.315913213170777, -5.1067248128947025], [-2.616241524975791, -0.8615892057950119, 0.8644504701214442, -1.7389153653854015]], [[-5.1067248128947025, -10.96683712008375, -1.6649893062578058, -0.4558009059817307], [-1.7389153653854015, -0.01287568946894546, -2.616241524975791, -0.8615892057950119]], [[-0.4558009059817307, -6.315913213170777, -5.1067248128947025, -10.96683712008375], [-0.8615892057950119, 0.8644504701214442, -1.7389153653854015, -0.01287568946894546]]]> : tensor<3x2x4xf64>
  check.expect_close %14#0, %15, max_ulp_difference = 256 : tensor<3x2x4xf64>, tensor<3x2x4xf64>
  %16 = stablehlo.constant dense<[36.40689864344538, 20.92545997187929]> : tensor<2xf64>
  check.expect_close %14#1, %16, max_ulp_difference = 256 : tensor<2xf64>, tensor<2xf64>
  %17 = stablehlo.constant dense<[27.0, 21.0]> : tensor<2xf64>
  check.expect_close %14#2, %17, max_ulp_difference = 256 : tensor<2xf64>, tensor<2xf64>

  // f64: (2, 5)
  %18 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0, 4.0]]> : tensor<2x5xf64>
  %19 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf64>
  %20 = stablehlo.constant dense<[0.5, 0.75]> : tensor<2xf64>
  %21 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %22 = stablehlo.constant dense<[[0.0, 3.0, 1.0, 4.0, 2.0], [0.0, 3.0, 1.0, 4.0, 2.0]]> : tensor<2x5xf64>
  %23:3 = "stablehlo.batch_norm_grad"(%18, %19, %20, %21, %22) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x5xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x5xf64>) -> (tensor<2x5xf64>, tensor<2xf64>, tensor<2xf64>)
  %24 = stablehlo.constant dense<[[-1.517893276880822, 0.25298221281347033, -4.3006976178289955, -2.5298221281347035, -7.08350195877717], [-1.0022296571715914, 0.6013377943029549, -1.8040133829088647, -0.2004459314343183, -2.605797108646138]]> : tensor<2x5xf64>
  check.expect_close %23#0, %24, max_ulp_difference = 256 : tensor<2x5xf64>, tensor<2x5xf64>
  %25 = stablehlo.constant dense<[12.649110640673518, 9.354143466934854]> : tensor<2xf64>
  check.expect_close %23#1, %25, max_ulp_difference = 256 : tensor<2xf64>, tensor<2xf64>
  %26 = stablehlo.constant dense<[10.0, 10.0]> : tensor<2xf64>
  check.expect_close %23#2, %26, max_ulp_difference = 256 : tensor<2xf64>, tensor<2xf64>

  // f32: (4,)
  %27 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %28 = stablehlo.constant dense<[2.0, 1.5, 1.0, 0.5]> : tensor<4xf32>
  %29 = stablehlo.constant dense<[0.5, 0.75, 1.0, 1.25]> : tensor<4xf32>
  %30 = stablehlo.constant dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xf32>
  %31 = stablehlo.constant dense<[0.0, 3.0, 1.0, 4.0]> : tensor<4xf32>
  %32:3 = "stablehlo.batch_norm_grad"(%27, %28, %29, %30, %31) <{epsilon = 1.0 : f32, feature_index = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %33 = stablehlo.constant dense<[0.0, -0.03515625, -0.08944272249937057, -0.41675347089767456]> : tensor<4xf32>
  check.expect_close %32#0, %33, max_ulp_difference = 256 : tensor<4xf32>, tensor<4xf32>
  %34 = stablehlo.constant dense<[0.0, 0.375, 0.4472135901451111, 2.8577380180358887]> : tensor<4xf32>
  check.expect_close %32#1, %34, max_ulp_difference = 256 : tensor<4xf32>, tensor<4xf32>
  %35 = stablehlo.constant dense<[0.0, 3.0, 1.0, 4.0]> : tensor<4xf32>
  check.expect_close %32#2, %35, max_ulp_difference = 256 : tensor<4xf32>, tensor<4xf32>

  // f32: (2, 3, 3, 2)
  %36 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 0.0]], [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]], [[2.0, 3.0], [4.0, 0.0], [1.0, 2.0]]], [[[3.0, 4.0], [0.0, 1.0], [2.0, 3.0]], [[4.0, 0.0], [1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [2.0, 3.0], [4.0, 0.0]]]]> : tensor<2x3x3x2xf32>
  %37 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf32>
  %38 = stablehlo.constant dense<[0.5, 0.75]> : tensor<2xf32>
  %39 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %40 = stablehlo.constant dense<[[[[0.0, 3.0], [1.0, 4.0], [2.0, 0.0]], [[3.0, 1.0], [4.0, 2.0], [0.0, 3.0]], [[1.0, 4.0], [2.0, 0.0], [3.0, 1.0]]], [[[4.0, 2.0], [0.0, 3.0], [1.0, 4.0]], [[2.0, 0.0], [3.0, 1.0], [4.0, 2.0]], [[0.0, 3.0], [1.0, 4.0], [2.0, 0.0]]]]> : tensor<2x3x3x2xf32>
  %41:3 = "stablehlo.batch_norm_grad"(%36, %37, %38, %39, %40) <{epsilon = 9.999999747378752e-06 : f32, feature_index = 3 : i64}> : (tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x3x3x2xf32>) -> (tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %42 = stablehlo.constant dense<[[[[-1.24726140499115, 0.5683290362358093], [-5.214879512786865, -0.5623067021369934], [-9.182497024536133, -1.031412959098816]], [[0.3044547140598297, -2.162048816680908], [-3.663163185119629, -3.292684555053711], [-1.24726140499115, 0.5683290362358093]], [[-5.214879512786865, -0.5623067021369934], [-9.182497024536133, -1.031412959098816], [0.3044547140598297, -2.162048816680908]]], [[[-3.663163185119629, -3.292684555053711], [-1.24726140499115, 0.5683290362358093], [-5.214879512786865, -0.5623067021369934]], [[-9.182497024536133, -1.031412959098816], [0.3044547140598297, -2.162048816680908], [-3.663163185119629, -3.292684555053711]], [[-1.24726140499115, 0.5683290362358093], [-5.214879512786865, -0.5623067021369934], [-9.182497024536133, -1.031412959098816]]]]> : tensor<2x3x3x2xf32>
  check.expect_close %41#0, %42, max_ulp_difference = 256 : tensor<2x3x3x2xf32>, tensor<2x3x3x2xf32>
  %43 = stablehlo.constant dense<[48.43669509887695, 35.93999481201172]> : tensor<2xf32>
  check.expect_close %41#1, %43, max_ulp_difference = 256 : tensor<2xf32>, tensor<2xf32>
  %44 = stablehlo.constant dense<[33.0, 37.0]> : tensor<2xf32>
  check.expect_close %41#2, %44, max_ulp_difference = 256 : tensor<2xf32>, tensor<2xf32>
  return
}
