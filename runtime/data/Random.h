// SPDX-License-Identifier: Apache-2.0
//===- Random.h - repeatable random numbers for data ----------------------===//

#ifndef PS_RUNTIME_DATA_RANDOM_H
#define PS_RUNTIME_DATA_RANDOM_H

#include "runtime/base/Hash.h"
#include <cstdint>

namespace ps::runtime {

/// A stream of numbers that two keys determine (SplitMix64, Steele et al.,
/// 2014): the same on every machine, unlike the standard library's
/// distributions.
class Random {
public:
  Random(uint64_t seed, uint64_t stream)
      : state(mixBits(seed) ^ mixBits(stream + 0x632be59bd9b4e019)) {}

  uint64_t next() { return mixBits(state += 0x9e3779b97f4a7c15); }
  /// Uniform over [0, bound) up to a bias of bound / 2^64.
  uint64_t below(uint64_t bound) {
    return static_cast<unsigned __int128>(next()) * bound >> 64;
  }
  /// Uniform over [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

private:
  uint64_t state;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_RANDOM_H
