"""Partitions of SMs: what is analysed as a machine of its own, what is joined, and what has no bound.

usage: partitions.py GPUBOUND SOURCE_ROOT
"""
import pathlib
import re
import sys
import tempfile
import unittest

import served

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
PROGRAM = served.Program(GPUBOUND)
PARAMETERS = {"sm.count": 8, "sm.warps": 64, "sm.blocks": 32, "sm.subpartitions": 4, "sm.registers": 65536, "sm.shared": "96KiB",
              "register.unit": 256, "shared.unit": "256B", "shared.reserved": "0B", "queues.hardware": 16, "queues.priorities": 3,
              "queues.resident-grids": 128, "overhead.launch": "100ns", "overhead.block": "10ns", "overhead.dependency": "20ns", "overhead.copy": "50ns",
              "runlist.timeslice": "1000ns", "runlist.switch": "50ns"}
ORDER = ("A-HOL", "A-PRIO", "A-WC", "A-FRAG", "A-CE", "A-RUNLIST", "A-EXCL", "A-PARTITION")
BOUND = re.compile(r'<bound name="([^"]+)"(?: value="(\d+)")?')
LEFT, RIGHT = '<partition id="left" kind="green" sms="0-2 4"/>', '<partition id="right" kind="green" size="3"/>'


def platform(assumptions=ORDER, factors='<factor victim="any" from="all" value="1" source="t"/>', more=()):
    numbers = {**PARAMETERS, **dict(more)}
    lines = "".join(f'<parameter name="{name}" value="{value}" source="t"/>' for name, value in numbers.items() if value is not None)
    granted = "".join(f'<assumption id="{name}" status="assumed" source="t">As tested.</assumption>' for name in assumptions)
    return f'''<platform xmlns="urn:gpubound:platform:1" id="p" name="p" architecture="made up" compute-capability="7.0" integrated="false">
<sources><source id="t" kind="data">made up</source></sources><parameters>{lines}</parameters>
<engines source="t" copy-runlist="own" preemption="block" concurrent-kernels="yes" per-sm-carveout="yes">
<direction name="h2d" engine="0"/><direction name="d2h" engine="0"/><direction name="memset" engine="compute"/></engines>
<assumptions>{granted}</assumptions><interference composition="maximum"><factor victim="transfer" from="all" value="1" source="t"/>{factors}</interference></platform>'''


def kernel(name, stream, blocks=12, wcet=300, block=512):
    return f'<kernel id="{name}" stream="{stream}" scope="block" grid="{blocks}" block="{block}" registers="16" wcet="{wcet}ns"/>'


def task(name, period, *operations):
    return f'<task id="{name}" period="{period}ns" deadline="{period}ns">{"".join(operations)}</task>'


def streams(*partitions, application="a"):
    lines = "".join(f'<stream id="s{i}" kind="non-blocking"' + (f' partition="{p}"' if p else "") + "/>" for i, p in enumerate(partitions))
    return f'<application id="{application}">{lines}</application>'


