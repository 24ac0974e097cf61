// SPDX-License-Identifier: Apache-2.0
//===- Connect.cpp - connections to the pservers of a job -----------------===//
//
// Pservers and trainers start in any order, so a trainer tries those that do
// not answer again until connectTimeout. Short waits are silent; after
// quietTime each attempt is logged in the words that Paddle's users know.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/Connect.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/links/Grpc.h"
#include "runtime/links/InProcess.h"
#include "runtime/links/MakeLink.h"
#include "runtime/protocol/Endpoint.h"
#include <optional>
#include <set>

using namespace ps::runtime;

namespace {
/// Waits for all pservers of a job.
class Connector {
public:
  Connector(std::span<const std::string> endpoints,
            const ConnectOptions &options)
      : endpoints(endpoints), options(options),
        clock(options.client.timer ? options.client.timer->getClock()
                                   : Clock::steady()),
        clients(endpoints.size()), causes(endpoints.size()),
        closedSince(endpoints.size()) {}

  absl::StatusOr<std::vector<std::unique_ptr<Client>>> run();

private:
  absl::Status checkEndpoints() const;
  std::unique_ptr<Link> openLink(const std::string &endpoint) const;
  absl::Status tryMissing();
  absl::Status checkClosed(size_t endpoint, const std::string &cause);
  std::string missing(bool withCauses) const;
  bool cancelledWithin(absl::Duration duration) const;

  std::span<const std::string> endpoints;
  const ConnectOptions &options;
  const Clock &clock;
  std::vector<std::unique_ptr<Client>> clients;
  /// Why the last attempt to reach each endpoint failed.
  std::vector<std::string> causes;
  /// Since when each has closed every connection.
  std::vector<std::optional<Clock::TimePoint>> closedSince;
};
} // namespace

absl::Status Connector::checkEndpoints() const {
  std::set<std::string> seen;
  for (const std::string &endpoint : endpoints) {
    RETURN_IF_ERROR(checkEndpoint(endpoint));
    if (!seen.insert(endpoint).second)
      return absl::InvalidArgumentError(
          absl::StrCat("pserver ", endpoint, " is given twice"));
  }
  return absl::OkStatus();
}

/// The cause of a server that closes a connection as soon as it is there.
static constexpr char closed[] = "socket closed";

/// The few words in gRPC's account of a failure that say why.
static std::string causeOf(const absl::Status &failure) {
  const std::string account(failure.message());
  if (absl::StrContains(account, "DNS resolution failed"))
    return "name does not resolve";
  if (absl::IsDeadlineExceeded(failure) ||
      absl::StrContains(account, "timed out"))
    return "no answer";
  const size_t colon = account.rfind(": ");
  std::string cause =
      colon == std::string::npos ? account : account.substr(colon + 2);
  if (!cause.empty())
    cause[0] = absl::ascii_tolower(cause[0]);
  return cause;
}

absl::Status ps::runtime::describeNoAnswer(const absl::Status &reason,
                                           const std::string &endpoint) {
  if (isLinkFailure(reason))
    return absl::UnavailableError(absl::StrCat(
        "no pserver answers at ", endpoint, ": ", causeOf(reason)));
  return annotate(reason,
                  isNotAPServer(reason)
                      ? "something other than a pserver answers at "
                      : "pserver ",
                  endpoint);
}

std::unique_ptr<Link> Connector::openLink(const std::string &endpoint) const {
  const ClientOptions &client = options.client;
  return makeLink({.endpoint = endpoint,
                   .transport = options.transport,
                   .callTimeout = client.peerTimeout / 2,
                   .barrierTimeout = client.stepTimeout + client.peerTimeout,
                   .pushesWait = !client.keepsStep,
                   .security = options.security,
                   .log = options.log});
}

/// A server that refuses a certificate does not say so. One that is about to
/// start or to end closes connections, too, but not for long.
absl::Status Connector::checkClosed(size_t endpoint, const std::string &cause) {
  constexpr auto limit = std::chrono::seconds(5);
  std::optional<Clock::TimePoint> &since = closedSince[endpoint];
  if (cause != closed || options.security.certificates.isEmpty()) {
    since.reset();
    return absl::OkStatus();
  }
  since = since.value_or(clock.now());
  if (clock.now() - *since < limit)
    return absl::OkStatus();
  return absl::UnauthenticatedError(absl::StrCat(
      "pserver ", endpoints[endpoint],
      " closes the connection: its log may say why; if not, it refuses the "
      "certificate in --tls-cert, which has expired or is not signed by an "
      "authority in the pserver's --tls-ca"));
}

