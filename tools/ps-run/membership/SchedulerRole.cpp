// SPDX-License-Identifier: Apache-2.0
//===- SchedulerRole.cpp - the role of a scheduler ------------------------===//

#include "tools/ps-run/membership/SchedulerRole.h"
#include "runtime/base/Event.h"
#include "runtime/base/Status.h"
#include "runtime/links/Grpc.h"
#include "runtime/membership/Scheduler.h"
#include "tools/ps-run/config/Reach.h"
#include "tools/ps-run/membership/StoppedJob.h"

using namespace ps;
using namespace ps::runtime;

absl::Status ps::runScheduler(const SchedulerConfig &config,
                              const StopSignal &stop) {
  RETURN_IF_ERROR(checkReach(config.listen, config.security, config.insecure));
  ASSIGN_OR_RETURN(std::unique_ptr<Scheduler> scheduler,
                   Scheduler::create({.pservers = config.pservers,
                                      .trainers = config.trainers,
                                      .maxRestarts = config.maxRestarts,
                                      .stateFile = config.state,
                                      .peerTimeout = config.peerTimeout,
                                      .joinTimeout = config.connectTimeout,
                                      .log = {}}));
  stop.defer();
  Event stopped;
  std::shared_ptr<void> request = stop.onRequest([&] { stopped.notify(); });
  ASSIGN_OR_RETURN(std::unique_ptr<GrpcServer> server,
                   GrpcServer::start(config.listen, *scheduler, /*log=*/{},
                                     config.security, scheduler->members()));
  absl::Status status = scheduler->wait(stopped);
  scheduler->close();
  if (scheduler->wasStopped())
    return endStopped(stop);
  // The job goes on without it.
  return absl::IsCancelled(status) ? absl::OkStatus() : status;
}
