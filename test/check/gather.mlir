// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %1 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
  check.expect_eq_const %2, dense<[[4.0, 5.0], [0.0, 1.0], [4.0, 5.0], [2.0, 3.0]]> : tensor<4x2xf32>

  // f64
  %3 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf64>
  %4 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %5 = "stablehlo.gather"(%3, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf64>, tensor<4x1xi32>) -> tensor<4x2xf64>
  check.expect_eq_const %5, dense<[[4.0, 5.0], [0.0, 1.0], [4.0, 5.0], [2.0, 3.0]]> : tensor<4x2xf64>

  // bf16
  %6 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xbf16>
  %7 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %8 = "stablehlo.gather"(%6, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xbf16>, tensor<4x1xi32>) -> tensor<4x2xbf16>
  check.expect_eq_const %8, dense<[[4.0, 5.0], [0.0, 1.0], [4.0, 5.0], [2.0, 3.0]]> : tensor<4x2xbf16>

  // f16
  %9 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf16>
  %10 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %11 = "stablehlo.gather"(%9, %10) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf16>, tensor<4x1xi32>) -> tensor<4x2xf16>
  check.expect_eq_const %11, dense<[[4.0, 5.0], [0.0, 1.0], [4.0, 5.0], [2.0, 3.0]]> : tensor<4x2xf16>

  // i8
  %12 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi8>
  %13 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %14 = "stablehlo.gather"(%12, %13) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi8>, tensor<4x1xi32>) -> tensor<4x2xi8>
  check.expect_eq_const %14, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xi8>

  // i16
  %15 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi16>
  %16 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %17 = "stablehlo.gather"(%15, %16) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi16>, tensor<4x1xi32>) -> tensor<4x2xi16>
  check.expect_eq_const %17, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xi16>

  // i32
  %18 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %19 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %20 = "stablehlo.gather"(%18, %19) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %20, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xi32>

  // i64
  %21 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>
  %22 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %23 = "stablehlo.gather"(%21, %22) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi64>, tensor<4x1xi32>) -> tensor<4x2xi64>
  check.expect_eq_const %23, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xi64>

  // ui8
  %24 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xui8>
  %25 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %26 = "stablehlo.gather"(%24, %25) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xui8>, tensor<4x1xi32>) -> tensor<4x2xui8>
  check.expect_eq_const %26, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xui8>

  // ui16
  %27 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xui16>
  %28 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %29 = "stablehlo.gather"(%27, %28) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xui16>, tensor<4x1xi32>) -> tensor<4x2xui16>
  check.expect_eq_const %29, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xui16>

  // ui32
  %30 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xui32>
  %31 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %32 = "stablehlo.gather"(%30, %31) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xui32>, tensor<4x1xi32>) -> tensor<4x2xui32>
  check.expect_eq_const %32, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xui32>

  // ui64
  %33 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xui64>
  %34 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %35 = "stablehlo.gather"(%33, %34) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xui64>, tensor<4x1xi32>) -> tensor<4x2xui64>
  check.expect_eq_const %35, dense<[[4, 5], [0, 1], [4, 5], [2, 3]]> : tensor<4x2xui64>

  // i1
  %36 = stablehlo.constant dense<[[false, false], [false, false], [false, false]]> : tensor<3x2xi1>
  %37 = stablehlo.constant dense<[[2], [0], [2], [1]]> : tensor<4x1xi32>
  %38 = "stablehlo.gather"(%36, %37) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi1>, tensor<4x1xi32>) -> tensor<4x2xi1>
  check.expect_eq_const %38, dense<[[false, false], [false, false], [false, false], [false, false]]> : tensor<4x2xi1>

  // types of the indices, and indices outside
  %39 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %40 = stablehlo.constant dense<[[-128], [1], [127]]> : tensor<3x1xi8>
  %41 = "stablehlo.gather"(%39, %40) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xi8>) -> tensor<3x2xf32>
  check.expect_eq_const %41, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %42 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %43 = stablehlo.constant dense<[[-32768], [1], [32767]]> : tensor<3x1xi16>
  %44 = "stablehlo.gather"(%42, %43) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xi16>) -> tensor<3x2xf32>
  check.expect_eq_const %44, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %45 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %46 = stablehlo.constant dense<[[-2147483648], [1], [2147483647]]> : tensor<3x1xi32>
  %47 = "stablehlo.gather"(%45, %46) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %47, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %48 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %49 = stablehlo.constant dense<[[-9223372036854775808], [1], [9223372036854775807]]> : tensor<3x1xi64>
  %50 = "stablehlo.gather"(%48, %49) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xi64>) -> tensor<3x2xf32>
  check.expect_eq_const %50, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %51 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %52 = stablehlo.constant dense<[[0], [1], [255]]> : tensor<3x1xui8>
  %53 = "stablehlo.gather"(%51, %52) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xui8>) -> tensor<3x2xf32>
  check.expect_eq_const %53, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %54 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %55 = stablehlo.constant dense<[[0], [1], [65535]]> : tensor<3x1xui16>
  %56 = "stablehlo.gather"(%54, %55) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xui16>) -> tensor<3x2xf32>
  check.expect_eq_const %56, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %57 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %58 = stablehlo.constant dense<[[0], [1], [4294967295]]> : tensor<3x1xui32>
  %59 = "stablehlo.gather"(%57, %58) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xui32>) -> tensor<3x2xf32>
  check.expect_eq_const %59, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %60 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %61 = stablehlo.constant dense<[[0], [1], [18446744073709551615]]> : tensor<3x1xui64>
  %62 = "stablehlo.gather"(%60, %61) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xui64>) -> tensor<3x2xf32>
  check.expect_eq_const %62, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>

  // forms
  %63 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0]]> : tensor<4x5xf32>
  %64 = stablehlo.constant dense<[[1, 2], [-4, 9], [2, 0]]> : tensor<3x2xi64>
  %65 = "stablehlo.gather"(%63, %64) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<4x5xf32>, tensor<3x2xi64>) -> tensor<3x2x3xf32>
  check.expect_eq_const %65, dense<[[[7.0, 8.0, 9.0], [12.0, 13.0, 14.0]], [[2.0, 3.0, 4.0], [7.0, 8.0, 9.0]], [[10.0, 11.0, 12.0], [15.0, 16.0, 17.0]]]> : tensor<3x2x3xf32>
  %66 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0]]> : tensor<4x5xf32>
  %67 = stablehlo.constant dense<[[1, 2], [-4, 9], [4, 0]]> : tensor<3x2xi32>
  %68 = "stablehlo.gather"(%66, %67) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  check.expect_eq_const %68, dense<[11.0, 15.0, 4.0]> : tensor<3xf32>
  %69 = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %70 = stablehlo.constant dense<[[0, 1, 2], [3, 4, -1]]> : tensor<2x3xi32>
  %71 = "stablehlo.gather"(%69, %70) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  check.expect_eq_const %71, dense<[[0.0, 1.0, 2.0], [3.0, 3.0, 0.0]]> : tensor<2x3xf32>
  %72 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
  %73 = stablehlo.constant dense<2> : tensor<i32>
  %74 = "stablehlo.gather"(%72, %73) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<i32>) -> tensor<3xf32>
  check.expect_eq_const %74, dense<[6.0, 7.0, 8.0]> : tensor<3xf32>
  %75 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0]], [[20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0], [30.0, 31.0, 32.0, 33.0, 34.0], [35.0, 36.0, 37.0, 38.0, 39.0]], [[40.0, 41.0, 42.0, 43.0, 44.0], [45.0, 46.0, 47.0, 48.0, 49.0], [50.0, 51.0, 52.0, 53.0, 54.0], [55.0, 56.0, 57.0, 58.0, 59.0]]]> : tensor<3x4x5xf32>
  %76 = stablehlo.constant dense<[[0, 1, 3], [4, 2, -9]]> : tensor<2x3xi32>
  %77 = "stablehlo.gather"(%75, %76) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1, 2]>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1, 3>}> : (tensor<3x4x5xf32>, tensor<2x3xi32>) -> tensor<2x3x3xf32>
  check.expect_eq_const %77, dense<[[[2.0, 3.0, 4.0], [7.0, 8.0, 9.0], [15.0, 16.0, 17.0]], [[22.0, 23.0, 24.0], [27.0, 28.0, 29.0], [35.0, 36.0, 37.0]]]> : tensor<2x3x3xf32>
  %78 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0], [15.0, 16.0, 17.0], [18.0, 19.0, 20.0], [21.0, 22.0, 23.0]]]> : tensor<2x4x3xf32>
  %79 = stablehlo.constant dense<[[[0], [1], [2]], [[3], [2], [9]]]> : tensor<2x3x1xi32>
  %80 = "stablehlo.gather"(%78, %79) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<2x4x3xf32>, tensor<2x3x1xi32>) -> tensor<2x3x3xf32>
  check.expect_eq_const %80, dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]], [[21.0, 22.0, 23.0], [18.0, 19.0, 20.0], [21.0, 22.0, 23.0]]]> : tensor<2x3x3xf32>
  %81 = stablehlo.constant dense<[[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0], [9.0, 10.0, 11.0], [12.0, 13.0, 14.0]], [[15.0, 16.0, 17.0], [18.0, 19.0, 20.0], [21.0, 22.0, 23.0], [24.0, 25.0, 26.0], [27.0, 28.0, 29.0]]]> : tensor<2x5x3xf32>
  %82 = stablehlo.constant dense<[[[0], [1]], [[2], [3]], [[2], [9]]]> : tensor<3x2x1xi32>
  %83 = "stablehlo.gather"(%81, %82) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 1>}> : (tensor<2x5x3xf32>, tensor<3x2x1xi32>) -> tensor<3x2x2xf32>
  check.expect_eq_const %83, dense<[[[0.0, 18.0], [3.0, 21.0]], [[7.0, 25.0], [10.0, 28.0]], [[8.0, 26.0], [11.0, 29.0]]]> : tensor<3x2x2xf32>
  %84 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %85 = stablehlo.constant dense<> : tensor<2x0xi32>
  %86 = "stablehlo.gather"(%84, %85) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<2x0xi32>) -> tensor<2x1x2xf32>
  check.expect_eq_const %86, dense<[[[0.0, 1.0]], [[0.0, 1.0]]]> : tensor<2x1x2xf32>
  %87 = stablehlo.constant dense<[[0.0, 1.0, 2.0]]> : tensor<1x3xf32>
  %88 = stablehlo.constant dense<[[0], [5]]> : tensor<2x1xi32>
  %89 = "stablehlo.gather"(%87, %88) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<1x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  check.expect_eq_const %89, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %90 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %91 = stablehlo.constant dense<[[[0], [1]], [[2], [1]]]> : tensor<2x2x1xi32>
  %92 = "stablehlo.gather"(%90, %91) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<2x2x1xi32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %92, dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [2.0, 3.0]]]> : tensor<2x2x2xf32>

  // nothing to read, nothing to write
  %93 = stablehlo.constant dense<> : tensor<0x2xf32>
  %94 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %95 = "stablehlo.gather"(%93, %94) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 0, 2>}> : (tensor<0x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
  check.expect_eq_const %95, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %96 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %97 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %98 = "stablehlo.gather"(%96, %97) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 0, 2>}> : (tensor<3x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
  check.expect_eq_const %98, dense<[[0.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %99 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %100 = stablehlo.constant dense<> : tensor<0x1xi32>
  %101 = "stablehlo.gather"(%99, %100) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<0x1xi32>) -> tensor<0x2xf32>
  check.expect_eq_const %101, dense<> : tensor<0x2xf32>
  %102 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %103 = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %104 = "stablehlo.gather"(%102, %103) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 0>}> : (tensor<3x2xf32>, tensor<2x1xi32>) -> tensor<2x0xf32>
  check.expect_eq_const %104, dense<> : tensor<2x0xf32>
  return
}
