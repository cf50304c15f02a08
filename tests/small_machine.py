"""Sequences, locks and partitions against a small machine that is written from the words of the assumptions alone, tick by tick: D1 to D5, D9, D13, A-ONE,
A-EXCL, A-RUNLIST, A-RATE, A-FED, A-PENDING, A-COMPANY, A-LOCK, A-PARTITION. [SPAN], [COMPANY], [LOCK], [PARTITIONS]

- no run of a drawn set exceeds a bound; reports are verified; bounds are met
- told less than the truth, as with a planted fault, bounds are exceeded

An SM holds one block; overheads are zero but for the switch between contexts. Where copies and blocks slow each other each does 1 in a
tick beside the other, else 3.

usage: small_machine.py GPUBOUND SOURCE_ROOT SERVE [SETS]
(SERVE: gpubound as a server, tests/serve.c)
"""
import random
import sys
import unittest

from boundaries import platform, taskset  # what both need of a made-up platform
from own_segments import SERVER, bounds_of

SETS = int(sys.argv[4]) if len(sys.argv) > 4 else 24
LENGTH, RUNS, SLOWED = 300, 6, 3
LOCKED = (3, 6, 10, 15, 20)  # periods, by the work of a job, where others have as much under the same lock


def makespan(blocks, sms):
    """Of one kernel alone: each block, in this order, on the SM that is free first."""
    free = [0] * sms
    for block in blocks:
        free.sort()
        free[0] += block
    return max(free)


class Grid:
    """blocks: how long each takes at most, alone. A gang has all its blocks on SMs at once, and they end together."""

    def __init__(self, blocks, gang=False):
        self.blocks, self.gang = blocks, gang


class Work:
    """kernel, sequence, h2d, record, wait or host. branches: lists of (gap before, grid); of a copy or the host the one length."""

    def __init__(self, kind, stream=None, branches=(), length=0):
        self.kind, self.stream, self.branches, self.length = kind, stream, branches, length
        self.spans = {}  # of branches, by the number of SMs: they are executed to find out

    @property
    def grids(self):
        return [grid for branch in self.branches for _, grid in branch]

    def is_linear(self):
        return len(self.branches) == 1

    def is_plain(self):
        return self.is_linear() and not any(grid.gang for grid in self.grids)

    def span(self, sms):
        """The longest alone. Of branches, which are not slower where each part is: their parts always take the same time."""
        if not self.branches:
            return self.length
        if self.is_linear():
            return sum(gap + makespan(grid.blocks, sms) for gap, grid in self.branches[0])
        if sms not in self.spans:
            alone = Set(sms, [Context([Stream(0, list(range(sms)))])], [Task(10 * LENGTH, 0, [Work("sequence", 0, self.branches)])])
            self.spans[sms] = max(job.done - job.released for job in Machine(alone, random.Random(0)).run())
        return self.spans[sms]

    event = None  # of a record, or a wait for it
    by_blocks = False  # is the longest of its blocks told, in place of the time of all?
    companies = ()  # of a sequence: (tasks, by how much more it takes beside them)

    def xml(self, name, of):
        if self.kind == "host":
            return f'<host id="{name}" bcet="0ns" wcet="{self.length}ns"/>'
        if self.kind == "h2d":
            return f'<copy id="{name}" stream="s{self.stream}" direction="h2d" wcet="{self.length}ns" bcet="1ns"/>'
        if self.event is not None:
            return f'<{self.kind} id="{name}" stream="s{self.stream}" event="{self.event}"/>'
        sms = of.told.get("measured_on", len(of.streams[self.stream].sms))
        if self.kind == "kernel" and self.by_blocks:
            return (f'<kernel id="{name}" stream="s{self.stream}" scope="block" grid="{len(self.grids[0].blocks)}" block="128" registers="8" '
                    f'wcet="{max(self.grids[0].blocks)}ns" bcet="1ns"/>')
        if self.kind == "kernel":
            return (f'<kernel id="{name}" stream="s{self.stream}" scope="grid" grid="{len(self.grids[0].blocks)}" block="128" registers="8" '
                    f'wcet="{self.span(sms)}ns" bcet="1ns"/>')
        longest = f' longest="{max(makespan(grid.blocks, sms) for grid in self.grids)}ns"' if of.says_longest else ""
        kind = 'plain="true"' if self.is_plain() else 'linear="true"' if self.is_linear() else ""
        return (f'<sequence id="{name}" stream="s{self.stream}" wcet="{self.span(sms)}ns" bcet="1ns" branches="{len(self.branches)}" '
                f'operations="{len(self.grids)}"{longest} {kind}/>')


class Unit:
    """Work under a lock."""

    def __init__(self, works, hold, priority, lock="l"):
        self.kind, self.works, self.hold, self.priority, self.lock = "unit", works, hold, priority, lock

    def xml(self, name, of):
        given = f' priority="{self.priority}"' if of.protocol == "priority" else ""
        inner = "".join(work.xml(f"{name}w{w}", of) for w, work in enumerate(self.works))
        return f'<locked lock="{self.lock}" hold="{of.told.get("hold", self.hold)}ns"{given}>{inner}</locked>'


