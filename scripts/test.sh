#!/bin/sh
# Installs what is needed, builds with the tests' hooks, runs all tests.
# usage: sh scripts/test.sh [FOLDER [MESON OPTION...]]     default: build-test
set -eu
cd "$(dirname "$0")/.."

folder=${1:-build-test}
[ $# -eq 0 ] || shift

sh scripts/install-deps.sh
[ -f "$folder/build.ninja" ] || meson setup "$folder" -Dtesting=true "$@"
ninja -C "$folder"
meson test -C "$folder" --no-rebuild --print-errorlogs
