"""What a bound may not rest on: what is known to be broken, queues that a chip has not, a tick that is rounded, a measurement with too
little beside, a makespan of what was taken apart.

usage: boundaries.py GPUBOUND SOURCE_ROOT
"""
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import served
from forged import mended

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PROGRAM = served.Program(GPUBOUND)
PARAMETERS = {"sm.count": 2, "sm.warps": 64, "sm.blocks": 32, "sm.subpartitions": 4, "sm.registers": 65536, "sm.shared": "65536B",
              "register.unit": 256, "shared.unit": "256B", "block.threads": 1024, "queues.hardware": 32, "queues.resident-grids": 32,
              "queues.priorities": 3, "copy.engines": 1, "overhead.launch": "0ns", "overhead.block": "0ns", "overhead.dependency": "0ns",
              "overhead.copy": "0ns", "runlist.timeslice": "5us", "runlist.copy-timeslice": "5us", "runlist.switch": "1us"}
BOUND = re.compile(r'<bound name="([^"]+)"(?: value="(\d+)")?')


def platform(assumptions, preemption="block", factors="", **more):
    lines = "".join(f'<parameter name="{name.replace("_", ".")}" value="{value}" source="t"/>' for name, value in {**PARAMETERS, **more}.items())
    granted = "".join(f'<assumption id="{name}" status="assumed" source="t">As tested.</assumption>' for name in assumptions)
    return f'''<platform xmlns="urn:gpubound:platform:1" id="p" name="p" architecture="made up" compute-capability="7.0" integrated="false">
<sources><source id="t" kind="data">made up</source></sources><parameters>{lines}</parameters>
<engines source="t" copy-runlist="own" preemption="{preemption}" concurrent-kernels="yes" per-sm-carveout="yes">
<direction name="h2d" engine="0"/><direction name="d2h" engine="0"/></engines>
<assumptions>{granted}</assumptions><interference composition="maximum">
<factor victim="any" from="all" value="1" source="t"/>{factors}</interference></platform>'''


def taskset(body):
    return f'''<taskset xmlns="urn:gpubound:taskset:1" id="s" platform="./p.xml" origin="t"><title>s</title>
<origins><origin id="t" kind="declared" source="made up" by="the tests"/></origins>{body}</taskset>'''


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_on(self, platform_text, body, *words):
        folder = pathlib.Path(self.folder.name)
        (folder / "p.xml").write_text(platform_text)
        (folder / "s.xml").write_text(taskset(body))
        return PROGRAM.run(["analyze", "-q", "--format=xml", *words, "s.xml"], cwd=folder, text=True)

    def analyze(self, platform_text, body):
        """The report, after another program's part of this one has found nothing wrong with it."""
        result = self.run_on(platform_text, body)
        path = pathlib.Path(self.folder.name) / "s.report"
        path.write_text(result.stdout)
        verified = PROGRAM.run(["verify", "-v", path.name], cwd=self.folder.name, text=True)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        return result.stdout

    def refused_without(self, assumption, report):
        """The verifier knows by itself that a result rests on it."""
        path = pathlib.Path(self.folder.name) / "forged.report"
        path.write_text(mended(re.sub(rf'(assumptions="[^"]*?) {assumption}(?=[ "])', r"\1", report)))
        self.assertNotEqual(path.read_text(), report)
        verified = PROGRAM.run(["verify", "-v", "--without-prose", path.name], cwd=self.folder.name, text=True)
        self.assertEqual(verified.returncode, 1, verified.stdout + verified.stderr)
        self.assertIn(assumption, verified.stderr + verified.stdout)

    def bounds(self, platform_text, body, task):
        report = self.analyze(platform_text, body)
        part = re.search(rf'<task id="{task}".*?</task>', report, flags=re.S).group()
        return {name: int(value) for name, value in BOUND.findall(part) if value}


ORDER = ["A-CE", "A-RUNLIST"]


