// SPDX-License-Identifier: Apache-2.0
//===- JobOptions.cpp - check what a user chooses of a job ----------------===//
//
// Options of a job are refused here if they describe no job, or if the mode
// gives them no meaning: ignoring them would hide a mistake. The hash covers
// all that changes what the programs compute, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "compiler/JobOptions.h"

#include "compiler/distribute/Placement.h"
#include "dialects/ps/Spelling.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace mlir;

namespace ps {

static constexpr int64_t defaultGeoSteps = 400;
static constexpr int64_t defaultMinBlockSize = 8192;
static constexpr StringLiteral defaultSplitMethod = "RoundRobin";

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The number in pservers=N.
static std::optional<int64_t> getGivenCount(const PlacementOptions &options) {
  int64_t count;
  if (options.pservers.size() != 1 ||
      StringRef(*options.pservers.begin()).getAsInteger(/*Radix=*/10, count))
    return std::nullopt;
  return count;
}

int64_t countServers(const PlacementOptions &options) {
  return getGivenCount(options).value_or(options.pservers.size());
}

SmallVector<StringRef> getEndpoints(const PlacementOptions &options) {
  if (getGivenCount(options))
    return {};
  return {options.pservers.begin(), options.pservers.end()};
}

int64_t getGeoSteps(const PlacementOptions &options) {
  return options.geoSteps == unsetOption ? defaultGeoSteps : options.geoSteps;
}

int64_t getMinBlockSize(const PlacementOptions &options) {
  return options.minBlockSize == unsetOption ? defaultMinBlockSize
                                             : options.minBlockSize;
}

StringRef getSplitMethod(const PlacementOptions &options) {
  return options.splitMethod.empty() ? StringRef(defaultSplitMethod)
                                     : StringRef(options.splitMethod);
}

/// As short as it is read.
static std::string printNumber(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

/// Prints the graph in generic form without locations, so that formatting and
/// file names do not change the hash.
std::string hashJob(ModuleOp graph, const PlacementOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  graph->print(os,
               OpPrintingFlags()
                   .enableDebugInfo(false)
                   .printGenericOpForm()
                   .elideLargeElementsAttrs(std::numeric_limits<int64_t>::max())
                   .useLocalScope());
  os << "mode=" << options.mode << " trainers=" << options.trainers.getValue()
     << " split-method=" << getSplitMethod(options)
     << " slice-var-up=" << options.sliceVarUp.getValue()
     << " min-block-size=" << getMinBlockSize(options)
     << " accumulate=" << options.accumulate.getValue()
     << " bucket-bytes=" << options.bucketBytes.getValue()
     << " wire=" << options.wire << " geo-steps=" << getGeoSteps(options)
     << " pservers=" << countServers(options)
     << " cache-rows=" << options.cacheRows.getValue();
  if (options.staleness != unsetOption)
    os << " staleness=" << options.staleness.getValue();
  if (options.delayCompensation != 0)
    os << " dc=" << llvm::format("%.17g", options.delayCompensation.getValue());
  if (options.topK != 0)
    os << " top-k=" << llvm::format("%.17g", options.topK.getValue());
  if (options.rowWire != "f32")
    os << " row-wire=" << options.rowWire;
  return llvm::utohexstr(llvm::xxHash64(os.str()), /*LowerCase=*/true,
                         /*Width=*/16);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {

class OptionChecker {
public:
  OptionChecker(const PlacementOptions &options,
                function_ref<InFlightDiagnostic()> refuse)
      : options(options), refuse(refuse) {}

  LogicalResult check();

private:
  LogicalResult checkMode();
  LogicalResult checkModeOptions(Mode mode);
  LogicalResult checkDelayCompensation(Mode mode);
  LogicalResult checkCollectiveOptions();
  LogicalResult checkDense(Mode mode);
  LogicalResult checkPServers();
  LogicalResult checkEndpoints();
  LogicalResult checkLimits();
  LogicalResult checkNames();

  const PlacementOptions &options;
  function_ref<InFlightDiagnostic()> refuse;
};

} // namespace

LogicalResult OptionChecker::checkMode() {
  std::optional<Mode> mode = parseModeOption(options.mode);
  if (!mode) {
    SmallVector<StringRef> modes = getModeOptions();
    return refuse() << "unknown mode=" << options.mode << ": expected one of "
                    << llvm::join(modes, ", ") << suggest(options.mode, modes);
  }
  if (getGeoSteps(options) < 1)
    return refuse() << "expected at least 1 step between two exchanges, found "
                       "geo-steps="
                    << options.geoSteps.getValue();
  return checkModeOptions(*mode);
}

/// Options of pservers where there are none.
LogicalResult OptionChecker::checkCollectiveOptions() {
  if (!options.pservers.empty())
    return refuse() << "mode=collective trains without pservers, found "
                       "pservers="
                    << llvm::join(options.pservers, ",")
                    << ": leave them out or choose mode=sync";
  auto refuseOption = [&](StringRef name, const Twine &value) -> LogicalResult {
    return refuse() << name << '=' << value
                    << " is for jobs with pservers, and mode=collective has "
                       "none: leave "
                    << name << " out";
  };
  if (options.wire != "f32")
    return refuseOption("wire", options.wire);
  if (options.rowWire != "f32")
    return refuseOption("row-wire", options.rowWire);
  if (options.topK != 0)
    return refuseOption("top-k", printNumber(options.topK));
  if (options.minBlockSize != unsetOption)
    return refuseOption("min-block-size",
                        Twine(options.minBlockSize.getValue()));
  if (!options.splitMethod.empty())
    return refuseOption("split-method", options.splitMethod);
  if (!options.sliceVarUp)
    return refuseOption("slice-var-up", "false");
  return success();
}

LogicalResult OptionChecker::checkDelayCompensation(Mode mode) {
  const double factor = options.delayCompensation;
  if (factor == 0 && !std::signbit(factor))
    return success();
  const std::string text = printNumber(factor);
  // It becomes a constant in the type of the variable.
  if (!(factor > 0) || !std::isfinite(static_cast<float>(factor)))
    return refuse() << "expected a factor from 0 to 3.4e38 for the "
                       "compensation, found dc="
                    << text;
  if (mode != Mode::Async && mode != Mode::HalfAsync)
    return refuse() << "dc=" << text
                    << " compensates for late gradients, which mode=async and "
                       "half-async have, found mode="
                    << options.mode << ": leave dc out or choose one of them";
  if (options.wire != "f32")
    return refuse() << "dc compares values with those that a trainer pulled, "
                       "which wire="
                    << options.wire << " rounds: leave one of them out";
  return success();
}

LogicalResult OptionChecker::checkDense(Mode mode) {
  if (!symbolizeSync(options.dense))
    return refuse() << "unknown dense=" << options.dense
                    << ": expected one of pserver, all_reduce"
                    << suggest(options.dense, {"pserver", "all_reduce"});
  if (options.dense == "pserver" || mode == Mode::Sync)
    return success();
  return refuse() << "dense=" << options.dense
                  << " is for mode=sync, found mode=" << options.mode << ": "
                  << (mode == Mode::Collective
                          ? "leave it out, as that mode all-reduces all "
                            "gradients"
                          : "leave one of them out");
}

LogicalResult OptionChecker::checkModeOptions(Mode mode) {
  if (failed(checkDense(mode)))
    return failure();
  if (mode != Mode::Geo && options.geoSteps != unsetOption)
    return refuse() << "geo-steps=" << options.geoSteps.getValue()
                    << " counts the steps between two exchanges of mode=geo, "
                       "found mode="
                    << options.mode
                    << ": choose mode=geo or leave geo-steps out";
  if (options.staleness != unsetOption && mode != Mode::Async &&
      mode != Mode::HalfAsync)
    return refuse() << "staleness=" << options.staleness.getValue()
                    << " bounds how far trainers of mode=async or half-async "
                       "may be ahead of the slowest, found mode="
                    << options.mode
                    << ": leave staleness out or choose one of them";
  if (failed(checkDelayCompensation(mode)))
    return failure();
  // In other modes a row that one trainer has is changed by others meanwhile.
  if (mode != Mode::Sync && options.cacheRows != 0)
    return refuse() << "cache-rows=" << options.cacheRows.getValue()
                    << " makes trainers cache rows, which only mode=sync "
                       "supports, found mode="
                    << options.mode << ": leave cache-rows out";
  if (mode == Mode::Collective)
    return checkCollectiveOptions();
  if (mode == Mode::Geo) {
    if (options.accumulate != 1)
      return refuse()
             << "accumulate=" << options.accumulate.getValue()
             << " delays an update that mode=geo does immediately: leave "
                "accumulate out and choose geo-steps";
    if (options.bucketBytes > 0 || options.wire != "f32" ||
        options.rowWire != "f32" || options.topK != 0)
      return refuse() << "mode=geo exchanges every block alone, and blocks and "
                         "rows whole and in their own type: leave "
                         "bucket-bytes, wire, row-wire and top-k out";
  }
  return checkPServers();
}

/// Splits host:port; an IPv6 address is in brackets.
static std::optional<std::pair<StringRef, uint16_t>>
parseEndpoint(StringRef endpoint) {
  auto [host, digits] = endpoint.rsplit(':');
  uint16_t port;
  if (host.empty() || digits.empty() || !llvm::all_of(digits, llvm::isDigit) ||
      digits.getAsInteger(10, port))
    return std::nullopt;
  bool bracketed = host.starts_with("[") && host.ends_with("]");
  if ((host.contains(':') && !bracketed) || host.contains(' ') ||
      host.contains('/'))
    return std::nullopt;
  return std::pair(host, port);
}

/// Either a count or a list of endpoints.
LogicalResult OptionChecker::checkPServers() {
  if (std::optional<int64_t> count = getGivenCount(options)) {
    if (*count >= 1 && *count <= maxPServers)
      return success();
    return refuse() << "expected from 1 to " << maxPServers
                    << " pservers, found pservers=" << *count;
  }
  if (options.pservers.empty())
    return refuse() << "no pserver: expected pservers=N, or "
                       "pservers=host:port,host:port, or mode=collective to "
                       "train without";
  return checkEndpoints();
}

LogicalResult OptionChecker::checkEndpoints() {
  llvm::DenseSet<std::pair<StringRef, uint16_t>> seen;
  for (StringRef endpoint : getEndpoints(options)) {
    auto parsed = parseEndpoint(endpoint);
    if (!parsed)
      return refuse() << "malformed pserver endpoint '" << endpoint
                      << "': expected host:port with a port from 1 to 65535";
    if (parsed->second == 0)
      return refuse()
             << "pserver endpoint '" << endpoint
             << "' leaves the port to the system, and trainers could not know "
                "it: expected a port from 1 to 65535, or pservers=N to give "
                "addresses at run time";
    if (!seen.insert(*parsed).second)
      return refuse() << "pserver endpoint '" << endpoint << "' is given twice";
  }
  return success();
}

/// Bounds protect the later passes, whose loops and tables grow with these
/// numbers.
LogicalResult OptionChecker::checkLimits() {
  if (options.trainers < 1)
    return refuse() << "expected at least 1 trainer, found trainers="
                    << options.trainers.getValue();
  if (options.trainers > maxTrainers)
    return refuse() << "expected at most " << maxTrainers
                    << " trainers, found trainers="
                    << options.trainers.getValue();
  if (getMinBlockSize(options) < 1)
    return refuse()
           << "expected blocks of at least 1 element, found min-block-size="
           << options.minBlockSize.getValue();
  if (options.accumulate < 1)
    return refuse() << "expected at least 1 batch per step, found accumulate="
                    << options.accumulate.getValue();
  if (options.staleness != unsetOption && options.staleness < 0)
    return refuse() << "expected at least 0 steps ahead, found staleness="
                    << options.staleness.getValue();
  if (options.bucketBytes < 0)
    return refuse() << "expected buckets of at least 0 bytes, found "
                       "bucket-bytes="
                    << options.bucketBytes.getValue();
  // Each element travels with its number. Written so that NaN fails.
  if (!(options.topK >= 0 && options.topK < 0.5))
    return refuse() << "expected a share of at least 0 and less than 0.5, for "
                       "an element that is chosen takes twice the bytes, found "
                       "top-k="
                    << printNumber(options.topK);
  if (options.cacheRows < 0 || options.cacheRows > INT32_MAX)
    return refuse() << "expected from 0 to " << INT32_MAX
                    << " copies of rows, found cache-rows="
                    << options.cacheRows.getValue();
  if (options.cacheRows != 0 && options.rowWire != "f32")
    return refuse() << "row-wire=" << options.rowWire
                    << " takes bits from rows, and copies of rows "
                       "(cache-rows="
                    << options.cacheRows.getValue()
                    << ") must have all: expected one of them";
  if (!options.sliceVarUp && options.minBlockSize != unsetOption)
    return refuse() << "slice-var-up=false slices nothing, so min-block-size="
                    << options.minBlockSize.getValue()
                    << " has no effect: expected one of them";
  return success();
}

LogicalResult OptionChecker::checkNames() {
  if (options.wire == "int8")
    return refuse() << "wire=int8 would need a scale for each part of a "
                       "variable: expected one of f32, bf16, f16, and "
                       "row-wire=int8 for rows of tables";
  if (!symbolizeWire(options.wire))
    return refuse() << "unknown wire=" << options.wire
                    << ": expected one of f32, bf16, f16"
                    << suggest(options.wire, {"f32", "bf16", "f16"});
  if (!symbolizeRowWire(options.rowWire))
    return refuse() << "unknown row-wire=" << options.rowWire
                    << ": expected one of f32, bf16, f16, int8"
                    << suggest(options.rowWire, {"f32", "bf16", "f16", "int8"});
  if (createDispatcher(getSplitMethod(options)))
    return success();
  SmallVector<std::string> known = getDispatcherNames();
  return refuse() << "unknown split-method=" << options.splitMethod
                  << ": expected one of " << llvm::join(known, ", ")
                  << suggest(
                         options.splitMethod,
                         SmallVector<StringRef>(known.begin(), known.end()));
}

LogicalResult OptionChecker::check() {
  return failure(failed(checkMode()) || failed(checkLimits()) ||
                 failed(checkNames()));
}

LogicalResult checkJobOptions(const PlacementOptions &options,
                              function_ref<InFlightDiagnostic()> refuse) {
  return OptionChecker(options, refuse).check();
}

} // namespace ps
