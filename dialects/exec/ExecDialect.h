// SPDX-License-Identifier: Apache-2.0
//===- ExecDialect.h - what one process runs ------------------------------===//
//
// The one header of the exec dialect.
//
//===----------------------------------------------------------------------===//

#ifndef PS_DIALECTS_EXEC_EXECDIALECT_H
#define PS_DIALECTS_EXEC_EXECDIALECT_H

#include "dialects/ps/PSDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/exec/ExecDialect.h.inc"
#include "dialects/exec/ExecEnums.h.inc"

namespace ps::exec {

/// Some bytes that a node reads or writes while it runs.
struct Access {
  mlir::Value buffer;
  /// The bytes, relative to the start of `buffer`.
  int64_t begin, end;
  bool write;
};

/// Bytes of one element: i1 takes one.
int64_t getByteWidth(mlir::Type elementType);
/// Bytes of a tensor or memref of static shape, dense.
int64_t getByteSize(mlir::ShapedType type);
/// Bytes of one index of dimension 0; of the whole for rank 0.
int64_t getRowBytes(mlir::ShapedType type);
/// The memory that holds a value of `type`; on the host if `space` is null.
mlir::MemRefType getBufferType(mlir::RankedTensorType type,
                               mlir::Attribute space = {});

/// Where memory of `type` lies.
MemorySpace getMemorySpace(mlir::BaseMemRefType type);
/// Whether `type` is memory of the host.
bool isOnHost(mlir::BaseMemRefType type);
/// Whether the memory space of `type` is one that there is, as it is spelled.
bool isInMemorySpace(mlir::BaseMemRefType type);

/// Whether `node` is work of a device's queue, the same in every step: a
/// kernel, a product or a copy within the device's memory. It is done when it
/// is queued.
bool isQueuedOnDevice(mlir::Operation *node);

/// Whether `function` is a kernel.
bool isKernel(mlir::func::FuncOp function);
/// Whether `kernel` is a row kernel: some type has a `?`.
bool isRowKernel(mlir::func::FuncOp kernel);

/// See Exec_InExchange.
template <typename ConcreteOp>
class InExchange : public mlir::OpTrait::TraitBase<ConcreteOp, InExchange> {};

/// See Exec_Collective.
template <typename ConcreteOp>
class Collective : public mlir::OpTrait::TraitBase<ConcreteOp, Collective> {};

llvm::LogicalResult verifyOneMemorySpace(mlir::Operation *op);

/// See Exec_OneMemorySpace.
template <typename ConcreteOp>
class OneMemorySpace
    : public mlir::OpTrait::TraitBase<ConcreteOp, OneMemorySpace> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyOneMemorySpace(op);
  }
};

} // namespace ps::exec

#include "dialects/exec/ExecInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/exec/ExecAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/exec/ExecOps.h.inc"

#endif // PS_DIALECTS_EXEC_EXECDIALECT_H
