// SPDX-License-Identifier: Apache-2.0
//===- MemoryLimit.h - tests with little memory ---------------------------===//

#ifndef PS_TEST_UNIT_MEMORYLIMIT_H
#define PS_TEST_UNIT_MEMORYLIMIT_H

#include <cstddef>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace ps::runtime {

/// No more than `bytes` above what the process has mapped, until destroyed.
/// Sanitizers reserve too much for that.
class MemoryLimit {
public:
  explicit MemoryLimit(size_t bytes) {
    size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const size_t mapped = pages * sysconf(_SC_PAGESIZE);
    getrlimit(RLIMIT_AS, &before);
    rlimit limit = before;
    limit.rlim_cur = mapped + bytes;
    limited = mapped < size_t(1) << 40 && setrlimit(RLIMIT_AS, &limit) == 0;
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before); }
  bool holds() const { return limited; }

private:
  rlimit before;
  bool limited;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_MEMORYLIMIT_H
