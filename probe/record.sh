#!/bin/sh
# Records everything that gpubound calibrate wants of this machine's GPU: one file a measurement into a folder.
#
# usage: sh record.sh PROGRAMS FOLDER [FACTOR]
#   PROGRAMS  the folder with the programs of probe/, as meson builds them (build/probe) or nvcc does
#   FOLDER    where the recordings go; those that are there and complete are kept, so that the script can be run again
#   FACTOR    lengths the time of each measurement (default 1: about a minute and a half in all)
# Further arguments for the measurements of order come from the environment: ORDER_ARGUMENTS=--host-traffic where your kernels access host memory.
set -eu
programs=$1
folder=$2
factor=${3:-1}
mkdir -p "$folder"

complete() {
	[ -f "$folder/$1.csv" ] && tail -n 1 "$folder/$1.csv" | grep -q '^# complete '
}

# record NAME SECONDS PROGRAM [ARGUMENT ...]
record() {
	name=$1
	seconds=$(($2 * factor))
	program=$3
	shift 3
	if complete "$name"; then
		echo "$name: there already"
		return
	fi
	echo "$name: at most $seconds s"
	"$programs/$program" --seconds "$seconds" "$@" > "$folder/$name.csv.part"
	mv "$folder/$name.csv.part" "$folder/$name.csv"
}

record limits 10 limits
record map 15 map
record overheads 8 overheads
record order 8 order ${ORDER_ARGUMENTS:-}
record slices 3 slices
record next 3 placement next
record pairs 10 placement pairs
record random 3 placement random 400
record waves 4 placement waves 300
record prio 4 placement prio 400
record late 4 placement late 300
if "$programs/partition" --quiet granularity > /dev/null 2>&1; then
	record granularity 2 partition granularity
	record partition 10 partition
	record partition-placement 3 placement --partitions random 400
else
	echo "partition: no green contexts here"
fi
record interference 30 interference "$folder/map.csv"
record blocks 30 blocks
echo "complete; next: gpubound calibrate --margin=... $folder/*.csv -o my-board.xml"
