// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  check.expect_eq_const %0, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  check.expect_eq_const %1, dense<0x7FC00000> : tensor<f32>
  %2 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  check.expect_eq_const %2, dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %3 = stablehlo.constant dense<> : tensor<0x3xf32>
  check.expect_eq_const %3, dense<> : tensor<0x3xf32>

  // f64
  %4 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  check.expect_eq_const %4, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %5 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  check.expect_eq_const %5, dense<0x7FF8000000000000> : tensor<f64>
  %6 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  check.expect_eq_const %6, dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf64>
  %7 = stablehlo.constant dense<> : tensor<0x3xf64>
  check.expect_eq_const %7, dense<> : tensor<0x3xf64>

  // bf16
  %8 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  check.expect_eq_const %8, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %9 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
  check.expect_eq_const %9, dense<0x7FC0> : tensor<bf16>
  %10 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  check.expect_eq_const %10, dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xbf16>
  %11 = stablehlo.constant dense<> : tensor<0x3xbf16>
  check.expect_eq_const %11, dense<> : tensor<0x3xbf16>

  // f16
  %12 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  check.expect_eq_const %12, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %13 = stablehlo.constant dense<0x7E00> : tensor<f16>
  check.expect_eq_const %13, dense<0x7E00> : tensor<f16>
  %14 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf16>
  check.expect_eq_const %14, dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf16>
  %15 = stablehlo.constant dense<> : tensor<0x3xf16>
  check.expect_eq_const %15, dense<> : tensor<0x3xf16>

  // i8
  %16 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  check.expect_eq_const %16, dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %17 = stablehlo.constant dense<127> : tensor<i8>
  check.expect_eq_const %17, dense<127> : tensor<i8>
  %18 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi8>
  check.expect_eq_const %18, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi8>
  %19 = stablehlo.constant dense<> : tensor<0x3xi8>
  check.expect_eq_const %19, dense<> : tensor<0x3xi8>

  // i16
  %20 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  check.expect_eq_const %20, dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %21 = stablehlo.constant dense<32767> : tensor<i16>
  check.expect_eq_const %21, dense<32767> : tensor<i16>
  %22 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi16>
  check.expect_eq_const %22, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi16>
  %23 = stablehlo.constant dense<> : tensor<0x3xi16>
  check.expect_eq_const %23, dense<> : tensor<0x3xi16>

  // i32
  %24 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  check.expect_eq_const %24, dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %25 = stablehlo.constant dense<2147483647> : tensor<i32>
  check.expect_eq_const %25, dense<2147483647> : tensor<i32>
  %26 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  check.expect_eq_const %26, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %27 = stablehlo.constant dense<> : tensor<0x3xi32>
  check.expect_eq_const %27, dense<> : tensor<0x3xi32>

  // i64
  %28 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  check.expect_eq_const %28, dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %29 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  check.expect_eq_const %29, dense<9223372036854775807> : tensor<i64>
  %30 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
  check.expect_eq_const %30, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
  %31 = stablehlo.constant dense<> : tensor<0x3xi64>
  check.expect_eq_const %31, dense<> : tensor<0x3xi64>

  // ui8
  %32 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  check.expect_eq_const %32, dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %33 = stablehlo.constant dense<255> : tensor<ui8>
  check.expect_eq_const %33, dense<255> : tensor<ui8>
  %34 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  check.expect_eq_const %34, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %35 = stablehlo.constant dense<> : tensor<0x3xui8>
  check.expect_eq_const %35, dense<> : tensor<0x3xui8>

  // ui16
  %36 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  check.expect_eq_const %36, dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %37 = stablehlo.constant dense<65535> : tensor<ui16>
  check.expect_eq_const %37, dense<65535> : tensor<ui16>
  %38 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui16>
  check.expect_eq_const %38, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui16>
  %39 = stablehlo.constant dense<> : tensor<0x3xui16>
  check.expect_eq_const %39, dense<> : tensor<0x3xui16>

  // ui32
  %40 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  check.expect_eq_const %40, dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %41 = stablehlo.constant dense<4294967295> : tensor<ui32>
  check.expect_eq_const %41, dense<4294967295> : tensor<ui32>
  %42 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui32>
  check.expect_eq_const %42, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui32>
  %43 = stablehlo.constant dense<> : tensor<0x3xui32>
  check.expect_eq_const %43, dense<> : tensor<0x3xui32>

  // ui64
  %44 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  check.expect_eq_const %44, dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %45 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  check.expect_eq_const %45, dense<18446744073709551615> : tensor<ui64>
  %46 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui64>
  check.expect_eq_const %46, dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xui64>
  %47 = stablehlo.constant dense<> : tensor<0x3xui64>
  check.expect_eq_const %47, dense<> : tensor<0x3xui64>

  // i1
  %48 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  check.expect_eq_const %48, dense<[false, true]> : tensor<2xi1>
  %49 = stablehlo.constant dense<true> : tensor<i1>
  check.expect_eq_const %49, dense<true> : tensor<i1>
  %50 = stablehlo.constant dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>
  check.expect_eq_const %50, dense<[[false, false, false], [false, false, false]]> : tensor<2x3xi1>
  %51 = stablehlo.constant dense<> : tensor<0x3xi1>
  check.expect_eq_const %51, dense<> : tensor<0x3xi1>

  // one value for all elements
  %52 = stablehlo.constant dense<2.5> : tensor<3x2xf32>
  check.expect_eq_const %52, dense<[[2.5, 2.5], [2.5, 2.5], [2.5, 2.5]]> : tensor<3x2xf32>

  // elements as a string of bytes
  %53 = stablehlo.constant dense<"0x00000000000000800000803F000080BF0000C03F000020C000004040CDCCCC3DFFFF7F7FFFFF7FFF0000800001000000010000800000807F000080FF0000C07F"> : tensor<16xf32>
  check.expect_eq_const %53, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %54 = stablehlo.constant dense<"0x00000000000000000000000000000080000000000000F03F000000000000F0BF000000000000F83F00000000000004C000000000000008409A9999999999B93FFFFFFFFFFFFFEF7FFFFFFFFFFFFFEFFF000000000000100001000000000000000100000000000080000000000000F07F000000000000F0FF000000000000F87F"> : tensor<16xf64>
  check.expect_eq_const %54, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %55 = stablehlo.constant dense<"0x00000080803F80BFC03F20C04040CD3D7F7F7FFF800001000180807F80FFC07F"> : tensor<16xbf16>
  check.expect_eq_const %55, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %56 = stablehlo.constant dense<"0x00000080003C00BC003E00C10042662EFF7BFFFB000401000180007C00FC007E"> : tensor<16xf16>
  check.expect_eq_const %56, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %57 = stablehlo.constant dense<"0x8081F9FEFF000102030A7E7F"> : tensor<12xi8>
  check.expect_eq_const %57, dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %58 = stablehlo.constant dense<"0x00800180F9FFFEFFFFFF00000100020003000A00FE7FFF7F"> : tensor<12xi16>
  check.expect_eq_const %58, dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %59 = stablehlo.constant dense<"0x0000008001000080F9FFFFFFFEFFFFFFFFFFFFFF000000000100000002000000030000000A000000FEFFFF7FFFFFFF7F"> : tensor<12xi32>
  check.expect_eq_const %59, dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %60 = stablehlo.constant dense<"0x00000000000000800100000000000080F9FFFFFFFFFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000000000000100000000000000020000000000000003000000000000000A00000000000000FEFFFFFFFFFFFF7FFFFFFFFFFFFFFF7F"> : tensor<12xi64>
  check.expect_eq_const %60, dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %61 = stablehlo.constant dense<"0x000102030AFEFF"> : tensor<7xui8>
  check.expect_eq_const %61, dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %62 = stablehlo.constant dense<"0x00000100020003000A00FEFFFFFF"> : tensor<7xui16>
  check.expect_eq_const %62, dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %63 = stablehlo.constant dense<"0x000000000100000002000000030000000A000000FEFFFFFFFFFFFFFF"> : tensor<7xui32>
  check.expect_eq_const %63, dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %64 = stablehlo.constant dense<"0x00000000000000000100000000000000020000000000000003000000000000000A00000000000000FEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"> : tensor<7xui64>
  check.expect_eq_const %64, dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  return
}
