// SPDX-License-Identifier: Apache-2.0
//===- KernelLibrary.h - the kernels of a module --------------------------===//

#ifndef PS_COMPILER_OUTLINE_KERNELLIBRARY_H
#define PS_COMPILER_OUTLINE_KERNELLIBRARY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace ps {

/// Knows the kernels of a module by their bodies, so that each body is
/// there once.
class KernelLibrary {
public:
  explicit KernelLibrary(mlir::ModuleOp module);

  /// Takes `kernel`, which is in no module; gives the name under which its
  /// body is known: its ops and a hash of its text.
  mlir::StringAttr add(mlir::func::FuncOp kernel);
  mlir::func::FuncOp lookup(llvm::StringRef name) const {
    return symbols.lookup<mlir::func::FuncOp>(name);
  }
  /// Erases the kernels that no program refers to.
  void eraseUnused();

private:
  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::StringAttr> names; // by text
};

} // namespace ps

#endif // PS_COMPILER_OUTLINE_KERNELLIBRARY_H
