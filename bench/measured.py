"""Bounds of gpubound wcet against the longest blocks that probe/instrumented.cu measured, by family of kernel.

usage: measured.py GPUBOUND FOLDER [--jobs N] [--csv FILE] [--parts]
       measured.py --read FILE

FOLDER has blocks.csv, kernels.txt and the code (scripts/measure-instrumented.sh). Each kernel is a program of its own: classes that the platform model
has no cost of have those below, all branches that nobody proves uniform split, the words of arguments and of the grid are those of the measured
launch, and nothing is said of loops, of bank conflicts or of sectors. What has no bound then is counted by the reason. Where there is no FOLDER the
command says so and ends with 77; a measured block above its bound makes it end with 1. --csv writes a line for each measured launch that has a bound,
--read prints the table of such a file. --parts says of each kernel alone, with the first of its measured launches, of what parts its ratio is made up.
"""
import argparse
import collections
import csv
import hashlib
import multiprocessing
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SKIPPED = 77
COLUMNS = ("family", "kernel", "shape", "ints", "run", "resident", "measured", "bound")
PARAMETERS = 0x210  # of constant bank 0, where arguments begin on sm_90
SOURCE = {"alone": "probe/memory.cu on one H100, one SM", "full": "probe/memory.cu on one H100, all SMs"}
# Latency, occupancy. A further sector keeps the unit for 2 cycles where one SM accesses memory, and for 11 where all do.
COSTS = {"load": (1600, 20), "store": (30, 20), "atomic": (3000, 100), "texture": (2000, 100), "async": (1600, 20), "fence": (1500, 20), "shared": (24, 2),
         "uniform": (20, 20), "reconverge": (30, 20), "rare": (20, 10), "atomic-shared": (280, 280), "shuffle": (27, 2), "conflict": (5, 2), "sfu": (20, 10), "convert": (19, 10),
         "convert64": (20, 11), "bits": (19, 10)}
# Of encodings (doc/silicon.md, Stall counts): occupancy with two warps of a scheduler and with up to eight, likewise where the stall count is 4 or more (0: the
# same), latency, cycles beyond the stall count. Several warps that issue products, or double precision, one close upon the other are slower than one warp alone.
ENCODED = {"int32": ((3, 5), (2, 3), 6, 1), "fp32": ((3, 3), (2, 3), 6, 0), "half": ((3, 5), (2, 3), 10, 1), "wide": ((5, 10), (4, 5), 10, 3), "fp64": ((5, 8), (3, 5), 11, 0),
           "branch": ((2, 2), (0, 0), 11, 1)}
# Units of the SM with up to eight warps on it.
FEW = {"shared": (24, 1), "conflict": (5, 1), "shuffle": (27, 1)}
SECTOR = {"alone": (3, 2), "full": (11, 11)}
# Constants: what bringing a line takes, each further one that follows another one, each that does not, and a reading of one that is there, with 64 KiB of code and 4 of constants; where that cannot be told
# apart, the longest reading seen.
CONSTANT = {"alone": {"latency": 3762, "further": 351, "apart": 975, "again": 145, "lines": 1088}, "full": {"latency": 20198, "further": 3616, "apart": 12619, "again": 448, "lines": 1088}}
ANY_CONSTANT = {"alone": {"latency": 12268}, "full": {"latency": 22121}}
# Issue, and how many are under way at once.
UNDER_WAY = {"load": (20, 8), "shared": (5, 16), "shuffle": (3, 16), "sfu": (10, 16), "convert": (10, 16), "convert64": (11, 16), "bits": (10, 16)}
PARTITION = {"uniform", "reconverge", "rare", "sfu", "convert", "convert64", "bits"}


def family_of(cubin):
    parts = cubin.split("__")
    return parts[1] if parts[0] == "Samples" and len(parts) > 1 else parts[0]


def under_way(name):
    return ' issue="{}" under-way="{}"'.format(*UNDER_WAY[name]) if name in UNDER_WAY else ""


