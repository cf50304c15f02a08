"""Threads under SCHED_DEADLINE: numbers by hand of doc/theory/cores.md, [RESERVATION], and reports that claim too little. Runs against these bounds: cores.py, falsify-cores.

- a segment's time is that of its own reservation: it waits for a new runtime unless it cannot use up one, and other threads change nothing
- threads with a priority pay for the jobs of a reservation or for its runtimes, whichever is less, and for these alone where nothing is known of the jobs
- reservations of more than a core, and a blocking longer than a period, leave nothing
- a report is refused whose time is lower than that, or that leaves out what reservations ask for, A-DEADLINE, or the condition under which nothing waits

usage: reservations.py GPUBOUND SOURCE_ROOT SERVE
"""
import re
import unittest

from cores import Case, HEAD, SERVER, host, kernel
from forged import mended


class Thread:
    """reservation: Q, D, P; or a priority."""

    def __init__(self, period, reservation, items, spins=False, jitter=0):
        self.period, self.reservation, self.items, self.spins, self.jitter = period, reservation, items, spins, jitter

    def attributes(self):
        if isinstance(self.reservation, int):
            return f'fifo-priority="{self.reservation}"'
        return " ".join(f'sched-{name}="{value}ns"' for name, value in zip(("runtime", "deadline", "period"), self.reservation))


def text(blocking, threads, submission=None, overrun=None, unit=1):
    streams = "".join(f'<stream id="s{t}"/>' for t in range(len(threads)))
    said = "" if submission is None else f' submission="{submission}ns"'
    said += "" if overrun is None else f' sched-overrun="{overrun}ns"'
    result = HEAD + f'<application id="a">{streams}</application><core id="c" blocking="{blocking}ns"{said} sched-unit="{unit}ns"/>'
    for t, thread in enumerate(threads):
        waiting = "spin" if thread.spins else "suspend"
        result += f'<task id="t{t}" period="{thread.period}ns" jitter="{thread.jitter}ns" core="c" {thread.attributes()} waiting="{waiting}">'
        for i, item in enumerate(thread.items):
            times = f'bcet="{item.least}ns" wcet="{item.most}ns"'
            form = f'scope="block" grid="1" block="128" registers="8" cache="none" access="any"'
            result += f'<host id="o{t}_{i}" {times}/>' if item.kind == "host" else f'<kernel id="o{t}_{i}" stream="s{t}" {times} {form}/>'
        result += "</task>"
    return result + "</taskset>"


class Reserved(Case):
    def least(self, *of):
        """[task]: its response, of a verified report; None: it has none."""
        report = self.report(text(*of))
        verified = self.verify(report)
        self.assertIn(verified.returncode, (0, 1), verified.stdout + verified.stderr)
        self.assertNotIn("expected", verified.stderr)
        parts = re.findall(r'<task id="t\d+".*?</task>', report, flags=re.S)
        return [min((int(value) for value in re.findall(r'<bound name="[^"]+" value="(\d+)"', part)), default=None) for part in parts]

    def reason(self, *of):
        return self.report(text(*of))


seven = Thread(1000, (3, 8, 10), [host(7)])  # 0 + 7 + (8 - 3) + 3 (10 - 3)