class MakespanInPieces(Case):
    """A kernel of which only the makespan is known, alone in its stream: what is left of it after the end of a slice at a block's boundary,
    or after a stop of a part of the chip, takes no longer only where the dispatcher conserves work."""
    GRID = '<kernel id="{0}" stream="{1}" scope="grid" wcet="100us"{2}/>'
    TWO = ('<application id="a"><stream id="s0"/></application><application id="b"><stream id="s1"/></application>'
           '<task id="t0" period="10ms">{0}</task><task id="t1" period="10ms"><kernel id="o" stream="s1" scope="grid" wcet="1us" grid="1" '
           'block="32" registers="16"/></task>')
    ONE = '<application id="a"><stream id="s0"/></application><task id="t0" period="10ms">{0}</task>'
    STOPS = {"stops_length": "1us", "stops_distance": "100us"}
    CASES = [  # bodies, preemption, parameters, blocks known, P without A-WC
        (TWO, "block", {}, "", False),
        (TWO, "unknown", {}, "", False),
        (TWO, "instruction", {}, "", True),
        (TWO, "block", {}, ' grid="1" block="32" registers="16"', True),
        (TWO, "block", {}, ' grid="2" block="32" registers="16"', False),
        (ONE, "block", {}, "", True),
        (ONE, "instruction", STOPS, "", False),
        (ONE, "instruction", STOPS, ' grid="1" block="32" registers="16"', True),
    ]

    def test(self):
        for body, preemption, parameters, blocks, expected in self.CASES:
            body = body.format(self.GRID.format("k", "s0", blocks))
            with self.subTest(preemption=preemption, blocks=blocks, parameters=parameters, two="t1" in body):
                without = self.bounds(platform(ORDER, preemption, **parameters), body, "t0")
                granted = self.bounds(platform(ORDER + ["A-WC"], preemption, **parameters), body, "t0")
                for name in ("P", "H", "CHAIN"):
                    self.assertEqual(name in without, expected, name)
                    self.assertIn(name, granted)


class MakespanSlowed(Case):
    """The same kernel in one piece, beside copies that slow some of its blocks more than others: nor was it measured like that."""
    BODY = ('<application id="a"><stream id="s0"/><stream id="s1"/></application><task id="t0" period="10ms">'
            '<kernel id="k" stream="s0" scope="grid" wcet="100us"{0}/></task>'
            '<task id="t1" period="10ms"><copy id="c" stream="s1" direction="h2d" bytes="4096B" wcet="10us"/></task>')

    def test(self):
        for factor, blocks, expected in ((2, "", False), (1, "", True), (2, ' grid="1" block="32" registers="16"', True),
                                         (2, ' grid="2" block="32" registers="16"', False)):
            for assumptions, known in ((ORDER, expected), (ORDER + ["A-WC"], True)):
                with self.subTest(factor=factor, blocks=blocks, assumptions=assumptions):
                    text = platform(assumptions).replace('from="all" value="1"', f'from="h2d" value="{factor}"').replace(
                        "</interference>", '<factor victim="transfer" from="ee" value="1" source="t"/></interference>')
                    bounds = self.bounds(text, self.BODY.format(blocks), "t0")
                    for name in ("P", "H", "CHAIN"):
                        self.assertEqual(name in bounds, known, name)


class JointMeasurement(Case):
    """A copy is beside all SMs; a block is on one of them."""
    BODY = ('<application id="a"><stream id="s0"/><stream id="s1"/></application>'
            '<task id="t0" period="10ms"><copy id="c" stream="s0" direction="h2d" bytes="4096B" wcet="10us"/></task>'
            '<task id="t1" period="10ms"><kernel id="k" stream="s1" scope="block" grid="2" block="1024" registers="32" wcet="10us"/></task>')

    def test_copy(self):
        for count, expected in (("1", 30000), ("2", 10000), (None, 10000)):
            said = f' count="{count}"' if count else ""
            factors = f'<factor victim="transfer" from="all"{said} value="1" source="t"/><factor victim="transfer" from="ee" value="3" source="t"/>'
            with self.subTest(count=count):
                self.assertEqual(self.bounds(platform(ORDER + ["A-HOL", "A-WC"], factors=factors), self.BODY, "t0")["H"], expected)


class AloneInAJointTable(unittest.TestCase):
    """One source of interference alone, where factors are of everything at once: its own factor holds, and nothing is composed."""

    def test_answer(self):
        folder = pathlib.Path(__file__).resolve().parent / "attacks"
        with tempfile.TemporaryDirectory() as name:
            report = os.path.join(name, "report.xml")
            result = PROGRAM.run(["analyze", "-q", "-o", report, os.path.join(folder, "alone-in-joint-table.xml")], text=True)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("no factor covers interference from all on transfer", result.stdout.replace("\n          ", " "))
            verified = PROGRAM.run(["verify", report], text=True)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)


