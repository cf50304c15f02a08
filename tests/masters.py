"""Kernels of an integrated GPU with data in host memory: a small machine written from the words of A-HOST-MEMORY and [HOST-MEMORY] alone.

At any instant CPU cores and other masters are active or not, and slow a kernel by up to their factors. A launch takes up to overhead.launch
from the kernel's being ready, of managed memory with its coherence, and the wait of the host begins its segment with up to
managed.synchronise. One SM holds one block, a kernel is one block, and each task has a stream of its own; kernels are served in the order in
which they became ready.

- no run of a drawn set exceeds a bound of gpubound analyze, and some run comes near; the reports are verified
- with the plant masters, and with launch, which leaves out what coherence takes at launches, a run exceeds a bound
- told less than the truth of the host's wait, a run exceeds a bound

usage: masters.py GPUBOUND SOURCE_ROOT [SETS]
"""
import pathlib
import random
import re
import subprocess
import sys
import unittest

from boundaries import GPUBOUND, Case, platform

SETS = int(sys.argv[3]) if len(sys.argv) > 3 else 300
RUNS = 4
LENGTH = 1200
UNIT = 36  # of work a tick; the factors below and their products divide it
FACTORS = ((1, 1), (3, 2), (2, 1), (3, 1))
GRANTED = ["A-HOL", "A-PRIO", "A-WC", "A-FRAG", "A-HOST-MEMORY"]
ROW = re.compile(r"^t(\d+) +\S.*? [A-Z-]+ +(\d+)\b", re.M)


class Task:
    """kernels: (memory, least, most). host: least and most of the segment at the end, and what coherence takes of it; or None."""

    def __init__(self, period, kernels, host):
        self.period, self.kernels, self.host = period, kernels, host


class Set:
    def __init__(self, draw):
        self.cpu, self.other = draw.choice(FACTORS), draw.choice(FACTORS[:3])
        self.coherence, self.wait = draw.randint(0, 6), draw.randint(1, 9)
        self.launch = self.coherence + draw.randint(0, 3)
        self.tasks = []
        count = draw.randint(1, 3)
        for _ in range(count):
            memory = draw.choice(("device", "zero-copy", "zero-copy", "managed", "managed"))
            kernels = []
            for _ in range(draw.choice((1, 1, 2))):
                most = draw.randint(2, 12)
                kernels.append((memory, draw.choice((1, most)), most))
            host = (self.wait, self.wait + draw.randint(0, 4)) if memory == "managed" else None
            self.tasks.append(Task(draw.randint(60, 120) * count, kernels, host))

    def platform(self):
        numbers = {"sm.count": 1, "sm.warps": 4, "sm.blocks": 1, "sm.subpartitions": 1, "block.threads": 128,
                   "overhead.launch": f"{self.launch}ns", "managed.launch": f"{self.coherence}ns", "managed.synchronise": f"{self.wait}ns"}
        known = [(source, "1") for source in ("sm", "tpc", "gpc", "out")]
        known += [(source, f"{factor[0] / factor[1]:g}") for source, factor in (("cpu", self.cpu), ("other", self.other))]
        factors = "".join(f'<factor victim="any" from="{source}" value="{value}" source="t"/>' for source, value in known)
        return platform(GRANTED, "instruction", **numbers).replace('integrated="false"', 'integrated="true"').replace(
            '<factor victim="any" from="all" value="1" source="t"/>', factors).replace('composition="maximum"', 'composition="multiplicative"')

    def xml(self):
        origins = '<origin id="t" kind="declared" source="made up" by="the tests"/>' + "".join(
            f'<origin id="{memory}" kind="declared" source="made up" by="the tests" memory="{memory}"/>' for memory in ("zero-copy", "managed"))
        streams = "".join(f'<stream id="s{t}" kind="non-blocking"/>' for t in range(len(self.tasks)))
        text = ('<taskset xmlns="urn:gpubound:taskset:1" id="s" platform="./p.xml" origin="t"><title>s</title>'
                f'<origins>{origins}</origins><application id="a">{streams}</application>')
        for t, task in enumerate(self.tasks):
            text += f'<task id="t{t}" period="{task.period}ns">'
            for i, (memory, least, most) in enumerate(task.kernels):
                where = "" if memory == "device" else f' memory="{memory}" origin="{memory}"'
                text += (f'<kernel id="k{t}_{i}" stream="s{t}" scope="block" grid="1" block="128" registers="8" bcet="{least}ns" '
                         f'wcet="{most}ns"{where}/>')
            if task.host:
                text += f'<host id="h{t}" bcet="0ns" wcet="{task.host[1]}ns"/>'
            text += "</task>"
        return text + "</taskset>"


class Job:
    def __init__(self, task, released):
        self.task, self.released, self.at, self.ready, self.left = task, released, 0, None, None


