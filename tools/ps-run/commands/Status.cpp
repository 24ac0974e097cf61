// SPDX-License-Identifier: Apache-2.0
//===- Status.cpp - what a running pserver or coordinator reports ---------===//
//
// The address may be of anything that answers, so what it says is printed
// without control characters.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/commands/Status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/client/Connect.h"
#include "runtime/links/Grpc.h"
#include "runtime/membership/Resizing.h"
#include "runtime/membership/Roster.h"
#include "runtime/membership/SchedulerClient.h"
#include "runtime/protocol/status.pb.h"
#include "tools/ps-run/membership/CoordinatorAddress.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace ps;
using namespace ps::runtime;

/// A pserver answers at once unless it is suspended or far overloaded.
static constexpr absl::Duration timeout = absl::Seconds(5);

namespace {
struct PServerReport {
  wire::ServerStatus status;
  wire::StatusDetails details;
};
} // namespace

static absl::StatusOr<PServerReport> askPServer(const StatusConfig &config) {
  auto link = makeGrpcLink(config.endpoint, timeout, timeout, config.security);
  wire::Request request;
  request.mutable_status();
  PServerReport found;
  std::string payload;
  RETURN_IF_ERROR(await([&](Done done) {
    link->call(request, {},
               [&found, &payload, done = std::move(done)](
                   const absl::StatusOr<Response> &response) mutable {
                 if (response.ok()) {
                   found.status = response->header.server_status();
                   payload.resize(totalBytes(response->payload));
                   copyPieces(response->payload,
                              reinterpret_cast<std::byte *>(payload.data()));
                 }
                 done(response.status());
               });
  }));
  if (!found.details.ParseFromString(payload))
    return absl::InternalError("the answer holds no details");
  return found;
}

static std::string count(uint64_t number, const char *noun) {
  return absl::StrCat(number, " ", noun, number == 1 ? "" : "s");
}

/// Seconds for what is short, "1h2m3s" for the rest.
static std::string formatDuration(int64_t milliseconds) {
  const absl::Duration length = absl::Milliseconds(milliseconds);
  const std::string text = absl::FormatDuration(
      absl::Trunc(length, length < absl::Minutes(1) ? absl::Milliseconds(100)
                                                    : absl::Seconds(1)));
  return text == "0" ? "0s" : text;
}

static double seconds(int64_t milliseconds) {
  return static_cast<double>(milliseconds) / 1000;
}

//===----------------------------------------------------------------------===//
// Pservers
//===----------------------------------------------------------------------===//

static const char *nameOf(wire::TrainerStatus::State state) {
  switch (state) {
  case wire::TrainerStatus::CONNECTED:
    return "connected";
  case wire::TrainerStatus::COMPLETED:
    return "completed";
  default:
    return "absent";
  }
}

static const char *nameOf(wire::SaveActivity::State state) {
  switch (state) {
  case wire::SaveActivity::DONE:
    return "done";
  case wire::SaveActivity::FAILED:
    return "failed";
  default:
    return "under way";
  }
}

/// How many steps `trainer` is behind the first of those that are connected.
static int64_t lagOf(const wire::TrainerStatus &trainer,
                     const wire::ServerStatus &status) {
  int64_t first = trainer.step();
  for (const wire::TrainerStatus &each : status.trainers())
    if (each.state() == wire::TrainerStatus::CONNECTED)
      first = std::max(first, each.step());
  return first - trainer.step();
}

static const wire::TrainerActivity *
findActivity(int id, const wire::StatusDetails &details) {
  for (const wire::TrainerActivity &each : details.trainers())
    if (each.id() == id)
      return &each;
  return nullptr;
}

static std::string formatTrainer(const wire::TrainerStatus &trainer,
                                 const PServerReport &report) {
  std::string text =
      absl::StrCat("trainer ", trainer.id(), ": ", nameOf(trainer.state()));
  const wire::TrainerActivity *activity =
      findActivity(trainer.id(), report.details);
  if (trainer.state() == wire::TrainerStatus::CONNECTED)
    absl::StrAppend(
        &text, ", ",
        trainer.step() < 0 ? "before step 0"
                           : absl::StrCat("at step ", trainer.step()),
        ", ", count(lagOf(trainer, report.status), "step"), " behind");
  if (activity)
    absl::StrAppend(&text, ", last call ",
                    formatDuration(activity->silent_ms()), " ago",
                    activity->lost() ? ", lost" : "");
  return text + "\n";
}