class Broken(Case):
    """What all bounds need carries none once it is known to be broken; what a bound has instead of the order of kernels, neither."""
    BODY = ('<application id="a"><stream id="s0"/><stream id="s1"/></application>'
            '<task id="t0" period="1ms"><kernel id="k" stream="s0" scope="block" grid="2" block="64" registers="32" wcet="10us"/></task>'
            '<task id="t1" period="1ms"><kernel id="o" stream="s1" scope="block" grid="2" block="64" registers="32" wcet="10us"/></task>')

    def broken(self, name, granted):
        said = f'<assumptions><assumption id="{name}" status="broken" source="t">As tested.</assumption>'
        return platform(granted).replace("<assumptions>", said)

    def test(self):
        for granted in (ORDER, ORDER + ["A-HOL", "A-WC"]):
            self.assertIn("VOL-P", self.bounds(platform(granted), self.BODY, "t0"))
            for name in ("A-WCET", "A-ONE", "A-CLOCK", "A-HOST", "A-ISO"):
                with self.subTest(name=name, granted=granted):
                    self.assertEqual(self.bounds(self.broken(name, granted), self.BODY, "t0"), {})
                    self.assertEqual(self.run_on(self.broken(name, granted), self.BODY).returncode, 4)
        self.assertEqual(self.bounds(self.broken("A-WC(g)", ORDER), self.BODY, "t0"), {})
        self.assertNotIn("VOL-C", self.bounds(self.broken("A-WC(g)", ORDER + ["A-HOL", "A-WC"]), self.BODY, "t0"))

    def test_host(self):
        """Host segments before the GPU's work, behind it, and alone."""
        kernel = '<kernel id="k" stream="s0" scope="block" grid="2" block="64" registers="32" wcet="10us"/>'
        for work in ('<host id="h" wcet="10us"/>', kernel + '<host id="h" wcet="10us"/>', '<host id="h" wcet="10us"/>' + kernel):
            body = f'<application id="a"><stream id="s0"/></application><task id="t0" period="1ms">{work}</task>' + self.BODY.partition("</application>")[2].replace(
                "s1", "s0").partition("</task>")[2]
            with self.subTest(work=work):
                self.assertIn("H", self.bounds(platform(ORDER + ["A-HOL", "A-WC"]), body, "t0"))
                self.assertEqual(self.bounds(self.broken("A-HOST-WCRT", ORDER + ["A-HOL", "A-WC"]), body, "t0"), {})

    def test_jitter_of_a_host_alone(self):
        """TT counts from the nominal release what is on the GPU: of a task without any it knows nothing of the jitter."""
        body = '<task id="t0" period="1ms" jitter="100us"><host id="h" wcet="10us"/></task>'
        report = self.analyze(platform(ORDER), body)
        self.assertRegex(report, '<task id="t0"[^>]* response="110000"')

    def test_as_a_condition(self):
        result = self.run_on(self.broken("A-ISO", ORDER), self.BODY, "--assume", "A-ISO")
        self.assertEqual(result.returncode, 7)
        self.assertRegex(result.stdout, '<assumption id="A-ISO" status="conditional" used="true"')


class OneQueue(Case):
    """Up to compute capability 3.0 all streams share one hardware queue: t1 waits until t0's second kernel has begun, 20us in all."""
    BODY = ('<application id="a"><stream id="s0"/><stream id="s1"/></application>'
            '<task id="t0" period="1ms"><kernel id="k" stream="s0" scope="block" grid="1" block="64" registers="16" wcet="10us"/>'
            '<kernel id="l" stream="s0" scope="block" grid="1" block="64" registers="16" wcet="10us"/></task>'
            '<task id="t1" period="1ms"><kernel id="o" stream="s1" scope="block" grid="1" block="64" registers="16" wcet="10us"/></task>')

    def test(self):
        small = {"sm.blocks": 8, "sm.warps": 48, "sm.registers": 32768, "sm.shared": "49152B", "sm.subpartitions": 2}
        for version, queues, status in (("2.0", 1, 0), ("2.0", 2, 3), ("3.0", 32, 3), ("3.5", 32, 0)):
            with self.subTest(version=version, queues=queues):
                text = platform(ORDER + ["A-HOL", "A-WC"], **{"queues.hardware": queues}, **small)
                text = text.replace('compute-capability="7.0"', f'compute-capability="{version}"')
                result = self.run_on(text, self.BODY)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertEqual("capability-exceeded" in result.stderr, status == 3)
        self.assertIn("H", self.bounds(platform(ORDER + ["A-HOL", "A-WC"], **small), self.BODY, "t1"))
        one = platform(ORDER + ["A-HOL", "A-WC"], **{"queues.hardware": 1}, **small).replace("7.0", "2.0")
        self.assertNotIn("H", self.bounds(one, self.BODY, "t1"))


