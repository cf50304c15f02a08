"""Contexts by interleave levels: gaps by hand, what is refused, and a small machine written from the words of A-INTERLEAVE and D13 alone, tick by tick.

- no run of a drawn set exceeds a bound; reports are verified; some bound comes near
- told less than the truth (no levels, the wrong way round), a run exceeds a bound
- the simulator's turns follow one another as this machine's

In the machine one SM holds one block, a kernel is one block, and each task has a stream of its own.

usage: interleave.py GPUBOUND SOURCE_ROOT SERVE [SETS]
(SERVE: gpubound as a server, tests/serve.c)
"""
import json
import pathlib
import re

from boundaries import PROGRAM, ROOT, Case, platform, taskset
from small_contexts import SERVER, SETS, Hunt, Task

LENGTH = 900
GRANTED = ["A-HOL", "A-PRIO", "A-WC", "A-FRAG", "A-CE"]
LEVELS = ("low", "medium", "high")


class Set:
    """contexts: level and slice of each. Items of tasks: (kernel or copy, least and most ticks). told: the levels that are said in place of these, None for
    none at all."""

    def __init__(self, contexts, tasks, theta=1, preemption="instruction", copy_slice=4, told=None):
        self.contexts, self.tasks, self.theta, self.preemption, self.copy_slice = contexts, tasks, theta, preemption, copy_slice
        self.told = told
        self.copying = sorted({task.context for task in tasks if any(kind == "copy" for kind, *_ in task.items)})

    def platform(self):
        granted = GRANTED + ["A-RUNLIST" if self.told is None or len(set(self.told)) == 1 else "A-INTERLEAVE"]
        stated = {"sm.count": 1, "sm.warps": 4, "sm.blocks": 1, "sm.subpartitions": 1, "block.threads": 128,
                  "runlist.copy-timeslice": f"{self.copy_slice}ns", "runlist.switch": f"{self.theta}ns"}
        return platform(granted, self.preemption, **stated).replace('copy-runlist="own"', 'copy-runlist="shared"')

    def body(self):
        text = []
        for c, (_, slice_) in enumerate(self.contexts):
            level = f' interleave="{self.told[c]}"' if self.told is not None else ""
            streams = "".join(f'<stream id="s{t}" kind="non-blocking"/>' for t, task in enumerate(self.tasks) if task.context == c)
            text.append(f'<application id="c{c}" timeslice="{slice_}ns"{level}>{streams}</application>')
        for t, task in enumerate(self.tasks):
            text.append(f'<task id="t{t}" period="{task.period}ns" jitter="{task.jitter}ns">')
            for i, (kind, least, most) in enumerate(task.items):
                times = f'id="t{t}i{i}" stream="s{t}" bcet="{least}ns" wcet="{most}ns"'
                text.append(f'<copy {times} direction="h2d"/>' if kind == "copy" else f'<kernel {times} scope="block" grid="1" block="128" registers="8"/>')
            text.append("</task>")
        return "".join(text)

    def whole(self):
        return taskset(self.body())

    def round(self):
        """The turns of the list that repeats: (context, of copies?)."""
        of = {level: [(c, copies) for copies in (False, True) for c, (own, _) in enumerate(self.contexts) if own == level and (not copies or c in self.copying)]
              for level in LEVELS}
        if len({level for level, _ in self.contexts}) == 1:
            return of[self.contexts[0][0]]
        with_medium = [turn for medium in of["medium"] for turn in (*of["high"], medium)]
        return [turn for low in of["low"] for turn in (*with_medium, *of["high"], low)] or with_medium


class Job:
    def __init__(self, task, released):
        self.task, self.released, self.at, self.left, self.started, self.came = task, released, 0, None, False, None


