// SPDX-License-Identifier: Apache-2.0
//===- Hash.h - hashes of 64 bits -----------------------------------------===//
//
// One hash is the same in every process, for decisions that results depend on;
// the other has a secret key, for places in memory.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_BASE_HASH_H
#define PS_RUNTIME_BASE_HASH_H

#include "runtime/base/RandomBits.h"
#include <cstdint>

namespace ps::runtime {

/// Mixes all bits of `bits`: the finalizer of SplitMix64 (G. Steele et al.,
/// "Fast Splittable Pseudorandom Number Generators", 2014), a bijection. The
/// same in every process, now and later: saved tables are partitioned by it and
/// drawn values depend on it. It does not withstand an attacker.
constexpr uint64_t mixBits(uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

/// Mixes all bits of `id`, as a bijection that is the same in every process and
/// must never change: saved tables are partitioned by it. It does not withstand
/// an attacker, which can choose ids by their hashes.
inline uint64_t mixId(int64_t id) { return mixBits(static_cast<uint64_t>(id)); }

/// A hash with three random keys, against collision attacks: ids cannot be
/// chosen so that they collide. Use only its high bits: any two ids agree in
/// the n highest ones with a probability of at most 2 / 2^n over the keys
/// (multiply-shift: M. Dietzfelbinger et al., "A Reliable Randomized Algorithm
/// for the Closest-Pair Problem", 1997). That is said of pairs: alone, the last
/// multiplication maps ids at equal distances, common or chosen, badly under
/// one key in twenty. Before it the other keys hide such distances.
class IdHash {
public:
  /// Draws the keys.
  IdHash()
      : mask(randomBits()), inner(randomBits() | 1), outer(randomBits() | 1) {}

  uint64_t operator()(int64_t id) const {
    uint64_t bits = static_cast<uint64_t>(id) ^ mask;
    bits = (bits ^ bits >> 32) * inner;
    return (bits ^ bits >> 29) * outer;
  }

private:
  uint64_t mask, inner, outer;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_HASH_H
