#!/usr/bin/env python3
"""By how much longer a program's work takes beside aggressors: recordings (gpubound-recording(5)) of the same program under
libgpubound-stress.so, alone in its SMs and stressed from the others.

usage: stress_factors.py ALONE.rec NAME=STRESSED.rec ...  > factors.csv

Operations are launches of graphs (all of the span, first begin to last end), kernels outside of graphs by name and shape, copies by kind and
bytes. A row is operation,sms,stress,samples,alone_ns,longest_ns,factor: the SMs of the program's partition, the longest of each, and their ratio,
rounded up to thousandths. The first launches of each operation, WARM of them, are left out on both sides. A recording in which the program's
kernels were not in a green context, or of other numbers of SMs, is refused: a program can leave the partition (cudaSetDevice). A factor is of the whole time (<company> of gpubound-taskset(5)), of this
aggressor and these SMs; it is a measurement, and no proof that nothing is worse (A-STRESS).
"""
import collections
import fractions
import math
import sys

WARM = 5


def records(path):
    """Kind and words of each line; a recording that lost something or was cut is refused."""
    last = None
    with open(path, encoding="utf-8") as lines:
        if lines.readline().strip() != "gpubound-recording 1":
            sys.exit(f"{path}: expected a recording, which begins with \"gpubound-recording 1\"")
        for number, line in enumerate(lines, 2):
            kind, *words = line.split()
            last = kind, dict(word.split("=", 1) for word in words if "=" in word)
            if kind == "lost":
                sys.exit(f"{path}:{number}: the recording lost records: the longest may be among them")
            yield last
    if last is None or last[0] != "end" or int(last[1]["lost"]) > 0:
        sys.exit(f"{path}: expected a recording that is complete")


def spans(path):
    """How many SMs the program has, and of each operation its times, in order of their begins."""
    names, works, sms = {}, [], {}
    for kind, words in records(path):
        if kind == "name":
            names[words["id"]] = words["text"]
        elif kind == "context":
            sms[words["id"]] = words.get("green-sms")
        elif kind in ("kernel", "copy", "memset"):
            works.append((kind, words))
    program = {words["context"] for kind, words in works if kind == "kernel" and "gpubound_aggressor" not in names[words["name"]]}
    sizes = {sms.get(context) for context in program}
    if len(sizes) != 1 or None in sizes:
        sys.exit(f"{path}: expected all kernels of the program in a green context of libgpubound-stress.so; some were in the primary context")
    launches = collections.defaultdict(list)
    for number, (kind, words) in enumerate(works):
        aggressor = kind == "kernel" and "gpubound_aggressor" in names[words["name"]]
        if aggressor or words["context"] not in program:
            continue
        launches[words["correlation"] if "graph" in words else ("single", number)].append((kind, words))
    found = collections.defaultdict(list)
    for parts in launches.values():
        begin, end = min(int(words["start"]) for _, words in parts), max(int(words["end"]) for _, words in parts)
        kind, words = parts[0]
        if "graph" in words:
            shapes = sorted((names.get(words.get("name"), kind), words.get("grid", words.get("bytes", ""))) for kind, words in parts)
            operation = f"graph of {len(parts)} nodes, first {min(shapes)[0]}"
        elif kind == "kernel":
            operation = f"kernel {names[words['name']]} {words['grid']} {words['block']}"
        else:
            operation = f"{kind} {words.get('kind', '')} {words['bytes']} B"
        found[operation].append((begin, end - begin))
    return sizes.pop(), {operation: [length for _, length in sorted(times)][WARM:] for operation, times in found.items() if len(times) > WARM}


def main():
    if len(sys.argv) < 3 or any("=" not in word for word in sys.argv[2:]):
        sys.exit(__doc__)
    size, alone = spans(sys.argv[1])
    print("operation,sms,stress,samples,alone_ns,longest_ns,factor")
    for word in sys.argv[2:]:
        name, path = word.split("=", 1)
        stressed_size, stressed = spans(path)
        if stressed_size != size:
            sys.exit(f"{path}: expected the program on {size} SMs, as in {sys.argv[1]}; got {stressed_size}")
        for operation, times in sorted(stressed.items()):
            if operation not in alone:
                sys.exit(f"{path}: {operation} is not in {sys.argv[1]}: not the same program, or too short a run")
            ratio = fractions.Fraction(max(times), max(1, max(alone[operation])))
            print(f"\"{operation}\",{size},{name},{len(times)},{max(alone[operation])},{max(times)},{max(1, math.ceil(ratio * 1000) / 1000):.3f}")


if __name__ == "__main__":
    main()
