#!/bin/sh
# Installs the Debian packages that gpubound is built and tested with; what is installed already is left alone.
# usage: sh scripts/install-deps.sh
set -eu

packages='
gcc libc6-dev meson ninja-build pkgconf python3
libgmp-dev nettle-dev libxml2-dev zlib1g-dev libglpk-dev
libjansson-dev libxslt1-dev libcsv-dev libsqlite3-dev
check mandoc libxml2-utils openssl xmlsec1 xsltproc
'

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
