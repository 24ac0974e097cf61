// An option that a pipeline does not have is named, with what may be meant.

// RUN: not ps-opt %s --ps-transpile="pserver=a:1 trainers=2" 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not ps-opt %s --ps-transpile="pservers=a:1 speed=2" 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not ps-opt %s --pass-pipeline="builtin.module(ps-transpile{pservers=a:1 trainer=2})" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not ps-opt %s --ps-compile="batchsize=3" 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: not ps-opt %s --ps-transpile="pservers=a:1 trainers=two" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not ps-opt %s --ps-transpile="mode=collective trainers=2 recover-tables=no" 2>&1 | FileCheck %s --check-prefix=RECOVER
// RUN: not ps-opt %s --ps-transpile="pservers=a:1 trainers=2 mode=geo recover-tables=no" 2>&1 | FileCheck %s --check-prefix=RECOVER

// NEAR: {{^}}ps-opt: error: 'ps-transpile' has no option 'pserver'; did you mean 'pservers'?
// FAR: {{^}}ps-opt: error: 'ps-transpile' has no option 'speed'{{$}}
// TEXT: error: 'ps-transpile' has no option 'trainer'; did you mean 'trainers'?
// COMPILE: {{^}}ps-opt: error: 'ps-compile' has no option 'batchsize'; did you mean 'batch-size'?
// VALUE: 'two' value invalid for {{.*}}argument!
// RECOVER: error: expected recover-tables to be true, lazy or false, found 'no'
