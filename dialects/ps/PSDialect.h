// SPDX-License-Identifier: Apache-2.0
//===- PSDialect.h - what is trained, where it is held, what is sent ------===//
//
// The one header of the ps dialect.
//
//===----------------------------------------------------------------------===//

#ifndef PS_DIALECTS_PS_PSDIALECT_H
#define PS_DIALECTS_PS_PSDIALECT_H

#include "dialects/stablehlo/StablehloDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/BitVector.h"

#include <string>

namespace ps {

/// State that an optimizer keeps beside a variable.
struct OptimizerSlot {
  /// The slot's name within its optimizer, e.g. "velocity".
  std::string name;
  mlir::RankedTensorType type;
  /// The value of every element before the first step.
  double initialValue;
};

/// A distribution of initial values, fan-in and fan-out already resolved.
struct InitialDistribution {
  enum class Kind {
    Constant,       ///< `a` everywhere; `b` unused
    Uniform,        ///< in [`a`, `b`)
    Normal,         ///< mean `a`, standard deviation `b`
    TruncatedNormal ///< the same, cut off at two standard deviations
  };
  Kind kind;
  double a;
  double b;
};

/// The number of rows that slicing sees in `type`: dimension 0, or one row for
/// a rank-0 tensor. `type` has a static shape.
int64_t getRowCount(mlir::RankedTensorType type);

/// The type of `rows` rows of `type`.
mlir::RankedTensorType getRowsType(mlir::RankedTensorType type, int64_t rows);

/// The type in which a variable of type `type` is updated and its optimizer
/// keeps state: f64 for f64, else f32, for narrow floats would lose small
/// learning rates and sums.
mlir::RankedTensorType getUpdateType(mlir::RankedTensorType type);

/// What ps.take_largest makes of `count` elements of a gradient: the number of
/// each, and its bits.
mlir::RankedTensorType getLargestType(mlir::MLIRContext *context,
                                      int64_t count);
bool isLargestType(mlir::Type type);

/// Whether `value` is a list whose length changes with every batch: an argument
/// `tensor<?x..>` that holds the ids or the weights of bags.
bool isRagged(mlir::Value value);
/// Whether `op` is a pooled lookup, or the gradient of one, that takes `value`
/// as the ids or the weights of its bags.
bool poolsFrom(mlir::Operation *op, mlir::Value value);

/// Emits the sum of squares of `grad` (any float type) as a tensor<f64>: what
/// norms are made of. f64, so that neither large elements nor many of them
/// are lost, and slices of a gradient add up to the same norm as the whole.
mlir::Value buildSquareSum(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value grad);

/// Emits the L2 norm of `value`, computed so, as a scalar of its element type.
mlir::Value buildNorm(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value);

/// Emits the rate that `learningRate`, a number or a schedule, has at global
/// step `step` (tensor<i64>, counted from 0) as a scalar of `elementType`.
mlir::Value buildLearningRate(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Attribute learningRate, mlir::Value step,
                              mlir::Type elementType);

/// The most trainers and pservers of a job and the most rounds of a step: far
/// more than are of use, and few enough that ids and round numbers fit an int
/// and a program per pserver fits into memory.
inline constexpr int64_t maxTrainers = 1000000;
inline constexpr int64_t maxPServers = 10000;
inline constexpr int64_t maxRounds = 16;

/// The variable that counts the global steps, a tensor<i64>, in every module
/// or program that has a schedule to follow. Where the graph has something of
/// that name, underscores follow.
inline constexpr llvm::StringLiteral globalStepName = "global_step";

/// Parses an f64 written as a plain number: `0.1`, `2`, `-1e-3`.
mlir::FailureOr<llvm::APFloat> parseNumber(mlir::AsmParser &parser);

/// Prints a finite f64 with the fewest digits that read back exactly, always
/// with a decimal point.
void printNumber(mlir::AsmPrinter &printer, const llvm::APFloat &value);

/// Parses and prints integers or numbers in brackets: `[100, 200]`.
mlir::FailureOr<mlir::DenseI64ArrayAttr> parseIntegers(mlir::AsmParser &parser);
void printIntegers(mlir::AsmPrinter &printer, mlir::DenseI64ArrayAttr values);
mlir::FailureOr<mlir::DenseF64ArrayAttr> parseNumbers(mlir::AsmParser &parser);
void printNumbers(mlir::AsmPrinter &printer, mlir::DenseF64ArrayAttr values);

/// Parses a number (giving an f64 FloatAttr) or any other attribute, which the
/// optimizer's verifier checks.
mlir::FailureOr<mlir::Attribute> parseLearningRate(mlir::AsmParser &parser);
void printLearningRate(mlir::AsmPrinter &printer, mlir::Attribute value);

/// Whether `value` does not overflow in floats of `type`.
bool isFiniteIn(const llvm::fltSemantics &type, llvm::APFloat value);

/// Fails if the parameter `name` overflows in f32, in which all updates but
/// those of f64 are computed: infinities would make NaN of them. To lose a tiny
/// epsilon does no harm.
mlir::LogicalResult
verifyFinite(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
             llvm::StringRef name, const llvm::APFloat &value);

/// Fails unless `learningRate` is a number >= 0, finite in f32, or a schedule.
/// For the verifiers of optimizers.
mlir::LogicalResult
verifyLearningRate(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                   mlir::Attribute learningRate);

/// Fails unless the parameter `name` is finite in f32 and not negative.
mlir::LogicalResult
verifyNotNegative(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                  llvm::StringRef name, const llvm::APFloat &value);

/// What ps.read, ps.assign and the ops that train touch: the variables.
struct VariableResource
    : public mlir::SideEffects::Resource::Base<VariableResource> {
  llvm::StringRef getName() final { return "ps.variables"; }
};

/// What ps.metric adds to: the numbers that a run reports.
struct MetricResource
    : public mlir::SideEffects::Resource::Base<MetricResource> {
  llvm::StringRef getName() final { return "ps.metrics"; }
};

/// What the transfer ops touch: the connections to other processes.
struct NetworkResource
    : public mlir::SideEffects::Resource::Base<NetworkResource> {
  llvm::StringRef getName() final { return "ps.network"; }
};

} // namespace ps

