#!/usr/bin/env bash
# Measures ps-mlir beside other frameworks on this machine: see
# scripts/bench-peers.sh --help and docs/Benchmarks.md.
exec python3 "$(dirname "$0")/peers/main.py" "$@"
