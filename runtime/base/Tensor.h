// SPDX-License-Identifier: Apache-2.0
//===- Tensor.h - dense tensors in memory ---------------------------------===//
//
// Element types, shapes and storage that every part of the runtime shares.
// Tensors are dense and row-major. A row is an index of dimension 0; rank 0
// has one row.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_BASE_TENSOR_H
#define PS_RUNTIME_BASE_TENSOR_H

#include "absl/status/statusor.h"
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ps::runtime {

/// Element types, floating-point ones last. I1 takes one byte per element, 0
/// or 1.
enum class DType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  UI8,
  UI16,
  UI32,
  UI64,
  BF16,
  F16,
  F32,
  F64
};

/// Bytes per element.
size_t byteWidth(DType type);
/// The MLIR spelling: "i1", "ui8", "bf16", "f32", ...
std::string_view dtypeName(DType type);
inline bool isFloat(DType type) { return type >= DType::BF16; }

/// What BF16 stores: the upper half of a float. Wider numbers are rounded to
/// the nearest, ties to even; NaN stays NaN.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(float value) {
    uint32_t wide = std::bit_cast<uint32_t>(value);
    bool isNaN = (wide & 0x7fffffff) > 0x7f800000;
    uint32_t rounding = 0x7fff + (wide >> 16 & 1);
    bits = static_cast<uint16_t>(isNaN ? wide >> 16 | 0x40
                                       : (wide + rounding) >> 16);
  }
  explicit operator float() const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
  explicit operator double() const { return static_cast<float>(*this); }
};

struct TensorType {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;

  int64_t numElements() const;
  int64_t rows() const { return shape.empty() ? 1 : shape[0]; }
  /// Bytes of one row; 0 when the tensor is empty.
  size_t rowBytes() const;
  size_t bytes() const;
  /// "784x128xf32".
  std::string str() const;
  bool operator==(const TensorType &) const = default;
};

/// The element count of `shape` times `byteWidth`, or INVALID_ARGUMENT when a
/// dimension is negative or the product does not fit. For shapes that come
/// from files and peers.
absl::StatusOr<size_t> checkedBytes(DType dtype,
                                    const std::vector<int64_t> &shape);

/// Where bytes lie: what the host addresses, or a device's own memory.
enum class MemorySpace : uint8_t { Host, Device };

/// A tensor that others own. Copying copies the reference.
struct TensorRef {
  TensorType type;
  /// Not to be followed by the host where the space is a device's.
  std::byte *data = nullptr;
  MemorySpace space = MemorySpace::Host;

  template <typename T>
  T *as() const {
    return reinterpret_cast<T *>(data);
  }
};

/// Memory that the object owns; movable.
class Buffer {
public:
  using Free = void (*)(std::byte *);

  Buffer() = default;
  /// Takes over memory that `free` gives back.
  Buffer(std::byte *data, size_t bytes, MemorySpace space, Free free)
      : memory(data, free), numBytes(bytes), memorySpace(space) {}
  /// Zero-initialized memory of the host, aligned to a cache line (to 2 MiB,
  /// with huge pages advised, when large). RESOURCE_EXHAUSTED when it cannot be
  /// had.
  static absl::StatusOr<Buffer> allocate(size_t bytes);
  /// Moves what fits to memory of another size; the rest is zero.
  /// RESOURCE_EXHAUSTED leaves everything as it was, FAILED_PRECONDITION where
  /// the memory is not the host's, too.
  absl::Status resize(size_t bytes);

  std::byte *data() const { return memory.get(); }
  size_t size() const { return memory ? numBytes : 0; }
  MemorySpace space() const { return memorySpace; }

private:
  std::unique_ptr<std::byte, Free> memory{nullptr, nullptr};
  size_t numBytes = 0;
  MemorySpace memorySpace = MemorySpace::Host;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_TENSOR_H
