// Which rows of which variable go to which server, worked out by hand. For a
// variable of n elements in rows of w, with S servers and blocks of at least m
// elements: cap = max(1, n / m), k = min(S, cap), b = ceil(n / k), raised to a
// multiple of w. The blocks are taken in name order, a.block0 first.

// DEFINE: %{blocks} = grep -o 'block = "[^"]*", row_offset = [0-9]*, rows = [0-9]*, server = [0-9]*'

// RUN: ps-opt %s --ps-place-variables="pservers=h:1,h:2,h:3" | %{blocks} | FileCheck %s --check-prefix=S3
//   a  n = 35000   w = 5000    cap 4   k 3  b = 11667 -> 15000   3, 3, 1 rows
//   b  n = 100000  w = 100000  cap 12  k 3  b = 33334 -> 100000  whole
//   c  n = 25000   w = 1       cap 3   k 3  b = 8334             8334, 8334, 8332
//   d  n = 1                   cap 1                             whole
//   e  n = 16383               cap 1: less than twice 8192       whole
//   f  n = 16384   w = 1       cap 2   k 2  b = 8192             8192, 8192
// S3:      block = "a.block0", row_offset = 0, rows = 3, server = 0
// S3-NEXT: block = "a.block1", row_offset = 3, rows = 3, server = 1
// S3-NEXT: block = "a.block2", row_offset = 6, rows = 1, server = 2
// S3-NEXT: block = "b", row_offset = 0, rows = 1, server = 0
// S3-NEXT: block = "c.block0", row_offset = 0, rows = 8334, server = 1
// S3-NEXT: block = "c.block1", row_offset = 8334, rows = 8334, server = 2
// S3-NEXT: block = "c.block2", row_offset = 16668, rows = 8332, server = 0
// S3-NEXT: block = "d", row_offset = 0, rows = 1, server = 1
// S3-NEXT: block = "e", row_offset = 0, rows = 16383, server = 2
// S3-NEXT: block = "f.block0", row_offset = 0, rows = 8192, server = 0
// S3-NEXT: block = "f.block1", row_offset = 8192, rows = 8192, server = 1

// RUN: ps-opt %s --ps-place-variables="pservers=h:1,h:2,h:3,h:4,h:5" | %{blocks} | FileCheck %s --check-prefix=S5
//   a  k 4  b = 8750 -> 10000: 2, 2, 2, 1 rows; the others as before
// S5:      block = "a.block0", row_offset = 0, rows = 2, server = 0
// S5-NEXT: block = "a.block1", row_offset = 2, rows = 2, server = 1
// S5-NEXT: block = "a.block2", row_offset = 4, rows = 2, server = 2
// S5-NEXT: block = "a.block3", row_offset = 6, rows = 1, server = 3
// S5-NEXT: block = "b", row_offset = 0, rows = 1, server = 4
// S5-NEXT: block = "c.block0", row_offset = 0, rows = 8334, server = 0
// S5-NEXT: block = "c.block1", row_offset = 8334, rows = 8334, server = 1
// S5-NEXT: block = "c.block2", row_offset = 16668, rows = 8332, server = 2
// S5-NEXT: block = "d", row_offset = 0, rows = 1, server = 3
// S5-NEXT: block = "e", row_offset = 0, rows = 16383, server = 4
// S5-NEXT: block = "f.block0", row_offset = 0, rows = 8192, server = 0
// S5-NEXT: block = "f.block1", row_offset = 8192, rows = 8192, server = 1

