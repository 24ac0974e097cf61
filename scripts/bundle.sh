#!/usr/bin/env bash
# Makes a wheel of the Python package that brings the programs along, with the
# libraries that they need except glibc's, for machines where nothing is built.
# usage: bundle.sh [FOLDER]: writes ps_mlir-*.whl to FOLDER (default: dist)
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-dist}"
out=$(cd "${1:-dist}" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/python" "$work/python"
"$root/scripts/bundle-programs.sh" "$work/python/ps_mlir"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet build setuptools wheel
"$work/venv/bin/python" -m build --quiet --wheel --no-isolation \
  --outdir "$work" "$work/python"
# Debian 12's glibc is 2.36.
"$work/venv/bin/wheel" tags --remove --platform-tag manylinux_2_36_x86_64 \
  "$work"/ps_mlir-*.whl >/dev/null
mv "$work"/ps_mlir-*.whl "$out"
ls -sh "$out"/ps_mlir-*.whl
