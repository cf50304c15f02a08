"""Work under one lock of the whole GPU: what a unit waits for, what it costs, and what has no bound.

usage: locks.py GPUBOUND SOURCE_ROOT
"""
import hashlib
import pathlib
import re
import sys
import unittest

from boundaries import PROGRAM, Case, platform  # what both need of a made-up platform
from forged import mended

FED = ["A-RUNLIST", "A-CE"]
ONE = '<application id="a"><stream id="s0" priority="0"/><stream id="s1" priority="1"/><stream id="s2" priority="2"/></application>{0}'
TWO = ('<application id="a"><stream id="s0" priority="0"/></application>'
       '<application id="b"><stream id="s1" priority="0"/><stream id="s2" priority="0"/></application>{0}')
LOCK = '<lock id="gpu" protocol="{0}"/>'


def unit(name, stream, wcet, priority=None, hold="10us", lock="gpu"):
    given = "" if priority is None else f' priority="{priority}"'
    return (f'<locked lock="{lock}" hold="{hold}"{given}><sequence id="{name}" stream="s{stream}" operations="9" wcet="{wcet}us" bcet="{wcet}us"/>'
            "</locked>")


def task(name, period, *units, jitter="0us"):
    return f'<task id="{name}" period="{period}us" jitter="{jitter}">{"".join(units)}</task>'


def three(protocol):
    priorities = (0, 1, 2) if protocol == "priority" else (None,) * 3
    return LOCK.format(protocol) + "".join(task(f"t{i}", period, unit(f"k{i}", i, wcet, priorities[i]))
                                           for i, (period, wcet) in enumerate(((1200, 90), (2000, 290), (4000, 590))))