class Machine:
    """One run."""

    def __init__(self, of, draw):
        self.of, self.draw, self.worst = of, draw, draw.random() < 0.6
        self.turns = of.round()
        self.place, self.served, self.switching, self.draining = draw.randrange(len(self.turns)), 0, 0, False
        self.jobs = [[] for _ in of.tasks]  # of each stream
        self.responses = [0] * len(of.tasks)

    def plan(self):
        for t, task in enumerate(self.of.tasks):
            at = self.draw.choice((0, self.draw.randrange(min(task.period, 60)), self.draw.randrange(task.period)))
            while at < LENGTH:
                yield at + self.draw.choice((0, task.jitter, self.draw.randint(0, task.jitter))), t
                at += task.period

    def item(self, job):
        return self.of.tasks[job.task].items[job.at]

    def settle(self, now):
        for jobs in self.jobs:
            while jobs and jobs[0].left == 0:
                jobs[0].at, jobs[0].left, jobs[0].started = jobs[0].at + 1, None, False
                if jobs[0].at == len(self.of.tasks[jobs[0].task].items):
                    done = jobs.pop(0)
                    self.responses[done.task] = max(self.responses[done.task], now - done.released)
            if jobs and jobs[0].left is None:
                _, least, most = self.item(jobs[0])
                jobs[0].left = most if self.worst or self.draw.random() < 0.5 else self.draw.randint(least, most)
                jobs[0].came = now

    def pending(self, turn):
        context, copies = turn
        found = [jobs[0] for t, jobs in enumerate(self.jobs) if jobs and self.of.tasks[t].context == context and (self.item(jobs[0])[0] == "copy") == copies]
        return sorted(found, key=lambda job: (not job.started, job.came, job.task))

    def following(self):
        count = len(self.turns)
        wanted = {(self.of.tasks[t].context, self.item(jobs[0])[0] == "copy") for t, jobs in enumerate(self.jobs) if jobs}
        return next((place for place in ((self.place + i) % count for i in range(1, count + 1)) if self.turns[place] in wanted), None)

    def slice(self):
        context, copies = self.turns[self.place]
        return self.of.copy_slice if copies else self.of.contexts[context][1]

    def turn(self):
        if self.switching > 0:
            return
        own = self.pending(self.turns[self.place])
        begun = bool(own) and own[0].started and not self.turns[self.place][1] and self.of.preemption == "block"
        if (self.draining and begun) or (own and not self.draining and self.served < self.slice()):
            return
        place = self.following()
        if place is None:
            self.draining = False
            return
        if self.turns[place] == self.turns[self.place]:
            self.place, self.served, self.draining = place, 0, False
        elif own and begun:
            self.draining = True
        else:
            self.place, self.served, self.switching, self.draining = place, 0, self.of.theta, False

    def next_tick(self, now, coming):
        """That of the next release where nothing changes before it."""
        idle = self.switching == 0 and not self.draining and not any(self.jobs)
        return now + 1 if not idle else max(now + 1, coming[0][0]) if coming else 2 * LENGTH

    def run(self):
        coming, after = sorted(self.plan()), 0
        while after < 2 * LENGTH:
            now = after
            while coming and coming[0][0] == now:
                self.jobs[coming[0][1]].append(Job(coming[0][1], now))
                coming.pop(0)
            self.settle(now)
            self.turn()
            after = self.next_tick(now, coming)
            if self.switching > 0:
                self.switching -= 1
                continue
            own = self.pending(self.turns[self.place])
            if own:
                own[0].started = True
                own[0].left -= 1
                self.served += 1
        return self.responses


