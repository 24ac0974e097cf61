// SPDX-License-Identifier: Apache-2.0
//===- Initializer.cpp - initial values by global element offset ----------===//
//
// Element e takes 64 of the 128 bits of Philox block e / 2. Seed and variable
// name choose the key and the upper half of the counter. Each distribution
// maps the element's one uniform number through the inverse of its cumulative
// distribution: no rejection, so nothing depends on other elements.
//
//===----------------------------------------------------------------------===//

#include "runtime/variables/Initializer.h"
#include "runtime/base/Hash.h"
#include "runtime/variables/Philox.h"
#include <bit>
#include <cassert>
#include <cmath>
#include <type_traits>

using namespace ps::runtime;

namespace {
/// FNV-1a, then a finalizer that spreads it over all bits. Fixed for ever:
/// saved seeds must keep their meaning.
uint64_t hashName(std::string_view name) {
  uint64_t hash = 0xCBF29CE484222325;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001B3;
  return mixBits(hash);
}

/// An element's place in its variable. Products of an id and a width need
/// more than 64 bits.
__extension__ using Offset = __int128;

/// Uniform numbers, strictly between 0 and 1, of a few elements that follow
/// each other, the first of which is the first one of its block.
class UniformNumbers {
public:
  static constexpr int kElements = 16;

  void draw(uint64_t seed, uint64_t stream, Offset block) {
    static const auto chosen = choose();
    chosen(*this,
           {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
           stream, block);
  }
  double operator[](int element) const {
    return halves[element % 2][element / 2];
  }

private:
  /// A lane for each block.
  using Lanes [[gnu::vector_size(kElements / 2 * 8)]] = uint64_t;
  using Numbers [[gnu::vector_size(kElements / 2 * 8)]] = double;

  [[gnu::always_inline]] void drawImpl(std::array<uint32_t, 2> key,
                                       uint64_t stream, Offset block) {
    // Blocks beyond 64 bits go to other streams; stream 0 is the name's own.
    constexpr uint64_t nextStream = 0x9E3779B97F4A7C15, low = 0xFFFFFFFF;
    const Lanes number =
        static_cast<uint64_t>(block) + Lanes{0, 1, 2, 3, 4, 5, 6, 7};
    const auto isBeyond =
        __builtin_bit_cast(Lanes, number < static_cast<uint64_t>(block));
    const Lanes other = stream +
                        static_cast<uint64_t>(block >> 64) * nextStream +
                        (isBeyond & nextStream);
    Lanes words[4] = {number & low, number >> 32, other & low, other >> 32};
    philoxRounds(words, key);
    for (int half : {0, 1}) {
      // The upper 52 bits, below a one, are a number in [1, 2).
      const Lanes bits = (words[2 * half + 1] << 32 | words[2 * half]) >> 12;
      halves[half] = __builtin_bit_cast(Numbers, bits | uint64_t{0x3FF} << 52) -
                     1 + 0x1p-53;
    }
  }

#define PS_DRAW(NAME, TARGET)                                                  \
  TARGET static void NAME(UniformNumbers &numbers,                             \
                          std::array<uint32_t, 2> key, uint64_t stream,        \
                          Offset block) {                                      \
    numbers.drawImpl(key, stream, block);                                      \
  }
  PS_DRAW(drawBaseline, )
#ifdef __x86_64__
  PS_DRAW(drawAvx2, __attribute__((target("avx2"))))
  PS_DRAW(drawAvx512, __attribute__((target("avx512f,avx512dq"))))
#endif
#undef PS_DRAW
  static decltype(&drawBaseline) choose() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
      return drawAvx512;
    if (__builtin_cpu_supports("avx2"))
      return drawAvx2;
#endif
    return drawBaseline;
  }

