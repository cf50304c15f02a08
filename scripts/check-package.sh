#!/bin/sh
# Builds the Debian packages from what is committed, in a folder of its own, runs lintian on them, and tries what they install.
# usage: sh scripts/check-package.sh [FOLDER]
# FOLDER: where the packages go, build-package if absent; what was there before is removed.
# Installs what is needed for it (scripts/install-deps.sh package); DEB_BUILD_OPTIONS=nocheck leaves the tests out.
# Exit status: 0 when the packages are built, lintian has no error, and the installed program and library work.
set -eu
cd "$(dirname "$0")/.."

sh scripts/install-deps.sh package
folder=${1:-build-package}
rm -rf "$folder"
mkdir -p "$folder/source"
git archive HEAD | tar x -C "$folder/source"
cd "$folder"
top=$PWD

(cd source && dpkg-buildpackage -us -uc -b)
# --no-tag-display-limit: nothing is left out of what lintian says
lintian --fail-on error --no-tag-display-limit --display-info ./*.changes

# What is installed works where it lies, apart from the dependencies: they are this machine's.
for package in ./*.deb; do
	dpkg-deb -x "$package" root
done
export GPUBOUND_DATA="$top/root/usr/share/gpubound"
library=$(dirname "$(find "$top/root" -name libgpubound.so)")
export LD_LIBRARY_PATH="$library" PKG_CONFIG_PATH="$library/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$top/root"
status=0
root/usr/bin/gpubound analyze "$GPUBOUND_DATA/examples/two-streams.xml" || status=$?
[ "$status" -le 1 ]
root/usr/bin/gpubound kit -o kit # its cases, of what is installed
# shellcheck disable=SC2046
cc "$GPUBOUND_DATA/examples/api/bounds.c" -o bounds $(pkg-config --cflags --libs gpubound)
./bounds "$GPUBOUND_DATA/examples/two-streams.xml"
MANPATH="$top/root/usr/share/man" man -w gpubound gpubound-analyze gpubound-taskset gpubound-machine >/dev/null
echo "packages in $folder: $(ls ./*.deb | wc -l) built, no error of lintian, program and library work"
