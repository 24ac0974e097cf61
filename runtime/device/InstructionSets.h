// SPDX-License-Identifier: Apache-2.0
//===- InstructionSets.h - loops compiled for several processors ----------===//
//
// One binary serves machines with and without wide registers: a loop is
// compiled for each instruction set, and the processor decides at the first
// call which of them runs.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_DEVICE_INSTRUCTIONSETS_H
#define PS_RUNTIME_DEVICE_INSTRUCTIONSETS_H

// PS_DEFINE_FUNCTIONS(TYPE, STRUCT) defines `const TYPE &functions()`, the
// functions for this machine. The macro STRUCT(NAME, TARGET) defines a struct
// NAME with a `static constexpr TYPE table` of functions that are declared
// TARGET; what they call must be always_inline to be compiled for it, too.
#ifdef __x86_64__
#define PS_DEFINE_FUNCTIONS(TYPE, STRUCT)                                      \
  STRUCT(Baseline, )                                                           \
  STRUCT(Avx2, __attribute__((target("avx2,fma,bmi"))))                        \
  STRUCT(Avx512, __attribute__((target("avx512f,avx512dq,fma,bmi"))))          \
  static const TYPE &functions() {                                             \
    static const TYPE &chosen = ::ps::runtime::chooseFunctions(                \
        Baseline::table, Avx2::table, Avx512::table);                          \
    return chosen;                                                             \
  }
#else
#define PS_DEFINE_FUNCTIONS(TYPE, STRUCT)                                      \
  STRUCT(Baseline, )                                                           \
  static const TYPE &functions() { return Baseline::table; }
#endif

namespace ps::runtime {

#ifdef __x86_64__
/// That of the tables which this processor can run and has the widest
/// registers.
template <typename Table>
const Table &chooseFunctions(const Table &baseline, const Table &avx2,
                             const Table &avx512) {
  const bool hasAvx2 = __builtin_cpu_supports("avx2") &&
                       __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi");
  if (hasAvx2 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512dq"))
    return avx512;
  return hasAvx2 ? avx2 : baseline;
}
#endif

} // namespace ps::runtime

#endif // PS_RUNTIME_DEVICE_INSTRUCTIONSETS_H