class Locks(Case):
    def of(self, body, name, granted=FED, frame=ONE, **parameters):
        return self.bounds(platform(granted, "instruction", **parameters), frame.format(body), name)

    def test_by_priority(self):
        """t0: the longest of the others; t1: t2 and t0; t2: both others, of which t0 does not come again before it begins at 400 us."""
        expected = {"t0": 600 + 100, "t1": 600 + 100 + 300, "t2": 100 + 300 + 600}
        for name, response in expected.items():
            self.assertEqual(self.of(three("priority"), name), {"LOCK": response * 1000}, name)

    def test_in_order_of_requests(self):
        for name in ("t0", "t1", "t2"):
            self.assertEqual(self.of(three("fifo"), name), {"LOCK": 1000000}, name)

    def test_between_processes_each_hand_over_is_a_switch(self):
        for name in ("t0", "t1", "t2"):
            self.assertEqual(self.of(three("fifo"), name, frame=TWO), {"LOCK": 1003000}, name)
        self.assertEqual(self.of(three("fifo"), "t0", granted=["A-CE"], frame=TWO), {})

    def test_levels(self):
        """Where contexts have levels the runlist that skips who has no work is A-INTERLEAVE's, of which A-RUNLIST says nothing."""
        frame, levels = TWO.replace('id="a"', 'id="a" interleave="high"'), ["A-INTERLEAVE", "A-CE"]
        self.assertEqual(self.of(three("fifo"), "t0", frame=frame), {})
        self.assertEqual(self.of(three("fifo"), "t0", granted=levels, frame=frame), {"LOCK": 1003000})
        report = self.analyze(platform(levels, "instruction"), frame.format(three("fifo")))
        self.assertNotIn("A-RUNLIST", re.search('<task id="t0"[^>]*>', report).group())
        self.refused_without("A-INTERLEAVE", report)

    def test_stops_come_outermost(self):
        """A stop of 10 us every 500 us: three in 1,030 us. What may be a gang has no bound, as a stop may be of a part of the chip."""
        self.assertEqual(self.of(three("fifo"), "t0", granted=FED + ["A-WC"], stops_length="10us", stops_distance="500us"), {})
        plain = three("fifo").replace("<sequence", '<sequence plain="true"')
        self.assertEqual(self.of(plain, "t0", granted=FED + ["A-WC"], stops_length="10us", stops_distance="500us"), {"LOCK": 1030000})

    def test_each_unit_is_a_task_with_the_jitter_before(self):
        """Each of own's units may find low's there, and one of own's others that asked before."""
        body = LOCK.format("priority") + task("own", 1000, unit("k0", 0, 90, 0), unit("k1", 0, 40, 0)) + task("low", 1000, unit("k2", 1, 40, 1))
        # first: B 50 + first 100 + second of the same instant 50; second: 50 + 50 + 100
        self.assertEqual(self.of(body, "own"), {"LOCK": 400000})

    def test_its_own_backlog_is_met(self):
        """A high task of 80 us every 100 us: what own's first unit did to it is there when its second one asks."""
        body = (LOCK.format("fifo") + task("own", 1000, unit("k0", 0, 290), unit("k1", 0, 9, hold="1us"))
                + task("high", 400, unit("k2", 1, 70)))
        report = self.of(body, "own")
        self.assertGreaterEqual(report["LOCK"], 300000 + 80000 + 10000 + 80000)

    def test_what_the_lock_does_not_keep_apart(self):
        outside = task("free", 4000, '<copy id="c" stream="s2" direction="h2d" wcet="10us"/>')
        other = '<lock id="other" protocol="fifo"/>'
        for body, name in ((three("fifo") + outside, "t0"), (LOCK.format("fifo") + other + task("t0", 4000, unit("k", 0, 10))
                                                              + task("t1", 4000, unit("l", 1, 10, lock="other")), "t0")):
            self.assertEqual(self.of(body, name), {})

    def test_nobody_is_beside_the_holder(self):
        """No factor for kernels of other streams, nor a lower level to drain; the driver need not keep any order."""
        bare = platform(FED, "instruction").replace('from="all"', 'from="d2h"')
        self.assertEqual(self.bounds(bare, ONE.format(three("priority")), "t0"), {"LOCK": 700000})

    def test_it_rests_on_the_lock(self):
        self.refused_without("A-LOCK", self.analyze(platform(FED), ONE.format(three("fifo"))))

    def test_too_much(self):
        body = LOCK.format("priority") + task("t0", 1000, unit("k", 0, 90, 0)) + task("t1", 1000, unit("l", 1, 890, 1))
        self.assertEqual(self.of(body, "t0"), {"LOCK": 1000000})
        self.assertEqual(self.of(body, "t1"), {})

    def test_a_thread_that_is_late(self):
        """t0 may last 11 ns longer than its period: neither it has a bound, nor who counts how often it asks. t2 is above it, and blocked once."""
        def of(jitter, host=""):
            return (LOCK.format("priority") + task("t0", 1000, unit("k", 0, 90, 1), host, jitter=jitter) + task("t1", 3000, unit("l", 1, 790, 1))
                    + task("t2", 6000, unit("m", 2, 90, 0)))
        self.assertEqual(self.of(of("0us"), "t0"), {"LOCK": 1000000})
        for late in (of("1ns"), of("0us", '<host id="h" bcet="0ns" wcet="1ns"/>')):
            for name, expected in (("t0", {}), ("t1", {}), ("t2", {"LOCK": 900000})):
                self.assertEqual(self.of(late, name), expected, name)
        self.assertIn("a job of task:t0 may last until the next one is released", self.analyze(platform(FED, "instruction"), ONE.format(of("1ns"))))

    def test_claims_of_a_thread_that_is_late(self):
        """A report of jobs that do not overlap, with a task set in which they may."""
        body = LOCK.format("priority") + task("t0", 1000, unit("k", 0, 90, 0)) + task("t1", 3000, unit("l", 1, 890, 1))
        report, taskset = self.analyze(platform(FED, "instruction"), ONE.format(body)), pathlib.Path(self.folder.name) / "s.xml"
        shorter = taskset.read_bytes().replace(b'period="1000us"', b'period="999.9us"')
        forged = report.replace(hashlib.sha256(taskset.read_bytes()).hexdigest(), hashlib.sha256(shorter).hexdigest())
        forged = forged.replace(f'bytes="{len(taskset.read_bytes())}"', f'bytes="{len(shorter)}"')
        taskset.write_bytes(shorter)
        (taskset.parent / "s.report").write_text(mended(forged))
        verified = PROGRAM.run(["verify", "-v", "s.report"], cwd=taskset.parent, text=True)
        self.assertEqual(verified.returncode, 1, verified.stderr)
        self.assertIn("its response", verified.stderr)


