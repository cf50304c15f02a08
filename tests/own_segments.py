"""Tasks of several GPU segments against a small machine that is written from the assumptions' words alone, tick by tick: D1, A-ONE, A-HOL, A-PRIO, A-WC,
A-CE, A-EXCL, A-RUNLIST, A-HOST-WCRT. [ONE-JOB]

- no run of a drawn set exceeds a bound; reports are verified; some bound is met, some task has jobs that overlap, and some have bounds all the same
- leaving a job's earlier segments out of the busy interval of a later one is wrong for that one: a run of 21, where the rest says 5
- where nothing is shared the response is the sum of the segments and of the host

One SM holds one block, a kernel is one block, overheads are zero but for the switch between contexts.

usage: own_segments.py GPUBOUND SOURCE_ROOT SERVE [SETS]
(SERVE: gpubound as a server, tests/serve.c)
"""
import pathlib
import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import served

SERVER = served.Server(sys.argv[3], sys.argv[2])
SETS = int(sys.argv[4]) if len(sys.argv) > 4 else 60
REPORT = "{urn:gpubound:report:1}"
SWITCH, LENGTH = 1, 400
PLATFORM = f"""<platform xmlns="urn:gpubound:platform:1" id="one" name="one" architecture="one" compute-capability="7.0" integrated="false">
  <sources><source id="test" kind="data">one SM, one block</source></sources>
  <parameters>
    {"".join(f'<parameter name="{name}" value="{value}" source="test"/>' for name, value in (
        ("sm.count", 1), ("sm.warps", 4), ("sm.blocks", 1), ("sm.subpartitions", 1), ("sm.registers", 65536), ("sm.shared", "65536B"),
        ("register.unit", 256), ("shared.unit", "256B"), ("block.threads", 128), ("queues.hardware", 32), ("queues.resident-grids", 32),
        ("queues.priorities", 3), ("copy.engines", 2), ("overhead.launch", "0ns"), ("overhead.block", "0ns"), ("overhead.dependency", "0ns"),
        ("overhead.copy", "0ns"), ("runlist.switch", f"{SWITCH}ns")))}
  </parameters>
  <engines source="test" copy-runlist="own" preemption="instruction" concurrent-kernels="yes" per-sm-carveout="yes">
    <direction name="h2d" engine="0"/><direction name="d2h" engine="1"/><direction name="d2d" engine="compute"/>
    <direction name="memset" engine="compute"/>
  </engines>
  <assumptions>
    {"".join(f'<assumption id="{name}" status="assumed" source="test">As the machine behaves.</assumption>' for name in (
        "A-HOL", "A-PRIO", "A-WC", "A-FRAG", "A-RUNLIST", "A-CE"))}
  </assumptions>
  <interference composition="joint">
    <factor victim="any" from="all" value="1/1" source="test"/><factor victim="transfer" from="all" value="1/1" source="test"/>
  </interference>
</platform>"""


class Item:
    """host, kernel, h2d or d2h; least and most time; stream of all but a host segment."""

    def __init__(self, kind, least, most, stream=None):
        self.kind, self.least, self.most, self.stream = kind, least, most, stream

    def xml(self, name):
        if self.kind == "host":
            return f'<host id="{name}" bcet="{self.least}ns" wcet="{self.most}ns"/>'
        times = f'id="{name}" stream="s{self.stream}" wcet="{self.most}ns" bcet="{self.least}ns"'
        if self.kind == "kernel":
            return f'<kernel {times} scope="block" grid="1" block="128" registers="8" cache="none" access="any"/>'
        return f'<copy {times} direction="{self.kind}" bytes="1B"/>'


class Task:
    def __init__(self, period, jitter, items):
        self.period, self.jitter, self.items = period, jitter, items


class Set:
    """contexts: a list of streams each, a stream is its level; slices of `slice` ticks."""

    def __init__(self, contexts, tasks, slice):
        self.contexts, self.tasks, self.slice = contexts, tasks, slice
        self.context_of = [c for c, levels in enumerate(contexts) for _ in levels]
        self.levels = [level for levels in contexts for level in levels]

    def write(self, folder):
        text = ['<taskset xmlns="urn:gpubound:taskset:1" id="drawn" platform="./platform.xml" origin="test">',
                '<origins><origin id="test" kind="declared" source="drawn" by="test"/></origins>']
        stream = 0
        for c, levels in enumerate(self.contexts):
            text.append(f'<application id="c{c}" timeslice="{self.slice}ns">')
            for level in levels:
                text.append(f'<stream id="s{stream}" kind="non-blocking" priority="{level}"/>')
                stream += 1
            text.append("</application>")
        for t, task in enumerate(self.tasks):
            text.append(f'<task id="t{t}" period="{task.period}ns" jitter="{task.jitter}ns">')
            text += [item.xml(f"t{t}i{i}") for i, item in enumerate(task.items)]
            text.append("</task>")
        (folder / "platform.xml").write_text(PLATFORM)
        (folder / "set.xml").write_text("\n".join(text + ["</taskset>"]))
        return folder / "set.xml"


