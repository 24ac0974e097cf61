// SPDX-License-Identifier: Apache-2.0
//===- ps-grid-check.cpp - kernels for a GPU against those for the host ---===//
//
// Compiles the kernels of files for the host and as grids of threads, runs both
// on random numbers, and compares results. Grids run twice, in other orders of
// their threads, with equal bits. With --interpret, those are their PTX,
// interpreted. With --ptx, writes that instead.
//
//===----------------------------------------------------------------------===//

#include "compiler/GpuKernelPipeline.h"
#include "compiler/KernelPipeline.h"
#include "compiler/Registration.h"
#include "dialects/exec/ExecDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "test/ptx/PtxProgram.h"
#include "tools/ps-run/loader/HostGrid.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <vector>

using namespace mlir;
using namespace ps;

namespace {

llvm::cl::list<std::string>
    files(llvm::cl::Positional, llvm::cl::desc("FILE.."), llvm::cl::OneOrMore);
llvm::cl::opt<uint64_t> seed("seed", llvm::cl::init(std::random_device()()),
                             llvm::cl::desc("Of numbers and orders"));
llvm::cl::opt<double> tolerance("tolerance", llvm::cl::init(1e-6),
                                llvm::cl::desc("Of floats, relative to the "
                                               "largest of a result or 1"));
llvm::cl::opt<std::string>
    ptxFolder("ptx", llvm::cl::desc("Write PTX to this folder"));
llvm::cl::opt<std::string> chip("chip", llvm::cl::init("sm_80"),
                                llvm::cl::desc("The GPU of PTX"));
llvm::cl::opt<bool> interpret("interpret",
                              llvm::cl::desc("Run the PTX of grids"));
llvm::cl::opt<std::string>
    edit("edit", llvm::cl::desc("FROM=TO: of that PTX; shows what is found"));
llvm::cl::opt<bool> rows("rows",
                         llvm::cl::desc("With --ptx: for rows of a table"));
llvm::cl::opt<bool> special("special",
                            llvm::cl::desc("NaN and infinities, too"));
llvm::cl::opt<bool> verbose("verbose", llvm::cl::desc("Print each kernel"));

/// More memory than this is not spent on one buffer.
constexpr int64_t mostBytes = 64 << 20;

/// What a GPU has for a block, as a kernel may declare it.
constexpr size_t mostSharedBytes = 48 << 10;

using Bytes = std::vector<std::byte>;

int64_t countBytes(RankedTensorType type, int64_t rows) {
  int64_t elements = 1;
  for (int64_t size : type.getShape())
    elements *= ShapedType::isDynamic(size) ? rows : size;
  return elements * exec::getByteWidth(type.getElementType());
}

template <typename T>
T getElement(const std::byte *data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

double halfToDouble(uint16_t bits) {
  return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits))
      .convertToDouble();
}

double getFloat(Type type, const std::byte *data) {
  if (type.isF64())
    return getElement<double>(data);
  if (type.isF32())
    return getElement<float>(data);
  auto bits = getElement<uint16_t>(data);
  return type.isBF16() ? std::bit_cast<float>(static_cast<uint32_t>(bits) << 16)
                       : halfToDouble(bits);
}

/// Seldom NaN or an infinity, of all widths.
void placeSpecials(const llvm::fltSemantics &semantics, Bytes &bytes,
                   int64_t width, std::mt19937_64 &random) {
  std::uniform_int_distribution<int64_t> kind(0, 600);
  for (size_t i = 0; i < bytes.size(); i += width) {
    const int64_t drawn = kind(random);
    if (drawn > 2)
      continue;
    llvm::APFloat value = drawn == 0
                              ? llvm::APFloat::getQNaN(semantics)
                              : llvm::APFloat::getInf(semantics, drawn == 1);
    const uint64_t bits = value.bitcastToAPInt().getZExtValue();
    std::memcpy(&bytes[i], &bits, width);
  }
}

