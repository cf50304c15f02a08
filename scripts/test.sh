#!/bin/sh
# Installs what is needed, builds with the tests' hooks, runs all tests.
# usage: [PATIENCE=N] sh scripts/test.sh [FOLDER [MESON OPTION...]]
# FOLDER: where to build, build-test if absent. PATIENCE: N times the usual time limits, 1 if absent.
set -eu
cd "$(dirname "$0")/.."

folder=${1:-build-test}
[ $# -eq 0 ] || shift

sh scripts/install-deps.sh test
[ -f "$folder/build.ninja" ] || meson setup "$folder" -Dtesting=true "$@"
ninja -C "$folder"
meson test -C "$folder" --no-rebuild --print-errorlogs --timeout-multiplier "${PATIENCE:-1}"