class Operation:
    def __init__(self, job, item, time):
        self.job, self.item, self.left = job, item, time


class Job:
    def __init__(self, task, number, released, durations):
        self.task, self.number, self.released, self.durations, self.at, self.pending = task, number, released, durations, 0, 0
        self.host_until = None
        self.segments = []  # [released, complete] of each


class Machine:
    """One run. Each tick: what is due happens until nothing more does; then each engine works for one tick."""

    def __init__(self, of, draw):
        self.of, self.draw = of, draw
        self.streams = [[] for _ in of.levels]
        self.ready = [{} for _ in of.contexts]  # level: kernels in the order in which they became ready
        self.kernel = [None] * len(of.contexts)  # whose block is on the SM, of each context
        self.copies = {"h2d": [], "d2h": []}
        self.owner, self.slice_left, self.switch_left = None, 0, 0
        with_kernels = {of.context_of[item.stream] for task in of.tasks for item in task.items if item.kind == "kernel"}
        self.shared = len(with_kernels) > 1  # the only context with kernels is the last one that was served, always
        self.jobs, self.done = [], []
        self.releases = sorted(self.plan(), key=lambda job: job.released)

    def plan(self):
        for t, task in enumerate(self.of.tasks):
            phase = self.draw.choice((0, self.draw.randrange(task.period)))
            extreme = self.draw.random() < 0.5
            for n, nominal in enumerate(range(phase, LENGTH, task.period)):
                late = task.jitter * (n == 0) if extreme else self.draw.randint(0, task.jitter)
                worst = self.draw.random() < 0.6
                yield Job(t, n, nominal + late, [item.most if worst else self.draw.choice((item.least, item.most)) for item in task.items])

    def start(self, job, now):
        """The thread goes on: host, or all operations up to the next host segment are issued."""
        items = self.of.tasks[job.task].items
        if job.at == len(items):
            self.done.append(job)
        elif items[job.at].kind == "host":
            job.host_until = now + job.durations[job.at]
            self.jobs.append(job)
        else:
            job.segments.append([now, None])
            while job.at < len(items) and items[job.at].kind != "host":
                self.issue(Operation(job, items[job.at], job.durations[job.at]))
                job.at += 1

    def issue(self, operation):
        operation.job.pending += 1
        queue = self.streams[operation.item.stream]
        queue.append(operation)
        if len(queue) == 1:
            self.becomes_ready(operation)

    def becomes_ready(self, operation):
        if operation.item.kind == "kernel":
            stream = operation.item.stream
            self.ready[self.of.context_of[stream]].setdefault(self.of.levels[stream], []).append(operation)
        else:
            self.copies[operation.item.kind].append(operation)

    def complete(self, operation, now):
        queue, job = self.streams[operation.item.stream], operation.job
        queue.pop(0)
        job.pending -= 1
        if queue:
            self.becomes_ready(queue[0])
        if job.pending == 0:
            job.segments[-1][1] = now
            self.start(job, now)

    def settle(self, now):
        moved = True
        while moved:
            moved = False
            while self.releases and self.releases[0].released == now:
                self.start(self.releases.pop(0), now)
                moved = True
            for job in [job for job in self.jobs if job.host_until <= now]:
                self.jobs.remove(job)
                job.at += 1
                self.start(job, now)
                moved = True
            for queue in self.copies.values():
                while queue and queue[0].left == 0:
                    self.complete(queue.pop(0), now)
                    moved = True
            for c in range(len(self.kernel)):
                if self.kernel[c] is not None and self.kernel[c].left == 0:
                    operation, self.kernel[c] = self.kernel[c], None
                    self.complete(operation, now)
                    moved = True

    def wants(self, context):
        return self.kernel[context] is not None or any(self.ready[context].values())

    def turn(self):
        """Whose turn it is: round robin, slices, contexts without work are skipped."""
        count = len(self.of.contexts)
        if self.owner is not None and self.wants(self.owner) and (self.slice_left > 0 or self.switch_left > 0):
            return
        first = 0 if self.owner is None else self.owner + 1
        following = [(first + i) % count for i in range(count) if self.wants((first + i) % count)]
        if not following:
            return
        if following[0] != self.owner:
            self.switch_left = SWITCH if self.shared else 0
        self.owner, self.slice_left = following[0], self.of.slice

    def work(self):
        for queue in self.copies.values():
            if queue:
                queue[0].left -= 1
        self.turn()
        if self.owner is None or not self.wants(self.owner):
            return
        if self.switch_left > 0:
            self.switch_left -= 1
            return
        if self.kernel[self.owner] is None:
            level = min(level for level, queue in self.ready[self.owner].items() if queue)
            self.kernel[self.owner] = self.ready[self.owner][level].pop(0)
        self.kernel[self.owner].left -= 1
        self.slice_left -= 1

    def run(self):
        for now in range(2 * LENGTH):
            self.settle(now)
            self.work()
        return self.done


