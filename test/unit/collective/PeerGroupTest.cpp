// SPDX-License-Identifier: Apache-2.0
//===- PeerGroupTest.cpp - faults between trainers of several processes ---===//

#include "runtime/collective/PeerGroup.h"
#include "runtime/base/Join.h"
#include "runtime/links/Grpc.h"
#include "runtime/protocol/Handshake.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <arpa/inet.h>
#include <future>
#include <sys/socket.h>
#include <unistd.h>

using namespace ps::runtime;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

namespace {

PeerOptions optionsOf(int id, int trainers = 2) {
  return {.hello = {.trainerId = id,
                    .incarnation = id + 1u,
                    .jobHash = "job",
                    .peerTimeout = absl::Seconds(30),
                    .options = {{"--seed", "1"}}},
          .trainers = trainers};
}

std::unique_ptr<PeerGroup> listen(PeerOptions options) {
  return PeerGroup::listen("127.0.0.1:0", std::move(options)).value();
}

/// A trainer that this test plays: trainer 1 of 2.
class FakePeer : public Service {
public:
  FakePeer() : server(GrpcServer::start("127.0.0.1:0", *this).value()) {}
  ~FakePeer() override { release(); }

  /// Answers the first call, and others unless it is silent.
  void call(const wire::Request &request, Pieces, Respond done) override {
    if (request.has_announce())
      announced.notify();
    if (request.has_join() || !silent)
      return done(Response());
    MutexLock lock(mutex);
    held.push_back(std::move(done));
  }
  /// Introduces itself, with `change` made to what it says.
  absl::Status join(const std::string &to,
                    absl::FunctionRef<void(wire::Request &)> change) {
    link = makeGrpcLink(to, absl::Seconds(10), absl::Seconds(10));
    wire::Request request = requestFrom({1, 2});
    writeHello(optionsOf(1).hello, *request.mutable_join()->mutable_hello());
    request.mutable_join()->set_trainers(2);
    change(request);
    return send(request);
  }
  absl::Status send(const wire::Request &request, Pieces payload = {}) {
    return await([&](Done done) {
      link->call(request, payload,
                 [done = std::move(done)](
                     const absl::StatusOr<Response> &response) mutable {
                   done(response.status());
                 });
    });
  }
  void release() {
    std::vector<Respond> all;
    {
      MutexLock lock(mutex);
      all = std::move(held);
      held.clear();
    }
    for (Respond &done : all)
      done(absl::CancelledError("the test ends"));
  }

  std::atomic<bool> silent = false;
  Event announced;
  Mutex mutex;
  std::vector<Respond> held ABSL_GUARDED_BY(mutex);
  std::unique_ptr<GrpcServer> server;
  std::unique_ptr<Link> link;
};

/// Trainer 0, connected to the fake trainer 1.
struct Pair {
  FakePeer peer;
  std::unique_ptr<PeerGroup> group;

