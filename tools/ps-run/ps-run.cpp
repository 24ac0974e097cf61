// SPDX-License-Identifier: Apache-2.0
//===- ps-run.cpp - runs graphs and the programs of jobs ------------------===//

#include "runtime/base/Memory.h"
#include "runtime/links/Sockets.h"
#include "tools/ps-run/cli/Options.h"
#include "tools/ps-run/commands/Compare.h"
#include "tools/ps-run/commands/Verify.h"
#include "tools/ps-run/driver/Roles.h"
#include "tools/ps-run/launch/Launch.h"
#include "tools/ps-run/loader/Loader.h"
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "tools/ps-run/config/UsageError.h"

using namespace ps;

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
  if (auto *devices = std::get_if<DevicesConfig>(&command))
    return printDevices(*devices);
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
  fprintf(stderr, "ps-run: error: %s\n", reason);
  std::_Exit(1);
}

int main(int argc, char **argv) {
  std::set_terminate(endWithReason);
  StopSignal stop = StopSignal::install();
  runtime::keepLargeBlocks();
  runtime::raiseDescriptorLimit();
  absl::StatusOr<Command> command = parseCommand(
      {argv + 1, argv + argc},
      [](const char *name) -> const char * { return getenv(name); },
      transpileOptions());
  absl::Status status =
      command.ok() ? execute(*command, stop) : command.status();
  if (!status.ok()) {
    fprintf(stderr, "ps-run: error: %s\n",
            std::string(status.message()).c_str());
    return isUsageError(status) ? 2 : 1;
  }
  return stop.requested() ? StopSignal::exitCode : 0;
}
