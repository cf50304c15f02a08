"""Threads on cores: numbers by hand, reports that claim too little, and a small machine written from the words of A-CORE, A-SUBMIT and
doc/theory/cores.md alone, tick by tick.

- no run of a drawn set exceeds a bound; reports are verified; some bound is met; jobs that suspend themselves come closer than their period
- jitter of 0 in place of R - E is exceeded by a run, and so are a spinning thread counted as one that suspends, a core without blocking, and equal
  priorities that do not interfere, and launches that are on the GPU as their segment is over: what each leaves out is found
- a report whose claims are lowered, or that leaves out A-CORE or A-SUBMIT, is refused
- A-HOST is in no report of threads on cores that say when their launches are on the GPU, and in each where somebody else may part or delay these

One SM holds one block, a kernel is one block, overheads are zero, and all kernels are of one context and level.

usage: cores.py GPUBOUND SOURCE_ROOT SERVE [SETS]
(SERVE: gpubound as a server, tests/serve.c)
"""
import pathlib
import random
import re
import sys
import tempfile
import unittest

from forged import mended
from own_segments import PLATFORM, SERVER

SETS = int(sys.argv[4]) if len(sys.argv) > 4 else 60
LENGTH = 600
HEAD = ('<taskset xmlns="urn:gpubound:taskset:1" id="s" platform="./p.xml" origin="t"><title>s</title><origins><origin id="t" kind="declared" '
        'source="made up" by="the tests"/></origins>')


class Item:
    """host or kernel; least and most ticks."""

    def __init__(self, kind, least, most):
        self.kind, self.least, self.most = kind, least, most


class Task:
    """stream: the task whose stream it has; None: one of its own. reservation: runtime, deadline, period of SCHED_DEADLINE, in place of a priority."""

    def __init__(self, period, core, priority, items, spins=False, jitter=0, stream=None, reservation=None):
        self.period, self.core, self.priority, self.items, self.spins, self.jitter = period, core, priority, items, spins, jitter
        self.stream, self.reservation = stream, reservation

    def has_short_segments(self):
        """Of one kernel at most: no other thread can part them."""
        return all("host" in (one.kind, other.kind) for one, other in zip(self.items, self.items[1:]))


class Set:
    """blocking, overrun, unit: of each core. submission: of all cores; None: not said."""

    def __init__(self, blocking, tasks, submission=None, overrun=None, unit=None):
        self.blocking, self.tasks, self.submission, self.overrun = blocking, tasks, submission, overrun or [0] * len(blocking)
        self.unit = unit or [1] * len(blocking)

    def xml(self):
        streams = "".join(f'<stream id="s{t}"/>' for t in range(len(self.tasks)))
        text = HEAD + f'<application id="a">{streams}</application>'
        said = "" if self.submission is None else f' submission="{self.submission}ns"'
        past = [(f' sched-overrun="{overrun}ns"' if overrun else "") + f' sched-unit="{unit}ns"' for overrun, unit in zip(self.overrun, self.unit)]
        text += "".join(f'<core id="c{c}" blocking="{blocking}ns"{said}{past[c]}/>' for c, blocking in enumerate(self.blocking))
        for t, task in enumerate(self.tasks):
            names = "" if task.reservation is None else zip(("runtime", "deadline", "period"), task.reservation)
            rank = " ".join(f'sched-{name}="{value}ns"' for name, value in names) or f'fifo-priority="{task.priority}"'
            text += (f'<task id="t{t}" period="{task.period}ns" jitter="{task.jitter}ns" core="c{task.core}" {rank} '
                     f'waiting="{"spin" if task.spins else "suspend"}">')
            for i, item in enumerate(task.items):
                times = f'bcet="{item.least}ns" wcet="{item.most}ns"'
                if item.kind == "host":
                    text += f'<host id="o{t}_{i}" {times}/>'
                else:
                    text += f'<kernel id="o{t}_{i}" stream="s{t if task.stream is None else task.stream}" {times} scope="block" grid="1" block="128" registers="8" cache="none" access="any"/>'
            text += "</task>"
        return text + "</taskset>"


# ---- the machine


