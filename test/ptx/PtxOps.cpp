// SPDX-License-Identifier: Apache-2.0
//===- PtxOps.cpp - what instructions of PTX compute ----------------------===//
//
// As NVIDIA's "Parallel Thread Execution ISA" defines them. Conversions of
// floats to integers round to the next integer and saturate; NaN becomes 0.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/PtxOps.h"
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <type_traits>

using namespace ps;

namespace {

/// A float of 16 bits, computed in double.
struct Half {
  uint16_t bits = 0;

  Half() = default;
  Half(double value)
      : bits(std::bit_cast<uint16_t>(static_cast<_Float16>(value))) {}
  operator double() const {
    return static_cast<double>(std::bit_cast<_Float16>(bits));
  }
};

template <typename T>
constexpr bool isFloat = std::is_floating_point_v<T> || std::is_same_v<T, Half>;

template <typename T>
uint64_t toBits(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_same_v<T, Half>)
    return value.bits;
  else
    return static_cast<uint64_t>(value);
}

template <typename T>
T fromBits(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(bits);
  } else if constexpr (std::is_same_v<T, Half>) {
    Half value;
    value.bits = bits;
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    return bits & 1;
  } else {
    return static_cast<T>(bits);
  }
}

/// Filled by the first findPtxCompute(). Never destroyed: threads may use it
/// until the process ends.
std::map<std::string, PtxCompute> &table =
    *new std::map<std::string, PtxCompute>;

/// `function` has no captures: its type says all.
template <typename T, typename Function>
void addUnary(const std::string &opcode, Function) {
  table[opcode] = [](const uint64_t *a, bool &) {
    return toBits(Function()(fromBits<T>(a[0])));
  };
}

template <typename T, typename Function>
void addBinary(const std::string &opcode, Function) {
  table[opcode] = [](const uint64_t *a, bool &) {
    return toBits(Function()(fromBits<T>(a[0]), fromBits<T>(a[1])));
  };
}

template <typename T, typename Function>
void addTernary(const std::string &opcode, Function) {
  table[opcode] = [](const uint64_t *a, bool &) {
    return toBits(
        Function()(fromBits<T>(a[0]), fromBits<T>(a[1]), fromBits<T>(a[2])));
  };
}

/// Twice as wide.
template <typename T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

template <typename T>
void addSelections(const std::string &type) {
  table["selp" + type] = [](const uint64_t *a, bool &) {
    return toBits(fromBits<T>(a[2] & 1 ? a[0] : a[1]));
  };
}

template <typename T>
void addComparisons(const std::string &type) {
  addBinary<T>("setp.eq" + type, [](T a, T b) { return a == b; });
  addBinary<T>("setp.ne" + type, [](T a, T b) { return a != b; });
  addBinary<T>("setp.lt" + type, [](T a, T b) { return a < b; });
  addBinary<T>("setp.le" + type, [](T a, T b) { return a <= b; });
  addBinary<T>("setp.gt" + type, [](T a, T b) { return a > b; });
  addBinary<T>("setp.ge" + type, [](T a, T b) { return a >= b; });
  if constexpr (isFloat<T>)
    addBinary<T>("setp.ne" + type, [](T a, T b) { return a < b || a > b; });
}

/// Of bits without a sign: and, or, shifts.
template <typename T>
void addBitOps(const std::string &type) {
  constexpr unsigned width = std::is_same_v<T, bool> ? 1 : 8 * sizeof(T);
  addBinary<T>("and" + type, [](T a, T b) -> T { return a & b; });
  addBinary<T>("or" + type, [](T a, T b) -> T { return a | b; });
  addBinary<T>("xor" + type, [](T a, T b) -> T { return a ^ b; });
  addUnary<T>("mov" + type, [](T a) { return a; });
  // What atom.cas leaves.
  addTernary<T>("cas" + type, [](T old, T expected, T set) {
    return old == expected ? set : old;
  });
  if constexpr (std::is_same_v<T, bool>) {
    addUnary<T>("not" + type, [](T a) { return !a; });
  } else {
    addUnary<T>("not" + type, [](T a) -> T { return ~a; });
    addSelections<T>(type);
    addBinary<T>("setp.eq" + type, [](T a, T b) { return a == b; });
    addBinary<T>("setp.ne" + type, [](T a, T b) { return a != b; });
    table["shl" + type] = [](const uint64_t *a, bool &) {
      const auto count = static_cast<uint32_t>(a[1]);
      return count >= width ? 0 : toBits<T>(fromBits<T>(a[0]) << count);
    };
    addUnary<T>("popc" + type,
                [](T a) { return static_cast<uint32_t>(std::popcount(a)); });
    addUnary<T>("clz" + type,
                [](T a) { return static_cast<uint32_t>(std::countl_zero(a)); });
  }
}

