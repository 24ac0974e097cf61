//===- DatasetTest.h - temporary data files for tests ---------------------===//

#ifndef PS_TEST_UNIT_DATASETTEST_H
#define PS_TEST_UNIT_DATASETTEST_H

#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
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

/// A folder of its own for each test, removed at the end.
class DatasetTest : public testing::Test {
protected:
  DatasetTest() {
    std::string name =
        (std::filesystem::temp_directory_path() / "ps-data-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~DatasetTest() override { std::filesystem::remove_all(folder); }

  std::string path(std::string_view name) const {
    return (folder / name).string();
  }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

private:
  std::filesystem::path folder;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_DATASETTEST_H