class Job:
    def __init__(self, task, released, draw):
        self.task, self.released, self.at = task, released, 0
        self.left = [draw.choice((item.least, item.most, item.most, draw.randint(item.least, item.most))) for item in task.items]
        self.issued = 0  # kernels up to this place of its items were called
        self.ready = None  # since when its thread is
        self.pending = None  # since when its host segment is next
        self.wakes, self.late = None, 0  # when its thread is woken for that, where it is late; by how much


class Machine:
    """Each tick: releases, what threads become ready for, one tick of each core, one of the GPU."""
    length = LENGTH  # releases are before

    def __init__(self, of, draw, phases=None):
        self.of, self.draw = of, draw
        self.waiting = [[] for _ in of.tasks]  # jobs of each thread; the first is served
        self.releases = []
        for t, task in enumerate(of.tasks):
            phase = draw.choice((0, 0, draw.randint(0, task.period))) if phases is None else phases[t]
            for nominal in range(phase, self.length, task.period):
                self.releases.append((nominal + draw.choice((0, task.jitter, draw.randint(0, task.jitter))), t))
        self.releases.sort()
        self.blocked = [0] * len(of.blocking)  # ticks that nothing may be preempted
        self.executing = [None] * len(of.blocking)  # the job that did in the tick before
        self.streams = [[] for _ in of.tasks]  # of each task's stream in the order of calls: (when it is on the GPU, job, place)
        self.queue, self.block = [], None  # kernels: (job, place); of those that are ready, and the one on the SM
        self.responses = [0] * len(of.tasks)
        self.segments = {}  # (task, place) of each host segment: how long it took at most, until what it issued is on the GPU

    def waits(self, job):
        """For the GPU: it has issued kernels that are not complete."""
        return job.at < job.issued

    def wants(self, job):
        return job is not None and (not self.waits(job) or job.task.spins)

    def begin(self, t, now):
        """What the thread may do now: complete its job, or go on with a host segment."""
        while self.waiting[t]:
            job = self.waiting[t][0]
            if job.released > now or self.waits(job):
                return
            if job.at == len(job.left):
                self.responses[t] = max(self.responses[t], now - job.released)
                self.waiting[t].pop(0)
            elif job.task.items[job.at].kind == "host" and job.left[job.at] > 0:
                job.pending = now if job.pending is None else job.pending
                if job.ready is None:
                    self.pend(job, now)
                return
            elif job.task.items[job.at].kind == "host":
                job.at += 1
                if not job.task.spins:
                    job.ready = None
                there = self.issue(job, now)
                took = 0 if job.pending is None else there - job.pending
                self.segments[t, job.at - 1] = max(took, self.segments.get((t, job.at - 1), 0))
                job.pending = None

    def issue(self, job, now):
        """All kernels up to the next host segment; those of a stream one after the other, each on the GPU up to the submission later: when the last one
        is."""
        job.issued = job.at
        while job.issued < len(job.left) and job.task.items[job.issued].kind == "kernel":
            job.issued += 1
        if job.issued == job.at:
            job.ready = None
        most = self.of.submission or 0
        ways = sorted(self.draw.choice((0, most, self.draw.randint(0, most))) for _ in range(job.at, job.issued)) if most else [0] * (job.issued - job.at)
        stream = self.stream_of(job)
        for place, way in enumerate(ways, job.at):
            stream.append((max([now + way] + [sent[0] for sent in stream]), job, place))
        return stream[-1][0] if ways else now

    def stream_of(self, job):
        number = self.of.tasks.index(job.task)
        return self.streams[number if job.task.stream is None else job.task.stream]

    def arrive(self, now):
        """What is on the GPU now, behind nothing of its stream, is ready."""
        for stream in self.draw.sample(self.streams, len(self.streams)):
            if stream and stream[0][0] <= now and stream[0][1:] not in self.queue and stream[0][1:] != self.block:
                self.queue.append(stream[0][1:])

    def pend(self, job, now):
        """What may not be preempted began just before, if nobody of its priority or a higher one was ready: the work of who was executing, or
        nobody's."""
        job.ready = now
        core = job.task.core
        others = [jobs[0] for jobs in self.waiting if jobs and jobs[0] is not job and jobs[0].task.core == core and jobs[0].ready is not None]
        lower = all(other.task.priority < job.task.priority for other in others)
        if lower and (not others or self.executing[core] in others) and self.blocked[core] == 0:
            self.blocked[core] = self.draw.choice((0, self.of.blocking[core], self.of.blocking[core]))

    def execute(self, core):
        if self.blocked[core] > 0:
            holder = self.executing[core]
            self.progress(holder)
            over = holder is not None and (holder.at == len(holder.left) or holder.left[holder.at] == 0)
            self.blocked[core] = 0 if over else self.blocked[core] - 1  # what is a thread's is no longer than its segment
            return
        ready = [jobs[0] for jobs in self.waiting if jobs and jobs[0].task.core == core and jobs[0].ready is not None and self.wants(jobs[0])]
        self.executing[core] = min(ready, key=lambda job: (-job.task.priority, job.ready), default=None)
        self.progress(self.executing[core])

    def progress(self, job):
        """Of a host segment; a thread that spins makes none."""
        if job is not None and job.ready is not None and not self.waits(job) and job.at < len(job.left):
            job.left[job.at] = max(0, job.left[job.at] - 1)

    def serve(self):
        if self.block is None and self.queue:
            self.block = self.queue.pop(0)
        if self.block is None:
            return
        job, place = self.block
        job.left[place] -= 1
        if job.left[place] > 0:
            return
        self.block = None
        job.at = place + 1
        self.stream_of(job).pop(0)

    def run(self):
        now = 0
        while now < 2 * self.length:
            self.now = now
            while self.releases and self.releases[0][0] <= now:
                released, t = self.releases.pop(0)
                self.waiting[t].append(Job(self.of.tasks[t], released, self.draw))
            for t in self.draw.sample(range(len(self.of.tasks)), len(self.of.tasks)):
                self.begin(t, now)
            self.arrive(now)
            for core in range(len(self.of.blocking)):
                self.execute(core)
            self.serve()
            now = self.after(now)
        return self.responses

    def after(self, now):
        """The tick behind this one in which something may happen."""
        return now + 1


