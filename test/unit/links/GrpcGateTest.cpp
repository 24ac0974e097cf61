// SPDX-License-Identifier: Apache-2.0
//===- GrpcGateTest.cpp - the job's token over gRPC -----------------------===//

#include "runtime/links/GrpcGate.h"
#include "runtime/base/Join.h"
#include "runtime/links/GrpcChannel.h"
#include "runtime/links/MakeLink.h"
#include "test/unit/base/ManualClock.h"
#include "test/unit/links/TransportCluster.h"
#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <mutex>

using namespace ps::runtime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace {

const Security right = {.token = "the token of the job"};
const Security wrong = {.token = "the token of another"};

/// A service that counts its calls and answers them.
class CountingService final : public Service {
public:
  void call(const wire::Request &, Pieces, Respond done) override {
    ++calls;
    done(Response());
  }
  std::atomic<int> calls{0};
};

/// A service behind a gate, and what the gate logs.
struct Gated {
  explicit Gated(const Security &security)
      : direct(DirectServer::start(service, "127.0.0.1:0",
                                   TransportChoice::Auto, 4, noLog)),
        server(*GrpcServer::start(
            "127.0.0.1:0", *direct,
            [this](const std::string &line) {
              std::lock_guard<std::mutex> lock(mutex);
              lines.push_back(line);
            },
            security)) {}

  std::vector<std::string> refusals() {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<std::string> found;
    for (const std::string &line : lines)
      if (line.find("refused") != std::string::npos)
        found.push_back(line);
    return found;
  }
  std::unique_ptr<Link> link(const Security &security) const {
    return makeLink({.endpoint = server->endpoint(),
                     .callTimeout = testDeadline,
                     .barrierTimeout = testDeadline,
                     .security = security,
                     .log = noLog});
  }

  CountingService service;
  std::unique_ptr<DirectServer> direct;
  std::mutex mutex; // Guards lines.
  std::vector<std::string> lines;
  std::unique_ptr<GrpcServer> server;
};

wire::Request hello() {
  wire::Request request = requestFrom({0, 1});
  request.mutable_hello()->set_job_hash("secret-hash");
  return request;
}

absl::Status call(Link &link, const wire::Request &request) {
  return await([&](Done done) {
    link.call(request, {},
              [done = std::move(done)](
                  const absl::StatusOr<Response> &response) mutable {
                done(response.status());
              });
  });
}

TEST(GrpcGate, ProcessesWithTheTokenAreLetIn) {
  Gated gated(right);
  auto link = gated.link(right);
  EXPECT_OK(call(*link, hello()));
  wire::Request request = requestFrom({0, 1});
  request.mutable_heartbeat();
  EXPECT_OK(call(*link, request));
  request.mutable_complete();
  EXPECT_OK(call(*link, request));
  EXPECT_EQ(gated.service.calls, 3);
  EXPECT_THAT(gated.refusals(), IsEmpty());
}

TEST(GrpcGate, OthersAreRefusedAlikeAndLoggedOnce) {
  Gated gated(right);
  for (const Security &security : {Security(), wrong, Security(), wrong}) {
    const absl::Status status = call(*gated.link(security), hello());
    expectError(status, absl::StatusCode::kUnauthenticated,
                {"expected the job's token: give all processes the same "
                 "--token-file"});
    EXPECT_FALSE(isLinkFailure(status));
  }
  EXPECT_EQ(gated.service.calls, 0);
  EXPECT_THAT(gated.refusals(),
              ElementsAre("refused a process at 127.0.0.1: it does not prove "
                          "the job's token"));
}

/// Nothing of a call, not even its handshake, goes to a server without the
/// token.
TEST(GrpcGate, AServerThatProvesNothingGetsNoCall) {
  Gated open{Security()};
  const absl::Status status = call(*open.link(right), hello());
  EXPECT_TRUE(isNotAPServer(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("it does not prove that it has the job's token"));
  EXPECT_EQ(open.service.calls, 0);
}

TEST(GrpcGate, ARestartedServerIsProvedAgain) {
  auto gated = std::make_unique<Gated>(right);
  const std::string endpoint = gated->server->endpoint();
  auto link = makeGrpcLink(endpoint, testDeadline, testDeadline, right);
  EXPECT_OK(call(*link, hello()));
  gated->server.reset();
  CountingService service;
  auto second = *GrpcServer::start(endpoint, service, noLog, right);
  // The first attempts find a lost connection, then a pass of another process.
  absl::Status status;
  const absl::Time deadline = absl::Now() + testDeadline;
  do {
    status = call(*link, hello());
    ASSERT_TRUE(status.ok() || isLinkFailure(status)) << status;
  } while (!status.ok() && absl::Now() < deadline);
  EXPECT_EQ(service.calls, 1);
}

/// A server that answers no call until its client has given it up.
class SilentGrpcService final : public grpc::CallbackGenericService {
public:
  class Reactor final : public grpc::ServerGenericBidiReactor {
  public:
    void OnCancel() override { Finish(grpc::Status::CANCELLED); }
    void OnDone() override { delete this; }
  };
  grpc::ServerGenericBidiReactor *
  CreateReactor(grpc::GenericCallbackServerContext *context) override {
    method = context->method();
    called.notify();
    return new Reactor();
  }
  std::string method;
  Event called;
};

TEST(GrpcGate, DisconnectingEndsAProofUnderWay) {
  SilentGrpcService service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  builder.RegisterCallbackGenericService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  // Its own deadline does not end the proof within the test.
  auto link = makeGrpcLink("127.0.0.1:" + std::to_string(port),
                           10 * testDeadline, 10 * testDeadline, right);
  Pending pending;
  link->call(hello(), {},
             [done = pending.done()](
                 const absl::StatusOr<Response> &response) mutable {
               done(response.status());
             });
  service.called.wait();
  EXPECT_EQ(service.method, authenticateMethod);
  EXPECT_FALSE(pending.answered());
  link->disconnect();
  const absl::Status status = pending.wait();
  EXPECT_TRUE(isLinkFailure(status)) << status;
}

//===----------------------------------------------------------------------===//
// Strangers
//===----------------------------------------------------------------------===//

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// What a process gets that speaks gRPC and knows the protocol, but no token.
struct Stranger {
  explicit Stranger(const std::string &endpoint)
      : stub(grpc::CreateChannel(endpoint,
                                 grpc::InsecureChannelCredentials())) {}

  grpc::Status call(const char *method, const Metadata &metadata,
                    size_t bytes = 10) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         absl::ToChronoSeconds(testDeadline));
    for (const auto &[key, value] : metadata)
      context.AddMetadata(key, value);
    const std::string text(bytes, 'x');
    const grpc::Slice slice(text);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer reply;
    grpc::Status status;
    Event ended;
    stub.UnaryCall(&context, method, grpc::StubOptions(), &request, &reply,
                   [&](grpc::Status result) {
                     status = std::move(result);
                     ended.notify();
                   });
    ended.wait();
    answer.clear();
    for (const auto *from : {&context.GetServerInitialMetadata(),
                             &context.GetServerTrailingMetadata()})
      for (const auto &[key, value] : *from)
        answer.emplace_back(std::string(key.data(), key.size()),
                            std::string(value.data(), value.size()));
    return status;
  }
  std::string find(const std::string &key) const {
    for (const auto &[name, value] : answer)
      if (name == key)
        return value;
    return "";
  }

  grpc::GenericStub stub;
  Metadata answer;
};