class ByHand(Reserved):
    def test_waits_for_new_runtimes(self):
        self.assertEqual(self.least(0, [seven]), [33])
        self.assertEqual(self.least(4, [seven]), [37])
        self.assertEqual(self.least(0, [Thread(1000, (3, 8, 10), [host(6)])]), [6 + 5 + 14])

    def test_others_change_nothing(self):
        """Three more reservations, of 0.6 of the core together, and a thread of the highest priority."""
        others = [Thread(40, (2, 10, 10), [host(1)])] * 3 + [Thread(50, 99, [host(9)])]
        self.assertEqual(self.least(0, [seven] + others)[0], 33)

    def test_one_segment_never_waits(self):
        """As long as releases are a period apart, and it executes less than the runtime; all of it where the deadline is the period."""
        for reservation, period, jitter, executes, expected in (((3, 8, 10), 10, 0, 2, 2 + 5), ((3, 8, 10), 20, 0, 3, 3 + 5 + 7), ((3, 10, 10), 11, 1, 3, 3 + 7),
                                                                ((5, 5, 10), 20, 10, 1, 1), ((5, 5, 10), 20, 11, 1, 1 + 5), ((3, 8, 10), 9, 0, 2, None)):
            with self.subTest(reservation=reservation, period=period, jitter=jitter, executes=executes):
                self.assertEqual(self.least(0, [Thread(period, reservation, [host(executes)], jitter=jitter)]), [expected])

    def test_woken_late_before(self):
        """B = 4 once more, where releases are no P + 4 apart; no more than a new runtime takes."""
        for reservation, period, executes, expected in (((3, 8, 20), 24, 2, 4 + 2 + 5), ((3, 8, 20), 23, 2, 4 + 2 + 5 + 4), ((3, 10, 10), 13, 3, None),
                                                        ((3, 10, 10), 14, 3, 4 + 3 + 7), ((8, 8, 10), 13, 7, 4 + 7 + 0 + 2)):
            with self.subTest(reservation=reservation, period=period, executes=executes):
                self.assertEqual(self.least(4, [Thread(period, reservation, [host(executes)])]), [expected])

    def test_jobs_within_a_runtime_never_wait(self):
        """E = 3, R = (1 + 12) + 40 + (2 + 12) = 67: two jobs in 20 + 64, of 6; three would be 9."""
        def of(runtime, deadline, period=60):
            return self.least(0, [Thread(period, (runtime, deadline, 20), [host(1), kernel(40), host(2)])])[0]
        self.assertEqual(of(8, 20, 70), 13 + 40 + 14)
        self.assertEqual(of(5, 20, 70), None if 1 + 15 + 15 + 40 + 2 + 15 + 15 > 70 else 0)
        self.assertEqual(of(5, 20, 200), (1 + 15) + 40 + (2 + 15))  # one job in 20 + R - E
        self.assertEqual(of(2, 20, 200), (1 + 18 + 18) + 40 + (2 + 18 + 18))
        self.assertEqual(of(8, 19, 200), (1 + 11 + 12) + 40 + (2 + 11 + 12))  # the deadline is not the period

    def test_submission(self):
        self.assertEqual(self.least(0, [Thread(200, (5, 20, 20), [host(1), kernel(40), host(2)])], 7), [7 + (1 + 15) + 40 + (2 + 15)])

    def test_who_has_a_priority_pays_for_jobs(self):
        """One of 2 every 100, R = 7: 20 + 2; its runtimes would be 3 ceil(22 + 5, 10)."""
        self.assertEqual(self.least(0, [Thread(100, (3, 8, 10), [host(2)]), Thread(1000, 5, [host(20)])]), [7, 22])

    def test_who_has_a_priority_pays_for_runtimes(self):
        """A job of 40 every 1000 takes long: w = 20 + 3 ceil((w + 8 - 3) / 10) = 32, 4 runtimes; where the deadline is the period
        w = 20 + 3 + ceil(3 (w + 7) / 10) = 36, as 35.57 is more than 35; B = 4 comes in twice: 24 + 3 ceil((w + 9) / 10) = 39, 5 runtimes."""
        def of(blocking, reservation):
            return self.least(blocking, [Thread(1000, reservation, [host(40)]), Thread(1000, 5, [host(20)])])[1]
        self.assertEqual((of(0, (3, 8, 10)), of(0, (3, 10, 10)), of(4, (3, 8, 10))), (32, 36, 39))

    def test_beside_one_without_a_bound(self):
        """The reservation's jobs overlap; the thread below has the time that runtimes leave it."""
        self.assertEqual(self.least(0, [Thread(30, (3, 8, 10), [host(12)]), Thread(1000, 5, [host(20)])]), [None, 32])

    def test_a_reservation_that_spins(self):
        """R = 40 + (1 + 12 + 12) + (2 + 12 + 12): with E = R each job would be all of it; its runtimes are less: w = 20 + 8 + ceil(8 (w + 12) / 20)."""
        self.assertEqual(self.least(0, [Thread(400, (8, 20, 20), [host(1), kernel(40), host(2)], True), Thread(1000, 5, [host(20)])]), [40 + 25 - 12 + 26 - 12 + 24, 55])

    def test_overbooked(self):
        """3 / 8 and 5 / 8 are all of the core; a billionth more is too much. Nobody on it has a time, nor on no other core."""
        self.assertEqual(self.least(0, [Thread(100, (3, 8, 10), [host(2)]), Thread(100, (5, 8, 10), [host(2)])]), [7, 5])
        more = [Thread(100, (300, 800, 1000), [host(2)]), Thread(1000, (501, 800, 1000), [host(2)]), Thread(100, 5, [host(1)])]
        self.assertEqual(self.least(0, more), [None] * 3)
        self.assertIn("core:c has reservations of more than all of it", self.reason(0, more))

    def test_blocking_longer_than_a_period(self):
        self.assertEqual(self.least(10, [seven]), [43])
        self.assertEqual(self.least(11, [seven]), [None])
        self.assertIn("the blocking of core:c, with what its sched-unit gives, is longer than the sched-period of task:t0", self.reason(11, [seven]))


