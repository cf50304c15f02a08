#!/bin/sh
# Builds what is committed twice, in two folders of different names, at different times, with other users' umask, locale, time zone and number of
# jobs, and compares all that is installed, byte by byte.
# usage: sh scripts/check-reproducible.sh [FOLDER]
# FOLDER: where both are built, build-reproducible if absent; what was there before is removed.
# Exit status: 0 when the two are the same. The last line says how many files were compared.
set -eu
cd "$(dirname "$0")/.."

folder=${1:-build-reproducible}
rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# usage: build NAME JOBS
build() {
	mkdir -p "$folder/$1"
	git archive HEAD | tar x -C "$folder/$1"
	(cd "$folder/$1" && meson setup build --prefix=/usr >log && ninja -j "$2" -C build >>log && DESTDIR="$folder/$1.installed" meson install -C build >>log) ||
		{ tail -n 40 "$folder/$1/log"; exit 1; }
}

# Nothing that a cache of compilations has kept: the second build is one.
export CCACHE_DISABLE=1
(umask 022; LC_ALL=C TZ=UTC build first 2)
(umask 077; LC_ALL=C.UTF-8 TZ=Pacific/Kiritimati build a-second-one-with-a-longer-name/and-deeper 3)

# usage: list NAME: hashes of all that is installed
list() {
	(cd "$folder/$1.installed" && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum)
}

list first >"$folder/first.sums"
list a-second-one-with-a-longer-name/and-deeper >"$folder/second.sums"
if ! cmp -s "$folder/first.sums" "$folder/second.sums"; then
	diff "$folder/first.sums" "$folder/second.sums" | sed -n 's/^[<>] [0-9a-f]*  /differs: /p' | sort -u
	exit 1
fi
echo "reproducible: $(wc -l <"$folder/first.sums") installed files of two builds are the same bytes"
