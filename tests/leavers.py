"""Warps that leave before their block ends, and room that goes with them: [LEAVERS].

The machine here is written from the assumptions and from nothing else: a block begins where there is room for all of it; a warp's slot is free
when the warp has ended, a block's slot and shared memory when all of its warps have; the kernel that came first is served first, as soon as its
next block fits on some SM; an SM that is busy keeps the shared memory that it was configured to. Which SM it is, and what part of its time each
warp takes, is drawn. No response is above its bound, no SM has more blocks of a kernel than its report says, and none has more beside one.
Where the task set says of all kernels that their warps stay, some are: the machine finds it.

usage: leavers.py GPUBOUND SOURCE_ROOT
"""
import pathlib
import random
import re
import sys
import tempfile
import unittest

import served

GPUBOUND = sys.argv[1]
PROGRAM = served.Program(GPUBOUND)
SYSTEMS, RUNS = 60, 60
GRANTED = ("A-HOL", "A-PRIO", "A-WC", "A-FRAG", "A-CE")
TIME = 1000  # the longest of a block, ns


class Kernel:
    def __init__(self, name, blocks, warps, shared, wcet, level=0, grid=False):
        self.name, self.blocks, self.warps, self.shared, self.wcet, self.level, self.grid = name, blocks, warps, shared, wcet, level, grid

    def text(self, stays):
        says = ' warps-stay="true"' if stays else ""
        return (f'<task id="{self.name}" period="1s" deadline="1s"><kernel id="k{self.name}" stream="{self.name}" scope="{"grid" if self.grid else "block"}" '
                f'grid="{self.blocks}" block="{32 * self.warps}" registers="1" shared-static="{self.shared}B" wcet="{self.wcet}ns"{says}/></task>')


