//===- RuntimeTesting.h - what the runtime's unit tests share -------------===//

#ifndef PS_TEST_UNIT_RUNTIMETESTING_H
#define PS_TEST_UNIT_RUNTIMETESTING_H

#include "runtime/executor/Executor.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <unistd.h>

namespace ps::runtime {

#define PS_EXPECT_OK(EXPRESSION)                                               \
  do {                                                                         \
    absl::Status status = (EXPRESSION);                                        \
    EXPECT_TRUE(status.ok()) << status;                                        \
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

/// Runs a function.
class FunctionNode final : public Node {
public:
  using Function = std::function<void(StepContext &, Done)>;

  FunctionNode(std::string name, Function function, Kind kind = Kind::Kernel)
      : Node(kind, std::move(name)), function(std::move(function)) {}

  void start(StepContext &context, Done done) override {
    function(context, std::move(done));
  }

private:
  Function function;
};

/// A node that is done when `body` returns.
inline std::unique_ptr<Node> makeNode(std::string name,
                                      std::function<absl::Status()> body) {
  return std::make_unique<FunctionNode>(
      std::move(name),
      [body = std::move(body)](StepContext &, Done done) { done(body()); });
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

/// A directory that goes away with the object.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "ps-test-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string operator/(const std::string &name) const {
    return (std::filesystem::path(path) / name).string();
  }
  std::string path;
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_RUNTIMETESTING_H
