// SPDX-License-Identifier: Apache-2.0
//===- InputFile.h - a fuzzer's input as a file ---------------------------===//

#ifndef PS_TEST_FUZZ_HOSTILE_INPUTFILE_H
#define PS_TEST_FUZZ_HOSTILE_INPUTFILE_H

#include "runtime/base/Descriptor.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ps::runtime {

/// A file in memory that exists as long as this does. Running out of memory
/// ends the fuzzer.
class InputFile {
public:
  InputFile(const uint8_t *data, size_t size)
      : descriptor(::memfd_create("input", MFD_CLOEXEC)) {
    if (::write(descriptor.get(), data, size) != static_cast<ssize_t>(size))
      std::abort();
  }
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor.get());
  }

private:
  Descriptor descriptor;
};

} // namespace ps::runtime

#endif // PS_TEST_FUZZ_HOSTILE_INPUTFILE_H
