#!/usr/bin/env bash
# The main job from nothing: installs what is missing, builds, turns a
# single-machine training graph into the programs of 2 pservers and 2 trainers,
# trains with them as processes on this machine, trains the same graph in one
# process, and compares.
#
#   ./scripts/quickstart.sh [folder for its files; default build/quickstart]
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-build/quickstart}
graph=examples/mnist_mlp/mnist_mlp.mlir

say() { printf '\n== %s\n' "$*"; }
# Shows a command, then runs it.
run() {
  printf '$%s\n' "$(printf ' %s' "${@@Q}" | sed -E "s/'([-A-Za-z0-9_.:=#/,]+)'/\1/g")"
  "$@"
}

say "1. Install what is missing, and build (the first time takes minutes)"
./scripts/install-deps.sh
cmake --preset dev --log-level=WARNING >/dev/null
cmake --build --preset dev --target ps-opt ps-run
PATH=$PWD/build/dev/bin:$PATH
mkdir -p "$out"

say "2. Turn the graph of one machine into one program per role"
run ps-opt "$graph" \
  --ps-transpile="pservers=2 trainers=2" \
  -o "$out/dist.mlir"
echo "
The trainer's program pushes each gradient as soon as it has it, then pulls the
new values (all of it is in $out/dist.mlir):"
sed -n '/func\.func @train/,/^  }/p' "$out/dist.mlir" |
  grep -E 'ps\.(send|recv|fetch_barrier)' | cut -c1-96
echo "
Each pserver's program holds its blocks of rows and updates them:"
sed -n '/ps\.program @pserver_1/,$p' "$out/dist.mlir" |
  grep -E 'ps\.(program|variable|listen|optimize_block|apply)' |
  sed 's/ slice(.*//'

# 2 trainers with 32 samples each make the step of 1 process with 64.
data=(--data=synthetic:digits#0-8000 --shuffle --seed=1)
cluster=(ps-run launch --pservers=2 --trainers=2 --log-dir="$out/log" "$graph"
  --batch-size=32)
local=(ps-run "$graph" --batch-size=64)
epochs=(--epochs=2 --eval-data=synthetic:digits#8000-10000)

say "3. Train with 2 pservers and 2 trainers, each a process, on free ports"
run "${cluster[@]}" "${data[@]}" "${epochs[@]}" --metrics="$out/cluster.jsonl"

say "4. Train the same graph in one process, with the batches of both trainers"
run "${local[@]}" "${data[@]}" "${epochs[@]}" --metrics="$out/local.jsonl"

say "5. Compare the losses: one process, and the mean of the two trainers"
python3 - "$out" <<'PY'
import json
import sys

def read(name, phase):
    with open(f"{sys.argv[1]}/{name}") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["phase"] == phase]

local = read("local.jsonl", "train")
trainers = [read(f"cluster.jsonl{end}", "train") for end in ("", ".trainer-1")]
print("  step    1 process   2 trainers")
for step in [*range(0, len(local), 50), len(local) - 1]:
    mean = sum(rows[step]["loss"] for rows in trainers) / 2
    print(f"{step:6}{local[step]['loss']:13.6f}{mean:13.6f}")
for name, one, two in zip(("loss", "accuracy"), *(
        [read(file, "eval")[-1][key] for key in ("loss", "accuracy")]
        for file in ("local.jsonl", "cluster.jsonl"))):
    print(f"held-out {name:9} {one:.6f}, {two:.6f}")
PY

say "6. Compare the variables after 50 steps"
echo "Both runs add the same numbers in another order, so the last bits of a float
differ: by some 1e-7 of the largest value. The difference grows slowly, until a
ReLU's input is so close to 0 that its sign differs between the runs, which may
take a few hundred steps. Hence 50 steps, and a tolerance of 1e-5."
run "${cluster[@]}" "${data[@]}" --steps=50 --save="$out/cluster" >/dev/null
run "${local[@]}" "${data[@]}" --steps=50 --save="$out/local" >/dev/null
if run ps-run compare "$out/cluster" "$out/local" --tolerance=1e-5; then
  say "PASSED: 2 trainers on 2 pservers match one process"
else
  say "FAILED: the variables differ; the logs are in $out/log/latest"
  exit 1
fi
