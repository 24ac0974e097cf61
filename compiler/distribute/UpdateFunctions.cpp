// SPDX-License-Identifier: Apache-2.0
//===- UpdateFunctions.cpp - update functions of custom optimizers ------===//

#include "compiler/distribute/UpdateFunctions.h"

using namespace mlir;

namespace ps {

/// The names of the update functions that `program` applies.
static llvm::SetVector<StringAttr> findUpdateFunctions(ProgramOp program) {
  llvm::SetVector<StringAttr> names;
  auto note = [&](OptimizerAttrInterface optimizer) {
    if (FlatSymbolRefAttr function = optimizer.getUpdateFunction())
      names.insert(function.getAttr());
  };
  program.walk([&](ApplyOp apply) { note(apply.getOptimizer()); });
  program.walk([&](ApplyRowsOp apply) { note(apply.getOptimizer()); });
  return names;
}

LogicalResult placeUpdateFunctions(PartitionPlan &plan) {
  llvm::SetVector<StringAttr> moved;
  for (ProgramOp server : plan.servers)
    for (StringAttr name : findUpdateFunctions(server)) {
      Operation *function = SymbolTable::lookupSymbolIn(plan.trainer, name);
      if (Operation *other = SymbolTable::lookupSymbolIn(server, name)) {
        InFlightDiagnostic diag = function->emitOpError()
                                  << "takes the name '@" << name.getValue()
                                  << "', which program '@"
                                  << server.getSymName() << "' needs";
        diag.attachNote(other->getLoc()) << "for this";
        return diag;
      }
      moved.insert(name);
      server.getBody().front().push_back(function->clone());
    }
  const llvm::SetVector<StringAttr> kept = findUpdateFunctions(plan.trainer);
  for (StringAttr name : moved)
    if (!kept.contains(name))
      SymbolTable::lookupSymbolIn(plan.trainer, name)->erase();
  return success();
}

} // namespace ps