def worst(of, runs, phases):
    """Of each task, over so many runs."""
    seen = [Machine(of, random.Random(run), phases).run() for run in range(runs)]
    return [max(responses) for responses in zip(*seen)]


# ---- the analysis


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "p.xml").write_text(PLATFORM)

    def verify(self, report):
        (self.folder / "s.report").write_text(report)
        return SERVER.run(["verify", "-v", "s.report"], self.folder)

    def report(self, text, *words, status=(0, 1, 4)):
        (self.folder / "s.xml").write_text(text)
        result = SERVER.run(["analyze", "-q", "--format=xml", *words, "s.xml"], self.folder)
        self.assertIn(result.returncode, status, result.stderr)
        return result.stdout if result.returncode != 3 else result.stderr

    def verified(self, of):
        """(report, [task]: its bounds): a report that is verified."""
        report = self.report(of.xml())
        verified = self.verify(report)
        self.assertIn(verified.returncode, (0, 1), verified.stdout + verified.stderr + of.xml())
        self.assertNotIn("expected", verified.stderr, of.xml())
        parts = re.findall(r'<task id="t\d+".*?</task>', report, flags=re.S)
        return report, [[int(value) for value in re.findall(r'<bound name="[^"]+" value="(\d+)"', part)] for part in parts]

    def bounds(self, of):
        return self.verified(of)[1]

    def least(self, of):
        return [min(bounds, default=None) for bounds in self.bounds(of)]


def host(most, least=None):
    return Item("host", most if least is None else least, most)


def kernel(most, least=None):
    return Item("kernel", most if least is None else least, most)


SUSPENDS = Set([0], [Task(100, 0, 2, [host(1), kernel(40, 1), host(10)]), Task(400, 0, 1, [host(52)])])


SUBMITS = Set([0], [Task(100, 0, 2, [host(4), kernel(10), host(3)]), Task(1000, 0, 1, [host(20)])], 5)


