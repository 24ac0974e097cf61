// SPDX-License-Identifier: Apache-2.0
//===- SlotFiles.h - optimizer state on disk ------------------------------===//
//
// Who holds whole variables writes the slots of their optimizers, the step of
// schedules included, to `DIR/optimizer.safetensors`, under their own names: a
// local run, or trainer 0 for variables that trainers reduce among themselves.
// Pserver k of n writes what it holds to `DIR/optimizer.0000k-of-0000n.
// safetensors`:
//
//   NAME:FIRST   rows FIRST, .. of slot NAME of a whole variable; all of a slot
//                that is one number, which each block of a variable has
//   TABLE:ids    of a table that is saved as a variable, the ids of its rows
//   NAME:rows    the slot NAME of these rows, in their order
//
// So any number of processes reads what any other number has written.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_STORE_SLOTFILES_H
#define PS_RUNTIME_STORE_SLOTFILES_H

#include "runtime/store/Safetensors.h"
#include "runtime/store/TableFile.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ps::runtime {

/// The file of who holds whole variables.
std::string slotPath(const std::string &dir);
/// The file of pserver `index` of `count`.
std::string slotPartPath(const std::string &dir, int index, int count);
/// The files of pservers in `dir`, in order, but those of `count` of them.
/// Empty when `dir` cannot be listed.
std::vector<std::string> findSlotParts(const std::string &dir,
                                       int exceptCount = 0);

/// The slots of `store`, as the file of a pserver has them. The store outlives
/// the result.
std::vector<NamedTensor> slotParts(const Store &store);
/// Adds the slots of the rows of `table`, the part `shard` of a table that is
/// saved as a variable, with those of rows that it has not made yet, and keeps
/// their ids in `ids`. Table and `ids` outlive the tensors.
void addRowSlots(Table &table, const TableShard &shard,
                 std::vector<int64_t> &ids, std::vector<NamedTensor> &tensors);

/// The optimizer state of a folder, open for reading. Thread-compatible.
class SlotFiles {
public:
  /// None, or all files. DATA_LOSS for files of two savings, or when one of
  /// `expected`, names of files in `dir`, is missing.
  static absl::StatusOr<SlotFiles> open(const std::string &dir,
                                        std::span<const std::string> expected);

  /// What names the saving; empty without files, or where they do not say.
  std::string saving() const;

  /// Fills the slots of `store` that the folder has; others stay as they are.
  /// INVALID_ARGUMENT for one of another type, DATA_LOSS for one that misses
  /// rows. What was read until then stays.
  absl::Status read(Store &store) const;

  /// Where the slot `column` of a table's rows 0, 1, .. is, as a tensor of
  /// `type`; null where no file holds it so.
  const SafetensorsFile *find(const std::string &column,
                              const TensorType &type) const;
  /// Fills the slots of those rows of `table` that pservers have written and
  /// the table has.
  absl::Status readRows(Table &table) const;

private:
  struct File {
    std::string path;
    std::unique_ptr<SafetensorsFile> opened;
  };
  /// Rows of a slot in a file of a pserver.
  struct Part {
    const File *file = nullptr;
    std::string tensor;
    TensorType type;
  };
  absl::Status openFile(const std::string &path);
  absl::Status checkOneSaving() const;
  void index();
  absl::Status readParts(const std::map<int64_t, Part> &parts,
                         const std::string &slot, const TensorRef &target,
                         int64_t rowOffset) const;
  absl::Status readRows(Table &table, const File &file) const;

  std::string dir;
  /// Null where there is none.
  std::unique_ptr<File> whole;
  std::vector<std::unique_ptr<File>> files;
  /// By slot and first row.
  std::map<std::string, std::map<int64_t, Part>> slots;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_SLOTFILES_H
