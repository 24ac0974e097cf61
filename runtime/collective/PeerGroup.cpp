// SPDX-License-Identifier: Apache-2.0
//===- PeerGroup.cpp - the trainers of several processes ------------------===//
//
// Trainers start in any order: each listens first, then calls the others until
// they answer.
//
//===----------------------------------------------------------------------===//

#include "runtime/collective/PeerGroup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Join.h"
#include "runtime/base/LongWait.h"
#include "runtime/base/Status.h"
#include "runtime/collective/PeerMember.h"
#include "runtime/links/Direct.h"
#include "runtime/links/Grpc.h"
#include "runtime/protocol/Endpoint.h"
#include "runtime/protocol/Handshake.h"
#include <algorithm>

using namespace ps::runtime;

namespace {

class PeerGroupImpl final : public PeerGroup {
public:
  explicit PeerGroupImpl(PeerOptions given)
      : options(std::move(given)), member(PeerMember::create(options)) {}
  ~PeerGroupImpl() override { member->shutdown(); }

  absl::Status start(const std::string &address, const Log &log) {
    direct = DirectServer::start(*member, address, options.transport,
                                 options.trainers, log, options.security);
    ASSIGN_OR_RETURN(server,
                     GrpcServer::start(address, *direct, log, options.security,
                                       options.trainers));
    return absl::OkStatus();
  }
  const std::string &endpoint() const override { return server->endpoint(); }
  absl::Status connect(std::span<const std::string> endpoints,
                       const PeerConnectOptions &connect) override;

  void allReduce(int64_t step, int64_t channel, std::vector<ReducePart> parts,
                 Done done) override {
    member->issue({{step, channel, OperationKind::AllReduce},
                   std::move(parts),
                   std::move(done)});
  }
  void broadcast(int64_t step, int64_t channel, std::span<std::byte> value,
                 Done done) override {
    member->issue({{step, channel, OperationKind::Broadcast},
                   {{DType::UI8, value, value}},
                   std::move(done)});
  }
  void sum(int64_t step, int64_t index, std::span<double> values,
           Done done) override {
    const std::span<std::byte> bytes = std::as_writable_bytes(values);
    member->issue({{step, index, OperationKind::Sum},
                   {{DType::F64, bytes, bytes}},
                   std::move(done)});
  }
  void proposeStop(std::span<double> proposals, Done done) override {
    member->proposeStop(proposals, std::move(done));
  }
  void complete() override { member->complete(); }
  void abort(const std::string &reason) override { member->abort(reason); }
  absl::Status health() const override { return member->health(); }
  std::string describePending() const override {
    return member->describePending();
  }

private:
  absl::Status tryMissing(std::span<const std::string> endpoints,
                          const Event *cancel, std::vector<int> &missing);

  const PeerOptions options;
  const std::shared_ptr<PeerMember> member;
  /// Close first: their calls end in the member.
  std::unique_ptr<DirectServer> direct;
  std::unique_ptr<GrpcServer> server;
};

} // namespace

/// Introduces this trainer to those that have not answered, all at once.
absl::Status PeerGroupImpl::tryMissing(std::span<const std::string> endpoints,
                                       const Event *cancel,
                                       std::vector<int> &missing) {
  std::vector<std::unique_ptr<Link>> links;
  for (int peer : missing)
    links.push_back(
        makeLink({.endpoint = endpoints[peer],
                  .transport = options.transport,
                  .callTimeout = options.hello.peerTimeout,
                  .barrierTimeout = options.timeout + options.hello.peerTimeout,
                  .security = options.security,
                  .log = {}}));
  std::vector<absl::Status> answers(missing.size());
  auto join = [&](size_t i, Done done) {
    links[i]->call(member->makeJoin(missing[i]), {},
                   [&answer = answers[i], done = std::move(done)](
                       const absl::StatusOr<Response> &response) mutable {
                     answer = response.status();
                     done(absl::OkStatus());
                   });
  };
  // Failures are reported by the answers below.
  (void)awaitAll(missing.size(), join, cancel, [&] {
    for (const std::unique_ptr<Link> &link : links)
      link->disconnect();
  });
  std::vector<int> left;
  for (size_t i = 0; i != missing.size(); ++i) {
    const int peer = missing[i];
    if (answers[i].ok())
      member->attach(peer, std::move(links[i]));
    else if (isLinkFailure(answers[i]))
      left.push_back(peer);
    else if (isNotAPServer(answers[i]))
      return annotate(answers[i], "something other than trainer ", peer,
                      " answers at ", endpoints[peer]);
    else
      return annotate(answers[i], "trainer ", peer, " at ", endpoints[peer],
                      " refuses trainer ", options.hello.trainerId);
  }
  missing = std::move(left);
  return member->health();
}

absl::Status PeerGroupImpl::connect(std::span<const std::string> endpoints,
                                    const PeerConnectOptions &connect) {
  constexpr absl::Duration interval = absl::Milliseconds(50);
  if (static_cast<int>(endpoints.size()) != options.trainers)
    return absl::InvalidArgumentError(
        absl::StrCat("expected the addresses of ", options.trainers,
                     " trainers, found ", endpoints.size()));
  std::vector<int> missing;
  for (int peer = 0; peer != options.trainers; ++peer)
    if (peer != options.hello.trainerId) {
      RETURN_IF_ERROR(checkEndpoint(endpoints[peer]));
      missing.push_back(peer);
    }
  const Clock &clock = Clock::steady();
  const Clock::TimePoint deadline =
      clock.now() + clockDuration(connect.timeout);
  const WaitReason reason({.describe = [&] {
    return absl::StrCat("trainer ", missing.front(), " to answer at ",
                        endpoints[missing.front()]);
  }});
  ThreadWait wait;
  Event never;
  while (true) {
    RETURN_IF_ERROR(tryMissing(endpoints, connect.cancel, missing));
    if (missing.empty())
      return absl::OkStatus();
    if (clock.now() >= deadline)
      return absl::DeadlineExceededError(absl::StrCat(
          "trainers not ready within ", absl::FormatDuration(connect.timeout),
          ": ", absl::StrJoin(missing, ", ", [&](std::string *out, int peer) {
            absl::StrAppend(out, peer, " at ", endpoints[peer]);
          })));
    wait.look();
    if ((connect.cancel ? *connect.cancel : never).waitFor(interval))
      return absl::CancelledError("cancelled while waiting for trainers");
  }
}

absl::StatusOr<std::unique_ptr<PeerGroup>>
PeerGroup::listen(const std::string &endpoint, PeerOptions options,
                  const Log &log) {
  RETURN_IF_ERROR(checkTrainerId(options.hello.trainerId, options.trainers));
  auto group = std::make_unique<PeerGroupImpl>(std::move(options));
  RETURN_IF_ERROR(group->start(endpoint, log));
  return group;
}
