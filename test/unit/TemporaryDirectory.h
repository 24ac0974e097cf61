// SPDX-License-Identifier: Apache-2.0
//===- TemporaryDirectory.h - where a test has its files --------*- C++ -*-===//

#ifndef PS_TEST_UNIT_TEMPORARYDIRECTORY_H
#define PS_TEST_UNIT_TEMPORARYDIRECTORY_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ps::runtime {

/// Goes away with the object. No other process has it: tests of one program run
/// at the same time.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "ps-test-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string operator/(const std::string &name) const {
    return (std::filesystem::path(path) / name).string();
  }
  std::string path;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_TEMPORARYDIRECTORY_H
