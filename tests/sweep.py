"""gpubound sweep, merge and plot.

- each row is what analyze says with the same options
- ranges are exact; the last option moves fastest; the same bytes with any number of threads
- a random task set is what its point writes as a file, and analysed as that; the same in a longer list, in another design of as many tasks,
  and on any machine; utilisations sum up, keep within their limits and are uniform, as are the logarithms of periods
- a table that was stopped goes on, and comes to the same bytes
- what plot draws is what the rows say
- parts in any number and order merge to the bytes of the whole; gaps, points that are there twice, other inputs and other options are refused

usage: sweep.py GPUBOUND SOURCE_ROOT
"""
import csv
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import served

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PROGRAM = served.Program(GPUBOUND)
SET, ROBOT = "examples/two-streams.xml", "examples/robot.xml"
RECORDED = [(20000000, 8264216), (69000000, 5395135), (15000000, 128979)] # periods and times of point 5 of Drawn.DRAW
SPACE = ["--scale=resize_kernel.wcet=0.5:2:0.3", "--set=filter.period=50ms,100ms", "--set=platform.overhead.launch=10us,100us"]


def run(*words):
    return PROGRAM.run([*map(str, words)], cwd=ROOT, text=True)


def sweep(*words, path=SET):
    return run("sweep", "-q", *words, path)


def rows(table):
    return list(csv.DictReader(io.StringIO(table)))


class Sweep(unittest.TestCase):
    def test_rows(self):
        table = rows(sweep(*SPACE).stdout)
        self.assertEqual([int(row["point"]) for row in table], list(range(24)))
        self.assertEqual([row["scale resize_kernel.wcet"] for row in table[::4]], ["0.5", "0.8", "1.1", "1.4", "1.7", "2"])
        self.assertEqual(len({row["verdict"] for row in table}), 2)
        for row in table[::5]:
            words = [f"--{name.split()[0]}={name.split()[1]}={value}" for name, value in row.items() if " " in name]
            found = {one["task"]: one["response_ns"] for one in rows(run("analyze", "-q", "--format=csv", *words, SET).stdout) if one["kind"] == "task"}
            self.assertEqual(found, {task: row[f"{task}_ns"] for task in found})

    def test_threads(self):
        self.assertEqual(len({sweep(*SPACE, f"-j{jobs}").stdout for jobs in (1, 3)}), 1)
        self.assertEqual(len(rows(sweep().stdout)), 1)

    def test_refused_points(self):
        table = rows(sweep("--set=resize_kernel.bcet=0ns,900us").stdout)
        self.assertEqual([row["verdict"] for row in table], ["proven", "refused"])

    def test_usage(self):
        for words, status, expected in ((["--set=filter.period=50ms:40:1ms"], 2, "with one unit"), (["--set=filter.period=50ms:60ms:0ms"], 2, "with one unit"),
                                        (["--set=filter.period"], 2, "wants TARGET"), (["--shard=3/2"], 2, "K/N"), (["--shard=1/0"], 2, "K/N"),
                                        (["--set=filer.period=50ms"], 3, 'did you mean "filter"'), (["--set=filter.perod=50ms"], 3, "not allowed"),
                                        (["--scale=filter.period=1:1000000:0.001"], 2, "wants TARGET")):
            result = sweep(*words)
            self.assertEqual((result.returncode, result.stdout), (status, ""), words)
            self.assertIn(expected, result.stderr)
        self.assertEqual(sweep(path="-").returncode, 2)


