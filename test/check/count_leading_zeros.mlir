// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // i8
  %0 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %1 = stablehlo.count_leading_zeros %0 : tensor<12xi8>
  check.expect_eq_const %1, dense<[0, 0, 0, 0, 0, 8, 7, 6, 6, 4, 1, 1]> : tensor<12xi8>

  // i16
  %2 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %3 = stablehlo.count_leading_zeros %2 : tensor<12xi16>
  check.expect_eq_const %3, dense<[0, 0, 0, 0, 0, 16, 15, 14, 14, 12, 1, 1]> : tensor<12xi16>

  // i32
  %4 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %5 = stablehlo.count_leading_zeros %4 : tensor<12xi32>
  check.expect_eq_const %5, dense<[0, 0, 0, 0, 0, 32, 31, 30, 30, 28, 1, 1]> : tensor<12xi32>

  // i64
  %6 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %7 = stablehlo.count_leading_zeros %6 : tensor<12xi64>
  check.expect_eq_const %7, dense<[0, 0, 0, 0, 0, 64, 63, 62, 62, 60, 1, 1]> : tensor<12xi64>

  // ui8
  %8 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %9 = stablehlo.count_leading_zeros %8 : tensor<7xui8>
  check.expect_eq_const %9, dense<[8, 7, 6, 6, 4, 0, 0]> : tensor<7xui8>

  // ui16
  %10 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %11 = stablehlo.count_leading_zeros %10 : tensor<7xui16>
  check.expect_eq_const %11, dense<[16, 15, 14, 14, 12, 0, 0]> : tensor<7xui16>

  // ui32
  %12 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %13 = stablehlo.count_leading_zeros %12 : tensor<7xui32>
  check.expect_eq_const %13, dense<[32, 31, 30, 30, 28, 0, 0]> : tensor<7xui32>

  // ui64
  %14 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %15 = stablehlo.count_leading_zeros %14 : tensor<7xui64>
  check.expect_eq_const %15, dense<[64, 63, 62, 62, 60, 0, 0]> : tensor<7xui64>

  // rank 0 and no elements
  %16 = stablehlo.constant dense<[-7, -7]> : tensor<2xi8>
  %17 = stablehlo.slice %16 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %18 = stablehlo.reshape %17 : (tensor<1xi8>) -> tensor<i8>
  %19 = stablehlo.count_leading_zeros %18 : tensor<i8>
  check.expect_eq_const %19, dense<0> : tensor<i8>
  %20 = stablehlo.constant dense<> : tensor<2x0xi8>
  %21 = stablehlo.count_leading_zeros %20 : tensor<2x0xi8>
  check.expect_eq_const %21, dense<> : tensor<2x0xi8>
  return
}
