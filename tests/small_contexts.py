"""What contexts.py and interleave.py have in common: drawn sets of contexts, whose runs on a small machine of the test's own exceed no bound.

usage: of each: NAME.py GPUBOUND SOURCE_ROOT SERVE [SETS]
"""
import pathlib
import random
import re
import sys

import served
from boundaries import ROOT, Case

SETS = int(sys.argv[4]) if len(sys.argv) > 4 else 30
SERVER = served.Server(sys.argv[3], ROOT)
RUNS = 12


class Task:
    def __init__(self, context, period, jitter, items):
        self.context, self.period, self.jitter, self.items = context, period, jitter, items


class Hunt(Case):
    """drawn: a set (platform, whole, tasks) by a random number generator and what is said of it in place of the truth; machine: has run."""

    def responses(self, of):
        folder = pathlib.Path(self.folder.name)
        (folder / "p.xml").write_text(of.platform())
        (folder / "s.xml").write_text(of.whole())
        made = SERVER.run(["analyze", "-q", "--format=xml", "s.xml"], folder)
        self.assertIn(made.returncode, (0, 4, 5, 6), made.stderr)
        verified = SERVER.run(["verify", "-v", "-"], folder, made.stdout)
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr + of.whole())
        found = [re.search(rf'<task id="t{t}"[^>]*?response="(\d+)"', made.stdout) for t in range(len(of.tasks))]
        return [int(match.group(1)) if match else None for match in found]

    def hunt(self, seed, sets, **told):
        """The greatest of observed/bound, how many were bounded, and those that exceeded it."""
        draw, nearest, bounded, above = random.Random(seed), 0, 0, []
        for _ in range(sets):
            of = self.drawn(draw, **told)
            bounds = self.responses(of)
            observed = [max(seen) for seen in zip(*(self.machine(of, draw).run() for _ in range(RUNS)))]
            for t, bound in enumerate(bounds):
                if bound is None:
                    continue
                bounded += 1
                nearest = max(nearest, observed[t] / bound)
                if observed[t] > bound:
                    above.append((t, observed[t], bound, of.whole()))
        return nearest, bounded, above
