// SPDX-License-Identifier: Apache-2.0
//===- RandomBits.h - unpredictable random bits ---------------------------===//

#ifndef PS_RUNTIME_BASE_RANDOMBITS_H
#define PS_RUNTIME_BASE_RANDOMBITS_H

#include <cstdint>

namespace ps::runtime {

/// Returns 64 bits from the operating system's generator, which cannot be
/// predicted. Results of training must not depend on them. Thread-safe.
uint64_t randomBits();

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_RANDOMBITS_H
