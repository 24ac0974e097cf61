// SPDX-License-Identifier: Apache-2.0
//===- LoadRowFunctions.cpp - gives a device the code for rows ------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/hbm/RowFunctions.h"

using namespace ps::runtime;

static DeviceFunction describe(const char *name) {
  DeviceFunction function;
  function.name = name;
  function.points = 1;
  function.perRow = true;
  function.pointsPerBlock = kRowFunctionThreads;
  function.threads = kRowFunctionThreads;
  return function;
}

absl::StatusOr<RowFunctions> RowFunctions::load(Device &device) {
  std::vector<DeviceFunction> functions = {
      describe("psGatherRows"), describe("psScatterRows"),
      describe("psSumRowsF32"), describe("psSumRowsF64"),
      describe("psCopyInRows")};
  if (device.chip() == "host") {
    for (DeviceFunction &function : functions)
      function.handle = findRowFunction(function.name);
  } else if (*rowFunctionsPtx) {
    RETURN_IF_ERROR(device.load(rowFunctionsPtx, functions));
  } else {
    return absl::FailedPreconditionError(absl::StrCat(
        "device '", std::string(device.name()),
        "': this ps-run was built without clang++-19, so it has no code for "
        "rows in #ps.hbm: remove the tier, or build with it"));
  }
  return RowFunctions{functions[0], functions[1], functions[2], functions[3],
                      functions[4]};
}
