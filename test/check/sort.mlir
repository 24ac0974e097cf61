// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0xFF800000, 0x7F800000, -1.401298464324817e-45, 1.401298464324817e-45, 1.1754943508222875e-38, -3.4028234663852886e+38, 3.4028234663852886e+38, 0.10000000149011612, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<32xf32>
  %1 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : tensor<32xi32>
  %2:2 = "stablehlo.sort"(%0, %1) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<32xf32>, tensor<32xi32>) -> (tensor<32xf32>, tensor<32xi32>)
  check.expect_eq_const %2#0, dense<[0xFF800000, 0xFF800000, -3.4028234663852886e+38, -3.4028234663852886e+38, -2.5, -2.5, -1.0, -1.0, -1.401298464324817e-45, -1.401298464324817e-45, -0.0, -0.0, 0.0, 0.0, 1.401298464324817e-45, 1.401298464324817e-45, 1.1754943508222875e-38, 1.1754943508222875e-38, 0.10000000149011612, 0.10000000149011612, 1.0, 1.0, 1.5, 1.5, 3.0, 3.0, 3.4028234663852886e+38, 3.4028234663852886e+38, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<32xf32>
  check.expect_eq_const %2#1, dense<[14, 17, 9, 22, 5, 26, 3, 28, 12, 19, 1, 30, 0, 31, 11, 20, 10, 21, 7, 24, 2, 29, 4, 27, 6, 25, 8, 23, 13, 18, 15, 16]> : tensor<32xi32>
  %3 = stablehlo.constant dense<[0.0, 1.0, 1.5, 3.0, 3.4028234663852886e+38, 1.1754943508222875e-38, -1.401298464324817e-45, 0xFF800000, 0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10000000149011612, 3.4028234663852886e+38, -3.4028234663852886e+38, 1.1754943508222875e-38, 1.401298464324817e-45, -1.401298464324817e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<24xf32>
  %4 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %5:2 = "stablehlo.sort"(%3, %4) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xf32>, tensor<24xi32>) -> (tensor<24xf32>, tensor<24xi32>)
  check.expect_eq_const %5#0, dense<[0x7FC00000, 0x7F800000, 3.4028234663852886e+38, 3.4028234663852886e+38, 3.0, 3.0, 1.5, 1.5, 1.0, 1.0, 0.10000000149011612, 1.1754943508222875e-38, 1.1754943508222875e-38, 1.401298464324817e-45, 0.0, 0.0, -0.0, -1.401298464324817e-45, -1.401298464324817e-45, -1.0, -2.5, -3.4028234663852886e+38, 0xFF800000, 0xFF800000]> : tensor<24xf32>
  check.expect_eq_const %5#1, dense<[23, 21, 4, 16, 3, 14, 2, 12, 1, 10, 15, 5, 18, 19, 0, 8, 9, 6, 20, 11, 13, 17, 7, 22]> : tensor<24xi32>

  // f64
  %6 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000, -5.0e-324, 5.0e-324, 2.2250738585072014e-308, -1.7976931348623157e+308, 1.7976931348623157e+308, 0.1, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<32xf64>
  %7 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : tensor<32xi32>
  %8:2 = "stablehlo.sort"(%6, %7) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<32xf64>, tensor<32xi32>) -> (tensor<32xf64>, tensor<32xi32>)
  check.expect_eq_const %8#0, dense<[0xFFF0000000000000, 0xFFF0000000000000, -1.7976931348623157e+308, -1.7976931348623157e+308, -2.5, -2.5, -1.0, -1.0, -5.0e-324, -5.0e-324, -0.0, -0.0, 0.0, 0.0, 5.0e-324, 5.0e-324, 2.2250738585072014e-308, 2.2250738585072014e-308, 0.1, 0.1, 1.0, 1.0, 1.5, 1.5, 3.0, 3.0, 1.7976931348623157e+308, 1.7976931348623157e+308, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<32xf64>
  check.expect_eq_const %8#1, dense<[14, 17, 9, 22, 5, 26, 3, 28, 12, 19, 1, 30, 0, 31, 11, 20, 10, 21, 7, 24, 2, 29, 4, 27, 6, 25, 8, 23, 13, 18, 15, 16]> : tensor<32xi32>
  %9 = stablehlo.constant dense<[0.0, 1.0, 1.5, 3.0, 1.7976931348623157e+308, 2.2250738585072014e-308, -5.0e-324, 0xFFF0000000000000, 0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.1, 1.7976931348623157e+308, -1.7976931348623157e+308, 2.2250738585072014e-308, 5.0e-324, -5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<24xf64>
  %10 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %11:2 = "stablehlo.sort"(%9, %10) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xf64>, tensor<24xi32>) -> (tensor<24xf64>, tensor<24xi32>)
  check.expect_eq_const %11#0, dense<[0x7FF8000000000000, 0x7FF0000000000000, 1.7976931348623157e+308, 1.7976931348623157e+308, 3.0, 3.0, 1.5, 1.5, 1.0, 1.0, 0.1, 2.2250738585072014e-308, 2.2250738585072014e-308, 5.0e-324, 0.0, 0.0, -0.0, -5.0e-324, -5.0e-324, -1.0, -2.5, -1.7976931348623157e+308, 0xFFF0000000000000, 0xFFF0000000000000]> : tensor<24xf64>
  check.expect_eq_const %11#1, dense<[23, 21, 4, 16, 3, 14, 2, 12, 1, 10, 15, 5, 18, 19, 0, 8, 9, 6, 20, 11, 13, 17, 7, 22]> : tensor<24xi32>

  // bf16
  %12 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0, 0x7FC0, 0xFF80, 0x7F80, -9.183549615799121e-41, 9.183549615799121e-41, 1.1754943508222875e-38, -3.3895313892515355e+38, 3.3895313892515355e+38, 0.10009765625, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<32xbf16>
  %13 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : tensor<32xi32>
  %14:2 = "stablehlo.sort"(%12, %13) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<32xbf16>, tensor<32xi32>) -> (tensor<32xbf16>, tensor<32xi32>)
  check.expect_eq_const %14#0, dense<[0xFF80, 0xFF80, -3.3895313892515355e+38, -3.3895313892515355e+38, -2.5, -2.5, -1.0, -1.0, -9.183549615799121e-41, -9.183549615799121e-41, -0.0, -0.0, 0.0, 0.0, 9.183549615799121e-41, 9.183549615799121e-41, 1.1754943508222875e-38, 1.1754943508222875e-38, 0.10009765625, 0.10009765625, 1.0, 1.0, 1.5, 1.5, 3.0, 3.0, 3.3895313892515355e+38, 3.3895313892515355e+38, 0x7F80, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<32xbf16>
  check.expect_eq_const %14#1, dense<[14, 17, 9, 22, 5, 26, 3, 28, 12, 19, 1, 30, 0, 31, 11, 20, 10, 21, 7, 24, 2, 29, 4, 27, 6, 25, 8, 23, 13, 18, 15, 16]> : tensor<32xi32>
  %15 = stablehlo.constant dense<[0.0, 1.0, 1.5, 3.0, 3.3895313892515355e+38, 1.1754943508222875e-38, -9.183549615799121e-41, 0xFF80, 0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.10009765625, 3.3895313892515355e+38, -3.3895313892515355e+38, 1.1754943508222875e-38, 9.183549615799121e-41, -9.183549615799121e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<24xbf16>
  %16 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %17:2 = "stablehlo.sort"(%15, %16) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xbf16>, tensor<24xi32>) -> (tensor<24xbf16>, tensor<24xi32>)
  check.expect_eq_const %17#0, dense<[0x7FC0, 0x7F80, 3.3895313892515355e+38, 3.3895313892515355e+38, 3.0, 3.0, 1.5, 1.5, 1.0, 1.0, 0.10009765625, 1.1754943508222875e-38, 1.1754943508222875e-38, 9.183549615799121e-41, 0.0, 0.0, -0.0, -9.183549615799121e-41, -9.183549615799121e-41, -1.0, -2.5, -3.3895313892515355e+38, 0xFF80, 0xFF80]> : tensor<24xbf16>
  check.expect_eq_const %17#1, dense<[23, 21, 4, 16, 3, 14, 2, 12, 1, 10, 15, 5, 18, 19, 0, 8, 9, 6, 20, 11, 13, 17, 7, 22]> : tensor<24xi32>

  // f16
  %18 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00, 0x7E00, 0xFC00, 0x7C00, -5.960464477539063e-08, 5.960464477539063e-08, 6.103515625e-05, -65504.0, 65504.0, 0.0999755859375, 3.0, -2.5, 1.5, -1.0, 1.0, -0.0, 0.0]> : tensor<32xf16>
  %19 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]> : tensor<32xi32>
  %20:2 = "stablehlo.sort"(%18, %19) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<32xf16>, tensor<32xi32>) -> (tensor<32xf16>, tensor<32xi32>)
  check.expect_eq_const %20#0, dense<[0xFC00, 0xFC00, -65504.0, -65504.0, -2.5, -2.5, -1.0, -1.0, -5.960464477539063e-08, -5.960464477539063e-08, -0.0, -0.0, 0.0, 0.0, 5.960464477539063e-08, 5.960464477539063e-08, 6.103515625e-05, 6.103515625e-05, 0.0999755859375, 0.0999755859375, 1.0, 1.0, 1.5, 1.5, 3.0, 3.0, 65504.0, 65504.0, 0x7C00, 0x7C00, 0x7E00, 0x7E00]> : tensor<32xf16>
  check.expect_eq_const %20#1, dense<[14, 17, 9, 22, 5, 26, 3, 28, 12, 19, 1, 30, 0, 31, 11, 20, 10, 21, 7, 24, 2, 29, 4, 27, 6, 25, 8, 23, 13, 18, 15, 16]> : tensor<32xi32>
  %21 = stablehlo.constant dense<[0.0, 1.0, 1.5, 3.0, 65504.0, 6.103515625e-05, -5.960464477539063e-08, 0xFC00, 0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 3.0, 0.0999755859375, 65504.0, -65504.0, 6.103515625e-05, 5.960464477539063e-08, -5.960464477539063e-08, 0x7C00, 0xFC00, 0x7E00]> : tensor<24xf16>
  %22 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %23:2 = "stablehlo.sort"(%21, %22) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xf16>, tensor<24xi32>) -> (tensor<24xf16>, tensor<24xi32>)
  check.expect_eq_const %23#0, dense<[0x7E00, 0x7C00, 65504.0, 65504.0, 3.0, 3.0, 1.5, 1.5, 1.0, 1.0, 0.0999755859375, 6.103515625e-05, 6.103515625e-05, 5.960464477539063e-08, 0.0, 0.0, -0.0, -5.960464477539063e-08, -5.960464477539063e-08, -1.0, -2.5, -65504.0, 0xFC00, 0xFC00]> : tensor<24xf16>
  check.expect_eq_const %23#1, dense<[23, 21, 4, 16, 3, 14, 2, 12, 1, 10, 15, 5, 18, 19, 0, 8, 9, 6, 20, 11, 13, 17, 7, 22]> : tensor<24xi32>

  // i8
  %24 = stablehlo.constant dense<[-128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127, 127, 126, 10, 3, 2, 1, 0, -1, -2, -7, -127, -128]> : tensor<24xi8>
  %25 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %26:2 = "stablehlo.sort"(%24, %25) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xi8>, tensor<24xi32>) -> (tensor<24xi8>, tensor<24xi32>)
  check.expect_eq_const %26#0, dense<[-128, -128, -127, -127, -7, -7, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 126, 126, 127, 127]> : tensor<24xi8>
  check.expect_eq_const %26#1, dense<[0, 23, 1, 22, 2, 21, 3, 20, 4, 19, 5, 18, 6, 17, 7, 16, 8, 15, 9, 14, 10, 13, 11, 12]> : tensor<24xi32>
  %27 = stablehlo.constant dense<[-128, -7, -1, 1, 3, 126, -128, -127, -7, -2, -1, 0, 1, 2, 3, 10, 126, 127]> : tensor<18xi8>
  %28 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]> : tensor<18xi32>
  %29:2 = "stablehlo.sort"(%27, %28) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<18xi8>, tensor<18xi32>) -> (tensor<18xi8>, tensor<18xi32>)
  check.expect_eq_const %29#0, dense<[127, 126, 126, 10, 3, 3, 2, 1, 1, 0, -1, -1, -2, -7, -7, -127, -128, -128]> : tensor<18xi8>
  check.expect_eq_const %29#1, dense<[17, 5, 16, 15, 4, 14, 13, 3, 12, 11, 2, 10, 9, 1, 8, 7, 0, 6]> : tensor<18xi32>

  // i16
  %30 = stablehlo.constant dense<[-32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767, 32767, 32766, 10, 3, 2, 1, 0, -1, -2, -7, -32767, -32768]> : tensor<24xi16>
  %31 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %32:2 = "stablehlo.sort"(%30, %31) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i16>, %y: tensor<i16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xi16>, tensor<24xi32>) -> (tensor<24xi16>, tensor<24xi32>)
  check.expect_eq_const %32#0, dense<[-32768, -32768, -32767, -32767, -7, -7, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 32766, 32766, 32767, 32767]> : tensor<24xi16>
  check.expect_eq_const %32#1, dense<[0, 23, 1, 22, 2, 21, 3, 20, 4, 19, 5, 18, 6, 17, 7, 16, 8, 15, 9, 14, 10, 13, 11, 12]> : tensor<24xi32>
  %33 = stablehlo.constant dense<[-32768, -7, -1, 1, 3, 32766, -32768, -32767, -7, -2, -1, 0, 1, 2, 3, 10, 32766, 32767]> : tensor<18xi16>
  %34 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]> : tensor<18xi32>
  %35:2 = "stablehlo.sort"(%33, %34) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i16>, %y: tensor<i16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<18xi16>, tensor<18xi32>) -> (tensor<18xi16>, tensor<18xi32>)
  check.expect_eq_const %35#0, dense<[32767, 32766, 32766, 10, 3, 3, 2, 1, 1, 0, -1, -1, -2, -7, -7, -32767, -32768, -32768]> : tensor<18xi16>
  check.expect_eq_const %35#1, dense<[17, 5, 16, 15, 4, 14, 13, 3, 12, 11, 2, 10, 9, 1, 8, 7, 0, 6]> : tensor<18xi32>

  // i32
  %36 = stablehlo.constant dense<[-2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647, 2147483647, 2147483646, 10, 3, 2, 1, 0, -1, -2, -7, -2147483647, -2147483648]> : tensor<24xi32>
  %37 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %38:2 = "stablehlo.sort"(%36, %37) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xi32>, tensor<24xi32>) -> (tensor<24xi32>, tensor<24xi32>)
  check.expect_eq_const %38#0, dense<[-2147483648, -2147483648, -2147483647, -2147483647, -7, -7, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 2147483646, 2147483646, 2147483647, 2147483647]> : tensor<24xi32>
  check.expect_eq_const %38#1, dense<[0, 23, 1, 22, 2, 21, 3, 20, 4, 19, 5, 18, 6, 17, 7, 16, 8, 15, 9, 14, 10, 13, 11, 12]> : tensor<24xi32>
  %39 = stablehlo.constant dense<[-2147483648, -7, -1, 1, 3, 2147483646, -2147483648, -2147483647, -7, -2, -1, 0, 1, 2, 3, 10, 2147483646, 2147483647]> : tensor<18xi32>
  %40 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]> : tensor<18xi32>
  %41:2 = "stablehlo.sort"(%39, %40) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<18xi32>, tensor<18xi32>) -> (tensor<18xi32>, tensor<18xi32>)
  check.expect_eq_const %41#0, dense<[2147483647, 2147483646, 2147483646, 10, 3, 3, 2, 1, 1, 0, -1, -1, -2, -7, -7, -2147483647, -2147483648, -2147483648]> : tensor<18xi32>
  check.expect_eq_const %41#1, dense<[17, 5, 16, 15, 4, 14, 13, 3, 12, 11, 2, 10, 9, 1, 8, 7, 0, 6]> : tensor<18xi32>

  // i64
  %42 = stablehlo.constant dense<[-9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807, 9223372036854775807, 9223372036854775806, 10, 3, 2, 1, 0, -1, -2, -7, -9223372036854775807, -9223372036854775808]> : tensor<24xi64>
  %43 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi32>
  %44:2 = "stablehlo.sort"(%42, %43) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<24xi64>, tensor<24xi32>) -> (tensor<24xi64>, tensor<24xi32>)
  check.expect_eq_const %44#0, dense<[-9223372036854775808, -9223372036854775808, -9223372036854775807, -9223372036854775807, -7, -7, -2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 9223372036854775806, 9223372036854775806, 9223372036854775807, 9223372036854775807]> : tensor<24xi64>
  check.expect_eq_const %44#1, dense<[0, 23, 1, 22, 2, 21, 3, 20, 4, 19, 5, 18, 6, 17, 7, 16, 8, 15, 9, 14, 10, 13, 11, 12]> : tensor<24xi32>
  %45 = stablehlo.constant dense<[-9223372036854775808, -7, -1, 1, 3, 9223372036854775806, -9223372036854775808, -9223372036854775807, -7, -2, -1, 0, 1, 2, 3, 10, 9223372036854775806, 9223372036854775807]> : tensor<18xi64>
  %46 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]> : tensor<18xi32>
  %47:2 = "stablehlo.sort"(%45, %46) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<18xi64>, tensor<18xi32>) -> (tensor<18xi64>, tensor<18xi32>)
  check.expect_eq_const %47#0, dense<[9223372036854775807, 9223372036854775806, 9223372036854775806, 10, 3, 3, 2, 1, 1, 0, -1, -1, -2, -7, -7, -9223372036854775807, -9223372036854775808, -9223372036854775808]> : tensor<18xi64>
  check.expect_eq_const %47#1, dense<[17, 5, 16, 15, 4, 14, 13, 3, 12, 11, 2, 10, 9, 1, 8, 7, 0, 6]> : tensor<18xi32>

  // ui8
  %48 = stablehlo.constant dense<[0, 1, 2, 3, 10, 254, 255, 255, 254, 10, 3, 2, 1, 0]> : tensor<14xui8>
  %49 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]> : tensor<14xi32>
  %50:2 = "stablehlo.sort"(%48, %49) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui8>, %y: tensor<ui8>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<14xui8>, tensor<14xi32>) -> (tensor<14xui8>, tensor<14xi32>)
  check.expect_eq_const %50#0, dense<[0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 254, 254, 255, 255]> : tensor<14xui8>
  check.expect_eq_const %50#1, dense<[0, 13, 1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6, 7]> : tensor<14xi32>
  %51 = stablehlo.constant dense<[0, 2, 10, 255, 0, 1, 2, 3, 10, 254, 255]> : tensor<11xui8>
  %52 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<11xi32>
  %53:2 = "stablehlo.sort"(%51, %52) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui8>, %y: tensor<ui8>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<11xui8>, tensor<11xi32>) -> (tensor<11xui8>, tensor<11xi32>)
  check.expect_eq_const %53#0, dense<[255, 255, 254, 10, 10, 3, 2, 2, 1, 0, 0]> : tensor<11xui8>
  check.expect_eq_const %53#1, dense<[3, 10, 9, 2, 8, 7, 1, 6, 5, 0, 4]> : tensor<11xi32>

  // ui16
  %54 = stablehlo.constant dense<[0, 1, 2, 3, 10, 65534, 65535, 65535, 65534, 10, 3, 2, 1, 0]> : tensor<14xui16>
  %55 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]> : tensor<14xi32>
  %56:2 = "stablehlo.sort"(%54, %55) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui16>, %y: tensor<ui16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<14xui16>, tensor<14xi32>) -> (tensor<14xui16>, tensor<14xi32>)
  check.expect_eq_const %56#0, dense<[0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 65534, 65534, 65535, 65535]> : tensor<14xui16>
  check.expect_eq_const %56#1, dense<[0, 13, 1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6, 7]> : tensor<14xi32>
  %57 = stablehlo.constant dense<[0, 2, 10, 65535, 0, 1, 2, 3, 10, 65534, 65535]> : tensor<11xui16>
  %58 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<11xi32>
  %59:2 = "stablehlo.sort"(%57, %58) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui16>, %y: tensor<ui16>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<11xui16>, tensor<11xi32>) -> (tensor<11xui16>, tensor<11xi32>)
  check.expect_eq_const %59#0, dense<[65535, 65535, 65534, 10, 10, 3, 2, 2, 1, 0, 0]> : tensor<11xui16>
  check.expect_eq_const %59#1, dense<[3, 10, 9, 2, 8, 7, 1, 6, 5, 0, 4]> : tensor<11xi32>

  // ui32
  %60 = stablehlo.constant dense<[0, 1, 2, 3, 10, 4294967294, 4294967295, 4294967295, 4294967294, 10, 3, 2, 1, 0]> : tensor<14xui32>
  %61 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]> : tensor<14xi32>
  %62:2 = "stablehlo.sort"(%60, %61) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui32>, %y: tensor<ui32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<14xui32>, tensor<14xi32>) -> (tensor<14xui32>, tensor<14xi32>)
  check.expect_eq_const %62#0, dense<[0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 4294967294, 4294967294, 4294967295, 4294967295]> : tensor<14xui32>
  check.expect_eq_const %62#1, dense<[0, 13, 1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6, 7]> : tensor<14xi32>
  %63 = stablehlo.constant dense<[0, 2, 10, 4294967295, 0, 1, 2, 3, 10, 4294967294, 4294967295]> : tensor<11xui32>
  %64 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<11xi32>
  %65:2 = "stablehlo.sort"(%63, %64) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui32>, %y: tensor<ui32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<11xui32>, tensor<11xi32>) -> (tensor<11xui32>, tensor<11xi32>)
  check.expect_eq_const %65#0, dense<[4294967295, 4294967295, 4294967294, 10, 10, 3, 2, 2, 1, 0, 0]> : tensor<11xui32>
  check.expect_eq_const %65#1, dense<[3, 10, 9, 2, 8, 7, 1, 6, 5, 0, 4]> : tensor<11xi32>

  // ui64
  %66 = stablehlo.constant dense<[0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615, 18446744073709551615, 18446744073709551614, 10, 3, 2, 1, 0]> : tensor<14xui64>
  %67 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]> : tensor<14xi32>
  %68:2 = "stablehlo.sort"(%66, %67) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui64>, %y: tensor<ui64>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<14xui64>, tensor<14xi32>) -> (tensor<14xui64>, tensor<14xi32>)
  check.expect_eq_const %68#0, dense<[0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 18446744073709551614, 18446744073709551614, 18446744073709551615, 18446744073709551615]> : tensor<14xui64>
  check.expect_eq_const %68#1, dense<[0, 13, 1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6, 7]> : tensor<14xi32>
  %69 = stablehlo.constant dense<[0, 2, 10, 18446744073709551615, 0, 1, 2, 3, 10, 18446744073709551614, 18446744073709551615]> : tensor<11xui64>
  %70 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<11xi32>
  %71:2 = "stablehlo.sort"(%69, %70) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<ui64>, %y: tensor<ui64>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<11xui64>, tensor<11xi32>) -> (tensor<11xui64>, tensor<11xi32>)
  check.expect_eq_const %71#0, dense<[18446744073709551615, 18446744073709551615, 18446744073709551614, 10, 10, 3, 2, 2, 1, 0, 0]> : tensor<11xui64>
  check.expect_eq_const %71#1, dense<[3, 10, 9, 2, 8, 7, 1, 6, 5, 0, 4]> : tensor<11xi32>

  // i1
  %72 = stablehlo.constant dense<[true, false, true, false, false, true, false, true]> : tensor<8xi1>
  %73 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
  %74:2 = "stablehlo.sort"(%72, %73) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<8xi1>, tensor<8xi32>) -> (tensor<8xi1>, tensor<8xi32>)
  check.expect_eq_const %74#0, dense<[false, false, false, false, true, true, true, true]> : tensor<8xi1>
  check.expect_eq_const %74#1, dense<[1, 3, 4, 6, 0, 2, 5, 7]> : tensor<8xi32>
  %75 = stablehlo.constant dense<[true, true, true, false, true, false]> : tensor<6xi1>
  %76 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %77:2 = "stablehlo.sort"(%75, %76) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare GT, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<6xi1>, tensor<6xi32>) -> (tensor<6xi1>, tensor<6xi32>)
  check.expect_eq_const %77#0, dense<[true, true, true, true, false, false]> : tensor<6xi1>
  check.expect_eq_const %77#1, dense<[0, 1, 2, 4, 3, 5]> : tensor<6xi32>

  // equal elements keep their order, for every length
  %78 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %79 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %80:2 = "stablehlo.sort"(%78, %79) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %80#0, dense<[3]> : tensor<1xi32>
  check.expect_eq_const %80#1, dense<[0]> : tensor<1xi32>
  %81 = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %82 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %83:2 = "stablehlo.sort"(%81, %82) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %83#0, dense<[2, 3]> : tensor<2xi32>
  check.expect_eq_const %83#1, dense<[1, 0]> : tensor<2xi32>
  %84 = stablehlo.constant dense<[3, 2, 3]> : tensor<3xi32>
  %85 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %86:2 = "stablehlo.sort"(%84, %85) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %86#0, dense<[2, 3, 3]> : tensor<3xi32>
  check.expect_eq_const %86#1, dense<[1, 0, 2]> : tensor<3xi32>
  %87 = stablehlo.constant dense<[3, 2, 3, 2]> : tensor<4xi32>
  %88 = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %89:2 = "stablehlo.sort"(%87, %88) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %89#0, dense<[2, 2, 3, 3]> : tensor<4xi32>
  check.expect_eq_const %89#1, dense<[1, 3, 0, 2]> : tensor<4xi32>
  %90 = stablehlo.constant dense<[3, 2, 3, 2, 3]> : tensor<5xi32>
  %91 = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %92:2 = "stablehlo.sort"(%90, %91) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
  check.expect_eq_const %92#0, dense<[2, 2, 3, 3, 3]> : tensor<5xi32>
  check.expect_eq_const %92#1, dense<[1, 3, 0, 2, 4]> : tensor<5xi32>
  %93 = stablehlo.constant dense<[3, 2, 3, 2, 3, 2]> : tensor<6xi32>
  %94 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %95:2 = "stablehlo.sort"(%93, %94) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
  check.expect_eq_const %95#0, dense<[2, 2, 2, 3, 3, 3]> : tensor<6xi32>
  check.expect_eq_const %95#1, dense<[1, 3, 5, 0, 2, 4]> : tensor<6xi32>
  %96 = stablehlo.constant dense<[3, 2, 3, 2, 3, 2, 3]> : tensor<7xi32>
  %97 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi32>
  %98:2 = "stablehlo.sort"(%96, %97) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<7xi32>, tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
  check.expect_eq_const %98#0, dense<[2, 2, 2, 3, 3, 3, 3]> : tensor<7xi32>
  check.expect_eq_const %98#1, dense<[1, 3, 5, 0, 2, 4, 6]> : tensor<7xi32>
  %99 = stablehlo.constant dense<[3, 2, 3, 2, 3, 2, 3, 2]> : tensor<8xi32>
  %100 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
  %101:2 = "stablehlo.sort"(%99, %100) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>)
  check.expect_eq_const %101#0, dense<[2, 2, 2, 2, 3, 3, 3, 3]> : tensor<8xi32>
  check.expect_eq_const %101#1, dense<[1, 3, 5, 7, 0, 2, 4, 6]> : tensor<8xi32>
  %102 = stablehlo.constant dense<[3, 2, 3, 2, 3, 2, 3, 2, 3]> : tensor<9xi32>
  %103 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8]> : tensor<9xi32>
  %104:2 = "stablehlo.sort"(%102, %103) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p0: tensor<i32>, %q0: tensor<i32>):
    %before = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>)
  check.expect_eq_const %104#0, dense<[2, 2, 2, 2, 3, 3, 3, 3, 3]> : tensor<9xi32>
  check.expect_eq_const %104#1, dense<[1, 3, 5, 7, 0, 2, 4, 6, 8]> : tensor<9xi32>

  // dimensions
  %105 = stablehlo.constant dense<[[3.0, 1.0, 6.0], [4.0, 2.0, 0.0], [5.0, 3.0, 1.0], [6.0, 4.0, 2.0]]> : tensor<4x3xf32>
  %106 = "stablehlo.sort"(%105) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  check.expect_eq_const %106, dense<[[3.0, 1.0, 0.0], [4.0, 2.0, 1.0], [5.0, 3.0, 2.0], [6.0, 4.0, 6.0]]> : tensor<4x3xf32>
  %107 = stablehlo.constant dense<[[3.0, 1.0, 6.0], [4.0, 2.0, 0.0], [5.0, 3.0, 1.0], [6.0, 4.0, 2.0]]> : tensor<4x3xf32>
  %108 = "stablehlo.sort"(%107) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  check.expect_eq_const %108, dense<[[1.0, 3.0, 6.0], [0.0, 2.0, 4.0], [1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]> : tensor<4x3xf32>
  %109 = stablehlo.constant dense<[[[3.0, 1.0], [6.0, 4.0], [2.0, 0.0]], [[5.0, 3.0], [1.0, 6.0], [4.0, 2.0]]]> : tensor<2x3x2xf32>
  %110 = "stablehlo.sort"(%109) <{dimension = -2 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %110, dense<[[[2.0, 0.0], [3.0, 1.0], [6.0, 4.0]], [[1.0, 2.0], [4.0, 3.0], [5.0, 6.0]]]> : tensor<2x3x2xf32>
  %111 = stablehlo.constant dense<> : tensor<2x0xf32>
  %112 = "stablehlo.sort"(%111) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x0xf32>) -> tensor<2x0xf32>
  check.expect_eq_const %112, dense<> : tensor<2x0xf32>
  %113 = stablehlo.constant dense<> : tensor<2x0xf32>
  %114 = "stablehlo.sort"(%113) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %before = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x0xf32>) -> tensor<2x0xf32>
  check.expect_eq_const %114, dense<> : tensor<2x0xf32>

  // a comparator that is no order gives some permutation
  %115 = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %116 = "stablehlo.sort"(%115) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %before = stablehlo.compare NE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  %117 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %118 = stablehlo.slice %117 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %119 = stablehlo.reshape %118 : (tensor<1xi32>) -> tensor<i32>
  %120 = stablehlo.reduce(%116 init: %119) applies stablehlo.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %120, dense<6> : tensor<i32>
  return
}