class Stream:
    def __init__(self, level, sms, partition=None):
        self.level, self.sms, self.partition = level, sms, partition


class Context:
    def __init__(self, streams, slice=1000):
        self.streams, self.slice = streams, slice


class Task:
    releases = None  # drawn

    def __init__(self, period, jitter, items):
        self.period, self.jitter, self.items = period, jitter, items


class Set:
    """`told` replaces what is said of the platform, in place of the truth."""

    def __init__(self, sms, contexts, tasks, preemption="instruction", switch=0, refill=0, pending=False, slowed=False, says_longest=False,
                 protocol=None, chosen_early=False, **told):
        self.sms, self.contexts, self.tasks, self.preemption, self.switch, self.refill = sms, contexts, tasks, preemption, switch, refill
        self.pending, self.slowed, self.says_longest = pending, slowed, says_longest
        self.protocol, self.chosen_early, self.told = protocol, chosen_early, told
        self.streams = [stream for context in contexts for stream in context.streams]
        self.context_of = [c for c, context in enumerate(contexts) for _ in context.streams]

    def platform(self):
        told = {"switch": self.switch, "refill": self.refill, "pending": self.pending, "slowed": self.slowed, **self.told}
        granted = ["A-HOL", "A-PRIO", "A-WC", "A-FRAG", "A-RUNLIST", "A-CE", "A-PARTITION"] + ["A-PENDING"] * told["pending"]
        factors = "".join(f'<factor victim="{victim}" from="{source}" value="{value}" source="t"/>' for victim, source, value in (
            *(("any", ring, 1) for ring in ("sm", "tpc", "gpc", "out")), ("any", "h2d", SLOWED if told["slowed"] else 1),
            ("transfer", "ee", SLOWED if told["slowed"] else 1), ("transfer", "h2d", 1)))
        stated = {"sm.count": self.sms, "sm.warps": 4, "sm.blocks": 1, "sm.subpartitions": 1, "block.threads": 128,
                  "runlist.switch": f"{told['switch']}ns", "switch.refill": f"{told['refill']}ns"}
        return platform(granted, self.preemption, factors, **stated).replace('from="all" value="1"', 'from="other" value="1"')

    def size(self, task):
        sms = {sm for work in task.items if getattr(work, "branches", ()) for sm in self.streams[work.stream].sms}
        return len(sms)

    def companies(self, name, item):
        for tasks, factor in getattr(item, "companies", ()):
            factor = self.told.get("alone", factor) if len(tasks) == 1 else factor
            beside = "".join(f'<beside task="t{t}" sms="{self.size(self.tasks[t])}"/>' for t in tasks)
            yield f'<company of="{name}" value="{factor}" sms="{len(self.streams[item.stream].sms)}">{beside}</company>'

    def write(self, folder):
        parts = {stream.partition: stream.sms for stream in self.streams if stream.partition is not None}
        text = [f'<partition id="{name}" kind="green" sms="{" ".join(map(str, sms))}"/>' for name, sms in parts.items()]
        names = iter(range(len(self.streams)))
        for c, context in enumerate(self.contexts):
            text.append(f'<application id="c{c}" timeslice="{context.slice}ns">')
            for stream in context.streams:
                of = f' partition="{stream.partition}"' if stream.partition is not None else ""
                text.append(f'<stream id="s{next(names)}" kind="non-blocking" priority="{stream.level}"{of}/>')
            text.append("</application>")
        text += [f'<event id="{work.event}"/>' for task in self.tasks for work in Machine.works(task) if work.kind == "record"]
        for lock in sorted({item.lock for task in self.tasks for item in task.items if item.kind == "unit"}):
            text.append(f'<lock id="{lock}" protocol="{self.protocol}"/>')
        for t, task in enumerate(self.tasks):
            text.append(f'<task id="t{t}" period="{task.period}ns" jitter="{task.jitter}ns">')
            text += [item.xml(f"t{t}i{i}", self) for i, item in enumerate(task.items)]
            text.append("</task>")
        text += [company for t, task in enumerate(self.tasks) for i, item in enumerate(task.items) for company in self.companies(f"t{t}i{i}", item)]
        (folder / "p.xml").write_text(self.platform())
        (folder / "s.xml").write_text(taskset("\n".join(text)))
        return folder / "s.xml"


class Branch:
    """Of an operation at the engine: the grids that are still to come, and how long until the next one is ready."""

    def __init__(self, operation, parts):
        self.operation, self.parts, self.gap, self.grid = operation, list(parts), None, None


class Running:
    """A grid at the engine."""

    def __init__(self, branch, grid, blocks):
        self.branch, self.gang, self.waiting, self.under_way = branch, grid.gang, blocks, 0


class Operation:
    def __init__(self, job, work):
        self.job, self.work, self.branches, self.left, self.stalled = job, work, [], None, 0


