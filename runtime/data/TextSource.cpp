// SPDX-License-Identifier: Apache-2.0
//===- TextSource.cpp - lines of a file, or of what a command makes of it -===//
//
// Text comes in blocks of whole lines; what is left behind the last newline
// begins the next block. The output of a command is also handed on when it
// pauses, so that lines which arrive slowly are trained on as they come.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/TextSource.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include "runtime/data/File.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ps::runtime;

static constexpr size_t blockSize = 1 << 20, longestLine = 1 << 30;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

absl::StatusOr<TextBlock> TextSource::next(const std::atomic<bool> &stop) {
  TextBlock block{.firstLine = nextLine};
  size_t room = carry.size() + blockSize, used = carry.size();
  block.memory = std::make_unique_for_overwrite<char[]>(room);
  carry.copy(block.memory.get(), used);
  bool lines = false; // Whether there is a whole one.
  for (;;) {
    while (used != room && !block.last && !(lines && pauses())) {
      ASSIGN_OR_RETURN(size_t got,
                       read(block.memory.get() + used, room - used, stop));
      lines |= std::memchr(block.memory.get() + used, '\n', got) != nullptr;
      used += got;
      block.last = got == 0;
    }
    const char *begin = block.memory.get();
    const void *end = block.last ? begin + used : memrchr(begin, '\n', used);
    if (end) {
      block.size = static_cast<const char *>(end) - begin + !block.last;
      break;
    }
    if (room > longestLine)
      return absl::DataLossError(absl::StrCat(
          path, ":", nextLine, ":1: this line is longer than a gigabyte"));
    auto larger = std::make_unique_for_overwrite<char[]>(2 * room);
    std::memcpy(larger.get(), begin, used);
    block.memory = std::move(larger);
    room *= 2;
  }
  const char *begin = block.memory.get();
  nextLine += std::count(begin, begin + block.size, '\n');
  carry.assign(begin + block.size, used - block.size);
  return block;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {

class FileSource : public TextSource {
public:
  explicit FileSource(std::unique_ptr<File> file)
      : TextSource(file->path()), file(std::move(file)) {}

private:
  absl::StatusOr<size_t> read(char *to, size_t size,
                              const std::atomic<bool> &stop) override {
    if (stop)
      return absl::CancelledError("stopped");
    return file->read(to, size);
  }
  std::unique_ptr<File> file;
};

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

class CommandSource : public TextSource {
public:
  static absl::StatusOr<std::unique_ptr<TextSource>>
  start(const std::string &path, const std::string &command);
  ~CommandSource() override;

private:
  CommandSource(const std::string &path, std::string command, pid_t pid,
                int output)
      : TextSource(path), command(std::move(command)), pid(pid),
        output(output) {}
  absl::StatusOr<size_t> read(char *to, size_t size,
                              const std::atomic<bool> &stop) override;
  bool pauses() override;
  /// Waits for the command, which has closed its output.
  absl::Status finish(const std::atomic<bool> &stop);
  absl::Status failed(absl::string_view how) const {
    return absl::DataLossError(
        absl::StrCat("pipe command '", command, "' on '", path, "' ", how));
  }

  std::string command;
  /// Leads a process group of its own; 0 when it is gone.
  pid_t pid;
  int output;
};

} // namespace

absl::StatusOr<std::unique_ptr<TextSource>>
CommandSource::start(const std::string &path, const std::string &command) {
  int input = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0)
    return absl::NotFoundError(
        absl::StrCat("cannot open '", path, "': ", std::strerror(errno)));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    int error = errno;
    close(input);
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot make a pipe: ", std::strerror(error)));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  // A command is stopped with all that it started, and dies of a closed pipe
  // whatever this process does about signals.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, ordinary;
  sigemptyset(&none);
  sigemptyset(&ordinary);
  for (int signal : {SIGPIPE, SIGINT, SIGTERM})
    sigaddset(&ordinary, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &ordinary);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
  const char *words[] = {"sh", "-c", command.c_str(), nullptr};
  pid_t pid = 0;
  int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes,
                          const_cast<char **>(words), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(input);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot start a shell: ", std::strerror(error)));
  }
  return std::unique_ptr<TextSource>(
      new CommandSource(path, command, pid, ends[0]));
}

CommandSource::~CommandSource() {
  close(output);
  if (pid == 0)
    return;
  kill(-pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

absl::StatusOr<size_t> CommandSource::read(char *to, size_t size,
                                           const std::atomic<bool> &stop) {
  constexpr int patience = 100; // milliseconds between looks at `stop`
  for (;;) {
    if (stop)
      return absl::CancelledError("stopped");
    pollfd wait{.fd = output, .events = POLLIN, .revents = 0};
    if (poll(&wait, 1, patience) <= 0)
      continue;
    ssize_t got = ::read(output, to, size);
    if (got > 0)
      return static_cast<size_t>(got);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return failed(absl::StrCat("cannot be read: ", std::strerror(errno)));
    RETURN_IF_ERROR(finish(stop));
    return static_cast<size_t>(0);
  }
}

bool CommandSource::pauses() {
  constexpr int moment = 20; // milliseconds
  pollfd wait{.fd = output, .events = POLLIN, .revents = 0};
  return poll(&wait, 1, moment) == 0;
}

absl::Status CommandSource::finish(const std::atomic<bool> &stop) {
  if (pid == 0)
    return absl::OkStatus();
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (stop)
      return absl::CancelledError("stopped");
    poll(nullptr, 0, 1);
  }
  pid = 0;
  if (WIFSIGNALED(status))
    return failed(absl::StrCat("was killed by signal ", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    return failed(absl::StrCat("exited with ", WEXITSTATUS(status)));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<TextSource>>
TextSource::open(const std::string &path, const std::string &command) {
  if (!command.empty())
    return CommandSource::start(path, command);
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, File::open(path));
  return std::unique_ptr<TextSource>(new FileSource(std::move(file)));
}
