//===- Launch.cpp - a whole job on this machine ---------------------------===//
//
// 1. createRunFolder: what this job writes is kept apart from other jobs.
// 2. prepare: what can fail before any process of the job has started.
//    pickEndpoints: free ports on the loopback interface. Another program may
//    take one before its pserver does: then everything from here on is
//    repeated. transpile: ps-opt, which is installed beside this program.
//    checkData: whether trainers have what the graph is fed.
// 3. startAll: one process per role, which the environment sets.
// 4. watch: until all have ended, or one has failed, or a stop is requested.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/Launch.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "tools/ps-run/ChildProcess.h"
#include "tools/ps-run/RunFolder.h"
#include "tools/ps-run/TrainerProcess.h"
#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

using namespace ps;

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// After one process has failed: how long the others may take to report why
/// they end, before they are asked to, and before they are killed.
static constexpr auto failureGrace = 2s, stopGrace = 2s;
/// After a request to stop: when pservers get one too that outlive the last
/// trainer, which may not have met them.
static constexpr auto pserverGrace = 2s;
/// After a request to stop, and for pservers after the last trainer.
static constexpr auto endGrace = 30s;
static constexpr int maxAttempts = 5;

//===----------------------------------------------------------------------===//
// Endpoints
//===----------------------------------------------------------------------===//

static bool isFree(int port) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int reuse = 1; // connections of an earlier job may linger
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
  bool free = bind(descriptor, reinterpret_cast<sockaddr *>(&address),
                   sizeof(address)) == 0;
  close(descriptor);
  return free;
}

/// Ports below those that the system gives to outgoing connections, which
/// would be taken again at any moment.
static absl::StatusOr<std::vector<std::string>> pickEndpoints(int count) {
  std::mt19937 random(std::random_device{}());
  std::uniform_int_distribution<int> ports(10000, 32000);
  std::vector<std::string> endpoints;
  for (int tries = 0; tries != 1000; ++tries) {
    std::string endpoint;
    if (int port = ports(random); isFree(port))
      endpoint = absl::StrCat("127.0.0.1:", port);
    if (!endpoint.empty() && std::find(endpoints.begin(), endpoints.end(),
                                       endpoint) == endpoints.end())
      endpoints.push_back(endpoint);
    if (static_cast<int>(endpoints.size()) == count)
      return endpoints;
  }
  return absl::ResourceExhaustedError("found no free ports on 127.0.0.1");
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

namespace {

class Job {
public:
  Job(const LaunchConfig &config, const StopSignal &stop)
      : config(config), stop(stop) {}

  absl::Status run();

private:
  absl::Status prepare();
  absl::Status transpile();
  absl::Status checkData() const;
  /// Removes the folder of a job that has not started.
  void removeFolder() const;
  absl::Status startAll();
  absl::Status start(bool trainer, int id);
  std::vector<std::string> childEnvironment(bool trainer, int id) const;

  absl::Status watch();
  absl::Status failureOf(ChildProcess &child, int code) const;
  /// Whether child `i` failed because its port was taken meanwhile.
  bool lostItsPort(size_t i) const;
  bool hasFailed(const ChildProcess &child, int code) const;
  void interruptTrainers();
  void interruptPServers();
  /// Shows what trainer 0 has written since the last call.
  void showProgress();
  /// Lets the processes end by themselves, then ends them.
  void endAll();
  bool waitForAll(Clock::duration limit);
  void waitForEvent(Clock::duration limit);

  std::string path(const std::string &name) const {
    return (std::filesystem::path(folder) / name).string();
  }

  const LaunchConfig &config;
  const StopSignal &stop;
  /// Holds the programs and the logs.
  std::string folder;
  std::vector<std::string> endpoints;
  /// Pservers, then trainers.
  std::vector<ChildProcess> children;
  /// Where showProgress() goes on.
  std::streamoff shown = 0;
  /// Set when a pserver could not have its port.
  bool portTaken = false;
  bool interrupted = false;
};

} // namespace

static std::string besideThisProgram(const std::string &name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name)
      .string();
}

static std::vector<std::string> inheritedEnvironment() {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; ++entry) {
    absl::string_view text = *entry;
    bool dropped = false;
    // launch sets the roles; a proxy would stand between the processes.
    for (const char *prefix :
         {"TRAINING_ROLE=", "PADDLE_", "POD_IP=", "MS_", "http_proxy=",
          "https_proxy=", "grpc_proxy=", "HTTP_PROXY=", "HTTPS_PROXY="})
      dropped |= absl::StartsWith(text, prefix);
    if (!dropped)
      result.emplace_back(text);
  }
  return result;
}

