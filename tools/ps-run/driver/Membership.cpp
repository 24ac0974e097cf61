// SPDX-License-Identifier: Apache-2.0
//===- Membership.cpp - where the pservers of a job listen ----------------===//
//
// A flag, or a file that the pservers write, takes precedence over addresses in
// the programs, and these over the environment. The file is read again until
// all pservers have written their lines.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/driver/Membership.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/Clock.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Endpoint.h"
#include "tools/ps-run/config/Reach.h"
#include "tools/ps-run/config/UsageError.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <unistd.h>

using namespace ps;
using namespace ps::runtime;

static constexpr char listFlag[] = "--pserver-endpoints";
static constexpr char trainersFlag[] = "--trainer-endpoints";
static constexpr char listVariable[] = "PADDLE_PSERVERS_IP_PORT_LIST";

/// How often the address file is read again. Pservers write it within a second
/// or two of their start, and a read of a few lines costs nothing.
static constexpr absl::Duration readInterval = absl::Milliseconds(20);

std::string Membership::names() const {
  return absl::StrJoin(module.pservers, ", ");
}

/// One well-formed address per pserver, and no two alike.
absl::Status Membership::checkCount(const std::string &source) const {
  if (addresses.size() != module.pservers.size())
    return usageError(absl::StrCat(
        source, ": expected ", module.pservers.size(),
        " addresses, one for each of ", names(), ", found ", addresses.size()));
  std::set<std::string> seen;
  for (const std::string &address : addresses) {
    if (absl::Status s = checkEndpoint(address); !s.ok())
      return usageError(absl::StrCat(source, ": ", s.message()));
    if (!seen.insert(address).second)
      return usageError(
          absl::StrCat(source, ": '", address, "' is given twice"));
  }
  return absl::OkStatus();
}

/// Addresses of the programs were checked when they were made; others are
/// checked here.
absl::StatusOr<Membership> Membership::create(const RunConfig &config,
                                              const ModuleInfo &module,
                                              JobMember *member) {
  Membership result(config, module, member);
  const bool hasFlag = !config.pserverEndpoints.empty();
  if (hasFlag && !config.addressFile.empty() && config.role == RunRole::Trainer)
    return usageError(absl::StrCat(listFlag, " and --address-file both say "
                                             "where pservers listen: expected "
                                             "one of them"));
  std::string source;
  if (hasFlag) {
    result.addresses = config.pserverEndpoints;
    source = listFlag;
  } else if (!module.endpoints.empty()) {
    result.addresses = module.endpoints;
  } else if (config.expectedPServers) {
    result.addresses = *config.expectedPServers;
    source = listVariable;
  }
  if (!source.empty())
    RETURN_IF_ERROR(result.checkCount(source));
  return result;
}

//===----------------------------------------------------------------------===//
// Pservers
//===----------------------------------------------------------------------===//

/// The pserver that --server or --endpoint selects. Fails with the choices.
absl::StatusOr<int> Membership::findOwnIndex() const {
  if (!config.server.empty()) {
    auto named = std::find(module.pservers.begin(), module.pservers.end(),
                           config.server);
    if (named != module.pservers.end())
      return named - module.pservers.begin();
    int index;
    if (absl::SimpleAtoi(config.server, &index) && index >= 0 &&
        index < static_cast<int>(module.pservers.size()))
      return index;
    return usageError(absl::StrCat("--server: the job has no pserver '",
                                   config.server, "', only ", names()));
  }
  std::string choices = absl::StrJoin(addresses, ", ");
  if (addresses.empty())
    return usageError(absl::StrCat(
        config.endpoint.empty()
            ? "--server is missing"
            : absl::StrCat("--endpoint=", config.endpoint,
                           " selects no pserver, because the programs have no "
                           "endpoints: expected --server"),
        ", the file holds ", names()));
  if (config.endpoint.empty())
    return usageError(
        absl::StrCat("--endpoint is missing, the file holds ", choices));
  auto place = std::find(addresses.begin(), addresses.end(), config.endpoint);
  if (place != addresses.end())
    return place - addresses.begin();
  return usageError(absl::StrCat("the file holds no program for pserver '",
                                 config.endpoint, "', only for ", choices));
}

/// Which pserver this process is, and where it listens. The file may hold only
/// some of the job's programs.
absl::StatusOr<OwnPServer> Membership::findOwn() const {
  std::vector<std::string> held, heldAddresses;
  for (size_t i = 0; i != module.pservers.size(); ++i)
    for (const ProgramInfo &program : module.programs)
      if (program.name == module.pservers[i]) {
        held.push_back(program.name);
        if (!addresses.empty())
          heldAddresses.push_back(addresses[i]);
      }
  if (held.empty())
    return usageError("the file holds no pserver program");
  ASSIGN_OR_RETURN(int index, findOwnIndex());
  OwnPServer own{index, module.pservers[index], {}};
  if (std::find(held.begin(), held.end(), own.name) == held.end())
    return usageError(absl::StrCat(
        "the file holds no program for pserver '",
        config.server.empty() ? config.endpoint : own.name, "', only for ",
        absl::StrJoin(config.server.empty() ? heldAddresses : held, ", ")));
  if (!config.listen.empty())
    own.address = config.listen;
  else if (!config.endpoint.empty())
    own.address = config.endpoint;
  else if (!addresses.empty())
    own.address = addresses[own.index];
  else
    return usageError(
        absl::StrCat("--listen is missing: neither the programs nor ", listFlag,
                     " says where ", own.name,
                     " listens; --listen=HOST:0 takes a free "
                     "port"));
  RETURN_IF_ERROR(checkReach(config, own.address));
  return own;
}

