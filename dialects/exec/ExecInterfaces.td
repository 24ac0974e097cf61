// SPDX-License-Identifier: Apache-2.0
//===- ExecInterfaces.td - what every node of a program provides ----------===//

#ifndef EXEC_INTERFACES_TD
#define EXEC_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Exec_NodeOpInterface : OpInterface<"NodeOpInterface"> {
  let cppNamespace = "::ps::exec";
  let description = [{
    An op of an `exec.program` that becomes a node of the runtime: it takes
    tokens, accesses memory and returns a token.
  }];
  let methods = [
    InterfaceMethod<
      "The memory that the node accesses while it runs, in no particular order.",
      "::llvm::SmallVector<::ps::exec::Access>", "getAccesses">,
    InterfaceMethod<
      "The tokens the node waits for.",
      "::mlir::MutableOperandRange", "getAfterMutable">,
    InterfaceMethod<
      "The token that is ready when the node is done.",
      "::mlir::Value", "getDone">,
  ];
}

#endif // EXEC_INTERFACES_TD
