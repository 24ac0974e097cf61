#!/usr/bin/env bash
# From pip to a trained model: a new virtual environment, the package with JAX,
# and the Python of README.md. Prints how long each takes.
#
#   ./scripts/python-quickstart.sh [WHEEL]
#
# Without a wheel of scripts/bundle.sh it installs the checkout's package, and
# runs the programs of build/dev/bin.
set -euo pipefail
cd "$(dirname "$0")/.."
package=${1:-./python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

begin=$SECONDS
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet "${package}[jax]"
echo "installed after $((SECONDS - begin)) s"
if [ $# -eq 0 ]; then
  export PS_MLIR_BIN=$PWD/build/dev/bin
fi
sed -n '/^```python$/,/^```$/p' README.md | grep -v '^```' >"$work/readme.py"
cd "$work"
"$work/venv/bin/python" readme.py
echo "trained after $((SECONDS - begin)) s"
