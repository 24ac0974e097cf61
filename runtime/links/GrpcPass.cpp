// SPDX-License-Identifier: Apache-2.0
//===- GrpcPass.cpp - a client's proof of the job's token -----------------===//
//
// Two calls without messages: the first brings the server's number, the second
// both proofs and the pass (GrpcChannel.h).
//
//===----------------------------------------------------------------------===//

#include "runtime/links/GrpcPass.h"
#include "runtime/base/Clock.h"
#include "runtime/protocol/Authentication.h"
#include "runtime/protocol/Service.h"

using namespace ps::runtime;

/// One attempt; lives until it has ended.
struct GrpcPass::Exchange {
  grpc::GenericStub &stub;
  Done done;
  Clock::TimePoint begin = Clock::steady().now();
  std::unique_ptr<grpc::ClientContext> context = {};
  grpc::ByteBuffer request = {}, reply = {};
  std::string clientNonce = {}, serverNonce = {};

  /// What the server has sent beside its answer; "" unless it has `bytes`.
  std::string find(const char *key, size_t bytes) const {
    const auto &metadata = context->GetServerTrailingMetadata();
    auto found = metadata.find(key);
    return found == metadata.end() || found->second.size() != bytes
               ? ""
               : std::string(found->second.data(), found->second.size());
  }
};

std::string GrpcPass::get() const {
  MutexLock lock(mutex);
  return pass;
}

void GrpcPass::forget() {
  MutexLock lock(mutex);
  pass.clear();
}

void GrpcPass::request(grpc::GenericStub &stub, Done done) {
  auto exchange = std::make_shared<Exchange>(
      Exchange{.stub = stub, .done = std::move(done)});
  absl::StatusOr<std::string> nonce = makeSecret(nonceBytes);
  if (!nonce.ok())
    return finish(*exchange, nonce.status());
  exchange->clientNonce = *std::move(nonce);
  challenge(std::move(exchange));
}

/// Sends what `exchange` knows, and no message.
void GrpcPass::send(const std::shared_ptr<Exchange> &exchange,
                    std::function<void(const grpc::Status &)> received) {
  const grpc::Slice nothing;
  exchange->request = grpc::ByteBuffer(&nothing, 1);
  exchange->context = std::make_unique<grpc::ClientContext>();
  grpc::ClientContext &context = *exchange->context;
  context.set_deadline(deadlineAfter(timeout));
  context.AddMetadata(clientNonceKey, exchange->clientNonce);
  if (!exchange->serverNonce.empty()) {
    context.AddMetadata(serverNonceKey, exchange->serverNonce);
    context.AddMetadata(proofKey, computeProof(token, Prover::Client,
                                               exchange->clientNonce,
                                               exchange->serverNonce));
  }
  if (!running.add(context))
    return received(
        grpc::Status(grpc::StatusCode::CANCELLED, "the connection is closed"));
  exchange->stub.UnaryCall(&context, authenticateMethod, grpc::StubOptions(),
                           &exchange->request, &exchange->reply,
                           [this, exchange, received = std::move(received)](
                               const grpc::Status &status) {
                             onGrpcThread = true;
                             running.remove(*exchange->context);
                             received(status);
                           });
}

static absl::Status noProof() {
  return notAPServerError(absl::UnauthenticatedError(
      "it does not prove that it has the job's token (--token-file)"));
}

static bool isRefusal(const grpc::Status &status) {
  return status.error_code() == grpc::StatusCode::UNAUTHENTICATED &&
         status.error_message() == notAuthenticated;
}

void GrpcPass::challenge(std::shared_ptr<Exchange> exchange) {
  send(exchange, [this, exchange](const grpc::Status &status) {
    if (status.ok())
      return finish(*exchange, noProof());
    if (!isRefusal(status))
      return finish(*exchange, transportError(status));
    exchange->serverNonce = exchange->find(serverNonceKey, nonceBytes);
    if (exchange->serverNonce.empty())
      return finish(*exchange, noProof());
    prove(exchange);
  });
}

void GrpcPass::prove(std::shared_ptr<Exchange> exchange) {
  send(exchange, [this, exchange](const grpc::Status &status) {
    // A process that was suspended meanwhile answers too late.
    const auto taken =
        absl::FromChrono(Clock::steady().now() - exchange->begin);
    if (isRefusal(status) && taken > nonceLifetime / 3)
      return finish(*exchange, linkFailure(absl::StatusCode::kUnavailable,
                                           "it took too long"));
    if (!status.ok())
      return finish(*exchange, transportError(status));
    const std::string expected = computeProof(
        token, Prover::Server, exchange->clientNonce, exchange->serverNonce);
    std::string found = exchange->find(passKey, passBytes);
    if (!equalSecrets(exchange->find(proofKey, proofBytes), expected) ||
        found.empty())
      return finish(*exchange, noProof());
    {
      MutexLock lock(mutex);
      pass = found;
    }
    finish(*exchange, std::move(found));
  });
}

/// The context keeps the channel: it goes before what `done` keeps alive.
void GrpcPass::finish(Exchange &exchange, absl::StatusOr<std::string> result) {
  exchange.context.reset();
  std::exchange(exchange.done, nullptr)(std::move(result));
}
