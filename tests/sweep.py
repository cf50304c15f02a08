"""gpubound sweep and merge.

- each row is what analyze says with the same options
- ranges are exact; the last option moves fastest; the same bytes with any number of threads
- parts in any number and order merge to the bytes of the whole; gaps, points that are there twice, other inputs and other options are refused

usage: sweep.py GPUBOUND SOURCE_ROOT
"""
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
SET = "examples/two-streams.xml"
SPACE = ["--scale=resize_kernel.wcet=0.5:2:0.3", "--set=filter.period=50ms,100ms", "--set=platform.overhead.launch=10us,100us"]


def run(*words):
    return subprocess.run([GPUBOUND, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=120)


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
