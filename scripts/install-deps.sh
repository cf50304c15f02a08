#!/bin/sh
# Installs the Debian packages that gpubound is built and tested with; what is installed already is left alone.
# usage: sh scripts/install-deps.sh [test|package]
# Without an argument: what a build and the manual need. test: what tests need besides; package: what Debian's packages are made and tested with besides.
set -eu

build='
gcc libc6-dev meson ninja-build pkgconf python3 mandoc
libgmp-dev nettle-dev libxml2-dev libxml2-utils zlib1g-dev libglpk-dev
libjansson-dev libxslt1-dev libcsv-dev libsqlite3-dev
'
test='check clang-format-14 git openssl xmlsec1 xsltproc'
package='dpkg-dev debhelper fakeroot lintian'

case ${1-} in
'') packages=$build ;;
test) packages="$build $test" ;;
package) packages="$build $test $package" ;;
*)
	echo "usage: sh scripts/install-deps.sh [test|package]" >&2
	exit 2
	;;
esac

missing=
for package in $packages; do
	case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true) in
	*' installed') ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
	echo "not installed, and this is not root; as root: apt-get install$missing" >&2
	exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null
