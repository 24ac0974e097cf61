// SPDX-License-Identifier: Apache-2.0
//===- GrpcGate.cpp - which calls a gRPC server lets in -------------------===//
//
// Whatever is wrong with a call, the answer is the same: a number to answer, as
// the first step of the proof brings. What is wrong is for the log of this
// process.
//
//===----------------------------------------------------------------------===//

#include "runtime/links/GrpcGate.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/Status.h"
#include "runtime/links/GrpcChannel.h"

using namespace ps::runtime;

namespace {
/// Ends a call without reading its message.
class RefusedCall final : public grpc::ServerGenericBidiReactor {
public:
  RefusedCall() {
    Finish(grpc::Status(grpc::StatusCode::UNAUTHENTICATED, notAuthenticated));
  }
  void OnDone() override { delete this; }
};

/// Answers a proof: the rest is in the metadata.
class AcceptedProof final : public grpc::ServerGenericBidiReactor {
public:
  AcceptedProof() {
    StartWriteAndFinish(&nothing, grpc::WriteOptions(), grpc::Status::OK);
  }
  void OnDone() override { delete this; }

private:
  const grpc::Slice slice;
  const grpc::ByteBuffer nothing{&slice, 1};
};
} // namespace

/// "127.0.0.1" of "ipv4:127.0.0.1:51234": a host has many ports.
static std::string hostOf(const std::string &peer) {
  const size_t begin = peer.find(':') + 1;
  const std::string host = peer.substr(begin, peer.rfind(':') - begin);
  return absl::StrReplaceAll(host, {{"%5B", "["}, {"%5D", "]"}});
}

void RefusalLog::note(const std::string &peer, absl::string_view reason) {
  std::string host = printable(hostOf(peer));
  {
    MutexLock lock(mutex);
    const Clock::TimePoint now = clock.now();
    if (now < quietUntil || hosts.size() >= mostHosts ||
        !hosts.insert(host).second)
      return;
    quietUntil = now + std::chrono::seconds(1);
  }
  logLine(log, absl::StrCat("refused a process at ", host, ": ", reason));
}

absl::StatusOr<std::unique_ptr<GrpcGate>>
GrpcGate::create(const Security &security, Log log) {
  std::unique_ptr<Authenticator> authenticator;
  if (!security.token.empty()) {
    ASSIGN_OR_RETURN(authenticator, Authenticator::create(security.token));
  }
  return std::unique_ptr<GrpcGate>(
      new GrpcGate(std::move(authenticator), std::move(log)));
}

/// The text under `key` in the metadata of a call, "" if there is none. The
/// client's.
static absl::string_view find(const grpc::GenericCallbackServerContext &context,
                              const char *key) {
  const auto &metadata = context.client_metadata();
  auto found = metadata.find(key);
  return found == metadata.end()
             ? absl::string_view()
             : absl::string_view(found->second.data(), found->second.size());
}

grpc::ServerGenericBidiReactor *
GrpcGate::refuse(grpc::GenericCallbackServerContext &context) {
  context.AddTrailingMetadata(serverNonceKey, authenticator->makeNonce());
  return new RefusedCall();
}

grpc::ServerGenericBidiReactor *
GrpcGate::check(grpc::GenericCallbackServerContext &context) {
  if (!authenticator)
    return nullptr;
  if (context.method() != authenticateMethod) {
    const absl::string_view pass = find(context, passKey);
    if (authenticator->accepts(pass))
      return nullptr;
    refusals.note(context.peer(), pass.empty()
                                      ? "it does not prove the job's token"
                                      : "it proved the job's token to another "
                                        "process, such as the one before this");
    return refuse(context);
  }
  const absl::string_view proof = find(context, proofKey);
  if (proof.empty()) // The first step.
    return refuse(context);
  absl::StatusOr<Authenticator::Grant> grant = authenticator->authenticate(
      find(context, clientNonceKey), find(context, serverNonceKey), proof);
  if (!grant.ok()) {
    refusals.note(context.peer(), grant.status().message());
    return refuse(context);
  }
  context.AddTrailingMetadata(proofKey, grant->proof);
  context.AddTrailingMetadata(passKey, grant->pass);
  return new AcceptedProof();
}
