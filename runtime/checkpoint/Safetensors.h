// SPDX-License-Identifier: Apache-2.0
//===- Safetensors.h - reads and writes the safetensors format ------------===//
//
// A file is 8 bytes of little-endian header length, a JSON header that gives
// dtype, shape and byte range of each tensor (and "__metadata__", a map of
// strings), then the bytes, row-major and little-endian, without holes.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_SAFETENSORS_H
#define PS_RUNTIME_CHECKPOINT_SAFETENSORS_H

#include "absl/status/statusor.h"
#include "runtime/checkpoint/Checksum.h"
#include "runtime/checkpoint/StagedFile.h"
#include "runtime/variables/Store.h"
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ps::runtime {

struct NamedTensor {
  std::string name;
  TensorRef tensor;
  /// For a tensor that is not in memory, instead of its data: fills `rows`,
  /// which are those from `first` on.
  std::function<absl::Status(int64_t first, const TensorRef &rows)> fill = {};
};

/// Writes a file piece by piece: for tensors that are not in memory as a whole.
/// Until finish() the old file stays, and it stays for good when the writer is
/// destroyed before. Errors name the file and the cause. Not thread-safe,
/// except write().
class SafetensorsWriter {
public:
  /// Creates the file with all `tensors`, of which `data` is not used.
  static absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
  create(const std::string &path, std::span<const NamedTensor> tensors,
         const std::map<std::string, std::string> &metadata = {});
  ~SafetensorsWriter();

  /// Writes rows [`rowOffset`, ..) of `name`, as many as `rows` has. The caller
  /// writes every row once, in any order.
  absl::Status write(std::string_view name, const TensorRef &rows,
                     int64_t rowOffset = 0);
  /// Replaces the value of `key`, which create() was given, by another one of
  /// the same length.
  absl::Status setMetadata(const std::string &key, const std::string &value);
  /// Makes what was written durable: a full disk is reported here at the
  /// latest.
  absl::Status flush();
  /// Of the file as it is written.
  absl::StatusOr<FileChecksum> checksum() const;
  absl::StatusOr<std::string> digest() const;
  /// Puts the file in the place of the old one. The last call.
  absl::Status finish();

  const std::string &path() const;

private:
  SafetensorsWriter() = default;
  absl::Status writeHeader();

  std::unique_ptr<StagedFile> file;
  std::map<std::string, std::string> metadata;
  std::string header;
  uint64_t dataBegin = 0;
  /// Each tensor's type, and its offset from dataBegin.
  std::map<std::string, std::pair<TensorType, uint64_t>, std::less<>> places;
};

/// Writes all of `tensors` and leaves it to the caller to finish: then a
/// reader, or a crash, sees the old file or the whole new one. The bytes depend
/// on the arguments only.
absl::StatusOr<std::unique_ptr<SafetensorsWriter>>
stageSafetensors(const std::string &path, std::span<const NamedTensor> tensors,
                 const std::map<std::string, std::string> &metadata = {});

/// A file that is open for reading. Its header has been checked: every tensor
/// lies within the file, none overlap. Thread-safe.
class SafetensorsFile {
public:
  /// NOT_FOUND, or DATA_LOSS for a file that is malformed or cut short; names
  /// the file, and the tensor where one is at fault.
  static absl::StatusOr<std::unique_ptr<SafetensorsFile>>
  open(const std::string &path);
  ~SafetensorsFile();

  const std::string &path() const { return filePath; }
  /// The file's size.
  uint64_t bytes() const { return dataBegin + dataBytes; }
  /// Reads all of it.
  absl::StatusOr<FileChecksum> checksum() const {
    return computeChecksum(descriptor, filePath);
  }
  /// Types by name.
  const std::map<std::string, TensorType, std::less<>> &tensors() const {
    return types;
  }
  const std::map<std::string, std::string> &metadata() const { return strings; }

  /// Reads rows [`rowOffset`, ..) of `name` into `target`, as many as it has.
  /// NOT_FOUND, or INVALID_ARGUMENT that states the types expected and found.
  absl::Status read(std::string_view name, const TensorRef &target,
                    int64_t rowOffset = 0) const;
  /// Whether read() would accept a target of type `expected`.
  absl::Status check(std::string_view name, const TensorType &expected,
                     int64_t rowOffset = 0) const;

private:
  SafetensorsFile() = default;
  absl::Status parse();
  absl::Status parseHeader(const std::string &header);

  std::string filePath;
  int descriptor = -1;
  /// Where the tensors' bytes start, and how many there are.
  uint64_t dataBegin = 0, dataBytes = 0;
  std::map<std::string, TensorType, std::less<>> types;
  /// Offsets from dataBegin, by tensor.
  std::map<std::string, uint64_t, std::less<>> offsets;
  std::map<std::string, std::string> strings;
};

/// The model file of a directory.
std::string modelPath(const std::string &dir);

/// Makes `dir` if it is missing, removes the staged files that killed processes
/// left in it and makes sure that files can be created in it: called before
/// training starts, so that --save cannot fail late.
absl::Status checkWritable(const std::string &dir);

/// How a file and the variables of a store may differ.
struct ModelMatch {
  /// A pserver holds only a part of the model.
  bool allowsExtra = false;
  /// Variables that the file lacks stay as they are.
  bool allowsMissing = false;
};

/// Fills the variables of `store` from `model`, slices from their rows of the
/// whole; optimizer state stays as it is. The file must hold every variable
/// with its element type and shape, and nothing else except variables with the
/// names of `tables`, unless `match` allows it. On an error the store is
/// unchanged, unless reading itself failed.
absl::Status loadModel(const SafetensorsFile &model, Store &store,
                       ModelMatch match,
                       std::span<const std::string> tables = {});

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_SAFETENSORS_H