#include "dialects/ps/PSAttrInterfaces.h.inc"
#include "dialects/ps/PSDialect.h.inc"
#include "dialects/ps/PSEnums.h.inc"
#include "dialects/ps/PSOpInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/ps/PSAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/ps/PSTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/ps/PSOps.h.inc"

namespace ps {

/// Whether trainers wait for each other in every step of `mode`.
inline bool keepsStep(Mode mode) {
  return mode == Mode::Sync || mode == Mode::Collective;
}

/// `mode` as the option of ps-transpile spells it, which is no MLIR keyword.
std::string getModeOption(Mode mode);
/// All of them, in the order of the enum.
llvm::SmallVector<llvm::StringRef> getModeOptions();
/// The mode that is spelled so, if there is one.
std::optional<Mode> parseModeOption(llvm::StringRef option);

/// The argument of the function of `op` that holds for each sample whether it
/// was clicked; null where there is none. `accessor` is that of the table. Of
/// several workers' arguments it is that of `worker`, or else the first.
mlir::BlockArgument getClicks(LookupGradientOp op, CtrAttr accessor,
                              std::optional<int64_t> worker = std::nullopt);

/// Fails on initial values that elements of `wholeType` cannot hold: of `op`, a
/// variable or a table.
mlir::LogicalResult verifyInitialValues(mlir::Operation *op,
                                        InitializerAttrInterface init,
                                        mlir::RankedTensorType wholeType);

} // namespace ps

#endif // PS_DIALECTS_PS_PSDIALECT_H
