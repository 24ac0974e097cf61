// SPDX-License-Identifier: Apache-2.0
//===- PipelineOptions.h - options of a pipeline, and their names ---------===//

#ifndef PS_COMPILER_PIPELINEOPTIONS_H
#define PS_COMPILER_PIPELINEOPTIONS_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

#include <limits>
#include <string>

namespace ps {

/// The value of a number that the user has not chosen: passes see it, and give
/// the option its default. Whoever prints a pipeline and runs the text again
/// has not chosen it either.
inline constexpr int64_t unsetOption = std::numeric_limits<int64_t>::min();

/// Ops that a function may have once its calls are inlined, where the user has
/// not chosen: minutes of compiling.
inline constexpr int64_t kMaxOps = 1'000'000;

/// The value of recover-tables where there can be no tables: none become one.
/// The pass reports what is no value of it all the same.
inline std::string keepVariables(const std::string &recoverTables) {
  const bool asks = recoverTables == "true" || recoverTables == "lazy";
  return asks ? "false" : recoverTables;
}

/// As MLIR's PassPipelineOptions, for registerPipeline.
template <typename T>
struct PipelineOptions : public mlir::PassPipelineOptions<T> {
  /// The names of all options, in no order.
  llvm::SmallVector<llvm::StringRef> getNames() const {
    return llvm::to_vector(this->OptionsMap.keys());
  }
};

/// Refuses an option in the raw text of a pipeline's options that is none of
/// `known`, and says which one may be meant.
mlir::LogicalResult checkOptionNames(
    llvm::StringRef pipeline, llvm::StringRef options,
    llvm::ArrayRef<llvm::StringRef> known,
    llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> refuse);

/// Makes a pipeline known to the command line under `name`.
template <typename Options>
void registerPipeline(llvm::StringRef name, llvm::StringRef description,
                      void (*build)(mlir::OpPassManager &, const Options &)) {
  mlir::registerPassPipeline(
      name, description,
      [name, build](
          mlir::OpPassManager &pm, llvm::StringRef text,
          llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> refuse)
          -> mlir::LogicalResult {
        Options options;
        if (failed(checkOptionNames(name, text, options.getNames(), refuse)) ||
            failed(options.parseFromString(text)))
          return mlir::failure();
        build(pm, options);
        return mlir::success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(Options());
      });
}

} // namespace ps

#endif // PS_COMPILER_PIPELINEOPTIONS_H
