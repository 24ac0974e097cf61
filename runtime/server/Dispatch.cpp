// SPDX-License-Identifier: Apache-2.0
//===- Dispatch.cpp - from requests to the calls of a pserver -------------===//
//
// Requests are taken as they come; whether a trainer may make one is for the
// call to check. Sizes that the header claims are compared with the payload
// there, before memory is taken for them.
//
//===----------------------------------------------------------------------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Handshake.h"
#include "runtime/protocol/Ranges.h"
#include "runtime/server/Server.h"

using namespace ps::runtime;

static absl::StatusOr<SaveRequest> toSaveRequest(const wire::Save &save) {
  using Phase = SaveRequest::Phase;
  SaveRequest request;
  if (save.phase() > uint32_t(Phase::Discard))
    return absl::InvalidArgumentError(
        absl::StrCat("expected phase 0 to 5 of a save, found ", save.phase()));
  request.phase = static_cast<Phase>(save.phase());
  request.number = save.number();
  request.checkpointId = save.checkpoint_id();
  for (const wire::SaveFolder &folder : save.folders()) {
    if (folder.rows() > uint32_t(RowSelection::Delta))
      return absl::InvalidArgumentError(absl::StrCat(
          "expected rows 0, 1 or 2 of a save, found ", folder.rows()));
    request.folders.push_back({folder.dir(),
                               static_cast<RowSelection>(folder.rows()),
                               folder.fixed(), folder.best()});
  }
  return request;
}

static absl::Status misdirected(const char *to) {
  return absl::InvalidArgumentError(
      absl::StrCat("this is a pserver: expected the address of ", to));
}

void Server::call(const wire::Request &request, Pieces payload, Respond done) {
  const Peer peer{request.trainer(), request.incarnation()};
  noteProgress(peer, request);
  switch (request.call_case()) {
  case wire::Request::kHello: {
    absl::StatusOr<Hello> hello = readHello(request.hello(), peer);
    if (!hello.ok())
      return done(hello.status());
    return handshake(*hello, std::move(done));
  }
  case wire::Request::kHeartbeat:
    return heartbeat(peer, request.heartbeat().number(), std::move(done));
  case wire::Request::kPush: {
    const Ranges &ranges = request.push().ranges();
    if (absl::Status status = checkTypes(ranges); !status.ok())
      return done(std::move(status));
    return push(peer, request.push(), payload, std::move(done));
  }
  case wire::Request::kPull:
    if (absl::Status status = checkTypes(request.pull().ranges()); !status.ok())
      return done(std::move(status));
    return pull(peer, request.pull().ranges(), std::move(done));
  case wire::Request::kPrefetch: {
    const wire::Rows &rows = request.prefetch().rows();
    if (absl::Status status = checkType(rows); !status.ok())
      return done(std::move(status));
    return prefetch(peer, request.prefetch(), payload, std::move(done));
  }
  case wire::Request::kPushRows: {
    const wire::Rows &rows = request.push_rows().rows();
    if (absl::Status status = checkType(rows); !status.ok())
      return done(std::move(status));
    return pushRows(peer, request.push_rows().sequence(), rows, payload,
                    std::move(done));
  }
  case wire::Request::kSendBarrier:
    return sendBarrier(peer, request.send_barrier().step(), std::move(done));
  case wire::Request::kFetchBarrier:
    return fetchBarrier(peer, request.fetch_barrier().step(), std::move(done));
  case wire::Request::kMergeMetric:
    return mergeMetric(peer, request.merge_metric().metric(),
                       request.merge_metric().epoch(), payload,
                       std::move(done));
  case wire::Request::kSave: {
    auto save = toSaveRequest(request.save());
    if (!save.ok())
      return done(save.status());
    return this->save(peer, *save, std::move(done));
  }
  case wire::Request::kComplete:
    return complete(peer, std::move(done));
  case wire::Request::kConfirmCompletion:
    return confirmCompletion(peer, std::move(done));
  case wire::Request::kAbort:
    return abort(peer, printable(request.abort().reason()), std::move(done));
  case wire::Request::kStatus:
    return status(std::move(done));
  case wire::Request::kJoin:
  case wire::Request::kAnnounce:
  case wire::Request::kExchange:
  case wire::Request::kProposeStop:
    return done(misdirected("a trainer"));
  case wire::Request::kMembership:
    return done(misdirected("a scheduler"));
  case wire::Request::kReplicate:
    return done(misdirected("a log replica"));
  case wire::Request::CALL_NOT_SET:
    return done(absl::InvalidArgumentError("the message holds no call"));
  }
}
