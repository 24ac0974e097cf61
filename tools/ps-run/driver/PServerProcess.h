// SPDX-License-Identifier: Apache-2.0
//===- PServerProcess.h - the role of a pserver ---------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_PSERVERPROCESS_H
#define PS_TOOLS_PS_RUN_DRIVER_PSERVERPROCESS_H

#include "runtime/server/PServer.h"
#include "tools/ps-run/driver/Checkpoint.h"
#include "tools/ps-run/driver/Membership.h"
#include "tools/ps-run/driver/Process.h"

namespace ps {

/// One pserver program, compiled, with its service.
struct PServerProcess {
  std::unique_ptr<Process> process;
  CompiledUpdates updates;
  std::unique_ptr<PServerSaver> saver;
  std::unique_ptr<runtime::PServer> server;
};

/// Compiles the program of `own`; the loader outlives the result.
absl::StatusOr<PServerProcess>
makePServer(const RunConfig &config, Loader &loader, const OwnPServer &own);

/// Waits until every trainer is done and knows it.
absl::Status waitForTrainers(const PServerProcess &pserver);

/// Writes what is known of a pserver that ended with `status`.
absl::Status writePServer(const RunConfig &config, int id,
                          const PServerProcess &pserver, absl::Status status);

/// Serves over gRPC until every trainer is done. `member` is null where no
/// coordinator keeps the job's addresses.
absl::Status runPServer(const RunConfig &config, Loader &loader,
                        const StopSignal &stop,
                        runtime::JobMember *member = nullptr);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_PSERVERPROCESS_H
