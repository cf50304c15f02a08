#!/bin/sh
# A sweep or a campaign in parts, as an array of Slurm: each of its tasks makes one part, and a last job merges them. To be given once more
# where it was stopped: parts go on with the rows that they have, and those that are done are not made again. All nodes see one file system.
#
# usage: slurm.sh PARTS OUTPUT sweep|falsify OPTION... [TASKSET]    as: slurm.sh 40 million.csv falsify --systems=1000000
#
# GPUBOUND: the program, where it is not on the path. SBATCH_...: Slurm's own options, as SBATCH_PARTITION. OUTPUT.parts has parts and logs.
set -eu
gpubound=${GPUBOUND:-gpubound} parts=$1 output=$2 command=$3

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
	shift 3
	exec "$gpubound" "$command" --quiet --shard="$SLURM_ARRAY_TASK_ID/$parts" --resume -o "$output.parts/$SLURM_ARRAY_TASK_ID.csv" "$@"
fi
if [ -n "${SLURM_JOB_ID:-}" ]; then
	exec "$gpubound" merge -o "$output" "$output".parts/*.csv
fi
mkdir -p "$output.parts"
array=$(sbatch --parsable --requeue --array="1-$parts" --job-name=gpubound --open-mode=append --output="$output.parts/%a.log" "$0" "$@")
sbatch --parsable --dependency="afterany:$array" --job-name=gpubound-merge --output="$output.parts/merge.log" "$0" "$@"