class ByAmounts(Case):
    """Sub-partitions hold eight warps of 200 registers, a whole SM ten: where amounts decide as many blocks may be beside another one."""
    BODY = ('<application id="a"><stream id="s0"/><stream id="s1"/></application><task id="t0" period="10ms">'
            '<kernel id="k" stream="s0" scope="block" grid="1" block="32" registers="16" wcet="100us"/></task><task id="t1" period="10ms">'
            '<kernel id="n" stream="s1" scope="block" grid="64" block="32" registers="200" wcet="1us"/></task>')

    def test_curve(self):
        """With --assume only the whole SM's registers decide, after the task set was read; nor is a report believed that says otherwise."""
        body = ('<application id="a"><stream id="s0"/></application><task id="t0" period="10ms"><kernel id="k" stream="s0" scope="block" '
                'grid="64" block="32" registers="200">{0}</kernel></task>')
        short, long = (body.format("".join(f'<resident blocks="{n}" wcet="10us"/>' for n in points)) for points in ((8,), (8, 10)))
        self.assertEqual(self.run_on(platform(ORDER), short).returncode, 0)
        refused = self.run_on(platform(ORDER), short, "--assume", "A-FRAG")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("an SM of p may hold 10", refused.stderr)
        report = self.run_on(platform(ORDER), long, "--assume", "A-FRAG").stdout
        one, other = taskset(long), taskset(short)
        forged = mended(report.replace(hashlib.sha256(one.encode()).hexdigest(), hashlib.sha256(other.encode()).hexdigest()).replace(
            f'bytes="{len(one)}"', f'bytes="{len(other)}"'))
        for text, status in ((report, 0), (forged, 1)):
            folder = pathlib.Path(self.folder.name)
            (folder / "s.xml").write_text(one if status == 0 else other)
            verified = PROGRAM.run(["verify", "-"], cwd=folder, input=text, text=True)
            self.assertEqual(verified.returncode, status, verified.stderr)
        self.assertIn("k: expected no bound, as an SM may hold 10", verified.stderr)

    def test_beside(self):
        factors = "".join(f'<factor victim="any" from="sm" count="{count}" value="{value}" source="t"/>' for count, value in ((8, 1), (10, 2))) + "".join(
            f'<factor victim="any" from="{ring}" value="1" source="t"/>' for ring in ("tpc", "gpc", "out"))
        for granted, factor in (([], 1), (["A-FRAG"], 2)):
            with self.subTest(granted=granted):
                text = platform(ORDER + ["A-HOL", "A-WC"] + granted, factors=factors).replace('<factor victim="any" from="all" value="1" source="t"/>', "")
                report = self.analyze(text, self.BODY)
                self.assertIn(f'factor="{factor}"', re.search(r'<task id="t0".*?</task>', report, flags=re.S).group() +
                              "".join(re.findall(r'<operation [^>]*id="k"[^>]*>', report)))


class AsManyQueues(OneQueue):
    """With as many streams as queues two may share one: only fewer streams have a queue each for sure."""

    def test(self):
        for queues, expected in ((1, False), (2, False), (3, True)):
            with self.subTest(queues=queues):
                found = self.bounds(platform(ORDER + ["A-HOL", "A-WC"], **{"queues.hardware": queues}), self.BODY, "t1")
                self.assertEqual("H" in found, expected)
                self.assertEqual(found["VOL-P"] >= 20000, True)


