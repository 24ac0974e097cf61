// SPDX-License-Identifier: Apache-2.0
//===- Status.cpp - what a running pserver reports ------------------------===//
//
// The address may be of anything that answers, so what it says is printed
// without control characters.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/Status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/client/Connect.h"
#include "runtime/links/Grpc.h"
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace ps;
using namespace ps::runtime;

/// A pserver answers at once unless it is suspended or far overloaded.
static constexpr absl::Duration timeout = absl::Seconds(5);

static absl::StatusOr<wire::ServerStatus> fetch(const StatusConfig &config) {
  auto link = makeGrpcLink(config.endpoint, timeout, timeout, config.security);
  wire::Request request;
  request.mutable_status();
  wire::ServerStatus found;
  const absl::Status status = await([&](Done done) {
    link->call(request, {},
               [&found, done = std::move(done)](
                   const absl::StatusOr<Response> &response) mutable {
                 if (response.ok())
                   found = response->header.server_status();
                 done(response.status());
               });
  });
  if (!status.ok())
    return describeNoAnswer(status, config.endpoint);
  return found;
}

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

/// Seconds for what is short, "1h2m3s" for the rest.
static std::string formatUptime(int64_t milliseconds) {
  const absl::Duration uptime = absl::Milliseconds(milliseconds);
  return absl::FormatDuration(absl::Trunc(uptime, uptime < absl::Minutes(1)
                                                      ? absl::Milliseconds(100)
                                                      : absl::Seconds(1)));
}

static std::string count(uint64_t number, const char *noun) {
  return absl::StrCat(number, " ", noun, number == 1 ? "" : "s");
}

static std::string formatText(const wire::ServerStatus &status) {
  std::string text = absl::StrCat(
      "pserver ", printable(status.endpoint()), ": mode ",
      printable(status.mode()), ", running for ",
      formatUptime(status.uptime_ms()), "\nupdated step: ",
      status.step() < 0 ? "none" : absl::StrCat(status.step()),
      "\nholds: ", count(status.blocks(), "block"), ", ",
      count(status.tables(), "table"), " with ", count(status.rows(), "row"),
      ", ", count(status.bytes(), "byte"), "\n");
  for (const wire::TrainerStatus &trainer : status.trainers()) {
    absl::StrAppend(&text, "trainer ", trainer.id(), ": ",
                    nameOf(trainer.state()));
    if (trainer.state() == wire::TrainerStatus::CONNECTED)
      absl::StrAppend(&text, ", ",
                      trainer.step() < 0
                          ? "before step 0"
                          : absl::StrCat("at step ", trainer.step()));
    text += "\n";
  }
  return text;
}

static std::string formatJson(const wire::ServerStatus &status) {
  nlohmann::ordered_json json;
  json["server"] = printable(status.endpoint());
  json["mode"] = printable(status.mode());
  json["step"] = status.step();
  json["trainers"] = nlohmann::ordered_json::array();
  for (const wire::TrainerStatus &trainer : status.trainers())
    json["trainers"].push_back({{"id", trainer.id()},
                                {"state", nameOf(trainer.state())},
                                {"step", trainer.step()}});
  json["blocks"] = status.blocks();
  json["tables"] = status.tables();
  json["rows"] = status.rows();
  json["bytes"] = status.bytes();
  json["uptime_seconds"] = static_cast<double>(status.uptime_ms()) / 1000;
  return json.dump() + "\n";
}

absl::Status ps::printStatus(const StatusConfig &config) {
  ASSIGN_OR_RETURN(const wire::ServerStatus status, fetch(config));
  const std::string text =
      config.json ? formatJson(status) : formatText(status);
  fputs(text.c_str(), stdout);
  return absl::OkStatus();
}
