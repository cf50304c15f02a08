"""How long blocks take whose warps wait for one another's slots on an H200 (probe/together.cu): no longer than their code says in any order.

The chip goes on with a warp that never stalls, so where blocks follow in the places of others both orders of [WCET-BESIDE] are exceeded: that is
held here, too. Prints a line a launch.

usage: together.py GPUBOUND SOURCE_ROOT
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
SPACE = "{urn:gpubound:wcet:1}"
HELD = 16  # blocks of 128 threads, of 2048 on an SM
COSTS = {"fp32": (4, 1, "partition"), "int32": (5, 3, "partition"), "branch": (16, 2, "partition"), "special": (34, 34, "partition"),
         "uniform": (20, 20, "partition"), "constant": (300, 3, "sm")}  # as examples/kernels/co-resident.sm_90.xml has them
# From reading of the clock to reading of the clock, with instructions to spare around the loops: 64 turns of 128 dependent multiply-adds, or
# 64 of 256 in eight chains, which the compiler makes 32 of 512.
BLOCKS = """<block id="begin" int32="8" special="2" uniform="2" constant="4" branch="2"/>
<block id="stalls" fp32="128" int32="2" branch="1"/><block id="goes-on" fp32="512" int32="2" branch="1"/><block id="end" fp32="16" int32="8" special="1"/>
<edge from="begin" to="stalls"/><edge from="begin" to="goes-on"/><edge from="stalls" to="stalls"/><edge from="goes-on" to="goes-on"/>
<edge from="stalls" to="end"/><edge from="goes-on" to="end"/><loop header="stalls" bound="63"/><loop header="goes-on" bound="31"/>"""


def bounds():
    """Of a block: in turn with as many as an SM holds, and in any order alone and with another one."""
    costs = "".join(f'<cost class="{name}" latency="{latency}" occupancy="{occupancy}" per="{per}" group="{name}" source="as co-resident" by="the test"/>'
                    for name, (latency, occupancy, per) in COSTS.items())
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(f'<program xmlns="urn:gpubound:program:1" id="together" platform="h200" threads="128" unlisted="uniform">{costs}{BLOCKS}</program>')
        file.flush()
        result = subprocess.run([GPUBOUND, "wcet", "--format=xml", file.name], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    points = ElementTree.fromstring(result.stdout).findall(f"{SPACE}curve/{SPACE}resident")
    return int(points[HELD - 1].get("cycles")), int(points[0].get("any-order")), int(points[1].get("any-order"))


def main():
    in_turn, alone, two = bounds()
    wrong, exceeded = 0, 0
    with open(ROOT / "tests/silicon/together.csv") as file:
        rows = [{name: int(value) for name, value in row.items()} for row in csv.DictReader(file)]
    print(f"blocks of an SM   recorded   in any order  ratio   in turn, {HELD} at a time: {in_turn}")
    for row in rows:
        bound = alone + (row["on_sm"] - 1) * (two - alone)
        wrong += row["longest"] > bound
        exceeded += row["longest"] > in_turn
        print(f"{row['on_sm']:15} {row['longest']:10} {bound:14} {bound / row['longest']:6.2f}   {'exceeded' if row['longest'] > in_turn else ''}")
    return 1 if wrong or len(rows) < 7 or not exceeded else 0


sys.exit(main())