/// PTX defines no quotient by zero, and none that overflows.
template <typename T>
bool hasQuotient(T a, T b) {
  return b != 0 && !(std::is_signed_v<T> && b == T(-1) &&
                     a == std::numeric_limits<T>::min());
}

template <typename T>
void addIntegerOps(const std::string &type) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned width = 8 * sizeof(T);
  addBinary<U>("add" + type, [](U a, U b) -> U { return a + b; });
  addBinary<U>("sub" + type, [](U a, U b) -> U { return a - b; });
  addBinary<T>("min" + type, [](T a, T b) { return std::min(a, b); });
  addBinary<T>("max" + type, [](T a, T b) { return std::max(a, b); });
  addUnary<U>("neg" + type, [](U a) -> U { return U(0) - a; });
  addUnary<T>("abs" + type, [](T a) -> T { return a < 0 ? U(0) - U(a) : a; });
  addBinary<T>("mul.lo" + type,
               [](T a, T b) { return static_cast<U>(Wide<T>(a) * b); });
  addBinary<T>("mul.hi" + type, [](T a, T b) {
    return static_cast<T>((Wide<T>(a) * b) >> width);
  });
  if constexpr (width < 64)
    addBinary<T>("mul.wide" + type, [](T a, T b) { return Wide<T>(a) * b; });
  addTernary<T>("mad.lo" + type, [](T a, T b, T c) {
    return static_cast<U>(Wide<T>(a) * b + c);
  });
  addBinary<T>("div" + type,
               [](T a, T b) -> T { return hasQuotient(a, b) ? a / b : T(-1); });
  addBinary<T>("rem" + type,
               [](T a, T b) -> T { return hasQuotient(a, b) ? a % b : a; });
  table["shr" + type] = [](const uint64_t *a, bool &) {
    const auto count = static_cast<uint32_t>(a[1]);
    const T value = fromBits<T>(a[0]);
    return toBits<T>(count < width ? value >> count : value < 0 ? T(-1) : T(0));
  };
  table["bfe" + type] = [](const uint64_t *a, bool &) {
    const unsigned from = a[1] & 0xff, count = a[2] & 0xff;
    const unsigned sign = std::min(from + count - 1, width - 1);
    const U bits = fromBits<U>(a[0]);
    const bool fill = std::is_signed_v<T> && count && bits >> sign & 1;
    U value = fill ? ~U(0) : 0;
    for (unsigned i = 0; i < count && i < width; ++i) {
      const bool bit = from + i < width ? bits >> (from + i) & 1 : fill;
      value = (value & ~(U(1) << i)) | U(bit) << i;
    }
    return toBits(static_cast<T>(value));
  };
  addComparisons<T>(type);
  addSelections<T>(type);
  addUnary<T>("mov" + type, [](T a) { return a; });
}

uint64_t sum(uint64_t a, uint64_t b, bool in, bool &carry) {
  const uint64_t value = uint64_t(uint32_t(a)) + uint32_t(b) + in;
  carry = value >> 32;
  return uint32_t(value);
}

uint64_t difference(uint64_t a, uint64_t b, bool in, bool &borrow) {
  const uint64_t value = uint64_t(uint32_t(a)) - uint32_t(b) - in;
  borrow = value >> 32 & 1;
  return uint32_t(value);
}

uint64_t low(const uint64_t *a) {
  return uint64_t(uint32_t(a[0])) * uint32_t(a[1]);
}

uint64_t high(const uint64_t *a) { return low(a) >> 32; }