/// Whatever it sends, the answer has the same text, and a new number.
TEST(GrpcGate, AStrangerLearnsNothing) {
  Gated gated(right);
  Stranger stranger(gated.server->endpoint());
  const std::string thirtyTwo(32, 'x');
  std::set<std::string> numbers;
  int attempts = 0;
  for (const char *method :
       {callMethod, authenticateMethod, "/ps.PServer/Other", "/"})
    for (const Metadata &metadata :
         {Metadata(), Metadata{{passKey, ""}}, Metadata{{passKey, thirtyTwo}},
          Metadata{{clientNonceKey, thirtyTwo}},
          Metadata{{clientNonceKey, thirtyTwo},
                   {serverNonceKey, thirtyTwo},
                   {proofKey, thirtyTwo}},
          Metadata{{proofKey, "short"}}}) {
      const grpc::Status status = stranger.call(method, metadata);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
      EXPECT_EQ(status.error_message(), notAuthenticated);
      EXPECT_EQ(stranger.find(passKey), "");
      EXPECT_EQ(stranger.find(proofKey), "");
      for (const auto &[key, value] : stranger.answer)
        EXPECT_THAT(value, Not(HasSubstr("hash")));
      numbers.insert(stranger.find(serverNonceKey));
      ++attempts;
    }
  EXPECT_EQ(numbers.size(), static_cast<size_t>(attempts));
  EXPECT_EQ(gated.service.calls, 0);
}

/// A message is not read for the refusal: neither its size nor that it is too
/// large for a server plays a part.
TEST(GrpcGate, MessagesOfStrangersAreNotRead) {
  Gated gated(right);
  Stranger stranger(gated.server->endpoint());
  for (size_t bytes : {size_t(1) << 20, size_t(3) << 20})
    EXPECT_EQ(stranger.call(callMethod, {}, bytes).error_message(),
              notAuthenticated);
  EXPECT_EQ(gated.service.calls, 0);
}

