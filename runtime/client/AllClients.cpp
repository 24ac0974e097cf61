// SPDX-License-Identifier: Apache-2.0
//===- AllClients.cpp - what a trainer does on all pservers at once -------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Event.h"
#include "runtime/base/Hash.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/client/Client.h"
#include "runtime/testing/CrashPoint.h"
#include <algorithm>
#include <vector>

using namespace ps::runtime;

uint64_t
ps::runtime::digestOf(std::span<const std::unique_ptr<Client>> clients) {
  uint64_t digest = clients.size();
  for (const std::unique_ptr<Client> &client : clients)
    digest = mixBits(digest ^ client->welcome().state);
  return std::max<uint64_t>(digest, 1);
}

/// A pserver that has begun anew does not know the process before: the others
/// do.
absl::Status
ps::runtime::checkPServers(std::span<const std::unique_ptr<Client>> clients,
                           int trainer) {
  const uint64_t own = digestOf(clients);
  for (const std::unique_ptr<Client> &client : clients)
    if (const uint64_t before = client->welcome().predecessor.pservers;
        before != 0 && before != own)
      return absl::FailedPreconditionError(absl::StrCat(
          "expected the pservers that trainer ", trainer,
          " had trained with before, as pserver ", client->endpoint(),
          " knows them, found that one was restarted since, which has lost its "
          "part of the model: restart the whole job"));
  return absl::OkStatus();
}

/// All pservers save at the same time; the first error counts once all have
/// answered.
absl::StatusOr<std::vector<SavedPart>>
ps::runtime::saveAll(std::span<const std::unique_ptr<Client>> clients,
                     const SaveRequest &request) {
  std::vector<absl::StatusOr<SavedPart>> answers(clients.size());
  // Every call of a client ends; failures are reported by the answers below.
  (void)awaitAll(clients.size(), [&](size_t i, Done done) {
    clients[i]->save(request, [&answer = answers[i], done = std::move(done)](
                                  absl::StatusOr<SavedPart> part) mutable {
      answer = std::move(part);
      done(absl::OkStatus());
    });
  });
  std::vector<SavedPart> parts;
  for (absl::StatusOr<SavedPart> &answer : answers) {
    RETURN_IF_ERROR(answer.status());
    parts.push_back(*std::move(answer));
  }
  return parts;
}

absl::Status
ps::runtime::completeAll(std::span<const std::unique_ptr<Client>> clients) {
  RETURN_IF_ERROR(awaitAll(clients.size(), [&](size_t i, Done done) {
    clients[i]->complete(std::move(done));
  }));
  crashPoint("trainer.completed");
  return awaitAll(clients.size(), [&](size_t i, Done done) {
    clients[i]->confirmCompletion(std::move(done));
  });
}

std::string
ps::runtime::describePending(std::span<const std::unique_ptr<Client>> clients) {
  std::optional<PendingCall> oldest;
  std::string endpoint;
  int pservers = 0;
  for (const std::unique_ptr<Client> &client : clients) {
    std::optional<PendingCall> pending = client->findPending();
    pservers += pending.has_value();
    if (!pending || (oldest && oldest->since <= pending->since))
      continue;
    endpoint = client->endpoint();
    oldest = std::move(pending);
  }
  if (!oldest)
    return "";
  return absl::StrCat(
      "pserver ", endpoint, ", ", oldest->what,
      pservers > 1 ? absl::StrCat(", and ", pservers - 1, " more") : "");
}

void ps::runtime::abortAll(std::span<const std::unique_ptr<Client>> clients,
                           const std::string &reason, absl::Duration limit) {
  if (clients.empty())
    return;
  // Shared: an answer may come after the limit.
  auto answered = std::make_shared<Event>();
  auto join = Join::create(clients.size(),
                           [answered](absl::Status) { answered->notify(); });
  for (const std::unique_ptr<Client> &client : clients)
    client->abort(reason, join->part());
  answered->waitFor(limit);
}
