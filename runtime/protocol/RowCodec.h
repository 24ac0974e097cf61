// SPDX-License-Identifier: Apache-2.0
//===- RowCodec.h - rows of tables in fewer bits --------------------------===//
//
// Pservers and trainers compute rows in their own type; on the network a row of
// F32 may be BF16, F16, or I8 with a scale of its own:
//
//   scale = max |x| / 127, as F32; each element is x / scale, rounded to the
//   nearest integer, ties to even; it is read as the integer times the scale
//
// A row of zeros has the scale 0. The scale of a row that holds NaN or an
// infinity is NaN, and so is all of the row when it is read: a diverged row
// must not turn into finite numbers.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_ROWCODEC_H
#define PS_RUNTIME_PROTOCOL_ROWCODEC_H

#include "absl/status/status.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Tensor.h"

namespace ps::runtime {

/// How the rows of a message are laid out: `width` elements of `wire`, which an
/// F32, the scale, precedes where `wire` is I8; then `counts` elements of
/// `dtype`.
struct RowCodec {
  /// In memory: F32 or F64.
  DType dtype = DType::F32;
  /// `dtype`; or, for rows of F32, BF16, F16 or I8.
  DType wire = DType::F32;
  uint64_t width = 0;
  /// Elements after the others that travel as they are: how often a row was
  /// shown and clicked must stay exact.
  uint64_t counts = 0;

  bool isPlain() const { return wire == dtype; }
  /// Bytes of a row in memory and in a message.
  size_t rowBytes() const { return (width + counts) * byteWidth(dtype); }
  size_t wireBytes() const;

  /// Writes `count` rows as they travel.
  void encode(const std::byte *rows, size_t count, std::byte *to) const;
  /// Reads one row that travelled. INVALID_ARGUMENT for what encode() never
  /// writes: a negative or infinite scale, elements other than 0 with the scale
  /// 0, and -128.
  absl::Status decode(const std::byte *from, std::byte *row) const;
  /// The same for `count` rows, which `from` holds and which go one after the
  /// other.
  absl::Status decode(PayloadCursor &from, size_t count, std::byte *rows) const;
};

/// Whether rows of `dtype` may travel as `wire`.
bool canTravelAs(DType dtype, DType wire);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_ROWCODEC_H
