"""Clients of an MPS server are one context: a drawn task set has, in each bound, the numbers of the same streams in one application; but for what each client
has of its own, its NULL stream. What is refused.

usage: servers.py GPUBOUND SOURCE_ROOT [SETS]
"""
import random
import re
import sys
import unittest

from boundaries import BOUND, Case, platform

SETS = int(sys.argv[3]) if len(sys.argv) > 3 else 25
GRANTED = ["A-HOL", "A-PRIO", "A-WC", "A-FRAG", "A-CE", "A-RUNLIST", "A-INTERLEAVE", "A-PREEMPT", "A-MPS-ORDER"]
BLOCKS = '<kernel id="{0}" stream="{1}" scope="block" grid="{2}" block="{3}" registers="32" bcet="1us" wcet="{4}us"/>'
WHOLE = '<kernel id="{0}" stream="{1}" scope="grid" bcet="1us" wcet="{4}us"/>'
COPY = '<copy id="{0}" stream="{1}" direction="h2d" memory="pinned" bcet="1us" wcet="{4}us"/>'


class Drawn:
    """Two to five applications, of which two or more are clients of one server."""

    def __init__(self, draw):
        self.count = draw.randint(2, 5)
        self.clients = set(draw.sample(range(self.count), draw.randint(2, self.count)))
        self.streams = [(f"s{a}{s}", draw.randint(0, 2)) for a in range(self.count) for s in range(draw.randint(1, 2))]
        how = draw.choice(("slices", "levels", "priorities"))
        said = {"slices": lambda a: f' timeslice="{draw.randint(1, 9)}us"', "levels": lambda a: f' interleave="{draw.choice(("low", "medium", "high"))}"',
                "priorities": lambda a: f' priority="{a}"'}[how]
        self.said = [said(a) for a in range(self.count)]
        self.tasks = "".join(
            f'<task id="t{name}" period="{draw.randint(300, 900)}us">' +
            "".join(draw.choice((BLOCKS, BLOCKS, WHOLE, COPY)).format(f"{name}{i}", name, draw.randint(1, 6), draw.choice((64, 256, 1024)), draw.randint(2, 20))
                    for i in range(draw.randint(1, 3))) + "</task>"
            for name, _ in self.streams)
        factors = '<factor victim="transfer" from="all" value="5/4" source="t"/>'
        self.platform = platform(GRANTED, draw.choice(("block", "instruction")), factors=factors, **{"overhead.block": "20ns"})
        self.platform = self.platform.replace('victim="any" from="all" value="1"', f'victim="any" from="all" value="{draw.choice(("1", "1.5"))}"')

    def applications(self, served):
        """served: as clients; else all of them in the place of the first."""
        first = min(self.clients)
        text = ""
        for a in range(self.count):
            client = a in self.clients
            if client and a != first and not served:
                continue
            of = [f'<stream id="{name}" kind="non-blocking" priority="{level}"/>' for name, level in self.streams
                  if int(name[1]) == a or (a == first and not served and int(name[1]) in self.clients)]
            text += (f'<application id="a{a}"' + (' mps-server="m"' if served and client else "") + (self.said[a] if not client or a == first else "") + ">" +
                     "".join(of) + "</application>")
        return text


def numbers(report):
    return {task: BOUND.findall(text) for task, text in re.findall(r'<task id="(t[^"]+)"(.*?)</task>', report, flags=re.S)}


class Clients(Case):
    def test_one_context(self):
        bounded = 0
        for seed in range(SETS):
            drawn = Drawn(random.Random(seed))
            served = self.analyze(drawn.platform, drawn.applications(True) + drawn.tasks)
            joined = self.analyze(drawn.platform, drawn.applications(False) + drawn.tasks)
            self.assertEqual(numbers(served), numbers(joined), f"seed {seed}")
            self.assertIn('id="A-MPS"', served)
            self.assertNotIn('id="A-MPS"', joined)
            bounded += any(value for found in numbers(served).values() for _, value in found)
        self.assertGreater(bounded, SETS // 2)

    def test_rests_on(self):
        drawn = Drawn(random.Random(1))
        report = self.analyze(drawn.platform, drawn.applications(True) + drawn.tasks)
        self.assertRegex(report, r'assumptions="[^"]* A-MPS')
        self.refused_without("A-MPS", report)

    def test_order(self):
        """Kernels of two clients that may meet have bounds only where somebody vouches for their order; the context beside them has where slices end at
        instructions, as else their blocks run out behind a slice; and under a lock nobody meets."""
        clients = ('<application id="a" mps-server="m"><stream id="s" kind="non-blocking"/></application><application id="b" mps-server="m"><stream id="r" kind="non-blocking"/></application>'
                   '<application id="c"><stream id="q" kind="non-blocking"/></application>')
        tasks = "".join(f'<task id="t{name}" period="1ms">{{0}}{BLOCKS.format(f"k{name}", name, 1, 64, 10)}{{1}}</task>' for name in "srq")
        free = clients + tasks.format("", "")
        for granted, bounded in ((GRANTED, True), (GRANTED[:-1], False)):
            for preemption in ("block", "instruction", "unknown"):
                for task, expected in (("ts", bounded), ("tr", bounded), ("tq", bounded or preemption == "instruction")):
                    self.assertEqual(bool(self.bounds(platform(granted, preemption), free, task)), expected, (task, bounded, preemption))
        self.refused_without("A-MPS-ORDER", self.analyze(platform(GRANTED), free))
        locked = clients + '<lock id="l" protocol="fifo"/>' + tasks.format('<locked lock="l" hold="5us">', "</locked>")
        self.assertTrue(self.bounds(platform(GRANTED[:-1]), locked, "ts"))

    def test_null_streams(self):
        """Three clients have three NULL streams: three streams with work need more than five queues where streams without any may take one."""
        body = "".join(f'<application id="a{a}" mps-server="m"><stream id="s{a}" kind="non-blocking"/></application>' for a in range(3))
        body += "".join(f'<task id="t{a}" period="1ms">{BLOCKS.format(f"k{a}", f"s{a}", 1, 64, 10)}</task>' for a in range(3))
        for queues, bounded in ((5, False), (6, True)):
            found = self.bounds(platform(GRANTED, **{"queues.hardware": queues}), body, "t0")
            self.assertEqual("H" in found, bounded, (queues, found))

    def test_events(self):
        """Between clients of one server as between streams of a process; not to another process."""
        body = ('<application id="a"{0}><stream id="s" kind="non-blocking"/></application><application id="b"{0}><stream id="r" kind="non-blocking"/></application>'
                '<event id="e"/><task id="t" period="1ms">' + BLOCKS.format("k", "s", 1, 64, 10) + '<record id="x" event="e" stream="s"/></task>'
                '<task id="u" period="1ms"><wait id="w" event="e" stream="r"/>' + BLOCKS.format("l", "r", 1, 64, 10) + "</task>")
        self.assertTrue(self.bounds(platform(GRANTED), body.format(' mps-server="m"'), "u"))
        self.assertIn("[event-across-applications]", self.run_on(platform(GRANTED), body.format("")).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
