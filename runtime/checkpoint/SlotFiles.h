// SPDX-License-Identifier: Apache-2.0
//===- SlotFiles.h - optimizer state on disk ------------------------------===//
//
// A process that holds whole variables (a local run, or trainer 0 for variables
// that trainers reduce among themselves) writes the slots of their optimizers,
// the step of schedules included, to `DIR/optimizer.safetensors`, under their
// own names. Pserver k of n writes its part to
// `DIR/optimizer.0000k-of-0000n.safetensors`:
//
//   NAME:FIRST   rows FIRST, .. of slot NAME of a whole variable, or all of a
//                slot that is one number, which each block of a variable has
//   TABLE:ids    for a table that is saved as a variable, the ids of its rows
//   NAME:rows    the slot NAME of these rows, in their order
//
// So any number of processes reads what any other number has written.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_SLOTFILES_H
#define PS_RUNTIME_CHECKPOINT_SLOTFILES_H

#include "runtime/checkpoint/CheckpointFolder.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/TableFile.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// The file of a process that holds whole variables.
std::string slotPath(const std::string &dir);
/// The file of pserver `index` of `count`.
std::string slotPartPath(const std::string &dir, int index, int count);
/// Whether one of the two returns `name` for the folder "".
bool isSlotFileName(const std::string &name);
/// The files of pservers in `dir`, in order, except those of `exceptCount`
/// pservers. Empty when `dir` cannot be listed.
std::vector<std::string> findSlotParts(const std::string &dir,
                                       int exceptCount = 0);

/// The slots of `store`, as the file of a pserver has them. The store outlives
/// the result.
std::vector<NamedTensor> slotParts(const Store &store);
/// Adds the slots of the rows of `table`, the part `shard` of a table that is
/// saved as a variable. Rows that the table has not created yet have their
/// initial slots. The table outlives the tensors, which are filled piece by
/// piece.
void addRowSlots(Table &table, const TableShard &shard,
                 std::vector<NamedTensor> &tensors);

/// The optimizer state of a folder, open for reading. Thread-compatible.
class SlotFiles {
public:
  /// Opens the files that training.json lists; without training.json, all that
  /// the folder has, possibly none. DATA_LOSS when one is missing, malformed or
  /// of another checkpoint.
  static absl::StatusOr<SlotFiles> open(CheckpointFolder &folder);

  /// Fills the slots of `store` that the folder has; others stay as they are.
  /// INVALID_ARGUMENT for one of another type, DATA_LOSS for one that misses
  /// rows. What was read until then stays.
  absl::Status read(Store &store) const;
  /// A slot of `store` that the folder lacks, where it has others of the same
  /// variable: another optimizer has trained that.
  std::optional<std::string> findMissing(const Store &store) const;

  /// The slot `name` that is one i64, which some process counts; 0 where there
  /// is none.
  absl::StatusOr<int64_t> readCount(const std::string &name) const;

  /// The file that has the slot `column` of a table's rows 0, 1, .. as a tensor
  /// of `type`; null if none has.
  const SafetensorsFile *find(const std::string &column,
                              const TensorType &type) const;
  /// Fills the slots of those rows of `table` that pservers have written and
  /// the table has.
  absl::Status readRows(Table &table) const;

private:
  /// Rows of a slot in a file of a pserver.
  struct Part {
    const SafetensorsFile *file = nullptr;
    std::string tensor;
    TensorType type;
  };
  absl::Status index();
  absl::Status readParts(const std::map<int64_t, Part> &parts,
                         const std::string &slot, const TensorRef &target,
                         int64_t rowOffset) const;
  absl::Status readRows(Table &table, const SafetensorsFile &file) const;

  std::string dir;
  /// Null if there is none.
  std::unique_ptr<SafetensorsFile> whole;
  /// The files of pservers.
  std::vector<std::unique_ptr<SafetensorsFile>> files;
  /// The parts of each slot, by their first row.
  std::map<std::string, std::map<int64_t, Part>> slots;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_SLOTFILES_H
