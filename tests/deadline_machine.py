"""Threads of SCHED_DEADLINE on cores: the small machine of cores.py with reservations above its priorities, written from the words of A-CORE and
A-DEADLINE and from what Linux does (Documentation/scheduler/sched-deadline.rst), tick by tick.

- the rules of a reservation by hand: when it is given runtime, when it waits, what a wake-up leaves of it
- no run of a drawn set takes a job or a host segment beyond its bound, and runs that are sought meet many
- each planted fault is found by a run; so is a bound too low where what may not be preempted goes on behind the runtime for longer than the core's
  sched-overrun, which A-DEADLINE excludes

usage: deadline_machine.py GPUBOUND SOURCE_ROOT SERVE [SETS [STEPS [FIRST]]]
(SERVE: gpubound as a server, tests/serve.c; STEPS: runs of each set; FIRST: seed of the first set)
"""
import fractions
import random
import re
import sys
import unittest

import cores
from cores import Set, Task, host, kernel
from own_segments import SERVER
from served import Server

PLANTED = Server(sys.argv[3], sys.argv[2])  # a process of its own: it keeps the fault

ROW = re.compile(r"^t(\d+) +\S.*? [A-Z-]+ +(\d+)\b", re.M)  # of falsify: a task and its bound
SETS, STEPS, FIRST = (int(sys.argv[i]) if len(sys.argv) > i else absent for i, absent in ((4, 40), (5, 60), (6, 0)))