class ByHand(Case):
    def test_alone(self):
        self.assertEqual(self.least(Set([0], [Task(100, 0, 1, [host(5), kernel(7), host(3)])])), [15])

    def test_blocking_is_charged_to_each_segment(self):
        self.assertEqual(self.least(Set([2], [Task(100, 0, 1, [host(5), kernel(7), host(3)])])), [19])

    def test_preempted(self):
        """w = 20 + n 4, n jobs of t0 in w every 10, whose response is what it executes: 36 with 4, as 36 > 30."""
        self.assertEqual(self.least(Set([0], [Task(10, 0, 2, [host(4)]), Task(1000, 0, 1, [host(20)])])), [4, 36])

    def test_equals_interfere(self):
        self.assertEqual(self.least(Set([0], [Task(100, 0, 1, [host(4)]), Task(100, 0, 1, [host(20)])])), [24, 24])

    def test_cores_are_apart(self):
        self.assertEqual(self.least(Set([0, 0], [Task(100, 0, 2, [host(4)]), Task(100, 1, 1, [host(20)])])), [4, 20])

    def test_spinning_takes_the_core(self):
        for spins, expected in ((True, 20 + 17), (False, 20 + 7)):
            of = Set([0], [Task(100, 0, 2, [host(4), kernel(10), host(3)], spins), Task(1000, 0, 1, [host(20)])])
            self.assertEqual(self.least(of), [17, expected])

    def test_suspension_is_jitter(self):
        """t0: R = 51, E = 11. w = 52 + n 11, n jobs in w + 40: two, as 63 + 40 > 100, and 74 + 40 < 200. Without jitter: 63."""
        self.assertEqual(self.least(SUSPENDS), [51, 74])

    def test_jobs_that_may_overlap(self):
        """A job of t0 may last 14 beside t1's kernel, its period is 12: nothing is said of it, nor of who it may keep from the core."""
        of = Set([0, 0], [Task(12, 0, 2, [host(2), kernel(4)]), Task(1000, 1, 1, [host(2), kernel(8)]), Task(1000, 0, 1, [host(1)])])
        self.assertEqual(self.least(of), [None, 14, None])
        self.assertIn("may keep its thread from the core, and has no bound", self.report(of.xml()))

    def test_overload(self):
        of = Set([0], [Task(10, 0, 2, [host(6)]), Task(20, 0, 1, [host(9)])])
        self.assertEqual(self.least(of), [6, None])
        self.assertIn("the core may be too busy for o1_0 before the next job is released", self.report(of.xml()))

    def test_each_bound_has_its_reason(self):
        report = self.report(Set([0], [Task(100, 0, 1, [host(1), kernel(150)])]).xml())
        self.assertRegex(report, '<bound name="P" [^>]*reason="the load')
        self.assertRegex(report, '<bound name="LOCK" [^>]*reason="no work is done under a lock')

    def test_equals_that_spin(self):
        """Each has the other's response in its own; the reason says what helps, and it does."""
        def of(priority, spins):
            return Set([0], [Task(100, 0, 1, [host(2), kernel(4)], True), Task(100, 0, priority, [host(2), kernel(4)], spins)])
        self.assertEqual(self.least(of(1, True)), [None, None])
        self.assertIn("task:t0 and task:t1 spin at one priority", self.report(of(1, True).xml()))
        self.assertNotIn(None, self.least(of(2, True)))
        self.assertNotIn(None, self.least(of(1, False)))

    def test_submission(self):
        """t0: 4 + 5 on the way + 10 + 3, as nobody is beside it. t1 has no launch: 20 + 4 + 3 where t0 suspends itself, else 20 + 22."""
        for spins, expected in ((True, 42), (False, 27)):
            of = Set([0], [Task(100, 0, 2, [host(4), kernel(10), host(3)], spins), Task(1000, 0, 1, [host(20)])], 5)
            self.assertEqual(self.least(of), [22, expected])

    def test_beside_a_lock(self):
        """Units of threads elsewhere and host segments on a core rest on nothing of one another; work outside of the lock ends all bounds on the GPU."""
        unit = '<task id="u" period="100ns"><locked lock="l" hold="3ns">{0}</locked></task></taskset>'
        kernel_ = '<kernel id="k" stream="s1" wcet="5ns" bcet="1ns" scope="block" grid="1" block="128" registers="8" cache="none" access="any"/>'

        def of(items):
            text = Set([1], [Task(100, 0, 1, items)]).xml().replace('<stream id="s0"/>', '<stream id="s0"/><stream id="s1"/>')
            report = self.report(text.replace("<core", '<lock id="l" protocol="fifo"/><core').replace("</taskset>", unit.format(kernel_)))
            self.assertIn(self.verify(report).returncode, (0, 1))
            return [re.search(rf'<task id="{name}"[^>]* response="(\d+)"', report) for name in ("t0", "u")]
        self.assertEqual([found.group(1) for found in of([host(5), host(2)])], ["9", "8"])
        self.assertEqual(of([host(5), kernel(7)]), [None, None])


