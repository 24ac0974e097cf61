// Options that make no cluster are refused in one line, at the module.

// RUN: not ps-opt %s --ps-place-variables="trainers=2" 2>&1 | FileCheck %s --check-prefix=NO-PSERVERS
// RUN: not ps-opt %s --ps-place-variables="pservers=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not ps-opt %s --ps-place-variables="pservers=10001" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not ps-opt %s --ps-place-variables="pservers=2,3" 2>&1 | FileCheck %s --check-prefix=TWO-NUMBERS
// RUN: not ps-opt %s --ps-place-variables="pservers=localhost" 2>&1 | FileCheck %s --check-prefix=NO-PORT
// RUN: not ps-opt %s --ps-place-variables="pservers=:6174" 2>&1 | FileCheck %s --check-prefix=NO-HOST
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1,,b:2" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not ps-opt %s --ps-place-variables="pservers=a:65536" 2>&1 | FileCheck %s --check-prefix=LARGE-PORT
// RUN: not ps-opt %s --ps-place-variables="pservers=a:+1" 2>&1 | FileCheck %s --check-prefix=SIGNED-PORT
// RUN: not ps-opt %s --ps-place-variables="pservers=::1:6174" 2>&1 | FileCheck %s --check-prefix=IPV6
// RUN: not ps-opt %s --ps-place-variables="pservers=http://a:1" 2>&1 | FileCheck %s --check-prefix=URL
// RUN: not ps-opt %s --ps-place-variables="pservers=a:0" 2>&1 | FileCheck %s --check-prefix=PORT-0
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1,b:1,a:01" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 trainers=0" 2>&1 | FileCheck %s --check-prefix=TRAINERS
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 trainers=4294967297" 2>&1 | FileCheck %s --check-prefix=TRAINERS-MANY
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 min-block-size=0" 2>&1 | FileCheck %s --check-prefix=BLOCK-SIZE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 split-method=Random" 2>&1 | FileCheck %s --check-prefix=METHOD
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=bsp" 2>&1 | FileCheck %s --check-prefix=UNKNOWN-MODE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 split-method=size-balance" 2>&1 | FileCheck %s --check-prefix=NEAR-METHOD
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=half_async" 2>&1 | FileCheck %s --check-prefix=NEAR-MODE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 wire=bf_16" 2>&1 | FileCheck %s --check-prefix=NEAR-WIRE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 wire=int8" 2>&1 | FileCheck %s --check-prefix=WIRE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 slice-var-up=false min-block-size=100" 2>&1 | FileCheck %s --check-prefix=NOT-CUT
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 geo-steps=100" 2>&1 | FileCheck %s --check-prefix=GEO
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=geo accumulate=2" 2>&1 | FileCheck %s --check-prefix=GEO-ACCUMULATE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=geo bucket-bytes=65536" 2>&1 | FileCheck %s --check-prefix=GEO-BUCKETS
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=geo wire=bf16" 2>&1 | FileCheck %s --check-prefix=GEO-BUCKETS
// RUN: not ps-opt %s --ps-place-variables="mode=collective wire=bf16" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-WIRE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=collective" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE
// RUN: not ps-opt %s --ps-place-variables="mode=collective min-block-size=8192" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-BLOCK
// RUN: not ps-opt %s --ps-place-variables="mode=collective split-method=RoundRobin" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-METHOD
// RUN: not ps-opt %s --ps-place-variables="mode=collective slice-var-up=false" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-CUT
// RUN: not ps-opt %s --ps-transpile="mode=collective min-block-size=8192" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-BLOCK
// RUN: not ps-opt %s --ps-transpile="mode=collective split-method=RoundRobin" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-METHOD
// RUN: not ps-opt %s --ps-transpile="mode=collective slice-var-up=false" 2>&1 | FileCheck %s --check-prefix=COLLECTIVE-CUT
// RUN: not ps-opt %s --ps-transpile="pservers=a:1 slice-var-up=false min-block-size=8192" 2>&1 | FileCheck %s --check-prefix=NOT-CUT-DEFAULT
// RUN: not ps-opt %s --ps-transpile="pservers=a:1 mode=geo geo-steps=-1" 2>&1 | FileCheck %s --check-prefix=GEO-NEGATIVE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 geo-steps=0" 2>&1 | FileCheck %s --check-prefix=GEO-STEPS
// RUN: ps-opt %s --ps-place-variables="pservers=a:1 mode=geo geo-steps=400" -o /dev/null
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 staleness=2" 2>&1 | FileCheck %s --check-prefix=STALENESS
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=async staleness=-1" 2>&1 | FileCheck %s --check-prefix=STALENESS-NEGATIVE
// RUN: ps-opt %s --ps-place-variables="pservers=a:1 mode=async staleness=0" | FileCheck %s --check-prefix=STALENESS-ZERO
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 dc=0.04" 2>&1 | FileCheck %s --check-prefix=DC
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=async dc=-1" 2>&1 | FileCheck %s --check-prefix=DC-NEGATIVE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=async dc=1e39" 2>&1 | FileCheck %s --check-prefix=DC-LARGE
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=async dc=-0" 2>&1 | FileCheck %s --check-prefix=DC-MINUS-ZERO
// RUN: not ps-opt %s --ps-place-variables="pservers=a:1 mode=async dc=0.04 wire=bf16" 2>&1 | FileCheck %s --check-prefix=DC-WIRE

