// SPDX-License-Identifier: Apache-2.0
//===- PSBase.td - the ps dialect -----------------------------------------===//

#ifndef PS_BASE_TD
#define PS_BASE_TD

include "mlir/IR/OpBase.td"

def PS_Dialect : Dialect {
  let name = "ps";
  let cppNamespace = "::ps";
  let summary = "What is trained, where it is held, what crosses the network.";
  let description = [{
    A single-machine training graph declares its parameters (`ps.variable`),
    reads them (`ps.read`) and names the loss to be minimized
    (`ps.minimize`). Differentiation turns the loss into one `ps.apply` per
    trainable variable. The partitioner then makes one `ps.program` per role.
    Ops that use the network occur only in programs: `ps.send`,
    `ps.send_barrier`, `ps.recv` and `ps.fetch_barrier` in trainers,
    `ps.listen_and_serv` with one `ps.optimize_block` per slice in pservers
    (parameter servers).

    Optimizers, schedules and initializers are attributes behind interfaces.
    An optimizer describes its update once, as StableHLO; local runs and
    pservers expand the same description.
  }];
  let dependentDialects = ["::stablehlo::StablehloDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Function argument attribute: the name under which data is fed.
    static constexpr llvm::StringLiteral feedAttrName = "ps.feed";
    /// Function argument attribute, i64: the worker whose batch the argument
    /// is of. Made by ps-add-workers; the arguments of several workers have
    /// the same `ps.feed`.
    static constexpr llvm::StringLiteral workerAttrName = "ps.worker";
    /// Function result attribute: the name under which a value is reported.
    static constexpr llvm::StringLiteral fetchAttrName = "ps.fetch";
    /// Module attribute: the job that the variables are placed for. Present
    /// between ps-place-variables and ps-partition.
    static constexpr llvm::StringLiteral clusterAttrName = "ps.cluster";
    /// Function attribute, i64: the trainer runs the function each time that
    /// many steps have passed, and once more if training ends in between. Made
    /// by ps-partition.
    static constexpr llvm::StringLiteral everyAttrName = "ps.every";
    /// Function attribute, the symbol of a function: the transfers of this one
    /// go on in the background of the following steps. The trainer runs the
    /// other one between two steps when they have ended, in any case before it
    /// runs this one again and at its end. Made by ps-partition.
    static constexpr llvm::StringLiteral thenAttrName = "ps.then";
    /// Function attribute, unit: the trainer runs the function once, after its
    /// last step and before its last exchange. Made by ps-partition.
    static constexpr llvm::StringLiteral lastAttrName = "ps.last";
    /// Function attribute, the symbol of a table: the function updates one row
    /// of it. Made by ps-expand-optimizers.
    static constexpr llvm::StringLiteral rowOfAttrName = "ps.row_of";

    /// Attributes print as generated; an unknown name gets a suggestion.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

    /// Reports an op that does not exist, with a suggestion.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;

    void registerAttributes();
    void registerTypes();
  }];
}

#endif // PS_BASE_TD
