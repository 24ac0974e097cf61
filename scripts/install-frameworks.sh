#!/usr/bin/env bash
# Installs the frameworks whose models the tests import, from PyPI, into the
# virtual environment of the folder that is given. Without network, and where
# that fails in another way, it prints why and leaves no folder, which is no
# error. PyTorch is not among them: PyPI has only its build for CUDA, of 6 GB.
set -euo pipefail
folder=$1

# Those of docs/Coverage.md.
packages=(jax==0.10.2 optax==0.2.8 flax==0.12.8 onnx==1.23.2
  scikit-learn==1.9.1 skl2onnx==1.20.0 pyarrow==26.0.1)
patience=(--disable-pip-version-check --timeout 5 --retries 1)

give_up() {
  echo "install-frameworks.sh: $1; models of other frameworks are not tested"
  rm -rf "$folder"
  exit 0
}

installed=$folder/installed
if [ "$(cat "$installed" 2>/dev/null)" = "${packages[*]}" ]; then
  exit 0
fi
rm -rf "$folder"
timeout 60 python3 -m venv "$folder" ||
  give_up "python3 -m venv makes no environment"
# The smallest package first: it shows within seconds whether there is a network.
timeout -k 5 30 "$folder/bin/pip" download -q --no-deps "${patience[@]}" \
  -d "$folder/download" "${packages[1]}" >"$folder/log" 2>&1 ||
  give_up "PyPI cannot be reached"
timeout -k 5 400 "$folder/bin/pip" install -q "${patience[@]}" \
  "${packages[@]}" >"$folder/log" 2>&1 ||
  give_up "pip failed: $(tail -n 1 "$folder/log")"
rm -r "$folder/download"
echo "${packages[*]}" >"$installed"
