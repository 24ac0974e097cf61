// SPDX-License-Identifier: Apache-2.0
//===- Devices.cpp - what this machine can compute on ---------------------===//

#include "tools/ps-run/commands/Devices.h"
#include "absl/strings/str_cat.h"
#include "runtime/device/OpenDevice.h"
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

using namespace ps;
using namespace ps::runtime;

absl::Status ps::printDevices(const DevicesConfig &config) {
  std::vector<DeviceInfo> devices = {
      {"cpu",
       absl::StrCat(std::thread::hardware_concurrency(), " hardware threads")}};
  absl::StatusOr<std::vector<DeviceInfo>> gpus = listGpus();
  if (gpus.ok())
    devices.insert(devices.end(), gpus->begin(), gpus->end());
  else
    fprintf(stderr, "ps-run: %s\n",
            std::string(gpus.status().message()).c_str());
  if (!config.json) {
    for (const DeviceInfo &device : devices)
      printf("%-8s  %s\n", device.name.c_str(), device.description.c_str());
    return absl::OkStatus();
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const DeviceInfo &device : devices)
    list.push_back(
        {{"name", device.name}, {"description", device.description}});
  printf("%s\n", list.dump().c_str());
  return absl::OkStatus();
}
