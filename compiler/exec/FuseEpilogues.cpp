// SPDX-License-Identifier: Apache-2.0
//===- FuseEpilogues.cpp - lets a product do the work of kernels ----------===//
//
// For each product on a device:
//  1. markEpilogue: its epilogue becomes `fused` if it is one that the device's
//     library has and nothing else reads the product itself.
//  2. takeColumnSums: a kernel that sums the columns of an operand over k
//     becomes the product's bias gradient. If it came earlier, kernels between
//     the two that depend on it come after the product, if that needs none of
//     them. If it came later, no node between them may mind.
//
//===----------------------------------------------------------------------===//

#include "compiler/Passes.h"
#include "compiler/exec/ProductEpilogues.h"
#include "compiler/exec/Storage.h"
#include "llvm/ADT/DenseMap.h"

namespace ps {
#define GEN_PASS_DEF_FUSEEPILOGUES
#include "compiler/Passes.h.inc"
} // namespace ps

using namespace mlir;
using namespace ps;

/// Nodes that one bias gradient may move: the search looks at each pair.
static constexpr size_t maxFollowers = 32;

namespace {

struct FuseEpilogues : public ps::impl::FuseEpiloguesBase<FuseEpilogues> {
  using FuseEpiloguesBase::FuseEpiloguesBase;

  void runOnOperation() override {
    SymbolTable kernels(getOperation()->getParentOp());
    symbols = &kernels;
    collectSums();
    auto gemms =
        llvm::to_vector(getOperation().getBody().getOps<exec::GemmOp>());
    for (exec::GemmOp gemm : gemms)
      if (exec::getMemorySpace(cast<MemRefType>(gemm.getC().getType())) ==
          exec::MemorySpace::Device) {
        markEpilogue(gemm);
        takeColumnSums(gemm);
      }
  }

private:
  void collectSums();
  void markEpilogue(exec::GemmOp gemm);
  void takeColumnSums(exec::GemmOp gemm);
  SmallVector<exec::LaunchOp> findSums(exec::GemmOp gemm, exec::Factor factor);
  std::optional<SmallVector<exec::NodeOpInterface>>
  findFollowers(exec::GemmOp gemm, exec::LaunchOp launch);

  func::FuncOp lookUp(FlatSymbolRefAttr kernel) {
    return symbols->lookup<func::FuncOp>(kernel.getAttr());
  }

