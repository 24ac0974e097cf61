// SPDX-License-Identifier: Apache-2.0
//===- RandomBits.cpp - unpredictable random bits -------------------------===//

#include "runtime/base/RandomBits.h"
#include "runtime/base/Descriptor.h"
#include <chrono>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

uint64_t ps::runtime::randomBits() {
  uint64_t bits = 0;
  if (getrandom(&bits, sizeof(bits), 0) == sizeof(bits))
    return bits;
  // A sandbox may forbid the call, and seldom the file as well.
  if (const Descriptor file(::open("/dev/urandom", O_RDONLY | O_CLOEXEC));
      file && ::read(file.get(), &bits, sizeof(bits)) == sizeof(bits))
    return bits;
  // These can be guessed, but no two processes of a job have them.
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const auto ticks =
      std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<uint64_t>(now) * 0x9e3779b97f4a7c15 ^
         static_cast<uint64_t>(ticks) << 20 ^
         static_cast<uint64_t>(getpid()) << 48;
}