// RUN: ps-opt %s --ps-place-variables="pservers=h:1,h:2,h:3,h:4,h:5,h:6,h:7 min-block-size=1000" | %{blocks} | FileCheck %s --check-prefix=S7
//   a  cap 35  k 7  b = 5000 = w      7 blocks of a row          turns 0 to 6
//   b  whole, as ever                                            turn 7
//   c  cap 25  k 7  b = 3572          6 x 3572 + 3568            turns 8 to 14
//   d  whole                                                     turn 15
//   e  cap 16  k 7  b = 2341          6 x 2341 + 2337            turns 16 to 22
//   f  cap 16  k 7  b = 2341          6 x 2341 + 2338            turns 23 to 29
// S7:      block = "a.block0", row_offset = 0, rows = 1, server = 0
// S7-NEXT: block = "a.block1", row_offset = 1, rows = 1, server = 1
// S7-NEXT: block = "a.block2", row_offset = 2, rows = 1, server = 2
// S7-NEXT: block = "a.block3", row_offset = 3, rows = 1, server = 3
// S7-NEXT: block = "a.block4", row_offset = 4, rows = 1, server = 4
// S7-NEXT: block = "a.block5", row_offset = 5, rows = 1, server = 5
// S7-NEXT: block = "a.block6", row_offset = 6, rows = 1, server = 6
// S7-NEXT: block = "b", row_offset = 0, rows = 1, server = 0
// S7-NEXT: block = "c.block0", row_offset = 0, rows = 3572, server = 1
// S7-NEXT: block = "c.block1", row_offset = 3572, rows = 3572, server = 2
// S7-NEXT: block = "c.block2", row_offset = 7144, rows = 3572, server = 3
// S7-NEXT: block = "c.block3", row_offset = 10716, rows = 3572, server = 4
// S7-NEXT: block = "c.block4", row_offset = 14288, rows = 3572, server = 5
// S7-NEXT: block = "c.block5", row_offset = 17860, rows = 3572, server = 6
// S7-NEXT: block = "c.block6", row_offset = 21432, rows = 3568, server = 0
// S7-NEXT: block = "d", row_offset = 0, rows = 1, server = 1
// S7-NEXT: block = "e.block0", row_offset = 0, rows = 2341, server = 2
// S7:      block = "e.block6", row_offset = 14046, rows = 2337, server = 1
// S7-NEXT: block = "f.block0", row_offset = 0, rows = 2341, server = 2
// S7:      block = "f.block6", row_offset = 14046, rows = 2338, server = 1

// RUN: ps-opt %s --ps-place-variables="pservers=h:1,h:2,h:3 slice-var-up=false" | %{blocks} | FileCheck %s --check-prefix=WHOLE
// WHOLE:      block = "a", row_offset = 0, rows = 7, server = 0
// WHOLE-NEXT: block = "b", row_offset = 0, rows = 1, server = 1
// WHOLE-NEXT: block = "c", row_offset = 0, rows = 25000, server = 2
// WHOLE-NEXT: block = "d", row_offset = 0, rows = 1, server = 0
// WHOLE-NEXT: block = "e", row_offset = 0, rows = 16383, server = 1
// WHOLE-NEXT: block = "f", row_offset = 0, rows = 16384, server = 2

// RUN: ps-opt %s --ps-place-variables="pservers=h:1,h:2,h:3 split-method=SizeBalanced" | %{blocks} | FileCheck %s --check-prefix=SIZE
//   4 bytes an element, largest first; what the servers hold then:
//   b 400000 -> 0   400000      0      0
//   e  65532 -> 1   400000  65532      0
//   a0 60000 -> 2   400000  65532  60000
//   a1 60000 -> 2   400000  65532 120000
//   c0 33336 -> 1   400000  98868 120000
//   c1 33336 -> 1   400000 132204 120000
//   c2 33328 -> 2   400000 132204 153328
//   f0 32768 -> 1   400000 164972 153328
//   f1 32768 -> 2   400000 164972 186096
//   a2 20000 -> 1   400000 184972 186096
//   d      4 -> 1   400000 184976 186096
// SIZE:      block = "a.block0", {{.*}}, server = 2
// SIZE-NEXT: block = "a.block1", {{.*}}, server = 2
// SIZE-NEXT: block = "a.block2", {{.*}}, server = 1
// SIZE-NEXT: block = "b", {{.*}}, server = 0
// SIZE-NEXT: block = "c.block0", {{.*}}, server = 1
// SIZE-NEXT: block = "c.block1", {{.*}}, server = 1
// SIZE-NEXT: block = "c.block2", {{.*}}, server = 2
// SIZE-NEXT: block = "d", {{.*}}, server = 1
// SIZE-NEXT: block = "e", {{.*}}, server = 1
// SIZE-NEXT: block = "f.block0", {{.*}}, server = 1
// SIZE-NEXT: block = "f.block1", {{.*}}, server = 2

