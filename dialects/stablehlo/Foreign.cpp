// SPDX-License-Identifier: Apache-2.0
//===- Foreign.cpp - what our definitions leave out -----------------------===//
//
//===----------------------------------------------------------------------===//

#include "dialects/stablehlo/Foreign.h"
#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace stablehlo;

#include "dialects/stablehlo/ChloDialect.cpp.inc"

namespace {

/// Stands in for an op outside the set that came in generic form. The verifier
/// asks every op of a module how it uses symbols: the one place where a dialect
/// is asked about an op that it did not register.
struct UnsupportedOp : SymbolUserOpInterface::FallbackModel<UnsupportedOp> {
  LogicalResult verifySymbolUses(Operation *op, SymbolTableCollection &) const {
    return emitError(op->getLoc()) << op->getName() << " is not supported";
  }
};

/// A dialect that surrounds StableHLO in what JAX prints: its attributes are
/// kept as opaque text, its ops are reported.
class ForeignDialect : public Dialect {
public:
  ForeignDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return parseOpaque(parser, getNamespace(), type);
  }
  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return parseUnsupportedOp;
  }
  void *getRegisteredInterfaceForOp(TypeID interface,
                                    OperationName name) override {
    return getUnsupportedOpInterface(interface, name);
  }
};

#define FOREIGN_DIALECT(CLASS, NAME)                                           \
  struct CLASS : ForeignDialect {                                              \
    explicit CLASS(MLIRContext *context)                                       \
        : ForeignDialect(NAME, context, TypeID::get<CLASS>()) {}               \
    static StringRef getDialectNamespace() { return NAME; }                    \
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CLASS)                        \
  };
FOREIGN_DIALECT(JaxDialect, "jax")
FOREIGN_DIALECT(MhloDialect, "mhlo")
#undef FOREIGN_DIALECT

} // namespace

ParseResult stablehlo::parseUnsupportedOp(OpAsmParser &parser,
                                          OperationState &state) {
  // Not parser.emitError, which would begin the message with the op's name.
  return emitError(parser.getEncodedSourceLoc(parser.getNameLoc()))
         << state.name << " is not supported";
}

void *stablehlo::getUnsupportedOpInterface(TypeID interface,
                                           OperationName name) {
  static UnsupportedOp model;
  if (name.isRegistered() ||
      interface != SymbolUserOpInterface::getInterfaceID())
    return nullptr;
  return &model;
}

Attribute stablehlo::parseOpaque(DialectAsmParser &parser, StringRef dialect,
                                 Type type) {
  MLIRContext *context = parser.getContext();
  return OpaqueAttr::get(StringAttr::get(context, dialect),
                         parser.getFullSymbolSpec(),
                         type ? type : NoneType::get(context));
}

void stablehlo::registerForeignDialects(DialectRegistry &registry) {
  registry.insert<JaxDialect, MhloDialect>();
}

//===----------------------------------------------------------------------===//
// chlo
//===----------------------------------------------------------------------===//

void chlo::ChloDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/ChloOps.cpp.inc"
      >();
  addInterfaces<EverywhereInliner>();
  allowUnknownOperations();
}

Attribute chlo::ChloDialect::parseAttribute(DialectAsmParser &parser,
                                            Type type) const {
  return parseOpaque(parser, getNamespace(), type);
}

std::optional<Dialect::ParseOpHook>
chlo::ChloDialect::getParseOperationHook(StringRef) const {
  return parseUnsupportedOp;
}

void *chlo::ChloDialect::getRegisteredInterfaceForOp(TypeID interface,
                                                     OperationName name) {
  return getUnsupportedOpInterface(interface, name);
}