def draw_set(draw, tell=lambda levels: levels):
    count = draw.choice((2, 3, 3, 4, 5))
    contexts = [(draw.choice(LEVELS), draw.randint(3, 9)) for _ in range(count)]
    owners = list(range(count)) + [draw.randrange(count) for _ in range(draw.choice((0, 0, 1)))]
    copying, tasks = draw.random() < 0.4, []
    for owner in owners:
        items = []
        for _ in range(draw.choice((1, 1, 2))):
            most = draw.choice((draw.randint(1, 12), draw.randint(1, 40)))
            items.append(("copy" if copying and draw.random() < 0.3 else "kernel", draw.choice((1, most)), most))
        tasks.append(Task(owner, draw.randint(40, 160) * count // 2, draw.choice((0, 0, 5, 40)), items))
    numbers = draw.randint(0, 3), draw.choice(("instruction", "block")), draw.randint(3, 6)
    return Set(contexts, tasks, *numbers, tell([level for level, _ in contexts]))


class Drawn(Hunt):
    drawn, machine = staticmethod(draw_set), Machine

    def test_no_run_is_above(self):
        nearest, bounded, above = self.hunt(1, SETS)
        self.assertEqual(above, [])
        self.assertGreater(bounded, SETS)
        self.assertGreater(nearest, 0.85)

    def test_levels_are_not_told(self):
        self.assertTrue(self.hunt(2, 40, tell=lambda levels: None)[2])

    def test_levels_are_told_the_wrong_way_round(self):
        self.assertTrue(self.hunt(3, 40, tell=lambda levels: [LEVELS[2 - LEVELS.index(level)] for level in levels])[2])


# theta 1, slices at instructions: each context's gap by [BETWEEN]
GAPS = {
    # a turn of the longer low one; two of the high one, which are before m and before the next low one, and one low one; 4 of h, 2 of m, 1 of the other
    (("h", "high", 5), ("m", "medium", 5), ("a", "low", 5), ("b", "low", 7)): {"h": 8 + 1, "m": 2 * 6 + 8 + 1, "a": 4 * 6 + 2 * 6 + 8 + 1, "b": 4 * 6 + 2 * 6 + 6 + 1},
    # no low one: h before each medium one
    (("h", "high", 5), ("m", "medium", 5), ("n", "medium", 7)): {"h": 8 + 1, "m": 2 * 6 + 8 + 1, "n": 2 * 6 + 6 + 1},
    # no medium one; of the high ones the other one, too
    (("h", "high", 5), ("i", "high", 3), ("a", "low", 5)): {"h": 4 + 6 + 1, "i": 6 + 6 + 1, "a": 6 + 4 + 1},
    # all alike: once each
    (("h", "high", 5), ("i", "high", 3), ("j", "high", 4)): {"h": 4 + 5 + 1, "i": 6 + 5 + 1, "j": 6 + 4 + 1},
    # a low one without work has no turn, but the high ones before it have
    (("h", "high", 5), ("a", "low", 5), ("idle", "low", 9)): {"h": 6 + 1, "a": 2 * 6 + 1},
}


class ByHand(Case):
    def body(self, contexts):
        text = [f'<application id="{name}" timeslice="{slice_}ns" interleave="{level}"><stream id="s{name}" kind="non-blocking"/></application>'
                for name, level, slice_ in contexts]
        text += [f'<task id="t{name}" period="1000ns"><kernel id="k{name}" stream="s{name}" scope="grid" wcet="5ns"/></task>' for name, *_ in contexts if name != "idle"]
        return "".join(text)

    def test_gaps(self):
        for contexts, gaps in GAPS.items():
            alike = len({level for _, level, _ in contexts}) == 1
            report = self.analyze(platform([*GRANTED, "A-RUNLIST" if alike else "A-INTERLEAVE"], "instruction", **{"runlist.switch": "1ns"}), self.body(contexts))
            for name, gap in gaps.items():
                with self.subTest(contexts=contexts, own=name):
                    rule = "slice-gap" if alike else "interleaved-gap"
                    self.assertEqual(int(re.search(rf'rule="{rule}" about="application:{name}" value="(\d+)"', report).group(1)), gap)

    def test_who_vouches(self):
        """A-RUNLIST says nothing of a list in which contexts are more than once; the verifier knows it, too."""
        body, switch = self.body(next(iter(GAPS))), {"runlist.switch": "1ns"}
        self.assertEqual(self.bounds(platform([*GRANTED, "A-RUNLIST"], "instruction", **switch), body, "th"), {})
        report = self.analyze(platform([*GRANTED, "A-INTERLEAVE"], "instruction", **switch), body)
        self.refused_without("A-INTERLEAVE", report)


class Simulated(Case):
    """gpubound simulate, whose round is another one's work, has the turns of this one, whoever is the first."""

    def test_order(self):
        for levels in (("high", "medium", "low", "low"), ("medium", "high", "medium"), ("low", "high", "high"), ("low", "medium", "low", "medium"), ("high", "high")):
            contexts = [(f"c{i}", level, 5) for i, level in enumerate(levels)]
            body = "".join(f'<application id="{name}" timeslice="{slice_}ns" interleave="{level}"><stream id="s{name}"/></application>' for name, level, slice_ in contexts)
            body += "".join(f'<task id="t{name}" period="9000ns"><kernel id="k{name}" stream="s{name}" scope="grid" wcet="500ns"/></task>' for name, *_ in contexts)
            folder = pathlib.Path(self.folder.name)
            (folder / "p.xml").write_text(platform([*GRANTED, "A-INTERLEAVE"], "instruction", **{"runlist.switch": "1ns"}))
            (folder / "s.xml").write_text(taskset(body))
            PROGRAM.run(["simulate", "--chrome=run.json", "s.xml"], cwd=folder, check=True)
            events = json.loads((folder / "run.json").read_text())["traceEvents"]
            names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
            slices = sorted((event for event in events if event["name"] == "slice"), key=lambda event: event["ts"])
            seen = [next(i for i, (name, *_) in enumerate(contexts) if name in names[event["pid"], event["tid"]]) for event in slices[:40]]
            turns = [context for context, _ in Set([(level, 5) for level in levels], []).round()]
            with self.subTest(levels):
                self.assertTrue(any((turns[first:] + turns * 40)[:40] == seen for first in range(len(turns))), seen)


class Example(Case):
    def test_levels_make_the_difference(self):
        text = (ROOT / "examples/interleave.xml").read_text()
        for name, changed, response in (("with", text, 13792000), ("without", re.sub(' interleave="[a-z]*"', "", text), 50480000)):
            path = pathlib.Path(self.folder.name) / f"{name}.xml"
            path.write_text(changed)
            report = PROGRAM.run(["analyze", "-q", "--format=xml", str(path)], text=True).stdout
            self.assertIn(f'response="{response}"', re.search(r'<task id="steer"[^>]*>', report).group())


if __name__ == "__main__":
    SERVER.test()
