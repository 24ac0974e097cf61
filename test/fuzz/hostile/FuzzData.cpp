// SPDX-License-Identifier: Apache-2.0
//===- FuzzData.cpp - any bytes as a file of samples ----------------------===//
//
// The first line of an input is a format of --data with its suffixes, such as
// "csv#label=0"; the rest is the file.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/data/DataFormat.h"
#include "test/fuzz/hostile/InputFile.h"

using namespace ps::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char *>(data), size);
  const size_t end = text.find('\n');
  if (end == absl::string_view::npos)
    return 0;
  const absl::string_view head = text.substr(0, end);
  const size_t suffix = std::min(head.find('#'), head.size());
  const absl::string_view name = head.substr(0, suffix);
  for (const DataFormat *format : dataFormats()) {
    if (format->isGenerated() || format->name != name)
      continue;
    const InputFile file(data + end + 1, size - end - 1);
    DataOptions options;
    options.feeds = {{"click", {DType::I64, {-1, 1}}},
                     {"ids", {DType::I64, {-1}}, /*ragged=*/true},
                     {"dense", {DType::F32, {-1, 4}}}};
    options.badLines = 1;
    auto samples = Dataset::open(
        absl::StrCat(name, ":", file.path(), head.substr(suffix)), options);
    if (samples.ok() && samples->size == 0)
      std::abort();
  }
  return 0;
}
