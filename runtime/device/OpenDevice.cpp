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

/// A function of the library, which is beside the program or where the loader
/// looks.
template <typename Function>
static absl::StatusOr<Function> findCudaFunction(const char *name) {
  void *library = dlopen(PS_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return absl::FailedPreconditionError(absl::StrCat(
        "--device=cuda: cannot open " PS_CUDA_LIBRARY " (", dlerror(),
        "): expected a build with the CUDA toolkit, PS_CUDA=ON"));
  void *function = dlsym(library, name);
  if (!function)
    return absl::FailedPreconditionError("--device=cuda: " PS_CUDA_LIBRARY
                                         " is of another version");
  return reinterpret_cast<Function>(function);
}

absl::StatusOr<std::vector<DeviceInfo>> ps::runtime::listGpus() {
  ASSIGN_OR_RETURN(ListCudaDevices list,
                   findCudaFunction<ListCudaDevices>("psListCudaDevices"));
  absl::StatusOr<std::vector<DeviceInfo>> devices;
  list(devices);
  return devices;
}

absl::StatusOr<Device *> ps::runtime::openDevice(const std::string &name,
                                                 int localRank) {
  if (name == "cpu")
    return &Device::cpu();
  // Never destroyed: buffers may be freed while the process ends.
  if (name == "emulated")
    return makeEmulatedDevice().release();
  if (name == "auto")
    return openDevice(listGpus().ok() ? "cuda" : "cpu", localRank);
  absl::string_view rest = name;
  int ordinal = 0;
  if (!absl::ConsumePrefix(&rest, "cuda") ||
      (!rest.empty() && (!absl::ConsumePrefix(&rest, ":") ||
                         !absl::SimpleAtoi(rest, &ordinal) || ordinal < 0)))
    return absl::InvalidArgumentError(absl::StrCat(
        "--device: expected auto, cpu, cuda, cuda:N or emulated, found '", name,
        "'"));
  ASSIGN_OR_RETURN(CreateCudaDevice create,
                   findCudaFunction<CreateCudaDevice>("psCreateCudaDevice"));
  absl::StatusOr<Device *> device = nullptr;
  const bool isRank = rest.empty();
  create(isRank ? localRank : ordinal, isRank, device);
  return device;
}
