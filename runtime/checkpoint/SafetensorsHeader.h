// SPDX-License-Identifier: Apache-2.0
//===- SafetensorsHeader.h - the JSON header of the format ----------------===//
//
// Text and types only; files are read and written by Safetensors.cpp and
// SafetensorsWriter.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_SAFETENSORSHEADER_H
#define PS_RUNTIME_CHECKPOINT_SAFETENSORSHEADER_H

#include "runtime/checkpoint/Safetensors.h"
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ps::runtime {

/// The header's length comes before it, in so many bytes.
inline constexpr uint64_t kLengthBytes = 8;
/// The format's limit.
inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;
inline constexpr std::string_view kMetadataKey = "__metadata__";

/// A tensor as its header entry states it.
struct HeaderEntry {
  std::string name;
  std::string dtype;
  std::vector<uint64_t> shape;
  std::vector<uint64_t> offsets;
  bool hasDtype = false, hasShape = false, hasOffsets = false;
};

struct SafetensorsHeader {
  std::map<std::string, TensorType, std::less<>> types;
  /// Where the tensors begin, from the end of the header.
  std::map<std::string, uint64_t, std::less<>> offsets;
  std::map<std::string, std::string> metadata;
};

/// Parses the header of a file with `dataBytes` bytes after it. DATA_LOSS names
/// the tensor or the byte that is wrong.
absl::Status parseSafetensorsHeader(const std::string &header,
                                    uint64_t dataBytes,
                                    SafetensorsHeader &parsed);

/// The header, padded so that the data is aligned. `sorted` is in file order.
std::string
makeSafetensorsHeader(const std::vector<const NamedTensor *> &sorted,
                      const std::map<std::string, std::string> &metadata);

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_SAFETENSORSHEADER_H