class Drawn(unittest.TestCase):
    """Random task sets."""
    DRAW = ["--draw=4", "--utilization=0.2:0.8:0.3", "--periods=5ms:500ms:1ms"]
    KERNEL = re.compile(r'<(?:kernel|copy|sequence) [^>]*? wcet="(\d+)ns"')

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def point(self, number, path, *words):
        written = self.folder / "point.xml"
        result = sweep(*words, f"--point={number}", "-o", written, path=path)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return written

    def parameters(self, text):
        """[(period, sum of times alone on the GPU)] of tasks, read from a written set."""
        found = []
        for task in re.findall(r"<task .*?</task>", text, re.S):
            period = int(re.search(r' period="(\d+)ns"', task).group(1))
            found.append((period, sum(int(time) for time in self.KERNEL.findall(task))))
        return found

    def test_as_written(self):
        """Each row is the analysis of the task set that --point writes."""
        for path in (ROBOT, "examples/networks-partitions.xml", "examples/networks-lock.xml", SET, "examples/bursts.xml"):
            words = [*self.DRAW, "--set=platform.overhead.launch=9us,12us"]
            result = sweep(*words, path=path)
            if path.endswith("bursts.xml"):
                self.assertEqual((result.returncode, result.stdout), (3, ""))
                self.assertIn("expected a task set that can be drawn anew", result.stderr)
                continue
            table = rows(result.stdout)
            self.assertEqual(len(table), 24)
            for row in table[::7]:
                written = self.point(row["point"], path, *words)
                if "/" in re.search(r'platform="([^"]*)"', written.read_text()).group(1):
                    written = ROOT / "examples" / written.name
                found = run("analyze", "-q", "--format=csv", written)
                self.assertIn(found.returncode, (0, 1, 4, 7), found.stderr)
                responses = {one["task"]: one["response_ns"] for one in rows(found.stdout) if one["kind"] == "task"}
                self.assertEqual(responses, {task: row[f"{task}_ns"] for task in responses})
                total = sum(time / period for period, time in self.parameters(written.read_text())) if path == ROBOT else 0
                self.assertLessEqual(total, float(row["utilization"]) + 1e-9)
                self.assertGreater(total, float(row["utilization"]) - 1e-5 if path == ROBOT else -1)

    def test_reproducible(self):
        """Recorded: no machine draws anything else. Longer lists and other designs have the same sets."""
        table = rows(sweep(*self.DRAW, path=ROBOT).stdout)
        self.assertEqual([(row["utilization"], row["set"]) for row in table], [(load, str(i)) for load in ("0.2", "0.5", "0.8") for i in range(4)])
        self.assertEqual(self.parameters(self.point(5, ROBOT, *self.DRAW).read_text()), RECORDED)
        alone = self.point(1, ROBOT, "--draw=9", "--utilization=0.5", self.DRAW[2])
        self.assertEqual(self.parameters(alone.read_text()), RECORDED)
        self.assertNotEqual(self.parameters(self.point(5, ROBOT, *self.DRAW, "--seed=2").read_text()), RECORDED)
        lock, slices = (self.parameters(self.point(5, f"examples/networks-{name}.xml", *self.DRAW).read_text()) for name in ("lock", "slices"))
        self.assertEqual(sorted(period for period, _ in lock), sorted(period for period, _ in slices))
        self.assertEqual([row for row in table if row["set"] == "1"],
                         [row for row in rows(sweep(*self.DRAW, "-j3", path=ROBOT).stdout) if row["set"] == "1"])

    def test_levels(self):
        """The higher of two levels has no longer period."""
        for number in range(12):
            camera, detector, control = (period for period, _ in self.parameters(self.point(number, ROBOT, *self.DRAW).read_text()))
            self.assertTrue(control <= camera <= detector, number)
            self.assertTrue(all(period % 10**6 == 0 and 5 * 10**6 <= period <= 500 * 10**6 for period in (camera, detector, control)))

    def test_limits(self):
        for generator in ("uunifast", "dirichlet"):
            words = ["--draw=6", "--utilization=1.4,1.7", "--share=0.3:0.65", f"--generator={generator}", "--periods=10ms:20ms"]
            table = rows(sweep(*words, path=ROBOT).stdout)
            self.assertNotIn("not-drawn", {row["verdict"] for row in table})
            for number in range(12):
                shares = [time / period for period, time in self.parameters(self.point(number, ROBOT, *words).read_text())]
                self.assertTrue(all(0.2999 < share <= 0.65 for share in shares), shares)
                self.assertAlmostEqual(sum(shares), 1.4 if number < 6 else 1.7, 5)
            self.assertEqual({row["verdict"] for row in rows(sweep("--draw=2", "--utilization=3.1", f"--generator={generator}", path=ROBOT).stdout)},
                             {"not-drawn"})
        result = sweep("--draw=1", "--utilization=3.1", "--point=0", path=ROBOT)
        self.assertEqual((result.returncode, result.stdout), (3, ""))

    def test_usage(self):
        for words, expected in ((["--seed=3"], "goes with --draw"), (["--draw=2", "--periods=1ms"], "FROM:TO"), (["--draw=2", "--periods=0ms:1ms"], "FROM:TO"),
                                (["--draw=2", "--periods=2ms:1ms"], "FROM:TO"), (["--draw=2", "--share=0.2:0.1"], "FROM:TO"),
                                (["--draw=2", "--utilization=0"], "above 0"), (["--draw=2", "--utilization=x"], "above 0"),
                                (["--draw=1000000", "--utilization=1:100:1"], "more than"), (["--draw=2", "--point=20"], "--point")):
            result = sweep(*words, path=ROBOT)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(expected, result.stderr)


