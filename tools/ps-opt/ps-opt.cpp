// SPDX-License-Identifier: Apache-2.0
//===- ps-opt.cpp - the compiler's driver ---------------------------------===//
//
// Registers the dialects and passes that a parameter-server program may need
// and hands over to MLIR's own driver.
//
//===----------------------------------------------------------------------===//

#include "compiler/Registration.h"
#include "dialects/ps/Spelling.h"
#include "tools/FileOptions.h"
#include "tools/ps-opt/PassStatistics.h"

#include "mlir/Debug/Counter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"

namespace ps::test {
void registerTestPasses();
} // namespace ps::test

/// Errors take one line: they do not print the op, which may be a whole module,
/// unless --mlir-print-op-on-diagnostic is given.
static void printShortDiagnostics() {
  mlir::registerMLIRContextCLOptions();
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions()["mlir-print-op-on-diagnostic"];
  static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}

/// Whether `pass` leaves the module as it is: its result is a diagnostic, or
/// another file.
static bool isCheck(const mlir::Pass &pass) {
  return pass.getArgument() == "ps-verify-programs" ||
         pass.getArgument() == "ps-write-report";
}

/// Adds to the setup of the passes that `config` brings: statistics, if they
/// are asked for, and whether all passes are checks. An error in the options of
/// a pass has no place in the input: it is reported as the driver's.
static void extendSetup(mlir::MlirOptMainConfig &config, bool statistics,
                        bool &areChecks) {
  config.setPassPipelineSetupFn(
      [given = config, statistics,
       &areChecks](mlir::PassManager &passes) -> mlir::LogicalResult {
        mlir::ScopedDiagnosticHandler handler(
            passes.getContext(), [](mlir::Diagnostic &diagnostic) {
              llvm::errs() << "ps-opt: error: " << diagnostic << "\n";
            });
        if (failed(given.setupPassPipeline(passes)))
          return mlir::failure();
        areChecks =
            !passes.empty() && llvm::all_of(passes.getPasses(), isCheck);
        if (statistics)
          passes.addInstrumentation(std::make_unique<ps::PassStatistics>());
        return mlir::success();
      });
}

/// The options of the libraries, which are registered before main() begins, are
/// for developers of code generators.
static void hideLibraryOptions() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "help-hidden" && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}

static void printVersion(llvm::raw_ostream &os) {
  os << "ps-opt " PS_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

/// LLVM's parser would take "--ps-transpil" for a "-p" with a value, and then
/// speak of that. Fails, with the nearest option, where one is unknown. The
/// options of a plugin are not known yet.
static mlir::LogicalResult
checkOptions(llvm::ArrayRef<const char *> arguments) {
  if (llvm::any_of(arguments, [](llvm::StringRef argument) {
        return argument.ltrim('-').starts_with("load-");
      }))
    return mlir::success();
  auto &options = llvm::cl::getRegisteredOptions();
  std::vector<std::string> shown;
  for (auto &[name, option] : options)
    if (option->getOptionHiddenFlag() == llvm::cl::NotHidden && !name.empty())
      shown.push_back(("--" + name).str());
  llvm::sort(shown); // of two as near, always the same one
  for (llvm::StringRef argument : arguments) {
    if (argument == "--")
      break;
    llvm::StringRef name = argument.split('=').first;
    if (!argument.starts_with("-") || argument == "-" ||
        options.contains(name.ltrim('-')))
      continue;
    llvm::errs() << "ps-opt: unknown option '" << name << "'"
                 << ps::suggest(name, llvm::SmallVector<llvm::StringRef>(
                                          shown.begin(), shown.end()))
                 << " (--help lists all)\n";
    return mlir::failure();
  }
  return mlir::success();
}

namespace {
/// The options of this driver itself.
struct DriverOptions : ps::FileOptions {
  llvm::cl::opt<bool> statistics{
      "ps-statistics",
      llvm::cl::desc("Report the number of ops before and after each pass")};
};
} // namespace

static void registerLibraryOptions(mlir::DialectRegistry &registry) {
  mlir::MlirOptMainConfig::registerCLOptions(registry);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  mlir::tracing::DebugCounter::registerCLOptions();
}

static constexpr const char *overview =
    R"(ps-mlir's compiler: lowers a training graph to one program per role of a job

  ps-opt graph.mlir --ps-transpile="pservers=HOST:PORT,.. trainers=N" -o dist.mlir
  ps-opt dist.mlir --ps-verify-programs          check programs edited by hand
  ps-opt dist.mlir --ps-report=job.html          a web page of what is placed where

The resulting module is written to the file of -o, or to standard output. It is
not printed to a terminal if the only passes are --ps-verify-programs and
--ps-report, which do not change it.

--help-hidden adds the options of LLVM's code generators.
)";

/// Runs MLIR's own driver on a module that the parser can read.
static mlir::LogicalResult run(int argc, char **argv,
                               mlir::DialectRegistry &registry) {
  llvm::InitLLVM crashes(argc, argv);
  DriverOptions options;
  registerLibraryOptions(registry);
  if (failed(checkOptions(llvm::ArrayRef(argv + 1, argv + argc))))
    return mlir::failure();
  llvm::cl::SetVersionPrinter(printVersion);
  llvm::cl::ParseCommandLineOptions(argc, argv, overview);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  bool areChecks = false;
  extendSetup(config, options.statistics, areChecks);
  if (config.shouldShowDialects())
    return mlir::MlirOptMain(argc, argv, options.input, options.output,
                             registry);
  mlir::FailureOr<ps::FileOptions::Files> files = options.open();
  if (failed(files))
    return mlir::failure();
  const bool onTerminal = options.output.getNumOccurrences() == 0 &&
                          llvm::sys::Process::StandardOutIsDisplayed();
  std::string text;
  llvm::raw_string_ostream shown(text);
  llvm::raw_ostream &os = onTerminal ? static_cast<llvm::raw_ostream &>(shown)
                                     : files->output->os();
  mlir::LogicalResult result =
      mlir::MlirOptMain(os, std::move(files->input), registry, config);
  if (!areChecks)
    files->output->os() << text;
  if (succeeded(result))
    files->output->keep();
  return result;
}

int main(int argc, char **argv) {
  hideLibraryOptions();
  printShortDiagnostics();
  mlir::DialectRegistry registry;
  ps::registerDialects(registry);
  ps::registerPassesAndPipelines();
  ps::test::registerTestPasses();
  return mlir::failed(run(argc, argv, registry));
}
