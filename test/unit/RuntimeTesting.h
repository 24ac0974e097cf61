// SPDX-License-Identifier: Apache-2.0
//===- RuntimeTesting.h - what the runtime's unit tests share -------------===//

#ifndef PS_TEST_UNIT_RUNTIMETESTING_H
#define PS_TEST_UNIT_RUNTIMETESTING_H

#include "runtime/executor/Executor.h"
#include "runtime/executor/FunctionNode.h"
#include "test/unit/TemporaryDirectory.h"
#include "gtest/gtest.h"
#include <functional>
#include <string>

namespace ps::runtime {

#define ASSERT_OK(expression)                                                  \
  do {                                                                         \
    absl::Status okStatus = (expression);                                      \
    ASSERT_TRUE(okStatus.ok()) << okStatus;                                    \
  } while (false)
#define EXPECT_OK(expression)                                                  \
  do {                                                                         \
    absl::Status okStatus = (expression);                                      \
    EXPECT_TRUE(okStatus.ok()) << okStatus;                                    \
  } while (false)

/// The status has `code` and a message that holds `text`.
inline ::testing::AssertionResult failsWith(const absl::Status &status,
                                            absl::StatusCode code,
                                            const std::string &text) {
  if (status.code() == code &&
      std::string(status.message()).find(text) != std::string::npos)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "expected " << absl::StatusCodeToString(code) << " with '" << text
         << "', found " << status;
}

/// A node that is done when `body` returns.
template <typename Body>
std::unique_ptr<Node> makeNode(std::string name, Body body) {
  return makeNode(
      Node::Kind::Kernel, std::move(name),
      [body = std::move(body)](StepContext &) mutable { return body(); });
}

inline std::unique_ptr<Executor>
makeExecutor(int threads, bool deterministic = false, Trace *trace = nullptr) {
  Executor::Options options;
  options.threads = threads;
  options.deterministic = deterministic;
  options.trace = trace;
  return *Executor::create(options);
}

/// Runs `node` alone.
inline absl::Status runNode(std::unique_ptr<Node> node, int threads,
                            bool deterministic = false) {
  Program program;
  program.addNode(std::move(node), {});
  return makeExecutor(threads, deterministic)->run(program, 0);
}

} // namespace ps::runtime

#endif // PS_TEST_UNIT_RUNTIMETESTING_H