class Beside(Case):
    def test_who_has_no_thread(self):
        """t0's jobs may overlap, so nothing is said of it, and no claim is made on the core; who is beside it on the GPU has its bound."""
        text = Set([0], [Task(100, 0, 1, [host(60), kernel(50)])]).xml().replace('<stream id="s0"/>', '<stream id="s0"/><stream id="s1"/>').replace(
            "</taskset>", '<task id="t1" period="1us"><kernel id="o" stream="s1" wcet="5ns" scope="block" grid="1" block="128" registers="8"/></task></taskset>')
        report = self.report(text)
        self.assertEqual(self.verify(report).returncode, 0)
        self.assertRegex(report, '<task id="t1"[^>]* response="55"')
        self.assertIn("a job may last until the next one is released", report)


class Explained(Case):
    def test_terms(self):
        """What a segment waits for on its core, by whose it is; the sum is its time."""
        (self.folder / "s.xml").write_text(SUSPENDS.xml())
        text = SERVER.run(["analyze", "--explain=t1", "s.xml"], self.folder).stdout
        self.assertRegex(text, r"t1/op:o1_0 on its core:\n    \+ 52: C \[\d+\], what it executes\n    \+ 22: 2 \* 11 = 22: what t0 executes, whose")
        self.assertIn("= 74: from its begin to its end", text)

    def test_submission(self):
        (self.folder / "s.xml").write_text(SUBMITS.xml())
        text = SERVER.run(["analyze", "--explain=t0", "s.xml"], self.folder).stdout
        self.assertRegex(text, r"\+ 5: L \[\d+\], until what it issued is at the GPU")
        self.assertIn("= 9: from its begin until what it issued is at the GPU", text)


