"""[LEFT-BEHIND]: no run of round robin with slices is longer than a window with what comes in it, and a slice of each other context.

Runs are simulated here, exactly and by nothing of the program. Sets are drawn so that much is left behind as the watched job comes, and releases, times,
slices and periods climb towards long responses. One run that is known is 1 ns below the equation without the slices, which nobody has proved. Half of the
sets have switches, or contexts whose jobs copy, too, by another entry: of these all that may be there counts, by the longest response of the run itself.

usage: left_behind.py SETS STEPS
"""
import collections
import random
import sys
import unittest

SETS, STEPS = map(int, sys.argv[1:3])
LONG = 100_000
# The first context has one job, which comes at `come`. copies: of each context None, or (slice, time, whether before the kernel).
Set = collections.namedtuple("Set", "slices work periods first come switch copies order", defaults=(0, None, None))


def entries_of(drawn):
    """(context, whether of its copies), in the order of turns."""
    copying = [(i, True) for i, copies in enumerate(drawn.copies or ()) if copies]
    return drawn.order or [(i, False) for i in range(len(drawn.slices))] + copying


def slice_of(drawn, entry):
    return drawn.copies[entry[0]][0] if entry[1] else drawn.slices[entry[0]]


def parts_of(drawn, context, time):
    """What a job has done, one after the other: [whether it is a copy, time]."""
    copies = drawn.copies[context] if drawn.copies else None
    if copies is None:
        return [[False, time]]
    return [[True, copies[1]], [False, time]] if copies[2] else [[False, time], [True, copies[1]]]


def response(drawn, jobs):
    """jobs: of each context (release, time), in order. How long the last job of the first context takes, and the longest of each context until then."""
    entries, now, at, last = entries_of(drawn), 0, -1, None
    events = sorted((release, context, time) for context, of in enumerate(jobs) for release, time in of)
    left = [collections.deque() for _ in drawn.slices]  # of each context its jobs: (release, parts)
    place, end, switch, longest = 0, None, 0, [0] * len(drawn.slices)

    def pending(entry):
        parts = left[entry[0]][0][1] if left[entry[0]] else [[None, 0]]
        return parts[0][1] if parts[0][0] == entry[1] else 0
    while True:
        while place < len(events) and events[place][0] <= now:
            release, context, time = events[place]
            left[context].append((release, parts_of(drawn, context, time)))
            place += 1
        upcoming = events[place][0] if place < len(events) else None
        if end is None or now == end or (switch == 0 and not pending(entries[at])):
            waiting = [(at + step) % len(entries) for step in range(1, len(entries) + 1) if pending(entries[(at + step) % len(entries)])]
            if not waiting:
                now, end = upcoming, None
                continue
            at = waiting[0]
            switch, last = 0 if at == last else drawn.switch, at
            end = now + switch + slice_of(drawn, entries[at])
        if switch > 0:
            step = switch if upcoming is None else min(switch, upcoming - now)
            now, switch = now + step, switch - step
            continue
        context = entries[at][0]
        release, parts = left[context][0]
        until = min(end, now + parts[0][1], end if upcoming is None else upcoming)
        parts[0][1] -= until - now
        now = until
        if parts[0][1] == 0:
            parts.pop(0)
        if not parts:
            left[context].popleft()
            longest[context] = max(longest[context], now - release)
            if context == 0 and not left[0]:
                return now - drawn.come, [max([longest[i], *(now - release + 1 for release, _ in of)]) for i, of in enumerate(left)]