class Resume(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_goes_on(self):
        """Cut anywhere, it comes to the same bytes; what was done is not done again."""
        words = [*SPACE, "--shard=1/2"]
        whole, path = sweep(*words).stdout, self.folder / "part.csv"
        for length in (0, 10, len(whole) // 3, len(whole) // 2, len(whole) - 1, len(whole)):
            path.write_text(whole[:length])
            result = sweep(*words, "--resume", "-o", path)
            self.assertEqual((result.returncode, result.stderr, path.read_text()), (0, "", whole), length)
        path.unlink()
        self.assertEqual((sweep(*words, "--resume", "-o", path).returncode, path.read_text()), (0, whole))
        lines = whole.splitlines(keepends=True)
        forged = "".join([*lines[:2], lines[2].replace("proven", "PROVEN"), *lines[3:5]])
        path.write_text(forged)
        sweep(*words, "--resume", "-o", path)
        self.assertTrue(path.read_text().startswith(forged), "rows that are there are not made again")

    def test_interrupted(self):
        """Whoever stops it is told that the table is not whole, and how to go on."""
        path = self.folder / "part.csv"
        with subprocess.Popen([GPUBOUND, "sweep", "--draw=20000", "--resume", "-o", path, SET], cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
            while not path.exists() or path.read_text().count("\n") < 2:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
        self.assertEqual(process.returncode, 4)
        self.assertTrue(said.endswith("interrupted: not all of 200000 points are there; --resume goes on with the rest\n"), said)

    def test_killed(self):
        """Killed in the midst of it, as a machine that is switched off: the rows that were done are there."""
        path, words = self.folder / "part.csv", ["--draw=2000", "--utilization=0.5,0.6"]
        with subprocess.Popen([GPUBOUND, "sweep", "-q", "-j1", *words, "--resume", "-o", path, ROBOT], cwd=ROOT) as process:
            while not path.exists() or path.read_text().count("\n") < 300:
                time.sleep(0.005)
            process.kill()
        there = path.read_text().count("\n")
        self.assertGreater(there, 300)
        self.assertEqual(sweep(*words, "--resume", "-o", path, path=ROBOT).returncode, 0)
        self.assertEqual(path.read_text(), sweep(*words, path=ROBOT).stdout)

    def test_refused(self):
        path = self.folder / "part.csv"
        self.assertEqual(sweep(*SPACE, "-o", path).returncode, 0)
        kept = path.read_text()
        for words, expected in ((SPACE[:2], "expected the head"), ([*SPACE, "--assume=A-FRAG"], "of the same space")):
            result = sweep(*words, "--resume", "-o", path)
            self.assertEqual((result.returncode, path.read_text()), (3, kept))
            self.assertIn(expected, result.stderr)
        self.assertEqual(sweep(*SPACE, "--resume").returncode, 2)


class Plot(unittest.TestCase):
    """Points of pictures, computed here a second time from the rows."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.table = self.folder / "table.csv"
        result = sweep("--draw=12", "--utilization=0.05:0.85:0.4", "--periods=1ms:50ms", "--set=platform.runlist.timeslice=1ms,4ms", "-o", self.table, path="examples/networks-slices.xml")
        self.assertEqual(result.returncode, 0)
        self.rows = rows(self.table.read_text())
        self.assertTrue({"proven", "not-proven"} <= {row["verdict"] for row in self.rows})

    def points(self, *words):
        result = run("plot", "--format=csv", *words, f"one={self.table}")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return [tuple(map(float, row[1:])) for row in list(csv.reader(io.StringIO(result.stdout)))[1:]]

    def test_acceptance(self):
        expected = []
        for load in sorted({row["utilization"] for row in self.rows}, key=float):
            verdicts = [row["verdict"] == "proven" for row in self.rows if row["utilization"] == load]
            expected.append((float(load), int(sum(verdicts) * 10**6 / len(verdicts)) / 10**6))
        self.assertEqual(self.points(), expected)

    def test_weighted(self):
        expected = []
        for length in ("1ms", "4ms"):
            of = [row for row in self.rows if row["set platform.runlist.timeslice"] == length]
            share = sum(float(row["utilization"]) for row in of if row["verdict"] == "proven") / sum(float(row["utilization"]) for row in of)
            expected.append((float(length[:-2]), share))
        found = self.points("--kind=weighted", "--over=set platform.runlist.timeslice")
        self.assertEqual(len(found), 2)
        for (x, y), (x_expected, y_expected) in zip(found, expected):
            self.assertEqual(x, x_expected)
            self.assertAlmostEqual(y, y_expected, 5)

    def test_pareto(self):
        words = ["--kind=pareto", "--x=control_ns", "--y=detector_ns"]
        expected = sorted((int(row["control_ns"]) / 10**6, int(row["detector_ns"]) / 10**6) for row in self.rows if row["verdict"] == "proven")
        self.assertEqual(self.points(*words), expected)
        front = [(x, y) for x, y in expected if not any((a < x and b <= y) or (a <= x and b < y) for a, b in expected)]
        svg = run("plot", *words, self.table).stdout
        line = re.search(r'<path class="line c0" d="M([^"]*)"/>', svg).group(1)
        self.assertEqual(line.count("H") + 1, len(set(front)))
        self.assertEqual(svg.count("<circle"), len(expected))

    def test_picture(self):
        odd = self.folder / "a & b.csv"
        odd.write_text(self.table.read_text())
        pictures = {run("plot", "--title=<&>", self.table, odd).stdout for _ in range(2)}
        self.assertEqual(len(pictures), 1)
        root = xml.etree.ElementTree.fromstring(pictures.pop())
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertTrue({"<&>", "a & b.csv", "table.csv", "100 %", "utilization"} <= set(texts), texts)

    def test_other_rows(self):
        """Those that are no task sets do not count; columns of other programs do."""
        self.table.write_text("verdict,utilization\nrefused,0.5\nnot-drawn,0.5\nproven,0.5\nnot-proven,0.5\nconditional,0.25\n")
        self.assertEqual(self.points(), [(0.25, 1.0), (0.5, 0.5)])

    def test_refused(self):
        text = self.table.read_text()
        for new, words, expected in ((text.replace(",0.05,", ",x,"), [], "expected a number"), ("", [], "expected a table"), (text.splitlines()[0] + "\n", [], "there is none"),
                                     (text.replace(",utilization,", ",load,"), [], "utilization"), (text, ["--kind=weighted", "--over=nothing"], "nothing"),
                                     (text.replace(",0.05,", ",-1,"), [], "expected a number"), (text.replace(",0.05,", f",1e99,"), [], "expected a number"),
                                     (text.replace("\n", ",\n", 3), [], "cells")):
            self.table.write_text(new)
            result = run("plot", *words, self.table)
            self.assertEqual((result.returncode, result.stdout), (3, ""), (expected, result.stderr))
            self.assertIn(expected, result.stderr)
        for words in (["--kind=weighted"], ["--kind=pareto", "--x=a"], ["--over=a"], ["--y=a"]):
            self.assertEqual(run("plot", *words, self.table).returncode, 2)
        self.table.write_text(text)
        self.assertEqual(run("plot", "-o", self.table, self.table).returncode, 2, "what is read is not written over")


class Merge(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def parts(self, count, *words, path=SET):
        paths = [self.folder / f"{k}-{count}{len(words)}.csv" for k in range(1, count + 1)]
        for k, part in enumerate(paths, 1):
            self.assertEqual(sweep(*SPACE, *words, f"--shard={k}/{count}", "-o", part, path=path).returncode, 0)
        return paths

    def test_same_bytes(self):
        whole = sweep(*SPACE).stdout
        for count in (1, 2, 5, 30):
            merged = run("merge", *reversed(self.parts(count)))
            self.assertEqual((merged.stdout, merged.stderr), (whole, ""))

    def test_refused(self):
        parts = self.parts(3)
        other_options = self.parts(3, "--assume=A-FRAG")
        changed = self.folder / "changed.xml"
        changed.write_text((ROOT / SET).read_text().replace("Two streams", "2 streams"))
        other_input = self.folder / "other.csv"
        self.assertEqual(sweep(*SPACE, "--shard=3/3", "-o", other_input, path=changed).returncode, 0)
        cut = self.folder / "cut.csv"
        cut.write_text("".join(parts[2].read_text().splitlines(keepends=True)[:-1]))
        for tables, expected in ((parts[:2], "point 2 is in no table"), (parts[1:], "point 0 is in no table"), ([*parts, parts[0]], "got point 0 again"),
                                 ([*parts[:2], other_options[2]], "of the same space"), ([*parts[:2], other_input], "of the same space"),
                                 ([*parts[:2], cut], "point 23 is in no table"), ([ROOT / SET], "expected the head")):
            result = run("merge", *tables)
            self.assertEqual((result.returncode, result.stdout), (3, ""), expected)
            self.assertIn(expected, result.stderr)
            self.assertIn("[shards]", result.stderr)

    def test_copied_elsewhere(self):
        """What counts is what the file says, not where it is."""
        copy = self.folder / "copy.xml"
        copy.write_text((ROOT / SET).read_text())
        first, second = self.parts(2)
        self.assertEqual(sweep(*SPACE, "--shard=2/2", "-o", second, path=copy).returncode, 0)
        self.assertEqual(run("merge", first, second).stdout, sweep(*SPACE).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
