// SPDX-License-Identifier: Apache-2.0
//===- SchedulerOptions.cpp - options of a scheduler ----------------------===//
//
// A scheduler has no programs and trains nothing, so it shares few flags with
// the other roles. MindSpore's launchers choose the role by the environment,
// and may give all roles the same arguments.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/SchedulerOptions.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Resizing.h"
#include "tools/ps-run/cli/Environment.h"
#include "tools/ps-run/cli/HelpText.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/cli/OutputOptions.h"
#include "tools/ps-run/cli/SecurityOptions.h"
#include "tools/ps-run/cli/arguments/ParseArguments.h"
#include "tools/ps-run/config/Reach.h"
#include "tools/ps-run/config/UsageError.h"

using namespace ps;

SchedulerChoice ps::chooseScheduler(const std::vector<std::string> &arguments,
                                    const ConfigFile &file,
                                    const Environment &environment) {
  bool asksForHelp = false;
  for (size_t i = 0; i != arguments.size(); ++i) {
    if (arguments[i] == "--role=scheduler" ||
        (arguments[i] == "--role" && i + 1 < arguments.size() &&
         arguments[i + 1] == "scheduler"))
      return SchedulerChoice::Flag;
    if (absl::StartsWith(arguments[i], "--role"))
      return SchedulerChoice::None;
    for (const char *flag : {"-h", "--help", "--version"})
      asksForHelp |= arguments[i] == flag;
  }
  if (const ConfigEntry *chosen = file.find("role"))
    return chosen->values == std::vector<std::string>{"scheduler"}
               ? SchedulerChoice::Flag
               : SchedulerChoice::None;
  const char *role = environment("MS_ROLE");
  return role && absl::string_view(role) == "MS_SCHED" &&
                 !environment("TRAINING_ROLE") && !asksForHelp
             ? SchedulerChoice::Environment
             : SchedulerChoice::None;
}

/// Those of `others` that `app` does not have, whatever their values.
static void addIgnored(CLI::App &app, const CLI::App &others) {
  for (const CLI::Option *option : others.get_options()) {
    const std::string name = option->get_name();
    if (app.get_option_no_throw(name))
      continue;
    if (option->get_items_expected_max() == 0)
      app.add_flag(name);
    else
      app.add_option(name)->multi_option_policy(
          option->get_multi_option_policy());
  }
}

/// What flags leave open.
static absl::Status readSchedulerEnvironment(const Environment &environment,
                                             const CLI::App &app,
                                             SchedulerConfig &scheduler) {
  for (auto [flag, variable, value] :
       {std::tuple("--pservers", "MS_SERVER_NUM", &scheduler.pservers),
        std::tuple("--trainers", "MS_WORKER_NUM", &scheduler.trainers)}) {
    const int least = value == &scheduler.trainers ? 1 : 0;
    std::optional<int> number;
    if (app.count(flag) != 0)
      continue;
    RETURN_IF_ERROR(readNumber(environment, variable, number));
    if (!number)
      return usageError(absl::StrCat(flag, " is missing: expected how many "
                                           "the job has, as in its programs"));
    if (*number < least || *number > runtime::mostOfARole)
      return usageError(absl::StrCat(variable, "=", *number,
                                     ": expected an integer from ", least,
                                     " to ", runtime::mostOfARole));
    *value = *number;
  }
  if (scheduler.listen.empty())
    scheduler.listen = readSchedulerAddress(environment);
  if (scheduler.listen.empty())
    return usageError("--listen is missing: expected HOST:PORT, the address "
                      "that the other processes have in --coordinator");
  return readSecurity(environment, scheduler.securityFiles, scheduler.security);
}

absl::StatusOr<Command> ps::parseScheduler(std::vector<std::string> arguments,
                                           const ConfigFile &file,
                                           const Environment &environment,
                                           const CLI::App *others) {
  SchedulerConfig scheduler;
  std::string role, peerTimeout, connectTimeout;
  CLI::App app("Keeps the record of a job that runs on several machines: which "
               "process has which\n"
               "rank, where each listens, and which attempt is under way.",
               "ps-run --role=scheduler");
  app.footer(schedulerFooter);
  prepare(app);
  addOption(app, "--role", role, oneOf({"scheduler"}), "this role");
  addOption(app, "--pservers", scheduler.pservers,
            integers(0, runtime::mostOfARole),
            "pservers of the job (default: MS_SERVER_NUM)");
  addOption(app, "--trainers", scheduler.trainers,
            integers(1, runtime::mostOfARole),
            "trainers of the job (default: MS_WORKER_NUM)");
  addOption(app, "--listen", scheduler.listen, text("HOST:PORT"),
            "listen here (default: MS_SCHED_HOST and MS_SCHED_PORT)");
  addOption(app, "--scheduler-state", scheduler.state, text("FILE"),
            "keep the record in FILE: a scheduler that is killed and started "
            "again with the same FILE and address takes up the job");
  addOption(app, "--max-restarts", scheduler.maxRestarts,
            integers(0, largestInt),
            "when a process is lost or fails, have all go back to the newest "
            "checkpoint, up to N times in a row without a new one (default 0: "
            "the job fails)");
  addOption(app, "--peer-timeout", peerTimeout, durations(),
            "give up on a process that is silent for this long (default 30 s); "
            "the same in all processes of a job");
  addOption(app, "--connect-timeout", connectTimeout, durations(),
            "fail, naming those that are missing, when not all processes have "
            "joined an attempt for this long (default: wait for them)");
  addLogOptions(app);
  addSecurityOptions(app, scheduler.securityFiles);
  addListenOption(app, scheduler.insecure);
  addConfigOption(app);
  if (others)
    addIgnored(app, *others);
  ASSIGN_OR_RETURN(std::string help, parse(app, std::move(arguments), file));
  if (!help.empty())
    return HelpText{help};
  if (!peerTimeout.empty())
    scheduler.peerTimeout = toDuration(peerTimeout);
  if (!connectTimeout.empty())
    scheduler.connectTimeout = toDuration(connectTimeout);
  RETURN_IF_ERROR(readSchedulerEnvironment(environment, app, scheduler));
  RETURN_IF_ERROR(checkListenFlag(scheduler.listen));
  return scheduler;
}
