// SPDX-License-Identifier: Apache-2.0
//===- Foreign.h - what our definitions leave out ---------------*- C++ -*-===//
//
// JAX prints ops and attributes that we do not define. An attribute is kept as
// opaque text; an op is reported by name, with its location.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_STABLEHLO_FOREIGN_H
#define DIALECTS_STABLEHLO_FOREIGN_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

namespace stablehlo {

/// Every op may be inlined anywhere, into the body of a reduce too.
struct EverywhereInliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(mlir::Operation *, mlir::Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool,
                       mlir::IRMapping &) const final {
    return true;
  }
};

/// Reports an op in pretty form as not supported: a dialect's ParseOpHook.
mlir::ParseResult parseUnsupportedOp(mlir::OpAsmParser &parser,
                                     mlir::OperationState &state);

/// An interface of the unregistered op `name` whose verification reports it as
/// not supported, or null: for Dialect::getRegisteredInterfaceForOp.
void *getUnsupportedOpInterface(mlir::TypeID interface,
                                mlir::OperationName name);

/// The attribute at the parser's place as opaque text of `dialect`.
mlir::Attribute parseOpaque(mlir::DialectAsmParser &parser,
                            llvm::StringRef dialect, mlir::Type type);

/// Registers the dialects of which only attributes are known (`jax`, `mhlo`).
void registerForeignDialects(mlir::DialectRegistry &registry);

} // namespace stablehlo

#endif // DIALECTS_STABLEHLO_FOREIGN_H
