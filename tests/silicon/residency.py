"""How long blocks of the computing kernel take beside one another on an H200, against C_K[r] from its code: no recorded block is longer.

Prints for each size and number of blocks, which are all that an SM had, the longest recorded block, the bounds in turn and in any order, and
their ratios.

usage: residency.py GPUBOUND SOURCE_ROOT [RESIDENCY.CSV]       the recording; tests/silicon/residency.csv unless given
"""
import csv
import gzip
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
RECORDING = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else ROOT / "tests/silicon/residency.csv"
PROGRAM = ROOT / "examples/kernels/co-resident.sm_90.xml"
SPACE = "{urn:gpubound:wcet:1}"
SMS, MHZ, TICK = 132, 1980, 32  # TICK: ns of the timer that was read


def recorded():
    """The longest block in ns, by threads and blocks on an SM."""
    longest = {}
    with (gzip.open(RECORDING, "rt") if RECORDING.suffix == ".gz" else open(RECORDING)) as file:
        for row in csv.DictReader(file):
            if row["op"] == "fma":
                key = int(row["threads"]), int(row["blocks"]) // SMS
                longest[key] = max(longest.get(key, 0), int(row["block_max_ns"]))
    return longest


def bounds(threads):
    """Cycles by blocks on an SM, in turn and in any order."""
    folder = PROGRAM.parent.resolve()
    text = PROGRAM.read_text().replace('threads="256"', f'threads="{threads}"')
    for name in ("sass", "cubin"):
        text = text.replace(f' {"file" if name == "sass" else name}="co-resident', f' {"file" if name == "sass" else name}="{folder}/co-resident')
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        result = subprocess.run([GPUBOUND, "wcet", "--format=xml", file.name], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    tree = ElementTree.fromstring(result.stdout)
    return {int(point.get("blocks")): (int(point.get("cycles")), int(point.get("any-order"))) for point in tree.iter(SPACE + "resident")}


def main():
    longest = recorded()
    curves = {threads: bounds(threads) for threads in sorted({threads for threads, _ in longest})}
    wrong = 0
    print("threads  blocks  recorded cycles   in turn  ratio  any order  ratio")
    for (threads, blocks), ns in sorted(longest.items()):
        cycles, (in_turn, any_order) = (ns + TICK) * MHZ / 1000, curves[threads][blocks]
        wrong += in_turn < cycles or any_order < cycles
        print(f"{threads:7} {blocks:7} {cycles:16.0f} {in_turn:9} {in_turn / cycles:6.2f} {any_order:10} {any_order / cycles:6.2f}")
    print(f"{len(longest)} points, {wrong} above the bound")
    return 1 if wrong or not longest else 0


sys.exit(main())
