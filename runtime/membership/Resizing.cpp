// SPDX-License-Identifier: Apache-2.0
//===- Resizing.cpp - a job that gets another size while it runs ----------===//

#include "runtime/membership/Resizing.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/membership/Roster.h"
#include "runtime/protocol/ProcessId.h"
#include <algorithm>
#include <iterator>
#include <vector>

using namespace ps::runtime;

/// A record has to fit into a value of etcd.
static constexpr int mostRetired = 1000;

JobSize ps::runtime::sizeOf(const wire::JobRecord &record) {
  const auto pservers = static_cast<int>(
      std::ranges::count_if(record.seats(), [](const wire::Seat &seat) {
        return seat.role() == wire::Seat::PSERVER;
      }));
  return {pservers, record.seats_size() - pservers};
}

std::string ps::runtime::nameSize(JobSize size) {
  return absl::StrCat(
      size.pservers, size.pservers == 1 ? " pserver" : " pservers", " and ",
      size.trainers, size.trainers == 1 ? " trainer" : " trainers");
}

std::string ps::runtime::describeSize(const wire::JobRecord &record) {
  return absl::StrCat("the job goes on with ", nameSize(sizeOf(record)));
}

std::string ps::runtime::describeResize(const wire::JobRecord &record) {
  if (!record.has_resize())
    return describeSize(record);
  const wire::PendingResize &resize = record.resize();
  const std::string what = absl::StrCat(
      "the job goes on with ", nameSize({resize.pservers(), resize.trainers()}),
      " after its next checkpoint");
  std::vector<std::string> missing;
  for (const wire::Seat &seat : resize.coming())
    if (!seat.has_member())
      missing.push_back(nameSeat(seat));
  return missing.empty()
             ? what
             : absl::StrCat(what, ", once ",
                            nameSome(missing.size(),
                                     [&](size_t i) { return missing[i]; }),
                            missing.size() == 1 ? " has" : " have",
                            " been started");
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static absl::Status refuse(absl::string_view reason) {
  return absl::FailedPreconditionError(
      absl::StrCat("the job cannot be resized: ", reason));
}

static absl::Status checkPServers(int now, int wanted) {
  if (wanted < 0 || wanted > mostOfARole)
    return refuse(absl::StrCat("expected up to ", mostOfARole,
                               " pservers, found ", wanted));
  if (now == 0)
    return refuse("its trainers reduce gradients among themselves, without "
                  "pservers");
  if (wanted == 0)
    return refuse("expected at least 1 pserver, found 0");
  return absl::OkStatus();
}

static absl::Status checkTrainers(const wire::Elasticity &elasticity,
                                  int wanted) {
  if (wanted < 1 || wanted > mostOfARole)
    return refuse(absl::StrCat("expected 1 to ", mostOfARole,
                               " trainers, found ", wanted));
  if (!elasticity.fixed_trainers().empty())
    return refuse(printable(elasticity.fixed_trainers()));
  if (elasticity.shares() % wanted != 0)
    return refuse(absl::StrCat(
        "trainers share the samples of a step equally, so their number has to "
        "divide ",
        elasticity.shares(), ", found ", wanted));
  return absl::OkStatus();
}

static absl::Status checkSize(const wire::JobRecord &record, JobSize now,
                              JobSize wanted) {
  if (!record.has_elasticity())
    return refuse(record.formed() ? "its trainers are of an earlier version, "
                                    "whose jobs keep their size"
                                  : "no trainer has joined it yet");
  if (!record.elasticity().fixed().empty())
    return refuse(printable(record.elasticity().fixed()));
  if (wanted.pservers != now.pservers)
    RETURN_IF_ERROR(checkPServers(now.pservers, wanted.pservers));
  if (wanted.trainers != now.trainers)
    RETURN_IF_ERROR(checkTrainers(record.elasticity(), wanted.trainers));
  return absl::OkStatus();
}

/// The seats that a job of size `to` has beyond one of size `from`.
static void addSeats(JobSize from, JobSize to, wire::PendingResize &resize) {
  auto add = [&](wire::Seat::Role role, int first, int end) {
    for (int rank = first; rank < end; ++rank) {
      wire::Seat *seat = resize.add_coming();
      seat->set_role(role);
      seat->set_rank(rank);
    }
  };
  add(wire::Seat::PSERVER, from.pservers, to.pservers);
  add(wire::Seat::TRAINER, from.trainers, to.trainers);
}

absl::Status ps::runtime::requestResize(const wire::Change::Resize &request,
                                        wire::JobRecord &record) {
  if (record.completed())
    return refuse("it has ended");
  if (!record.failure().empty())
    return refuse(absl::StrCat("it has failed: ", printable(record.failure())));
  const JobSize now = sizeOf(record);
  const JobSize wanted = {
      request.has_pservers() ? request.pservers() : now.pservers,
      request.has_trainers() ? request.trainers() : now.trainers};
  // One that is repeated, as its answer was lost, may find that it has had its
  // effect.
  if (wanted == now) {
    record.clear_resize();
    return absl::OkStatus();
  }
  if (record.has_resize() &&
      wanted == JobSize{record.resize().pservers(), record.resize().trainers()})
    return absl::OkStatus();
  RETURN_IF_ERROR(checkSize(record, now, wanted));
  // Those who wait for an earlier one ask again.
  record.clear_resize();
  record.mutable_resize()->set_pservers(wanted.pservers);
  record.mutable_resize()->set_trainers(wanted.trainers);
  addSeats(now, wanted, *record.mutable_resize());
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Those who wait
//===----------------------------------------------------------------------===//

wire::Seat *ps::runtime::findComing(const wire::Member &member,
                                    const wire::Change::Join &join,
                                    wire::JobRecord &record) {
  wire::Seat *vacant = nullptr;
  if (!record.has_resize())
    return nullptr;
  for (wire::Seat &seat : *record.mutable_resize()->mutable_coming()) {
    if (seat.has_member() && isSame(seat.member(), member))
      return &seat;
    if (!vacant && !seat.has_member() && seat.role() == join.role() &&
        (!join.has_rank() || join.rank() == seat.rank()))
      vacant = &seat;
  }
  return vacant;
}

void ps::runtime::forgetComing(const wire::Member &member,
                               wire::JobRecord &record) {
  if (!record.has_resize())
    return;
  for (wire::Seat &seat : *record.mutable_resize()->mutable_coming())
    if (seat.has_member() && isSame(seat.member(), member))
      seat.clear_member();
}

//===----------------------------------------------------------------------===//
// The new size
//===----------------------------------------------------------------------===//

bool ps::runtime::isResizeReady(const wire::JobRecord &record) {
  return record.has_resize() && std::ranges::all_of(record.resize().coming(),
                                                    [](const wire::Seat &seat) {
                                                      return seat.has_member();
                                                    });
}

/// The seats of a role that the job keeps, with the ranks that they get: those
/// without a process go first, and then those with the highest ranks.
static std::vector<wire::Seat> keepSeats(const wire::JobRecord &record,
                                         wire::Seat::Role role, int count) {
  std::vector<wire::Seat> kept;
  for (const wire::Seat &seat : record.seats())
    if (seat.role() == role)
      kept.push_back(seat);
  while (std::ssize(kept) > count) {
    auto last =
        std::find_if(kept.rbegin(), kept.rend(),
                     [](const wire::Seat &seat) { return !seat.has_member(); });
    kept.erase(last == kept.rend() ? std::prev(kept.end())
                                   : std::prev(last.base()));
  }
  for (int rank = 0; wire::Seat & seat : kept)
    seat.set_rank(rank++);
  return kept;
}

void ps::runtime::resize(wire::JobRecord &record) {
  const wire::PendingResize wanted = record.resize();
  google::protobuf::RepeatedPtrField<wire::Seat> seats;
  // Pservers come first.
  for (auto [role, count] : {std::pair(wire::Seat::PSERVER, wanted.pservers()),
                             {wire::Seat::TRAINER, wanted.trainers()}}) {
    for (const wire::Seat &seat : keepSeats(record, role, count))
      *seats.Add() = seat;
    for (const wire::Seat &seat : wanted.coming())
      if (seat.role() == role)
        *seats.Add() = seat;
  }
  record.mutable_seats()->Swap(&seats);
  for (const wire::Seat &seat : seats)
    if (seat.has_member() && !findSeat(record, seat.member()))
      *record.add_retired() = seat.member();
  if (const int excess = record.retired_size() - mostRetired; excess > 0)
    record.mutable_retired()->DeleteSubrange(0, excess);
  record.clear_resize();
  record.set_resized(true);
}