class Synchronous(Case):
    """The thread that calls waits for the copy: what it issues next comes a copy later. Where nothing comes next, nothing is later."""
    GRANTED = ORDER + ["A-HOL", "A-WC", "A-HOST-WCRT"]
    COPY, CLEAR = '<copy id="c" stream="{0}" direction="h2d" wcet="100ns"{1}/>', '<memset id="c" stream="{0}" wcet="100ns"{1}/>'
    KERNEL = '<kernel id="k" stream="s2" scope="block" wcet="100ns" grid="1" block="32" registers="16"/>'
    BODY = ('<application id="a"><stream id="s1"/><stream id="s2"/></application><task id="t1" period="10us" deadline="150ns">{0}</task>'
            '<task id="t2" period="10us"><copy id="o" stream="s1" direction="d2h" wcet="7ns"/></task>')

    def engines(self, memset):
        factor = '<factor victim="transfer" from="all" value="1" source="t"/>'
        return platform(self.GRANTED, factors=factor).replace("</engines>", f'<direction name="memset" engine="{memset}"/></engines>')

    def test_join(self):
        """All bounds, for a copy and for a memset on either engine, and the machine says the same."""
        for transfer, memset in ((self.COPY, 0), (self.CLEAR, 0), (self.CLEAR, "compute")):
            for call, least in (("", 100), (' call="asynchronous"', 100), (' call="synchronous"', 200)):
                with self.subTest(transfer=transfer, memset=memset, call=call):
                    text, body = self.engines(memset), self.BODY.format(transfer.format("s1", call) + self.KERNEL)
                    found = self.bounds(text, body, "t1")
                    self.assertGreaterEqual(min(found.values()), least)
                    self.assertIn("CHAIN", found)
                    seen = PROGRAM.run(["simulate", "--jobs=1", "s.xml"], cwd=self.folder.name, text=True)
                    self.assertEqual(re.search(r"t1 +1 +20\d ns", seen.stdout) is not None, "=\"syn" in call, seen.stdout + seen.stderr)

    def test_rests_on_the_thread(self):
        """That the call returns at once is the thread's part, A-HOST-WCRT; not where nothing is behind the call."""
        for before, behind, rests in ((self.COPY.format("s1", ' call="synchronous"'), self.KERNEL, True),
                                      (self.KERNEL, self.COPY.format("s2", ' call="synchronous"'), False)):
            report = self.analyze(self.engines(0), self.BODY.format(before + behind))
            task = re.search(r'<task id="t1".*?</task>', report, flags=re.S).group()
            self.assertEqual("A-HOST-WCRT" in task, rests, task)
            if rests:
                self.refused_without("A-HOST-WCRT", report)

    def test_beside(self):
        """A call that returns while what was issued before it may still run is no join: refused, with what to do."""
        event, host = '<event id="e"/>', '<host id="h" wcet="1ns"/>'
        record, wait = '<record id="r" stream="s2" event="e"/>', '<wait id="w" stream="s1" event="e"/>'
        call, more = self.COPY.format("s1", ' call="synchronous"'), self.KERNEL.replace('"k"', '"m"')
        for operations, status in ((self.KERNEL + call + more, 3), (self.KERNEL + call, 0), (self.KERNEL + call + host + more, 3),
                                   (self.KERNEL + call + host, 0), (self.KERNEL + self.COPY.format("s1", "") + host + more, 0),
                                   (self.KERNEL + host + call + more, 0), (self.KERNEL + record + wait + call + more, 0),
                                   (record + self.KERNEL + wait + call + more, 3), (self.KERNEL + self.COPY.format("s2", ' call="synchronous"') + more, 0)):
            with self.subTest(operations=operations):
                body = self.BODY.format(operations).replace("<task", ("" if wait not in operations else event) + "<task", 1).replace('deadline="150ns"', "")
                done = self.run_on(self.engines(0), body)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual("[synchronous-call-beside]" in done.stderr, status == 3, done.stderr)

    def test_null_stream(self):
        """A copy on the NULL stream waits for blocking streams, not for others: there it is no join."""
        for kind, status in (("blocking", 0), ("non-blocking", 3)):
            body = self.BODY.replace('id="s1"', 'id="s1" kind="null"').replace('id="s2"', f'id="s2" kind="{kind}"').replace(' deadline="150ns"', "")
            body = body.format(self.KERNEL + self.COPY.format("s1", ' call="synchronous"') + self.KERNEL.replace('"k"', '"m"'))
            self.assertEqual(self.run_on(self.engines(0), body).returncode, status, kind)
        self.assertEqual(self.bounds(self.engines(0), body.replace("non-blocking", "blocking"), "t1")["P"] >= 300, True)


class Graph(Case):
    """A graph that is a sequence on one stream is its nodes one behind the other; another one is refused (tests/reject)."""
    NODES = ('<copy id="c" stream="s1" direction="h2d" wcet="100ns"/>', '<kernel id="k" stream="s1" scope="block" wcet="100ns" grid="1" block="32" registers="16"/>',
             '<memset id="m" stream="s1" wcet="50ns"/>')
    BODY = ('<application id="a"><stream id="s1"/><stream id="s2"/></application><task id="t1" period="10us">{0}</task><task id="t2" period="10us">'
            '<kernel id="o" stream="{1}" scope="block" wcet="70ns" grid="1" block="32" registers="16"/></task>')

    def test(self):
        text = platform(Synchronous.GRANTED, factors='<factor victim="transfer" from="all" value="1" source="t"/>')
        text = text.replace("</engines>", '<direction name="memset" engine="0"/></engines>')
        copy, kernel, memset = self.NODES
        for graph in (f"<graph>{copy}{kernel}{memset}</graph>", f"{copy}<graph id=\"g\">{kernel}{memset}</graph>",
                      f"<graph>{copy}<graph>{kernel}</graph>{memset}</graph>", f"<graph>{copy}</graph><graph>{kernel}{memset}</graph>"):
            for stream in ("s1", "s2"):
                for task in ("t1", "t2"):
                    with self.subTest(graph=graph, stream=stream, task=task):
                        as_graph = self.bounds(text, self.BODY.format(graph, stream), task)
                        self.assertGreater(len(as_graph), 3)
                        self.assertEqual(as_graph, self.bounds(text, self.BODY.format("".join(self.NODES), stream), task))

    def test_runs(self):
        """Runs of kernels in a graph, by their spans, and the copies between them: each copy waits for the other tasks' at its engine."""
        text = platform(Synchronous.GRANTED, factors='<factor victim="transfer" from="all" value="1" source="t"/>')
        runs = [f'<sequence id="{name}" stream="s1" operations="{count}" linear="true" launch="single" wcet="100ns"/>' for name, count in (("r", 3), ("q", 2))]
        listed = runs[0] + self.NODES[0] + runs[1]
        body = self.BODY.format("{0}", "s2").replace('<kernel id="o" stream="s2" scope="block" wcet="70ns" grid="1" block="32" registers="16"/>',
                                                     '<copy id="o" stream="s2" direction="h2d" wcet="70ns"/>')
        bounds = self.bounds(text, body.format(f"<graph>{listed}</graph>"), "t1")
        self.assertEqual(bounds, self.bounds(text, body.format(listed), "t1"))
        self.assertEqual(bounds["CHAIN"], 100 + 70 + 100 + 100)
        done = self.run_on(text, body.format(f"<graph>{listed}</graph>".replace('launch="single"', 'launch="graph"')))
        self.assertIn("[unsupported-graph-node]", done.stderr)