  /// Those of the elements at even places, and at odd ones.
  Numbers halves[2];
};

template <size_t N>
double polynomial(const double (&coefficients)[N], double x) {
  double sum = 0;
  for (size_t i = N; i-- > 0;)
    sum = sum * x + coefficients[i];
  return sum;
}

/// The inverse of the normal cumulative distribution: algorithm AS 241,
/// PPND16 (Wichura, "The percentage points of the normal distribution", 1988);
/// relative error about 1e-16.
double inverseNormal(double p) {
  static constexpr double a[] = {
      3.3871328727963666080e0,  1.3314166789178437745e+2,
      1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4,
      3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double b[] = {1.0,
                                 4.2313330701600911252e+1,
                                 6.8718700749205790830e+2,
                                 5.3941960214247511077e+3,
                                 2.1213794301586595867e+4,
                                 3.9307895800092710610e+4,
                                 2.8729085735721942674e+4,
                                 5.2264952788528545610e+3};
  static constexpr double c[] = {
      1.42343711074968357734e0,  4.63033784615654529590e0,
      5.76949722146069140550e0,  3.64784832476320460504e0,
      1.27045825245236838258e0,  2.41780725177450611770e-1,
      2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double d[] = {1.0,
                                 2.05319162663775882187e0,
                                 1.67638483018380384940e0,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
  static constexpr double e[] = {
      6.65790464350110377720e0,  5.46378491116411436990e0,
      1.78482653991729133580e0,  2.96560571828504891230e-1,
      2.65321895265761230930e-2, 1.24266094738807843860e-3,
      2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double f[] = {1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};

  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  double tail;
  if (r <= 5) {
    r -= 1.6;
    tail = polynomial(c, r) / polynomial(d, r);
  } else {
    r -= 5;
    tail = polynomial(e, r) / polynomial(f, r);
  }
  return q < 0 ? -tail : tail;
}

/// The value of `initial` at the uniform number `u`.
double draw(const InitialValue &initial, double u) {
  switch (initial.kind) {
  case InitialValue::Kind::Constant:
    return initial.a;
  case InitialValue::Kind::Uniform:
    return initial.a + (initial.b - initial.a) * u;
  case InitialValue::Kind::Normal:
    return initial.a + initial.b * inverseNormal(u);
  case InitialValue::Kind::TruncatedNormal: {
    // The probability left of minus two deviations.
    constexpr double tail = 0.022750131948179207200;
    return initial.a + initial.b * inverseNormal(tail + u * (1 - 2 * tail));
  }
  }
  return 0;
}

/// The largest T below `value`.
template <typename T>
T previous(T value) {
  using Bits = std::conditional_t<
      sizeof(T) == 2, uint16_t,
      std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  constexpr Bits sign = Bits(Bits{1} << (8 * sizeof(T) - 1));
  Bits bits = std::bit_cast<Bits>(value);
  if ((bits & Bits(~sign)) == 0)
    bits = Bits(sign | 1);
  else
    bits = bits & sign ? Bits(bits + 1) : Bits(bits - 1);
  return std::bit_cast<T>(bits);
}

template <typename T>
void fill(T *data, int64_t count, const InitialValue &initial, uint64_t seed,
          uint64_t stream, Offset offset) {
  if (initial.kind == InitialValue::Kind::Constant) {
    // No numbers are drawn, so constants cost nothing but the writes.
    std::fill_n(data, count, static_cast<T>(initial.a));
    return;
  }
  const bool halfOpen =
      initial.kind == InitialValue::Kind::Uniform && initial.a < initial.b;
  UniformNumbers uniform;
  for (int64_t done = 0; done < count;) {
    const Offset element = offset + done;
    uniform.draw(seed, stream, element >> 1);
    for (auto i = static_cast<int>(element & 1);
         i < UniformNumbers::kElements && done < count; ++i, ++done) {
      T value = static_cast<T>(draw(initial, uniform[i]));
      // Rounding may reach the excluded end.
      while (halfOpen && static_cast<double>(value) >= initial.b)
        value = previous(value);
      data[done] = value;
    }
  }
}

template <typename T>
void fillConstant(const TensorRef &tensor, double value) {
  std::fill_n(tensor.as<T>(), tensor.type.numElements(), static_cast<T>(value));
}

void fillFloats(std::byte *data, DType dtype, int64_t count,
                const InitialValue &value, uint64_t seed, uint64_t stream,
                Offset offset) {
  auto fillAs = [&]<typename T>(T *elements) {
    fill(elements, count, value, seed, stream, offset);
  };
  switch (dtype) {
  case DType::BF16:
    return fillAs(reinterpret_cast<BFloat16 *>(data));
  case DType::F16:
    return fillAs(reinterpret_cast<_Float16 *>(data));
  case DType::F32:
    return fillAs(reinterpret_cast<float *>(data));
  default:
    return fillAs(reinterpret_cast<double *>(data));
  }
}
} // namespace

RowInitializer::RowInitializer(const InitialValue &value, DType dtype,
                               int64_t width, uint64_t seed,
                               std::string_view name)
    : value(value), dtype(dtype), width(width), seed(seed),
      stream(hashName(name)) {
  assert(isFloat(dtype) && "rows are of float types");
}

/// A row's values follow from its id, whichever process creates it and when.
void RowInitializer::operator()(std::byte *row, int64_t id) const {
  fillFloats(row, dtype, width, value, seed, stream,
             static_cast<Offset>(id) * width);
}

void ps::runtime::initialize(const TensorRef &tensor, const InitialValue &value,
                             uint64_t seed, std::string_view name,
                             uint64_t offset) {
  if (isFloat(tensor.type.dtype))
    return fillFloats(tensor.data, tensor.type.dtype, tensor.type.numElements(),
                      value, seed, hashName(name), offset);
  assert(value.kind == InitialValue::Kind::Constant &&
         "random initial values are of float types");
  switch (tensor.type.dtype) {
  case DType::I1:
  case DType::UI8:
    return fillConstant<uint8_t>(tensor, value.a);
  case DType::I8:
    return fillConstant<int8_t>(tensor, value.a);
  case DType::I16:
    return fillConstant<int16_t>(tensor, value.a);
  case DType::UI16:
    return fillConstant<uint16_t>(tensor, value.a);
  case DType::I32:
    return fillConstant<int32_t>(tensor, value.a);
  case DType::UI32:
    return fillConstant<uint32_t>(tensor, value.a);
  case DType::I64:
    return fillConstant<int64_t>(tensor, value.a);
  case DType::UI64:
    return fillConstant<uint64_t>(tensor, value.a);
  default:
    return;
  }
}