class Reservation:
    """left: of its runtime up to its absolute deadline `until`; below 0 where its thread went on, as the scheduler, or what may not be preempted, was late.
    unit: whole ones are compared when its thread wakes; 1: exactly."""

    def __init__(self, runtime, deadline, period, unit=1):
        self.runtime, self.deadline, self.period, self.unit = runtime, deadline, period, unit
        self.left, self.until, self.throttled, self.tie = 0, -deadline - period, False, 0

    def next(self):
        """When its next period begins."""
        return self.until - self.deadline + self.period

    def renew(self, now):
        self.left, self.until, self.throttled = self.runtime, now + self.deadline, False

    def replenish(self, now):
        self.throttled = False
        while self.left <= 0:
            self.until += self.period
            self.left += self.runtime
        if self.until < now:
            self.renew(now)

    def wake(self, now):
        """Its thread becomes ready."""
        implicit = self.deadline == self.period
        if self.throttled:
            return
        if self.until <= now and (implicit or now >= self.next()):
            self.renew(now)
        elif self.until <= now:
            self.left, self.throttled = 0, True
        elif (self.left // self.unit) * (self.deadline // self.unit) > (self.runtime // self.unit) * ((self.until - now) // self.unit):
            if implicit:
                self.renew(now)
            else:
                self.left = self.revised(now)
                self.throttled = self.left == 0

    def revised(self, now):
        if self.unit == 1:
            return self.runtime * (self.until - now) // self.deadline
        return (self.runtime * 2**20 // self.deadline) * (self.until - now) >> 20

    def execute(self, overrun):
        """For a tick; overrun: how long it goes on at most."""
        self.left -= 1
        self.throttled = self.left <= -overrun


class Machine(cores.Machine):
    exceeds = False  # may what is not preempted go on when the runtime is used up? A-DEADLINE says no.

    def __init__(self, of, draw, phases=None):
        self.length = 6 * max(task.period for task in of.tasks)
        near = max((sum(task.reservation) for task in of.tasks if task.reservation), default=0)
        super().__init__(of, draw, phases or [draw.randint(0, draw.choice((0, near, task.period))) for task in of.tasks])
        self.reservations = [Reservation(*task.reservation, of.unit[task.core]) if task.reservation else None for task in of.tasks]
        self.awake = [False] * len(of.tasks)  # was its thread ready in the tick before?
        self.executed = [[] for _ in of.tasks]  # ticks in which its thread was
        self.late = [0] * len(of.tasks)  # how long behind its deadline a runtime was used up at most
        self.overrun = [0] * len(of.tasks)  # how long its thread is to go on when its runtime is used up
        self.came = set()  # who became ready, or was given runtime, in this one
        self.latency = [draw.choice((0, 0, draw.randint(0, blocking))) if blocking > 0 else 0 for blocking in of.blocking]  # of blocking, what wakes threads

    def after(self, now):
        """Without a job the next thing is a release; what is given runtime until then sleeps."""
        if any(self.waiting) or any(self.streams) or any(self.blocked):
            return now + 1
        until = max(now + 1, self.releases[0][0]) if self.releases else 2 * self.length
        for t in range(len(self.of.tasks)):
            self.stop(t, now + 1)
        self.executing = [None] * len(self.executing)
        self.awake = [False] * len(self.awake)
        for reservation in self.reservations:
            if reservation is not None and reservation.throttled and reservation.next() < until:
                reservation.replenish(reservation.next())
        return until

    def reservation(self, job):
        return self.reservations[self.of.tasks.index(job.task)]

    def renewed(self, t):
        self.came.add(t)
        if self.reservations[t] is not None:
            self.reservations[t].tie = self.draw.random()
        most = self.of.overrun[self.of.tasks[t].core]
        if most > 0:
            self.overrun[t] = self.draw.choice((0, most, most, self.draw.randint(0, most)))

    def pend(self, job, now):
        """A thread that goes on with the next thing at once may not sleep at all, or for an instant."""
        t = self.of.tasks.index(job.task)
        if self.awake[t] and self.draw.random() > 0.1:
            job.ready = now
            return
        if job.wakes is None:
            job.late = self.some_latency(t, job.task.core)
            job.wakes = now + job.late
        if job.wakes <= now:
            job.ready, job.wakes = now, None
            if self.reservations[t] is not None:
                self.stop(t, now)
                self.reservations[t].wake(now)
            self.renewed(t)

    def rank(self, job):
        reservation = self.reservation(job)
        return (1, -job.task.priority, job.ready) if reservation is None else (0, reservation.until, reservation.tie)

    def execute(self, core):
        ready = []
        for t, task in enumerate(self.of.tasks):
            if task.core != core:
                continue
            reservation = self.reservations[t]
            if reservation is not None and reservation.throttled and reservation.next() <= self.now:
                reservation.replenish(self.now)
                self.renewed(t)
            job = self.waiting[t][0] if self.waiting[t] else None
            self.awake[t] = self.wants(job) and job.ready is not None
            if not self.awake[t]:
                self.stop(t, self.now)
            if self.awake[t] and not (reservation is not None and reservation.throttled):
                ready.append((t, job))
        self.choose(core, ready)
        self.came -= {t for t, task in enumerate(self.of.tasks) if task.core == core}
        self.tick(core)

    def stop(self, t, now):
        """It is found to have no runtime left, and is late where a period is over."""
        reservation = self.reservations[t]
        if reservation is not None and reservation.left <= 0 and not reservation.throttled and reservation.until > -1:
            reservation.throttled = True
            if reservation.next() <= now:
                reservation.replenish(now)

    def choose(self, core, ready):
        """What may not be preempted began just before, if somebody who came is before all others: the first one's of these, or nobody's."""
        if self.blocked[core] > 0:
            return
        first = min((job for _, job in ready), key=self.rank, default=None)
        others = [job for t, job in ready if t not in self.came]
        if first is not None and first not in others:
            self.blocked[core] = self.some_blocking(core)
            self.executing[core] = min(others, key=self.rank, default=None)
        if self.blocked[core] == 0:
            before, self.executing[core] = self.executing[core], first
            if before is not None and before is not first:
                self.stop(self.of.tasks.index(before.task), self.now)  # it is preempted, if it was not over

    def some_latency(self, t, core):
        """All of the core's blocking at times, where nobody else's would be more by what has passed."""
        alone = self.blocked[core] == 0 and not any(self.waiting[other] for other, task in enumerate(self.of.tasks) if other != t and task.core == core)
        latency = self.of.blocking[core] if alone and self.draw.random() < 0.2 else self.latency[core]
        return self.draw.choice((0, latency, latency)) if latency > 0 else 0

    def some_blocking(self, core):
        late = (job.late for jobs in self.waiting for job in jobs[:1] if job.task.core == core)
        most = self.of.blocking[core] - max(self.latency[core], *late, 0)
        return self.draw.choice((0, most, most)) if most > 0 else 0

    def tick(self, core):
        job = self.executing[core]
        self.progress(job)
        over = job is not None and (job.at == len(job.left) or job.left[job.at] == 0)
        self.blocked[core] = 0 if over else max(0, self.blocked[core] - 1)
        reservation = None if job is None else self.reservation(job)
        if reservation is None:
            return
        t = self.of.tasks.index(job.task)
        self.executed[t].append(self.now)
        reservation.execute(self.overrun[t])
        if reservation.left <= 0:
            self.late[t] = max(self.late[t], self.now + 1 - reservation.until)
        if reservation.throttled and not self.exceeds:
            self.blocked[core] = 0
        elif reservation.throttled and not over and self.blocked[core] == 0:
            self.blocked[core] = self.some_blocking(core)  # it began just before, and what was executed in it is taken off the next runtime
        if reservation.throttled and reservation.next() <= self.now + 1:
            reservation.replenish(self.now + 1)  # it was late, and goes on at once


class Tape:
    """Draws that can be made again, all but some."""

    def __init__(self, seed, values=()):
        self.source, self.values, self.at = random.Random(seed), list(values), 0

    def random(self):
        if self.at == len(self.values):
            self.values.append(self.source.random())
        self.at += 1
        return self.values[self.at - 1]

    def choice(self, of):
        return of[int(self.random() * len(of))]

    def randint(self, least, most):
        return least + int(self.random() * (most - least + 1))

    def sample(self, of, count):
        """All of them, in an order of no account."""
        of = list(of)
        first = int(self.source.random() * count) if count else 0
        return of[first:] + of[:first]

    def changed(self, seed):
        """The first ones, which are the phases, are as often changed as all the rest."""
        draw = random.Random(seed)
        values = list(self.values)
        for _ in range(draw.choice((1, 1, 2, 4))):
            values[int(len(values) * draw.random() ** draw.choice((1, 4)))] = draw.random()
        return Tape(seed, values)


# ---- the analysis


class Case(cores.Case):
    def numbers(self, of):
        """[task]: bounds of its jobs; {(task, place)}: of a host segment."""
        report, jobs = self.verified(of)
        found = re.findall(r'rule="(?:host|reserved)-response" about="task:t(\d+)/op:o\d+_(\d+)" value="(\d+)"', report)
        return jobs, {(int(t), int(place)): int(value) for t, place, value in found}

    def planted(self, of, plant):
        """The same with a planted fault, of jobs alone: falsify prints it."""
        (self.folder / "s.xml").write_text(of.xml())
        made = PLANTED.run(["falsify", f"--plant={plant}", "--systems=1", "--runs=1", "--no-shrink", "s.xml"], self.folder)
        self.assertIn(made.returncode, (0, 1), made.stderr)
        found = {int(task): [int(value)] for task, value in ROW.findall(made.stdout)}
        return [found.get(t, []) for t in range(len(of.tasks))], {}


class ByHand(unittest.TestCase):
    def at(self, parameters, left, until):
        reservation = Reservation(*parameters)
        reservation.left, reservation.until = left, until
        return reservation

    def test_first(self):
        reservation = Reservation(2, 5, 8)
        reservation.wake(0)
        self.assertEqual((reservation.left, reservation.until, reservation.throttled), (2, 5, False))

    def test_wakes(self):
        """(parameters, left, until), then what a wake-up at 10 leaves: (left, until, throttled)."""
        for parameters, left, until, expected in (((4, 8, 8), 2, 14, (2, 14, False)), ((4, 8, 8), 3, 14, (4, 18, False)), ((4, 8, 8), 1, 10, (4, 18, False)),
                                                  ((4, 8, 12), 3, 14, (2, 14, False)), ((4, 8, 12), 3, 13, (1, 13, False)), ((4, 8, 12), 3, 11, (0, 11, True)),
                                                  ((4, 8, 12), 3, 9, (0, 9, True)), ((4, 8, 12), 3, 7, (0, 7, True)), ((4, 8, 12), 3, 6, (4, 18, False))):
            reservation = self.at(parameters, left, until)
            reservation.wake(10)
            self.assertEqual((reservation.left, reservation.until, reservation.throttled), expected, (parameters, left, until))

    def test_used_up(self):
        reservation = self.at((4, 8, 12), 1, 10)
        reservation.execute(0)
        self.assertEqual((reservation.throttled, reservation.next()), (True, 14))
        reservation.wake(12)
        self.assertTrue(reservation.throttled)
        reservation.replenish(14)
        self.assertEqual((reservation.left, reservation.until, reservation.throttled), (4, 22, False))

    def test_exceeded(self):
        """What was executed beyond is missing later."""
        reservation = self.at((2, 4, 4), -1, 10)
        reservation.replenish(10)
        self.assertEqual((reservation.left, reservation.until), (1, 14))
        reservation = self.at((2, 4, 4), -2, 10)
        reservation.replenish(10)
        self.assertEqual((reservation.left, reservation.until), (2, 18))

    def test_overrun(self):
        """2 in 8, and 1 behind them, which the next runtime lacks: [0, 3), [8, 10), [16, 17)."""
        of = Set([0], [Task(100, 0, 0, [host(6)], reservation=(2, 6, 8)), Task(100, 0, 99, [host(20)])], overrun=[1])
        machine = Machine(of, Tape(1), (0, 0))
        machine.renewed = lambda t: machine.overrun.__setitem__(t, 1)
        machine.run()
        self.assertEqual(machine.responses, [17, 26])

    def test_preempted_in_an_overrun(self):
        """t1 comes at 2 with an earlier deadline: t0 [0, 2), t1 [2, 3), t0 is due at 8."""
        of = Set([0], [Task(100, 0, 0, [host(3)], reservation=(2, 8, 8)), Task(100, 0, 0, [host(1)], reservation=(2, 4, 4))], overrun=[1])
        machine = Machine(of, Tape(1), (0, 2))
        machine.renewed = lambda t: machine.overrun.__setitem__(t, 1)
        machine.run()
        self.assertEqual(machine.responses, [9, 1])

    def test_above_priorities(self):
        """C = 5 of 2 in 6 at once, beside C = 20 at the highest priority: [0, 2), [6, 8), [12, 13)."""
        of = Set([0], [Task(100, 0, 0, [host(5)], reservation=(2, 6, 6)), Task(100, 0, 99, [host(20)])])
        machine = Machine(of, Tape(1), (0, 0))
        machine.run()
        self.assertEqual(machine.responses, [13, 25])

    def test_earliest_deadline_first(self):
        """t0 [0, 3); t1 [3, 7), as its deadline 10 is before t0's 12 from 6 on; t0 [7, 10)."""
        of = Set([0], [Task(100, 0, 0, [host(6)], reservation=(3, 6, 6)), Task(100, 0, 0, [host(4)], reservation=(5, 10, 10))])
        machine = Machine(of, Tape(1), (0, 0))
        machine.run()
        self.assertEqual(machine.responses, [10, 7])

    def test_spins_its_runtime_up(self):
        """[0, 1) executed, [1, 3) spun, and the kernel ends at 4: the next runtime is there at 9."""
        for spins, expected in ((True, 10), (False, 5)):
            of = Set([0], [Task(100, 0, 0, [host(1), kernel(3), host(1)], spins, reservation=(3, 9, 9))])
            machine = Machine(of, Tape(1), (0,))
            machine.run()
            self.assertEqual(machine.responses, [expected])


class Arithmetic(unittest.TestCase):
    """What Linux' units of 1,024 ns make of the rules (dl_entity_overflow, update_dl_revised_wakeup of kernel/sched/deadline.c): figures of doc/theory/reservations.md."""

    def executed(self, runtime, deadline, period, executes, every):
        """(in how long, so much, of so many wake-ups), in ns, by a thread that is always served at once, executes so long and sleeps until so long after it woke."""
        now, left, until, had, woke = 0, 0, -period, 0, 0
        while now < 1_000_000_000:
            wakes, implicit, woke = now, deadline == period, woke + 1
            if until < now:
                now = now if implicit else max(now, until - deadline + period)
                left, until = runtime, now + deadline
            elif (deadline >> 10) * (left >> 10) > (until - now >> 10) * (runtime >> 10):
                left, until = (runtime, now + deadline) if implicit else (((runtime << 20) // deadline) * (until - now) >> 20, until)
            needs = executes
            while needs > left:
                needs, had = needs - left, had + left
                now, until, left = max(now + left, until - deadline + period), until + period, runtime
            now, needs, left, had = max(now + needs, wakes + every), 0, left - needs, had + needs
        return now, had, woke

    def test_shares(self):
        """Of a reservation of 25.0 percent, whether or not its period is its deadline: more than exact rules allow, and no more than 2,048 ns for each wake-up."""
        for period, executes, every, expected in ((4_000_000, 1_578, 5_000, "31.6"), (4_000_000, 5_041, 20_000, "25.2"), (4_001_000, 1_296, 4_096, "28.3")):
            window, had, woke = self.executed(1_000_000, 4_000_000, period, executes, every)
            self.assertEqual(f"{100 * had / window:.1f}", expected)
            self.assertGreater(had, most((1_000_000, 4_000_000, period), 0, 0, window))
            self.assertLessEqual(had, most((1_000_000, 4_000_000, period), 0, 0, window, 2_048 * woke))

    def test_raised(self):
        """A thread that chooses when to wake: just as a unit of the time to its deadline begins, with so much left that one unit more is too much."""
        runtime, deadline, now, had, woke = 1_000_000, 4_000_000, 0, 0, 0
        left = runtime
        while deadline - now > 20_000:
            ahead = []
            for time in range((deadline - now >> 10) - 8, deadline - now >> 10):
                wakes, least = deadline - (time * 1_024 + 1_023), 1_024 * (time * (runtime >> 10) // (deadline >> 10) + 1)
                if 0 < left - least <= wakes - now:
                    ahead.append(((left - least) / (wakes - now), wakes, least))
            _, now, least = max(ahead)
            had, woke, left = had + left - least, woke + 1, (runtime * 2**20 // deadline) * (deadline - now) >> 20
            self.assertGreater(left, least)
        self.assertEqual((had, woke), (1_492_621, 1_460))
        self.assertLessEqual(had, runtime + 2_048 * woke)


# ---- the search


def draw_thread(draw, core, room):
    deadline = draw.randint(2, 14)
    most = min(int(room * deadline), deadline)
    if most == 0:
        return None
    runtime = draw.choice((most, draw.randint(1, most)))
    period = deadline + draw.choice((0, 0, draw.randint(1, 6)))
    items = [host(draw.randint(1, 2 * runtime), draw.randint(0, 1))]
    for _ in range(draw.choice((0, 1, 1, 1, 2))):
        items.append(kernel(draw.choice((draw.randint(1, 12), draw.randint(1, 4 * period))), 1))
        if draw.random() < 0.9:
            items.append(host(draw.choice((1, draw.randint(1, runtime), draw.randint(1, 3 * runtime))), draw.randint(0, 1)))
    return Task(1, core, 0, items, draw.random() < 0.3, reservation=(runtime, deadline, period))


def draw_set(draw, most=fractions.Fraction(1)):
    """most: of all reservations of a core."""
    tasks, count = [], draw.choice((1, 1, 2))
    for core in range(count):
        room = most
        for _ in range(draw.randint(1, 3)):
            task = draw_thread(draw, core, room)
            if task is not None:
                tasks.append(task)
                room -= fractions.Fraction(task.reservation[0], task.reservation[1])
        if room > 0 and draw.random() < 0.5:
            runtime, _, period = draw.choice([(0, 1, 3)] + [task.reservation for task in tasks if task.core == core])
            items = [host(max(1, period - runtime + draw.randint(-2, 3)), draw.randint(0, 1))]
            if draw.random() < 0.6:
                items += [kernel(draw.randint(1, 12), 1), host(draw.randint(1, 6))]
            tasks.append(Task(1, core, draw.randint(1, 3), items, draw.random() < 0.3))
    for task in tasks:
        floods = task.reservation is not None and draw.random() < 0.15  # jobs come without end: no bound, but for those below it
        total = sum(item.most for item in task.items)
        task.period = total // 2 + 1 if floods else total * draw.choice((3, 6, 10, 20)) + draw.randint(0, 40)
        task.jitter = draw.choice((0, 0, task.period // 4))
    short = [t for t, task in enumerate(tasks) if task.has_short_segments()]
    for t in short[1:]:
        tasks[t].stream = draw.choice((None, None, short[0]))
    of = Set([draw.choice((0, 0, 1, 2)) for _ in range(count)], tasks, draw.choice((None, None, 0, 3)))
    units = random.Random(of.xml())  # seldom, as there is no bound where the reservations are all of a core
    of.unit = [units.choice((1, 1, 1, 1, 1, 1, 2, 3)) for _ in range(count)]
    for core in range(count):
        reservations = [task.reservation for task in tasks if task.core == core and task.reservation]
        if reservations and draw.random() < 0.4:
            of.overrun[core] = draw.choice((1, max(1, min(runtime for runtime, _, _ in reservations) - 1)))
    return of


def lateness(of, core):
    """How long behind its deadline a runtime is used up; None: nothing is claimed."""
    reservations = [task.reservation for task in of.tasks if task.core == core and task.reservation]
    late = of.blocking[core] + len(reservations) * of.overrun[core]
    if of.unit[core] > 1:
        given = [wakes(of, task, task.reservation[2]) for task in of.tasks if task.core == core and task.reservation]
        share = [fractions.Fraction(runtime, deadline) + fractions.Fraction(more or 0, period) for (runtime, deadline, period), more in zip(reservations, given)]
        if None in given or sum(share) > 1:
            return None
        late += sum(given) + 2 * of.unit[core] * len(given)
    return None if of.overrun[core] and any(of.overrun[core] >= runtime or late > period for runtime, _, period in reservations) else late


def tightened(draw, of, jobs):
    """Jobs that come as often as they may."""
    for t, task in enumerate(of.tasks):
        if jobs[t] and draw.random() < 0.7:
            task.period = max(1, min(task.period, min(jobs[t]) + task.jitter + draw.choice((0, 0, 1))))


def compared(machine, jobs, segments):
    """{(task, None) or (task, place of a host segment)}: the longest time of the run in its bound."""
    near = {(t, None): fractions.Fraction(response, min(jobs[t])) for t, response in enumerate(machine.responses) if jobs[t]}
    near.update({which: fractions.Fraction(took, segments[which]) for which, took in machine.segments.items() if which in segments})
    return near


def climb(of, numbers, seed, steps):
    """How near any of so many runs came to each bound. Each begins near the last one that did not come less near to one bound, now and then
    anew, to another bound."""
    draw, tape, nearest = random.Random(seed), None, {}
    for step in range(steps):
        other = Tape(1000 * seed + step) if step % 20 == 0 else tape.changed(1000 * seed + step)
        machine = Machine(of, other)
        machine.run()
        near = compared(machine, *numbers)
        if not near:
            return nearest
        nearest = {which: max(nearest.get(which, 0), near.get(which, 0)) for which in {*nearest, *near}}
        if step % 20 == 0:
            target, tape = draw.choice(sorted(near, key=str)), other
            best = near[target]
        elif near.get(target, 0) >= best:
            best, tape = near[target], other
    return nearest


def wakes(of, task, window):
    """What its wake-ups in it give, of which there are as many as its segments' least times let there be; None: nothing says so."""
    least, segments = (sum(measure(item) for item in task.items if item.kind == "host") for measure in (lambda item: item.least, lambda item: 1))
    if of.unit[task.core] == 1:
        return 0
    return 2 * of.unit[task.core] * segments * (2 + window // least) if least > 0 else None


def most(reservation, late, overrun, window, given=0):
    """What a thread with the reservation executes in it."""
    runtime, deadline, period = reservation
    reach = window + deadline + late - runtime
    return overrun + given + (-(-reach // period) * runtime if deadline < period else runtime + reach * runtime // period)


class Search(Case):
    def test_runtimes(self):
        """[RESERVATION] (a) and (d), of threads that come without end, too: lateness and what a window holds are no more, and as much."""
        late, full, overrun = 0, 0, 0
        for seed in range(FIRST, FIRST + SETS):
            of = draw_set(random.Random(seed))
            for step in range(STEPS // 8):
                machine = Machine(of, Tape(1000 * seed + step))
                machine.run()
                for t, task in enumerate(of.tasks):
                    most_late = lateness(of, task.core)
                    if task.reservation is None or most_late is None or most_late > task.reservation[2]:
                        continue
                    self.assertLessEqual(machine.late[t], most_late, f"set {seed}, step {step}, task t{t}\n{of.xml()}")
                    late += 0 < machine.late[t] == most_late
                    executed = machine.executed[t]
                    for i, first in enumerate(executed):
                        begins = first - 1 not in executed[max(0, i - 1):i]
                        for count, last in enumerate(executed[i:i + 4 * task.reservation[0]] if begins else (), 1):
                            bound = most(task.reservation, most_late, of.overrun[task.core], last + 1 - first, wakes(of, task, last + 1 - first))
                            self.assertLessEqual(count, bound, f"set {seed}, step {step}, task t{t}, from {first} to {last}\n{of.xml()}")
                            full += count == bound
                            overrun += count == bound and of.overrun[task.core] > 0
        self.assertGreater(late, 0)
        self.assertGreater(full, SETS)
        self.assertGreater(overrun, 0)

    def test_no_run_exceeds(self):
        reserved, met = [], 0
        for seed in range(FIRST, FIRST + SETS):
            draw = random.Random(seed)
            of = draw_set(draw)
            tightened(draw, of, self.numbers(of)[0])
            nearest = climb(of, self.numbers(of), seed, STEPS)
            for which, value in nearest.items():
                self.assertLessEqual(value, 1, f"set {seed}, task t{which[0]}, place {which[1]}\n{of.xml()}")
            reserved += [value for (t, _), value in nearest.items() if of.tasks[t].reservation]
        met = reserved.count(1)
        print(f"sets {FIRST} to {FIRST + SETS - 1}, {STEPS} runs each: {len(reserved)} bounds of threads with reservations, {met} of them met")
        self.assertGreater(len(reserved), SETS)
        self.assertGreater(met, SETS // 2)

    def test_plants(self):
        """Each is found in a drawn set; the last three in a thread below another one, which wakes with 1 left of 3, and gets 3 when its period is over, or spins for 4 and an
        overrun of 3, or executes 7 of each 8, as each wake-up gives it 15 anew."""
        twice = Set([0], [Task(300, 0, 0, [host(1), kernel(3), host(20)], reservation=(3, 8, 9)), Task(300, 0, 1, [host(5)])])
        past = Set([0], [Task(300, 0, 0, [host(1), kernel(20)], True, reservation=(4, 4, 9)), Task(300, 0, 1, [host(1)])], overrun=[3])
        units = Set([0], [Task(1000, 0, 0, [host(7), kernel(1)] * 12 + [host(7)], reservation=(15, 24, 24)), Task(1000, 0, 1, [host(12)])], unit=[8])
        for plant, most, sets, steps in (("throttled", 1, None, 20), ("reservations", 3, None, 20), ("unthrottled", 1, None, 20), ("replenished", 1, twice, 300),
                                          ("past-runtime", 1, past, 300), ("exact-units", 1, units, 20)):
            for seed in range(200):
                draw = random.Random(seed)
                of = sets or draw_set(draw, fractions.Fraction(most))
                tightened(draw, of, self.planted(of, plant)[0])
                nearest = climb(of, self.planted(of, plant), seed, steps)
                if any(value > 1 for value in nearest.values()):
                    print(f"{plant}: set {seed}")
                    break
            else:
                self.fail(plant)

    def test_woken_late_before(self):
        """A job's thread is woken late by all of the blocking, and the next one's runtime comes that much late; then the core is blocked as long."""
        of = Set([4], [Task(20, 0, 0, [host(2)], reservation=(3, 8, 20)), Task(40, 0, 0, [host(5)], reservation=(5, 8, 8))])
        self.assertEqual(climb(of, self.numbers(of), 1, 600)[0, None], 1)
        self.assertGreater(climb(of, self.planted(of, "punctual"), 1, 100)[0, None], 1)

    def test_runtime_is_enforced(self):
        """What A-DEADLINE excludes: what may not be preempted goes on behind the runtime, and the next one is shorter by that."""
        of = Set([1], [Task(400, 0, 0, [host(14), kernel(2), host(13)], reservation=(13, 13, 19))])
        numbers = self.numbers(of)
        Machine.exceeds = True
        try:
            nearest = climb(of, numbers, 1, 300)
        finally:
            Machine.exceeds = False
        self.assertGreater(nearest[0, 2], 1)
        self.assertLessEqual(max(climb(of, numbers, 1, 300).values()), 1)


if __name__ == "__main__":
    try:
        SERVER.test()
    finally:
        PLANTED.close()
