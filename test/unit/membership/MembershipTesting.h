// SPDX-License-Identifier: Apache-2.0
//===- MembershipTesting.h - members of jobs that are not there -----------===//

#ifndef PS_TEST_UNIT_MEMBERSHIP_MEMBERSHIPTESTING_H
#define PS_TEST_UNIT_MEMBERSHIP_MEMBERSHIPTESTING_H

#include "runtime/membership/Roster.h"
#include "gtest/gtest.h"
#include <optional>
#include <string>

namespace ps::runtime {

inline constexpr auto pserver = wire::Seat::PSERVER,
                      trainer = wire::Seat::TRAINER;

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

/// The record of a job with 1 pserver and 2 trainers, processes 1, 2 and 3.
class JobRecordTest : public testing::Test {
protected:
  absl::Status apply(const wire::Change &change) {
    return applyChange(change, record);
  }
  void joinAll(std::optional<int64_t> newest = std::nullopt) {
    ASSERT_TRUE(apply(joinOf(1, pserver, std::nullopt, newest)).ok());
    ASSERT_TRUE(apply(joinOf(2, trainer, std::nullopt, newest)).ok());
    ASSERT_TRUE(apply(joinOf(3, trainer, std::nullopt, newest)).ok());
  }
  void lose(int pid) {
    wire::Change change = changeOf(pid);
    change.mutable_lose();
    ASSERT_TRUE(apply(change).ok());
  }
  void complete(int pid, int64_t attempt, bool stopped = false,
                bool cut = false) {
    wire::Change change = changeOf(pid);
    change.mutable_complete()->set_attempt(attempt);
    change.mutable_complete()->set_stopped(stopped);
    change.mutable_complete()->set_cut(cut);
    ASSERT_TRUE(apply(change).ok());
  }
  void fail(int pid, int64_t attempt, const std::string &error,
            bool isUsageError = false) {
    wire::Change change = changeOf(pid);
    change.mutable_fail()->set_attempt(attempt);
    wire::JobFailure &failure = *change.mutable_fail()->mutable_failure();
    failure.set_what("it failed: " + error);
    failure.set_error(error);
    failure.set_is_usage_error(isUsageError);
    ASSERT_TRUE(apply(change).ok());
  }
  std::optional<int> rankOf(int pid) const {
    const wire::Seat *seat = findSeat(record, memberOf(pid));
    return seat ? std::optional(seat->rank()) : std::nullopt;
  }

  wire::JobRecord record = makeJobRecord(1, 2, /*maxRestarts=*/2);
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_MEMBERSHIP_MEMBERSHIPTESTING_H
