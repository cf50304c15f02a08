#!/bin/sh
# Compiles the kernels of examples/kernels and disassembles them, for the programs of gpubound wcet that bind SASS to its cubin.
#
# usage: scripts/disassemble.sh FOLDER [ARCHITECTURE...]      architectures: sm_75 sm_87 sm_90 unless given
# Needs nvcc and cuobjdump of the CUDA toolkit. Writes NAME.ARCHITECTURE.cubin and NAME.ARCHITECTURE.sass into FOLDER, and the lines for
# the <sass> elements into FOLDER/sass.txt. The same compiler gives the same bytes.
# For loops and costs by line of the source compile with -lineinfo and disassemble with nvdisasm -g -hex in place of cuobjdump; without -hex the
# text has no encodings, and each load is taken to be waited for where it is issued.
set -eu
[ $# -ge 1 ] || { sed -n 4p "$0" >&2; exit 2; }
folder=$1
shift
[ $# -gt 0 ] || set -- sm_75 sm_87 sm_90
sources=$(dirname "$0")/../examples/kernels
mkdir -p "$folder"
: >"$folder/sass.txt"
for source in "$sources"/*.cu; do
	name=$(basename "$source" .cu)
	for architecture; do
		file=$name.$architecture
		nvcc -cubin -arch="$architecture" -o "$folder/$file.cubin" "$source"
		cuobjdump -sass "$folder/$file.cubin" >"$folder/$file.sass"
		printf '<sass file="%s.sass" sha256="%s" cubin="%s.cubin" cubin-sha256="%s" function="%s"/>\n' \
			"$file" "$(sha256sum "$folder/$file.sass" | cut -d' ' -f1)" "$file" "$(sha256sum "$folder/$file.cubin" | cut -d' ' -f1)" \
			"$(printf %s "$name" | tr - _)" >>"$folder/sass.txt"
	done
done