/// Additions of numbers in several words.
void addCarries() {
  table["add.cc.u32"] = [](const uint64_t *a, bool &c) {
    return sum(a[0], a[1], false, c);
  };
  table["addc.cc.u32"] = [](const uint64_t *a, bool &c) {
    return sum(a[0], a[1], c, c);
  };
  table["addc.u32"] = [](const uint64_t *a, bool &c) {
    bool unused;
    return sum(a[0], a[1], c, unused);
  };
  table["sub.cc.u32"] = [](const uint64_t *a, bool &c) {
    return difference(a[0], a[1], false, c);
  };
  table["subc.cc.u32"] = [](const uint64_t *a, bool &c) {
    return difference(a[0], a[1], c, c);
  };
  table["subc.u32"] = [](const uint64_t *a, bool &c) {
    bool unused;
    return difference(a[0], a[1], c, unused);
  };
  table["mad.lo.cc.u32"] = [](const uint64_t *a, bool &c) {
    return sum(low(a), a[2], false, c);
  };
  table["madc.lo.cc.u32"] = [](const uint64_t *a, bool &c) {
    return sum(low(a), a[2], c, c);
  };
  table["madc.hi.cc.u32"] = [](const uint64_t *a, bool &c) {
    return sum(high(a), a[2], c, c);
  };
  table["madc.hi.u32"] = [](const uint64_t *a, bool &c) {
    bool unused;
    return sum(high(a), a[2], c, unused);
  };
}