/// Introduces the trainer to those that have not answered yet, all at once. A
/// refusal, or a job that fails meanwhile, is an error.
absl::Status Connector::tryMissing() {
  const ClientOptions &client = options.client;
  std::vector<std::unique_ptr<Link>> links(endpoints.size());
  std::vector<absl::StatusOr<Welcome>> answers(endpoints.size());
  for (size_t i = 0; i < endpoints.size(); ++i)
    if (!clients[i])
      links[i] = openLink(endpoints[i]);
  auto introduce = [&](size_t i, Done done) {
    if (!links[i])
      return done(absl::OkStatus());
    handshake(*links[i], client.hello,
              [&answer = answers[i], done = std::move(done)](
                  absl::StatusOr<Welcome> welcome) mutable {
                answer = std::move(welcome);
                done(absl::OkStatus());
              });
  };
  // Failures are reported by the answers below.
  (void)awaitAll(endpoints.size(), introduce, options.cancel, [&] {
    for (const std::unique_ptr<Link> &link : links)
      if (link)
        link->disconnect();
  });

  for (size_t i = 0; i < endpoints.size(); ++i) {
    if (!links[i]) {
      RETURN_IF_ERROR(clients[i]->health());
    } else if (answers[i].ok()) {
      ClientOptions own = client;
      own.welcome = *std::move(answers[i]);
      own.log = options.log;
      clients[i] =
          makeClient(endpoints[i], std::move(links[i]), std::move(own));
    } else if (isLinkFailure(answers[i].status())) {
      causes[i] = causeOf(answers[i].status());
      RETURN_IF_ERROR(checkClosed(i, causes[i]));
      if (causes[i] == closed && options.security.certificates.isEmpty())
        causes[i] += ": does it use TLS?";
    } else if (isNotAPServer(answers[i].status())) {
      return describeNoAnswer(answers[i].status(), endpoints[i]);
    } else {
      return refusal(answers[i].status(), endpoints[i], client.hello);
    }
  }
  return absl::OkStatus();
}

/// "'127.0.0.1:6174', '127.0.0.1:6175'", or "'127.0.0.1:6174' (connection
/// refused)" with causes; empty when all have answered.
std::string Connector::missing(bool withCauses) const {
  std::vector<std::string> quoted;
  for (size_t i = 0; i < endpoints.size(); ++i)
    if (!clients[i])
      quoted.push_back(
          absl::StrCat("'", endpoints[i], "'",
                       withCauses ? absl::StrCat(" (", causes[i], ")") : ""));
  return absl::StrJoin(quoted, ", ");
}

/// Waits for `duration`, or until the run is cancelled, which it reports.
bool Connector::cancelledWithin(absl::Duration duration) const {
  Event never;
  return (options.cancel ? *options.cancel : never).waitFor(duration, clock);
}

/// Returns the clients in the order of the endpoints. Fails at once on a
/// refusal, since waiting would not change it.
absl::StatusOr<std::vector<std::unique_ptr<Client>>> Connector::run() {
  RETURN_IF_ERROR(checkEndpoints());
  constexpr absl::Duration quietInterval = absl::Milliseconds(50);
  const Clock::TimePoint begin = clock.now();
  auto elapsed = [&] { return absl::FromChrono(clock.now() - begin); };
  while (true) {
    RETURN_IF_ERROR(tryMissing());
    const std::string left = missing(/*withCauses=*/false);
    if (left.empty())
      return std::move(clients);
    const absl::Duration rest = options.connectTimeout - elapsed();
    if (rest <= absl::ZeroDuration())
      return absl::DeadlineExceededError(
          absl::StrCat("pservers not ready within ",
                       absl::FormatDuration(options.connectTimeout), ": [",
                       missing(/*withCauses=*/true), "]"));
    const bool quiet = elapsed() < options.quietTime;
    if (!quiet) {
      logLine(options.log,
              absl::StrCat("server not ready, wait ",
                           absl::ToDoubleSeconds(options.retryInterval),
                           " sec to retry..."));
      logLine(options.log, absl::StrCat("not ready endpoints:[", left, "]"));
    }
    if (cancelledWithin(
            std::min(quiet ? quietInterval : options.retryInterval, rest)))
      return absl::CancelledError("cancelled while waiting for pservers");
  }
}

absl::StatusOr<std::vector<std::unique_ptr<Client>>>
ps::runtime::connectAll(std::span<const std::string> endpoints,
                        const ConnectOptions &options) {
  return Connector(endpoints, options).run();
}

absl::StatusOr<std::unique_ptr<Client>>
ps::runtime::connectInProcess(std::string endpoint, Service &service,
                              ClientOptions options) {
  return introduce(std::move(endpoint), makeInProcessLink(service),
                   std::move(options));
}
