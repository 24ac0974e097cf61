// SPDX-License-Identifier: Apache-2.0
//===- KernelGroups.h - which ops share a kernel --------------------------===//

#ifndef PS_COMPILER_OUTLINE_KERNELGROUPS_H
#define PS_COMPILER_OUTLINE_KERNELGROUPS_H

#include "compiler/outline/KernelAnalysis.h"
#include "compiler/outline/WorkerOfOp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <vector>

namespace ps {

/// Ops that become one kernel, in program order.
struct KernelGroup {
  llvm::SmallVector<mlir::Operation *> ops;
  /// Whether it becomes a row kernel; else a whole kernel.
  bool byRows = false;
  /// Whether it reduces over rows, alone or with scalar ops around it.
  bool reduces = false;
};

struct GroupingOptions {
  /// Products of bf16 stay, too.
  bool forDevice = false;
  /// Comparisons of activations are repeated, too.
  bool repeatsComparisons = false;
};

/// Groups the ops of one block, which must be static and without calls. Groups
/// are convex: no value leaves one and comes back. Each op is in one group at
/// most; cheap ops that every user can repeat are in none.
class KernelGroups {
public:
  KernelGroups(mlir::Block &block, const GroupingOptions &options);

  /// The group of `op`, null for an op that stays or is repeated.
  KernelGroup *getGroup(mlir::Operation *op) const;
  /// Whether kernels that use the values of `op` compute them again.
  bool isRepeated(mlir::Operation *op) const { return repeated.contains(op); }

  /// An order of the block's ops and groups: what each entry (one op that
  /// stays, or the ops of one group) needs comes before it; sends and updates
  /// come as early as they can.
  std::vector<llvm::SmallVector<mlir::Operation *>> getSchedule() const;

private:
  using Unit = unsigned; // an op's index, or its group's first op's

  void collectOps(mlir::Block &block, bool forDevice);
  void addMemoryEdges();
  void addMemoryEdge(unsigned from, unsigned to);
  void addReaderEdges(unsigned write, mlir::ArrayRef<unsigned> accesses);
  bool tryAddReaderEdge(unsigned reader, unsigned write);
  void countRepeated();
  void chooseRepeated();
  void repeatComparisons();
  void makeGroups();
  void mergeRowProducers();
  void mergeScalars();
  void mergeSiblingReductions();
  void absorbSmallProducers();
  void dropViews();

  std::optional<unsigned> countOperands(mlir::Operation *op, bool byRow) const;
  bool canRepeat(mlir::Operation *op, bool byRow) const;
  Unit find(Unit unit) const;
  llvm::ArrayRef<mlir::Operation *> getOps(Unit unit) const;
  std::optional<llvm::SmallVector<Unit>>
  findBetween(Unit start, Unit end, bool forward, size_t maxEdges) const;
  bool bringTogether(Unit early, Unit late, Unit first, Unit second,
                     size_t maxEdges);
  bool tryMerge(mlir::Operation *a, mlir::Operation *b);
  bool edgesByRow(Unit a, Unit b) const;
  template <typename Predicate>
  bool allNeighbors(Unit unit, bool forward, Predicate predicate) const;
  template <typename Predicate>
  bool allUsers(mlir::Operation *op, Predicate predicate) const;
  template <typename Predicate>
  bool allProducers(mlir::Operation *op, Predicate predicate) const;
  bool isUpdate(Unit unit) const;

  WorkerOfOp workerOf;
  std::vector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> index;
  std::vector<OpClass> classes;
  /// Order that no value implies: variables are read before they change, and
  /// collectives keep their order.
  std::vector<llvm::SmallVector<unsigned>> memorySuccessors, memoryPredecessors;
  /// The place of each unit in an order in which it comes after what it needs.
  std::vector<unsigned> numbers;
  /// Indexed by whether by rows, then by op; none where it cannot be repeated.
  std::vector<std::optional<unsigned>> repeatCounts[2];
  llvm::DenseSet<mlir::Operation *> repeated;
  mutable std::vector<Unit> leaders;
  std::vector<std::unique_ptr<KernelGroup>> groups; // by leader
};

} // namespace ps

#endif // PS_COMPILER_OUTLINE_KERNELGROUPS_H
