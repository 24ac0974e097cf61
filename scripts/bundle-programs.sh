#!/usr/bin/env bash
# Copies ps-opt and ps-run to FOLDER/bin, and the libraries that they need
# except glibc's to FOLDER/lib, where the programs find them on any machine.
# usage: bundle-programs.sh FOLDER
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
programs=${PS_MLIR_BIN:-$root/build/release/bin}
for program in ps-opt ps-run; do
  if [ ! -x "$programs/$program" ]; then
    echo "bundle-programs.sh: $programs/$program does not exist: build it, or" \
      "name another folder in PS_MLIR_BIN" >&2
    exit 1
  fi
done
if ! command -v patchelf >/dev/null; then
  echo "bundle-programs.sh: patchelf is missing: apt-get install patchelf" >&2
  exit 1
fi

mkdir -p "$1/bin" "$1/lib"
install -s "$programs/ps-opt" "$programs/ps-run" "$1/bin"
# An RPATH, unlike a RUNPATH, is also that of libraries that these need.
# libps-cuda.so is beside ps-run.
patchelf --force-rpath --set-rpath '$ORIGIN:$ORIGIN/../lib' \
  "$1/bin/ps-opt" "$1/bin/ps-run"
if [ -e "$programs/libps-cuda.so" ]; then
  install "$programs/libps-cuda.so" "$1/bin"
fi

# The system's loader and glibc must match each other: both stay the system's.
ldd "$programs/ps-opt" "$programs/ps-run" | awk '$2 == "=>" { print $3 }' |
  sort -u | grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv)\.so' |
  while read -r library; do
    install -m 644 "$(readlink -f "$library")" "$1/lib/$(basename "$library")"
  done
