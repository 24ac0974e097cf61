// SPDX-License-Identifier: Apache-2.0
//===- DirectTest.cpp - connections beside gRPC ---------------------------===//
//
// Byte streams, frames over them, and what happens when the peer dies, is none
// of ours, or means harm. What programs see of a pserver over them is tested
// with the other transports.
//
//===----------------------------------------------------------------------===//

#include "runtime/links/FrameConnection.h"
#include "runtime/links/SharedMemory.h"
#include "runtime/links/Sockets.h"
#include "runtime/links/TcpStream.h"
#include "runtime/protocol/Handshake.h"
#include "test/unit/links/TransportCluster.h"
#include <array>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <random>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;

namespace {

using Stream = std::unique_ptr<ByteStream>;

std::array<Descriptor, 2> makeSockets() {
  int pair[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  return {Descriptor(pair[0]), Descriptor(pair[1])};
}

struct Streams {
  Stream server, client;
};

Streams makeSharedMemory() {
  auto [server, client] = makeSockets();
  Stream offered = *offerSharedMemory(std::move(server));
  return {std::move(offered), *attachSharedMemory(std::move(client))};
}

/// Waits for the next connection.
Descriptor acceptNext(const TcpListener &listener) {
  pollfd entry = {listener.socket.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&entry, 1, 10'000), 1);
  return *listener.accept();
}

/// Generous: it passes only where something is wrong.
constexpr absl::Duration limit = absl::Seconds(10);
constexpr StreamToken token = {std::byte{1}, std::byte{2}, std::byte{3}};

Streams makeTcp() {
  TcpListener listener = *TcpListener::open("127.0.0.1");
  Descriptor connected =
      *connectTcp("127.0.0.1", listener.port, absl::Seconds(10));
  Stream server = *acceptTcpStream(acceptNext(listener), token);
  Stream client;
  std::atomic<bool> isOpen{false};
  std::thread opening([&] {
    client = *openTcpStream(std::move(connected), token, limit);
    isOpen = true;
    server->wake();
  });
  while (!isOpen) {
    EXPECT_OK(server->read(nullptr, 0).status());
    EXPECT_OK(server->wait(ByteStream::Interest::Data));
  }
  opening.join();
  return {std::move(server), std::move(client)};
}

class ByteStreamTest : public ::testing::TestWithParam<Streams (*)()> {};
class FrameTest : public ByteStreamTest {};
const auto bothStreams = ::testing::Values(makeSharedMemory, makeTcp);
const auto nameOfStream = [](const auto &info) {
  return info.index == 0 ? "SharedMemory" : "Tcp";
};
INSTANTIATE_TEST_SUITE_P(All, ByteStreamTest, bothStreams, nameOfStream);
INSTANTIATE_TEST_SUITE_P(All, FrameTest, bothStreams, nameOfStream);

/// Byte i of what a test sends.
std::byte byteAt(uint64_t i) {
  return static_cast<std::byte>((i * 0x9e3779b97f4a7c15u) >> 56);
}

/// Sends `total` bytes in runs of random length.
void sendAll(ByteStream &stream, uint64_t total, uint32_t seed) {
  std::mt19937 random(seed);
  for (uint64_t sent = 0; sent < total;) {
    std::vector<std::byte> bytes(
        std::min<uint64_t>(total - sent, 1 + random() % 3'000'000));
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = byteAt(sent + i);
    for (Piece rest = bytes; !rest.empty();) {
      // In two pieces, one of which may be empty.
      const size_t cut = random() % (rest.size() + 1);
      const Piece pieces[] = {rest.first(cut), rest.subspan(cut)};
      absl::StatusOr<size_t> written = stream.write(pieces);
      ASSERT_OK(written.status());
      sent += *written;
      rest = rest.subspan(*written);
      if (*written == 0)
        ASSERT_OK(stream.wait(ByteStream::Interest::Room));
    }
  }
}

/// Reads `total` bytes and compares them.
void receiveAll(ByteStream &stream, uint64_t total, uint32_t seed) {
  std::mt19937 random(seed);
  for (uint64_t received = 0; received < total;) {
    std::vector<std::byte> bytes(1 + random() % 100'000);
    absl::StatusOr<size_t> count = stream.read(bytes.data(), bytes.size());
    ASSERT_OK(count.status());
    for (size_t i = 0; i < *count; ++i)
      ASSERT_EQ(bytes[i], byteAt(received + i)) << received + i;
    received += *count;
    if (*count == 0)
      ASSERT_OK(stream.wait(ByteStream::Interest::Data));
  }
}

/// Reads until the stream reports its end.
absl::Status endOf(ByteStream &stream, std::vector<std::byte> &received) {
  const absl::Time deadline = absl::Now() + testDeadline;
  absl::Status status;
  while (absl::Now() < deadline) {
    std::byte byte;
    absl::StatusOr<size_t> count = stream.read(&byte, 1);
    if (!count.ok())
      return count.status();
    if (*count == 1)
      received.push_back(byte);
    else if (!status.ok())
      return status;
    else
      status = stream.wait(ByteStream::Interest::Data);
  }
  return absl::DeadlineExceededError("it does not end");
}
absl::Status endOf(ByteStream &stream) {
  std::vector<std::byte> received;
  return endOf(stream, received);
}

TEST_P(ByteStreamTest, BytesArriveInOrderInBothDirections) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  constexpr uint64_t total = 20'000'000;
  for (bool fromServer : {false, true}) {
    Streams streams = GetParam()();
    ByteStream &from = fromServer ? *streams.server : *streams.client;
    ByteStream &to = fromServer ? *streams.client : *streams.server;
    std::thread sender([&] { sendAll(from, total, seed); });
    receiveAll(to, total, seed + 1);
    sender.join();
  }
}

TEST_P(ByteStreamTest, AnEndThatIsClosedIsNoticedAfterItsBytes) {
  Streams streams = GetParam()();
  const std::vector<std::byte> sent = {byteAt(0), byteAt(1), byteAt(2)};
  const Piece piece = sent;
  ASSERT_EQ(*streams.client->write(Pieces(&piece, 1)), 3u);
  streams.client.reset();
  std::vector<std::byte> received;
  expectError(endOf(*streams.server, received), absl::StatusCode::kUnavailable,
              {"has closed the connection"});
  EXPECT_EQ(received, sent);
}

/// A process that is killed leaves nothing but a closed socket.
TEST(SharedMemory, AProcessThatDiesIsNoticed) {
  auto [server, client] = makeSockets();
  Stream stream = *offerSharedMemory(std::move(server));
  client = Descriptor();
  expectError(endOf(*stream), absl::StatusCode::kUnavailable,
              {"has closed the connection"});
}

TEST_P(ByteStreamTest, WakingEndsTheNextWait) {
  Streams streams = GetParam()();
  streams.server->wake();
  EXPECT_OK(streams.server->wait(ByteStream::Interest::Data));
}

/// Sends `file` as a peer that offers shared memory does.
void sendDescriptor(const Descriptor &socket, const Descriptor &file) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (file) {
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr *control = CMSG_FIRSTHDR(&message);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = file.get();
    std::memcpy(CMSG_DATA(control), &number, sizeof number);
  }
  ASSERT_EQ(::sendmsg(socket.get(), &message, MSG_NOSIGNAL), 1);
}

/// Memory that is not sealed could be cut off under the mapping.
TEST(SharedMemory, MemoryThatCanShrinkIsRefused) {
  auto [server, client] = makeSockets();
  Descriptor memory(::memfd_create("test", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(memory.get(), 4096 + (2 << 20)), 0);
  sendDescriptor(server, memory);
  expectError(attachSharedMemory(std::move(client)).status(),
              absl::StatusCode::kInvalidArgument,
              {"expected sealed shared memory"});
}

TEST(SharedMemory, APeerThatSendsNoMemoryIsRefused) {
  auto [server, client] = makeSockets();
  sendDescriptor(server, Descriptor());
  expectError(attachSharedMemory(std::move(client)).status(),
              absl::StatusCode::kUnavailable, {"refused shared memory"});
}

/// The peer's view of the memory that a stream offers.
struct PeersView {
  explicit PeersView(const Descriptor &socket) {
    char byte;
    iovec data = {&byte, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))];
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    EXPECT_EQ(::recvmsg(socket.get(), &message, 0), 1);
    int number;
    std::memcpy(&number, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof number);
    memory = Descriptor(number);
    void *mapped = ::mmap(nullptr, controlBytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED, memory.get(), 0);
    EXPECT_NE(mapped, MAP_FAILED);
    control = static_cast<unsigned char *>(mapped);
  }
  ~PeersView() { ::munmap(control, controlBytes); }

  static constexpr size_t controlBytes = 4096;
  Descriptor memory;
  unsigned char *control;
};

TEST(SharedMemory, APeerThatWritesNonsenseBreaksNothing) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  int broken = 0;
  for (int round = 0; round < 200; ++round) {
    auto [server, client] = makeSockets();
    Stream stream = *offerSharedMemory(std::move(server));
    PeersView view(client);
    for (int i = 0; i < 50; ++i) {
      const size_t at = random() % 1024;
      view.control[at] = static_cast<unsigned char>(random());
    }
    std::vector<std::byte> bytes(3'000'000);
    const Piece piece = bytes;
    const bool readFails = !stream->read(bytes.data(), bytes.size()).ok();
    const bool writeFails = !stream->write(Pieces(&piece, 1)).ok();
    broken += readFails || writeFails;
  }
  EXPECT_GT(broken, 50);
}