/// Floats of which sums and products are exact, so that the order of a sum does
/// not matter, and that are not small, in case of a division; integers that
/// often are indices of something.
void fillRandomly(RankedTensorType type, Bytes &bytes,
                  std::mt19937_64 &random) {
  Type element = type.getElementType();
  int64_t width = exec::getByteWidth(element);
  std::uniform_int_distribution<int64_t> sixteenths(8, 32), integer(-1, 9),
      larger(-1, 99), truth(0, 1);
  for (size_t i = 0; i < bytes.size(); i += width) {
    if (auto floating = dyn_cast<FloatType>(element)) {
      llvm::APFloat value(static_cast<double>(sixteenths(random)) / 16);
      if (truth(random))
        value.changeSign();
      bool isExact;
      value.convert(floating.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &isExact);
      uint64_t bits = value.bitcastToAPInt().getZExtValue();
      std::memcpy(&bytes[i], &bits, width);
    } else {
      int64_t value = element.isInteger(1) ? truth(random)
                      : truth(random)      ? integer(random)
                                           : larger(random);
      std::memcpy(&bytes[i], &value, width);
    }
  }
  if (auto floating = dyn_cast<FloatType>(element); floating && special)
    placeSpecials(floating.getFloatSemantics(), bytes, width, random);
}

/// The functions of which threads shuffle: they work on rows.
int countRowFunctions(ModuleOp module) {
  int count = 0;
  module.walk([&](gpu::GPUFuncOp function) {
    count +=
        function.walk([](gpu::ShuffleOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
  });
  return count;
}

/// What of two results differs; empty if nothing does.
std::string compare(RankedTensorType type, const Bytes &expected,
                    const Bytes &actual) {
  Type element = type.getElementType();
  int64_t width = exec::getByteWidth(element);
  // Numbers with fewer bits may round the other way.
  double allowed = element.isBF16()  ? 0.008
                   : element.isF16() ? 0.001
                                     : tolerance;
  double largest = 1;
  if (isa<FloatType>(element))
    for (size_t i = 0; i < expected.size(); i += width)
      if (double x = std::abs(getFloat(element, &expected[i]));
          std::isfinite(x))
        largest = std::max(largest, x);
  for (size_t i = 0; i < expected.size(); i += width) {
    if (std::memcmp(&expected[i], &actual[i], width) == 0)
      continue;
    std::string place = " at element " + std::to_string(i / width);
    if (!isa<FloatType>(element))
      return "integers differ" + place;
    double x = getFloat(element, &expected[i]);
    double y = getFloat(element, &actual[i]);
    if (std::isnan(x) && std::isnan(y))
      continue;
    if (!(std::abs(x - y) <= allowed * largest))
      return std::to_string(x) + " and " + std::to_string(y) + place;
  }
  return "";
}

struct Counts {
  int kernels = 0, functions = 0, ofRows = 0, large = 0, failures = 0;
};

/// A kernel as functions of a GPU.
struct Grid {
  HostGridKernel functions;
  /// That of --interpret, or empty.
  PtxProgram ptx;

  /// Runs the functions; the problem that it meets.
  std::string run(const std::vector<std::span<std::byte>> &buffers,
                  int64_t rows, std::mt19937_64 &random) const;
};

class Checker {
public:
  Checker(MLIRContext &context, Jit &jit) : context(context), jit(jit) {}

  /// Whether `path` could be read and compiled.
  bool checkFile(const std::string &path);
  /// Writes a file of PTX per kernel; whether that went well.
  bool writePtx(const std::string &path);
  Counts counts;

private:
  OwningOpRef<ModuleOp> extractKernels(ModuleOp module);
  void checkKernel(FunctionType type, const CompiledKernel &host,
                   const Grid &grid, const std::string &where);
  std::string findProblem(FunctionType type, int64_t rows,
                          const CompiledKernel &host, const Grid &grid,
                          std::mt19937_64 &random);
  bool addPtx(ModuleOp kernels, std::map<std::string, Grid> &grids);
  template <typename Run>
  std::vector<Bytes> runKernel(FunctionType type, int64_t rows,
                               const std::vector<int64_t> &scratch,
                               const std::vector<Bytes> &arguments, Run run);

  MLIRContext &context;
  Jit &jit;
};

} // namespace

OwningOpRef<ModuleOp> Checker::extractKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  module.walk([&](func::FuncOp function) {
    if (exec::isKernel(function) && !function.isDeclaration())
      kernels->push_back(function.clone());
  });
  return kernels;
}

static std::vector<void *>
pointersTo(const std::vector<std::span<std::byte>> &buffers) {
  std::vector<void *> pointers;
  for (std::span<std::byte> buffer : buffers)
    pointers.push_back(buffer.data());
  return pointers;
}

