//===- ps-opt.cpp - the compiler's driver ---------------------------------===//
//
// Registers the dialects and passes that a parameter-server program may need
// and hands over to MLIR's own driver.
//
//===----------------------------------------------------------------------===//

#include "compiler/InputLimits.h"
#include "compiler/NewerSyntax.h"
#include "compiler/Registration.h"
#include "dialects/ps/Spelling.h"
#include "tools/ps-opt/PassStatistics.h"

#include "mlir/Debug/Counter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

namespace ps::test {
void registerTestPasses();
} // namespace ps::test

/// An error is one line: it does not show the op, which may be a whole module.
/// --mlir-print-op-on-diagnostic brings the op back.
static void printShortDiagnostics() {
  mlir::registerMLIRContextCLOptions();
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions()["mlir-print-op-on-diagnostic"];
  static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}

/// Counts what every pass does, if that is asked for.
static void addStatistics(mlir::MlirOptMainConfig &config) {
  config.setPassPipelineSetupFn(
      [given = config](mlir::PassManager &passes) -> mlir::LogicalResult {
        if (failed(given.setupPassPipeline(passes)))
          return mlir::failure();
        passes.addInstrumentation(std::make_unique<ps::PassStatistics>());
        return mlir::success();
      });
}

/// The options of the libraries, which are registered before main() begins, are
/// for those who work on code generators.
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
struct DriverOptions {
  llvm::cl::opt<std::string> input{llvm::cl::Positional,
                                   llvm::cl::desc("<input file>"),
                                   llvm::cl::init("-")};
  llvm::cl::opt<std::string> output{
      "o", llvm::cl::desc("Output filename (default: standard output)"),
      llvm::cl::value_desc("filename"), llvm::cl::init("-")};
  llvm::cl::opt<bool> statistics{
      "ps-statistics",
      llvm::cl::desc("Report how many ops each pass found and left")};
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
  ps-opt dist.mlir --ps-report=job.html          what goes where, as a page

--help-hidden adds the options of LLVM's code generators.
)";

/// What MLIR's own driver does, after a check of what the file asks of the
/// parser.
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
  if (options.statistics)
    addStatistics(config);
  if (config.shouldShowDialects())
    return mlir::MlirOptMain(argc, argv, options.input, options.output,
                             registry);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(options.input, &error);
  // The output may be the same file: a copy stays when that is emptied.
  if (input)
    input = llvm::MemoryBuffer::getMemBufferCopy(input->getBuffer(),
                                                 input->getBufferIdentifier());
  if (input)
    error = ps::checkInput(*input, /*mark=*/"error: ");
  std::unique_ptr<llvm::ToolOutputFile> output;
  if (error.empty())
    output = mlir::openOutputFile(options.output, &error);
  if (!error.empty()) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  if (failed(mlir::MlirOptMain(output->os(),
                               ps::readNewerSyntax(std::move(input)), registry,
                               config)))
    return mlir::failure();
  output->keep();
  return mlir::success();
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
