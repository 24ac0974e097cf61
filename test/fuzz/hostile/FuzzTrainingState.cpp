// SPDX-License-Identifier: Apache-2.0
//===- FuzzTrainingState.cpp - any bytes as training.json -----------------===//

#include "runtime/checkpoint/TrainingState.h"
#include "test/fuzz/hostile/InputFile.h"

using namespace ps::runtime;

/// What is read can be written again, and is then read as the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const InputFile input(data, size);
  auto state = readTrainingStateFile(input.path());
  if (!state.ok() || !*state)
    return 0;
  const std::string text = formatTrainingState(**state);
  const InputFile copy(reinterpret_cast<const uint8_t *>(text.data()),
                       text.size());
  auto again = readTrainingStateFile(copy.path());
  if (!again.ok() || !*again || formatTrainingState(**again) != text)
    std::abort();
  return 0;
}