class Case(unittest.TestCase):
    def bounds(self, body, model=None, status=None):
        """Of each task the values of its bounds, None where there is none; the report is verified."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "p.xml").write_text(model or platform())
            (folder / "s.xml").write_text(f'''<taskset xmlns="urn:gpubound:taskset:1" id="s" platform="./p.xml" origin="t"><title>s</title>
<origins><origin id="t" kind="declared" source="made up" by="the tests"/></origins>{body}</taskset>''')
            result = PROGRAM.run(["analyze", "-q", "-o", folder / "r.xml", folder / "s.xml"], text=True)
            self.assertIn(result.returncode, (0, 1, 4) if status is None else (status,), result.stderr)
            self.text = (folder / "r.xml").read_text()
            verified = PROGRAM.run(["verify", folder / "r.xml"], text=True)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        found = {}
        for part in re.findall(r'<task id=.*?</task>', self.text, re.S):
            found[re.match(r'<task id="([^"]+)"', part).group(1)] = {name: int(value) if value else None for name, value in BOUND.findall(part)}
        return found


class Alone(Case):
    WORK = (task("t0", 20000, kernel("k0", "s0")), task("t1", 30000, '<copy id="c" stream="s1" direction="h2d" wcet="500ns"/>', kernel("k1", "s1", 9, 400, 1024)),
            task("t2", 50000, kernel("k2", "s2", 3, 700, 256)))

    def test_as_on_a_smaller_chip(self):
        """All work in one partition: as on a chip of its size, but for refinements that look at all of the chip."""
        parted = self.bounds(LEFT + streams("left", "left", "left") + "".join(self.WORK))
        whole = self.bounds(streams("", "", "") + "".join(self.WORK), platform(more={"sm.count": 4}))
        self.assertEqual(parted, whole)
        self.assertIsNotNone(parted["t0"]["H"])

    def test_others_do_not_matter(self):
        """But for copies on the same engine."""
        body = LEFT + RIGHT + streams("left", "right", "right")
        some = self.bounds(body + "".join(self.WORK))
        more = self.bounds(body + self.WORK[0] + self.WORK[1].replace("400ns", "4000ns") + self.WORK[2])
        self.assertEqual(some["t0"], more["t0"])
        self.assertLess(some["t2"]["P"], more["t2"]["P"])
        self.assertIn('partition="left" sms="4"', self.text)

    def test_copies_meet(self):
        body = LEFT + RIGHT + streams("left", "right")
        copy = '<copy id="{}" stream="{}" direction="h2d" wcet="{}ns"/>'
        one = self.bounds(body + task("t0", 20000, copy.format("c0", "s0", 100), kernel("k0", "s0")) + task("t1", 20000, copy.format("c1", "s1", 500)))
        two = self.bounds(body + task("t0", 20000, copy.format("c0", "s0", 100), kernel("k0", "s0")) + task("t1", 20000, copy.format("c1", "s1", 900)))
        for name in ("VOL-P", "P", "H", "CHAIN"):
            self.assertEqual(two["t0"][name] - one["t0"][name], 400, name)

    def test_g_of_the_chip_says_nothing(self):
        weak = platform(("A-FRAG", "A-PARTITION", "A-CE"))
        model = weak.replace("</parameters>", '<parameter name="dispatch.nonempty-sms" value="7" source="t"/></parameters>')
        body = LEFT + streams("left", "left", "left") + "".join(self.WORK)
        self.assertEqual(self.bounds(body, model), self.bounds(body, weak))


class Joined(Case):
    TASKS = (task("t0", 40000, kernel("k0", "s0")), task("t1", 40000, kernel("k1", "s1", 9, 400)))

    def both(self, model=None, extra=""):
        return self.bounds(LEFT + RIGHT + streams("left", "right") + extra + "".join(self.TASKS), model)

    def test_a_queue_too_few(self):
        apart, shared = self.both(), self.both(platform(more={"queues.hardware": 2}))
        self.assertGreater(shared["t0"]["P"], apart["t0"]["P"])
        self.assertIsNone(shared["t0"]["H"])

    def test_a_grid_slot_too_few(self):
        found = self.both(platform(more={"queues.resident-grids": 1}))
        self.assertTrue(all(value is None for value in found["t0"].values()))

    def both_in_one(self, *operations):
        return self.bounds(LEFT + RIGHT + streams("left", "right") + '<event id="e"/>' + task("t0", 40000, *operations))

    def test_a_task_in_two(self):
        """Its kernels each by its partition's SMs: 12 blocks of half an SM or so on 4, 9 on 3."""
        found = self.both_in_one(kernel("k0", "s0"), '<record id="r" stream="s0" event="e"/>', '<wait id="w" stream="s1" event="e"/>', kernel("k1", "s1", 9, 400))
        self.assertIsNotNone(found["t0"]["P"])
        alone = self.bounds(LEFT + RIGHT + streams("left", "right") + "".join(self.TASKS))
        self.assertGreaterEqual(found["t0"]["P"], alone["t0"]["P"] + alone["t1"]["P"])

    def test_turns(self):
        body = LEFT + RIGHT + streams("left", "right") + '<application id="b"><stream id="other" kind="non-blocking"/></application>'
        found = self.bounds(body + "".join(self.TASKS) + task("t2", 90000, kernel("k2", "other")))
        self.assertIsNotNone(found["t0"]["P"])
        self.assertIn("A-PARTITION", re.search(r'<task id="t0".*?>', self.text, re.S).group(0))


