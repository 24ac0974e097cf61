// RUN: ps-opt %s --split-input-file --verify-diagnostics

func.func private @add(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel}
exec.program @kernel_of_two_spaces {
  %x = exec.feed "x" : memref<4xf32>
  %a = exec.buffer : memref<4xf32, #exec.space<device>>
  %b = exec.buffer : memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{works within one memory space, found 'memref<4xf32>' and 'memref<4xf32, #exec.space<device>>': copy one of them with exec.copy}}
  %t = exec.launch @add rows(4) ins(%x, %a : memref<4xf32>, memref<4xf32, #exec.space<device>>) outs(%b : memref<4xf32, #exec.space<device>>)
}

// -----

exec.program @product_of_two_spaces {
  %a = exec.feed "a" : memref<2x2xf32>
  %b = exec.feed "b" : memref<2x2xf32>
  %c = exec.buffer : memref<2x2xf32, #exec.space<device>>
  // expected-error@+1 {{works within one memory space}}
  %t = exec.gemm m(2) n(2) k(2) ins(%a, %b : memref<2x2xf32>, memref<2x2xf32>) outs(%c : memref<2x2xf32, #exec.space<device>>)
}

// -----

exec.program @mean_elsewhere {
  %g = exec.feed "g" : memref<4xf32>
  %m = exec.buffer : memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{works within one memory space}}
  %t = exec.all_reduce channel(0) ins(%g : memref<4xf32>) outs(%m : memref<4xf32, #exec.space<device>>)
}

// -----

exec.program @send_from_device {
  %g = exec.buffer : memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{dense memref of static shape on the host}}
  %t = exec.send rows(0, 4) %g to(@pserver_0) block("w") : memref<4xf32, #exec.space<device>>
}

// -----

exec.program @view_of_another_space {
  %a = exec.buffer : memref<4xf32, #exec.space<device>>
  // expected-error@+1 {{cannot view 'memref<4xf32, #exec.space<device>>' as 'memref<2x2xf32>'}}
  %b = exec.view %a : memref<4xf32, #exec.space<device>> to memref<2x2xf32>
}

// -----

// One spelling for each type.

exec.program @host_spelled_out {
  // expected-error@+1 {{dense memref of static shape, on the host or in #exec.space<device>}}
  %a = exec.buffer : memref<4xf32, #exec.space<host>>
}

// -----

exec.program @unknown_space {
  // expected-error@+1 {{dense memref of static shape, on the host or in #exec.space<device>}}
  %a = exec.buffer : memref<4xf32, 1>
}

// -----

exec.program @ids_on_device {
  // expected-error@+1 {{result #0 must be memref of rank 1 on the host}}
  %ids = exec.ragged_feed "ids" : memref<?xi64, #exec.space<device>>
}

// -----

ps.table @emb : tensor<8x4xf32> init(#ps.constant<0.0>)
exec.program @prefetch_of_ids_on_device {
  %ids = exec.buffer : memref<8xi64, #exec.space<device>>
  %r = exec.rows @emb lookups(1) : !ps.rows<4 x f32>
  // expected-error@+1 {{on the host}}
  %t = exec.prefetch %r ids(%ids : memref<8xi64, #exec.space<device>>) : !ps.rows<4 x f32>
}
