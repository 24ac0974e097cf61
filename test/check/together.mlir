// RUN: ps-run %s --entry=main
// Made by generate.py.

func.func @main() {
  // i32, graph 0
  %0 = stablehlo.constant dense<[[[4], [-2]]]> : tensor<1x2x1xi32>
  %1 = stablehlo.constant dense<-2> : tensor<i32>
  %2 = stablehlo.constant dense<[[-3, -3], [-3, -3], [-3, -3]]> : tensor<3x2xi32>
  %3 = stablehlo.constant dense<-8> : tensor<i32>
  %4 = stablehlo.constant dense<8> : tensor<i32>
  %5 = stablehlo.clamp %3, %2, %4 : (tensor<i32>, tensor<3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  %6 = stablehlo.constant dense<-8> : tensor<i32>
  %7 = stablehlo.constant dense<8> : tensor<i32>
  %8 = stablehlo.clamp %6, %2, %7 : (tensor<i32>, tensor<3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  %9 = stablehlo.dot_general %5, %8, contracting_dims = [1] x [1] : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x3xi32>
  %10 = stablehlo.broadcast_in_dim %2, dims = [1, 3] : (tensor<3x2xi32>) -> tensor<1x3x2x2x1xi32>
  %11 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<1x2x1xi32>, tensor<1x2x1xi32>) -> tensor<2x2x1xi32>
  %12 = stablehlo.minimum %0, %0 : tensor<1x2x1xi32>
  %13 = stablehlo.constant dense<-8> : tensor<i32>
  %14 = stablehlo.constant dense<8> : tensor<i32>
  %15 = stablehlo.clamp %13, %9, %14 : (tensor<i32>, tensor<3x3xi32>, tensor<i32>) -> tensor<3x3xi32>
  %16 = stablehlo.constant dense<-8> : tensor<i32>
  %17 = stablehlo.constant dense<8> : tensor<i32>
  %18 = stablehlo.clamp %16, %9, %17 : (tensor<i32>, tensor<3x3xi32>, tensor<i32>) -> tensor<3x3xi32>
  %19 = stablehlo.multiply %15, %18 : tensor<3x3xi32>
  %20 = stablehlo.slice %19 [3:3:1, 0:1:2] : (tensor<3x3xi32>) -> tensor<0x1xi32>
  %21 = stablehlo.constant dense<-8> : tensor<i32>
  %22 = stablehlo.constant dense<8> : tensor<i32>
  %23 = stablehlo.clamp %21, %11, %22 : (tensor<i32>, tensor<2x2x1xi32>, tensor<i32>) -> tensor<2x2x1xi32>
  %24 = stablehlo.constant dense<-8> : tensor<i32>
  %25 = stablehlo.constant dense<8> : tensor<i32>
  %26 = stablehlo.clamp %24, %20, %25 : (tensor<i32>, tensor<0x1xi32>, tensor<i32>) -> tensor<0x1xi32>
  %27 = stablehlo.dot_general %23, %26, contracting_dims = [2] x [1] : (tensor<2x2x1xi32>, tensor<0x1xi32>) -> tensor<2x2x0xi32>
  %28 = stablehlo.subtract %19, %19 : tensor<3x3xi32>
  %29 = stablehlo.compare GT, %12, %0 : (tensor<1x2x1xi32>, tensor<1x2x1xi32>) -> tensor<1x2x1xi1>
  %30 = stablehlo.select %29, %12, %0 : tensor<1x2x1xi1>, tensor<1x2x1xi32>
  %31 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %32 = stablehlo.reduce(%10 init: %31) applies stablehlo.maximum across dimensions = [4] : (tensor<1x3x2x2x1xi32>, tensor<i32>) -> tensor<1x3x2x2xi32>
  %33 = stablehlo.reverse %28, dims = [0] : tensor<3x3xi32>
  %34 = stablehlo.slice %33 [0:1:1, 2:3:2] : (tensor<3x3xi32>) -> tensor<1x1xi32>
  %35 = stablehlo.compare GT, %32, %32 : (tensor<1x3x2x2xi32>, tensor<1x3x2x2xi32>) -> tensor<1x3x2x2xi1>
  %36 = stablehlo.select %35, %32, %32 : tensor<1x3x2x2xi1>, tensor<1x3x2x2xi32>
  %37 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %38 = stablehlo.reduce(%28 init: %37) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x3xi32>, tensor<i32>) -> tensor<i32>
  %39 = stablehlo.constant dense<5> : tensor<i32>
  %40 = stablehlo.pad %34, %39, low = [-1, -1], high = [3, 1], interior = [0, 0] : (tensor<1x1xi32>, tensor<i32>) -> tensor<3x1xi32>
  %41 = stablehlo.compare GT, %36, %36 : (tensor<1x3x2x2xi32>, tensor<1x3x2x2xi32>) -> tensor<1x3x2x2xi1>
  %42 = stablehlo.select %41, %36, %32 : tensor<1x3x2x2xi1>, tensor<1x3x2x2xi32>
  %43 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 4] : (tensor<1x3x2x2xi32>) -> tensor<1x3x2x1x2xi32>
  %44 = stablehlo.reshape %40 : (tensor<3x1xi32>) -> tensor<3xi32>
  %45 = stablehlo.concatenate %34, %34, dim = 0 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<2x1xi32>
  %46 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %47 = stablehlo.reduce(%43 init: %46) applies stablehlo.maximum across dimensions = [0, 1, 2, 3] : (tensor<1x3x2x1x2xi32>, tensor<i32>) -> tensor<2xi32>
  %48 = stablehlo.constant dense<[2, -3, 2, -3]> : tensor<4xi32>
  %49 = stablehlo.constant dense<0> : tensor<i32>
  %50 = stablehlo.reduce(%43 init: %49) applies stablehlo.add across dimensions = [0, 1, 2, 3, 4] : (tensor<1x3x2x1x2xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<[[[4], [-2]]]> : tensor<1x2x1xi32>
  check.expect_eq_const %11, dense<[[[4], [-2]], [[4], [-2]]]> : tensor<2x2x1xi32>
  check.expect_eq_const %28, dense<[[0, 0, 0], [0, 0, 0], [0, 0, 0]]> : tensor<3x3xi32>
  check.expect_eq_const %36, dense<[[[[-3, -3], [-3, -3]], [[-3, -3], [-3, -3]], [[-3, -3], [-3, -3]]]]> : tensor<1x3x2x2xi32>
  check.expect_eq_const %44, dense<[5, 5, 5]> : tensor<3xi32>
  check.expect_eq_const %45, dense<[[0], [0]]> : tensor<2x1xi32>
  check.expect_eq_const %47, dense<[-3, -3]> : tensor<2xi32>
  check.expect_eq_const %48, dense<[2, -3, 2, -3]> : tensor<4xi32>
  check.expect_eq_const %50, dense<-36> : tensor<i32>

  // i32, graph 1
  %51 = stablehlo.constant dense<[[2], [2]]> : tensor<2x1xi32>
  %52 = stablehlo.iota dim = 1 : tensor<3x3x2xi32>
  %53 = stablehlo.constant dense<-2> : tensor<i32>
  %54 = stablehlo.constant dense<-8> : tensor<i32>
  %55 = stablehlo.constant dense<8> : tensor<i32>
  %56 = stablehlo.clamp %54, %52, %55 : (tensor<i32>, tensor<3x3x2xi32>, tensor<i32>) -> tensor<3x3x2xi32>
  %57 = stablehlo.constant dense<-8> : tensor<i32>
  %58 = stablehlo.constant dense<8> : tensor<i32>
  %59 = stablehlo.clamp %57, %52, %58 : (tensor<i32>, tensor<3x3x2xi32>, tensor<i32>) -> tensor<3x3x2xi32>
  %60 = stablehlo.multiply %56, %59 : tensor<3x3x2xi32>
  %61 = stablehlo.minimum %51, %51 : tensor<2x1xi32>
  %62 = stablehlo.constant dense<0> : tensor<i32>
  %63 = stablehlo.reduce(%53 init: %62) applies stablehlo.add across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %64 = stablehlo.constant dense<[-2, -2, -2]> : tensor<3xi32>
  %65 = stablehlo.constant dense<-8> : tensor<i32>
  %66 = stablehlo.constant dense<8> : tensor<i32>
  %67 = stablehlo.clamp %65, %52, %66 : (tensor<i32>, tensor<3x3x2xi32>, tensor<i32>) -> tensor<3x3x2xi32>
  %68 = stablehlo.constant dense<-8> : tensor<i32>
  %69 = stablehlo.constant dense<8> : tensor<i32>
  %70 = stablehlo.clamp %68, %61, %69 : (tensor<i32>, tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>
  %71 = stablehlo.dot_general %67, %70, contracting_dims = [2] x [0] : (tensor<3x3x2xi32>, tensor<2x1xi32>) -> tensor<3x3x1xi32>
  %72 = stablehlo.broadcast_in_dim %63, dims = [] : (tensor<i32>) -> tensor<i32>
  %73 = stablehlo.iota dim = 0 : tensor<4xi32>
  %74 = stablehlo.concatenate %71, %71, dim = 0 : (tensor<3x3x1xi32>, tensor<3x3x1xi32>) -> tensor<6x3x1xi32>
  %75 = stablehlo.slice %74 [0:2:1, 0:3:1, 0:1:1] : (tensor<6x3x1xi32>) -> tensor<2x3x1xi32>
  %76 = stablehlo.minimum %63, %53 : tensor<i32>
  %77 = stablehlo.transpose %72, dims = [] : (tensor<i32>) -> tensor<i32>
  %78 = stablehlo.constant dense<5> : tensor<i32>
  %79 = stablehlo.pad %72, %78, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %80 = stablehlo.reverse %74, dims = [] : tensor<6x3x1xi32>
  %81 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %82 = stablehlo.reduce(%79 init: %81) applies stablehlo.maximum across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %83 = stablehlo.minimum %77, %53 : tensor<i32>
  %84 = stablehlo.reshape %82 : (tensor<i32>) -> tensor<1x1xi32>
  %85 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 3] : (tensor<6x3x1xi32>) -> tensor<6x3x2x1xi32>
  %86 = stablehlo.constant dense<5> : tensor<i32>
  %87 = stablehlo.pad %77, %86, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %88 = stablehlo.reverse %79, dims = [] : tensor<i32>
  %89 = stablehlo.subtract %84, %84 : tensor<1x1xi32>
  %90 = stablehlo.constant dense<[[2]]> : tensor<1x1xi32>
  %91 = stablehlo.minimum %89, %89 : tensor<1x1xi32>
  check.expect_eq_const %51, dense<[[2], [2]]> : tensor<2x1xi32>
  check.expect_eq_const %63, dense<-2> : tensor<i32>
  check.expect_eq_const %74, dense<[[[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]]]> : tensor<6x3x1xi32>
  check.expect_eq_const %80, dense<[[[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]], [[0], [4], [8]]]> : tensor<6x3x1xi32>
  check.expect_eq_const %87, dense<-2> : tensor<i32>
  check.expect_eq_const %88, dense<-2> : tensor<i32>
  check.expect_eq_const %89, dense<[[0]]> : tensor<1x1xi32>
  check.expect_eq_const %90, dense<[[2]]> : tensor<1x1xi32>
  check.expect_eq_const %91, dense<[[0]]> : tensor<1x1xi32>

  // i32, graph 2
  %92 = stablehlo.constant dense<1> : tensor<i32>
  %93 = stablehlo.constant dense<1> : tensor<i32>
  %94 = stablehlo.constant dense<-1> : tensor<i32>
  %95 = stablehlo.constant dense<0> : tensor<i32>
  %96 = stablehlo.reduce(%94 init: %95) applies stablehlo.add across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %97 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<i32>) -> tensor<i32>
  %98 = stablehlo.slice %97 [] : (tensor<i32>) -> tensor<i32>
  %99 = stablehlo.minimum %92, %92 : tensor<i32>
  %100 = stablehlo.constant dense<5> : tensor<i32>
  %101 = stablehlo.pad %98, %100, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %102 = stablehlo.reshape %93 : (tensor<i32>) -> tensor<1xi32>
  %103 = stablehlo.constant dense<2> : tensor<i32>
  %104 = stablehlo.slice %99 [] : (tensor<i32>) -> tensor<i32>
  %105 = stablehlo.compare GT, %99, %98 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %106 = stablehlo.select %105, %99, %99 : tensor<i1>, tensor<i32>
  %107 = stablehlo.transpose %98, dims = [] : (tensor<i32>) -> tensor<i32>
  %108 = stablehlo.concatenate %102, %102, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %109 = stablehlo.transpose %102, dims = [0] : (tensor<1xi32>) -> tensor<1xi32>
  %110 = stablehlo.constant dense<-8> : tensor<i32>
  %111 = stablehlo.constant dense<8> : tensor<i32>
  %112 = stablehlo.clamp %110, %104, %111 : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %113 = stablehlo.constant dense<-8> : tensor<i32>
  %114 = stablehlo.constant dense<8> : tensor<i32>
  %115 = stablehlo.clamp %113, %103, %114 : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %116 = stablehlo.multiply %112, %115 : tensor<i32>
  %117 = stablehlo.minimum %107, %94 : tensor<i32>
  %118 = stablehlo.broadcast_in_dim %103, dims = [] : (tensor<i32>) -> tensor<i32>
  %119 = stablehlo.reverse %107, dims = [] : tensor<i32>
  %120 = stablehlo.maximum %108, %108 : tensor<2xi32>
  %121 = stablehlo.transpose %108, dims = [0] : (tensor<2xi32>) -> tensor<2xi32>
  %122 = stablehlo.concatenate %120, %121, dim = 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  %123 = stablehlo.reverse %109, dims = [0] : tensor<1xi32>
  %124 = stablehlo.reshape %121 : (tensor<2xi32>) -> tensor<1x2xi32>
  %125 = stablehlo.constant dense<[[1, -2, 4, 2], [-2, 2, 3, 2], [0, 1, 2, 4], [3, 2, 1, 4]]> : tensor<4x4xi32>
  check.expect_eq_const %92, dense<1> : tensor<i32>
  check.expect_eq_const %98, dense<-1> : tensor<i32>
  check.expect_eq_const %104, dense<1> : tensor<i32>
  check.expect_eq_const %116, dense<2> : tensor<i32>
  check.expect_eq_const %121, dense<[1, 1]> : tensor<2xi32>
  check.expect_eq_const %122, dense<[1, 1, 1, 1]> : tensor<4xi32>
  check.expect_eq_const %123, dense<[1]> : tensor<1xi32>
  check.expect_eq_const %124, dense<[[1, 1]]> : tensor<1x2xi32>
  check.expect_eq_const %125, dense<[[1, -2, 4, 2], [-2, 2, 3, 2], [0, 1, 2, 4], [3, 2, 1, 4]]> : tensor<4x4xi32>

  // i32, graph 3
  %126 = stablehlo.constant dense<[[[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]]> : tensor<4x4x3xi32>
  %127 = stablehlo.iota dim = 2 : tensor<2x2x2xi32>
  %128 = stablehlo.iota dim = 0 : tensor<3xi32>
  %129 = stablehlo.compare GT, %128, %128 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %130 = stablehlo.select %129, %128, %128 : tensor<3xi1>, tensor<3xi32>
  %131 = stablehlo.maximum %130, %130 : tensor<3xi32>
  %132 = stablehlo.slice %131 [2:3:2] : (tensor<3xi32>) -> tensor<1xi32>
  %133 = stablehlo.constant dense<[-1, -1, -1, -1]> : tensor<4xi32>
  %134 = stablehlo.transpose %126, dims = [1, 0, 2] : (tensor<4x4x3xi32>) -> tensor<4x4x3xi32>
  %135 = stablehlo.broadcast_in_dim %132, dims = [1] : (tensor<1xi32>) -> tensor<3x1xi32>
  %136 = stablehlo.constant dense<-8> : tensor<i32>
  %137 = stablehlo.constant dense<8> : tensor<i32>
  %138 = stablehlo.clamp %136, %128, %137 : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %139 = stablehlo.constant dense<-8> : tensor<i32>
  %140 = stablehlo.constant dense<8> : tensor<i32>
  %141 = stablehlo.clamp %139, %135, %140 : (tensor<i32>, tensor<3x1xi32>, tensor<i32>) -> tensor<3x1xi32>
  %142 = stablehlo.dot_general %138, %141, contracting_dims = [0] x [0] : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<1xi32>
  %143 = stablehlo.transpose %132, dims = [0] : (tensor<1xi32>) -> tensor<1xi32>
  %144 = stablehlo.transpose %133, dims = [0] : (tensor<4xi32>) -> tensor<4xi32>
  %145 = stablehlo.reverse %144, dims = [0] : tensor<4xi32>
  %146 = stablehlo.constant dense<[[-2, -2, -2], [-2, -2, -2], [-2, -2, -2], [-2, -2, -2]]> : tensor<4x3xi32>
  %147 = stablehlo.broadcast_in_dim %142, dims = [0] : (tensor<1xi32>) -> tensor<1xi32>
  %148 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %149 = stablehlo.reduce(%145 init: %148) applies stablehlo.maximum across dimensions = [] : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %150 = stablehlo.constant dense<[3, 3, -3, -4]> : tensor<4xi32>
  %151 = stablehlo.reshape %149 : (tensor<4xi32>) -> tensor<1x4xi32>
  %152 = stablehlo.constant dense<5> : tensor<i32>
  %153 = stablehlo.pad %149, %152, low = [-1], high = [1], interior = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<7xi32>
  %154 = stablehlo.constant dense<-8> : tensor<i32>
  %155 = stablehlo.constant dense<8> : tensor<i32>
  %156 = stablehlo.clamp %154, %145, %155 : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %157 = stablehlo.constant dense<-8> : tensor<i32>
  %158 = stablehlo.constant dense<8> : tensor<i32>
  %159 = stablehlo.clamp %157, %150, %158 : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %160 = stablehlo.dot_general %156, %159, contracting_dims = [0] x [0] : (tensor<4xi32>, tensor<4xi32>) -> tensor<i32>
  %161 = stablehlo.maximum %153, %153 : tensor<7xi32>
  %162 = stablehlo.iota dim = 0 : tensor<1xi32>
  %163 = stablehlo.add %151, %151 : tensor<1x4xi32>
  %164 = stablehlo.reverse %149, dims = [] : tensor<4xi32>
  %165 = stablehlo.constant dense<0> : tensor<i32>
  %166 = stablehlo.reduce(%150 init: %165) applies stablehlo.add across dimensions = [] : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %126, dense<[[[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]]> : tensor<4x4x3xi32>
  check.expect_eq_const %132, dense<[2]> : tensor<1xi32>
  check.expect_eq_const %143, dense<[2]> : tensor<1xi32>
  check.expect_eq_const %149, dense<[-1, -1, -1, -1]> : tensor<4xi32>
  check.expect_eq_const %161, dense<[5, -1, 5, -1, 5, -1, 5]> : tensor<7xi32>
  check.expect_eq_const %162, dense<[0]> : tensor<1xi32>
  check.expect_eq_const %163, dense<[[-2, -2, -2, -2]]> : tensor<1x4xi32>
  check.expect_eq_const %164, dense<[-1, -1, -1, -1]> : tensor<4xi32>
  check.expect_eq_const %166, dense<[3, 3, -3, -4]> : tensor<4xi32>

  // f32, graph 0
  %167 = stablehlo.constant dense<[[[4.0], [-2.0]]]> : tensor<1x2x1xf32>
  %168 = stablehlo.constant dense<-2.0> : tensor<f32>
  %169 = stablehlo.constant dense<[[-3.0, -3.0], [-3.0, -3.0], [-3.0, -3.0]]> : tensor<3x2xf32>
  %170 = stablehlo.constant dense<-8.0> : tensor<f32>
  %171 = stablehlo.constant dense<8.0> : tensor<f32>
  %172 = stablehlo.clamp %170, %169, %171 : (tensor<f32>, tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %173 = stablehlo.constant dense<-8.0> : tensor<f32>
  %174 = stablehlo.constant dense<8.0> : tensor<f32>
  %175 = stablehlo.clamp %173, %169, %174 : (tensor<f32>, tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %176 = stablehlo.dot_general %172, %175, contracting_dims = [1] x [1] : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  %177 = stablehlo.broadcast_in_dim %169, dims = [1, 3] : (tensor<3x2xf32>) -> tensor<1x3x2x2x1xf32>
  %178 = stablehlo.concatenate %167, %167, dim = 0 : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<2x2x1xf32>
  %179 = stablehlo.minimum %167, %167 : tensor<1x2x1xf32>
  %180 = stablehlo.constant dense<-8.0> : tensor<f32>
  %181 = stablehlo.constant dense<8.0> : tensor<f32>
  %182 = stablehlo.clamp %180, %176, %181 : (tensor<f32>, tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %183 = stablehlo.constant dense<-8.0> : tensor<f32>
  %184 = stablehlo.constant dense<8.0> : tensor<f32>
  %185 = stablehlo.clamp %183, %176, %184 : (tensor<f32>, tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %186 = stablehlo.multiply %182, %185 : tensor<3x3xf32>
  %187 = stablehlo.slice %186 [3:3:1, 0:1:2] : (tensor<3x3xf32>) -> tensor<0x1xf32>
  %188 = stablehlo.constant dense<-8.0> : tensor<f32>
  %189 = stablehlo.constant dense<8.0> : tensor<f32>
  %190 = stablehlo.clamp %188, %178, %189 : (tensor<f32>, tensor<2x2x1xf32>, tensor<f32>) -> tensor<2x2x1xf32>
  %191 = stablehlo.constant dense<-8.0> : tensor<f32>
  %192 = stablehlo.constant dense<8.0> : tensor<f32>
  %193 = stablehlo.clamp %191, %187, %192 : (tensor<f32>, tensor<0x1xf32>, tensor<f32>) -> tensor<0x1xf32>
  %194 = stablehlo.dot_general %190, %193, contracting_dims = [2] x [1] : (tensor<2x2x1xf32>, tensor<0x1xf32>) -> tensor<2x2x0xf32>
  %195 = stablehlo.subtract %186, %186 : tensor<3x3xf32>
  %196 = stablehlo.compare GT, %179, %167 : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xi1>
  %197 = stablehlo.select %196, %179, %167 : tensor<1x2x1xi1>, tensor<1x2x1xf32>
  %198 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %199 = stablehlo.reduce(%177 init: %198) applies stablehlo.maximum across dimensions = [4] : (tensor<1x3x2x2x1xf32>, tensor<f32>) -> tensor<1x3x2x2xf32>
  %200 = stablehlo.reverse %195, dims = [0] : tensor<3x3xf32>
  %201 = stablehlo.slice %200 [0:1:1, 2:3:2] : (tensor<3x3xf32>) -> tensor<1x1xf32>
  %202 = stablehlo.compare GT, %199, %199 : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xi1>
  %203 = stablehlo.select %202, %199, %199 : tensor<1x3x2x2xi1>, tensor<1x3x2x2xf32>
  %204 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %205 = stablehlo.reduce(%195 init: %204) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<f32>
  %206 = stablehlo.constant dense<5.0> : tensor<f32>
  %207 = stablehlo.pad %201, %206, low = [-1, -1], high = [3, 1], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %208 = stablehlo.compare GT, %203, %203 : (tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xi1>
  %209 = stablehlo.select %208, %203, %199 : tensor<1x3x2x2xi1>, tensor<1x3x2x2xf32>
  %210 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2, 4] : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x1x2xf32>
  %211 = stablehlo.reshape %207 : (tensor<3x1xf32>) -> tensor<3xf32>
  %212 = stablehlo.concatenate %201, %201, dim = 0 : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
  %213 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %214 = stablehlo.reduce(%210 init: %213) applies stablehlo.maximum across dimensions = [0, 1, 2, 3] : (tensor<1x3x2x1x2xf32>, tensor<f32>) -> tensor<2xf32>
  %215 = stablehlo.constant dense<[2.0, -3.0, 2.0, -3.0]> : tensor<4xf32>
  %216 = stablehlo.constant dense<0.0> : tensor<f32>
  %217 = stablehlo.reduce(%210 init: %216) applies stablehlo.add across dimensions = [0, 1, 2, 3, 4] : (tensor<1x3x2x1x2xf32>, tensor<f32>) -> tensor<f32>
  %218 = stablehlo.constant dense<[[[4.0], [-2.0]]]> : tensor<1x2x1xf32>
  check.expect_close %167, %218, max_ulp_difference = 1 : tensor<1x2x1xf32>, tensor<1x2x1xf32>
  %219 = stablehlo.constant dense<[[[4.0], [-2.0]], [[4.0], [-2.0]]]> : tensor<2x2x1xf32>
  check.expect_close %178, %219, max_ulp_difference = 1 : tensor<2x2x1xf32>, tensor<2x2x1xf32>
  %220 = stablehlo.constant dense<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  check.expect_close %195, %220, max_ulp_difference = 1 : tensor<3x3xf32>, tensor<3x3xf32>
  %221 = stablehlo.constant dense<[[[[-3.0, -3.0], [-3.0, -3.0]], [[-3.0, -3.0], [-3.0, -3.0]], [[-3.0, -3.0], [-3.0, -3.0]]]]> : tensor<1x3x2x2xf32>
  check.expect_close %203, %221, max_ulp_difference = 1 : tensor<1x3x2x2xf32>, tensor<1x3x2x2xf32>
  %222 = stablehlo.constant dense<[5.0, 5.0, 5.0]> : tensor<3xf32>
  check.expect_close %211, %222, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  %223 = stablehlo.constant dense<[[0.0], [0.0]]> : tensor<2x1xf32>
  check.expect_close %212, %223, max_ulp_difference = 1 : tensor<2x1xf32>, tensor<2x1xf32>
  %224 = stablehlo.constant dense<[-3.0, -3.0]> : tensor<2xf32>
  check.expect_close %214, %224, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  %225 = stablehlo.constant dense<[2.0, -3.0, 2.0, -3.0]> : tensor<4xf32>
  check.expect_close %215, %225, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  %226 = stablehlo.constant dense<-36.0> : tensor<f32>
  check.expect_close %217, %226, max_ulp_difference = 1 : tensor<f32>, tensor<f32>

  // f32, graph 1
  %227 = stablehlo.constant dense<[[2.0], [2.0]]> : tensor<2x1xf32>
  %228 = stablehlo.iota dim = 1 : tensor<3x3x2xf32>
  %229 = stablehlo.constant dense<-2.0> : tensor<f32>
  %230 = stablehlo.constant dense<-8.0> : tensor<f32>
  %231 = stablehlo.constant dense<8.0> : tensor<f32>
  %232 = stablehlo.clamp %230, %228, %231 : (tensor<f32>, tensor<3x3x2xf32>, tensor<f32>) -> tensor<3x3x2xf32>
  %233 = stablehlo.constant dense<-8.0> : tensor<f32>
  %234 = stablehlo.constant dense<8.0> : tensor<f32>
  %235 = stablehlo.clamp %233, %228, %234 : (tensor<f32>, tensor<3x3x2xf32>, tensor<f32>) -> tensor<3x3x2xf32>
  %236 = stablehlo.multiply %232, %235 : tensor<3x3x2xf32>
  %237 = stablehlo.minimum %227, %227 : tensor<2x1xf32>
  %238 = stablehlo.constant dense<0.0> : tensor<f32>
  %239 = stablehlo.reduce(%229 init: %238) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %240 = stablehlo.constant dense<[-2.0, -2.0, -2.0]> : tensor<3xf32>
  %241 = stablehlo.constant dense<-8.0> : tensor<f32>
  %242 = stablehlo.constant dense<8.0> : tensor<f32>
  %243 = stablehlo.clamp %241, %228, %242 : (tensor<f32>, tensor<3x3x2xf32>, tensor<f32>) -> tensor<3x3x2xf32>
  %244 = stablehlo.constant dense<-8.0> : tensor<f32>
  %245 = stablehlo.constant dense<8.0> : tensor<f32>
  %246 = stablehlo.clamp %244, %237, %245 : (tensor<f32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %247 = stablehlo.dot_general %243, %246, contracting_dims = [2] x [0] : (tensor<3x3x2xf32>, tensor<2x1xf32>) -> tensor<3x3x1xf32>
  %248 = stablehlo.broadcast_in_dim %239, dims = [] : (tensor<f32>) -> tensor<f32>
  %249 = stablehlo.iota dim = 0 : tensor<4xf32>
  %250 = stablehlo.concatenate %247, %247, dim = 0 : (tensor<3x3x1xf32>, tensor<3x3x1xf32>) -> tensor<6x3x1xf32>
  %251 = stablehlo.slice %250 [0:2:1, 0:3:1, 0:1:1] : (tensor<6x3x1xf32>) -> tensor<2x3x1xf32>
  %252 = stablehlo.minimum %239, %229 : tensor<f32>
  %253 = stablehlo.transpose %248, dims = [] : (tensor<f32>) -> tensor<f32>
  %254 = stablehlo.constant dense<5.0> : tensor<f32>
  %255 = stablehlo.pad %248, %254, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %256 = stablehlo.reverse %250, dims = [] : tensor<6x3x1xf32>
  %257 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %258 = stablehlo.reduce(%255 init: %257) applies stablehlo.maximum across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %259 = stablehlo.minimum %253, %229 : tensor<f32>
  %260 = stablehlo.reshape %258 : (tensor<f32>) -> tensor<1x1xf32>
  %261 = stablehlo.broadcast_in_dim %256, dims = [0, 1, 3] : (tensor<6x3x1xf32>) -> tensor<6x3x2x1xf32>
  %262 = stablehlo.constant dense<5.0> : tensor<f32>
  %263 = stablehlo.pad %253, %262, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %264 = stablehlo.reverse %255, dims = [] : tensor<f32>
  %265 = stablehlo.subtract %260, %260 : tensor<1x1xf32>
  %266 = stablehlo.constant dense<[[2.0]]> : tensor<1x1xf32>
  %267 = stablehlo.minimum %265, %265 : tensor<1x1xf32>
  %268 = stablehlo.constant dense<[[2.0], [2.0]]> : tensor<2x1xf32>
  check.expect_close %227, %268, max_ulp_difference = 1 : tensor<2x1xf32>, tensor<2x1xf32>
  %269 = stablehlo.constant dense<-2.0> : tensor<f32>
  check.expect_close %239, %269, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %270 = stablehlo.constant dense<[[[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]]]> : tensor<6x3x1xf32>
  check.expect_close %250, %270, max_ulp_difference = 1 : tensor<6x3x1xf32>, tensor<6x3x1xf32>
  %271 = stablehlo.constant dense<[[[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]], [[0.0], [4.0], [8.0]]]> : tensor<6x3x1xf32>
  check.expect_close %256, %271, max_ulp_difference = 1 : tensor<6x3x1xf32>, tensor<6x3x1xf32>
  %272 = stablehlo.constant dense<-2.0> : tensor<f32>
  check.expect_close %263, %272, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %273 = stablehlo.constant dense<-2.0> : tensor<f32>
  check.expect_close %264, %273, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %274 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf32>
  check.expect_close %265, %274, max_ulp_difference = 1 : tensor<1x1xf32>, tensor<1x1xf32>
  %275 = stablehlo.constant dense<[[2.0]]> : tensor<1x1xf32>
  check.expect_close %266, %275, max_ulp_difference = 1 : tensor<1x1xf32>, tensor<1x1xf32>
  %276 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf32>
  check.expect_close %267, %276, max_ulp_difference = 1 : tensor<1x1xf32>, tensor<1x1xf32>

  // f32, graph 2
  %277 = stablehlo.constant dense<1.0> : tensor<f32>
  %278 = stablehlo.constant dense<1.0> : tensor<f32>
  %279 = stablehlo.constant dense<-1.0> : tensor<f32>
  %280 = stablehlo.constant dense<0.0> : tensor<f32>
  %281 = stablehlo.reduce(%279 init: %280) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %282 = stablehlo.broadcast_in_dim %279, dims = [] : (tensor<f32>) -> tensor<f32>
  %283 = stablehlo.slice %282 [] : (tensor<f32>) -> tensor<f32>
  %284 = stablehlo.minimum %277, %277 : tensor<f32>
  %285 = stablehlo.constant dense<5.0> : tensor<f32>
  %286 = stablehlo.pad %283, %285, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %287 = stablehlo.reshape %278 : (tensor<f32>) -> tensor<1xf32>
  %288 = stablehlo.constant dense<2.0> : tensor<f32>
  %289 = stablehlo.slice %284 [] : (tensor<f32>) -> tensor<f32>
  %290 = stablehlo.compare GT, %284, %283 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %291 = stablehlo.select %290, %284, %284 : tensor<i1>, tensor<f32>
  %292 = stablehlo.transpose %283, dims = [] : (tensor<f32>) -> tensor<f32>
  %293 = stablehlo.concatenate %287, %287, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %294 = stablehlo.transpose %287, dims = [0] : (tensor<1xf32>) -> tensor<1xf32>
  %295 = stablehlo.constant dense<-8.0> : tensor<f32>
  %296 = stablehlo.constant dense<8.0> : tensor<f32>
  %297 = stablehlo.clamp %295, %289, %296 : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %298 = stablehlo.constant dense<-8.0> : tensor<f32>
  %299 = stablehlo.constant dense<8.0> : tensor<f32>
  %300 = stablehlo.clamp %298, %288, %299 : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %301 = stablehlo.multiply %297, %300 : tensor<f32>
  %302 = stablehlo.minimum %292, %279 : tensor<f32>
  %303 = stablehlo.broadcast_in_dim %288, dims = [] : (tensor<f32>) -> tensor<f32>
  %304 = stablehlo.reverse %292, dims = [] : tensor<f32>
  %305 = stablehlo.maximum %293, %293 : tensor<2xf32>
  %306 = stablehlo.transpose %293, dims = [0] : (tensor<2xf32>) -> tensor<2xf32>
  %307 = stablehlo.concatenate %305, %306, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %308 = stablehlo.reverse %294, dims = [0] : tensor<1xf32>
  %309 = stablehlo.reshape %306 : (tensor<2xf32>) -> tensor<1x2xf32>
  %310 = stablehlo.constant dense<[[1.0, -2.0, 4.0, 2.0], [-2.0, 2.0, 3.0, 2.0], [0.0, 1.0, 2.0, 4.0], [3.0, 2.0, 1.0, 4.0]]> : tensor<4x4xf32>
  %311 = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_close %277, %311, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %312 = stablehlo.constant dense<-1.0> : tensor<f32>
  check.expect_close %283, %312, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %313 = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_close %289, %313, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %314 = stablehlo.constant dense<2.0> : tensor<f32>
  check.expect_close %301, %314, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  %315 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  check.expect_close %306, %315, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  %316 = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  check.expect_close %307, %316, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  %317 = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  check.expect_close %308, %317, max_ulp_difference = 1 : tensor<1xf32>, tensor<1xf32>
  %318 = stablehlo.constant dense<[[1.0, 1.0]]> : tensor<1x2xf32>
  check.expect_close %309, %318, max_ulp_difference = 1 : tensor<1x2xf32>, tensor<1x2xf32>
  %319 = stablehlo.constant dense<[[1.0, -2.0, 4.0, 2.0], [-2.0, 2.0, 3.0, 2.0], [0.0, 1.0, 2.0, 4.0], [3.0, 2.0, 1.0, 4.0]]> : tensor<4x4xf32>
  check.expect_close %310, %319, max_ulp_difference = 1 : tensor<4x4xf32>, tensor<4x4xf32>

  // f32, graph 3
  %320 = stablehlo.constant dense<[[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]> : tensor<4x4x3xf32>
  %321 = stablehlo.iota dim = 2 : tensor<2x2x2xf32>
  %322 = stablehlo.iota dim = 0 : tensor<3xf32>
  %323 = stablehlo.compare GT, %322, %322 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %324 = stablehlo.select %323, %322, %322 : tensor<3xi1>, tensor<3xf32>
  %325 = stablehlo.maximum %324, %324 : tensor<3xf32>
  %326 = stablehlo.slice %325 [2:3:2] : (tensor<3xf32>) -> tensor<1xf32>
  %327 = stablehlo.constant dense<[-1.0, -1.0, -1.0, -1.0]> : tensor<4xf32>
  %328 = stablehlo.transpose %320, dims = [1, 0, 2] : (tensor<4x4x3xf32>) -> tensor<4x4x3xf32>
  %329 = stablehlo.broadcast_in_dim %326, dims = [1] : (tensor<1xf32>) -> tensor<3x1xf32>
  %330 = stablehlo.constant dense<-8.0> : tensor<f32>
  %331 = stablehlo.constant dense<8.0> : tensor<f32>
  %332 = stablehlo.clamp %330, %322, %331 : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %333 = stablehlo.constant dense<-8.0> : tensor<f32>
  %334 = stablehlo.constant dense<8.0> : tensor<f32>
  %335 = stablehlo.clamp %333, %329, %334 : (tensor<f32>, tensor<3x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  %336 = stablehlo.dot_general %332, %335, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3x1xf32>) -> tensor<1xf32>
  %337 = stablehlo.transpose %326, dims = [0] : (tensor<1xf32>) -> tensor<1xf32>
  %338 = stablehlo.transpose %327, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
  %339 = stablehlo.reverse %338, dims = [0] : tensor<4xf32>
  %340 = stablehlo.constant dense<[[-2.0, -2.0, -2.0], [-2.0, -2.0, -2.0], [-2.0, -2.0, -2.0], [-2.0, -2.0, -2.0]]> : tensor<4x3xf32>
  %341 = stablehlo.broadcast_in_dim %336, dims = [0] : (tensor<1xf32>) -> tensor<1xf32>
  %342 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %343 = stablehlo.reduce(%339 init: %342) applies stablehlo.maximum across dimensions = [] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %344 = stablehlo.constant dense<[3.0, 3.0, -3.0, -4.0]> : tensor<4xf32>
  %345 = stablehlo.reshape %343 : (tensor<4xf32>) -> tensor<1x4xf32>
  %346 = stablehlo.constant dense<5.0> : tensor<f32>
  %347 = stablehlo.pad %343, %346, low = [-1], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  %348 = stablehlo.constant dense<-8.0> : tensor<f32>
  %349 = stablehlo.constant dense<8.0> : tensor<f32>
  %350 = stablehlo.clamp %348, %339, %349 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %351 = stablehlo.constant dense<-8.0> : tensor<f32>
  %352 = stablehlo.constant dense<8.0> : tensor<f32>
  %353 = stablehlo.clamp %351, %344, %352 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %354 = stablehlo.dot_general %350, %353, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %355 = stablehlo.maximum %347, %347 : tensor<7xf32>
  %356 = stablehlo.iota dim = 0 : tensor<1xf32>
  %357 = stablehlo.add %345, %345 : tensor<1x4xf32>
  %358 = stablehlo.reverse %343, dims = [] : tensor<4xf32>
  %359 = stablehlo.constant dense<0.0> : tensor<f32>
  %360 = stablehlo.reduce(%344 init: %359) applies stablehlo.add across dimensions = [] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %361 = stablehlo.constant dense<[[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]> : tensor<4x4x3xf32>
  check.expect_close %320, %361, max_ulp_difference = 1 : tensor<4x4x3xf32>, tensor<4x4x3xf32>
  %362 = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  check.expect_close %326, %362, max_ulp_difference = 1 : tensor<1xf32>, tensor<1xf32>
  %363 = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  check.expect_close %337, %363, max_ulp_difference = 1 : tensor<1xf32>, tensor<1xf32>
  %364 = stablehlo.constant dense<[-1.0, -1.0, -1.0, -1.0]> : tensor<4xf32>
  check.expect_close %343, %364, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  %365 = stablehlo.constant dense<[5.0, -1.0, 5.0, -1.0, 5.0, -1.0, 5.0]> : tensor<7xf32>
  check.expect_close %355, %365, max_ulp_difference = 1 : tensor<7xf32>, tensor<7xf32>
  %366 = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  check.expect_close %356, %366, max_ulp_difference = 1 : tensor<1xf32>, tensor<1xf32>
  %367 = stablehlo.constant dense<[[-2.0, -2.0, -2.0, -2.0]]> : tensor<1x4xf32>
  check.expect_close %357, %367, max_ulp_difference = 1 : tensor<1x4xf32>, tensor<1x4xf32>
  %368 = stablehlo.constant dense<[-1.0, -1.0, -1.0, -1.0]> : tensor<4xf32>
  check.expect_close %358, %368, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  %369 = stablehlo.constant dense<[3.0, 3.0, -3.0, -4.0]> : tensor<4xf32>
  check.expect_close %360, %369, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>

  // a reshape of a value that is in no buffer
  %370 = stablehlo.constant dense<[2.5, 2.5]> : tensor<2xf32>
  %371 = stablehlo.slice %370 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %372 = stablehlo.reshape %371 : (tensor<1xf32>) -> tensor<f32>
  %373 = stablehlo.broadcast_in_dim %372, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %374 = stablehlo.reshape %373 : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
  check.expect_eq_const %374, dense<[[[2.5, 2.5, 2.5], [2.5, 2.5, 2.5]], [[2.5, 2.5, 2.5], [2.5, 2.5, 2.5]]]> : tensor<2x2x3xf32>
  %375 = stablehlo.broadcast_in_dim %372, dims = [] : (tensor<f32>) -> tensor<0x4xf32>
  %376 = stablehlo.reshape %375 : (tensor<0x4xf32>) -> tensor<0xf32>
  check.expect_eq_const %376, dense<> : tensor<0xf32>

  // products of vectors, and seen through a reshape
  %377 = stablehlo.constant dense<[[2.0, 3.0]]> : tensor<1x2xf32>
  %378 = stablehlo.reshape %377 : (tensor<1x2xf32>) -> tensor<2xf32>
  %379 = stablehlo.dot_general %378, %378, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %380 = stablehlo.minimum %379, %379 : tensor<f32>
  %381 = stablehlo.broadcast_in_dim %380, dims = [] : (tensor<f32>) -> tensor<1xf32>
  check.expect_eq_const %381, dense<[13.0]> : tensor<1xf32>
  %382 = stablehlo.dot_general %377, %377, contracting_dims = [1] x [1] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x1xf32>
  %383 = stablehlo.reshape %382 : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
  %384 = stablehlo.negate %382 : tensor<1x1xf32>
  check.expect_eq_const %383, dense<[[[13.0]]]> : tensor<1x1x1xf32>
  check.expect_eq_const %384, dense<[[-13.0]]> : tensor<1x1xf32>

  // two results of one column that share memory
  %385 = stablehlo.constant dense<3.0> : tensor<1x1xf32>
  %386 = stablehlo.add %385, %385 : tensor<1x1xf32>
  %387 = stablehlo.minimum %386, %385 : tensor<1x1xf32>
  %388 = stablehlo.add %387, %382 : tensor<1x1xf32>
  check.expect_eq_const %387, dense<[[3.0]]> : tensor<1x1xf32>
  check.expect_eq_const %388, dense<[[16.0]]> : tensor<1x1xf32>

  // the first elements of a value that is needed as a whole
  %389 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf64>
  %390 = stablehlo.sqrt %389 : tensor<2x4xf64>
  %391 = stablehlo.multiply %390, %390 : tensor<2x4xf64>
  %392 = stablehlo.slice %391 [0:2, 0:2] : (tensor<2x4xf64>) -> tensor<2x2xf64>
  %393 = stablehlo.exponential %392 : tensor<2x2xf64>
  %394 = stablehlo.log %393 : tensor<2x2xf64>
  %395 = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf64>
  check.expect_close %391, %395, max_ulp_difference = 2 : tensor<2x4xf64>, tensor<2x4xf64>
  %396 = stablehlo.constant dense<[[0.0, 1.0], [4.0, 5.0]]> : tensor<2x2xf64>
  check.expect_close %394, %396, max_ulp_difference = 2 : tensor<2x2xf64>, tensor<2x2xf64>
  return
}
