// SPDX-License-Identifier: Apache-2.0
//===- Roster.h - which process has which part in a job -------------------===//
//
// The rules by which the record of a job changes. They know no clock, no
// storage and no network: a scheduler applies them to its record, a process to
// the one in etcd.
//
// An attempt begins when every process of the job has joined it. It ends when
// one of them is lost or fails: the others then join the next attempt, whose
// number is one higher, and with it go back to the newest checkpoint. So they
// do when trainers end an attempt at a checkpoint for the job to be resized.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_ROSTER_H
#define PS_RUNTIME_MEMBERSHIP_ROSTER_H

#include "absl/status/status.h"
#include "runtime/membership/membership.pb.h"
#include <string>
#include <vector>

namespace ps::runtime {

/// The record of a job that no process has joined yet.
wire::JobRecord makeJobRecord(int pservers, int trainers, int maxRestarts);

/// Applies `change`; the caller counts revisions. Errors leave the record as it
/// is: ALREADY_EXISTS while the seat of a process is another's, which may end;
/// ABORTED when the job has failed, with its reason; INVALID_ARGUMENT for
/// another job's process, which has other programs for example.
absl::Status applyChange(const wire::Change &change, wire::JobRecord &record);

/// How a job has ended that was asked to stop.
inline constexpr char jobStopped[] =
    "the job was stopped: start it again with --resume";

/// This process.
wire::Member ownMember();
bool isSame(const wire::Member &left, const wire::Member &right);

/// The seat of `member`, or null.
const wire::Seat *findSeat(const wire::JobRecord &record,
                           const wire::Member &member);

/// Whether the job has gone on without `member` when it got another size.
bool isRetired(const wire::JobRecord &record, const wire::Member &member);

/// Whether the job needs `member` no more: it is retired, or was lost and
/// others have all seats of its role.
bool isNeedless(const wire::JobRecord &record, const wire::Member &member,
                wire::Seat::Role role);

/// The processes of the job, and those that wait to join it.
std::vector<wire::Member> membersOf(const wire::JobRecord &record);

/// "trainer 1"
std::string nameSeat(const wire::Seat &seat);
/// "process 4711 on worker-3"
std::string nameMember(const wire::Member &member);
/// "pserver 0 and trainer 1": those that have not joined the attempt.
std::string nameAbsent(const wire::JobRecord &record);

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_ROSTER_H
