// SPDX-License-Identifier: Apache-2.0
//===- Handshake.cpp - what processes of a job must agree on --------------===//

#include "runtime/protocol/Handshake.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Wire.h"
#include <algorithm>

using namespace ps::runtime;

void ps::runtime::writeProcess(const ProcessId &process, wire::Process &to) {
  to.set_host(process.host);
  to.set_pid(process.pid);
  to.set_start_time(process.startTime);
}

ProcessId ps::runtime::readProcess(const wire::Process &from) {
  constexpr size_t longest = 256;
  if (from.host().size() > longest)
    return {};
  return {from.host(), from.pid(), from.start_time()};
}

void ps::runtime::writeHello(const Hello &hello, wire::Hello &to) {
  to.set_version(wireVersion);
  to.set_job_hash(hello.jobHash);
  to.set_peer_timeout_ms(absl::ToInt64Milliseconds(hello.peerTimeout));
  for (const auto &[name, value] : hello.options) {
    wire::RunOption *option = to.add_options();
    option->set_name(name);
    option->set_value(value);
  }
  writeProcess(hello.process, *to.mutable_process());
}

absl::StatusOr<Hello> ps::runtime::readHello(const wire::Hello &from,
                                             Peer peer) {
  if (from.version() != wireVersion)
    return absl::FailedPreconditionError(
        absl::StrCat("expected version ", wireVersion,
                     " of the protocol, found ", from.version()));
  Hello hello{peer.trainer, peer.incarnation, from.job_hash(),
              absl::Milliseconds(from.peer_timeout_ms())};
  for (const wire::RunOption &option : from.options())
    hello.options[option.name()] = option.value();
  hello.process = readProcess(from.process());
  return hello;
}

absl::StatusOr<Response>
ps::runtime::writePredecessor(const Predecessor &predecessor) {
  Response response;
  if (!predecessor.exists)
    return response;
  wire::Progress &progress = *response.header.mutable_progress();
  progress.set_settled_step(predecessor.settledStep);
  progress.set_next_checkpoint(predecessor.nextCheckpoint);
  progress.set_pservers(predecessor.pservers);
  wire::Predecessor list;
  list.set_has_completed(predecessor.hasCompleted);
  for (const auto *units : {&predecessor.blocks, &predecessor.tables})
    for (const auto &[name, step] : *units) {
      wire::Predecessor::Unit *unit = list.add_units();
      unit->set_name(name);
      unit->set_is_table(units == &predecessor.tables);
      unit->set_step(step);
    }
  auto text = std::make_shared<std::string>(list.SerializeAsString());
  if (text->size() > chunkBytes)
    return absl::ResourceExhaustedError(
        absl::StrCat("expected a list of what was pushed of at most ",
                     chunkBytes, " bytes, found ", list.units_size(),
                     " blocks and tables in ", text->size()));
  response.payload = {std::as_bytes(std::span(*text))};
  response.owner = std::move(text);
  return response;
}

absl::StatusOr<Predecessor> ps::runtime::readPredecessor(const Response &from) {
  Predecessor predecessor;
  if (!from.header.has_progress())
    return predecessor;
  predecessor.exists = true;
  predecessor.settledStep = from.header.progress().settled_step();
  predecessor.nextCheckpoint = from.header.progress().next_checkpoint();
  predecessor.pservers = from.header.progress().pservers();
  std::string text(totalBytes(from.payload), '\0');
  copyPieces(from.payload, reinterpret_cast<std::byte *>(text.data()));
  wire::Predecessor list;
  if (!list.ParseFromString(text))
    return absl::InternalError(
        absl::StrCat("expected a list of what was pushed in the answer, found ",
                     text.size(), " other bytes"));
  predecessor.hasCompleted = list.has_completed();
  for (const wire::Predecessor::Unit &unit : list.units())
    (unit.is_table() ? predecessor.tables : predecessor.blocks)[unit.name()] =
        unit.step();
  return predecessor;
}

absl::Status ps::runtime::checkTrainerId(int id, int trainers) {
  if (id >= 0 && id < trainers)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "trainer id ", id, " is out of range: expected 0 to ", trainers - 1));
}

absl::Status ps::runtime::checkJob(const Hello &hello,
                                   const JobIdentity &expected) {
  if (hello.jobHash != expected.jobHash)
    return absl::FailedPreconditionError(absl::StrCat(
        "trainer ", hello.trainerId, " runs another job: expected hash '",
        expected.jobHash, "', found '", hello.jobHash, "'"));
  // It travels in milliseconds.
  if (absl::ToInt64Milliseconds(hello.peerTimeout) !=
      absl::ToInt64Milliseconds(expected.peerTimeout))
    return absl::FailedPreconditionError(absl::StrCat(
        "expected --peer-timeout=", absl::FormatDuration(expected.peerTimeout),
        ", as on ", expected.owner, ", from trainer ", hello.trainerId,
        ", found ", absl::FormatDuration(hello.peerTimeout),
        ": start all processes of a job with the same"));
  return absl::OkStatus();
}

absl::Status ps::runtime::checkOptionSizes(const Hello &hello) {
  size_t longest = 0;
  for (const auto &[name, value] : hello.options)
    longest = std::max(longest, name.size() + value.size());
  if (hello.options.size() <= maxRunOptions && longest <= maxRunOptionBytes)
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "expected at most ", maxRunOptions, " options of at most ",
      maxRunOptionBytes, " bytes from trainer ", hello.trainerId, ", found ",
      hello.options.size(), " of up to ", longest, " bytes"));
}

absl::Status ps::runtime::compareOptions(const Hello &hello,
                                         const RunOptions &expected,
                                         const std::string &owner) {
  for (const auto &[name, value] : expected) {
    auto found = hello.options.find(name);
    if (found != hello.options.end() && found->second != value)
      return absl::FailedPreconditionError(
          absl::StrCat("expected ", printable(name), " '", printable(value),
                       "', as on ", owner, ", from trainer ", hello.trainerId,
                       ", found '", printable(found->second),
                       "': start all processes of a job with the same"));
  }
  return absl::OkStatus();
}