  /// While the pass runs.
  SymbolTable *symbols = nullptr;
  /// Launches of whole kernels with one argument and one result, by the memory
  /// of the argument.
  DenseMap<Operation *, SmallVector<exec::LaunchOp, 2>> launches;
};

void FuseEpilogues::collectSums() {
  launches.clear();
  for (auto launch : getOperation().getBody().getOps<exec::LaunchOp>())
    if (!launch.getRows() && launch.getInputs().size() == 1 &&
        launch.getOutputs().size() == 1)
      launches[getStorage(launch.getInputs().front())].push_back(launch);
}

/// Whether `gemm` alone uses the memory that `buffer` shows.
static bool isPrivate(Value buffer, exec::GemmOp gemm) {
  SmallVector<Operation *> shown = {getStorage(buffer)};
  if (!isa<exec::BufferOp>(shown.front()))
    return false;
  while (!shown.empty())
    for (Operation *user : shown.pop_back_val()->getUsers())
      if (isa<exec::ViewOp>(user))
        shown.push_back(user);
      else if (user != gemm)
        return false;
  return true;
}

void FuseEpilogues::markEpilogue(exec::GemmOp gemm) {
  if (!gemm.getEpilogue())
    return;
  std::optional<MatchedEpilogue> matched =
      matchEpilogue(lookUp(gemm.getEpilogueAttr()));
  if (!matched || !isPrivate(gemm.getC(), gemm) ||
      gemm.getEpilogueInputs()[matched->product] != gemm.getC() ||
      // The bias is a memory of its own.
      (matched->bias && getStorage(gemm.getEpilogueInputs()[*matched->bias]) ==
                            getStorage(gemm.getC())))
    return;
  gemm.setFused(matched->kind);
}

static IntegerAttr getWorker(Value buffer) {
  auto storage = dyn_cast<exec::BufferOp>(getStorage(buffer));
  return storage ? storage.getWorkerAttr() : IntegerAttr();
}

/// Whether `node` must come after one of `others`.
static bool dependsOn(exec::NodeOpInterface node,
                      ArrayRef<exec::NodeOpInterface> others) {
  const SmallVector<Span> spans = getSpans(node);
  return llvm::any_of(others, [&](exec::NodeOpInterface other) {
    return conflict(spans, getSpans(other)) ||
           llvm::is_contained(node->getOperands(), other.getDone());
  });
}

/// The nodes that must come after `gemm` if `launch` runs where `gemm` does;
/// none if it may not.
std::optional<SmallVector<exec::NodeOpInterface>>
FuseEpilogues::findFollowers(exec::GemmOp gemm, exec::LaunchOp launch) {
  SmallVector<exec::NodeOpInterface> followers = {launch};
  if (!launch.getAfter().empty() || !launch.getDone().use_empty() ||
      getWorker(launch.getOutputs().front()) != getWorker(gemm.getC()) ||
      dependsOn(gemm, followers))
    return std::nullopt;
  const bool isEarlier = launch->isBeforeInBlock(gemm);
  Operation *first = isEarlier ? launch : gemm.getOperation();
  Operation *last = isEarlier ? gemm.getOperation() : launch;
  for (Operation *op = first->getNextNode(); op != last;
       op = op->getNextNode()) {
    auto node = dyn_cast<exec::NodeOpInterface>(op);
    if (!node || !dependsOn(node, followers))
      continue;
    // What leaves the device should do so early.
    if (!isEarlier || !isa<exec::LaunchOp, exec::GemmOp>(op) ||
        followers.size() == maxFollowers)
      return std::nullopt;
    followers.push_back(node);
  }
  if (dependsOn(gemm, followers))
    return std::nullopt;
  followers.erase(followers.begin());
  return followers;
}

/// Launches that sum the operand's columns over k.
SmallVector<exec::LaunchOp> FuseEpilogues::findSums(exec::GemmOp gemm,
                                                    exec::Factor factor) {
  const bool ofA = factor == exec::Factor::A;
  if (ofA ? !gemm.getTransposeA() : gemm.getTransposeB())
    return {}; // Its memory has k columns.
  SmallVector<exec::LaunchOp> found;
  Operation *storage = getStorage(ofA ? gemm.getA() : gemm.getB());
  for (exec::LaunchOp launch : launches.lookup(storage))
    if (sumsColumns(lookUp(launch.getKernelAttr()), gemm.getK()))
      found.push_back(launch);
  return found;
}

/// Declares what `buffer` shows before `op`, if that comes after it.
static void declareBefore(Value buffer, Operation *op) {
  Operation *declared = buffer.getDefiningOp();
  if (declared->isBeforeInBlock(op))
    return;
  if (auto view = dyn_cast<exec::ViewOp>(declared))
    declareBefore(view.getSource(), op);
  declared->moveBefore(op);
}

void FuseEpilogues::takeColumnSums(exec::GemmOp gemm) {
  if (gemm.getFused() || gemm.getBatch() != 1)
    return;
  for (exec::Factor factor : {exec::Factor::A, exec::Factor::B})
    for (exec::LaunchOp launch : findSums(gemm, factor)) {
      auto followers = findFollowers(gemm, launch);
      if (!followers)
        continue;
      for (exec::NodeOpInterface node : llvm::reverse(*followers))
        node->moveAfter(gemm);
      declareBefore(launch.getOutputs().front(), gemm);
      gemm.setSummed(factor);
      gemm.setBiasGradientKernelAttr(launch.getKernelAttr());
      gemm.getBiasGradientMutable().assign(launch.getOutputs().front());
      llvm::erase(launches[getStorage(launch.getInputs().front())], launch);
      launch.erase();
      return;
    }
}

} // namespace
