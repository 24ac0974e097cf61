// SPDX-License-Identifier: Apache-2.0
//===- CoordinatorAddress.cpp - what --coordinator names ------------------===//

#include "tools/ps-run/membership/CoordinatorAddress.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"
#include "runtime/membership/EtcdCoordinator.h"
#include "runtime/membership/Roster.h"
#include "runtime/membership/SchedulerClient.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/config/UsageError.h"
#include <algorithm>

using namespace ps;
using namespace ps::runtime;

namespace {
struct CoordinatorAddress {
  bool isEtcd = false;
  std::vector<std::string> endpoints;
  /// In etcd.
  std::string job;
};
} // namespace

static CoordinatorAddress parseAddress(absl::string_view text) {
  CoordinatorAddress address;
  address.isEtcd = absl::ConsumePrefix(&text, "etcd://");
  if (!address.isEtcd) {
    address.endpoints = {std::string(text)};
    return address;
  }
  const size_t slash = text.find('/');
  if (slash != absl::string_view::npos)
    address.job = std::string(text.substr(slash + 1));
  address.endpoints = absl::StrSplit(text.substr(0, slash), ',');
  return address;
}

/// A name that is one level of etcd's keys.
static bool isJobName(const std::string &name) {
  return std::ranges::all_of(
      name, [](unsigned char c) { return c > ' ' && c < 127 && c != '/'; });
}

absl::Status ps::checkCoordinator(const RunConfig &config) {
  const CoordinatorAddress address = parseAddress(config.coordinator);
  if (config.maxRestarts != 0 && !address.isEtcd)
    return usageError(
        "--max-restarts is for launch and --coordinator=etcd://..: a "
        "scheduler has a flag of its own");
  for (auto [flag, isGiven] : {std::pair("--pservers", config.pservers),
                               std::pair("--trainers", config.trainers)})
    if (isGiven && !address.isEtcd)
      return usageError(absl::StrCat(
          flag, " is for --coordinator=etcd://..: a scheduler has a flag of "
                "its own"));
  if (config.coordinator.empty())
    return absl::OkStatus();
  for (const std::string &endpoint : address.endpoints)
    if (absl::Status status = checkEndpoint(endpoint); !status.ok())
      return usageError(absl::StrCat("--coordinator: ", status.message()));
  if (address.isEtcd && address.job.empty())
    return usageError(absl::StrCat(
        "--coordinator=", config.coordinator,
        ": expected etcd://HOST:PORT,../JOB, with a name of its own for each "
        "run"));
  if (address.isEtcd && !isJobName(address.job))
    return usageError(absl::StrCat("--coordinator: '", address.job,
                                   "' is not the name of a job: expected "
                                   "printable characters without '/'"));
  return absl::OkStatus();
}

std::string ps::nameOfJob(const RunConfig &config) {
  return parseAddress(config.coordinator).job;
}

bool ps::isCoordinatorLocal(const RunConfig &config) {
  return std::ranges::all_of(parseAddress(config.coordinator).endpoints,
                             [](const std::string &endpoint) {
                               std::string host;
                               int port;
                               return splitEndpoint(endpoint, host, port) &&
                                      isLoopback(host);
                             });
}

std::unique_ptr<Coordinator> ps::connectCoordinator(const RunConfig &config) {
  const CoordinatorAddress address = parseAddress(config.coordinator);
  if (!address.isEtcd)
    return connectScheduler(address.endpoints.front(), config.peerTimeout,
                            config.security);
  return connectEtcd(
      {.endpoints = address.endpoints,
       .job = address.job,
       .maxRestarts = config.maxRestarts,
       .pservers =
           config.pservers ? config.pservers : config.expectedPServerCount,
       .trainers = config.trainers ? config.trainers : config.expectedTrainers,
       .self = ownMember(),
       .peerTimeout = config.peerTimeout,
       .certificates = config.security.certificates});
}
