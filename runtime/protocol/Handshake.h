// SPDX-License-Identifier: Apache-2.0
//===- Handshake.h - what processes of a job must agree on ----------------===//
//
// A trainer introduces itself to pservers and, where trainers reduce gradients
// among themselves, to other trainers. Both compare the same things.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_HANDSHAKE_H
#define PS_RUNTIME_PROTOCOL_HANDSHAKE_H

#include "runtime/protocol/Service.h"
#include <string>

namespace ps::runtime {

/// What a process compares a Hello with.
struct JobIdentity {
  std::string jobHash;
  absl::Duration peerTimeout;
  RunOptions options = {};
  /// For messages: "this pserver".
  std::string owner = "this pserver";
};

/// As it travels.
void writeHello(const Hello &hello, wire::Hello &to);
void writeProcess(const ProcessId &process, wire::Process &to);
/// Unknown for one whose host has no name that fits.
ProcessId readProcess(const wire::Process &from);
/// FAILED_PRECONDITION for another version of the protocol.
absl::StatusOr<Hello> readHello(const wire::Hello &from, Peer peer);

/// RESOURCE_EXHAUSTED where the names of blocks and tables do not fit into a
/// message.
absl::StatusOr<Response> writePredecessor(const Predecessor &predecessor);
absl::StatusOr<Predecessor> readPredecessor(const Response &from);

/// FAILED_PRECONDITION where job or timeout differ.
absl::Status checkJob(const Hello &hello, const JobIdentity &expected);
/// INVALID_ARGUMENT for an id that none of `trainers` has.
absl::Status checkTrainerId(int id, int trainers);
/// Bounds what a trainer makes a process remember, and quote.
absl::Status checkOptionSizes(const Hello &hello);
/// Names the first option that has another value with the trainer than with
/// `owner`.
absl::Status compareOptions(const Hello &hello, const RunOptions &expected,
                            const std::string &owner);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_HANDSHAKE_H
