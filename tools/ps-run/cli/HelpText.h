// SPDX-License-Identifier: Apache-2.0
//===- HelpText.h - what --help shows besides flags -----------------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_HELPTEXT_H
#define PS_TOOLS_PS_RUN_CLI_HELPTEXT_H

namespace ps {

/// Follows the formats of data.
inline constexpr const char *dataFooter =
    R"(  ...#A-B                 only samples A to B-1
Values after ? are the defaults. A file may be gzipped. GLOB is a file name or a
pattern, or several between commas. A feed takes the column of its name; other
feeds take the remaining columns in order. The feeds "s.offsets" and "s.weights"
belong to the bags of feed "s". More: docs/Data.md

)";

inline constexpr const char *runFooter = R"(Other commands:
  ps-run launch FILE      run a whole job
  ps-run compare A B      compare two folders that --save wrote
  ps-run verify DIR       check a folder that --save wrote for damage
  ps-run status ADDRESS   print the state of a running pserver or job
  ps-run resize ADDRESS   give a job that runs another size
  ps-run log-replica DIR  keep copies of the logs of pservers
  ps-run devices          list what --device may name on this machine
  ps-run plot METRICS     draw curves of what --metrics wrote
  ps-run merge-traces F.. put the traces of a job into one file

Examples:
  Train in one process, and save the model:
    ps-run graph.mlir --data=synthetic:digits --batch-size=64 --epochs=2 \
        --save=model
  Evaluate it:
    ps-run graph.mlir --load=model --eval-data="synthetic:digits?seed=2"
  A job of one pserver and two trainers, one terminal each:
    ps-opt graph.mlir --ps-transpile="pservers=127.0.0.1:6174 trainers=2" \
        -o dist.mlir
    ps-run dist.mlir --role=pserver --endpoint=127.0.0.1:6174
    ps-run dist.mlir --role=trainer --trainer-id=0 --data=synthetic:digits
    ps-run dist.mlir --role=trainer --trainer-id=1 --data=synthetic:digits
  The same job with a scheduler, which gives ranks and addresses:
    ps-run --role=scheduler --pservers=1 --trainers=2 --listen=127.0.0.1:6667
    ps-run dist.mlir --role=pserver --coordinator=127.0.0.1:6667
    ps-run dist.mlir --role=trainer --coordinator=127.0.0.1:6667 \
        --data=synthetic:digits                               (twice)
  The same job in one process:
    ps-run dist.mlir --role=all --data=synthetic:digits
  With addresses that are chosen when it runs:
    ps-opt graph.mlir --ps-transpile="pservers=1 trainers=1" -o dist.mlir
    ps-run dist.mlir --role=pserver --server=0 --listen=127.0.0.1:0 \
        --address-file=addresses
    ps-run dist.mlir --role=trainer --trainer-id=0 --address-file=addresses \
        --data=synthetic:digits

Environment variables (flags take precedence): TRAINING_ROLE=PSERVER|TRAINER,
  PADDLE_PSERVERS_IP_PORT_LIST, POD_IP, PADDLE_PORT, PADDLE_TRAINERS_NUM,
  PADDLE_TRAINER_ID, PADDLE_TRAINER_ENDPOINTS; MS_ROLE=MS_PSERVER|MS_WORKER|
  MS_SCHED, MS_SERVER_NUM, MS_WORKER_NUM, MS_SCHED_HOST, MS_SCHED_PORT;
  PS_TOKEN_FILE; LOCAL_RANK.

Exit codes: 0 success, 1 failure (the reason is on stderr), 2 wrong usage,
130 stopped by Ctrl-C.
)";

inline constexpr const char *launchFooter =
    R"(Every process gets all flags except those of the group Job. --metrics=FILE
and --trace=FILE write FILE for trainer 0, and FILE.trainer-1, FILE.pserver-0,
... for the others. Trainer 0 evaluates and writes --predictions.

Each launch creates a folder DIR/run-DATE-TIME and prints its path; the symbolic
link DIR/latest points to the last one. It holds dist.mlir (the programs), the
addresses of the pservers, the job's token unless --token-file is given, and the
logs serverlog.N and workerlog.N. stdout shows the progress of trainer 0.

With --hosts=FILE launch is the job's scheduler, and starts the processes with
ssh: docs/Clusters.md.

Example:
  ps-run launch --pservers=2 --trainers=2 graph.mlir --data=synthetic:digits \
      --batch-size=32 --epochs=2 --save=model

Exit codes: the same as ps-run's.
)";

inline constexpr const char *compareFooter =
    R"(The relative difference of a variable is its largest |a - b| divided by its
largest |a| or |b|, so that elements near zero need not agree in all digits. It
is infinite if the variable holds a NaN or an infinity. A variable passes if its
relative difference is at most --tolerance, or its largest |a - b| at most
--absolute. Tables are compared row by row, as variables.

