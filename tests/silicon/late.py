"""Which blocks of kernels launched back to back begin late. Usage: late.py TRACE.csv[.gz] ...

Prints, by warps a block: pairs of neighbours (kernels of one priority, one launched next after the other) and how many overlap (the later
begins more than 200 ns before the earlier's last block), the longest overlap; kernels of low priority with blocks that begin between a high
one's first and last; the longest time for which an SM stood empty before a block of a kernel that had begun elsewhere, on how many SMs it
was above 2 us; and the longest a block ran beyond the shortest of its kernel. Times in ns; 200 ns are granted to clocks that differ."""
import collections
import csv
import gzip
import sys

CLOCKS = 200
EMPTY = 2000
COLUMNS = ("neighbours", "overlaps", "longest_overlap", "inversions", "longest_empty", "empty_sms", "longest_stretch")
Block = collections.namedtuple("Block", "kernel prio warps sm begin end")


def configurations(path):
    blocks, last = [], None
    for row in csv.DictReader(gzip.open(path, "rt") if path.endswith(".gz") else open(path)):
        name = row["exp"], row["cfg"], row["rep"]
        if name != last and blocks:
            yield blocks
            blocks = []
        last = name
        blocks.append(Block(int(row["kernel"]), int(row["prio"]), -(-int(row["threads"]) // 32), int(row["smid"]), int(row["t0"]), int(row["t1"])))
    if blocks:
        yield blocks


def note(table, warps, name, value):
    table[warps][name] = max(table[warps][name], value)


def judge_order(table, kernels):
    first = {k: min(b.begin for b in blocks) for k, blocks in kernels.items()}
    last = {k: max(b.begin for b in blocks) for k, blocks in kernels.items()}
    for prio in {blocks[0].prio for blocks in kernels.values()}:
        level = [k for k in sorted(kernels) if kernels[k][0].prio == prio]
        for earlier, later in zip(level, level[1:]):
            warps = kernels[earlier][0].warps
            table[warps]["neighbours"] += 1
            if last[earlier] - first[later] > CLOCKS:
                table[warps]["overlaps"] += 1
                note(table, warps, "longest_overlap", last[earlier] - first[later])
    for high in kernels:
        for low in kernels:
            if kernels[low][0].prio < kernels[high][0].prio and any(
                    first[high] + CLOCKS < b.begin < last[high] - CLOCKS for b in kernels[low]):
                table[kernels[high][0].warps]["inversions"] += 1
    return first


def judge_sms(table, blocks, first):
    sms = collections.defaultdict(list)
    for block in blocks:
        sms[block.sm].append(block)
    for resident in sms.values():
        busy_until = None
        for block in sorted(resident, key=lambda b: b.begin):
            since = max(busy_until or 0, first[block.kernel])
            if block.begin - since > 0:
                note(table, block.warps, "longest_empty", block.begin - since)
                table[block.warps]["empty_sms"] += block.begin - since > EMPTY
            busy_until = max(busy_until or 0, block.end)


def judge(table, blocks):
    kernels = collections.defaultdict(list)
    for block in blocks:
        kernels[block.kernel].append(block)
    judge_sms(table, blocks, judge_order(table, kernels))
    for own in kernels.values():
        times = [b.end - b.begin for b in own]
        note(table, own[0].warps, "longest_stretch", max(times) - min(times))


def main(paths):
    table = collections.defaultdict(lambda: dict.fromkeys(COLUMNS, 0))
    for path in paths:
        for blocks in configurations(path):
            judge(table, blocks)
    print("warps," + ",".join(COLUMNS))
    for warps in sorted(table):
        print(f"{warps}," + ",".join(str(table[warps][name]) for name in COLUMNS))


if __name__ == "__main__":
    main(sys.argv[1:])