class Streams(Case):
    """A unit with work on two streams, t0's, beside one that is on a third alone."""
    GRANTED = [*FED, "A-HOL", "A-PRIO", "A-WC"]
    FACTORS = "".join(f'<factor victim="{victim}" from="{of}" value="{value}" source="t"/>' for victim, of, value in (
        ("any", "h2d", 2), ("transfer", "ee", 3), *(("any", ring, 1) for ring in ("sm", "tpc", "gpc", "out"))))
    COPY = '<copy id="c" stream="s1" direction="h2d" wcet="20us"/>'
    KERNEL = '<kernel id="{0}" stream="s{1}" scope="grid" grid="{3}" block="1024" registers="32" wcet="{2}us"/>'

    def set_of(self, inner, granted=GRANTED, runlist="own", **parameters):
        text = platform(granted, "instruction", **parameters).replace('<factor victim="any" from="all" value="1" source="t"/>', self.FACTORS)
        text = text.replace('copy-runlist="own"', f'copy-runlist="{runlist}"')
        body = LOCK.format("fifo") + task("t0", 1000, f'<locked lock="gpu" hold="10us">{inner}</locked>') + task("t1", 2000, unit("k1", 2, 290))
        return text, ONE.format(body)

    def of(self, inner, name="t0", **more):
        return self.bounds(*self.set_of(inner, **more), name)

    def refused(self, words, inner, **more):
        self.assertEqual(self.of(inner, **more), {})
        self.assertIn(words, self.analyze(*self.set_of(inner, **more)))

    def test_copies_and_kernels_slow_each_other(self):
        """90 us beside a copy take twice as long, 20 us beside a kernel three times: the kernel and 3 / 2 of the copy, or 4 / 3 of the kernel and the
        copy, whichever is less. The other unit, alone, is not slowed."""
        both = self.KERNEL.format("k", 0, 90, 2) + self.COPY
        self.assertEqual(self.of(both), {"LOCK": (10 + 90 + 30 + 300) * 1000})
        self.assertEqual(self.of(both, "t1"), {"LOCK": (10 + 90 + 30 + 300) * 1000})
        self.assertEqual(self.of(both.replace("s1", "s0")), {"LOCK": (10 + 90 + 20 + 300) * 1000})
        more = both.replace('90us', '30us').replace('20us', '90us')
        self.assertEqual(self.of(more), {"LOCK": (10 + 40 + 90 + 300) * 1000})
        text, body = self.set_of(both)
        body = body.replace('<task id="t1"', task("t2", 4000, f'<locked lock="gpu" hold="10us">{more}</locked>').replace('id="k"', 'id="l"')
                            .replace('id="c"', 'id="d"') + '<task id="t1"')
        self.assertEqual(self.bounds(text, body, "t0"), {"LOCK": (10 + 90 + 30 + 10 + 40 + 90 + 300) * 1000})

    def test_kernels_of_two_levels(self):
        """The upper one may wait for a block of the lower one, 40 us; more blocks than there are slots in the worst case take longer."""
        two = self.KERNEL.format("k", 0, 90, 2) + self.KERNEL.format("l", 1, 40, 2)
        self.assertEqual(self.of(two), {"LOCK": (10 + 90 + 40 + 40 + 300) * 1000})
        mixed = self.of(two.replace('grid="2"', 'grid="4"'))["LOCK"]
        self.assertGreater(mixed, (10 + 90 + 40 + 40 + 300) * 1000)
        for needed in ("A-HOL", "A-PRIO", "A-WC"):
            self.assertEqual(self.of(two, granted=[id for id in self.GRANTED if id != needed]), {}, needed)
        self.assertEqual(self.of(two, **{"queues.resident-grids": 1}), {})
        self.assertEqual(self.of(two.replace("s1", "s0"), granted=FED), {"LOCK": (10 + 90 + 40 + 300) * 1000})

    def test_events_of_the_unit(self):
        """The copy waits for the kernel: o_dep of record and wait besides. Events of others are waited for outside."""
        text, body = self.set_of(self.KERNEL.format("k", 0, 90, 2) + '<record id="r" stream="s0" event="e"/><wait id="w" stream="s1" event="e"/>'
                                 + self.COPY, **{"overhead.dependency": "1us"})
        body = body.replace("<lock ", '<event id="e"/><lock ')
        self.assertEqual(self.bounds(text, body, "t0"), {"LOCK": (10 + 90 + 30 + 4 + 301) * 1000})
        later = body.replace('<locked lock="gpu" hold="10us"><kernel', '<record id="v" stream="s0" event="f"/><locked lock="gpu" hold="10us"><kernel')
        later = later.replace('<event id="e"/>', '<event id="e"/><event id="f"/>').replace('<wait id="w" stream="s1" event="e"/>', '<wait id="w" stream="s1" event="f"/>')
        self.assertIn("lock-wait", self.run_on(text, later).stderr)

    def test_what_has_no_bound(self):
        """A span beside kernels; a branch that a copy may hold up alone; kernels and copies that take turns."""
        span = '<sequence id="k" stream="s0" operations="9" plain="true" wcet="90us"/>'
        self.assertEqual(self.of(span + self.COPY), {"LOCK": (10 + 90 + 30 + 300) * 1000})
        self.assertEqual(self.of(span.replace("plain", "linear") + self.COPY), {})
        self.refused("all of them on one stream, a unit of its own, or its kernels listed one by one", span + self.KERNEL.format("l", 1, 40, 2))
        branched = '<sequence id="k" stream="s0" operations="9" branches="2" wcet="90us"/>'
        self.FACTORS = self.FACTORS.replace('from="h2d" value="2"', 'from="h2d" value="1"')
        self.assertEqual(self.of(branched + self.COPY), {"LOCK": (10 + 90 + 20 + 300) * 1000})
        self.refused("more hardware queues than streams and branches", branched + self.COPY, **{"queues.hardware": 2})
        turns = 'kernels and copies may take turns beside declared stops, priorities or levels of contexts, or other locks'
        for runlist in ("shared", "unknown"):
            stopped = {"runlist": runlist, "stops.length": "1us", "stops.distance": "1s"}
            self.refused(turns, self.KERNEL.format("k", 0, 90, 2) + self.COPY, **stopped)
            self.assertNotEqual(self.of(span + self.COPY.replace("s1", "s0"), runlist=runlist), {}, runlist)

    def test_kernels_and_copies_that_take_turns(self):
        """Slices of 50 and 25 us, switches of 2. The kernel of 90 takes 180 beside the copy: three slices end, and one turn as it is complete. The copy takes
        60: two and one. On one stream each has one turn. Where slices end at blocks the longest one of the
        process, 290 us, is counted behind each turn of kernels, here one of 200 us."""
        sliced = {"runlist.timeslice": "50us", "runlist.copy-timeslice": "25us", "runlist.switch": "2us"}
        both = self.KERNEL.format("k", 0, 90, 2) + self.COPY
        for runlist in ("shared", "unknown"):
            for name in ("t0", "t1"):
                self.assertEqual(self.of(both, name, runlist=runlist, **sliced), {"LOCK": (10 + 180 + 60 + 4 * 2 + 3 * 2 + 302) * 1000})
            self.assertEqual(self.of(both.replace("s1", "s0"), runlist=runlist, **sliced), {"LOCK": (10 + 90 + 20 + 2 * 2 + 302) * 1000})
        text, body = self.set_of(both, runlist="shared", **{**sliced, "runlist.timeslice": "200us"})
        text, body = text.replace('preemption="instruction"', 'preemption="block"'), body.replace('<sequence id="k1"', '<sequence id="k1" plain="true"')
        self.assertEqual(self.bounds(text, body, "t0"), {"LOCK": (10 + 180 + 60 + (2 + 290) + 3 * 2 + 302) * 1000})
        granted = [assumption for assumption in self.GRANTED if assumption != "A-RUNLIST"]
        self.assertEqual(self.of(both, granted=granted, runlist="shared", **sliced), {})