def draw_items(draw, streams, segments):
    items = []
    for s in range(segments):
        if s > 0 or draw.random() < 0.3:
            items.append(Item("host", draw.randint(0, 2), draw.randint(2, 4)))
        several = draw.randint(1, 2)
        stream = draw.choice(streams)
        for _ in range(several):
            most = draw.randint(1, 7)
            items.append(Item(draw.choice(("kernel", "kernel", "kernel", "h2d", "d2h")), draw.randint(1, most), most, stream))
    return items


def draw_set(draw):
    contexts = [[draw.randint(0, 1) for _ in range(draw.randint(1, 2))] for _ in range(draw.choice((1, 1, 2, 3)))]
    if draw.random() < 0.5:
        contexts = [[0] * len(levels) for levels in contexts]
    streams, first, tasks = [], 0, []
    for levels in contexts:
        streams.append(range(first, first + len(levels)))
        first += len(levels)
    for c in range(len(contexts)):
        for _ in range(draw.choice((1, 1, 2))):
            items = draw_items(draw, streams[c], draw.randint(1, 4))
            work = sum(item.most for item in items)
            period = max(2, int(work * draw.choice((0.8, 1, 1.2, 2, 4, 8))))
            tasks.append(Task(period, draw.choice((0, 0, period // 4, period)), items))
    return Set(contexts, tasks, draw.choice((2, 5, 1000)))


def bounds_of(of):
    """{task: {bound: value}} of a verified report."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = of.write(folder)
        analyzed = SERVER.run(["analyze", "-q", "--format=xml", path], folder)
        assert analyzed.returncode in (0, 1, 4), analyzed.stderr
        if analyzed.returncode != 4:
            verified = SERVER.run(["verify", "-q", "-"], folder, analyzed.stdout)
            assert verified.returncode in (0, 1), verified.stdout + verified.stderr + path.read_text()
        tasks = ElementTree.fromstring(analyzed.stdout).find(REPORT + "results").iter(REPORT + "task")
        return [{bound.get("name"): int(bound.get("value")) for bound in task.iter(REPORT + "bound") if bound.get("value")} for task in tasks]


def longest(jobs, task):
    return max((job.segments[-1][1] - job.released for job in jobs if job.task == task), default=0)


class OwnSegments(unittest.TestCase):
    def test_no_run_exceeds(self):
        met = overlap = bounded = 0
        for seed in range(SETS):
            of = draw_set(random.Random(seed))
            bounds = bounds_of(of)
            for run in range(6):
                jobs = Machine(of, random.Random(1000 * seed + run)).run()
                for t in range(len(of.tasks)):
                    seen = longest(jobs, t)
                    overlap += any(a.number + 1 == b.number and b.released < a.segments[-1][1]
                                   for a in jobs for b in jobs if a.task == b.task == t and bounds[t])
                    for bound, value in bounds[t].items():
                        self.assertLessEqual(seen, value, f"set {seed}, run {run}, task t{t}, {bound}")
                        bounded += 1
                        met += seen == value
        self.assertGreater(bounded, 10 * SETS)
        self.assertGreater(met, SETS)
        self.assertGreater(overlap, 0)

    def test_dropped_without_offset(self):
        """A level above has 4 every 5; below it 5, [0, 1] on the host, 1. The second segment alone: 4 from above, and itself."""
        of = Set([[1, 0]], [Task(100, 0, [Item("kernel", 5, 5, 0), Item("host", 0, 1), Item("kernel", 1, 1, 0)]), Task(5, 0, [Item("kernel", 4, 4, 1)])],
                 1000)
        seen = 0
        for run in range(40):
            for job in Machine(of, random.Random(run)).run():
                if job.task == 0:
                    seen = max(seen, job.segments[1][1] - job.segments[1][0])
        self.assertGreater(seen, 5)
        self.assertGreaterEqual(min(bounds_of(of)[0].values()), seen)

    def test_sum(self):
        of = Set([[0]], [Task(100, 0, [Item("kernel", 5, 5, 0), Item("host", 1, 1), Item("kernel", 6, 6, 0), Item("host", 1, 1), Item("h2d", 7, 7, 0)])], 1000)
        bounds = bounds_of(of)[0]
        for bound in ("H", "CHAIN", "VOL-C"):
            self.assertEqual(bounds[bound], 20)
        self.assertEqual(longest(Machine(of, random.Random(1)).run(), 0), 20)


if __name__ == "__main__":
    SERVER.test()
