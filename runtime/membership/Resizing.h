// SPDX-License-Identifier: Apache-2.0
//===- Resizing.h - a job that gets another size while it runs ------------===//
//
// The part of the rules (Roster.h) that changes how many seats there are. A
// request is kept in the record until each further seat has a process that
// waits for it. Then trainers end their attempt at their next checkpoint, and
// the next attempt has the new size, as it has when an attempt ends otherwise.
// An attempt that has not begun, as processes are missing, ends at once.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_MEMBERSHIP_RESIZING_H
#define PS_RUNTIME_MEMBERSHIP_RESIZING_H

#include "absl/status/status.h"
#include "runtime/membership/membership.pb.h"
#include <string>

namespace ps::runtime {

/// As many as ps-opt makes programs for.
inline constexpr int mostOfARole = 10000;

/// How many seats the job has.
struct JobSize {
  int pservers = 0, trainers = 0;
  bool operator==(const JobSize &) const = default;
};
JobSize sizeOf(const wire::JobRecord &record);
/// "2 pservers and 1 trainer"
std::string nameSize(JobSize size);

/// "the job goes on with 2 pservers and 3 trainers": those that it has.
std::string describeSize(const wire::JobRecord &record);
/// What becomes of the request that is in the record: "the job goes on with 2
/// pservers and 3 trainers after its next checkpoint". Without one, as above.
std::string describeResize(const wire::JobRecord &record);

/// Notes the request in the record; one for the present size withdraws an
/// earlier one. A repeated one changes nothing. FAILED_PRECONDITION, with the
/// reason, if the job cannot have that size.
absl::Status requestResize(const wire::Change::Resize &request,
                           wire::JobRecord &record);

/// The further seat that `member` waits for, or the first that a process with
/// this join may wait for; null if there is none.
wire::Seat *findComing(const wire::Member &member,
                       const wire::Change::Join &join, wire::JobRecord &record);
/// `member` waits no longer.
void forgetComing(const wire::Member &member, wire::JobRecord &record);

/// Whether there is a request, and a process for each further seat.
bool isResizeReady(const wire::JobRecord &record);
/// Gives the record the seats of a request that is ready. Those who waited have
/// them; those whose seats are gone are not needed any more. Ranks may change.
void resize(wire::JobRecord &record);

} // namespace ps::runtime

#endif // PS_RUNTIME_MEMBERSHIP_RESIZING_H
