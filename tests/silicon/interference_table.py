"""The interference table of models/h200.xml, computed from the recorded measurements.

usage: interference_table.py [--check MODEL] [FOLDER]

FOLDER holds interference.csv.gz and copyengine.csv.gz; where it is not given, it is traces/h200 in $GPUBOUND_DATA_DIR, and without that
the program says that it skips (status 77). Prints the <factor> elements, or compares them with those of MODEL (exit 1 where
they differ). What a factor is:

- time of the victim's block with the interference divided by its least time alone (same SM, operation, working set, block size), the
  greatest over all victims, aggressors, block sizes and repetitions. The first repetition counts: the victim's data has then been
  evicted from the L2 cache, which is interference.
- at a footprint: the greatest there and at the next smaller one, so that a working set between two of them is covered.
- of h2d and d2h: copies in both directions at once count for each of the two.
- rounded up to DECIMALS places.

The product of the factors of several sources must cover every measurement of those sources together. Where it does not (small writes with
all other SMs active), the factor of the last of them (out, d2h, memset) is raised until it does.
"""
import argparse
import collections
import csv
import gzip
import math
import os
import pathlib
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

DECIMALS = 2
SKIP = 77
PLATFORM = "{urn:gpubound:platform:1}"
SOURCE = "h200-interference"

# set of aggressors in interference.csv -> the sources that are active in it; gpc1: one SM of the GPC
SETS = {"tpc": ("tpc",), "gpc1": ("gpc",), "gpc": ("gpc",), "other1": ("out",), "othereq": ("out",), "allother": ("out",), "all": ("tpc", "gpc", "out")}
OWN = ("tpc", "gpc1", "gpc", "other1", "othereq", "allother")
COPIES = {"h2d": ("h2d",), "d2h": ("d2h",), "d2d": ("d2d",), "memset": ("memset",), "bidir": ("h2d", "d2h"), "d2d+memset": ("d2d", "memset")}
ACCESS = {"read": "read", "write": "write", "copy": "copy", "fma": "compute"}
VICTIMS, SOURCES = ("compute", "read", "write", "copy"), ("tpc", "gpc", "out", "h2d", "d2h", "d2d", "memset")

Measurement = collections.namedtuple("Measurement", "victim footprint sources count factor own")


def rows(path):
    with gzip.open(path, "rt", newline="") as file:
        return list(csv.DictReader(file))


def against_alone(table, key, time, quiet):
    """(row, time divided by the least time of the same victim alone) for every row with interference."""
    alone = {}
    for row in table:
        if quiet(row):
            alone[key(row)] = min(alone.get(key(row), math.inf), int(row[time]))
    return [(row, Fraction(int(row[time]), alone[key(row)])) for row in table if not quiet(row)]


def neighbours(folder):
    table = rows(folder / "interference.csv.gz")
    key = lambda row: (row["victim_sm"], row["victim_op"], row["victim_bytes"], row["threads"])
    for row, factor in against_alone(table, key, "ns", lambda row: row["aggr_set"] == "none"):
        if row["placed_sm"] != row["victim_sm"]:
            raise SystemExit("interference.csv: a victim ran on another SM than it was pinned to")
        yield Measurement(ACCESS[row["victim_op"]], int(row["victim_bytes"]), SETS[row["aggr_set"]], int(row["aggr_count"]), factor,
                          row["aggr_set"] in OWN)


def copies(folder):
    table = rows(folder / "copyengine.csv.gz")
    key = lambda row: (row["op"], row["blocks"], row["bytes_per_block"])
    for row, factor in against_alone(table, key, "block_max_ns", lambda row: row["ce"] == "none"):
        yield Measurement(ACCESS[row["op"]], int(row["bytes_per_block"]), COPIES[row["ce"]], int(row["ce_streams"]), factor,
                          row["ce"] != "d2d+memset")


def greatest(measurements):
    """(victim, source) -> footprint -> count -> the greatest factor measured with at most that count."""
    table = collections.defaultdict(lambda: collections.defaultdict(dict))
    counts = collections.defaultdict(set)
    for m in measurements:
        for source in m.sources if m.own else ():
            # SMs: only the whole group of neighbours was measured from every place; processes: each count was
            counts[source].add(m.count)
            cell = table[m.victim, source][m.footprint]
            cell[m.count] = max(cell.get(m.count, Fraction(1)), m.factor)
    result = {}
    for (victim, source), cells in table.items():
        kept = sorted(counts[source]) if source in ("h2d", "d2h", "d2d", "memset") else [max(counts[source])]
        before = {count: Fraction(1) for count in kept}
        for footprint in sorted(cells):
            here = {count: max([f for c, f in cells[footprint].items() if c <= count]) for count in kept}
            for count in kept:
                result[victim, source, footprint, count] = max(here[count], before[count])
            before = here
    return result


def rounded_up(factor):
    unit = 10 ** DECIMALS
    return Fraction(math.ceil(factor * unit), unit)


def cell(table, victim, source, footprint, count):
    """The key that a look-up rounds up to."""
    return (victim, source) + min((f, c) for v, s, f, c in table if (v, s) == (victim, source) and f >= footprint and c >= count)


def cover_at(table, m, footprint):
    keys = []
    for source in m.sources:
        largest = max(c for v, s, f, c in table if (v, s) == (m.victim, source))
        keys.append(cell(table, m.victim, source, footprint, min(m.count, largest)))
    others = math.prod(table[key] for key in keys[:-1])
    if others * table[keys[-1]] < m.factor:
        table[keys[-1]] = rounded_up(m.factor / others)


def cover(table, measurements):
    """Raises factors until every joint measurement is at most the product of the sources in it, there and at the next footprint."""
    for m in measurements:
        larger = sorted({f for v, s, f, c in table if (v, s) == (m.victim, m.sources[0]) and f >= m.footprint})
        for footprint in larger[:2]:
            cover_at(table, m, footprint)


def compute(folder):
    measurements = list(neighbours(folder)) + list(copies(folder))
    table = {key: rounded_up(factor) for key, factor in greatest(measurements).items()}
    cover(table, measurements)
    return table


def size(footprint):
    return f"{footprint >> 20}MiB" if footprint % (1 << 20) == 0 else f"{footprint >> 10}KiB"


def elements(table):
    order = sorted(table, key=lambda k: (VICTIMS.index(k[0]), SOURCES.index(k[1]), k[2], k[3]))
    for victim, source, footprint, count in order:
        value = f"{float(table[victim, source, footprint, count]):.{DECIMALS}f}"
        yield {"victim": victim, "footprint": size(footprint), "from": source, "count": str(count), "value": value, "source": SOURCE}


def main(folder, model):
    wanted = list(elements(compute(folder)))
    if model is None:
        for element in wanted:
            print("\t\t<factor " + " ".join(f'{name}="{value}"' for name, value in element.items()) + "/>")
        return 0
    found = [dict(element.attrib) for element in ElementTree.parse(model).iter(PLATFORM + "factor")]
    for element in wanted:
        if element not in found:
            print(f"{model}: missing {element}")
    for element in found:
        if element not in wanted:
            print(f"{model}: not what was measured: {element}")
    return 0 if found == wanted else 1


def data_folder():
    if "GPUBOUND_DATA_DIR" not in os.environ:
        print("skipped: GPUBOUND_DATA_DIR does not say where the recorded traces are")
        sys.exit(SKIP)
    return pathlib.Path(os.environ["GPUBOUND_DATA_DIR"]) / "traces" / "h200"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--check")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    given = parser.parse_args()
    sys.exit(main(given.folder or data_folder(), given.check))
