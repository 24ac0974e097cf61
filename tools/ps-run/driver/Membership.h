// SPDX-License-Identifier: Apache-2.0
//===- Membership.h - where the pservers of a job listen ------------------===//
//
// Programs name pservers. Which address a name stands for is decided here, at
// run time: by flags, by a file that the pservers write, by the endpoints that
// the programs were made with, or by the environment, in this order.
//
//===----------------------------------------------------------------------===//

#ifndef PS_TOOLS_PS_RUN_DRIVER_MEMBERSHIP_H
#define PS_TOOLS_PS_RUN_DRIVER_MEMBERSHIP_H

#include "runtime/base/Event.h"
#include "runtime/membership/JobMember.h"
#include "tools/ps-run/config/RunConfig.h"
#include "tools/ps-run/loader/Loader.h"

namespace ps {

/// What the address file says of each name; empty for those that it lacks.
std::vector<std::string> readAddressFile(const std::string &path,
                                         const std::vector<std::string> &names);

/// The pserver that a process is.
struct OwnPServer {
  /// Among the job's pservers.
  int index = 0;
  /// Its program's name.
  std::string name;
  /// Where it listens; port 0 leaves the port to the system.
  std::string address;
};

/// What a process knows of its job's pservers. Thread-compatible.
class Membership {
public:
  /// Fails with a usage error where the addresses that are given do not fit the
  /// job. Config and module outlive the result, and so does `member`, which the
  /// processes find each other by; null where they do by other means.
  static absl::StatusOr<Membership>
  create(const RunConfig &config, const ModuleInfo &module,
         runtime::JobMember *member = nullptr);

  /// Which pserver this process is, and where it listens. For pservers.
  absl::StatusOr<OwnPServer> findOwn() const;

  /// One address per pserver, in the job's order. For trainers. Waits for those
  /// that pservers have yet to write, at most `config.connectTimeout`;
  /// CANCELLED when `cancel` happens.
  absl::StatusOr<std::vector<std::string>>
  findAll(runtime::Event &cancel) const;

  /// The same for the trainers of a job that reduce gradients among themselves.
  absl::StatusOr<std::vector<std::string>>
  findTrainers(runtime::Event &cancel) const;
  /// Where trainer `id` listens for the others.
  std::string ownTrainerAddress(int id) const;
  /// As the address file names trainer `id`.
  static std::string trainerName(int id);

  /// Makes known where this process, which others call `name`, listens.
  absl::Status announce(const std::string &name,
                        const std::string &address) const;

  /// Fails with a usage error unless findAll() and findTrainers() have
  /// somewhere to look.
  absl::Status checkKnown() const;

private:
  Membership(const RunConfig &config, const ModuleInfo &module,
             runtime::JobMember *member)
      : config(config), module(module), member(member) {}

  absl::StatusOr<int> findOwnIndex() const;
  absl::StatusOr<std::vector<std::string>>
  awaitLines(const std::vector<std::string> &names, const char *what,
             runtime::Event &cancel) const;
  absl::Status checkTrainers() const;
  absl::Status checkCount(const std::string &source) const;
  /// "pserver_0, pserver_1"
  std::string names() const;

  const RunConfig &config;
  const ModuleInfo &module;
  runtime::JobMember *const member;
  /// In the job's order; empty where nothing but a file may say so.
  std::vector<std::string> addresses;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_DRIVER_MEMBERSHIP_H
