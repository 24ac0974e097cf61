// SPDX-License-Identifier: Apache-2.0
//===- Verify.cpp - whether saved models are undamaged --------------------===//

#include "tools/ps-run/commands/Verify.h"
#include "runtime/base/Status.h"
#include "runtime/checkpoint/VerifyCheckpoint.h"
#include <cstdio>

using namespace ps;
using namespace ps::runtime;

/// The reason follows for the first file of all that is not whole.
static void printFile(const std::string &path, const absl::Status &status) {
  printf("%-6s %s\n", status.ok() ? "ok" : "FAILED", printable(path).c_str());
}

absl::Status ps::verifyModels(const VerifyConfig &config) {
  absl::Status first;
  for (const std::string &dir : config.dirs)
    first.Update(verifyCheckpoint(dir, printFile));
  return first;
}
