#!/bin/sh
# Campaigns of the falsifier analyse and simulate in threads, and users of the library analyse and write files in threads: no two of them
# may share what they write. Builds with ThreadSanitizer and runs a campaign, and cases of the library whose files are compared with the
# command's.
# usage: scripts/check-threads.sh [BUILD]
set -e
cd "$(dirname "$0")/.."
build=${1:-build-threads} log=${1:-build-threads}/check.log
mkdir -p "$build"
test -f "$build/build.ninja" || meson setup "$build" -Dtests=true -Db_sanitize=thread -Db_lundef=false -Dbuildtype=debugoptimized >"$log" 2>&1
ninja -C "$build" gpubound tests/api_threads >>"$log" 2>&1 || { tail -n 30 "$log"; exit 1; }
export TSAN_OPTIONS=halt_on_error=1:exitcode=66
complain() {
	if grep -q "unexpected memory mapping" "$log"; then
		echo "threads: SKIPPED, ThreadSanitizer does not run on this kernel"
		exit 0
	fi
	tail -n 60 "$log"
	exit 1
}
"$build/gpubound" falsify --systems=600 --runs=4 --threads=4 --seed=17 >>"$log" 2>&1 || complain
python3 tests/api_threads.py "$build/tests/api_threads" "$build/gpubound" . 6 >>"$log" 2>&1 || complain
echo "threads: no data race in 600 systems; $(tail -n 1 "$log")"
