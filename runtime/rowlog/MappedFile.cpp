// SPDX-License-Identifier: Apache-2.0
//===- MappedFile.cpp - a file that is read as memory ---------------------===//

#include "runtime/rowlog/MappedFile.h"
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <sys/mman.h>

using namespace ps::runtime;

namespace {
/// Where this thread goes on if a page cannot be read; null outside of
/// copyMapped().
thread_local sigjmp_buf *volatile resumePoint = nullptr;
struct sigaction previousAction;

/// Signals of other accesses get what they had before: the access is repeated.
void onBusError(int, siginfo_t *, void *) {
  if (sigjmp_buf *point = resumePoint)
    siglongjmp(*point, 1);
  ::sigaction(SIGBUS, &previousAction, nullptr);
}

void installHandler() {
  struct sigaction action = {};
  action.sa_sigaction = onBusError;
  // Not blocked in the handler, which is left by a jump that restores no mask.
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGBUS, &action, &previousAction);
}
} // namespace

MappedFile::MappedFile(int descriptor, size_t size) {
  void *address =
      ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, /*offset=*/0);
  if (address == MAP_FAILED)
    return;
  // Rows are read in no order: neighbors would be read for nothing.
  ::madvise(address, size, MADV_RANDOM);
  begin = static_cast<std::byte *>(address);
  bytes = size;
}

MappedFile::~MappedFile() {
  if (begin)
    ::munmap(begin, bytes);
}

bool ps::runtime::copyMapped(absl::FunctionRef<void()> copy) {
  static std::once_flag once;
  std::call_once(once, installHandler);
  sigjmp_buf point;
  if (sigsetjmp(point, /*savemask=*/0) != 0) {
    resumePoint = nullptr;
    return false;
  }
  resumePoint = &point;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  copy();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  resumePoint = nullptr;
  return true;
}