def warps_of(shape):
    """Of a block."""
    x, y, z = map(int, shape.split("x"))
    return -(-x * y * z // 32)


def encoded(name, few):
    """Cost of a class of ENCODED, as attributes."""
    occupancy, spaced, latency, beyond = ENCODED[name]
    said = {"latency": latency, "occupancy": occupancy[not few], "beyond-stall": beyond, "spaced": spaced[not few]}
    return " ".join(f'{key}="{value}"' for key, value in said.items() if (key, value) != ("spaced", 0))


def costs(run, constant, warps):
    few = run == "alone" and warps <= 8
    listed = {**COSTS, **(FEW if few else {}), "sector": SECTOR[run]}
    said = " ".join(f'{name}="{value}"' for name, value in constant.items())
    return "".join(f'<cost class="{name}" latency="{latency}" occupancy="{occupancy}"{under_way(name)} per="{"partition" if name in PARTITION else "sm"}" source="{SOURCE[run]}" by="measured.py"/>\n'
                   for name, (latency, occupancy) in listed.items()) + "".join(
                       f'<cost class="{name}" {encoded(name, few)} per="partition" source="probe/encodings.cu on H200s" by="measured.py"/>\n' for name in ENCODED) + (
                       f'<cost class="constant" occupancy="9" {said} source="probe/firsts.cu, probe/lines.cu and probe/constants.cu on H100s and H200s" by="measured.py"/>\n')


def words(row, arguments):
    """Each word of the launch that is a number: (offset, word)."""
    yield from ((0xc, int(row["grid"])), (0x10, 1), (0x14, 1))
    for argument in arguments.split(",") if arguments != "-" else []:
        offset = PARAMETERS + int(argument[1:])
        if argument[0] in "il":
            yield offset, int(row["ints"])
        if argument[0] == "l":
            yield offset + 4, 0


# Of the chain by classes; what other warps keep of the sub-partition, and of the SM; lines of constants.
PARTS = {"memory": ("load", "load-l1", "load-l2", "store", "sector", "atomic", "texture", "async", "fence"), "shared": ("shared", "conflict", "shuffle", "ldsm", "atomic-shared"),
         "constants": ("constant",), "branches": ("branch", "barrier", "reconverge", "call")}


def parts_of(report):
    """Cycles of the bound, by what makes them up."""
    wcet = xml.etree.ElementTree.fromstring(report)
    name, warps, near = "{urn:gpubound:wcet:1}", int(wcet.get("warps")), int(wcet.get("near"))
    found = dict.fromkeys((*PARTS, "arithmetic", "near", "far", "lines"), 0)
    for cost in wcet.find(name + "costs"):
        part = next((part for part, classes in PARTS.items() if cost.get("class") in classes), "arithmetic")
        found[part] += int(cost.get("cycles", 0))
    found["near"] = (near - 1) * int(wcet.find(name + "others").get("cycles"))
    found["far"] = (warps - near) * int(wcet.find(name + "shared").get("cycles")) if wcet.find(name + "shared") is not None else 0
    found["lines"] = int(wcet.get("first-reads", 0))
    return found


def judge(work):
    options, row, arguments = work
    folder = pathlib.Path(options.folder)
    sass, cubin = folder / f"{row['cubin']}.sass", folder / f"{row['cubin']}.cubin"
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (sass, cubin)]
    declared = "".join(f'<argument offset="{offset:#x}" at-least="{word}" at-most="{word}" source="the launch" by="measured.py"/>\n' for offset, word in words(row, arguments))
    shape = "x".join(row["shape"].split("x"))
    def bounded(constant):
        with tempfile.TemporaryDirectory() as place:
            program = pathlib.Path(place) / "a.xml"
            program.write_text(f'<program xmlns="urn:gpubound:program:1" id="p" platform="{options.platform}" threads="{shape}" unlisted="divergent">\n{costs(row["run"], constant, warps_of(row["shape"]))}'
                               f'<sass file="{sass.resolve()}" sha256="{digests[0]}" cubin="{cubin.resolve()}" cubin-sha256="{digests[1]}" function="{row["function"]}"/>\n'
                               f'{declared}</program>\n')
            return subprocess.run([options.gpubound, "wcet", "--format=xml", str(program)], capture_output=True, text=True, timeout=120)
    try:
        done = bounded(CONSTANT[row["run"]])
        if "without again" in done.stderr:
            done = bounded(ANY_CONSTANT[row["run"]])
    except subprocess.TimeoutExpired:
        return row, None, "no answer in time"
    if done.returncode != 0:
        found = re.search(r"\[([\w-]+)\]\s*$", done.stderr, re.M)
        return row, None, found.group(1) if found else f"exit {done.returncode}"
    resident = int(row["resident"])
    if options.parts and resident == 1:
        return row, parts_of(done.stdout), None
    if resident == 1:
        found = re.search(r'<wcet [^>]*?cycles="(\d+)"', done.stdout)
    else:
        found = re.search(rf'<resident blocks="{resident}"[^>]*? cycles="(\d+)"', done.stdout)
    return (row, int(found.group(1)), None) if found else (row, None, "not in the curve")


