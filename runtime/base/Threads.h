// SPDX-License-Identifier: Apache-2.0
//===- Threads.h - whether threads can be had -----------------------------===//

#ifndef PS_RUNTIME_BASE_THREADS_H
#define PS_RUNTIME_BASE_THREADS_H

#include "absl/status/status.h"

namespace ps::runtime {

/// Starts `count` threads at once and ends them. RESOURCE_EXHAUSTED when the
/// system refuses one: oneTBB ends the process then, and a server of gRPC
/// listens but never answers, so ask before either starts its own.
absl::Status checkThreads(int count);

/// What `top -H` and debuggers call the calling thread: at most 15 characters.
/// Without, a thread has the name of the one that started it.
void nameThread(const char *name);

} // namespace ps::runtime

#endif // PS_RUNTIME_BASE_THREADS_H
