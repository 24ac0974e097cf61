// SPDX-License-Identifier: Apache-2.0
//===- RowUpdate.h - the compiled optimizer step of one row ---------------===//

#ifndef PS_RUNTIME_TABLE_ROWUPDATE_H
#define PS_RUNTIME_TABLE_ROWUPDATE_H

#include "absl/status/statusor.h"
#include "runtime/base/Kernel.h"
#include "runtime/executor/RowBatch.h"
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace ps::runtime {

/// A copy of `bytes` bytes; the ranges do not overlap.
struct RowCopy {
  void *to = nullptr;
  const void *from = nullptr;
  size_t bytes = 0;
};

/// One step of a row's update: a kernel, or a copy where `kernel.function` is
/// null.
struct RowStep {
  KernelCall kernel;
  RowCopy copy;
};

/// The memory that the steps of an update were bound to. What lies in none of
/// it (constants, a learning rate) is used where it is, by all threads, and
/// must not be written.
struct RowMemory {
  /// Laid out like a row of the table: see Table::layout().
  std::span<std::byte> row;
  /// One row's gradient.
  std::span<std::byte> gradient;
  /// Temporaries: each thread gets its own.
  std::vector<std::span<std::byte>> scratch;
};

/// Updates a row where it lies: steps that were compiled and bound for one row
/// image are run on other rows by moving the pointers that point into it.
/// Immutable, so thread-safe; threads work through a Runner each.
class RowUpdate {
public:
  /// `steps` in the order to run them, kernels with the rows they were built
  /// for. INVALID_ARGUMENT when a copy leaves the memory it begins in, or a
  /// kernel has no function. What
  /// the steps point to outside of `memory` outlives the update; `memory` is
  /// no longer needed afterwards.
  static absl::StatusOr<RowUpdate> create(std::span<const RowStep> steps,
                                          const RowMemory &memory);

  /// The size of the row image and of the gradient.
  size_t rowBytes() const { return numRowBytes; }
  size_t gradientBytes() const { return numGradientBytes; }

  /// One thread's use of an update, which must outlive it.
  class Runner {
  public:
    explicit Runner(const RowUpdate &update);
    /// Runs all steps on the row at `row` with the gradient at `gradient`.
    void apply(std::byte *row, std::byte *gradient);

  private:
    const RowUpdate &update;
    /// The pointers of all steps, those outside the row and the gradient
    /// already final.
    std::vector<void *> pointers;
    std::vector<std::byte> scratch;
  };

private:
  /// Runs `function` on pointers [first, ..), or copies `bytes` bytes from the
  /// second to the first of them.
  struct Call {
    KernelFunction function;
    size_t first;
    int64_t rows;
    size_t bytes;
  };
  /// pointers[index] is `offset` bytes into the row, the gradient or the
  /// scratch memory.
  struct Place {
    size_t index, offset;
  };

  std::vector<Call> calls;
  std::vector<void *> pointers;
  std::vector<Place> inRow, inGradient, inScratch;
  size_t numRowBytes = 0, numGradientBytes = 0, scratchBytes = 0;
};

/// The update of a step's rows by their gradients.
struct RowUpdateCall {
  RowBatch *rows = nullptr;
  std::shared_ptr<const RowUpdate> update;
  /// The learning rate, and where the update reads it. Without data where it
  /// needs none.
  TensorRef rate, rateInput;

  /// Before each step.
  void setRate() const {
    if (rate.data)
      std::memcpy(rateInput.data, rate.data, rate.type.bytes());
  }
};

} // namespace ps::runtime

#endif // PS_RUNTIME_TABLE_ROWUPDATE_H
