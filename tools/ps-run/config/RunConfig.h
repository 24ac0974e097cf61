// SPDX-License-Identifier: Apache-2.0
//===- RunConfig.h - what one ps-run process is to do ---------------------===//

#ifndef PS_TOOLS_PS_RUN_CONFIG_RUNCONFIG_H
#define PS_TOOLS_PS_RUN_CONFIG_RUNCONFIG_H

#include "absl/time/time.h"
#include "runtime/base/Precision.h"
#include "runtime/links/Security.h"
#include "runtime/links/TransportChoice.h"
#include "runtime/server/sessions/TrainerLoss.h"
#include "runtime/table/ClickAccessor.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ps {

/// Which part of the job a process plays.
enum class RunRole { Local, Trainer, PServer, All };

/// A folder that a checkpoint is written to at the end. Of tables with an
/// accessor it gets `rows`, of others all rows.
struct SaveTarget {
  std::string dir;
  runtime::RowSelection rows = runtime::RowSelection::All;
};

/// Files that hold secrets and certificates; empty for none.
struct SecurityFiles {
  std::string token;
  std::string certificate, key, authorities;
};

/// The checkpoints of a run while it trains.
struct CheckpointConfig {
  /// The folder that they are in; empty for none.
  std::string dir;
  /// How many steps, or how much time, is between two; one of them is set.
  std::optional<int64_t> everySteps;
  std::optional<absl::Duration> every;
  /// How many of them are kept.
  int64_t keep = 2;
  /// Whether the run goes on from the newest, if there is one, or from the
  /// newest that is not damaged.
  enum class Resume { No, Newest, LastGood };
  Resume resume = Resume::No;
  /// That one's folder, which then is what --load names, too; else empty.
  std::string resumed;
};

/// When there is another line of progress: after so many steps, or so much time
/// without one, whichever comes first.
struct LogInterval {
  std::optional<int64_t> steps = 100;
  absl::Duration time = absl::Seconds(30);
};

/// Which evaluation of a run is the best one, and what follows from it.
struct MonitorConfig {
  /// What is compared, and whether the largest is the best.
  std::string metric = "loss";
  bool isMaximum = false;
  /// The folder that the model of the best evaluation is in; empty for none.
  std::string saveBest;
  /// After so many evaluations in a row that are no better, training ends; 0:
  /// it does not.
  int64_t patience = 0;

  bool isUsed() const { return patience > 0 || !saveBest.empty(); }
};

/// How a pserver that was killed comes back.
struct RecoveryConfig {
  /// Whether pservers log their calls, so that one is started again alone;
  /// otherwise the whole job goes back to a checkpoint.
  bool usesLog = false;
  /// Where a pserver has its log.
  std::string dir;
  /// Whether a pserver goes on from its log, if there is one.
  bool recovers = false;
  /// Whether what is answered is on the disk.
  bool syncs = false;
  /// What keeps a copy of the log; empty for nothing.
  std::string replica;
};

/// The options of a run, after flags and environment are merged. Whether they
/// fit the program is checked where the program is known.
struct RunConfig {
  /// The module; "-" is standard input.
  std::string file;
  /// "NAME=VALUE", parameters of the graph's optimizers.
  std::vector<std::string> settings;
  /// Unset: Local for a graph, an error for the programs of a job.
  std::optional<RunRole> role;
  /// Which pserver a process is: by the name or the index of its program, or by
  /// its endpoint.
  std::string server, endpoint;
  /// Where a process listens, if not at its endpoint; port 0 takes a free one.
  std::string listen;
  /// Where the pservers listen, in the order of the job; empty if programs or
  /// environment say so.
  std::vector<std::string> pserverEndpoints;
  /// Where the trainers listen that reduce gradients among themselves, in the
  /// order of their ids.
  std::vector<std::string> trainerEndpoints;
  /// Processes add their addresses to this file, trainers read them.
  std::string addressFile;
  /// What keeps the record of the job: HOST:PORT of a scheduler, or
  /// etcd://HOST:PORT,../JOB; empty for none.
  std::string coordinator;
  /// With etcd: how often in a row the job may be restarted without a new
  /// checkpoint.
  int maxRestarts = 0;
  /// With a coordinator and a graph: further options of --ps-transpile, and the
  /// size that a job in etcd begins with.
  std::string transpile;
  std::optional<int> pservers, trainers;
  /// Whether the environment names it: addresses that are given otherwise take
  /// precedence.
  bool isCoordinatorInherited = false;
  /// Set for trainers.
  std::optional<int> trainerId;
  /// What the environment says about the job; must agree with the program.
  std::optional<std::vector<std::string>> expectedPServers;
  std::optional<int> expectedPServerCount, expectedTrainers;

  /// Runs only this function, without feeds.
  std::string entry;

