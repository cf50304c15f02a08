"""Seed 003, Crassin and Neyret, "Understanding G80 behavior and performances" (8 March 2008): its experiments and recommendations, each in a
test of its name, on the shipped 8800 GTS. In every run the printed bound holds.

What the seed measured and calls unexplained is a parameter of the model with the seed's figure (src/model/g80_figures.def): the tests of E2.1
(sizes 16 to 64 and 4), E3.1 (length 2), E3.2 and E4.3 show that the figure arrives, not that it is understood.

usage: g80.py GPUBOUND
"""
import csv
import functools
import io
import itertools
import re
import subprocess
import sys
import unittest

GPUBOUND = sys.argv.pop(1)
US = 1000
T = 1000 * US       # a slow fragment
SIDE = 512
EIGHT = 9.96 / 1.17  # what the seed calls 8x the reference time (E2.1); unevenly filled rows stall a little
SHIFTS = [0, 2, 4, 1, 5, 3]
WHOLE = f'<triangle x1="0" y1="0" x2="{2 * SIDE}" y2="0" x3="0" y3="{2 * SIDE}"/>'  # the reference: one clipped triangle


def quad(x, y, width, height):
    return f'<quad x="{x}" y="{y}" width="{width}" height="{height}"/>'


def grid(of, size=1, x=0, step=1, stack=None, width=SIDE, height=SIDE):
    block = f' stack="{stack}"' if stack else ""
    return f'<grid of="{of}" x="{x}" y="0" width="{width}" height="{height}" size="{size}" step="{step}"{block}/>'


def slow(x, y, branch=0):
    return f'<slow x="{x}" y="{y}" branch="b{branch}"/>'


def frame(*batches, cost=0, waits=False, branches=1, window=(SIDE, SIDE), declared="", hidden="", slow_cost=T):
    shaders = "".join(f'<branch id="b{i}" wcet="{slow_cost}ns"/>' for i in range(branches))
    drawn = "".join(f'<batch shader="s">{batch}</batch>' for batch in batches)
    return (f'<frame xmlns="urn:gpubound:frame:1" id="f" platform="8800-gts" source="test">{declared}'
            f'<window width="{window[0]}" height="{window[1]}"/>{hidden}<shader id="s" wcet="{cost}ns" waits="{str(waits).lower()}">{shaders}</shader>'
            f'{drawn}</frame>')


def declare(name, value):
    return f'<declare name="{name}" value="{value}" source="test" by="test"/>'


