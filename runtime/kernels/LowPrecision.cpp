// SPDX-License-Identifier: Apache-2.0
//===- LowPrecision.cpp - matrix products of bf16 -------------------------===//
//
// The library's primitives are compiled for a shape, so a node keeps its own.
// Their scratch memory is the calling thread's: by default it would belong to
// the thread that made the primitive.
//
//===----------------------------------------------------------------------===//

#include "runtime/kernels/LowPrecision.h"
#include "absl/strings/str_cat.h"
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

using namespace ps::runtime;

/// Each instruction set includes the bits of those before it.
static bool hasInstructions(dnnl_cpu_isa_t set) {
  return (dnnl_get_effective_cpu_isa() & set) == set;
}

bool ps::runtime::multipliesBf16() {
  return hasInstructions(dnnl_cpu_isa_avx512_core_bf16);
}

bool ps::runtime::multipliesBf16(int64_t k) {
  // With AMX, oneDNN 2.6.3 is wrong for this k, or ends the process with
  // SIGILL, and for no other up to 320: rounded up to pairs, k is then just a
  // whole block, and tiles stay configured for another part of the product.
  constexpr int64_t broken = 63;
  return multipliesBf16() &&
         !(k == broken && hasInstructions(dnnl_cpu_isa_avx512_core_amx));
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static inline __attribute__((always_inline)) uint32_t roundBits(uint32_t bits) {
  const uint32_t nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  // Rounding could carry a NaN into infinity.
  return (bits & 0x7fffffff) > 0x7f800000 ? bits >> 16 | 0x40 : nearest;
}

template <typename T>
static inline __attribute__((always_inline)) void
roundAll(const float *from, T *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, from + i, sizeof(bits));
    if constexpr (sizeof(T) == sizeof(uint16_t)) {
      to[i] = static_cast<uint16_t>(roundBits(bits));
    } else {
      bits = roundBits(bits) << 16;
      std::memcpy(to + i, &bits, sizeof(bits));
    }
  }
}

#ifdef __x86_64__
__attribute__((target("avx512f,avx512bw"))) static void
roundWide(const float *from, uint16_t *to, int64_t count) {
  roundAll(from, to, count);
}
#endif

void ps::runtime::roundToBf16(const float *from, uint16_t *to, int64_t count) {
#ifdef __x86_64__
  static const bool isWide = __builtin_cpu_supports("avx512bw");
  if (isWide)
    return roundWide(from, to, count);
#endif
  roundAll(from, to, count);
}

void ps::runtime::roundToBf16(const float *from, float *to, int64_t count) {
  roundAll(from, to, count);
}

//===----------------------------------------------------------------------===//
// Bf16Product
//===----------------------------------------------------------------------===//

struct Bf16Product::Library {
  dnnl::engine engine;
  dnnl::memory::desc a, b, c, scratch;
  dnnl::matmul product;
};

Bf16Product::Bf16Product(std::unique_ptr<Library> library)
    : library(std::move(library)) {}
Bf16Product::~Bf16Product() = default;

// The library's C++ interface throws; nothing leaves this file.
absl::StatusOr<std::unique_ptr<Bf16Product>>
Bf16Product::create(const Shape &shape) try {
  using dnnl::memory;
  auto describe = [](int64_t rows, int64_t columns, memory::data_type type,
                     int64_t stride, bool transposed) {
    return memory::desc({rows, columns}, type,
                        transposed ? memory::dims{1, stride}
                                   : memory::dims{stride, 1});
  };
  constexpr auto bf16 = memory::data_type::bf16;
  auto library = std::make_unique<Library>();
  library->engine = dnnl::engine(dnnl::engine::kind::cpu, 0);
  library->a =
      describe(shape.m, shape.k, bf16, shape.strideA, shape.transposeA);
  library->b =
      describe(shape.k, shape.n, bf16, shape.strideB, shape.transposeB);
  library->c = describe(shape.m, shape.n, memory::data_type::f32, shape.strideC,
                        /*transposed=*/false);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::matmul::primitive_desc description(
      dnnl::matmul::desc(library->a, library->b, library->c), attributes,
      library->engine);
  library->scratch = description.scratchpad_desc();
  library->product = dnnl::matmul(description);
  return std::unique_ptr<Bf16Product>(new Bf16Product(std::move(library)));
} catch (const dnnl::error &error) {
  return absl::InternalError(absl::StrCat("no product of bf16 of ", shape.m,
                                          "x", shape.n, "x", shape.k, ": ",
                                          error.what()));
}

absl::Status Bf16Product::run(const uint16_t *a, const uint16_t *b,
                              float *c) const try {
  thread_local std::vector<std::byte> scratch;
  constexpr size_t kAlignment = 64;
  const size_t bytes = library->scratch.get_size() + kAlignment;
  if (scratch.size() < bytes)
    scratch.resize(bytes);
  const auto address = reinterpret_cast<uintptr_t>(scratch.data());
  std::byte *aligned =
      scratch.data() + (kAlignment - address % kAlignment) % kAlignment;
  dnnl::stream stream(library->engine);
  auto memoryOf = [&](const dnnl::memory::desc &desc, const void *data) {
    return dnnl::memory(desc, library->engine, const_cast<void *>(data));
  };
  library->product.execute(
      stream, {{DNNL_ARG_SRC, memoryOf(library->a, a)},
               {DNNL_ARG_WEIGHTS, memoryOf(library->b, b)},
               {DNNL_ARG_DST, memoryOf(library->c, c)},
               {DNNL_ARG_SCRATCHPAD, memoryOf(library->scratch, aligned)}});
  return absl::OkStatus();
} catch (const std::exception &error) {
  return absl::InternalError(
      absl::StrCat("a product of bf16 failed: ", error.what()));
}
