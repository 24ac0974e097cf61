// SPDX-License-Identifier: Apache-2.0
//===- ExecBase.td - the exec dialect -------------------------------------===//

#ifndef EXEC_BASE_TD
#define EXEC_BASE_TD

include "mlir/IR/OpBase.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::ps::exec";
  let summary = "What one process runs, in which memory, after which tokens.";
  let description = [{
    The last form before the runtime. An `exec.program` declares its memory
    (`exec.variable`, `exec.feed`, `exec.constant`, `exec.buffer`, and
    `exec.view` of those) and its nodes, one for one with the nodes of
    `runtime/executor/Program.h`. A node reads and writes memory in place and
    starts when the nodes whose tokens it takes are done; nothing else orders
    nodes. Memory is the host's, or the device's where its type says
    `#exec.space<device>`: kernels, products and collectives work within one
    space, `exec.copy` between two, all other nodes on the host. Made by the
    compile pipeline (`ps-lower-to-exec`), read by the loader of ps-run, rarely
    seen by users.

    A kernel is a private `func.func` marked `exec.kernel` whose body holds
    stablehlo ops only. A *whole kernel* has static types. A *row kernel* has a
    leading `?` on all results and on the arguments that are split by rows; its
    rows are independent of each other, so a launch may split them over tasks,
    and one compiled kernel serves every number of rows.
  }];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::ps::PSDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Marks a function as a kernel.
    static constexpr llvm::StringLiteral kernelAttrName = "exec.kernel";
    /// Bytes of each scratch buffer of a compiled kernel, per row for row
    /// kernels: an array of i64 on the function.
    static constexpr llvm::StringLiteral scratchAttrName = "exec.scratch";
  }];
}

#endif // EXEC_BASE_TD
