// SPDX-License-Identifier: Apache-2.0
//===- ChildProcess.cpp - a process that does not outlive us --------------===//
//
// Children never outlive a launch: the kernel kills them when it dies, however
// that happens, and the destructor does otherwise. Each has a process group of
// its own, so that Ctrl-C in a terminal reaches the launch alone, which stops
// them in order.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/launch/ChildProcess.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ps;

static std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (const std::string &text : texts)
    result.push_back(const_cast<char *>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

static absl::Status failure(const std::string &what, int error) {
  return absl::UnavailableError(
      absl::StrCat("cannot ", what, ": ", std::strerror(error)));
}

/// Runs in the child between fork and exec: only calls that are safe beside
/// other threads' locks.
[[noreturn]] static void become(char **arguments, char **environment,
                                pid_t parent, int input, int output) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it died before prctl()
    _exit(1);
  // It must not miss what we send, even if we were started to ignore it, and
  // have sent it before these lines.
  for (int number : {SIGPIPE, SIGINT, SIGTERM})
    ::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (input >= 0)
    dup2(input, STDIN_FILENO);
  if (output >= 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  }
  execve(arguments[0], arguments, environment);
  _exit(ChildProcess::cannotRun);
}

/// A killed process may have left a line without an end.
static bool addHeading(int log, const std::string &heading) {
  const off_t size = lseek(log, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && pread(log, &last, 1, size - 1) != 1)
    return false;
  const std::string line =
      absl::StrCat(last == '\n' ? "" : "\n", heading, "\n");
  return write(log, line.data(), line.size()) ==
         static_cast<ssize_t>(line.size());
}

absl::StatusOr<int> ChildProcess::openLog() {
  const int fresh = options.heading.empty() ? O_TRUNC : 0;
  const int log = open(options.log.c_str(),
                       O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | fresh, 0666);
  if (log < 0 ||
      (!options.heading.empty() && !addHeading(log, options.heading))) {
    const int error = errno;
    if (log >= 0)
      close(log);
    return failure(absl::StrCat("write '", options.log, "'"), error);
  }
  begin = lseek(log, 0, SEEK_END);
  return log;
}

absl::StatusOr<ChildProcess> ChildProcess::start(Options options) {
  ChildProcess child(std::move(options));
  const Options &o = child.options;
  int output = -1;
  if (!o.log.empty()) {
    ASSIGN_OR_RETURN(output, child.openLog());
  }
  int input[2] = {-1, -1};
  if (o.relaysSignals && pipe2(input, O_CLOEXEC) != 0)
    return failure(absl::StrCat("start ", o.name), errno);
  std::vector<char *> arguments = pointers(o.arguments);
  std::vector<char *> environment = pointers(o.environment);
  pid_t parent = getpid();
  child.pid = fork();
  if (child.pid == 0)
    become(arguments.data(), environment.data(), parent,
           o.relaysSignals ? input[0] : o.input, output);
  int error = errno;
  for (int descriptor : {output, input[0]})
    if (descriptor >= 0)
      close(descriptor);
  child.input = input[1];
  if (child.pid < 0)
    return failure(absl::StrCat("start ", o.name), error);
  child.pidDescriptor = syscall(SYS_pidfd_open, child.pid, 0);
  return child;
}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept
    : options(std::move(other.options)), pid(std::exchange(other.pid, -1)),
      pidDescriptor(std::exchange(other.pidDescriptor, -1)),
      input(std::exchange(other.input, -1)), begin(other.begin),
      code(other.code) {}

/// What `other` gets it ends.
ChildProcess &ChildProcess::operator=(ChildProcess &&other) noexcept {
  std::swap(options, other.options);
  std::swap(pid, other.pid);
  std::swap(pidDescriptor, other.pidDescriptor);
  std::swap(input, other.input);
  std::swap(begin, other.begin);
  std::swap(code, other.code);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (pid >= 0) {
    signal(SIGKILL);
    wait();
  }
  closeInput();
}

void ChildProcess::closeInput() {
  if (input >= 0)
    close(std::exchange(input, -1));
}

void ChildProcess::ended(int status) {
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  pid = -1;
  if (pidDescriptor >= 0)
    close(pidDescriptor);
  pidDescriptor = -1;
}

/// One whose exit code is lost, as by SIGCHLD that is ignored, has failed.
void ChildProcess::reap(int flags) {
  int status = 0;
  pid_t found = 0;
  do
    found = waitpid(pid, &status, flags);
  while (found < 0 && errno == EINTR);
  if (found != 0)
    ended(found < 0 ? W_EXITCODE(1, 0) : status);
}

std::optional<int> ChildProcess::poll() {
  if (pid >= 0)
    reap(WNOHANG);
  return code;
}

int ChildProcess::wait() {
  if (pid >= 0)
    reap(/*flags=*/0);
  return *code;
}

void ChildProcess::signal(int number) {
  if (pid < 0)
    return;
  const char *name = number == SIGINT    ? "INT\n"
                     : number == SIGTERM ? "TERM\n"
                                         : nullptr;
  // A write to one that has ended fails, which is no matter.
  if (input >= 0 && name && write(input, name, strlen(name)) >= 0)
    return;
  closeInput();
  kill(pid, number);
}

/// Once another file has taken its place, the link names none.
const std::string &ps::ownProgram() {
  static const std::string program =
      std::filesystem::read_symlink("/proc/self/exe").string();
  return program;
}
