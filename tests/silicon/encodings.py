"""No straight code of probe/encodings.cu took longer on an H200 than its stall counts, occupancies and what bench/measured.py declares beyond them say.

usage: encodings.py SOURCE_ROOT

A line of encodings.csv: what 128 instructions are, as class:stall count x how many ("+": it reads three registers or writes two), and the cycles of the longest
of 1 warp, and of 1, 2, 4 and 8 warps of each scheduler, two readings of the clock included. The bound is [WCET]'s: the chain of one warp, and the occupancy of the others of its scheduler.
In encodings-beside.csv half of the warps of a scheduler execute other 128 instructions.
"""
import csv
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "bench"))
import measured  # noqa: E402

# Warps of a scheduler; cycles of the readings themselves, and by how much warps begin one after another.
COLUMNS = {"alone": (1, 2), "a_scheduler_1": (1, 14), "a_scheduler_2": (2, 14), "a_scheduler_4": (4, 14), "a_scheduler_8": (8, 14)}
BESIDE = {2: 2, 4: 14, 8: 14}


def sums(code, warps, costs):
    """What one warp takes, and for how long it keeps its unit."""
    chain = others = 0
    for part in code.split():
        name, rest = part.split(":")
        stall, count = map(int, rest.split("x"))
        occupancy, spaced, _, beyond = costs[name.rstrip("+")]
        chain += count * max(occupancy[warps > 2], stall + (beyond if name.endswith("+") else 0))
        others += count * (spaced if 4 <= stall <= 14 else occupancy)[warps > 2]
    return chain, others


def above_alike(costs):
    with open(ROOT / "tests" / "silicon" / "encodings.csv") as file:
        for row in csv.DictReader(file):
            for column, (warps, frame) in COLUMNS.items():
                chain, others = sums(row["code"], warps, costs)
                if int(row[column]) > chain + (warps - 1) * others + frame:
                    yield row["case"], column


def above_beside(costs):
    """Half of a scheduler's warps execute the one code, half the other."""
    with open(ROOT / "tests" / "silicon" / "encodings-beside.csv") as file:
        for row in csv.DictReader(file):
            for warps, frame in BESIDE.items():
                codes = [sums(row[name], warps, costs) for name in ("code", "other")]
                for one, name in ((0, "a_scheduler_"), (1, "other_")):
                    if int(row[f"{name}{warps}"]) > codes[one][0] + (warps // 2 - 1) * codes[one][1] + warps // 2 * codes[1 - one][1] + frame:
                        yield row["case"], f"{name}{warps}"


def above(costs):
    return [*above_alike(costs), *above_beside(costs)]


class Encodings(unittest.TestCase):
    def test_none_above(self):
        self.assertEqual(above(measured.ENCODED), [])

    def test_each_is_needed(self):
        """One cycle less of any, and some code takes longer; but what three operands of half precision take is that of integers, no code shows it."""
        for name, (occupancy, spaced, latency, beyond) in measured.ENCODED.items():
            if name == "branch":
                continue
            few, many = occupancy
            tries = [((few - 1, many), spaced, latency, beyond), ((few, many - 1), spaced, latency, beyond)]
            tries += [(occupancy, (spaced[0] - 1, spaced[1]), latency, beyond), (occupancy, (spaced[0], spaced[1] - 1), latency, beyond)]
            tries += [(occupancy, spaced, latency, beyond - 1)] if beyond > 0 and name != "half" else []
            for changed in tries:
                self.assertNotEqual(above({**measured.ENCODED, name: changed}), [], (name, changed))


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
