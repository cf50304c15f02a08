#!/bin/sh
# Runs the README's first command as a user does: in a fresh clone of what is committed, without any option. Nothing that only tests need may be built.
# usage: sh scripts/check-start.sh
# Exit status: 0 when the command ended well and left the report that it speaks of.
set -eu
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
git clone -q . "$folder/gpubound"
cd "$folder/gpubound"

sh scripts/start.sh >"$folder/log" 2>&1 || {
	tail -n 30 "$folder/log"
	echo "start: sh scripts/start.sh failed in a fresh clone" >&2
	exit 1
}
for file in report.xml report.html; do
	[ -s "$file" ] || {
		echo "start: $file is missing" >&2
		exit 1
	}
done
[ ! -e build/tests ] && [ ! -e build/bench ] || {
	echo "start: a default build has tests or benches in it" >&2
	exit 1
}
echo "start: the README's first command works in a fresh clone, $(ninja -C build -t targets all | grep -c '\.o: ') files compiled"
