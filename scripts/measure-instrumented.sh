#!/bin/sh
# Measures the longest blocks of other people's kernels: prepares them (probe/instrumented.py) and goes on behind each that ends its context.
#
# usage: scripts/measure-instrumented.sh SOURCES OUT SECONDS [-I FOLDER]...
# Code that OUT has already, with its kernels.txt, is measured as it is. OUT gets blocks.csv and the code that was measured, for bench/measured.py. Needs nvcc, cuobjdump and a GPU; changes no setting of it.
set -u
[ $# -ge 3 ] || { sed -n 4p "$0" >&2; exit 2; }
probe=$(dirname "$0")/../probe sources=$1 out=$2 end=$(($(date +%s) + $3))
shift 3
mkdir -p "$out"
nvcc -arch=sm_90 -O2 -std=c++17 -o "$out/instrumented" "$probe/instrumented.cu" -lcuda &
[ -f "$out/kernels.txt" ] || python3 "$probe/instrumented.py" "$sources" "$out" --jobs "$(nproc)" "$@"
wait
echo number,cubin,function,shape,ints,run,grid,resident,input,cycles,warm >"$out/blocks.csv"
kernel=0 run=0
while [ "$(date +%s)" -lt "$end" ]; do
	timeout -k 5 60 "$out/instrumented" "$out" "$out/blocks.csv" "$kernel" "$run" >/dev/null 2>"$out/last"
	[ $? -ne 0 ] || break
	line=$(tail -n 1 "$out/last")
	echo "$line" >>"$out/gave-up.txt"
	run=${line##* } kernel=${line% *}
	kernel=${kernel##* }
	run=$((run + 1))
	[ "$run" -lt 4 ] || { kernel=$((kernel + 1)) run=0; }
done
echo "$kernel of $(wc -l <"$out/kernels.txt") kernels when it ended" >&2
