// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // i1
  %0 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %1 = stablehlo.not %0 : tensor<3xi1>
  check.expect_eq_const %1, dense<[false, true, false]> : tensor<3xi1>

  // i8
  %2 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %3 = stablehlo.not %2 : tensor<12xi8>
  check.expect_eq_const %3, dense<[127, 126, 6, 1, 0, -1, -2, -3, -4, -11, -127, -128]> : tensor<12xi8>

  // i16
  %4 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %5 = stablehlo.not %4 : tensor<12xi16>
  check.expect_eq_const %5, dense<[32767, 32766, 6, 1, 0, -1, -2, -3, -4, -11, -32767, -32768]> : tensor<12xi16>

  // i32
  %6 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %7 = stablehlo.not %6 : tensor<12xi32>
  check.expect_eq_const %7, dense<[2147483647, 2147483646, 6, 1, 0, -1, -2, -3, -4, -11, -2147483647, -2147483648]> : tensor<12xi32>

  // i64
  %8 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %9 = stablehlo.not %8 : tensor<12xi64>
  check.expect_eq_const %9, dense<[9223372036854775807, 9223372036854775806, 6, 1, 0, -1, -2, -3, -4, -11, -9223372036854775807, -9223372036854775808]> : tensor<12xi64>

  // ui8
  %10 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %11 = stablehlo.not %10 : tensor<7xui8>
  check.expect_eq_const %11, dense<[255, 254, 253, 252, 245, 1, 0]> : tensor<7xui8>

  // ui16
  %12 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %13 = stablehlo.not %12 : tensor<7xui16>
  check.expect_eq_const %13, dense<[65535, 65534, 65533, 65532, 65525, 1, 0]> : tensor<7xui16>

  // ui32
  %14 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %15 = stablehlo.not %14 : tensor<7xui32>
  check.expect_eq_const %15, dense<[4294967295, 4294967294, 4294967293, 4294967292, 4294967285, 1, 0]> : tensor<7xui32>

  // ui64
  %16 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %17 = stablehlo.not %16 : tensor<7xui64>
  check.expect_eq_const %17, dense<[18446744073709551615, 18446744073709551614, 18446744073709551613, 18446744073709551612, 18446744073709551605, 1, 0]> : tensor<7xui64>

  // rank 0 and no elements
  %18 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %19 = stablehlo.slice %18 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %20 = stablehlo.reshape %19 : (tensor<1xi1>) -> tensor<i1>
  %21 = stablehlo.not %20 : tensor<i1>
  check.expect_eq_const %21, dense<false> : tensor<i1>
  %22 = stablehlo.constant dense<> : tensor<2x0xi1>
  %23 = stablehlo.not %22 : tensor<2x0xi1>
  check.expect_eq_const %23, dense<> : tensor<2x0xi1>
  return
}
