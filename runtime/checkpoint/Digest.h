// SPDX-License-Identifier: Apache-2.0
//===- Digest.h - a fingerprint of saved bytes ----------------------------===//

#ifndef PS_RUNTIME_CHECKPOINT_DIGEST_H
#define PS_RUNTIME_CHECKPOINT_DIGEST_H

#include "absl/strings/str_format.h"
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace ps::runtime {

/// 128 bits of all bytes that were added, in their order: two lanes of
/// multiply and xor-shift with the constants of SplitMix64. It
/// distinguishes checkpoints; it does not withstand an attacker. The same on
/// every machine.
/// Separate from base/Hash.h: digests are written into the files of
/// checkpoints, and that mix would give other ones.
class Digest {
public:
  void add(std::span<const std::byte> bytes) {
    size_t i = 0;
    for (; i + sizeof(uint64_t) <= bytes.size(); i += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes.data() + i, sizeof(word));
      addWord(word);
    }
    uint64_t rest = 0;
    if (i != bytes.size())
      std::memcpy(&rest, bytes.data() + i, bytes.size() - i);
    addWord(rest);
    addWord(bytes.size());
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }

  /// 32 hexadecimal digits.
  std::string str() const { return absl::StrFormat("%016x%016x", a, b); }

private:
  void addWord(uint64_t word) {
    a = (a ^ word) * 0xBF58476D1CE4E5B9;
    a ^= a >> 29;
    b = (b + word) * 0x94D049BB133111EB;
    b ^= b >> 32;
  }

  uint64_t a = 0x9E3779B97F4A7C15, b = 0x6A09E667F3BCC909;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_CHECKPOINT_DIGEST_H
