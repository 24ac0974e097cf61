// SPDX-License-Identifier: Apache-2.0
//===- Environment.cpp - what the environment says about a process --------===//
//
// Launchers of PaddlePaddle (PADDLE_*, TRAINING_ROLE), MindSpore (MS_*) and
// PyTorch (LOCAL_RANK) describe a process by environment variables. They are
// understood here, so that such a launcher can start ps-run unchanged; what
// they say about the job's size is checked against the program later.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/Environment.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Status.h"
#include "tools/ps-run/cli/SecurityOptions.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

absl::Status ps::readNumber(const Environment &environment, const char *name,
                            std::optional<int> &value) {
  const char *text = environment(name);
  int number;
  if (!text)
    return absl::OkStatus();
  if (!absl::SimpleAtoi(text, &number) || number < 0)
    return usageError(absl::StrCat(name, "='", text, "' is not a number"));
  if (value.value_or(number) != number)
    return usageError(
        absl::StrCat(name, "=", text, ": another variable says ", *value));
  value = number;
  return absl::OkStatus();
}

absl::Status ps::readRole(const Environment &environment,
                          std::optional<RunRole> &role) {
  struct Spelling {
    const char *variable, *value;
    RunRole role;
  };
  static constexpr Spelling spellings[] = {
      {"TRAINING_ROLE", "TRAINER", RunRole::Trainer},
      {"TRAINING_ROLE", "PSERVER", RunRole::PServer},
      {"MS_ROLE", "MS_WORKER", RunRole::Trainer},
      {"MS_ROLE", "MS_PSERVER", RunRole::PServer}};
  for (const char *variable : {"TRAINING_ROLE", "MS_ROLE"}) {
    const char *value = environment(variable);
    if (!value || role)
      continue;
    for (const Spelling &spelling : spellings)
      if (absl::string_view(variable) == spelling.variable &&
          absl::string_view(value) == spelling.value)
        role = spelling.role;
    if (!role)
      return usageError(absl::StrCat(variable, "='", value, "' is none of ",
                                     absl::string_view(variable) == "MS_ROLE"
                                         ? "MS_WORKER, MS_PSERVER and MS_SCHED"
                                         : "TRAINER and PSERVER"));
  }
  return absl::OkStatus();
}

std::string ps::readSchedulerAddress(const Environment &environment) {
  const char *host = environment("MS_SCHED_HOST"),
             *port = environment("MS_SCHED_PORT");
  return host && port ? absl::StrCat(host, ":", port) : "";
}

absl::Status ps::readEnvironment(const Environment &environment,
                                 RunConfig &config) {
  // Some launchers set -1 for none; no value keeps a process from running.
  if (const char *text = environment("LOCAL_RANK"))
    if (int rank; absl::SimpleAtoi(text, &rank) && rank >= 0)
      config.localRank = rank;
  RETURN_IF_ERROR(readRole(environment, config.role));
  if (config.role != RunRole::Trainer && config.role != RunRole::PServer)
    return absl::OkStatus();
  RETURN_IF_ERROR(
      readSecurity(environment, config.securityFiles, config.security));
  if (const char *list = environment("PADDLE_PSERVERS_IP_PORT_LIST"))
    config.expectedPServers = absl::StrSplit(list, ',');
  for (auto [name, value] :
       {std::pair("MS_SERVER_NUM", &config.expectedPServerCount),
        std::pair("PADDLE_TRAINERS_NUM", &config.expectedTrainers),
        std::pair("MS_WORKER_NUM", &config.expectedTrainers)})
    RETURN_IF_ERROR(readNumber(environment, name, *value));
  if (const char *list = environment("PADDLE_TRAINER_ENDPOINTS");
      list && config.role == RunRole::Trainer &&
      config.trainerEndpoints.empty() && config.addressFile.empty())
    config.trainerEndpoints = absl::StrSplit(list, ',');
  if (config.coordinator.empty()) {
    config.coordinator = readSchedulerAddress(environment);
    config.isCoordinatorInherited = true;
  }
  if (config.role == RunRole::Trainer)
    return config.trainerId
               ? absl::OkStatus()
               : readNumber(environment, "PADDLE_TRAINER_ID", config.trainerId);
  const char *host = environment("POD_IP"), *port = environment("PADDLE_PORT");
  if (config.endpoint.empty() && host && port)
    config.endpoint = absl::StrCat(host, ":", port);
  return absl::OkStatus();
}
