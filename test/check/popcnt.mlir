// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // i8
  %0 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %1 = stablehlo.popcnt %0 : tensor<12xi8>
  check.expect_eq_const %1, dense<[1, 2, 6, 7, 8, 0, 1, 1, 2, 2, 6, 7]> : tensor<12xi8>

  // i16
  %2 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %3 = stablehlo.popcnt %2 : tensor<12xi16>
  check.expect_eq_const %3, dense<[1, 2, 14, 15, 16, 0, 1, 1, 2, 2, 14, 15]> : tensor<12xi16>

  // i32
  %4 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %5 = stablehlo.popcnt %4 : tensor<12xi32>
  check.expect_eq_const %5, dense<[1, 2, 30, 31, 32, 0, 1, 1, 2, 2, 30, 31]> : tensor<12xi32>

  // i64
  %6 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %7 = stablehlo.popcnt %6 : tensor<12xi64>
  check.expect_eq_const %7, dense<[1, 2, 62, 63, 64, 0, 1, 1, 2, 2, 62, 63]> : tensor<12xi64>

  // ui8
  %8 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %9 = stablehlo.popcnt %8 : tensor<7xui8>
  check.expect_eq_const %9, dense<[0, 1, 1, 2, 2, 7, 8]> : tensor<7xui8>

  // ui16
  %10 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %11 = stablehlo.popcnt %10 : tensor<7xui16>
  check.expect_eq_const %11, dense<[0, 1, 1, 2, 2, 15, 16]> : tensor<7xui16>

  // ui32
  %12 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %13 = stablehlo.popcnt %12 : tensor<7xui32>
  check.expect_eq_const %13, dense<[0, 1, 1, 2, 2, 31, 32]> : tensor<7xui32>

  // ui64
  %14 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %15 = stablehlo.popcnt %14 : tensor<7xui64>
  check.expect_eq_const %15, dense<[0, 1, 1, 2, 2, 63, 64]> : tensor<7xui64>

  // rank 0 and no elements
  %16 = stablehlo.constant dense<[-7, -7]> : tensor<2xi8>
  %17 = stablehlo.slice %16 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %18 = stablehlo.reshape %17 : (tensor<1xi8>) -> tensor<i8>
  %19 = stablehlo.popcnt %18 : tensor<i8>
  check.expect_eq_const %19, dense<6> : tensor<i8>
  %20 = stablehlo.constant dense<> : tensor<2x0xi8>
  %21 = stablehlo.popcnt %20 : tensor<2x0xi8>
  check.expect_eq_const %21, dense<> : tensor<2x0xi8>
  return
}
