#!/bin/sh
# Runs every fuzz target of gpubound import for some time, from the fixtures of tests/import.
# usage: sh tests/fuzz/run.sh BUILD SECONDS [FORMAT...]
# Exit status: 0 if none found a fault; what was found stays in BUILD/fuzz.
set -eu
build=$1
seconds=$2
shift 2
root=$(dirname "$0")/../..
[ $# -gt 0 ] || set -- nsys ncu ptxas cuobjdump examiner orion poet

fixtures=$root/tests/import/fixtures
mkdir -p "$build/fuzz"
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import databases; databases.write_all(sys.argv[2])' "$root/tests/import" "$build/fuzz"
for format in "$@"; do
	corpus=$build/fuzz/$format
	mkdir -p "$corpus"
	case $format in
	nsys) cp "$fixtures"/gpu_trace*.csv "$fixtures"/gputrace*.csv "$fixtures"/kern*.csv "$build"/fuzz/*.sqlite "$corpus" ;;
	ncu) cp "$fixtures"/ncu_*.csv "$corpus" ;;
	ptxas) cp "$fixtures"/ptxas_*.log "$corpus" ;;
	cuobjdump) cp "$fixtures"/cuobjdump.txt "$corpus" ;;
	examiner) cp "$fixtures"/examiner/*.json "$fixtures"/examiner_result_*.json "$corpus" ;;
	orion) cp "$fixtures"/network_*.csv "$corpus" ;;
	poet) cp "$fixtures"/poet.yaml "$corpus" ;;
	esac
	"$build/tests/fuzz/fuzz_import_$format" -max_total_time="$seconds" -max_len=20000 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$build/fuzz/$format-" "$corpus" >"$build/fuzz/$format.log" 2>&1 || {
		tail -30 "$build/fuzz/$format.log"
		echo "$format: a fault was found"
		exit 1
	}
	echo "$format: $(grep 'DONE' "$build/fuzz/$format.log" | tail -1)"
done