/// Whoever was not introduced over gRPC gets nothing.
TEST(TcpStream, AWrongTokenIsRefused) {
  TcpListener listener = *TcpListener::open("127.0.0.1");
  Descriptor connected =
      *connectTcp("127.0.0.1", listener.port, absl::Seconds(10));
  Stream server = *acceptTcpStream(acceptNext(listener), token);
  std::thread stranger([&] {
    StreamToken wrong = token;
    wrong[15] = std::byte{9};
    EXPECT_TRUE(absl::IsUnavailable(
        openTcpStream(std::move(connected), wrong, limit).status()));
  });
  expectError(endOf(*server), absl::StatusCode::kPermissionDenied,
              {"not introduced"});
  server.reset();
  stranger.join();
}

/// Another program listens where the pserver's port was.
TEST(TcpStream, AServerThatDoesNotAnswerIsGivenUp) {
  TcpListener listener = *TcpListener::open("127.0.0.1");
  Descriptor connected =
      *connectTcp("127.0.0.1", listener.port, absl::Seconds(10));
  expectError(openTcpStream(std::move(connected), token, absl::Milliseconds(50))
                  .status(),
              absl::StatusCode::kUnavailable, {"no pserver answers"});
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

/// A connection with its thread; keeps what it receives.
class Peer {
public:
  explicit Peer(Stream stream)
      : connection(std::make_shared<FrameConnection>(std::move(stream))),
        thread([this] {
          connection->run({.receive = [this](Frame frame) { keep(frame); },
                           .closed =
                               [this](const absl::Status &reason) {
                                 ended.done()(reason);
                               }});
        }) {}
  ~Peer() {
    connection->close();
    thread.join();
  }

  void keep(const Frame &frame) {
    std::lock_guard<std::mutex> lock(mutex);
    frames.emplace_back(
        frame.call,
        std::vector<std::byte>(frame.payload.begin(), frame.payload.end()));
    changed.notify_all();
  }
  bool waitFor(size_t count) {
    std::unique_lock<std::mutex> lock(mutex);
    return changed.wait_for(lock, absl::ToChronoSeconds(testDeadline),
                            [&] { return frames.size() >= count; });
  }

  Pending ended;
  std::mutex mutex; // Guards what follows.
  std::condition_variable changed;
  std::vector<std::pair<uint64_t, std::vector<std::byte>>> frames;
  const std::shared_ptr<FrameConnection> connection;
  std::thread thread;
};

/// More than the rings hold, from several threads at once, while nobody waits.
TEST_P(FrameTest, FramesLargerThanTheRingArriveWhole) {
  Streams streams = GetParam()();
  Peer client(std::move(streams.client)), server(std::move(streams.server));
  constexpr int senders = 3, each = 12;
  std::vector<std::vector<std::byte>> payloads;
  for (size_t size : {0ul, 1ul, 5'000ul, 300'000ul, 1ul << 20, 2ul << 20})
    payloads.emplace_back(size, byteAt(size + 1));
  wire::Request request;
  request.mutable_heartbeat();
  std::vector<std::thread> threads;
  for (int sender = 0; sender < senders; ++sender)
    threads.emplace_back([&, sender] {
      for (int i = 0; i < each; ++i) {
        const Piece piece = payloads[(sender + i) % payloads.size()];
        client.connection->sendAnswer(sender * each + i, request,
                                      Pieces(&piece, 1), nullptr);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_TRUE(server.waitFor(senders * each));
  std::vector<int> next(senders);
  for (const auto &[call, payload] : server.frames) {
    const int sender = static_cast<int>(call) / each;
    EXPECT_EQ(static_cast<int>(call) % each, next[sender]++);
    EXPECT_EQ(payload, payloads[(sender + call % each) % payloads.size()]);
  }
}

TEST_P(FrameTest, WhatIsNoFrameEndsTheConnection) {
  Streams streams = GetParam()();
  const std::array<uint32_t, 4> head = {0, 0, /*header=*/1, /*payload=*/~0u};
  const Piece piece = std::as_bytes(std::span(head));
  ASSERT_EQ(*streams.client->write(Pieces(&piece, 1)), 16u);
  Peer server(std::move(streams.server));
  expectError(server.ended.wait(), absl::StatusCode::kInvalidArgument,
              {"malformed message", "4294967295"});
}

TEST_P(FrameTest, FlushingSendsWhatIsQueued) {
  Streams streams = GetParam()();
  Peer client(std::move(streams.client));
  const std::vector<std::byte> payload(2 << 20, std::byte{7});
  const Piece piece = payload;
  for (int i = 0; i < 4; ++i)
    client.connection->sendAnswer(i, wire::Request(), Pieces(&piece, 1),
                                  nullptr);
  client.connection->close(/*flush=*/true);
  Peer server(std::move(streams.server));
  ASSERT_TRUE(server.waitFor(4));
  EXPECT_EQ(server.frames.back().second, payload);
  expectError(client.ended.wait(), absl::StatusCode::kCancelled, {});
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

/// Counts the calls that take gRPC.
class CountingLink final : public Link {
public:
  CountingLink(std::unique_ptr<Link> link, std::atomic<int> &calls)
      : link(std::move(link)), calls(calls) {}
  void call(const wire::Request &request, Pieces payload,
            Respond done) override {
    calls += !request.has_heartbeat();
    link->call(request, payload, std::move(done));
  }
  void disconnect() override { link->disconnect(); }

private:
  const std::unique_ptr<Link> link;
  std::atomic<int> &calls;
};

TEST(DirectLink, CallsMoveBackToGrpcWhenTheConnectionIsLost) {
  Cluster cluster(Transport::Grpc, {});
  auto direct =
      DirectServer::start(*cluster.pserver, "127.0.0.1:0",
                          TransportChoice::Auto, /*callers=*/1, noLog);
  auto server = *GrpcServer::start("127.0.0.1:0", *direct, noLog);
  std::atomic<int> grpcCalls{0};
  std::vector<std::string> lines;
  const std::vector expected{server->endpoint() + ": shared memory"};
  std::unique_ptr<Client> client;
  // On a busy machine shared memory may be late.
  const absl::Time deadline = absl::Now() + testDeadline;
  while (lines != expected && absl::Now() < deadline) {
    client.reset();
    lines.clear();
    grpcCalls = 0;
    client = *introduce(
        server->endpoint(),
        makeDirectLink(
            std::make_unique<CountingLink>(
                makeGrpcLink(server->endpoint(), testDeadline, testDeadline),
                grpcCalls),
            {.endpoint = server->endpoint(),
             .log = [&](const std::string &line) { lines.push_back(line); }}),
        cluster.clientOptions(0));
  }
  ASSERT_EQ(lines, expected);
  Values values = {{"w", std::vector<float>(300000)},
                   {"b", std::vector<float>(7)}};
  Values grads = values;
  ASSERT_OK(fetch(*client, startupStep, values));
  grads["b"][0] = 2;
  ASSERT_OK(trainStep(*client, 0, grads, values));
  EXPECT_EQ(grpcCalls, 1); // The handshake.
  server.reset();
  direct.reset();
  server = *GrpcServer::start(client->endpoint(), *cluster.pserver, noLog);
  ASSERT_OK(trainStep(*client, 1, grads, values));
  EXPECT_GT(grpcCalls, 4);
  EXPECT_EQ(values["b"][0], 1 - 2 * rate * 2);
  ASSERT_OK(complete(*client));
}

/// A service that keeps calls instead of answering them.
class SilentService final : public Service {
public:
  void call(const wire::Request &request, Pieces, Respond done) override {
    if (request.has_hello() || request.has_heartbeat())
      return done(Response());
    if (request.has_complete())
      throw std::bad_alloc();
    std::lock_guard<std::mutex> lock(mutex);
    kept.push_back(std::move(done));
  }
  void answerAll() {
    std::lock_guard<std::mutex> lock(mutex);
    for (Respond &done : kept)
      done(absl::CancelledError("the test is over"));
    kept.clear();
  }

private:
  std::mutex mutex; // Guards kept.
  std::vector<Respond> kept;
};

/// A link to it, whose gRPC link has been left after the first call: on a busy
/// machine after that of another link.
class SilentServer {
public:
  explicit SilentServer(LinkOptions options = {}) {
    options.endpoint = server->endpoint();
    options.log = [this](const std::string &line) {
      if (line == server->endpoint() + ": shared memory")
        isDirect = true;
    };
    wire::Request hello = requestFrom({0, 1});
    hello.mutable_hello();
    const absl::Time deadline = absl::Now() + testDeadline;
    while (!isDirect && absl::Now() < deadline) {
      link = makeLink(options);
      (void)call(hello).wait();
    }
    EXPECT_TRUE(isDirect);
  }

  ~SilentServer() { service.answerAll(); }

  Pending call(const wire::Request &request, Pieces payload = {}) {
    Pending pending;
    link->call(request, payload,
               [done = pending.done()](
                   const absl::StatusOr<Response> &response) mutable {
                 done(response.status());
               });
    return pending;
  }

  SilentService service;
  std::unique_ptr<DirectServer> direct = DirectServer::start(
      service, "127.0.0.1:0", TransportChoice::Auto, /*callers=*/1, noLog);
  std::unique_ptr<GrpcServer> server =
      *GrpcServer::start("127.0.0.1:0", *direct, noLog);
  std::atomic<bool> isDirect{false};
  std::unique_ptr<Link> link;
};

wire::Request pushRequest() {
  wire::Request request = requestFrom({0, 1});
  request.mutable_push()->set_sequence(1);
  return request;
}

TEST(DirectLink, ACallWithoutAnAnswerEndsAtItsDeadline) {
  SilentServer silent({.callTimeout = absl::Seconds(2)});
  const absl::Status status = silent.call(pushRequest()).wait();
  EXPECT_TRUE(isLinkFailure(status)) << status;
}

/// All of a push may take long to arrive, and to be applied.
TEST(DirectLink, PushesThatWaitHaveTheTimeOfABarrier) {
  SilentServer silent({.callTimeout = testDeadline,
                       .barrierTimeout = absl::Seconds(1),
                       .pushesWait = true});
  wire::Request rows = requestFrom({0, 1});
  rows.mutable_push_rows()->set_sequence(2);
  const Pending pushes[] = {silent.call(pushRequest()), silent.call(rows)};
  for (const Pending &each : pushes)
    EXPECT_TRUE(isLinkFailure(each.wait())) << each.wait();
}

TEST(DirectLink, DisconnectingEndsTheCallsUnderWay) {
  SilentServer silent;
  Pending first = silent.call(pushRequest());
  silent.link->disconnect();
  EXPECT_TRUE(isLinkFailure(first.wait())) << first.wait();
  Pending second = silent.call(pushRequest());
  EXPECT_TRUE(isLinkFailure(second.wait())) << second.wait();
}

TEST(DirectLink, CallsUnderWayFailWhenTheConnectionIsLost) {
  SilentServer silent;
  Pending call = silent.call(pushRequest());
  // It waits for answers, which never come, no longer than two seconds.
  silent.direct.reset();
  EXPECT_TRUE(isLinkFailure(call.wait())) << call.wait();
}

/// A process that takes the place of one whose connection is lost, at the same
/// endpoint. Whether heartbeats have brought the connection back each time.
bool losesConnections(absl::Time deadline) {
  SilentService service;
  std::unique_ptr<DirectServer> direct;
  std::unique_ptr<GrpcServer> server;
  auto start = [&](const std::string &endpoint) {
    direct = DirectServer::start(service, endpoint, TransportChoice::Auto,
                                 /*callers=*/1, noLog);
    server = *GrpcServer::start(endpoint, *direct, noLog);
  };
  start("127.0.0.1:0");
  const std::string endpoint = server->endpoint();
  std::atomic<int> grpcCalls{0}, connected{0};
  auto link = makeDirectLink(
      std::make_unique<CountingLink>(
          makeGrpcLink(endpoint, testDeadline, testDeadline), grpcCalls),
      {.endpoint = endpoint, .log = [&](const std::string &line) {
         connected += line == endpoint + ": shared memory";
       }});
  auto call = [&](const wire::Request &request) {
    Pending pending;
    link->call(request, {},
               [done = pending.done()](
                   const absl::StatusOr<Response> &response) mutable {
                 done(response.status());
               });
    return pending;
  };
  wire::Request hello = requestFrom({0, 1}), heartbeat = hello;
  hello.mutable_hello();
  heartbeat.mutable_heartbeat();
  EXPECT_OK(call(hello).wait());
  std::vector<Pending> kept;
  int times = 1;
  for (; times != 4 && connected == times; ++times) {
    const int before = grpcCalls;
    kept.push_back(call(pushRequest()));
    EXPECT_EQ(grpcCalls, before);
    server.reset();
    direct.reset();
    start(endpoint);
    while (grpcCalls == before && absl::Now() < deadline)
      kept.push_back(call(pushRequest()));
    // What has failed once is not tried again.
    const absl::Time end = absl::Now() + limit;
    while (connected == times && absl::Now() < end)
      (void)call(heartbeat).wait();
  }
  service.answerAll();
  return times == 4 && connected == times;
}

TEST(DirectLink, TheAnswerToAHeartbeatBringsTheConnectionBack) {
  // On a busy machine shared memory may be late.
  const absl::Time deadline = absl::Now() + testDeadline;
  bool hasCome = false;
  while (!hasCome && absl::Now() < deadline)
    hasCome = losesConnections(deadline);
  EXPECT_TRUE(hasCome);
}

TEST(DirectServer, AServiceWithoutMemoryAnswersSo) {
  SilentServer silent;
  wire::Request request = requestFrom({0, 1});
  request.mutable_complete();
  expectError(silent.call(request).wait(), absl::StatusCode::kResourceExhausted,
              {"no memory for a call of trainer 0"});
}

/// An answer frees the payload of its call, which may not have left yet.
TEST(FrameConnection, CallsThatAreQueuedCannotBeAnswered) {
  Streams streams = makeSharedMemory();
  Peer client(std::move(streams.client));
  const std::vector<std::byte> payload(2 << 20);
  const Piece piece = payload;
  std::vector<uint64_t> numbers;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(client.connection->sendCall(
        wire::Request(), Pieces(&piece, 1), /*mayWait=*/true,
        [&](uint64_t number) { numbers.push_back(number); }));
  EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 2}));
  EXPECT_FALSE(client.connection->hasSent(1));
  EXPECT_FALSE(client.connection->hasSent(2));
  EXPECT_FALSE(client.connection->hasSent(3));
  Peer server(std::move(streams.server));
  ASSERT_TRUE(server.waitFor(2));
  EXPECT_TRUE(client.connection->hasSent(1));
  EXPECT_FALSE(client.connection->hasSent(3));
}

/// A peer that asks and does not read holds a bounded number of answers.
TEST(FrameConnection, NothingIsReceivedWhileTooMuchIsQueued) {
  Streams streams = makeSharedMemory();
  auto server = std::make_shared<FrameConnection>(std::move(streams.server),
                                                  /*mostQueued=*/4 << 20);
  const std::vector<std::byte> answer(1 << 20);
  const Piece piece = answer;
  std::atomic<int> received{0};
  std::thread thread([&] {
    server->run({.receive =
                     [&](const Frame &frame) {
                       ++received;
                       server->sendAnswer(frame.call, wire::Reply(),
                                          Pieces(&piece, 1), nullptr);
                     },
                 .closed = [](const absl::Status &) {}});
  });
  // Calls of 24 bytes, many more than answers fit.
  constexpr int calls = 1000;
  for (int i = 0; i < calls; ++i) {
    const std::array<uint32_t, 4> head = {static_cast<uint32_t>(i), 0, 0, 0};
    const Piece bytes = std::as_bytes(std::span(head));
    ASSERT_EQ(*streams.client->write(Pieces(&bytes, 1)), 16u);
  }
  while (received == 0)
    std::this_thread::yield();
  EXPECT_LT(received, 20);
  // It goes on as the peer reads.
  std::vector<std::byte> buffer(1 << 20);
  const absl::Time deadline = absl::Now() + testDeadline;
  while (received < 100 && absl::Now() < deadline)
    ASSERT_OK(streams.client->read(buffer.data(), buffer.size()).status());
  EXPECT_GE(received, 100);
  server->close();
  thread.join();
}

/// A peer that sends empty frames without a pause.
class EndlessStream final : public ByteStream {
public:
  absl::StatusOr<size_t> read(std::byte *to, size_t most) override {
    std::fill_n(to, most, std::byte(0));
    return most;
  }
  absl::StatusOr<size_t> write(Pieces) override { return 0; }
  absl::Status wait(Interest) override { return absl::OkStatus(); }
  void wake() override {}
  void shutdown() override {}
  std::string kind() const override { return "endless"; }
};

/// Where that fails this does not end.
TEST(FrameConnection, APeerThatDoesNotPauseDoesNotKeepItOpen) {
  auto server =
      std::make_shared<FrameConnection>(std::make_unique<EndlessStream>());
  std::atomic<int> received{0};
  std::thread thread([&] {
    server->run({.receive = [&](const Frame &) { ++received; },
                 .closed = [](const absl::Status &) {}});
  });
  while (received == 0)
    std::this_thread::yield();
  server->close(/*flush=*/true);
  thread.join();
}

/// As between containers: there is no such socket here.
TEST(DirectLink, AnOfferOfAnotherHostIsIgnored) {
  EXPECT_TRUE(
      absl::IsNotFound(connectLocal("ps-mlir-elsewhere", token).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      connectLocal(std::string(300, 'x'), token).status()));
}

/// What a process does that has taken the name of a pserver's socket: waits for
/// the token. Exits with the number of bytes that it gets.
[[noreturn]] void listenAsAnotherUser(const std::string &name, int ready) {
  constexpr uid_t other = 65534;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (::setuid(other) != 0 ||
      ::bind(listener, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
      ::listen(listener, 1) != 0 || ::write(ready, "x", 1) != 1)
    ::_exit(100);
  std::array<char, 64> found;
  const int peer = ::accept(listener, nullptr, nullptr);
  ::_exit(static_cast<int>(::recv(peer, found.data(), found.size(), 0)));
}

/// Any process of a host may listen under a name that it has seen.
TEST(DirectLink, AProcessOfAnotherUserGetsNoToken) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  const std::string name = "ps-mlir-test-" + std::to_string(::getpid());
  std::array<int, 2> ends = {};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const Descriptor ready(ends[0]), written(ends[1]);
  const pid_t child = ::fork();
  if (child == 0)
    listenAsAnotherUser(name, written.get());
  char mark = 0;
  ASSERT_EQ(::read(ready.get(), &mark, 1), 1);
  EXPECT_TRUE(failsWith(connectLocal(name, token).status(),
                        absl::StatusCode::kPermissionDenied,
                        "a process of another user"));
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "it got the token";
}

/// What the pserver of `cluster` offers to a trainer that introduces itself.
wire::DirectOffer offerOf(Cluster &cluster) {
  wire::Request request = requestFrom({0, 1});
  writeHello(cluster.hello(0), *request.mutable_hello());
  wire::DirectOffer offer;
  cluster.direct->call(request, {},
                       [&](const absl::StatusOr<Response> &response) {
                         ASSERT_OK(response.status());
                         offer = response->header.direct();
                       });
  return offer;
}

/// Whether the other end has closed a connection that it sends nothing over;
/// waits for that no longer than `limit`.
bool isRefused(const Descriptor &socket, absl::Duration limit) {
  pollfd entry = {socket.get(), POLLIN, 0};
  return ::poll(&entry, 1, static_cast<int>(limit / absl::Milliseconds(1))) ==
         1;
}

/// A trainer's process has one connection; 16 more may stay without a token,
/// and give way when they end.
TEST(DirectServer, ConnectionsWithoutATokenAreLimited) {
  Cluster cluster(Transport::Tcp, {.trainers = 3});
  const int port = static_cast<int>(offerOf(cluster).port());
  auto connect = [&] { return *connectTcp("127.0.0.1", port, limit); };
  std::vector<Descriptor> open;
  for (int i = 0; i < 19; ++i)
    open.push_back(connect());
  EXPECT_TRUE(isRefused(connect(), limit));
  for (const Descriptor &each : open)
    EXPECT_FALSE(isRefused(each, absl::ZeroDuration()));
  open.clear();
  const absl::Time deadline = absl::Now() + testDeadline;
  while (isRefused(connect(), absl::Milliseconds(100)))
    ASSERT_LT(absl::Now(), deadline);
}

StreamToken tokenOf(const wire::DirectOffer &offer) {
  StreamToken result = {};
  EXPECT_EQ(offer.token().size(), result.size());
  std::memcpy(result.data(), offer.token().data(), result.size());
  return result;
}

/// The shared memory of an offer: on a busy machine it may be late.
absl::StatusOr<Stream> attach(const wire::DirectOffer &offer) {
  const absl::Time deadline = absl::Now() + testDeadline;
  while (true) {
    absl::StatusOr<Descriptor> socket =
        connectLocal(offer.socket(), tokenOf(offer));
    absl::StatusOr<Stream> stream =
        socket.ok() ? attachSharedMemory(*std::move(socket)) : socket.status();
    if (stream.ok() || absl::Now() > deadline)
      return stream;
  }
}

/// All processes of a machine can see the name of the socket.
TEST(DirectServer, ALocalSocketGivesNoMemoryWithoutTheToken) {
  Cluster cluster(Transport::SharedMemory, {});
  const wire::DirectOffer offer = offerOf(cluster);
  StreamToken wrong = tokenOf(offer);
  wrong[0] ^= std::byte{1};
  for (const StreamToken &each : {wrong, StreamToken{}}) {
    Descriptor socket = *connectLocal(offer.socket(), each);
    EXPECT_FALSE(attachSharedMemory(std::move(socket)).ok());
  }
  EXPECT_OK(attach(offer).status());
}

/// Junk on one connection concerns that connection only.
TEST(DirectServer, AConnectionThatSendsJunkIsClosed) {
  Cluster cluster(Transport::SharedMemory, {});
  const wire::DirectOffer offer = offerOf(cluster);
  Stream junk = *attach(offer);
  const std::array<uint32_t, 5> frame = {1, 0, /*header=*/4, /*payload=*/0,
                                         ~0u};
  const Piece piece = std::as_bytes(std::span(frame));
  ASSERT_EQ(*junk->write(Pieces(&piece, 1)), 20u);
  expectError(endOf(*junk), absl::StatusCode::kUnavailable, {});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values = {{"w", std::vector<float>(300000)},
                   {"b", std::vector<float>(7)}};
  ASSERT_OK(fetch(*client, startupStep, values));
}

} // namespace