absl::Status Job::transpile() {
  std::string options = absl::StrCat("pservers=", absl::StrJoin(endpoints, ","),
                                     " trainers=", config.trainers);
  if (!config.transpile.empty())
    absl::StrAppend(&options, " ", config.transpile);
  absl::StatusOr<ChildProcess> child = ChildProcess::start(
      {.name = "ps-opt",
       .arguments = {besideThisProgram("ps-opt"), config.file,
                     absl::StrCat("--ps-transpile=", options), "-o",
                     path("dist.mlir")},
       .environment = inheritedEnvironment(),
       .log = ""});
  if (!child.ok())
    return child.status();
  int code = child->wait();
  if (code == ChildProcess::cannotRun)
    return absl::NotFoundError(
        absl::StrCat("cannot run '", besideThisProgram("ps-opt"), "'"));
  if (code != 0)
    return absl::InvalidArgumentError(
        absl::StrCat("cannot transpile '", config.file, "'"));
  return absl::OkStatus();
}

/// Without samples each trainer would refuse a graph that has feeds, while
/// pservers wait for it.
absl::Status Job::checkData() const {
  if (!config.run.data.empty() || !config.run.evalData.empty())
    return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<Loader>> loader =
      Loader::create(path("dist.mlir"));
  if (!loader.ok())
    return loader.status();
  return openTrainer(config.run, **loader, /*trainer=*/0).status();
}

absl::Status Job::prepare() {
  absl::StatusOr<std::vector<std::string>> picked =
      pickEndpoints(config.pservers);
  if (!picked.ok())
    return picked.status();
  endpoints = std::move(*picked);
  if (absl::Status s = transpile(); !s.ok())
    return s;
  return checkData();
}

void Job::removeFolder() const {
  std::error_code ignored;
  std::filesystem::remove(path("dist.mlir"), ignored);
  std::filesystem::remove(folder, ignored);
}

std::vector<std::string> Job::childEnvironment(bool trainer, int id) const {
  std::vector<std::string> environment = inheritedEnvironment();
  auto set = [&](absl::string_view name, absl::string_view value) {
    environment.push_back(absl::StrCat(name, "=", value));
  };
  set("TRAINING_ROLE", trainer ? "TRAINER" : "PSERVER");
  set("PADDLE_PSERVERS_IP_PORT_LIST", absl::StrJoin(endpoints, ","));
  set("PADDLE_TRAINERS_NUM", absl::StrCat(config.trainers));
  if (trainer) {
    set("PADDLE_TRAINER_ID", absl::StrCat(id));
  } else {
    size_t colon = endpoints[id].rfind(':');
    set("POD_IP", endpoints[id].substr(0, colon));
    set("PADDLE_PORT", endpoints[id].substr(colon + 1));
  }
  return environment;
}

absl::Status Job::start(bool trainer, int id) {
  std::string role = trainer ? "trainer" : "pserver";
  std::vector<std::string> arguments = {
      std::filesystem::read_symlink("/proc/self/exe").string(),
      path("dist.mlir")};
  arguments.insert(arguments.end(), config.forwarded.begin(),
                   config.forwarded.end());
  const RunConfig &run = config.run;
  if (!run.metrics.empty())
    arguments.push_back("--metrics=" + fileOfProcess(run.metrics, role, id));
  if (!run.trace.empty())
    arguments.push_back("--trace=" + fileOfProcess(run.trace, role, id));
  absl::StatusOr<ChildProcess> child = ChildProcess::start(
      {.name = absl::StrCat(role, " ", id),
       .arguments = std::move(arguments),
       .environment = childEnvironment(trainer, id),
       .log = path(absl::StrCat(trainer ? "workerlog." : "serverlog.", id))});
  if (!child.ok())
    return child.status();
  children.push_back(std::move(*child));
  return absl::OkStatus();
}

