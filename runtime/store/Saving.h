// SPDX-License-Identifier: Apache-2.0
//===- Saving.h - the files that one process writes in a saving -----------===//
//
// All are staged first and published together: what can fail (a full disk, a
// value that cannot be read) fails while the old files are in place. Between
// the two, the processes of a job agree on a name for the saving, which is made
// of the contents of all files: equal savings have equal names, and a reader
// knows files of two from each other.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_STORE_SAVING_H
#define PS_RUNTIME_STORE_SAVING_H

#include "runtime/store/Safetensors.h"
#include "runtime/store/TableFile.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ps::runtime {

/// What names a saving until its files are published; as long as any name.
inline constexpr char kUnnamedSaving[] = "00000000000000000000000000000000";

/// Not thread-safe. Errors name the file and the cause.
class StagedSaving {
public:
  /// Stages a file of `tensors`, which will say in which saving it is.
  absl::Status add(const std::string &path,
                   std::span<const NamedTensor> tensors);
  /// Stages the model of `dir`. Other programs read that file: it says nothing
  /// of the saving.
  absl::Status addModel(const std::string &dir,
                        std::span<const NamedTensor> tensors);
  /// Stages the file of the rows of a table that saveTable() describes; what
  /// changes in the rows is counted anew from now on.
  absl::Status addTable(const std::string &dir, Table &table,
                        const TableShard &shard, RowSelection rows);
  /// Has `path` removed when the saving is published; no error if it is not
  /// there then.
  void remove(const std::string &path) { stale.push_back(path); }

  /// Of the names and contents of all files.
  std::string digest() const { return contents.str(); }

  /// Makes all files durable.
  absl::Status flush();
  /// Names the saving and puts its files in the place of old ones, in the order
  /// in which they were staged. The last call.
  absl::Status publish(const std::string &saving);

private:
  /// Which table's rows a file has; the folder is empty where it is none's.
  struct Rows {
    std::string dir, table;
    TableShard shard;
    int64_t time = 0;
  };
  struct File {
    std::unique_ptr<SafetensorsWriter> writer;
    bool named = true;
    Rows rows;
  };
  void add(File file);

  std::vector<File> staged;
  std::vector<std::string> stale;
  Digest contents;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_STORE_SAVING_H