class Overruns(Reserved):
    def test_own_and_others(self):
        """Two reservations, V = 2: 4 later, 2 of its own, and 9 of runtimes of 3; where it cannot use one up only the 4."""
        other = Thread(1000, (4, 20, 20), [host(3)])
        self.assertEqual(self.least(1, [seven, other], None, 2), [1 + 4 + 2 + 7 + (8 - 3) + 3 * (10 - 3), 1 + 4 + 3 + 16])
        self.assertEqual(self.least(1, [Thread(1000, (3, 8, 10), [host(8)]), other], None, 2)[0], 1 + 4 + 2 + 8 + (8 - 3) + 4 * (10 - 3))

    def test_jobs_within_a_runtime(self):
        """R - E = 66 + 2 V: 20 + V + R - E holds two jobs 80 apart, of 6, which use up no runtime of 7, but one of 6, which may be where V is 0."""
        def of(runtime, overrun):
            return self.least(0, [Thread(80, (runtime, 20, 20), [host(1), kernel(40), host(2)])], None, overrun)[0]
        for overrun in (0, 1, 2):
            self.assertEqual(of(7, overrun), 2 * overrun + (1 + 13) + 40 + (2 + 13))
        self.assertEqual((of(6, 0), of(6, 1)), (1 + 14 + 40 + 2 + 14, None))

    def test_who_has_a_priority(self):
        """w = 20 + 2 + 3 ceil((w + 2 + 8 - 3) / 10) = 37, 5 runtimes; where the deadline is the period w = 20 + 2 + 3 + ceil(3 (w + 9) / 10) = 40."""
        def of(reservation):
            return self.least(0, [Thread(1000, reservation, [host(40)]), Thread(1000, 5, [host(20)])], None, 2)[1]
        self.assertEqual((of((3, 8, 10)), of((3, 10, 10))), (37, 40))

    def test_too_long(self):
        """No less than a runtime, or with others than a period: nobody on the core has a bound."""
        for threads, overrun, whose in (([seven], 3, "t0"), ([seven, Thread(1000, (4, 20, 20), [host(1)]), Thread(1000, 5, [host(1)])], 3, "t0"),
                                        ([Thread(1000, (6, 40, 40), [host(1)]), Thread(1000, (6, 9, 9), [host(1)])], 5, "t1")):
            self.assertEqual(self.least(0, threads, None, overrun), [None] * len(threads))
            self.assertIn(f"the sched-overrun of core:c is no less than the sched-runtime of task:{whose}", self.reason(0, threads, None, overrun))
        self.assertEqual(self.least(0, [Thread(1000, (6, 40, 40), [host(1)]), Thread(1000, (6, 10, 10), [host(1)])], None, 5), [1 + 10 + 34, 1 + 10 + 4])

    def test_explained(self):
        (self.folder / "s.xml").write_text(text(1, [seven], None, 2))
        found = SERVER.run(["analyze", "--explain=t0", "s.xml"], self.folder).stdout
        self.assertRegex(found, r"\+ 1: B, .*\n    \+ 2: K, what reservations of the core execute beyond their runtimes\n    \+ 7: C, .*\n    \+ 5: ")
        self.assertRegex(found, r"\+ 2: V, .*\n    \+ 21: 3 \* 7 = 21: until it has new ones\n    = 38: from its begin to its end")


