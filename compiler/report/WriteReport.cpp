// SPDX-License-Identifier: Apache-2.0
//===- WriteReport.cpp - a report on a job, beside its programs -----------===//
//
// 1. Choose the form by the file's name.
// 2. Read the figures off the programs.
// 3. Write the file, or nothing where it cannot be written.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/report/Report.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

namespace ps {
#define GEN_PASS_DEF_WRITEREPORT
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

struct WriteReport : public impl::WriteReportBase<WriteReport> {
  using WriteReportBase::WriteReportBase;

  void runOnOperation() override;
};

} // namespace

using Printer = void (*)(const Report &, llvm::raw_ostream &);

static Printer choosePrinter(StringRef file) {
  StringRef ending = llvm::sys::path::extension(file);
  if (ending == ".txt")
    return printText;
  if (ending == ".json")
    return printJson;
  return ending == ".html" ? printHtml : nullptr;
}

void WriteReport::runOnOperation() {
  Printer print = choosePrinter(file);
  if (!print) {
    getOperation().emitError() << "cannot report to '" << file
                               << "': expected a file name that ends with "
                                  ".txt, .json or .html";
    return signalPassFailure();
  }
  FailureOr<Report> report = makeReport(getOperation());
  if (failed(report))
    return signalPassFailure();
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(file, &error);
  if (!output) {
    getOperation().emitError() << error;
    return signalPassFailure();
  }
  print(*report, output->os());
  output->keep();
}

} // namespace ps