/// What an observer has recorded of a proof opens nothing: the number is used
/// up.
TEST(GrpcGate, ARecordedProofIsRefused) {
  Gated gated(right);
  Stranger member(gated.server->endpoint());
  Metadata sent = {{clientNonceKey, std::string(nonceBytes, 'c')}};
  member.call(authenticateMethod, sent);
  const std::string number = member.find(serverNonceKey);
  sent.emplace_back(serverNonceKey, number);
  sent.emplace_back(proofKey, computeProof(right.token, Prover::Client,
                                           sent[0].second, number));
  EXPECT_TRUE(member.call(authenticateMethod, sent).ok());
  EXPECT_NE(member.find(passKey), "");
  EXPECT_EQ(member.call(authenticateMethod, sent).error_message(),
            notAuthenticated);
  EXPECT_EQ(member.find(passKey), "");
  EXPECT_THAT(gated.refusals(),
              ElementsAre("refused a process at 127.0.0.1: it repeats an "
                          "answer"));
}

/// A service whose answers do not come before the test ends.
class ParkingService final : public Service {
public:
  void call(const wire::Request &, Pieces, Respond done) override {
    std::lock_guard<std::mutex> lock(mutex);
    parked.push_back(std::move(done));
  }
  void release() {
    std::vector<Respond> all;
    {
      std::lock_guard<std::mutex> lock(mutex);
      all.swap(parked);
    }
    for (Respond &done : all)
      done(absl::CancelledError("the test ends"));
  }
  size_t count() {
    std::lock_guard<std::mutex> lock(mutex);
    return parked.size();
  }
  std::mutex mutex; // Guards parked.
  std::vector<Respond> parked;
};

/// Whether a server whose calls are not answered holds 600 MiB of messages: not
/// if some fail, as calls do that are tried again.
static bool holdsManyMessages(int callers, size_t heldPerCaller) {
  ParkingService service;
  auto server = *GrpcServer::start("127.0.0.1:0", service, noLog, {}, callers,
                                   heldPerCaller);
  std::vector<std::unique_ptr<Link>> links;
  const std::vector<std::byte> payload(chunkBytes);
  const Piece piece = payload;
  std::vector<Pending> calls(600);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (i % 100 == 0)
      links.push_back(makeGrpcLink(server->endpoint(), testDeadline,
                                   /*barrierTimeout=*/testDeadline));
    wire::Request request = requestFrom({0, 1});
    request.mutable_push()->set_sequence(i);
    links.back()->call(request, Pieces(&piece, 1),
                       [done = calls[i].done()](
                           const absl::StatusOr<Response> &response) mutable {
                         done(response.status());
                       });
  }
  const absl::Time deadline = absl::Now() + testDeadline / 2;
  size_t failed = 0;
  while (failed == 0 && service.count() < calls.size() &&
         absl::Now() < deadline) {
    absl::SleepFor(absl::Milliseconds(50));
    for (const Pending &call : calls)
      failed += call.answered();
  }
  for (const Pending &call : calls)
    if (call.answered())
      EXPECT_TRUE(isLinkFailure(call.wait())) << call.wait();
  EXPECT_TRUE(failed > 0 || service.count() == calls.size());
  service.release();
  links.clear();
  service.release();
  return failed == 0;
}

TEST(GrpcServer, TheMemoryOfMessagesIsBounded) {
  EXPECT_FALSE(holdsManyMessages(/*callers=*/0, /*heldPerCaller=*/0));
}

/// What is held until all of it is here must fit.
TEST(GrpcServer, WhatTheServiceHoldsIsNotCountedAgainstCallers) {
  EXPECT_TRUE(holdsManyMessages(/*callers=*/1, 600 * chunkBytes));
}

TEST(RefusalLog, EachHostIsNamedOnceAndLinesAreFew) {
  std::vector<std::string> lines;
  ManualClock clock;
  RefusalLog log([&](const std::string &line) { lines.push_back(line); },
                 clock);
  log.note("ipv4:10.0.0.1:4000", "first");
  log.note("ipv4:10.0.0.1:4001", "again");
  log.note("ipv4:10.0.0.2:4000", "within the same second");
  clock.advance(absl::Seconds(2));
  log.note("ipv4:10.0.0.1:4002", "again");
  log.note("ipv6:%5B::1%5D:4000", "second\n");
  EXPECT_THAT(lines, ElementsAre("refused a process at 10.0.0.1: first",
                                 "refused a process at [::1]: second\n"));
  for (int i = 0; i < 1000; ++i) {
    clock.advance(absl::Seconds(2));
    log.note("ipv4:10.1." + std::to_string(i) + ".1:4000", "many");
  }
  EXPECT_EQ(lines.size(), 64u);
}

} // namespace