class Units(Reserved):
    """2 u = 8 for each wake-up. One of jobs 1000 apart: eta(1000 + R) = 2, so K = 8 (1 + 2)."""

    def test_own_and_others(self):
        """Where D < P a runtime that is revised lacks 1."""
        for reservation, expected in (((300, 800, 1000), 24 + 200 + 500 + 1), ((300, 1000, 1000), 24 + 200 + 700)):
            self.assertEqual(self.least(0, [Thread(1000, reservation, [host(200)])], None, None, 4), [expected])
        both = [Thread(1000, (300, 800, 1000), [host(200)]), Thread(1000, (300, 1000, 1000), [host(200)])]
        self.assertEqual(self.least(0, both, None, None, 4), [48 + 200 + 500 + 1, 48 + 200 + 700])
        self.assertEqual(self.least(0, both, None, 2, 4), [52 + 200 + 500 + 1, 52 + 200 + 700])

    def test_segments_wake(self):
        """Two of a job: 2 eta(1000 + R), less than 2 (2 + 1000 / (40 + 60))."""
        for period, wakes in ((3000, 4), (4000, 2)):
            of = [Thread(period, (300, 800, 1000), [host(200, 40), kernel(50), host(200, 60)])]
            self.assertEqual(self.least(0, of, None, None, 4), [2 * (8 * (1 + wakes) + 200 + 500 + 1 + 700) + 50])

    def test_who_has_a_priority(self):
        """Jobs of 2000 overlap: nothing is known of R, and W(w) = 2 + w / 200: K = 8 (1 + 7), and w = 500 + 300 ceil((w + 64 + 500) / 1000) + 8 W(w) = 864."""
        of = [Thread(2000, (300, 800, 1000), [host(2000, 200)]), Thread(5000, 5, [host(500)])]
        self.assertEqual(self.least(0, of, None, None, 4), [None, 500 + 600 + 8 * (2 + 1156 // 200)])

    def test_nothing_says_how_often(self):
        of = [Thread(2000, (300, 800, 1000), [host(2000, 0)]), Thread(5000, 5, [host(500)])]
        self.assertEqual(self.least(0, of, None, None, 1), [None, 1100])
        self.assertEqual(self.least(0, of, None, None, 2), [None, None])
        self.assertIn("nothing says how often the thread of task:t0 wakes", self.reason(0, of, None, None, 2))

    def test_all_of_a_core(self):
        """Three thirds are all of it, and no more; what wake-ups give is."""
        thirds = [Thread(1000, (100, 300, 300), [host(99)])] * 3
        self.assertEqual(self.least(0, thirds), [299] * 3)
        self.assertEqual(self.least(0, thirds, None, None, 2), [None] * 3)
        self.assertIn("core:c has reservations of more than all of it", self.reason(0, thirds, None, None, 2))

    def test_linux(self):
        """1,024 ns where the core says nothing else."""
        of = text(0, [Thread(10_000_000, (300_000, 800_000, 1_000_000), [host(200_000)])])
        found = self.report(of.replace(' sched-unit="1ns"', ""))
        self.assertIn('about="core:c@sched-unit" value="1024"', found)
        self.assertIn(f'about="task:t0/op:o0_0" value="{4096 + 200_000 + 500_000 + 1}"', found)

    def test_forged(self):
        report = self.report(text(0, [Thread(1000, (300, 800, 1000), [host(200)]), Thread(5000, 5, [host(500)])], None, None, 4))
        self.assertEqual(self.verify(report).returncode, 0)
        response, below = (re.search(rf'rule="{rule}-response" about="task:{about}" value="(\d+)"', report).group(1) for rule, about in
                           (("reserved", "t0/op:o0_0"), ("host", "t1/op:o1_0")))
        for pattern, new in ((rf'(rule="reserved-response" about="task:t0/op:o0_0" value=)"{response}"', rf'\1"{int(response) - 1}"'),
                             (rf'(rule="host-response" about="task:t1/op:o1_0" value=)"{below}"', rf'\1"{int(below) - 1}"'),
                             (r'(rule="reserved-late" about="core:c" value=)"24"', r'\1"23"'), (r'(rule="reserved" about="core:c" value=)"[^"]*"', r'\1"3/8"'),
                             (r'(about="core:c@sched-unit" value=)"4"', r'\1"3"'), (r'<from role="K" [^>]*>', ""), (r'<from role="u" [^>]*>', "")):
            forged = mended(re.sub(pattern, new, report))
            self.assertTrue(forged != mended(report), pattern)
            self.assertEqual(self.verify(forged).returncode, 1, pattern)


class Beside(Reserved):
    def test_where_no_thread_has_a_bound(self):
        """t0's jobs may overlap, so nothing is claimed of the core: who is beside it on the GPU rests on no reservation. He does where t1 has a bound."""
        beside = '<task id="t9" period="1us"><kernel id="o" stream="s9" wcet="5ns" scope="block" grid="1" block="128" registers="8"/></task></taskset>'
        for others, expected in ((), False), ([Thread(1000, 5, [host(20)])], True):
            of = text(0, [Thread(30, (3, 8, 10), [host(12), kernel(50)]), *others])
            report = self.report(of.replace('<stream id="s0"/>', '<stream id="s0"/><stream id="s9"/>').replace("</taskset>", beside))
            found = self.verify(report)
            self.assertIn('<task id="t0" line="1" verdict="no-bound"', re.sub(r'line="\d+"', 'line="1"', report))
            said = re.search(r'<task id="t9"[^>]* response="55"[^>]* assumptions="([^"]*)"', report).group(1).split()
            self.assertIn("A-CORE", said)
            self.assertEqual("A-DEADLINE" in said, expected)
            self.assertNotIn("expected", found.stderr)
            if expected:
                forged = self.verify(mended(report.replace(" A-DEADLINE", "")))
                self.assertIn("A-DEADLINE", forged.stderr)


class Explained(Reserved):
    def lines(self, name, *of):
        (self.folder / "s.xml").write_text(text(*of))
        return SERVER.run(["analyze", f"--explain={name}", "s.xml"], self.folder).stdout

    def test_terms(self):
        found = self.lines("t0", 4, [seven])
        self.assertRegex(found, r"t0/o0_0|t0/op:o0_0 in its reservation of 3 ns each 10 ns:\n    \+ 4: B, .*\n    \+ 7: C, what it executes\n    \+ 5: until")
        self.assertRegex(found, r"\+ 21: 3 \* 7 = 21: until it has new ones\n    = 37: from its begin to its end")

    def test_late_before(self):
        self.assertIn("+ 4: B, until it begins, as the job before may be woken late", self.lines("t0", 4, [Thread(15, (3, 8, 12), [host(2)])]))

    def test_what_runtimes_take(self):
        found = self.lines("t1", 0, [Thread(30, (3, 8, 10), [host(12)]), Thread(1000, 5, [host(20)])])
        self.assertRegex(found, r"\+ 12: what t0 executes in its reservation \[\d+\] at most, of 3 ns each 10 ns\n    = 32")


class Forged(Reserved):
    def refused(self, report, pattern, new):
        forged = mended(re.sub(pattern, new, report))
        self.assertTrue(forged != mended(report), pattern)
        found = self.verify(forged)
        self.assertEqual(found.returncode, 1, pattern + found.stdout)

    def test_times(self):
        report = self.report(text(0, [seven, Thread(30, (3, 8, 10), [host(12)]), Thread(1000, 5, [host(20)])]))
        self.assertEqual(self.verify(report).returncode, 0)
        response = re.search(r'rule="host-response" about="task:t2/op:o2_0" value="(\d+)"', report).group(1)
        for pattern, new in ((r'(rule="reserved-response" about="task:t0/op:o0_0" value=)"33"', r'\1"32"'),
                             (r'(rule="reserved-response" about="task:t0/op:o0_0" value=)"33"', r'\1"12"'),
                             (rf'(rule="host-response" about="task:t2/op:o2_0" value=)"{response}"', rf'\1"{int(response) - 1}"'),
                             (r'(rule="reserved" about="core:c" value=)"[^"]*"', r'\1"1/2"'), (r"( A-DEADLINE)(?=[ \"])", ""), (r'<from role="U" [^>]*>', ""),
                             (r'(about="task:t0@sched-runtime" value=)"3"', r'\1"7"'), (r'(about="task:t0@sched-period" value=)"10"', r'\1"8"')):
            self.refused(report, pattern, new)

    def test_overrun(self):
        report = self.report(text(0, [seven, Thread(1000, 5, [host(20)])], None, 2))
        self.assertEqual(self.verify(report).returncode, 0)
        response, below = (re.search(rf'rule="{rule}-response" about="task:{about}" value="(\d+)"', report).group(1) for rule, about in
                           (("reserved", "t0/op:o0_0"), ("host", "t1/op:o1_0")))
        for pattern, new in ((rf'(rule="reserved-response" about="task:t0/op:o0_0" value=)"{response}"', rf'\1"{int(response) - 1}"'),
                             (rf'(rule="host-response" about="task:t1/op:o1_0" value=)"{below}"', rf'\1"{int(below) - 1}"'),
                             (r'(about="core:c@sched-overrun" value=)"2"', r'\1"1"'), (r'<from role="V" [^>]*>', "")):
            self.refused(report, pattern, new)

    def test_condition(self):
        """Where two releases may be less than a period apart."""
        report = self.report(text(0, [Thread(20, (5, 5, 10), [host(1)], jitter=11)]))
        self.refused(report, r'(rule="reserved-response" about="task:t0/op:o0_0" value=)"6"', r'\1"1"')

    def test_assumption(self):
        """A-DEADLINE is in the reports of sets with reservations, and in no others."""
        self.assertRegex(self.report(text(0, [seven])), r'<assumption id="A-DEADLINE"[^>]* used="true"')
        self.assertNotIn('id="A-DEADLINE" state="assumed" used="true"', self.report(text(0, [Thread(100, 5, [host(1)])])))


if __name__ == "__main__":
    SERVER.test()
