#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Ends with the seconds
# that each phase took. Models of other frameworks are trained where PS_PYTHON
# names an interpreter that has them, or where they can be installed.
set -euo pipefail
cd "$(dirname "$0")/.."

times=()
phase() {
  local name=$1 start=$SECONDS
  shift
  printf '== %s\n' "$name"
  "$@" || {
    echo "check.sh: failed: $name" >&2
    exit 1
  }
  times+=("$((SECONDS - start)) s $name")
}

# A second build has nothing to do: no step makes its own input look newer.
rebuild() {
  cmake --build --preset dev | tee /dev/stderr | grep -q 'no work to do'
}

phase install ./scripts/install-deps.sh
phase configure cmake --preset dev --log-level=WARNING
if [ -z "${PS_PYTHON:-}" ]; then
  phase frameworks ./scripts/install-frameworks.sh build/frameworks
  if [ -d build/frameworks ]; then
    export PS_PYTHON=$PWD/build/frameworks/bin/python
  fi
fi
phase build cmake --build --preset dev
phase rebuild rebuild
phase test cmake --build --preset dev --target check-ps
phase sample ./scripts/sample-coverage.sh
phase format cmake --build --preset dev --target format-check

printf '== all passed:'
printf ' %s,' "${times[@]}"
printf ' %s s in all\n' "$SECONDS"
