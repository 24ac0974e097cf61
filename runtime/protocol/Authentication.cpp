// SPDX-License-Identifier: Apache-2.0
//===- Authentication.cpp - proofs of a token that two processes share ----===//
//
// A server's number is its time, a count and a signature of both: the server
// recognizes it without having kept it, and no other process can predict the
// next one. Only numbers that a proof has come for are kept, until they expire,
// so memory is spent on processes that have the token.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/Authentication.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <array>
#include <cstring>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

using namespace ps::runtime;

/// A server's number: two of these, then a signature.
static constexpr size_t fieldBytes = sizeof(uint64_t);
static constexpr size_t signedBytes = 2 * fieldBytes;

absl::StatusOr<std::string> ps::runtime::makeSecret(size_t bytes) {
  std::string secret(bytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char *>(secret.data()),
                 static_cast<int>(bytes)) != 1)
    return absl::UnavailableError("the system has no random bytes");
  return secret;
}

bool ps::runtime::equalSecrets(absl::string_view left,
                               absl::string_view right) {
  return !left.empty() && left.size() == right.size() &&
         CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

/// Empty if OpenSSL fails.
static std::string computeHmac(absl::string_view key, absl::string_view text) {
  std::string result(proofBytes, '\0');
  if (!HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
            reinterpret_cast<const unsigned char *>(text.data()), text.size(),
            reinterpret_cast<unsigned char *>(result.data()), nullptr))
    return "";
  return result;
}

std::string ps::runtime::computeProof(absl::string_view token, Prover prover,
                                      absl::string_view clientNonce,
                                      absl::string_view serverNonce) {
  // All parts have fixed lengths, so no two proofs are of the same text.
  return computeHmac(
      token, absl::StrCat("ps-mlir proof 1 of a ",
                          prover == Prover::Client ? "client" : "server",
                          clientNonce, serverNonce));
}

absl::StatusOr<std::unique_ptr<Authenticator>>
Authenticator::create(std::string token, const Clock &clock) {
  ASSIGN_OR_RETURN(std::string key, makeSecret(proofBytes));
  ASSIGN_OR_RETURN(std::string pass, makeSecret(passBytes));
  return std::unique_ptr<Authenticator>(new Authenticator(
      std::move(token), std::move(key), std::move(pass), clock));
}

std::string Authenticator::sign(absl::string_view front) const {
  std::string signature = computeHmac(key, front);
  if (!signature.empty())
    signature.resize(nonceBytes - signedBytes);
  return signature;
}

std::string Authenticator::makeNonce() {
  const int64_t now = clock.now().time_since_epoch().count();
  const uint64_t number = count.fetch_add(1, std::memory_order_relaxed);
  std::string nonce(signedBytes, '\0');
  std::memcpy(nonce.data(), &now, fieldBytes);
  std::memcpy(nonce.data() + fieldBytes, &number, fieldBytes);
  return nonce + sign(nonce);
}

/// Checks that the number is this server's, is not too old, and has not been
/// used; it has been then.
absl::Status Authenticator::use(absl::string_view nonce) {
  const absl::string_view front = nonce.substr(0, signedBytes);
  if (!equalSecrets(nonce.substr(signedBytes), sign(front)))
    return absl::UnauthenticatedError("it answers another server's number");
  int64_t made;
  uint64_t number;
  std::memcpy(&made, front.data(), fieldBytes);
  std::memcpy(&number, front.data() + fieldBytes, fieldBytes);
  const int64_t now = clock.now().time_since_epoch().count();
  const int64_t expires = made + clockDuration(nonceLifetime).count();
  if (now > expires)
    return absl::UnauthenticatedError("it answers a number that has expired");
  MutexLock lock(mutex);
  std::erase_if(used, [&](const auto &entry) { return entry.second < now; });
  if (!used.emplace(number, expires).second)
    return absl::UnauthenticatedError("it repeats an answer");
  return absl::OkStatus();
}

/// The proof is checked first: what `use` keeps is kept for those that have
/// the token.
absl::StatusOr<Authenticator::Grant>
Authenticator::authenticate(absl::string_view clientNonce,
                            absl::string_view serverNonce,
                            absl::string_view proof) {
  if (clientNonce.size() != nonceBytes || serverNonce.size() != nonceBytes ||
      proof.size() != proofBytes)
    return absl::UnauthenticatedError("its proof is malformed");
  if (!equalSecrets(
          proof, computeProof(token, Prover::Client, clientNonce, serverNonce)))
    return absl::UnauthenticatedError("it has another token");
  RETURN_IF_ERROR(use(serverNonce));
  return Grant{computeProof(token, Prover::Server, clientNonce, serverNonce),
               pass};
}