class System:
    def __init__(self, sms, warps, slots, shared, kernels, capability="6.0", configured=None):
        self.sms, self.warps, self.slots, self.shared, self.kernels = sms, warps, slots, shared, kernels
        self.capability, self.configured = capability, configured or shared

    def bounds(self, stays):
        """By kernel: the response, the most of its blocks on an SM, the most blocks beside one of its own."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "p.xml").write_text(self.platform())
            (pathlib.Path(folder) / "s.xml").write_text(self.taskset(stays))
            result = PROGRAM.run(["analyze", "-q", "-o", "r.xml", "s.xml"], cwd=folder, text=True)
            assert result.returncode in (0, 1), result.stderr
            verified = PROGRAM.run(["verify", "r.xml"], cwd=folder, text=True)
            assert verified.returncode == 0, verified.stderr
            report = (pathlib.Path(folder) / "r.xml").read_text()
        found = {}
        for kernel in self.kernels:
            response = re.search(rf'<task id="{kernel.name}"[^>]* response="(\d+)"', report)
            greatest = re.search(rf'<kernel operation="k{kernel.name}".*?greatest="(\d+)"', report, re.S)
            beside = re.search(rf'<step id="[^"]*" rule="blocks-beside" about="task:{kernel.name}/op:k{kernel.name}[^"]*"[^>]* value="(\d+)', report)
            found[kernel.name] = (int(response.group(1)) if response else None, int(greatest.group(1)), int(beside.group(1)) if beside else None)
        return found

    def platform(self):
        values = {"sm.count": self.sms, "sm.warps": self.warps, "sm.blocks": self.slots, "sm.subpartitions": 1, "sm.registers": 65536, "sm.shared": f"{self.shared}B",
                  "register.unit": 1, "shared.unit": "1B", "block.threads": min(1024, 32 * self.warps), "block.shared": f"{self.shared}B", "queues.hardware": 32,
                  "queues.resident-grids": 32, "queues.priorities": 3, "copy.engines": 1, "overhead.launch": "0ns", "overhead.block": "0ns",
                  "overhead.dependency": "0ns", "overhead.copy": "0ns"}
        lines = "".join(f'<parameter name="{name}" value="{value}" source="t"/>' for name, value in values.items())
        granted = "".join(f'<assumption id="{name}" status="assumed" source="t">As tested.</assumption>' for name in GRANTED)
        factors = "".join(f'<factor victim="any" from="sm" count="{count}" value="1" source="t"/>' for count in range(1, self.slots + 1))
        return (f'<platform xmlns="urn:gpubound:platform:1" id="p" name="p" architecture="made up" compute-capability="{self.capability}" integrated="false">'
                f'<sources><source id="t" kind="data">made up</source></sources><parameters>{lines}</parameters>'
                '<engines source="t" copy-runlist="own" preemption="block" concurrent-kernels="yes" per-sm-carveout="yes"><direction name="h2d" engine="0"/>'
                f'<direction name="d2h" engine="0"/></engines><assumptions>{granted}</assumptions><interference composition="maximum">'
                f'<factor victim="any" from="all" value="1" source="t"/>{factors}</interference></platform>')

    def taskset(self, stays):
        streams = "".join(f'<stream id="{kernel.name}" kind="non-blocking" priority="{kernel.level}"/>' for kernel in self.kernels)
        return ('<taskset xmlns="urn:gpubound:taskset:1" id="s" platform="./p.xml" origin="t"><title>s</title><origins><origin id="t" kind="declared" '
                f'source="made up" by="the tests"/></origins><application id="a">{streams}</application>'
                f'{"".join(kernel.text(stays) for kernel in self.kernels)}</taskset>')


class Machine:
    """Kernels come at `at`; times[name] has the times of each block's warps."""

    def __init__(self, system, at, times, draw):
        self.system, self.times, self.draw = system, times, draw
        self.live = [[] for _ in range(system.sms)]  # [kernel, block's number on the machine, end of the warp]
        self.held, self.most, self.beside, self.placed = {}, {}, {}, 0
        self.configured = [0] * system.sms
        self.run(sorted((at[kernel.name], i) for i, kernel in enumerate(system.kernels)))

    def blocks(self, sm):
        return {number: kernel for kernel, number, _ in self.live[sm]}

    def fits(self, sm, kernel):
        there = self.blocks(sm)
        room = self.configured[sm] if there else self.system.configured
        return (len(self.live[sm]) + kernel.warps <= self.system.warps and len(there) < self.system.slots and
                sum(other.shared for other in there.values()) + kernel.shared <= room)

    def place(self, now, kernel, times):
        able = [sm for sm in range(self.system.sms) if self.fits(sm, kernel)]
        if not able:
            return None
        sm = self.draw.choice(able)
        if not self.live[sm]:
            self.configured[sm] = self.system.configured if kernel is not self.system.kernels[-1] else self.system.shared
        self.placed += 1
        self.live[sm] += [[kernel, self.placed, now + time] for time in times]
        here = list(self.blocks(sm).values())
        for one in set(here):
            self.most[one.name] = max(self.most.get(one.name, 0), here.count(one))
            self.beside[one.name] = max(self.beside.get(one.name, 0), len(here) - here.count(one))
        return max(times)

    def run(self, arrivals):
        waiting, left, self.ends, now = [], {}, {}, 0
        while arrivals or waiting or any(self.live):
            now = min([at for at, _ in arrivals[:1]] + [end for sm in self.live for _, _, end in sm])
            for sm in range(self.system.sms):
                self.live[sm] = [warp for warp in self.live[sm] if warp[2] > now]
            while arrivals and arrivals[0][0] <= now:
                kernel = self.system.kernels[arrivals.pop(0)[1]]
                waiting.append(kernel)
                left[kernel.name] = list(self.times[kernel.name])
            while waiting:
                kernel = min(waiting, key=lambda one: one.level)  # the first of the highest level, which has the least number
                longest = self.place(now, kernel, left[kernel.name][0])
                if longest is None:
                    break
                self.ends[kernel.name] = max(self.ends.get(kernel.name, 0), now + longest)
                left[kernel.name].pop(0)
                if not left[kernel.name]:
                    waiting.remove(kernel)


def draw_system(draw):
    kernels = [Kernel("abc"[i], draw.randint(1, 6), draw.choice((1, 2, 3, 5, 8)), draw.choice((0, 0, 1, 2)), draw.choice((100, 300, TIME)), draw.choice((0, 1)))
               for i in range(draw.randint(2, 3))]
    return System(draw.randint(1, 2), draw.choice((8, 10, 12)), draw.choice((4, 8)), 8, kernels)


