// SPDX-License-Identifier: Apache-2.0
//===- Service.cpp - steps and errors of the protocol ---------------------===//
//
// What both sides know about calls. Errors of the link and of a peer that is no
// pserver are marked by a payload, since a status code alone does not
// distinguish them from errors that a pserver reports.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/Service.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

static constexpr char linkFailureUrl[] = "ps.runtime/link-failure";
static constexpr char notAPServerUrl[] = "ps.runtime/not-a-pserver";

std::string Rounds::str(int64_t step) const {
  if (count == 1 || step < 0)
    return absl::StrCat(step);
  return absl::StrCat(step / count, " (round ", roundOf(step), ")");
}

/// The answer to some calls depends on the other trainers and takes as long as
/// the slowest of them: links give these a longer timeout.
CallTraits ps::runtime::traitsOf(const wire::Request &request) {
  switch (request.call_case()) {
  case wire::Request::kPush:
    return {.waitsForTrainers = request.push().pull(), .isPush = true};
  case wire::Request::kPushRows:
    return {.isPush = true};
  case wire::Request::kHeartbeat:
    return {.isHeartbeat = true};
  case wire::Request::kPrefetch:
    return {.waitsForTrainers = true, .isUrgent = true};
  case wire::Request::kPull:
  case wire::Request::kSendBarrier:
  case wire::Request::kMergeMetric:
  case wire::Request::kSave:
  case wire::Request::kExchange:
    return {.waitsForTrainers = true};
  default:
    return {};
  }
}

wire::Request ps::runtime::requestFrom(Peer peer) {
  wire::Request request;
  request.set_trainer(peer.trainer);
  request.set_incarnation(peer.incarnation);
  return request;
}

absl::Status ps::runtime::linkFailure(absl::StatusCode code,
                                      const std::string &message) {
  absl::Status status(code, message);
  status.SetPayload(linkFailureUrl, absl::Cord());
  return status;
}

bool ps::runtime::isLinkFailure(const absl::Status &status) {
  return status.GetPayload(linkFailureUrl).has_value();
}

std::string
ps::runtime::nameBlocks(size_t count,
                        absl::FunctionRef<const std::string &(size_t)> name,
                        const char *noun) {
  if (count == 0)
    return absl::StrCat("no ", noun, "s");
  return absl::StrCat(noun, count == 1 ? " " : "s ",
                      nameSome(count, [&](size_t i) {
                        return absl::StrCat("'", name(i), "'");
                      }));
}

absl::Status ps::runtime::notAPServerError(absl::Status status) {
  status.SetPayload(notAPServerUrl, absl::Cord());
  return status;
}

bool ps::runtime::isNotAPServer(const absl::Status &status) {
  return status.GetPayload(notAPServerUrl).has_value();
}

std::string ps::runtime::describeMerge(absl::string_view metric,
                                       int64_t epoch) {
  if (absl::ConsumePrefix(&metric, "@"))
    return std::string(metric);
  return absl::StrCat("merging of metric '", metric, "' of epoch ", epoch);
}
