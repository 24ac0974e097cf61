//===- DatasetTest.h - temporary data files for tests ---------------------===//

#ifndef PS_TEST_UNIT_DATASETTEST_H
#define PS_TEST_UNIT_DATASETTEST_H

#include "test/unit/MemoryLimit.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace ps::runtime {

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
