// SPDX-License-Identifier: Apache-2.0
//===- ExtractProgram.cpp - keep one program of a job ---------------------===//
//
// For deploying one role without the others. The program keeps the cluster,
// whose hash identifies the job.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "dialects/ps/PSDialect.h"

namespace ps {
#define GEN_PASS_DEF_EXTRACTPROGRAM
#include "compiler/Passes.h.inc"

using namespace mlir;

namespace {

class ExtractProgram : public impl::ExtractProgramBase<ExtractProgram> {
public:
  using ExtractProgramBase::ExtractProgramBase;

  void runOnOperation() override {
    SmallVector<ProgramOp> programs =
        llvm::to_vector(getOperation().getOps<ProgramOp>());
    auto isKept = [&](ProgramOp program) {
      return program.getSymName() == name;
    };
    if (llvm::none_of(programs, isKept)) {
      refuse(programs);
      return signalPassFailure();
    }
    for (ProgramOp program : programs)
      if (!isKept(program))
        program.erase();
  }

private:
  void refuse(ArrayRef<ProgramOp> programs) {
    InFlightDiagnostic diag = emitError(getOperation().getLoc())
                              << "no program '@" << name << "': ";
    if (programs.empty()) {
      diag << "the module holds none, run ps-partition first";
      return;
    }
    diag << "expected one of ";
    llvm::interleaveComma(programs, diag, [&](ProgramOp program) {
      diag << "'@" << program.getSymName() << "'";
    });
  }
};

} // namespace
} // namespace ps