// The programs have the blocks that the table gives their server, in order;
// with 13 servers the last one gets nothing and serves all the same.

// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2,h:3" | grep -o 'ps.program @[a-z_0-9]*\|ps.optimize_block @[a-z0-9.]*' | FileCheck %s --check-prefix=PROGRAMS
// PROGRAMS:      ps.program @pserver_0
// PROGRAMS-NEXT: ps.optimize_block @a.block0
// PROGRAMS-NEXT: ps.optimize_block @b
// PROGRAMS-NEXT: ps.optimize_block @c.block2
// PROGRAMS-NEXT: ps.optimize_block @f.block0
// PROGRAMS-NEXT: ps.program @pserver_1
// PROGRAMS-NEXT: ps.optimize_block @a.block1
// PROGRAMS-NEXT: ps.optimize_block @c.block0
// PROGRAMS-NEXT: ps.optimize_block @d
// PROGRAMS-NEXT: ps.optimize_block @f.block1
// PROGRAMS-NEXT: ps.program @pserver_2
// PROGRAMS-NEXT: ps.optimize_block @a.block2
// PROGRAMS-NEXT: ps.optimize_block @c.block1
// PROGRAMS-NEXT: ps.optimize_block @e
// PROGRAMS-NOT:  {{.}}

// RUN: ps-opt %s --ps-transpile="pservers=h:1,h:2,h:3,h:4,h:5,h:6,h:7,h:8,h:9,h:10,h:11,h:12,h:13" | grep -o 'ps.program @[a-z_0-9]*\|ps.optimize_block @[a-z0-9.]*' | FileCheck %s --check-prefix=EMPTY
// EMPTY:      ps.program @pserver_11
// EMPTY-NEXT: ps.optimize_block @f.block1
// EMPTY-NEXT: ps.program @pserver_12
// EMPTY-NOT:  {{.}}

ps.variable @a : tensor<7x5000xf32> init(#ps.constant<0.0>)
ps.variable @b : tensor<1x100000xf32> init(#ps.constant<0.0>)
ps.variable @c : tensor<25000xf32> init(#ps.constant<0.0>)
ps.variable @d : tensor<f32> init(#ps.constant<0.0>)
ps.variable @e : tensor<16383xf32> init(#ps.constant<0.0>)
ps.variable @f : tensor<16384x1xf32> init(#ps.constant<0.0>)
func.func @train(%a: tensor<7x5000xf32> {ps.feed = "a"},
                 %b: tensor<1x100000xf32> {ps.feed = "b"},
                 %c: tensor<25000xf32> {ps.feed = "c"},
                 %d: tensor<f32> {ps.feed = "d"},
                 %e: tensor<16383xf32> {ps.feed = "e"},
                 %f: tensor<16384x1xf32> {ps.feed = "f"}) {
  ps.apply @a, %a using(#ps.sgd<learning_rate = 0.1>) : tensor<7x5000xf32>
  ps.apply @b, %b using(#ps.sgd<learning_rate = 0.1>) : tensor<1x100000xf32>
  ps.apply @c, %c using(#ps.sgd<learning_rate = 0.1>) : tensor<25000xf32>
  ps.apply @d, %d using(#ps.sgd<learning_rate = 0.1>) : tensor<f32>
  ps.apply @e, %e using(#ps.sgd<learning_rate = 0.1>) : tensor<16383xf32>
  ps.apply @f, %f using(#ps.sgd<learning_rate = 0.1>) : tensor<16384x1xf32>
  return
}
