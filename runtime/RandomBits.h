// SPDX-License-Identifier: Apache-2.0
//===- RandomBits.h - bits that nobody can guess --------------------------===//

#ifndef PS_RUNTIME_RANDOMBITS_H
#define PS_RUNTIME_RANDOMBITS_H

#include <cstdint>

namespace ps::runtime {

/// 64 bits from the operating system's generator, other ones at each call.
/// Results of training must not depend on them. Thread-safe.
uint64_t randomBits();

} // namespace ps::runtime

#endif // PS_RUNTIME_RANDOMBITS_H
