#!/bin/sh
# Builds what is committed twice, in two folders of different names, at different times, with other users' umask, locale, time zone and number of
# jobs, and compares all that is installed, byte by byte. The first one is the README's first command as a user gives it: in a fresh clone, without
# any option; nothing that only tests need may be built.
# usage: sh scripts/check-reproducible.sh [FOLDER]
# FOLDER: where both are built, build-reproducible if absent; what was there before is removed.
# Exit status: 0 when the command ended well and left the report that it speaks of, and the two builds are the same. The last line says how
# many files were compared.
set -eu
cd "$(dirname "$0")/.."

folder=${1:-build-reproducible}
rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
second=a-second-one-with-a-longer-name/and-deeper

# usage: install_to NAME: where NAME was built
install_to() {
	DESTDIR="$folder/$1.installed" meson install --no-rebuild -C build >>log
}

# usage: start NAME
start() {
	git clone -q . "$folder/$1"
	cd "$folder/$1"
	sh scripts/start.sh >log 2>&1 || { tail -n 30 log; echo "start: sh scripts/start.sh failed in a fresh clone" >&2; exit 1; }
	for file in report.xml report.html; do
		[ -s "$file" ] || { echo "start: $file is missing" >&2; exit 1; }
	done
	[ ! -e build/tests ] && [ ! -e build/bench ] || { echo "start: a default build has tests or benches in it" >&2; exit 1; }
	install_to "$1"
	echo "start: the README's first command works in a fresh clone, $(ninja -C build -t targets all | grep -c '\.o: ') files compiled"
}

# usage: build NAME JOBS
build() {
	mkdir -p "$folder/$1"
	git archive HEAD | tar x -C "$folder/$1"
	cd "$folder/$1"
	{ meson setup build >log && ninja -j "$2" -C build >>log; } || { tail -n 40 log; exit 1; }
	install_to "$1"
}

# usage: list NAME: hashes of all that is installed
list() {
	(cd "$folder/$1.installed" && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum)
}

# Nothing that a cache of compilations has kept: the second build is one.
export CCACHE_DISABLE=1
(umask 022; LC_ALL=C TZ=UTC start first)
(umask 077; LC_ALL=C.UTF-8 TZ=Pacific/Kiritimati build "$second" 3)

list first >"$folder/first.sums"
list "$second" >"$folder/second.sums"
if ! cmp -s "$folder/first.sums" "$folder/second.sums"; then
	diff "$folder/first.sums" "$folder/second.sums" | sed -n 's/^[<>] [0-9a-f]*  /differs: /p' | sort -u
	exit 1
fi
echo "reproducible: $(wc -l <"$folder/first.sums") installed files of two builds are the same bytes"
