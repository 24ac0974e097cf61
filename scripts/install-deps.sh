#!/usr/bin/env bash
# Installs what the build and the tests need, from Debian 12's own packages.
# Idempotent: when everything is present it returns at once, without network
# and without root. Otherwise it works as root or through sudo.
set -euo pipefail

packages=(
  # compiler and build
  clang-19 lld-19 cmake ninja-build ccache git ca-certificates
  clang-format-14
  # MLIR and LLVM
  libmlir-19-dev mlir-19-tools llvm-19-dev llvm-19-tools
  libzstd-dev zlib1g-dev libxml2-dev libffi-dev
  # runtime: tasks, transport, matrix products, checksums
  libtbb-dev libgrpc++-dev protobuf-compiler-grpc libprotobuf-dev
  protobuf-compiler libssl-dev libdnnl-dev libgomp1 nlohmann-json3-dev libcli11-dev
  libxxhash-dev
  # sanitizers, tests and the scripts that run them
  libclang-rt-19-dev libgtest-dev libgmock-dev python3 python3-psutil python3-numpy
  python3-venv
  valgrind openssl etcd-server patchelf
)

# One line per package that is known: "name:status". A status other than
# installed means missing, and so does no line at all.
known=$(dpkg-query -W -f='${Package}:${db:Status-Status}\n' "${packages[@]}" \
  2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx "$package:installed" <<<"$known" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-deps.sh: need root or sudo to install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "install-deps.sh: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
