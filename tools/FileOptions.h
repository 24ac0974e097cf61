// SPDX-License-Identifier: Apache-2.0
//===- FileOptions.h - a driver's input and output ------------------------===//

#ifndef PS_TOOLS_FILEOPTIONS_H
#define PS_TOOLS_FILEOPTIONS_H

#include "compiler/Registration.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

namespace ps {

/// The files of a driver that reads a module and prints one.
struct FileOptions {
  llvm::cl::opt<std::string> input{llvm::cl::Positional,
                                   llvm::cl::desc("<input file>"),
                                   llvm::cl::init("-")};
  llvm::cl::opt<std::string> output{
      "o", llvm::cl::desc("Output filename (default: standard output)"),
      llvm::cl::value_desc("filename"), llvm::cl::init("-")};

  struct Files {
    std::unique_ptr<llvm::MemoryBuffer> input;
    std::unique_ptr<llvm::ToolOutputFile> output;
  };
  /// Prints why a file cannot be opened.
  mlir::FailureOr<Files> open() const {
    Files files;
    std::string error;
    files.input = openModule(input, error);
    if (files.input)
      files.output = mlir::openOutputFile(output, &error);
    if (files.output)
      return files;
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
};

} // namespace ps

#endif // PS_TOOLS_FILEOPTIONS_H
