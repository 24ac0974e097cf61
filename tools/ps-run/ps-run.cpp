// SPDX-License-Identifier: Apache-2.0
//===- ps-run.cpp - runs graphs and the programs of jobs ------------------===//

#include "runtime/base/LiveLine.h"
#include "runtime/base/Log.h"
#include "runtime/links/Memory.h"
#include "runtime/links/Sockets.h"
#include "tools/ps-run/cli/Options.h"
#include "tools/ps-run/cli/OutputOptions.h"
#include "tools/ps-run/commands/Compare.h"
#include "tools/ps-run/commands/Verify.h"
#include "tools/ps-run/driver/Roles.h"
#include "tools/ps-run/launch/ChildProcess.h"
#include "tools/ps-run/launch/Launch.h"
#include "tools/ps-run/loader/Loader.h"
#include "tools/ps-run/membership/Rejoin.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "tools/ps-run/config/UsageError.h"

using namespace ps;

static const char *roleOf(const Command &command) {
  if (std::holds_alternative<LaunchConfig>(command))
    return "launch";
  if (std::holds_alternative<SchedulerConfig>(command))
    return "scheduler";
  if (std::holds_alternative<LogReplicaConfig>(command))
    return "log-replica";
  auto *run = std::get_if<RunConfig>(&command);
  if (!run)
    return nullptr;
  switch (run->role.value_or(RunRole::Local)) {
  case RunRole::Local:
    return "local";
  case RunRole::Trainer:
    return "trainer";
  case RunRole::PServer:
    return "pserver";
  case RunRole::All:
    return "all";
  }
  return nullptr;
}

static absl::Status execute(const Command &command, const StopSignal &stop) {
  if (auto *help = std::get_if<HelpText>(&command)) {
    fputs(help->text.c_str(), stdout);
    return absl::OkStatus();
  }
  if (auto *compare = std::get_if<CompareConfig>(&command))
    return compareModels(*compare);
  if (auto *verify = std::get_if<VerifyConfig>(&command))
    return verifyModels(*verify);
  if (auto *status = std::get_if<StatusConfig>(&command))
    return printStatus(*status);
  if (auto *resize = std::get_if<ResizeConfig>(&command))
    return resizeJob(*resize, stop);
  if (auto *replica = std::get_if<LogReplicaConfig>(&command))
    return serveLogReplica(*replica, stop);
  if (auto *devices = std::get_if<DevicesConfig>(&command))
    return printDevices(*devices);
  if (auto *plot = std::get_if<PlotConfig>(&command))
    return plotMetrics(*plot);
  if (auto *merge = std::get_if<MergeTracesConfig>(&command))
    return mergeTraces(merge->files, merge->output);
  if (auto *scheduler = std::get_if<SchedulerConfig>(&command))
    return runScheduler(*scheduler, stop);
  if (auto *launch = std::get_if<LaunchConfig>(&command))
    return launchJob(*launch, stop);
  return runConfig(std::get<RunConfig>(command), stop);
}

/// Memory or threads may be missing where no error can be returned: in gRPC's
/// threads, or oneTBB's.
[[noreturn]] static void endWithReason() {
  const char *reason = "terminated";
  std::string text;
  try {
    if (std::exception_ptr error = std::current_exception())
      std::rethrow_exception(error);
  } catch (const std::bad_alloc &) {
    reason = "out of memory";
  } catch (const std::exception &error) {
    reason = (text = error.what()).c_str();
  } catch (...) {
  }
  try {
    runtime::logError(reason);
  } catch (...) {
    // There is not even memory for a line of JSON.
    fputs(R"({"level":"error","message":"out of memory"})"
          "\n",
          stderr);
  }
  runtime::endLiveLine();
  std::_Exit(1);
}

int main(int argc, char **argv) {
  std::set_terminate(endWithReason);
  // Where it is ignored, the exit codes of children are lost.
  signal(SIGCHLD, SIG_DFL);
  // The other processes of a job wait for one that begins anew.
  StopSignal stop = StopSignal::install(/*isDeferred=*/hasBegunAnew());
  // Processes that this one starts have another standard input.
  if (getenv(StopSignal::stopsWithInput)) {
    unsetenv(StopSignal::stopsWithInput);
    stop.watchStandardInput();
  }
  runtime::keepLargeBlocks();
  runtime::raiseDescriptorLimit();
  ownProgram(); // Before an upgrade may replace it.
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  // Also of an error in the others.
  runtime::setLogFormat(findLogFormat(arguments));
  absl::StatusOr<Command> command = parseCommand(
      arguments, [](const char *name) -> const char * { return getenv(name); },
      transpileOptions());
  if (command.ok())
    runtime::setLogProcess(roleOf(*command));
  absl::Status status =
      command.ok() ? execute(*command, stop) : command.status();
  if (!status.ok())
    runtime::logError(status.message());
  // Where stderr is the terminal, too, the error has replaced it.
  runtime::endLiveLine();
  if (!status.ok())
    return isUsageError(status) ? 2 : 1;
  return stop.requested() ? StopSignal::exitCode : 0;
}