std::string Grid::run(const std::vector<std::span<std::byte>> &buffers,
                      int64_t rows, std::mt19937_64 &random) const {
  const std::vector<void *> pointers = pointersTo(buffers);
  for (const HostGrid &each : functions.grids) {
    if (!interpret) {
      runtime::runGrid(each.function, pointers, rows, random);
      continue;
    }
    auto found = ptx.functions.find(each.function.name);
    if (found == ptx.functions.end())
      return "no PTX of " + each.function.name;
    std::vector<const void *> arguments;
    for (void *const &pointer : pointers)
      arguments.push_back(&pointer);
    arguments.push_back(&rows);
    if (arguments.size() != found->second.params.size())
      return "PTX with other parameters";
    PtxRun ptxRun(ptx, found->second, buffers, arguments.data());
    ptxRun.findsBufferRaces = true;
    std::string problem = ptxRun.run(each.function.numBlocks(rows),
                                     each.function.threads, random);
    if (!problem.empty())
      return problem;
  }
  return "";
}

/// The results. What the kernel must write before it reads holds anything.
template <typename Run>
std::vector<Bytes> Checker::runKernel(FunctionType type, int64_t rows,
                                      const std::vector<int64_t> &scratch,
                                      const std::vector<Bytes> &arguments,
                                      Run run) {
  std::vector<Bytes> buffers = arguments;
  for (Type result : type.getResults())
    buffers.emplace_back(countBytes(cast<RankedTensorType>(result), rows),
                         std::byte{0xc3});
  // Some intermediates have no rows, and are there without any.
  for (int64_t bytes : scratch)
    buffers.emplace_back(bytes * std::max<int64_t>(rows, 1), std::byte{0xc3});
  run(std::vector<std::span<std::byte>>(buffers.begin(), buffers.end()));
  auto first = buffers.begin() + arguments.size();
  return {first, first + type.getNumResults()};
}

/// With some number of rows, if that is open, and with none.
void Checker::checkKernel(FunctionType type, const CompiledKernel &host,
                          const Grid &grid, const std::string &where) {
  std::mt19937_64 random(seed);
  auto isDynamic = [](Type each) {
    return !cast<RankedTensorType>(each).hasStaticShape();
  };
  int64_t rows = 1;
  if (llvm::any_of(type.getResults(), isDynamic))
    rows = std::uniform_int_distribution<int64_t>(1, 70)(random);
  for (Type each :
       llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (countBytes(cast<RankedTensorType>(each), rows) > mostBytes) {
      ++counts.large;
      return;
    }
  ++counts.kernels;
  const std::vector<HostGrid> &functions = grid.functions.grids;
  counts.functions += functions.size();
  std::string problem = findProblem(type, rows, host, grid, random);
  for (const HostGrid &each : functions)
    if (each.code->sharedBytes > mostSharedBytes)
      problem = "the threads of a block share more than a GPU has";
  if (problem.empty() && llvm::any_of(type.getResults(), isDynamic) &&
      !findProblem(type, 0, host, grid, random).empty())
    problem = "differs without rows";
  if (!problem.empty()) {
    ++counts.failures;
    llvm::outs() << where << ": with " << rows << " rows: " << problem << "\n";
  } else if (verbose) {
    llvm::outs() << where << ": " << functions.size() << " function(s), "
                 << rows << " rows: equal\n";
  }
}

/// What differs between the host and the grid on random numbers; empty if
/// nothing does.
std::string Checker::findProblem(FunctionType type, int64_t rows,
                                 const CompiledKernel &host, const Grid &grid,
                                 std::mt19937_64 &random) {
  std::vector<Bytes> arguments;
  for (Type each : type.getInputs()) {
    auto tensor = cast<RankedTensorType>(each);
    fillRandomly(tensor, arguments.emplace_back(countBytes(tensor, rows)),
                 random);
  }
  std::vector<Bytes> expected =
      runKernel(type, rows, host.scratchBytes, arguments,
                [&](const std::vector<std::span<std::byte>> &buffers) {
                  host.function(pointersTo(buffers).data(), 0, rows);
                });
  std::string met;
  auto runGrids = [&](const std::vector<std::span<std::byte>> &buffers) {
    std::string problem = grid.run(buffers, rows, random);
    if (met.empty())
      met = problem;
  };
  std::vector<Bytes> actual =
      runKernel(type, rows, grid.functions.scratchBytes, arguments, runGrids);
  // Another order: of what is interpreted, races are found without.
  std::vector<Bytes> again =
      interpret ? actual
                : runKernel(type, rows, grid.functions.scratchBytes, arguments,
                            runGrids);
  if (!met.empty())
    return met;
  for (auto [i, result] : llvm::enumerate(type.getResults())) {
    std::string problem =
        compare(cast<RankedTensorType>(result), expected[i], actual[i]);
    if (!problem.empty())
      return problem;
    if (actual[i] != again[i])
      return "depends on the order of threads";
  }
  return "";
}

bool Checker::checkFile(const std::string &path) {
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!module)
    return false;
  OwningOpRef<ModuleOp> forHost = extractKernels(*module);
  std::map<std::string, FunctionType> types;
  for (auto function : forHost->getOps<func::FuncOp>())
    types[function.getName().str()] = function.getFunctionType();
  OwningOpRef<ModuleOp> forGpu = forHost->clone(), forPtx = forHost->clone();
  PassManager hostPasses(&context), gpuPasses(&context);
  buildKernelPipeline(hostPasses);
  buildGpuSchedulePipeline(gpuPasses);
  if (failed(hostPasses.run(*forHost)) || failed(gpuPasses.run(*forGpu)))
    return false;
  auto host = jit.compile(*forHost);
  if (!host.ok()) {
    llvm::errs() << path << ": " << host.status().ToString() << "\n";
    return false;
  }
  counts.ofRows += countRowFunctions(*forGpu);
  auto compiled = compileGrids(*forGpu, jit);
  if (!compiled.ok()) {
    llvm::errs() << path << ": " << compiled.status().ToString() << "\n";
    return false;
  }
  std::map<std::string, Grid> grids;
  for (HostGridKernel &grid : *compiled)
    grids[grid.name].functions = std::move(grid);
  if (interpret && !addPtx(*forPtx, grids))
    return false;
  for (const auto &[name, grid] : grids)
    checkKernel(types.at(name), host->at(name), grid, path + ": @" + name);
  return grids.size() == types.size();
}

