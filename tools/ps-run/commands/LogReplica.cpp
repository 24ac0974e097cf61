// SPDX-License-Identifier: Apache-2.0
//===- LogReplica.cpp - copies of pservers' logs --------------------------===//

#include "tools/ps-run/commands/LogReplica.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include "runtime/base/Status.h"
#include "runtime/links/Grpc.h"
#include "runtime/server/log/LogReplica.h"
#include "tools/ps-run/config/Reach.h"
#include <filesystem>

using namespace ps;
using namespace ps::runtime;

absl::Status ps::serveLogReplica(const LogReplicaConfig &config,
                                 const StopSignal &stop) {
  RETURN_IF_ERROR(checkReach(config.listen, config.security, config.insecure));
  std::error_code failed;
  std::filesystem::create_directories(config.dir, failed);
  if (failed)
    return absl::UnavailableError(
        absl::StrCat("cannot create '", config.dir, "': ", failed.message()));
  LogReplica replica(config.dir, /*log=*/{});
  stop.defer();
  Event stopped;
  std::shared_ptr<void> request = stop.onRequest([&] { stopped.notify(); });
  ASSIGN_OR_RETURN(
      std::unique_ptr<GrpcServer> server,
      GrpcServer::start(config.listen, replica, /*log=*/{}, config.security));
  stopped.wait();
  return absl::OkStatus();
}
