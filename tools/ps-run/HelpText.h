//===- HelpText.h - what --help says besides the flags --------------------===//

#ifndef PS_TOOLS_PS_RUN_HELPTEXT_H
#define PS_TOOLS_PS_RUN_HELPTEXT_H

namespace ps {

inline constexpr const char *runFooter = R"(Data (--data, --eval-data):
  idx:IMAGES,LABELS       files in the format of the MNIST digits
  csv:FILE                numbers between commas; add #label=COL (a name or an
                          index, last column by default), #header or #noheader
  multislot:GLOB          "N V1 .. VN" for each feed in order, or for each slot
                          that #slots=click:f,s1,- names (:f numbers, :i ids,
                          - is read over); #ins-id skips an id in front,
                          #empty lets a slot hold nothing
  slots:GLOB              "name:value" for any feed, as often as wanted
  criteo:GLOB             a label, 13 integers, 26 categories between tabs or
                          commas: feeds label, dense, sparse, C1 to C26; add
                          #ids=N for categories from 0 to N-1
  libsvm:GLOB             "label index:value ..": feeds features,
                          features.weights, label
  text:FILE               words and the words around them: feeds center, context
                          (one near, then drawn ones); add ?window=5
                          &negatives=5&vocabulary=10000&seed=0
  synthetic:digits        28x28 digits, drawn; add ?n=8000&seed=1
  synthetic:ctr           clicks that a model draws, feeds as of criteo; add
                          ?n=100000&fields=26&ids=1e6&zipf=1.05&dense=13&seed=0
                          &teacher=0; says the best possible AUC
  ...#A-B                 only samples A to B-1
A file may be gzipped. GLOB is a name or a pattern, or several between commas.
A feed named like a column takes it, the others take what is left in order.
The feeds "s.offsets" and "s.weights" belong to the bags of feed "s".
docs/Data.md tells more.

Other commands:
  ps-run launch --help    run a whole job on this machine
  ps-run compare A B      compare two folders that --save wrote

Examples:
  One machine, no transpile step:
    ps-run graph.mlir --data=synthetic:digits --batch-size=64 --epochs=2
  A job of one pserver and two trainers, one terminal each:
    ps-opt graph.mlir --ps-transpile="pservers=127.0.0.1:6174 trainers=2" \
        -o dist.mlir
    ps-run dist.mlir --role=pserver --endpoint=127.0.0.1:6174
    ps-run dist.mlir --role=trainer --trainer-id=0 --data=synthetic:digits
    ps-run dist.mlir --role=trainer --trainer-id=1 --data=synthetic:digits
  The same job in this one process:
    ps-run dist.mlir --role=all --data=synthetic:digits

Environment (flags win): TRAINING_ROLE=PSERVER|TRAINER,
  PADDLE_PSERVERS_IP_PORT_LIST, POD_IP, PADDLE_PORT, PADDLE_TRAINERS_NUM,
  PADDLE_TRAINER_ID; MS_ROLE=MS_PSERVER|MS_WORKER, MS_SERVER_NUM, MS_WORKER_NUM.
  MS_SCHED_HOST and MS_SCHED_PORT may be set, but are not needed: there is no
  scheduler.

Exit codes: 0 done, 1 failed (stderr says why), 2 wrong usage, 130 stopped by
Ctrl-C.
)";

inline constexpr const char *launchFooter =
    R"(Every flag of ps-run but --role, --endpoint and --trainer-id is passed on
to the processes. --metrics=FILE and --trace=FILE write FILE for trainer 0 and
FILE.trainer-1, FILE.pserver-0, ... for the others. --predictions is trainer
0's. Each launch makes a folder of its own, DIR/run-DATE-TIME, and prints its
path; the link DIR/latest leads to the last one. It gets dist.mlir (the
programs), serverlog.N and workerlog.N.

Example:
  ps-run launch --pservers=2 --trainers=2 graph.mlir --data=synthetic:digits \
      --batch-size=32 --epochs=2 --save=model
)";

inline constexpr const char *compareFooter =
    R"(The difference of a variable is the largest |a - b| over its elements
divided by its largest |a| or |b|: relative to the variable as a whole, so an
element near zero counts by its absolute error. A variable that holds a NaN or
an infinity differs without limit. A variable passes when its difference is at
most --tolerance, or when its largest |a - b| is at most --absolute. Exits with
1 when a variable exceeds both, or when the folders hold different variables.
)";

} // namespace ps

#endif // PS_TOOLS_PS_RUN_HELPTEXT_H