static std::string formatSaves(const wire::StatusDetails &details) {
  std::string text = "last checkpoint: ";
  if (details.has_published())
    absl::StrAppend(&text, "number ", details.published().number(),
                    ", from step ", details.published().steps(), ", ",
                    formatDuration(details.published().age_ms()), " ago\n");
  else
    text += "none\n";
  const wire::SaveActivity &save = details.save();
  if (details.has_save() && save.state() == wire::SaveActivity::UNDER_WAY)
    absl::StrAppend(&text, "saving: ", printable(save.phase()),
                    " of checkpoint ", save.number(), ", for ",
                    formatDuration(save.age_ms()), "\n");
  if (save.state() == wire::SaveActivity::FAILED)
    absl::StrAppend(&text, "saving failed ", formatDuration(save.age_ms()),
                    " ago: ", printable(save.error()), "\n");
  return text;
}

static std::string formatText(const PServerReport &report) {
  const auto &[status, details] = report;
  std::string text = absl::StrCat(
      "pserver ", printable(status.endpoint()), ": mode ",
      printable(status.mode()), ", running for ",
      formatDuration(status.uptime_ms()), "\nupdated step: ",
      status.step() < 0 ? "none" : absl::StrCat(status.step()),
      "\nholds: ", count(status.blocks(), "block"), ", ",
      count(status.tables(), "table"), " with ", count(status.rows(), "row"),
      ", ", count(status.bytes(), "byte"), "\n", formatSaves(details));
  if (details.has_staleness())
    absl::StrAppend(&text, "staleness: mean ", details.staleness().mean(),
                    ", most ", details.staleness().most(), ", of ",
                    count(details.staleness().pushes(), "pushed unit"), "\n");
  for (const wire::TrainerStatus &trainer : status.trainers())
    text += formatTrainer(trainer, report);
  for (const wire::Wait &wait : details.waits())
    absl::StrAppend(&text, printable(wait.what()), " has waited for ",
                    formatDuration(wait.waited_ms()), " for trainer ",
                    wait.trainer(), ": ", printable(wait.pending()), "\n");
  return text;
}

using Json = nlohmann::ordered_json;

static Json toJson(const wire::TrainerStatus &trainer,
                   const PServerReport &report) {
  Json json = {{"id", trainer.id()},
               {"state", nameOf(trainer.state())},
               {"step", trainer.step()}};
  const wire::TrainerActivity *activity =
      findActivity(trainer.id(), report.details);
  const bool isConnected = trainer.state() == wire::TrainerStatus::CONNECTED;
  json["lag"] = isConnected ? Json(lagOf(trainer, report.status)) : Json();
  json["seconds_since_call"] =
      activity ? Json(seconds(activity->silent_ms())) : Json();
  json["lost"] = activity && activity->lost();
  return json;
}

static Json savesToJson(const wire::StatusDetails &details) {
  Json published, request;
  if (details.has_published())
    published = {{"number", details.published().number()},
                 {"step", details.published().steps()},
                 {"age_seconds", seconds(details.published().age_ms())}};
  if (details.has_save())
    request = {{"number", details.save().number()},
               {"phase", printable(details.save().phase())},
               {"state", nameOf(details.save().state())},
               {"age_seconds", seconds(details.save().age_ms())},
               {"error", printable(details.save().error())}};
  return {{"last", std::move(published)}, {"request", std::move(request)}};
}

static Json toJson(const PServerReport &report) {
  const auto &[status, details] = report;
  Json json;
  json["server"] = printable(status.endpoint());
  json["mode"] = printable(status.mode());
  json["step"] = status.step();
  json["trainers"] = Json::array();
  for (const wire::TrainerStatus &trainer : status.trainers())
    json["trainers"].push_back(toJson(trainer, report));
  json["waits"] = Json::array();
  for (const wire::Wait &wait : details.waits())
    json["waits"].push_back({{"what", printable(wait.what())},
                             {"trainer", wait.trainer()},
                             {"pending", printable(wait.pending())},
                             {"seconds", seconds(wait.waited_ms())}});
  json["staleness"] = nullptr;
  if (details.has_staleness())
    json["staleness"] = {{"pushes", details.staleness().pushes()},
                         {"mean", details.staleness().mean()},
                         {"most", details.staleness().most()}};
  json["checkpoint"] = savesToJson(details);
  json["blocks"] = status.blocks();
  json["tables"] = status.tables();
  json["rows"] = status.rows();
  json["bytes"] = status.bytes();
  json["uptime_seconds"] = seconds(status.uptime_ms());
  return json;
}

//===----------------------------------------------------------------------===//
// Coordinators
//===----------------------------------------------------------------------===//

static bool isEtcd(const StatusConfig &config) {
  return absl::StartsWith(config.endpoint, "etcd://");
}

