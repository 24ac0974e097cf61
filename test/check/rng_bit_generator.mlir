// RUN: ps-run %s --entry=main

// The bits and states that XLA, of jaxlib 0.10.2, computed on a CPU for these ops.

func.func @main() {
  %a0 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s0, %o0 = stablehlo.rng_bit_generator %a0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq_const %s0, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o0, dense<[[655646994, 1896695128, 2948533539], [487076328, 664557070, 1447576271]]> : tensor<2x3xui32>
  %a1 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s1, %o1 = stablehlo.rng_bit_generator %a1, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq_const %s1, dense<[1311768467463790320, 51]> : tensor<2xui64>
  check.expect_eq_const %o1, dense<[[655646994, 487076328, 1896695128, 664557070, 2948533539], [8210681, 491138758, 1019495811, 307604121, 962349673], [198771301, 3879022226, 424914839, 2614157622, 3840313437]]> : tensor<3x5xui32>
  %a2 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s2, %o2 = stablehlo.rng_bit_generator %a2, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %s2, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o2, dense<[655646994, 487076328, 1896695128, 664557070, 2948533539]> : tensor<5xui32>
  %a3 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s3, %o3 = stablehlo.rng_bit_generator %a3, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %s3, dense<[1311768467463790320, 43]> : tensor<2xui64>
  check.expect_eq_const %o3, dense<655646994> : tensor<ui32>
  %a4 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s4, %o4 = stablehlo.rng_bit_generator %a4, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x1x4xui32>)
  check.expect_eq_const %s4, dense<[1311768467463790320, 48]> : tensor<2xui64>
  check.expect_eq_const %o4, dense<[[[655646994, 487076328, 1896695128, 664557070]], [[2948533539, 1447576271, 8210681, 491138758]], [[1019495811, 307604121, 962349673, 1097310057]]]> : tensor<3x1x4xui32>
  %a5 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s5, %o5 = stablehlo.rng_bit_generator %a5, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3x2xui32>)
  check.expect_eq_const %s5, dense<[1311768467463790320, 51]> : tensor<2xui64>
  check.expect_eq_const %o5, dense<[[[655646994, 487076328], [1896695128, 664557070], [2948533539, 1447576271]], [[8210681, 491138758], [1019495811, 307604121], [962349673, 1097310057]], [[198771301, 3879022226], [424914839, 2614157622], [3840313437, 3696584824]]]> : tensor<3x3x2xui32>
  %a6 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s6, %o6 = stablehlo.rng_bit_generator %a6, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui64>)
  check.expect_eq_const %s6, dense<[1311768467463790320, 48]> : tensor<2xui64>
  check.expect_eq_const %o6, dense<[[2091976900071416082, 2854250883872277848, 6217292745359166755], [2109424903416269049, 1321149640829322627, 4712910809349245545]]> : tensor<2x3xui64>
  %a7 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s7, %o7 = stablehlo.rng_bit_generator %a7, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  check.expect_eq_const %s7, dense<[1311768467463790320, 43]> : tensor<2xui64>
  check.expect_eq_const %o7, dense<2091976900071416082> : tensor<ui64>
  %a8 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s8, %o8 = stablehlo.rng_bit_generator %a8, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %s8, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o8, dense<[2091976900071416082, 2854250883872277848, 6217292745359166755]> : tensor<3xui64>
  %a9 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s9, %o9 = stablehlo.rng_bit_generator %a9, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
  check.expect_eq_const %s9, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o9, dense<[24850, 12776, 17752, 22030, 3363]> : tensor<5xui16>
  %a10 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s10, %o10 = stablehlo.rng_bit_generator %a10, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui8>)
  check.expect_eq_const %s10, dense<[1311768467463790320, 48]> : tensor<2xui64>
  check.expect_eq_const %o10, dense<[[18, 88, 35], [232, 14, 207], [249, 131, 105]]> : tensor<3x3xui8>
  %a11 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s11, %o11 = stablehlo.rng_bit_generator %a11, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi32>)
  check.expect_eq_const %s11, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o11, dense<[655646994, 487076328, 1896695128, 664557070]> : tensor<4xi32>
  %a12 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s12, %o12 = stablehlo.rng_bit_generator %a12, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi8>)
  check.expect_eq_const %s12, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o12, dense<[18, -24, 88]> : tensor<3xi8>
  %a13 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s13, %o13 = stablehlo.rng_bit_generator %a13, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xi64>)
  check.expect_eq_const %s13, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o13, dense<[2091976900071416082, 2854250883872277848]> : tensor<2xi64>
  %a14 = stablehlo.constant dense<[7, 18446744073709551615]> : tensor<2xui64>
  %s14, %o14 = stablehlo.rng_bit_generator %a14, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui32>)
  check.expect_eq_const %s14, dense<[7, 4]> : tensor<2xui64>
  check.expect_eq_const %o14, dense<[3493762567, 1599218323, 3901892970, 3158004665, 2964889903, 1334547408, 407867057, 314635895, 730828980]> : tensor<9xui32>
  %a15 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s15, %o15 = stablehlo.rng_bit_generator %a15, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x0xui32>)
  check.expect_eq_const %s15, dense<[1311768467463790320, 42]> : tensor<2xui64>
  check.expect_eq_const %o15, dense<> : tensor<2x0xui32>
  %a16 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s16, %o16 = stablehlo.rng_bit_generator %a16, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq_const %s16, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o16, dense<[[1948957162, 492904417, 1675404705], [2866590953, 2060075712, 3722100647]]> : tensor<2x3xui32>
  %a17 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s17, %o17 = stablehlo.rng_bit_generator %a17, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq_const %s17, dense<[1311768467463790320, 46]> : tensor<2xui64>
  check.expect_eq_const %o17, dense<[[1948957162, 492904417, 1675404705, 2866590953, 2060075712], [3722100647, 428849451, 1928667702, 2208204553, 1993796479], [674875102, 2771533307, 3822403078, 4072363815, 2348513224]]> : tensor<3x5xui32>
  %a18 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s18, %o18 = stablehlo.rng_bit_generator %a18, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %s18, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o18, dense<[1948957162, 492904417, 1675404705, 2866590953, 2060075712]> : tensor<5xui32>
  %a19 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s19, %o19 = stablehlo.rng_bit_generator %a19, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %s19, dense<[1311768467463790320, 43]> : tensor<2xui64>
  check.expect_eq_const %o19, dense<1948957162> : tensor<ui32>
  %a20 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s20, %o20 = stablehlo.rng_bit_generator %a20, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x1x4xui32>)
  check.expect_eq_const %s20, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o20, dense<[[[1948957162, 492904417, 1675404705, 2866590953]], [[2060075712, 3722100647, 428849451, 1928667702]], [[2208204553, 1993796479, 674875102, 2771533307]]]> : tensor<3x1x4xui32>
  %a21 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s21, %o21 = stablehlo.rng_bit_generator %a21, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3x2xui32>)
  check.expect_eq_const %s21, dense<[1311768467463790320, 47]> : tensor<2xui64>
  check.expect_eq_const %o21, dense<[[[1948957162, 492904417], [1675404705, 2866590953], [2060075712, 3722100647]], [[428849451, 1928667702], [2208204553, 1993796479], [674875102, 2771533307]], [[3822403078, 4072363815], [2348513224, 1600118034], [3494257594, 304992833]]]> : tensor<3x3x2xui32>
  %a22 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s22, %o22 = stablehlo.rng_bit_generator %a22, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui64>)
  check.expect_eq_const %s22, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o22, dense<[[2117008353017903594, 12311914395819877793, 15986300553345516224], [8283564705370323243, 8563290674393155337, 11903644914014602974]]> : tensor<2x3xui64>
  %a23 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s23, %o23 = stablehlo.rng_bit_generator %a23, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  check.expect_eq_const %s23, dense<[1311768467463790320, 43]> : tensor<2xui64>
  check.expect_eq_const %o23, dense<2117008353017903594> : tensor<ui64>
  %a24 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s24, %o24 = stablehlo.rng_bit_generator %a24, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %s24, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o24, dense<[2117008353017903594, 12311914395819877793, 15986300553345516224]> : tensor<3xui64>
  %a25 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s25, %o25 = stablehlo.rng_bit_generator %a25, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
  check.expect_eq_const %s25, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o25, dense<[47594, 8161, 42401, 46313, 17088]> : tensor<5xui16>
  %a26 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s26, %o26 = stablehlo.rng_bit_generator %a26, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui8>)
  check.expect_eq_const %s26, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o26, dense<[[234, 225, 161], [233, 192, 167], [43, 54, 9]]> : tensor<3x3xui8>
  %a27 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s27, %o27 = stablehlo.rng_bit_generator %a27, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi32>)
  check.expect_eq_const %s27, dense<[1311768467463790320, 43]> : tensor<2xui64>
  check.expect_eq_const %o27, dense<[1948957162, 492904417, 1675404705, -1428376343]> : tensor<4xi32>
  %a28 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s28, %o28 = stablehlo.rng_bit_generator %a28, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi8>)
  check.expect_eq_const %s28, dense<[1311768467463790320, 43]> : tensor<2xui64>
  check.expect_eq_const %o28, dense<[-22, -31, -95]> : tensor<3xi8>
  %a29 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s29, %o29 = stablehlo.rng_bit_generator %a29, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xi64>)
  check.expect_eq_const %s29, dense<[1311768467463790320, 43]> : tensor<2xui64>
  check.expect_eq_const %o29, dense<[2117008353017903594, -6134829677889673823]> : tensor<2xi64>
  %a30 = stablehlo.constant dense<[7, 18446744073709551615]> : tensor<2xui64>
  %s30, %o30 = stablehlo.rng_bit_generator %a30, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui32>)
  check.expect_eq_const %s30, dense<[7, 2]> : tensor<2xui64>
  check.expect_eq_const %o30, dense<[3825527345, 2929620239, 4033760259, 866587273, 2720144846, 492154188, 229061487, 1186289172, 4225153768]> : tensor<9xui32>
  %a31 = stablehlo.constant dense<[7, 18446744073709551615, 3]> : tensor<3xui64>
  %s31, %o31 = stablehlo.rng_bit_generator %a31, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<9xui32>)
  check.expect_eq_const %s31, dense<[7, 2, 4]> : tensor<3xui64>
  check.expect_eq_const %o31, dense<[2585095611, 872755499, 942374094, 2257922725, 3004760025, 2982476881, 1015416266, 3897981549, 1325598047]> : tensor<9xui32>
  %a32 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %s32, %o32 = stablehlo.rng_bit_generator %a32, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui64>)
  check.expect_eq_const %s32, dense<[7, 1, 0]> : tensor<3xui64>
  check.expect_eq_const %o32, dense<[2214995286103804506, 15311286659358546760, 10913456355386337111, 9767073175520677127, 13837866057460644397]> : tensor<5xui64>
  %a33 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s33, %o33 = stablehlo.rng_bit_generator %a33, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x0xui32>)
  check.expect_eq_const %s33, dense<[1311768467463790320, 42]> : tensor<2xui64>
  check.expect_eq_const %o33, dense<> : tensor<2x0xui32>
  %a34 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s34, %o34 = stablehlo.rng_bit_generator %a34, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq_const %s34, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o34, dense<[[1948957162, 492904417, 1675404705], [2866590953, 2060075712, 3722100647]]> : tensor<2x3xui32>
  %a35 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s35, %o35 = stablehlo.rng_bit_generator %a35, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %s35, dense<[1311768467463790320, 44]> : tensor<2xui64>
  check.expect_eq_const %o35, dense<[1948957162, 492904417, 1675404705, 2866590953, 2060075712]> : tensor<5xui32>
  %a36 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s36, %o36 = stablehlo.rng_bit_generator %a36, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui64>)
  check.expect_eq_const %s36, dense<[1311768467463790320, 45]> : tensor<2xui64>
  check.expect_eq_const %o36, dense<[[2117008353017903594, 12311914395819877793, 15986300553345516224], [8283564705370323243, 8563290674393155337, 11903644914014602974]]> : tensor<2x3xui64>
  %a37 = stablehlo.constant dense<[7, 18446744073709551615]> : tensor<2xui64>
  %s37, %o37 = stablehlo.rng_bit_generator %a37, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui32>)
  check.expect_eq_const %s37, dense<[7, 2]> : tensor<2xui64>
  check.expect_eq_const %o37, dense<[3825527345, 2929620239, 4033760259, 866587273, 2720144846, 492154188, 229061487, 1186289172, 4225153768]> : tensor<9xui32>
  %a38 = stablehlo.constant dense<[7, 18446744073709551615, 3]> : tensor<3xui64>
  %s38, %o38 = stablehlo.rng_bit_generator %a38, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<9xui32>)
  check.expect_eq_const %s38, dense<[7, 2, 4]> : tensor<3xui64>
  check.expect_eq_const %o38, dense<[2585095611, 872755499, 942374094, 2257922725, 3004760025, 2982476881, 1015416266, 3897981549, 1325598047]> : tensor<9xui32>
  %a39 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %s39, %o39 = stablehlo.rng_bit_generator %a39, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui64>)
  check.expect_eq_const %s39, dense<[7, 1, 0]> : tensor<3xui64>
  check.expect_eq_const %o39, dense<[2214995286103804506, 15311286659358546760, 10913456355386337111, 9767073175520677127, 13837866057460644397]> : tensor<5xui64>
  %a40 = stablehlo.constant dense<[1311768467463790320, 42]> : tensor<2xui64>
  %s40, %o40 = stablehlo.rng_bit_generator %a40, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x0xui32>)
  check.expect_eq_const %s40, dense<[1311768467463790320, 42]> : tensor<2xui64>
  check.expect_eq_const %o40, dense<> : tensor<2x0xui32>
  return
}
