"""[LEFT-BEHIND]: no run of round robin with slices is longer than a window with what comes in it, and a slice of each other context.

Runs are simulated here, exactly and by nothing of the program. Sets are drawn so that much is left behind as the watched job comes, and releases, times,
slices and periods climb towards long responses. One run that is known is 1 ns below the equation without the slices, which nobody has proved.

usage: left_behind.py SETS STEPS
"""
import collections
import random
import sys
import unittest

SETS, STEPS = map(int, sys.argv[1:3])
LONG = 100_000
Set = collections.namedtuple("Set", "slices work periods first come")  # the first context has one job, which comes at `come`


def response(drawn, jobs):
    """jobs: of each context (release, time), in order. How long the last job of the first context takes."""
    count, now, at = len(drawn.slices), 0, len(drawn.slices) - 1
    events = sorted((release, context, time) for context, of in enumerate(jobs) for release, time in of)
    left, place, end = [0] * count, 0, None
    while True:
        while place < len(events) and events[place][0] <= now:
            left[events[place][1]] += events[place][2]
            place += 1
        upcoming = events[place][0] if place < len(events) else None
        if end is None or left[at] == 0 or now == end:
            waiting = [(at + step) % count for step in range(1, count + 1) if left[(at + step) % count]]
            if not waiting:
                now, end = upcoming, None
                continue
            at, end = waiting[0], now + drawn.slices[waiting[0]]
        until = min(end, now + left[at], end if upcoming is None else upcoming)
        left[at] -= until - now
        now = until
        if at == 0 and left[0] == 0:
            return now - drawn.come


def claimed(drawn, behind):
    """The least window; behind: so many slices of each other context are left from before it. None: beyond the horizon."""
    turns, window = -(-drawn.work[0] // drawn.slices[0]), 1
    while window < LONG:
        others = [min(turns * drawn.slices[i], -(-window // drawn.periods[i]) * drawn.work[i] + behind * drawn.slices[i]) for i in range(1, len(drawn.work))]
        if drawn.work[0] + sum(others) <= window:
            return window
        window = drawn.work[0] + sum(others)
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
    return Set(slices, work, periods, [draw.randrange(4 * round_trip) for _ in slices], draw.randrange(4 * round_trip, 8 * round_trip))


def moved(drawn, draw):
    """Another one nearby, of the same contexts."""
    slices, work, periods, first, come = (list(of) if isinstance(of, list) else of for of in drawn)
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
    return Set(slices, work, periods, first, come)


class LeftBehind(unittest.TestCase):
    def check(self, drawn, draw=None):
        """How far a run is above the equation without slices; None where there is none to speak of."""
        most = claimed(drawn, 1)
        if most is None or most > 10_000 or sum(work / period for work, period in zip(drawn.work[1:], drawn.periods[1:])) > 1:
            return None
        seen = response(drawn, jobs_of(drawn, drawn.come + most, draw))
        self.assertLessEqual(seen, most, drawn)
        return seen - claimed(drawn, 0)

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