class Refused(Case):
    def test_beside_the_primary_context(self):
        for work in (kernel("k1", "s1", 9, 400), '<memset id="m" stream="s1" wcet="100ns"/>'):
            found = self.bounds(LEFT + streams("left", "") + task("t0", 40000, kernel("k0", "s0")) + task("t1", 40000, work), status=4)
            self.assertTrue(all(value is None for values in found.values() for value in values.values()))
            self.assertIn("beside-partitions", self.text)
        copy = task("t1", 40000, '<copy id="c" stream="s1" direction="h2d" wcet="500ns"/>')
        self.assertIsNotNone(self.bounds(LEFT + streams("left", "") + task("t0", 40000, kernel("k0", "s0")) + copy)["t0"]["P"])

    def test_beside_another_process(self):
        """What runs out behind a slice is a block's time beside its own partition's kernels: where slices end at blocks the process that waits for it needs
        A-PARTITION, too."""
        body = (LEFT + RIGHT + streams("left", "right") + '<application id="b"><stream id="t" kind="non-blocking"/></application>' +
                task("l", 100000, kernel("kl", "s0")) + task("r", 100000, kernel("kr", "s1")) + task("t", 100000, kernel("kt", "t", 2)))
        slowed = "".join(f'<factor victim="any" from="{part}" value="{3 if part == "sm" else 1}" source="t"/>' for part in ("sm", "tpc", "gpc", "out"))
        for preemption, bounded in (("block", False), ("instruction", True)):
            for granted in (ORDER, ORDER[:-1]):
                model = platform(granted, slowed).replace('preemption="block"', f'preemption="{preemption}"')
                found = self.bounds(body, model)
                self.assertEqual(any(found["t"].values()), bounded or granted == ORDER, (preemption, granted, found["t"]))
                self.assertEqual(any(found["l"].values()), granted == ORDER)

    def test_without_the_assumption(self):
        found = self.bounds(LEFT + streams("left") + task("t0", 40000, kernel("k0", "s0")), platform(ORDER[:-1]), status=4)
        self.assertTrue(all(value is None for value in found["t0"].values()))


