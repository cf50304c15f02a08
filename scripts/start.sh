#!/bin/sh
# From a fresh clone to a bound: installs what is needed, builds, analyses the WATERS 2019 example.
# usage: sh scripts/start.sh
# Exit status: 0 when the example was analysed, whether all its deadlines are proven or not.
set -eu
cd "$(dirname "$0")/.."

sh scripts/install-deps.sh
[ -f build/build.ninja ] || meson setup build
ninja -C build

status=0
build/gpubound analyze -o report.xml examples/waters2019.xml || status=$?
case $status in
0 | 1)
	build/gpubound report --figures report.xml -o report.html
	echo "the report with every derivation is in report.xml; to read it, open report.html"
	;;
*) exit "$status" ;;
esac
