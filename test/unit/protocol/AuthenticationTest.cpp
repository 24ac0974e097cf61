// SPDX-License-Identifier: Apache-2.0
//===- AuthenticationTest.cpp - proofs of a token -------------------------===//

#include "runtime/protocol/Authentication.h"
#include "runtime/protocol/Endpoint.h"
#include "test/unit/RuntimeTesting.h"
#include "test/unit/base/ManualClock.h"
#include <gtest/gtest.h>

using namespace ps::runtime;

namespace {

const std::string token = "the token of the job";

/// A server, and what a client that has `token` sends to it.
struct Exchange {
  ManualClock clock;
  std::unique_ptr<Authenticator> server = *Authenticator::create(token, clock);
  std::string clientNonce = *makeSecret(nonceBytes);
  std::string serverNonce = server->makeNonce();
  std::string proof =
      computeProof(token, Prover::Client, clientNonce, serverNonce);

  absl::StatusOr<Authenticator::Grant> answer() {
    return server->authenticate(clientNonce, serverNonce, proof);
  }
  /// The server's account of why it refuses.
  std::string refusal() {
    const absl::Status status = answer().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated);
    return std::string(status.message());
  }
};

/// What stands for a failure to compute a proof is never accepted.
TEST(Authentication, NothingEqualsAnEmptySecret) {
  EXPECT_FALSE(equalSecrets("", ""));
  EXPECT_FALSE(equalSecrets("", "a"));
  EXPECT_FALSE(equalSecrets("a", ""));
  EXPECT_TRUE(equalSecrets("a", "a"));
}

TEST(Authentication, BothEndsProveTheToken) {
  Exchange exchange;
  const absl::StatusOr<Authenticator::Grant> grant = exchange.answer();
  ASSERT_OK(grant.status());
  EXPECT_EQ(grant->proof,
            computeProof(token, Prover::Server, exchange.clientNonce,
                         exchange.serverNonce));
  EXPECT_NE(grant->proof, exchange.proof);
  EXPECT_TRUE(exchange.server->accepts(grant->pass));
}

/// Two versions of the program must agree. Computed with Python's hmac.
TEST(Authentication, TheProofIsAnHmacOfBothNumbers) {
  const std::string proof =
      computeProof("0123456789abcdef", Prover::Client, std::string(32, 'c'),
                   std::string(32, 's'));
  EXPECT_EQ(proof.size(), proofBytes);
  const unsigned char expected[] = {
      0xfe, 0x72, 0x64, 0x31, 0xa5, 0x33, 0x65, 0xa2, 0x75, 0x0b, 0xdf,
      0x04, 0x73, 0x40, 0xf0, 0x62, 0xb0, 0xee, 0x13, 0x03, 0xfd, 0xbc,
      0xde, 0xc0, 0x13, 0x9c, 0xb4, 0xf4, 0xa9, 0x31, 0x34, 0x20};
  EXPECT_EQ(proof, std::string(reinterpret_cast<const char *>(expected),
                               sizeof expected));
}

TEST(Authentication, AnotherTokenIsRefused) {
  Exchange exchange;
  exchange.proof = computeProof("the token of another job", Prover::Client,
                                exchange.clientNonce, exchange.serverNonce);
  EXPECT_EQ(exchange.refusal(), "it has another token");
  exchange.proof = std::string(proofBytes, '\0');
  EXPECT_EQ(exchange.refusal(), "it has another token");
}

TEST(Authentication, AProofIsAcceptedOnce) {
  Exchange exchange;
  ASSERT_OK(exchange.answer().status());
  EXPECT_EQ(exchange.refusal(), "it repeats an answer");
  // Also with another number of the client's, and much later.
  exchange.clientNonce = *makeSecret(nonceBytes);
  exchange.proof = computeProof(token, Prover::Client, exchange.clientNonce,
                                exchange.serverNonce);
  EXPECT_EQ(exchange.refusal(), "it repeats an answer");
  exchange.clock.advance(nonceLifetime);
  EXPECT_EQ(exchange.refusal(), "it repeats an answer");
  exchange.clock.advance(absl::Seconds(1));
  EXPECT_EQ(exchange.refusal(), "it answers a number that has expired");
}

TEST(Authentication, ANumberExpires) {
  Exchange exchange;
  exchange.clock.advance(nonceLifetime + absl::Seconds(1));
  EXPECT_EQ(exchange.refusal(), "it answers a number that has expired");
}

/// A process that is called cannot answer with what it has got.
TEST(Authentication, AReflectedProofIsRefused) {
  Exchange exchange;
  const absl::StatusOr<Authenticator::Grant> grant = exchange.answer();
  ASSERT_OK(grant.status());
  // The server's proof as a client's, with the numbers as they are or changed
  // over.
  exchange.serverNonce = exchange.server->makeNonce();
  exchange.proof = grant->proof;
  EXPECT_EQ(exchange.refusal(), "it has another token");
  exchange.proof = computeProof(token, Prover::Server, exchange.clientNonce,
                                exchange.serverNonce);
  EXPECT_EQ(exchange.refusal(), "it has another token");
  std::swap(exchange.clientNonce, exchange.serverNonce);
  exchange.proof = computeProof(token, Prover::Client, exchange.serverNonce,
                                exchange.clientNonce);
  EXPECT_EQ(exchange.refusal(), "it has another token");
}

/// A proof for one server is none for another, which has the same token.
TEST(Authentication, AnotherServersNumberIsRefused) {
  Exchange exchange, other;
  exchange.serverNonce = other.serverNonce;
  exchange.proof = computeProof(token, Prover::Client, exchange.clientNonce,
                                exchange.serverNonce);
  EXPECT_EQ(exchange.refusal(), "it answers another server's number");
}

TEST(Authentication, TruncatedProofsAreRefused) {
  for (std::string Exchange::*part :
       {&Exchange::clientNonce, &Exchange::serverNonce, &Exchange::proof})
    for (size_t size : {0, 1, 16, 31, 33, 4096}) {
      Exchange exchange;
      (exchange.*part).resize(size);
      EXPECT_EQ(exchange.refusal(), "its proof is malformed");
    }
  for (std::string Exchange::*part :
       {&Exchange::clientNonce, &Exchange::serverNonce, &Exchange::proof})
    for (size_t at = 0; at < 32; ++at) {
      Exchange exchange;
      (exchange.*part)[at] ^= 1;
      EXPECT_EQ(exchange.refusal(), "it has another token");
    }
}

TEST(Authentication, ThePassIsOfOneServer) {
  Exchange exchange, other;
  const std::string pass = exchange.answer()->pass;
  EXPECT_EQ(pass.size(), passBytes);
  EXPECT_FALSE(other.server->accepts(pass));
  EXPECT_FALSE(exchange.server->accepts(""));
  EXPECT_FALSE(exchange.server->accepts(pass.substr(1)));
  EXPECT_FALSE(exchange.server->accepts(pass + '\0'));
}

TEST(Endpoint, LoopbackIsThisMachineOnly) {
  for (const char *host :
       {"127.0.0.1", "127.1.2.3", "[::1]", "localhost", "[::ffff:127.0.0.1]"})
    EXPECT_TRUE(isLoopback(host)) << host;
  for (const char *host : {"0.0.0.0", "[::]", "10.0.0.1", "192.168.1.1",
                           "128.0.0.1", "[fe80::1]", "[::ffff:10.0.0.1]", "0",
                           "example.com", "localhost.example.com", "", "[]"})
    EXPECT_FALSE(isLoopback(host)) << host;
}

} // namespace
