#!/bin/sh
# Records everything that gpubound calibrate wants of this machine's GPU: one file a measurement into a folder.
#
# usage: sh record.sh [--hours H] [--blocks M] [--seed N] [--gpubound COMMAND [--margin PERCENT] [--base MODEL]] PROGRAMS FOLDER [FACTOR]
#   PROGRAMS    the folder with the programs of probe/, as meson builds them (build/probe) or nvcc does
#   FOLDER      where the recordings go; those that are there and complete are kept, so that the script can be run again
#   FACTOR      lengthens, or shortens, the time of each measurement (default 1: about four minutes in all)
#   --hours H   a night: rounds with other seeds until H hours are over; how the greatest grows stands beside each number of the model
#   --blocks M  more recordings of `fair` with other seeds until its blocks are M millions: blocks that begin late come once in some million,
#               so that dispatch.delay wants 10 (four minutes more); without them it wants a base that states it
#   --seed N    of the first round (default: 1)
#   --gpubound  at the end, makes FOLDER/board.xml of them and says what bounds can rest on (default margin: 20)
# Further arguments for the measurements of order come from the environment: ORDER_ARGUMENTS=--host-traffic where your kernels access host memory.
set -eu

hours=0 blocks=0 seed=1 gpubound= margin=20 base=
while [ $# -gt 0 ]; do
	case $1 in
	--hours) hours=$2 ;;
	--blocks) blocks=$2 ;;
	--seed) seed=$2 ;;
	--gpubound) gpubound=$2 ;;
	--margin) margin=$2 ;;
	--base) base=$2 ;;
	-*) sed -n '4,13s/^# //p' "$0" >&2; exit 2 ;;
	*) break ;;
	esac
	shift 2
done
[ $# -ge 2 ] || { sed -n '4,13s/^# //p' "$0" >&2; exit 2; }
programs=$1 folder=$2 factor=${3:-1} wanted=$((blocks * 1000000))
mkdir -p "$folder"
failed=

# NAME SECONDS PROGRAM [ARGUMENT ...]; @N is N times the factor. What does not change from round to round is measured in the first one only.
once="limits 2 limits
map 8 map
next 2 placement next
pairs 6 placement pairs"
fair="fair 5 delays fair @150"
rounds="quiet 4 quiet
overheads 8 overheads
order 10 order ${ORDER_ARGUMENTS:-}
passing 6 passing
slices 4 slices 2
slices-3 4 slices 3
pending 15 pending
queues 12 queues 4
memsets 4 memsets
random 3 placement random @400
waves 4 placement waves @200
prio 4 placement prio @300
late 4 placement late @200
$fair
delays 6 delays random @150
stalls 20 stalls
starve 4 starve
interference 40 interference $folder/map.csv
blocks 30 blocks"
if "$programs/partition" --quiet granularity > /dev/null 2>&1; then
	once="$once
granularity 2 partition granularity"
	rounds="$rounds
partition 12 partition
queues-partitions 6 queues partitions 8
partition-placement 3 placement --partitions random @400"
else
	echo "partition: no green contexts here"
fi

case ${ORDER_ARGUMENTS:-} in
*--host-traffic*)
	rounds="$rounds
traffic 6 placement traffic @300" ;;
esac

# The seconds of a list of measurements, and about one more for each to start.
seconds_of() {
	echo "$1" | awk -v factor="$factor" '{ sum += $2 * factor + 1 } END { printf "%d", sum + 0.999 }'
}

times_factor() {
	echo "${1#@}" | awk -v factor="$factor" '{ n = int($1 * factor); print n < 1 ? 1 : n }'
}

complete() {
	[ -f "$folder/$1.csv" ] && tail -n 1 "$folder/$1.csv" | grep -q '^# complete '
}

# What else has the GPU, and how its clocks are set: into FOLDER/machine.txt, and aloud where it matters.
look_around() {
	command -v nvidia-smi > /dev/null || return 0
	{
		echo "== $1, $(date -u +%Y-%m-%dT%H:%M:%SZ)"
		nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,temperature.gpu,power.draw,mig.mode.current --format=csv
		nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv
	} >> "$folder/machine.txt" 2>&1 || true
	if nvidia-smi --query-compute-apps=pid --format=csv,noheader 2> /dev/null | grep -q '[0-9]'; then
		echo "another process is on the GPU ($folder/machine.txt): what is measured now is measured beside it" >&2
	fi
}

# record NAME SECONDS PROGRAM [ARGUMENT ...]
record() {
	name=$1$suffix
	seconds=$(echo "$2" | awk -v factor="$factor" '{ printf "%g", $1 * factor }')
	program=$3
	shift 3
	words=
	for word in "$@"; do
		case $word in @*) word=$(times_factor "$word") ;; esac
		words="$words $word"
	done
	if complete "$name"; then
		echo "$name: there already"
		return
	fi
	left=$(awk -v end="$end" -v now="$(date +%s)" 'BEGIN { print (end > now ? end - now : 0) }')
	echo "$name: $seconds s; about $left s left in all"
	# shellcheck disable=SC2086
	if "$programs/$program" --quiet --seconds "$seconds" --seed "$((seed + round - 1))" $words > "$folder/$name.csv.part"; then
		mv "$folder/$name.csv.part" "$folder/$name.csv"
	else
		failed="$failed $name"
	fi
}

record_all() {
	echo "$1" > "$folder/.plan"
	while read -r line <&3; do
		# shellcheck disable=SC2086
		record $line
	done 3< "$folder/.plan"
	rm -f "$folder/.plan"
}

fair_blocks() {
	tail -qn 1 "$folder"/fair*.csv 2> /dev/null | sed -n 's/^# complete rows=\([0-9]*\).*/\1/p' | awk '{ sum += $1 } END { printf "%d", sum }'
}

# More of `fair`, up to the first that adds nothing.
record_blocks() {
	extra=0
	while [ -z "$failed" ] && [ "$(fair_blocks)" -lt "$wanted" ]; do
		before=$(fair_blocks) extra=$((extra + 1)) suffix=-more-$extra round=$((1000 + extra))
		complete "fair$suffix" && continue
		echo "$before of $wanted blocks of fair"
		record_all "$fair"
		[ "$(fair_blocks)" -gt "$before" ] || failed="$failed blocks"
	done
}

round=1 suffix=
begin=$(date +%s)
a_round=$(seconds_of "$rounds")
more=$(awk -v hours="$hours" -v each="$a_round" 'BEGIN { n = int(hours * 3600 / each); print n < 1 ? 1 : n }')
end=$((begin + $(seconds_of "$once") + a_round * more + 24 * blocks)) # a million blocks of fair take 24 s
look_around "before"
record_all "$once"
while [ "$round" -le "$more" ]; do
	[ "$more" -eq 1 ] || echo "round $round of $more"
	record_all "$rounds"
	round=$((round + 1)) suffix=-$round
done
record_blocks
look_around "after"

if [ -n "$failed" ]; then
	echo "not recorded, as the program failed:$failed" >&2
	exit 1
fi
if [ -z "$gpubound" ]; then
	echo "complete; next: gpubound calibrate --margin=... $folder/*.csv -o my-board.xml"
	exit
fi
"$gpubound" calibrate --margin="$margin" ${base:+-b "$base"} -o "$folder/board.xml" --report="$folder/board.html" "$folder"/*.csv
"$gpubound" models --check "$folder/board.xml"
