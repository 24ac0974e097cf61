// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %1 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %2 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %3, dense<[[2.0, 6.0], [6.0, 9.0], [22.0, 28.0]]> : tensor<3x2xf32>

  // f64
  %4 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf64>
  %5 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %6 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf64>
  %7 = "stablehlo.scatter"(%4, %5, %6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f64>, %b0: tensor<f64>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f64>
    stablehlo.return %r0 : tensor<f64>
  }) : (tensor<3x2xf64>, tensor<4x1xi32>, tensor<4x2xf64>) -> (tensor<3x2xf64>)
  check.expect_eq_const %7, dense<[[2.0, 6.0], [6.0, 9.0], [22.0, 28.0]]> : tensor<3x2xf64>

  // bf16
  %8 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xbf16>
  %9 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %10 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xbf16>
  %11 = "stablehlo.scatter"(%8, %9, %10) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<bf16>, %b0: tensor<bf16>):
    %r0 = stablehlo.add %a0, %b0 : tensor<bf16>
    stablehlo.return %r0 : tensor<bf16>
  }) : (tensor<3x2xbf16>, tensor<4x1xi32>, tensor<4x2xbf16>) -> (tensor<3x2xbf16>)
  check.expect_eq_const %11, dense<[[2.0, 6.0], [6.0, 9.0], [22.0, 28.0]]> : tensor<3x2xbf16>

  // f16
  %12 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf16>
  %13 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %14 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf16>
  %15 = "stablehlo.scatter"(%12, %13, %14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f16>, %b0: tensor<f16>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f16>
    stablehlo.return %r0 : tensor<f16>
  }) : (tensor<3x2xf16>, tensor<4x1xi32>, tensor<4x2xf16>) -> (tensor<3x2xf16>)
  check.expect_eq_const %15, dense<[[2.0, 6.0], [6.0, 9.0], [22.0, 28.0]]> : tensor<3x2xf16>

  // i8
  %16 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xi8>
  %17 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %18 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi8>
  %19 = "stablehlo.scatter"(%16, %17, %18) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<i8>, %b0: tensor<i8>):
    %r0 = stablehlo.add %a0, %b0 : tensor<i8>
    stablehlo.return %r0 : tensor<i8>
  }) : (tensor<3x2xi8>, tensor<4x1xi32>, tensor<4x2xi8>) -> (tensor<3x2xi8>)
  check.expect_eq_const %19, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xi8>

  // i16
  %20 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xi16>
  %21 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %22 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi16>
  %23 = "stablehlo.scatter"(%20, %21, %22) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<i16>, %b0: tensor<i16>):
    %r0 = stablehlo.add %a0, %b0 : tensor<i16>
    stablehlo.return %r0 : tensor<i16>
  }) : (tensor<3x2xi16>, tensor<4x1xi32>, tensor<4x2xi16>) -> (tensor<3x2xi16>)
  check.expect_eq_const %23, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xi16>

  // i32
  %24 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xi32>
  %25 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %26 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi32>
  %27 = "stablehlo.scatter"(%24, %25, %26) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<i32>
    stablehlo.return %r0 : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<4x1xi32>, tensor<4x2xi32>) -> (tensor<3x2xi32>)
  check.expect_eq_const %27, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xi32>

  // i64
  %28 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xi64>
  %29 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %30 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>
  %31 = "stablehlo.scatter"(%28, %29, %30) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<i64>, %b0: tensor<i64>):
    %r0 = stablehlo.add %a0, %b0 : tensor<i64>
    stablehlo.return %r0 : tensor<i64>
  }) : (tensor<3x2xi64>, tensor<4x1xi32>, tensor<4x2xi64>) -> (tensor<3x2xi64>)
  check.expect_eq_const %31, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xi64>

  // ui8
  %32 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xui8>
  %33 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %34 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xui8>
  %35 = "stablehlo.scatter"(%32, %33, %34) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<ui8>, %b0: tensor<ui8>):
    %r0 = stablehlo.add %a0, %b0 : tensor<ui8>
    stablehlo.return %r0 : tensor<ui8>
  }) : (tensor<3x2xui8>, tensor<4x1xi32>, tensor<4x2xui8>) -> (tensor<3x2xui8>)
  check.expect_eq_const %35, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xui8>

  // ui16
  %36 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xui16>
  %37 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %38 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xui16>
  %39 = "stablehlo.scatter"(%36, %37, %38) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<ui16>, %b0: tensor<ui16>):
    %r0 = stablehlo.add %a0, %b0 : tensor<ui16>
    stablehlo.return %r0 : tensor<ui16>
  }) : (tensor<3x2xui16>, tensor<4x1xi32>, tensor<4x2xui16>) -> (tensor<3x2xui16>)
  check.expect_eq_const %39, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xui16>

  // ui32
  %40 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xui32>
  %41 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %42 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xui32>
  %43 = "stablehlo.scatter"(%40, %41, %42) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<ui32>, %b0: tensor<ui32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<ui32>
    stablehlo.return %r0 : tensor<ui32>
  }) : (tensor<3x2xui32>, tensor<4x1xi32>, tensor<4x2xui32>) -> (tensor<3x2xui32>)
  check.expect_eq_const %43, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xui32>

  // ui64
  %44 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xui64>
  %45 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %46 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xui64>
  %47 = "stablehlo.scatter"(%44, %45, %46) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<ui64>, %b0: tensor<ui64>):
    %r0 = stablehlo.add %a0, %b0 : tensor<ui64>
    stablehlo.return %r0 : tensor<ui64>
  }) : (tensor<3x2xui64>, tensor<4x1xi32>, tensor<4x2xui64>) -> (tensor<3x2xui64>)
  check.expect_eq_const %47, dense<[[2, 6], [6, 9], [22, 28]]> : tensor<3x2xui64>

  // i1
  %48 = stablehlo.constant dense<[[false, false], [false, false], [false, false]]> : tensor<3x2xi1>
  %49 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %50 = stablehlo.constant dense<[[false, false], [false, false], [false, false], [false, false]]> : tensor<4x2xi1>
  %51 = "stablehlo.scatter"(%48, %49, %50) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<i1>, %b0: tensor<i1>):
    %r0 = stablehlo.or %a0, %b0 : tensor<i1>
    stablehlo.return %r0 : tensor<i1>
  }) : (tensor<3x2xi1>, tensor<4x1xi32>, tensor<4x2xi1>) -> (tensor<3x2xi1>)
  check.expect_eq_const %51, dense<[[false, false], [false, false], [false, false]]> : tensor<3x2xi1>

  // bodies
  %52 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %53 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %54 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %55 = "stablehlo.scatter"(%52, %53, %54) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.multiply %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %55, dense<[[0.0, 9.0], [6.0, 9.0], [0.0, 525.0]]> : tensor<3x2xf32>
  %56 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %57 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %58 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %59 = "stablehlo.scatter"(%56, %57, %58) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.maximum %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %59, dense<[[2.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %60 = stablehlo.constant dense<[[0, 3], [6, 9], [12, 15]]> : tensor<3x2xi32>
  %61 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %62 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi32>
  %63 = "stablehlo.scatter"(%60, %61, %62) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>):
    %r0 = stablehlo.minimum %a0, %b0 : tensor<i32>
    stablehlo.return %r0 : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<4x1xi32>, tensor<4x2xi32>) -> (tensor<3x2xi32>)
  check.expect_eq_const %63, dense<[[0, 3], [6, 9], [0, 1]]> : tensor<3x2xi32>
  %64 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %65 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %66 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %67 = "stablehlo.scatter"(%64, %65, %66) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.subtract %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %67, dense<[[-2.0, 0.0], [6.0, 9.0], [2.0, 2.0]]> : tensor<3x2xf32>
  %68 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %69 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %70 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %71 = "stablehlo.scatter"(%68, %69, %70) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.reshape %b0 : (tensor<f32>) -> tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %71, dense<[[2.0, 3.0], [6.0, 9.0], [6.0, 7.0]]> : tensor<3x2xf32>
  %72 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %73 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %74 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %75 = "stablehlo.scatter"(%72, %73, %74) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %d = stablehlo.multiply %b0, %c : tensor<f32>
    %r0 = stablehlo.add %a0, %d : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %75, dense<[[4.0, 9.0], [6.0, 9.0], [32.0, 41.0]]> : tensor<3x2xf32>
  %76 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %77 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %78 = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %79 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]> : tensor<4x2xf32>
  %80 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 0.0]]> : tensor<4x2xf32>
  %81:2 = "stablehlo.scatter"(%76, %77, %78, %79, %80) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %a1: tensor<f32>, %b0: tensor<f32>, %b1: tensor<f32>):
    %r0 = stablehlo.add %a0, %b1 : tensor<f32>
    %r1 = stablehlo.maximum %a1, %b0 : tensor<f32>
    stablehlo.return %r0, %r1 : tensor<f32>, tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  check.expect_eq_const %81#0, dense<[[3.0, 7.0], [6.0, 9.0], [25.0, 23.0]]> : tensor<3x2xf32>
  check.expect_eq_const %81#1, dense<[[2.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>

  // types of the indices, and indices outside
  %82 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %83 = stablehlo.constant dense<[[-128], [1], [127]]> : tensor<3x1xi8>
  %84 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %85 = "stablehlo.scatter"(%82, %83, %84) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xi8>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %85, dense<[[0.0, 3.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %86 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %87 = stablehlo.constant dense<[[127, 127], [1, 1]]> : tensor<2x2xi8>
  %88 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %89 = "stablehlo.scatter"(%86, %87, %88) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xi8>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %89, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %90 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %91 = stablehlo.constant dense<[[-32768], [1], [32767]]> : tensor<3x1xi16>
  %92 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %93 = "stablehlo.scatter"(%90, %91, %92) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xi16>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %93, dense<[[0.0, 3.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %94 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %95 = stablehlo.constant dense<[[32767, 32767], [1, 1]]> : tensor<2x2xi16>
  %96 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %97 = "stablehlo.scatter"(%94, %95, %96) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xi16>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %97, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %98 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %99 = stablehlo.constant dense<[[-2147483648], [1], [2147483647]]> : tensor<3x1xi32>
  %100 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %101 = "stablehlo.scatter"(%98, %99, %100) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %101, dense<[[0.0, 3.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %102 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %103 = stablehlo.constant dense<[[2147483647, 2147483647], [1, 1]]> : tensor<2x2xi32>
  %104 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %105 = "stablehlo.scatter"(%102, %103, %104) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %105, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %106 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %107 = stablehlo.constant dense<[[-9223372036854775808], [1], [9223372036854775807]]> : tensor<3x1xi64>
  %108 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %109 = "stablehlo.scatter"(%106, %107, %108) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %109, dense<[[0.0, 3.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %110 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %111 = stablehlo.constant dense<[[9223372036854775807, 9223372036854775807], [1, 1]]> : tensor<2x2xi64>
  %112 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %113 = "stablehlo.scatter"(%110, %111, %112) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xi64>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %113, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %114 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %115 = stablehlo.constant dense<[[0], [1], [255]]> : tensor<3x1xui8>
  %116 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %117 = "stablehlo.scatter"(%114, %115, %116) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xui8>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %117, dense<[[0.0, 4.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %118 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %119 = stablehlo.constant dense<[[255, 255], [1, 1]]> : tensor<2x2xui8>
  %120 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %121 = "stablehlo.scatter"(%118, %119, %120) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xui8>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %121, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %122 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %123 = stablehlo.constant dense<[[0], [1], [65535]]> : tensor<3x1xui16>
  %124 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %125 = "stablehlo.scatter"(%122, %123, %124) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xui16>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %125, dense<[[0.0, 4.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %126 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %127 = stablehlo.constant dense<[[65535, 65535], [1, 1]]> : tensor<2x2xui16>
  %128 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %129 = "stablehlo.scatter"(%126, %127, %128) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xui16>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %129, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %130 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %131 = stablehlo.constant dense<[[0], [1], [4294967295]]> : tensor<3x1xui32>
  %132 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %133 = "stablehlo.scatter"(%130, %131, %132) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xui32>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %133, dense<[[0.0, 4.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %134 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %135 = stablehlo.constant dense<[[4294967295, 4294967295], [1, 1]]> : tensor<2x2xui32>
  %136 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %137 = "stablehlo.scatter"(%134, %135, %136) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xui32>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %137, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %138 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %139 = stablehlo.constant dense<[[0], [1], [18446744073709551615]]> : tensor<3x1xui64>
  %140 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %141 = "stablehlo.scatter"(%138, %139, %140) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<3x1xui64>, tensor<3x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %141, dense<[[0.0, 4.0], [8.0, 12.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %142 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %143 = stablehlo.constant dense<[[18446744073709551615, 18446744073709551615], [1, 1]]> : tensor<2x2xui64>
  %144 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]]> : tensor<2x2x3xf32>
  %145 = "stablehlo.scatter"(%142, %143, %144) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<2x2xui64>, tensor<2x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %145, dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 24.0, 28.0, 32.0, 27.0], [30.0, 42.0, 46.0, 50.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>

  // forms
  %146 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %147 = stablehlo.constant dense<[[1, 2], [-1, 3], [1, 2]]> : tensor<3x2xi64>
  %148 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0], [9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0], [15.0, 16.0, 17.0]]]> : tensor<3x2x3xf32>
  %149 = "stablehlo.scatter"(%146, %147, %148) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x2xi64>, tensor<3x2x3xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %149, dense<[[0.0, 3.0, 6.0, 18.0, 22.0], [15.0, 18.0, 33.0, 38.0, 43.0], [30.0, 33.0, 54.0, 59.0, 64.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %150 = stablehlo.constant dense<[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %151 = stablehlo.constant dense<[[1, 2], [-4, 9], [4, 0], [1, 2]]> : tensor<4x2xi32>
  %152 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %153 = "stablehlo.scatter"(%150, %151, %152) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<4x2xi32>, tensor<4xf32>) -> (tensor<4x5xf32>)
  check.expect_eq_const %153, dense<[[0.0, 3.0, 6.0, 9.0, 14.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 36.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]]> : tensor<4x5xf32>
  %154 = stablehlo.constant dense<[0.0, 3.0, 6.0, 9.0]> : tensor<4xf32>
  %155 = stablehlo.constant dense<[[0, 1, 2], [1, 4, -1]]> : tensor<2x3xi32>
  %156 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %157 = "stablehlo.scatter"(%154, %155, %156) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2x3xi32>, tensor<2x3xf32>) -> (tensor<4xf32>)
  check.expect_eq_const %157, dense<[0.0, 7.0, 8.0, 9.0]> : tensor<4xf32>
  %158 = stablehlo.constant dense<[[0.0, 3.0, 6.0], [9.0, 12.0, 15.0], [18.0, 21.0, 24.0], [27.0, 30.0, 33.0]]> : tensor<4x3xf32>
  %159 = stablehlo.constant dense<2> : tensor<i32>
  %160 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %161 = "stablehlo.scatter"(%158, %159, %160) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<4x3xf32>, tensor<i32>, tensor<3xf32>) -> (tensor<4x3xf32>)
  check.expect_eq_const %161, dense<[[0.0, 3.0, 6.0], [9.0, 12.0, 15.0], [18.0, 22.0, 26.0], [27.0, 30.0, 33.0]]> : tensor<4x3xf32>
  %162 = stablehlo.constant dense<[[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 21.0, 24.0, 27.0], [30.0, 33.0, 36.0, 39.0, 42.0], [45.0, 48.0, 51.0, 54.0, 57.0]], [[60.0, 63.0, 66.0, 69.0, 72.0], [75.0, 78.0, 81.0, 84.0, 87.0], [90.0, 93.0, 96.0, 99.0, 102.0], [105.0, 108.0, 111.0, 114.0, 117.0]], [[120.0, 123.0, 126.0, 129.0, 132.0], [135.0, 138.0, 141.0, 144.0, 147.0], [150.0, 153.0, 156.0, 159.0, 162.0], [165.0, 168.0, 171.0, 174.0, 177.0]]]> : tensor<3x4x5xf32>
  %163 = stablehlo.constant dense<[[0, 1, 3], [4, 2, -1]]> : tensor<2x3xi32>
  %164 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]], [[9.0, 10.0, 11.0], [12.0, 13.0, 14.0], [15.0, 16.0, 17.0]]]> : tensor<2x3x3xf32>
  %165 = "stablehlo.scatter"(%162, %163, %164) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 2]>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x4x5xf32>, tensor<2x3xi32>, tensor<2x3x3xf32>) -> (tensor<3x4x5xf32>)
  check.expect_eq_const %165, dense<[[[0.0, 3.0, 6.0, 9.0, 12.0], [15.0, 18.0, 24.0, 28.0, 32.0], [30.0, 33.0, 36.0, 39.0, 42.0], [52.0, 56.0, 51.0, 54.0, 57.0]], [[60.0, 63.0, 66.0, 69.0, 81.0], [75.0, 78.0, 93.0, 97.0, 101.0], [90.0, 93.0, 96.0, 99.0, 102.0], [121.0, 125.0, 111.0, 114.0, 117.0]], [[120.0, 123.0, 126.0, 129.0, 132.0], [135.0, 138.0, 141.0, 144.0, 147.0], [150.0, 153.0, 156.0, 159.0, 162.0], [165.0, 168.0, 171.0, 174.0, 177.0]]]> : tensor<3x4x5xf32>
  %166 = stablehlo.constant dense<[[[0.0, 3.0, 6.0], [9.0, 12.0, 15.0], [18.0, 21.0, 24.0], [27.0, 30.0, 33.0]], [[36.0, 39.0, 42.0], [45.0, 48.0, 51.0], [54.0, 57.0, 60.0], [63.0, 66.0, 69.0]]]> : tensor<2x4x3xf32>
  %167 = stablehlo.constant dense<[[[0], [1], [0]], [[3], [2], [9]]]> : tensor<2x3x1xi32>
  %168 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]], [[9.0, 10.0, 11.0], [12.0, 13.0, 14.0], [15.0, 16.0, 17.0]]]> : tensor<2x3x3xf32>
  %169 = "stablehlo.scatter"(%166, %167, %168) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<2x4x3xf32>, tensor<2x3x1xi32>, tensor<2x3x3xf32>) -> (tensor<2x4x3xf32>)
  check.expect_eq_const %169, dense<[[[6.0, 11.0, 16.0], [12.0, 16.0, 20.0], [18.0, 21.0, 24.0], [27.0, 30.0, 33.0]], [[36.0, 39.0, 42.0], [45.0, 48.0, 51.0], [66.0, 70.0, 74.0], [72.0, 76.0, 80.0]]]> : tensor<2x4x3xf32>
  %170 = stablehlo.constant dense<[[[0.0, 3.0, 6.0], [9.0, 12.0, 15.0], [18.0, 21.0, 24.0], [27.0, 30.0, 33.0], [36.0, 39.0, 42.0]], [[45.0, 48.0, 51.0], [54.0, 57.0, 60.0], [63.0, 66.0, 69.0], [72.0, 75.0, 78.0], [81.0, 84.0, 87.0]]]> : tensor<2x5x3xf32>
  %171 = stablehlo.constant dense<[[[0], [1]], [[2], [3]], [[2], [9]]]> : tensor<3x2x1xi32>
  %172 = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [10.0, 11.0]]]> : tensor<3x2x2xf32>
  %173 = "stablehlo.scatter"(%170, %171, %172) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0, 2], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<2x5x3xf32>, tensor<3x2x1xi32>, tensor<3x2x2xf32>) -> (tensor<2x5x3xf32>)
  check.expect_eq_const %173, dense<[[[0.0, 3.0, 6.0], [11.0, 12.0, 15.0], [18.0, 25.0, 32.0], [27.0, 36.0, 43.0], [36.0, 39.0, 42.0]], [[45.0, 48.0, 51.0], [55.0, 57.0, 60.0], [66.0, 66.0, 69.0], [72.0, 80.0, 78.0], [81.0, 91.0, 87.0]]]> : tensor<2x5x3xf32>
  %174 = stablehlo.constant dense<[[0.0, 3.0, 6.0], [9.0, 12.0, 15.0]]> : tensor<2x3xf32>
  %175 = stablehlo.constant dense<> : tensor<3x0xi32>
  %176 = stablehlo.constant dense<[[[0.0, 1.0]], [[2.0, 3.0]], [[4.0, 5.0]]]> : tensor<3x1x2xf32>
  %177 = "stablehlo.scatter"(%174, %175, %176) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<3x0xi32>, tensor<3x1x2xf32>) -> (tensor<2x3xf32>)
  check.expect_eq_const %177, dense<[[6.0, 12.0, 6.0], [9.0, 12.0, 15.0]]> : tensor<2x3xf32>

  // index vectors of no component, so that all have one place
  %178 = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %179 = stablehlo.constant dense<> : tensor<40x0xi32>
  %180 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0]> : tensor<40xf32>
  %181 = "stablehlo.scatter"(%178, %179, %180) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<1xf32>, tensor<40x0xi32>, tensor<40xf32>) -> (tensor<1xf32>)
  check.expect_eq_const %181, dense<[780.0]> : tensor<1xf32>
  %182 = stablehlo.constant dense<0.0> : tensor<f32>
  %183 = stablehlo.constant dense<> : tensor<40x0xi32>
  %184 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0]> : tensor<40xf32>
  %185 = "stablehlo.scatter"(%182, %183, %184) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<f32>, tensor<40x0xi32>, tensor<40xf32>) -> (tensor<f32>)
  check.expect_eq_const %185, dense<780.0> : tensor<f32>

  // many updates of one place
  %186 = stablehlo.constant dense<[0, 3]> : tensor<2xi64>
  %187 = stablehlo.constant dense<[[1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1], [1]]> : tensor<100x1xi32>
  %188 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi64>
  %189 = "stablehlo.scatter"(%186, %187, %188) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<i64>, %b0: tensor<i64>):
    %r0 = stablehlo.add %a0, %b0 : tensor<i64>
    stablehlo.return %r0 : tensor<i64>
  }) : (tensor<2xi64>, tensor<100x1xi32>, tensor<100xi64>) -> (tensor<2xi64>)
  check.expect_eq_const %189, dense<[0, 4953]> : tensor<2xi64>

  // nothing to write
  %190 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %191 = stablehlo.constant dense<> : tensor<0x1xi32>
  %192 = stablehlo.constant dense<> : tensor<0x2xf32>
  %193 = "stablehlo.scatter"(%190, %191, %192) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<0x1xi32>, tensor<0x2xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %193, dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %194 = stablehlo.constant dense<> : tensor<0x2xf32>
  %195 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %196 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %197 = "stablehlo.scatter"(%194, %195, %196) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<0x2xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> (tensor<0x2xf32>)
  check.expect_eq_const %197, dense<> : tensor<0x2xf32>
  %198 = stablehlo.constant dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  %199 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %200 = stablehlo.constant dense<> : tensor<2x0xf32>
  %201 = "stablehlo.scatter"(%198, %199, %200) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %r0 = stablehlo.add %a0, %b0 : tensor<f32>
    stablehlo.return %r0 : tensor<f32>
  }) : (tensor<3x2xf32>, tensor<2x1xi32>, tensor<2x0xf32>) -> (tensor<3x2xf32>)
  check.expect_eq_const %201, dense<[[0.0, 3.0], [6.0, 9.0], [12.0, 15.0]]> : tensor<3x2xf32>
  return
}
