// SPDX-License-Identifier: Apache-2.0
//===- DatasetTest.h - temporary data files for tests ---------------------===//

#ifndef PS_TEST_UNIT_DATA_DATASETTEST_H
#define PS_TEST_UNIT_DATA_DATASETTEST_H

#include "test/unit/MemoryLimit.h"
#include "test/unit/RuntimeTesting.h"
#include "gtest/gtest.h"
#include <fstream>
#include <string>
#include <string_view>

namespace ps::runtime {

/// A folder of its own for each test, removed at the end.
class DatasetTest : public testing::Test {
protected:
  std::string path(std::string_view name) const {
    return folder / std::string(name);
  }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

private:
  TemporaryDirectory folder;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_DATA_DATASETTEST_H
