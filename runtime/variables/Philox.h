// SPDX-License-Identifier: Apache-2.0
//===- Philox.h - a counter-based random number generator -----------------===//

#ifndef PS_RUNTIME_VARIABLES_PHILOX_H
#define PS_RUNTIME_VARIABLES_PHILOX_H

#include <array>
#include <cstdint>

namespace ps::runtime {

/// The rounds of Philox4x32-10 (Salmon et al., "Parallel random numbers: as
/// easy as 1, 2, 3", 2011), on words of 32 bits in numbers, or vectors of
/// numbers, of 64 bits.
template <typename Word>
[[gnu::always_inline]] inline void philoxRounds(Word (&counter)[4],
                                                std::array<uint32_t, 2> key) {
  constexpr uint64_t low = 0xFFFFFFFF;
  for (int round = 0; round < 10; ++round) {
    // The masks say that the products fit.
    const Word product0 = (counter[0] & low) * 0xD2511F53;
    const Word product1 = (counter[2] & low) * 0xCD9E8D57;
    counter[0] = (product1 >> 32) ^ counter[1] ^ key[0];
    counter[1] = product1 & low;
    counter[2] = (product0 >> 32) ^ counter[3] ^ key[1];
    counter[3] = product0 & low;
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
}

/// 128 random bits that are a pure function of counter and key.
inline std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                          std::array<uint32_t, 2> key) {
  uint64_t words[4] = {counter[0], counter[1], counter[2], counter[3]};
  philoxRounds(words, key);
  return {static_cast<uint32_t>(words[0]), static_cast<uint32_t>(words[1]),
          static_cast<uint32_t>(words[2]), static_cast<uint32_t>(words[3])};
}

} // namespace ps::runtime

#endif // PS_RUNTIME_VARIABLES_PHILOX_H