class Refused(Case):
    """What a task set may not say, and what a report may not."""
    TEXT = Set([0], [Task(100, 0, 1, [host(5), kernel(7)])]).xml()

    def test_input(self):
        for old, new, code in ((' fifo-priority="1"', "", "core-priority"), (' core="c0"', "", "core-priority"),
                               ('<host id="o0_0" bcet="5ns" wcet="5ns"/>', "", "core-launch"), ('bcet="5ns" wcet="5ns"', 'wcet="0ns"', "wcet-zero"),
                               (' core="c0"', ' core="c1"', "unknown-reference"),
                               ('fifo-priority="1"', 'sched-runtime="5ns" sched-deadline="9ns" sched-period="10ns"', None),
                               ('fifo-priority="1"', 'sched-runtime="5ns" sched-deadline="9ns" sched-period="0ns"', None),
                               ('fifo-priority="1"', 'sched-runtime="9ns" sched-deadline="8ns"', "core-reservation"),
                               ('fifo-priority="1"', 'sched-runtime="5ns" sched-deadline="9ns" sched-period="8ns"', "core-reservation"),
                               ('fifo-priority="1"', 'sched-runtime="0ns" sched-deadline="9ns"', "core-reservation"),
                               ('fifo-priority="1"', 'fifo-priority="1" sched-runtime="5ns" sched-deadline="9ns"', "core-priority"),
                               ('<core', '<lock id="l" protocol="fifo"/><core', None)):
            text = self.TEXT.replace(old, new, 1)
            self.assertNotEqual(text, self.TEXT)
            with self.subTest(new=new, code=code):
                self.assertIn(code or "<report", self.report(text, status=(3,) if code else (0, 4)))
        text = re.sub(r"(<kernel.*?/>)", r'<locked lock="l" hold="1ns">\1</locked>', self.TEXT).replace("<core", '<lock id="l" protocol="fifo"/><core')
        self.assertIn("core-lock", self.report(text, status=(3,)))

    def test_claims(self):
        report = self.report(SUSPENDS.xml())
        self.assertEqual(self.verify(report).returncode, 0)
        for pattern, new in ((r'(rule="host-response" about="task:t1/op:o1_0" value=)"74"', r'\1"73"'),
                             (r'(rule="claimed-task-response" about="task:t0" value=)"51"', r'\1"50"'),
                             (r'( A-CORE)(?=[ "])', "")):
            forged = re.sub(pattern, new, report)
            self.assertNotEqual(forged, report)
            self.assertEqual(self.verify(forged).returncode, 1, pattern)

    def test_claims_of_submission(self):
        report = self.report(SUBMITS.xml())
        self.assertEqual(self.verify(report).returncode, 0)
        self.assertNotIn("A-HOST ", "".join(re.findall(r' assumptions="[^"]*"', report)))
        for pattern, new in ((r'(rule="host-response" about="task:t0/op:o0_0" value=)"9"', r'\1"8"'), (r"( A-SUBMIT)(?=[ \"])", ""),
                             (r' about="core:c0@submission" value="5"', ' about="core:c0@submission" value="4"')):
            forged = re.sub(pattern, new, report)
            self.assertNotEqual(forged, report)
            self.assertEqual(self.verify(forged).returncode, 1, pattern)

    def test_claim_without_a_bound(self):
        """A response is claimed of t0, on which t1 rests, and no time of its host segments: nothing bears that claim."""
        forged = mended(re.sub(r'(rule="host-response" about="task:t0/op:)', r"\1no-", self.report(SUSPENDS.xml())))
        self.assertIn('rule="claimed-task-response" about="task:t0"', forged)
        self.assertIn("task t0: expected no time of its host segments", self.verify(forged).stderr)

    def test_discharged(self):
        report = self.report(SUSPENDS.xml())
        self.assertRegex(report, r'<assumption id="A-HOST-WCRT"[^>]* used="false" discharged-by="\[CORES\]"')
        self.assertRegex(report, r'<assumption id="A-CORE"[^>]* used="true"')
        report = self.report(self.TEXT.replace("</taskset>", '<task id="t1" period="1us"><host id="x" wcet="1ns"/></task></taskset>'))
        self.assertRegex(report, r'<assumption id="A-HOST-WCRT"[^>]* used="true">')


    def test_discharged_of_the_host(self):
        """[SUBMISSION]: as long as each launch is of a thread on a core that says when it is there, and no other one can part or order what it issues."""
        kernel_ = '<kernel id="k" stream="{0}" wcet="5ns" bcet="1ns" scope="block" grid="1" block="128" registers="8" cache="none" access="any"/>'
        task = '<task id="u" period="1us"{0}>{1}</task></taskset>'
        on_core, host_ = ' core="c0" fifo-priority="3"', '<host id="h" wcet="2ns"/>'
        text = SUBMITS.xml().replace('<stream id="s0"/>', '<stream id="s0"/><stream id="s2"/>')
        record, wait = '<record id="r" stream="s2" event="e"/>', '<wait id="w" stream="s0" event="e"/>'
        events = text.replace("<core", '<event id="e"/><core', 1)
        launches = '<sequence id="k" stream="s0" wcet="5ns" bcet="1ns" operations="3" launch="{0}"/>'
        cases = [(text, True), (text.replace("</taskset>", task.format("", host_)), True),
                 (text.replace("</taskset>", task.format(on_core, host_ + launches.format("graph"))), True),
                 (text.replace("</taskset>", task.format(on_core, host_ + launches.format("single"))), False),
                 (re.sub("<kernel.*?/>", launches.format("single"), text), True),
                 (text.replace("</taskset>", task.format(on_core, host_ + kernel_.format("s2"))), True),
                 (events.replace("</taskset>", task.format(on_core, host_ + kernel_.format("s2") + record)), True),
                 (text.replace("</taskset>", task.format(on_core, host_ + kernel_.format("s0") + host_.replace('"h"', '"i"'))), True),
                 (text.replace("</taskset>", task.format(on_core, host_ + kernel_.format("s0") + kernel_.format("s0").replace('"k"', '"l"'))), False),
                 (text.replace("</taskset>", task.format("", kernel_.format("s2"))), False),
                 (text.replace('<stream id="s0"/>', '<stream id="s0" kind="null"/>'), False),
                 (events.replace("</task>", wait + "</task>", 1).replace(
                     "</taskset>", task.replace("1us", "100ns").format(on_core, host_ + kernel_.format("s2") + record)), False),
                 (text.replace(' submission="5ns"', ""), False)]
        for changed, discharged in cases:
            with self.subTest(text=changed):
                report = self.report(changed)
                used = "".join(re.findall(r' assumptions="[^"]*"', report)).replace('"', " ") + " "
                self.assertNotEqual(used.strip(), "", report)
                self.assertEqual(self.verify(report).returncode, 0)
                self.assertEqual((" A-SUBMIT " in used, " A-HOST " in used), (" submission=" in changed, not discharged), used)
                if " submission=" in changed:  # L is in times of host segments, whoever vouches for the rest
                    self.assertEqual(self.verify(re.sub(r"( A-SUBMIT)(?=[ \"])", "", report)).returncode, 1)
                self.assertEqual('discharged-by="[SUBMISSION]"' in report, discharged)

    def test_pageable_memory(self):
        """It breaks what takes the place of A-HOST, too."""
        copy = '<copy id="o0_1" stream="s0" direction="h2d" bcet="7ns" wcet="7ns" memory="{0}"/>'
        for memory, words, status in (("pinned", (), 0), ("pageable", (), 4), ("pageable", ("--assume=A-HOST",), 4), ("pageable", ("--assume=A-SUBMIT",), 7)):
            text = re.sub(r"<kernel.*?/>", copy.format(memory), SUBMITS.xml())
            self.assertIn("A-SUBMIT", self.report(text, *words, status=(status,)))


