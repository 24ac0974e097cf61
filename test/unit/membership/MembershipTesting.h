// SPDX-License-Identifier: Apache-2.0
//===- MembershipTesting.h - members of jobs that are not there -----------===//

#ifndef PS_TEST_UNIT_MEMBERSHIP_MEMBERSHIPTESTING_H
#define PS_TEST_UNIT_MEMBERSHIP_MEMBERSHIPTESTING_H

#include "runtime/membership/Roster.h"
#include <optional>

namespace ps::runtime {

/// A process of another machine, which this one cannot look for.
inline wire::Member memberOf(int pid) {
  wire::Member member;
  member.set_host("another machine");
  member.set_pid(pid);
  member.set_start_time(1);
  member.set_machine("worker");
  return member;
}

inline wire::Change changeOf(int pid) {
  wire::Change change;
  *change.mutable_member() = memberOf(pid);
  return change;
}

/// Of a job with 1 pserver and 2 trainers.
inline wire::Change joinOf(int pid, wire::Seat::Role role,
                           std::optional<int> rank = std::nullopt,
                           std::optional<int64_t> newest = std::nullopt) {
  wire::Change change = changeOf(pid);
  wire::Change::Join &join = *change.mutable_join();
  join.set_role(role);
  join.set_pservers(1);
  join.set_trainers(2);
  join.set_peer_timeout_ms(30000);
  if (rank)
    join.set_rank(*rank);
  if (newest)
    join.set_newest(*newest);
  return change;
}

} // namespace ps::runtime

#endif // PS_TEST_UNIT_MEMBERSHIP_MEMBERSHIPTESTING_H
