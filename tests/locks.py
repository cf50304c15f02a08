"""Work under one lock of the whole GPU: what a unit waits for, what it costs, and what has no bound.

usage: locks.py GPUBOUND SOURCE_ROOT
"""
import sys
import unittest

from boundaries import Case, platform  # what both need of a made-up platform

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
                                           for i, (period, wcet) in enumerate(((1000, 90), (2000, 290), (4000, 590))))


class Locks(Case):
    def of(self, body, name, granted=FED, frame=ONE, **parameters):
        return self.bounds(platform(granted, "instruction", **parameters), frame.format(body), name)

    def test_by_priority(self):
        """t0: the longest of the others; t1: t2 and t0; t2: both others, of which t0 comes again before it begins at 1,000 us or not."""
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
        several = LOCK.format("fifo") + task("t", 4000, '<locked lock="gpu" hold="10us"><sequence id="k" stream="s0" operations="9" wcet="1us"/>'
                                             '<sequence id="l" stream="s1" operations="9" wcet="1us"/></locked>')
        for body, name in ((three("fifo") + outside, "t0"), (LOCK.format("fifo") + other + task("t0", 4000, unit("k", 0, 10))
                                                              + task("t1", 4000, unit("l", 1, 10, lock="other")), "t0"), (several, "t")):
            self.assertEqual(self.of(body, name), {})

    def test_nobody_is_beside_the_holder(self):
        """No factor for kernels of other streams, nor a lower level to drain; the driver need not keep any order."""
        bare = platform(FED, "instruction").replace('from="all"', 'from="d2h"')
        self.assertEqual(self.bounds(bare, ONE.format(three("priority")), "t0"), {"LOCK": 700000})

    def test_it_rests_on_the_lock(self):
        self.refused_without("A-LOCK", self.analyze(platform(FED), ONE.format(three("fifo"))))

    def test_too_much(self):
        body = LOCK.format("priority") + task("t0", 1000, unit("k", 0, 90, 0)) + task("t1", 1000, unit("l", 1, 990, 1))
        self.assertEqual(self.of(body, "t0"), {"LOCK": 1100000})
        self.assertEqual(self.of(body, "t1"), {})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