# ---- the small machine against the analysis


def draw_set(draw):
    cores = draw.choice((1, 1, 2))
    tasks = []
    for t in range(draw.randint(2, 4)):
        items = [host(draw.randint(1, 6), draw.randint(0, 1))]
        for _ in range(draw.choice((0, 1, 1, 2))):
            items.append(kernel(draw.randint(1, 12), draw.randint(1, 1)))
            if draw.random() < 0.8:
                items.append(host(draw.randint(1, 6), draw.randint(0, 1)))
        work = sum(item.most for item in items)
        period = work * draw.choice((2, 3, 4, 6, 8)) + draw.randint(0, 5)
        tasks.append(Task(period, draw.randrange(cores), draw.randint(1, 3), items, draw.random() < 0.3, draw.choice((0, 0, period // 4))))
    short = [t for t, task in enumerate(tasks) if task.has_short_segments()]
    for t in short[1:]:
        tasks[t].stream = draw.choice((None, short[0]))
    return Set([draw.choice((0, 0, 2)) for _ in range(cores)], tasks, draw.choice((None, 0, 3, 10)))


class SmallMachine(Case):
    def test_no_run_exceeds(self):
        met = bounded = 0
        for seed in range(SETS):
            of = draw_set(random.Random(seed))
            bounds = self.bounds(of)
            for run in range(5):
                seen = Machine(of, random.Random(1000 * seed + run)).run()
                for t in range(len(of.tasks)):
                    for value in bounds[t]:
                        self.assertLessEqual(seen[t], value, f"set {seed}, run {run}, task t{t}\n{of.xml()}")
                        bounded += 1
                        met += seen[t] == value
        self.assertGreater(bounded, SETS)
        self.assertGreater(met, SETS // 4)

    def test_each_term_is_needed(self):
        """What the machine does is above the number without the term, and at most the one with it."""
        cases = [(SUSPENDS, (0, 41), 63),  # jitter 0
                 (Set([0], [Task(60, 0, 2, [host(4), kernel(30), host(3)], True), Task(1000, 0, 1, [host(20)])]), (0, 0), 27),  # as one that suspends
                 (Set([3], [Task(100, 0, 2, [host(4)]), Task(100, 0, 1, [host(20)])]), (0, 0), 24),  # nothing blocks
                 (Set([0], [Task(100, 0, 1, [host(4)]), Task(100, 0, 1, [host(20)])]), (0, 0), 20)]  # equals do not interfere
        cases.append((Set([0], [Task(1000, 0, 1, [host(20)]), Task(60, 0, 2, [host(4), kernel(30), host(3)])], 9), (0, 0), 37))  # no way to the GPU
        for of, phases, without in cases:
            seen, bound = worst(of, 100, phases)[1], self.least(of)[1]
            self.assertGreater(seen, without, of.xml())
            self.assertLessEqual(seen, bound)


if __name__ == "__main__":
    SERVER.test()
