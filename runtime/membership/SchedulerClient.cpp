// SPDX-License-Identifier: Apache-2.0
//===- SchedulerClient.cpp - a process's way to its scheduler -------------===//

#include "runtime/membership/SchedulerClient.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/RandomBits.h"
#include "runtime/base/Status.h"
#include "runtime/links/Grpc.h"
#include "runtime/membership/Roster.h"

using namespace ps::runtime;

namespace {
class SchedulerClient final : public Coordinator {
public:
  SchedulerClient(const std::string &endpoint, std::unique_ptr<Link> link,
                  const wire::Member &member)
      : endpoint(endpoint), link(std::move(link)), member(member) {}

  absl::StatusOr<wire::JobRecord> change(const wire::Change &change) override;
  absl::StatusOr<wire::JobRecord> read() override;
  absl::StatusOr<wire::JobRecord> watch(uint64_t revision) override;
  void disconnect() override { link->disconnect(); }
  std::string name() const override {
    return absl::StrCat("the scheduler at ", endpoint);
  }

private:
  absl::StatusOr<wire::JobRecord> call(const wire::SchedulerCall &call);
  absl::Status describe(const absl::Status &status) const;

  const std::string endpoint;
  const std::unique_ptr<Link> link;
  const wire::Member member;
};
} // namespace

/// A scheduler that ends, or whose disk is full, may be started again.
absl::Status SchedulerClient::describe(const absl::Status &status) const {
  if (isLinkFailure(status) || absl::IsUnavailable(status))
    return linkFailure(absl::StatusCode::kUnavailable,
                       absl::StrCat("no scheduler answers at ", endpoint, ": ",
                                    status.message()));
  if (isNotAPServer(status))
    return annotate(status, "something other than a scheduler answers at ",
                    endpoint);
  return annotate(status, name());
}

absl::StatusOr<wire::JobRecord>
SchedulerClient::call(const wire::SchedulerCall &call) {
  wire::Request request;
  // Of this call, also where the link repeats it: the scheduler may learn of
  // its end when the next one has begun.
  request.set_incarnation(randomBits());
  request.mutable_membership();
  const std::string bytes = call.SerializeAsString();
  const Piece payload = std::as_bytes(std::span(bytes));
  std::string answer;
  const absl::Status status = await([&](Done done) {
    link->call(request, {&payload, 1},
               [&answer, done = std::move(done)](
                   const absl::StatusOr<Response> &response) mutable {
                 if (response.ok()) {
                   answer.resize(totalBytes(response->payload));
                   copyPieces(response->payload,
                              reinterpret_cast<std::byte *>(answer.data()));
                 }
                 done(response.status());
               });
  });
  if (!status.ok())
    return describe(status);
  wire::JobRecord record;
  if (!record.ParseFromString(answer))
    return absl::InternalError(
        absl::StrCat(name(), " sends no record of a job"));
  return record;
}

absl::StatusOr<wire::JobRecord>
SchedulerClient::change(const wire::Change &change) {
  wire::SchedulerCall request;
  *request.mutable_change() = change;
  return call(request);
}

/// Any revision is another one than 0, so the answer comes at once; a caller
/// without a name has no seat and is soon forgotten.
absl::StatusOr<wire::JobRecord> SchedulerClient::read() {
  wire::SchedulerCall request;
  request.mutable_watch()->set_revision(0);
  return call(request);
}

absl::StatusOr<wire::JobRecord> SchedulerClient::watch(uint64_t revision) {
  wire::SchedulerCall request;
  *request.mutable_watch()->mutable_member() = member;
  request.mutable_watch()->set_revision(revision);
  return call(request);
}

std::unique_ptr<Coordinator>
ps::runtime::makeSchedulerClient(const std::string &endpoint,
                                 std::unique_ptr<Link> link,
                                 const wire::Member &member) {
  return std::make_unique<SchedulerClient>(endpoint, std::move(link), member);
}

std::unique_ptr<Coordinator>
ps::runtime::connectScheduler(const std::string &endpoint,
                              absl::Duration timeout,
                              const Security &security) {
  return makeSchedulerClient(endpoint,
                             makeGrpcLink(endpoint, timeout, timeout, security),
                             ownMember());
}
