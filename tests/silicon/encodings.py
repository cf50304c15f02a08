"""No straight code of probe/encodings.cu took longer on an H200 than its stall counts, occupancies and what bench/measured.py declares beyond them say.

usage: encodings.py SOURCE_ROOT

A line of encodings.csv: what 128 instructions are, as class:stall count x how many ("+": it reads three registers or writes two), and the cycles of the longest
of 1 warp, and of 1, 2, 4 and 8 warps of each scheduler, two readings of the clock included. The bound is [WCET]'s: the chain of one warp, and the occupancy of the others of its scheduler.
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


def bound(code, warps, frame, costs):
    chain = others = 0
    for part in code.split():
        name, rest = part.split(":")
        stall, count = map(int, rest.split("x"))
        few, many, _, beyond = costs[name.rstrip("+")]
        occupancy = few if warps <= 2 else many
        chain += count * max(occupancy, stall + (beyond if name.endswith("+") else 0))
        others += count * occupancy
    return chain + (warps - 1) * others + frame


def above(costs):
    with open(ROOT / "tests" / "silicon" / "encodings.csv") as file:
        return [(row["case"], column) for row in csv.DictReader(file) for column, (warps, frame) in COLUMNS.items() if int(row[column]) > bound(row["code"], warps, frame, costs)]


class Encodings(unittest.TestCase):
    def test_none_above(self):
        self.assertEqual(above(measured.ENCODED), [])

    def test_each_is_needed(self):
        """One cycle less of any, and some code takes longer; but what three operands of half precision take is that of integers, no code shows it."""
        for name, (few, many, latency, beyond) in measured.ENCODED.items():
            if name == "branch":
                continue
            tries = [(few - 1, many, latency, beyond), (few, many - 1, latency, beyond)] + ([(few, many, latency, beyond - 1)] if beyond > 0 and name != "half" else [])
            for changed in tries:
                self.assertNotEqual(above({**measured.ENCODED, name: changed}), [], (name, changed))


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