class IdleStreams(Case):
    """A stream without work may have a hardware queue, where queues are given out as streams are created: two others then share one."""
    BODY = ('<application id="a"><stream id="s1"/>{0}<stream id="s2"/></application><task id="t1" period="10us">{1}</task>'
            '<task id="t2" period="10us" deadline="150ns">{2}</task>')
    KERNEL = '<kernel id="{0}" stream="{1}" wcet="100ns" scope="block" grid="1" block="32" registers="8"/>'
    IDLE = "".join(f'<stream id="i{i}"/>' for i in range(7))
    GRANTED = ORDER + ["A-HOL", "A-PRIO", "A-WC"]

    def test(self):
        for idle, more, applies, rests in (("", [], True, False), (self.IDLE, [], False, False), (self.IDLE, ["A-QUEUE"], True, True),
                                           ("", ["A-QUEUE"], True, False), (self.IDLE[:self.IDLE.index('<stream id="i5"')], ["A-QUEUE"], True, False)):
            with self.subTest(idle=idle, more=more):
                body = self.BODY.format(idle, self.KERNEL.format("k1", "s1") + self.KERNEL.format("k1b", "s1"), self.KERNEL.format("k2", "s2"))
                text = platform(self.GRANTED + more, **{"queues.hardware": 8})
                report = self.analyze(text, body)
                task = re.search(r'<task id="t2".*?</task>', report, flags=re.S).group()
                found = {name: int(value) for name, value in BOUND.findall(task) if value}
                self.assertEqual("H" in found, applies)
                granted = " ".join(re.findall(r'assumptions="([^"]*)"', task)).split()
                self.assertEqual("A-QUEUE" in granted, rests, task)
                if rests:
                    self.refused_without("A-QUEUE", report)
                self.assertEqual("queue-aliasing" in report, not applies)
                if not applies:
                    self.assertGreaterEqual(min(found.values()), 300)
                    self.assertIn("A-QUEUE", task)

    def test_graphs(self):
        """Nobody says whether a graph takes a queue besides its stream's: it counts as one more, whoever grants A-QUEUE."""
        nodes = self.KERNEL.format("k1", "s1") + self.KERNEL.format("k1b", "s1")
        for queues, first, applies in ((3, nodes, True), (3, f'<graph id="g">{nodes}</graph>', False), (4, f'<graph id="g">{nodes}</graph>', True)):
            with self.subTest(queues=queues, first=first):
                body = self.BODY.format("", first, self.KERNEL.format("k2", "s2"))
                found = self.bounds(platform(self.GRANTED + ["A-QUEUE"], **{"queues.hardware": queues}), body, "t2")
                self.assertEqual("H" in found, applies, found)

    def test_merged(self):
        """The contexts' streams count together where they are one."""
        apps = '<application id="a"><stream id="s1"/></application><application id="b"><stream id="s2"/>{0}</application>'
        for idle, applies in (("", True), (self.IDLE, False)):
            body = (apps.format(idle) + f'<task id="t1" period="10us">{self.KERNEL.format("k1", "s1")}</task>'
                    f'<task id="t2" period="10us">{self.KERNEL.format("k2", "s2")}</task>')
            text = platform(self.GRANTED + ["A-MPS-ORDER"], **{"queues.hardware": 8})
            folder = pathlib.Path(self.folder.name)
            (folder / "p.xml").write_text(text)
            (folder / "s.xml").write_text(taskset(body).replace('origin="t">', 'origin="t" mps="merged">', 1))
            found = PROGRAM.run(["analyze", "-q", "--format=xml", "s.xml"], cwd=folder, text=True).stdout
            part = re.search(r'<task id="t2".*?</task>', found, flags=re.S).group()
            self.assertEqual("H" in dict((name, value) for name, value in BOUND.findall(part) if value), applies)


