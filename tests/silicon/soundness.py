"""scripts/soundness.py on what H200s did: no job above its bound, the ratios that doc/silicon.md states, and a planted excess is found.

usage: soundness.py GPUBOUND SOURCE_ROOT [--all]

Without --all the first 16 scenarios with every operation, and 24 whose lower level is overloaded; with it the jobs of all 240."""
import csv
import gzip
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

GPUBOUND, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
ALL = "--all" in sys.argv[3:]
SCRIPT = ROOT / "scripts" / "soundness.py"
RECORDED = ROOT / "tests" / "silicon" / "soundness"
MEDIAN = 2  # of bound over worst observed


def script(*words):
    return subprocess.run([sys.executable, str(SCRIPT), *map(str, words)], capture_output=True, text=True, timeout=300)


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        with tarfile.open(RECORDED / "runs.tar.gz") as tar:
            tar.extractall(cls.folder)
        with tarfile.open(RECORDED / "overload.tar.gz") as tar:
            tar.extractall(cls.folder)
        result = script("refine", cls.folder / "runs", RECORDED / "company.csv.gz")
        assert result.returncode == 0, result.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def check(self, jobs, *words, runs="runs"):
        return script("check", *words, GPUBOUND, self.folder / runs, jobs)

    def ratios(self, jobs, runs="runs"):
        table = self.folder / "tasks.csv"
        result = self.check(jobs, "--tasks", table, runs=runs)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("ABOVE", result.stdout)
        with open(table, newline="") as file:
            ratios = {}
            for r in csv.DictReader(file):
                ratios.setdefault(r["bounds"], []).append(int(r["bound_ns"]) / int(r["worst_observed_ns"]))
        return [sorted(ratios.get(kind, [])) for kind in ("by volume", "as the model is", "under A-HOL,A-PRIO,A-WC")]

    @unittest.skipUnless(ALL, "all of them: in the suite slow")
    def test_all(self):
        volume, ours, ratios = self.ratios(RECORDED / "jobs.csv.gz")
        self.assertEqual((len(volume), len(ours), len(ratios)), (114, 725, 806))
        self.assertLess(ratios[len(ratios) // 2], MEDIAN)
        self.assertLess(ours[len(ours) // 2], MEDIAN)

    @unittest.skipIf(ALL, "in the suite quick")
    def test_first(self):
        volume, ours, ratios = self.ratios(RECORDED / "first.csv.gz")
        self.assertGreater(len(ratios), 40)
        self.assertLess(ratios[len(ratios) // 2], MEDIAN)
        self.assertGreater(len(ours), 2 * len(volume))  # what A-ORDER buys
        self.assertLess(ours[len(ours) // 2], MEDIAN)

    @unittest.skipIf(ALL, "in the suite quick")
    def test_overload(self):
        """The lower level is issued half as much again as the GPU could do: it has no bound, the higher one has, and keeps within it."""
        volume, ours, ratios = self.ratios(RECORDED / "overload.csv.gz", "overload")
        higher = sum(text.count(' priority="0"') for text in (p.read_text() for p in (self.folder / "overload").glob("*.xml")))
        self.assertEqual(volume, [])
        self.assertGreater(len(ours), 0.6 * higher)
        self.assertGreater(len(ratios), 0.8 * higher)
        self.assertLessEqual(len(ratios), higher)
        self.assertLess(ratios[len(ratios) // 2], MEDIAN)

    def changed(self, change):
        """One job of the first scenario, changed."""
        lines = gzip.decompress((RECORDED / "first.csv.gz").read_bytes()).decode().splitlines()
        head = [line for line in lines if line.startswith("#")]
        names = next(line for line in lines if line.startswith("scenario,")).split(",")
        rows = [dict(zip(names, line.split(","))) for line in lines if line.startswith("spin-31-0,")]
        change(rows)
        path = self.folder / "changed.csv"
        path.write_text("\n".join(head[:-1] + [",".join(names)] + [",".join(r.values()) for r in rows] + head[-1:]) + "\n")
        return self.check(path)

    @staticmethod
    def late(row):
        row["response_ns"] = str(int(row["response_ns"]) * 100)
        row["end_ns"] = str(int(row["nominal_ns"]) + int(row["response_ns"]))

    @unittest.skipIf(ALL, "in the suite quick")
    def test_above(self):
        def change(rows):
            self.late(next(r for r in rows if r["operation"] == "job" and r["job"] == "9"))
        result = self.changed(change)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertRegex(result.stdout, r"ABOVE: spin-31-0 t0 job 9: \d+ ns")

    @unittest.skipIf(ALL, "in the suite quick")
    def test_above_but_late(self):
        def change(rows):
            job = next(r for r in rows if r["operation"] == "job" and r["job"] == "9")
            self.late(job)
            job["issued_ns"] = str(int(job["nominal_ns"]) + 5000000)
        result = self.changed(change)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("but A-HOST did not hold: job 9 of t0 was released 5000000 ns late", result.stdout)

    @unittest.skipIf(ALL, "in the suite quick")
    def test_above_but_long(self):
        def change(rows):
            self.late(next(r for r in rows if r["operation"] == "job" and r["job"] == "9"))
            next(r for r in rows if r["operation"] == "0" and r["job"] == "9")["longest_ns"] = "99999999"
        result = self.changed(change)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("but A-WCET did not hold", result.stdout)

    @unittest.skipIf(ALL, "in the suite quick")
    def test_above_but_in_the_backlog(self):
        """Job 9 was late and ended long after job 20's release: so that is why job 20 is above. One that is released after its end has no such excuse."""
        def change(later):
            def both(rows):
                jobs = {r["job"]: r for r in rows if r["operation"] == "job" and r["job"] in ("9", later)}
                jobs["9"]["issued_ns"] = str(int(jobs["9"]["nominal_ns"]) + 5000000)
                for row in jobs.values():
                    self.late(row)
                jobs["9"]["end_ns"] = str(int(next(r for r in rows if r["job"] == "20")["nominal_ns"]) + 1)
            return both
        result = self.changed(change("20"))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(self.changed(change("45")).returncode, 1)

    @unittest.skipIf(ALL, "in the suite quick")
    def test_long_ago_excuses_nothing(self):
        def change(rows):
            self.late(next(r for r in rows if r["operation"] == "job" and r["job"] == "45"))
            next(r for r in rows if r["operation"] == "0" and r["job"] == "2")["longest_ns"] = "99999999"
        self.assertEqual(self.changed(change).returncode, 1)


@unittest.skipIf(ALL, "in the suite quick")
class Ordered(unittest.TestCase):
    """Task sets with events, copies on several streams, known phases and blocks of one shape; what the platform model says of A-CE and A-FIT."""
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        with tarfile.open(RECORDED / "ordered.tar.gz") as tar:
            tar.extractall(cls.folder)
        root = ElementTree.parse(ROOT / "models" / "h200.xml").getroot()
        cls.status = {a.get("id"): a.get("status") for a in root.iter("{urn:gpubound:platform:1}assumption")}
        cls.delay = int(next(p.get("value") for p in root.iter("{urn:gpubound:platform:1}parameter") if p.get("name") == "dispatch.delay")[:-2])

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def check(self, *words, jobs=RECORDED / "ordered.csv.gz"):
        return script("check", *words, GPUBOUND, self.folder / "ordered", jobs)

    def part(self, folder, source, scenario):
        """The rows of one scenario."""
        lines = gzip.decompress((RECORDED / source).read_bytes()).decode().splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("scenario,"))
        path = pathlib.Path(folder) / source.removesuffix(".gz")
        path.write_text("\n".join([lines[head]] + [line for line in lines if line.startswith(scenario + ",")]) + "\n")
        return path

    def test_no_job_above(self):
        result = self.check("--stamps", RECORDED / "ordered-stamps.csv.gz")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"as the model is: 5 scenarios, \d+ jobs; above their bound: 0, and 0 where .*; 16 tasks with a bound, 0 without")
        self.assertIn("but A-HOST did not hold: job 44 of t1 was released 385844 ns late", result.stdout)
        self.assertIn("0 kernels or runs of copies longer than their WCETs", result.stdout)
        self.assertGreater(int(re.search(r"(\d+) were passed by one that came later", result.stdout)[1]), 0)

    def test_copies_out_of_turn(self):
        """Copies of a stream went before one of another stream that was there first: above what A-CE would bound, but not without it."""
        self.assertEqual(self.status["A-CE"], "broken")
        with tempfile.TemporaryDirectory() as folder:
            jobs = self.part(folder, "ordered.csv.gz", "several-4201-309")
            self.assertEqual(self.check(jobs=jobs).returncode, 0)
            result = self.check("--conditions", "A-HOL,A-PRIO,A-WC,A-CE", jobs=jobs)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual(len(re.findall(r"ABOVE: several-4201-309 t0 job \d+: \d+ ns", result.stdout)), 5)

    def test_long_copy(self):
        """A copy that is alone on its engine and takes 1 ms is a breach of its WCET."""
        with tempfile.TemporaryDirectory() as folder:
            jobs, stamps = (self.part(folder, name, "phased-4201-89") for name in ("ordered.csv.gz", "ordered-stamps.csv.gz"))
            rows = [line.split(",") for line in stamps.read_text().splitlines()]
            behind = next(row for row in rows[1:] if row[2] == "7" and row[3] == "2")
            self.assertIn("0 kernels or runs", self.check("--stamps", stamps, jobs=jobs).stdout)
            behind[4] = str(int(behind[4]) + 1000000)
            stamps.write_text("\n".join(map(",".join, rows)) + "\n")
            self.assertIn("1 kernels or runs", self.check("--stamps", stamps, jobs=jobs).stdout)

    def test_fitting(self):
        result = self.check("--fit", jobs=RECORDED / "fitting.csv.gz")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"under A-FIT: 2 scenarios, 350 jobs; above their bound: 0, .*; [1-9]\d* tasks with a bound")

    def test_passing(self):
        """Room that fits a kernel behind stays unused for as long as the one before it waits, but where blocks are of one shape."""
        self.assertEqual(self.status["A-FIT"], "broken")
        tests = {}
        with gzip.open(RECORDED / "passing.csv.gz", "rt") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                tests.setdefault(row["test"], []).append({k: int(v) for k, v in row.items() if k != "test"})
        for name in ("warps", "shared", "middle", "high-ahead", "high-middle"):
            for row in tests[name]:
                self.assertEqual(row["passed"], 0)
                self.assertEqual(row["room_ns"], row["waited_ns"])
                self.assertGreater(row["room_ns"], 5 * self.delay)
        self.assertLess(max(row["room_ns"] for row in tests["same"]), self.delay)
        for name in ("high-behind", "event"):
            self.assertTrue(all(row["passed"] == row["behind_blocks"] and row["waited_ns"] == 0 for row in tests[name]))


@unittest.skipIf(ALL, "in the suite quick")
class Partitioned(unittest.TestCase):
    """Task sets in partitions of SMs, each loaded by more than a half: no job above its bound, and bounds that are near."""
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name) / "partitioned"
        with tarfile.open(RECORDED / "partitioned.tar.gz") as tar:
            tar.extractall(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def check(self):
        return script("check", GPUBOUND, self.folder, RECORDED / "partitioned.csv.gz").stdout

    def test_no_job_above(self):
        text = self.check()
        ours = re.search(r"as the model is: 14 scenarios, \d+ jobs; above their bound: 0, and 0 where .*\n(.*\n)*?  all .*? median ([0-9.]+) 90 % ([0-9.]+)", text)
        self.assertLess(float(ours[2]), 1.6)
        self.assertLess(float(ours[3]), 3)
        self.assertGreater(float(re.search(r"partitions of partitioned: \d+, \d+ with two or more streams; load least ([0-9.]+)", text)[1]), 0.5)

    def test_other_sizes(self):
        """Where the first partition is said to have nearly all SMs its jobs are too late: the bounds are of their own size."""
        for path in self.folder.glob("partitioned-*.xml"):
            text = re.sub(r'(<partition [^>]*size)="\d+"', r'\1="8"', path.read_text())
            path.write_text(text.replace('size="8"', 'size="112"', 1))
        self.assertIn("ABOVE", self.check())


@unittest.skipIf(ALL, "in the suite quick")
class Generated(unittest.TestCase):
    def test_same_bytes_and_valid(self):
        blocks = ROOT / "tests" / "silicon" / "h200" / "blocks.csv.gz"
        with tempfile.TemporaryDirectory() as folder:
            made = [pathlib.Path(folder) / name for name in ("a", "b")]
            for path in made:
                self.assertEqual(script("generate", 7, 12, path, blocks).returncode, 0)
            names = sorted(p.name for p in made[0].iterdir())
            self.assertEqual(len(names), 13)
            for name in names:
                self.assertEqual((made[0] / name).read_bytes(), (made[1] / name).read_bytes())
            for path in sorted(made[0].glob("*.xml"))[::3]:
                result = subprocess.run([GPUBOUND, "analyze", "--quiet", str(path)], capture_output=True, text=True)
                self.assertIn(result.returncode, (0, 1, 4), result.stderr)
            scenarios = (made[0] / "scenarios.txt").read_text()
            self.assertEqual(len(re.findall("^scenario ", scenarios, re.M)), 12)

    def test_events_same_bytes_and_valid(self):
        blocks, families = ROOT / "tests" / "silicon" / "h200" / "blocks.csv.gz", "several,copying,phased,fitting,unfitting"
        with tempfile.TemporaryDirectory() as folder:
            made = [pathlib.Path(folder) / name for name in ("a", "b")]
            for path in made:
                self.assertEqual(script("generate", 4201, 5, path, blocks, "--families", families).returncode, 0)
            for path in sorted(made[0].iterdir()):
                self.assertEqual(path.read_bytes(), (made[1] / path.name).read_bytes())
            for path in made[0].glob("*.xml"):
                result = subprocess.run([GPUBOUND, "analyze", "--quiet", str(path)], capture_output=True, text=True)
                self.assertIn(result.returncode, (0, 1, 4), result.stderr)
            paths = sorted(made[0].glob("*.xml"), key=lambda path: int(path.stem.split("-")[2]))
            self.assertEqual(script("convert", made[0] / "back", *paths).returncode, 0)
            text = (made[0] / "back" / "scenarios.txt").read_text()
            for word in ("scenario ", "record ", "wait ", "stamp", "copy ", "on "):
                self.assertEqual(len(re.findall(f"^{word}", text, re.M)), len(re.findall(f"^{word}", (made[0] / "scenarios.txt").read_text(), re.M)), word)
            self.assertIn("\nwait ", text)

    def test_convert(self):
        """A task set of the family spin, converted back, is the scenario that it was written from."""
        blocks = ROOT / "tests" / "silicon" / "h200" / "blocks.csv.gz"
        with tempfile.TemporaryDirectory() as folder:
            made, back = pathlib.Path(folder) / "made", pathlib.Path(folder) / "back"
            self.assertEqual(script("generate", 5, 4, made, blocks, "--families", "spin").returncode, 0)
            paths = sorted(made.glob("*.xml"), key=lambda path: int(path.stem.split("-")[2]))
            result = script("convert", back, *paths)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual((back / "scenarios.txt").read_text(), (made / "scenarios.txt").read_text())
            self.assertEqual(sorted(p.name for p in back.glob("*.xml")), sorted(p.name for p in paths))

    def test_curves(self):
        result = script("curves", ROOT / "tests" / "silicon" / "h200" / "blocks.csv.gz")
        root = ElementTree.fromstring(f"<kernels>{result.stdout}</kernels>")
        curves = {k.get("id"): [(int(r.get("blocks")), int(r.get("wcet")[:-2])) for r in k] for k in root}
        self.assertGreater(len(curves), 20)
        for curve in curves.values():
            self.assertEqual(curve, sorted(curve))
            self.assertEqual([t for _, t in curve], sorted(t for _, t in curve))
        one, two = dict(curves["compute-1024"])[1], dict(curves["compute-1024"])[2]
        self.assertGreater(two, 1.9 * one)  # a block alone keeps the schedulers busy

    def test_convert_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            result = script("convert", folder, ROOT / "examples" / "waters2019.xml")
        self.assertEqual(result.returncode, 1)
        self.assertIn("expected", result.stderr)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