def draw_times(draw, kernel):
    def block():
        way = draw.random()
        short = draw.choice((1, 2, kernel.wcet // 2, kernel.wcet))
        times = [draw.choice((short, kernel.wcet)) if way < 0.3 else short for _ in range(kernel.warps)]
        times[draw.randrange(kernel.warps)] = kernel.wcet
        return times
    return [block() for _ in range(kernel.blocks)]


class Leavers(unittest.TestCase):
    def test_drawn(self):
        """Drawn kernels on one and two SMs. Of the same with warps that are said to stay some bounds do not hold, nor counts of blocks."""
        draw, above, more, passed, bounded, beside = random.Random(7), 0, 0, 0, 0, 0
        for _ in range(SYSTEMS):
            system = draw_system(draw)
            honest, said = system.bounds(False), system.bounds(True)
            for _ in range(RUNS):
                first = draw.randint(0, 3)
                at = {kernel.name: draw.choice((0, 1, 2, first, 50)) for kernel in system.kernels}
                run = Machine(system, at, {kernel.name: draw_times(draw, kernel) for kernel in system.kernels}, draw)
                for name, end in run.ends.items():
                    response, greatest, foreign = honest[name]
                    bounded += response is not None
                    self.assertLessEqual(run.most.get(name, 0), greatest)
                    self.assertTrue(foreign is None or run.beside[name] <= foreign, (run.beside, honest))
                    self.assertTrue(response is None or end - at[name] <= response, (end - at[name], response, system.taskset(False)))
                    more += run.most[name] > said[name][1]
                    above += said[name][0] is not None and end - at[name] > said[name][0]
                    beside += said[name][2] is not None and run.beside[name] > said[name][2]
                    passed += 1
        self.assertGreater(bounded, passed // 2)
        self.assertGreater(min(more, above, beside), 0, (more, above, beside))

    def test_full_by_what_never_fitted(self):
        """Two blocks of 32 warps, of a lower level, the first with one left, fill an SM of 40 for one of 8; whole they are never there together."""
        system = System(1, 40, 32, 1024, [Kernel("j", 2, 32, 0, 1000, 1), Kernel("x", 1, 8, 0, 10)])
        run = Machine(system, {"j": 0, "x": 2}, {"j": [[1] * 31 + [1000], [1000] * 32], "x": [[10] * 8]}, random.Random(1))
        self.assertEqual(run.ends["x"] - 2, 1008)
        self.assertLessEqual(run.ends["x"] - 2, system.bounds(False)["x"][0])
        self.assertLess(system.bounds(True)["x"][0], run.ends["x"] - 2)

    def test_volume_of_a_grid(self):
        """32 blocks of 32 warps, all but one of which leave at once, are on an SM together where 2 fit: C is one block's time. With shared
        memory for two they run two at a time."""
        grid = Kernel("g", 32, 32, 1024, 100040, grid=True)
        system = System(1, 64, 32, 32 * 1024, [Kernel("x", 1, 32, 1024, 1000), grid], "7.0", 2048)
        times = {"x": [[1000] * 32], "g": [[1] * 31 + [100000]] * 32}
        alone = Machine(System(1, 64, 32, 32 * 1024, [grid]), {"g": 0}, {"g": times["g"]}, random.Random(1))
        self.assertLessEqual(alone.ends["g"], grid.wcet)
        run = Machine(system, {"x": 0, "g": 1}, times, random.Random(1))
        self.assertGreater(run.ends["g"], 16 * 100000)
        self.assertLessEqual(run.ends["g"] - 1, system.bounds(False)["g"][0])
        self.assertLess(system.bounds(True)["g"][0], run.ends["g"] - 1)

    def test_shorter_on_other_sms(self):
        """Where warps leave the makespan of a kernel depends on where its blocks are: on no placement it is longer than C says, which
        therefore has to be of the worst one."""
        kernel = Kernel("k", 5, 2, 0, 10, grid=True)
        system = System(2, 4, 32, 1024, [kernel])
        times = {"k": [[1, 10], [1, 10], [10, 10], [10, 10], [10, 10]]}
        ends = {Machine(system, {"k": 0}, times, random.Random(seed)).ends["k"] for seed in range(20)}
        self.assertEqual(ends, {11, 20})


unittest.main(argv=sys.argv[:1])
