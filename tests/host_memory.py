"""Kernels with data in host memory ([HOST-MEMORY]): where they have bounds, what those rest on, and what is asked for where they have none.

usage: host_memory.py GPUBOUND SOURCE_ROOT
"""
import re
import sys
import unittest
from unittest import mock

import boundaries
from boundaries import BOUND, Case, platform, taskset

ORIGIN = '<origin id="t" kind="declared" source="made up" by="the tests"/>'
GRANTED = ["A-HOL", "A-PRIO", "A-WC", "A-HOST-MEMORY"]
APPLICATION = '<application id="a"><stream id="s0"/></application>'
KERNEL = '<kernel id="k" stream="s0" scope="grid" wcet="100us" memory="{0}" origin="{1}"{2}/>'
MANAGED = {"managed.launch": "20us", "managed.synchronise": "30us", "overhead.launch": "20us"}


def board(granted=GRANTED, cpu=2, integrated="true", **more):
    """A platform whose memory CPU cores and other masters share; cpu: how much they slow a kernel, None: nobody knows."""
    known = [("other", 1)] + ([("cpu", cpu)] if cpu is not None else [])
    factors = "".join(f'<factor victim="any" from="{source}" value="{value}" source="t"/>' for source, value in known)
    return platform(granted, **more).replace('integrated="false"', f'integrated="{integrated}"').replace(
        '<factor victim="any" from="all" value="1" source="t"/>', factors)


def with_origins(body):
    """A task set in which an origin says of each memory that times were measured with it."""
    more = "".join(f'<origin id="{memory}" kind="declared" source="made up" by="the tests" memory="{memory}"/>' for memory in ("zero-copy", "managed"))
    return taskset(body).replace(ORIGIN, ORIGIN + more)


class HostMemory(Case):
    def setUp(self):
        super().setUp()
        patched = mock.patch.object(boundaries, "taskset", with_origins)
        patched.start()
        self.addCleanup(patched.stop)

    def body(self, memory, origin=None, behind="", more="", others=""):
        kernel = KERNEL.format(memory, origin or memory, more)
        return f'{APPLICATION}<task id="t0" period="10ms">{kernel}{behind}{others}</task>'

    def refused(self, platform_text, body, code, *words):
        result = self.run_on(platform_text, body)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        for word in (f"[unsupported-{code}]", *words):
            self.assertIn(word, result.stderr)

    def test_zero_copy(self):
        report = self.analyze(board(), self.body("zero-copy"))
        self.assertEqual(min(int(value) for _, value in BOUND.findall(report) if value), 200000)
        self.refused_without("A-HOST-MEMORY", report)
        rests = re.findall(r'assumptions="[^"]*A-HOST-MEMORY', self.analyze(board(), self.body("device", "t")))
        self.assertEqual(rests, [])

    def test_not_granted(self):
        report = self.analyze(board(GRANTED[:-1]), self.body("zero-copy"))
        self.assertFalse([value for _, value in BOUND.findall(report) if value])
        self.assertIn("A-HOST-MEMORY is not granted", report)

    def test_no_factor_of_the_cpu(self):
        result = self.run_on(board(cpu=None), self.body("zero-copy"))
        self.assertFalse([value for _, value in BOUND.findall(result.stdout) if value])
        self.assertIn('add &lt;interference from="cpu" victim="any"', result.stdout)

    def test_refused(self):
        for memory in ("zero-copy", "managed"):
            more, behind = (MANAGED, '<host id="w" wcet="30us"/>') if memory == "managed" else ({}, "")
            with self.subTest("a GPU with memory of its own", memory=memory):
                self.refused(board(integrated="false", **more), self.body(memory, behind=behind), memory + "-memory" * (memory == "managed"), "integrated")
            with self.subTest("measured with device memory", memory=memory):
                self.refused(board(**more), self.body(memory, "t", behind), memory + "-memory" * (memory == "managed"), f'memory="{memory}"')
            with self.subTest("device memory, measured with another one", memory=memory):
                self.refused(board(**more), self.body("device", memory, behind), memory + "-memory" * (memory == "managed"), 'memory="device"')

    def test_managed(self):
        report = self.analyze(board(**MANAGED), self.body("managed", behind='<host id="w" wcet="30us"/>'))
        self.assertEqual(re.search(r'<task id="t0"[^>]* response="(\d+)"', report).group(1), "250000")
        self.refused_without("A-HOST-MEMORY", report)

    def test_what_coherence_takes(self):
        wait, late = '<host id="w" wcet="30us"/>', '<host id="w" wcet="29us"/>'
        copy = '<copy id="c" stream="s0" direction="h2d" wcet="10us" call="synchronous"/>'
        for name, parameters, behind, word in (
                ("no wait at the end", MANAGED, "", "expected a <host>"), ("the wait is too short", MANAGED, late, "managed.synchronise"),
                ("no number for waits", {**MANAGED, "managed.synchronise": None}, wait, 'name="managed.synchronise"'),
                ("no number for launches", {**MANAGED, "managed.launch": None}, wait, 'name="managed.launch"'),
                ("launches do not contain it", {**MANAGED, "overhead.launch": "19us"}, wait, "overhead.launch"),
                ("a call that waits", MANAGED, copy + KERNEL.format("device", "t", "").replace('id="k"', 'id="l"') + wait, "'c'")):
            with self.subTest(name):
                known = {key: value for key, value in parameters.items() if value is not None}
                self.refused(board(**known), self.body("managed", behind=behind), "managed-memory", word)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
