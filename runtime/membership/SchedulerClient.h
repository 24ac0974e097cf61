// SPDX-License-Identifier: Apache-2.0
//===- SchedulerClient.h - a process's way to its scheduler ---------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_SCHEDULERCLIENT_H
#define PS_RUNTIME_MEMBERSHIP_SCHEDULERCLIENT_H

#include "absl/time/time.h"
#include "runtime/links/Security.h"
#include "runtime/membership/Coordinator.h"
#include "runtime/protocol/Service.h"
#include <memory>

namespace ps::runtime {

/// The answer of a scheduler to calls that only pservers and trainers serve.
inline constexpr char schedulerRefusal[] =
    "this is a scheduler: expected the address of a pserver or trainer";

/// The record that the scheduler at `endpoint` keeps. `timeout` limits a call:
/// the same as its peerTimeout.
std::unique_ptr<Coordinator> connectScheduler(const std::string &endpoint,
                                              absl::Duration timeout,
                                              const Security &security);
/// Over a link; for tests.
std::unique_ptr<Coordinator> makeSchedulerClient(const std::string &endpoint,
                                                 std::unique_ptr<Link> link,
                                                 const wire::Member &member);

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_SCHEDULERCLIENT_H
