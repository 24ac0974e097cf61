// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // f32
  %0 = stablehlo.iota dim = 0 : tensor<3x4xf32>
  check.expect_eq_const %0, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xf32>
  %1 = stablehlo.iota dim = 1 : tensor<3x4xf32>
  check.expect_eq_const %1, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf32>
  %2 = stablehlo.iota dim = 0 : tensor<5xf32>
  check.expect_eq_const %2, dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>

  // f64
  %3 = stablehlo.iota dim = 0 : tensor<3x4xf64>
  check.expect_eq_const %3, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xf64>
  %4 = stablehlo.iota dim = 1 : tensor<3x4xf64>
  check.expect_eq_const %4, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf64>
  %5 = stablehlo.iota dim = 0 : tensor<5xf64>
  check.expect_eq_const %5, dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf64>

  // bf16
  %6 = stablehlo.iota dim = 0 : tensor<3x4xbf16>
  check.expect_eq_const %6, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xbf16>
  %7 = stablehlo.iota dim = 1 : tensor<3x4xbf16>
  check.expect_eq_const %7, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xbf16>
  %8 = stablehlo.iota dim = 0 : tensor<5xbf16>
  check.expect_eq_const %8, dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xbf16>

  // f16
  %9 = stablehlo.iota dim = 0 : tensor<3x4xf16>
  check.expect_eq_const %9, dense<[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]> : tensor<3x4xf16>
  %10 = stablehlo.iota dim = 1 : tensor<3x4xf16>
  check.expect_eq_const %10, dense<[[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]> : tensor<3x4xf16>
  %11 = stablehlo.iota dim = 0 : tensor<5xf16>
  check.expect_eq_const %11, dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf16>

  // i8
  %12 = stablehlo.iota dim = 0 : tensor<3x4xi8>
  check.expect_eq_const %12, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xi8>
  %13 = stablehlo.iota dim = 1 : tensor<3x4xi8>
  check.expect_eq_const %13, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi8>
  %14 = stablehlo.iota dim = 0 : tensor<5xi8>
  check.expect_eq_const %14, dense<[0, 1, 2, 3, 4]> : tensor<5xi8>

  // i16
  %15 = stablehlo.iota dim = 0 : tensor<3x4xi16>
  check.expect_eq_const %15, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xi16>
  %16 = stablehlo.iota dim = 1 : tensor<3x4xi16>
  check.expect_eq_const %16, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi16>
  %17 = stablehlo.iota dim = 0 : tensor<5xi16>
  check.expect_eq_const %17, dense<[0, 1, 2, 3, 4]> : tensor<5xi16>

  // i32
  %18 = stablehlo.iota dim = 0 : tensor<3x4xi32>
  check.expect_eq_const %18, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xi32>
  %19 = stablehlo.iota dim = 1 : tensor<3x4xi32>
  check.expect_eq_const %19, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi32>
  %20 = stablehlo.iota dim = 0 : tensor<5xi32>
  check.expect_eq_const %20, dense<[0, 1, 2, 3, 4]> : tensor<5xi32>

  // i64
  %21 = stablehlo.iota dim = 0 : tensor<3x4xi64>
  check.expect_eq_const %21, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xi64>
  %22 = stablehlo.iota dim = 1 : tensor<3x4xi64>
  check.expect_eq_const %22, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xi64>
  %23 = stablehlo.iota dim = 0 : tensor<5xi64>
  check.expect_eq_const %23, dense<[0, 1, 2, 3, 4]> : tensor<5xi64>

  // ui8
  %24 = stablehlo.iota dim = 0 : tensor<3x4xui8>
  check.expect_eq_const %24, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xui8>
  %25 = stablehlo.iota dim = 1 : tensor<3x4xui8>
  check.expect_eq_const %25, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xui8>
  %26 = stablehlo.iota dim = 0 : tensor<5xui8>
  check.expect_eq_const %26, dense<[0, 1, 2, 3, 4]> : tensor<5xui8>

  // ui16
  %27 = stablehlo.iota dim = 0 : tensor<3x4xui16>
  check.expect_eq_const %27, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xui16>
  %28 = stablehlo.iota dim = 1 : tensor<3x4xui16>
  check.expect_eq_const %28, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xui16>
  %29 = stablehlo.iota dim = 0 : tensor<5xui16>
  check.expect_eq_const %29, dense<[0, 1, 2, 3, 4]> : tensor<5xui16>

  // ui32
  %30 = stablehlo.iota dim = 0 : tensor<3x4xui32>
  check.expect_eq_const %30, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xui32>
  %31 = stablehlo.iota dim = 1 : tensor<3x4xui32>
  check.expect_eq_const %31, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xui32>
  %32 = stablehlo.iota dim = 0 : tensor<5xui32>
  check.expect_eq_const %32, dense<[0, 1, 2, 3, 4]> : tensor<5xui32>

  // ui64
  %33 = stablehlo.iota dim = 0 : tensor<3x4xui64>
  check.expect_eq_const %33, dense<[[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<3x4xui64>
  %34 = stablehlo.iota dim = 1 : tensor<3x4xui64>
  check.expect_eq_const %34, dense<[[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<3x4xui64>
  %35 = stablehlo.iota dim = 0 : tensor<5xui64>
  check.expect_eq_const %35, dense<[0, 1, 2, 3, 4]> : tensor<5xui64>

  // wrapping around, rounding, no elements
  %36 = stablehlo.iota dim = 0 : tensor<300xi8>
  check.expect_eq_const %36, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, -128, -127, -126, -125, -124, -123, -122, -121, -120, -119, -118, -117, -116, -115, -114, -113, -112, -111, -110, -109, -108, -107, -106, -105, -104, -103, -102, -101, -100, -99, -98, -97, -96, -95, -94, -93, -92, -91, -90, -89, -88, -87, -86, -85, -84, -83, -82, -81, -80, -79, -78, -77, -76, -75, -74, -73, -72, -71, -70, -69, -68, -67, -66, -65, -64, -63, -62, -61, -60, -59, -58, -57, -56, -55, -54, -53, -52, -51, -50, -49, -48, -47, -46, -45, -44, -43, -42, -41, -40, -39, -38, -37, -36, -35, -34, -33, -32, -31, -30, -29, -28, -27, -26, -25, -24, -23, -22, -21, -20, -19, -18, -17, -16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43]> : tensor<300xi8>
  %37 = stablehlo.iota dim = 0 : tensor<300xbf16>
  check.expect_eq_const %37, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0, 43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0, 64.0, 65.0, 66.0, 67.0, 68.0, 69.0, 70.0, 71.0, 72.0, 73.0, 74.0, 75.0, 76.0, 77.0, 78.0, 79.0, 80.0, 81.0, 82.0, 83.0, 84.0, 85.0, 86.0, 87.0, 88.0, 89.0, 90.0, 91.0, 92.0, 93.0, 94.0, 95.0, 96.0, 97.0, 98.0, 99.0, 100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0, 109.0, 110.0, 111.0, 112.0, 113.0, 114.0, 115.0, 116.0, 117.0, 118.0, 119.0, 120.0, 121.0, 122.0, 123.0, 124.0, 125.0, 126.0, 127.0, 128.0, 129.0, 130.0, 131.0, 132.0, 133.0, 134.0, 135.0, 136.0, 137.0, 138.0, 139.0, 140.0, 141.0, 142.0, 143.0, 144.0, 145.0, 146.0, 147.0, 148.0, 149.0, 150.0, 151.0, 152.0, 153.0, 154.0, 155.0, 156.0, 157.0, 158.0, 159.0, 160.0, 161.0, 162.0, 163.0, 164.0, 165.0, 166.0, 167.0, 168.0, 169.0, 170.0, 171.0, 172.0, 173.0, 174.0, 175.0, 176.0, 177.0, 178.0, 179.0, 180.0, 181.0, 182.0, 183.0, 184.0, 185.0, 186.0, 187.0, 188.0, 189.0, 190.0, 191.0, 192.0, 193.0, 194.0, 195.0, 196.0, 197.0, 198.0, 199.0, 200.0, 201.0, 202.0, 203.0, 204.0, 205.0, 206.0, 207.0, 208.0, 209.0, 210.0, 211.0, 212.0, 213.0, 214.0, 215.0, 216.0, 217.0, 218.0, 219.0, 220.0, 221.0, 222.0, 223.0, 224.0, 225.0, 226.0, 227.0, 228.0, 229.0, 230.0, 231.0, 232.0, 233.0, 234.0, 235.0, 236.0, 237.0, 238.0, 239.0, 240.0, 241.0, 242.0, 243.0, 244.0, 245.0, 246.0, 247.0, 248.0, 249.0, 250.0, 251.0, 252.0, 253.0, 254.0, 255.0, 256.0, 256.0, 258.0, 260.0, 260.0, 260.0, 262.0, 264.0, 264.0, 264.0, 266.0, 268.0, 268.0, 268.0, 270.0, 272.0, 272.0, 272.0, 274.0, 276.0, 276.0, 276.0, 278.0, 280.0, 280.0, 280.0, 282.0, 284.0, 284.0, 284.0, 286.0, 288.0, 288.0, 288.0, 290.0, 292.0, 292.0, 292.0, 294.0, 296.0, 296.0, 296.0, 298.0, 300.0]> : tensor<300xbf16>
  %38 = stablehlo.iota dim = 1 : tensor<0x2xi32>
  check.expect_eq_const %38, dense<> : tensor<0x2xi32>
  return
}
