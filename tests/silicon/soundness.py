"""scripts/soundness.py on what an H200 did: no job above its bound, the ratios that doc/silicon.md states, and a planted excess is found.

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
        self.assertEqual((len(volume), len(ours), len(ratios)), (182, 790, 806))
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
    def test_long_ago_excuses_nothing(self):
        def change(rows):
            self.late(next(r for r in rows if r["operation"] == "job" and r["job"] == "45"))
            next(r for r in rows if r["operation"] == "0" and r["job"] == "2")["longest_ns"] = "99999999"
        self.assertEqual(self.changed(change).returncode, 1)


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
