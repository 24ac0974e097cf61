// SPDX-License-Identifier: Apache-2.0
//===- FuzzSafetensors.cpp - any bytes as a safetensors file --------------===//
//
// What the header claims is allocated only after it has been compared with the
// file's size: so every tensor of a file that is accepted can be read.
//
//===----------------------------------------------------------------------===//

#include "runtime/checkpoint/Safetensors.h"
#include "test/fuzz/hostile/InputFile.h"
#include <vector>

using namespace ps::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const InputFile input(data, size);
  auto file = SafetensorsFile::open(input.path());
  if (!file.ok())
    return 0;
  for (const auto &[name, type] : (*file)->tensors()) {
    if (type.bytes() > size)
      std::abort();
    std::vector<std::byte> values(type.bytes());
    if (!(*file)->read(name, {type, values.data()}).ok())
      std::abort();
  }
  return 0;
}
