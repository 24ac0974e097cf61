// SPDX-License-Identifier: Apache-2.0
//===- RunConfig.cpp - what one ps-run process is to do -------------------===//

#include "tools/ps-run/driver/RunConfig.h"
#include "absl/strings/str_cat.h"

using namespace ps;

std::string ps::fileOfProcess(const std::string &file, const std::string &role,
                              int id) {
  if (file.empty() || (role == "trainer" && id == 0))
    return file;
  return absl::StrCat(file, ".", role, "-", id);
}
