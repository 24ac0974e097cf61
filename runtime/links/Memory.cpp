// SPDX-License-Identifier: Apache-2.0
//===- Memory.cpp - process-wide memory settings --------------------------===//

#include "runtime/links/Memory.h"
#include <malloc.h>

void ps::runtime::keepLargeBlocks() {
  // 32 MiB is the most that glibc accepts.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
}
