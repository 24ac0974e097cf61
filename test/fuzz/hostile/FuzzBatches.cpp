// SPDX-License-Identifier: Apache-2.0
//===- FuzzBatches.cpp - any bytes from a batch server --------------------===//

#include "runtime/data/served/BatchFrames.h"
#include <cstdlib>
#include <cstring>

using namespace ps::runtime;

/// What is accepted is as much as was sent.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t at = 0;
  BatchFrames frames("batches:unix:s", [&](void *to, size_t bytes) {
    if (bytes > size - at)
      return absl::UnavailableError("the server has closed the connection");
    std::memcpy(to, data + at, bytes);
    at += bytes;
    return absl::OkStatus();
  });
  if (!frames.readColumns().ok())
    return 0;
  Dataset samples = frames.makeDataset();
  while (frames.readSamples(samples).ok())
    for (const Column &column : samples.columns) {
      const auto elements = static_cast<size_t>(column.begin(samples.size));
      if (elements * byteWidth(column.dtype) > column.bytes.size() ||
          elements > size)
        std::abort();
    }
  return 0;
}
