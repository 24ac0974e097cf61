// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : tensor<16xi1>
  %1 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %2 = stablehlo.constant dense<[0x7FC00000, 0xFF800000, 0x7F800000, -1.401298464324817e-45, 1.401298464324817e-45, 1.1754943508222875e-38, -3.4028234663852886e+38, 3.4028234663852886e+38, 0.10000000149011612, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<16xf32>
  %3 = stablehlo.select %0, %1, %2 : tensor<16xi1>, tensor<16xf32>
  check.expect_eq_const %3, dense<[0.0, 0xFF800000, 0x7F800000, -1.0, 1.401298464324817e-45, 1.1754943508222875e-38, 3.0, 3.4028234663852886e+38, 0.10000000149011612, -3.4028234663852886e+38, -2.5, 1.5, -1.401298464324817e-45, 1.0, -0.0, 0x7FC00000]> : tensor<16xf32>

  // f64
  %4 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : tensor<16xi1>
  %5 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %6 = stablehlo.constant dense<[0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000, -5.0e-324, 5.0e-324, 2.2250738585072014e-308, -1.7976931348623157e+308, 1.7976931348623157e+308, 0.1, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<16xf64>
  %7 = stablehlo.select %4, %5, %6 : tensor<16xi1>, tensor<16xf64>
  check.expect_eq_const %7, dense<[0.0, 0xFFF0000000000000, 0x7FF0000000000000, -1.0, 5.0e-324, 2.2250738585072014e-308, 3.0, 1.7976931348623157e+308, 0.1, -1.7976931348623157e+308, -2.5, 1.5, -5.0e-324, 1.0, -0.0, 0x7FF8000000000000]> : tensor<16xf64>

  // bf16
  %8 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : tensor<16xi1>
  %9 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %10 = stablehlo.constant dense<[0x7FC0, 0xFF80, 0x7F80, -9.183549615799121e-41, 9.183549615799121e-41, 1.1754943508222875e-38, -3.3895313892515355e+38, 3.3895313892515355e+38, 0.10009765625, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<16xbf16>
  %11 = stablehlo.select %8, %9, %10 : tensor<16xi1>, tensor<16xbf16>
  check.expect_eq_const %11, dense<[0.0, 0xFF80, 0x7F80, -1.0, 9.183549615799121e-41, 1.1754943508222875e-38, 3.0, 3.3895313892515355e+38, 0.10009765625, -3.3895313892515355e+38, -2.5, 1.5, -9.183549615799121e-41, 1.0, -0.0, 0x7FC0]> : tensor<16xbf16>

  // f16
  %12 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]> : tensor<16xi1>
  %13 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %14 = stablehlo.constant dense<[0x7E00, 0xFC00, 0x7C00, -5.960464477539063e-08, 5.960464477539063e-08, 6.103515625e-05, -65504.0, 65504.0, 0.0999755859375, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<16xf16>
  %15 = stablehlo.select %12, %13, %14 : tensor<16xi1>, tensor<16xf16>
  check.expect_eq_const %15, dense<[0.0, 0xFC00, 0x7C00, -1.0, 5.960464477539063e-08, 6.103515625e-05, 3.0, 65504.0, 0.0999755859375, -65504.0, -2.5, 1.5, -5.960464477539063e-08, 1.0, -0.0, 0x7E00]> : tensor<16xf16>

  // i8
  %16 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false]> : tensor<12xi1>
  %17 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %18 = stablehlo.constant dense<[127, 126, 10, 3, 2, 1, 0, -1, -2, -7, -127, -128]> : tensor<12xi8>
  %19 = stablehlo.select %16, %17, %18 : tensor<12xi1>, tensor<12xi8>
  check.expect_eq_const %19, dense<[-128, 126, 10, -2, 2, 1, 1, -1, -2, 10, -127, -128]> : tensor<12xi8>

  // i16
  %20 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false]> : tensor<12xi1>
  %21 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<12xi16>
  %22 = stablehlo.constant dense<[32767, 32766, 10, 3, 2, 1, 0, -1, -2, -7, -32767, -32768]> : tensor<12xi16>
  %23 = stablehlo.select %20, %21, %22 : tensor<12xi1>, tensor<12xi16>
  check.expect_eq_const %23, dense<[-32768, 32766, 10, -2, 2, 1, 1, -1, -2, 10, -32767, -32768]> : tensor<12xi16>

  // i32
  %24 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false]> : tensor<12xi1>
  %25 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<12xi32>
  %26 = stablehlo.constant dense<[2147483647, 2147483646, 10, 3, 2, 1, 0, -1, -2, -7, -2147483647, -2147483648]> : tensor<12xi32>
  %27 = stablehlo.select %24, %25, %26 : tensor<12xi1>, tensor<12xi32>
  check.expect_eq_const %27, dense<[-2147483648, 2147483646, 10, -2, 2, 1, 1, -1, -2, 10, -2147483647, -2147483648]> : tensor<12xi32>

  // i64
  %28 = stablehlo.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false]> : tensor<12xi1>
  %29 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %30 = stablehlo.constant dense<[9223372036854775807, 9223372036854775806, 10, 3, 2, 1, 0, -1, -2, -7, -9223372036854775807, -9223372036854775808]> : tensor<12xi64>
  %31 = stablehlo.select %28, %29, %30 : tensor<12xi1>, tensor<12xi64>
  check.expect_eq_const %31, dense<[-9223372036854775808, 9223372036854775806, 10, -2, 2, 1, 1, -1, -2, 10, -9223372036854775807, -9223372036854775808]> : tensor<12xi64>

  // ui8
  %32 = stablehlo.constant dense<[true, false, false, true, false, false, true]> : tensor<7xi1>
  %33 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255]> : tensor<7xui8>
  %34 = stablehlo.constant dense<[255, 254, 10, 3, 2, 1, 0]> : tensor<7xui8>
  %35 = stablehlo.select %32, %33, %34 : tensor<7xi1>, tensor<7xui8>
  check.expect_eq_const %35, dense<[0, 254, 10, 3, 2, 1, 255]> : tensor<7xui8>

  // ui16
  %36 = stablehlo.constant dense<[true, false, false, true, false, false, true]> : tensor<7xi1>
  %37 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535]> : tensor<7xui16>
  %38 = stablehlo.constant dense<[65535, 65534, 10, 3, 2, 1, 0]> : tensor<7xui16>
  %39 = stablehlo.select %36, %37, %38 : tensor<7xi1>, tensor<7xui16>
  check.expect_eq_const %39, dense<[0, 65534, 10, 3, 2, 1, 65535]> : tensor<7xui16>

  // ui32
  %40 = stablehlo.constant dense<[true, false, false, true, false, false, true]> : tensor<7xi1>
  %41 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %42 = stablehlo.constant dense<[4294967295, 4294967294, 10, 3, 2, 1, 0]> : tensor<7xui32>
  %43 = stablehlo.select %40, %41, %42 : tensor<7xi1>, tensor<7xui32>
  check.expect_eq_const %43, dense<[0, 4294967294, 10, 3, 2, 1, 4294967295]> : tensor<7xui32>

  // ui64
  %44 = stablehlo.constant dense<[true, false, false, true, false, false, true]> : tensor<7xi1>
  %45 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<7xui64>
  %46 = stablehlo.constant dense<[18446744073709551615, 18446744073709551614, 10, 3, 2, 1, 0]> : tensor<7xui64>
  %47 = stablehlo.select %44, %45, %46 : tensor<7xi1>, tensor<7xui64>
  check.expect_eq_const %47, dense<[0, 18446744073709551614, 10, 3, 2, 1, 18446744073709551615]> : tensor<7xui64>

  // i1
  %48 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %49 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %50 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %51 = stablehlo.select %48, %49, %50 : tensor<2xi1>, tensor<2xi1>
  check.expect_eq_const %51, dense<[false, false]> : tensor<2xi1>

  // a scalar condition, rank 0, no elements
  %52 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %53 = stablehlo.slice %52 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %54 = stablehlo.reshape %53 : (tensor<1xi1>) -> tensor<i1>
  %55 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0x7FC00000]]> : tensor<2x2xf32>
  %56 = stablehlo.constant dense<[[5.0, 6.0], [-0.0, 8.0]]> : tensor<2x2xf32>
  %57 = stablehlo.select %54, %55, %56 : tensor<i1>, tensor<2x2xf32>
  check.expect_eq_const %57, dense<[[5.0, 6.0], [-0.0, 8.0]]> : tensor<2x2xf32>
  %58 = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %59 = stablehlo.slice %58 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %60 = stablehlo.reshape %59 : (tensor<1xi64>) -> tensor<i64>
  %61 = stablehlo.constant dense<[4, 4]> : tensor<2xi64>
  %62 = stablehlo.slice %61 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %63 = stablehlo.reshape %62 : (tensor<1xi64>) -> tensor<i64>
  %64 = stablehlo.select %54, %60, %63 : tensor<i1>, tensor<i64>
  check.expect_eq_const %64, dense<4> : tensor<i64>
  %65 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %66 = stablehlo.slice %65 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  %67 = stablehlo.reshape %66 : (tensor<1xi1>) -> tensor<i1>
  %68 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 0x7FC00000]]> : tensor<2x2xf32>
  %69 = stablehlo.constant dense<[[5.0, 6.0], [-0.0, 8.0]]> : tensor<2x2xf32>
  %70 = stablehlo.select %67, %68, %69 : tensor<i1>, tensor<2x2xf32>
  check.expect_eq_const %70, dense<[[1.0, 2.0], [3.0, 0x7FC00000]]> : tensor<2x2xf32>
  %71 = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %72 = stablehlo.slice %71 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %73 = stablehlo.reshape %72 : (tensor<1xi64>) -> tensor<i64>
  %74 = stablehlo.constant dense<[4, 4]> : tensor<2xi64>
  %75 = stablehlo.slice %74 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  %76 = stablehlo.reshape %75 : (tensor<1xi64>) -> tensor<i64>
  %77 = stablehlo.select %67, %73, %76 : tensor<i1>, tensor<i64>
  check.expect_eq_const %77, dense<3> : tensor<i64>
  %78 = stablehlo.constant dense<> : tensor<0xi1>
  %79 = stablehlo.constant dense<> : tensor<0xf32>
  %80 = stablehlo.select %78, %79, %79 : tensor<0xi1>, tensor<0xf32>
  check.expect_eq_const %80, dense<> : tensor<0xf32>
  return
}
