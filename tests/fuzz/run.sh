#!/bin/sh
# Runs fuzz targets for some time each, from the corpora beside this file and the fixtures of the tests.
# usage: sh tests/fuzz/run.sh BUILD SECONDS [TARGET...]    (TARGET: import_nsys, input_taskset, ...; all importers by default)
# Exit status: 0 if none found a fault; what was found, the logs and the corpora that grew stay in BUILD/fuzz.
set -eu
build=$1
seconds=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- import_nsys import_kineto import_recorder import_trtexec import_ncu import_ptxas import_cuobjdump import_examiner import_orion import_poet import_amalthea import_csv

fixtures=$root/tests/import/fixtures
export GPUBOUND_DATA="$root"
mkdir -p "$build/fuzz/databases"
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import databases; databases.write_all(sys.argv[2])' "$root/tests/import" \
	"$build/fuzz/databases"
sed -n 's/.*\(name\|value\)="\([A-Za-z0-9._-]*\)".*/"\2"/p' "$root"/schema/*.xsd | sort -u >"$build/fuzz/words"
for target in "$@"; do
	seeds=$build/fuzz/$target.seeds
	mkdir -p "$build/fuzz/$target" "$seeds"
	case $target in
	import_nsys) cp "$fixtures"/*gpu_trace*.csv "$fixtures"/pipeline*.csv "$fixtures"/gputrace*.csv "$fixtures"/kern*.csv "$build"/fuzz/databases/* "$seeds" ;;
	import_kineto) cp "$fixtures"/kineto*.json "$seeds" ;;
	import_recorder) cp "$fixtures"/run.rec "$seeds" ;;
	import_trtexec) cp "$fixtures"/trtexec.json "$seeds" ;;
	import_ncu) cp "$fixtures"/ncu_*.csv "$seeds" && head -20 "$fixtures"/h200/ncu_details.csv >"$seeds/h200" ;;
	import_ptxas) cp "$fixtures"/ptxas_*.log "$seeds" && cp "$fixtures"/h200/ptxas_sm90.log "$seeds/h200" ;;
	import_cuobjdump) cp "$fixtures"/cuobjdump.txt "$fixtures"/h200/cuobjdump_cubin.txt "$seeds" ;;
	import_examiner) cp "$fixtures"/examiner/*.json "$fixtures"/examiner_result_*.json "$seeds" ;;
	import_orion) cp "$fixtures"/network_*.csv "$seeds" ;;
	import_poet) cp "$fixtures"/poet.yaml "$seeds" ;;
	import_amalthea) cp "$fixtures"/*.amxmi "$seeds" ;;
	import_csv) cp "$fixtures"/tables*.csv "$seeds" ;;
	*_taskset) cp "$root"/examples/*.xml "$root"/tests/input/taskset.xml "$root"/tests/reject/*.xml "$seeds" ;;
	input_tables) cp "$root"/examples/*.xml "$root"/models/*.xml "$root"/tests/reject/*.xml "$seeds" ;;
	*_platform) cp "$root"/models/*.xml "$seeds" ;;
	input_program) find "$root/examples/kernels" "$root/tests/kernel" -name '*.xml' -exec cp {} "$seeds" \; ;;
	*_frame) find "$root/examples/frames" "$root/tests" -path '*frame*' -name '*.xml' -exec cp {} "$seeds" \; ;;
	*_report) # golden files leave the environment out
		for report in two-streams verdicts cockpit; do
			sed 's|^  <invocation>|  <environment tool="gpubound" version="0" manual="0" compiler="cc" libxml2="2" gmp="6" glpk="5" zlib="1" nettle="3"/>\n&|' \
				"$root/tests/golden/$report.report" >"$seeds/$report"
		done
		;;
	input_trace)
		for trace in "$root"/tests/silicon/traces/*.csv.gz; do
			zcat "$trace" | sed -n '1,25p;25q' >"$seeds/$(basename "$trace" .gz)"
		done
		;;
	esac
	committed=$root/tests/fuzz/corpus/$target
	[ -d "$committed" ] || committed=
	"$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=40000 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
		-dict="$build/fuzz/words" -artifact_prefix="$build/fuzz/$target-" "$build/fuzz/$target" "$seeds" $committed >"$build/fuzz/$target.log" 2>&1 || {
		tail -30 "$build/fuzz/$target.log"
		echo "$target: a fault was found"
		exit 1
	}
	echo "$target: $(grep 'DONE' "$build/fuzz/$target.log" | tail -1), $seconds s"
done
