// SPDX-License-Identifier: Apache-2.0
//===- OpenDevice.cpp - devices by name -----------------------------------===//
//
// What needs CUDA is a library of its own, opened when it is asked for: without
// it, and on machines without a driver, everything else works.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/OpenDevice.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/device/CudaLibrary.h"
#include "runtime/device/EmulatedDevice.h"
#include <dlfcn.h>

using namespace ps::runtime;

/// The library, which is beside the program or where the loader looks.
static absl::StatusOr<CreateCudaDevice> openCudaLibrary() {
  void *library = dlopen(PS_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return absl::FailedPreconditionError(absl::StrCat(
        "--device=cuda: cannot open " PS_CUDA_LIBRARY " (", dlerror(),
        "): expected a build with the CUDA toolkit, PS_CUDA=ON"));
  void *create = dlsym(library, "psCreateCudaDevice");
  if (!create)
    return absl::FailedPreconditionError("--device=cuda: " PS_CUDA_LIBRARY
                                         " is of another version");
  return reinterpret_cast<CreateCudaDevice>(create);
}

absl::StatusOr<Device *> ps::runtime::openDevice(const std::string &name) {
  if (name == "cpu")
    return &Device::cpu();
  // Never destroyed: buffers may be freed while the process ends.
  if (name == "emulated")
    return makeEmulatedDevice().release();
  absl::string_view rest = name;
  int ordinal = 0;
  if (!absl::ConsumePrefix(&rest, "cuda") ||
      (!rest.empty() && (!absl::ConsumePrefix(&rest, ":") ||
                         !absl::SimpleAtoi(rest, &ordinal) || ordinal < 0)))
    return absl::InvalidArgumentError(absl::StrCat(
        "--device: expected cpu, cuda, cuda:N or emulated, found '", name,
        "'"));
  ASSIGN_OR_RETURN(CreateCudaDevice create, openCudaLibrary());
  absl::StatusOr<Device *> device = nullptr;
  create(ordinal, device);
  return device;
}