absl::Status Job::startAll() {
  for (int id = 0; id != config.pservers; ++id)
    if (absl::Status s = start(false, id); !s.ok())
      return s;
  for (int id = 0; id != config.trainers; ++id)
    if (absl::Status s = start(true, id); !s.ok())
      return s;
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Watching
//===----------------------------------------------------------------------===//

/// The last error in a log, or else its last line.
static std::string lastError(const std::string &log) {
  std::ifstream file(log);
  std::string line, last, error;
  while (std::getline(file, line)) {
    absl::string_view text = line;
    if (absl::ConsumePrefix(&text, "ps-run: error: "))
      error = std::string(text);
    if (!line.empty())
      last = line;
  }
  return error.empty() ? last : error;
}

absl::Status Job::failureOf(ChildProcess &child, int code) const {
  std::string how = code < 0 ? absl::StrCat("was killed by signal ", -code,
                                            " (", strsignal(-code), ")")
                             : absl::StrCat("failed: ", lastError(child.log()));
  return absl::AbortedError(
      absl::StrCat(child.name(), " ", how, " (see ", child.log(), ")"));
}

bool Job::lostItsPort(size_t i) const {
  return i < static_cast<size_t>(config.pservers) &&
         lastError(children[i].log()) == absl::StrCat("cannot listen on ",
                                                      endpoints[i],
                                                      ": the port is in use");
}

/// What a request to stop brings about is no failure.
bool Job::hasFailed(const ChildProcess &child, int code) const {
  if (code == 0)
    return false;
  return !interrupted ||
         (code != StopSignal::exitCode && code != -SIGINT &&
          !absl::EndsWith(lastError(child.log()), ": interrupted"));
}

/// Pservers exit when the last trainer has completed.
void Job::interruptTrainers() {
  for (size_t i = config.pservers; i != children.size(); ++i)
    children[i].signal(SIGINT);
}

void Job::interruptPServers() {
  for (int i = 0; i != config.pservers; ++i)
    children[i].signal(SIGINT);
}

void Job::showProgress() {
  std::ifstream file(path("workerlog.0"));
  file.seekg(shown);
  std::string text(std::istreambuf_iterator<char>(file), {});
  shown += text.size();
  fwrite(text.data(), 1, text.size(), stdout);
  fflush(stdout);
}

void Job::waitForEvent(Clock::duration limit) {
  std::vector<pollfd> events;
  for (ChildProcess &child : children)
    if (child.descriptor() >= 0)
      events.push_back({child.descriptor(), POLLIN, 0});
  poll(events.data(), events.size(),
       std::chrono::duration_cast<std::chrono::milliseconds>(limit).count());
}

bool Job::waitForAll(Clock::duration limit) {
  Clock::time_point deadline = Clock::now() + limit;
  for (;;) {
    bool running = false;
    for (ChildProcess &child : children)
      running |= !child.poll();
    showProgress();
    if (!running || Clock::now() >= deadline)
      return !running;
    waitForEvent(100ms);
  }
}

void Job::endAll() {
  if (waitForAll(failureGrace))
    return;
  for (ChildProcess &child : children)
    child.signal(SIGTERM);
  waitForAll(stopGrace); // the destructors kill what is left
}

absl::Status Job::watch() {
  std::optional<Clock::time_point> deadline, pserverDeadline;
  auto limit = [](std::optional<Clock::time_point> &time, auto grace) {
    time = time.value_or(Clock::now() + grace);
  };
  for (;;) {
    bool running = false, training = false;
    for (size_t i = 0; i != children.size(); ++i) {
      std::optional<int> code = children[i].poll();
      running |= !code;
      training |= !code && i >= static_cast<size_t>(config.pservers);
      if (!code || !hasFailed(children[i], *code))
        continue;
      portTaken = lostItsPort(i);
      return failureOf(children[i], *code);
    }
    showProgress();
    if (!running)
      return absl::OkStatus();
    if (stop.requested() && !interrupted) {
      interruptTrainers();
      interrupted = true;
    }
    if (interrupted || !training)
      limit(deadline, endGrace);
    if (interrupted && !training)
      limit(pserverDeadline, pserverGrace);
    if (pserverDeadline && Clock::now() >= *pserverDeadline) {
      interruptPServers();
      pserverDeadline = Clock::time_point::max();
    }
    if (deadline && Clock::now() >= *deadline)
      return absl::DeadlineExceededError(
          interrupted ? "the job did not stop in time"
                      : "the pservers did not exit after the last trainer");
    waitForEvent(100ms);
  }
}

absl::Status Job::run() {
  absl::StatusOr<std::string> created =
      createRunFolder(config.logDir, absl::Now());
  if (!created.ok())
    return created.status();
  folder = std::move(*created);
  absl::Status prepared = prepare();
  if (prepared.ok())
    prepared = linkLatest(folder);
  if (!prepared.ok()) {
    removeFolder();
    return prepared;
  }
  fprintf(stderr, "programs and logs: %s\n", folder.c_str());
  for (int attempt = 1;; ++attempt) {
    stop.defer();
    shown = 0;
    portTaken = false;
    absl::Status status = startAll();
    if (status.ok())
      status = watch();
    if (status.ok())
      return status;
    if (!portTaken || attempt == maxAttempts) {
      endAll();
      return status;
    }
    children.clear();
    if (absl::Status s = prepare(); !s.ok())
      return s;
  }
}

absl::Status ps::launchJob(const LaunchConfig &config, const StopSignal &stop) {
  return Job(config, stop).run();
}