class LeastValue(Case):
    """What an assumption leaves open a parameter has to cover: where the model says how much, less is refused, however it is relied on."""
    BODY = ('{0}<declare name="overhead.copy" value="{1}" source="t" by="the tests"/><application id="a"><stream id="s1"/></application>'
            '<task id="t1" period="10us"><copy id="c" stream="s1" direction="h2d" wcet="100ns"/></task>')
    LEAST = '<least assumption="A-CE" name="overhead.copy" value="{0}" source="t"/></assumptions>'
    SAID = '<assume id="A-CE" source="t" by="the tests"/>'

    def test(self):
        for status in ("assumed", "broken"):
            for said, words in (("", ()), (self.SAID, ()), ("", ("--assume=A-CE",))):
                for least, value, enough in (("7.5us", "7499ns", False), ("7.5us", "7500ns", True), ("7499.5ns", "7499ns", False), ("1us", "1us", True)):
                    with self.subTest(status=status, said=said, words=words, least=least, value=value):
                        text = platform(["A-RUNLIST"]).replace("</assumptions>", f'<assumption id="A-CE" status="{status}" source="t">So.</assumption>'
                                                              + self.LEAST.format(least))
                        text = re.sub('<parameter name="overhead.copy"[^>]*>', "", text)
                        done = self.run_on(text, self.BODY.format(said, value), *words)
                        refused = not enough and (status == "assumed" or said != "" or words != ())
                        self.assertEqual(done.returncode == 3, refused, done.stderr)
                        self.assertEqual("s.xml:2: error: overhead.copy is 7499ns; expected at least 7500ns, which A-CE" in done.stderr, refused, done.stderr)

    def test_always(self):
        """Without an assumption: whatever is relied on."""
        for value, status in (("7499ns", 3), ("7500ns", 0)):
            text = re.sub('<parameter name="overhead.copy"[^>]*>', "", platform(["A-RUNLIST"]))
            text = text.replace("</assumptions>", self.LEAST.format("7.5us").replace('assumption="A-CE" ', ""))
            self.assertEqual(self.run_on(text, self.BODY.format("", value)).returncode, status)

    def test_of_the_model(self):
        """The model's own number, and none at all: without one there is no bound either."""
        for parameter, status in (({"overhead.copy": "7us"}, 3), ({"overhead.copy": "8us"}, 0)):
            text = platform(ORDER, factors='<factor victim="transfer" from="all" value="1" source="t"/>', **parameter)
            text = text.replace("</assumptions>", self.LEAST.format("7.5us"))
            body = re.sub("<declare.*?/>", "", self.BODY.format("", ""))
            self.assertEqual(self.run_on(text, body).returncode, status)
            none = re.sub('<parameter name="overhead.copy"[^>]*>', "", text)
            self.assertEqual(self.run_on(none, body).returncode, 4)

    def test_h200(self):
        """The engine of an H200 stood idle for up to 7.5 us between two copies of a stream while another copy waited."""
        body = ('<declare name="engine.h2d" value="0" source="t" by="me"/><declare name="copy-runlist" value="own" source="t" by="me"/>'
                '<declare name="overhead.dependency" value="1us" source="t" by="me"/><interference from="all" victim="transfer" value="1" source="t" by="me"/>')
        for value, words, status in (("0ns", ("--assume=A-CE",), 3), ("7.5us", ("--assume=A-CE",), 0), ("7499ns", (), 3), ("7.5us", (), 0)):
            done = self.run_on(platform([]), body + self.BODY.format("", value), "--platform=h200", *words)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual("[parameter-below-assumption]" in done.stderr, status == 3)


class Pageable(Case):
    """A CPU stages a copy of pageable memory, in pieces: A-HOST, on which every bound rests, says that there is none."""
    BODY = ('{0}<application id="a"><stream id="s0"/></application><task id="t0" period="10ms">'
            '<copy id="c" stream="s0" direction="h2d" bytes="4096B" wcet="10us"{1}/></task>')
    SAID = '<assume id="A-HOST" source="t" by="the tests"/>'

    def test(self):
        text = platform(ORDER)
        for said, memory, status in (("", "", "assumed"), ("", "pinned", "assumed"), ("", "pageable", "broken"), (self.SAID, "", "assumed"),
                                     (self.SAID, "pageable", "conditional")):
            with self.subTest(said=said, memory=memory):
                body = self.BODY.format(said, f' memory="{memory}"' if memory else "")
                self.assertEqual(self.bounds(text, body, "t0") == {}, status == "broken")
                self.assertIn(f'<assumption id="A-HOST" status="{status}"', self.run_on(text, body).stdout)
        self.assertEqual(self.run_on(text, body.replace(self.SAID, "")).returncode, 4)
        self.assertEqual(self.run_on(text, body.replace(self.SAID, ""), "--assume=A-HOST").returncode, 7)


