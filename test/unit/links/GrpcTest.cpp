// SPDX-License-Identifier: Apache-2.0
//===- GrpcTest.cpp - what only the wire between processes shows ----------===//

#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/base/Threads.h"
#include "runtime/protocol/Endpoint.h"
#include "runtime/protocol/Wire.h"
#include "runtime/protocol/ps.pb.h"
#include "test/unit/MemoryLimit.h"
#include "test/unit/base/ManualClock.h"
#include "test/unit/links/TransportCluster.h"
#include <gmock/gmock.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <mutex>
#include <netinet/in.h>
#include <new>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace ps::runtime;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

/// Collects progress lines.
struct Lines {
  Log log() {
    return [this](const std::string &line) {
      std::lock_guard<std::mutex> lock(mutex);
      lines.push_back(line);
      if (onLine)
        onLine(line);
    };
  }
  std::mutex mutex; // Guards lines.
  std::vector<std::string> lines;
  std::function<void(const std::string &)> onLine;
};

std::string text(const absl::Status &status) {
  return std::string(status.message());
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// All bytes of a message, in one string.
std::string flatten(const grpc::ByteBuffer &buffer) {
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(buffer.Dump(&slices).ok());
  std::string bytes;
  for (const grpc::Slice &slice : slices)
    bytes.append(reinterpret_cast<const char *>(slice.begin()), slice.size());
  return bytes;
}

/// A message whose bytes lie in pieces of `size`.
grpc::ByteBuffer inPieces(const std::string &bytes, size_t size) {
  std::vector<grpc::Slice> slices;
  for (size_t i = 0; i < bytes.size(); i += size)
    slices.emplace_back(bytes.substr(i, size));
  return grpc::ByteBuffer(slices.data(), slices.size());
}

wire::Request pushOf(const std::string &block) {
  wire::Request request;
  request.set_trainer(3);
  request.mutable_push()->set_sequence(7);
  request.mutable_push()->add_ranges()->set_block(block);
  return request;
}

TEST(WireTest, MessagesSurviveAnySplit) {
  const std::string payload = "gradient";
  Piece piece = std::as_bytes(std::span(payload));
  grpc::ByteBuffer sent = encode(pushOf("fc_w"), Pieces(&piece, 1));
  const std::string bytes = flatten(sent);
  for (size_t size = 1; size <= bytes.size(); ++size) {
    grpc::ByteBuffer arrived = inPieces(bytes, size);
    wire::Request request;
    Message message;
    ASSERT_TRUE(message.decode(arrived, request).ok());
    EXPECT_EQ(request.push().ranges(0).block(), "fc_w");
    std::string found;
    for (Piece piece : message.payload())
      found.append(reinterpret_cast<const char *>(piece.data()), piece.size());
    EXPECT_EQ(found, payload);
  }
}

TEST(WireTest, TruncatedAndForgedMessagesAreErrors) {
  const std::string bytes = flatten(encode(pushOf("fc_w")));
  auto decode = [](const std::string &bytes) {
    grpc::ByteBuffer arrived = inPieces(bytes, 5);
    wire::Request request;
    Message message;
    return message.decode(arrived, request);
  };
  for (size_t size = 1; size < bytes.size(); ++size)
    EXPECT_EQ(decode(bytes.substr(0, size)).code(),
              absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(text(decode("\xff\xff\xff\xff....")),
              HasSubstr("a header of at most 65536 bytes, found 4294967295"));
  EXPECT_THAT(text(decode(std::string("\x02\0\0\0\xff\xff", 6))),
              HasSubstr("does not parse"));
  grpc::ByteBuffer none;
  wire::Request request;
  EXPECT_FALSE(Message().decode(none, request).ok());
}

TEST(WireTest, SixteenMebibytesAreSentWithoutACopy) {
  // What a push of 16 MiB hands to gRPC refers to the gradient itself.
  std::vector<float> gradient(4 << 20);
  std::span<const std::byte> rows = std::as_bytes(std::span(gradient));
  size_t referred = 0, copied = 0;
  for (size_t i = 0; i < numChunks(rows.size()); ++i) {
    Piece chunk = rows.subspan(i * chunkBytes, chunkBytes);
    int released = 0;
    {
      grpc::ByteBuffer message = encode(
          pushOf("w"), Pieces(&chunk, 1),
          [](void *count) { ++*static_cast<int *>(count); }, &released);
      std::vector<grpc::Slice> slices;
      ASSERT_TRUE(message.Dump(&slices).ok());
      for (const grpc::Slice &slice : slices) {
        const auto *at = reinterpret_cast<const std::byte *>(slice.begin());
        if (at >= rows.data() && at < rows.data() + rows.size())
          referred += slice.size();
        else if (slice.size() > maxHeaderBytes)
          copied += slice.size();
      }
      EXPECT_EQ(released, 0);
    }
    EXPECT_EQ(released, 1);
  }
  EXPECT_EQ(referred, rows.size());
  EXPECT_EQ(copied, 0u);
}

/// A port of this machine that is listened at and never accepts: calls wait
/// for their connection.
struct SilentPort {
  SilentPort() {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto *generic = reinterpret_cast<sockaddr *>(&address);
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(fd, generic, size), 0);
    EXPECT_EQ(listen(fd, 8), 0);
    EXPECT_EQ(getsockname(fd, generic, &size), 0);
    endpoint = absl::StrCat("127.0.0.1:", ntohs(address.sin_port));
  }
  ~SilentPort() { close(fd); }

  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  std::string endpoint;
};

//===----------------------------------------------------------------------===//
// Listening
//===----------------------------------------------------------------------===//

TEST(GrpcServerTest, ShowsThePortItChose) {
  Cluster cluster(Transport::InProcess, {});
  Lines lines;
  auto server = GrpcServer::start("127.0.0.1:0", *cluster.pserver, lines.log());
  ASSERT_TRUE(server.ok()) << server.status();
  const std::string port = std::to_string((*server)->port());
  EXPECT_NE((*server)->port(), 0);
  EXPECT_EQ((*server)->endpoint(), "127.0.0.1:" + port);
  EXPECT_THAT(lines.lines, ElementsAre("Server listening on 127.0.0.1:" + port +
                                       " selected port: " + port));
}

TEST(GrpcServerTest, PortInUseIsAnError) {
  Cluster cluster(Transport::Grpc, {});
  Lines lines;
  auto second =
      GrpcServer::start(cluster.endpoint, *cluster.pserver, lines.log());
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(text(second.status()),
            "cannot listen on " + cluster.endpoint + ": the port is in use");
  EXPECT_THAT(lines.lines, IsEmpty());
}

TEST(GrpcServerTest, ForeignAddressIsAnError) {
  Cluster cluster(Transport::InProcess, {});
  auto server = GrpcServer::start("192.0.2.1:0", *cluster.pserver,
                                  [](const std::string &) {});
  EXPECT_THAT(text(server.status()),
              HasSubstr("cannot listen on 192.0.2.1:0: Cannot assign"));
}

TEST(GrpcServerTest, MalformedEndpointsAreErrors) {
  Cluster cluster(Transport::InProcess, {});
  for (const char *endpoint :
       {"", "localhost", ":6174", "localhost:", "localhost:port", "a:65536",
        "a:-1", "a:1x", "a b:1", "::1:80", "a:1,b:2"}) {
    auto server = GrpcServer::start(endpoint, *cluster.pserver,
                                    [](const std::string &) {});
    EXPECT_EQ(server.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(text(server.status()),
                HasSubstr("expected an endpoint 'host:port', found '" +
                          std::string(endpoint) + "'"));
  }
  EXPECT_TRUE(checkEndpoint("[::1]:80").ok());
}

//===----------------------------------------------------------------------===//
// Connecting
//===----------------------------------------------------------------------===//

ConnectOptions quickly(const Cluster &cluster, Lines &lines) {
  ConnectOptions options;
  options.client = cluster.clientOptions(0);
  options.retryInterval = absl::Milliseconds(10);
  options.quietTime = absl::ZeroDuration();
  options.log = lines.log();
  return options;
}

TEST(ConnectTest, WaitsForServersThatComeLater) {
  Cluster early(Transport::Grpc, {}), late(Transport::InProcess, {});
  // Reserves a port: opened and closed again.
  std::string endpoint;
  {
    auto probe = GrpcServer::start("127.0.0.1:0", *late.pserver,
                                   [](const std::string &) {});
    endpoint = (*probe)->endpoint();
  }
  Lines lines;
  std::unique_ptr<GrpcServer> server;
  lines.onLine = [&](const std::string &line) {
    // The second complaint brings the server up.
    if (lines.lines.size() == 4)
      server = *GrpcServer::start(endpoint, *late.pserver,
                                  [](const std::string &) {});
    (void)line;
  };
  ConnectOptions options = quickly(early, lines);
  options.retryInterval = absl::Seconds(3) / 100;
  std::vector<std::string> endpoints = {early.endpoint, endpoint};
  auto clients = connectAll(endpoints, options);
  ASSERT_TRUE(clients.ok()) << clients.status();
  ASSERT_EQ(clients->size(), 2u);
  EXPECT_EQ((*clients)[0]->endpoint(), early.endpoint);
  EXPECT_EQ((*clients)[1]->endpoint(), endpoint);
  ASSERT_GE(lines.lines.size(), 4u);
  EXPECT_EQ(lines.lines[0], "server not ready, wait 0.03 sec to retry...");
  EXPECT_EQ(lines.lines[1], "not ready endpoints:['" + endpoint + "']");
  EXPECT_TRUE(completeAll(*clients).ok());
  clients->clear();
  EXPECT_TRUE(late.pserver->wait().ok());
}

TEST(ConnectTest, GivesUpNamingAllThatAreMissing) {
  Cluster cluster(Transport::Grpc, {});
  Lines lines;
  ConnectOptions options = quickly(cluster, lines);
  options.connectTimeout = absl::Milliseconds(50);
  // Port 1 refuses.
  std::vector<std::string> endpoints = {"127.0.0.1:1", cluster.endpoint,
                                        "nosuch.invalid:1"};
  auto clients = connectAll(endpoints, options);
  EXPECT_EQ(clients.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(text(clients.status()),
            "pservers not ready within 50ms: ['127.0.0.1:1' (connection "
            "refused), 'nosuch.invalid:1' (name does not resolve)]");
}

TEST(ConnectTest, ProgressNamesAllThatAreMissing) {
  Cluster cluster(Transport::Grpc, {});
  Lines lines;
  Event cancel;
  ConnectOptions options = quickly(cluster, lines);
  options.connectTimeout = testDeadline;
  options.cancel = &cancel;
  lines.onLine = [&](const std::string &) {
    if (lines.lines.size() == 2)
      cancel.notify();
  };
  std::vector<std::string> endpoints = {"127.0.0.1:1", cluster.endpoint,
                                        "nosuch.invalid:1"};
  EXPECT_EQ(connectAll(endpoints, options).status().code(),
            absl::StatusCode::kCancelled);
  EXPECT_THAT(
      lines.lines,
      ElementsAre("server not ready, wait 0.01 sec to retry...",
                  "not ready endpoints:['127.0.0.1:1', 'nosuch.invalid:1']"));
}

TEST(ConnectTest, RefusalEndsTheWait) {
  Cluster cluster(Transport::Grpc, {});
  Lines lines;
  ConnectOptions options = quickly(cluster, lines);
  options.client.hello.jobHash = "other";
  std::vector<std::string> endpoints = {cluster.endpoint};
  auto clients = connectAll(endpoints, options);
  EXPECT_EQ(clients.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(text(clients.status()),
            "pserver " + cluster.endpoint +
                " refuses trainer 0: trainer 0 runs another job: expected "
                "hash 'job', found 'other'");
}

TEST(ConnectTest, SilentEndpointsAreNamed) {
  SilentPort silent;
  Cluster cluster(Transport::InProcess, {});
  Lines lines;
  ConnectOptions options = quickly(cluster, lines);
  options.client.peerTimeout = absl::Milliseconds(400);
  options.connectTimeout = absl::Milliseconds(100);
  std::vector<std::string> endpoints = {silent.endpoint};
  const absl::Time begin = absl::Now();
  EXPECT_EQ(text(connectAll(endpoints, options).status()),
            absl::StrCat("pservers not ready within 100ms: ['", endpoints[0],
                         "' (no answer)]"));
  // The call had its time: busy machines are slow to accept.
  EXPECT_GE(absl::Now() - begin, absl::Milliseconds(200));
}

TEST(ConnectTest, OtherServersAreReported) {
  // A gRPC server of another service.
  grpc::CallbackGenericService service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  builder.RegisterCallbackGenericService(&service);
  std::unique_ptr<grpc::Server> other = builder.BuildAndStart();
  Cluster cluster(Transport::InProcess, {});
  Lines lines;
  std::vector<std::string> endpoints = {absl::StrCat("127.0.0.1:", port)};
  absl::Status status = connectAll(endpoints, quickly(cluster, lines)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(text(status), StartsWith("something other than a pserver answers "
                                       "at " +
                                       endpoints[0] + ": "));
}

/// Has no memory for any answer.
class ExhaustedGrpcService final : public grpc::CallbackGenericService {
  class Reactor final : public grpc::ServerGenericBidiReactor {
  public:
    Reactor() {
      Finish(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED,
                          "the pserver has no memory for the answer"));
    }
    void OnDone() override { delete this; }
  };
  grpc::ServerGenericBidiReactor *
  CreateReactor(grpc::GenericCallbackServerContext *) override {
    return new Reactor();
  }
};

TEST(ConnectTest, PserversWithoutMemoryAreNoOtherServers) {
  ExhaustedGrpcService service;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  builder.RegisterCallbackGenericService(&service);
  std::unique_ptr<grpc::Server> pserver = builder.BuildAndStart();
  Cluster cluster(Transport::InProcess, {});
  Lines lines;
  std::vector<std::string> endpoints = {absl::StrCat("127.0.0.1:", port)};
  absl::Status status = connectAll(endpoints, quickly(cluster, lines)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(text(status),
            "pserver " + endpoints[0] +
                " refuses trainer 0: the pserver has no memory for the answer");
}

TEST(ConnectTest, WebServersAreNoPservers) {
  SilentPort port;
  std::thread server([&] {
    const int connection = accept(port.fd, nullptr, nullptr);
    char request[256];
    EXPECT_GT(read(connection, request, sizeof(request)), 0);
    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    EXPECT_GT(write(connection, answer.data(), answer.size()), 0);
    while (read(connection, request, sizeof(request)) > 0)
      ;
    close(connection);
  });
  Cluster cluster(Transport::InProcess, {});
  Lines lines;
  std::vector<std::string> endpoints = {port.endpoint};
  const absl::Status status =
      connectAll(endpoints, quickly(cluster, lines)).status();
  EXPECT_THAT(text(status),
              StartsWith("something other than a pserver answers "
                         "at " +
                         port.endpoint + ": it does not speak HTTP/2"));
  server.join();
}

TEST(ConnectTest, EndpointsAreChecked) {
  ConnectOptions options;
  std::vector<std::string> malformed = {"here"}, twice = {"a:1", "a:1"};
  EXPECT_THAT(text(connectAll(malformed, options).status()),
              HasSubstr("found 'here'"));
  EXPECT_THAT(text(connectAll(twice, options).status()),
              HasSubstr("pserver a:1 is given twice"));
}

TEST(ConnectTest, CancelStopsTheWait) {
  Cluster cluster(Transport::InProcess, {});
  Lines lines;
  Event cancel;
  ConnectOptions options = quickly(cluster, lines);
  options.retryInterval = absl::Hours(1);
  options.cancel = &cancel;
  lines.onLine = [&](const std::string &) { cancel.notify(); };
  std::vector<std::string> endpoints = {"127.0.0.1:1"};
  EXPECT_EQ(connectAll(endpoints, options).status().code(),
            absl::StatusCode::kCancelled);
}

TEST(ConnectTest, CancelEndsCallsThatAreNotAnswered) {
  SilentPort silent;
  Cluster cluster(Transport::InProcess, {});
  Lines lines;
  Event cancel;
  ConnectOptions options = quickly(cluster, lines);
  options.client.peerTimeout = absl::Hours(1);
  options.connectTimeout = absl::Hours(1);
  options.cancel = &cancel;
  std::vector<std::string> endpoints = {silent.endpoint};
  absl::Notification ended;
  std::thread connecting([&] {
    EXPECT_EQ(connectAll(endpoints, options).status().code(),
              absl::StatusCode::kCancelled);
    ended.Notify();
  });
  cancel.notify();
  EXPECT_TRUE(ended.WaitForNotificationWithTimeout(testDeadline));
  connecting.join();
}

//===----------------------------------------------------------------------===//
// The end of a job
//===----------------------------------------------------------------------===//

/// A trainer that does not know that it has completed finds the pserver there.
TEST(GrpcLinkTest, TheAnswerToTheLastCompletionMayBeLost) {
  Cluster cluster(Transport::Grpc, {});
  auto plan = std::make_shared<FaultPlan>();
  auto client = cluster.connect(0, plan);
  ASSERT_TRUE(client);
  ASSERT_OK(fetchBarrier(*client, startupStep));
  plan->strike(wire::Request::kComplete, 0, FaultPlan::Kind::DropAnswer);
  plan->strike(wire::Request::kConfirmCompletion, 0,
               FaultPlan::Kind::DropRequest);
  // As a pserver's process ends.
  std::thread process([&] {
    EXPECT_OK(cluster.pserver->wait());
    cluster.pserver->awaitConfirmations();
    cluster.server.reset();
  });
  EXPECT_OK(complete(*client));
  process.join();
  // On a busy machine other attempts may fail as well.
  EXPECT_GE(plan->count(wire::Request::kComplete), 2);
  EXPECT_GE(plan->count(wire::Request::kConfirmCompletion), 2);
}

TEST(GrpcLinkTest, APserverDoesNotStayForATrainerThatHasGone) {
  ManualClock clock;
  Cluster cluster(Transport::Grpc, {.clock = &clock});
  auto link = cluster.rawLink();
  Pending hello, begin, completed;
  link->handshake(cluster.hello(0), hello.done());
  ASSERT_OK(hello.wait());
  link->fetchBarrier({0, 1}, startupStep, begin.done());
  ASSERT_OK(begin.wait());
  link->complete({0, 1}, completed.done());
  ASSERT_OK(completed.wait());
  ASSERT_OK(cluster.pserver->wait());
  const Clock::TimePoint completedAt = clock.now();
  std::atomic<bool> isOver{false};
  std::thread passing([&] {
    while (!isOver) {
      clock.advance(absl::Seconds(1));
      absl::SleepFor(absl::Milliseconds(1));
    }
  });
  cluster.pserver->awaitConfirmations();
  isOver = true;
  passing.join();
  // The trainer might yet have come back.
  EXPECT_GE(clock.now() - completedAt, clockDuration(absl::Seconds(45)));
}

//===----------------------------------------------------------------------===//
// Text of peers, and little memory
//===----------------------------------------------------------------------===//

TEST(PrintableTest, ControlCharactersAreEscaped) {
  for (auto [raw, shown] :
       {std::pair("plain 'text' \\ 100 %", "plain 'text' \\ 100 %"),
        {"\x1b[31mred\r\nps-run: error", "\\x1b[31mred\\x0d\\x0aps-run: error"},
        {"gr\xc3\xb6\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
         "gr\xc3\xb6\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xc2\x9b"
         "31m",
         "\\xc2\\x9b"
         "31m"},
        {"\xff\xc3", "\\xff\\xc3"},
        {"\xe2\x82", "\\xe2\\x82"},
        {"\x7f", "\\x7f"}})
    EXPECT_EQ(printable(raw), shown);
  EXPECT_EQ(printable(absl::string_view("\0", 1)), "\\x00");
}

TEST(GrpcLinkTest, TextOfPeersChangesNoTerminal) {
  const std::string evil = "\x1b[2Jno\nps-run: error: trust me";
  const std::string shown = "\\x1b[2Jno\\x0aps-run: error: trust me";
  Cluster cluster(Transport::Grpc, {});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  ASSERT_OK(fetchBarrier(*client, startupStep));
  // What a pserver answers ...
  EXPECT_THAT(text(push(*client, 0, evil, std::vector<float>(7))),
              HasSubstr("push of unknown block '" + shown + "'"));
  // ... and why a trainer says that it failed.
  Pending aborted;
  client->abort(evil, aborted.done());
  ASSERT_OK(aborted.wait());
  EXPECT_THAT(text(cluster.pserver->wait()),
              AllOf(HasSubstr(shown), Not(HasSubstr("\n"))));
}

/// A pserver without memory.
class ExhaustedService final : public Service {
public:
  void call(const wire::Request &, Pieces, Respond) override {
    throw std::bad_alloc();
  }
};

TEST(GrpcServerTest, CallsThatMemoryIsMissingForAreAnswered) {
  ExhaustedService service;
  auto server =
      *GrpcServer::start("127.0.0.1:0", service, [](const std::string &) {});
  auto link = std::make_unique<RawLink>(
      makeGrpcLink(server->endpoint(), testDeadline, testDeadline));
  Pending hello, pull;
  link->handshake({}, hello.done());
  expectError(hello.wait(), absl::StatusCode::kResourceExhausted,
              {"no memory for a call of trainer"});
  link->pull({3, 1}, {}, pull.done());
  expectError(pull.wait(), absl::StatusCode::kResourceExhausted,
              {"no memory for a call of trainer 3"});
}

TEST(ThreadsTest, MissingThreadsAreAnError) {
  EXPECT_OK(checkThreads(4));
  MemoryLimit limit(256 << 20);
  if (!limit.holds())
    GTEST_SKIP() << "memory cannot be limited";
  // A stack is 8 MiB.
  expectError(checkThreads(500), absl::StatusCode::kResourceExhausted,
              {"expected to start 500 threads, the system refuses after",
               "raise the limit of processes or memory"});
}

//===----------------------------------------------------------------------===//
// Death and garbage
//===----------------------------------------------------------------------===//

TEST(GrpcLinkTest, KilledServerIsNamedSoon) {
  Cluster cluster(Transport::Grpc, {.peerTimeout = absl::Seconds(6)});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  ASSERT_TRUE(fetchBarrier(*client, startupStep).ok());
  Pending barrier;
  ASSERT_TRUE(push(*client, 0, "b", std::vector<float>(7)).ok());
  ASSERT_TRUE(push(*client, 0, "w", std::vector<float>(300000)).ok());
  // Closes its connections and port, as a killed process does.
  cluster.server.reset();
  const absl::Time killed = absl::Now();
  client->sendBarrier(0, barrier.done());
  absl::Status status = barrier.wait();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(text(status),
              HasSubstr("send barrier of step 0 for blocks 'b', 'w': pserver " +
                        cluster.endpoint + " does not answer"));
  EXPECT_LT(absl::Now() - killed, absl::Seconds(30));
}

TEST(GrpcLinkTest, KilledServerIsNoticedByATrainerThatComputes) {
  Cluster cluster(Transport::Grpc, {.peerTimeout = absl::Seconds(12)});
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  cluster.server.reset();
  EXPECT_THAT(text(lossOf(*client)),
              HasSubstr("pserver " + cluster.endpoint + " does not answer"));
}

/// Pushes `bytes` on `link`.
Pending startPush(RawCalls link, std::span<const std::byte> bytes) {
  wire::Range range =
      makeRange(0, "w", DType::F32, bytes.size(), 0, bytes.size());
  Pending pushed;
  link.push({}, 1, {&range, 1}, Pieces(&bytes, 1), pushed.done());
  return pushed;
}

TEST(GrpcLinkTest, PushesToASilentPortAreAnswered) {
  SilentPort silent;
  std::vector<std::byte> gradient(chunkBytes);
  auto late = makeGrpcLink(silent.endpoint, absl::Milliseconds(20),
                           absl::Milliseconds(20));
  expectError(startPush(*late, gradient).wait(),
              absl::StatusCode::kDeadlineExceeded, {});
  // All of a push may take long to arrive, and to be applied.
  auto waits = makeGrpcLink(silent.endpoint, testDeadline,
                            absl::Milliseconds(20), {}, /*pushesWait=*/true);
  expectError(startPush(*waits, gradient).wait(),
              absl::StatusCode::kDeadlineExceeded, {});
  auto cut = makeGrpcLink(silent.endpoint, testDeadline, testDeadline);
  Pending pushed = startPush(*cut, gradient);
  cut->disconnect();
  expectError(pushed.wait(), absl::StatusCode::kCancelled, {});
  expectError(startPush(*cut, gradient).wait(), absl::StatusCode::kCancelled,
              {"the connection is closed"});
}

/// The process's last channel ends gRPC's threads, which crashes on one of
/// them.
TEST(GrpcLinkTest, CallsMayOutliveTheirLink) {
  SilentPort silent;
  std::vector<std::byte> gradient(28);
  for (int i = 0; i < 50; ++i) {
    const Security security = {.token = i % 2 ? "the token of the job" : ""};
    auto link =
        makeGrpcLink(silent.endpoint, testDeadline, testDeadline, security);
    Pending pushed = startPush(*link, gradient);
    link.reset();
    expectError(pushed.wait(), absl::StatusCode::kCancelled, {});
    absl::SleepFor(absl::Milliseconds(2)); // The thread goes on.
  }
}

TEST(GrpcLinkTest, PushesAreAnsweredWheneverTheLinkDisconnects) {
  Cluster cluster(Transport::Grpc, {});
  std::vector<std::byte> gradient(chunkBytes);
  for (int i = 0; i < 50; ++i) {
    std::unique_ptr<RawLink> link = cluster.rawLink();
    Pending greeted; // Later calls find the connection made.
    link->handshake(cluster.hello(0), greeted.done());
    ASSERT_OK(greeted.wait());
    std::span<const std::byte> bytes =
        std::span(gradient).first(i % 2 ? 28 : gradient.size());
    std::thread cutter([&] { link->disconnect(); });
    std::vector<Pending> pushes;
    for (int j = 0; j < 8; ++j)
      pushes.push_back(startPush(*link, bytes));
    cutter.join();
    for (const Pending &each : pushes)
      ASSERT_NE(each.wait().code(), absl::StatusCode::kDeadlineExceeded);
  }
}

/// Carries bytes between the connections it takes and a pserver, until it
/// freezes: then it reads no more, like a process that was stopped.
class Relay {
public:
  explicit Relay(int target) : target(target) {
    // Little fits between a sender and a relay that does not read.
    const int size = 64 << 10;
    EXPECT_EQ(setsockopt(port.fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)),
              0);
    thread = std::thread([this] { run(); });
  }
  ~Relay() {
    over = true;
    thread.join();
    for (auto [from, to] : ways)
      close(from);
  }

  const std::string &endpoint() const { return port.endpoint; }
  void freeze() { frozen = true; }

private:
  void run();
  void accept();
  void carry(int from, int to);

  const int target;
  SilentPort port;
  std::vector<std::pair<int, int>> ways; // The thread's, while it runs.
  std::atomic<bool> frozen{false}, over{false};
  std::thread thread;
};

void Relay::run() {
  while (!over) {
    std::vector<pollfd> readable{{port.fd, POLLIN, 0}};
    for (auto [from, to] : ways)
      readable.push_back({from, POLLIN, 0});
    poll(readable.data(), frozen ? 0 : readable.size(), /*timeout=*/10);
    if (frozen)
      continue;
    for (size_t i = 1; i < readable.size(); ++i)
      if (readable[i].revents)
        carry(ways[i - 1].first, ways[i - 1].second);
    if (readable[0].revents)
      accept();
  }
}

void Relay::accept() {
  const int near = ::accept(port.fd, nullptr, nullptr);
  const int far = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(target);
  EXPECT_EQ(
      connect(far, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
  ways.push_back({near, far});
  ways.push_back({far, near});
}

void Relay::carry(int from, int to) {
  char buffer[64 << 10];
  const ssize_t size = recv(from, buffer, sizeof(buffer), 0);
  for (ssize_t sent = 0; sent < size;) {
    const ssize_t part = send(to, buffer + sent, size - sent, MSG_NOSIGNAL);
    if (part < 0)
      return;
    sent += part;
  }
}

TEST(GrpcLinkTest, PushesToAFrozenServerAreAnswered) {
  Cluster cluster(Transport::Grpc, {});
  Relay relay(cluster.server->port());
  auto link = makeGrpcLink(relay.endpoint(), /*callTimeout=*/absl::Seconds(2),
                           testDeadline);
  std::vector<std::byte> gradient(chunkBytes);
  auto pushMany = [&] {
    std::vector<Pending> pushes;
    for (int i = 0; i < 40; ++i)
      pushes.push_back(startPush(*link, gradient));
    for (const Pending &each : pushes)
      EXPECT_FALSE(each.wait().ok());
  };
  // The pserver refuses them, but lets more of them be under way each time.
  for (int i = 0; i < 4; ++i)
    pushMany();
  relay.freeze();
  const absl::Time frozen = absl::Now();
  pushMany();
  EXPECT_LT(absl::Now() - frozen, testDeadline / 2);
}

/// Sends raw bytes as a message; the server's reply.
wire::Reply sendRaw(const std::string &endpoint, const std::string &bytes,
                    grpc::Status &line) {
  auto channel =
      grpc::CreateChannel(endpoint, grpc::InsecureChannelCredentials());
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + testDeadline));
  grpc::Slice slice(bytes);
  grpc::ByteBuffer request(&slice, 1), answer;
  absl::Notification done;
  stub.UnaryCall(&context, "/ps.PServer/Call", {}, &request, &answer,
                 [&](const grpc::Status &status) {
                   line = status;
                   done.Notify();
                 });
  done.WaitForNotification();
  wire::Reply reply;
  Message message;
  if (line.ok())
    EXPECT_TRUE(message.decode(answer, reply).ok());
  return reply;
}

TEST(GrpcServerTest, EachKindOfCallIsAnswered) {
  Cluster cluster(Transport::Grpc, {});
  const google::protobuf::OneofDescriptor &calls =
      *wire::Request::descriptor()->FindOneofByName("call");
  ASSERT_GT(calls.field_count(), 1);
  for (int i = 0; i != calls.field_count(); ++i) {
    SCOPED_TRACE(calls.field(i)->name());
    wire::Request request;
    request.GetReflection()->MutableMessage(&request, calls.field(i));
    grpc::Status line;
    (void)sendRaw(cluster.endpoint, flatten(encode(request)), line);
    EXPECT_TRUE(line.ok()) << line.error_message();
  }
}

TEST(GrpcServerTest, GarbageIsAnsweredWithAnError) {
  Cluster cluster(Transport::Grpc, {});
  const int invalid = static_cast<int>(absl::StatusCode::kInvalidArgument);
  grpc::Status line;
  EXPECT_THAT(sendRaw(cluster.endpoint, "GET / HTTP/1.1", line).message(),
              HasSubstr("malformed message"));
  EXPECT_EQ(sendRaw(cluster.endpoint, "", line).code(), invalid);
  EXPECT_THAT(sendRaw(cluster.endpoint, flatten(encode(wire::Request())), line)
                  .message(),
              HasSubstr("holds no call"));
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::string bytes = flatten(encode(pushOf("w"), {}));
    for (int j = 0; j < 4; ++j)
      bytes[4 + random() % (bytes.size() - 4)] = static_cast<char>(random());
    EXPECT_NE(sendRaw(cluster.endpoint, bytes, line).code(), 0);
  }
  wire::Request typed = pushOf("w");
  typed.mutable_push()->mutable_ranges(0)->set_dtype(wire::ElementType(33));
  EXPECT_THAT(sendRaw(cluster.endpoint, flatten(encode(typed)), line).message(),
              HasSubstr("'w' with the unknown element type 33"));
  wire::Rows rows;
  rows.set_table("emb");
  rows.set_dtype(wire::ElementType(33));
  wire::Request prefetch, pushRows;
  *prefetch.mutable_prefetch()->mutable_rows() = rows;
  *pushRows.mutable_push_rows()->mutable_rows() = rows;
  for (const wire::Request &request : {prefetch, pushRows})
    EXPECT_THAT(
        sendRaw(cluster.endpoint, flatten(encode(request)), line).message(),
        HasSubstr("table 'emb' with the unknown element type 33"));
  wire::Request hello;
  hello.mutable_hello()->set_version(99);
  EXPECT_THAT(sendRaw(cluster.endpoint, flatten(encode(hello)), line).message(),
              HasSubstr(absl::StrCat("expected version ", wireVersion,
                                     " of the protocol, found 99")));
  // It serves on.
  auto client = cluster.connect(0);
  ASSERT_TRUE(client);
  Values values{{"b", std::vector<float>(7)}};
  EXPECT_TRUE(fetch(*client, startupStep, values).ok());
}

TEST(GrpcServerTest, OversizedMessageIsRefusedUnread) {
  Cluster cluster(Transport::Grpc, {});
  grpc::Status line;
  sendRaw(cluster.endpoint, std::string(maxMessageBytes + 1, 'x'), line);
  EXPECT_EQ(line.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

} // namespace
