// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32 to ui32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<16xf32>) -> tensor<16xui32>
  check.expect_eq_const %1, dense<[0, 2147483648, 1065353216, 3212836864, 1069547520, 3223322624, 1077936128, 1036831949, 2139095039, 4286578687, 8388608, 1, 2147483649, 2139095040, 4286578688, 2143289344]> : tensor<16xui32>

  // ui32 to f32
  %2 = stablehlo.constant dense<[0, 2147483648, 1065353216, 3212836864, 1069547520, 3223322624, 1077936128, 1036831949, 2139095039, 4286578687, 8388608, 1, 2147483649, 2139095040, 4286578688, 2143289344]> : tensor<16xui32>
  %3 = stablehlo.bitcast_convert %2 : (tensor<16xui32>) -> tensor<16xf32>
  check.expect_eq_const %3, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>

  // f64 to i64
  %4 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>
  %5 = stablehlo.bitcast_convert %4 : (tensor<16xf64>) -> tensor<16xi64>
  check.expect_eq_const %5, dense<[0, -9223372036854775808, 4607182418800017408, -4616189618054758400, 4609434218613702656, -4610560118520545280, 4613937818241073152, 4591870180066957722, 9218868437227405311, -4503599627370497, 4503599627370496, 1, -9223372036854775807, 9218868437227405312, -4503599627370496, 9221120237041090560]> : tensor<16xi64>

  // i64 to f64
  %6 = stablehlo.constant dense<[0, -9223372036854775808, 4607182418800017408, -4616189618054758400, 4609434218613702656, -4610560118520545280, 4613937818241073152, 4591870180066957722, 9218868437227405311, -4503599627370497, 4503599627370496, 1, -9223372036854775807, 9218868437227405312, -4503599627370496, 9221120237041090560]> : tensor<16xi64>
  %7 = stablehlo.bitcast_convert %6 : (tensor<16xi64>) -> tensor<16xf64>
  check.expect_eq_const %7, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<16xf64>

  // bf16 to i16
  %8 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>
  %9 = stablehlo.bitcast_convert %8 : (tensor<16xbf16>) -> tensor<16xi16>
  check.expect_eq_const %9, dense<[0, -32768, 16256, -16512, 16320, -16352, 16448, 15821, 32639, -129, 128, 1, -32767, 32640, -128, 32704]> : tensor<16xi16>

  // i16 to bf16
  %10 = stablehlo.constant dense<[0, -32768, 16256, -16512, 16320, -16352, 16448, 15821, 32639, -129, 128, 1, -32767, 32640, -128, 32704]> : tensor<16xi16>
  %11 = stablehlo.bitcast_convert %10 : (tensor<16xi16>) -> tensor<16xbf16>
  check.expect_eq_const %11, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<16xbf16>

  // f16 to ui16
  %12 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>
  %13 = stablehlo.bitcast_convert %12 : (tensor<16xf16>) -> tensor<16xui16>
  check.expect_eq_const %13, dense<[0, 32768, 15360, 48128, 15872, 49408, 16896, 11878, 31743, 64511, 1024, 1, 32769, 31744, 64512, 32256]> : tensor<16xui16>

  // ui16 to f16
  %14 = stablehlo.constant dense<[0, 32768, 15360, 48128, 15872, 49408, 16896, 11878, 31743, 64511, 1024, 1, 32769, 31744, 64512, 32256]> : tensor<16xui16>
  %15 = stablehlo.bitcast_convert %14 : (tensor<16xui16>) -> tensor<16xf16>
  check.expect_eq_const %15, dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<16xf16>

  // 2 of ui32 are one ui64
  %16 = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xui32>
  %17 = stablehlo.bitcast_convert %16 : (tensor<3x2xui32>) -> tensor<3xui64>
  check.expect_eq_const %17, dense<[4294967296, 12884901890, 21474836484]> : tensor<3xui64>
  %18 = stablehlo.constant dense<[4294967296, 12884901890, 21474836484]> : tensor<3xui64>
  %19 = stablehlo.bitcast_convert %18 : (tensor<3xui64>) -> tensor<3x2xui32>
  check.expect_eq_const %19, dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xui32>

  // 4 of i8 are one i32
  %20 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi8>
  %21 = stablehlo.bitcast_convert %20 : (tensor<3x4xi8>) -> tensor<3xi32>
  check.expect_eq_const %21, dense<[50462976, 117835012, 185207048]> : tensor<3xi32>
  %22 = stablehlo.constant dense<[50462976, 117835012, 185207048]> : tensor<3xi32>
  %23 = stablehlo.bitcast_convert %22 : (tensor<3xi32>) -> tensor<3x4xi8>
  check.expect_eq_const %23, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi8>

  // 2 of f32 are one i64
  %24 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %25 = stablehlo.bitcast_convert %24 : (tensor<3x2xf32>) -> tensor<3xi64>
  check.expect_eq_const %25, dense<[4575657221408423936, 4629700418010611712, 4656722015783223296]> : tensor<3xi64>
  %26 = stablehlo.constant dense<[4575657221408423936, 4629700418010611712, 4656722015783223296]> : tensor<3xi64>
  %27 = stablehlo.bitcast_convert %26 : (tensor<3xi64>) -> tensor<3x2xf32>
  check.expect_eq_const %27, dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>

  // 4 of ui16 are one f64
  %28 = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui16>
  %29 = stablehlo.bitcast_convert %28 : (tensor<3x4xui16>) -> tensor<3xf64>
  check.expect_eq_const %29, dense<[4.172055924940613e-309, 9.73482545233544e-309, 1.5297594979730263e-308]> : tensor<3xf64>
  %30 = stablehlo.constant dense<[4.172055924940613e-309, 9.73482545233544e-309, 1.5297594979730263e-308]> : tensor<3xf64>
  %31 = stablehlo.bitcast_convert %30 : (tensor<3xf64>) -> tensor<3x4xui16>
  check.expect_eq_const %31, dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xui16>

  // i8 to ui8
  %32 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xi8>
  %33 = stablehlo.bitcast_convert %32 : (tensor<12xi8>) -> tensor<12xui8>
  check.expect_eq_const %33, dense<[128, 129, 249, 254, 255, 0, 1, 2, 3, 10, 126, 127]> : tensor<12xui8>

  // ui32 to i32
  %34 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<7xui32>
  %35 = stablehlo.bitcast_convert %34 : (tensor<7xui32>) -> tensor<7xi32>
  check.expect_eq_const %35, dense<[0, 1, 2, 3, 10, -2, -1]> : tensor<7xi32>

  // i64 to ui64
  %36 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xi64>
  %37 = stablehlo.bitcast_convert %36 : (tensor<12xi64>) -> tensor<12xui64>
  check.expect_eq_const %37, dense<[9223372036854775808, 9223372036854775809, 18446744073709551609, 18446744073709551614, 18446744073709551615, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<12xui64>
  return
}