def run(of, draw):
    """The greatest response of each task."""
    worst, steady = draw.random() < 0.5, draw.random() < 0.5
    busy = draw.choice((1.0, 1.0, 0.5, 0.0))  # how often a CPU core is active, and so is another master
    streams = [[] for _ in of.tasks]
    first = [0 if worst else draw.randrange(task.period) for task in of.tasks]
    responses, queue = [0] * len(of.tasks), []

    def some(most, least=0):
        return most if worst or draw.random() < 0.4 else draw.randint(least, most)

    for now in range(LENGTH):
        for t, task in enumerate(of.tasks):
            if now >= first[t] and (now - first[t]) % task.period == 0:
                streams[t].append(Job(t, now))
        order = list(range(len(of.tasks)))
        draw.shuffle(order)
        for t in order:
            job = streams[t][0] if streams[t] else None
            if job is not None and job.left is None:
                memory, least, most = of.tasks[t].kernels[job.at]
                own = of.launch - of.coherence
                job.ready = now + some(own) + (some(of.coherence) if memory == "managed" else 0)
                job.left = some(most, least) * UNIT
                queue.append(job)
        if not queue or queue[0].ready > now:
            continue
        job = queue[0]
        progress = UNIT
        for above, below in (of.cpu, of.other):
            if busy == 1.0 if steady else draw.random() < busy:
                progress = progress * below // above
        job.left -= progress
        if job.left <= 0:
            queue.pop(0)
            job.at, job.left = job.at + 1, None
            task = of.tasks[job.task]
            if job.at == len(task.kernels):
                streams[job.task].pop(0)
                after = 0 if task.host is None else some(of.wait) + some(task.host[1] - of.wait)
                responses[job.task] = max(responses[job.task], now + 1 + after - job.released)
    return responses


class Masters(Case):
    def bounds(self, of):
        folder = pathlib.Path(self.folder.name)
        (folder / "p.xml").write_text(of.platform())
        (folder / "s.xml").write_text(of.xml())
        made = subprocess.run([GPUBOUND, "analyze", "-q", "-o", "s.report", "s.xml"], cwd=folder, capture_output=True, text=True, timeout=60)
        self.assertIn(made.returncode, (0, 4, 5, 6), made.stderr + of.platform() + of.xml())
        verified = subprocess.run([GPUBOUND, "verify", "-v", "s.report"], cwd=folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        report = (folder / "s.report").read_text()
        found = [re.search(rf'<task id="t{t}"[^>]*?response="(\d+)"', report) for t in range(len(of.tasks))]
        return [int(match.group(1)) if match else None for match in found]

    def planted(self, of, plant):
        """What the analysis says with the plant: falsify prints it."""
        folder = pathlib.Path(self.folder.name)
        (folder / "p.xml").write_text(of.platform())
        (folder / "s.xml").write_text(of.xml())
        made = subprocess.run([GPUBOUND, "falsify", f"--plant={plant}", "--systems=1", "--runs=1", "--no-shrink", "s.xml"], cwd=folder,
                              capture_output=True, text=True, timeout=60)
        self.assertIn(made.returncode, (0, 1), made.stderr)
        found = {int(task): int(value) for task, value in ROW.findall(made.stdout)}
        return [found.get(t) for t in range(len(of.tasks))]

    def hunt(self, seed, sets, bounds):
        """The greatest of observed/bound, how many tasks were bounded, and what exceeded its bound."""
        draw, nearest, bounded, above = random.Random(seed), 0, 0, []
        for _ in range(sets):
            of = Set(draw)
            observed = [max(seen) for seen in zip(*(run(of, draw) for _ in range(RUNS)))]
            for t, bound in enumerate(bounds(of)):
                if bound is not None:
                    bounded += 1
                    nearest = max(nearest, observed[t] / bound)
                    above += [(t, observed[t], bound, of.platform(), of.xml())] if observed[t] > bound else []
        return nearest, bounded, above

    def test_no_run_is_above(self):
        nearest, bounded, above = self.hunt(1, SETS, self.bounds)
        print(f"{SETS} sets, {bounded} tasks with a bound, observed/bound up to {nearest:.3f}, {len(above)} above")
        self.assertEqual(above, [])
        self.assertGreater(bounded, SETS)
        self.assertGreater(nearest, 0.95)

    def test_plants(self):
        for plant in ("masters", "launch"):
            with self.subTest(plant):
                nearest, bounded, above = self.hunt(2, 40, lambda of, plant=plant: self.planted(of, plant))
                print(f"{plant}: {bounded} tasks with a bound, observed/bound up to {nearest:.3f}, {len(above)} above")
                self.assertTrue(above)

    def test_wait_is_not_told(self):
        def without(of):
            return [bound if bound is None or task.host is None else bound - of.wait for task, bound in zip(of.tasks, self.bounds(of))]
        self.assertTrue(self.hunt(3, 40, without)[2])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
