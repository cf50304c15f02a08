#!/bin/sh
# Installs what is needed, builds with the tests' hooks, runs tests.
usage() {
	cat <<'END'
usage: [PATIENCE=N] sh scripts/test.sh [--all|--sanitized] [FOLDER [MESON OPTION...]]
Without an option: what every change has to pass, the suite quick; three minutes on two cores. --all: every test; some fifteen minutes.
--sanitized: under AddressSanitizer and UndefinedBehaviorSanitizer, what runs code of ours in a way that nothing else in quick does.
FOLDER: where to build, build-test or build-sanitize if absent. PATIENCE: N times the usual time limits, 1 if absent.

The suites, of which meson test -C FOLDER --suite NAME runs one, and meson test -C FOLDER --list says what is in which:
quick     every promise of the program, with as many cases as a few seconds allow
slow      the same promises with all cases: each figure of each example forged, thousands of drawn systems, the longest reports
texts     of quick, what reads sources, manual, models and schemas and runs no code of ours: its form, its citations, its layers
attacks   of quick, all that once broke a promise
plants    of both, faults planted in the analysis: a test that finds none of them would find nothing
silicon   what whole recordings of GPUs say; GPUBOUND_DATA_DIR and GPUBOUND_TRACES are the folders that have them, else it is skipped
END
}
set -eu
cd "$(dirname "$0")/.."

folder=build-test options= suites='--suite quick'
case ${1-} in
--all)
	shift
	suites=
	;;
--sanitized)
	shift
	# -O1, and of debug information the lines: less than half the time to compile, and the tests run as long as with -O2 -g
	folder=build-sanitize options='-Db_sanitize=address,undefined -Doptimization=1 -Ddebug=false -Dc_args=-g1 -Db_lundef=false'
	suites='--suite quick --no-suite texts --no-suite plants'
	;;
-*)
	usage
	[ "$1" = --help ] || exit 2
	exit 0
	;;
esac
folder=${1:-$folder}
[ $# -eq 0 ] || shift

sh scripts/install-deps.sh test
# shellcheck disable=SC2086
[ -f "$folder/build.ninja" ] || meson setup "$folder" -Dtesting=true $options "$@"
ninja -C "$folder"
# shellcheck disable=SC2086
meson test -C "$folder" --no-rebuild --print-errorlogs --timeout-multiplier "${PATIENCE:-1}" $suites
