#!/bin/sh
# Builds libgpubound-stress.so, which puts an unmodified program into some SMs and stresses it from the others (probe/stress/vehicle.c).
#
# usage: sh build-stress.sh [FOLDER]
#   FOLDER  where it goes (default: the folder that you are in)
# CUDA_HOME is where the CUDA toolkit is (default: /usr/local/cuda), of 12.5 or later; ARCH the architecture (default: native); CC is the compiler
# (default: cc).
set -eu
source=$(cd "$(dirname "$0")/stress" && pwd)
folder=${1:-.}
cuda=${CUDA_HOME:-/usr/local/cuda}
nvcc=$cuda/bin/nvcc
if [ ! -x "$nvcc" ]; then
	echo "build-stress.sh: there is no nvcc in $cuda: nothing was built. Set CUDA_HOME to the toolkit." >&2
	exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
# optimised, as dlsym has to end in a jump
${CC:-cc} -std=c11 -O2 -Wall -Wextra -fPIC -fvisibility=hidden -isystem "$cuda/include" -c "$source/vehicle.c" -o "$work/vehicle.o"
"$nvcc" -arch="${ARCH:-native}" -O2 -std=c++17 -Xcompiler -fPIC -c "$source/aggressors.cu" -o "$work/aggressors.o"
# the aggressors first: their kernels are registered before the vehicle begins
"$nvcc" -shared -arch="${ARCH:-native}" -cudart static -o "$folder/libgpubound-stress.so" "$work/aggressors.o" "$work/vehicle.o" -lpthread -ldl
"$nvcc" -arch="${ARCH:-native}" -O2 -std=c++17 -cudart shared -o "$folder/victim" "$source/victim.cu"
echo "$folder/libgpubound-stress.so"