/// Compiles `kernels` to PTX; whether that went well.
bool Checker::addPtx(ModuleOp kernels, std::map<std::string, Grid> &grids) {
  PassManager passes(&context);
  buildGpuKernelPipeline(passes, chip);
  if (failed(passes.run(kernels)))
    return false;
  for (auto binary : kernels.getOps<gpu::BinaryOp>()) {
    auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
    std::string text = object.getObject().getValue().str();
    auto [from, to] = StringRef(edit).split('=');
    for (size_t at = 0;
         !from.empty() && (at = text.find(from, at)) != text.npos;
         at += to.size())
      text.replace(at, from.size(), to);
    auto program = PtxProgram::parse(text);
    if (!program.ok()) {
      llvm::errs() << binary.getName() << ": " << program.status().ToString()
                   << "\n";
      return false;
    }
    grids.at(binary.getName().str()).ptx = *std::move(program);
  }
  return true;
}

bool Checker::writePtx(const std::string &path) {
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!module)
    return false;
  OwningOpRef<ModuleOp> kernels = extractKernels(*module);
  PassManager passes(&context);
  buildGpuKernelPipeline(passes, chip,
                         rows ? GpuTarget::TableRows : GpuTarget::Buffers);
  if (failed(passes.run(*kernels)))
    return false;
  for (auto binary : kernels->getOps<gpu::BinaryOp>()) {
    std::string file = ptxFolder + "/" + llvm::sys::path::stem(path).str() +
                       "." + binary.getName().str() + ".ptx";
    std::error_code error;
    llvm::raw_fd_ostream out(file, error);
    if (error) {
      llvm::errs() << file << ": " << error.message() << "\n";
      return false;
    }
    out << cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject().getValue();
    ++counts.kernels;
  }
  return true;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "compares kernels for a GPU with those for the host\n");
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  auto jit = Jit::create({});
  if (!jit.ok()) {
    llvm::errs() << jit.status().ToString() << "\n";
    return 1;
  }
  Checker checker(context, **jit);
  int unread = 0;
  for (const std::string &path : files)
    unread +=
        ptxFolder.empty() ? !checker.checkFile(path) : !checker.writePtx(path);
  const Counts &counts = checker.counts;
  if (!ptxFolder.empty()) {
    llvm::outs() << counts.kernels << " kernels for " << chip << ", " << unread
                 << " files not compiled\n";
    return unread ? 1 : 0;
  }
  llvm::outs() << counts.kernels << " kernels, " << counts.functions
               << " functions, " << counts.ofRows << " of rows, "
               << counts.failures << " differ; " << counts.large
               << " too large, " << unread << " files not compiled; seed "
               << seed << "\n";
  return counts.failures || unread ? 1 : 0;
}