  explicit Pair(const PeerOptions &options = optionsOf(0))
      : group(listen(options)) {
    auto agree = [&](wire::Request &request) {
      request.mutable_join()->mutable_hello()->set_peer_timeout_ms(
          absl::ToInt64Milliseconds(options.hello.peerTimeout));
    };
    EXPECT_EQ(peer.join(group->endpoint(), agree), absl::OkStatus());
    const std::string endpoints[] = {"", peer.server->endpoint()};
    EXPECT_EQ(group->connect(endpoints, {}), absl::OkStatus());
  }
  absl::Status reduce(size_t count = 1) {
    std::vector<float> values(count, 1);
    const std::span<std::byte> bytes =
        std::as_writable_bytes(std::span(values));
    return await([&](Done done) {
      group->allReduce(3, 0, {{DType::F32, bytes, bytes}}, std::move(done));
    });
  }
};

TEST(PeerGroup, RefusesTrainersOfAnotherJob) {
  auto group = listen(optionsOf(0));
  FakePeer peer;
  auto refusal = [&](auto change) {
    return std::string(peer.join(group->endpoint(), change).message());
  };
  EXPECT_EQ(refusal([](wire::Request &request) {
              request.mutable_join()->mutable_hello()->set_job_hash("other");
            }),
            "trainer 1 runs another job: expected hash 'job', found 'other'");
  EXPECT_THAT(refusal([](wire::Request &request) {
                request.mutable_join()->mutable_hello()->set_version(1);
              }),
              MatchesRegex("expected version .* of the protocol, found 1"));
  EXPECT_EQ(refusal([](wire::Request &request) {
              request.mutable_join()->set_trainers(3);
            }),
            "expected 2 trainers, found 3");
  EXPECT_EQ(refusal([](wire::Request &request) { request.set_trainer(7); }),
            "trainer id 7 is out of range: expected 0 to 1");
  EXPECT_EQ(refusal([](wire::Request &request) {
              request.mutable_join()->set_to(1);
            }),
            "expected a call on trainer 0, found one on trainer 1: check the "
            "order of the addresses");
  EXPECT_THAT(
      refusal([](wire::Request &request) {
        request.mutable_join()->mutable_hello()->mutable_options(0)->set_value(
            "2");
      }),
      HasSubstr("expected --seed '1', as on trainer 0"));
  EXPECT_EQ(refusal([](wire::Request &) {}), "");
  EXPECT_EQ(refusal([](wire::Request &request) { request.set_incarnation(9); }),
            "trainer id 1 is taken by another process");
  EXPECT_TRUE(group->health().ok());
}

TEST(PeerGroup, NamesAPeerThatCloses) {
  Pair pair;
  auto closes = std::async(std::launch::async, [&] {
    pair.peer.link.reset();
    pair.peer.server.reset();
  });
  EXPECT_EQ(pair.reduce(),
            absl::UnavailableError(
                "all_reduce 0 of step 3: lost the connection to trainer 1"));
}

TEST(PeerGroup, NamesAPeerThatIsSilent) {
  PeerOptions options = optionsOf(0);
  options.hello.peerTimeout = absl::Seconds(2);
  Pair pair(options);
  pair.peer.silent = true;
  EXPECT_EQ(pair.reduce(), absl::AbortedError("all_reduce 0 of step 3: trainer "
                                              "1 has been silent for 2s"));
  pair.peer.release();
}

TEST(PeerGroup, EndsWithAPeerThatBreaksTheProtocol) {
  Pair pair;
  auto result =
      std::async(std::launch::async, [&] { return pair.reduce(1 << 20); });
  pair.peer.announced.wait();
  wire::Request announce = requestFrom({1, 2});
  announce.mutable_announce()->mutable_operation()->set_step(3);
  // More than an announcement may bring.
  const std::vector<std::byte> large(1 << 20);
  const Piece payload = large;
  EXPECT_THAT(std::string(pair.peer.send(announce, {&payload, 1}).message()),
              HasSubstr("expected 131072 at most"));
  wire::Request stranger = announce;
  stranger.set_incarnation(77);
  EXPECT_THAT(std::string(pair.peer.send(stranger).message()),
              HasSubstr("expected trainer 1 to join trainer 0 first"));
  EXPECT_TRUE(pair.group->health().ok());
  wire::Request abort = requestFrom({1, 2});
  abort.mutable_abort()->set_reason("trainer 1 failed: \x1b[2J");
  EXPECT_TRUE(pair.peer.send(abort).ok());
  EXPECT_EQ(result.get().message(),
            "all_reduce 0 of step 3: trainer 1 failed: \\x1b[2J");
}

TEST(PeerGroup, AnswersWhatItIsDestroyedWith) {
  for (bool completes : {false, true})
    for (size_t count : {size_t(1), size_t(1) << 20}) {
      Pair pair;
      std::vector<float> values(count, 1);
      const std::span<std::byte> bytes =
          std::as_writable_bytes(std::span(values));
      absl::Status first, second;
      Event answered;
      auto join = Join::create(2, [&](absl::Status) { answered.notify(); });
      auto reduce = [&](int64_t channel, absl::Status &result) {
        pair.group->allReduce(
            3, channel, {{DType::F32, bytes, bytes}},
            [&result, part = join->part()](absl::Status status) mutable {
              result = status;
              part(std::move(status));
            });
      };
      // Trainer 1 takes no part.
      reduce(0, first);
      reduce(1, second);
      if (completes)
        pair.group->complete();
      pair.peer.announced.wait();
      pair.group.reset();
      ASSERT_TRUE(answered.hasHappened());
      for (const absl::Status &status : {first, second})
        EXPECT_THAT(std::string(status.message()),
                    HasSubstr("trainer 0 failed: it ended early"));
    }
}

TEST(PeerGroup, ACancelledWaitForASilentTrainerEnds) {
  // Nothing accepts connections there.
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto *generic = reinterpret_cast<sockaddr *>(&address);
  socklen_t size = sizeof(address);
  ASSERT_EQ(bind(fd, generic, size), 0);
  ASSERT_EQ(::listen(fd, 8), 0);
  ASSERT_EQ(getsockname(fd, generic, &size), 0);
  const std::string endpoints[] = {
      "", "127.0.0.1:" + std::to_string(ntohs(address.sin_port))};
  PeerOptions options = optionsOf(0);
  options.hello.peerTimeout = absl::Hours(1);
  auto group = listen(options);
  Event cancel;
  auto connected = std::async(std::launch::async, [&] {
    return group->connect(endpoints,
                          {.timeout = absl::Hours(1), .cancel = &cancel});
  });
  cancel.notify();
  ASSERT_EQ(connected.wait_for(std::chrono::seconds(60)),
            std::future_status::ready);
  EXPECT_EQ(connected.get(),
            absl::CancelledError("cancelled while waiting for trainers"));
  close(fd);
}

TEST(PeerGroup, SurvivesGarbage) {
  Pair pair;
  const std::string endpoint = pair.group->endpoint();
  const int port = std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  ASSERT_EQ(
      connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
  const std::string garbage(4096, '\xff');
  (void)!write(fd, garbage.data(), garbage.size());
  close(fd);
  EXPECT_TRUE(pair.group->health().ok());
  pair.group->abort("the test ends");
}

} // namespace