class Sizes(Case):
    """[SIZES]"""
    ENTRIES = ((2, 500), (3, 400), (6, 200), (8, 150))

    def grid(self, *entries, more=""):
        times = "".join(f'<at sms="{sms}" wcet="{wcet}ns"/>' for sms, wcet in entries or self.ENTRIES)
        return f'<kernel id="k0" stream="s0" scope="grid" {more}>{times}</kernel>'

    def wcet(self, partition, work, model=None):
        """By which the analysis goes, and whether there is any bound."""
        found = self.bounds(partition + streams("left" if partition else "") + task("t0", 40000, work), model)
        return int(re.search(r'id="k0"[^>]* wcet="(\d+)"', self.text).group(1)), any(found["t0"].values())

    def test_exactly_this_size(self):
        self.assertEqual(self.wcet('<partition id="left" kind="green" size="3"/>', self.grid()), (400, True))
        self.assertEqual(self.wcet('<partition id="left" kind="green" sms="1 7"/>', self.grid()), (500, True))
        self.assertEqual(self.wcet("", self.grid()), (150, True))  # all of the chip

    def test_as_if_it_were_given(self):
        """Bounds are those of the same kernel with that WCET."""
        body = LEFT + streams("left", "left")
        second = task("t1", 50000, kernel("k1", "s1"))
        by_size = self.bounds(body + task("t0", 40000, self.grid((4, 300), (3, 9000))) + second)
        given = self.bounds(body + task("t0", 40000, '<kernel id="k0" stream="s0" scope="grid" wcet="300ns"/>') + second)
        self.assertEqual(by_size, given)

    def test_fewer_only_where_somebody_vouches(self):
        five = '<partition id="left" kind="green" size="5"/>'
        self.assertEqual(self.wcet(five, self.grid()), (400, False))
        self.assertIn("A-MORE-SMS", self.text)
        self.assertEqual(self.wcet(five, self.grid(), platform(ORDER + ("A-MORE-SMS",))), (400, True))
        self.assertIn("A-MORE-SMS", re.search(r'<task id="t0".*?>', self.text, re.S).group(0))

    def test_what_is_exact_does_not_rest_on_it(self):
        self.wcet('<partition id="left" kind="green" size="3"/>', self.grid(), platform(ORDER + ("A-MORE-SMS",)))
        self.assertNotIn("A-MORE-SMS", re.search(r'<task id="t0".*?>', self.text, re.S).group(0))

    def test_more_never_count(self):
        self.assertEqual(self.wcet('<partition id="left" kind="green" size="4"/>', self.grid((4, 300), (8, 1))), (300, True))

    def test_how_they_lie(self):
        """Two GPCs of four SMs: 2 + 2 and 4 + 0 are not the same four."""
        model = platform().replace("<engines", Neighbours.MAP + "<engines")
        work = '<kernel id="k0" stream="s0" scope="grid"><at sms="4" wcet="900ns"/><at sms="4" gpcs="2 2" wcet="600ns"/><at sms="4" gpcs="4" wcet="700ns"/></kernel>'
        for sms, wcet in (("0 2 4 6", 600), ("0-3", 700), ("4-7", 700), ("0-2 5", 900)):
            self.assertEqual(self.wcet(f'<partition id="left" kind="green" sms="{sms}"/>', work, model), (wcet, True), sms)
        self.assertEqual(self.wcet('<partition id="left" kind="green" size="4"/>', work, model), (900, True))
        self.assertEqual(self.wcet('<partition id="left" kind="green" sms="0-3"/>', work), (900, True))  # no map

    def test_sequences_and_memsets(self):
        body = LEFT + streams("left")
        sequence = '<sequence id="k0" stream="s0" operations="3" linear="true" longest="250ns"><at sms="4" wcet="200ns"/><at sms="2" wcet="300ns"/></sequence>'
        given = '<sequence id="k0" stream="s0" operations="3" linear="true" longest="200ns" wcet="200ns"/>'
        self.assertEqual(self.bounds(body + task("t0", 40000, sequence)), self.bounds(body + task("t0", 40000, given)))
        memset = '<memset id="m" stream="s0"><at sms="4" wcet="200ns"/></memset>'
        self.assertEqual(self.bounds(body + task("t0", 40000, memset)), self.bounds(body + task("t0", 40000, '<memset id="m" stream="s0" wcet="200ns"/>')))


class Neighbours(Case):
    """Factors of the same SM fall away between partitions; those of a TPC by the sets."""
    FACTORS = "".join(f'<factor victim="any" from="{source}" value="{value}" source="t"/>' for source, value in
                      (("sm", 7), ("tpc", 5), ("gpc", 3), ("out", 2)))
    MAP = '<sms source="t">' + "".join(f'<gpc id="{g}"><tpc>{4 * g} {4 * g + 1}</tpc><tpc>{4 * g + 2} {4 * g + 3}</tpc></gpc>' for g in (0, 1)) + "</sms>"

    def factor(self, left, right):
        model = platform(factors=self.FACTORS).replace("<engines", self.MAP + "<engines")
        body = f'<partition id="left" kind="green" sms="{left}"/><partition id="right" kind="green" sms="{right}"/>' + streams("left", "right")
        self.bounds(body + task("t0", 400000, kernel("k0", "s0")) + task("t1", 400000, kernel("k1", "s1")), model)
        return int(re.search(r'id="k0"[^>]* inflated="(\d+)"', self.text).group(1)) // 300

    def test_by_the_sets(self):
        self.assertEqual(self.factor("0-3", "4-7"), 2)      # GPCs apart
        self.assertEqual(self.factor("0 1 4 5", "2 3 6 7"), 3)  # TPCs apart
        self.assertEqual(self.factor("0 2 4 6", "1 3 5 7"), 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
