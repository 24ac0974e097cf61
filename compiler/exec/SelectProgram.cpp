// SPDX-License-Identifier: Apache-2.0
//===- SelectProgram.cpp - keeps what one role runs -----------------------===//
//
//  1. Find the program.
//  2. Move its body into the module; erase all programs. Trainers may pull what
//     a pserver declares, but no slot that an optimizer adds later.
//  3. Make a function of every optimize block and of the schedule block.
//  4. Make the functions that were not asked for private.
//
//===----------------------------------------------------------------------===//

#include "compiler/CompilePipeline.h"
#include "compiler/Passes.h"
#include "compiler/exec/Storage.h"
#include "dialects/ps/PSDialect.h"
#include "llvm/ADT/STLExtras.h"

namespace ps {
#define GEN_PASS_DEF_SELECTPROGRAM
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

std::string ps::getUpdateFunctionName(StringRef block) {
  return (block + ".update").str();
}

namespace {

struct SelectProgram : public ps::impl::SelectProgramBase<SelectProgram> {
  using SelectProgramBase::SelectProgramBase;

  void runOnOperation() override {
    FailureOr<ProgramOp> selected = findProgram();
    if (failed(selected))
      return signalPassFailure();
    if (*selected)
      hoist(*selected);
    else if (failed(checkFunctions()))
      return signalPassFailure();
    outlineBlocks();
    if (!function.empty() && failed(keepFunction()))
      signalPassFailure();
  }

private:
  FailureOr<ProgramOp> findProgram();
  void hoist(ProgramOp selected);
  void outlineBlocks();
  LogicalResult checkFunctions();
  LogicalResult keepFunction();
};

/// Null when the module is its own program.
FailureOr<ProgramOp> SelectProgram::findProgram() {
  SmallVector<ProgramOp> programs(getOperation().getOps<ProgramOp>());
  if (programs.empty() && program.empty())
    return ProgramOp();
  for (ProgramOp candidate : programs)
    if (candidate.getSymName() == program)
      return candidate;
  InFlightDiagnostic diag = getOperation().emitError();
  if (program.empty())
    diag << "holds several programs, of which one must be named";
  else
    diag << "holds no program '@" << program << "'";
  for (ProgramOp candidate : programs)
    diag.attachNote(candidate.getLoc())
        << "there is '@" << candidate.getSymName() << "'";
  return failure();
}

/// Symbols of a program are unique inside it, and the module holds nothing else
/// once the programs are erased.
void SelectProgram::hoist(ProgramOp selected) {
  Block *module = getOperation().getBody();
  Block &body = selected.getBody().front();
  if (selected.getRole() == Role::PServer)
    for (auto variable : body.getOps<VariableOp>())
      variable->setAttr(pulledAttrName, UnitAttr::get(&getContext()));
  module->getOperations().splice(module->end(), body.getOperations());
  for (auto program :
       llvm::make_early_inc_range(getOperation().getOps<ProgramOp>()))
    program.erase();
}

/// Makes a function of the ops of `block`, whose arguments become its own.
static func::FuncOp outline(OpBuilder &builder, Location loc, StringRef name,
                            Block &block) {
  auto function = builder.create<func::FuncOp>(
      loc, name, builder.getFunctionType(block.getArgumentTypes(), {}));
  Block *entry = function.addEntryBlock();
  for (auto [from, to] : llvm::zip(block.getArguments(), entry->getArguments()))
    from.replaceAllUsesWith(to);
  entry->getOperations().splice(entry->end(), block.getOperations());
  OpBuilder::atBlockEnd(entry).create<func::ReturnOp>(loc);
  return function;
}

/// `@main` of a pserver does nothing but serve: the blocks are its program.
void SelectProgram::outlineBlocks() {
  SmallVector<ListenAndServOp> servers;
  getOperation().walk([&](ListenAndServOp op) { servers.push_back(op); });
  for (ListenAndServOp server : servers) {
    auto parent = server->getParentOfType<func::FuncOp>();
    OpBuilder builder(parent);
    Block &body = server.getBody().front();
    for (auto block : body.getOps<OptimizeBlockOp>()) {
      func::FuncOp update = outline(builder, block.getLoc(),
                                    getUpdateFunctionName(block.getVariable()),
                                    block.getBody().front());
      const StringRef feeds[] = {"grad", "pulled"};
      for (auto [i, feed] : llvm::enumerate(
               ArrayRef(feeds).take_front(update.getNumArguments())))
        update.setArgAttr(i, PSDialect::feedAttrName,
                          builder.getStringAttr(feed));
    }
    for (auto block : body.getOps<ScheduleBlockOp>())
      outline(builder, block.getLoc(), scheduleFunctionName,
              block.getBody().front());
    parent.erase();
  }
}

/// A pserver may have nothing to update; a module that is its own program has
/// something to run.
LogicalResult SelectProgram::checkFunctions() {
  for (auto candidate : getOperation().getOps<func::FuncOp>())
    if (!candidate.isPrivate())
      return success();
  return getOperation().emitError("has no public function");
}

/// Makes all other functions private. Fails, and lists the public ones, if the
/// function is not among them.
LogicalResult SelectProgram::keepFunction() {
  auto kept = getOperation().lookupSymbol<func::FuncOp>(function);
  if (!kept || kept.isPrivate()) {
    InFlightDiagnostic diag = getOperation().emitError()
                              << "holds no function '@" << function << "'";
    for (auto candidate : getOperation().getOps<func::FuncOp>())
      if (!candidate.isPrivate())
        diag.attachNote(candidate.getLoc())
            << "there is '@" << candidate.getSymName() << "'";
    return diag;
  }
  // It may call them; those that are not called are dropped later.
  for (auto other : getOperation().getOps<func::FuncOp>())
    if (other != kept)
      other.setPrivate();
  return success();
}

} // namespace