class Rounded(Case):
    ONE = ('<application id="a"><stream id="s0"/></application>'
           '<task id="t0" period="100us"><kernel id="k" stream="s0" scope="grid" wcet="10us"/></task>')

    def test_tick(self):
        """The lower block began a tick before at the latest, and bursts come within a tick: neither more nor less is safe."""
        for tick, status in (("2ns", 0), ("1.5ns", 3)):
            self.assertEqual(self.run_on(platform(ORDER, time_tick=tick), self.ONE).returncode, status, tick)


class LateBlocks(Case):
    """Where a model lets blocks begin late, by a dispatcher that leaves room unused or beside blocks that are there, no bound leaves that out,
    those by volumes neither; nor where nobody says in which order they come."""
    KERNEL = '<task id="t{0}" period="10ms"><kernel id="k{0}" stream="s{0}" scope="block" wcet="5us" grid="{1}" block="512" registers="32"/></task>'
    ONE = '<application id="a"><stream id="s0"/></application>' + KERNEL.format(0, 1)
    TWO = '<application id="a"><stream id="s0"/><stream id="s1"/></application>' + KERNEL.format(0, 1) + KERNEL.format(1, 1)
    LATE = {"dispatch.delay": "1us", "dispatch.stall": "16us"}

    def gpubound(self, *words):
        return subprocess.run([GPUBOUND, *map(str, words)], env={"GPUBOUND_DATA": str(ROOT)}, capture_output=True, text=True, timeout=60)

    def test_attacks(self):
        for name in ("delay-one-kernel", "stall-h200", "stall-volp"):
            with self.subTest(name):
                path = ROOT / "tests/attacks/bounds" / f"{name}.xml"
                report = self.gpubound("analyze", "-q", "--format=xml", path).stdout
                kept = pathlib.Path(self.folder.name) / f"{name}.report"
                kept.write_text(report)
                verified = self.gpubound("verify", kept)
                self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
                runs = self.gpubound("simulate", "--runs=300", "--delay=1200ns", "--stall=16600ns", path).stdout
                for task in re.findall(r'<task id="([^"]+)"', path.read_text()):
                    part = re.search(rf'<task id="{task}".*?</task>', report, flags=re.S).group()
                    found = {bound: int(value) for bound, value in BOUND.findall(part) if value}
                    seen = round(float(re.search(rf"^{task} +\d+ +([0-9.]+) us", runs, flags=re.M).group(1)) * 1000)
                    self.assertIn("VOL-P", found)
                    for bound, value in found.items():
                        self.assertGreaterEqual(value, seen, (task, bound))

    def test_order_unknown(self):
        for granted, late, one, two in (([], {}, 5, 5), ([], self.LATE, 6, 22), (["A-ORDER"], self.LATE, 6, 22),
                                        (["A-HOL", "A-PRIO", "A-WC"], self.LATE, 5, 5), (["A-HOL", "A-WC"], {}, 5, 5)):
            with self.subTest(granted=granted, late=late):
                text = platform(ORDER + granted, **late)
                self.assertGreaterEqual(self.bounds(text, self.ONE, "t0")["VOL-P"], one * 1000)
                for bound, value in self.bounds(text, self.TWO, "t0").items():
                    self.assertGreaterEqual(value, two * 1000, bound)
                if one == 5:
                    self.assertEqual(self.bounds(text, self.ONE, "t0")["VOL-P"], 5000)

    def test_declared(self):
        """Who declares in a task set that blocks begin late is not contradicted by a model that grants all that denies it."""
        granted = platform(ORDER + ["A-HOL", "A-PRIO", "A-WC"])
        said = "".join(f'<declare name="{name}" value="{value}" source="t" by="the tests"/>' for name, value in self.LATE.items())
        for body, least in ((self.ONE, 6000), (self.TWO, 22000)):
            found = self.bounds(granted, said + body, "t0")
            self.assertIn("VOL-P", found)
            for bound, value in found.items():
                self.assertGreaterEqual(value, least, bound)
            self.assertNotIn("TT", found)
        self.assertEqual(self.bounds(granted, self.ONE, "t0")["VOL-P"], 5000)

    def test_half_stated(self):
        """Who says that room is left unused has to say how late a first instruction may be, where one may."""
        text = platform(ORDER, **{"dispatch.delay": "1us"})
        self.assertNotIn("VOL-P", self.bounds(text, self.TWO, "t0"))
        self.assertEqual(self.bounds(text, self.ONE, "t0")["VOL-P"], 7000)


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()
