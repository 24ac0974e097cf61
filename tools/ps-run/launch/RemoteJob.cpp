// SPDX-License-Identifier: Apache-2.0
//===- RemoteJob.cpp - a job on several machines --------------------------===//
//
// launch is the scheduler of such a job, and what starts its processes again: a
// child is an ssh whose command is the process. Killing all from here, as on
// one machine, would not reach a machine whose connection is lost.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/links/Grpc.h"
#include "runtime/membership/Roster.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/config/Reach.h"
#include "tools/ps-run/config/UsageError.h"
#include "tools/ps-run/launch/Job.h"
#include <csignal>
#include <fstream>
#include <thread>

using namespace ps;
using namespace ps::runtime;
using namespace std::chrono_literals;

/// Without the user for ssh, and as addresses have it: one of IPv6 has colons
/// of its own.
static std::string nameOf(const std::string &host) {
  const std::string name = host.substr(host.rfind('@') + 1);
  return absl::StrContains(name, ':') && !absl::StartsWith(name, "[")
             ? absl::StrCat("[", name, "]")
             : name;
}

static std::string listenAt(const std::string &host) {
  return absl::StrCat(nameOf(host), ":0");
}

absl::Status Job::planRemote() {
  if (config.hosts.empty())
    return absl::OkStatus();
  ASSIGN_OR_RETURN(hosts,
                   planHosts(config.hosts, config.pservers, config.trainers));
  std::string remote, local;
  const auto &listeners =
      config.pservers == 0 ? hosts.trainers : hosts.pservers;
  for (const std::vector<std::string> *list :
       {&hosts.pservers, &hosts.trainers})
    for (const std::string &host : *list) {
      RETURN_IF_ERROR(checkReach(config.run, listenAt(host)));
      if (!isLoopback(nameOf(host)))
        remote = host;
      else if (list == &listeners)
        local = host;
    }
  if (!remote.empty() && !local.empty())
    return usageError(absl::StrCat("--hosts: ", config.hosts, ": processes on ",
                                   remote, " cannot connect to those on ",
                                   local,
                                   ": expected a name that all "
                                   "machines know"));
  return checkSchedulerAddress(remote);
}

/// `remote` is a machine that is not this one, or empty.
absl::Status Job::checkSchedulerAddress(const std::string &remote) const {
  if (config.listen.empty())
    return remote.empty()
               ? absl::OkStatus()
               : usageError(
                     "--listen is missing: expected HOST:PORT, or HOST:0, of "
                     "this machine, where the others reach the scheduler");
  RETURN_IF_ERROR(checkAnnounced(config.listen));
  std::string host;
  int port;
  if (!remote.empty() && splitEndpoint(config.listen, host, port) &&
      isLoopback(host))
    return usageError(absl::StrCat("--listen=", config.listen,
                                   ": processes on ", remote,
                                   " cannot connect to it: expected an "
                                   "address of this machine that they know"));
  return checkReach(config.run, config.listen);
}

absl::StatusOr<ChildProcess> Job::makeRemote(bool trainer, int id,
                                             const std::string &log) {
  const std::string &host = (trainer ? hosts.trainers : hosts.pservers)[id];
  std::vector<std::string> arguments = {path("dist.mlir"),
                                        "--coordinator=" + scheduler};
  // Trainers listen, too, where they reduce gradients among themselves.
  if (!trainer || config.pservers == 0)
    arguments.push_back("--listen=" + listenAt(host));
  const std::vector<std::string> flags = roleArguments(trainer, id);
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  RemoteProcess remote{.ssh = config.ssh,
                       .host = host,
                       .folder = std::filesystem::current_path().string(),
                       .program = ownProgram(),
                       .script = path("dist.mlir"),
                       .environment = roleEnvironment(trainer, id),
                       .arguments = std::move(arguments)};
  return ChildProcess::start(
      {.name =
           absl::StrCat(trainer ? "trainer " : "pserver ", id, " on ", host),
       .arguments = remoteCommand(remote),
       .environment = inheritedEnvironment(),
       .log = path(absl::StrCat(trainer ? "workerlog." : "serverlog.", id)),
       .heading = log,
       .relaysSignals = true});
}

absl::Status Job::runRemote() {
  ASSIGN_OR_RETURN(std::unique_ptr<Scheduler> keeper,
                   Scheduler::create({.pservers = config.pservers,
                                      .trainers = config.trainers,
                                      .maxRestarts = config.maxRestarts,
                                      .peerTimeout = config.run.peerTimeout,
                                      .joinTimeout = joinLimit(),
                                      .log = {}}));
  Security security = config.run.security;
  if (security.token.empty()) // Ours has no white space.
    std::ifstream(tokenFile) >> security.token;
  ASSIGN_OR_RETURN(
      std::unique_ptr<GrpcServer> server,
      GrpcServer::start(config.listen.empty() ? "127.0.0.1:0" : config.listen,
                        *keeper, /*log=*/{}, security,
                        config.pservers + config.trainers));
  scheduler = server->endpoint();
  absl::Status status = runScheduled([&keeper] { return keeper->current(); });
  keeper->close();
  return status;
}
