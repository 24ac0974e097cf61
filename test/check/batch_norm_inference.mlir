// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32: (6, 3)
  %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 0.0], [1.0, 2.0, 3.0], [4.0, 0.0, 1.0], [2.0, 3.0, 4.0], [0.0, 1.0, 2.0]]> : tensor<6x3xf32>
  %1 = stablehlo.constant dense<[2.0, 1.5, 1.0]> : tensor<3xf32>
  %2 = stablehlo.constant dense<[7.0, 7.75, 8.5]> : tensor<3xf32>
  %3 = stablehlo.constant dense<[0.5, 0.75, 1.0]> : tensor<3xf32>
  %4 = stablehlo.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %5 = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) <{epsilon = 0.0010000000474974513 : f32, feature_index = 1 : i64}> : (tensor<6x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<6x3xf32>
  %6 = stablehlo.constant dense<[[6.293069839477539, 7.966470241546631, 8.999937057495117], [10.534650802612305, 10.56411361694336, 8.000062942504883], [7.706930160522461, 8.832351684570312, 9.49987506866455], [11.94851016998291, 7.100589275360107, 8.5], [9.120790481567383, 9.698232650756836, 9.999812126159668], [6.293069839477539, 7.966470241546631, 8.999937057495117]]> : tensor<6x3xf32>
  check.expect_close %5, %6, max_ulp_difference = 64 : tensor<6x3xf32>, tensor<6x3xf32>

  // f64: (3, 2, 4)
  %7 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 0.0, 1.0, 2.0]], [[3.0, 4.0, 0.0, 1.0], [2.0, 3.0, 4.0, 0.0]], [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0]]]> : tensor<3x2x4xf64>
  %8 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf64>
  %9 = stablehlo.constant dense<[7.0, 7.75]> : tensor<2xf64>
  %10 = stablehlo.constant dense<[0.5, 0.75]> : tensor<2xf64>
  %11 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %12 = "stablehlo.batch_norm_inference"(%7, %8, %9, %10, %11) <{epsilon = 0.0010000000474974513 : f32, feature_index = 1 : i64}> : (tensor<3x2x4xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<3x2x4xf64>
  %13 = stablehlo.constant dense<[[[6.2930699292534875, 7.7069300707465125, 9.120790212239537, 10.53465035373256], [10.564113582425145, 7.1005891732865045, 7.966470275571165, 8.832351377855826]], [[10.53465035373256, 11.948510495225586, 6.2930699292534875, 7.7069300707465125], [8.832351377855826, 9.698232480140486, 10.564113582425145, 7.1005891732865045]], [[7.7069300707465125, 9.120790212239537, 10.53465035373256, 11.948510495225586], [7.1005891732865045, 7.966470275571165, 8.832351377855826, 9.698232480140486]]]> : tensor<3x2x4xf64>
  check.expect_close %12, %13, max_ulp_difference = 64 : tensor<3x2x4xf64>, tensor<3x2x4xf64>

  // f64: (2, 5)
  %14 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0, 4.0]]> : tensor<2x5xf64>
  %15 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf64>
  %16 = stablehlo.constant dense<[7.0, 7.75]> : tensor<2xf64>
  %17 = stablehlo.constant dense<[0.5, 0.75]> : tensor<2xf64>
  %18 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %19 = "stablehlo.batch_norm_inference"(%14, %15, %16, %17, %18) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x5xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x5xf64>
  %20 = stablehlo.constant dense<[[6.367544467966324, 7.632455532033676, 8.897366596101028, 10.16227766016838, 11.42718872423573], [7.148662205697045, 7.950445931434318, 8.752229657171592, 9.554013382908865, 10.355797108646138]]> : tensor<2x5xf64>
  check.expect_close %19, %20, max_ulp_difference = 64 : tensor<2x5xf64>, tensor<2x5xf64>

  // f32: (4,)
  %21 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %22 = stablehlo.constant dense<[2.0, 1.5, 1.0, 0.5]> : tensor<4xf32>
  %23 = stablehlo.constant dense<[7.0, 7.75, 8.5, 9.25]> : tensor<4xf32>
  %24 = stablehlo.constant dense<[0.5, 0.75, 1.0, 1.25]> : tensor<4xf32>
  %25 = stablehlo.constant dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xf32>
  %26 = "stablehlo.batch_norm_inference"(%21, %22, %23, %24, %25) <{epsilon = 1.0 : f32, feature_index = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %27 = stablehlo.constant dense<[6.42264986038208, 7.9375, 8.947213172912598, 9.607216835021973]> : tensor<4xf32>
  check.expect_close %26, %27, max_ulp_difference = 64 : tensor<4xf32>, tensor<4xf32>

  // f32: (2, 3, 3, 2)
  %28 = stablehlo.constant dense<[[[[0.0, 1.0], [2.0, 3.0], [4.0, 0.0]], [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]], [[2.0, 3.0], [4.0, 0.0], [1.0, 2.0]]], [[[3.0, 4.0], [0.0, 1.0], [2.0, 3.0]], [[4.0, 0.0], [1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [2.0, 3.0], [4.0, 0.0]]]]> : tensor<2x3x3x2xf32>
  %29 = stablehlo.constant dense<[2.0, 1.5]> : tensor<2xf32>
  %30 = stablehlo.constant dense<[7.0, 7.75]> : tensor<2xf32>
  %31 = stablehlo.constant dense<[0.5, 0.75]> : tensor<2xf32>
  %32 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %33 = "stablehlo.batch_norm_inference"(%28, %29, %30, %31, %32) <{epsilon = 9.999999747378752e-06 : f32, feature_index = 3 : i64}> : (tensor<2x3x3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3x3x2xf32>
  %34 = stablehlo.constant dense<[[[[6.2928948402404785, 7.966506004333496], [9.121315002441406, 9.698554039001465], [11.949734687805176, 7.100481986999512]], [[7.7071051597595215, 8.83253002166748], [10.53552532196045, 10.56457805633545], [6.2928948402404785, 7.966506004333496]], [[9.121315002441406, 9.698554039001465], [11.949734687805176, 7.100481986999512], [7.7071051597595215, 8.83253002166748]]], [[[10.53552532196045, 10.56457805633545], [6.2928948402404785, 7.966506004333496], [9.121315002441406, 9.698554039001465]], [[11.949734687805176, 7.100481986999512], [7.7071051597595215, 8.83253002166748], [10.53552532196045, 10.56457805633545]], [[6.2928948402404785, 7.966506004333496], [9.121315002441406, 9.698554039001465], [11.949734687805176, 7.100481986999512]]]]> : tensor<2x3x3x2xf32>
  check.expect_close %33, %34, max_ulp_difference = 64 : tensor<2x3x3x2xf32>, tensor<2x3x3x2xf32>
  return
}
