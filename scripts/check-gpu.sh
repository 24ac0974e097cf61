#!/usr/bin/env bash
# Tries everything that runs on a GPU, in less than ten minutes: prints a line for
# each check, what was measured, and at the end how that is against our aims and
# what has failed. From a checkout with a build, or, on a machine without what a
# build needs, with the archive that --pack made of one.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
build=${PS_BUILD:-build/dev}
archive=build/check-gpu.tar.xz

usage() {
  cat << 'END'
usage: scripts/check-gpu.sh [DEVICE]
       scripts/check-gpu.sh --pack

Checks DEVICE: cuda (default), cuda:N, or emulated, which tests the script
itself, without a GPU. --pack makes build/check-gpu.tar.xz of a build, for
machines that have a GPU, but not what a build needs.

The exit code is 1 if a check failed or was left out for lack of time, or if
there is no GPU. Aims that are missed do not change it.
PS_BUILD=DIR names the folder of the build (default build/dev), PS_FAILURES=FILE
a file for all that failed checks print, PS_SECONDS=N how long it may take
(default 580).
END
}

# refuse CODE TEXT: ends with one line.
refuse() {
  printf 'check-gpu.sh: %s\n' "$2" >&2
  exit "$1"
}

# Each target of the build that is needed, and its file.
needed=(ps-opt=bin/ps-opt ps-run=bin/ps-run ps-unit-tests-runtime=test/unit/runtime-unit-tests
  bench-ps-cuda=test/benchmarks/bench-ps-cuda)
needed_for_cuda=(ps-cuda=bin/libps-cuda.so bench-cublaslt=test/benchmarks/bench-cublaslt)