def print_parts(judged):
    """The chain's parts, others in its sub-partition and on the SM, lines of constants, each over what was measured."""
    names = (*PARTS, "arithmetic", "near", "far", "lines")
    print(f"{'kernel':40}{'ratio':>8}" + "".join(f"{name:>12}" for name in names))
    seen, sums = set(), []
    for row, found, reason in judged:
        if reason or row["run"] != "alone" or row["function"] in seen:
            continue
        seen.add(row["function"])
        shares = [found[name] / int(row["cycles"]) for name in names]
        sums.append(shares)
        print(f"{row['function'][:39]:40}{sum(shares):8.2f}" + "".join(f"{share:12.2f}" for share in shares))
    print(f"{'median of each':40}{statistics.median(map(sum, sums)):8.2f}" + "".join(f"{statistics.median(shares):12.2f}" for shares in zip(*sums)))


def table(lines):
    """The medians, by family; how many are above their bound."""
    print(f"{'family':30}{'launches':>9}{'kernels':>9}{'above':>7}{'least':>8}{'median':>8}{'90 %':>8}{'worst':>9}")
    above = 0
    families = sorted({line["family"] for line in lines})
    for run in ("alone", "full"):
        for family in [*families, None]:
            own = [line for line in lines if line["run"] == run and family in (line["family"], None)]
            if not own:
                continue
            ratios = sorted(int(line["bound"]) / int(line["measured"]) for line in own)
            exceeded = sum(ratio < 1 for ratio in ratios)
            above += exceeded if family is None else 0
            print(f"{run + ', ' + (family or 'all'):30}{len(own):9}{len({line['kernel'] for line in own}):9}{exceeded:7}{ratios[0]:8.2f}{statistics.median(ratios):8.2f}"
                  f"{ratios[len(ratios) * 9 // 10]:8.2f}{ratios[-1]:9.2f}")
    for line in lines:
        if int(line["bound"]) < int(line["measured"]):
            print(f"above its bound: {line['kernel']} {line['shape']}, {line['ints']}, {line['run']}, {line['resident']} on an SM: {line['measured']} > {line['bound']}")
    return above


def compute(options):
    folder = pathlib.Path(options.folder or "")
    if not options.folder or not (folder / "blocks.csv").exists():
        print("skipped: no measured blocks; scripts/measure-instrumented.sh measures some")
        sys.exit(SKIPPED)
    arguments = {}
    for line in (folder / "kernels.txt").read_text().splitlines():
        cubin, function, *_, asked = line.split()
        arguments[cubin, function] = asked
    rows = [row for row in csv.DictReader((folder / "blocks.csv").open()) if int(row["cycles"]) > 0]
    if options.parts:
        rows = [row for row in rows if row["run"] == "alone"]
    with multiprocessing.Pool(options.jobs) as pool:
        judged = pool.map(judge, [(options, row, arguments[row["cubin"], row["function"]]) for row in rows], chunksize=2)
    if options.parts:
        print_parts(judged)
        sys.exit(0)
    reasons = collections.Counter(reason for _, _, reason in judged if reason)
    print(f"{len(rows)} measured launches; without a bound: " + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()))
    return [{"family": family_of(row["cubin"]), "kernel": f"{row['cubin'].split('__')[-1]}:{row['function']}", "shape": row["shape"], "ints": row["ints"], "run": row["run"],
             "resident": row["resident"], "measured": row["cycles"], "bound": bound} for row, bound, reason in judged if not reason]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gpubound", nargs="?")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--platform", default="h100")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--csv")
    parser.add_argument("--read")
    parser.add_argument("--parts", action="store_true")
    options = parser.parse_args()
    lines = list(csv.DictReader(open(options.read))) if options.read else compute(options)
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
    return 1 if table(lines) > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