def claimed(drawn, behind, longest=None):
    """The least window; behind: so many slices of each context without copies are left from before it; longest: responses, if they are known. None: beyond
    the horizon."""
    turns, window = -(-drawn.work[0] // drawn.slices[0]), 1
    while window < LONG:
        lost, begun = 0, 0
        for entry in entries_of(drawn):
            i, whole = entry[0], slice_of(drawn, entry)
            if i == 0:
                continue
            time = drawn.copies[i][1] if entry[1] else drawn.work[i]
            there = -(-(window + longest[i]) // drawn.periods[i]) if longest else LONG
            wanted = there * time
            if not (drawn.copies and drawn.copies[i]):
                wanted = min(wanted, -(-window // drawn.periods[i]) * time + behind * whole)
            begin = min(turns, wanted // whole + there)
            begun += begin
            lost += min(turns * whole, wanted) + begin * drawn.switch
        all_of_it = drawn.work[0] + lost + min(turns, 1 + begun) * drawn.switch
        if all_of_it <= window:
            return window
        window = all_of_it
    return None


def jobs_of(drawn, until, draw=None):
    """As often as they may come, each for all of its time; with a draw some later, some shorter."""
    jobs = [[(drawn.come, drawn.work[0])]]
    for first, period, work in list(zip(drawn.first, drawn.periods, drawn.work))[1:]:
        release, of = first, []
        while release < until:
            short = draw is not None and draw.random() < 0.1
            of.append((release, draw.randint(1, work) if short else work))
            release += period + (draw.randrange(period) if draw is not None and draw.random() < 0.1 else 0)
        jobs.append(of)
    return jobs


def draw_set(draw):
    count, turns = draw.randint(2, 5), draw.randint(1, 10)
    slices = [draw.randint(1, 20)] + [draw.randint(1, 100) for _ in range(count)]
    work = [draw.randint((turns - 1) * slices[0] + 1, turns * slices[0])] + [draw.choice((1, 1, 2, 3, 20)) * of for of in slices[1:]]
    round_trip = sum(slices)
    periods = [LONG, *(max(1, draw.choice((1, 1, 2, turns)) * round_trip * of // (8 * draw.choice(slices[1:])) + draw.randrange(round_trip)) for of in work[1:])]
    drawn = Set(slices, work, periods, [draw.randrange(4 * round_trip) for _ in slices], draw.randrange(4 * round_trip, 8 * round_trip))
    if draw.random() < 0.5:
        return drawn
    copies = [None] + [(draw.randint(1, 30), draw.randint(1, 60), draw.random() < 0.5) if draw.random() < 0.5 else None for _ in slices[1:]]
    drawn = drawn._replace(switch=draw.choice((0, 1, 3)), copies=copies)
    return drawn._replace(order=draw.sample(entries_of(drawn), len(entries_of(drawn))))


def moved(drawn, draw):
    """Another one nearby, of the same contexts."""
    slices, work, periods, first, come = (list(of) if isinstance(of, list) else of for of in drawn[:5])
    for _ in range(draw.randint(1, 3)):
        i, by = draw.randrange(1, len(slices)), draw.choice((1, 3, 10, 30))
        which, change = draw.randrange(8), draw.randint(-by, by)
        if which < 3:
            first[i] = max(0, first[i] + change)
        elif which < 5:
            periods[i] = max(1, periods[i] + change)
        elif which == 5:
            come = max(0, come + change)
        else:
            slices[i] = max(1, slices[i] + change)
            work[i] = max(1, work[i] + (change if which == 6 else 0))
    return drawn._replace(slices=slices, work=work, periods=periods, first=first, come=come)


class LeftBehind(unittest.TestCase):
    kinds = collections.Counter()

    def check(self, drawn, draw=None):
        """How far a run is above the equation without slices; None where there is none to speak of."""
        most = claimed(drawn, 1)
        copied = [copies[1] if copies else 0 for copies in drawn.copies or [None] * len(drawn.work)]
        load = sum((work + copy) / period for work, copy, period in list(zip(drawn.work, copied, drawn.periods))[1:])
        if most is None or most > 10_000 or load > 1:
            return None
        seen, longest = response(drawn, jobs_of(drawn, drawn.come + most, draw))
        self.assertLessEqual(seen, claimed(drawn, 1, longest), drawn)
        self.kinds[drawn.switch > 0, any(copied)] += 1
        return seen - (claimed(drawn, 0, longest) if drawn.switch or any(copied) else claimed(drawn, 0))

    def test_climb(self):
        draw, tried = random.Random(1), 0
        for _ in range(SETS):
            drawn = draw_set(draw)
            best = self.check(drawn)
            while best is None:
                drawn = draw_set(draw)
                best = self.check(drawn)
            for _ in range(STEPS):
                other = moved(drawn, draw)
                above = self.check(other)
                self.check(other, draw)
                tried += above is not None
                if above is not None and above >= best:
                    drawn, best = other, above
        self.assertGreater(tried, SETS)
        self.assertGreater(min(self.kinds[switched, copied] for switched in (False, True) for copied in (False, True)), SETS)

    def test_one_below(self):
        """Slices of 10, 100, 50, 100 and 70 in this order; the second context is never done. 91 has ten slices, in the window are ten turns of the
        second one, nine jobs of 50 and of 100, and one of 70."""
        drawn = Set([10, 100, 50, 100, 70], [91, 1200, 50, 100, 70], [LONG, LONG, 279, 279, 2511], [0, 580, 681, 681, 670], 1001)
        self.assertEqual(claimed(drawn, 0), 91 + 10 * 100 + 9 * 50 + 9 * 100 + 70)
        self.assertEqual(claimed(drawn, 1), 91 + 10 * 100 + 10 * 50 + 10 * 100 + 3 * 70)
        self.assertEqual(self.check(drawn), -1)
        before = drawn._replace(periods=[LONG, LONG, 400, 400, 5000])
        self.assertLess(self.check(before), -1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
