// Reductions of predicates that the kernel computes, in every schedule. A parity
// shows whether each element is in it once.

func.func @all_finite(%x: tensor<1000x100xf32>) -> tensor<i1> attributes {exec.kernel} {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %p = stablehlo.is_finite %x : (tensor<1000x100xf32>) -> tensor<1000x100xi1>
  %a = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [0, 1] : (tensor<1000x100xi1>, tensor<i1>) -> tensor<i1>
  return %a : tensor<i1>
}
func.func @sum_and_parity(%x: tensor<1000x100xf32>) -> (tensor<f32>, tensor<i1>) attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<1000x100xf32>
  %p = stablehlo.compare GT, %x, %zeros : (tensor<1000x100xf32>, tensor<1000x100xf32>) -> tensor<1000x100xi1>
  %a = stablehlo.reduce(%p init: %false) applies stablehlo.xor across dimensions = [0, 1] : (tensor<1000x100xi1>, tensor<i1>) -> tensor<i1>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<1000x100xf32>, tensor<f32>) -> tensor<f32>
  return %s, %a : tensor<f32>, tensor<i1>
}
func.func @parity_of_columns(%x: tensor<1000x40xf32>) -> tensor<40xi1> attributes {exec.kernel} {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %zeros = stablehlo.constant dense<0.0> : tensor<1000x40xf32>
  %p = stablehlo.compare GT, %x, %zeros : (tensor<1000x40xf32>, tensor<1000x40xf32>) -> tensor<1000x40xi1>
  %a = stablehlo.reduce(%p init: %true) applies stablehlo.xor across dimensions = [0] : (tensor<1000x40xi1>, tensor<i1>) -> tensor<40xi1>
  return %a : tensor<40xi1>
}
func.func @parity_of_long_rows(%x: tensor<?x9000xf32>) -> tensor<?xi1> attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x9000xf32>
  %p = stablehlo.compare GT, %x, %zeros : (tensor<?x9000xf32>, tensor<?x9000xf32>) -> tensor<?x9000xi1>
  %a = stablehlo.reduce(%p init: %false) applies stablehlo.xor across dimensions = [1] : (tensor<?x9000xi1>, tensor<i1>) -> tensor<?xi1>
  return %a : tensor<?xi1>
}

// Several of one row: of one number, of a mask besides, and beside sums of it.
func.func @rows(%x: tensor<?x8xf32>, %m: tensor<?x8xi1>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xf32>, tensor<?x8xi1>) attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x8xf32>
  %p = stablehlo.compare GT, %x, %zeros : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xi1>
  %not = stablehlo.not %p : tensor<?x8xi1>
  %both = stablehlo.and %p, %m : tensor<?x8xi1>
  %a = stablehlo.reduce(%p init: %true) applies stablehlo.minimum across dimensions = [1] : (tensor<?x8xi1>, tensor<i1>) -> tensor<?xi1>
  %b = stablehlo.reduce(%not init: %false) applies stablehlo.xor across dimensions = [1] : (tensor<?x8xi1>, tensor<i1>) -> tensor<?xi1>
  %c = stablehlo.reduce(%both init: %false) applies stablehlo.maximum across dimensions = [1] : (tensor<?x8xi1>, tensor<i1>) -> tensor<?xi1>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %a, %b, %c, %s, %both : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xf32>, tensor<?x8xi1>
}

// What is asked of a byte is not that byte, although accumulators are bytes, too.
func.func @bytes(%i: tensor<?x32xi8>, %u: tensor<?x32xui8>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi8>, tensor<?xui8>) attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %least = stablehlo.constant dense<-128> : tensor<i8>
  %none = stablehlo.constant dense<0> : tensor<ui8>
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i8>) -> tensor<?x32xi8>
  %high = stablehlo.constant dense<90> : tensor<i8>
  %highs = stablehlo.broadcast_in_dim %high, dims = [] : (tensor<i8>) -> tensor<?x32xi8>
  %most = stablehlo.constant dense<90> : tensor<ui8>
  %mosts = stablehlo.broadcast_in_dim %most, dims = [] : (tensor<ui8>) -> tensor<?x32xui8>
  %p = stablehlo.compare GE, %i, %highs : (tensor<?x32xi8>, tensor<?x32xi8>) -> tensor<?x32xi1>
  %q = stablehlo.compare LE, %u, %mosts : (tensor<?x32xui8>, tensor<?x32xui8>) -> tensor<?x32xi1>
  %r = stablehlo.compare EQ, %i, %zeros : (tensor<?x32xi8>, tensor<?x32xi8>) -> tensor<?x32xi1>
  %a = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [1] : (tensor<?x32xi1>, tensor<i1>) -> tensor<?xi1>
  %b = stablehlo.reduce(%q init: %true) applies stablehlo.and across dimensions = [1] : (tensor<?x32xi1>, tensor<i1>) -> tensor<?xi1>
  %c = stablehlo.reduce(%r init: %false) applies stablehlo.or across dimensions = [1] : (tensor<?x32xi1>, tensor<i1>) -> tensor<?xi1>
  %d = stablehlo.reduce(%i init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<?x32xi8>, tensor<i8>) -> tensor<?xi8>
  %e = stablehlo.reduce(%u init: %none) applies stablehlo.add across dimensions = [1] : (tensor<?x32xui8>, tensor<ui8>) -> tensor<?xui8>
  return %a, %b, %c, %d, %e : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi8>, tensor<?xui8>
}

