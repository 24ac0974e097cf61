// SPDX-License-Identifier: Apache-2.0
//===- Threads.h - primitives for functions of a device -------------------===//
//
// The functions in this folder are compiled twice, as parts of
// RowFunctions.cpp: for the host, where an emulated device calls them thread by
// thread, and by clang to PTX, without a CUDA toolkit. Arguments are pointers
// to the device's memory and 64-bit integers; the last one is the number of
// threads. Threads never wait for each other: work that needs the results of
// others is a function of its own.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_HBM_FUNCTIONS_THREADS_H
#define PS_RUNTIME_HBM_FUNCTIONS_THREADS_H

#ifdef __CUDA__
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
#define PS_HELPER static __attribute__((device)) inline
#define PS_METHOD __attribute__((device)) inline
#define PS_FUNCTION(NAME) extern "C" __attribute__((global)) void NAME
#define PS_UNROLL _Pragma("unroll")

PS_HELPER int64_t threadNumber() {
  return int64_t(__nvvm_read_ptx_sreg_ctaid_x()) *
             __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

// Memory that other threads of the launch write.
template <typename T>
PS_HELPER T atomicLoad(const T *at) {
  return *const_cast<const volatile T *>(at);
}
// Each returns the value before.
PS_HELPER uint64_t atomicCas(uint64_t *at, uint64_t expected, uint64_t value) {
  return uint64_t(__nvvm_atom_cas_gen_ll(reinterpret_cast<long long *>(at),
                                         static_cast<long long>(expected),
                                         static_cast<long long>(value)));
}
PS_HELPER uint32_t atomicCas(uint32_t *at, uint32_t expected, uint32_t value) {
  return uint32_t(__nvvm_atom_cas_gen_i(reinterpret_cast<int *>(at),
                                        static_cast<int>(expected),
                                        static_cast<int>(value)));
}
PS_HELPER void atomicOr(uint64_t *at, uint64_t value) {
  __nvvm_atom_or_gen_ll(reinterpret_cast<long long *>(at),
                        static_cast<long long>(value));
}
PS_HELPER void atomicAnd(uint64_t *at, uint64_t value) {
  __nvvm_atom_and_gen_ll(reinterpret_cast<long long *>(at),
                         static_cast<long long>(value));
}
PS_HELPER void atomicMin(uint32_t *at, uint32_t value) {
  __nvvm_atom_min_gen_ui(at, value);
}
PS_HELPER uint32_t atomicAdd(uint32_t *at, uint32_t value) {
  return uint32_t(__nvvm_atom_add_gen_i(reinterpret_cast<int *>(at),
                                        static_cast<int>(value)));
}
#else
#include <cstdint>
#define PS_HELPER static inline
#define PS_METHOD inline
#define PS_FUNCTION(NAME) static void NAME
#define PS_UNROLL

static thread_local int64_t currentThread = 0;
static int64_t threadNumber() { return currentThread; }

template <typename T>
static inline T atomicLoad(const T *at) {
  return __atomic_load_n(at, __ATOMIC_RELAXED);
}
template <typename T>
static inline T atomicCas(T *at, T expected, T value) {
  __atomic_compare_exchange_n(at, &expected, value, /*weak=*/false,
                              __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
static inline void atomicOr(uint64_t *at, uint64_t value) {
  __atomic_fetch_or(at, value, __ATOMIC_RELAXED);
}
static inline void atomicAnd(uint64_t *at, uint64_t value) {
  __atomic_fetch_and(at, value, __ATOMIC_RELAXED);
}
static inline void atomicMin(uint32_t *at, uint32_t value) {
  uint32_t before = atomicLoad(at);
  while (value < before &&
         !__atomic_compare_exchange_n(at, &before, value, /*weak=*/false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}
static inline uint32_t atomicAdd(uint32_t *at, uint32_t value) {
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}
#endif

/// The slot of an id that has none.
static constexpr uint32_t kNoSlot = 0xffffffff;

/// A thread loads or stores as much at once.
typedef uint32_t Vector __attribute__((vector_size(16)));
typedef uint32_t Word;

/// Mixes the bits of an id with a secret key, so that ids cannot be chosen to
/// collide: the finalizer of SplitMix64.
PS_HELPER uint64_t hashId(int64_t id, int64_t key) {
  uint64_t bits = uint64_t(id) ^ uint64_t(key);
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

/// The first of `size` ordered entries for which `isBefore` is false.
template <typename T, typename Predicate>
PS_HELPER int64_t partitionPoint(const T *entries, int64_t size,
                                 const Predicate &isBefore) {
  int64_t low = 0, high = size;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (isBefore(entries[middle]))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#endif // PS_RUNTIME_HBM_FUNCTIONS_THREADS_H
