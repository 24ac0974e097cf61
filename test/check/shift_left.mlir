// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // i8
  %0 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<12xi8>) -> tensor<12x12xi8>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<12xi8>) -> tensor<12x12xi8>
  %3 = stablehlo.shift_left %1, %2 : tensor<12x12xi8>
  check.expect_eq_const %3, dense<[[0, 0, 0, 0, 0, -128, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -127, 2, 4, 8, 0, 0, 0], [0, 0, 0, 0, 0, -7, -14, -28, -56, 0, 0, 0], [0, 0, 0, 0, 0, -2, -4, -8, -16, 0, 0, 0], [0, 0, 0, 0, 0, -1, -2, -4, -8, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 2, 4, 8, 0, 0, 0], [0, 0, 0, 0, 0, 2, 4, 8, 16, 0, 0, 0], [0, 0, 0, 0, 0, 3, 6, 12, 24, 0, 0, 0], [0, 0, 0, 0, 0, 10, 20, 40, 80, 0, 0, 0], [0, 0, 0, 0, 0, 126, -4, -8, -16, 0, 0, 0], [0, 0, 0, 0, 0, 127, -2, -4, -8, 0, 0, 0]]> : tensor<12x12xi8>

  // i16
  %4 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<12xi16>) -> tensor<12x12xi16>
  %6 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<12xi16>) -> tensor<12x12xi16>
  %7 = stablehlo.shift_left %5, %6 : tensor<12x12xi16>
  check.expect_eq_const %7, dense<[[0, 0, 0, 0, 0, -32768, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -32767, 2, 4, 8, 1024, 0, 0], [0, 0, 0, 0, 0, -7, -14, -28, -56, -7168, 0, 0], [0, 0, 0, 0, 0, -2, -4, -8, -16, -2048, 0, 0], [0, 0, 0, 0, 0, -1, -2, -4, -8, -1024, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 2, 4, 8, 1024, 0, 0], [0, 0, 0, 0, 0, 2, 4, 8, 16, 2048, 0, 0], [0, 0, 0, 0, 0, 3, 6, 12, 24, 3072, 0, 0], [0, 0, 0, 0, 0, 10, 20, 40, 80, 10240, 0, 0], [0, 0, 0, 0, 0, 32766, -4, -8, -16, -2048, 0, 0], [0, 0, 0, 0, 0, 32767, -2, -4, -8, -1024, 0, 0]]> : tensor<12x12xi16>

  // i32
  %8 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<12xi32>) -> tensor<12x12xi32>
  %10 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<12xi32>) -> tensor<12x12xi32>
  %11 = stablehlo.shift_left %9, %10 : tensor<12x12xi32>
  check.expect_eq_const %11, dense<[[0, 0, 0, 0, 0, -2147483648, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -2147483647, 2, 4, 8, 1024, 0, 0], [0, 0, 0, 0, 0, -7, -14, -28, -56, -7168, 0, 0], [0, 0, 0, 0, 0, -2, -4, -8, -16, -2048, 0, 0], [0, 0, 0, 0, 0, -1, -2, -4, -8, -1024, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 2, 4, 8, 1024, 0, 0], [0, 0, 0, 0, 0, 2, 4, 8, 16, 2048, 0, 0], [0, 0, 0, 0, 0, 3, 6, 12, 24, 3072, 0, 0], [0, 0, 0, 0, 0, 10, 20, 40, 80, 10240, 0, 0], [0, 0, 0, 0, 0, 2147483646, -4, -8, -16, -2048, 0, 0], [0, 0, 0, 0, 0, 2147483647, -2, -4, -8, -1024, 0, 0]]> : tensor<12x12xi32>

  // i64
  %12 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<12xi64>) -> tensor<12x12xi64>
  %14 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<12xi64>) -> tensor<12x12xi64>
  %15 = stablehlo.shift_left %13, %14 : tensor<12x12xi64>
  check.expect_eq_const %15, dense<[[0, 0, 0, 0, 0, -9223372036854775808, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -9223372036854775807, 2, 4, 8, 1024, 0, 0], [0, 0, 0, 0, 0, -7, -14, -28, -56, -7168, 0, 0], [0, 0, 0, 0, 0, -2, -4, -8, -16, -2048, 0, 0], [0, 0, 0, 0, 0, -1, -2, -4, -8, -1024, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 2, 4, 8, 1024, 0, 0], [0, 0, 0, 0, 0, 2, 4, 8, 16, 2048, 0, 0], [0, 0, 0, 0, 0, 3, 6, 12, 24, 3072, 0, 0], [0, 0, 0, 0, 0, 10, 20, 40, 80, 10240, 0, 0], [0, 0, 0, 0, 0, 9223372036854775806, -4, -8, -16, -2048, 0, 0], [0, 0, 0, 0, 0, 9223372036854775807, -2, -4, -8, -1024, 0, 0]]> : tensor<12x12xi64>

  // ui8
  %16 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<7xui8>) -> tensor<7x7xui8>
  %18 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<7xui8>) -> tensor<7x7xui8>
  %19 = stablehlo.shift_left %17, %18 : tensor<7x7xui8>
  check.expect_eq_const %19, dense<[[0, 0, 0, 0, 0, 0, 0], [1, 2, 4, 8, 0, 0, 0], [2, 4, 8, 16, 0, 0, 0], [3, 6, 12, 24, 0, 0, 0], [10, 20, 40, 80, 0, 0, 0], [254, 252, 248, 240, 0, 0, 0], [255, 254, 252, 248, 0, 0, 0]]> : tensor<7x7xui8>

  // ui16
  %20 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<7xui16>) -> tensor<7x7xui16>
  %22 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<7xui16>) -> tensor<7x7xui16>
  %23 = stablehlo.shift_left %21, %22 : tensor<7x7xui16>
  check.expect_eq_const %23, dense<[[0, 0, 0, 0, 0, 0, 0], [1, 2, 4, 8, 1024, 0, 0], [2, 4, 8, 16, 2048, 0, 0], [3, 6, 12, 24, 3072, 0, 0], [10, 20, 40, 80, 10240, 0, 0], [65534, 65532, 65528, 65520, 63488, 0, 0], [65535, 65534, 65532, 65528, 64512, 0, 0]]> : tensor<7x7xui16>

  // ui32
  %24 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<7xui32>) -> tensor<7x7xui32>
  %26 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<7xui32>) -> tensor<7x7xui32>
  %27 = stablehlo.shift_left %25, %26 : tensor<7x7xui32>
  check.expect_eq_const %27, dense<[[0, 0, 0, 0, 0, 0, 0], [1, 2, 4, 8, 1024, 0, 0], [2, 4, 8, 16, 2048, 0, 0], [3, 6, 12, 24, 3072, 0, 0], [10, 20, 40, 80, 10240, 0, 0], [4294967294, 4294967292, 4294967288, 4294967280, 4294965248, 0, 0], [4294967295, 4294967294, 4294967292, 4294967288, 4294966272, 0, 0]]> : tensor<7x7xui32>

  // ui64
  %28 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<7xui64>) -> tensor<7x7xui64>
  %30 = stablehlo.broadcast_in_dim %28, dims = [1] : (tensor<7xui64>) -> tensor<7x7xui64>
  %31 = stablehlo.shift_left %29, %30 : tensor<7x7xui64>
  check.expect_eq_const %31, dense<[[0, 0, 0, 0, 0, 0, 0], [1, 2, 4, 8, 1024, 0, 0], [2, 4, 8, 16, 2048, 0, 0], [3, 6, 12, 24, 3072, 0, 0], [10, 20, 40, 80, 10240, 0, 0], [18446744073709551614, 18446744073709551612, 18446744073709551608, 18446744073709551600, 18446744073709549568, 0, 0], [18446744073709551615, 18446744073709551614, 18446744073709551612, 18446744073709551608, 18446744073709550592, 0, 0]]> : tensor<7x7xui64>

  // rank 0 and no elements
  %32 = stablehlo.constant dense<[-7, -7]> : tensor<2xi8>
  %33 = stablehlo.slice %32 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %34 = stablehlo.reshape %33 : (tensor<1xi8>) -> tensor<i8>
  %35 = stablehlo.constant dense<[126, 126]> : tensor<2xi8>
  %36 = stablehlo.slice %35 [0:1] : (tensor<2xi8>) -> tensor<1xi8>
  %37 = stablehlo.reshape %36 : (tensor<1xi8>) -> tensor<i8>
  %38 = stablehlo.shift_left %34, %37 : tensor<i8>
  check.expect_eq_const %38, dense<0> : tensor<i8>
  %39 = stablehlo.constant dense<> : tensor<0x3xi8>
  %40 = stablehlo.shift_left %39, %39 : tensor<0x3xi8>
  check.expect_eq_const %40, dense<> : tensor<0x3xi8>
  return
}