// Where the first is that holds, as of jnp.argmax(x > 1).
func.func @first_place(%x: tensor<?x20xf32>) -> (tensor<?xi1>, tensor<?xi32>) attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1.75> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<?x20xf32>
  %p = stablehlo.compare GT, %x, %ones : (tensor<?x20xf32>, tensor<?x20xf32>) -> tensor<?x20xi1>
  %i = stablehlo.iota dim = 0 : tensor<20xi32>
  %ib = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<20xi32>) -> tensor<?x20xi32>
  %v:2 = stablehlo.reduce(%p init: %false), (%ib init: %zero) across dimensions = [1] : (tensor<?x20xi1>, tensor<?x20xi32>, tensor<i1>, tensor<i32>) -> (tensor<?xi1>, tensor<?xi32>)
   reducer(%a: tensor<i1>, %b: tensor<i1>) (%ai: tensor<i32>, %bi: tensor<i32>) {
    %gt = stablehlo.compare GT, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %lt = stablehlo.compare LT, %ai, %bi : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %and = stablehlo.and %eq, %lt : tensor<i1>
    %or = stablehlo.or %gt, %and : tensor<i1>
    %r = stablehlo.select %gt, %a, %b : tensor<i1>, tensor<i1>
    %ri = stablehlo.select %or, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %r, %ri : tensor<i1>, tensor<i32>
  }
  return %v#0, %v#1 : tensor<?xi1>, tensor<?xi32>
}

// Two predicates of one reduction have one type, so that one thread does it.
func.func @both_places(%i: tensor<?x20xi8>, %x: tensor<?x20xf32>) -> (tensor<?xi1>, tensor<?xi1>) attributes {exec.kernel} {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %high = stablehlo.constant dense<50> : tensor<i8>
  %highs = stablehlo.broadcast_in_dim %high, dims = [] : (tensor<i8>) -> tensor<?x20xi8>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<?x20xf32>
  %p = stablehlo.compare GT, %i, %highs : (tensor<?x20xi8>, tensor<?x20xi8>) -> tensor<?x20xi1>
  %q = stablehlo.compare GT, %x, %zeros : (tensor<?x20xf32>, tensor<?x20xf32>) -> tensor<?x20xi1>
  %v:2 = stablehlo.reduce(%p init: %false), (%q init: %false) across dimensions = [1] : (tensor<?x20xi1>, tensor<?x20xi1>, tensor<i1>, tensor<i1>) -> (tensor<?xi1>, tensor<?xi1>)
   reducer(%a: tensor<i1>, %b: tensor<i1>) (%c: tensor<i1>, %d: tensor<i1>) {
    %r = stablehlo.select %a, %a, %b : tensor<i1>, tensor<i1>
    %s = stablehlo.select %a, %c, %d : tensor<i1>, tensor<i1>
    stablehlo.return %r, %s : tensor<i1>, tensor<i1>
  }
  return %v#0, %v#1 : tensor<?xi1>, tensor<?xi1>
}

// The product of complex numbers, whose parts have one type, is one thread's;
// the sum of the same elements, which are an output, is not.
func.func @product_and_sum(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x64xf32>) attributes {exec.kernel} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %q = stablehlo.multiply %x, %y : tensor<?x64xf32>
  %s = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
  %p:2 = stablehlo.reduce(%x init: %one), (%y init: %zero) across dimensions = [1] : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<f32>, tensor<f32>) -> (tensor<?xf32>, tensor<?xf32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    %ab = stablehlo.multiply %a, %b : tensor<f32>
    %cd = stablehlo.multiply %c, %d : tensor<f32>
    %ad = stablehlo.multiply %a, %d : tensor<f32>
    %bc = stablehlo.multiply %b, %c : tensor<f32>
    %re = stablehlo.subtract %ab, %cd : tensor<f32>
    %im = stablehlo.add %ad, %bc : tensor<f32>
    stablehlo.return %re, %im : tensor<f32>, tensor<f32>
  }
  return %s, %p#0, %p#1, %q : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?x64xf32>
}
