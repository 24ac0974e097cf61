// SPDX-License-Identifier: Apache-2.0
//===- AllClients.cpp - what a trainer does on all pservers at once -------===//

#include "runtime/base/Event.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"
#include "runtime/client/Client.h"
#include "runtime/testing/CrashPoint.h"
#include <vector>

using namespace ps::runtime;

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
