#!/bin/sh
# A sweep or a campaign in parts, by GNU parallel over ssh: each machine of HOSTS makes as many parts at once as it says, and they are merged here.
# To be given once more where it was stopped: parts go on with the rows that they have. All machines see this folder under this name.
#
# usage: parallel.sh HOSTS PARTS OUTPUT sweep|falsify OPTION... [TASKSET]    as: parallel.sh hosts.txt 40 million.csv falsify --systems=1000000
#
# HOSTS: a file with a line a machine, as "4/user@host" for four parts at once; ":" is this one. GPUBOUND: the program, where it is not on the
# path. PARALLEL_SSH: how parallel calls ssh, as "ssh -F file".
set -eu
gpubound=${GPUBOUND:-gpubound} hosts=$1 parts=$2 output=$3 command=$4
shift 4
mkdir -p "$output.parts"
# A part that failed three times is missing, and merge says which.
seq "$parts" | parallel --will-cite --quote --sshloginfile "$hosts" --workdir "$PWD" --retries 3 \
	"$gpubound" "$command" --quiet "--shard={}/$parts" --resume -o "$output.parts/{}.csv" "$@" || :
exec "$gpubound" merge -o "$output" "$output".parts/*.csv