void addWordOps() {
  table["shf.l.wrap.b32"] = [](const uint64_t *a, bool &) {
    const uint64_t both = a[1] << 32 | uint32_t(a[0]);
    return both << (a[2] & 31) >> 32;
  };
  table["bfi.b32"] = [](const uint64_t *a, bool &) {
    const unsigned to = a[2] & 0xff, count = a[3] & 0xff;
    auto value = static_cast<uint32_t>(a[1]);
    for (unsigned i = 0; i < count && to + i < 32; ++i)
      value = (value & ~(1u << (to + i))) | uint32_t(a[0] >> i & 1) << (to + i);
    return uint64_t(value);
  };
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// -0 is less than 0, and a number less than NaN.
double smallest(double a, double b) {
  return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
}

template <typename T>
void addFloatOps(const std::string &type) {
  addBinary<T>("add.rn" + type, [](T a, T b) -> T { return a + b; });
  addBinary<T>("sub.rn" + type, [](T a, T b) -> T { return a - b; });
  addBinary<T>("mul.rn" + type, [](T a, T b) -> T { return a * b; });
  addUnary<T>("neg" + type, [](T a) -> T { return -a; });
  addUnary<T>("abs" + type, [](T a) -> T { return std::fabs(a); });
  addBinary<T>("min" + type, [](T a, T b) -> T { return smallest(a, b); });
  addBinary<T>("max" + type, [](T a, T b) -> T { return -smallest(-a, -b); });
  addBinary<T>("min.NaN" + type, [](T a, T b) -> T {
    return std::isnan(a) || std::isnan(b) ? NAN : smallest(a, b);
  });
  addBinary<T>("max.NaN" + type, [](T a, T b) -> T {
    return std::isnan(a) || std::isnan(b) ? NAN : -smallest(-a, -b);
  });
  addComparisons<T>(type);
  addBinary<T>("setp.equ" + type, [](T a, T b) { return !(a < b || a > b); });
  addBinary<T>("setp.neu" + type, [](T a, T b) { return !(a == b); });
  addBinary<T>("setp.ltu" + type, [](T a, T b) { return !(a >= b); });
  addBinary<T>("setp.leu" + type, [](T a, T b) { return !(a > b); });
  addBinary<T>("setp.gtu" + type, [](T a, T b) { return !(a <= b); });
  addBinary<T>("setp.geu" + type, [](T a, T b) { return !(a < b); });
  addBinary<T>("setp.num" + type,
               [](T a, T b) { return !std::isnan(a) && !std::isnan(b); });
  addBinary<T>("setp.nan" + type,
               [](T a, T b) { return std::isnan(a) || std::isnan(b); });
  addSelections<T>(type);
  addUnary<T>("mov" + type, [](T a) { return a; });
  if constexpr (std::is_floating_point_v<T>) {
    addTernary<T>("fma.rn" + type,
                  [](T a, T b, T c) { return std::fma(a, b, c); });
    for (const char *kind : {".rn", ".approx", ".full"})
      addBinary<T>(std::string("div") + kind + type,
                   [](T a, T b) { return a / b; });
    for (const char *kind : {".rn", ".approx", ".approx.ftz"}) {
      addUnary<T>(std::string("rcp") + kind + type, [](T a) { return 1 / a; });
      addUnary<T>(std::string("sqrt") + kind + type,
                  [](T a) { return std::sqrt(a); });
      addUnary<T>(std::string("ex2") + kind + type,
                  [](T a) { return std::exp2(a); });
      addUnary<T>(std::string("lg2") + kind + type,
                  [](T a) { return std::log2(a); });
    }
  }
}

/// The product and the sum are exact in long double, but for the last bits of
/// sums of very different numbers.
void addFusedTowardsZero() {
  addTernary<float>("fma.rz.f32", [](float a, float b, float c) {
    const long double exact = static_cast<long double>(a) * b + c;
    const auto rounded = static_cast<float>(exact);
    return std::fabs(rounded) > std::fabs(exact) ? std::nextafter(rounded, 0.0f)
                                                 : rounded;
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

struct ToNearest {
  double operator()(double value) const { return std::nearbyint(value); }
};
struct TowardsZero {
  double operator()(double value) const { return std::trunc(value); }
};
struct Down {
  double operator()(double value) const { return std::floor(value); }
};
struct Up {
  double operator()(double value) const { return std::ceil(value); }
};

template <typename To>
To saturate(double value) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(value))
    return 0;
  if (value <= static_cast<double>(Limits::min()))
    return Limits::min();
  if (value >= static_cast<double>(Limits::max()))
    return Limits::max();
  return static_cast<To>(value);
}

/// From a float, with each rounding to an integer.
template <typename To, typename From>
void addRoundings(const std::string &types) {
  auto add = [&]<typename Round>(const char *name, Round) {
    addUnary<From>("cvt" + std::string(name) + types, [](From a) {
      const double rounded = Round()(a);
      if constexpr (isFloat<To>)
        return To(rounded);
      else
        return saturate<To>(rounded);
    });
  };
  add(".rni", ToNearest());
  add(".rzi", TowardsZero());
  add(".rmi", Down());
  add(".rpi", Up());
}

template <typename To, typename From>
void addConversion(const std::string &types) {
  if constexpr (isFloat<From>)
    addRoundings<To, From>(types);
  if constexpr (isFloat<From> == isFloat<To> || isFloat<To>)
    for (const char *rounding : {"", ".rn"})
      addUnary<From>("cvt" + std::string(rounding) + types, [](From a) {
        if constexpr (std::is_same_v<To, Half>)
          return Half(static_cast<double>(a));
        else
          return static_cast<To>(a);
      });
}

/// Calls `body` with a value of every type and its name.
template <typename Body>
void forTypes(Body body) {
  body(int8_t(), ".s8");
  body(int16_t(), ".s16");
  body(int32_t(), ".s32");
  body(int64_t(), ".s64");
  body(uint8_t(), ".u8");
  body(uint16_t(), ".u16");
  body(uint32_t(), ".u32");
  body(uint64_t(), ".u64");
  body(Half(), ".f16");
  body(float(), ".f32");
  body(double(), ".f64");
}

void fillTable() {
  addBitOps<bool>(".pred");
  addBitOps<uint16_t>(".b16");
  addBitOps<uint32_t>(".b32");
  addBitOps<uint64_t>(".b64");
  addCarries();
  addWordOps();
  addFusedTowardsZero();
  forTypes([]<typename To>(To, const std::string &to) {
    if constexpr (isFloat<To>)
      addFloatOps<To>(to);
    else if constexpr (sizeof(To) > 1)
      addIntegerOps<To>(to);
    forTypes([&]<typename From>(From, const std::string &from) {
      addConversion<To, From>(to + from);
    });
  });
}

} // namespace

PtxCompute ps::findPtxCompute(const std::string &opcode) {
  static std::once_flag isFilled; // Threads load code at once.
  std::call_once(isFilled, fillTable);
  auto found = table.find(opcode);
  return found == table.end() ? nullptr : found->second;
}