/// In the address file one line, in one write: pservers of a job may share it.
absl::Status Membership::announce(const std::string &name,
                                  const std::string &address) const {
  if (member)
    return member->publish(address);
  if (config.addressFile.empty())
    return absl::OkStatus();
  const std::string line = absl::StrCat(name, " ", address, "\n");
  const int file = open(config.addressFile.c_str(),
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool written = file >= 0 && write(file, line.data(), line.size()) ==
                                        static_cast<ssize_t>(line.size());
  const int error = errno;
  if (file >= 0)
    close(file);
  if (written)
    return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      "cannot write '", config.addressFile, "': ", std::strerror(error)));
}

//===----------------------------------------------------------------------===//
// Trainers
//===----------------------------------------------------------------------===//

/// Fails early if a trainer could never find its pservers.
absl::Status Membership::checkKnown() const {
  if (module.reduces) {
    RETURN_IF_ERROR(checkTrainers());
    RETURN_IF_ERROR(checkReach(config, ownTrainerAddress(*config.trainerId)));
  } else if (!config.listen.empty())
    return usageError("--listen is for --role=pserver, and for trainers that "
                      "reduce gradients among themselves");
  if (module.pservers.empty() || !addresses.empty() || member ||
      !config.addressFile.empty())
    return absl::OkStatus();
  return usageError(absl::StrCat(listFlag,
                                 " is missing: the programs do not say where "
                                 "the pservers listen (",
                                 names(), "): expected ", listFlag,
                                 "=HOST:PORT,.. in their order, "
                                 "--address-file or ",
                                 listVariable));
}

/// A process that was started again has two lines: the last one holds.
std::vector<std::string>
ps::readAddressFile(const std::string &path,
                    const std::vector<std::string> &names) {
  std::vector<std::string> found(names.size());
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (file.eof()) // still being written
      break;
    const std::pair<std::string, std::string> entry =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    for (size_t i = 0; i != found.size(); ++i)
      if (names[i] == entry.first)
        found[i] = entry.second;
  }
  return found;
}

/// Waits up to --connect-timeout for the lines of all.
absl::StatusOr<std::vector<std::string>>
Membership::awaitLines(const std::vector<std::string> &names, const char *what,
                       Event &cancel) const {
  const runtime::Clock &clock = runtime::Clock::steady();
  const runtime::Clock::TimePoint deadline =
      clock.now() + clockDuration(config.connectTimeout);
  const Log log;
  LongWait wait(log, clock);
  for (;;) {
    std::vector<std::string> found = readAddressFile(config.addressFile, names);
    auto missing = std::find(found.begin(), found.end(), "");
    if (missing == found.end())
      return found;
    if (cancel.waitFor(readInterval))
      return absl::CancelledError("interrupted");
    const std::string &name = names[missing - found.begin()];
    if (clock.now() >= deadline)
      return absl::DeadlineExceededError(
          absl::StrCat(what, " not ready within ",
                       absl::FormatDuration(config.connectTimeout), ": '",
                       config.addressFile, "' has no address of ", name));
    if (wait.isDue())
      wait.name(absl::StrCat("the address of ", name, " in '",
                             config.addressFile, "'"));
  }
}

absl::StatusOr<std::vector<std::string>>
Membership::findAll(Event &cancel) const {
  if (member)
    return member->lookUp(wire::Seat::PSERVER, cancel);
  if (config.addressFile.empty())
    return addresses;
  return awaitLines(module.pservers, "pservers", cancel);
}

std::string Membership::trainerName(int id) {
  return absl::StrCat("trainer_", id);
}

absl::StatusOr<std::vector<std::string>>
Membership::findTrainers(Event &cancel) const {
  if (member && module.trainers > 1)
    return member->lookUp(wire::Seat::TRAINER, cancel);
  if (!config.trainerEndpoints.empty() || module.trainers == 1) {
    std::vector<std::string> found = config.trainerEndpoints;
    found.resize(module.trainers);
    return found;
  }
  std::vector<std::string> names;
  for (int id = 0; id != module.trainers; ++id)
    names.push_back(trainerName(id));
  return awaitLines(names, "trainers", cancel);
}

/// Without a list, others find it by the address file; on this machine, unless
/// --listen says otherwise.
std::string Membership::ownTrainerAddress(int id) const {
  if (!config.listen.empty())
    return config.listen;
  return config.trainerEndpoints.empty() ? "127.0.0.1:0"
                                         : config.trainerEndpoints[id];
}

/// One well-formed address per trainer, and no two alike.
absl::Status Membership::checkTrainers() const {
  const std::vector<std::string> &given = config.trainerEndpoints;
  if (given.empty() && config.addressFile.empty() && !member &&
      module.trainers > 1)
    return usageError(
        absl::StrCat(trainersFlag,
                     " is missing: the trainers of this job "
                     "reduce gradients among themselves: "
                     "expected ",
                     trainersFlag, "=HOST:PORT,.. in the order of their ids, ",
                     "--address-file or PADDLE_TRAINER_ENDPOINTS"));
  if (given.empty())
    return absl::OkStatus();
  if (static_cast<int>(given.size()) != module.trainers)
    return usageError(absl::StrCat(trainersFlag, ": expected ", module.trainers,
                                   " addresses, one for each trainer, found ",
                                   given.size()));
  std::set<std::string> seen;
  for (const std::string &address : given) {
    if (absl::Status s = checkEndpoint(address); !s.ok())
      return usageError(absl::StrCat(trainersFlag, ": ", s.message()));
    if (!seen.insert(address).second)
      return usageError(
          absl::StrCat(trainersFlag, ": '", address, "' is given twice"));
  }
  return absl::OkStatus();
}