  std::string data, evalData;
  /// A shell command that each text file goes through, and another one for
  /// those of `evalData`; empty for the same.
  std::string pipeCommand, evalPipeCommand;
  /// That parse text files.
  int dataThreads = 2;
  /// Broken lines of text files that are skipped before one is an error.
  int64_t badLines = 0;
  /// Text files are read again for each epoch, while steps run.
  bool streamData = false;
  /// Samples that are shuffled together when they are streamed.
  int64_t shuffleWindow = 1 << 16;
  /// Each trainer reads files of its own; otherwise all read all of them.
  bool splitFiles = false;
  /// What the last step of an epoch lacks is taken from the epoch's start.
  bool padRemainder = false;
  /// Training ends after whichever comes first; one epoch when both are unset.
  std::optional<int64_t> steps, epochs;
  /// Per worker; unset: the graph's own, or defaultBatchSize where it is free.
  std::optional<int64_t> batchSize;
  /// In a step of all workers of all trainers; then batchSize is unset.
  std::optional<int64_t> globalBatchSize;
  /// How many batches a trainer works on in a step, side by side.
  int workers = 1;
  /// Samples of a pass, after each of which the model is saved; 0 for none.
  int64_t passSamples = 0;
  /// Whether a pass is the samples of a file.
  bool passPerFile = false;
  bool shuffle = false;
  uint64_t seed = 0;
  /// 0: one per core; so is unset, except with `ps-run launch`.
  std::optional<int> threads;
  bool deterministic = false;
  /// What matrix products multiply.
  runtime::Precision precision = runtime::Precision::F32;
  /// What the process computes on, a name for runtime::openDevice(); where it
  /// has several roles, what its trainers do.
  std::string device = "cpu";
  /// The number of the process among those of its job on its machine, and of
  /// the GPU that "cuda" stands for.
  int localRank = 0;
  /// What the pservers of a job do, where the process has or starts them.
  std::string pserverDevice = "cpu";
  /// What happens when a fetched number is not finite.
  bool failOnNan = true;

  /// What the run starts from: a folder, and others that hold what has changed
  /// since, in the order in which they were saved.
  std::vector<std::string> load;
  /// Whether these may lack some of the model, and have more than it.
  bool loadsPart = false;
  /// A folder of all rows comes last: rows that one before it holds count as
  /// unchanged there.
  std::vector<SaveTarget> saves;
  CheckpointConfig checkpoint;
  /// Steps between evaluations, beside those after each epoch; 0 for none.
  int64_t evalEvery = 0;
  MonitorConfig monitor;
  std::string metrics, trace;
  /// A folder for files of TensorBoard; empty for none.
  std::string tensorboard;
  /// Where Prometheus may ask for what was measured last.
  std::optional<int> metricsPort;
  /// Gets what each evaluation fetches, a row per sample.
  std::string predictions;
  LogInterval logEvery;
  bool printMemoryPlan = false;

  absl::Duration connectTimeout = absl::Seconds(300);
  absl::Duration peerTimeout = absl::Seconds(30);
  runtime::TransportChoice transport = runtime::TransportChoice::Auto;
  runtime::Security security;
  /// Where `security` comes from.
  SecurityFiles securityFiles;
  /// Whether the process may listen where other machines can connect.
  bool insecure = false;
  /// What the loss of a trainer other than 0 does.
  runtime::TrainerLoss onTrainerLoss = runtime::TrainerLoss::Fail;
  RecoveryConfig recovery;
  /// In mode async, how many pushes of a block may be under way or wait while
  /// the trainer computes on; 0: a step ends when its own are applied.
  int64_t sendQueue = 0;
  /// How many of those that wait are sent as one.
  int64_t maxMerge = 1;
};

inline constexpr int64_t defaultBatchSize = 64;

/// Where one process of several writes what a flag names once: FILE for
/// trainer 0, FILE.trainer-1, FILE.pserver-0, ... for the others.
std::string fileOfProcess(const std::string &file, const std::string &role,
                          int id);

/// The mode that options of --ps-transpile name; empty if they name none.
std::string findMode(const std::string &transpile);
/// The options of --ps-transpile for the programs of a job of that size.
std::string transpileText(int pservers, int trainers,
                          const std::string &further);

/// The options of `ps-run launch`.
struct LaunchConfig {
  std::string file;
  int pservers = 1, trainers = 1;
  std::string logDir = "log";
  /// How often in a row the job is started again after a failure, without a new
  /// checkpoint in between.
  int maxRestarts = 0;
  /// A file with the machines that the processes run on; empty for this machine
  /// only.
  std::string hosts;
  /// The command that starts a process there. ssh must not ask for anything,
  /// and has to end when the other machine is lost.
  std::string ssh = "ssh -o BatchMode=yes -o ConnectTimeout=10 "
                    "-o ServerAliveInterval=10 -o ServerAliveCountMax=3";
  /// Whether the job may get another size while it runs, for which it has a
  /// scheduler that is a process of its own.
  bool elastic = false;
  /// Where the scheduler of the job listens then, or with `hosts`.
  std::string listen;
  /// Further options of --ps-transpile.
  std::string transpile;
  /// What the processes are to do; each gets files of its own for metrics and
  /// trace.
  RunConfig run;
  /// The other flags of `run` that were given, "--name=value".
  std::vector<std::string> forwarded;
};

/// The threads that compute in a trainer of the job, or in a pserver; 0: one
/// per core.
int threadsOfProcess(const LaunchConfig &config, bool isTrainer);

/// The options of `ps-run compare`.
struct CompareConfig {
  std::string left, right;
  /// A variable passes that is within either.
  double tolerance = 0, absolute = 0;
};

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CONFIG_RUNCONFIG_H
