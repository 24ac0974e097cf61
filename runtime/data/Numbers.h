// SPDX-License-Identifier: Apache-2.0
//===- Numbers.h - numbers in text, checked -------------------------------===//

#ifndef PS_RUNTIME_DATA_NUMBERS_H
#define PS_RUNTIME_DATA_NUMBERS_H

#include "absl/strings/string_view.h"
#include <charconv>
#include <cstdint>
#include <string>

namespace ps::runtime {

enum class NumberError { None, NotANumber, OutOfRange };

/// Reads an id from the start of [p, end) and moves p behind its digits: a
/// signed 64-bit number, or an unsigned one whose bits are taken.
inline NumberError readId(const char *&p, const char *end, int64_t &id) {
  const char *at = p;
  bool negative = at != end && *at == '-';
  at += negative;
  const char *digits = at;
  uint64_t value = 0;
  // 19 digits cannot overflow.
  const char *safe = end - at > 19 ? at + 19 : end;
  while (at != safe && static_cast<unsigned char>(*at - '0') < 10)
    value = value * 10 + static_cast<unsigned char>(*at++ - '0');
  if (at == digits)
    return NumberError::NotANumber;
  for (; at != end && static_cast<unsigned char>(*at - '0') < 10; ++at)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *at - '0', &value))
      return NumberError::OutOfRange;
  constexpr uint64_t lowest = uint64_t(1) << 63;
  if (negative && value > lowest)
    return NumberError::OutOfRange;
  id = static_cast<int64_t>(negative ? 0 - value : value);
  p = at;
  return NumberError::None;
}

/// Reads a finite number from the start of [p, end) and moves p behind it.
/// What is too small is zero. `Number` is float or double.
template <typename Number>
NumberError readNumber(const char *&p, const char *end, Number &number) {
  const char *at = p;
  at += at != end && *at == '+';
  const char *first = at + (at != end && *at == '-' && at == p);
  // Neither "inf" nor "nan" are data.
  if (first == end ||
      !(static_cast<unsigned char>(*first - '0') < 10 || *first == '.'))
    return NumberError::NotANumber;
  auto [behind, error] = std::from_chars(at, end, number);
  if (error == std::errc::invalid_argument)
    return NumberError::NotANumber;
  if (error == std::errc::result_out_of_range) {
    long double wide = 0;
    if (std::from_chars(at, end, wide).ec != std::errc() || wide > 1 ||
        wide < -1)
      return NumberError::OutOfRange;
    number = 0;
  }
  p = behind;
  return NumberError::None;
}

/// The rest of the word that begins at `p`, short enough to be quoted.
inline std::string quoteWord(const char *p, const char *end) {
  std::string word = "'";
  for (; p != end && *p != ' ' && *p != '\t'; ++p) {
    if (word.size() == 41)
      return word + "...'";
    word += *p;
  }
  return word + "'";
}

/// "expected an integer, got 'x'".
inline std::string explainId(NumberError error, const char *p,
                             const char *end) {
  const std::string word = quoteWord(p, end);
  return error == NumberError::OutOfRange ? word + " is beyond 64 bits"
                                          : "expected an integer, got " + word;
}

/// "'x' is not a number"; `type` is f32 or f64.
inline std::string explainNumber(NumberError error, const char *p,
                                 const char *end, const char *type = "f32") {
  return quoteWord(p, end) +
         (error == NumberError::OutOfRange
              ? std::string(" is beyond the range of ") + type
              : " is not a number");
}

} // namespace ps::runtime

#endif // PS_RUNTIME_DATA_NUMBERS_H
