// SPDX-License-Identifier: Apache-2.0
//===- MetricsServerTest.cpp - what a run measured, for Prometheus --------===//

#include "tools/ps-run/output/MetricsServer.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <arpa/inet.h>
#include <cmath>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace ps;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// What the server of `port` answers; nothing where it has no patience.
std::string askOnce(int port, const std::string &request) {
  const runtime::Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr *>(&address),
                      sizeof(address)),
            0);
  EXPECT_EQ(::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string answer;
  char piece[256];
  for (ssize_t got; (got = ::recv(socket.get(), piece, sizeof(piece), 0)) > 0;)
    answer.append(piece, got);
  return answer;
}

/// On a busy machine it may lose its patience.
std::string ask(int port, const std::string &request) {
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  std::string answer;
  while (answer.empty() && absl::Now() < deadline)
    answer = askOnce(port, request);
  return answer;
}

TEST(MetricsServerTest, AnswersWithTheLastValues) {
  auto server = MetricsServer::listen({.role = "trainer"});
  ASSERT_TRUE(server.ok()) << server.status();
  (*server)->set("loss", "train", 2);
  (*server)->set("loss", "train", 0.5);
  (*server)->set("loss", "eval", NAN);
  (*server)->set("a \"b\"", "train", 1);
  const std::string answer =
      ask((*server)->port(), "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: text/plain; "
                                 "version=0.0.4\r\n"));
  EXPECT_THAT(
      answer,
      HasSubstr(
          "# TYPE ps_loss gauge\n"
          "ps_loss{role=\"trainer\",phase=\"eval\",name=\"loss\"} NaN\n"
          "ps_loss{role=\"trainer\",phase=\"train\",name=\"loss\"} 0.5\n"));
  EXPECT_THAT(answer, HasSubstr("ps_a__b_{role=\"trainer\",phase=\"train\","
                                "name=\"a \\\"b\\\"\"} 1\n"));
}

TEST(MetricsServerTest, RefusesOtherRequests) {
  auto server = MetricsServer::listen({});
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_THAT(ask((*server)->port(), "POST /metrics HTTP/1.1\r\n\r\n"),
              StartsWith("HTTP/1.1 404 Not Found\r\n"));
  // What never ends is cut off.
  EXPECT_EQ(askOnce((*server)->port(), std::string(20000, 'x')), "");
  EXPECT_THAT(ask((*server)->port(), "GET / HTTP/1.0\r\n\r\n"),
              StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(MetricsServerTest, APortThatIsTaken) {
  auto server = MetricsServer::listen({});
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_THAT(std::string(MetricsServer::listen({.port = (*server)->port()})
                              .status()
                              .message()),
              HasSubstr(": cannot listen: Address already in use"));
}

} // namespace
