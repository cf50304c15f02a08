"""Blocks beside others whoever is served first: no block takes longer than gpubound wcet says for "in any order", and no launch longer than
[WCET-LAUNCH] has it.

The machine here is written from what that claim supposes and from nothing else: a warp issues in order, a slot or unit that a ready warp wants
is not left idle, an instruction keeps its unit for at most its occupancy and its warp for at most its latency. Who issues is an adversary's
choice. Blocks come before the one that is looked at, with it, and in the places of those that have ended; n is all that are there meanwhile.

usage: any_order.py GPUBOUND SOURCE_ROOT
"""
import pathlib
import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import served

GPUBOUND = sys.argv[1]
PROGRAM = served.Program(GPUBOUND)
SPACE = "{urn:gpubound:wcet:1}"
CLASSES = ("fp32", "int32", "sfu", "barrier")
PARTITIONS = 4  # of the model h200
SYSTEMS, TINY, LAUNCHES = 60, 40, 60


class System:
    """Two kernels on units of one SM: blocks a, then b or c, then d, at times with a barrier that all warps come to."""

    def __init__(self, draw, tiny):
        self.draw = draw
        units = [(draw.choice("xyz"), draw.random() < 0.6) for _ in CLASSES]
        self.costs = {}
        for name, (unit, own) in zip(CLASSES, units):
            occupancy = draw.randint(1, 3)
            self.costs[name] = (unit, own, occupancy, occupancy + draw.choice((0, 0, 1, 4)))
        self.kernels = [self.kernel(draw.choice((1, 2) if tiny else (1, 2, 4, 5, 8)), 2 if tiny else 6) for _ in range(2)]

    def kernel(self, warps, most):
        blocks = {name: [self.draw.choice(CLASSES[:3]) for _ in range(self.draw.randint(1, most))] for name in "abcd"}
        if self.draw.random() < 0.3:
            blocks["d"].insert(0, "barrier")
        return warps, blocks

    def text(self, kernel):
        warps, blocks = self.kernels[kernel]
        costs = "".join(f'<cost class="{name}" latency="{latency}" occupancy="{occupancy}" per="{"partition" if own else "sm"}" group="{unit}" source="drawn" by="the test"/>'
                        for name, (unit, own, occupancy, latency) in self.costs.items())
        counts = ""
        for name, line in blocks.items():
            counts += f'<block id="{name}"' + "".join(f' {c}="{line.count(c)}"' for c in CLASSES if c in line) + "/>"
        edges = "".join(f'<edge from="{one}" to="{two}"/>' for one, two in ("ab", "ac", "bd", "cd"))
        return (f'<program xmlns="urn:gpubound:program:1" id="k{kernel}" platform="h200" threads="{32 * warps}" unlisted="uniform">'
                f"{costs}{counts}{edges}</program>")

    def trace(self, kernel):
        """What a warp executes: one of the two ways, no instruction slower than its cost, each as short as it may be at times."""
        blocks = self.kernels[kernel][1]
        line = blocks["a"] + blocks[self.draw.choice("bc")] + blocks["d"]
        hasty = self.draw.random() < 0.3
        return [(name, self.costs[name][0], self.costs[name][1], *(self.hastened(name) if hasty else self.costs[name][2:])) for name in line]

    def hastened(self, name):
        occupancy = self.draw.randint(1, self.costs[name][2])
        return occupancy, self.draw.randint(occupancy, max(occupancy, self.costs[name][3]))


