// SPDX-License-Identifier: Apache-2.0
//===- Stages.cpp - what a kernel on buffers is made of -------------------===//

#include "compiler/gpu/Stages.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace ps;

bool ps::isStage(Operation &op) {
  return isa<linalg::LinalgOp, scf::ForOp, scf::IfOp, memref::StoreOp>(op);
}

Value ps::getBuffer(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

bool ps::touches(Operation &op, Value buffer) {
  return op
      .walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (isa<MemRefType>(operand.getType()) &&
              getBuffer(operand) == buffer)
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

linalg::FillOp ps::findFill(linalg::GenericOp op, Value memref) {
  for (Operation *prev = op->getPrevNode(); prev; prev = prev->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(prev);
    if (fill && fill.getOutputs()[0] == memref)
      return fill;
    if (isStage(*prev) && touches(*prev, getBuffer(memref)))
      return nullptr;
  }
  return nullptr;
}
