// SPDX-License-Identifier: Apache-2.0
//===- ThreadSanitizer.h - synchronization that it cannot see -------------===//
//
// oneTBB's, which is not instrumented, and that of two mappings of one memory:
// announce where work or data moves from thread to thread. Without the
// sanitizer these functions do nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_EXECUTOR_THREADSANITIZER_H
#define PS_RUNTIME_EXECUTOR_THREADSANITIZER_H

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
#if defined(__has_feature) && __has_feature(thread_sanitizer)
extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);
// A task's own captures were handed over by the library.
#define PS_TASK __attribute__((no_sanitize("thread")))
#else
static inline void __tsan_acquire(void *) {}
static inline void __tsan_release(void *) {}
#define PS_TASK
#endif
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

#endif // PS_RUNTIME_EXECUTOR_THREADSANITIZER_H