class Job:
    def __init__(self, task, released):
        self.task, self.released, self.at, self.outstanding, self.timer, self.done = task, released, 0, 0, None, None
        self.then = None  # what the thread does at the end of its timer
        self.unissued, self.holds, self.dawdles, self.recorded = [], [], False, set()


class Machine:
    """One run. Each tick: what is due happens until nothing more does; then each engine works for one tick."""

    def __init__(self, of, draw):
        self.of, self.draw, self.now = of, draw, 0
        self.queues = [[] for _ in of.streams]
        self.ready = {}  # of each context and set of SMs: grids with blocks to be dispatched, [(level, since, tie, grid)]
        self.on = [[None] * of.sms for _ in of.contexts]  # of each SM: [grid, left]
        self.copies, self.jobs, self.done = [], [], []
        self.events = []  # records and waits at the heads of their streams
        self.under_way = [[] for _ in of.contexts]  # operations at the execution engine
        self.owner, self.slice_left, self.switch_left, self.draining = None, 0, 0, False
        self.refill_left, self.refill_when, self.cold = 0, None, []
        self.several = sum(any(work.branches for task in of.tasks for work in self.works(task) if work.stream is not None
                               and of.context_of[work.stream] == c) for c in range(len(of.contexts))) > 1
        self.holder, self.chosen, self.waiting = {}, {}, {}  # of each lock
        self.releases = sorted((Job(task, released) for task in of.tasks for released in self.plan(task)), key=lambda job: job.released)
        self.served = {}  # jobs of a task that takes locks: its thread has them one after the other

    @staticmethod
    def works(task):
        return [work for item in task.items for work in (item.works if item.kind == "unit" else [item])]

    def plan(self, task):
        if task.releases is not None:
            yield from task.releases
            return
        phase = self.draw.choice((0, self.draw.randrange(min(task.period, LENGTH))))
        extreme = self.draw.random() < 0.5
        for n, nominal in enumerate(range(phase, LENGTH, task.period)):
            yield nominal + (task.jitter * (n == 0) if extreme else self.draw.randint(0, task.jitter))

    def length(self, most):
        return most if self.draw.random() < 0.7 else self.draw.randint(1, max(most, 1))

    # ---- threads

    def go_on(self, job):
        if job.at == len(job.task.items):
            job.done = self.now
            self.done.append(job)
            jobs = self.served.get(job.task, [job])
            jobs.pop(0)
            if jobs:
                self.go_on(jobs[0])
            return
        item = job.task.items[job.at]
        if item.kind == "host":
            self.sleep(job, self.draw.choice((0, item.length)), self.next)
        elif item.kind == "unit":
            self.waiting.setdefault(item.lock, []).append((item.priority, self.now, self.draw.random(), job))
            if self.holder.get(item.lock) is None:
                self.hand_over(item.lock)
        else:
            while job.at < len(job.task.items) and job.task.items[job.at].kind not in ("host", "unit"):
                self.issue(job, job.task.items[job.at])
                job.at += 1

    def release(self, job):
        """Who takes locks waits for its operations, so that the next job begins when this one is complete."""
        jobs = self.served.setdefault(job.task, []) if any(item.kind == "unit" for item in job.task.items) else []
        jobs.append(job)
        if jobs[0] is job:
            self.go_on(job)

    def sleep(self, job, time, then):
        job.timer, job.then = self.now + time, then
        self.jobs.append(job)

    def next(self, job):
        job.at += 1
        self.go_on(job)

    def choose(self, lock):
        """Of those that wait, by the protocol; ties are broken arbitrarily."""
        waiting = self.waiting[lock]
        if self.chosen.get(lock) is None and waiting:
            waiting.sort(key=lambda request: request[0 if self.of.protocol == "priority" else 1:3])
            self.chosen[lock] = waiting.pop(0)[3]

    def hand_over(self, lock):
        self.choose(lock)
        holder = self.holder[lock] = self.chosen.pop(lock, None)
        if holder is None:
            return
        unit = holder.task.items[holder.at]
        holder.unissued = list(unit.works)
        cuts = sorted(self.draw.choice((0, unit.hold, self.draw.randint(0, unit.hold))) for _ in range(len(unit.works)))
        most = self.length(unit.hold) if unit.hold else 0
        holder.holds = [min(b, most) - min(a, most) for a, b in zip([0] + cuts, cuts + [unit.hold])]
        self.sleep(holder, holder.holds.pop(0), self.issue_unit)

    def issue_unit(self, job):
        """The next operation, or all that are left; the rest of the host's time then is behind the last one. The next one may also come
        while this one is under way: how long the thread takes for that is no part of the hold."""
        if not job.unissued:
            self.hand_over(job.task.items[job.at].lock)
            self.next(job)
            return
        at_once = self.draw.random() < 0.5
        for _ in range(len(job.unissued) if at_once else 1):
            self.issue(job, job.unissued.pop(0))
        if at_once:
            job.holds = [sum(job.holds)]
        job.dawdles = self.draw.random() < 0.5

    def issue_late(self):
        for job in self.holder.values():
            if job is not None and job.unissued and job.outstanding > 0 and job.dawdles and self.draw.random() < 0.3:
                self.issue(job, job.unissued.pop(0))

    # ---- streams

    def issue(self, job, work):
        job.outstanding += 1
        queue = self.queues[work.stream]
        queue.append(Operation(job, work))
        if len(queue) == 1:
            self.begin(queue[0])

    def begin(self, operation):
        work = operation.work
        if work.event is not None:
            self.events.append(operation)
            return
        if work.kind == "h2d":
            operation.left = self.length(work.length) * (SLOWED if self.of.slowed else 1)
            any_order = self.of.protocol and self.draw.random() < 0.5  # that of other locks' copies is nobody's
            self.copies.insert(self.draw.randint(min(1, len(self.copies)), len(self.copies)) if any_order else len(self.copies), operation)
            return
        self.under_way[self.of.context_of[work.stream]].append(operation)
        operation.branches = [Branch(operation, parts) for parts in work.branches]
        for branch in operation.branches:
            self.step(branch)

    def step(self, branch):
        """The next part of it, or its end."""
        branch.grid = None
        if branch.parts:
            gap = branch.parts[0][0]
            linear = branch.operation.work.is_linear()
            branch.gap = self.draw.randint(0, gap) if linear and self.draw.random() < 0.3 else gap
        else:
            branch.operation.branches.remove(branch)
            if not branch.operation.branches:
                self.under_way[self.of.context_of[branch.operation.work.stream]].remove(branch.operation)
                self.complete(branch.operation)

    def arrive(self, branch):
        work, (_, grid) = branch.operation.work, branch.parts.pop(0)
        stream = self.of.streams[work.stream]
        linear, unit = work.is_linear(), SLOWED if self.of.slowed else 1
        if grid.gang:
            blocks = [self.length(max(grid.blocks))] * len(grid.blocks)
        else:
            blocks = [self.length(block) if linear else block for block in grid.blocks]
        branch.gap, branch.grid = None, Running(branch, grid, [block * unit for block in blocks])
        entry = (stream.level, self.now, self.draw.random() if linear else 0, len(work.branches), branch.grid)
        self.ready.setdefault((self.of.context_of[work.stream], tuple(stream.sms)), []).append(entry)

    def complete(self, operation):
        queue, job = self.queues[operation.work.stream], operation.job
        assert queue.pop(0) is operation
        job.outstanding -= 1
        if queue:
            self.begin(queue[0])
        if job.outstanding > 0:
            return
        if job in self.holder.values():
            if self.of.chosen_early and not job.unissued:
                self.choose(job.task.items[job.at].lock)
            self.sleep(job, job.holds.pop(0) if job.unissued else sum(job.holds), self.issue_unit)
        else:
            self.go_on(job)

    def settle(self):
        moved = True
        while moved:
            moved = False
            while self.releases and self.releases[0].released == self.now:
                self.release(self.releases.pop(0))
                moved = True
            for job in [job for job in self.jobs if job.timer <= self.now]:
                self.jobs.remove(job)
                job.then(job)
                moved = True
            for operation in [operation for operation in self.events if operation.work.kind == "record" or operation.work.event in operation.job.recorded]:
                self.events.remove(operation)
                operation.job.recorded.add(operation.work.event)
                self.complete(operation)
                moved = True
            if self.copies and self.copies[0].left <= 0:
                self.complete(self.copies.pop(0))
                moved = True
            for context in self.on:
                for sm, block in enumerate(context):
                    if block is not None and block[1] <= 0:
                        context[sm] = None
                        block[0].under_way -= 1
                        if block[0].under_way == 0 and not block[0].waiting:
                            self.step(block[0].branch)
                        moved = True
            for operations in self.under_way:
                for branch in [branch for operation in operations for branch in operation.branches if branch.gap == 0]:
                    self.arrive(branch)
                    moved = True

    # ---- the runlist

    def runs(self, context):
        return any(block is not None for block in self.on[context])

    def wants(self, context):
        for operation in self.under_way[context]:
            for branch in operation.branches:
                if self.of.pending or branch.grid is not None:
                    return True
        return False

    def turn(self):
        owner, count = self.owner, len(self.of.contexts)
        if self.switch_left > 0 or (self.draining and self.runs(owner)):
            return
        wanted = owner is not None and not self.draining and self.wants(owner)
        if wanted and self.slice_left > 0:
            return
        first = 0 if owner is None else owner + 1
        others = [c for c in ((first + i) % count for i in range(count)) if c != owner and self.wants(c)]
        if wanted:
            if not others:
                self.slice_left = self.of.contexts[owner].slice
                return
            if self.of.preemption == "block" and self.runs(owner):
                self.draining = True
                return
        self.draining = False
        if not others:
            return
        self.owner, self.slice_left = others[0], self.of.contexts[others[0]].slice
        self.switch_left = self.of.switch if self.several else 0
        self.cold = [operation for operation in self.under_way[self.owner] if operation.left == "begun"]
        self.refill_left, self.refill_when = self.draw.choice((0, self.of.refill)), self.draw.choice(("first", "last", "drain", "any"))

    def refills(self):
        """Does all of the owner stand still for a tick, as something that goes on finds its caches cold? At the beginning of the turn or later."""
        if self.refill_left == 0 or not any(operation in self.under_way[self.owner] for operation in self.cold):
            return False
        late = {"first": False, "last": not self.draining and self.slice_left >= self.refill_left, "drain": not self.draining,
                "any": self.draw.random() < 0.7}
        if late[self.refill_when]:
            return False
        self.refill_left -= 1
        return True

    def dispatch(self, context):
        for (of, sms), queue in self.ready.items():
            queue.sort(key=lambda entry: entry[:4])
            while of == context and queue:
                grid, free = queue[0][-1], [sm for sm in sms if self.on[context][sm] is None]
                if not free or (grid.gang and len(free) < len(grid.waiting)):
                    break
                for sm in free[:len(grid.waiting)]:
                    self.on[context][sm] = [grid, grid.waiting.pop(0)]
                    grid.under_way += 1
                    grid.branch.operation.left = "begun"
                if not grid.waiting:
                    queue.pop(0)

    def stands(self, operation):
        """What others do to it: any time of it, as much in all as was measured of those that are there now."""
        there = {t for t, task in enumerate(self.of.tasks) if any(other.job.task is task for s, queue in enumerate(self.queues)
                                                                    if s != operation.work.stream for other in queue)}
        most = max((factor - 1 for tasks, factor in operation.work.companies if there.issuperset(tasks)), default=0)
        sms = len(self.of.streams[operation.work.stream].sms)
        if operation.stalled >= int(most * operation.work.span(sms)) or self.draw.random() < 0.2:
            return False
        operation.stalled += 1
        return True

    def work(self):
        whole = SLOWED if self.of.slowed else 1  # what a block, or a copy, does in a tick that nothing slows
        pace = 1 if self.copies else whole
        if self.copies:
            self.copies[0].left -= 1 if any(self.runs(context) for context in range(len(self.on))) else whole
        self.turn()
        for operations in self.under_way:
            for branch in (branch for operation in operations for branch in operation.branches):
                if branch.gap is not None:
                    branch.gap -= 1
        if self.owner is None:
            return
        if self.switch_left > 0:
            self.switch_left -= 1
            return
        wanted = not self.draining and self.wants(self.owner)
        self.slice_left -= wanted
        if self.refills():
            return
        if wanted:
            self.dispatch(self.owner)
        standing = [operation for operation in self.under_way[self.owner] if operation.work.companies and self.stands(operation)]
        for block in self.on[self.owner]:
            if block is not None and block[0].branch.operation not in standing:
                block[1] -= whole if block[0].branch.operation.work.companies else pace

    def idle(self):
        """Does nothing happen before a job is released or a thread's timer ends?"""
        return not (self.copies or self.events or any(self.under_way) or self.draining or self.switch_left)

    def run(self):
        while self.now < 2 * LENGTH and (self.releases or self.jobs or not self.idle()):
            self.settle()
            self.issue_late()
            self.work()
            self.now += 1
            if self.idle():
                due = [job.released for job in self.releases[:1]] + [job.timer for job in self.jobs]
                self.now = max([self.now, min(due, default=0)])
        return self.done


