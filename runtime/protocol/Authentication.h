// SPDX-License-Identifier: Apache-2.0
//===- Authentication.h - proofs of a token that two processes share ------===//
//
// Two processes show each other that they have the same token, which never
// travels: each sends a number that is used once, and each answers with an HMAC
// of both numbers. The client proves first, so a process without the token gets
// nothing that depends on it. Then the server hands out a pass, which the
// client's calls carry.
//
// This keeps strangers out. Without TLS it does not protect from those that can
// read or change what two processes send each other: they see the pass.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_PROTOCOL_AUTHENTICATION_H
#define PS_RUNTIME_PROTOCOL_AUTHENTICATION_H

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/Clock.h"
#include "runtime/base/Mutex.h"
#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace ps::runtime {

inline constexpr size_t minTokenBytes = 16, maxTokenBytes = 4096;
inline constexpr size_t nonceBytes = 32, proofBytes = 32, passBytes = 32;
/// For how long a server accepts the answer to its number.
inline constexpr absl::Duration nonceLifetime = absl::Seconds(30);

/// Bytes that cannot be predicted. UNAVAILABLE if the system has none.
absl::StatusOr<std::string> makeSecret(size_t bytes);

/// Compares in a time that does not depend on the contents. Empty ones are not
/// equal: they stand for a failure to compute them.
bool equalSecrets(absl::string_view left, absl::string_view right);

/// Which end proves that it has the token: a client's proof is not accepted as
/// a server's.
enum class Prover : uint8_t { Client, Server };

/// Both numbers have nonceBytes. Empty, which no end accepts, if OpenSSL fails.
std::string computeProof(absl::string_view token, Prover prover,
                         absl::string_view clientNonce,
                         absl::string_view serverNonce);

/// The end that is called. It keeps nothing of callers that have not proved
/// the token. Thread-safe.
class Authenticator {
public:
  /// `clock` outlives this. UNAVAILABLE without random bytes.
  static absl::StatusOr<std::unique_ptr<Authenticator>>
  create(std::string token, const Clock &clock = Clock::steady());

  /// A number for a client to answer.
  std::string makeNonce();

  /// What a client gets for its proof.
  struct Grant {
    /// The server's.
    std::string proof;
    std::string pass;
  };
  /// UNAUTHENTICATED says what is wrong with it, for the log of this process
  /// only. A number is accepted once.
  absl::StatusOr<Grant> authenticate(absl::string_view clientNonce,
                                     absl::string_view serverNonce,
                                     absl::string_view proof);
  /// Whether `given` is the pass of this server.
  bool accepts(absl::string_view given) const {
    return equalSecrets(pass, given);
  }

private:
  Authenticator(std::string token, std::string key, std::string pass,
                const Clock &clock)
      : token(std::move(token)), key(std::move(key)), pass(std::move(pass)),
        clock(clock) {}

  std::string sign(absl::string_view front) const;
  absl::Status use(absl::string_view nonce);

  const std::string token;
  /// Marks the numbers that this server has made.
  const std::string key;
  const std::string pass;
  const Clock &clock;
  std::atomic<uint64_t> count{0};
  Mutex mutex;
  /// The numbers that were answered with a proof, and when they expire.
  std::map<uint64_t, int64_t> used ABSL_GUARDED_BY(mutex);
};

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_AUTHENTICATION_H
