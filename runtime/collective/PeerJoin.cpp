// SPDX-License-Identifier: Apache-2.0
//===- PeerJoin.cpp - trainers that introduce themselves to each other ----===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/collective/PeerMember.h"
#include "runtime/protocol/Handshake.h"

using namespace ps::runtime;

wire::Request PeerMember::makeJoin(int to) const {
  wire::Request request = requestFrom({self, options.hello.incarnation});
  wire::Join &join = *request.mutable_join();
  writeHello(options.hello, *join.mutable_hello());
  join.set_trainers(options.trainers);
  join.set_to(to);
  return request;
}

void PeerMember::attach(int trainer, std::unique_ptr<Link> link) {
  MutexLock lock(mutex);
  peers[trainer].link =
      std::make_unique<PeerLink>(std::move(link), PeerLink::exchangeWindow);
}

/// Compares what a pserver would, and whether the caller means this trainer.
absl::Status PeerMember::join(const wire::Request &request) {
  const wire::Join &join = request.join();
  ASSIGN_OR_RETURN(
      Hello hello,
      readHello(join.hello(), {request.trainer(), request.incarnation()}));
  const std::string owner = absl::StrCat("trainer ", self);
  RETURN_IF_ERROR(checkJob(hello, {.jobHash = options.hello.jobHash,
                                   .peerTimeout = options.hello.peerTimeout,
                                   .owner = owner}));
  if (join.trainers() != options.trainers)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected ", options.trainers, " trainers, found ", join.trainers()));
  RETURN_IF_ERROR(checkTrainerId(hello.trainerId, options.trainers));
  if (join.to() != self)
    return absl::FailedPreconditionError(absl::StrCat(
        "expected a call on trainer ", self, ", found one on trainer ",
        join.to(), ": check the order of the addresses"));
  PeerState &peer = peers[hello.trainerId];
  if (hello.trainerId == self ||
      (peer.incarnation != 0 && peer.incarnation != hello.incarnation))
    return absl::AlreadyExistsError(absl::StrCat(
        "trainer id ", hello.trainerId, " is taken by another process"));
  RETURN_IF_ERROR(checkOptionSizes(hello));
  RETURN_IF_ERROR(compareOptions(hello, options.hello.options, owner));
  peer.incarnation = hello.incarnation;
  return absl::OkStatus();
}

absl::Status PeerMember::identify(const wire::Request &request) const {
  RETURN_IF_ERROR(checkTrainerId(request.trainer(), options.trainers));
  const uint64_t expected = peers[request.trainer()].incarnation;
  if (expected != 0 && expected == request.incarnation())
    return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("expected trainer ", request.trainer(), " to join trainer ",
                   self, " first"));
}
