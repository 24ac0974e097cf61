// SPDX-License-Identifier: Apache-2.0
//===- ServerStatus.cpp - what a server reports about itself --------------===//
//
// Anyone may ask at any time. The answer changes nothing, and asking is no sign
// that a trainer is there.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/status.pb.h"
#include "runtime/server/Server.h"

using namespace ps::runtime;

static int64_t millisecondsBetween(Clock::TimePoint from, Clock::TimePoint to) {
  return absl::ToInt64Milliseconds(absl::FromChrono(to - from));
}

/// A trainer that the others go on without has no process any more.
static wire::TrainerStatus::State toWire(const Session &session) {
  if (session.isDismissed)
    return wire::TrainerStatus::ABSENT;
  switch (session.state) {
  case Session::State::Absent:
    return wire::TrainerStatus::ABSENT;
  case Session::State::Connected:
    return wire::TrainerStatus::CONNECTED;
  case Session::State::Completed:
    return wire::TrainerStatus::COMPLETED;
  }
  return wire::TrainerStatus::ABSENT;
}

static wire::SaveActivity::State toWire(Saves::Activity::Result result) {
  switch (result) {
  case Saves::Activity::Result::UnderWay:
    return wire::SaveActivity::UNDER_WAY;
  case Saves::Activity::Result::Done:
    return wire::SaveActivity::DONE;
  case Saves::Activity::Result::Failed:
    return wire::SaveActivity::FAILED;
  }
  return wire::SaveActivity::UNDER_WAY;
}

static void addSaves(const Saves &saves, Clock::TimePoint now,
                     wire::StatusDetails &to) {
  if (const std::optional<Saves::Activity> activity = saves.activity()) {
    wire::SaveActivity &save = *to.mutable_save();
    save.set_state(toWire(activity->result));
    save.set_phase(activity->phase);
    save.set_number(activity->number);
    save.set_age_ms(millisecondsBetween(activity->since, now));
    save.set_error(activity->error);
  }
  if (const std::optional<Saves::Published> &published = saves.published()) {
    wire::PublishedCheckpoint &checkpoint = *to.mutable_published();
    checkpoint.set_number(published->number);
    checkpoint.set_steps(published->steps);
    checkpoint.set_age_ms(millisecondsBetween(published->at, now));
  }
}

void Server::addDetails(Clock::TimePoint now, wire::StatusDetails &to) const {
  const std::vector<int> lost = timeouts.listLost();
  for (int id = 0; id < options.trainers; ++id) {
    const bool isDismissed = sessions[id].isDismissed;
    if (sessions[id].state != Session::State::Connected && !isDismissed)
      continue;
    wire::TrainerActivity &trainer = *to.add_trainers();
    trainer.set_id(id);
    trainer.set_silent_ms(millisecondsBetween(sessions[id].lastActivity, now));
    trainer.set_lost(isDismissed || std::ranges::find(lost, id) != lost.end());
  }
  for (const Timeouts::Wait &each : timeouts.listWaits()) {
    wire::Wait &wait = *to.add_waits();
    wait.set_what(each.what);
    wait.set_trainer(each.trainer);
    wait.set_pending(timeouts.describePending(each.trainer));
    wait.set_waited_ms(millisecondsBetween(each.since, now));
  }
  if (const Staleness *staleness = mode->staleness()) {
    wire::StalenessSummary &summary = *to.mutable_staleness();
    summary.set_pushes(staleness->pushes);
    summary.set_mean(staleness->pushes == 0
                         ? 0
                         : static_cast<double>(staleness->sum) /
                               static_cast<double>(staleness->pushes));
    summary.set_most(staleness->most);
  }
  addSaves(saves, now, to);
}

void Server::status(Respond done) {
  Response response;
  wire::ServerStatus &to = *response.header.mutable_server_status();
  wire::StatusDetails details;
  const Clock::TimePoint now = clock.now();
  to.set_blocks(options.blocks.size());
  to.set_tables(options.tables.size());
  to.set_step(updatedStep());
  to.set_uptime_ms(millisecondsBetween(startTime, now));
  {
    MutexLock lock(mutex);
    to.set_endpoint(endpoint);
    to.set_mode(std::string(mode->name()));
    to.set_rows(stateSize.rows);
    to.set_bytes(stateSize.bytes);
    for (int id = 0; id < options.trainers; ++id) {
      wire::TrainerStatus &trainer = *to.add_trainers();
      trainer.set_id(id);
      trainer.set_state(toWire(sessions[id]));
      trainer.set_step(mode->stepOf(id));
    }
    addDetails(now, details);
  }
  auto bytes = std::make_shared<const std::string>(details.SerializeAsString());
  response.payload = {std::as_bytes(std::span(*bytes))};
  response.owner = std::move(bytes);
  done(std::move(response));
}