class Sm:
    """Warps [block, partition, trace, at, ready, waits] by the cycle; units by (unit, partition or None for the SM's)."""

    def __init__(self, warps_of, places):
        self.warps_of, self.places = warps_of, places  # warps_of[i]: [(partition, trace)] of block i, in the order in which they come
        self.warps, self.free, self.now, self.next = [], {}, 0, 0
        self.begun, self.ended = {}, {}

    def arrive(self):
        while self.next < len(self.warps_of) and len(self.begun) - len(self.ended) < self.places:
            self.warps += [[self.next, partition, trace, 0, self.now, False] for partition, trace in self.warps_of[self.next]]
            self.begun[self.next] = self.now
            self.next += 1

    def leave(self):
        for block in set(self.begun) - set(self.ended):
            if all(w[3] == len(w[2]) and w[4] <= self.now for w in self.warps if w[0] == block):
                self.ended[block] = self.now
                self.warps = [w for w in self.warps if w[0] != block]

    def able(self, slots):
        return [w for w in self.warps if w[3] < len(w[2]) and not w[5] and w[4] <= self.now and w[1] not in slots
                and self.free.get(self.unit(w), 0) <= self.now]

    @staticmethod
    def unit(warp):
        _, unit, own, _, _ = warp[2][warp[3]]
        return unit, warp[1] if own else None

    def issue(self, warp, slots):
        name, _, _, occupancy, latency = warp[2][warp[3]]
        self.free[self.unit(warp)] = self.now + occupancy
        slots.add(warp[1])
        warp[3], warp[4], warp[5] = warp[3] + 1, self.now + latency, name == "barrier"
        of_block = [w for w in self.warps if w[0] == warp[0]]
        if all(w[5] or w[3] == len(w[2]) for w in of_block):
            for w in of_block:
                if w[5]:
                    w[4], w[5] = max(w[4], self.now + latency), False

    def run(self, choose):
        """choose(able) says who of those that can issue does, until nobody can: work-conserving whatever it says."""
        while len(self.ended) < len(self.warps_of):
            self.leave()
            self.arrive()
            self.cycle(choose)
        return {block: self.ended[block] - self.begun[block] for block in self.ended}

    def cycle(self, choose):
        slots = set()
        able = self.able(slots)
        while able:
            self.issue(choose(able), slots)
            able = self.able(slots)
        self.now += 1


def launched(draw, blocks, sms, places, choosers):
    """When the last block of a launch ends: each goes at once to some SM with room, while there is any."""
    chip, waiting, ended = [Sm([], places) for _ in range(sms)], list(blocks), 0
    while ended < len(blocks):
        for sm in chip:
            sm.leave()
        room = [sm for sm in chip if len(sm.begun) - len(sm.ended) < places]
        while waiting and room:
            sm = draw.choice(room)
            sm.warps_of.append(waiting.pop(0))
            sm.arrive()
            room = [sm for sm in chip if len(sm.begun) - len(sm.ended) < places]
        ended = sum(len(sm.ended) for sm in chip)
        for sm, choose in zip(chip, choosers):
            sm.cycle(choose)
    return chip[0].now - 1


class Scripted:
    """Each choice in turn, all of them: next_script() goes on to the next run."""

    def __init__(self):
        self.script, self.at = [], 0

    def __call__(self, able):
        if self.at == len(self.script):
            self.script.append([0, len(able)])
        self.at += 1
        return able[self.script[self.at - 1][0]]

    def next_script(self):
        while self.script and self.script[-1][0] + 1 == self.script[-1][1]:
            self.script.pop()
        if self.script:
            self.script[-1][0] += 1
        self.at = 0
        return bool(self.script)


def adversaries(draw, victim):
    last = {}

    def greedy(able):
        goes_on = [w for w in able if last.get(w[1]) is w]
        one = goes_on[0] if goes_on else max(able, key=lambda w: w[0])
        last[one[1]] = one
        return one

    return (greedy, lambda able: draw.choice(able), lambda able: min(able, key=lambda w: (w[0] == victim, draw.random())),
            lambda able: min(able, key=lambda w: (w[0] == victim, -w[2][w[3]][3], -w[0])))


