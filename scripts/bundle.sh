#!/usr/bin/env bash
# Makes a wheel of the Python package that brings the programs along, with the
# libraries that they need except glibc's, for machines where nothing is built.
# usage: bundle.sh [FOLDER]: writes ps_mlir-*.whl to FOLDER (default: dist)
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-dist}"
out=$(cd "${1:-dist}" && pwd)
programs=${PS_MLIR_BIN:-$root/build/dev/bin}
for program in ps-opt ps-run; do
  if [ ! -x "$programs/$program" ]; then
    echo "bundle.sh: $programs/$program does not exist: build it, or name" \
      "another folder in PS_MLIR_BIN" >&2
    exit 1
  fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet build setuptools wheel
cp -r "$root/python" "$work/python"
package=$work/python/ps_mlir
mkdir "$package/bin" "$package/lib"
install -s "$programs/ps-opt" "$programs/ps-run" "$package/bin"
if [ -e "$programs/libps-cuda.so" ]; then
  install "$programs/libps-cuda.so" "$package/bin"
fi

# The system's loader and glibc must match each other: both stay the system's.
ldd "$programs/ps-opt" "$programs/ps-run" | awk '$2 == "=>" { print $3 }' |
  sort -u | grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' |
  while read -r library; do
    install -m 644 "$(readlink -f "$library")" "$package/lib/$(basename "$library")"
  done

"$work/venv/bin/python" -m build --quiet --wheel --no-isolation \
  --outdir "$work" "$work/python"
# Debian 12's glibc is 2.36.
"$work/venv/bin/wheel" tags --remove --platform-tag manylinux_2_36_x86_64 \
  "$work"/ps_mlir-*.whl >/dev/null
mv "$work"/ps_mlir-*.whl "$out"
ls -sh "$out"/ps_mlir-*.whl
