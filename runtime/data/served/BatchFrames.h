// SPDX-License-Identifier: Apache-2.0
//===- BatchFrames.h - samples in the frames of a batch server ------------===//
//
// A batch server is another process that sends samples, see docs/Data.md
// ("Batches from another process"). What it sends is a sequence of frames: the
// columns, then samples. A frame begins with a header of 16 bytes: its kind, 4
// characters; 4 bytes of flags; the 8-byte size of what follows. All numbers
// are little-endian. Nothing of it is trusted: sizes are compared with what
// they must add up to, and memory grows with what has been received.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DATA_SERVED_BATCHFRAMES_H
#define PS_RUNTIME_DATA_SERVED_BATCHFRAMES_H

#include "absl/status/statusor.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/arrays/ElementType.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ps::runtime {

/// The first 16 bytes of a frame of either direction.
struct FrameHeader {
  char kind[4];
  uint32_t flags = 0;
  uint64_t bytes = 0;
};
static_assert(sizeof(FrameHeader) == 16);

/// The frames that a server sends, and what ps-run sends.
inline constexpr absl::string_view kColumnsFrame = "COLS",
                                   kSamplesFrame = "SMPL", kErrorFrame = "FAIL",
                                   kHelloFrame = "HELO", kStartFrame = "STRT";
/// Flags of a frame of samples.
inline constexpr uint32_t kEndsEpoch = 1, kEndsData = 2;

/// Reads the frames of a server. Thread-compatible.
class BatchFrames {
public:
  /// Fills `size` bytes, or returns why it cannot.
  using Read = std::function<absl::Status(void *to, size_t size)>;
  /// `spec` is what errors call the data.
  BatchFrames(std::string spec, Read read)
      : spec(std::move(spec)), read(std::move(read)) {}

  /// Reads the first frame. DATA_LOSS for one that is malformed, here and
  /// below.
  absl::Status readColumns();
  /// A dataset without samples that has the columns.
  Dataset makeDataset() const;
  bool hasColumnsOf(const BatchFrames &other) const {
    return columns == other.columns;
  }

  struct End {
    bool ofEpoch = false, ofData = false;
  };
  /// Reads a frame of samples and adds them to `data`, of makeDataset(). Where
  /// `expected` is given the frame has as many.
  absl::StatusOr<End> readSamples(Dataset &data,
                                  std::optional<int64_t> expected = {});

private:
  struct ServedColumn {
    std::string name;
    const ElementType *type;
    int64_t width;
    bool ragged;

    bool operator==(const ServedColumn &) const = default;
  };

  /// Names the place of what was read last.
  absl::Status error(absl::string_view why) const;
  absl::Status readHeader(absl::string_view kind);
  /// Fails if the frame does not hold `size` more bytes.
  absl::Status take(uint64_t size, absl::string_view what);
  absl::Status readBytes(void *to, uint64_t size, absl::string_view what);
  template <typename T>
  absl::StatusOr<T> readNumber(absl::string_view what);
  absl::StatusOr<std::string> readName(size_t size, absl::string_view what);
  absl::Status readError();
  absl::Status readColumn();
  absl::Status readSamplesOf(const ServedColumn &served, int64_t samples,
                             int64_t before, Column &column);
  absl::Status readOffsets(const ServedColumn &served, int64_t samples,
                           Column &column);
  absl::Status readElements(const ServedColumn &served, int64_t count,
                            int64_t begin, Column &column);
  absl::Status expectEnd() const;

  const std::string spec;
  const Read read;
  std::vector<ServedColumn> columns;
  FrameHeader header;
  /// The number of the frame, from 0; its bytes that were read, and those that
  /// are left behind its header.
  int64_t frame = -1;
  uint64_t position = 0, left = 0;
  /// Elements before they are widened.
  std::vector<std::byte> narrow;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_SERVED_BATCHFRAMES_H