class AnyOrder(unittest.TestCase):
    def bounds(self, system, kinds):
        """For a block of the first kernel: with all of these blocks, of which the first is itself."""
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for kernel in range(2):
                files.append(pathlib.Path(folder) / f"k{kernel}.xml")
                files[-1].write_text(system.text(kernel))
            result = PROGRAM.run(["wcet", "--format=xml", *(f"--beside={files[kernel]}" for kernel in kinds), str(files[0])], text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        tree = ElementTree.fromstring(result.stdout)
        return [int(tree.get("cycles"))] + [int(one.get("any-order")) for one in tree.findall(SPACE + "beside")]

    def blocks(self, system, kinds):
        starts = [system.draw.randrange(PARTITIONS) for _ in kinds]
        return [[((start + i) % PARTITIONS, system.trace(kernel)) for i in range(system.kernels[kernel][0])] for start, kernel in zip(starts, kinds)]

    def test_adversaries(self):
        """Up to eight blocks, in turn or at once, against orders that keep one of them waiting; who counts only those that are there at a time is too low."""
        draw, closest, too_few = random.Random(26), 0, 0
        for _ in range(SYSTEMS):
            system = System(draw, False)
            count = draw.randint(2, 8)
            victim, places = draw.randrange(count), draw.randint(2, count)
            kinds = [draw.choice((0, 0, 1)) for _ in range(count)]
            kinds[victim] = 0
            blocks = self.blocks(system, kinds)
            others = kinds[:victim] + kinds[victim + 1:]
            bounds = self.bounds(system, others)
            for choose in adversaries(draw, victim):
                taken = Sm(blocks, places).run(choose)[victim]
                self.assertLessEqual(taken, bounds[-1], (kinds, victim, places))
                closest = max(closest, taken / bounds[-1])
                too_few += places < count and taken > bounds[places - 1]
        self.assertGreater(closest, 0.9)
        self.assertGreater(too_few, 0)

    def test_every_order(self):
        """Two or three tiny blocks, each order of them."""
        draw, closest, runs = random.Random(27), 0, 0
        for _ in range(TINY):
            system = System(draw, True)
            kinds = [0] + [draw.choice((0, 1)) for _ in range(draw.randint(1, 2))]
            blocks, victim = self.blocks(system, kinds), 0
            if draw.random() < 0.5: # the one that is looked at comes last
                blocks, victim = blocks[1:] + blocks[:1], len(blocks) - 1
            bound, choose, more = self.bounds(system, kinds[1:])[-1], Scripted(), True
            places, left = draw.randint(2, len(kinds)), 1500
            while more and left > 0:
                taken = Sm(blocks, places).run(choose)[victim]
                self.assertLessEqual(taken, bound, (kinds, victim, places))
                closest, runs, left = max(closest, taken / bound), runs + 1, left - 1
                more = choose.next_script()
        self.assertGreater(closest, 0.8)
        self.assertGreater(runs, 1000)

    def test_launch(self):
        """One to three SMs, with more blocks than fit at once or fewer, to whichever SM has room; the last one does not have its SM to itself."""
        draw, closest, alone = random.Random(28), 0, 0
        for _ in range(LAUNCHES):
            system = System(draw, False)
            sms, places, count = draw.randint(1, 3), draw.randint(1, 4), draw.randint(2, 12)
            with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(system.text(0))
                file.flush()
                tree = ElementTree.fromstring(PROGRAM.run(["wcet", "--format=xml", file.name], text=True).stdout)
            warps, cycles = int(tree.get("warps")), int(tree.get("cycles"))
            waits = int(tree.find(SPACE + "chain").get("cycles")) * (warps if tree.get("composition") == "serial" else 1)
            work = warps * int(tree.find(SPACE + "others").get("cycles"))
            last = (min(places, count) - 1) * int(tree.find(SPACE + "curve").get("plain-age"))
            waves = 0 if count <= sms * places else -(-(count - 1) * waits // (sms * places)) - (-(count - 1) * work // sms)
            blocks = self.blocks(system, [0] * count)
            for adversary in range(4):
                taken = launched(draw, blocks, sms, places, [adversaries(draw, draw.randrange(count))[adversary] for _ in range(sms)])
                self.assertLessEqual(taken, waves + cycles + last, (count, sms, places))
                closest = max(closest, taken / (waves + cycles + last))
                alone += count <= sms * places and taken > cycles
        self.assertGreater(closest, 0.8)
        self.assertGreater(alone, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