// A pipeline that is printed and run again has chosen no more than before.
// RUN: ps-opt %s --ps-place-variables="mode=collective" --dump-pass-pipeline -o %t.first 2> %t.log
// RUN: sed -n 's/^builtin.*/"--pass-pipeline=&"/p' %t.log | xargs ps-opt %s -o %t.second
// RUN: diff %t.first %t.second

// DC: :{{[0-9]+}}:1: error: dc=0.04 compensates for late gradients, which mode=async and half-async have, found mode=sync: leave dc out or choose one of them
// DC-NEGATIVE: :{{[0-9]+}}:1: error: expected a factor from 0 to 3.4e38 for the compensation, found dc=-1
// DC-LARGE: :{{[0-9]+}}:1: error: expected a factor from 0 to 3.4e38 for the compensation, found dc=1e+39
// DC-MINUS-ZERO: :{{[0-9]+}}:1: error: expected a factor from 0 to 3.4e38 for the compensation, found dc=-0
// DC-WIRE: :{{[0-9]+}}:1: error: dc compares values with those that a trainer pulled, which wire=bf16 rounds: leave one of them out
// NO-PSERVERS: :{{[0-9]+}}:1: error: no pserver: expected pservers=N, or pservers=host:port,host:port, or mode=collective to train without
// NO-PORT: :{{[0-9]+}}:1: error: malformed pserver endpoint 'localhost': expected host:port with a port from 1 to 65535
// NO-HOST: :{{[0-9]+}}:1: error: malformed pserver endpoint ':6174'
// EMPTY: :{{[0-9]+}}:1: error: malformed pserver endpoint ''
// LARGE-PORT: :{{[0-9]+}}:1: error: malformed pserver endpoint 'a:65536'
// SIGNED-PORT: :{{[0-9]+}}:1: error: malformed pserver endpoint 'a:+1'
// IPV6: :{{[0-9]+}}:1: error: malformed pserver endpoint '::1:6174'
// URL: :{{[0-9]+}}:1: error: malformed pserver endpoint 'http://a:1'
// PORT-0: :{{[0-9]+}}:1: error: pserver endpoint 'a:0' leaves the port to the system, and trainers could not know it: expected a port from 1 to 65535, or pservers=N to give addresses at run time
// ZERO: :{{[0-9]+}}:1: error: expected from 1 to 10000 pservers, found pservers=0
// MANY: :{{[0-9]+}}:1: error: expected from 1 to 10000 pservers, found pservers=10001
// TWO-NUMBERS: :{{[0-9]+}}:1: error: malformed pserver endpoint '2'
// TWICE: :{{[0-9]+}}:1: error: pserver endpoint 'a:01' is given twice
// TRAINERS: :{{[0-9]+}}:1: error: expected at least 1 trainer, found trainers=0
// TRAINERS-MANY: :{{[0-9]+}}:1: error: expected at most 1000000 trainers, found trainers=4294967297
// BLOCK-SIZE: :{{[0-9]+}}:1: error: expected blocks of at least 1 element, found min-block-size=0
// METHOD: :{{[0-9]+}}:1: error: unknown split-method=Random: expected one of HashName, RoundRobin, SizeBalanced
// UNKNOWN-MODE: :{{[0-9]+}}:1: error: unknown mode=bsp: expected one of sync, async, half-async, geo, collective
// NEAR-METHOD: :{{[0-9]+}}:1: error: unknown split-method=size-balance: expected one of HashName, RoundRobin, SizeBalanced; did you mean 'SizeBalanced'?
// NEAR-MODE: :{{[0-9]+}}:1: error: unknown mode=half_async: expected one of sync, async, half-async, geo, collective; did you mean 'half-async'?
// NEAR-WIRE: :{{[0-9]+}}:1: error: unknown wire=bf_16: expected one of f32, bf16, f16; did you mean 'bf16'?
// WIRE: :{{[0-9]+}}:1: error: wire=int8 would need a scale for each part of a variable: expected one of f32, bf16, f16, and row-wire=int8 for rows of tables
// NOT-CUT: :{{[0-9]+}}:1: error: slice-var-up=false slices nothing, so min-block-size=100 has no effect: expected one of them
// GEO: :{{[0-9]+}}:1: error: geo-steps=100 counts the steps between two exchanges of mode=geo, found mode=sync: choose mode=geo or leave geo-steps out
// GEO-ACCUMULATE: :{{[0-9]+}}:1: error: accumulate=2 delays an update that mode=geo does immediately: leave accumulate out and choose geo-steps
// GEO-BUCKETS: :{{[0-9]+}}:1: error: mode=geo exchanges every block alone, and blocks and rows whole and in their own type: leave bucket-bytes, wire, row-wire and top-k out
// COLLECTIVE-WIRE: :{{[0-9]+}}:1: error: wire=bf16 is for jobs with pservers, and mode=collective has none: leave wire out
// COLLECTIVE-BLOCK: :{{[0-9]+}}:1: error: min-block-size=8192 is for jobs with pservers, and mode=collective has none: leave min-block-size out
// COLLECTIVE-METHOD: :{{[0-9]+}}:1: error: split-method=RoundRobin is for jobs with pservers, and mode=collective has none: leave split-method out
// COLLECTIVE-CUT: :{{[0-9]+}}:1: error: slice-var-up=false is for jobs with pservers, and mode=collective has none: leave slice-var-up out
// NOT-CUT-DEFAULT: :{{[0-9]+}}:1: error: slice-var-up=false slices nothing, so min-block-size=8192 has no effect: expected one of them
// GEO-NEGATIVE: :{{[0-9]+}}:1: error: expected at least 1 step between two exchanges, found geo-steps=-1
// COLLECTIVE: :{{[0-9]+}}:1: error: mode=collective trains without pservers, found pservers=a:1: leave them out or choose mode=sync
// STALENESS: :{{[0-9]+}}:1: error: staleness=2 bounds how far trainers of mode=async or half-async may be ahead of the slowest, found mode=sync: leave staleness out or choose one of them
// STALENESS-NEGATIVE: :{{[0-9]+}}:1: error: expected at least 0 steps ahead, found staleness=-1
// STALENESS-ZERO: #ps.cluster<mode = async, {{.*}}staleness = 0
// GEO-STEPS: :{{[0-9]+}}:1: error: expected at least 1 step between two exchanges, found geo-steps=0

module {
  ps.variable @w : tensor<3xf32> init(#ps.constant<0.0>)
  func.func @train(%g: tensor<3xf32>) {
    ps.apply @w, %g using(#ps.sgd<learning_rate = 0.1>) : tensor<3xf32>
    return
  }
}