# ---- drawn sets

def draw_grid(draw, sms, gangs):
    if gangs and draw.random() < 0.4:
        return Grid([draw.randint(1, 5)] * draw.randint(1, sms), True)
    return Grid([draw.randint(1, 5) for _ in range(draw.randint(1, 3))])


def draw_sequence(draw, stream, sms, kind):
    """plain, linear or branched."""
    def branch():
        count = draw.randint(1, 4)
        return [(draw.choice((0, 0, 1, 3)) if i > 0 else 0, draw_grid(draw, sms, kind == "linear")) for i in range(count)]
    return Work("sequence", stream, [branch() for _ in range(draw.randint(2, 3) if kind == "branched" else 1)])


def draw_task(draw, items, periods=(1, 1.5, 2, 4, 8)):
    work = sum(1 + sum(max(grid.blocks) * len(grid.blocks) for grid in w.grids) if w.branches else w.length
               for item in items for w in (item.works if item.kind == "unit" else [item]))
    return Task(max(3, int(work * draw.choice(periods))), draw.choice((0, 0, work // 4, work)), items)


def draw_works(draw, stream, copying, sms, kind):
    works = []
    for _ in range(draw.randint(1, 2)):
        which = draw.random()
        if which < 0.6:
            works.append(draw_sequence(draw, stream, sms, kind))
        elif which < 0.8:
            works.append(Work("kernel", stream, [[(0, draw_grid(draw, sms, False))]]))
        else:
            works.append(Work("h2d", copying, length=draw.randint(1, 6)))
    return works


def draw_turns(draw):
    """Contexts that take turns, of one stream with kernels each, and some with another one for copies."""
    sms, contexts, tasks = draw.randint(1, 3), [], []
    kind, slowed = draw.choice(("plain", "linear", "branched")), draw.random() < 0.3
    preemption = "block" if kind == "plain" and draw.random() < 0.4 else "instruction"
    slowed = slowed and kind == "plain"
    stream = 0
    for _ in range(draw.choice((1, 2, 2, 3))):
        contexts.append(Context([Stream(0, list(range(sms)))] * draw.choice((1, 2)), draw.choice((3, 6, 12))))
        for _ in range(draw.choice((1, 1, 2))):
            items = draw_works(draw, stream, stream + len(contexts[-1].streams) - 1, sms, kind)
            if draw.random() < 0.3:
                items.insert(1, Work("host", length=draw.randint(1, 4)))
            tasks.append(draw_task(draw, items))
        stream += len(contexts[-1].streams)
    return Set(sms, contexts, tasks, preemption, draw.choice((0, 1, 2)), draw.choice((0, 0, 1, 2)), draw.random() < 0.5, slowed, draw.random() < 0.5)


def kernel(stream, blocks, by_blocks):
    work = Work("kernel", stream, [[(0, Grid(blocks))]])
    work.by_blocks = by_blocks
    return work


def draw_levels(draw):
    """Two contexts that take turns, with kernels of several levels that may have begun when another one comes."""
    sms, contexts, tasks, stream = draw.randint(1, 3), [], [], 0
    for _ in range(2):
        contexts.append(Context([Stream(draw.randint(0, 2), list(range(sms))) for _ in range(draw.choice((1, 2, 2)))], draw.choice((3, 6, 12))))
        for _ in contexts[-1].streams:
            works = [kernel(stream, [draw.randint(1, 5) for _ in range(draw.randint(1, 5))], draw.random() < 0.6) for _ in range(draw.randint(1, 2))]
            tasks.append(draw_task(draw, works))
            tasks[-1].period *= draw.choice((1, 2, 4))
            stream += 1
    return Set(sms, contexts, tasks, draw.choice(("block", "instruction")), draw.choice((0, 1, 2)), draw.choice((1, 2, 2)))


def draw_unit(draw, streams, sms, kind):
    """Work on one of the streams, or copies on another one than the rest, or kernels on any of them; some wait for those before."""
    which, one = draw.random(), draw.choice(streams)
    if which < 0.8 or len(streams) == 1:
        works = draw_works(draw, one, one if which < 0.5 else draw.choice(streams), sms, kind)
    else:
        works = [Work("h2d", draw.choice(streams), length=draw.randint(1, 6)) if draw.random() < 0.3 else
                 kernel(draw.choice(streams), [draw.randint(1, 5) for _ in range(draw.randint(1, 4))], draw.random() < 0.5)
                 for _ in range(draw.randint(2, 4))]
    for i in range(len(works) - 1, 0, -1):
        if works[i].stream != works[i - 1].stream and draw.random() < 0.3:
            works[i:i] = [Work("record", works[i - 1].stream), Work("wait", works[i].stream)]
            works[i].event = works[i + 1].event = f"e{draw.getrandbits(40)}"
    return works


def draw_lock(draw):
    sms, contexts, tasks = draw.randint(1, 3), [], []
    protocol, kind = draw.choice(("priority", "fifo")), draw.choice(("plain", "linear", "branched"))
    stream, slowed = 0, kind == "plain" and draw.random() < 0.5
    for _ in range(draw.choice((1, 2, 3))):
        contexts.append(Context([Stream(draw.randint(0, 2), list(range(sms))) for _ in range(draw.randint(1, 2))], draw.choice((3, 6, 12))))
        for _ in range(draw.choice((1, 1, 2))):
            items = []
            for _ in range(draw.choice((1, 1, 2))):
                works = draw_unit(draw, range(stream, stream + len(contexts[-1].streams)), sms, kind)
                items.append(Unit(works, draw.randint(0, 5), draw.randint(0, 2) if protocol == "priority" else 0))
                if draw.random() < 0.3:
                    items.append(Work("host", length=draw.randint(1, 4)))
            tasks.append(draw_task(draw, items, LOCKED))
            tasks[-1].period *= 2 if slowed else 1
        stream += len(contexts[-1].streams)
    return Set(sms, contexts, tasks, "instruction", draw.choice((0, 1, 2)), draw.choice((0, 1)), draw.random() < 0.5, slowed, protocol=protocol)


def draw_locked_partitions(draw):
    """One process, a lock for each of its partitions; all copies on one engine."""
    sms, streams, tasks = draw.randint(2, 4), [], []
    cut, protocol, kind = draw.randint(1, sms - 1), draw.choice(("priority", "fifo")), draw.choice(("plain", "linear"))
    for name, chosen in (("p", list(range(cut))), ("q", list(range(cut, sms)))):
        for _ in range(draw.choice((1, 2))):
            streams.append(Stream(draw.randint(0, 1), chosen, name))
    for stream in list(range(len(streams))) + [draw.randrange(len(streams))]:
        items = []
        for _ in range(draw.choice((1, 1, 2))):
            of = streams[stream]
            own = [s for s, other in enumerate(streams) if other.partition == of.partition]
            works = draw_unit(draw, own, len(of.sms), kind)
            if draw.random() < 0.5:
                works.append(Work("h2d", draw.choice(own), length=draw.randint(1, 8)))
            items.append(Unit(works, draw.randint(0, 5), draw.randint(0, 2) if protocol == "priority" else 0, of.partition))
        tasks.append(draw_task(draw, items, LOCKED))
    return Set(sms, [Context(streams)], tasks, slowed=kind == "plain" and draw.random() < 0.5, says_longest=draw.random() < 0.5, protocol=protocol)


def draw_partitions(draw):
    """One process; sequences where a partition has one stream."""
    sms, streams, tasks = draw.randint(2, 4), [], []
    cut = draw.randint(1, sms - 1)
    for name, chosen in (("p", list(range(cut))), ("q", list(range(cut, sms)))):
        for _ in range(draw.choice((1, 1, 2))):
            streams.append(Stream(draw.randint(0, 1), chosen, name))
    kind = draw.choice(("plain", "linear", "branched"))
    for stream, of in enumerate(streams):
        alone = sum(other.partition == of.partition for other in streams) == 1
        if alone:
            items = draw_works(draw, stream, stream, len(of.sms), kind)
        else:
            items = [Work("kernel", stream, [[(0, draw_grid(draw, len(of.sms), False))]]) if draw.random() < 0.7 else
                     Work("h2d", stream, length=draw.randint(1, 6)) for _ in range(draw.randint(1, 3))]
        tasks.append(draw_task(draw, items))
    if draw.random() < 0.5:
        add_companies(draw, tasks)
    return Set(sms, [Context(streams)], tasks, slowed=kind == "plain" and draw.random() < 0.5, says_longest=draw.random() < 0.5)


def add_companies(draw, tasks):
    """Of each sequence all others, each alone and all together, those on its own stream left out."""
    for task in tasks:
        for work in (item for item in task.items if item.kind == "sequence"):
            others = [t for t, other in enumerate(tasks) if other is not task and other.items[0].stream != work.stream]
            together = [others] if len(others) > 1 else []
            work.companies = [(one, draw.choice((1, 1.5, 2, 3))) for one in [[t] for t in others] + together]


class Longest:
    """In place of drawn numbers: the greatest; `when` says when caches are refilled."""

    def __init__(self, when):
        self.when = when

    def random(self):
        return 0.5

    def choice(self, values):
        return self.when() if "first" in values else max(values)

    def randint(self, least, most):
        return most


def seen_of(of, seed):
    """The longest response of each task in a run."""
    jobs = Machine(of, random.Random(seed)).run()
    return [max((job.done - job.released for job in jobs if job.task is task), default=0) for task in of.tasks]


class SmallMachine(unittest.TestCase):
    def hold(self, draw_set, least_met):
        bounded = met = 0
        for seed in range(SETS):
            of = draw_set(random.Random(seed))
            bounds = bounds_of(of)
            for run in range(RUNS if any(bounds) else 0):
                for t, seen in enumerate(seen_of(of, 1000 * seed + run)):
                    for bound, value in bounds[t].items():
                        self.assertLessEqual(seen, value, f"set {seed}, run {run}, task t{t}, {bound}")
                        bounded += 1
                        met += seen == value
        self.assertGreater(bounded, 3 * SETS)
        self.assertGreaterEqual(met, least_met)

    def test_turns(self):
        self.hold(draw_turns, SETS)

    def test_levels(self):
        self.hold(draw_levels, 0)

    def test_lock(self):
        self.hold(draw_lock, SETS // 100)

    def test_locked_partitions(self):
        self.hold(draw_locked_partitions, SETS // 10)

    def test_partitions(self):
        self.hold(draw_partitions, SETS)

    def find(self, draw_set, **told):
        """A run that exceeds what is claimed of a set of which less than the truth is told."""
        for seed in range(400):
            of = draw_set(random.Random(seed))
            of.told = told
            if any(getattr(of, name, None) == value for name, value in told.items()):
                continue
            bounds = bounds_of(of)
            if any(seen > min(values.values(), default=seen) for run in range(RUNS) for seen, values in zip(seen_of(of, 1000 * seed + run), bounds)):
                return
        self.fail("nothing was exceeded")

    def test_faults_are_found(self):
        for draw_set, told in ((draw_turns, {"pending": True}), (draw_turns, {"refill": 0}), (draw_turns, {"switch": 0}), (draw_turns, {"slowed": False}),
                               (draw_lock, {"hold": 0}), (draw_locked_partitions, {"hold": 0}), (draw_locked_partitions, {"slowed": False}), (draw_lock, {"switch": 0}), (draw_lock, {"slowed": False}), (draw_partitions, {"measured_on": 4}), (draw_partitions, {"alone": 1})):
            with self.subTest(draw_set=draw_set.__name__, told=told):
                self.find(draw_set, **told)

    def test_operations_that_overlap(self):
        """Y waits for a gap, X for another operation: in the turns of others the gap passes, and Y comes before X, which makes 21 of 19."""
        def sequence(stream):
            return Work("sequence", stream, [[(0, Grid([4])), (0, Grid([10]))], [(0, Grid([1])), (6, Grid([5, 5]))], [(0, Grid([5, 5]))]])
        sms = Stream(0, [0, 1])
        alone = Set(2, [Context([sms])], [Task(1000, 0, [sequence(0)])])
        self.assertEqual(min(bounds_of(alone)[0].values()), 19)
        beside = Set(2, [Context([sms], 6), Context([sms], 3)], [Task(1000, 0, [Work("kernel", 0, [[(0, Grid([200]))]])]), Task(1000, 0, [sequence(1)])],
                     pending=True)
        turns = 7  # of 3 in 19, as many of 6 before them
        self.assertGreater(max(seen_of(beside, run)[1] for run in range(20)), 19 + turns * 6)
        self.assertEqual(bounds_of(beside)[1], {})

    def late(self, of, first, then):
        """The longest response of the first task: everything takes as long as it may; when caches are refilled, in a turn that begins by `at`, and later."""
        at = of.tasks[0].releases[0]
        machine = Machine(of, Longest(lambda: first(machine.owner) if machine.now <= at else then(machine.owner)))
        return max(job.done - job.released for job in machine.run() if job.task is of.tasks[0])

    def test_caches_are_refilled_in_a_window_that_begins_inside_a_turn(self):
        """A block that is over has filled the turn, one that has just begun finds what is left of it cold: 37 where [TURNS] said 36."""
        def of(at):
            tasks = [Task(500, 0, [kernel(0, [7], False)]), Task(600, 0, [kernel(1, [5] * 20, True)]), Task(600, 0, [kernel(2, [1] * 220, True)])]
            for task, released in zip(tasks, (at, 0, 0)):
                task.releases = [released]
            return Set(1, [Context([Stream(0, [0]), Stream(1, [0])], 6), Context([Stream(0, [0])], 6)], tasks, refill=2)
        seen = max(self.late(of(at), lambda owner: "last", lambda owner: "first") for at in range(100, 140))
        self.assertEqual(seen, 37)
        self.assertEqual(bounds_of(of(0))[0]["H"], 38)

    def test_caches_are_refilled_while_blocks_run_out(self):
        """A turn is longer than its slice and its longest block then: 335 where [DILATION] and [TURNS] said 320."""
        tasks = [Task(590, 0, [kernel(0, [1] * 48, True)]), Task(590, 0, [kernel(1, [5] * 40, True)])]
        for task, released in zip(tasks, (3, 0)):
            task.releases = [released]
        of = Set(1, [Context([Stream(0, [0])], 8), Context([Stream(0, [0])], 6)], tasks, "block", refill=5)
        when = lambda owner: "first" if owner == 0 else "drain"
        self.assertEqual(self.late(of, when, when), 335)
        self.assertEqual(min(bounds_of(of)[0].values()), 400)

    def test_copies_beside_kernels_are_charged_once(self):
        """A block and a copy of 10 slow each other to a third, but in the tick in which the block comes. With nothing slowed 20 are claimed."""
        streams = [Stream(0, [0]), Stream(0, [0])]
        of = Set(1, [Context(streams)], [Task(300, 0, [Unit([kernel(0, [10], False), Work("h2d", 1, length=10)], 0, 0)])], slowed=True, protocol="fifo")
        self.assertEqual(max(seen_of(of, run)[0] for run in range(100)), 29)
        self.assertEqual(bounds_of(of)[0], {"LOCK": 30})
        of.told = {"slowed": False}
        self.assertEqual(bounds_of(of)[0], {"LOCK": 20})

    def test_who_is_chosen_has_the_lock(self):
        """Its waking up is its own host time: in that of the one before a third may ask, and finds both ahead of it."""
        def task(period, length, priority, jitter=0):
            return Task(period, jitter, [Unit([Work("kernel", 0, [[(0, Grid([length]))]])], 5, priority)])
        for early in (False, True):
            of = Set(1, [Context([Stream(0, [0])])], [task(300, 2, 0, 20), task(300, 9, 1), task(300, 9, 1)], protocol="priority", chosen_early=early)
            bound = bounds_of(of)[0]["LOCK"]
            self.assertEqual(max(seen_of(of, run)[0] for run in range(400)) > bound, early)

    def test_a_thread_that_is_late_asks_late(self):
        """Its second job, released at 11, asks at 15, as the first one is complete: just when another one of lower priority has been chosen."""
        tasks = [Task(10, 0, [Unit([kernel(0, [3], False)], 0, 0)])] + [Task(300, 0, [Unit([kernel(0, [12], False)], 0, 1)]) for _ in range(2)]
        for task, releases in zip(tasks, ([1, 11], [0], [2])):
            task.releases = releases
        of = Set(1, [Context([Stream(0, [0])])], tasks, protocol="priority")
        self.assertEqual(max(seen_of(of, run)[0] for run in range(20)), 19)
        self.assertEqual(bounds_of(of)[0], {})
        tasks[0].period = 15
        self.assertEqual(bounds_of(of)[0], {"LOCK": 15})


if __name__ == "__main__":
    SERVER.test()