static const char *nameState(const wire::JobRecord &record) {
  if (!record.failure().empty())
    return "failed";
  if (record.completed())
    return record.stopped() ? "stopped" : "completed";
  return record.formed() ? "formed" : "forming";
}

/// The seat's part in the present attempt.
static const char *nameState(const wire::Seat &seat,
                             const wire::JobRecord &record) {
  if (!seat.has_member())
    return "vacant";
  if (seat.completed())
    return "completed";
  return seat.attempt() == record.attempt() ? "joined" : "missing";
}

static std::string formatText(const wire::JobRecord &record,
                              const StatusConfig &config) {
  std::string text =
      absl::StrCat(isEtcd(config) ? "" : "scheduler ", config.endpoint,
                   ": attempt ", record.attempt(), ", ", nameState(record));
  if (!record.failure().empty())
    absl::StrAppend(&text, ": ", printable(record.failure()));
  else if (!record.formed() && !record.completed())
    absl::StrAppend(&text, ": waits for ", nameAbsent(record));
  absl::StrAppend(&text, "\nrestarts: ", record.restarts().count(), " of ",
                  record.max_restarts(), " without a new checkpoint");
  if (record.has_cause())
    absl::StrAppend(&text, ", the last because ",
                    printable(record.cause().what()));
  absl::StrAppend(&text, "\nbegan at: ",
                  record.has_newest() ? absl::StrCat("step ", record.newest())
                                      : "the beginning",
                  "\n");
  if (record.has_resize())
    absl::StrAppend(&text, "resize: ", describeResize(record), "\n");
  for (const wire::Seat &seat : record.seats()) {
    absl::StrAppend(&text, nameSeat(seat), ": ", nameState(seat, record));
    if (seat.has_member())
      absl::StrAppend(&text, ", ", nameMember(seat.member()));
    if (!seat.address().empty())
      absl::StrAppend(&text, ", listens at ", printable(seat.address()));
    text += "\n";
  }
  return text;
}

static Json toJson(const wire::Seat &seat, const wire::JobRecord &record) {
  const bool hasMember = seat.has_member();
  return {{"role", seat.role() == wire::Seat::PSERVER ? "pserver" : "trainer"},
          {"rank", seat.rank()},
          {"state", nameState(seat, record)},
          {"machine",
           hasMember ? Json(printable(seat.member().machine())) : Json()},
          {"pid", hasMember ? Json(seat.member().pid()) : Json()},
          {"address",
           seat.address().empty() ? Json() : Json(printable(seat.address()))}};
}

static Json toJson(const wire::JobRecord &record, const std::string &endpoint) {
  Json json;
  json["scheduler"] = endpoint;
  json["state"] = nameState(record);
  json["attempt"] = record.attempt();
  json["restarts"] = record.restarts().count();
  json["max_restarts"] = record.max_restarts();
  json["cause"] =
      record.has_cause() ? Json(printable(record.cause().what())) : Json();
  json["failure"] =
      record.failure().empty() ? Json() : Json(printable(record.failure()));
  json["newest_checkpoint"] =
      record.has_newest() ? Json(record.newest()) : Json();
  json["resize"] = nullptr;
  if (record.has_resize())
    json["resize"] = {{"pservers", record.resize().pservers()},
                      {"trainers", record.resize().trainers()},
                      {"is_due", isResizeReady(record)}};
  json["seats"] = Json::array();
  for (const wire::Seat &seat : record.seats())
    json["seats"].push_back(toJson(seat, record));
  return json;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// The record that a scheduler or etcd holds.
static absl::StatusOr<std::string> reportJob(const StatusConfig &config) {
  RunConfig job;
  job.coordinator = config.endpoint;
  job.security = config.security;
  job.peerTimeout = timeout;
  ASSIGN_OR_RETURN(const wire::JobRecord record,
                   connectCoordinator(job)->read());
  return config.json ? toJson(record, config.endpoint).dump() + "\n"
                     : formatText(record, config);
}

/// A scheduler refuses what only pservers answer, in a way that nothing else
/// does.
static absl::StatusOr<std::string> report(const StatusConfig &config) {
  if (isEtcd(config))
    return reportJob(config);
  const absl::StatusOr<PServerReport> found = askPServer(config);
  if (found.ok())
    return config.json ? toJson(*found).dump() + "\n" : formatText(*found);
  if (found.status().message() != schedulerRefusal)
    return describeNoAnswer(found.status(), config.endpoint);
  return reportJob(config);
}

absl::Status ps::printStatus(const StatusConfig &config) {
  ASSIGN_OR_RETURN(const std::string text, report(config));
  fputs(text.c_str(), stdout);
  return absl::OkStatus();
}