PARTS = ('<partition id="p" kind="green" sms="0 1"/><partition id="q" kind="green" sms="2 3"/><application id="a">'
         '<stream id="s0" kind="non-blocking" priority="0" partition="p"/><stream id="s1" kind="non-blocking" priority="0" partition="p"/>'
         '<stream id="s2" kind="non-blocking" priority="0" partition="q"/></application>{0}')


class Partitions(Case):
    """A lock for each partition: p's has t0 and t1, q's t2."""

    def of(self, body, name, granted=("A-WC", "A-PARTITION", "A-HOL", "A-PRIO"), **parameters):
        factors = "".join(f'<factor victim="transfer" from="{of}" value="1" source="t"/>' for of in ("ee", "h2d"))
        return self.bounds(platform([*FED, *granted], "instruction", factors, **{"sm.count": 4, **parameters}), PARTS.format(body), name)

    def two(self, of_q="q-lock", *copies):
        def held(i, period, wcet, lock, copy=""):
            work = f'<sequence id="k{i}" stream="s{i}" operations="9" linear="true" wcet="{wcet}us" bcet="{wcet}us"/>{copy}'
            return f'<task id="t{i}" period="{period}us"><locked lock="{lock}" hold="10us">{work}</locked></task>'
        copies = {**dict.fromkeys(range(3), ""), **{i: f'<copy id="c{i}" stream="s{i}" direction="h2d" wcet="{us}us" bcet="1us"/>' for i, us in copies}}
        locks = '<lock id="p-lock" protocol="fifo"/><lock id="q-lock" protocol="fifo"/>'
        return locks + held(0, 1000, 90, "p-lock", copies[0]) + held(1, 2000, 290, "p-lock", copies[1]) + held(2, 4000, 590, of_q, copies[2])

    def test_each_waits_for_its_own(self):
        for name, response in (("t0", 400), ("t1", 400), ("t2", 600)):
            self.assertEqual(self.of(self.two(), name), {"LOCK": response * 1000}, name)
        for name in ("t0", "t1", "t2"):
            self.assertEqual(self.of(self.two("p-lock"), name), {"LOCK": 1000000}, name)

    def test_copies_meet_those_under_other_locks(self):
        """t2's copy of 50 us may be there once; t0's of 20 us twice in 690 us, as one that was released up to 470 us before may be there."""
        self.assertEqual(self.of(self.two("q-lock", (0, 20)), "t2"), {"LOCK": 600000})
        found = {name: self.of(self.two("q-lock", (0, 20), (2, 50)), name)["LOCK"] // 1000 for name in ("t0", "t1", "t2")}
        self.assertEqual(found, {"t0": 470, "t1": 470, "t2": 690})

    def test_what_has_no_bound(self):
        self.assertEqual(self.of(self.two(), "t0", granted=("A-WC", "A-HOL", "A-PRIO")), {})
        mixed = self.two().replace('<locked lock="p-lock" hold="10us"><sequence id="k1"', '<locked lock="q-lock" hold="10us"><sequence id="k1"')
        self.assertEqual(self.of(mixed, "t0"), {})
        self.assertEqual(self.of(self.two(), "t0", **{"queues.hardware": 3}), {})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
