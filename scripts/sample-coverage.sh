#!/usr/bin/env bash
# Trains a few models of other frameworks here and there, and compares: of each
# suite of test/python/coverage.py whose frameworks the interpreter PS_PYTHON
# has. Where PS_STABLEHLO names the folder stablehlo/ of a checkout of StableHLO,
# some of its programs run, too. Which, is new each time, or as PS_SEED says.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PWD/build/dev/bin:$PATH PYTHONDONTWRITEBYTECODE=1
seed=${PS_SEED:-$RANDOM}

has() {
  "$PS_PYTHON" - "$@" <<'SCRIPT'
import importlib.util as util
import sys
sys.exit(not all(util.find_spec(name) for name in sys.argv[1:]))
SCRIPT
}

run() {
  echo "$*"
  timeout -k 5 300 "$@"
}

sample() {
  local suite=$1
  shift
  if [ -n "${PS_PYTHON:-}" ] && has "$@"; then
    run "$PS_PYTHON" -W ignore test/python/coverage.py "$suite" --job \
      --sample=3 --seed="$seed"
  fi
}

sample jax_losses jax optax
sample flax_losses jax optax flax
sample sklearn_models jax optax onnx sklearn skl2onnx
sample onnx_models torch onnx onnxscript
sample torch_modules torch
if [ -n "${PS_STABLEHLO:-}" ]; then
  run python3 test/python/stablehlo_coverage.py "$PS_STABLEHLO" --sample=200 \
    --seed="$seed"
fi
