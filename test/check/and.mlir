// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // i1
  %0 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xi1>) -> tensor<2x2xi1>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<2xi1>) -> tensor<2x2xi1>
  %3 = stablehlo.and %1, %2 : tensor<2x2xi1>
  check.expect_eq_const %3, dense<[[false, false], [false, true]]> : tensor<2x2xi1>

  // i8
  %4 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<12xi8>) -> tensor<12x12xi8>
  %6 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<12xi8>) -> tensor<12x12xi8>
  %7 = stablehlo.and %5, %6 : tensor<12x12xi8>
  check.expect_eq_const %7, dense<[[-128, -128, -128, -128, -128, 0, 0, 0, 0, 0, 0, 0], [-128, -127, -127, -128, -127, 0, 1, 0, 1, 0, 0, 1], [-128, -127, -7, -8, -7, 0, 1, 0, 1, 8, 120, 121], [-128, -128, -8, -2, -2, 0, 0, 2, 2, 10, 126, 126], [-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 2, 2, 0, 0, 2, 2, 2, 2, 2], [0, 1, 1, 2, 3, 0, 1, 2, 3, 2, 2, 3], [0, 0, 8, 10, 10, 0, 0, 2, 2, 10, 10, 10], [0, 0, 120, 126, 126, 0, 0, 2, 2, 10, 126, 126], [0, 1, 121, 126, 127, 0, 1, 2, 3, 10, 126, 127]]> : tensor<12x12xi8>

  // i16
  %8 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<12xi16>) -> tensor<12x12xi16>
  %10 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<12xi16>) -> tensor<12x12xi16>
  %11 = stablehlo.and %9, %10 : tensor<12x12xi16>
  check.expect_eq_const %11, dense<[[-32768, -32768, -32768, -32768, -32768, 0, 0, 0, 0, 0, 0, 0], [-32768, -32767, -32767, -32768, -32767, 0, 1, 0, 1, 0, 0, 1], [-32768, -32767, -7, -8, -7, 0, 1, 0, 1, 8, 32760, 32761], [-32768, -32768, -8, -2, -2, 0, 0, 2, 2, 10, 32766, 32766], [-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 2, 2, 0, 0, 2, 2, 2, 2, 2], [0, 1, 1, 2, 3, 0, 1, 2, 3, 2, 2, 3], [0, 0, 8, 10, 10, 0, 0, 2, 2, 10, 10, 10], [0, 0, 32760, 32766, 32766, 0, 0, 2, 2, 10, 32766, 32766], [0, 1, 32761, 32766, 32767, 0, 1, 2, 3, 10, 32766, 32767]]> : tensor<12x12xi16>

  // i32
  %12 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<12xi32>) -> tensor<12x12xi32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<12xi32>) -> tensor<12x12xi32>
  %15 = stablehlo.and %13, %14 : tensor<12x12xi32>
  check.expect_eq_const %15, dense<[[-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, 0, 0, 0, 0, 0, 0, 0], [-2147483648, -2147483647, -2147483647, -2147483648, -2147483647, 0, 1, 0, 1, 0, 0, 1], [-2147483648, -2147483647, -7, -8, -7, 0, 1, 0, 1, 8, 2147483640, 2147483641], [-2147483648, -2147483648, -8, -2, -2, 0, 0, 2, 2, 10, 2147483646, 2147483646], [-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 2, 2, 0, 0, 2, 2, 2, 2, 2], [0, 1, 1, 2, 3, 0, 1, 2, 3, 2, 2, 3], [0, 0, 8, 10, 10, 0, 0, 2, 2, 10, 10, 10], [0, 0, 2147483640, 2147483646, 2147483646, 0, 0, 2, 2, 10, 2147483646, 2147483646], [0, 1, 2147483641, 2147483646, 2147483647, 0, 1, 2, 3, 10, 2147483646, 2147483647]]> : tensor<12x12xi32>

  // i64
  %16 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<12xi64>) -> tensor<12x12xi64>
  %18 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<12xi64>) -> tensor<12x12xi64>
  %19 = stablehlo.and %17, %18 : tensor<12x12xi64>
  check.expect_eq_const %19, dense<[[-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, 0, 0, 0, 0, 0, 0, 0], [-9223372036854775808, -9223372036854775807, -9223372036854775807, -9223372036854775808, -9223372036854775807, 0, 1, 0, 1, 0, 0, 1], [-9223372036854775808, -9223372036854775807, -7, -8, -7, 0, 1, 0, 1, 8, 9223372036854775800, 9223372036854775801], [-9223372036854775808, -9223372036854775808, -8, -2, -2, 0, 0, 2, 2, 10, 9223372036854775806, 9223372036854775806], [-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 2, 2, 0, 0, 2, 2, 2, 2, 2], [0, 1, 1, 2, 3, 0, 1, 2, 3, 2, 2, 3], [0, 0, 8, 10, 10, 0, 0, 2, 2, 10, 10, 10], [0, 0, 9223372036854775800, 9223372036854775806, 9223372036854775806, 0, 0, 2, 2, 10, 9223372036854775806, 9223372036854775806], [0, 1, 9223372036854775801, 9223372036854775806, 9223372036854775807, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]]> : tensor<12x12xi64>

  // ui8
  %20 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<7xui8>) -> tensor<7x7xui8>
  %22 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<7xui8>) -> tensor<7x7xui8>
  %23 = stablehlo.and %21, %22 : tensor<7x7xui8>
  check.expect_eq_const %23, dense<[[0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1], [0, 0, 2, 2, 2, 2, 2], [0, 1, 2, 3, 2, 2, 3], [0, 0, 2, 2, 10, 10, 10], [0, 0, 2, 2, 10, 254, 254], [0, 1, 2, 3, 10, 254, 255]]> : tensor<7x7xui8>

  // ui16
  %24 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<7xui16>) -> tensor<7x7xui16>
  %26 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<7xui16>) -> tensor<7x7xui16>
  %27 = stablehlo.and %25, %26 : tensor<7x7xui16>
  check.expect_eq_const %27, dense<[[0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1], [0, 0, 2, 2, 2, 2, 2], [0, 1, 2, 3, 2, 2, 3], [0, 0, 2, 2, 10, 10, 10], [0, 0, 2, 2, 10, 65534, 65534], [0, 1, 2, 3, 10, 65534, 65535]]> : tensor<7x7xui16>

  // ui32
  %28 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<7xui32>) -> tensor<7x7xui32>
  %30 = stablehlo.broadcast_in_dim %28, dims = [1] : (tensor<7xui32>) -> tensor<7x7xui32>
  %31 = stablehlo.and %29, %30 : tensor<7x7xui32>
  check.expect_eq_const %31, dense<[[0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1], [0, 0, 2, 2, 2, 2, 2], [0, 1, 2, 3, 2, 2, 3], [0, 0, 2, 2, 10, 10, 10], [0, 0, 2, 2, 10, 4294967294, 4294967294], [0, 1, 2, 3, 10, 4294967294, 4294967295]]> : tensor<7x7xui32>

  // ui64
  %32 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<7xui64>) -> tensor<7x7xui64>
  %34 = stablehlo.broadcast_in_dim %32, dims = [1] : (tensor<7xui64>) -> tensor<7x7xui64>
  %35 = stablehlo.and %33, %34 : tensor<7x7xui64>
  check.expect_eq_const %35, dense<[[0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0, 1], [0, 0, 2, 2, 2, 2, 2], [0, 1, 2, 3, 2, 2, 3], [0, 0, 2, 2, 10, 10, 10], [0, 0, 2, 2, 10, 18446744073709551614, 18446744073709551614], [0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]]> : tensor<7x7xui64>

  // rank 0 and no elements
  %36 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %37 = stablehlo.slice %36 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %38 = stablehlo.reshape %37 : (tensor<1xi1>) -> tensor<i1>
  %39 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %40 = stablehlo.slice %39 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %41 = stablehlo.reshape %40 : (tensor<1xi1>) -> tensor<i1>
  %42 = stablehlo.and %38, %41 : tensor<i1>
  check.expect_eq_const %42, dense<false> : tensor<i1>
  %43 = stablehlo.constant dense<> : tensor<0x3xi1>
  %44 = stablehlo.and %43, %43 : tensor<0x3xi1>
  check.expect_eq_const %44, dense<> : tensor<0x3xi1>
  return
}