# require_built TARGET=FILE..: ends if one of them is not built.
require_built() {
  local pair targets=()
  for pair in "$@"; do
    [[ -e $build/${pair#*=} ]] || targets+=("${pair%%=*}")
  done
  ((${#targets[@]} == 0)) ||
    refuse 1 "programs are missing: cmake --build $build --target ${targets[*]}"
}

pack() {
  local stage=build/check-gpu
  rm -rf "$stage"
  mkdir -p "$stage/bin" "$stage/lib"
  cp "$build"/bin/{ps-opt,ps-run,libps-cuda.so} "$build/test/unit/runtime-unit-tests" \
    "$build"/test/benchmarks/bench-{ps-cuda,cublaslt} "$stage/bin"
  strip "$stage"/bin/*
  # Not the C library and the compiler's, which belong to the system, and not
  # CUDA's, which belong to the GPU.
  ldd "$stage"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|cublas|cublasLt|cudart)\.so|ld-linux)' |
    xargs cp -L -t "$stage/lib"
  # LLVM also links what nothing here calls: the solver Z3, and, by way of
  # libxml2, 30 MB of Unicode tables. Empty libraries take their places.
  local library
  for library in "$stage"/lib/{libz3,libicudata}.so.*; do
    echo "const char icudt${library##*.}_dat[16];" |
      cc -x c - -shared -o "$library" -Wl,-soname,"$(basename "$library")"
  done
  tar -C build -c check-gpu | xz -T0 --x86 --lzma2=preset=9e > "$archive"
  ls -l "$archive"
}

device=${1:-cuda}
(($# <= 1)) || refuse 2 "expected one argument, got $#; --help lists them"
case $device in
  -h | --help)
    usage
    exit
    ;;
  --pack)
    require_built "${needed[@]}" "${needed_for_cuda[@]}"
    pack
    exit
    ;;
esac
[[ $device =~ ^(cuda(:[0-9]+)?|emulated)$ ]] ||
  refuse 2 "expected cuda, cuda:N, emulated, --pack or --help, got '$device'"
if [[ -x $build/bin/ps-run || ! -e $archive ]]; then
  [[ $device == emulated ]] || needed+=("${needed_for_cuda[@]}")
  require_built "${needed[@]}"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Where CUDA's libraries are, from the toolkit or from PyPI.
libraries=${LD_LIBRARY_PATH:-}
mapfile -t packages < <(python3 -c 'import nvidia; print(*nvidia.__path__, sep="\n")' 2> /dev/null)
for folder in /usr/local/cuda/lib64 $([[ ${#packages[@]} == 0 ]] || find "${packages[@]}" -maxdepth 2 -name lib); do
  libraries=${libraries:+$libraries:}$folder
done
programs=$(printf '%s\n' "${needed[@]/#*=/$build/}" | grep -v '\.so$')
folder=$build/bin
if [[ ! -x $folder/ps-run ]]; then
  tar -C "$work" -xf "$archive"
  folder=$work/check-gpu/bin
  programs=$(echo "$folder"/{ps-opt,ps-run,runtime-unit-tests,bench-ps-cuda,bench-cublaslt})
  libraries=$work/check-gpu/lib:$libraries
fi
# Where libps-cuda.so is: ps-run finds it, the other programs do not.
libraries=$(realpath "$folder"):$libraries
# Where libdevice is, if it is not where ps-run looks.
if [[ -z ${CUDA_HOME:-} && ! -e /usr/local/cuda/nvvm/libdevice/libdevice.10.bc ]]; then
  toolkit=$(command -v nvcc || true)
  file=$(find /usr/local/cuda-* ${toolkit:+"$(dirname "$toolkit")/.."} "${packages[@]}" \
    -path '*/nvvm/libdevice/libdevice.10.bc' -print -quit 2> /dev/null || true)
  [[ -z $file ]] || export CUDA_HOME=${file%/nvvm/*}
fi
# Each program alone is given these libraries: the system's Python has its own.
mkdir "$work/bin"
for program in $programs; do
  printf '#!/bin/bash\nLD_LIBRARY_PATH=%q exec %q "$@"\n' "$libraries" "$(realpath "$program")" \
    > "$work/bin/$(basename "$program")"
done
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH
cd "$work"

if [[ $device == cuda* ]]; then
  ps-run devices > devices.txt 2> reason.txt || true
  # cuda is cuda:0.
  name=$device
  [[ $name == cuda:* ]] || name=cuda:0
  if ! grep -qE '^cuda' devices.txt; then
    refuse 1 "no GPU can be used ($(tail -n 1 reason.txt)); without one, try scripts/check-gpu.sh emulated"
  elif ! grep -qE "^$name( |\$)" devices.txt; then
    refuse 1 "there is no $name; 'ps-run devices' lists the GPUs"
  fi
fi

# A GPU may be there for ten minutes only. The emulated device takes longer.
budget=${PS_SECONDS:-580}
[[ -n ${PS_SECONDS:-} || $device == cuda* ]] || budget=3600
passed=0
failed=() left_out=()
# in_time SECONDS COMMAND..: runs it for as long at most, or until the end.
in_time() {
  local seconds=$1 left=$((budget - SECONDS))
  shift
  ((left > 0)) || return 124
  timeout $((seconds < left ? seconds : left)) "$@"
}
# Seconds of a check, and whether one that takes longer has failed.
limit=120 is_slow=false
# check NAME COMMAND..: the command succeeds in time.
check() {
  local name=$1 begin=$SECONDS code=0
  shift
  if ((budget - SECONDS < 5)); then
    printf 'LEFT  %s: no time is left\n' "$name"
    left_out+=("$name")
    return
  fi
  in_time $limit "$@" > log.txt 2>&1 || code=$?
  if ((code == 0)); then
    printf 'ok    %s (%d s)\n' "$name" $((SECONDS - begin))
    passed=$((passed + 1))
  elif ((code == 124)) && $is_slow; then
    printf 'LEFT  %s: not done after %d s\n' "$name" $((SECONDS - begin))
    left_out+=("$name")
  else
    printf 'FAIL  %s (code %d, %d s): %s\n' "$name" $code $((SECONDS - begin)) "$*"
    tail -n 8 log.txt | cut -c1-300 | sed 's/^/      /'
    failed+=("$name")
    [[ -z ${PS_FAILURES:-} ]] || { printf '== %s\n' "$name" && cat log.txt; } >> "$PS_FAILURES"
  fi
}
# measure NAME COMMAND..: as check, and shows what the command prints, rows of
# which are compared with aims at the end.
touch rows.txt
measure() {
  : > log.txt
  check "$@"
  tee -a rows.txt < log.txt
}
# refuses NAME TEXT COMMAND..: it fails soon, in one line that has the text.
refuses() {
  local name=$1 text=$2
  shift 2
  check "$name" bash -c '
    text=$1; shift
    "$@" > out.txt 2>&1 && { echo "did not fail"; exit 1; }
    [ $? -lt 124 ] && grep -q "ps-run: error: .*$text" out.txt || { cat out.txt; exit 1; }' \
    - "$text" "$@"
}
# beside NAME..: runs these functions, each in a folder of its own, beside each
# other where there are cores for it, and shows what they print in this order.
beside() {
  local name at_once=$(($(nproc) / 2))
  for name in "$@"; do
    while (($(jobs -rp | wc -l) >= (at_once > 1 ? at_once : 1))); do
      wait -n || true
    done
    mkdir "$name"
    (
      cd "$name"
      # Its own tally: what was counted before is not counted again.
      passed=0 failed=() left_out=()
      "$name" > printed.txt 2>&1
      { printf 'passed=%d\n' "$passed" && declare -p failed left_out; } > tally.txt
    ) &
  done
  wait
  local all_passed=$passed all_failed=("${failed[@]}") all_left_out=("${left_out[@]}")
  for name in "$@"; do
    cat "$name/printed.txt"
    passed=0 failed=("$name") left_out=()
    [[ ! -e $name/tally.txt ]] || eval "$(sed 's/^declare -a //' "$name/tally.txt")"
    all_passed=$((all_passed + passed))
    all_failed+=("${failed[@]}") all_left_out+=("${left_out[@]}")
  done
  passed=$all_passed failed=("${all_failed[@]}") left_out=("${all_left_out[@]}")
}

# Tables whose rows the device has copies of, fewer than a run uses.
for example in wide_deep deepfm dlrm; do
  sed -E "s/^( *ps\.table .*init\(#ps\.[a-z]+<[^>]*>\))$/\1 tiers([#ps.hbm<rows = 4000>])/" \
    "$root/examples/$example/$example.mlir" > "$work/$example-hbm.mlir"
done
mnist=$root/examples/mnist_mlp/mnist_mlp.mlir
digits=--data=synthetic:digits#0-6400 clicks=--data=synthetic:ctr#0-2000
# train NAME TOLERANCE STEPS ARGUMENT..: on the device as on the host.
train() {
  local name=$1 tolerance=$2 steps=$3
  shift 3
  check "$name, host" ps-run "$@" --steps="$steps" --seed=1 --save="$name-host"
  check "$name, $device" ps-run "$@" --steps="$steps" --seed=1 --save="$name-device" --device="$device"
  check "$name, equal within $tolerance" ps-run compare "$name-host" "$name-device" --tolerance="$tolerance"
}
# train_ctr EXAMPLE TOLERANCE: a model of clicks.
train_ctr() {
  train "$1" "$2" 10 "$root/examples/$1/$1.mlir" --batch-size=64 "$clicks"
}
# train_rows EXAMPLE: with copies of a table's rows, after train_ctr.
train_rows() {
  local example=$1
  check "$example, rows on $device" ps-run "$work/$example-hbm.mlir" --steps=10 --seed=1 --batch-size=64 "$clicks" \
    --save="$example-hbm" --metrics="$example.jsonl" --device="$device"
  check "$example, rows came and went" grep -qE '"[a-z]+\.hbm_demoted":[1-9]' "$example.jsonl"
  check "$example, equal to rows on the host" ps-run compare "$example-device" "$example-hbm" --tolerance=1e-6
}

contract() {
  check "what every device does" env PS_TEST_DEVICE="$device" runtime-unit-tests --gtest_filter='DeviceContract.*'
  check "rows and their index on $device" env PS_TEST_DEVICE="$device" runtime-unit-tests --gtest_filter='Hbm*'
}
operations() {
  check "checks of StableHLO's ops" python3 "$root/test/check/Inputs/on_device.py" "$root/test/check" "$device"
}
classifier() {
  local run=(ps-run "$mnist" --batch-size=64 --steps=20 --seed=1 "$digits" --device="$device")
  train mnist 1e-5 20 "$mnist" --batch-size=64 "$digits" --eval-data=synthetic:digits#6400-6500
  check "equal runs, $device" bash -c '"$@" 2> again.txt || { cat again.txt; exit 1; }' - "${run[@]}" --save=again
  check "equal runs have equal bits" cmp mnist-device/model.safetensors again/model.safetensors
  check "steps are taken into graphs" bash -c 'test -d again && ! grep "node by node" again.txt'
  check "node by node, for a trace" "${run[@]}" --save=traced --trace=trace.json
  check "graphs have the bits of their nodes" cmp mnist-device/model.safetensors traced/model.safetensors
}
jobs_of_classifiers() {
  local job=(ps-run launch "$mnist" --batch-size=32 --steps=20 --seed=1 "$digits")
  check "mnist, host, for jobs" ps-run "$mnist" --batch-size=64 --steps=20 --seed=1 "$digits" --save=host
  check "2 pservers, 2 trainers" "${job[@]}" --pservers=2 --trainers=2 --save=job --device="$device"
  check "2 pservers, 2 trainers, equal to one process" ps-run compare host job --tolerance=1e-5
  check "2 pservers on $device, 2 trainers" "${job[@]}" --pservers=2 --trainers=2 --save=pservers \
    --pserver-device="$device"
  check "2 pservers on $device, equal to one process" ps-run compare host pservers --tolerance=1e-5
}
all_reduce() {
  check "mnist, host, for all-reduce" ps-run "$mnist" --batch-size=64 --steps=20 --seed=1 "$digits" --save=host
  # NCCL refuses two ranks on one GPU: then the host adds up.
  local trainers
  for trainers in 1 2; do
    check "$trainers trainers that all-reduce" ps-run launch "$mnist" --pservers=0 --trainers=$trainers \
      --batch-size=$((64 / trainers)) --steps=20 --seed=1 "$digits" --save="reduced-$trainers" --device="$device"
    [[ $trainers == 2 || $device == emulated ]] ||
      check "1 trainer uses NCCL" bash -c 'test -d reduced-1 && ! grep -r "added up on the host" log/'
    rm -rf log
    check "$trainers trainers that all-reduce, equal to one process" ps-run compare host "reduced-$trainers" \
      --tolerance=1e-5
  done
}
deepfm() {
  train_ctr deepfm 1e-5
  train_rows deepfm
}
wide_deep() {
  # Adam divides by the root of what may be close to nothing.
  train_ctr wide_deep 1e-3
  train_rows wide_deep
}
dcnv2() {
  train_ctr dcnv2 1e-5
}
convolutions() {
  train lenet 1e-5 10 "$root/examples/lenet/lenet.mlir" --batch-size=32 "$digits"
  train residual_block 1e-5 2 "$root/test/benchmarks/residual_block.mlir" --batch-size=4 "$digits"
}
dlrm() {
  local server job=(ps-run launch --pservers=2 --trainers=2 --batch-size=32 --steps=10 --seed=1 "$clicks")
  train_ctr dlrm 1e-5
  train_rows dlrm
  check "pservers and trainers on $device" "${job[@]}" "$root/examples/dlrm/dlrm.mlir" --save=dlrm-job \
    --device="$device" --pserver-device="$device"
  check "pservers and trainers on $device, equal to one process" ps-run compare dlrm-host dlrm-job --tolerance=1e-5
  # Rows that trainers ask pservers for, which have copies of some on the device.
  check "2 pservers with rows on $device" "${job[@]}" "$work/dlrm-hbm.mlir" --save=dlrm-rows \
    --metrics=dlrm-rows.jsonl --pserver-device="$device"
  for server in 0 1; do
    check "pserver $server, rows came and went" grep -qE '"[a-z]+\.hbm_demoted":[1-9]' "dlrm-rows.jsonl.pserver-$server"
  done
  check "2 pservers with rows on $device, equal to one process" ps-run compare dlrm-host dlrm-rows --tolerance=1e-5
}
bf16_products() {
  check "operands rounded to bf16" ps-run "$root/test/run/bf16-products.mlir" --entry=main --precision=bf16 \
    --device="$device"
  train mnist_bf16 1e-3 5 "$mnist" --batch-size=64 "$digits" --precision=bf16
  train heads_bf16 1e-3 3 "$root/test/run/Inputs/heads.mlir" --batch-size=16 "$digits" --precision=bf16
}
refusals() {
  refuses "more memory than there is" "device '$device.*cannot allocate .* bytes" ps-run "$mnist" --steps=1 \
    --data=synthetic:digits --batch-size=500000000 --remainder=pad --device="$device"
  [[ $device == cuda* ]] || return 0
  refuses "a GPU that is not there" "numbered from 0" ps-run "$mnist" --data=synthetic:digits --device=cuda:4095
  refuses "a GPU of pservers that is not there" "pserver .* failed: .*numbered from 0" ps-run launch "$mnist" \
    --data=synthetic:digits --pserver-device=cuda:4095
  sed -E 's/tensor<100000000x9xf32>/tensor<10000000000x9xf32>/; s/rows = 4000>/rows = 10000000000>/' \
    "$work/wide_deep-hbm.mlir" > large-hbm.mlir
  refuses "more rows than there is memory for" "@emb.*rows = 10000000000.*cannot allocate .* are free" \
    ps-run large-hbm.mlir --steps=1 --batch-size=64 "$clicks" --device="$device"
}

echo "== machine"
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2> /dev/null || echo "no nvidia-smi"
git -C "$root" log -1 --format='commit %h' 2> /dev/null || true

echo "== results"
beside contract operations jobs_of_classifiers all_reduce dlrm classifier wide_deep deepfm dcnv2 \
  convolutions bf16_products refusals

echo "== products"
# Those that do the work of kernels say so. Where the library does it otherwise,
# NaN for example, the kernel stays: "what every device does" said why.
ps-run "$mnist" --batch-size=64 --steps=2 --data=synthetic:digits#0-640 \
  --trace=products.json --device="$device" > /dev/null 2>&1 || true
grep -sohE 'gemm [0-9x]+( [@+][a-z0-9_]+)*' products.json | sort | uniq -c || echo "none"

echo "== speed"
# Times are for the reader: none decides about success.
measure "kernels, rows and a step" bench-ps-cuda "$device" "$root/test/benchmarks/classifier.mlir"
[[ $device != cuda* ]] || measure "products beside plain cuBLASLt" bench-cublaslt "$device"
# The last line of progress has steps per second.
speed() {
  local name=$1 batch=$2
  for where in cpu "$device"; do
    in_time 60 ps-run "$3" --data="$4" --batch-size="$batch" --steps="$5" --device="$where" 2> /dev/null |
      grep -oE '[0-9.e+]+ steps/s' | tail -n 1 | sed "s/^/$name, batch $batch, $where: /" ||
      echo "$name, batch $batch, $where: no figure"
  done
}
steps=200
[[ $device == emulated ]] && steps=2
speed mnist_mlp 64 "$mnist" synthetic:digits $steps
speed mnist_mlp 4096 "$mnist" synthetic:digits $((steps / 2))
speed lenet 512 "$root"/examples/lenet/lenet.mlir synthetic:digits $((steps / 2))
speed wide_deep 4096 "$root"/examples/wide_deep/wide_deep.mlir synthetic:ctr $((steps / 10 + 1))
sed 's/hbm<rows = 4000>/hbm<rows = 4000000>/' wide_deep-hbm.mlir > wide_deep-rows.mlir
speed "wide_deep with #ps.hbm" 4096 wide_deep-rows.mlir synthetic:ctr $((steps / 10 + 1))
if [[ $device == cuda* ]]; then
  if python3 -c 'import torch; assert torch.cuda.is_available()' 2> /dev/null; then
    measure "Wide & Deep beside PyTorch" python3 "$root/test/benchmarks/wide_deep_bench.py" ps-run "$root/examples" \
      --device=cuda --steps=60 --repeat=2
  else
    echo "no PyTorch that finds the GPU"
  fi
else
  measure "Wide & Deep" python3 "$root/test/benchmarks/wide_deep_bench.py" ps-run "$root/examples" \
    --device="$device" --steps=14 --repeat=1
fi

# Last, as it takes longest. Not every system lets it work.
limit=200 is_slow=true
sanitize() {
  local name=$1 tool tools=$2
  shift 2
  for tool in $tools; do
    local options=(--target-processes all --error-exitcode 9 --tool "$tool")
    # What the driver refuses, the programs report, and tests ask for.
    [[ $tool != memcheck ]] || options+=(--report-api-errors no)
    check "$tool, $name" env PS_TEST_DEVICE="$device" compute-sanitizer "${options[@]}" "$@"
  done
}
tests=$work/bin/runtime-unit-tests
sanitized_step() {
  sanitize "a step" "memcheck racecheck" "$work/bin/ps-run" "$mnist" --data=synthetic:digits#0-640 --batch-size=64 \
    --steps=2 --device="$device"
}
sanitized_rows() {
  sanitize "rows and their index" "memcheck racecheck" "$tests" \
    --gtest_filter='HbmIndex.*:HbmBatchTest.*:HbmPositions.*:HbmNodesTest.Replace*'
}
sanitized_training_of_rows() {
  # Not racecheck, which takes minutes for the library's products.
  sanitize "a step with rows on $device" memcheck "$work/bin/ps-run" "$work/wide_deep-hbm.mlir" "$clicks" \
    --batch-size=16 --steps=2 --device="$device"
}
sanitized_convolutions() {
  sanitize "a step with convolutions" memcheck "$work/bin/ps-run" "$root/examples/lenet/lenet.mlir" "$digits" \
    --batch-size=16 --steps=2 --device="$device"
}
# Each of these ops is a loop that threads share.
sanitized_loops() {
  local op
  for op in scatter select_and_scatter sort triangular_solve; do
    sanitize "$op" "memcheck racecheck" "$work/bin/ps-run" "$root/test/check/$op.mlir" --entry=main --device="$device"
  done
}
sanitized_contract() {
  sanitize "what every device does" memcheck "$tests" --gtest_filter='DeviceContract.*'
}
if [[ $device == cuda* ]]; then
  echo "== compute-sanitizer"
  if ! command -v compute-sanitizer > /dev/null; then
    echo "no compute-sanitizer"
  elif env PS_TEST_DEVICE="$device" compute-sanitizer "$tests" --gtest_filter='*.MemoryBeginsAsZeros' 2>&1 |
    grep -i "not supported"; then
    echo "compute-sanitizer does not work here"
  else
    beside sanitized_step sanitized_rows sanitized_training_of_rows sanitized_convolutions sanitized_loops \
      sanitized_contract
  fi
fi

echo "== aims"
# aim WHAT PATTERN: how many of the rows that match it meet their goals, and which
# do not.
aim() {
  grep -E "$2" rows.txt | grep -E '[<>]= ' | sed -E 's/ +(-?[0-9.]+|inf|nan) +([^ ]+) +([<>]=) ([0-9.]+).*/|\1|\2|\3|\4/' |
    awk -F'|' -v what="$1" '
      { meets = $2 !~ /[0-9]/ ? 0 : $4 == ">=" ? $2 + 0 >= $5 + 0 : $2 + 0 <= $5 + 0
        figures = figures sprintf("\n        %s %s: %s %s", meets ? "ok    " : "MISSED", $1, $2, $3)
        met += meets }
      END { printf "%-8s%s: %s%s\n", NR == 0 ? "-" : met == NR ? "met" : "MISSED", what,
              NR ? met " of " NR : "not measured", figures }' || true
}
aim "kernels move >= 85 % of the bytes of a device copy" ', of a device copy '
aim "products compute >= 95 % of plain cuBLASLt" ', of plain cuBLASLt '
aim "a step of 784-512-256-10 at batch 4,096 takes <= 1.2 x its kernels" 'step / its kernels '
aim "rows found by their ids: >= 70 % of a plain gather" 'hbm find, .*of a plain gather '
aim "rows inserted or updated: >= 40 % of a plain scatter" 'hbm insert or update, .*of a plain scatter '
aim "Wide & Deep trains >= 1.5 x as fast as PyTorch" 'ours against PyTorch'

echo "== $passed passed, ${#failed[@]} failed, ${#left_out[@]} left out, in $SECONDS s"
((${#failed[@]} == 0)) || printf 'FAIL  %s\n' "${failed[@]}"
((${#left_out[@]} == 0)) || printf 'LEFT  %s\n' "${left_out[@]}"
exit $((${#failed[@]} + ${#left_out[@]} > 0))
