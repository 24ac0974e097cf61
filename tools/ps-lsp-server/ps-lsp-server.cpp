// SPDX-License-Identifier: Apache-2.0
//===- ps-lsp-server.cpp - our files in an editor -------------------------===//

#include "compiler/Registration.h"
#include "tools/ps-lsp-server/DocumentFilter.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <thread>
#include <unistd.h>

/// Puts a DocumentFilter between the editor and standard input, which the
/// server reads. Returns whether that worked.
static bool filterInput() {
  int ends[2];
  const int editor = dup(STDIN_FILENO);
  if (editor < 0 || pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
    return false;
  close(ends[0]);
  // The thread may still wait for the editor when the process ends.
  std::thread([editor, end = ends[1]] {
    llvm::raw_fd_ostream server(end, /*shouldClose=*/true);
    ps::DocumentFilter().run(editor, server);
  }).detach();
  return true;
}

int main(int argc, char **argv) {
  if (!filterInput()) {
    std::perror("ps-lsp-server");
    return 1;
  }
  mlir::DialectRegistry registry;
  ps::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
