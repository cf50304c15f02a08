"""No block of probe/kernels.cu took longer on an H200 than its bound by the costs of the platform model.

usage: blocks.py GPUBOUND SOURCE_ROOT

Loops have the bounds of the source; loads, stores, constants and what the model has no cost of are declared, as nobody measured them in the company
that they are in. Prints a line for each block, the least ratio of bound to time, and the median.
"""
import csv
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
FOLDER = ROOT / "tests" / "silicon" / "blocks"
SASS, CUBIN = FOLDER / "kernels.sm_90.sass", FOLDER / "kernels.sm_90.cubin"
DECLARED = {"load": (1500, 4, "sm"), "store": (1500, 4, "sm"), "constant": (100, 3, "sm"), "uniform": (20, 5, "partition"), "rare": (20, 10, "partition")}
# Turns of the loops in the order of their addresses; others make 256, and the compiler's own 64, one for each bit.
TURNS = {"sort_bitonic": (8, 8), "scan": (16, 9), "product": (64,), "reduction_shuffle": (64,), "bodies": (4, 128), "divisor": (64,), "triangle": (48, 48), "filter": (16,)}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write(path, kernel, threads, headers):
    costs = "".join(f'<cost class="{name}" latency="{latency}" occupancy="{occupancy}" per="{per}" source="made up" by="blocks.py"/>'
                    for name, (latency, occupancy, per) in DECLARED.items())
    turns = TURNS.get(kernel, (256,))
    loops = "".join(f'<loop header="{header}" bound="{64 if "." in header else turns[min(i, len(turns) - 1)]}"/>' for i, header in enumerate(headers))
    path.write_text(f'<program xmlns="urn:gpubound:program:1" id="p" platform="h200" threads="{threads}" unlisted="divergent">{costs}'
                    f'<shared conflicts="2" source="the source" by="blocks.py"/><sass file="{SASS}" sha256="{digest(SASS)}" cubin="{CUBIN}" '
                    f'cubin-sha256="{digest(CUBIN)}" function="{kernel}"/>{loops}</program>')


def bound(kernel, threads, folder):
    """In cycles."""
    headers, path = [], pathlib.Path(folder) / "p.xml"
    while True:
        write(path, kernel, threads, headers)
        result = subprocess.run([GPUBOUND, "wcet", "--format=xml", str(path)], capture_output=True, text=True, timeout=60)
        more = re.findall(r'header "([\w.]+)"; there is none \[loop-unbounded\]', result.stderr)
        if not more:
            break
        headers = sorted({*headers, *more})
    assert result.returncode == 0, result.stderr
    return int(re.search(r'cycles="(\d+)"', result.stdout).group(1))


def main():
    ratios, exceeded = [], 0
    with tempfile.TemporaryDirectory() as folder, open(FOLDER / "kernels.csv") as file:
        for row in csv.DictReader(file):
            kernel, threads, took = row["kernel"], int(row["threads"]), int(row["cycles"])
            most = bound(kernel, threads, folder)
            exceeded += most < took
            ratios.append(most / took)
            print(f"{kernel} of {threads} threads: {took} cycles, at most {most}: {most / took:.2f}")
    ratios.sort()
    print(f"{len(ratios)} blocks, {exceeded} beyond their bounds; ratio {ratios[0]:.2f} at least, {ratios[len(ratios) // 2]:.2f} in the median")
    return exceeded > 0 or len(ratios) < 64


if __name__ == "__main__":
    sys.exit(main())