Prints the largest difference. Exit codes: 0 all variables pass, 1 one does not,
or only one of the two has it, 2 wrong usage.

Example:
  ps-run compare model other-model --tolerance=1e-5
)";

inline constexpr const char *verifyFooter =
    R"(Reads all files that DIR/training.json lists, and compares their sizes and
checksums. --load does the same with the files whose values it uses. Rows of
tables that are on an SSD are not read.

Prints one line for each file, "ok" or "FAILED" and its name. Exit codes: 0 all
files are as they were saved, 1 one is missing or damaged (the reason is on
stderr), or DIR was saved without checksums, 2 wrong usage.

Example:
  ps-run verify model
)";

inline constexpr const char *schedulerFooter =
    R"(Ends when all processes of the job have completed. While a job trains, the
scheduler may be away: it is needed when processes start, are lost, or end.
A process that is started without --trainer-id or --server gets a free rank.

Each change is logged: "Assign rank id of node id: HOST:PID, role: MS_WORKER, ..",
"Cluster is successfully initialized." when all processes have joined.

Exit codes: 0 the job has completed, 1 it has failed (the reason is on stderr),
2 wrong usage, 130 stopped by Ctrl-C, which the job does not notice.

Example:
  ps-run --role=scheduler --pservers=1 --trainers=2 --listen=127.0.0.1:6667 \
      --scheduler-state=scheduler.json --max-restarts=3
)";

inline constexpr const char *devicesFooter =
    R"(The first word of a line is what --device takes; emulated, which runs on
the host what a GPU would run, is left out. Where no GPU can be used, stderr
says why.

Exit codes: 0 a list was printed, 2 wrong usage.

Example:
  ps-run devices
)";

inline constexpr const char *plotFooter =
    R"(A page has a chart for each number, with a curve for each phase, train and
eval, and for each file. A curve of more than 1000 steps shows means of as many
neighbors as that takes. A file may be of a run that goes on.

Exit codes: 0 the file was written, 1 what was read is not of --metrics, or has
no such number, 2 wrong usage.

Example:
  ps-run plot metrics.jsonl -o curves.html
  ps-run plot slow.jsonl fast.jsonl --number=loss -o losses.svg
)";

inline constexpr const char *mergeTracesFooter =
    R"(The output has a row for each process, and the times of all on one clock: that
of the machine, or across machines their wall clocks. `ps-run launch --trace`
does this itself, on one machine.

Exit codes: 0 the file was written, 1 what was read is not of --trace, 2 wrong
usage.

Example:
  ps-run merge-traces trace.json trace.json.trainer-1 trace.json.pserver-0 \
      -o job.json
)";

inline constexpr const char *resizeFooter =
    R"(For a job with --coordinator whose processes were given its graph, and have
--checkpoint. It goes on from its next checkpoint: each further process waits
for that, whether it was started before or after this command, and those that
are not needed any more exit with 0. Nothing is trained twice, and no sample is
left out. Another number of trainers needs --global-batch-size. A job that waits
for a lost process goes on without it at once.

A request takes the place of one before; one for the present size withdraws it.

Exit codes: 0 the job trains with that size, or with --no-wait the request was
taken, 1 it was refused, another one has taken its place, or the job has ended
before (the reason is on stderr), 2 wrong usage, 130 stopped by Ctrl-C, which
withdraws nothing.

Example:
  ps-run resize 10.0.0.1:6667 --trainers=4
)";

inline constexpr const char *logReplicaFooter =
    R"(Start it on another machine than the pservers', on a disk of that machine, and
give it to them as --recovery-log-replica; one serves any number. Where the
machine of a pserver is lost, start the pserver anew on this one, with its folder
DIR/NAME as --recovery-log, --recover and the address that it had: trainers go on
as after any restart. The copy is removed when the job ends.

It is not needed to train: while it is away, pservers wait for --peer-timeout
and then go on without it; when it is back it gets what it lacks.

Exit codes: 1 it cannot serve (the reason is on stderr), 2 wrong usage,
130 stopped by Ctrl-C.

Example:
  ps-run log-replica /var/tmp/logs --listen=10.0.0.2:6200 --insecure --token-file=token
)";

inline constexpr const char *statusFooter =
    R"(The job is not affected. Where it has a token or uses TLS, this command
needs the same options. A trainer is absent, connected or completed; its
step is the one in training, and the lag is counted from the first trainer's.
A wait is that of trainers for another one.

With --json, "step" is the last step that is updated, -1 before the first;
"bytes" counts variables, and rows of tables with their slots.

The scheduler of a job reports its attempt, its restarts, and which processes
have joined, and where they listen. A job in etcd has the same.

Exit codes: 0 there was an answer, 1 no answer within 5 seconds, 2 wrong usage.

Example:
  ps-run status 127.0.0.1:6174
)";

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_HELPTEXT_H