@functools.cache
def rows_of(text):
    """What the command prints of a frame. The references are asked for again and again; tests/cmd_raster.py holds that a run repeats."""
    done = subprocess.run([GPUBOUND, "raster", "-q", "--format=csv", "-"], input=text, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return list(csv.DictReader(io.StringIO(done.stdout)))


class Run:
    def __init__(self, *batches, **more):
        rows = rows_of(frame(*batches, **more))
        self.time, self.bound, self.warps = (int(rows[0][name]) for name in ("done_ns", "bound_ns", "warps"))
        self.tiles = {(int(row["column"]), int(row["row"])): int(row["done_ns"]) for row in rows if row["kind"] == "tile"}
        self.owner = {(int(row["column"]), int(row["row"])): int(row["processor"]) for row in rows if row["kind"] == "tile"}
        self.processors = [{name: int(row[name]) for name in ("warps", "busy_ns", "stalled_ns", "done_ns")} for row in rows if row["kind"] == "processor"]
        if self.time > self.bound:
            raise AssertionError(f"the bound {self.bound} is below the run {self.time}")


def cost(*batches, **more):
    """Time over the reference time."""
    return Run(*batches, cost=US, **more).time / Run(WHOLE, cost=US).time


class G80(unittest.TestCase):
    def near(self, value, wanted, within=0.05):
        self.assertLessEqual(abs(value - wanted), within * wanted, f"{value} in place of {wanted}")

    def slow_time(self, *fragments, **more):
        """In slow fragments' times; each of another branch."""
        return Run(WHOLE + "".join(slow(x, y, i) for i, (x, y) in enumerate(fragments)), branches=len(fragments), **more).time / T

    # ---- the map

    def test_figure_3_map(self):
        owner = Run(WHOLE).owner
        for (i, j), processor in owner.items():
            self.assertEqual(processor, (i + SHIFTS[j % 6]) % 6)
        least = 99
        for (a, p), (b, q) in itertools.combinations(((tile, owner[tile]) for tile in owner if max(tile) < 14), 2):
            if p == q:
                across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
                self.assertTrue(across and down or (across + down) % 6 == 0)
                least = min(least, across + down)
        # The seed has 4. Its own formula has 3, and no pattern that gives one tile in six to a processor can have 4: two neighbouring
        # tiles and the six around them are at most 3 apart from one another, so only one of these eight could be the processor's.
        self.assertEqual(least, 3)

    # ---- E1: one large primitive

    def test_E1_1_order(self):
        run = Run(quad(0, 0, SIDE, SIDE), cost=US)
        done = run.tiles
        left = [done[i, j] for i, j in done if i < j - 2]
        right = [done[i, j] for i, j in done if i > j + 2]
        self.assertLess(max(left), sorted(right)[len(right) // 20])  # one triangle after the other, without waiting
        rows = [sum(done[i, j] for i in range(24, 32)) / 8 for j in range(20)]
        for j in range(0, 18, 2):  # two rows of tiles at a time, from the top
            self.assertGreater(rows[j + 2] - max(rows[j:j + 2]), 4 * abs(rows[j] - rows[j + 1]))
        self.assertLess(done[20, 0], done[31, 0])  # the right triangle: from the left
        self.assertLess(done[20, 2], done[31, 2])
        triangle = Run(WHOLE, cost=US).tiles       # the first triangle: to and fro
        self.assertLess(triangle[2, 0], triangle[30, 0])
        self.assertLess(triangle[30, 2], triangle[2, 2])
        self.assertLess(triangle[2, 4], triangle[30, 4])

    def test_E1_2_black_tiles_and_the_stall(self):
        run = Run(WHOLE + slow(4 * 16 + 3, 3))
        self.assertEqual(run.time, T)
        black = {tile for tile, done in run.tiles.items() if done > 0}
        drawn = [i for i in range(32) if (i, 0) not in black]
        first = sorted(i for i, j in black if j == 0)[:2]
        self.assertEqual(first, [4, 10])  # every sixth tile of a row, from the blocked one on
        self.assertEqual([i for i, j in sorted(black) if j == 1][0] % 6, 2)
        blocked = run.owner[4, 0]
        self.assertEqual(run.processors[blocked]["stalled_ns"], T)  # the FIFO is full, and all wait
        self.assertTrue(all(done == T for (i, j), done in run.tiles.items() if j >= 4))
        others = sum(1 for tile in set(run.tiles) - black if run.owner[tile] != blocked)
        self.assertTrue(10 <= others and drawn, others)
        deeper = Run(WHOLE + slow(4 * 16 + 3, 3), declared=declare("raster.fifo", 52))
        self.assertGreater(sum(1 for done in deeper.tiles.values() if done == 0), sum(1 for done in run.tiles.values() if done == 0))

    def test_E1_hidden_part_costs_nothing(self):
        half = '<hidden x="0" y="0" width="256" height="512"/>'
        self.near(cost(WHOLE, hidden=half), 0.5, 0.02)
        self.assertEqual(Run(WHOLE, cost=US, hidden=f'<hidden x="0" y="0" width="{SIDE}" height="{SIDE}"/>').bound, 0)
        seen = Run(WHOLE, cost=US, hidden='<hidden x="17" y="1" width="14" height="14"/>')  # of tile 1, 0 a frame of one pixel is left
        self.assertEqual(seen.warps, Run(WHOLE, cost=US).warps - 4)                           # 36 superfragments are hidden
        self.assertEqual(cost(WHOLE, hidden='<hidden x="1" y="0" width="1" height="512"/>'), 1)  # ghosts

    def test_E1_3_with_wait_states(self):
        for wanted, a, b in ((1, (3, 3), (19, 3)), (2, (3, 3), (3 + 96, 3)), (2, (3, 3), (11 + 96, 7)), (2, (3, 3), (5, 2)), (1, (3, 3), (11, 3)),
                             (1.1, (3, 3), (3, 7)), (1.1, (11, 1), (11, 14))):
            self.assertEqual(self.slow_time(a, b, waits=True), wanted, (a, b))

    def test_E1_3_without_wait_states(self):
        for wanted, a, b in ((1, (3, 3), (19, 3)), (2, (3, 3), (5, 2)), (1, (3, 3), (11, 3)), (1, (3, 3), (11, 14)), (2, (3, 3), (3, 7)), (2, (3, 3), (3, 15))):
            self.assertEqual(self.slow_time(a, b), wanted, (a, b))

    def test_E1_4_four_slow_fragments(self):
        self.assertEqual(self.slow_time((3, 3), (19, 3), (35, 3), (51, 3)), 1)
        self.assertEqual(self.slow_time((0, 0), (1, 1), (2, 2), (3, 3)), 4)
        self.assertEqual(self.slow_time((3, 3), (3, 7), (3, 11), (3, 15)), 4)
        for left, right in itertools.product(((1, 2), (1, 5), (1, 13), (5, 9), (9, 13)), repeat=2):
            self.assertEqual(self.slow_time((2, left[0]), (5, left[1]), (10, right[0]), (13, right[1])), 2, (left, right))

    def test_E1_5_equal_fragments(self):
        self.assertEqual(Run(WHOLE + "".join(slow(x, y) for x in range(8) for y in range(4))).time, T)

    # ---- E2: smaller primitives

    def test_E2_1_quads(self):
        for size, wanted in ((64, 1.5 / 1.17), (32, 1.5 / 1.17), (16, 1.5 / 1.17), (8, 1.5 / 1.17), (4, 6.78 / 1.17), (1, EIGHT)):
            self.near(cost(grid("quad", size)), wanted)
        self.near(cost(grid("quad", 8, stack=16)), cost(grid("quad", 8)))

    def test_E2_1_shifted(self):
        for size, wanted in ((64, 1.85 / 1.17), (32, 1.85 / 1.17), (16, 1.85 / 1.17), (8, 1.85 / 1.17), (4, 7.82 / 1.17)):
            self.near(cost(grid("quad", size, x=1)), wanted)

    def test_E2_1_what_is_explained(self):
        """8 x 8: the diagonal's superfragments twice, a quarter more; translated, another quarter."""
        def ghosts(x):
            text = subprocess.run([GPUBOUND, "raster", "-q", "-"], input=frame(grid("quad", 8, x=x)), capture_output=True, text=True).stdout
            drawn, extra = map(int, re.search(r"drawn +(\d+) fragments and (\d+) ghosts", text).groups())
            return extra / drawn
        self.assertEqual(ghosts(0), 0.25)
        self.near(ghosts(1), 0.5)

    def test_E2_1_two_triangles(self):
        corners = [(i * 16, j * 16) for j in range(8) for i in range(8)]
        def triangles(x, y):
            return (f'<triangle x1="{x}" y1="{y}" x2="{x + 16}" y2="{y + 16}" x3="{x}" y3="{y + 16}"/>'
                    f'<triangle x1="{x}" y1="{y}" x2="{x + 16}" y2="{y}" x3="{x + 16}" y3="{y + 16}"/>')
        quads = Run("".join(quad(x, y, 16, 16) for x, y in corners), cost=US)
        self.near(Run("".join(triangles(x, y) for x, y in corners), cost=US).time, quads.time)

    def test_E2_2_stall_with_size(self):
        """The smaller the primitives, the less is drawn before all wait."""
        drawn = []
        for size in (64, 16, 4, 1):
            run = Run(grid("quad", size, stack=16 if size < 16 else None) + slow(3, 3))
            drawn.append(sum(1 for done in run.tiles.values() if done == 0))
        self.assertEqual(drawn, sorted(drawn, reverse=True))
        self.assertLess(drawn[3], drawn[1])

    def test_E2_2_batches(self):
        """The processors wait at the end of a batch, wherever a slow fragment is."""
        one = Run(quad(0, 0, 16, 16) + slow(3, 3) + quad(16, 0, 16, 16) + slow(19, 3))
        two = Run(quad(0, 0, 16, 16) + slow(3, 3), quad(16, 0, 16, 16) + slow(19, 3))
        self.assertEqual((one.time, two.time), (T, 2 * T))

    # ---- E3: lines

    def test_E3_1_horizontal_lines(self):
        for length, wanted in ((512, 2), (32, 2), (16, 2), (8, 2), (4, 2), (2, 4.5)):
            self.near(cost(grid("line", length)), wanted)

    def test_E3_2_pseudo_quads(self):
        for size, wanted in ((256, 2), (128, 2), (64, 2.16), (16, 2.36), (8, 2.36), (4, 2.36), (2, 4.5), (1, 9)):
            self.near(cost(grid("line", size, stack=size)), wanted, 0.07)

    # ---- E4: points

    def test_E4_1_raster(self):
        self.near(cost(grid("point")), EIGHT)

    def test_E4_1_subtiles_of_4_x_1(self):
        """A blocked point blocks its warp, which is four points in a row."""
        run = Run(grid("point", width=16, height=1) + slow(5, 0) + slow(6, 0), declared=declare("raster.fifo", 1), window=(16, 1), branches=1)
        self.assertEqual((run.time, run.warps), (T, 4))

    def test_E4_2_pseudo_quads(self):
        # 83 % more for size 16 and none for 8 are what a FIFO of 44 warps gives; the shipped 26 (section 5.4) are on the safe side
        deep = declare("raster.fifo", 44)
        times = [cost(grid("point", stack=size), declared=deep) for size in (128, 64, 32, 16)]
        for size in (8, 2, 1):
            self.near(cost(grid("point", stack=size), declared=deep), 8)
        self.near(times[3] / 8, 1.83)
        self.assertEqual(max(times), times[3])
        for size, time in zip((128, 64, 32, 16), times):
            self.assertGreaterEqual(cost(grid("point", stack=size)), time)

    def test_E4_3_spaced(self):
        reference = Run(grid("point"), cost=US).time / SIDE ** 2
        for step, more in ((2, 0), (3, 0.08), (4, 0.05), (5, 0.05), (7, 0.16), (8, 0.10), (16, 0.35)):  # 2: -3 %; 4: +0 %
            points = (-(-SIDE // step)) ** 2
            self.near(Run(grid("point", step=step), cost=US).time / points / reference, 1 + more, 0.06)

    def test_E4_4_overdrawn(self):
        reference = Run(grid("point"), cost=US).time
        self.near(Run(f'<point x="100" y="100" repeat="{SIDE ** 2}"/>', cost=US).time / reference, 6.1, 0.07)

    def test_E4_5_six_in_turn(self):
        reference = Run(grid("point"), cost=US).time / SIDE ** 2
        cycle = "".join(f'<point x="{16 * i + 5}" y="5"/>' for i in range(6))
        self.near(Run(cycle * 2000, cost=US).time / 12000 / reference, 1)

    # ---- section 5

    def test_5_1_a_batch_for_each_primitive(self):
        quads = [quad(16 * i, 16 * j, 16, 16) for j in range(4) for i in range(16)]
        self.assertGreater(Run(*quads, cost=US).time, 4 * Run("".join(quads), cost=US).time)

    def test_5_2_micropolygons(self):
        self.near(cost(grid("quad", 1)), EIGHT)

    def test_5_3_stars(self):
        stars = [(8 * i, 8 * j) for j in range(64) for i in range(64)]
        scattered = Run(WHOLE + "".join(slow(x, y) for x, y in stars)).time / T
        self.near(scattered, len(stars) / 12)
        points = Run(grid("point", step=8), cost=T).time / T
        self.near(scattered / points, 4 / 1.10)  # a gain of 4, less the 10 % of E4.3 at this distance
        packed = Run(WHOLE, cost=T, window=(64, 64)).time / T
        self.assertTrue(25 < scattered / packed <= 32.1, scattered / packed)  # "closer to 32"
        both = Run(WHOLE + "".join(slow(x, y, 0) + slow(x + 1, y, 1) for x, y in stars), branches=2).time / T
        self.near(both, 2 * len(stars) / 12)
        same = Run(WHOLE + "".join(slow(x, y) + slow(x + 1, y) for x, y in stars)).time / T
        self.near(same, len(stars) / 12)

    def test_5_4_twelve_fold(self):
        """Twelve warps, each on another multiprocessor, or all on one."""
        spread = [(16 * i + 8 * half, 1) for i in range(6) for half in (0, 1)]
        one = [(96 * tile, 4 * subtile) for tile in range(3) for subtile in range(4)]
        self.assertEqual(Run(WHOLE + "".join(slow(x, y) for x, y in spread)).time, T)
        self.assertEqual(Run(WHOLE + "".join(slow(x, y) for x, y in one)).time, 12 * T)

    def test_5_5_silhouette(self):
        """Sixteen unique fragments one over the other in a tile: of 16 multiprocessors of 8 SPs one SP works."""
        line = [(5, y) for y in range(16)]
        large = declare("raster.texture-processors", 8) + '<pattern source="test" by="test">0 2 4 6 1 3 5 7</pattern>'
        self.assertEqual(self.slow_time(*line), 16)
        run = Run(WHOLE + "".join(slow(x, y, i) for i, (x, y) in enumerate(line)), branches=16, declared=large)
        self.assertEqual((run.time, sum(p["busy_ns"] for p in run.processors)), (16 * T, 16 * T))
        # Remedy: every second one in another buffer, a tile further, whose texture processor is another
        dithered = [(x + 16 * (y % 2), y) for x, y in line]
        self.assertEqual(self.slow_time(*dithered), 8)
        # Remedy: as points of a pass of their own, in an order that balances the processors
        self.assertEqual(Run("".join(f'<point x="{16 * i}" y="0"/>' for i in range(6)) + "".join(slow(16 * i, 0, i) for i in range(6)), branches=6).time, T)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
