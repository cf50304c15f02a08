#!/bin/sh
# Builds the recorder (probe/recorder), a library that records what an unmodified program does with the GPU; see gpubound-recording(5).
#
# usage: sh build-recorder.sh [FOLDER]
#   FOLDER  where libgpubound-recorder.so goes (default: the folder that you are in)
# CUDA_HOME is where the CUDA toolkit is (default: /usr/local/cuda); CC is the compiler (default: cc). No GPU is needed to build it.
set -eu
source=$(cd "$(dirname "$0")/recorder" && pwd)
folder=${1:-.}
cuda=${CUDA_HOME:-/usr/local/cuda}

# find_in NAME FOLDER...: the first of the folders that has it
find_in() {
	wanted=$1
	shift
	for place; do
		if [ -e "$place/$wanted" ]; then
			echo "$place"
			return
		fi
	done
}

headers=$(find_in cupti.h "$cuda/extras/CUPTI/include" "$cuda/include")
library=$(find_in libcupti.so "$cuda/extras/CUPTI/lib64" "$cuda/lib64" "$cuda/lib" "$cuda/targets/x86_64-linux/lib" "$cuda/targets/sbsa-linux/lib" \
	"$cuda/targets/aarch64-linux/lib")
if [ -z "$headers" ] || [ -z "$library" ]; then
	echo "build-recorder.sh: CUPTI is not in $cuda (cupti.h: ${headers:-not found}; libcupti.so: ${library:-not found}): nothing was built." >&2
	echo "CUPTI is a part of the CUDA toolkit; on Debian's and NVIDIA's repositories its package is cuda-cupti-dev. Set CUDA_HOME to the toolkit." >&2
	exit 1
fi
mkdir -p "$folder"
${CC:-cc} -std=c11 -O2 -Wall -Wextra -fPIC -shared -fvisibility=hidden -isystem "$headers" -isystem "$cuda/include" \
	-o "$folder/libgpubound-recorder.so" "$source/recorder.c" "$source/record_writer.c" \
	-L"$library" -Wl,-rpath,"$library" -lcupti -lpthread
echo "$folder/libgpubound-recorder.so"
